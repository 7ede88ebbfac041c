/* attn/kernels_limits.h — what a row of scores becomes when softmax's formula has no answer, and
 * from where on those of e^x and attn_gate are not computed.
 *
 * e^(∞ − ∞) is NaN; these are the limits the formula tends to, the same for every set. */
#ifndef ATTN_KERNELS_LIMITS_H
#define ATTN_KERNELS_LIMITS_H

#include <math.h>
#include <stddef.h>

/* An x as large comes through whole, or not at all: e^−v has no say any more. */
#define GATE_MOST 1e6F

/* e^x is 0 below: it would be subnormal, which costs a processor more than all the rest. */
#define EXP_LEAST (-87.33F)

/* No key is seen: no share. */
static inline void share_nothing(float *row, size_t cols)
{
    for (size_t j = 0; j < cols; j++) {
        row[j] = 0;
    }
}

/* The largest score is +∞: all that are +∞ share equally, the others get nothing. */
static inline void share_equally(float *row, size_t cols)
{
    double winners = 0;
    for (size_t j = 0; j < cols; j++) {
        winners += row[j] == INFINITY ? 1 : 0;
    }
    for (size_t j = 0; j < cols; j++) {
        row[j] = row[j] == INFINITY ? (float)(1 / winners) : 0;
    }
}

/* A score is NaN: no share is known, but a hidden key's is still 0. */
static inline void share_unknown(float *row, size_t cols)
{
    for (size_t j = 0; j < cols; j++) {
        row[j] = row[j] == -INFINITY ? 0 : NAN;
    }
}

/* The one of the three that belongs to the largest score (NAN: one is unknown). Returns what is
 * still to be multiplied: 1, or 0 for an empty row. */
static inline float share_without_formula(float *row, size_t cols, float max)
{
    if (max == -INFINITY) {
        share_nothing(row, cols);
        return 0;
    }
    if (max == INFINITY) {
        share_equally(row, cols);
    } else {
        share_unknown(row, cols);
    }
    return 1;
}

#endif
