/* attn/run.c — the whole attention: projections, heads, concat and output, cut into jobs.
 *
 * A job is a block of rows of one matrix. Where a cut lies changes no number. */
#include "attn/kernels.h"
#include "attn/mode.h"
#include "attn/pool.h"
#include "attn/sizes.h"

#include <assert.h>
#include <string.h>

enum {
    JOB_ROWS = 128,           /* of a product: as many as packed panels are made for */
    JOB_COLS = 192,           /* a whole number of any set's panels */
    ALONE_BYTES = 128 * 1024, /* of a block in which no stage has work for a pool, whatever its
                                 shape: asking with jobs counted costs a toy a tenth */
};

/* A plan's block while it is being computed in. */
struct work {
    const struct attn_kernels *kernels;
    const struct attn_plan *plan;
    void *block;
    const struct attn_means *means;
    struct attn_pool *pool; /* NULL: alone */
    float factor;
    struct attn_sight sight;
};

static float *values_in(const struct work *work, enum attn_buffer buffer)
{
    return (float *)(void *)((unsigned char *)work->block + work->plan->offset[buffer]);
}

/* Matrix number index of a buffer that holds several of the same shape, one behind the other. */
static struct attn_matrix matrix_in(const struct work *work, enum attn_buffer buffer, size_t index,
                                    size_t rows, size_t cols)
{
    return (struct attn_matrix){values_in(work, buffer) + index * rows * cols, rows, cols, cols};
}

static struct attn_operand operand_of(struct attn_matrix a)
{
    return (struct attn_operand){a.values, a.rows, a.cols, a.stride};
}

static struct attn_operand operand_in(const struct work *work, enum attn_buffer buffer,
                                      size_t index, size_t rows, size_t cols)
{
    return operand_of(matrix_in(work, buffer, index, rows, cols));
}

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- projections --------------------------------------------------------------------------- */

enum { PROJECT_Q, PROJECT_K, PROJECT_V, PROJECT_OUT, PROJECTIONS };

static size_t part_count(size_t count, size_t size)
{
    if (count <= size) {
        return 1; /* no division for toys */
    }
    return (count + size - 1) / size;
}

static size_t jobs_of(const struct attn_projection *of)
{
    return of->times * part_count(of->rows, JOB_ROWS) * part_count(of->cols, JOB_COLS);
}

/* Product number index of a projection: the rows and columns from row, col on. */
static void project_part(const struct attn_kernels *kernels, const struct attn_projection *of,
                         size_t index, size_t row, size_t col)
{
    struct product product = {
        .a = of->x + row * of->depth,
        .a_row = of->depth,
        .a_step = 1,
        .rows = min_of(of->rows - row, JOB_ROWS),
        .depth = of->depth,
        .cols = min_of(of->cols - col, JOB_COLS),
        .start = of->bias == NULL ? NULL : of->bias + index * of->cols + col,
        .out = of->out + index * of->out_step + row * of->cols + col,
        .out_stride = of->cols,
    };
    if (of->packed) {
        product.b =
            of->w + index * attn_packed_floats(kernels, of->depth, of->cols) + col * of->depth;
        kernels->multiply_packed(&product);
        return;
    }
    product.b = of->w + index * of->depth * of->cols + col;
    product.b_stride = of->cols;
    kernels->multiply(&product);
}

struct projecting {
    const struct attn_kernels *kernels;
    const struct attn_projection *of;
};

/* Matrix by matrix, so that a W is read once. */
static void project_job(void *context, size_t job, size_t worker)
{
    const struct projecting *const projecting = context;
    const struct attn_projection *of = projecting->of;
    (void)worker;
    while (job >= jobs_of(of)) {
        job -= jobs_of(of++);
    }
    const size_t across = part_count(of->cols, JOB_COLS), down = part_count(of->rows, JOB_ROWS);
    project_part(projecting->kernels, of, job / (across * down), job % down * JOB_ROWS,
                 job / down % across * JOB_COLS);
}

/* All of them on this thread: no jobs to be counted and found again. */
static void project_alone(const struct attn_kernels *kernels, const struct attn_projection *of)
{
    for (size_t i = 0; i < of->times; i++) {
        for (size_t col = 0; col < of->cols; col += JOB_COLS) {
            for (size_t row = 0; row < of->rows; row += JOB_ROWS) {
                project_part(kernels, of, i, row, col);
            }
        }
    }
}

