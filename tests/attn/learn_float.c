/* tests/attn/learn_float.c — the operations of learning as the sets compute them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "attn/learn.h"
#include "learn_cases.h"
#include "mean_loss.h"

const struct attn_kernels *case_kernels;

#define PRODUCT(turn, a, b, out) attn_multiply(case_kernels, NULL, turn, a, b, NULL, out)
#define SOFTMAX(s) attn_softmax(case_kernels, s)
#define SOFTMAX_BACK(a, da, factor, ds) attn_softmax_back(case_kernels, a, da, factor, ds)
#define NORMALISE(norm, x, y, known) attn_normalise(case_kernels, NULL, norm, x, y, known)
#define NORM_BACK(norm, x, known, dy, dx, dgain, dbias)                                            \
    attn_norm_back(case_kernels, NULL, norm, x, known, dy, dx, dgain, dbias)
#define GATE(x, count, linear, cubic) attn_gate(case_kernels, x, count, linear, cubic)
#define GATE_BACK(x, dy, count, linear, cubic)                                                     \
    attn_gate_back(case_kernels, x, dy, count, linear, cubic)
#define SWIGLU(x, u, y, count) attn_swiglu(case_kernels, x, u, y, count)
#define SWIGLU_BACK(x, u, dy, dx, du, count) attn_swiglu_back(case_kernels, x, u, dy, dx, du, count)
#define CROSS_ENTROPY(logits, asked, losses, dlogits)                                              \
    mean_loss(case_kernels, logits, asked, losses, dlogits)
#define ADAMW(how, count, gradient, m, v, weights)                                                 \
    attn_adamw_step(case_kernels, how, count, gradient, m, v, weights)
#define SGD(how, count, gradient, velocity, weights)                                               \
    attn_sgd_step(case_kernels, how, count, gradient, velocity, weights)
#define SQUARES(x, count) attn_squares(case_kernels, x, count)
#define CASE case_float
#define CASES cases_float
#include "learn_cases.inc"
