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
    HEAD_ROWS = 48,           /* queries of a head whose scores are kept */
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
    size_t empty[ATTN_THREADS_MOST]; /* per worker; cleared where it is used */
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

static size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- projections --------------------------------------------------------------------------- */

enum { PROJECT_Q, PROJECT_K, PROJECT_V, PROJECT_OUT, PROJECTIONS };

/* times products of from [rows][depth] with a W [depth][cols] each, one behind the other. */
struct projection {
    enum attn_buffer from, weights, into;
    size_t times, rows, depth, cols;
};

static struct projection projection_of(const struct attn_plan *plan, size_t which)
{
    const struct attn_shape *const shape = &plan->shape;
    const enum attn_buffer context = plan->floats[ATTN_CONTEXT] != 0 ? ATTN_CONTEXT : ATTN_X;
    const size_t d = shape->d_model, width = shape->heads * shape->d_v;
    switch (which) {
    case PROJECT_Q:
        return (struct projection){ATTN_X, ATTN_W_Q, ATTN_Q, shape->heads, shape->n, d, shape->d_k};
    case PROJECT_K:
        return (struct projection){context,  ATTN_W_K, ATTN_K,    shape->kv_heads,
                                   shape->m, d,        shape->d_k};
    case PROJECT_V:
        return (struct projection){context,  ATTN_W_V, ATTN_V,    shape->kv_heads,
                                   shape->m, d,        shape->d_v};
    default:
        return (struct projection){ATTN_CONCAT, ATTN_W_O, ATTN_OUTPUT, 1, shape->n, width, d};
    }
}

static size_t parts(size_t count, size_t size)
{
    if (count <= size) {
        return 1; /* no division for toys */
    }
    return (count + size - 1) / size;
}

static size_t jobs_of(const struct projection *projection)
{
    return projection->times * parts(projection->rows, JOB_ROWS) *
           parts(projection->cols, JOB_COLS);
}

/* Floats of the packed W's before projection number which. */
static size_t packed_before(const struct attn_kernels *kernels, const struct attn_plan *plan,
                            size_t which)
{
    size_t floats = 0;
    for (size_t p = 0; p < which; p++) {
        const struct projection projection = projection_of(plan, p);
        const size_t one = attn_packed_floats(kernels, projection.depth, projection.cols);
        floats = size_sum(floats, size_product(projection.times, one));
    }
    return floats;
}

/* Product number index of a projection: the rows and columns from row, col on. */
static void project_part(const struct work *work, size_t which, const struct projection *of,
                         size_t index, size_t row, size_t col)
{
    const size_t rows = at_most(of->rows - row, JOB_ROWS), depth = of->depth;
    const size_t cols = at_most(of->cols - col, JOB_COLS);
    const float *const x = values_in(work, of->from) + row * depth;
    float *const out = values_in(work, of->into) + (index * of->rows + row) * of->cols + col;
    struct product product = {.a = x,
                              .a_row = depth,
                              .a_step = 1,
                              .rows = rows,
                              .depth = depth,
                              .cols = cols,
                              .out = out,
                              .out_stride = of->cols};
    if (work->means->packed == NULL) {
        product.b = values_in(work, of->weights) + index * depth * of->cols + col;
        product.b_stride = of->cols;
        work->kernels->multiply(&product);
        return;
    }
    product.b = work->means->packed + packed_before(work->kernels, work->plan, which) +
                index * attn_packed_floats(work->kernels, depth, of->cols) + col * depth;
    work->kernels->multiply_packed(&product);
}

/* Job number job of projections first … last: matrix by matrix, so that a W is read once. */
static void project_job(const struct work *work, size_t first, size_t job)
{
    size_t which = first;
    struct projection p = projection_of(work->plan, which);
    while (job >= jobs_of(&p)) {
        job -= jobs_of(&p);
        p = projection_of(work->plan, ++which);
    }
    const size_t across = parts(p.cols, JOB_COLS), down = parts(p.rows, JOB_ROWS);
    if (across == 1 && down == 1) {
        project_part(work, which, &p, job, 0, 0);
        return;
    }
    project_part(work, which, &p, job / (across * down), job % down * JOB_ROWS,
                 job / down % across * JOB_COLS);
}

