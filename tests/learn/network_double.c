/* tests/learn/network_double.c — src/learn's passes with double in the place of float. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "network_double.h"

/* The names of what is compiled once more. */
#define learn_pass_floats double_pass_floats
#define learn_pass_lay_out double_pass_lay_out
#define learn_pass_forward double_pass_forward
#define learn_pass_loss double_pass_loss
#define learn_pass_backward double_pass_backward
#define learn_attend double_attend
#define learn_attend_back double_attend_back
#define learn_turn double_turn
#define learn_smear double_smear
#define attn_multiply double_multiply
#define attn_head_forward double_head_forward
#define attn_head_back double_head_back
#define attn_normalise double_normalise
#define attn_norm_back double_norm_back
#define attn_gate double_gate
#define attn_gate_back double_gate_back
#define attn_swiglu double_swiglu
#define attn_swiglu_back double_swiglu_back
#define attn_cross_entropy_part double_cross_entropy_part

/* Of the textbook a pass needs a part. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include "../double_kernels.h"

/* ---- the doors of attn, in float64 --------------------------------------------------------- */

void attn_multiply(const struct attn_kernels *kernels, struct attn_pool *pool, enum attn_turn turn,
                   struct attn_operand a, struct attn_operand b, const struct attn_operand *start,
                   struct attn_matrix out)
{
    const size_t depth = turn == ATTN_AT_B ? a.rows : a.cols;
    (void)kernels;
    (void)pool;
    for (size_t i = 0; i < out.rows; i++) {
        for (size_t j = 0; j < out.cols; j++) {
            double sum = start == NULL      ? 0
                         : start->rows == 1 ? start->values[j]
                                            : start->values[i * start->stride + j];
            for (size_t p = 0; p < depth; p++) {
                sum += a.values[turn == ATTN_AT_B ? p * a.stride + i : i * a.stride + p] *
                       b.values[turn == ATTN_A_BT ? j * b.stride + p : p * b.stride + j];
            }
            out.values[i * out.stride + j] = sum;
        }
    }
}

/* Whether query i of a head sees key j. */
static bool sees(const struct attn_learn_head *head, size_t i, size_t j)
{
    return !head->causal || j <= i;
}

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t c = 0; c < count; c++) {
        sum += a[c] * b[c];
    }
    return sum;
}

void attn_head_forward(const struct attn_kernels *kernels, const struct attn_learn_head *head)
{
    const size_t n = head->length;
    (void)kernels;
    for (size_t i = 0; i < n; i++) {
        double *const alpha = head->alpha + i * n, sum = 0;
        for (size_t j = 0; j < n; j++) {
            const double score =
                dot(head->q + i * head->stride, head->k + j * head->stride, head->d_k);
            alpha[j] = sees(head, i, j) ? exp(score * head->factor) : 0;
            sum += alpha[j];
        }
        for (size_t j = 0; j < n; j++) {
            alpha[j] /= sum;
        }
        for (size_t c = 0; c < head->d_k; c++) {
            double z = 0;
            for (size_t j = 0; j < n; j++) {
                z += alpha[j] * head->v[j * head->stride + c];
            }
            head->z[i * head->z_stride + c] = z;
        }
    }
}

void attn_head_back(const struct attn_kernels *kernels, const struct attn_learn_head *head)
{
    const size_t n = head->length;
    (void)kernels;
    for (size_t i = 0; i < n; i++) {
        memset(head->dq + i * head->stride, 0, head->d_k * sizeof *head->dq);
        memset(head->dk + i * head->stride, 0, head->d_k * sizeof *head->dk);
        memset(head->dv + i * head->stride, 0, head->d_k * sizeof *head->dv);
    }
    for (size_t i = 0; i < n; i++) {
        const double *const alpha = head->alpha + i * n, *const dz = head->dz + i * head->z_stride;
        double mean = 0;
        for (size_t j = 0; j < n; j++) {
            mean += alpha[j] * dot(dz, head->v + j * head->stride, head->d_k);
        }
        for (size_t j = 0; j < n; j++) {
            const double dalpha = dot(dz, head->v + j * head->stride, head->d_k);
            const double dscore = alpha[j] * (dalpha - mean) * head->factor;
            for (size_t c = 0; c < head->d_k; c++) {
                head->dv[j * head->stride + c] += alpha[j] * dz[c];
                head->dq[i * head->stride + c] += dscore * head->k[j * head->stride + c];
                head->dk[j * head->stride + c] += dscore * head->q[i * head->stride + c];
            }
        }
    }
}

void attn_normalise(const struct attn_kernels *kernels, struct attn_pool *pool,
                    const struct attn_norm *norm, struct attn_operand x, struct attn_matrix y,
                    double *known)
{
    (void)kernels;
    (void)pool;
    ref_normalise(norm, x, y, known);
}

