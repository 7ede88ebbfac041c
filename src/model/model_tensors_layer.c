/* model/model_tensors_layer.c — the tensors of one layer, and of a whole model. */
#include <stdio.h>
#include <string.h>

#include "model/model_tensors.h"

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for this model.");
}

/* ---- attention ----------------------------------------------------------------------------- */

/* Q, K and V as parts of one tensor. */
static bool find_fused(struct lookup *lookup, struct model_layer *layer, struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    const size_t q = config->heads * config->d_k, k = config->groups * config->d_k,
                 v = config->groups * config->d_v, all = q + k + v;
    const bool by_head =
        config->family->fused == MODEL_FUSED_BY_HEAD && !lookup->gguf; /* GGUF sorts them */
    const size_t first[3] = {0, by_head ? config->d_k : q, by_head ? 2 * config->d_k : q + k};
    const size_t cols[3] = {q, k, v};
    const size_t group[3] = {config->d_k, config->d_k, config->d_v};
    for (size_t m = 0; m < 3; m++) {
        const struct model_matrix part = {.depth = config->width,
                                          .cols = cols[m],
                                          .all = all,
                                          .first = first[m],
                                          .group = by_head ? group[m] : 0,
                                          .step = by_head ? 2 * config->d_k + config->d_v : 0};
        if (!lookup_part(lookup, MODEL_QKV, &part, &layer->matrix[MODEL_M_Q + m], error)) {
            return false;
        }
    }
    return true;
}

/* A tensor of rank 3 with a matrix for each head. */
static bool find_by_head(struct lookup *lookup, enum model_role role,
                         const struct model_matrix *part, const size_t shape[3],
                         struct model_matrix *out, struct error *error)
{
    char name[LAYOUT_NAME_BYTES];
    const struct model_tensor *const tensor = lookup_tensor(lookup, role, 0, ".weight", name);
    if (tensor == NULL) {
        return lookup_refuse_missing(lookup, role, ".weight", error);
    }
    *out = *part;
    out->tensor = tensor;
    lookup->model->parameters += part->depth * part->cols;
    return lookup_check(lookup, tensor, 3, shape, error);
}

/* Newer GGUF has what rebuilds keys and values in two tensors, that of the keys turned. */
static bool find_split(struct lookup *lookup, struct model_layer *layer, struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    const size_t heads = config->heads, rank = config->kv_rank, unrotated = config->unrotated,
                 d_v = config->d_v;
    const struct model_matrix k = {.depth = rank,
                                   .cols = heads * unrotated,
                                   .all = heads * unrotated,
                                   .columns = true,
                                   .stack = unrotated},
                              v = {.depth = rank, .cols = heads * d_v, .all = heads * d_v};
    return find_by_head(lookup, MODEL_K_B, &k, (const size_t[3]){heads, rank, unrotated},
                        &layer->matrix[MODEL_M_K_B], error) &&
           find_by_head(lookup, MODEL_V_B, &v, (const size_t[3]){heads, d_v, rank},
                        &layer->matrix[MODEL_M_V_B], error);
}

/* Finds what keys and values are rebuilt by: of each head the columns of both, one behind the
 * other. */
static bool find_rebuilding(struct lookup *lookup, struct model_layer *layer, struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    const size_t heads = config->heads, unrotated = config->unrotated, d_v = config->d_v;
    if (lookup_has(lookup, MODEL_K_B) && !lookup_has(lookup, MODEL_KV_B)) {
        return find_split(lookup, layer, error);
    }
    const struct model_matrix k = {.depth = config->kv_rank,
                                   .cols = heads * unrotated,
                                   .all = heads * (unrotated + d_v),
                                   .group = unrotated,
                                   .step = unrotated + d_v};
    struct model_matrix v = k;
    v.cols = heads * d_v;
    v.first = unrotated;
    v.group = d_v;
    return lookup_part(lookup, MODEL_KV_B, &k, &layer->matrix[MODEL_M_K_B], error) &&
           lookup_part(lookup, MODEL_KV_B, &v, &layer->matrix[MODEL_M_V_B], error);
}

