/* model/model_run.c — a text, or two of them, through a model; and what comes out at the end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attn/system.h"
#include "base/checked.h"
#include "model/model_internal.h"

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY,
                     "There is not enough memory for this text: take fewer tokens.");
}

/* ---- one head ------------------------------------------------------------------------------ */

struct model_sight model_sight_of(const struct model_run *run, enum model_attention which,
                                  size_t layer, size_t head, size_t first, size_t count)
{
    const struct model_config *const config = &run->model->config;
    const struct model_pass *const pass = which == MODEL_ENCODER ? &run->encoder : &run->main;
    const size_t d_k = config->d_k, d_v = config->d_v;
    const size_t q_width = config->heads * d_k, group = head / (config->heads / config->groups);
    const float *const qkv = pass->qkv[layer] + pass->begin * pass->row;
    struct model_sight sight = {.factor = model_factor(config, layer),
                                .cap = config->score_cap,
                                .first = first,
                                .layer = layer,
                                .head = head,
                                .model = run->model,
                                .past = !pass->stack->sees_all};
    if (which == MODEL_CROSS) {
        const size_t stride = config->heads * (d_k + d_v), keys = run->encoder.count;
        const float *const kv = run->cross_kv[layer];
        sight.past = false;
        sight.q = (struct attn_operand){
            pass->cross[layer] + (pass->begin + first) * q_width + head * d_k, count, d_k, q_width};
        sight.k = (struct attn_operand){kv + head * d_k, keys, d_k, stride};
        sight.v = (struct attn_operand){kv + q_width + head * d_v, keys, d_v, stride};
        return sight;
    }
    const size_t keys = sight.past                    ? first + count
                        : pass->count > first + count ? pass->count
                                                      : first + count;
    sight.q = (struct attn_operand){qkv + first * pass->row + head * d_k, count, d_k, pass->row};
    sight.k = (struct attn_operand){qkv + q_width + group * d_k, keys, d_k, pass->row};
    sight.v = (struct attn_operand){qkv + q_width + config->groups * d_k + group * d_v, keys, d_v,
                                    pass->row};
    if (which == MODEL_SELF) {
        if (model_intervenes(pass->interventions, MODEL_NODE_SCORES, MODEL_NODE_ALPHA, layer,
                             head)) {
            sight.interventions = pass->interventions;
        }
        const float *const sinks = run->model->main.layer[layer].sinks;
        sight.sink = sinks == NULL ? NULL : sinks + head;
        sight.window = (config->layer[layer] & MODEL_LAYER_LOCAL) != 0 ? config->window : 0;
    }
    if (pass->stack->layer[layer].relative != NULL) {
        sight.relative = pass->stack->layer[layer].relative + head;
        sight.relative_step = config->heads;
        sight.buckets = config->buckets;
        sight.farthest = config->farthest;
    }
    return sight;
}

struct attn_operand model_run_values(const struct model_run *run, size_t layer, size_t head)
{
    return model_sight_of(run, MODEL_SELF, layer, head, 0, run->main.count).v;
}

/* ---- what is asked ------------------------------------------------------------------------- */

static bool check_ids(const struct model_config *config, size_t vocabulary, const uint32_t *ids,
                      size_t count, struct error *error)
{
    if (count == 0) {
        return error_set(error, ERROR_INPUT, "The text has no tokens.");
    }
    if (count > config->positions) {
        return error_set(error, ERROR_INPUT,
                         "The text has %zu tokens, the model has places for %zu.", count,
                         config->positions);
    }
    for (size_t i = 0; i < count; i++) {
        if (ids[i] >= vocabulary) {
            return error_set(error, ERROR_INPUT, "Token %zu is %lu, the model has %zu tokens.", i,
                             (unsigned long)ids[i], vocabulary);
        }
    }
    return true;
}

