/* learn/attention.c — the heads of a pass: scores, softmax, blend, and back; rotary positions. */
#include <math.h>
#include <string.h>

#include "learn/pass.h"

/* One head of one sequence: views into rows that hold all heads side by side. */
struct head {
    size_t length, d_k, stride; /* of a row of q, k, v */
    size_t pairs;               /* where its T × T stand */
    size_t q, k, v, z;          /* where its rows begin; z in concat */
    size_t z_stride;
};

static struct head head_of(const struct learn_shape *shape, size_t sequence, size_t length,
                           size_t number)
{
    const size_t all = shape->heads * shape->d_k, row = sequence * length;
    const size_t first = row * 3 * all + number * shape->d_k;
    return (struct head){
        .length = length,
        .d_k = shape->d_k,
        .stride = 3 * all,
        .pairs = (sequence * shape->heads + number) * length * length,
        .q = first,
        .k = first + all,
        .v = first + 2 * all,
        .z = row * all + number * shape->d_k,
        .z_stride = all,
    };
}

static struct attn_operand read_of(const float *values, size_t at, const struct head *head)
{
    return (struct attn_operand){values + at, head->length, head->d_k, head->stride};
}

static struct attn_matrix made_of(float *values, size_t at, const struct head *head)
{
    return (struct attn_matrix){values + at, head->length, head->d_k, head->stride};
}

/* Rows of T numbers, one matrix behind the other. */
static struct attn_operand square(const float *values, const struct head *head)
{
    return learn_operand(values + head->pairs, head->length, head->length);
}

static struct attn_matrix made_square(float *values, const struct head *head)
{
    return learn_matrix(values + head->pairs, head->length, head->length);
}

static float factor_of(const struct learn_plan *plan)
{
    return 1 / sqrtf((float)plan->shape.d_k);
}

static void clear(float *values, size_t at, size_t rows, size_t cols, size_t stride)
{
    for (size_t row = 0; row < rows; row++) {
        memset(values + at + row * stride, 0, cols * sizeof *values);
    }
}

static void attend_head(const struct learn_plan *plan, const struct learn_layer *layer,
                        const struct head *head, bool off)
{
    const struct attn_kernels *const kernels = plan->kernels;
    const size_t bytes = head->length * head->length * sizeof(float);
    const struct attn_mask mask = {plan->past, plan->shape.context};
    const struct attn_matrix alpha = made_square(layer->alpha, head);
    attn_scores(kernels, read_of(layer->qkv, head->q, head), read_of(layer->qkv, head->k, head),
                alpha);
    if (layer->scores != NULL) {
        memcpy(layer->scores + head->pairs, alpha.values, bytes);
    }
    attn_scale_mask(kernels, alpha, factor_of(plan), mask);
    if (layer->scaled != NULL) {
        memcpy(layer->scaled + head->pairs, alpha.values, bytes);
    }
    attn_softmax(kernels, alpha);
    if (off) {
        clear(layer->concat, head->z, head->length, head->d_k, head->z_stride);
        return;
    }
    attn_blend(
        kernels, square(layer->alpha, head), read_of(layer->qkv, head->v, head),
        (struct attn_matrix){layer->concat + head->z, head->length, head->d_k, head->z_stride});
}

void learn_attend(const struct learn_plan *plan, const struct learn_layer *layer, size_t number,
                  size_t sequences, size_t length)
{
    for (size_t s = 0; s < sequences; s++) {
        for (size_t h = 0; h < plan->shape.heads; h++) {
            const struct head head = head_of(&plan->shape, s, length, h);
            attend_head(plan, layer, &head, plan->off[number][h]);
        }
    }
}

static void attend_head_back(const struct learn_plan *plan, const struct learn_layer *layer,
                             const struct learn_layer *dlayer, const struct head *head)
{
    const struct attn_kernels *const kernels = plan->kernels;
    const struct attn_operand dz = {dlayer->concat + head->z, head->length, head->d_k,
                                    head->z_stride};
    const struct attn_operand alpha = square(layer->alpha, head);
    const struct attn_operand dalpha = square(dlayer->alpha, head);
    float *const dscores = dlayer->scores == NULL ? dlayer->alpha : dlayer->scores;
    attn_multiply(kernels, NULL, ATTN_A_BT, dz, read_of(layer->qkv, head->v, head), NULL,
                  made_square(dlayer->alpha, head));
    attn_multiply(kernels, NULL, ATTN_AT_B, alpha, dz, NULL, made_of(dlayer->qkv, head->v, head));
    if (dlayer->scaled != NULL) {
        attn_softmax_back(kernels, alpha, dalpha, 1, made_square(dlayer->scaled, head));
    }
    attn_softmax_back(kernels, alpha, dalpha, factor_of(plan), made_square(dscores, head));
    attn_multiply(kernels, NULL, ATTN_A_B, square(dscores, head),
                  read_of(layer->qkv, head->k, head), NULL, made_of(dlayer->qkv, head->q, head));
    attn_multiply(kernels, NULL, ATTN_AT_B, square(dscores, head),
                  read_of(layer->qkv, head->q, head), NULL, made_of(dlayer->qkv, head->k, head));
}

/* A head that is off is no part of the loss. */
static void clear_gradients(const struct learn_layer *dlayer, const struct head *head)
{
    const size_t bytes = head->length * head->length * sizeof(float);
    clear(dlayer->qkv, head->q, head->length, head->d_k, head->stride);
    clear(dlayer->qkv, head->k, head->length, head->d_k, head->stride);
    clear(dlayer->qkv, head->v, head->length, head->d_k, head->stride);
    clear(dlayer->concat, head->z, head->length, head->d_k, head->z_stride);
    memset(dlayer->alpha + head->pairs, 0, bytes);
    if (dlayer->scores != NULL) {
        memset(dlayer->scores + head->pairs, 0, bytes);
        memset(dlayer->scaled + head->pairs, 0, bytes);
    }
}

void learn_attend_back(const struct learn_plan *plan, const struct learn_layer *layer,
                       const struct learn_layer *dlayer, size_t number, size_t sequences,
                       size_t length)
{
    for (size_t s = 0; s < sequences; s++) {
        for (size_t h = 0; h < plan->shape.heads; h++) {
            const struct head head = head_of(&plan->shape, s, length, h);
            if (plan->off[number][h]) {
                clear_gradients(dlayer, &head);
            } else {
                attend_head_back(plan, layer, dlayer, &head);
            }
        }
    }
}

/* ---- rotary positions ---------------------------------------------------------------------- */

/* Pair p of a row of d_k numbers is p and p + d_k / 2. */
static void turn_row(float *row, const float *cosines, const float *sines, size_t half, bool back)
{
    for (size_t p = 0; p < half; p++) {
        const float x = row[p], y = row[p + half], sine = back ? -sines[p] : sines[p];
        row[p] = x * cosines[p] - y * sine;
        row[p + half] = x * sine + y * cosines[p];
    }
}

void learn_turn(const struct learn_plan *plan, float *qkv, size_t sequences, size_t length,
                bool back)
{
    const size_t half = plan->shape.d_k / 2, heads = plan->shape.heads, d_k = plan->shape.d_k;
    if (plan->cosines == NULL) {
        return;
    }
    for (size_t row = 0; row < sequences * length; row++) {
        const size_t place = row % length;
        for (size_t h = 0; h < 2 * heads; h++) { /* of Q, then of K */
            turn_row(qkv + row * 3 * heads * d_k + h * d_k, plan->cosines + place * half,
                     plan->sines + place * half, half, back);
        }
    }
}