static bool find_latent(struct lookup *lookup, struct model_layer *layer, struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    const size_t q = config->heads * config->d_k;
    if (config->q_rank > 0 && (!lookup_matrix(lookup, MODEL_Q_A, config->width, config->q_rank,
                                              &layer->matrix[MODEL_M_Q_A], error) ||
                               !lookup_norm(lookup, MODEL_Q_A_NORM, config->q_rank,
                                            &layer->norm[MODEL_NORM_Q_A], error))) {
        return false;
    }
    return lookup_matrix(lookup, MODEL_Q, config->q_rank > 0 ? config->q_rank : config->width, q,
                         &layer->matrix[MODEL_M_Q], error) &&
           lookup_matrix(lookup, MODEL_KV_A, config->width, config->kv_rank + config->turns,
                         &layer->matrix[MODEL_M_KV_A], error) &&
           lookup_norm(lookup, MODEL_KV_A_NORM, config->kv_rank, &layer->norm[MODEL_NORM_KV_A],
                       error) &&
           find_rebuilding(lookup, layer, error);
}

static bool find_separate(struct lookup *lookup, struct model_layer *layer, struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    /* GGUF of these has each head's halves alternately, to turn neighbours. */
    const size_t mixed =
        lookup->gguf && model_list_has(MODEL_GGUF_MIXED, config->family->name) ? config->d_k : 0;
    const struct model_matrix q = {.depth = config->width,
                                   .cols = config->heads * config->d_k,
                                   .all = config->heads * config->d_k,
                                   .mixed = mixed};
    struct model_matrix k = q;
    k.cols = k.all = config->groups * config->d_k;
    return lookup_part(lookup, MODEL_Q, &q, &layer->matrix[MODEL_M_Q], error) &&
           lookup_part(lookup, MODEL_K, &k, &layer->matrix[MODEL_M_K], error) &&
           lookup_matrix(lookup, MODEL_V, config->width, config->groups * config->d_v,
                         &layer->matrix[MODEL_M_V], error);
}

/* Where the configuration says that queries and keys are normed, the norms are there. */
static bool find_head_norms(struct lookup *lookup, struct model_layer *layer, struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    const bool whole = config->family->qk_norm_whole;
    const size_t q = whole ? config->heads * config->d_k : config->d_k;
    const size_t k = whole ? config->groups * config->d_k : config->d_k;
    for (size_t side = 0; side < 2; side++) {
        const enum model_role role = side == 0 ? MODEL_Q_NORM : MODEL_K_NORM;
        if (config->qk_norm && !lookup_has(lookup, role)) {
            return lookup_refuse_missing(lookup, role, ".weight", error);
        }
    }
    return lookup_norm(lookup, MODEL_Q_NORM, q, &layer->norm[MODEL_NORM_Q], error) &&
           lookup_norm(lookup, MODEL_K_NORM, k, &layer->norm[MODEL_NORM_K], error);
}

static bool find_attention(struct lookup *lookup, struct model_layer *layer, struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    const bool fused = lookup->names[MODEL_QKV] != NULL &&
                       (lookup->names[MODEL_Q] == NULL || lookup_has(lookup, MODEL_QKV));
    const bool fine = config->family->latent ? find_latent(lookup, layer, error)
                      : fused                ? find_fused(lookup, layer, error)
                                             : find_separate(lookup, layer, error);
    return fine &&
           lookup_matrix(lookup, MODEL_O, config->heads * config->d_v, config->width,
                         &layer->matrix[MODEL_M_O], error) &&
           find_head_norms(lookup, layer, error) &&
           lookup_vector(lookup, MODEL_SINKS, config->heads, true, &layer->sinks, error);
}