bool model_request_check(const struct model *model, const struct model_request *request,
                         struct error *error)
{
    const struct model_config *const config = &model->config;
    const bool pair = model->encoder.count > 0;
    if (!check_ids(config, pair ? config->source_vocabulary : config->vocabulary, request->ids,
                   request->count, error) ||
        (request->target_count > 0 && !check_ids(config, config->vocabulary, request->target_ids,
                                                 request->target_count, error))) {
        return false;
    }
    if (request->target_count > 0 && !pair) {
        return error_set(error, ERROR_INPUT,
                         "A target is for models that read one text and write another; this one "
                         "reads one.");
    }
    for (size_t i = 0; request->types != NULL && i < request->count; i++) {
        if (config->types > 0 && request->types[i] >= config->types) {
            return error_set(error, ERROR_INPUT,
                             "This model tells %zu kinds of sentences apart; a second sentence "
                             "needs 2.",
                             config->types);
        }
    }
    const size_t words = !pair                       ? request->count
                         : request->target_count > 0 ? request->target_count
                                                     : 1;
    return model_interventions_check(model, request->interventions, words, error);
}

/* ---- a run --------------------------------------------------------------------------------- */

static bool fill_pass(struct model_run *run, struct model_pass *pass, const uint32_t *ids,
                      const uint8_t *types, size_t count, size_t layers, struct error *error)
{
    const size_t kinds = run->model->config.types;
    if (!model_pass_room(run, pass, count, error)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        pass->ids[i] = ids[i];
        pass->types[i] = types == NULL || kinds == 0 ? 0 : types[i];
    }
    return model_pass_compute(run, pass, count, layers, error);
}

/* Keys and values of the first text, as every layer of the decoder asks for them. */
static bool make_cross(struct model_run *run, struct error *error)
{
    const struct model *const model = run->model;
    const struct model_config *const config = &model->config;
    const size_t q = config->heads * config->d_k, row = q + config->heads * config->d_v;
    const size_t count = run->encoder.count, width = config->width;
    size_t each = 0, floats = 0;
    run->cross_kv = arena_array(&run->own, config->layers, sizeof *run->cross_kv);
    float *all =
        checked_multiply(count, row, &each) && checked_multiply(each, config->layers, &floats)
            ? arena_array(&run->own, floats, sizeof *all)
            : NULL;
    if (all == NULL || run->cross_kv == NULL) {
        return no_memory(error);
    }
    model_source_read(run, run->encoder.normed);
    const struct attn_operand x = {run->encoder.normed, count, width, width};
    for (size_t l = 0; l < config->layers; l++, all += each) {
        const struct model_matrix *const m = model->main.layer[l].matrix;
        run->cross_kv[l] = all;
        model_product(&run->means, x, &m[MODEL_M_CROSS_K], NULL,
                      (struct attn_matrix){all, count, q, row});
        model_product(&run->means, x, &m[MODEL_M_CROSS_V], NULL,
                      (struct attn_matrix){all + q, count, row - q, row});
    }
    return true;
}

static bool make_scratch(struct model_run *run, struct error *error)
{
    const size_t threads = attn_pool_threads(run->means.pool);
    size_t floats = 0;
    run->means.worker_floats = model_worker_floats(&run->model->config);
    if (run->means.worker_floats > 0 &&
        checked_multiply(run->means.worker_floats, threads, &floats)) {
        run->means.scratch = arena_array(&run->own, floats, sizeof *run->means.scratch);
    }
    if (run->means.scratch == NULL) {
        return no_memory(error);
    }
    attn_system_prefer_large_pages(run->means.scratch, floats * sizeof *run->means.scratch);
    return true;
}

static bool fill_run(struct model_run *run, const struct model_request *request,
                     struct error *error)
{
    const struct model *const model = run->model;
    const struct model_config *const config = &model->config;
    run->means.kernels = lab_engine_kernels(&request->engine, error);
    if (run->means.kernels == NULL || !make_scratch(run, error)) {
        return false;
    }
    run->layers = arena_array(&run->own, 1, sizeof *run->layers);
    if (run->layers == NULL || !model_interventions_copy(model, request->interventions, &run->own,
                                                         &run->main.interventions)) {
        return no_memory(error);
    }
    atomic_init(run->layers, 0);
    const size_t all = config->layers;
    if (model->encoder.count == 0) {
        const size_t some = request->layers > 0 && request->layers < all ? request->layers : all;
        return fill_pass(run, &run->main, request->ids, request->types, request->count, some,
                         error);
    }
    const uint32_t start = (uint32_t)config->start;
    const bool given = request->target_count > 0;
    return fill_pass(run, &run->encoder, request->ids, NULL, request->count, model->encoder.count,
                     error) &&
           make_cross(run, error) &&
           fill_pass(run, &run->main, given ? request->target_ids : &start, NULL,
                     given ? request->target_count : 1, all, error);
}

