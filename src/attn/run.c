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
    JOB_ROWS = 96, /* of a product: as many as packed panels are made for */
    JOB_COLS = 256,
    HEAD_ROWS = 48, /* queries of a head whose scores are kept */
};

/* A plan's block while it is being computed in. */
struct work {
    const struct attn_kernels *kernels;
    const struct attn_plan *plan;
    void *block;
    const struct attn_means *means;
    float factor;
    struct attn_sight sight;
    size_t empty[ATTN_THREADS_MOST]; /* per worker */
};

/* Matrix number index of a buffer that holds several of the same shape, one behind the other. */
static struct attn_matrix matrix_in(const struct work *work, enum attn_buffer buffer, size_t index,
                                    size_t rows, size_t cols)
{
    float *const values = attn_plan_buffer(work->plan, work->block, buffer);
    return (struct attn_matrix){values + index * rows * cols, rows, cols, cols};
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
static void project_part(const struct work *work, size_t which, size_t index, size_t row,
                         size_t col)
{
    const struct projection p = projection_of(work->plan, which);
    struct attn_operand x = operand_in(work, p.from, 0, p.rows, p.depth);
    struct attn_operand w = operand_in(work, p.weights, index, p.depth, p.cols);
    struct attn_matrix out = matrix_in(work, p.into, index, p.rows, p.cols);
    x.rows = out.rows = at_most(p.rows - row, JOB_ROWS);
    w.cols = out.cols = at_most(p.cols - col, JOB_COLS);
    x.values += row * x.stride;
    out.values += row * out.stride + col;
    w.values += col;
    if (work->means->packed == NULL) {
        work->kernels->project(x, w, out);
        return;
    }
    const float *const panels =
        work->means->packed + packed_before(work->kernels, work->plan, which) +
        index * attn_packed_floats(work->kernels, p.depth, p.cols) + col * p.depth;
    work->kernels->project_packed(x, panels, out);
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
        project_part(work, which, job, 0, 0);
        return;
    }
    project_part(work, which, job / (across * down), job % down * JOB_ROWS,
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

static void project_all(struct work *work, size_t first, size_t end, pool_task *task)
{
    size_t jobs = 0;
    double operations = 0;
    for (size_t which = first; which < end; which++) {
        const struct projection p = projection_of(work->plan, which);
        jobs += jobs_of(&p);
        operations += 2 * (double)p.times * (double)p.rows * (double)p.depth * (double)p.cols;
    }
    attn_pool_run(work->means->pool, operations, jobs, task, work);
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

/* A block of queries of one head, every stage kept. */
static void attend_stages(void *context, size_t job, size_t worker)
{
    struct work *const work = context;
    const struct attn_shape *const shape = &work->plan->shape;
    const size_t n = shape->n, m = shape->m, d_k = shape->d_k, d_v = shape->d_v;
    const size_t head = job / parts(n, HEAD_ROWS), group = group_of(shape, head);
    const size_t first = job % parts(n, HEAD_ROWS) * HEAD_ROWS;
    const size_t rows = at_most(n - first, HEAD_ROWS);
    struct attn_operand q = operand_in(work, ATTN_Q, head, n, d_k);
    struct attn_matrix scores = matrix_in(work, ATTN_SCORES, head, n, m);
    struct attn_matrix weights = matrix_in(work, ATTN_WEIGHTS, head, n, m);
    struct attn_matrix z = matrix_in(work, ATTN_Z, head, n, d_v);
    float *concat = matrix_in(work, ATTN_CONCAT, 0, n, shape->heads * d_v).values;
    q.rows = scores.rows = weights.rows = z.rows = rows;
    q.values += first * d_k;
    scores.values += first * m;
    weights.values += first * m;
    z.values += first * d_v;
    concat += first * shape->heads * d_v + head * d_v;

    work->kernels->scores(q, operand_in(work, ATTN_K, group, m, d_k), scores);
    memcpy(weights.values, scores.values, rows * m * sizeof(float));
    if (work->sight.kind == ATTN_SEE_PAST) {
        for (size_t i = 0; i < rows; i++) {
            work->empty[worker] += weigh_row(work, weights.values + i * m, first + i);
        }
    } else {
        struct attn_mask mask = work->sight.mask;
        if (work->sight.kind == ATTN_SEE_ALL) {
            mask.visible = NULL;
        } else if (mask.visible != NULL) {
            mask.visible += first * mask.stride;
        }
        work->kernels->scale_mask(weights, work->factor, mask);
        work->empty[worker] += work->kernels->softmax(weights);
    }
    work->kernels->blend(operand_of(weights), operand_in(work, ATTN_V, group, m, d_v), z);
    for (size_t i = 0; i < rows; i++) {
        memcpy(concat + i * shape->heads * d_v, z.values + i * d_v, d_v * sizeof(float));
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
        return attn_fused(work->kernels, work->means->pool, heads, shape->heads,
                          work->means->scratch);
    }
    const double operations = 2 * (double)shape->heads * (double)shape->n * (double)shape->m *
                              (double)(shape->d_k + shape->d_v + 8);
    attn_pool_run(work->means->pool, operations, shape->heads * parts(shape->n, HEAD_ROWS),
                  attend_stages, work);
    size_t empty = 0;
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

size_t attn_run_with(const struct attn_kernels *kernels, const struct attn_plan *plan, void *block,
                     float factor, struct attn_sight sight, const struct attn_means *means)
{
    struct work work = {kernels, plan, block, means, factor, sight, {0}};
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