static bool find_cross(struct lookup *lookup, struct model_layer *layer, struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    if (lookup->used[MODEL_CROSS_Q] == NULL) {
        return true;
    }
    const size_t q = config->heads * config->d_k, v = config->heads * config->d_v;
    return lookup_matrix(lookup, MODEL_CROSS_Q, config->width, q, &layer->matrix[MODEL_M_CROSS_Q],
                         error) &&
           lookup_matrix(lookup, MODEL_CROSS_K, config->width, q, &layer->matrix[MODEL_M_CROSS_K],
                         error) &&
           lookup_matrix(lookup, MODEL_CROSS_V, config->width, v, &layer->matrix[MODEL_M_CROSS_V],
                         error) &&
           lookup_matrix(lookup, MODEL_CROSS_O, v, config->width, &layer->matrix[MODEL_M_CROSS_O],
                         error);
}

/* ---- MLP ----------------------------------------------------------------------------------- */

/* Returns whether an MLP stands there only because the format needs one: a single neuron that
 * writes zeros, as this program saves models without an MLP. */
static bool is_idle(const struct model_matrix *down)
{
    enum { CHUNK = 256 };
    float values[CHUNK];
    bool idle = down->depth == 1;
    for (size_t c = 0; idle && c < down->cols; c += CHUNK) {
        const size_t count = down->cols - c < CHUNK ? down->cols - c : CHUNK;
        model_matrix_columns(down, c, count, values);
        for (size_t i = 0; idle && i < count; i++) {
            idle = !(values[i] < 0 || values[i] > 0) &&
                   (down->bias == NULL || !(down->bias[c + i] < 0 || down->bias[c + i] > 0));
        }
    }
    return idle;
}

static bool find_mlp(struct lookup *lookup, size_t inner, struct model_layer *layer,
                     struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    const size_t width = config->width;
    if (!config->gated && lookup->used[MODEL_GATE] != NULL && lookup_has(lookup, MODEL_GATE)) {
        return error_set(error, ERROR_INPUT,
                         "%s: the MLP of layer %zu has a gate, but its configuration says that "
                         "there is none.",
                         lookup->model->source->name, lookup->layer);
    }
    if (config->gated && lookup->used[MODEL_GATE_UP] != NULL) {
        const struct model_matrix gate = {.depth = width, .cols = inner, .all = 2 * inner};
        struct model_matrix up = gate;
        up.first = inner;
        if (!lookup_part(lookup, MODEL_GATE_UP, &gate, &layer->matrix[MODEL_M_GATE], error) ||
            !lookup_part(lookup, MODEL_GATE_UP, &up, &layer->matrix[MODEL_M_UP], error)) {
            return false;
        }
    } else if ((config->gated && !lookup_matrix(lookup, MODEL_GATE, width, inner,
                                                &layer->matrix[MODEL_M_GATE], error)) ||
               !lookup_matrix(lookup, MODEL_UP, width, inner, &layer->matrix[MODEL_M_UP], error)) {
        return false;
    }
    if (!lookup_matrix(lookup, MODEL_DOWN, inner, width, &layer->matrix[MODEL_M_DOWN], error)) {
        return false;
    }
    layer->is_without_mlp = is_idle(&layer->matrix[MODEL_M_DOWN]);
    return true;
}

/* One expert of those that stand in one tensor: experts × cols × depth, or, of gpt-oss as Hugging
 * Face has it, experts × depth × cols with gate and up alternately. */