struct model_run *model_run_start(const struct model *model, const struct model_request *request,
                                  struct error *error)
{
    if (!model_request_check(model, request, error)) {
        return NULL;
    }
    struct model_run *const run = calloc(1, sizeof *run);
    if (run == NULL) {
        no_memory(error);
        return NULL;
    }
    *run = (struct model_run){.model = model,
                              .means.pool = request->engine.pool,
                              .main.stack = &model->main,
                              .encoder.stack = &model->encoder,
                              .visitor = request->visitor,
                              .on_layer = request->on_layer,
                              .listener = request->listener};
    atomic_init(&run->holders, 1);
    if (!fill_run(run, request, error)) {
        model_run_close(run);
        return NULL;
    }
    return run;
}

struct model_run *model_run_keep(struct model_run *run)
{
    atomic_fetch_add_explicit(&run->holders, 1, memory_order_relaxed);
    return run;
}

void model_run_close(struct model_run *run)
{
    if (run != NULL && atomic_fetch_sub_explicit(&run->holders, 1, memory_order_acq_rel) == 1) {
        arena_free(&run->main.arena);
        arena_free(&run->encoder.arena);
        arena_free(&run->own);
        free(run);
    }
}

struct model_interventions model_run_interventions(const struct model_run *run)
{
    return run->main.interventions;
}

/* Returns whether rows that were computed would be others in a text longer by one: every word sees
 * the new one, turns otherwise beyond the places of training, or has a mean over all words. */
static bool begins_anew(const struct model_run *run)
{
    const struct model_rotary *const rotary = &run->model->config.rotary[0];
    return run->main.stack->sees_all || !model_grows(run->main.interventions) ||
           (rotary->scaling == MODEL_SCALING_LONGROPE && run->main.count == rotary->original) ||
           (rotary->scaling == MODEL_SCALING_DYNAMIC && run->main.count >= rotary->original);
}

bool model_run_append(struct model_run *run, uint32_t id, struct error *error)
{
    const struct model_config *const config = &run->model->config;
    struct model_pass *const pass = &run->main;
    if (pass->count == config->positions) {
        return error_set(error, ERROR_INPUT, "The model has places for %zu tokens, all are taken.",
                         config->positions);
    }
    if (id >= config->vocabulary) {
        return error_set(error, ERROR_INPUT, "Token %lu does not exist: the model has %zu tokens.",
                         (unsigned long)id, config->vocabulary);
    }
    if (!model_run_go_on(run, config->layers, error) ||
        !model_pass_room(run, pass, pass->count + 1, error)) {
        return false;
    }
    pass->ids[pass->count] = id;
    pass->types[pass->count] = pass->count > 0 ? pass->types[pass->count - 1] : 0;
    if (!begins_anew(run)) {
        return model_pass_compute(run, pass, 1, config->layers, error);
    }
    const size_t count = pass->count + 1;
    pass->count = 0;
    for (size_t r = 0; r < 2; r++) {
        model_turns(&config->rotary[r], count, 0, count, pass->turns[r]);
    }
    if (!model_pass_compute(run, pass, count, config->layers, error)) {
        pass->count = 0; /* what was there is gone */
        return false;
    }
    return true;
}

void model_run_listen(struct model_run *run,
                      bool (*on_layer)(void *listener, size_t layer, size_t layers), void *listener)
{
    run->on_layer = on_layer;
    run->listener = listener;
}

bool model_run_write(struct model_run *run, size_t tokens, struct error *error)
{
    const struct model_config *const config = &run->model->config;
    float *const logits = malloc(config->vocabulary * sizeof *logits);
    bool done = logits != NULL ||
                error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
    for (size_t t = 0; done && t < tokens; t++) {
        size_t best = 0;
        done = model_run_logits(run, run->main.count - 1, 1, logits, error);
        for (size_t id = 1; done && id < config->vocabulary; id++) {
            best = logits[id] > logits[best] ? id : best;
        }
        if (done && best == config->end) {
            break;
        }
        done = done && model_run_append(run, (uint32_t)best, error);
    }
    free(logits);
    return done;
}

size_t model_run_layers(const struct model_run *run)
{
    return atomic_load_explicit(run->layers, memory_order_acquire);
}

size_t model_run_count(const struct model_run *run)
{
    return run->main.count;
}

const uint32_t *model_run_ids(const struct model_run *run)
{
    return run->main.ids;
}

