/* attn/kernels_ref_flash.h — fused attention and packed products as a textbook writes them.
 *
 * A part of kernels_ref.c. A packed panel is one column. */
#ifndef ATTN_KERNELS_REF_FLASH_H
#define ATTN_KERNELS_REF_FLASH_H

#include "attn/attend.h"

static void ref_pack(struct attn_operand b, float *panels)
{
    for (size_t j = 0; j < b.cols; j++) {
        for (size_t p = 0; p < b.rows; p++) {
            panels[j * b.rows + p] = b.values[p * b.stride + j];
        }
    }
}

static void ref_pack_turned(struct attn_operand k, float *panels)
{
    for (size_t j = 0; j < k.rows; j++) {
        memcpy(panels + j * k.cols, k.values + j * k.stride, k.cols * sizeof(float));
    }
}

/* A packed w is a turned one. */
static void ref_project_packed(struct attn_operand x, const float *panels, struct attn_matrix out)
{
    ref_scores(x, (struct attn_operand){panels, out.cols, x.cols, x.cols}, out);
}

/* Query row of the block and the keys it may see, with their scores in the scratch; −∞: hidden. */
static struct attn_matrix ref_row_scores(const struct attend_job *job, size_t row, size_t first,
                                         size_t count)
{
    struct attn_operand q = job->q, k = job->k;
    const size_t seen = attend_seen(job, row, first, count);
    const struct attn_matrix s = {job->scratch, 1, seen, seen};
    struct attn_mask mask = {NULL, 0};
    q.values += row * q.stride;
    q.rows = 1;
    k.values += first * k.stride;
    k.rows = seen;
    if (job->sight.kind == ATTN_SEE_MASK && job->sight.mask.visible != NULL) {
        mask = job->sight.mask;
        mask.visible += (job->first + row) * mask.stride + first;
    }
    ref_scores(q, k, s);
    ref_scale_mask(s, job->factor, mask);
    return s;
}

/* Softmax and blend of a row of all scores. True when it is empty. */
static bool ref_row(const struct attend_job *job, size_t row, struct attn_matrix s)
{
    const bool empty = softmax_row(s.values, s.cols);
    struct attn_operand v = job->v;
    v.rows = s.cols;
    ref_blend(
        (struct attn_operand){s.values, 1, s.cols, s.cols}, v,
        (struct attn_matrix){job->z.values + row * job->z.stride, 1, job->z.cols, job->z.stride});
    return empty;
}

static size_t ref_attend_kept(const struct attend_job *job)
{
    size_t empty = 0;
    for (size_t row = 0; row < job->q.rows; row++) {
        const struct attn_matrix s = ref_row_scores(job, row, 0, job->k.rows);
        float *const weights = job->weights.values + row * job->weights.stride;
        empty += ref_row(job, row, s) ? 1 : 0;
        memcpy(weights, s.values, s.cols * sizeof(float));
        share_nothing(weights + s.cols, job->k.rows - s.cols);
    }
    return empty;
}

/* One block of keys for one query: its maximum, sum and unfinished z move on. */
static void ref_advance(const struct attend_job *job, size_t row, size_t first, size_t count)
{
    const struct attn_matrix s = ref_row_scores(job, row, first, count);
    struct attend_row *const state = &job->rows[row];
    double *const z = job->doubles + row * job->z.cols;
    float max = state->max;
    for (size_t j = 0; j < s.cols; j++) {
        state->unknown |= isnan(s.values[j]) || s.values[j] == INFINITY;
        max = s.values[j] > max ? s.values[j] : max;
    }
    if (max == -INFINITY) {
        return;
    }
    const double by = exp((double)state->max - (double)max);
    double sum = (double)state->sum * by;
    for (size_t c = 0; c < job->z.cols; c++) {
        z[c] *= by;
    }
    for (size_t j = 0; j < s.cols; j++) {
        const double weight = exp((double)s.values[j] - (double)max);
        sum += weight;
        for (size_t c = 0; c < job->z.cols && weight != 0; c++) {
            z[c] += weight * (double)job->v.values[(first + j) * job->v.stride + c];
        }
    }
    state->max = max;
    state->sum = (float)sum;
}

static void ref_tell(const struct attend_job *job, size_t first, size_t count, bool skipped)
{
    if (job->on_tile == NULL) {
        return;
    }
    for (size_t row = 0; row < job->q.rows; row++) {
        job->told_max[row] = job->rows[row].max;
        job->told_sum[row] = job->rows[row].sum;
        for (size_t c = 0; c < job->z.cols; c++) {
            job->z.values[row * job->z.stride + c] = (float)job->doubles[row * job->z.cols + c];
        }
    }
    attend_tell(job, first, count, skipped);
}

static size_t ref_attend(const struct attend_job *job)
{
    const size_t limit = attend_seen(job, job->q.rows - 1, 0, job->k.rows);
    size_t empty = 0;
    for (size_t row = 0; row < job->q.rows; row++) {
        job->rows[row] = (struct attend_row){.max = -INFINITY};
        for (size_t c = 0; c < job->z.cols; c++) {
            job->doubles[row * job->z.cols + c] = 0;
        }
    }
    for (size_t first = 0; first < job->k.rows; first += job->block_cols) {
        const size_t left = job->k.rows - first;
        const size_t count = left < job->block_cols ? left : job->block_cols;
        const bool skipped = first >= limit || attend_block_of(job, first, count) == ATTEND_EMPTY;
        for (size_t row = 0; row < job->q.rows && !skipped; row++) {
            ref_advance(job, row, first, count);
        }
        ref_tell(job, first, count, skipped);
    }
    for (size_t row = 0; row < job->q.rows; row++) {
        const struct attend_row *const state = &job->rows[row];
        if (state->unknown) {
            empty += ref_row(job, row, ref_row_scores(job, row, 0, job->k.rows)) ? 1 : 0;
            continue;
        }
        empty += state->max == -INFINITY ? 1 : 0;
        for (size_t c = 0; c < job->z.cols; c++) {
            const double sum = job->doubles[row * job->z.cols + c];
            job->z.values[row * job->z.stride + c] =
                state->max == -INFINITY ? 0 : (float)(sum / (double)state->sum);
        }
    }
    return empty;
}

#endif
