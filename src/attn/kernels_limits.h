/* attn/kernels_limits.h — what a row of scores becomes when softmax's formula has no answer, and
 * from where on those of e^x and attn_gate are not computed.
 *
 * e^(∞ − ∞) is NaN; these are the limits the formula tends to, the same for every set. */
#ifndef ATTN_KERNELS_LIMITS_H
#define ATTN_KERNELS_LIMITS_H

#include <math.h>
#include <stddef.h>

/* An x as large comes through whole, or not at all: e^−v has no say any more. */
#define GATE_MAX 1e6F

/* e^x is 0 below: it would be subnormal, which costs a processor more than all the rest. */
#define EXP_MIN (-87.33F)

/* Polynomials, the highest power first, by Remez' exchange for this program:
 * (log (1 + f) − f) / f² for f from √½ − 1 to √2 − 1; erf t / t in t² up to 1; log (1 − erf t) for
 * t from 1 to 4; (tanh x − x) / x³ in x² up to 0.625². */
enum { LOG_MIDDLE = 0x3f3504f3 /* √½ */, LOG_TERMS = 9, ERF_TERMS = 7, TANH_TERMS = 5 };

static const float log_terms[LOG_TERMS] = {-0x1.4070e8p-4F, 0x1.0a568ep-3F,  -0x1.0e8440p-3F,
                                           0x1.221168p-3F,  -0x1.543242p-3F, 0x1.99a968p-3F,
                                           -0x1.0003fep-2F, 0x1.555544p-2F,  -0x1.fffff8p-2F};
static const float erf_terms[ERF_TERMS] = {0x1.4ae3eap-14F, -0x1.a48590p-11F, 0x1.5419e6p-8F,
                                           -0x1.b7fbb2p-6F, 0x1.ce2d20p-4F,   -0x1.81273ep-2F,
                                           0x1.20dd74p0F};
static const float erfc_terms[ERF_TERMS] = {0x1.853116p-13F, -0x1.814f16p-9F, 0x1.654334p-6F,
                                            -0x1.a60b0cp-4F, -0x1.46c572p-1F, -0x1.2085b8p0F,
                                            -0x1.72d202p-12F};
static const float tanh_terms[TANH_TERMS] = {-0x1.76ac28p-8F, 0x1.5256dap-6F, -0x1.b8444ap-5F,
                                             0x1.110768p-3F, -0x1.555534p-2F};

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
