/* attn/kernels_ref.c — what every result is, to the bit, as a textbook writes it, in plain C.
 *
 * The set for every processor, the oracle for the others, and the place to read what is computed:
 *
 *   products    one chain of fused multiply-adds, term by term from the first to the last, started
 *               at +0 or at what is added to;
 *   sums        over the numbers of a row: sixteen lanes, filled in turn, then added in halves;
 *   e^x         one polynomial, one order of operations; 0 below −87.33;
 *   the larger  a > b ? a : b.
 *
 * Every step is rounded once, as fmaf and the operators of IEEE 754 round, so that all processors
 * give the same. NaN alone may differ, in its sign and payload. */
#include "attn/cpu.h"
#include "attn/kernels.h"
#include "attn/kernels_limits.h"

#include <math.h>
#include <string.h>

enum { LANES = 16 };

static float max_of(float a, float b)
{
    return a > b ? a : b;
}

/* Lanes l and l + 8, l and l + 4, l and l + 2, and the last two. */
static float ref_sum(const float *lanes)
{
    float sum[LANES];
    for (size_t l = 0; l < LANES; l++) {
        sum[l] = lanes[l] + 0.0F; /* no zero has a sign */
    }
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t l = 0; l < half; l++) {
            sum[l] += sum[l + half];
        }
    }
    return sum[0];
}

/* The highest power first. */
static float evaluate_polynomial(float x, const float *terms, size_t count)
{
    float sum = terms[0];
    for (size_t i = 1; i < count; i++) {
        sum = fmaf(x, sum, terms[i]);
    }
    return sum;
}

/* e^x = 2^k · e^r, |r| ≤ ln 2 / 2. ln 2 is taken off in two parts, the first of which, times k, is
 * exact. */
static float ref_exp(float x)
{
    if (isnan(x) || x < EXP_MIN) {
        return isnan(x) ? x : 0;
    }
    const float shift = 0x1.8p23F + 127; /* added and taken off again, leaves a whole number */
    const float k = fmaf(x, 0x1.715476p0F, shift) - shift;
    const float r = fmaf(k, 0x1.bd0106p-13F, fmaf(k, -0x1.63p-1F, x));
    static const float terms[] = {
        0x1.6a2352p-10F, 0x1.123a6cp-7F, 0x1.5558f4p-5F, 0x1.55549p-3F, 0x1.fffffcp-2F, 1, 1};
    return ldexpf(evaluate_polynomial(r, terms, sizeof terms / sizeof terms[0]), (int)k);
}

/* log x, x > 0 and not subnormal: x = 2^k · (1 + f) with 1 + f from √½ to √2. */
static float ref_log(float x)
{
    if (!(x < INFINITY)) {
        return x;
    }
    int power = 0;
    const float part = frexpf(x, &power);
    const bool low = part < 0x1.6a09e6p-1F;
    const float k = (float)(low ? power - 1 : power), f = (low ? 2 * part : part) - 1;
    const float rest =
        fmaf(f * f, evaluate_polynomial(f, log_terms, LOG_TERMS), k * -0x1.bd0106p-13F);
    return fmaf(k, 0x1.63p-1F, f + rest);
}

/* x · Φ(x) = ½ x · (1 + erf t), t = x / √2. */
static float ref_gelu(float x)
{
    const float near = max_of(-max_of(-x, -GATE_MAX), -GATE_MAX);
    const float t = near * 0x1.6a09e6p-1F, size = max_of(t, -t), far = -max_of(-size, -4);
    const float tail = 1 - ref_exp(evaluate_polynomial(far, erfc_terms, ERF_TERMS));
    const float erf_t = size < 1 ? evaluate_polynomial(t * t, erf_terms, ERF_TERMS) * t
                        : t < 0  ? -tail
                                 : tail;
    return isnan(x) ? x : (t < 0 ? near : x) * 0.5F * (erf_t + 1);
}

static float ref_tanh(float x)
{
    const float size = max_of(x, -x), e = ref_exp(size * -2), far = (1 - e) / (1 + e);
    const float near = fmaf(evaluate_polynomial(x * x, tanh_terms, TANH_TERMS) * (x * x), x, x);
    return isnan(x) ? x : size < 0.625F ? near : x < 0 ? -far : far;
}

/* out[i][j] = start[i][j] + Σ_p a[i][p] · b[p][j] */
static void ref_multiply(const struct product *of)
{
    for (size_t i = 0; i < of->rows; i++) {
        for (size_t j = 0; j < of->cols; j++) {
            float sum = of->start == NULL ? 0 : of->start[i * of->start_stride + j];
            for (size_t p = 0; p < of->depth; p++) {
                const float b =
                    of->turned ? of->b[j * of->b_stride + p] : of->b[p * of->b_stride + j];
                sum = fmaf(of->a[i * of->a_row + p * of->a_step], b, sum);
            }
            of->out[i * of->out_stride + j] = sum;
        }
    }
}