void attn_norm_back(const struct attn_kernels *kernels, struct attn_pool *pool,
                    const struct attn_norm *norm, struct attn_operand x, const double *known,
                    struct attn_operand dy, struct attn_matrix dx, double *dgain, double *dbias)
{
    (void)kernels;
    (void)pool;
    ref_norm_gains(x, known, dy, 0, x.cols, dgain, dbias);
    ref_norm_back(norm, x, known, dy, dx);
}

void attn_gate(const struct attn_kernels *kernels, double *x, size_t count, double linear,
               double cubic)
{
    (void)kernels;
    ref_gate(x, count, linear, cubic);
}

void attn_gate_back(const struct attn_kernels *kernels, const double *x, double *dy, size_t count,
                    double linear, double cubic)
{
    (void)kernels;
    ref_gate_back(x, dy, count, linear, cubic);
}

void attn_swiglu(const struct attn_kernels *kernels, const double *x, const double *u, double *y,
                 size_t count)
{
    (void)kernels;
    ref_swiglu(x, u, y, count);
}

void attn_swiglu_back(const struct attn_kernels *kernels, const double *x, const double *u,
                      const double *dy, double *dx, double *du, size_t count)
{
    (void)kernels;
    ref_swiglu_back(x, u, dy, dx, du, count);
}

void attn_cross_entropy_part(const struct attn_kernels *kernels, struct attn_operand logits,
                             const int32_t *targets, double share, double *losses, uint8_t *right,
                             struct attn_matrix dlogits)
{
    (void)kernels;
    ref_cross_entropy(logits, targets, share, losses, right, dlogits);
}

#include "../../src/learn/attention.c"
#define head_of pass_head_of
#include "../../src/learn/pass.c"

/* ---- a run --------------------------------------------------------------------------------- */

static void *make(size_t count, size_t size)
{
    void *const made = calloc(count + 1, size);
    if (made == NULL) {
        abort();
    }
    return made;
}

static struct learn_plan plan_of(const struct double_network *of, size_t rows)
{
    struct learn_plan plan = {.shape = {.family = of->llama ? LEARN_LLAMA : LEARN_GPT2,
                                        .layers = of->layers,
                                        .heads = of->heads,
                                        .d_model = of->d_model,
                                        .d_k = of->d_k,
                                        .context = of->context,
                                        .vocabulary = of->vocabulary,
                                        .inner = of->inner,
                                        .norm = of->norm,
                                        .tied = of->tied,
                                        .causal = of->causal,
                                        .theta = of->theta,
                                        .smear = of->smear}};
    const size_t half = of->d_k / 2, context = of->context;
    for (size_t l = 0; l < of->layers; l++) {
        memcpy(plan.at[l], of->at[l], sizeof plan.at[l]);
        memcpy(plan.off[l], of->off[l], sizeof plan.off[l]);
    }
    plan.ones = make(rows, sizeof *plan.ones);
    for (size_t i = 0; i < rows; i++) {
        plan.ones[i] = 1;
    }
    if (of->llama) {
        plan.cosines = make(context * half, sizeof *plan.cosines);
        plan.sines = make(context * half, sizeof *plan.sines);
        for (size_t i = 0; i < context * half; i++) {
            const double angle =
                (double)(i / half) * pow(of->theta, -2 * (double)(i % half) / (double)of->d_k);
            plan.cosines[i] = cos(angle);
            plan.sines[i] = sin(angle);
        }
    }
    return plan;
}

double double_network_run(const struct double_network *of, const double *weights, size_t sequences,
                          size_t length, const int32_t *tokens, const int32_t *targets,
                          double *gradient)
{
    const size_t rows = sequences * length;
    struct learn_plan plan = plan_of(of, rows);
    struct learn_pass pass;
    double *const block =
        make(learn_pass_floats(&plan.shape, sequences, length, false), sizeof *block);
    double *const losses = make(rows, sizeof *losses), loss = 0, asked = 0;
    learn_pass_lay_out(&plan.shape, sequences, length, false, block, &pass);
    for (size_t i = 0; i < rows; i++) {
        asked += targets[i] >= 0 ? 1 : 0;
    }
    const struct learn_part_of_batch part = {.sequences = sequences,
                                             .length = length,
                                             .tokens = tokens,
                                             .targets = targets,
                                             .share = 1 / asked,
                                             .losses = losses};
    learn_pass_forward(&plan, &pass, weights, &part);
    learn_pass_loss(&plan, &pass, &part, gradient != NULL);
    if (gradient != NULL) {
        learn_pass_backward(&plan, &pass, weights, &part, true, gradient);
    }
    for (size_t i = 0; i < rows; i++) {
        loss += losses[i] / asked;
    }
    free(losses);
    free(block);
    free(plan.ones);
    free(plan.cosines);
    free(plan.sines);
    return loss;
}
