/* The cross-entropy of rows that are a whole batch. */
#ifndef MEAN_LOSS_H
#define MEAN_LOSS_H

#include "attn/learn.h"

static inline float mean_loss(const struct attn_kernels *kernels, struct attn_operand logits,
                              const int32_t *targets, float *losses, struct attn_matrix dlogits)
{
    size_t asked = 0;
    for (size_t row = 0; row < logits.rows; row++) {
        asked += targets[row] >= 0 ? 1 : 0;
    }
    const float share = asked == 0 ? 0 : 1 / (float)asked;
    attn_cross_entropy_part(kernels, logits, targets, share, losses, NULL, dlogits);
    return attn_total(kernels, losses, logits.rows) * share;
}

#endif
