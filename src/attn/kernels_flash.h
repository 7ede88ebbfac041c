/* attn/kernels_flash.h — attention for a block of queries, without the matrix of all scores.
 *
 * A part of kernels_tmpl.c. Keys come in blocks; per query a running maximum, a running sum and an
 * unfinished z are carried from block to block (Milakov and Gimelshein, Online normalizer
 * calculation for softmax, 2018; Dao and others, FlashAttention, 2022):
 *
 *     base' = max(base, scores · c)       c = factor · log₂ e, so that e^x is 2^(…)
 *     p     = 2^(scores · c − base')
 *     sum'  = sum · 2^(base − base') + Σ p
 *     z'    = z   · 2^(base − base') + p · V
 *
 * A row whose formula has no answer (NaN, an infinite score) or whose scores are so large that
 * their rounding would show is marked, and computed again at the end from its plain stages.
 * Numbers of a row depend on its own scores and on the width of the blocks alone. */
#ifndef ATTN_KERNELS_FLASH_H
#define ATTN_KERNELS_FLASH_H

#include "attn/attend.h"

/* 2^x for −126 ≤ x, x small: the nearest whole number goes into the exponent, the rest, at most ½,
 * into a polynomial of degree 5 (Remez, relative error 2·10⁻⁷ with rounding). */
VEC_INLINE vec power_of_2(vec x)
{
    const vec shift = vec_splat(0x1.8p23F);
    const vec shifted = x + shift;
    const vec r = x - (shifted - shift);
    vec sum = vec_fma(r, vec_splat(0x1.5c08e6p-10F), vec_splat(0x1.3d0c52p-7F));
    sum = vec_fma(r, sum, vec_splat(0x1.c6b6e4p-5F));
    sum = vec_fma(r, sum, vec_splat(0x1.ebf918p-3F));
    sum = vec_fma(r, sum, vec_splat(0x1.62e428p-1F));
    sum = vec_fma(r, sum, vec_splat(0x1.000002p0F));
    return (vec)((bits)sum + ((bits)shifted << 23));
}

/* 0 below 2^−126, NaN for NaN. */
VEC_INLINE vec power_of_2_deep(vec x)
{
    const lanes gone = x < vec_splat(-126);
    return vec_select(gone, vec_splat(0), power_of_2(x));
}

/* Rows first … of a job's scores: every row s_stride floats, a whole number of panels. */
struct flash {
    const struct attend_job *job;
    float *s;
    size_t s_stride;
    struct attend_row *rows;
    uint8_t *chunks; /* per group of rows, chunks_stride of them */
    size_t chunks_stride;
    bool started; /* z holds sums */
};

/* Scores of count keys from key first on. Queries that see none of a panel are left out. */
static void flash_scores(const struct flash *flash, size_t first, size_t count)
{
    _Alignas(64) float turned[DEPTH_BLOCK * PACK_COLS];
    const struct attend_job *const job = flash->job;
    for (size_t key = 0; key < count; key += PACK_COLS) {
        const size_t row = attend_first_row(job, first + key);
        const struct groups groups = groups_of(job->q.rows - row);
        size_t from = 0;
        do {
            const bool packed = job->keys != NULL;
            const size_t depth = at_most(job->q.cols - from, packed ? PANEL_DEPTH : DEPTH_BLOCK);
            if (!packed) {
                const size_t keys = at_most(count - key, PACK_COLS);
                turn(job->k, first + key, keys, from, depth, turned, PACK_COLS);
                for (size_t j = (keys + WIDTH - 1) / WIDTH * WIDTH; j < PACK_COLS; j++) {
                    for (size_t p = 0; p < depth; p++) {
                        turned[p * PACK_COLS + j] = 0;
                    }
                }
            }
            struct tile tile = {
                .a = job->q.values + row * job->q.stride + from,
                .a_stride = job->q.stride,
                .b = packed ? job->keys + (first + key) * job->q.cols + from * PACK_COLS : turned,
                .b_stride = PACK_COLS,
                .out = flash->s + row * flash->s_stride + key,
                .out_stride = flash->s_stride,
                .depth = depth,
                .resume = from > 0,
                .part = vec_part_of(0),
                .chunks = NULL,
            };
            sum_panel(&tile, &groups, PACK_COLS);
            from += depth;
        } while (from < job->q.cols);
    }
}

/* −∞ where query row does not see: behind its last key, up to whole pairs of registers, and where
 * the mask hides. Returns how many numbers there are to look at. */
