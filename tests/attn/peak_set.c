/* tests/attn/peak_set.c — multiplications and additions of one set, as many as the processor can
 * do: chains in registers, no memory. Compiled once per set. */
#include "attn/kernels_vec.h"
#include "peak.h"

#define JOIN(a, b) a##b
#define DOOR(set) JOIN(peak_of_, set)

enum { CHAINS = 12 };

double DOOR(ATTN_TESTED)(size_t steps, float *out) {
    const vec factor = vec_splat(0.999F), term = vec_splat(0.001F);
    vec a = vec_splat(1), b = vec_splat(2), c = vec_splat(3), d = vec_splat(4);
    vec e = vec_splat(5), f = vec_splat(6), g = vec_splat(7), h = vec_splat(8);
    vec i = vec_splat(9), j = vec_splat(10), k = vec_splat(11), l = vec_splat(12);
    for (size_t step = 0; step < steps; step++) {
        a = vec_fma(a, factor, term), b = vec_fma(b, factor, term), c = vec_fma(c, factor, term);
        d = vec_fma(d, factor, term), e = vec_fma(e, factor, term), f = vec_fma(f, factor, term);
        g = vec_fma(g, factor, term), h = vec_fma(h, factor, term), i = vec_fma(i, factor, term);
        j = vec_fma(j, factor, term), k = vec_fma(k, factor, term), l = vec_fma(l, factor, term);
    }
    vec_store(out, a + b + c + d + e + f + g + h + i + j + k + l);
    return 2.0 * CHAINS * WIDTH * (double)steps;
}
