/* model/model_run.c — the forward pass. Rows first … first + count − 1 are computed from the keys
 * and values of all rows before them: a whole text is its rows from 0, a token more is one row. */
#include <stdlib.h>
#include <string.h>

#include "attn/system.h"
#include "base/checked.h"
#include "model/model_internal.h"

enum { ROOM_STEP = 64 }; /* tokens that may be added before memory is asked for again */

/* Memory of one forward pass, beside the rows. */
struct context {
    struct arena arena;
    struct attn_head *heads;
    void *fused;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY,
                     "There is not enough memory for this text: take fewer tokens.");
}

/* ---- memory -------------------------------------------------------------------------------- */

static float *floats_in(struct arena *arena, size_t rows, size_t cols)
{
    size_t count = 0;
    return checked_multiply(rows, cols, &count) ? arena_array(arena, count, sizeof(float)) : NULL;
}

/* All that is large stands in one piece, in large pages where there are any. NULL: no memory. */
static float *large_floats(const struct model_run *run, struct arena *arena, size_t room)
{
    const struct model_config *const config = &run->model->config;
    const size_t row = (4 * config->layers + 3) * config->width + config->inner;
    size_t rows = 0, workers = 0, floats = 0;
    if (!checked_multiply(room, row, &rows) ||
        !checked_multiply(run->means.worker_floats, attn_pool_threads(run->means.pool), &workers) ||
        !checked_add(rows, workers, &floats)) {
        return NULL;
    }
    float *const large = arena_array(arena, floats, sizeof *large);
    if (large != NULL) {
        attn_system_prefer_large_pages(large, floats * sizeof *large);
    }
    return large;
}

static bool make_rows(const struct model_config *config, struct arena *arena, size_t room,
                      struct model_run *out)
{
    const size_t layers = config->layers, width = config->width;
    float *floats = large_floats(out, arena, room);
    out->room = room;
    out->ids = arena_array(arena, room, sizeof *out->ids);
    out->residual = arena_array(arena, layers + 1, sizeof *out->residual);
    out->qkv = arena_array(arena, layers, sizeof *out->qkv);
    if (floats == NULL || out->ids == NULL || out->residual == NULL || out->qkv == NULL) {
        return false;
    }
    out->means.scratch = floats;
    floats += out->means.worker_floats * attn_pool_threads(out->means.pool);
    for (size_t l = 0; l <= layers; l++, floats += room * width) {
        out->residual[l] = floats;
    }
    for (size_t l = 0; l < layers; l++, floats += 3 * room * width) {
        out->qkv[l] = floats;
    }
    out->normed = floats;
    out->mixed = out->normed + room * width;
    out->inner = out->mixed + room * width;
    return true;
}

/* Room for so many tokens; those that are there move. */
static bool make_room(struct model_run *run, size_t wanted, struct error *error)
{
    const struct model_config *const config = &run->model->config;
    if (wanted <= run->room) {
        return true;
    }
    struct arena arena = {0};
    struct model_run wider = *run;
    const size_t room =
        wanted + ROOM_STEP < config->positions ? wanted + ROOM_STEP : config->positions;
    if (!make_rows(config, &arena, room, &wider)) {
        arena_free(&arena);
        return no_memory(error);
    }
    const size_t row = config->width * sizeof(float);
    for (size_t l = 0; run->count > 0 && l <= config->layers; l++) {
        memcpy(wider.residual[l], run->residual[l], run->count * row);
    }
    for (size_t l = 0; run->count > 0 && l < config->layers; l++) {
        memcpy(wider.qkv[l], run->qkv[l], run->count * 3 * row);
    }
    for (size_t i = 0; i < run->count; i++) {
        wider.ids[i] = run->ids[i];
    }
    arena_free(&run->arena);
    wider.arena = arena;
    *run = wider;
    return true;
}

/* ---- attention ----------------------------------------------------------------------------- */

/* Queries first … of one head against all keys up to their own; q, k and v stand side by side. */
static struct attn_head head_of(const struct model_run *run, size_t layer, size_t head,
                                size_t first, size_t count)
{
    const struct model_config *const config = &run->model->config;
    const size_t width = config->width, d_k = width / config->heads, stride = 3 * width;
    const float *const qkv = run->qkv[layer] + head * d_k;
    return (struct attn_head){
        .q = {qkv + first * stride, count, d_k, stride},
        .k = {qkv + width, first + count, d_k, stride},
        .v = {qkv + 2 * width, first + count, d_k, stride},
        .factor = model_factor(config, layer),
        .sight = {.kind = ATTN_SEE_PAST, .offset = first},
        .keys_grow = true,
    };
}

/* The heads that are on, into run->mixed, which becomes the concatenation of their Z. */
static void attend(const struct model_run *run, struct context *context, size_t layer, size_t first,
                   size_t count)
{
    const struct model_config *const config = &run->model->config;
    const size_t width = config->width, d_k = width / config->heads;
    size_t on = 0;
    memset(run->mixed, 0, count * width * sizeof(float));
    for (size_t h = 0; h < config->heads; h++) {
        if (!run->off[layer * config->heads + h]) {
            context->heads[on] = head_of(run, layer, h, first, count);
            context->heads[on++].z = (struct attn_matrix){run->mixed + h * d_k, count, d_k, width};
        }
    }
    attn_fused(run->means.kernels, run->means.pool, context->heads, on, context->fused);
}

