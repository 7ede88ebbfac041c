/* tests/attn/peak_set.c — multiplications and additions of one set, as many as the processor can
 * do: chains in registers, no memory. Compiled once per set. */
#include "attn/kernels_vec.h"
#include "peak.h"

#define JOIN(a, b) a##b
#define DOOR(set) JOIN(peak_of_, set)

enum { CHAINS = 12, TIMES = 4 };

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 12")
#endif

double DOOR(ATTN_TESTED)(size_t steps, float *out) {
    const vec factor = vec_splat(0.999F), term = vec_splat(0.001F);
    vec chain[CHAINS], sum = vec_splat(0);
    UNROLL for (int i = 0; i < CHAINS; i++) {
        chain[i] = vec_splat((float)(i + 1));
    }
    for (size_t step = 0; step < steps; step++) {
        UNROLL for (int time = 0; time < TIMES; time++) {
            UNROLL for (int i = 0; i < CHAINS; i++) {
                chain[i] = vec_fma(chain[i], factor, term);
            }
        }
    }
    UNROLL for (int i = 0; i < CHAINS; i++) {
        sum += chain[i];
    }
    vec_store(out, sum);
    return 2.0 * CHAINS * TIMES * WIDTH * (double)steps;
}
