/* why/source.c — numbers of nodes, copied while a run is visited. */
#include "why/source.h"

#include <string.h>

struct copying {
    const struct model_config *config;
    const struct why_node *nodes;
    size_t count;
    float **values;
};

/* Where the columns of a node begin in the rows that a visitor sees, and how many there are. */
static size_t columns_of(const struct model_config *config, const struct why_node *node,
                         size_t *first)
{
    const size_t group = node->head / (config->heads / config->groups);
    const size_t q = config->heads * config->d_k, k = config->groups * config->d_k;
    *first = 0;
    switch (node->node) {
    case MODEL_NODE_Q:
        *first = node->head * config->d_k;
        return config->d_k;
    case MODEL_NODE_K:
        *first = q + group * config->d_k;
        return config->d_k;
    case MODEL_NODE_V:
        *first = q + k + group * config->d_v;
        return config->d_v;
    case MODEL_NODE_Z:
        *first = node->head * config->d_v;
        return config->d_v;
    case MODEL_NODE_NEURONS:
        return config->inner;
    case MODEL_NODE_RESIDUAL:
    case MODEL_NODE_SCORES:
    case MODEL_NODE_SCALED:
    case MODEL_NODE_ALPHA:
    case MODEL_NODE_OUTPUT:
    case MODEL_NODE_ATTENTION:
    case MODEL_NODE_CROSS:
    case MODEL_NODE_MLP:
    case MODEL_NODES:
        break;
    }
    return config->width;
}

/* K and V are seen with Q. */
static enum model_node seen_as(enum model_node node)
{
    return node == MODEL_NODE_K || node == MODEL_NODE_V ? MODEL_NODE_Q : node;
}

static void gather_rows(void *owner, enum model_node node, size_t layer, struct attn_operand rows)
{
    const struct copying *const copying = owner;
    for (size_t i = 0; i < copying->count; i++) {
        const struct why_node *const one = &copying->nodes[i];
        size_t first = 0;
        const size_t columns = columns_of(copying->config, one, &first);
        if (seen_as(one->node) != node || one->layer != layer) {
            continue;
        }
        for (size_t r = 0; r < rows.rows; r++) {
            memcpy(copying->values[i] + r * columns, rows.values + r * rows.stride + first,
                   columns * sizeof(float));
        }
    }
}

bool why_sources_read(const struct model_run *run, const struct model *model,
                      struct model_interventions more, const struct why_node *nodes, size_t count,
                      struct arena *arena, float **values, struct error *error)
{
    const struct model_config *const config = model_config(model);
    const size_t n = model_run_count(run);
    struct copying copying = {config, nodes, count, values};
    bool visits = false;
    for (size_t i = 0; i < count; i++) {
        const bool pairs = nodes[i].node == MODEL_NODE_ALPHA;
        const bool stream = nodes[i].node == MODEL_NODE_RESIDUAL;
        size_t first = 0;
        const size_t columns = pairs ? n : columns_of(config, &nodes[i], &first);
        values[i] = arena_array(arena, n, columns * sizeof **values);
        if (values[i] == NULL) {
            return error_set(error, ERROR_MEMORY,
                             "There is not enough memory to look into this model.");
        }
        if (pairs) {
            model_run_weights(run, nodes[i].layer, nodes[i].head, values[i]);
        } else if (stream) {
            memcpy(values[i], model_run_residual(run, nodes[i].layer),
                   n * columns * sizeof **values);
        }
        visits = visits || (!pairs && !stream);
    }
    return !visits ||
           model_run_visit(run, more, (struct model_visitor){.see = gather_rows, .owner = &copying},
                           error);
}
