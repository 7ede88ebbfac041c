/* learn/activations.c — a pass over one sentence whose buffers are kept, and views of them. */
#include "learn/activations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attn/mode.h"
#include "base/arena.h"
#include "base/checked.h"
#include "learn/pass.h"

/* Values or gradients; the same views serve both. */
struct side {
    float *const *residual;
    const struct learn_layer *layer;
    float *const *o, *const *mlp; /* of each layer */
    const float *final, *logits, *p;
};

struct learn_activations {
    struct arena arena;
    struct learn_shape shape;
    size_t count;
    int32_t *tokens, *targets;
    struct learn_result result;
    struct learn_pass pass;
    float *losses, *p, *dp, *gradient;
    float *o[LEARN_LAYERS_MAX], *mlp[LEARN_LAYERS_MAX];
    float *dout[LEARN_LAYERS_MAX], *dmlp[LEARN_LAYERS_MAX];
    struct side values, gradients;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this sentence.");
}

/* ---- making -------------------------------------------------------------------------------- */

static bool allocate_buffers(struct learn_activations *activations, size_t floats)
{
    const size_t count = activations->count;
    struct arena *const arena = &activations->arena;
    const size_t block_floats = learn_pass_floats(&activations->shape, 1, count, true);
    float *const block = arena_array(arena, block_floats, sizeof *block);
    activations->tokens = arena_array(arena, count, sizeof *activations->tokens);
    activations->targets = arena_array(arena, count, sizeof *activations->targets);
    activations->losses = arena_array(arena, count, sizeof *activations->losses);
    activations->p =
        arena_array(arena, count * activations->shape.vocabulary, sizeof *activations->p);
    activations->dp =
        arena_array(arena, count * activations->shape.vocabulary, sizeof *activations->dp);
    activations->gradient = arena_array(arena, floats, sizeof *activations->gradient);
    if (block == NULL || activations->tokens == NULL || activations->targets == NULL ||
        activations->losses == NULL || activations->p == NULL || activations->dp == NULL ||
        activations->gradient == NULL) {
        return false;
    }
    learn_pass_lay_out(&activations->shape, 1, count, true, block, &activations->pass);
    return true;
}

/* A term of the residual has the gradient of the sum. */
static void find_sides(struct learn_activations *activations)
{
    struct learn_pass *const pass = &activations->pass;
    for (size_t l = 0; l < activations->shape.layers; l++) {
        activations->o[l] = pass->layer[l].o;
        activations->mlp[l] = pass->layer[l].mlp;
        activations->dout[l] = pass->dlayer[l].middle;
        activations->dmlp[l] = pass->dresidual[l + 1];
    }
    activations->values =
        (struct side){pass->residual, pass->layer,  activations->o, activations->mlp,
                      pass->final,    pass->logits, activations->p};
    activations->gradients =
        (struct side){pass->dresidual, pass->dlayer,  activations->dout, activations->dmlp,
                      pass->dfinal,    pass->dlogits, activations->dp};
}

/* Computes p, and dL/dp = −share / p for targets. */
static void compute_shares(struct learn_activations *activations,
                           const struct attn_kernels *kernels, float share)
{
    const size_t vocabulary = activations->shape.vocabulary, count = activations->count;
    memcpy(activations->p, activations->pass.logits, count * vocabulary * sizeof *activations->p);
    attn_softmax(kernels, learn_matrix(activations->p, count, vocabulary));
    for (size_t i = 0; i < count; i++) {
        if (activations->targets[i] >= 0) {
            const size_t at = i * vocabulary + (size_t)activations->targets[i];
            activations->dp[at] = -share / activations->p[at];
        }
    }
}

