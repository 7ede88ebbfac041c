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
    BLOCK_ROWS = 48,  /* queries: their scores of one block of keys stay in the second cache */
    BLOCK_COLS = 256, /* keys: few enough for the caches, enough to carry sums seldom */
    KEPT_BYTES = 256 * 1024, /* of the rows of all scores, where weights are kept */
    KEPT_ROWS = 6,           /* fewest of these rows */
    STREAM_BYTES = 2 << 20,  /* more weights than that are not there any more when they are read */
    LINE = 64,
};

static bool keeps(const struct attn_head *head)
{
    return head->weights.values != NULL;
}

/* Whether matrix registers take part: a question of the keys alone, never of how many queries. */
static const struct attn_split *split_of(const struct attn_kernels *kernels,
                                         const struct attn_head *head)
{
    const struct attn_split *const split = kernels->split;
    const bool fits = split != NULL && !keeps(head) && head->k.cols >= split->depth &&
                      (head->k.rows >= split->keys || head->keys_grow) &&
                      head->factor <= 0x1p60F && /* what is subnormal stays next to nothing */
                      head->block_rows <= split->rows && head->block_cols <= split->cols &&
                      head->block_cols % kernels->attend_panel == 0;
    return fits ? split : NULL;
}

static size_t block_cols_of(const struct attn_kernels *kernels, const struct attn_head *head)
{
    const struct attn_split *const split = split_of(kernels, head);
    return keeps(head)             ? BLOCK_COLS
           : head->block_cols != 0 ? head->block_cols
           : split != NULL         ? split->cols
                                   : BLOCK_COLS;
}

static size_t block_rows_of(const struct attn_kernels *kernels, const struct attn_head *head)
{
    const struct attn_split *const split = split_of(kernels, head);
    size_t rows = split != NULL ? split->rows : BLOCK_ROWS;
    if (keeps(head)) {
        const size_t fitting = KEPT_BYTES / sizeof(float) / attend_stride(head->k.rows);
        const size_t whole = fitting / KEPT_ROWS * KEPT_ROWS;
        rows = whole < KEPT_ROWS ? KEPT_ROWS : whole < BLOCK_ROWS ? whole : BLOCK_ROWS;
    } else if (head->block_rows != 0) {
        rows = head->block_rows;
    }
    return rows < head->q.rows ? rows : head->q.rows;
}

static size_t blocks_of(const struct attn_kernels *kernels, const struct attn_head *head)
{
    const size_t rows = block_rows_of(kernels, head);
    return rows == 0 ? 0 : (head->q.rows + rows - 1) / rows;
}

/* Packing pays when keys are read more than once, and needs blocks of whole panels. */
static bool packs(const struct attn_kernels *kernels, const struct attn_head *head)
{
    return split_of(kernels, head) != NULL ||
           (blocks_of(kernels, head) > 1 &&
            block_cols_of(kernels, head) % kernels->attend_panel == 0);
}

/* Several query heads may share their keys and values: they are packed once. */
static bool packed_before(const struct attn_kernels *kernels, const struct attn_head *head,
                          const struct attn_head *former)
{
    return packs(kernels, former) && split_of(kernels, former) == split_of(kernels, head) &&
           former->k.values == head->k.values && former->v.values == head->v.values &&
           former->k.rows == head->k.rows && former->k.cols == head->k.cols &&
           former->v.cols == head->v.cols && former->k.stride == head->k.stride &&
           former->v.stride == head->v.stride;
}

/* Where the parts of the scratch lie, in bytes. SIZE_MAX: too many. */
struct layout {
    size_t packed;                                    /* bytes before the workers' parts */
    size_t scores, rows, chunks, told, parts, worker; /* in a worker's part; worker: all of it */
};

