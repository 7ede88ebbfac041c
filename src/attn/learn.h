/* attn/learn.h — what learning computes: products of turned factors, norms, gates, losses and their
 * gradients, and the steps of the weights.
 *
 * As in attn.h, all numbers are float32, memory is the caller's, every set gives the same bits for
 * any number of threads and whatever rows stand beside a row; kernels_ref_learn.inc says which.
 * Shapes must agree (asserted). Nothing fails: what has no answer is NaN and stays it. dy is the
 * gradient of the loss with respect to y. Where a buffer may be another one, that is said. */
#ifndef ATTN_LEARN_H
#define ATTN_LEARN_H

#include "attn/attn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- products ------------------------------------------------------------------------------ */

enum attn_turn {
    ATTN_A_B,  /* a [n][k] · b [k][m] */
    ATTN_A_BT, /* a [n][k] · b [m][k]ᵀ */
    ATTN_AT_B, /* a [k][n]ᵀ · b [k][m] */
};

/* out [n][m] = start + the product. start: NULL: 0; of one row: added to every row, as a bias is;
 * out itself: the product is added to what stands there. Otherwise out overlaps nothing. */
void attn_multiply(const struct attn_kernels *kernels, struct attn_pool *pool, enum attn_turn turn,
                   struct attn_operand a, struct attn_operand b, const struct attn_operand *start,
                   struct attn_matrix out);

/* ---- softmax ------------------------------------------------------------------------------- */

/* ds [n][m] = factor · a ∘ (da − Σ a·da), the sum over a row, of a = softmax(factor · s). Where a
 * is 0 no key is seen: ds is 0 there, whatever da is. ds may be da. */
void attn_softmax_back(const struct attn_kernels *kernels, struct attn_operand a,
                       struct attn_operand da, float factor, struct attn_matrix ds);

/* ---- one head ------------------------------------------------------------------------------ */

/* A head of T queries that see T keys, or with causal the keys up to their own. Rows of q, k, v and
 * of their gradients stand `stride` floats apart, beside those of other heads; rows of z and dz
 * z_stride. What is not kept is NULL: scores, scaled, dscaled, dscores (of each two both or none).
 * dalpha is needed on the way back, and holds gradients of α only where they are kept. */
struct attn_learn_head {
    size_t length, d_k; /* T, width */
    size_t stride, z_stride;
    bool causal;
    float factor; /* of the scores: 1 / √d_k */
    const float *q, *k, *v;
    float *alpha;           /* [T][T], 0 where a key is hidden */
    float *scores, *scaled; /* [T][T]; scaled: −∞ where a key is hidden */
    float *z;
    const float *dz;
    float *dq, *dk, *dv;
    float *dalpha, *dscaled, *dscores; /* [T][T] */
};

/* S = q·kᵀ, S′ = S · factor, α = softmax S′, z = α·v; and back, from dz, q, k, v and alpha to dq,
 * dk, dv. A pair whose α is 0 takes no part, whatever its key holds, and no zero of z, dq, dk, dv
 * has a sign. */
void attn_head_forward(const struct attn_kernels *kernels, const struct attn_learn_head *head);
void attn_head_back(const struct attn_kernels *kernels, const struct attn_learn_head *head);

/* ---- norms --------------------------------------------------------------------------------- */

/* LayerNorm (Ba, Kiros and Hinton, 2016), or without the mean RMSNorm (Zhang and Sennrich, 2019):
 * y = (x − mean) / √(variance + epsilon) · gain + bias, over each row. */
struct attn_norm {
    bool rms;                 /* the mean counts as 0 */
    const float *gain, *bias; /* of a row's width; NULL: 1 and 0 */
    float epsilon;
};

/* y [n][d] of x [n][d]. known [n][2] receives each row's mean and 1 / √(variance + epsilon), which
 * attn_norm_back asks for; NULL: nobody does. y may be x. */
