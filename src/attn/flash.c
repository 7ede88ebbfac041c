/* attn/flash.c — heads of attention cut into blocks of queries, for one thread or a pool.
 *
 * A job is one block of queries of one head. Blocks are cut by the sizes alone, never by the number
 * of threads, so every number is computed in the same way wherever it is computed. */
#include "attn/attend.h"
#include "attn/kernels.h"
#include "attn/mode.h"
#include "attn/pool.h"
#include "attn/sizes.h"

#include <assert.h>

enum {
    BLOCK_ROWS = 64,         /* queries: groups that share a block of keys while it is near */
    BLOCK_COLS = 128,        /* keys: few enough for the caches, enough to carry sums seldom */
    KEPT_BYTES = 256 * 1024, /* of the rows of all scores, where weights are kept */
    KEPT_ROWS_MAX = 48,      /* where weights are kept; KEPT_ROWS is the fewest */
    KEPT_ROWS = 8,
    STREAM_BYTES = 2 << 20, /* more weights than that are not there any more when they are read */
    FEW_ROWS = 4,           /* of queries: for these, looking at all values costs too much */
    LINE = 64,
};

static bool keeps_weights(const struct attn_head *head)
{
    return head->weights.values != NULL;
}

static size_t block_cols_of(const struct attn_head *head)
{
    return keeps_weights(head)     ? head->k.rows
           : head->block_cols != 0 ? head->block_cols
                                   : BLOCK_COLS;
}

static size_t block_rows_of(const struct attn_head *head)
{
    size_t rows = head->block_rows != 0 ? head->block_rows : BLOCK_ROWS;
    if (keeps_weights(head)) {
        const size_t fitting = KEPT_BYTES / sizeof(float) / attend_stride(head->k.rows);
        const size_t whole = fitting / KEPT_ROWS * KEPT_ROWS;
        rows = whole < KEPT_ROWS ? KEPT_ROWS : whole < KEPT_ROWS_MAX ? whole : KEPT_ROWS_MAX;
    }
    return rows < head->q.rows ? rows : head->q.rows;
}

static size_t blocks_of(const struct attn_head *head)
{
    const size_t rows = block_rows_of(head);
    return rows == 0 ? 0 : (head->q.rows + rows - 1) / rows;
}

/* Several query heads may share their keys: they are packed once. */
static bool packed_before(const struct attn_head *head, const struct attn_head *former)
{
    return former->k.values == head->k.values && former->v.values == head->v.values &&
           former->k.rows == head->k.rows && former->k.cols == head->k.cols &&
           former->v.cols == head->v.cols && former->k.stride == head->k.stride &&
           former->v.stride == head->v.stride && block_cols_of(former) == block_cols_of(head);
}

/* Where the parts of the scratch lie, in bytes. SIZE_MAX: too many. */
struct layout {
    size_t packed; /* bytes before the workers' parts */
    size_t worker; /* of each of these */
};

static size_t round_to_lines(size_t bytes)
{
    return bytes >= SIZE_MAX - LINE ? SIZE_MAX : (bytes + LINE - 1) / LINE * LINE;
}

static size_t max_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Floats of a block of keys, in whole panels. */
static size_t block_floats(const struct attn_kernels *kernels, const struct attn_head *head)
{
    const size_t panel = kernels->key_panel;
    return size_product((block_cols_of(head) + panel - 1) / panel * panel, head->k.cols);
}

/* Of a head's packed keys; 0: those of the one before it. */
static size_t packed_bytes(const struct attn_kernels *kernels, const struct attn_head *heads,
                           size_t index)
{
    const struct attn_head *const head = &heads[index];
    if (index > 0 && packed_before(head, &heads[index - 1])) {
        return 0;
    }
    const size_t cols = block_cols_of(head), blocks = (head->k.rows + cols - 1) / cols;
    const size_t floats = size_product(blocks, block_floats(kernels, head));
    return round_to_lines(size_product(floats, sizeof(float)));
}