static bool compute_pass(struct learn_activations *activations, const struct learn_plan *plan,
                         const float *weights, struct error *error)
{
    const size_t count = activations->count;
    uint8_t *const right = arena_array(&activations->arena, count, sizeof *right);
    if (right == NULL) {
        return no_memory(error);
    }
    struct learn_result *const result = &activations->result;
    for (size_t i = 0; i < count; i++) {
        result->asked += activations->targets[i] >= 0 ? 1 : 0;
    }
    const float share = result->asked == 0 ? 0 : 1 / (float)result->asked;
    const struct learn_part_of_batch part = {.sequences = 1,
                                             .length = count,
                                             .tokens = activations->tokens,
                                             .targets = activations->targets,
                                             .share = share,
                                             .losses = activations->losses,
                                             .right = right};
    const struct mode mode = mode_enter();
    learn_pass_forward(plan, &activations->pass, weights, &part);
    learn_pass_loss(plan, &activations->pass, &part, true);
    if (result->asked > 0) {
        learn_pass_backward(plan, &activations->pass, weights, &part, true, activations->gradient);
    }
    compute_shares(activations, plan->kernels, share);
    mode_leave(mode);
    for (size_t i = 0; i < count; i++) {
        result->right += right[i];
    }
    result->loss = attn_total(plan->kernels, activations->losses, count) * share;
    result->sane = isfinite(result->loss) != 0;
    return true;
}

struct learn_activations *learn_activations_make(struct learn_network *network,
                                                 const float *weights, const int32_t *tokens,
                                                 const int32_t *targets, size_t count,
                                                 struct error *error)
{
    const struct learn_plan *const plan = learn_network_plan(network);
    const struct learn_batch batch = {1, count, tokens, targets};
    if (!learn_batch_check(&plan->shape, &batch, error)) {
        return NULL;
    }
    struct learn_activations *const activations = calloc(1, sizeof *activations);
    if (activations == NULL) {
        (void)no_memory(error);
        return NULL;
    }
    activations->shape = plan->shape;
    activations->count = count;
    if (!allocate_buffers(activations, plan->tensors.floats)) {
        (void)no_memory(error);
        learn_activations_free(activations);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        activations->tokens[i] = tokens[i];
        activations->targets[i] = targets == NULL ? -1 : targets[i];
    }
    find_sides(activations);
    if (!compute_pass(activations, plan, weights, error)) {
        learn_activations_free(activations);
        return NULL;
    }
    return activations;
}

void learn_activations_free(struct learn_activations *activations)
{
    if (activations != NULL) {
        arena_free(&activations->arena);
        free(activations);
    }
}

/* ---- views ----------------------------------------------------------------------------------- */

const struct learn_shape *learn_activations_shape(const struct learn_activations *activations)
{
    return &activations->shape;
}

size_t learn_activations_count(const struct learn_activations *activations)
{
    return activations->count;
}

const int32_t *learn_activations_tokens(const struct learn_activations *activations)
{
    return activations->tokens;
}

const int32_t *learn_activations_targets(const struct learn_activations *activations)
{
    return activations->targets;
}

struct learn_result learn_activations_result(const struct learn_activations *activations)
{
    return activations->result;
}

float learn_activations_loss(const struct learn_activations *activations, size_t position)
{
    return activations->losses[position];
}

const float *learn_activations_weights_gradient(const struct learn_activations *activations)
{
    return activations->gradient;
}

/* Views cols columns from `first` on, of rows that are stride wide. */
static struct lab_matrix view_columns(const struct learn_activations *activations,
                                      const float *values, size_t first, size_t cols, size_t stride)
{
    return (struct lab_matrix){.rows = activations->count,
                               .cols = cols,
                               .stride = stride,
                               .values = values == NULL || cols == 0 ? NULL : values + first};
}

static struct lab_matrix view_whole(const struct learn_activations *activations,
                                    const float *values, size_t cols)
{
    return view_columns(activations, values, 0, cols, cols);
}

