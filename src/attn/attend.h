/* attn/attend.h — one block of queries against all keys: what flash.c asks of a set of kernels. */
#ifndef ATTN_ATTEND_H
#define ATTN_ATTEND_H

#include <string.h>

#include "attn/attn.h"

/* Scores (in powers of 2) up to this size lose less than 2⁻⁹ by rounding the maximum; larger ones
 * are left to the plain stages. */
#define ATTEND_LARGE 0x1p15F

struct attend_row {
    float max;  /* largest score yet, unscaled; −∞: none */
    float base; /* max · factor · log₂ e, rounded */
    float sum;  /* of 2^(score − base) */
    bool zeros; /* among the powers of the block at hand */
    bool unknown;
    bool high; /* of a number that matrix registers do not take */
};

struct attend_job {
    struct attn_operand q, k, v; /* q: the rows of this block, at least one */
    const float *keys, *values;  /* k turned and v, packed in panels; NULL: read where they are */
    struct attn_sight sight;
    size_t first; /* number of q's first row among all queries */
    float factor;
    struct attn_matrix z;
    struct attn_matrix weights; /* rows of this block, where they are kept */
    bool streams;               /* they outgrow the caches: written past them where that can be */
    size_t block_cols;          /* a whole number of panels where keys are packed */

    /* Memory: attend_stride(width) · q.rows floats, and at least attend_stride(m); q.rows rows;
     * attend_chunks(width) · q.rows. width: block_cols, or m where weights are kept. */
    float *scratch;
    double *doubles; /* q.rows · d_v, for the set that sums in them */
    struct attend_row *rows;
    uint8_t *chunks;

    attn_tile_function *on_tile; /* NULL: nobody listens */
    void *listener;
    float *told_max, *told_sum; /* q.rows each */

    bool splits;                   /* keys and values are packed as attn_split says */
    unsigned char *parts, *powers; /* its bytes; the part of them that holds powers */
};

enum {
    ATTEND_CHUNK = 16, /* keys taken or left together */
    ATTEND_PAD = 16,   /* floats behind a row: rows must not fall on each other in the cache, and
                        * its largest scores, lane by lane, have a place */
    ATTEND_WIDEST = 64 /* columns of the widest panel */
};

static inline size_t attend_stride(size_t width)
{
    return (width + ATTEND_WIDEST - 1) / ATTEND_WIDEST * ATTEND_WIDEST + ATTEND_PAD;
}

static inline size_t attend_chunks(size_t width)
{
    return (width + ATTEND_CHUNK - 1) / ATTEND_CHUNK;
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

/* The first row of the block that sees this key, which some row sees. */
static inline size_t attend_first_row(const struct attend_job *job, size_t key)
{
    const size_t most = job->q.rows - 1;
    if (job->sight.kind != ATTN_SEE_PAST || key <= job->sight.offset ||
        key - job->sight.offset <= job->first) {
        return 0;
    }
    const size_t row = key - job->sight.offset - job->first;
    return row < most ? row : most;
}

enum attend_block { ATTEND_EMPTY, ATTEND_FULL, ATTEND_MIXED };

/* What a mask lets the block's rows see of the keys first … first + count − 1. */
static inline enum attend_block attend_block_of(const struct attend_job *job, size_t first,
                                                size_t count)
{
    if (job->sight.kind != ATTN_SEE_MASK || job->sight.mask.visible == NULL) {
        return ATTEND_FULL;
    }
    size_t full = 0, empty = 0;
    for (size_t row = 0; row < job->q.rows; row++) {
        const uint8_t *const seen =
            job->sight.mask.visible + (job->first + row) * job->sight.mask.stride + first;
        full += memchr(seen, 0, count) == NULL ? 1 : 0;
        empty += seen[0] == 0 && memcmp(seen, seen + 1, count - 1) == 0 ? 1 : 0;
        if (full != row + 1 && empty != row + 1) {
            return ATTEND_MIXED;
        }
    }
    return empty > 0 ? ATTEND_EMPTY : ATTEND_FULL;
}

static inline void attend_tell(const struct attend_job *job, size_t first, size_t count,
                               bool skipped)
{
    const struct attn_tile tile = {
        .row = job->first,
        .rows = job->q.rows,
        .col = first,
        .cols = count,
        .skipped = skipped,
        .max = job->told_max,
        .sum = job->told_sum,
        .z = {job->z.values, job->z.rows, job->z.cols, job->z.stride},
    };
    job->on_tile(job->listener, &tile);
}

#endif
