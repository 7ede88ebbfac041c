/* tests/attn/peak.h — the most a set of instructions can multiply and add, for bench.c. */
#ifndef TESTS_ATTN_PEAK_H
#define TESTS_ATTN_PEAK_H

#include <stddef.h>

/* Runs so many steps in registers, leaves their sum (16 floats at most) in out so that no compiler
 * drops them, and returns how many multiplications and additions that were. */
typedef double peak_function(size_t steps, float *out);

peak_function peak_of_sse2, peak_of_avx2, peak_of_avx512, peak_of_neon;

#endif
