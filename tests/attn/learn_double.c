/* tests/attn/learn_double.c — the reference of kernels_ref_learn.inc in float64: the same source
 * with double in the place of float, and the functions of math.h in that of its polynomials. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "learn_cases.h"

#include "../double_kernels.h"

static void multiply(enum attn_turn turn, struct attn_operand a, struct attn_operand b,
                     struct attn_matrix out)
{
    const size_t depth = turn == ATTN_AT_B ? a.rows : a.cols;
    for (size_t i = 0; i < out.rows; i++) {
        for (size_t j = 0; j < out.cols; j++) {
            double sum = 0;
            for (size_t p = 0; p < depth; p++) {
                sum += a.values[turn == ATTN_AT_B ? p * a.stride + i : i * a.stride + p] *
                       b.values[turn == ATTN_A_BT ? j * b.stride + p : p * b.stride + j];
            }
            out.values[i * out.stride + j] = sum;
        }
    }
}

static void shares(struct attn_matrix s)
{
    for (size_t i = 0; i < s.rows; i++) {
        double sum = 0;
        for (size_t j = 0; j < s.cols; j++) {
            sum += exp(s.values[i * s.stride + j]);
        }
        for (size_t j = 0; j < s.cols; j++) {
            s.values[i * s.stride + j] = exp(s.values[i * s.stride + j]) / sum;
        }
    }
}

static double mean_loss(struct attn_operand logits, const int32_t *asked, double *losses,
                        struct attn_matrix dlogits)
{
    double count = 0;
    for (size_t i = 0; i < logits.rows; i++) {
        count += asked[i] >= 0 ? 1 : 0;
    }
    ref_cross_entropy(logits, asked, 1 / count, losses, NULL, dlogits);
    return ref_total(losses, logits.rows) / count;
}

static void adamw_step(const struct attn_adamw *how, size_t count, const double *gradient,
                       double *m, double *v, double *weights)
{
    const double corrections[2] = {1 / (1 - pow(how->beta1, (double)how->step)),
                                   1 / (1 - pow(how->beta2, (double)how->step))};
    ref_adamw(how, corrections, count, gradient, m, v, weights);
}

#define PRODUCT multiply
#define SOFTMAX shares
#define SOFTMAX_BACK ref_softmax_back
#define NORMALISE ref_normalise
#define NORM_BACK(norm, x, known, dy, dx, dgain, dbias)                                            \
    (ref_norm_back(norm, x, known, dy, dx), ref_norm_gains(x, known, dy, 0, (x).cols, dgain, dbias))
#define GATE ref_gate
#define GATE_BACK ref_gate_back
#define SWIGLU ref_swiglu
#define SWIGLU_BACK ref_swiglu_back
#define CROSS_ENTROPY mean_loss
#define ADAMW adamw_step
#define SGD ref_sgd
#define SQUARES ref_squares
#define CASE case_double
#define CASES cases_double
#include "learn_cases.inc"