static size_t flash_hide(const struct flash *flash, size_t row, size_t first, size_t seen,
                         bool mixed)
{
    float *const s = flash->s + row * flash->s_stride;
    const size_t padded = (seen + 2 * WIDTH - 1) / (2 * WIDTH) * (2 * WIDTH);
    for (size_t col = seen; col < padded; col++) {
        s[col] = -INFINITY;
    }
    if (mixed) {
        const struct attn_mask mask = flash->job->sight.mask;
        const uint8_t *visible = mask.visible + (flash->job->first + row) * mask.stride + first;
        for (size_t col = 0; col < seen; col += WIDTH) {
            const lanes shown = load_seen(visible, col, seen);
            vec_store(s + col, vec_select(shown, vec_load(s + col), vec_splat(-INFINITY)));
        }
    }
    return padded;
}

/* s = 2^(s · c − base); returns their sum. */
VEC_INLINE float powers_of_block(float *s, size_t count, vec c, vec base, const bool deep)
{
    vec sums[2] = {vec_splat(0), vec_splat(0)};
    for (size_t col = 0; col < count; col += 2 * WIDTH) {
        UNROLL for (int i = 0; i < 2; i++)
        {
            const vec x = vec_fma(vec_load(s + col + i * WIDTH), c, -base);
            const vec p = deep ? power_of_2_deep(x) : power_of_2(x);
            vec_store(s + col + i * WIDTH, p);
            sums[i] += p;
        }
    }
    return sum_of_lanes(sums[0] + sums[1]);
}

static void scale_values(float *z, size_t count, float by)
{
    scale_row(z, z, count, by);
}

/* The scores of one query in one block become powers; its maximum, sum and z move on. True when
 * some powers are 0. */
static bool flash_row(const struct flash *flash, size_t row, size_t first, size_t seen, bool mixed)
{
    struct attend_row *const state = &flash->rows[row];
    float *const s = flash->s + row * flash->s_stride;
    const size_t count = flash_hide(flash, row, first, seen, mixed);
    vec high = vec_splat(state->max), low = vec_splat(INFINITY);
    for (size_t col = 0; col < count; col += 2 * WIDTH) {
        const vec x = vec_load(s + col), y = vec_load(s + col + WIDTH);
        high = vec_max(high, vec_max(x, y));
        low = vec_min(low, vec_min(x, y));
    }
    const float max = max_of_lanes(high), min = -max_of_lanes(-low);
    const float c = flash->job->factor * 0x1.715476p0F;
    const float base = max * c;
    if (max == -INFINITY) {
        for (size_t col = 0; col < count; col++) {
            /* A NaN hides from the maximum, −∞ is hidden. */
            state->unknown |= s[col] != -INFINITY;
            s[col] = 0;
        }
        return true;
    }
    state->unknown |= !(base >= -ATTEND_LARGE && base <= ATTEND_LARGE);
    const bool deep = !(min * c - base >= -125);
    const float sum = deep ? powers_of_block(s, count, vec_splat(c), vec_splat(base), true)
                           : powers_of_block(s, count, vec_splat(c), vec_splat(base), false);
    if (max > state->max) {
        float by = 0;
        if (state->max > -INFINITY) {
            float lane[WIDTH];
            vec_store(lane, power_of_2_deep(vec_splat(state->base - base)));
            by = lane[0];
            scale_values(flash->job->z.values + row * flash->job->z.stride, flash->job->z.cols, by);
        }
        state->sum *= by;
        state->max = max;
        state->base = base;
    }
    state->sum += sum;
    return deep;
}

/* What is known of the rows of one group: terms to add, and which chunks of them. */
static size_t flash_group(const struct flash *flash, size_t start, size_t end, size_t first,
                          size_t count, bool mixed, uint8_t *chunks)
{
    const size_t depth = attend_seen(flash->job, end - 1, first, count);
    bool zeros = mixed;
    for (size_t row = start; row < end; row++) {
        const size_t seen = attend_seen(flash->job, row, first, count);
        zeros |= flash_row(flash, row, first, seen, mixed);
        zeros |= seen < depth;
        const size_t padded = (seen + 2 * WIDTH - 1) / (2 * WIDTH) * (2 * WIDTH);
        for (size_t col = padded; col < depth; col++) {
            flash->s[row * flash->s_stride + col] = 0;
        }
    }
    if (zeros) {
        classify(flash->s + start * flash->s_stride, flash->s_stride, end - start, depth, chunks);
    } else {
        memset(chunks, CHUNK_FULL, (depth + KEY_CHUNK - 1) / KEY_CHUNK);
    }
    return depth;
}

