/* attn/checked.c — the doors that ask whether shapes fit before anything is touched. */
#include "attn/attn.h"
#include "attn/sizes.h"

/* A matrix as it was given, to read or to write. */
struct given {
    const float *values;
    size_t rows, cols, stride;
};

static struct given matrix(struct attn_matrix a)
{
    return (struct given){a.values, a.rows, a.cols, a.stride};
}

static struct given operand(struct attn_operand a)
{
    return (struct given){a.values, a.rows, a.cols, a.stride};
}

static const char *complaint(struct given a)
{
    if (a.rows == 0 || a.cols == 0) {
        return "A matrix must have at least one row and one column.";
    }
    if (a.values == NULL || a.stride < a.cols) {
        return "A matrix has no memory, or its rows overlap.";
    }
    if (size_product(a.rows, a.stride) > SIZE_MAX / sizeof(float)) {
        return "These sizes need more memory than can be addressed.";
    }
    return NULL;
}

/* The first complaint about three matrices. */
static const char *complaint_of(struct given a, struct given b, struct given c)
{
    const char *const of_a = complaint(a), *const of_b = complaint(b), *const of_c = complaint(c);
    return of_a != NULL ? of_a : of_b != NULL ? of_b : of_c;
}

const char *attn_checked_project(const struct attn_kernels *kernels, struct attn_operand x,
                                 struct attn_operand w, struct attn_matrix out)
{
    const char *const why = complaint_of(operand(x), operand(w), matrix(out));
    if (why != NULL) {
        return why;
    }
    if (x.cols != w.rows || x.rows != out.rows || w.cols != out.cols) {
        return "x [n][d], w [d][k] and out [n][k] must agree.";
    }
    attn_project(kernels, x, w, out);
    return NULL;
}

const char *attn_checked_scores(const struct attn_kernels *kernels, struct attn_operand q,
                                struct attn_operand k, struct attn_matrix s)
{
    const char *const why = complaint_of(operand(q), operand(k), matrix(s));
    if (why != NULL) {
        return why;
    }
    if (q.cols != k.cols) {
        return "Queries and keys must have the same d_k.";
    }
    if (q.rows != s.rows || k.rows != s.cols) {
        return "The scores must be queries x keys.";
    }
    attn_scores(kernels, q, k, s);
    return NULL;
}

const char *attn_checked_scale_mask(const struct attn_kernels *kernels, struct attn_matrix s,
                                    float factor, struct attn_mask mask)
{
    const char *const why = complaint(matrix(s));
    if (why != NULL) {
        return why;
    }
    if (mask.visible != NULL && s.rows > 1 && mask.stride < s.cols) {
        return "The mask must be queries x keys.";
    }
    attn_scale_mask(kernels, s, factor, mask);
    return NULL;
}

const char *attn_checked_softmax(const struct attn_kernels *kernels, struct attn_matrix s,
                                 size_t *empty)
{
    const char *const why = complaint(matrix(s));
    if (why == NULL) {
        const size_t count = attn_softmax(kernels, s);
        if (empty != NULL) {
            *empty = count;
        }
    }
    return why;
}

const char *attn_checked_blend(const struct attn_kernels *kernels, struct attn_operand a,
                               struct attn_operand v, struct attn_matrix z)
{
    const char *const why = complaint_of(operand(a), operand(v), matrix(z));
    if (why != NULL) {
        return why;
    }
    if (a.cols != v.rows) {
        return "There must be as many values as keys.";
    }
    if (a.rows != z.rows || v.cols != z.cols) {
        return "The result must be queries x d_v.";
    }
    attn_blend(kernels, a, v, z);
    return NULL;
}

const char *attn_checked_fused(const struct attn_kernels *kernels, struct attn_pool *pool,
                               const struct attn_head *heads, size_t count, void *scratch,
                               size_t scratch_bytes, size_t *empty)
{
    if (count == 0 || count > ATTN_HEADS_MAX) {
        return "There must be 1 to 256 heads.";
    }
    for (size_t h = 0; h < count; h++) {
        const char *const why = attn_head_complaint(&heads[h]);
        if (why != NULL) {
            return why;
        }
    }
    const size_t bytes = attn_fused_bytes(kernels, heads, count, attn_pool_threads(pool));
    if (bytes == 0) {
        return "These sizes need more memory than can be addressed.";
    }
    if (scratch == NULL || scratch_bytes < bytes) {
        return "The scratch is too small.";
    }
    const size_t blind = attn_fused(kernels, pool, heads, count, scratch);
    if (empty != NULL) {
        *empty = blind;
    }
    return NULL;
}