/* Views the parts of one head. */
static struct lab_matrix head_part(const struct learn_activations *activations,
                                   const struct learn_layer *layer, enum learn_part part,
                                   size_t head)
{
    const size_t d_k = activations->shape.d_k, all = activations->shape.heads * d_k,
                 n = activations->count;
    const float *const turned = layer->turned == NULL ? layer->qkv : layer->turned;
    const float *const plain = layer->plain == NULL ? turned : layer->plain;
    switch (part) {
    case LEARN_Q:
        return view_columns(activations, layer->qkv, head * d_k, d_k, 3 * all);
    case LEARN_K:
        return view_columns(activations, layer->qkv, all + head * d_k, d_k, 3 * all);
    case LEARN_V:
        return view_columns(activations, layer->qkv, 2 * all + head * d_k, d_k, 3 * all);
    case LEARN_PROJECTED:
        return view_whole(activations, plain, 3 * all);
    case LEARN_Q_PLAIN:
        return view_columns(activations, plain, head * d_k, d_k, 3 * all);
    case LEARN_K_PLAIN:
        return view_columns(activations, plain, all + head * d_k, d_k, 3 * all);
    case LEARN_K_TURNED:
        return view_columns(activations, turned, all + head * d_k, d_k, 3 * all);
    case LEARN_Z:
        return view_columns(activations, layer->concat, head * d_k, d_k, all);
    case LEARN_SCORES:
        return view_columns(activations, layer->scores, head * n * n, n, n);
    case LEARN_SCALED:
        return view_columns(activations, layer->scaled, head * n * n, n, n);
    default:
        return view_columns(activations, layer->alpha, head * n * n, n, n);
    }
}

/* Views the parts of the MLP. */
static struct lab_matrix mlp_part(const struct learn_activations *activations,
                                  const struct learn_layer *layer, enum learn_part part)
{
    const size_t inner = activations->shape.inner, d = activations->shape.d_model;
    const bool llama = activations->shape.family == LEARN_LLAMA;
    const size_t stride = llama ? 2 * inner : inner;
    switch (part) {
    case LEARN_MLP_X:
        return view_whole(activations, inner == 0 ? NULL : layer->mlp_x, d);
    case LEARN_MLP_HIDDEN:
        return view_whole(activations, layer->up, stride);
    case LEARN_MLP_GATE:
        return view_columns(activations, layer->up, 0, llama ? inner : 0, stride);
    case LEARN_MLP_UP:
        return view_columns(activations, layer->up, llama ? inner : 0, inner, stride);
    default:
        return view_whole(activations, layer->inner, inner);
    }
}

static struct lab_matrix part_of(const struct learn_activations *activations,
                                 const struct side *side, enum learn_part part, size_t layer,
                                 size_t head)
{
    const struct learn_shape *const shape = &activations->shape;
    const size_t d = shape->d_model, last = shape->layers - 1;
    const size_t number = layer < last ? layer : last;
    const struct learn_layer *const of = &side->layer[number];
    switch (part) {
    case LEARN_RESIDUAL:
        return view_whole(activations,
                          side->residual[layer <= shape->layers ? layer : shape->layers], d);
    case LEARN_X:
        return view_whole(activations, of->x, d);
    case LEARN_CONCAT:
        return view_whole(activations, of->concat, shape->heads * shape->d_k);
    case LEARN_O:
        return view_whole(activations, side->o[number], d);
    case LEARN_MIDDLE:
        return view_whole(activations, of->middle, d);
    case LEARN_NEXT:
        return view_whole(activations, side->residual[number + 1], d);
    case LEARN_MLP_X:
    case LEARN_MLP_HIDDEN:
    case LEARN_MLP_GATE:
    case LEARN_MLP_UP:
    case LEARN_MLP_INNER:
        return mlp_part(activations, of, part);
    case LEARN_MLP_OUT:
        return view_whole(activations, shape->inner == 0 ? NULL : side->mlp[number], d);
    case LEARN_FINAL:
        return view_whole(activations, side->final, d);
    case LEARN_LOGITS:
        return view_whole(activations, side->logits, shape->vocabulary);
    case LEARN_P:
        return view_whole(activations, side->p, shape->vocabulary);
    default:
        return head_part(activations, of, part, head < shape->heads ? head : shape->heads - 1);
    }
}

struct lab_matrix learn_activations_part(const struct learn_activations *activations,
                                         enum learn_part part, size_t layer, size_t head)
{
    return part_of(activations, &activations->values, part, layer, head);
}

struct lab_matrix learn_activations_gradient(const struct learn_activations *activations,
                                             enum learn_part part, size_t layer, size_t head)
{
    return part_of(activations, &activations->gradients, part, layer, head);
}
