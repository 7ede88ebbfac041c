/* attn/plan.c — how many bytes one attention takes, and where each buffer lies in them. */
#include "attn/attn.h"
#include "attn/sizes.h"

enum { LINE = 64 }; /* bytes: a cache line, and the widest register */

static const char *shape_error(const struct attn_shape *shape)
{
    if (shape->n == 0) {
        return "There must be at least one query.";
    }
    if (shape->m == 0) {
        return "There must be at least one key.";
    }
    if (shape->d_k == 0 || shape->d_v == 0) {
        return "d_k and d_v must be at least 1.";
    }
    if (shape->heads == 0 || shape->kv_heads == 0) {
        return "There must be at least one head, and one head of keys and values.";
    }
    if (shape->heads > ATTN_HEADS_MAX) {
        return "There can be at most 256 heads.";
    }
    if (shape->heads % shape->kv_heads != 0) {
        return "The heads of keys and values must divide the heads.";
    }
    return NULL;
}

static void count_floats(const struct attn_shape *shape, size_t floats[ATTN_BUFFERS])
{
    const size_t n = shape->n, m = shape->m, d = shape->d_model;
    const size_t h = shape->heads, g = shape->kv_heads;
    const bool context = d != 0 && (shape->context || m != n);
    const bool keeps_all = shape->keep == ATTN_KEEP_ALL;
    const bool keeps_weights = shape->keep != ATTN_KEEP_OUTPUT;
    const size_t counts[ATTN_BUFFERS] = {
        [ATTN_X] = size_product(n, d),
        [ATTN_W_Q] = size_product(h, size_product(d, shape->d_k)),
        [ATTN_W_K] = size_product(g, size_product(d, shape->d_k)),
        [ATTN_W_V] = size_product(g, size_product(d, shape->d_v)),
        [ATTN_W_O] = size_product(size_product(h, shape->d_v), d),
        [ATTN_Q] = size_product(h, size_product(n, shape->d_k)),
        [ATTN_K] = size_product(g, size_product(m, shape->d_k)),
        [ATTN_V] = size_product(g, size_product(m, shape->d_v)),
        [ATTN_SCORES] = keeps_all ? size_product(h, size_product(n, m)) : 0,
        [ATTN_WEIGHTS] = keeps_weights ? size_product(h, size_product(n, m)) : 0,
        [ATTN_Z] = keeps_all ? size_product(h, size_product(n, shape->d_v)) : 0,
        [ATTN_CONCAT] = size_product(n, size_product(h, shape->d_v)),
        [ATTN_OUTPUT] = size_product(n, d),
        [ATTN_CONTEXT] = context ? size_product(m, d) : 0,
    };
    for (size_t b = 0; b < ATTN_BUFFERS; b++) {
        floats[b] = counts[b];
    }
}

static bool lay_out(struct attn_plan *plan)
{
    size_t bytes = 0;
    for (size_t b = 0; b < ATTN_BUFFERS; b++) {
        size_t size = size_product(plan->floats[b], sizeof(float));
        if (size > SIZE_MAX - bytes - LINE) {
            return false;
        }
        plan->offset[b] = bytes;
        bytes += (size + LINE - 1) / LINE * LINE;
    }
    plan->bytes = bytes;
    return true;
}

bool attn_plan(const struct attn_shape *shape, struct attn_plan *plan, const char **why)
{
    const char *sentence = shape_error(shape);
    struct attn_plan laid = {.shape = *shape};
    if (sentence == NULL) {
        count_floats(shape, laid.floats);
        sentence = lay_out(&laid) ? NULL : "These sizes need more memory than can be addressed.";
    }
    if (why != NULL) {
        *why = sentence;
    }
    if (sentence != NULL) {
        return false;
    }
    *plan = laid;
    return true;
}

float *attn_plan_buffer(const struct attn_plan *plan, void *block, enum attn_buffer buffer)
{
    if (plan->floats[buffer] == 0) {
        return NULL;
    }
    return (float *)(void *)((unsigned char *)block + plan->offset[buffer]);
}
