/* attn/heads.c — heads stage by stage: scores where a mask shows them, weights, blend. */
#include "attn/attn.h"
#include "attn/pool.h"

#include <stdatomic.h>
#include <string.h>

enum {
    EXACT_PAIRS = 64 * 64, /* up to so many, rows are taken one by one */
    BLOCK_ROWS = 32,
    BLOCK_KEYS = 64, /* a whole number of bytes to look through at once */
    JOB_ROWS = 64,   /* queries of a job: a whole number of blocks */
};

struct block {
    size_t row, rows, key, keys;
};

static void score_block(const struct attn_kernels *kernels, struct attn_operand q,
                        struct attn_operand k, struct attn_matrix s, struct block at)
{
    q.values += at.row * q.stride;
    q.rows = at.rows;
    k.values += at.key * k.stride;
    k.rows = at.keys;
    s.values += at.row * s.stride + at.key;
    s.rows = at.rows;
    s.cols = at.keys;
    attn_scores(kernels, q, k, s);
}

/* A row's runs of keys that it sees. */
static size_t score_runs(const struct attn_kernels *kernels, struct attn_operand q,
                         struct attn_operand k, struct attn_mask mask, struct attn_matrix s,
                         size_t row)
{
    const uint8_t *const seen = mask.visible + row * mask.stride;
    size_t count = 0;
    for (size_t key = 0; key < s.cols; key++) {
        size_t end = key;
        while (end < s.cols && seen[end] != 0) {
            end++;
        }
        if (end > key) {
            score_block(kernels, q, k, s, (struct block){row, 1, key, end - key});
            count += end - key;
            key = end;
        }
    }
    return count;
}

static bool any_seen(struct attn_mask mask, struct block at)
{
    for (size_t i = at.row; i < at.row + at.rows; i++) {
        const uint8_t *const row = mask.visible + i * mask.stride + at.key;
        for (size_t j = 0; j < at.keys; j++) {
            if (row[j] != 0) {
                return true;
            }
        }
    }
    return false;
}

static bool takes_runs(size_t rows, size_t cols)
{
    return rows <= EXACT_PAIRS && cols <= EXACT_PAIRS && rows * cols <= EXACT_PAIRS;
}

/* Row by row, or block by block. */
static size_t score_seen(const struct attn_kernels *kernels, struct attn_operand q,
                         struct attn_operand k, struct attn_mask mask, struct attn_matrix s,
                         bool by_runs)
{
    size_t count = 0;
    for (size_t row = 0; by_runs && row < s.rows; row++) {
        count += score_runs(kernels, q, k, mask, s, row);
    }
    for (size_t row = 0; !by_runs && row < s.rows; row += BLOCK_ROWS) {
        for (size_t key = 0; key < s.cols; key += BLOCK_KEYS) {
            const struct block at = {row, s.rows - row < BLOCK_ROWS ? s.rows - row : BLOCK_ROWS,
                                     key, s.cols - key < BLOCK_KEYS ? s.cols - key : BLOCK_KEYS};
            if (any_seen(mask, at)) {
                score_block(kernels, q, k, s, at);
                count += at.rows * at.keys;
            }
        }
    }
    return count;
}

size_t attn_scores_seen(const struct attn_kernels *kernels, struct attn_operand q,
                        struct attn_operand k, struct attn_mask mask, struct attn_matrix s)
{
    if (mask.visible == NULL) {
        attn_scores(kernels, q, k, s);
        return s.rows * s.cols;
    }
    return score_seen(kernels, q, k, mask, s, takes_runs(s.rows, s.cols));
}

/* ---- heads in jobs: blocks of queries ------------------------------------------------------ */

struct heads_work {
    const struct attn_kernels *kernels;
    const struct attn_heads *of;
    size_t rows; /* queries of a job */
    atomic_size_t pairs, empty;
};

/* The rows of a job, among those of all heads. */
struct span {
    size_t head, group, first, rows;
};

static struct span span_of(const struct heads_work *work, size_t job)
{
    const struct attn_heads *const of = work->of;
    const size_t down = (of->n + work->rows - 1) / work->rows, head = job / down;
    const size_t first = job % down * work->rows;
    return (struct span){head, head / (of->heads / of->kv_heads), first,
                         of->n - first < work->rows ? of->n - first : work->rows};
}

static struct attn_matrix rows_of(float *values, const struct attn_heads *of, struct span span,
                                  size_t cols)
{
    return (struct attn_matrix){values + (span.head * of->n + span.first) * cols, span.rows, cols,
                                cols};
}