void attn_normalise(const struct attn_kernels *kernels, struct attn_pool *pool,
                    const struct attn_norm *norm, struct attn_operand x, struct attn_matrix y,
                    float *known);

/* dx [n][d] from dy; dgain and dbias [d] are added to, NULL: not asked for. dx may be dy where
 * neither is asked for. */
void attn_norm_back(const struct attn_kernels *kernels, struct attn_pool *pool,
                    const struct attn_norm *norm, struct attn_operand x, const float *known,
                    struct attn_operand dy, struct attn_matrix dx, float *dgain, float *dbias);

/* ---- activations --------------------------------------------------------------------------- */

/* Functions of one number, in place. GELU is x · Φ(x) (Hendrycks and Gimpel, 2016); its tanh form
 * and SiLU are attn_gate's. */
enum attn_function { ATTN_GELU, ATTN_TANH };

/* Within 4e-7 of the exact value, relative to the larger of 1 and |x|. */
void attn_apply(const struct attn_kernels *kernels, enum attn_function function, float *x,
                size_t count);

/* dx of attn_gate(x, linear, cubic), in the place of dy. */
void attn_gate_back(const struct attn_kernels *kernels, const float *x, float *dy, size_t count,
                    float linear, float cubic);

/* SwiGLU (Shazeer, GLU variants improve transformer, 2020): y = x / (1 + e^−x) · u. y may be x or
 * u. */
void attn_swiglu(const struct attn_kernels *kernels, const float *x, const float *u, float *y,
                 size_t count);

/* dx and du from dy; they overlap neither dy nor x nor u. */
void attn_swiglu_back(const struct attn_kernels *kernels, const float *x, const float *u,
                      const float *dy, float *dx, float *du, size_t count);

/* ---- loss ---------------------------------------------------------------------------------- */

/* −log softmax(logits)[target] of the rows of a part of a batch that are asked: those whose target
 * is not −1. share is 1 ÷ the rows that are asked in the whole batch, whose loss is attn_total of
 * all losses, times share. losses [n] receives each row's, 0 where it is not asked. right [n]: 1
 * where a row is asked and no logit is above that of its target; NULL: not asked for. dlogits
 * [n][vocabulary] receives the gradient of the batch's loss; values NULL: not asked for; it may be
 * logits. Targets are from −1 to vocabulary − 1. */
void attn_cross_entropy_part(const struct attn_kernels *kernels, struct attn_operand logits,
                             const int32_t *targets, float share, float *losses, uint8_t *right,
                             struct attn_matrix dlogits);

/* Σ x. */
float attn_total(const struct attn_kernels *kernels, const float *x, size_t count);

/* ---- steps --------------------------------------------------------------------------------- */

/* AdamW (Loshchilov and Hutter, Decoupled weight decay regularization, 2019). */
struct attn_adamw {
    float rate, beta1, beta2, epsilon;
    float decay;   /* 0 for what shall not decay */
    float scale;   /* every gradient is multiplied by it first: 1, or less where they are clipped */
    uint64_t step; /* 1 for the first */
};

/* m = β₁m + (1 − β₁)g, v = β₂v + (1 − β₂)g², both 0 before the first step;
 * θ = θ − rate · (m̂ / (√v̂ + epsilon) + decay · θ) with m̂ = m / (1 − β₁ˢ), v̂ = v / (1 − β₂ˢ). */
void attn_adamw_step(const struct attn_kernels *kernels, const struct attn_adamw *how, size_t count,
                     const float *gradient, float *m, float *v, float *weights);

/* velocity = momentum · velocity + scale · g; θ = θ − rate · velocity. */
struct attn_sgd {
    float rate, momentum, scale;
};

void attn_sgd_step(const struct attn_kernels *kernels, const struct attn_sgd *how, size_t count,
                   const float *gradient, float *velocity, float *weights);

/* Σ x²: the square of a norm. */
float attn_squares(const struct attn_kernels *kernels, const float *x, size_t count);

#ifdef __cplusplus
}
#endif

#endif