void model_run_weights(const struct model_run *run, size_t layer, size_t head, float *out)
{
    const struct attn_kernels *const kernels = run->means.kernels;
    const size_t n = run->count;
    const struct attn_head whole = head_of(run, layer, head, 0, n);
    attn_scores(kernels, whole.q, whole.k, (struct attn_matrix){out, n, n, n});
    for (size_t i = 0; i < n; i++) {
        const struct attn_matrix seen = {out + i * n, 1, i + 1, n};
        attn_scale_mask(kernels, seen, whole.factor, (struct attn_mask){NULL, 0});
        attn_softmax(kernels, seen);
        memset(out + i * n + i + 1, 0, (n - i - 1) * sizeof(float));
    }
}

/* ---- layers -------------------------------------------------------------------------------- */

static struct attn_operand operand(const float *values, size_t rows, size_t cols)
{
    return (struct attn_operand){values, rows, cols, cols};
}

static struct attn_matrix matrix(float *values, size_t rows, size_t cols)
{
    return (struct attn_matrix){values, rows, cols, cols};
}

static void add(float *sum, const float *term, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sum[i] += term[i];
    }
}

static void embed(const struct model_run *run, size_t first, size_t count, float *scratch)
{
    const struct model *const model = run->model;
    const size_t width = model->config.width;
    for (size_t i = first; i < first + count; i++) {
        float *const row = run->residual[0] + i * width;
        array_copy_floats(model->wte, run->ids[i] * width, width, row);
        array_copy_floats(model->wpe, i * width, width, scratch);
        add(row, scratch, width);
    }
}

static void compute_layer(const struct model_run *run, struct context *context, size_t number,
                          size_t first, size_t count)
{
    const struct model_config *const config = &run->model->config;
    const struct model_layer *const layer = &run->model->layers[number];
    const struct model_means *const means = &run->means;
    const size_t width = config->width, inner = config->inner;
    const float *const x = run->residual[number] + first * width;
    float *const sum = run->residual[number + 1] + first * width;

    model_layer_norm(means, config->epsilon, layer->vector[MODEL_LN_1_WEIGHT],
                     layer->vector[MODEL_LN_1_BIAS], operand(x, count, width), run->normed);
    model_product(means, operand(run->normed, count, width), layer->matrix[MODEL_C_ATTN],
                  layer->vector[MODEL_C_ATTN_BIAS], NULL,
                  matrix(run->qkv[number] + first * 3 * width, count, 3 * width));
    attend(run, context, number, first, count);
    model_product(means, operand(run->mixed, count, width), layer->matrix[MODEL_C_PROJ],
                  layer->vector[MODEL_C_PROJ_BIAS], NULL, matrix(sum, count, width));
    add(sum, x, count * width);

    model_layer_norm(means, config->epsilon, layer->vector[MODEL_LN_2_WEIGHT],
                     layer->vector[MODEL_LN_2_BIAS], operand(sum, count, width), run->normed);
    model_product(means, operand(run->normed, count, width), layer->matrix[MODEL_MLP_FC],
                  layer->vector[MODEL_MLP_FC_BIAS], &config->activation,
                  matrix(run->inner, count, inner));
    model_product(means, operand(run->inner, count, inner), layer->matrix[MODEL_MLP_PROJ],
                  layer->vector[MODEL_MLP_PROJ_BIAS], NULL, matrix(run->mixed, count, width));
    add(sum, run->mixed, count * width);
}

static bool make_workspace(const struct model_run *run, struct context *context, size_t first,
                           size_t count)
{
    const struct model_config *const config = &run->model->config;
    *context = (struct context){.fused = NULL};
    context->heads = arena_array(&context->arena, config->heads, sizeof *context->heads);
    if (context->heads == NULL) {
        return false;
    }
    for (size_t h = 0; h < config->heads; h++) {
        context->heads[h] = head_of(run, 0, h, first, count);
        context->heads[h].z =
            (struct attn_matrix){run->mixed, count, context->heads[h].v.cols, config->width};
    }
    const size_t bytes = attn_fused_bytes(run->means.kernels, context->heads, config->heads,
                                          attn_pool_threads(run->means.pool));
    context->fused = bytes == 0 ? NULL : arena_alloc(&context->arena, bytes);
    return context->fused != NULL;
}