static bool find_stacked(struct lookup *lookup, enum model_role role, size_t expert,
                         const struct model_matrix *part, struct model_matrix *out,
                         struct error *error)
{
    char name[LAYOUT_NAME_BYTES];
    const size_t count = lookup->model->config.experts.count;
    const struct model_tensor *const tensor = lookup_tensor(lookup, role, 0, ".weight", name);
    if (tensor == NULL) {
        return lookup_refuse_missing(lookup, role, ".weight", error);
    }
    *out = *part;
    out->tensor = tensor;
    out->columns = !lookup->gguf && !tensor->by_rows;
    out->base = expert * part->depth * part->all;
    const size_t shape[3] = {count, out->columns ? part->depth : part->all,
                             out->columns ? part->all : part->depth};
    if (!lookup_check(lookup, tensor, 3, shape, error)) {
        return false;
    }
    lookup->model->parameters += part->depth * part->cols;
    const struct model_tensor *const bias = lookup_tensor(lookup, role, 0, ".bias", name);
    float *const values =
        bias == NULL ? NULL : arena_array(&lookup->model->arena, part->cols, sizeof *values);
    if (bias != NULL && values == NULL) {
        return no_memory(error);
    }
    if (bias != NULL) {
        const size_t biases[2] = {count, part->all};
        if (!lookup_check(lookup, bias, 2, biases, error)) {
            return false;
        }
        for (size_t c = 0; c < part->cols; c++) {
            bias->copy(bias, expert * part->all + model_matrix_place(out, c), 1, &values[c]);
        }
        lookup->model->parameters += part->cols;
        out->bias = values;
    }
    return true;
}

/* One matrix of one expert. */
static bool find_expert(struct lookup *lookup, enum model_expert_place place, size_t expert,
                        struct model_matrix *out, struct error *error)
{
    static const enum model_role roles[MODEL_E_PLACES] = {MODEL_EXPERT_GATE, MODEL_EXPERT_UP,
                                                          MODEL_EXPERT_DOWN};
    const struct model_config *const config = &lookup->model->config;
    const size_t inner = config->experts.inner;
    const bool down = place == MODEL_E_DOWN;
    struct model_matrix part = {.depth = down ? inner : config->width,
                                .cols = down ? config->width : inner,
                                .all = down ? config->width : inner};
    enum model_role role = roles[place];
    if (!down && lookup->names[MODEL_EXPERT_GATE_UP] != NULL) {
        role = MODEL_EXPERT_GATE_UP;
        part.all = 2 * inner;
        part.first = place == MODEL_E_UP ? 1 : 0;
        part.group = 1;
        part.step = 2;
    }
    const char *const pattern = lookup->names[role];
    if (pattern != NULL && strchr(pattern, '@') == NULL) {
        return find_stacked(lookup, role, expert, &part, out, error);
    }
    char name[LAYOUT_NAME_BYTES];
    const struct model_tensor *const tensor = lookup_tensor(lookup, role, expert, ".weight", name);
    const size_t shape[2] = {part.cols, part.depth};
    if (tensor == NULL) {
        return error_set(error, ERROR_INPUT, "%s: the tensor %.96s is missing.",
                         lookup->model->source->name, name);
    }
    *out = part;
    out->tensor = tensor;
    lookup->model->parameters += part.depth * part.cols;
    return lookup_check(lookup, tensor, 2, shape, error);
}

static bool find_experts(struct lookup *lookup, struct model_layer *layer, struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    const size_t count = config->experts.count, shared = config->experts.shared;
    if (!lookup_matrix(lookup, MODEL_ROUTER, config->width, count, &layer->matrix[MODEL_M_ROUTER],
                       error) ||
        !lookup_vector(lookup, MODEL_ROUTER_BIAS, count,
                       config->family->router == MODEL_ROUTER_SIGMOID, &layer->router_bias,
                       error)) {
        return false;
    }
    for (size_t p = 0; p < MODEL_E_PLACES; p++) {
        layer->expert[p] = arena_array(&lookup->model->arena, count, sizeof *layer->expert[p]);
        if (layer->expert[p] == NULL) {
            return no_memory(error);
        }
        for (size_t e = 0; e < count; e++) {
            if (!find_expert(lookup, (enum model_expert_place)p, e, &layer->expert[p][e], error)) {
                return false;
            }
        }
    }
    return shared == 0 || (lookup_matrix(lookup, MODEL_SHARED_GATE, config->width, shared,
                                         &layer->matrix[MODEL_M_SHARED_GATE], error) &&
                           lookup_matrix(lookup, MODEL_SHARED_UP, config->width, shared,
                                         &layer->matrix[MODEL_M_SHARED_UP], error) &&
                           lookup_matrix(lookup, MODEL_SHARED_DOWN, shared, config->width,
                                         &layer->matrix[MODEL_M_SHARED_DOWN], error));
}

