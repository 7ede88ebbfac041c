/* attn/kernels_ref.c — attention as a textbook writes it, in plain C.
 *
 * The set for every processor, the oracle for the others, and the place to read what is computed.
 * Sums run in double, in the order of their terms, and are rounded to float once: the product of
 * two floats is exact in double, so these results are the same on every machine. */
#include "attn/cpu.h"
#include "attn/kernels.h"
#include "attn/kernels_limits.h"

#include <math.h>

/* out[i][j] = Σ_p x[i][p] · w[p][j] */
static void ref_project(struct attn_operand x, struct attn_operand w, struct attn_matrix out)
{
    for (size_t i = 0; i < out.rows; i++) {
        for (size_t j = 0; j < out.cols; j++) {
            double sum = 0;
            for (size_t p = 0; p < x.cols; p++) {
                sum += (double)x.values[i * x.stride + p] * (double)w.values[p * w.stride + j];
            }
            out.values[i * out.stride + j] = (float)sum;
        }
    }
}

/* s[i][j] = Σ_p q[i][p] · k[j][p] */
static void ref_scores(struct attn_operand q, struct attn_operand k, struct attn_matrix s)
{
    for (size_t i = 0; i < s.rows; i++) {
        for (size_t j = 0; j < s.cols; j++) {
            double sum = 0;
            for (size_t p = 0; p < q.cols; p++) {
                sum += (double)q.values[i * q.stride + p] * (double)k.values[j * k.stride + p];
            }
            s.values[i * s.stride + j] = (float)sum;
        }
    }
}

/* s[i][j] = s[i][j] · factor where query i sees key j, else −∞ (and never NaN, whatever the score)
 */
static void ref_scale_mask(struct attn_matrix s, float factor, struct attn_mask mask)
{
    for (size_t i = 0; i < s.rows; i++) {
        for (size_t j = 0; j < s.cols; j++) {
            bool hidden = mask.visible != NULL && mask.visible[i * mask.stride + j] == 0;
            float *score = &s.values[i * s.stride + j];
            *score = hidden ? -INFINITY : *score * factor;
        }
    }
}

/* row[j] = e^(row[j] − max) / Σ_p e^(row[p] − max). True when the row was empty: nothing but −∞. */
static bool softmax_row(float *row, size_t cols)
{
    /* Pass 1: the maximum. Subtracting it changes no share, and no power can then exceed 1. */
    float max = -INFINITY;
    for (size_t j = 0; j < cols; j++) {
        if (isnan(row[j])) {
            share_unknown(row, cols);
            return false;
        }
        max = row[j] > max ? row[j] : max;
    }
    if (max == -INFINITY) {
        share_nothing(row, cols);
        return true;
    }
    if (max == INFINITY) {
        share_equally(row, cols);
        return false;
    }
    /* Pass 2: the sum of the powers. */
    double sum = 0;
    for (size_t j = 0; j < cols; j++) {
        sum += exp((double)row[j] - (double)max);
    }
    /* Pass 3: each power's share of it. */
    for (size_t j = 0; j < cols; j++) {
        row[j] = (float)(exp((double)row[j] - (double)max) / sum);
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

/* z[i][c] = Σ_j a[i][j] · v[j][c], over the keys with a weight. A key of weight 0 is left out and
 * not multiplied: 0 · ∞ and 0 · NaN are NaN, and what is hidden must not show. */
static void ref_blend(struct attn_operand a, struct attn_operand v, struct attn_matrix z)
{
    for (size_t i = 0; i < z.rows; i++) {
        for (size_t c = 0; c < z.cols; c++) {
            double sum = 0;
            for (size_t j = 0; j < a.cols; j++) {
                float weight = a.values[i * a.stride + j];
                if (weight != 0) {
                    sum += (double)weight * (double)v.values[j * v.stride + c];
                }
            }
            z.values[i * z.stride + c] = (float)sum;
        }
    }
}

/* x[i] = x[i] / (1 + e^−v); of an x beyond GATE_MOST all or nothing comes through. */
static void ref_gate(float *x, size_t count, float linear, float cubic)
{
    for (size_t i = 0; i < count; i++) {
        const double all = (double)x[i],
                     near = fmax(fmin(all, (double)GATE_MOST), -(double)GATE_MOST);
        const double v = near * ((double)linear + (double)cubic * near * near);
        x[i] = (float)((v < 0 && !isnan(all) ? near : all) / (1 + exp(-v)));
    }
}

#include "attn/kernels_ref_flash.inc"

const struct attn_kernels attn_kernels_ref = {
    .name = "ref",
    .title = "plain C",
    .supported = attn_cpu_runs_baseline,
    .project = ref_project,
    .scores = ref_scores,
    .scale_mask = ref_scale_mask,
    .softmax = ref_softmax,
    .blend = ref_blend,
    .panel = 1,
    .pack = ref_pack,
    .attend_panel = 1,
    .pack_keys = ref_pack_turned,
    .pack_values = ref_pack,
    .project_packed = ref_project_packed,
    .gate = ref_gate,
    .attend = ref_attend,
    .attend_kept = ref_attend_kept,
};
