/* attn/kernels.h — what a set of kernels is: one row of functions for one instruction set.
 *
 * Every set exports exactly one symbol, its row. All functions keep these rules:
 *   - buffers need no alignment; only the floats of rows × cols are read or written, never what
 *     lies between cols and stride or behind the last row;
 *   - each result is summed in the order of its terms, so that a row has the same bits whether it
 *     is computed alone or among others (but for the sign of a NaN, which is the processor's);
 *   - any size may be 0: a sum over nothing is 0. */
#ifndef ATTN_KERNELS_H
#define ATTN_KERNELS_H

#include "attn/attn.h"

struct attend_job;

/* How a set whose matrix registers take part packs keys and values for attention. */
struct attn_split {
    size_t depth;      /* from this d_k on … */
    size_t keys;       /* … and this many keys on */
    size_t rows, cols; /* most queries, most keys of a block */
    size_t scores;     /* rows of scores that are there at once */
    /* Floats of the packed k [m][d_k] and v [m][d_v]; SIZE_MAX: too many. */
    size_t (*keys_floats)(size_t m, size_t d_k);
    size_t (*values_floats)(size_t m, size_t d_v);
    void (*pack_keys)(struct attn_operand k, float *packed);
    void (*pack_values)(struct attn_operand v, float *packed);
    /* Bytes that a block of so many queries needs for these, and for powers of so many keys. */
    size_t (*queries_bytes)(size_t rows, size_t d_k);
    size_t (*powers_bytes)(size_t keys);
};

struct attn_kernels {
    const char *name, *title;
    bool (*supported)(void);
    void (*project)(struct attn_operand x, struct attn_operand w, struct attn_matrix out);
    void (*scores)(struct attn_operand q, struct attn_operand k, struct attn_matrix s);
    void (*scale_mask)(struct attn_matrix s, float factor, struct attn_mask mask);
    size_t (*softmax)(struct attn_matrix s);
    void (*blend)(struct attn_operand a, struct attn_operand v, struct attn_matrix z);

    /* Packed products: a panel's columns, b [depth][cols] into panels. */
    size_t panel;
    void (*pack)(struct attn_operand b, float *panels);
    void (*project_packed)(struct attn_operand x, const float *panels, struct attn_matrix out);

    void (*gate)(float *x, size_t count, float linear, float cubic);

    /* A block of queries. Return how many see no key. k [m][d_k] and v [m][d_v] are packed as it
     * reads them, k turned; a v that is one panel already is read where it is. */
    size_t attend_panel;
    void (*pack_keys)(struct attn_operand k, float *panels);
    void (*pack_values)(struct attn_operand v, float *panels);
    size_t (*attend)(const struct attend_job *job);
    size_t (*attend_kept)(const struct attend_job *job);

    const struct attn_split *split; /* NULL: attention is packed as above */

    /* The whole of a plan that is projected and keeps all, whose m, d_model, d_k and d_v are at
     * most tiny: to the bit what the stages give. Returns how many queries see no key. tiny 0: no
     * such function. */
    size_t tiny;
    size_t (*run_tiny)(const struct attn_plan *plan, void *block, float factor,
                       const struct attn_sight *sight);

    /* So many steps of the set's multiply-adds in registers; leaves their sum (16 floats at most)
     * in out, and returns how many multiplications and additions that were. NULL: no vectors. */
    double (*peak)(size_t steps, float *out);
};

extern const struct attn_kernels attn_kernels_ref;
extern const struct attn_kernels attn_kernels_sse2;
extern const struct attn_kernels attn_kernels_avx2;
extern const struct attn_kernels attn_kernels_avx512;
extern const struct attn_kernels attn_kernels_amx;
extern const struct attn_kernels attn_kernels_neon;

#endif