/* ---- a layer ------------------------------------------------------------------------------- */

/* Where a norm stands that the family has before what it belongs to. */
static enum model_norm_place place_behind(enum model_norm_place place)
{
    return place == MODEL_NORM_ATTN  ? MODEL_NORM_ATTN_AFTER
           : place == MODEL_NORM_MLP ? MODEL_NORM_MLP_AFTER
                                     : place;
}

/* The tensors of one layer (model/model_tensors_layer.c). */
static bool find_layer(struct lookup *lookup, const struct model_stack *stack,
                       struct model_layer *layer, struct error *error)
{
    static const struct {
        enum model_role role;
        enum model_norm_place place;
    } norms[] = {
        {MODEL_ATTN_NORM, MODEL_NORM_ATTN},          {MODEL_ATTN_POST, MODEL_NORM_ATTN_POST},
        {MODEL_ATTN_AFTER, MODEL_NORM_ATTN_AFTER},   {MODEL_CROSS_NORM, MODEL_NORM_CROSS},
        {MODEL_CROSS_AFTER, MODEL_NORM_CROSS_AFTER}, {MODEL_MLP_NORM, MODEL_NORM_MLP},
        {MODEL_MLP_POST, MODEL_NORM_MLP_POST},       {MODEL_MLP_AFTER, MODEL_NORM_MLP_AFTER}};
    const struct model_config *const config = &lookup->model->config;
    const bool experts = config->experts.count > 0 && lookup->used[MODEL_ROUTER] != NULL &&
                         (config->layer[lookup->layer] & MODEL_LAYER_DENSE) == 0;
    if (!find_attention(lookup, layer, error) || !find_cross(lookup, layer, error) ||
        !(experts ? find_experts(lookup, layer, error)
                  : find_mlp(lookup, stack->inner, layer, error))) {
        return false;
    }
    for (size_t n = 0; n < sizeof norms / sizeof *norms; n++) {
        const enum model_norm_place usual = norms[n].place;
        struct model_norm norm = {NULL, NULL};
        if (!lookup_norm(lookup, norms[n].role, config->width, &norm, error)) {
            return false;
        }
        if (norm.gain != NULL) {
            layer->norm[config->norms_behind ? place_behind(usual) : usual] = norm;
        }
    }
    return true;
}

/* ---- a model ------------------------------------------------------------------------------- */

/* A table of rows that are looked up: it stays where it lies. */
static bool find_table(struct lookup *lookup, enum model_role role, size_t rows, bool needed,
                       const struct model_tensor **out, struct error *error)
{
    char name[LAYOUT_NAME_BYTES];
    const struct model_config *const config = &lookup->model->config;
    const size_t shape[2] = {rows, role == MODEL_EMBED ? config->embed : config->width};
    *out = lookup->used[role] == NULL ? NULL : lookup_tensor(lookup, role, 0, ".weight", name);
    if (*out == NULL) {
        return lookup->used[role] == NULL || !needed ||
               lookup_refuse_missing(lookup, role, ".weight", error);
    }
    lookup->model->parameters += model_tensor_count(*out);
    return lookup_check(lookup, *out, 2, shape, error);
}