static size_t worker_bytes(const struct attn_head *head)
{
    const size_t rows = block_rows_of(head), m = head->k.rows;
    const size_t floats = keeps_weights(head) ? attend_kept_floats(rows, m)
                                              : attend_floats(rows, block_cols_of(head), m);
    return round_to_lines(size_product(floats, sizeof(float)));
}

static struct layout layout_of(const struct attn_kernels *kernels, const struct attn_head *heads,
                               size_t count)
{
    struct layout layout = {0};
    for (size_t h = 0; h < count; h++) {
        if (heads[h].k.rows >= SIZE_MAX / 64 || block_cols_of(&heads[h]) >= SIZE_MAX / 64) {
            layout.packed = SIZE_MAX;
            return layout;
        }
        layout.packed = size_sum(layout.packed, packed_bytes(kernels, heads, h));
        layout.worker = max_of(layout.worker, worker_bytes(&heads[h]));
    }
    return layout;
}

size_t attn_fused_bytes(const struct attn_kernels *kernels, const struct attn_head *heads,
                        size_t count, size_t threads)
{
    const struct layout layout = layout_of(kernels, heads, count);
    const size_t bytes = size_sum(layout.packed, size_product(layout.worker, max_of(threads, 1)));
    return bytes == SIZE_MAX ? 0 : max_of(bytes, LINE);
}

/* The state that all jobs of one call share. */
struct fused {
    const struct attn_kernels *kernels;
    const struct attn_head *heads;
    size_t count;
    unsigned char *scratch;
    struct layout layout;
    bool streams;
    bool finite[ATTN_HEADS_MAX];    /* all values of a head are */
    size_t empty[ATTN_THREADS_MAX]; /* per worker */
};

static float *keys_of(const struct fused *fused, size_t index)
{
    size_t bytes = 0, own = 0;
    for (size_t h = 0; h <= index; h++) {
        const size_t next = packed_bytes(fused->kernels, fused->heads, h);
        own = next != 0 ? bytes : own;
        bytes += next;
    }
    return (float *)(void *)(fused->scratch + own);
}

/* A head's keys are packed block by block, and its values looked at. */
static void pack_head(void *context, size_t index, size_t worker)
{
    struct fused *const fused = context;
    const struct attn_head *const head = &fused->heads[index];
    const size_t cols = block_cols_of(head), floats = block_floats(fused->kernels, head);
    float *panels = keys_of(fused, index);
    (void)worker;
    fused->finite[index] = head->q.rows > FEW_ROWS && fused->kernels->finite(head->v);
    if (packed_bytes(fused->kernels, fused->heads, index) == 0) {
        return;
    }
    for (size_t key = 0; key < head->k.rows; key += cols, panels += floats) {
        struct attn_operand k = head->k;
        k.values += key * k.stride;
        k.rows = k.rows - key < cols ? k.rows - key : cols;
        fused->kernels->pack_keys(k, panels);
    }
}

static struct attn_matrix rows_from(struct attn_matrix matrix, size_t first, size_t rows)
{
    if (matrix.values != NULL) {
        matrix.values += first * matrix.stride;
    }
    matrix.rows = rows;
    return matrix;
}

/* Job number job: heads one after the other, of each the last queries first, for with a causal
 * sight these are the heaviest. */
static void attend_block(void *context, size_t job, size_t worker)
{
    struct fused *const fused = context;
    size_t index = 0;
    while (job >= blocks_of(&fused->heads[index])) {
        job -= blocks_of(&fused->heads[index++]);
    }
    const struct attn_head *const head = &fused->heads[index];
    const size_t block_rows = block_rows_of(head);
    const size_t first = (blocks_of(head) - 1 - job) * block_rows;
    const size_t rows = head->q.rows - first < block_rows ? head->q.rows - first : block_rows;
    const struct layout *const layout = &fused->layout;
    const struct attend_job block = {
        .q = {head->q.values + first * head->q.stride, rows, head->q.cols, head->q.stride},
        .k = head->k,
        .v = head->v,
        .keys = keys_of(fused, index),
        .finite = fused->finite[index],
        .sight = head->sight,
        .first = first,
        .factor = head->factor,
        .z = rows_from(head->z, first, rows),
        .weights = rows_from(head->weights, first, rows),
        .streams = fused->streams,
        .block_cols = block_cols_of(head),
        .scratch = (float *)(void *)(fused->scratch + layout->packed + worker * layout->worker),
        .on_tile = keeps_weights(head) ? NULL : head->on_tile,
        .listener = head->listener,
    };
    fused->empty[worker] +=
        keeps_weights(head) ? fused->kernels->attend_kept(&block) : fused->kernels->attend(&block);
}