size_t attn_project_each(const struct attn_kernels *kernels, struct attn_pool *pool,
                         const struct attn_projection *of, size_t count)
{
    const struct mode mode = mode_enter();
    size_t jobs = 0, threads = 1;
    double operations = 0;
    for (size_t p = 0; p < count && pool != NULL; p++) {
        jobs += jobs_of(&of[p]);
        operations +=
            2 * (double)of[p].times * (double)of[p].rows * (double)of[p].depth * (double)of[p].cols;
    }
    if (jobs > 0) {
        struct projecting projecting = {kernels, of};
        threads = attn_pool_run(pool, operations, jobs, project_job, &projecting);
    }
    for (size_t p = 0; p < count && pool == NULL; p++) {
        project_alone(kernels, &of[p]);
    }
    mode_leave(mode);
    return threads;
}

/* Those of a plan. */
static struct attn_projection projection_of(const struct work *work, size_t which)
{
    const struct attn_shape *const shape = &work->plan->shape;
    const enum attn_buffer context = work->plan->floats[ATTN_CONTEXT] != 0 ? ATTN_CONTEXT : ATTN_X;
    const size_t d = shape->d_model, width = shape->heads * shape->d_v;
    const struct {
        enum attn_buffer from, weights, into;
        size_t times, rows, depth, cols;
    } rows[PROJECTIONS] = {
        [PROJECT_Q] = {ATTN_X, ATTN_W_Q, ATTN_Q, shape->heads, shape->n, d, shape->d_k},
        [PROJECT_K] = {context, ATTN_W_K, ATTN_K, shape->kv_heads, shape->m, d, shape->d_k},
        [PROJECT_V] = {context, ATTN_W_V, ATTN_V, shape->kv_heads, shape->m, d, shape->d_v},
        [PROJECT_OUT] = {ATTN_CONCAT, ATTN_W_O, ATTN_OUTPUT, 1, shape->n, width, d},
    };
    return (struct attn_projection){.x = values_in(work, rows[which].from),
                                    .w = values_in(work, rows[which].weights),
                                    .out = values_in(work, rows[which].into),
                                    .times = rows[which].times,
                                    .rows = rows[which].rows,
                                    .depth = rows[which].depth,
                                    .cols = rows[which].cols,
                                    .out_step = rows[which].rows * rows[which].cols};
}

static size_t packed_floats(const struct attn_kernels *kernels, const struct attn_projection *of)
{
    return size_product(of->times, attn_packed_floats(kernels, of->depth, of->cols));
}

static void list_projections(const struct work *work, struct attn_projection list[PROJECTIONS])
{
    const float *packed = work->means->packed;
    for (size_t which = 0; which < PROJECTIONS; which++) {
        list[which] = projection_of(work, which);
        if (packed != NULL) {
            list[which].w = packed;
            list[which].packed = true;
            packed += packed_floats(work->kernels, &list[which]);
        }
    }
}

/* ---- heads --------------------------------------------------------------------------------- */

static size_t group_of(const struct attn_shape *shape, size_t head)
{
    return head / (shape->heads / shape->kv_heads);
}

static void list_heads(const struct work *work, struct attn_head heads[ATTN_HEADS_MAX])
{
    const struct attn_shape *const shape = &work->plan->shape;
    const size_t n = shape->n, m = shape->m, d_k = shape->d_k, d_v = shape->d_v;
    for (size_t h = 0; h < shape->heads; h++) {
        const struct attn_matrix concat = matrix_in(work, ATTN_CONCAT, 0, n, shape->heads * d_v);
        heads[h] = (struct attn_head){
            .q = operand_in(work, ATTN_Q, h, n, d_k),
            .k = operand_in(work, ATTN_K, group_of(shape, h), m, d_k),
            .v = operand_in(work, ATTN_V, group_of(shape, h), m, d_v),
            .factor = work->factor,
            .sight = work->sight,
            .z = {concat.values + h * d_v, n, d_v, concat.stride},
        };
        if (shape->keep == ATTN_KEEP_WEIGHTS) {
            heads[h].weights = matrix_in(work, ATTN_WEIGHTS, h, n, m);
        }
    }
}

size_t attn_run_bytes(const struct attn_kernels *kernels, const struct attn_plan *plan,
                      size_t threads)
{
    static float nowhere[1]; /* sizes alone are looked at */
    struct attn_head heads[ATTN_HEADS_MAX];
    if (plan->shape.keep == ATTN_KEEP_ALL) {
        return 0;
    }
    const struct work work = {.kernels = kernels, .plan = plan, .block = nowhere};
    list_heads(&work, heads);
    const size_t bytes = attn_fused_bytes(kernels, heads, plan->shape.heads, threads);
    return bytes == 0 ? SIZE_MAX : bytes;
}

