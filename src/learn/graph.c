/* learn/graph.c — the rows of a layer, and of what stands behind the last. */
#include "learn/graph.h"

static const struct learn_node nodes[] = {
    {LEARN_MIDDLE, LAB_SUM, {LEARN_RESIDUAL, LEARN_O}, {0}},
    {LEARN_NEXT, LAB_SUM, {LEARN_MIDDLE, LEARN_MLP_OUT}, {0}},
    {LEARN_X, LAB_NORM, {LEARN_RESIDUAL, LEARN_PARTS}, {LEARN_NORM_1_GAIN, LEARN_NORM_1_GAIN}},
    {LEARN_PROJECTED, LAB_PRODUCT, {LEARN_X, LEARN_PARTS}, {LEARN_QKV, LEARN_W_Q}},
    {LEARN_Q, LAB_TURN, {LEARN_Q_PLAIN, LEARN_PARTS}, {0}},
    {LEARN_K_TURNED, LAB_TURN, {LEARN_K_PLAIN, LEARN_PARTS}, {0}},
    {LEARN_K, LAB_SMEAR, {LEARN_K_TURNED, LEARN_PARTS}, {0}},
    {LEARN_SCORES, LAB_DOT, {LEARN_Q, LEARN_K}, {0}},
    {LEARN_SCALED, LAB_ADJUST, {LEARN_SCORES, LEARN_PARTS}, {0}},
    {LEARN_ALPHA, LAB_NORMALISE_ROWS, {LEARN_SCALED, LEARN_PARTS}, {0}},
    {LEARN_Z, LAB_MIX, {LEARN_ALPHA, LEARN_V}, {0}},
    {LEARN_CONCAT, LAB_CONCATENATE, {LEARN_Z, LEARN_PARTS}, {0}},
    {LEARN_O, LAB_PRODUCT, {LEARN_CONCAT, LEARN_PARTS}, {LEARN_W_O, LEARN_W_O}},
    {LEARN_MLP_X, LAB_NORM, {LEARN_MIDDLE, LEARN_PARTS}, {LEARN_NORM_2_GAIN, LEARN_NORM_2_GAIN}},
    {LEARN_MLP_HIDDEN, LAB_PRODUCT, {LEARN_MLP_X, LEARN_PARTS}, {LEARN_UP, LEARN_GATE}},
    {LEARN_MLP_INNER, LAB_ACTIVATED_GATE, {LEARN_MLP_GATE, LEARN_MLP_UP}, {0}},
    {LEARN_MLP_OUT, LAB_PRODUCT, {LEARN_MLP_INNER, LEARN_PARTS}, {LEARN_DOWN, LEARN_DOWN}},
    {LEARN_FINAL, LAB_NORM, {LEARN_RESIDUAL, LEARN_PARTS}, {LEARN_NORM_F_GAIN, LEARN_NORM_F_GAIN}},
    {LEARN_LOGITS, LAB_PRODUCT, {LEARN_FINAL, LEARN_PARTS}, {LEARN_HEAD, LEARN_HEAD}},
    {LEARN_LOSS, LAB_LOSS, {LEARN_LOGITS, LEARN_P}, {0}},
};

enum { NODES = sizeof nodes / sizeof nodes[0] };

const struct learn_node *learn_node_at(size_t index)
{
    return index < NODES ? &nodes[index] : NULL;
}

bool learn_node_applies(const struct learn_shape *shape, const struct learn_node *node)
{
    return node->operation == LAB_TURN    ? shape->family == LEARN_LLAMA
           : node->operation == LAB_SMEAR ? shape->smear > 0
                                          : true;
}