/* Multiplications and additions: what decides whether threads are worth waking. */
static double work_of(const struct attn_head *head)
{
    const double seen = head->sight.kind == ATTN_SEE_PAST ? 0.5 : 1;
    return 2 * seen * (double)head->q.rows * (double)head->k.rows *
           (double)(head->q.cols + head->v.cols + 8);
}

size_t attn_fused(const struct attn_kernels *kernels, struct attn_pool *pool,
                  const struct attn_head *heads, size_t count, void *scratch)
{
    struct fused fused = {.kernels = kernels, .heads = heads, .count = count, .scratch = scratch};
    size_t jobs = 0, kept = 0;
    double work = 0;
    for (size_t h = 0; h < count; h++) {
        assert(attn_head_error(&heads[h]) == NULL && count <= ATTN_HEADS_MAX);
        jobs += blocks_of(&heads[h]);
        work += work_of(&heads[h]);
        kept += keeps_weights(&heads[h]) ? heads[h].weights.rows * heads[h].weights.cols : 0;
        pool = heads[h].on_tile != NULL ? NULL : pool;
    }
    fused.streams = kept > STREAM_BYTES / sizeof(float);
    fused.layout = layout_of(kernels, heads, count);
    const struct mode mode = mode_enter();
    attn_pool_run(pool, work, count, pack_head, &fused);
    attn_pool_run(pool, work, jobs, attend_block, &fused);
    mode_leave(mode);
    size_t empty = 0;
    for (size_t w = 0; w < ATTN_THREADS_MAX; w++) {
        empty += fused.empty[w];
    }
    return empty;
}

static bool is_whole(const float *values, size_t rows, size_t cols, size_t stride)
{
    return values != NULL && rows != 0 && cols != 0 && stride >= cols;
}

const char *attn_head_error(const struct attn_head *head)
{
    const struct attn_operand q = head->q, k = head->k, v = head->v;
    const struct attn_matrix z = head->z, weights = head->weights;
    const struct attn_mask mask = head->sight.mask;
    const bool masked = head->sight.kind == ATTN_SEE_MASK && mask.visible != NULL;
    const size_t floats = SIZE_MAX / sizeof(float);
    const struct {
        bool wrong;
        const char *sentence;
    } rules[] = {
        {q.rows == 0, "There must be at least one query."},
        {k.rows == 0, "There must be at least one key."},
        {q.cols == 0 || v.cols == 0, "d_k and d_v must be at least 1."},
        {q.cols != k.cols, "Queries and keys must have the same d_k."},
        {k.rows != v.rows, "There must be as many values as keys."},
        {z.rows != q.rows || z.cols != v.cols, "The result must be queries x d_v."},
        {!is_whole(q.values, q.rows, q.cols, q.stride) ||
             !is_whole(k.values, k.rows, k.cols, k.stride) ||
             !is_whole(v.values, v.rows, v.cols, v.stride) ||
             !is_whole(z.values, z.rows, z.cols, z.stride),
         "A matrix has no memory, or its rows overlap."},
        {size_product(q.rows, q.stride) > floats || size_product(k.rows, k.stride) > floats ||
             size_product(v.rows, v.stride) > floats || size_product(z.rows, z.stride) > floats ||
             size_product(q.rows, k.rows) > floats,
         "These sizes need more memory than can be addressed."},
        {weights.values != NULL &&
             (weights.rows != q.rows || weights.cols != k.rows || weights.stride < weights.cols),
         "The weights must be queries x keys."},
        {masked && q.rows > 1 && mask.stride < k.rows, "The mask must be queries x keys."},
    };
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        if (rules[r].wrong) {
            return rules[r].sentence;
        }
    }
    return NULL;
}
