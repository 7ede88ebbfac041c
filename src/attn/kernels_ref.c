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

static float larger(float a, float b)
{
    return a > b ? a : b;
}

/* Lanes l and l + 8, l and l + 4, l and l + 2, and the last two. */
static float ref_sum(const float *lanes)
{
    float sum[LANES];
    memcpy(sum, lanes, sizeof sum);
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t l = 0; l < half; l++) {
            sum[l] += sum[l + half];
        }
    }
    return sum[0];
}

/* e^x = 2^k · e^r, |r| ≤ ln 2 / 2. ln 2 is taken off in two parts, the first of which, times k, is
 * exact. */
static float ref_exp(float x)
{
    if (isnan(x) || x < EXP_LEAST) {
        return isnan(x) ? x : 0;
    }
    const float shift = 0x1.8p23F + 127; /* added and taken off again, leaves a whole number */
    const float k = fmaf(x, 0x1.715476p0F, shift) - shift;
    const float r = fmaf(k, 0x1.bd0106p-13F, fmaf(k, -0x1.63p-1F, x));
    static const float terms[] = {
        0x1.6a2352p-10F, 0x1.123a6cp-7F, 0x1.5558f4p-5F, 0x1.55549p-3F, 0x1.fffffcp-2F, 1, 1};
    float sum = terms[0];
    for (size_t i = 1; i < sizeof terms / sizeof terms[0]; i++) {
        sum = fmaf(r, sum, terms[i]);
    }
    return ldexpf(sum, (int)k);
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
        max = isnan(row[j]) || isnan(max) ? NAN : larger(row[j], max);
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

/* x[i] = x[i] / (1 + e^−v), by e^−|v|, which is never large. Of an x beyond GATE_MOST all or
 * nothing comes through. */
static void ref_gate(float *x, size_t count, float linear, float cubic)
{
    for (size_t i = 0; i < count; i++) {
        const float near = larger(-larger(-x[i], -GATE_MOST), -GATE_MOST);
        const float v = near * fmaf(near * near, cubic, linear);
        const float e = ref_exp(-larger(v, -v));
        x[i] = isnan(x[i]) ? x[i] : (v < 0 ? near * e : x[i]) / (e + 1);
    }
}

#include "attn/kernels_ref_attend.inc"

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
};