/* The part of a sentence that each part of the stages is; LEARN_RESIDUAL: none. */
static const enum learn_part parts_of[LAB_NODES] = {[LAB_EMBEDDINGS_X] = LEARN_X,
                                                    [LAB_Q_BEFORE] = LEARN_Q_PLAIN,
                                                    [LAB_K_BEFORE] = LEARN_K_PLAIN,
                                                    [LAB_Q] = LEARN_Q,
                                                    [LAB_K] = LEARN_K_TURNED,
                                                    [LAB_K_SMEARED] = LEARN_K,
                                                    [LAB_V] = LEARN_V,
                                                    [LAB_SCORES] = LEARN_SCORES,
                                                    [LAB_SCALED] = LEARN_SCALED,
                                                    [LAB_ALPHA] = LEARN_ALPHA,
                                                    [LAB_Z] = LEARN_Z,
                                                    [LAB_CONCAT] = LEARN_CONCAT,
                                                    [LAB_OUTPUT_O] = LEARN_O};

enum learn_part learn_part_behind(const struct learn_shape *shape, enum learn_part part)
{
    for (size_t n = 0; n < NODES; n++) { /* rows that make each other stand in this order */
        if (nodes[n].of[0] == part && !learn_node_applies(shape, &nodes[n])) {
            part = nodes[n].part;
        }
    }
    return part;
}

enum learn_part learn_part_of(const struct learn_shape *shape, size_t part)
{
    return learn_part_behind(shape, parts_of[part]);
}

enum learn_role learn_node_role(const struct learn_shape *shape, const struct learn_node *node)
{
    const enum learn_role role = node->weights[shape->family];
    return role == LEARN_HEAD && shape->tied ? LEARN_WTE : role;
}

const struct learn_node *learn_node_of_role(const struct learn_shape *shape, enum learn_role role,
                                            size_t *behind)
{
    for (size_t n = 0; n < NODES; n++) {
        const enum learn_role first = nodes[n].weights[shape->family];
        const size_t count = first == LEARN_W_Q ? 3 : 2; /* W_Q, W_K, W_V; else two at most */
        if (first != LEARN_WTE && role >= first && (size_t)(role - first) < count) {
            *behind = (size_t)(role - first);
            return &nodes[n];
        }
    }
    return NULL;
}

/* Where the tensors of each part stand in gpt2, and its part of Q, K and V; in llama. */
static const struct {
    enum lab_part part;
    enum learn_role gpt2, llama; /* LEARN_ROLES: none */
    size_t which;
    bool has_heads;
} places[] = {
    {LAB_W_Q, LEARN_QKV, LEARN_W_Q, 0, true},
    {LAB_W_K, LEARN_QKV, LEARN_W_K, 1, true},
    {LAB_W_V, LEARN_QKV, LEARN_W_V, 2, true},
    {LAB_W_O, LEARN_W_O, LEARN_W_O, 0, false},
    {LAB_B_Q, LEARN_QKV_BIAS, LEARN_ROLES, 0, true},
    {LAB_B_K, LEARN_QKV_BIAS, LEARN_ROLES, 1, true},
    {LAB_B_V, LEARN_QKV_BIAS, LEARN_ROLES, 2, true},
    {LAB_B_O, LEARN_O_BIAS, LEARN_ROLES, 0, false},
};

bool learn_place_of(const struct learn_shape *shape, const struct learn_tensors *tensors,
                    enum lab_part part, size_t layer, size_t head, struct learn_place *place)
{
    const bool gpt2 = shape->family == LEARN_GPT2;
    size_t r = 0;
    while (r < sizeof places / sizeof *places && places[r].part != part) {
        r++;
    }
    if (r == sizeof places / sizeof *places) {
        return false;
    }
    const struct learn_tensor *const tensor =
        learn_tensors_find(tensors, gpt2 ? places[r].gpt2 : places[r].llama, layer);
    if (tensor == NULL) {
        return false;
    }
    const size_t out =
        places[r].has_heads ? ((gpt2 ? places[r].which * shape->heads : 0) + head) * shape->d_k : 0;
    *place = (struct learn_place){
        .tensor = tensor,
        .rows = gpt2 ? tensor->rows : tensor->cols,
        .cols = places[r].has_heads ? shape->d_k : shape->d_model,
        .first = tensor->offset + (gpt2 ? out : out * tensor->cols),
        .row_step = gpt2 ? tensor->cols : 1,
        .column_step = gpt2 ? 1 : tensor->cols,
    };
    return true;
}