static size_t score_rows(const struct heads_work *work, struct span span, struct attn_matrix s)
{
    const struct attn_heads *const of = work->of;
    const struct attn_operand q = {of->q + (span.head * of->n + span.first) * of->d_k, span.rows,
                                   of->d_k, of->d_k};
    const struct attn_operand k = {of->k + span.group * of->m * of->d_k, of->m, of->d_k, of->d_k};
    struct attn_mask mask = of->sight.mask;
    if (!of->seen_only || of->sight.kind != ATTN_SEE_MASK || mask.visible == NULL) {
        attn_scores(work->kernels, q, k, s);
        return s.rows * s.cols;
    }
    mask.visible += span.first * mask.stride;
    memset(s.values, 0, s.rows * s.cols * sizeof *s.values);
    return score_seen(work->kernels, q, k, mask, s, takes_runs(of->n, of->m));
}

static size_t normalise_scores(const struct heads_work *work, struct attn_matrix a,
                               struct attn_mask mask)
{
    attn_scale_mask(work->kernels, a, work->of->factor, mask);
    return work->of->normalise != NULL ? work->of->normalise(a) : attn_softmax(work->kernels, a);
}

/* Row i of all, which sees its past. */
static size_t weigh_past(const struct heads_work *work, float *row, size_t i)
{
    const size_t m = work->of->m, offset = work->of->sight.offset;
    const size_t last = i + offset, seen = offset < m && last < m ? last + 1 : m;
    memset(row + seen, 0, (m - seen) * sizeof(float));
    return normalise_scores(work, (struct attn_matrix){row, 1, seen, seen},
                            (struct attn_mask){NULL, 0});
}

static void weigh_job(void *context, size_t job, size_t worker)
{
    struct heads_work *const work = context;
    const struct attn_heads *const of = work->of;
    const struct span span = span_of(work, job);
    const struct attn_matrix s = rows_of(of->scores, of, span, of->m);
    const struct attn_matrix a = rows_of(of->weights, of, span, of->m);
    struct attn_mask mask = {NULL, 0};
    size_t empty = 0;
    (void)worker;
    const size_t pairs = score_rows(work, span, s);
    memcpy(a.values, s.values, s.rows * s.cols * sizeof *a.values);
    if (of->sight.kind == ATTN_SEE_MASK && of->sight.mask.visible != NULL) {
        mask = of->sight.mask;
        mask.visible += span.first * mask.stride;
    }
    for (size_t i = 0; of->sight.kind == ATTN_SEE_PAST && i < span.rows; i++) {
        empty += weigh_past(work, a.values + i * of->m, span.first + i);
    }
    if (of->sight.kind != ATTN_SEE_PAST) {
        empty = normalise_scores(work, a, mask);
    }
    atomic_fetch_add_explicit(&work->pairs, pairs, memory_order_relaxed);
    atomic_fetch_add_explicit(&work->empty, empty, memory_order_relaxed);
}

static void blend_job(void *context, size_t job, size_t worker)
{
    const struct heads_work *const work = context;
    const struct attn_heads *const of = work->of;
    const struct span span = span_of(work, job);
    const struct attn_matrix a = rows_of(of->weights, of, span, of->m);
    const struct attn_matrix z = rows_of(of->z, of, span, of->d_v);
    float *const concat = of->concat + span.first * of->heads * of->d_v + span.head * of->d_v;
    (void)worker;
    attn_blend(work->kernels, (struct attn_operand){a.values, a.rows, a.cols, a.stride},
               (struct attn_operand){of->v + span.group * of->m * of->d_v, of->m, of->d_v, of->d_v},
               z);
    for (size_t i = 0; i < span.rows; i++) {
        memcpy(concat + i * of->heads * of->d_v, z.values + i * of->d_v, of->d_v * sizeof(float));
    }
}

static size_t run_jobs(struct heads_work *work, struct attn_pool *pool, size_t width,
                       pool_task *task)
{
    const struct attn_heads *const of = work->of;
    const double pairs = (double)of->heads * (double)of->n * (double)of->m;
    work->rows = takes_runs(of->n, of->m) ? of->n : JOB_ROWS;
    return attn_pool_run(pool, 2 * pairs * (double)width,
                         of->heads * ((of->n + work->rows - 1) / work->rows), task, work);
}

enum { SOFTMAX_COSTS = 8 }; /* as many multiply-adds a score */

struct attn_weighed attn_weigh_each(const struct attn_kernels *kernels, struct attn_pool *pool,
                                    const struct attn_heads *heads)
{
    struct heads_work work = {.kernels = kernels, .of = heads};
    const size_t threads = run_jobs(&work, pool, heads->d_k + SOFTMAX_COSTS, weigh_job);
    return (struct attn_weighed){atomic_load(&work.pairs), atomic_load(&work.empty), threads};
}

size_t attn_blend_each(const struct attn_kernels *kernels, struct attn_pool *pool,
                       const struct attn_heads *heads)
{
    struct heads_work work = {.kernels = kernels, .of = heads};
    return run_jobs(&work, pool, heads->d_v, blend_job);
}
