/* attn/kernels_peak.h — multiplications and additions, as many as the processor can do: chains in
 * registers, no memory. A part of kernels_tmpl.c. */
#ifndef ATTN_KERNELS_PEAK_H
#define ATTN_KERNELS_PEAK_H

enum { CHAINS = 12, CHAIN_TIMES = 4 };

#if defined(__clang__)
#define UNROLL_CHAINS _Pragma("clang loop unroll(full)")
#else
#define UNROLL_CHAINS _Pragma("GCC unroll 12")
#endif

static double vec_peak(size_t steps, float *out)
{
    const vec factor = vec_splat(0.999F), term = vec_splat(0.001F);
    vec chain[CHAINS], sum = vec_splat(0);
    UNROLL_CHAINS
    for (int i = 0; i < CHAINS; i++) {
        chain[i] = vec_splat((float)(i + 1));
    }
    for (size_t step = 0; step < steps; step++) {
        for (int time = 0; time < CHAIN_TIMES; time++) {
            UNROLL_CHAINS
            for (int i = 0; i < CHAINS; i++) {
                chain[i] = vec_fma(chain[i], factor, term);
            }
        }
    }
    UNROLL_CHAINS
    for (int i = 0; i < CHAINS; i++) {
        sum += chain[i];
    }
    vec_store(out, sum);
    return 2.0 * CHAINS * CHAIN_TIMES * WIDTH * (double)steps;
}

#endif
