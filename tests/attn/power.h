/* tests/attn/power.h — e^x as each vector set computes it, behind a door for a test. */
#ifndef TESTS_ATTN_POWER_H
#define TESTS_ATTN_POWER_H

#include <stddef.h>

/* out[i] = e^x[i] for x ≤ 0. count is a multiple of 16. */
typedef void power_function(const float *x, float *out, size_t count);

power_function power_of_sse2, power_of_avx2, power_of_avx512, power_of_neon;

#endif