/* Relative positions of a layer, which may be those of the layer before it. */
static bool find_relative(struct lookup *lookup, const struct model_stack *stack, size_t layer,
                          struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    const size_t shape[2] = {config->buckets, config->heads};
    char name[LAYOUT_NAME_BYTES];
    if (lookup->used[MODEL_RELATIVE] == NULL) {
        return true;
    }
    const struct model_tensor *const tensor =
        lookup_tensor(lookup, MODEL_RELATIVE, 0, ".weight", name);
    if (tensor == NULL) {
        return lookup_refuse_missing(lookup, MODEL_RELATIVE, ".weight", error);
    }
    lookup->layer = layer > 0 ? layer - 1 : layer;
    const bool shared =
        layer > 0 && lookup_tensor(lookup, MODEL_RELATIVE, 0, ".weight", name) == tensor;
    lookup->layer = layer;
    stack->layer[layer].relative = shared ? stack->layer[layer - 1].relative
                                   : lookup_check(lookup, tensor, 2, shape, error)
                                       ? lookup_floats(lookup, tensor, error)
                                       : NULL;
    return stack->layer[layer].relative != NULL;
}

/* From the numbers of a word to the width of the stream, or back, where the two differ. */
static bool find_projection(struct lookup *lookup, enum model_role role, struct model_matrix *out,
                            struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    const bool in = role == MODEL_EMBED_IN;
    return config->embed == config->width ||
           lookup_matrix(lookup, role, in ? config->embed : config->width,
                         in ? config->width : config->embed, out, error);
}

/* The table of words. Of several that are one some programs save one alone, under any name. */
static bool find_words(struct lookup *lookup, struct model_stack *stack, struct error *error)
{
    const struct model *const model = lookup->model;
    const struct model_config *const config = &model->config;
    const bool main = stack == &model->main;
    const size_t words = main ? config->vocabulary : config->source_vocabulary;
    char name[LAYOUT_NAME_BYTES];
    if (!find_table(lookup, MODEL_EMBED, words, !config->tied, &stack->embed, error)) {
        return false;
    }
    if (stack->embed == NULL && (!main || lookup->used[MODEL_HEAD_DENSE] == NULL)) {
        stack->embed =
            main ? lookup_tensor(lookup, MODEL_OUTPUT, 0, ".weight", name) : model->main.embed;
        if (stack->embed != NULL) {
            const size_t shape[2] = {words, config->embed};
            lookup->model->parameters += main ? model_tensor_count(stack->embed) : 0;
            return lookup_check(lookup, stack->embed, 2, shape, error);
        }
    }
    if (!main && stack->embed == model->main.embed) {
        lookup->model->parameters -= model_tensor_count(stack->embed); /* one for both */
    }
    return stack->embed != NULL || lookup_refuse_missing(lookup, MODEL_EMBED, ".weight", error);
}

static bool find_stack(struct lookup *lookup, struct model_stack *stack, struct error *error)
{
    struct model *const model = lookup->model;
    const struct model_config *const config = &model->config;
    const bool places = (config->family->lacks & MODEL_ROLE_BIT(MODEL_PLACES)) == 0;
    const size_t before = config->first_place;
    stack->layer = arena_array(&model->arena, stack->count, sizeof *stack->layer);
    if (stack->layer == NULL) {
        return no_memory(error);
    }
    if (!find_words(lookup, stack, error) ||
        !find_projection(lookup, MODEL_EMBED_IN, &stack->embed_in, error) ||
        !find_table(lookup, MODEL_PLACES, config->positions + before, places, &stack->places,
                    error) ||
        !find_table(lookup, MODEL_TYPES, config->types, true, &stack->types, error) ||
        !lookup_norm(lookup, MODEL_EMBED_NORM, config->width, &stack->embed_norm, error)) {
        return false;
    }
    for (size_t l = 0; l < stack->count; l++) {
        lookup->layer = l;
        if (!find_layer(lookup, stack, &stack->layer[l], error) ||
            !find_relative(lookup, stack, l, error)) {
            return false;
        }
    }
    return config->no_final_norm ||
           lookup_norm(lookup, MODEL_FINAL_NORM, config->width, &stack->final_norm, error);
}