static void project_in(void *context, size_t job, size_t worker)
{
    (void)worker;
    project_job(context, PROJECT_Q, job);
}

static void project_out(void *context, size_t job, size_t worker)
{
    (void)worker;
    project_job(context, PROJECT_OUT, job);
}

/* All of them on this thread: no jobs to be counted and found again. */
static void project_alone(const struct work *work, size_t first, size_t end)
{
    for (size_t which = first; which < end; which++) {
        const struct projection p = projection_of(work->plan, which);
        for (size_t i = 0; i < p.times; i++) {
            for (size_t col = 0; col < p.cols; col += JOB_COLS) {
                for (size_t row = 0; row < p.rows; row += JOB_ROWS) {
                    project_part(work, which, &p, i, row, col);
                }
            }
        }
    }
}

static void project_all(struct work *work, size_t first, size_t end, pool_task *task)
{
    size_t jobs = 0;
    double operations = 0;
    if (work->pool == NULL) {
        project_alone(work, first, end);
        return;
    }
    for (size_t which = first; which < end; which++) {
        const struct projection p = projection_of(work->plan, which);
        jobs += jobs_of(&p);
        operations += 2 * (double)p.times * (double)p.rows * (double)p.depth * (double)p.cols;
    }
    attn_pool_run(work->pool, operations, jobs, task, work);
}

/* ---- heads --------------------------------------------------------------------------------- */

static size_t group_of(const struct attn_shape *shape, size_t head)
{
    return head / (shape->heads / shape->kv_heads);
}

/* Scale and softmax of row i, which sees its past. Returns 1 when it is empty. */
static size_t weigh_row(const struct work *work, float *row, size_t i)
{
    const size_t m = work->plan->shape.m, offset = work->sight.offset;
    const size_t seen = offset >= m || i >= m ? m : at_most(i + offset + 1, m);
    const struct attn_matrix s = {row, 1, seen, seen};
    work->kernels->scale_mask(s, work->factor, (struct attn_mask){NULL, 0});
    memset(row + seen, 0, (m - seen) * sizeof(float));
    return work->kernels->softmax(s);
}

/* The same of rows first …, which see all or what a mask says. */
static size_t weigh_rows(const struct work *work, float *values, size_t first, size_t rows)
{
    const size_t m = work->plan->shape.m, stride = work->sight.mask.stride;
    const uint8_t *visible = work->sight.mask.visible;
    visible = work->sight.kind == ATTN_SEE_ALL || visible == NULL ? NULL : visible + first * stride;
    const struct attn_matrix s = {values, rows, m, m};
    work->kernels->scale_mask(s, work->factor, (struct attn_mask){visible, stride});
    return work->kernels->softmax(s);
}

/* A block of queries of one head, every stage kept. */
static void attend_stages(void *context, size_t job, size_t worker)
{
    struct work *const work = context;
    const struct attn_shape *const shape = &work->plan->shape;
    const size_t n = shape->n, m = shape->m, d_k = shape->d_k, d_v = shape->d_v;
    const size_t head = job / parts(n, HEAD_ROWS), group = group_of(shape, head);
    const size_t first = job % parts(n, HEAD_ROWS) * HEAD_ROWS;
    const size_t rows = at_most(n - first, HEAD_ROWS), row = head * n + first;
    float *const scores = values_in(work, ATTN_SCORES) + row * m;
    float *const weights = values_in(work, ATTN_WEIGHTS) + row * m;
    float *const z = values_in(work, ATTN_Z) + row * d_v;
    const float *const q = values_in(work, ATTN_Q) + row * d_k;
    const float *const k = values_in(work, ATTN_K) + group * m * d_k;
    const float *const v = values_in(work, ATTN_V) + group * m * d_v;
    float *const concat = values_in(work, ATTN_CONCAT) + first * shape->heads * d_v + head * d_v;

    work->kernels->multiply(&(struct product){.a = q,
                                              .a_row = d_k,
                                              .a_step = 1,
                                              .rows = rows,
                                              .b = k,
                                              .b_stride = d_k,
                                              .turned = true,
                                              .depth = d_k,
                                              .cols = m,
                                              .out = scores,
                                              .out_stride = m});
    memcpy(weights, scores, rows * m * sizeof(float));
    if (work->sight.kind == ATTN_SEE_PAST) {
        for (size_t i = 0; i < rows; i++) {
            work->empty[worker] += weigh_row(work, weights + i * m, first + i);
        }
    } else {
        work->empty[worker] += weigh_rows(work, weights, first, rows);
    }
    work->kernels->blend((struct attn_operand){weights, rows, m, m},
                         (struct attn_operand){v, m, d_v, d_v},
                         (struct attn_matrix){z, rows, d_v, d_v});
    for (size_t i = 0; i < rows; i++) {
        memcpy(concat + i * shape->heads * d_v, z + i * d_v, d_v * sizeof(float));
    }
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
    const size_t jobs = shape->heads * parts(shape->n, HEAD_ROWS);
    if (work->pool == NULL) {
        work->empty[0] = 0;
        for (size_t job = 0; job < jobs; job++) {
            attend_stages(work, job, 0);
        }
        return work->empty[0];
    }
    const double operations = 2 * (double)shape->heads * (double)shape->n * (double)shape->m *
                              (double)(shape->d_k + shape->d_v + 8);
    size_t empty = 0;
    memset(work->empty, 0, sizeof work->empty);
    attn_pool_run(work->pool, operations, jobs, attend_stages, work);
    for (size_t worker = 0; worker < ATTN_THREADS_MOST; worker++) {
        empty += work->empty[worker];
    }
    return empty;
}