static size_t attend_all(struct work *work)
{
    const struct attn_shape *const shape = &work->plan->shape;
    if (shape->keep != ATTN_KEEP_ALL) {
        struct attn_head heads[ATTN_HEADS_MAX];
        list_heads(work, heads);
        return attn_fused(work->kernels, work->pool, heads, shape->heads, work->means->scratch);
    }
    const struct attn_heads heads = {
        .heads = shape->heads,
        .kv_heads = shape->kv_heads,
        .n = shape->n,
        .m = shape->m,
        .d_k = shape->d_k,
        .d_v = shape->d_v,
        .q = values_in(work, ATTN_Q),
        .k = values_in(work, ATTN_K),
        .v = values_in(work, ATTN_V),
        .factor = work->factor,
        .sight = work->sight,
        .scores = values_in(work, ATTN_SCORES),
        .weights = values_in(work, ATTN_WEIGHTS),
        .z = values_in(work, ATTN_Z),
        .concat = values_in(work, ATTN_CONCAT),
    };
    const struct attn_weighed weighed = attn_weigh_each(work->kernels, work->pool, &heads);
    attn_blend_each(work->kernels, work->pool, &heads);
    return weighed.empty;
}

/* ---- all of it ----------------------------------------------------------------------------- */

size_t attn_run_packed_floats(const struct attn_kernels *kernels, const struct attn_plan *plan)
{
    static float nowhere[1]; /* sizes alone are looked at */
    const struct work work = {.kernels = kernels, .plan = plan, .block = nowhere};
    size_t floats = 0;
    for (size_t which = 0; which < PROJECTIONS && plan->shape.d_model != 0; which++) {
        const struct attn_projection p = projection_of(&work, which);
        floats = size_sum(floats, packed_floats(kernels, &p));
    }
    return floats;
}

void attn_run_pack(const struct attn_kernels *kernels, const struct attn_plan *plan, void *block,
                   float *packed)
{
    const struct work work = {.kernels = kernels, .plan = plan, .block = block};
    for (size_t which = 0; which < PROJECTIONS && plan->shape.d_model != 0; which++) {
        const struct attn_projection p = projection_of(&work, which);
        for (size_t i = 0; i < p.times; i++) {
            attn_pack(kernels,
                      (struct attn_operand){p.w + i * p.depth * p.cols, p.depth, p.cols, p.cols},
                      packed);
            packed += attn_packed_floats(kernels, p.depth, p.cols);
        }
    }
}

/* Returns whether one function of the set does it all. */
static bool is_tiny(const struct attn_kernels *kernels, const struct attn_plan *plan)
{
    const struct attn_shape *const shape = &plan->shape;
    const size_t max_side = kernels->tiny;
    return shape->d_model != 0 && shape->keep == ATTN_KEEP_ALL && plan->bytes <= ALONE_BYTES &&
           shape->m <= max_side && shape->d_model <= max_side && shape->d_k <= max_side &&
           shape->d_v <= max_side;
}

size_t attn_run(const struct attn_kernels *kernels, const struct attn_plan *plan, void *block,
                float factor, struct attn_sight sight, const struct attn_means *means)
{
    static const struct attn_means none = {.pool = NULL};
    struct attn_projection list[PROJECTIONS];
    if (is_tiny(kernels, plan)) {
        const struct mode found = mode_enter();
        const size_t alone = kernels->run_tiny(plan, block, factor, &sight);
        mode_leave(found);
        return alone;
    }
    struct work work = {.kernels = kernels,
                        .plan = plan,
                        .block = block,
                        .means = means == NULL ? &none : means,
                        .factor = factor,
                        .sight = sight};
    work.pool = plan->bytes <= ALONE_BYTES ? NULL : work.means->pool;
    const struct mode mode = mode_enter();
    if (plan->shape.d_model != 0) {
        list_projections(&work, list);
        attn_project_each(kernels, work.pool, list, PROJECT_OUT);
    }
    const size_t empty = attend_all(&work);
    if (plan->shape.d_model != 0) {
        attn_project_each(kernels, work.pool, &list[PROJECT_OUT], 1);
    }
    mode_leave(mode);
    return empty;
}
