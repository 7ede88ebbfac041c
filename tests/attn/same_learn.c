/* tests/attn/same_learn.c — learning's operations for same.c. */
#include <math.h>
#include <string.h>

#include "attn/learn.h"
#include "mean_loss.h"
#include "same.h"

static struct attn_operand drawn(struct same_trial *trial, size_t rows, size_t cols)
{
    const size_t stride = cols + (dice_below(&trial->dice, 2) == 0 ? 0 : 3);
    return (struct attn_operand){same_numbers(trial, rows * stride), rows, cols, stride};
}

static struct attn_matrix result(struct same_trial *trial, size_t rows, size_t cols)
{
    return (struct attn_matrix){same_out(trial, rows * cols), rows, cols, cols};
}

static void multiply(struct same_trial *trial)
{
    const size_t n = same_size(trial, 140), m = same_size(trial, 200), k = same_size(trial, 300);
    const enum attn_turn turn = (enum attn_turn)dice_below(&trial->dice, 3);
    const struct attn_operand a = turn == ATTN_AT_B ? drawn(trial, k, n) : drawn(trial, n, k);
    const struct attn_operand b = turn == ATTN_A_BT ? drawn(trial, m, k) : drawn(trial, k, m);
    const size_t begins = dice_below(&trial->dice, 3);
    const struct attn_operand start = drawn(trial, begins == 1 ? 1 : n, m);
    struct attn_matrix out = result(trial, n, m);
    if (begins == 2) {
        for (size_t i = 0; i < n; i++) {
            memcpy(out.values + i * m, start.values + i * start.stride, m * sizeof(float));
        }
        const struct attn_operand itself = {out.values, n, m, m};
        attn_multiply(trial->kernels, NULL, turn, a, b, &itself, out);
        return;
    }
    attn_multiply(trial->kernels, NULL, turn, a, b, begins == 0 ? NULL : &start, out);
}

static void softmax_back(struct same_trial *trial)
{
    const size_t n = same_size(trial, 20), m = same_size(trial, 300);
    const struct attn_operand a = drawn(trial, n, m), da = drawn(trial, n, m);
    const float factor = dice_unit(&trial->dice);
    attn_softmax_back(trial->kernels, a, da, factor, result(trial, n, m));
}

static void norm(struct same_trial *trial)
{
    struct dice *const dice = &trial->dice;
    const size_t n = same_size(trial, 70), d = same_size(trial, 300);
    const bool rms = dice_below(dice, 2) == 0;
    const float *const gain = dice_below(dice, 3) == 0 ? NULL : same_numbers(trial, d);
    const float *const bias = dice_below(dice, 3) == 0 ? NULL : same_numbers(trial, d);
    const struct attn_norm how = {rms, gain, bias, 1e-5F};
    const struct attn_operand x = drawn(trial, n, d), dy = drawn(trial, n, d);
    float *const known = same_out(trial, 2 * n), *const gains = same_out(trial, 2 * d);
    const struct attn_matrix y = result(trial, n, d), dx = result(trial, n, d);
    memcpy(gains, same_numbers(trial, 2 * d), 2 * d * sizeof(float));
    attn_normalise(trial->kernels, NULL, &how, x, y, known);
    float *const dgain = dice_below(dice, 4) == 0 ? NULL : gains;
    float *const dbias = dice_below(dice, 4) == 0 ? NULL : gains + d;
    attn_norm_back(trial->kernels, NULL, &how, x, known, dy, dx, dgain, dbias);
}