/* ---- all of it ----------------------------------------------------------------------------- */

size_t attn_run_packed_floats(const struct attn_kernels *kernels, const struct attn_plan *plan)
{
    return plan->shape.d_model == 0 ? 0 : packed_before(kernels, plan, PROJECTIONS);
}

void attn_run_pack(const struct attn_kernels *kernels, const struct attn_plan *plan, void *block,
                   float *packed)
{
    const struct work work = {.kernels = kernels, .plan = plan, .block = block};
    for (size_t which = 0; which < PROJECTIONS && plan->shape.d_model != 0; which++) {
        const struct projection p = projection_of(plan, which);
        for (size_t i = 0; i < p.times; i++) {
            attn_pack(kernels, operand_in(&work, p.weights, i, p.depth, p.cols), packed);
            packed += attn_packed_floats(kernels, p.depth, p.cols);
        }
    }
}

/* Whether one function of the set does it all. */
static bool is_tiny(const struct attn_kernels *kernels, const struct attn_plan *plan)
{
    const struct attn_shape *const shape = &plan->shape;
    const size_t most = kernels->tiny;
    return shape->d_model != 0 && shape->keep == ATTN_KEEP_ALL && plan->bytes <= ALONE_BYTES &&
           shape->m <= most && shape->d_model <= most && shape->d_k <= most && shape->d_v <= most;
}

size_t attn_run_with(const struct attn_kernels *kernels, const struct attn_plan *plan, void *block,
                     float factor, struct attn_sight sight, const struct attn_means *means)
{
    if (is_tiny(kernels, plan)) {
        const struct mode found = mode_enter();
        const size_t alone = kernels->run_tiny(plan, block, factor, &sight);
        mode_leave(found);
        return alone;
    }
    struct work work; /* field by field: its counters take longer to clear than a toy to compute */
    work.kernels = kernels;
    work.plan = plan;
    work.block = block;
    work.means = means;
    work.pool = plan->bytes <= ALONE_BYTES ? NULL : means->pool;
    work.factor = factor;
    work.sight = sight;
    const struct mode mode = mode_enter();
    if (plan->shape.d_model != 0) {
        project_all(&work, PROJECT_Q, PROJECT_OUT, project_in);
    }
    const size_t empty = attend_all(&work);
    if (plan->shape.d_model != 0) {
        project_all(&work, PROJECT_OUT, PROJECTIONS, project_out);
    }
    mode_leave(mode);
    return empty;
}

size_t attn_run(const struct attn_kernels *kernels, const struct attn_plan *plan, void *block,
                float factor, struct attn_mask mask)
{
    const struct attn_means means = {0};
    const struct attn_sight sight = {.kind = mask.visible == NULL ? ATTN_SEE_ALL : ATTN_SEE_MASK,
                                     .mask = mask};
    assert(plan->shape.keep == ATTN_KEEP_ALL);
    return attn_run_with(kernels, plan, block, factor, sight, &means);
}
