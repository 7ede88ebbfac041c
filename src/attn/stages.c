/* attn/stages.c — the doors of the stages: shapes checked, then into the set; and the whole
 * attention. */
#include "attn/kernels.h"

#include <assert.h>
#include <string.h>

/* Asked by asserts alone, which a release build leaves out. */
__attribute__((unused)) static bool whole_matrix(struct attn_matrix a) {
    return a.stride >= a.cols && (a.values != NULL || a.rows == 0 || a.cols == 0);
}

__attribute__((unused)) static bool whole_operand(struct attn_operand a) {
    return a.stride >= a.cols && (a.values != NULL || a.rows == 0 || a.cols == 0);
}

void attn_project(const struct attn_kernels *kernels, struct attn_operand x, struct attn_operand w,
                  struct attn_matrix out) {
    assert(whole_operand(x) && whole_operand(w) && whole_matrix(out));
    assert(x.rows == out.rows && x.cols == w.rows && w.cols == out.cols);
    kernels->project(x, w, out);
}

void attn_scores(const struct attn_kernels *kernels, struct attn_operand q, struct attn_operand k,
                 struct attn_matrix s) {
    assert(whole_operand(q) && whole_operand(k) && whole_matrix(s));
    assert(q.rows == s.rows && k.rows == s.cols && q.cols == k.cols);
    kernels->scores(q, k, s);
}

void attn_scale_mask(const struct attn_kernels *kernels, struct attn_matrix s, float factor,
                     struct attn_mask mask) {
    assert(whole_matrix(s) && (mask.visible == NULL || mask.stride >= s.cols || s.rows <= 1));
    kernels->scale_mask(s, factor, mask);
}

size_t attn_softmax(const struct attn_kernels *kernels, struct attn_matrix s) {
    assert(whole_matrix(s));
    return kernels->softmax(s);
}

void attn_blend(const struct attn_kernels *kernels, struct attn_operand a, struct attn_operand v,
                struct attn_matrix z) {
    assert(whole_operand(a) && whole_operand(v) && whole_matrix(z));
    assert(a.rows == z.rows && a.cols == v.rows && v.cols == z.cols);
    kernels->blend(a, v, z);
}

/* A plan's block while it is being computed in. */
struct work {
    const struct attn_kernels *kernels;
    const struct attn_plan *plan;
    void *block;
};

/* Matrix number index of a buffer that holds several of the same shape, one behind the other. */
static struct attn_matrix matrix_in(const struct work *work, enum attn_buffer buffer, size_t index,
                                    size_t rows, size_t cols) {
    float *values = attn_plan_buffer(work->plan, work->block, buffer);
    return (struct attn_matrix){values + index * rows * cols, rows, cols, cols};
}

static struct attn_operand operand_of(struct attn_matrix a) {
    return (struct attn_operand){a.values, a.rows, a.cols, a.stride};
}

static struct attn_operand operand_in(const struct work *work, enum attn_buffer buffer,
                                      size_t index, size_t rows, size_t cols) {
    return operand_of(matrix_in(work, buffer, index, rows, cols));
}

/* The three projections: what is projected, with which weights, into what, how often. */
static void project_all(const struct work *work) {
    const struct attn_shape *shape = &work->plan->shape;
    const bool has_context = work->plan->floats[ATTN_CONTEXT] != 0;
    const enum attn_buffer context = has_context ? ATTN_CONTEXT : ATTN_X;
    const struct {
        enum attn_buffer from, weights, into;
        size_t times, rows, cols;
    } projections[] = {
        {ATTN_X, ATTN_W_Q, ATTN_Q, shape->heads, shape->n, shape->d_k},
        {context, ATTN_W_K, ATTN_K, shape->kv_heads, shape->m, shape->d_k},
        {context, ATTN_W_V, ATTN_V, shape->kv_heads, shape->m, shape->d_v},
    };
    for (size_t p = 0; p < sizeof projections / sizeof projections[0]; p++) {
        const size_t rows = projections[p].rows, cols = projections[p].cols, d = shape->d_model;
        for (size_t i = 0; i < projections[p].times; i++) {
            attn_project(work->kernels, operand_in(work, projections[p].from, 0, rows, d),
                         operand_in(work, projections[p].weights, i, d, cols),
                         matrix_in(work, projections[p].into, i, rows, cols));
        }
    }
}

static size_t attend(const struct work *work, size_t head, float factor, struct attn_mask mask) {
    const struct attn_shape *shape = &work->plan->shape;
    const size_t group = head / (shape->heads / shape->kv_heads);
    const size_t n = shape->n, m = shape->m, d_k = shape->d_k, d_v = shape->d_v;
    struct attn_matrix scores = matrix_in(work, ATTN_SCORES, head, n, m);
    struct attn_matrix weights = matrix_in(work, ATTN_WEIGHTS, head, n, m);
    struct attn_matrix z = matrix_in(work, ATTN_Z, head, n, d_v);
    struct attn_matrix concat = matrix_in(work, ATTN_CONCAT, 0, n, shape->heads * d_v);

    attn_scores(work->kernels, operand_in(work, ATTN_Q, head, n, d_k),
                operand_in(work, ATTN_K, group, m, d_k), scores);
    memcpy(weights.values, scores.values, n * m * sizeof(float));
    attn_scale_mask(work->kernels, weights, factor, mask);
    size_t empty = attn_softmax(work->kernels, weights);
    attn_blend(work->kernels, operand_of(weights), operand_in(work, ATTN_V, group, m, d_v), z);
    for (size_t i = 0; i < n; i++) {
        memcpy(concat.values + i * concat.stride + head * d_v, z.values + i * z.stride,
               d_v * sizeof(float));
    }
    return empty;
}

size_t attn_run(const struct attn_kernels *kernels, const struct attn_plan *plan, void *block,
                float factor, struct attn_mask mask) {
    const struct work work = {kernels, plan, block};
    const struct attn_shape *shape = &plan->shape;
    if (shape->d_model != 0) {
        project_all(&work);
    }
    size_t empty = 0;
    for (size_t head = 0; head < shape->heads; head++) {
        empty += attend(&work, head, factor, mask);
    }
    if (shape->d_model != 0) {
        const size_t width = shape->heads * shape->d_v;
        attn_project(kernels, operand_in(&work, ATTN_CONCAT, 0, shape->n, width),
                     operand_in(&work, ATTN_W_O, 0, width, shape->d_model),
                     matrix_in(&work, ATTN_OUTPUT, 0, shape->n, shape->d_model));
    }
    return empty;
}