static void activations(struct same_trial *trial)
{
    const size_t count = same_size(trial, 300);
    const float size = dice_below(&trial->dice, 2) == 0 ? 1 : 30;
    float *const x = same_out(trial, count), *const out = same_out(trial, 6 * count);
    const float *const drawn_x = same_numbers(trial, count), *const u = same_numbers(trial, count);
    const float *const dy = same_numbers(trial, count);
    for (size_t i = 0; i < count; i++) {
        x[i] = drawn_x[i] * size;
        out[i] = out[count + i] = x[i];
        out[2 * count + i] = dy[i];
    }
    attn_apply(trial->kernels, ATTN_GELU, out, count);
    attn_apply(trial->kernels, ATTN_TANH, out + count, count);
    attn_gate_back(trial->kernels, x, out + 2 * count, count, 1.6F, 0.07F);
    attn_swiglu(trial->kernels, x, u, out + 3 * count, count);
    attn_swiglu_back(trial->kernels, x, u, dy, out + 4 * count, out + 5 * count, count);
}

static void loss(struct same_trial *trial)
{
    const size_t n = same_size(trial, 60), vocabulary = same_size(trial, 600);
    const struct attn_operand logits = drawn(trial, n, vocabulary);
    int32_t *const targets = (int32_t *)(void *)same_memory(trial, n);
    for (size_t i = 0; i < n; i++) {
        targets[i] = (int32_t)dice_below(&trial->dice, vocabulary + 1) - 1;
    }
    float *const losses = same_out(trial, n);
    const struct attn_matrix dlogits = result(trial, n, vocabulary);
    const float mean = mean_loss(trial->kernels, logits, targets, losses, dlogits);
    *same_out(trial, 1) = mean;
}

/* Short heads, which sets have a way of their own for, and longer ones. */
static void head(struct same_trial *trial)
{
    const size_t n = same_size(trial, 90), d_k = same_size(trial, 80), others = same_size(trial, 9);
    const size_t stride = d_k + others, rows = n * stride, pairs = n * n;
    float *const made = same_out(trial, 4 * rows), *const square = same_out(trial, 2 * pairs);
    struct attn_learn_head of = {.length = n,
                                 .d_k = d_k,
                                 .stride = stride,
                                 .z_stride = stride,
                                 .causal = dice_below(&trial->dice, 2) == 0,
                                 .factor = dice_unit(&trial->dice),
                                 .q = same_numbers(trial, rows),
                                 .k = same_numbers(trial, rows),
                                 .v = same_numbers(trial, rows),
                                 .dz = same_numbers(trial, rows),
                                 .z = made,
                                 .dq = made + rows,
                                 .dk = made + 2 * rows,
                                 .dv = made + 3 * rows,
                                 .alpha = square};
    float *const scratch = same_memory(trial, pairs);
    memset(made, 0, 4 * rows * sizeof(float)); /* what stands between heads is not theirs */
    of.dalpha = scratch;
    attn_head_forward(trial->kernels, &of);
    attn_head_back(trial->kernels, &of);
    of.scores = square + pairs; /* the same numbers stage by stage */
    of.scaled = scratch;
    attn_head_forward(trial->kernels, &of);
}

static void steps(struct same_trial *trial)
{
    const size_t count = same_size(trial, 300);
    float *const state = same_out(trial, 4 * count);
    const float *const gradient = same_numbers(trial, count);
    const struct attn_adamw adamw = {
        0.01F, 0.9F, 0.98F, 1e-8F, 0.1F, 0.5F, 1 + dice_below(&trial->dice, 3000)};
    const struct attn_sgd sgd = {0.1F, 0.9F, 1};
    memcpy(state, same_numbers(trial, 4 * count), 4 * count * sizeof(float));
    for (size_t i = 0; i < count; i++) {
        state[count + i] = fabsf(state[count + i]);
    }
    attn_adamw_step(trial->kernels, &adamw, count, gradient, state, state + count,
                    state + 2 * count);
    attn_sgd_step(trial->kernels, &sgd, count, gradient, state + 3 * count, state + 2 * count);
    const float sum = attn_squares(trial->kernels, gradient, count);
    *same_out(trial, 1) = sum;
}

const struct same_operation same_learning[] = {
    {"multiply", multiply},  {"softmax-back", softmax_back},
    {"norm", norm},          {"activations", activations},
    {"cross-entropy", loss}, {"head", head},
    {"steps", steps},        {NULL, NULL},
};
