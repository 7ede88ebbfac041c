/* attn/attend.h — one block of queries against all keys: what flash.c asks of a set of kernels. */
#ifndef ATTN_ATTEND_H
#define ATTN_ATTEND_H

#include <math.h>
#include <string.h>

#include "attn/attn.h"
#include "attn/sizes.h"

/* Largest scores up to this size, scaled, lose less than 2⁻⁹ by being rounded; larger ones are left
 * to the plain stages. */
#define ATTEND_LARGE 0x1p15F

enum {
    ATTEND_GROUP = 16, /* queries that go through a block of keys together */
    ATTEND_LANES = 16,
    ATTEND_PAD = 16 /* floats behind a row: rows must not fall on each other in the cache */
};

struct attend_job {
    struct attn_operand q, k, v; /* q: the rows of this block, at least one */
    const float *keys;           /* k turned, in panels; every block of keys begins a panel */
    bool finite;                 /* all of v is */
    struct attn_sight sight;
    size_t first; /* number of q's first row among all queries */
    float factor;
    struct attn_matrix z;
    struct attn_matrix weights;  /* rows of this block, where they are kept */
    bool streams;                /* they outgrow the caches: written past them where that can be */
    size_t block_cols;           /* keys of a block; all of them where weights are kept */
    float *scratch;              /* attend_floats */
    attn_tile_function *on_tile; /* NULL: nobody listens */
    void *listener;
};

/* The running values of each row of a job. */
struct attend_state {
    float *max;       /* largest score yet, unscaled; −∞: none */
    float *base;      /* max · factor; 0: none */
    float *row_stats; /* max and sum as a listener gets them */
    float *sums;      /* ATTEND_LANES each: of e^(score · factor − base) */
    float *lane_max;  /* ATTEND_LANES for each row of a group: among them its largest score */
    float *s;         /* scores of a group of rows, every s_stride; or of one row, all of them */
    size_t s_stride;
};

static inline size_t attend_stride(size_t width)
{
    return (width + 2 * ATTEND_LANES - 1) / (2 * ATTEND_LANES) * (2 * ATTEND_LANES) + ATTEND_PAD;
}

static inline struct attend_state attend_state_of(const struct attend_job *job)
{
    const size_t rows = (job->q.rows + ATTEND_GROUP - 1) / ATTEND_GROUP * ATTEND_GROUP;
    float *const at = job->scratch;
    return (struct attend_state){
        .sums = at,
        .max = at + rows * ATTEND_LANES,
        .base = at + rows * (ATTEND_LANES + 1),
        .row_stats = at + rows * (ATTEND_LANES + 2),
        .lane_max = at + rows * (ATTEND_LANES + 4),
        .s = at + rows * (ATTEND_LANES + 4) + ATTEND_GROUP * ATTEND_LANES,
        .s_stride = attend_stride(job->block_cols),
    };
}

/* Floats of scratch of a job of so many queries that has blocks of width keys of m; SIZE_MAX: too
 * many. */
static inline size_t attend_floats(size_t rows, size_t width, size_t m)
{
    const size_t groups = (rows + ATTEND_GROUP - 1) / ATTEND_GROUP;
    const size_t block = size_product(ATTEND_GROUP, attend_stride(width)), row = attend_stride(m);
    return size_sum(size_product(groups, ATTEND_GROUP * (ATTEND_LANES + 4)),
                    size_sum(ATTEND_GROUP * ATTEND_LANES, block > row ? block : row));
}

/* The same where weights are kept: all rows are one group, and its block all m keys. */
static inline struct attend_state attend_kept_state_of(const struct attend_job *job)
{
    return (struct attend_state){
        .lane_max = job->scratch,
        .s = job->scratch + job->q.rows * ATTEND_LANES,
        .s_stride = attend_stride(job->k.rows),
    };
}

static inline size_t attend_kept_floats(size_t rows, size_t m)
{
    return size_product(rows, size_sum(ATTEND_LANES, attend_stride(m)));
}

