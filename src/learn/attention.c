/* learn/attention.c — the heads of a pass, forward and backward: scores, softmax, blend, and rotary
 * positions. */
#include <math.h>
#include <string.h>

#include "learn/pass.h"

/* Returns a square in a buffer of pairs; NULL for a buffer that is absent. */
static float *square_at(float *pairs, size_t at)
{
    return pairs == NULL ? NULL : pairs + at;
}

/* Views one head of one sequence in rows that hold all heads side by side. dlayer is NULL in the
 * forward pass. */
static struct attn_learn_head head_of(const struct learn_plan *plan,
                                      const struct learn_layer *layer,
                                      const struct learn_layer *dlayer, size_t sequence,
                                      size_t length, size_t number)
{
    const size_t d_k = plan->shape.d_k, all = plan->shape.heads * d_k, row = sequence * length;
    const size_t first = row * 3 * all + number * d_k, z = row * all + number * d_k;
    const size_t pairs = (sequence * plan->shape.heads + number) * length * length;
    struct attn_learn_head head = {
        .length = length,
        .d_k = d_k,
        .stride = 3 * all,
        .z_stride = all,
        .causal = plan->shape.causal,
        .factor = 1 / sqrtf((float)d_k),
        .q = layer->qkv + first,
        .k = layer->qkv + first + all,
        .v = layer->qkv + first + 2 * all,
        .alpha = layer->alpha + pairs,
        .scores = square_at(layer->scores, pairs),
        .scaled = square_at(layer->scaled, pairs),
        .z = layer->concat + z,
    };
    if (dlayer != NULL) {
        head.dz = dlayer->concat + z;
        head.dq = dlayer->qkv + first;
        head.dk = head.dq + all;
        head.dv = head.dk + all;
        head.dalpha = dlayer->alpha + pairs;
        head.dscores = square_at(dlayer->scores, pairs);
        head.dscaled = square_at(dlayer->scaled, pairs);
    }
    return head;
}

static void clear_rows(float *values, size_t rows, size_t cols, size_t stride)
{
    for (size_t row = 0; values != NULL && row < rows; row++) {
        memset(values + row * stride, 0, cols * sizeof *values);
    }
}

void learn_attend(const struct learn_plan *plan, const struct learn_layer *layer, size_t number,
                  size_t sequences, size_t length)
{
    for (size_t s = 0; s < sequences; s++) {
        for (size_t h = 0; h < plan->shape.heads; h++) {
            const struct attn_learn_head head = head_of(plan, layer, NULL, s, length, h);
            attn_head_forward(plan->kernels, &head);
            if (plan->off[number][h]) {
                clear_rows(head.z, length, head.d_k, head.z_stride);
            }
        }
    }
}

/* Clears the gradients of a head that is off, which has no influence on the loss. */
static void clear_gradients(const struct attn_learn_head *head, float *dz)
{
    clear_rows(head->dq, head->length, head->d_k, head->stride);
    clear_rows(head->dk, head->length, head->d_k, head->stride);
    clear_rows(head->dv, head->length, head->d_k, head->stride);
    clear_rows(dz, head->length, head->d_k, head->z_stride);
    clear_rows(head->dalpha, head->length, head->length, head->length);
    clear_rows(head->dscores, head->length, head->length, head->length);
    clear_rows(head->dscaled, head->length, head->length, head->length);
}

void learn_attend_back(const struct learn_plan *plan, const struct learn_layer *layer,
                       const struct learn_layer *dlayer, size_t number, size_t sequences,
                       size_t length)
{
    for (size_t s = 0; s < sequences; s++) {
        for (size_t h = 0; h < plan->shape.heads; h++) {
            const struct attn_learn_head head = head_of(plan, layer, dlayer, s, length, h);
            if (plan->off[number][h]) {
                clear_gradients(&head, dlayer->concat + (head.dz - dlayer->concat));
            } else {
                attn_head_back(plan->kernels, &head);
            }
        }
    }
}

/* ---- smeared keys ------------------------------------------------------------------------- */

void learn_smear(const struct learn_plan *plan, float *qkv, size_t sequences, size_t length,
                 bool back)
{
    const size_t all = plan->shape.heads * plan->shape.d_k, stride = 3 * all;
    const float share = plan->shape.smear, own = 1 - share;
    for (size_t row = 0; share > 0 && row < sequences * length; row++) {
        const size_t place =
            row % length; /* forward from the last row of a sequence to its first */
        const bool is_end = place + 1 == length;
        float *const k = qkv + (back ? row : row + length - 1 - 2 * place) * stride + all;
        const float *const other = is_end ? k : back ? k + stride : k - stride;
        for (size_t c = 0; c < all; c++) {
            k[c] = is_end ? own * k[c] : own * k[c] + share * other[c];
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