/* The weights of words, which may be the embeddings. */
static bool find_output(struct lookup *lookup, struct error *error)
{
    struct model *const model = lookup->model;
    const struct model_config *const config = &model->config;
    const struct model_matrix all = {
        .depth = config->embed, .cols = config->vocabulary, .all = config->vocabulary};
    const float *bias = NULL;
    char name[LAYOUT_NAME_BYTES];
    const struct model_tensor *const own = lookup_tensor(lookup, MODEL_OUTPUT, 0, ".weight", name);
    const bool lent = own == NULL ? config->tied : own == model->main.embed;
    model->output = all;
    model->output.tensor = model->main.embed;
    if (!lent && !lookup_part(lookup, MODEL_OUTPUT, &all, &model->output, error)) {
        return false;
    }
    if ((config->unread_biases & MODEL_ROLE_BIT(MODEL_OUTPUT_BIAS)) == 0 &&
        !lookup_vector(lookup, MODEL_OUTPUT_BIAS, config->vocabulary, false, &bias, error)) {
        return false;
    }
    model->output.bias = bias != NULL ? bias : model->output.bias;
    model->config.tied = model->output.tensor == model->main.embed;
    return true;
}

/* Finds the weights that turn the last rows into logits. A model without a head for words, by its
 * tensors or by the name of its architecture, has none. */
static bool find_head(struct lookup *lookup, struct error *error)
{
    struct model *const model = lookup->model;
    const struct model_config *const config = &model->config;
    const bool lacks = (config->family->lacks & MODEL_ROLE_BIT(MODEL_OUTPUT)) != 0;
    const bool dense = lookup->used[MODEL_HEAD_DENSE] != NULL;
    if (!find_projection(lookup, MODEL_EMBED_OUT, &model->embed_out, error)) {
        return false;
    }
    if (lookup->used[MODEL_OUTPUT] == NULL ||
        (dense ? lacks && !lookup_has(lookup, MODEL_HEAD_DENSE)
               : config->headless && !lookup_has(lookup, MODEL_OUTPUT))) {
        return true;
    }
    return (!dense ||
            (lookup_matrix(lookup, MODEL_HEAD_DENSE, config->width, config->width,
                           &model->head_dense, error) &&
             lookup_norm(lookup, MODEL_HEAD_NORM, config->width, &model->head_norm, error))) &&
           find_output(lookup, error);
}

static bool find_all(struct lookup *lookup, struct error *error)
{
    struct model *const model = lookup->model;
    const struct model_family *const family = model->config.family;
    if (!find_stack(lookup, &model->main, error) || !find_head(lookup, error)) {
        return false;
    }
    if (family->source_names == NULL) {
        return true;
    }
    lookup->names = lookup->gguf ? model_gguf_names(family, true) : family->source_names;
    lookup->used = family->source_names;
    model->encoder = (struct model_stack){.count = model->config.source_layers,
                                          .inner = model->config.source_inner,
                                          .sees_all = true};
    return find_stack(lookup, &model->encoder, error);
}

bool model_tensors_find(struct model *model, struct error *error)
{
    const struct model_family *const family = model->config.family;
    const bool gguf = model->source->calls->value != NULL;
    struct arena arena = {0};
    struct model_layout layout;
    struct lookup lookup = {.model = model,
                            .layout = &layout,
                            .names = gguf ? model_gguf_names(family, false) : family->names,
                            .used = family->names,
                            .gguf = gguf};
    model->main = (struct model_stack){.count = model->config.layers,
                                       .inner = model->config.inner,
                                       .sees_all = model->config.bidirectional};
    bool taken = model_layout_make(model->source, family, gguf, &arena, &layout, error) &&
                 find_all(&lookup, error);
    if (taken &&
        !model_layout_left_out(&layout, &model->arena, &model->left_out, &model->left_out_count)) {
        taken = no_memory(error);
    }
    arena_free(&arena);
    return taken;
}
