/* attn/kernels.h — what a set of kernels is: one row of functions for one instruction set.
 *
 * Every set exports exactly one symbol, its row. What each result is, to the bit, is said once, in
 * kernels_ref.c; all sets give the same. All functions keep these rules:
 *   - buffers need no alignment; only the floats of rows × cols are read or written, never what
 *     lies between cols and stride or behind the last row;
 *   - a row has the same bits whether it is computed alone or among others (but for the sign and
 *     payload of a NaN, which are the processor's);
 *   - any size may be 0: a sum over nothing is 0. */
#ifndef ATTN_KERNELS_H
#define ATTN_KERNELS_H

#include "attn/learn.h"

struct attend_job;

/* out [rows][cols] = start + a [rows][depth] · b [depth][cols]. */
struct product {
    const float *a;
    size_t a_row, a_step; /* from a row's number to the next row's, to the next term's */
    size_t rows;
    const float *b;
    size_t b_stride;
    bool turned; /* b is [cols][depth] */
    size_t depth, cols;
    const float *start;  /* NULL: +0 */
    size_t start_stride; /* 0: one row for all */
    float *out;
    size_t out_stride;
};

struct attn_kernels {
    const char *name, *title;
    bool (*supported)(void);
    void (*multiply)(const struct product *of);
    void (*scale_mask)(struct attn_matrix s, float factor, struct attn_mask mask);
    size_t (*softmax)(struct attn_matrix s);
    void (*blend)(struct attn_operand a, struct attn_operand v, struct attn_matrix z);
    bool (*finite)(struct attn_operand v);

    /* Packed products: b [depth][cols] into panels, whose columns are filled up to a whole number
     * of `panel`; of->b are these. */
    size_t panel;
    void (*pack)(struct attn_operand b, float *panels);
    void (*multiply_packed)(const struct product *of);

    void (*gate)(float *x, size_t count, float linear, float cubic);

    /* A block of queries. Return how many see no key. k [m][d_k] is packed as it reads it, turned,
     * in panels of so many keys. */
    size_t key_panel;
    void (*pack_keys)(struct attn_operand k, float *panels);
    size_t (*attend)(const struct attend_job *job);
    size_t (*attend_kept)(const struct attend_job *job);

    /* The whole of a plan that is projected and keeps all, whose m, d_model, d_k and d_v are at
     * most tiny: to the bit what the stages give. Returns how many queries see no key. tiny 0: no
     * such function. */
    size_t tiny;
    size_t (*run_tiny)(const struct attn_plan *plan, void *block, float factor,
                       const struct attn_sight *sight);

    /* So many steps of the set's multiply-adds in registers; leaves their sum (16 floats at most)
     * in out, and returns how many multiplications and additions that were. NULL: no vectors. */
    double (*peak)(size_t steps, float *out);

    /* Computes the functions of learn.h, on the calling thread. */
    void (*softmax_back)(struct attn_operand a, struct attn_operand da, float factor,
                         struct attn_matrix ds);
    /* Of at most head_max tokens and numbers, nothing but alpha kept; 0: no such functions. */
    size_t head_max;
    void (*head_forward)(const struct attn_learn_head *head);
    void (*head_back)(const struct attn_learn_head *head);
    void (*normalise)(const struct attn_norm *norm, struct attn_operand x, struct attn_matrix y,
                      float *known);
    void (*norm_back)(const struct attn_norm *norm, struct attn_operand x, const float *known,
                      struct attn_operand dy, struct attn_matrix dx);
    /* Sums the columns from first up to before end. */
    void (*norm_gains)(struct attn_operand x, const float *known, struct attn_operand dy,
                       size_t first, size_t end, float *dgain, float *dbias);
    void (*apply)(enum attn_function function, float *x, size_t count);
    void (*gate_back)(const float *x, float *dy, size_t count, float linear, float cubic);
    void (*swiglu)(const float *x, const float *u, float *y, size_t count);
    void (*swiglu_back)(const float *x, const float *u, const float *dy, float *dx, float *du,
                        size_t count);
    /* share: 1 ÷ rows that are asked; right: NULL, or 1 where no logit is above the target's. */
    void (*cross_entropy)(struct attn_operand logits, const int32_t *targets, float share,
                          float *losses, uint8_t *right, struct attn_matrix dlogits);
    /* corrections: 1 / (1 − β₁ˢ) and 1 / (1 − β₂ˢ). */
    void (*adamw)(const struct attn_adamw *how, const float corrections[2], size_t count,
                  const float *gradient, float *m, float *v, float *weights);
    void (*sgd)(const struct attn_sgd *how, size_t count, const float *gradient, float *velocity,
                float *weights);
    float (*squares)(const float *x, size_t count);
    float (*total)(const float *x, size_t count);
};

extern const struct attn_kernels attn_kernels_ref;
extern const struct attn_kernels attn_kernels_sse2;
extern const struct attn_kernels attn_kernels_avx2;
extern const struct attn_kernels attn_kernels_avx512;
extern const struct attn_kernels attn_kernels_neon;

#endif
