/* attn/plan.c — how many bytes one attention takes, and where each buffer lies in them. */
#include "attn/attn.h"

enum { LINE = 64 }; /* bytes: a cache line, and the widest register */

/* Sizes are given by users: a product is multiplied with care, SIZE_MAX meaning "does not fit". */
static size_t times(size_t a, size_t b) {
    if (a == 0 || b == 0) {
        return 0;
    }
    if (a == SIZE_MAX || b == SIZE_MAX || a > (SIZE_MAX - 1) / b) {
        return SIZE_MAX;
    }
    return a * b;
}

static const char *complaint(const struct attn_shape *shape) {
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
        return "There can be at most 64 heads.";
    }
    if (shape->heads % shape->kv_heads != 0) {
        return "The heads of keys and values must divide the heads.";
    }
    return NULL;
}

static void count_floats(const struct attn_shape *shape, size_t floats[ATTN_BUFFERS]) {
    const size_t n = shape->n, m = shape->m, d = shape->d_model;
    const size_t h = shape->heads, g = shape->kv_heads;
    const bool context = d != 0 && (shape->context || m != n);
    const size_t counts[ATTN_BUFFERS] = {
        [ATTN_X] = times(n, d),
        [ATTN_W_Q] = times(h, times(d, shape->d_k)),
        [ATTN_W_K] = times(g, times(d, shape->d_k)),
        [ATTN_W_V] = times(g, times(d, shape->d_v)),
        [ATTN_W_O] = times(times(h, shape->d_v), d),
        [ATTN_Q] = times(h, times(n, shape->d_k)),
        [ATTN_K] = times(g, times(m, shape->d_k)),
        [ATTN_V] = times(g, times(m, shape->d_v)),
        [ATTN_SCORES] = times(h, times(n, m)),
        [ATTN_WEIGHTS] = times(h, times(n, m)),
        [ATTN_Z] = times(h, times(n, shape->d_v)),
        [ATTN_CONCAT] = times(n, times(h, shape->d_v)),
        [ATTN_OUTPUT] = times(n, d),
        [ATTN_CONTEXT] = context ? times(m, d) : 0,
    };
    for (size_t b = 0; b < ATTN_BUFFERS; b++) {
        floats[b] = counts[b];
    }
}

static bool lay_out(struct attn_plan *plan) {
    size_t bytes = 0;
    for (size_t b = 0; b < ATTN_BUFFERS; b++) {
        size_t size = times(plan->floats[b], sizeof(float));
        if (size > SIZE_MAX - bytes - LINE) {
            return false;
        }
        plan->offset[b] = bytes;
        bytes += (size + LINE - 1) / LINE * LINE;
    }
    plan->bytes = bytes;
    return true;
}

bool attn_plan(const struct attn_shape *shape, struct attn_plan *plan, const char **why) {
    const char *sentence = complaint(shape);
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

float *attn_plan_buffer(const struct attn_plan *plan, void *block, enum attn_buffer buffer) {
    if (plan->floats[buffer] == 0) {
        return NULL;
    }
    return (float *)(void *)((unsigned char *)block + plan->offset[buffer]);
}