size_t model_run_source_count(const struct model_run *run)
{
    return run->encoder.count;
}

const uint32_t *model_run_source_ids(const struct model_run *run)
{
    return run->encoder.ids;
}

const float *model_run_residual(const struct model_run *run, size_t layer)
{
    return run->main.residual[layer];
}

const float *model_run_source_residual(const struct model_run *run, size_t layer)
{
    return run->encoder.residual[layer];
}

/* ---- logits -------------------------------------------------------------------------------- */

/* The last rows as the output weights see them, in place or in `other`. */
static struct attn_operand finish_rows(const struct model_run *run, struct attn_matrix rows,
                                       float *other)
{
    const struct model *const model = run->model;
    const struct model_config *const config = &model->config;
    const struct attn_operand x = {rows.values, rows.rows, rows.cols, rows.stride};
    const struct attn_matrix second = {other, rows.rows, rows.cols, rows.cols};
    if (model->main.final_norm.gain != NULL) {
        model_normalise(&run->means, config, &model->main.final_norm, x, rows);
    }
    if (model->head_dense.tensor != NULL) {
        model_product(&run->means, x, &model->head_dense, &config->head_activation, second);
        model_normalise(&run->means, config, &model->head_norm,
                        (struct attn_operand){other, rows.rows, rows.cols, rows.cols}, rows);
    }
    for (size_t i = 0; config->logit_scale != 1.0F && i < rows.rows * rows.cols; i++) {
        rows.values[i] *= config->logit_scale;
    }
    if (model->embed_out.tensor == NULL) {
        return x;
    }
    model_product(&run->means, x, &model->embed_out, NULL,
                  (struct attn_matrix){other, rows.rows, config->embed, config->embed});
    return (struct attn_operand){other, rows.rows, config->embed, config->embed};
}

static void cap_logits(const struct model_run *run, float *logits, size_t count)
{
    const float cap = run->model->config.logit_cap;
    for (size_t i = 0; i < count; i++) {
        logits[i] /= cap;
    }
    attn_apply(run->means.kernels, ATTN_TANH, logits, count);
    for (size_t i = 0; i < count; i++) {
        logits[i] *= cap;
    }
}

bool model_rows_words(const struct model_run *run, float *rows, size_t count, float *out,
                      struct error *error)
{
    const struct model *const model = run->model;
    const size_t width = model->config.width, vocabulary = model->config.vocabulary;
    struct arena arena = {0};
    if (!model_has_logits(model)) {
        return error_set(error, ERROR_INPUT, "The model has no weights that give next words.");
    }
    float *const other = arena_array(&arena, count, width * sizeof *other);
    if (other == NULL) {
        return no_memory(error);
    }
    const struct attn_operand last =
        finish_rows(run, (struct attn_matrix){rows, count, width, width}, other);
    model_product(&run->means, last, &model->output, NULL,
                  (struct attn_matrix){out, count, vocabulary, vocabulary});
    if (model->config.logit_cap > 0) {
        cap_logits(run, out, count * vocabulary);
    }
    arena_free(&arena);
    return true;
}

bool model_run_words(const struct model_run *run, float *rows, size_t count, float *out,
                     struct error *error)
{
    struct model_run own = *run; /* with scratch of its own: others compute meanwhile */
    struct arena arena = {0};
    own.means.scratch = arena_array(&arena, attn_pool_threads(run->means.pool),
                                    (run->means.worker_floats + 1) * sizeof(float));
    const bool done = (own.means.scratch != NULL || no_memory(error)) &&
                      model_rows_words(&own, rows, count, out, error) &&
                      run->model->source->calls->whole(run->model->source, error);
    arena_free(&arena);
    return done;
}

bool model_run_logits(const struct model_run *run, size_t first, size_t count, float *out,
                      struct error *error)
{
    const struct model *const model = run->model;
    const size_t width = model->config.width;
    struct arena arena = {0};
    if (!model->source->calls->whole(model->source, error)) {
        return false;
    }
    float *const rows = arena_array(&arena, count, width * sizeof *rows);
    if (rows == NULL) {
        return no_memory(error);
    }
    memcpy(rows, run->main.residual[model->config.layers] + first * width,
           count * width * sizeof *rows);
    const bool done = model_rows_words(run, rows, count, out, error);
    arena_free(&arena);
    return done && model->source->calls->whole(model->source, error);
}