/* How many of the keys first … first + count − 1 a row of the block sees at most: those before its
 * limit. Which of these a mask hides is another question. */
static inline size_t attend_seen(const struct attend_job *job, size_t row, size_t first,
                                 size_t count)
{
    if (job->sight.kind != ATTN_SEE_PAST) {
        return count;
    }
    const size_t query = job->first + row;
    if (job->sight.offset >= first + count || query >= first + count) {
        return count;
    }
    const size_t end = query + job->sight.offset + 1;
    return end <= first ? 0 : end - first < count ? end - first : count;
}

enum attend_block { ATTEND_EMPTY, ATTEND_FULL, ATTEND_MIXED };

/* Returns what a mask lets rows row … row + rows − 1 of the job see of the keys first … first +
 * count − 1. / */
static inline enum attend_block attend_block_of(const struct attend_job *job, size_t row,
                                                size_t rows, size_t first, size_t count)
{
    if (job->sight.kind != ATTN_SEE_MASK || job->sight.mask.visible == NULL) {
        return ATTEND_FULL;
    }
    size_t full = 0, empty = 0;
    for (size_t r = 0; r < rows; r++) {
        const uint8_t *const seen =
            job->sight.mask.visible + (job->first + row + r) * job->sight.mask.stride + first;
        full += memchr(seen, 0, count) == NULL ? 1 : 0;
        empty += seen[0] == 0 && memcmp(seen, seen + 1, count - 1) == 0 ? 1 : 0;
        if (full != r + 1 && empty != r + 1) {
            return ATTEND_MIXED;
        }
    }
    return empty > 0 ? ATTEND_EMPTY : ATTEND_FULL;
}

/* The bytes of query row's mask; NULL: it sees what its limit lets it. */
static inline const uint8_t *attend_visible(const struct attend_job *job, size_t row)
{
    const struct attn_mask mask = job->sight.mask;
    return job->sight.kind != ATTN_SEE_MASK || mask.visible == NULL
               ? NULL
               : mask.visible + (job->first + row) * mask.stride;
}

/* max · factor, 0 while no key is seen; +∞, and from then on for ever, where that is too large or
 * unknown: such a row is computed from its plain stages in the end. */
static inline float attend_base(float former, float max, float factor)
{
    const float base = max == -INFINITY ? 0 : max * factor;
    return former <= ATTEND_LARGE && base >= -ATTEND_LARGE && base <= ATTEND_LARGE ? base
                                                                                   : INFINITY;
}

/* The power of e that sums are multiplied by when the maximum goes from former to max. A row that
 * sees none of the keys stays as it is, whatever its base: others may leave it out. */
static inline float attend_lowered(float former_base, float base, float former, float max)
{
    return former == -INFINITY ? -INFINITY : max > former ? former_base - base : 0;
}

/* Returns whether it is such a row; sum: of its powers. */
static inline bool attend_unknown(const struct attend_job *job, float base, float sum)
{
    return !(job->factor > 0) || !(base <= ATTEND_LARGE) || !(sum < INFINITY);
}

/* Tells the listener; sum: of each row's lanes. */
static inline void attend_tell(const struct attend_job *job, const struct attend_state *state,
                               size_t first, size_t count, bool skipped,
                               float (*sum)(const float *lanes))
{
    float *const max = state->row_stats, *const sums = max + job->q.rows;
    for (size_t row = 0; row < job->q.rows; row++) {
        max[row] = state->max[row] * job->factor + 0;
        sums[row] = sum(state->sums + row * ATTEND_LANES);
    }
    const struct attn_tile tile = {
        .row = job->first,
        .rows = job->q.rows,
        .col = first,
        .cols = count,
        .skipped = skipped,
        .max = max,
        .sum = sums,
        .z = {job->z.values, job->z.rows, job->z.cols, job->z.stride},
    };
    job->on_tile(job->listener, &tile);
}

#endif