/* z += s · V for terms from … from + depth of the block that begins at key first. */
static void flash_blend(const struct flash *flash, const struct groups *groups, size_t first,
                        size_t count)
{
    const struct attend_job *const job = flash->job;
    for (size_t col = 0; col < job->z.cols; col += PACK_COLS) {
        const size_t cols = at_most(job->z.cols - col, PACK_COLS);
        const bool packed = job->values != NULL;
        for (size_t group = 0; group < groups->count; group++) {
            const size_t start = group_start(groups, group), end = group_start(groups, group + 1);
            struct tile tile = {
                .a = flash->s + start * flash->s_stride,
                .a_stride = flash->s_stride,
                .b = packed ? job->values + col * job->v.rows + first * PACK_COLS
                            : job->v.values + first * job->v.stride + col,
                .b_stride = packed ? PACK_COLS : job->v.stride,
                .out = job->z.values + start * job->z.stride + col,
                .out_stride = job->z.stride,
                .depth = attend_seen(job, end - 1, first, count),
                .resume = flash->started,
                .part = vec_part_of(cols % WIDTH),
                .chunks = flash->chunks + group * flash->chunks_stride,
            };
            sum_rows(&tile, end - start, cols);
        }
    }
}

static void flash_tell(const struct flash *flash, size_t first, size_t count, bool skipped)
{
    const struct attend_job *const job = flash->job;
    if (job->on_tile == NULL) {
        return;
    }
    for (size_t row = 0; row < job->q.rows; row++) {
        job->told_max[row] = flash->rows[row].max * job->factor;
        job->told_sum[row] = flash->rows[row].sum;
    }
    attend_tell(job, first, count, skipped);
}

/* A row from its plain stages: scores, scale and mask, softmax, blend. True when it is empty. */
static bool plain_row(const struct flash *flash, size_t row)
{
    const struct attend_job *const job = flash->job;
    const size_t m = attend_seen(job, row, 0, job->k.rows);
    struct attn_operand q = job->q, k = job->k, v = job->v;
    q.values += row * q.stride;
    q.rows = 1;
    k.rows = v.rows = m;
    struct attn_matrix s = {flash->s, 1, m, m};
    struct attn_mask mask = {NULL, 0};
    if (job->sight.kind == ATTN_SEE_MASK) {
        mask = job->sight.mask;
        mask.visible += (job->first + row) * mask.stride;
    }
    vec_scores(q, k, s);
    vec_scale_mask(s, job->factor, mask);
    const bool empty = vec_softmax(s) > 0;
    vec_blend(
        (struct attn_operand){flash->s, 1, m, m}, v,
        (struct attn_matrix){job->z.values + row * job->z.stride, 1, job->z.cols, job->z.stride});
    return empty;
}

static size_t flash_finish(const struct flash *flash)
{
    const struct attend_job *const job = flash->job;
    size_t empty = 0;
    for (size_t row = 0; row < job->q.rows; row++) {
        const struct attend_row *const state = &flash->rows[row];
        float *const z = job->z.values + row * job->z.stride;
        if (state->unknown || !(state->sum < INFINITY) || !(job->factor >= 0)) {
            empty += plain_row(flash, row) ? 1 : 0;
        } else if (state->sum == 0) {
            share_nothing(z, job->z.cols);
            empty++;
        } else {
            scale_values(z, job->z.cols, 1 / state->sum);
        }
    }
    return empty;
}

static struct flash flash_start(const struct attend_job *job, size_t width)
{
    struct flash flash = {
        .job = job,
        .s = job->scratch,
        .s_stride = attend_stride(width),
        .rows = job->rows,
        .chunks = job->chunks,
        .chunks_stride = attend_chunks(width),
    };
    for (size_t row = 0; row < job->q.rows; row++) {
        flash.rows[row] = (struct attend_row){.max = -INFINITY};
    }
    return flash;
}