/* The rows behind those there are; they count only when all is done. */
static bool compute_rows(struct model_run *run, size_t count, struct error *error)
{
    struct context context;
    const size_t layers = run->model->config.layers;
    bool goes_on = true;
    if (!model_tensors_whole(run->model, error)) {
        return false;
    }
    if (!make_workspace(run, &context, run->count, count)) {
        arena_free(&context.arena);
        return no_memory(error);
    }
    embed(run, run->count, count, run->normed);
    for (size_t l = 0; goes_on && l < layers; l++) {
        goes_on = run->on_layer == NULL || run->on_layer(run->listener, l, layers);
        if (goes_on) {
            compute_layer(run, &context, l, run->count, count);
        }
    }
    arena_free(&context.arena);
    goes_on = goes_on && model_tensors_whole(run->model, error);
    run->count += goes_on ? count : 0;
    return goes_on;
}

/* ---- a run --------------------------------------------------------------------------------- */

static bool check_request(const struct model *model, const struct model_request *request,
                          struct error *error)
{
    const struct model_config *const config = &model->config;
    if (request->count == 0) {
        return error_set(error, ERROR_INPUT, "The text has no tokens.");
    }
    if (request->count > config->positions) {
        return error_set(error, ERROR_INPUT,
                         "The text has %zu tokens, the model has places for %zu.", request->count,
                         config->positions);
    }
    for (size_t i = 0; i < request->count; i++) {
        if (request->ids[i] >= config->vocabulary) {
            return error_set(error, ERROR_INPUT, "Token %zu is %lu, the model has %zu tokens.", i,
                             (unsigned long)request->ids[i], config->vocabulary);
        }
    }
    for (size_t i = 0; i < request->off_count; i++) {
        if (request->off[i].layer >= config->layers || request->off[i].head >= config->heads) {
            return error_set(error, ERROR_INPUT,
                             "There is no head %zu in layer %zu to be switched off: the model has "
                             "%zu layers of %zu heads, counted from 0.",
                             request->off[i].head, request->off[i].layer, config->layers,
                             config->heads);
        }
    }
    return true;
}

static bool fill_run(struct model_run *run, const struct model_request *request,
                     struct error *error)
{
    const struct model_config *const config = &run->model->config;
    run->means.kernels = lab_engine_kernels(&request->engine, error);
    if (run->means.kernels == NULL) {
        return false;
    }
    run->means.worker_floats = model_worker_floats(config);
    run->off = arena_array(&run->own, config->layers, config->heads);
    if (run->means.worker_floats == 0 || run->off == NULL) {
        return no_memory(error);
    }
    for (size_t i = 0; i < request->off_count; i++) {
        run->off[request->off[i].layer * config->heads + request->off[i].head] = true;
    }
    if (!make_room(run, request->count, error)) {
        return false;
    }
    memcpy(run->ids, request->ids, request->count * sizeof *run->ids);
    return compute_rows(run, request->count, error);
}

struct model_run *model_run_start(const struct model *model, const struct model_request *request,
                                  struct error *error)
{
    if (!check_request(model, request, error)) {
        return NULL;
    }
    struct model_run *const run = calloc(1, sizeof *run);
    if (run == NULL) {
        no_memory(error);
        return NULL;
    }
    *run = (struct model_run){.model = model,
                              .means.pool = request->engine.pool,
                              .on_layer = request->on_layer,
                              .listener = request->listener};
    if (!fill_run(run, request, error)) {
        model_run_close(run);
        return NULL;
    }
    return run;
}

void model_run_close(struct model_run *run)
{
    if (run != NULL) {
        arena_free(&run->arena);
        arena_free(&run->own);
        free(run);
    }
}

bool model_run_append(struct model_run *run, uint32_t id, struct error *error)
{
    const struct model_config *const config = &run->model->config;
    if (run->count == config->positions) {
        return error_set(error, ERROR_INPUT, "The model has places for %zu tokens, all are taken.",
                         config->positions);
    }
    if (id >= config->vocabulary) {
        return error_set(error, ERROR_INPUT, "Token %lu does not exist: the model has %zu tokens.",
                         (unsigned long)id, config->vocabulary);
    }
    if (!make_room(run, run->count + 1, error)) {
        return false;
    }
    run->ids[run->count] = id;
    return compute_rows(run, 1, error);
}

size_t model_run_count(const struct model_run *run)
{
    return run->count;
}

const uint32_t *model_run_ids(const struct model_run *run)
{
    return run->ids;
}

const float *model_run_residual(const struct model_run *run, size_t layer)
{
    return run->residual[layer];
}

bool model_run_logits(const struct model_run *run, size_t first, size_t count, float *out,
                      struct error *error)
{
    const struct model *const model = run->model;
    const size_t width = model->config.width, vocabulary = model->config.vocabulary;
    struct arena arena = {0};
    float *const normed = floats_in(&arena, count, width);
    const bool whole = model_tensors_whole(model, error);
    if (normed != NULL && whole) {
        const float *const last = run->residual[model->config.layers] + first * width;
        model_layer_norm(&run->means, model->config.epsilon, model->ln_f_weight, model->ln_f_bias,
                         operand(last, count, width), normed);
        model_product_turned(&run->means, operand(normed, count, width), model->output,
                             matrix(out, count, vocabulary));
    }
    arena_free(&arena);
    return whole && (normed != NULL || no_memory(error)) && model_tensors_whole(model, error);
}