/* s[i][j] = s[i][j] · factor where query i sees key j, else −∞ (and never NaN, whatever the score)
 */
static void ref_scale_mask(struct attn_matrix s, float factor, struct attn_mask mask)
{
    for (size_t i = 0; i < s.rows; i++) {
        for (size_t j = 0; j < s.cols; j++) {
            const bool hidden = mask.visible != NULL && mask.visible[i * mask.stride + j] == 0;
            float *const score = &s.values[i * s.stride + j];
            *score = hidden ? -INFINITY : *score * factor;
        }
    }
}

/* row[j] = e^(row[j] − max) · (1 / Σ_p e^(row[p] − max)). True when the row was empty: nothing but
 * −∞. */
static bool softmax_row(float *row, size_t cols)
{
    /* Subtracting the maximum changes no share, and no power can then exceed 1. */
    float max = -INFINITY, lanes[LANES] = {0};
    for (size_t j = 0; j < cols; j++) {
        max = isnan(row[j]) || isnan(max) ? NAN : max_of(row[j], max);
    }
    if (!(max > -INFINITY && max < INFINITY)) {
        return share_without_formula(row, cols, max) == 0;
    }
    for (size_t j = 0; j < cols; j++) {
        row[j] = ref_exp(row[j] - max);
        lanes[j % LANES] += row[j];
    }
    const float share = 1 / ref_sum(lanes);
    for (size_t j = 0; j < cols; j++) {
        row[j] *= share;
    }
    return false;
}

static size_t ref_softmax(struct attn_matrix s)
{
    size_t empty = 0;
    for (size_t i = 0; i < s.rows; i++) {
        empty += softmax_row(s.values + i * s.stride, s.cols);
    }
    return empty;
}

/* sum + weight · v; a key of weight 0 is left out and not multiplied: 0 · ∞ and 0 · NaN are NaN,
 * and what is hidden must not show. */
static float with_value(float sum, float weight, float v)
{
    return weight == 0 ? sum : fmaf(weight, v, sum);
}

/* z[i][c] = Σ_j a[i][j] · v[j][c], over the keys with a weight; a zero of it has no sign. */
static void ref_blend(struct attn_operand a, struct attn_operand v, struct attn_matrix z)
{
    for (size_t i = 0; i < z.rows; i++) {
        for (size_t c = 0; c < z.cols; c++) {
            float sum = 0;
            for (size_t j = 0; j < a.cols; j++) {
                sum = with_value(sum, a.values[i * a.stride + j], v.values[j * v.stride + c]);
            }
            z.values[i * z.stride + c] = sum + 0.0F;
        }
    }
}

static bool ref_finite(struct attn_operand v)
{
    for (size_t j = 0; j < v.rows; j++) {
        for (size_t c = 0; c < v.cols; c++) {
            if (!isfinite(v.values[j * v.stride + c])) {
                return false;
            }
        }
    }
    return true;
}

/* Each uses what the one before it defines. */
/* clang-format off */
#include "attn/kernels_ref_attend.inc"
#include "attn/kernels_ref_learn.inc"
/* clang-format on */

static void ref_apply(enum attn_function function, float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        x[i] = function == ATTN_GELU ? ref_gelu(x[i]) : ref_tanh(x[i]);
    }
}

const struct attn_kernels attn_kernels_ref = {
    .name = "ref",
    .title = "plain C",
    .supported = attn_cpu_runs_baseline,
    .multiply = ref_multiply,
    .scale_mask = ref_scale_mask,
    .softmax = ref_softmax,
    .blend = ref_blend,
    .finite = ref_finite,
    .panel = 1,
    .pack = ref_pack,
    .multiply_packed = ref_multiply_packed,
    .gate = ref_gate,
    .key_panel = 1,
    .pack_keys = ref_pack_keys,
    .attend = ref_attend,
    .attend_kept = ref_attend_kept,
    .softmax_back = ref_softmax_back,
    .normalise = ref_normalise,
    .norm_back = ref_norm_back,
    .norm_gains = ref_norm_gains,
    .apply = ref_apply,
    .gate_back = ref_gate_back,
    .swiglu = ref_swiglu,
    .swiglu_back = ref_swiglu_back,
    .cross_entropy = ref_cross_entropy,
    .adamw = ref_adamw,
    .sgd = ref_sgd,
    .squares = ref_squares,
    .total = ref_total,
};