static size_t vec_attend(const struct attend_job *job)
{
    struct flash flash = flash_start(job, job->block_cols);
    const struct groups groups = groups_of(job->q.rows);
    const size_t limit = attend_seen(job, job->q.rows - 1, 0, job->k.rows);
    for (size_t first = 0; first < job->k.rows; first += job->block_cols) {
        const size_t block = at_most(job->k.rows - first, job->block_cols);
        const enum attend_block kind =
            first >= limit ? ATTEND_EMPTY : attend_block_of(job, first, block);
        if (kind == ATTEND_EMPTY) {
            flash_tell(&flash, first, block, true);
            continue;
        }
        const size_t count = at_most(block, limit - first);
        flash_scores(&flash, first, count);
        for (size_t group = 0; group < groups.count; group++) {
            flash_group(&flash, group_start(&groups, group), group_start(&groups, group + 1), first,
                        count, kind == ATTEND_MIXED, flash.chunks + group * flash.chunks_stride);
        }
        flash_blend(&flash, &groups, first, count);
        flash.started = true;
        flash_tell(&flash, first, block, false);
    }
    return flash_finish(&flash);
}

/* ---- weights kept: rows of all scores, a few at a time ------------------------------------- */

/* A row of scores becomes powers; its state's sum is what they are still to be multiplied by. */
static void kept_row(const struct flash *flash, size_t row, size_t depth)
{
    const struct attend_job *const job = flash->job;
    const size_t seen = attend_seen(job, row, 0, job->k.rows);
    float *const s = flash->s + row * flash->s_stride;
    float factor = job->factor;
    if (job->sight.kind == ATTN_SEE_MASK) {
        struct attn_mask mask = job->sight.mask;
        mask.visible += mask.visible == NULL ? 0 : (job->first + row) * mask.stride;
        vec_scale_mask((struct attn_matrix){s, 1, seen, seen}, factor, mask);
        factor = 1;
    }
    flash->rows[row].sum = powers_of_row(s, seen, factor);
    for (size_t col = seen; col < depth; col++) {
        s[col] = 0;
    }
}

/* z = s · V, a panel of V and PANEL_DEPTH terms at a time. */
static void kept_blend(const struct flash *flash, const struct groups *groups, size_t limit)
{
    const struct attend_job *const job = flash->job;
    for (size_t col = 0; col < job->z.cols; col += PACK_COLS) {
        const size_t cols = at_most(job->z.cols - col, PACK_COLS);
        const bool packed = job->values != NULL;
        size_t from = 0;
        do {
            for (size_t group = 0; group < groups->count; group++) {
                const size_t start = group_start(groups, group);
                const size_t end = group_start(groups, group + 1);
                const size_t depth =
                    attend_seen(job, end - 1, from, at_most(limit - from, PANEL_DEPTH));
                struct tile tile = {
                    .a = flash->s + start * flash->s_stride + from,
                    .a_stride = flash->s_stride,
                    .b = packed ? job->values + col * job->v.rows + from * PACK_COLS
                                : job->v.values + from * job->v.stride + col,
                    .b_stride = packed ? PACK_COLS : job->v.stride,
                    .out = job->z.values + start * job->z.stride + col,
                    .out_stride = job->z.stride,
                    .depth = depth,
                    .resume = from > 0,
                    .part = vec_part_of(cols % WIDTH),
                    .chunks = flash->chunks + group * flash->chunks_stride + from / KEY_CHUNK,
                };
                if (depth > 0 || from == 0) {
                    sum_rows(&tile, end - start, cols);
                }
            }
            from += PANEL_DEPTH;
        } while (from < limit);
    }
}

static size_t vec_attend_kept(const struct attend_job *job)
{
    const struct flash flash = flash_start(job, job->k.rows);
    const struct groups groups = groups_of(job->q.rows);
    const size_t limit = attend_seen(job, job->q.rows - 1, 0, job->k.rows);
    flash_scores(&flash, 0, limit);
    for (size_t group = 0; group < groups.count; group++) {
        const size_t start = group_start(&groups, group), end = group_start(&groups, group + 1);
        const size_t depth = attend_seen(job, end - 1, 0, job->k.rows);
        for (size_t row = start; row < end; row++) {
            kept_row(&flash, row, depth);
        }
        classify(flash.s + start * flash.s_stride, flash.s_stride, end - start, depth,
                 flash.chunks + group * flash.chunks_stride);
    }
    kept_blend(&flash, &groups, limit);
    size_t empty = 0;
    for (size_t row = 0; row < job->q.rows; row++) {
        const float share = flash.rows[row].sum;
        const size_t seen = attend_seen(job, row, 0, job->k.rows);
        float *const weights = job->weights.values + row * job->weights.stride;
        scale_values(job->z.values + row * job->z.stride, job->z.cols, share);
        scale_row(flash.s + row * flash.s_stride, weights, seen, share);
        share_nothing(weights + seen, job->k.rows - seen);
        empty += share == 0 ? 1 : 0;
    }
    return empty;
}

#endif