static size_t lines(size_t bytes)
{
    return bytes >= SIZE_MAX - LINE ? SIZE_MAX : (bytes + LINE - 1) / LINE * LINE;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Floats of depth × cols in panels; SIZE_MAX: too many. */
static size_t panel_floats(size_t panel, size_t depth, size_t cols)
{
    return cols > SIZE_MAX - panel ? SIZE_MAX
                                   : size_product(depth, (cols + panel - 1) / panel * panel);
}

/* Its rows follow each other as those of a packed panel do. */
static bool is_a_panel(const struct attn_kernels *kernels, struct attn_operand v)
{
    return v.cols == kernels->attend_panel && v.stride == v.cols;
}

static size_t keys_floats(const struct attn_kernels *kernels, const struct attn_head *head)
{
    if (split_of(kernels, head) != NULL) {
        return kernels->split->keys_floats(head->k.rows, head->k.cols);
    }
    return panel_floats(kernels->attend_panel, head->k.cols, head->k.rows);
}

static size_t values_floats(const struct attn_kernels *kernels, const struct attn_head *head)
{
    if (split_of(kernels, head) != NULL) {
        return kernels->split->values_floats(head->v.rows, head->v.cols);
    }
    return is_a_panel(kernels, head->v)
               ? 0
               : panel_floats(kernels->attend_panel, head->v.rows, head->v.cols);
}

static size_t packed_bytes(const struct attn_kernels *kernels, const struct attn_head *heads,
                           size_t index)
{
    const struct attn_head *const head = &heads[index];
    if (!packs(kernels, head) || (index > 0 && packed_before(kernels, head, &heads[index - 1]))) {
        return 0;
    }
    return size_sum(lines(size_product(keys_floats(kernels, head), sizeof(float))),
                    lines(size_product(values_floats(kernels, head), sizeof(float))));
}

/* Scores of a row that are there at once. */
static size_t width_of(const struct attn_kernels *kernels, const struct attn_head *head)
{
    return keeps(head) ? head->k.rows : block_cols_of(kernels, head);
}

static size_t score_floats(const struct attn_kernels *kernels, const struct attn_head *head)
{
    const struct attn_split *const split = split_of(kernels, head);
    const size_t rows = split != NULL ? split->scores : block_rows_of(kernels, head);
    return larger(size_product(rows, attend_stride(width_of(kernels, head))),
                  attend_stride(head->k.rows));
}

/* Of queries, then of powers, in parts. */
static size_t parts_bytes(const struct attn_kernels *kernels, const struct attn_head *head)
{
    const struct attn_split *const split = split_of(kernels, head);
    return split == NULL
               ? 0
               : lines(size_sum(split->queries_bytes(block_rows_of(kernels, head), head->k.cols),
                                split->powers_bytes(block_cols_of(kernels, head))));
}

static struct layout layout_of(const struct attn_kernels *kernels, const struct attn_head *heads,
                               size_t count)
{
    struct layout layout = {0};
    for (size_t h = 0; h < count; h++) {
        const struct attn_head *const head = &heads[h];
        const size_t rows = block_rows_of(kernels, head);
        if (head->k.rows >= SIZE_MAX / 64 || block_cols_of(kernels, head) >= SIZE_MAX / 64) {
            layout.packed = SIZE_MAX;
            return layout;
        }
        const size_t width = width_of(kernels, head);
        const size_t floats = score_floats(kernels, head);
        const size_t doubles = size_product(2, size_product(rows, head->v.cols));
        layout.packed = size_sum(layout.packed, packed_bytes(kernels, heads, h));
        layout.scores = larger(layout.scores, lines(size_product(size_sum(floats, doubles), 4)));
        layout.rows = larger(layout.rows, lines(size_product(rows, sizeof(struct attend_row))));
        layout.chunks = larger(layout.chunks, lines(size_product(rows, attend_chunks(width))));
        layout.told = larger(layout.told, lines(size_product(rows, 2 * sizeof(float))));
        layout.parts = larger(layout.parts, parts_bytes(kernels, head));
    }
    layout.worker = size_sum(layout.parts, size_sum(size_sum(layout.scores, layout.rows),
                                                    size_sum(layout.chunks, layout.told)));
    return layout;
}

size_t attn_fused_bytes(const struct attn_kernels *kernels, const struct attn_head *heads,
                        size_t count, size_t threads)
{
    const struct layout layout = layout_of(kernels, heads, count);
    const size_t bytes = size_sum(layout.packed, size_product(layout.worker, larger(threads, 1)));
    return bytes == SIZE_MAX ? 0 : larger(bytes, LINE);
}

/* What all jobs of one call share. */
struct fused {
    const struct attn_kernels *kernels;
    const struct attn_head *heads;
    size_t count;
    unsigned char *scratch;
    struct layout layout;
    bool streams;
    size_t empty[ATTN_THREADS_MOST]; /* per worker */
};

static float *keys_of(const struct fused *fused, size_t index)
{
    size_t bytes = 0, own = 0;
    for (size_t h = 0; h <= index; h++) {
        own = packed_bytes(fused->kernels, fused->heads, h);
        bytes += own;
    }
    while (own == 0 && index > 0) {
        own = packed_bytes(fused->kernels, fused->heads, --index);
    }
    return (float *)(void *)(fused->scratch + bytes - own);
}

static float *values_of(const struct fused *fused, size_t index)
{
    unsigned char *const keys = (unsigned char *)keys_of(fused, index);
    return (float *)(void *)(keys + lines(keys_floats(fused->kernels, &fused->heads[index]) *
                                          sizeof(float)));
}

static void pack_head(void *context, size_t index, size_t worker)
{
    const struct fused *const fused = context;
    (void)worker;
    if (packed_bytes(fused->kernels, fused->heads, index) > 0) {
        const struct attn_head *const head = &fused->heads[index];
        const struct attn_split *const split = split_of(fused->kernels, head);
        if (split != NULL) {
            split->pack_keys(head->k, keys_of(fused, index));
            split->pack_values(head->v, values_of(fused, index));
            return;
        }
        fused->kernels->pack_keys(head->k, keys_of(fused, index));
        if (!is_a_panel(fused->kernels, head->v)) {
            fused->kernels->pack_values(head->v, values_of(fused, index));
        }
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
    while (job >= blocks_of(fused->kernels, &fused->heads[index])) {
        job -= blocks_of(fused->kernels, &fused->heads[index++]);
    }
    const struct attn_head *const head = &fused->heads[index];
    const size_t block_rows = block_rows_of(fused->kernels, head);
    const size_t first = (blocks_of(fused->kernels, head) - 1 - job) * block_rows;
    const size_t rows = head->q.rows - first < block_rows ? head->q.rows - first : block_rows;
    const struct layout *const layout = &fused->layout;
    unsigned char *const own = fused->scratch + layout->packed + worker * layout->worker;
    const struct attn_split *const split = split_of(fused->kernels, head);
    const bool packed = packs(fused->kernels, head);
    struct attend_job block = {
        .q = {head->q.values + first * head->q.stride, rows, head->q.cols, head->q.stride},
        .k = head->k,
        .v = head->v,
        .keys = packed ? keys_of(fused, index) : NULL,
        .values = split != NULL || (packed && !is_a_panel(fused->kernels, head->v))
                      ? values_of(fused, index)
                      : NULL,
        .sight = head->sight,
        .first = first,
        .factor = head->factor,
        .z = rows_from(head->z, first, rows),
        .weights = rows_from(head->weights, first, rows),
        .streams = fused->streams,
        .block_cols = block_cols_of(fused->kernels, head),
        .scratch = (float *)(void *)own,
        .doubles = (double *)(void *)(own + score_floats(fused->kernels, head) * sizeof(float)),
        .rows = (struct attend_row *)(void *)(own + layout->scores),
        .chunks = own + layout->scores + layout->rows,
        .on_tile = keeps(head) ? NULL : head->on_tile,
        .listener = head->listener,
        .splits = split != NULL,
    };
    block.told_max = (float *)(void *)(own + layout->scores + layout->rows + layout->chunks);
    block.told_sum = block.told_max + rows;
    block.parts = (unsigned char *)block.told_max + layout->told;
    if (split != NULL) {
        block.powers = block.parts + split->queries_bytes(rows, head->k.cols);
    }
    fused->empty[worker] +=
        keeps(head) ? fused->kernels->attend_kept(&block) : fused->kernels->attend(&block);
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
    size_t jobs = 0;
    size_t kept = 0;
    double work = 0;
    for (size_t h = 0; h < count; h++) {
        assert(attn_head_complaint(&heads[h]) == NULL);
        jobs += blocks_of(kernels, &heads[h]);
        work += work_of(&heads[h]);
        kept += keeps(&heads[h]) ? heads[h].weights.rows * heads[h].weights.cols : 0;
        pool = heads[h].on_tile != NULL ? NULL : pool;
    }
    fused.streams = kept > STREAM_BYTES / sizeof(float);
    fused.layout = layout_of(kernels, heads, count);
    const struct mode mode = mode_enter();
    attn_pool_run(pool, work, count, pack_head, &fused);
    attn_pool_run(pool, work, jobs, attend_block, &fused);
    mode_leave(mode);
    size_t empty = 0;
    for (size_t w = 0; w < ATTN_THREADS_MOST; w++) {
        empty += fused.empty[w];
    }
    return empty;
}

static bool whole(const float *values, size_t rows, size_t cols, size_t stride)
{
    return values != NULL && rows != 0 && cols != 0 && stride >= cols;
}

const char *attn_head_complaint(const struct attn_head *head)
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
        {!whole(q.values, q.rows, q.cols, q.stride) || !whole(k.values, k.rows, k.cols, k.stride) ||
             !whole(v.values, v.rows, v.cols, v.stride) ||
             !whole(z.values, z.rows, z.cols, z.stride),
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
