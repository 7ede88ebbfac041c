/* learn/sentence.c — a pass over one sentence whose buffers are kept, and views of them. */
#include "learn/sentence.h"

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

struct learn_sentence {
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

static bool allocate_buffers(struct learn_sentence *sentence, size_t floats)
{
    const size_t count = sentence->count;
    struct arena *const arena = &sentence->arena;
    const size_t block_floats = learn_pass_floats(&sentence->shape, 1, count, true);
    float *const block = arena_array(arena, block_floats, sizeof *block);
    sentence->tokens = arena_array(arena, count, sizeof *sentence->tokens);
    sentence->targets = arena_array(arena, count, sizeof *sentence->targets);
    sentence->losses = arena_array(arena, count, sizeof *sentence->losses);
    sentence->p = arena_array(arena, count * sentence->shape.vocabulary, sizeof *sentence->p);
    sentence->dp = arena_array(arena, count * sentence->shape.vocabulary, sizeof *sentence->dp);
    sentence->gradient = arena_array(arena, floats, sizeof *sentence->gradient);
    if (block == NULL || sentence->tokens == NULL || sentence->targets == NULL ||
        sentence->losses == NULL || sentence->p == NULL || sentence->dp == NULL ||
        sentence->gradient == NULL) {
        return false;
    }
    learn_pass_lay_out(&sentence->shape, 1, count, true, block, &sentence->pass);
    return true;
}

/* A term of the residual has the gradient of the sum. */
static void find_sides(struct learn_sentence *sentence)
{
    struct learn_pass *const pass = &sentence->pass;
    for (size_t l = 0; l < sentence->shape.layers; l++) {
        sentence->o[l] = pass->layer[l].o;
        sentence->mlp[l] = pass->layer[l].mlp;
        sentence->dout[l] = pass->dlayer[l].middle;
        sentence->dmlp[l] = pass->dresidual[l + 1];
    }
    sentence->values = (struct side){pass->residual, pass->layer,  sentence->o, sentence->mlp,
                                     pass->final,    pass->logits, sentence->p};
    sentence->gradients =
        (struct side){pass->dresidual, pass->dlayer,  sentence->dout, sentence->dmlp,
                      pass->dfinal,    pass->dlogits, sentence->dp};
}

/* Computes p, and dL/dp = −share / p for targets. */
static void compute_shares(struct learn_sentence *sentence, const struct attn_kernels *kernels,
                           float share)
{
    const size_t vocabulary = sentence->shape.vocabulary, count = sentence->count;
    memcpy(sentence->p, sentence->pass.logits, count * vocabulary * sizeof *sentence->p);
    attn_softmax(kernels, learn_matrix(sentence->p, count, vocabulary));
    for (size_t i = 0; i < count; i++) {
        if (sentence->targets[i] >= 0) {
            const size_t at = i * vocabulary + (size_t)sentence->targets[i];
            sentence->dp[at] = -share / sentence->p[at];
        }
    }
}

static bool compute_pass(struct learn_sentence *sentence, const struct learn_plan *plan,
                         const float *weights, struct error *error)
{
    const size_t count = sentence->count;
    uint8_t *const right = arena_array(&sentence->arena, count, sizeof *right);
    if (right == NULL) {
        return no_memory(error);
    }
    struct learn_result *const result = &sentence->result;
    for (size_t i = 0; i < count; i++) {
        result->asked += sentence->targets[i] >= 0 ? 1 : 0;
    }
    const float share = result->asked == 0 ? 0 : 1 / (float)result->asked;
    const struct learn_part_of_batch part = {.sequences = 1,
                                             .length = count,
                                             .tokens = sentence->tokens,
                                             .targets = sentence->targets,
                                             .share = share,
                                             .losses = sentence->losses,
                                             .right = right};
    const struct mode mode = mode_enter();
    learn_pass_forward(plan, &sentence->pass, weights, &part);
    learn_pass_loss(plan, &sentence->pass, &part, true);
    if (result->asked > 0) {
        learn_pass_backward(plan, &sentence->pass, weights, &part, true, sentence->gradient);
    }
    compute_shares(sentence, plan->kernels, share);
    mode_leave(mode);
    for (size_t i = 0; i < count; i++) {
        result->right += right[i];
    }
    result->loss = attn_total(plan->kernels, sentence->losses, count) * share;
    result->sane = isfinite(result->loss) != 0;
    return true;
}

struct learn_sentence *learn_sentence_make(struct learn_network *network, const float *weights,
                                           const int32_t *tokens, const int32_t *targets,
                                           size_t count, struct error *error)
{
    const struct learn_plan *const plan = learn_network_plan(network);
    const struct learn_batch batch = {1, count, tokens, targets};
    if (!learn_batch_check(&plan->shape, &batch, error)) {
        return NULL;
    }
    struct learn_sentence *const sentence = calloc(1, sizeof *sentence);
    if (sentence == NULL) {
        (void)no_memory(error);
        return NULL;
    }
    sentence->shape = plan->shape;
    sentence->count = count;
    if (!allocate_buffers(sentence, plan->tensors.floats)) {
        (void)no_memory(error);
        learn_sentence_free(sentence);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        sentence->tokens[i] = tokens[i];
        sentence->targets[i] = targets == NULL ? -1 : targets[i];
    }
    find_sides(sentence);
    if (!compute_pass(sentence, plan, weights, error)) {
        learn_sentence_free(sentence);
        return NULL;
    }
    return sentence;
}

void learn_sentence_free(struct learn_sentence *sentence)
{
    if (sentence != NULL) {
        arena_free(&sentence->arena);
        free(sentence);
    }
}

/* ---- views ----------------------------------------------------------------------------------- */

const struct learn_shape *learn_sentence_shape(const struct learn_sentence *sentence)
{
    return &sentence->shape;
}

size_t learn_sentence_count(const struct learn_sentence *sentence)
{
    return sentence->count;
}

const int32_t *learn_sentence_tokens(const struct learn_sentence *sentence)
{
    return sentence->tokens;
}

const int32_t *learn_sentence_targets(const struct learn_sentence *sentence)
{
    return sentence->targets;
}

struct learn_result learn_sentence_result(const struct learn_sentence *sentence)
{
    return sentence->result;
}

float learn_sentence_loss(const struct learn_sentence *sentence, size_t position)
{
    return sentence->losses[position];
}

const float *learn_sentence_weights_gradient(const struct learn_sentence *sentence)
{
    return sentence->gradient;
}

/* Views cols columns from `first` on, of rows that are stride wide. */
static struct lab_matrix view_columns(const struct learn_sentence *sentence, const float *values,
                                      size_t first, size_t cols, size_t stride)
{
    return (struct lab_matrix){.rows = sentence->count,
                               .cols = cols,
                               .stride = stride,
                               .values = values == NULL || cols == 0 ? NULL : values + first};
}

static struct lab_matrix view_whole(const struct learn_sentence *sentence, const float *values,
                                    size_t cols)
{
    return view_columns(sentence, values, 0, cols, cols);
}

/* Views the parts of one head. */
static struct lab_matrix head_part(const struct learn_sentence *sentence,
                                   const struct learn_layer *layer, enum learn_part part,
                                   size_t head)
{
    const size_t d_k = sentence->shape.d_k, all = sentence->shape.heads * d_k, n = sentence->count;
    const float *const plain = layer->plain == NULL ? layer->qkv : layer->plain;
    const float *const turned = sentence->shape.family == LEARN_LLAMA ? plain : layer->qkv;
    switch (part) {
    case LEARN_Q:
        return view_columns(sentence, layer->qkv, head * d_k, d_k, 3 * all);
    case LEARN_K:
        return view_columns(sentence, layer->qkv, all + head * d_k, d_k, 3 * all);
    case LEARN_V:
        return view_columns(sentence, layer->qkv, 2 * all + head * d_k, d_k, 3 * all);
    case LEARN_Q_PLAIN:
        return view_columns(sentence, turned, head * d_k, d_k, 3 * all);
    case LEARN_K_PLAIN:
        return view_columns(sentence, turned, all + head * d_k, d_k, 3 * all);
    case LEARN_Z:
        return view_columns(sentence, layer->concat, head * d_k, d_k, all);
    case LEARN_SCORES:
        return view_columns(sentence, layer->scores, head * n * n, n, n);
    case LEARN_SCALED:
        return view_columns(sentence, layer->scaled, head * n * n, n, n);
    default:
        return view_columns(sentence, layer->alpha, head * n * n, n, n);
    }
}

/* Views the parts of the MLP. */
static struct lab_matrix mlp_part(const struct learn_sentence *sentence,
                                  const struct learn_layer *layer, enum learn_part part)
{
    const size_t inner = sentence->shape.inner, d = sentence->shape.d_model;
    const bool llama = sentence->shape.family == LEARN_LLAMA;
    const size_t stride = llama ? 2 * inner : inner;
    switch (part) {
    case LEARN_MLP_X:
        return view_whole(sentence, inner == 0 ? NULL : layer->mlp_x, d);
    case LEARN_MLP_GATE:
        return view_columns(sentence, layer->up, 0, llama ? inner : 0, stride);
    case LEARN_MLP_UP:
        return view_columns(sentence, layer->up, llama ? inner : 0, inner, stride);
    default:
        return view_whole(sentence, layer->inner, inner);
    }
}

static struct lab_matrix part_of(const struct learn_sentence *sentence, const struct side *side,
                                 enum learn_part part, size_t layer, size_t head)
{
    const struct learn_shape *const shape = &sentence->shape;
    const size_t d = shape->d_model, last = shape->layers - 1;
    const size_t number = layer < last ? layer : last;
    const struct learn_layer *const of = &side->layer[number];
    switch (part) {
    case LEARN_RESIDUAL:
        return view_whole(sentence, side->residual[layer <= shape->layers ? layer : shape->layers],
                          d);
    case LEARN_X:
        return view_whole(sentence, of->x, d);
    case LEARN_CONCAT:
        return view_whole(sentence, of->concat, shape->heads * shape->d_k);
    case LEARN_O:
        return view_whole(sentence, side->o[number], d);
    case LEARN_MIDDLE:
        return view_whole(sentence, of->middle, d);
    case LEARN_MLP_X:
    case LEARN_MLP_GATE:
    case LEARN_MLP_UP:
    case LEARN_MLP_INNER:
        return mlp_part(sentence, of, part);
    case LEARN_MLP_OUT:
        return view_whole(sentence, shape->inner == 0 ? NULL : side->mlp[number], d);
    case LEARN_FINAL:
        return view_whole(sentence, side->final, d);
    case LEARN_LOGITS:
        return view_whole(sentence, side->logits, shape->vocabulary);
    case LEARN_P:
        return view_whole(sentence, side->p, shape->vocabulary);
    default:
        return head_part(sentence, of, part, head < shape->heads ? head : shape->heads - 1);
    }
}

struct lab_matrix learn_sentence_part(const struct learn_sentence *sentence, enum learn_part part,
                                      size_t layer, size_t head)
{
    return part_of(sentence, &sentence->values, part, layer, head);
}

struct lab_matrix learn_sentence_gradient(const struct learn_sentence *sentence,
                                          enum learn_part part, size_t layer, size_t head)
{
    return part_of(sentence, &sentence->gradients, part, layer, head);
}
