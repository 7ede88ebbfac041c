/* cli/model_results.c — the answers of compute and info for a model. */
#include <stdio.h>
#include <string.h>

#include "cli/model.h"
#include "cli/results.h"
#include "file/kinds.h"
#include "why/weighted.h"

static const struct cli_model *model_of(const struct cli_results *results)
{
    return results->owner;
}

/* Says whether the keys are those of another text: in a model of two, queries are those of the
 * target. */
static bool has_source(const struct cli_results *results)
{
    return model_run_source_count(model_of(results)->subject.run) > 0;
}

static bool read_words(const struct cli_results *results, enum model_text text, const uint32_t *ids,
                       size_t count, const char *const **words, struct error *error)
{
    const char **const shown = arena_array(results->arena, count, sizeof *shown);
    bool done = shown != NULL;
    for (size_t i = 0; done && i < count; i++) {
        shown[i] = model_shown_of(model_of(results)->subject.model, text, ids[i], results->arena);
        done = shown[i] != NULL;
    }
    *words = shown;
    return done || error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
}

static bool read_tokens(struct cli_results *results, struct error *error)
{
    const struct model_run *const run = model_of(results)->subject.run;
    const size_t source = model_run_source_count(run);
    if (!read_words(results, MODEL_WRITTEN, model_run_ids(run), results->token_count,
                    &results->tokens, error)) {
        return false;
    }
    results->context_count = source;
    results->has_no_context = source == 0;
    return source == 0 || read_words(results, MODEL_READ, model_run_source_ids(run), source,
                                     &results->context, error);
}

static bool put_ids(struct cli_results *results, const char *name, const char *axes,
                    const uint32_t *from, size_t count, struct error *error)
{
    int64_t *const ids = arena_array(results->arena, count, sizeof *ids);
    for (size_t i = 0; ids != NULL && i < count; i++) {
        ids[i] = from[i];
    }
    const struct array array = array_of_whole_numbers(name, count, ids);
    cli_results_append(results, axes, &array);
    return ids != NULL ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
}

static bool add_ids(struct cli_results *results, struct error *error)
{
    const struct model_run *const run = model_of(results)->subject.run;
    return has_source(results) ? put_ids(results, "token_ids", "m", model_run_source_ids(run),
                                         results->context_count, error)
                               : put_ids(results, "token_ids", "n", model_run_ids(run),
                                         results->token_count, error);
}

static bool add_target_ids(struct cli_results *results, struct error *error)
{
    return !has_source(results) ||
           put_ids(results, "target_ids", "n", model_run_ids(model_of(results)->subject.run),
                   results->token_count, error);
}

/* Says whether --layer, or --head with its layer, leaves one layer. */
static bool picks_layer(const struct cli_options *options)
{
    const struct cli_value *const head = &options->value[CLI_HEAD];
    return options->value[CLI_LAYER].given || (head->given && head->text[0] == 'L');
}

/* Computes the first so many layers: a call computes no layer that it does not ask for. */
static bool compute_layers(const struct cli_results *results, size_t layers, struct error *error)
{
    const struct cli_model *const model = model_of(results);
    const struct subject_spot last = {.which = model->spot.which, .layer = layers - 1};
    return subject_compute(&model->subject, &last, error);
}

static bool compute_all(const struct cli_results *results, struct error *error)
{
    return compute_layers(results, model_config(model_of(results)->subject.model)->layers, error);
}

/* One attention in all layers. */
struct weights {
    const struct model_run *run;
    enum model_attention which;
    size_t heads, queries;
};

/* Fills one head at a time. */
static bool fill_weights(const void *owner, size_t first, size_t count, float *out,
                         struct error *error)
{
    const struct weights *const weights = owner;
    const size_t head = first / weights->queries;
    (void)count; /* it is a whole head */
    (void)error;
    model_run_weights_of(weights->run, weights->which, head / weights->heads, head % weights->heads,
                         out);
    return true;
}

/* Adds the weights of one attention, n queries and m keys, which are made when they are written.
 * Layers behind the chosen one are not computed. */
static bool put_weights(struct cli_results *results, const char *name, const char *axes,
                        enum model_attention which, struct error *error)
{
    const struct model_config *const config = model_config(model_of(results)->subject.model);
    const size_t heads = config->heads, own = results->token_count, source = results->context_count;
    const size_t layers = which == MODEL_ENCODER ? config->source_layers : config->layers;
    const size_t n = which == MODEL_ENCODER ? source : own, m = which == MODEL_SELF ? own : source;
    const bool one = picks_layer(results->options) && !has_source(results);
    struct weights *const weights = arena_alloc(results->arena, sizeof *weights);
    const struct array_filling filling = {fill_weights, weights, n};
    if (weights == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
    }
    *weights = (struct weights){model_of(results)->subject.run, which, heads, n};
    return cli_results_add_filled(results, name, axes, (const size_t[]){layers, heads, n, m},
                                  &filling, error) &&
           compute_layers(results, one ? model_of(results)->spot.layer + 1 : layers, error);
}

static bool add_weights(struct cli_results *results, struct error *error)
{
    return put_weights(results, "weights", has_source(results) ? "LHnn" : "LHnm", MODEL_SELF,
                       error);
}

static bool add_encoder_weights(struct cli_results *results, struct error *error)
{
    return !has_source(results) ||
           put_weights(results, "encoder_weights", "LHmm", MODEL_ENCODER, error);
}

static bool add_cross_weights(struct cli_results *results, struct error *error)
{
    return !has_source(results) ||
           put_weights(results, "cross_weights", "LHnm", MODEL_CROSS, error);
}

/* Fills the rows of a layer. */
static bool fill_residual(const void *owner, size_t first, size_t count, float *out,
                          struct error *error)
{
    const struct cli_model *const model = owner;
    const size_t layer = first / model_run_count(model->subject.run);
    (void)error;
    memcpy(out, model_run_residual(model->subject.run, layer),
           count * model_config(model->subject.model)->width * sizeof *out);
    return true;
}

static bool add_residual(struct cli_results *results, struct error *error)
{
    const struct model_config *const config = model_config(model_of(results)->subject.model);
    const size_t n = results->token_count;
    const struct array_filling filling = {fill_residual, model_of(results), n};
    return cli_results_add_filled(results, "residual", "lnd",
                                  (const size_t[]){config->layers + 1, n, config->width}, &filling,
                                  error) &&
           compute_all(results, error);
}

/* So many tokens that the output weights are unpacked seldom, and so few that all their logits fit
 * easily. */
enum { LOGITS_AT_ONCE = 64 };

static bool fill_logits(const void *owner, size_t first, size_t count, float *out,
                        struct error *error)
{
    return subject_logits(owner, first, count, out, error);
}

static bool add_logits(struct cli_results *results, struct error *error)
{
    const size_t n = results->token_count;
    const size_t vocabulary = model_config(model_of(results)->subject.model)->vocabulary;
    if (!model_has_logits(model_of(results)->subject.model)) {
        return true;
    }
    const struct array_filling filling = {fill_logits, &model_of(results)->subject, LOGITS_AT_ONCE};
    return cli_results_add_filled(results, "logits", "nV", (const size_t[]){n, vocabulary},
                                  &filling, error) &&
           compute_all(results, error);
}

/* Adds the measures that are named; they read every head. */
static bool add_measures(struct cli_results *results, struct error *error)
{
    const struct cli_model *const model = model_of(results);
    return !results->options->value[CLI_SELECT].given || !cli_wants_measures(results->options) ||
           (compute_all(results, error) &&
            cli_results_add_measures(results, &model->subject, model->spot.which, error));
}

/* Adds α · ‖v‖ or α · ‖v W_O‖ of every head. */
static bool put_weighted(struct cli_results *results, const char *name, enum why_weighted by,
                         struct error *error)
{
    const struct cli_model *const model = model_of(results);
    const struct model_config *const config = model_config(model->subject.model);
    const size_t n = results->token_count;
    float *const values = cli_results_add_array(
        results, name, "LHnn", (const size_t[]){config->layers, config->heads, n, n}, error);
    return values != NULL && compute_all(results, error) &&
           why_weighted_make(model->subject.run, model->subject.model, by, values, error);
}

static bool add_value_weights(struct cli_results *results, struct error *error)
{
    return put_weighted(results, "value_weights", WHY_WEIGHTED_BY_VALUE, error);
}

static bool add_output_weights(struct cli_results *results, struct error *error)
{
    return put_weighted(results, "output_weights", WHY_WEIGHTED_BY_OUTPUT, error);
}

static bool add_rollout(struct cli_results *results, struct error *error)
{
    const struct cli_model *const model = model_of(results);
    const size_t n = results->token_count, layers = model_config(model->subject.model)->layers;
    float *const values =
        cli_results_add_array(results, "rollout", "Lnn", (const size_t[]){layers, n, n}, error);
    return values != NULL && compute_all(results, error) &&
           why_rollout(model->subject.run, model->subject.model, values, error);
}

static bool add_of_model(struct cli_results *results, struct error *error)
{
    static const struct {
        const char *name;
        bool (*add)(struct cli_results *results, struct error *error);
        bool is_named; /* only where --select names it */
    } rows[] = {{"token_ids", add_ids, false},
                {"target_ids", add_target_ids, false},
                {"weights", add_weights, false},
                {"encoder_weights", add_encoder_weights, false},
                {"cross_weights", add_cross_weights, false},
                {"value_weights", add_value_weights, true},
                {"output_weights", add_output_weights, true},
                {"rollout", add_rollout, true},
                {"residual", add_residual, false},
                {"logits", add_logits, false}};
    bool made = true;
    for (size_t r = 0; made && r < sizeof rows / sizeof rows[0]; r++) {
        const size_t before = results->count;
        const bool wanted = cli_is_selected(results->options, rows[r].name) &&
                            (!rows[r].is_named || results->options->value[CLI_SELECT].given);
        made = !wanted || rows[r].add(results, error);
        if (made && wanted && results->options->value[CLI_SELECT].given &&
            results->count == before) {
            return error_set(error, ERROR_USAGE,
                             rows[r].add == add_logits
                                 ? "This model has no %s: it came without the weights that give "
                                   "words."
                                 : "This model has no %s: it is for those that read one text and "
                                   "write another.",
                             rows[r].name);
        }
    }
    return made;
}

/* Adds the steps around attention, each under its name. */
static bool add_block(struct cli_results *results, struct error *error)
{
    const struct cli_model *const model = model_of(results);
    struct lab_block *const block = subject_block(&model->subject, &model->spot, error);
    bool made = block != NULL;
    for (size_t s = 0; made && s < lab_block_facts(block).steps; s++) {
        const struct lab_block_step *const step = lab_block_step(block, s);
        const char *const name = arena_format(results->arena, "block_%s", step->name);
        const size_t shape[] = {results->token_count, step->cols};
        float *const values =
            name == NULL ? NULL : cli_results_add_array(results, name, "nd", shape, error);
        made = values != NULL;
        if (made) {
            memcpy(values, step->values, shape[0] * shape[1] * sizeof *values);
        }
    }
    lab_block_release(block);
    return made;
}

/* Adds weights and biases of the layer's attention. */
static bool add_layer_weights(struct cli_results *results, const struct lab_result *result,
                              struct error *error)
{
    const struct cli_model *const model = model_of(results);
    const struct lab_numbers *numbers = NULL;
    if (!model_layer_weights(model->subject.run, model->spot.which, model->spot.layer,
                             (enum lab_part)result->part, &numbers, error)) {
        return false;
    }
    if (numbers == NULL) {
        return error_set(error, ERROR_USAGE, "Layer %zu of this model has no %s.",
                         model->spot.layer + 1, result->name);
    }
    const size_t *const shape = lab_numbers_shape(numbers);
    float *const values = cli_results_add_array(results, result->name, result->axes, shape, error);
    if (values != NULL) {
        const size_t count = shape[0] * shape[1] * (lab_numbers_rank(numbers) == 3 ? shape[2] : 1);
        memcpy(values, lab_numbers_values(numbers), count * sizeof *values);
    }
    lab_numbers_release(numbers);
    return values != NULL;
}

/* Adds a copy of a result of the layer's trace, which is released afterwards. */
static bool add_of_trace(struct cli_results *results, const struct lab_trace *trace,
                         const struct lab_result *result, struct error *error)
{
    struct array array;
    if (!lab_result_array(trace, result, results->arena, &array, error)) {
        return false;
    }
    if (array.rank == 0 ||
        array.bytes.size == 0) { /* where queries and keys are normed or rebuilt */
        return !results->options->value[CLI_SELECT].given ||
               error_set(error, ERROR_USAGE,
                         "%s is a step of this layer’s block: --select block has it.",
                         result->name);
    }
    float *const values =
        cli_results_add_array(results, result->name, result->axes, array.shape, error);
    if (values != NULL) {
        memcpy(values, array.bytes.at, array.bytes.size);
    }
    return values != NULL;
}

/* Adds the results of the layer that --layer names. */
static bool add_layer(struct cli_results *results, struct error *error)
{
    const struct cli_model *const model = model_of(results);
    const bool named = results->options->value[CLI_SELECT].given;
    const struct lab_result *result = NULL;
    struct lab_trace *const trace =
        model_trace(model->subject.run, model->spot.which, model->spot.layer, error);
    bool made = trace != NULL;
    for (size_t r = 0; made && (result = lab_result_at(r)) != NULL; r++) {
        if (!cli_is_selected(results->options, result->name)) {
            continue;
        }
        if ((result->of & LAB_RESULT_OF_LAYER) != 0) {
            made = add_of_trace(results, trace, result, error);
        } else if ((result->of & LAB_RESULT_OF_LAYER_IF_NAMED) != 0 && named) {
            made = result->part == LAB_RESULT_OTHER ? add_block(results, error)
                                                    : add_layer_weights(results, result, error);
        }
    }
    lab_trace_release(trace);
    return made;
}

/* ---- writing ------------------------------------------------------------------------------- */

struct setting {
    const char *name;
    size_t number;
};

void cli_write_config(struct json_writer *json, const struct model *model)
{
    const struct model_config *const config = model_config(model);
    const struct setting settings[] = {
        {"layers", config->layers},
        {"heads", config->heads},
        {"d_model", config->width},
        {"kv_heads", config->groups},
        {"d_k", config->d_k},
        {"d_v", config->d_v},
        {"d_mlp", model_has_mlp(model) ? config->inner : 0},
        {"positions", config->positions == MODEL_PLACES_ENDLESS ? 0 : config->positions},
        {"experts", config->experts.count},
        {"experts_chosen", config->experts.chosen},
        {"vocabulary", config->vocabulary},
        {"parameters", model_parameters(model)},
    };
    json_begin_object(json);
    json_key(json, "model");
    json_put_text(json, config->family->name);
    for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
        if (settings[s].number > 0) { /* 0 would mean none, or no limit */
            json_key(json, settings[s].name);
            json_put_whole_number(json, (int64_t)settings[s].number);
        }
    }
    json_key(json, "activation");
    json_put_text(json, model_activation_name(config->activation));
    if (config->experts.limit > 0) {
        json_key(json, "gate_limit");
        json_put_float(json, config->experts.limit);
        json_key(json, "gate_factor");
        json_put_float(json, config->experts.slope);
    }
    json_key(json, "layer_norm_epsilon");
    json_put_float(json, config->epsilon);
    json_key(json, "scale");
    json_put_truth(json, config->scale);
    json_key(json, "scale_by_layer");
    json_put_truth(json, config->scale_by_layer);
    json_key(json, "tied");
    json_put_truth(json, config->tied);
    json_key(json, "biases");
    json_put_truth(json, config->biases != 0);
    json_key(json, "stored_as");
    json_put_text(json, model_tensor_type(model));
    json_key(json, "mask");
    json_put_text(json, config->bidirectional ? "none" : "causal");
    json_end_object(json);
}

void cli_write_ignored_members(struct json_writer *json, const struct model *model)
{
    const struct model_config *const config = model_config(model);
    const char *name = NULL;
    json_key(json, "ignored");
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t i = 0; (name = model_config_ignored_at(config, i)) != NULL; i++) {
        json_put_text(json, name);
    }
    json_end_array(json);
    if (config->ignored_count > config->ignored_listed) {
        json_key(json, "ignored_more");
        json_put_whole_number(json, (int64_t)(config->ignored_count - config->ignored_listed));
    }
}

void cli_write_unread_parts(struct json_writer *json, const struct model *model,
                            struct arena *arena)
{
    size_t count = 0;
    const char *const note = model_note(model, arena);
    const struct model_left_out *const left = model_left_out(model, &count);
    json_key(json, "note");
    json_put_text(json, note == NULL ? "" : note);
    json_key(json, "text_part");
    json_put_truth(json, model_config(model)->text_part);
    json_key(json, "gives_words");
    json_put_truth(json, model_has_logits(model));
    json_key(json, "left_out");
    json_begin_array(json, JSON_LINES);
    for (size_t i = 0; i < count; i++) {
        json_begin_object_in_line(json);
        json_key(json, "name");
        json_put_text(json, left[i].name);
        json_key(json, "tensors");
        json_put_whole_number(json, (int64_t)left[i].tensors);
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_settings(struct json_writer *json, const struct cli_results *results)
{
    json_key(json, "settings");
    cli_write_config(json, model_of(results)->subject.model);
    if (results->options->value[CLI_LAYER].given) {
        json_key(json, "layer"); /* from 0, as all in arrays */
        json_put_whole_number(json, (int64_t)model_of(results)->spot.layer);
    }
}

/* Keeps one layer with --layer, which adds its results, and with --head one head of it. */
static bool pick_head(struct cli_results *results, bool layer, struct error *error)
{
    const struct cli_model *const model = model_of(results);
    const struct model_config *const config = model_config(model->subject.model);
    const struct cli_value *const given = &results->options->value[CLI_HEAD];
    size_t head = 0;
    if (!cli_read_head_option(results->options, model->spot.layer, config->heads, &head, error)) {
        return false;
    }
    if (given->given && !layer && given->text[0] != 'L') {
        return error_set(
            error, ERROR_USAGE,
            "--head %.20s is a head of which layer? Add --layer, or write it as L0H%zu.",
            given->text, head);
    }
    if (picks_layer(results->options)) {
        cli_results_keep_one(results, 'L', model->spot.layer,
                             subject_sizes(&model->subject, model->spot.which).layers);
    }
    if (given->given) {
        cli_results_keep_one(results, 'H', head, config->heads);
    }
    return true;
}

bool cli_model_results(const struct cli_options *options, const struct cli_target *target,
                       struct arena *arena, struct error *error)
{
    struct cli_model model;
    const bool layer = options->value[CLI_LAYER].given;
    const unsigned of = LAB_RESULT_OF_MODEL | (layer ? LAB_RESULT_OF_LAYER : 0u);
    if (!cli_check_selection(options, of, error) ||
        !cli_check_given(options, CLI_SOURCE_MODEL, error) ||
        !cli_model_open(options, NULL, &model, error)) {
        return false;
    }
    struct cli_results results = {.options = options,
                                  .target = target,
                                  .arena = arena,
                                  .token_count = model_run_count(model.subject.run),
                                  .has_no_context = true,
                                  .put_settings = put_settings,
                                  .owner = &model};
    const bool made = read_tokens(&results, error) && add_of_model(&results, error) &&
                      add_measures(&results, error) && (!layer || add_layer(&results, error)) &&
                      pick_head(&results, layer, error) && cli_results_write(&results, error);
    if (made) {
        cli_model_warn_of_unread(options, &model);
        cli_print_verbose(options, "%zu of %zu layers computed",
                          model_run_layers(model.subject.run),
                          model_config(model.subject.model)->layers);
    }
    cli_model_close(&model);
    return made;
}

/* ---- info ---------------------------------------------------------------------------------- */

/* The model to list, or the tensors of a folder that cannot be computed. */
struct listed {
    const char *path;
    const struct model *model; /* NULL: it cannot be computed, for the reason in `why` */
    const char *why;
    const struct model_source *source; /* of the folder that cannot be computed */
};

static const struct model_tensor *tensor_at(const struct listed *listed, size_t index)
{
    return listed->model != NULL ? model_tensor_at(listed->model, index)
                                 : listed->source->calls->at(listed->source, index);
}

/* Writes how many numbers are stored as each type. */
static void put_stored_types(struct json_writer *json, const struct model *model)
{
    size_t count = 0;
    const char *type = NULL;
    json_key(json, "numbers_stored_as");
    json_begin_object(json);
    for (size_t i = 0; (type = model_stored_type(model, i, &count)) != NULL; i++) {
        json_key(json, type);
        json_put_whole_number(json, (int64_t)count);
    }
    json_end_object(json);
}

static bool info_as_json(const struct listed *listed, struct arena *arena, struct bytes *content,
                         struct error *error)
{
    struct json_writer json = json_writer_start(arena);
    json_begin_object(&json);
    json_key(&json, "file");
    json_put_text(&json, listed->path);
    json_key(&json, "kind");
    json_put_text(&json, file_kind_row(file_kind_of_path(listed->path))->name);
    json_key(&json, listed->model != NULL ? "model" : "refusal");
    if (listed->model != NULL) {
        cli_write_config(&json, listed->model);
        put_stored_types(&json, listed->model);
        cli_write_ignored_members(&json, listed->model);
        cli_write_unread_parts(&json, listed->model, arena);
    } else {
        json_put_text(&json, listed->why);
    }
    json_key(&json, "arrays");
    json_begin_array(&json, JSON_LINES);
    for (size_t t = 0; tensor_at(listed, t) != NULL; t++) {
        const struct model_tensor *const tensor = tensor_at(listed, t);
        cli_write_facts(&json, tensor->name, tensor->type, tensor->rank, tensor->shape);
    }
    json_end_array(&json);
    json_end_object(&json);
    return json_writer_finish(&json, content, error);
}

/* Writes "16 heads", and how many heads share keys and values. */
static const char *heads_text(const struct model_config *config, struct arena *arena)
{
    return config->groups == config->heads
               ? arena_format(arena, "%zu heads", config->heads)
               : arena_format(arena, "%zu heads (%zu of keys and values)", config->heads,
                              config->groups);
}

/* Describes the MLP, or the experts in its place, which all layers or some of them have. */
static const char *mlp_text(const struct model *model, struct arena *arena)
{
    const struct model_config *const config = model_config(model);
    const struct model_experts *const experts = &config->experts;
    const char *const function = model_activation_name(config->activation);
    const char *const gate = experts->limit > 0
                                 ? arena_format(arena, "%s, factor %.4g, clamped at %.4g", function,
                                                (double)experts->slope, (double)experts->limit)
                                 : function;
    if (!model_has_mlp(model)) {
        return "no MLP";
    }
    if (experts->count == 0 || gate == NULL) {
        return arena_format(arena, "MLP %zu (%s)", config->inner, function);
    }
    return arena_format(arena, "%zu experts, %zu for each word, MLP %zu (%s)", experts->count,
                        experts->chosen, experts->inner, gate);
}

/* Writes how many of its numbers are stored as each type: "Q4_K (88 %), Q6_K (12 %), float32 (below
 * 1 %)". */
static const char *stored_text(const struct model *model, struct arena *arena)
{
    const char *text = NULL, *type = NULL;
    size_t all = 0, count = 0;
    for (size_t i = 0; model_stored_type(model, i, &count) != NULL; i++) {
        all += count;
    }
    for (size_t i = 0; (type = model_stored_type(model, i, &count)) != NULL; i++) {
        const size_t percent = (count + all / 200) / (all / 100 > 0 ? all / 100 : 1);
        const char *const share = count == all ? type
                                  : percent == 0
                                      ? arena_format(arena, "%s (below 1 %%)", type)
                                      : arena_format(arena, "%s (%zu %%)", type, percent);
        text = text == NULL ? share : arena_format(arena, "%s, %s", text, share);
    }
    return text == NULL ? "" : text;
}

const char *cli_model_head(const char *path, const struct model *model, struct arena *arena)
{
    const struct model_config *const config = model_config(model);
    struct error why = {ERROR_NONE, 0, ""};
    const char *const no_text = model_reads_text(model, &why)
                                    ? ""
                                    : arena_format(arena, "  takes --ids, no text: %s\n",
                                                   cli_escape_controls(why.text, arena));
    const char *const said = model_note(model, arena);
    const char *const note = said == NULL || said[0] == '\0'
                                 ? ""
                                 : arena_format(arena, "  %s\n", cli_escape_controls(said, arena));
    const char *const heads = heads_text(config, arena), *const mlp = mlp_text(model, arena);
    const char *const places = config->positions == MODEL_PLACES_ENDLESS
                                   ? ""
                                   : arena_format(arena, "%zu places, ", config->positions);
    return arena_format(arena,
                        "%s: a model of the %s family\n"
                        "  %zu layers of %s, d_model %zu, d_k %zu, %s\n"
                        "  %s%zu tokens, %zu numbers stored as %s\n"
                        "%s%s",
                        cli_escape_controls(path, arena), config->family->title, config->layers,
                        heads == NULL ? "" : heads, config->width, config->d_k,
                        mlp == NULL ? "" : mlp, places == NULL ? "" : places, config->vocabulary,
                        model_parameters(model), stored_text(model, arena),
                        note == NULL ? "" : note, no_text == NULL ? "" : no_text);
}

const char *cli_tensor_row(const char *name, const char *type, size_t rank, const size_t *sides,
                           struct arena *arena)
{
    char shape[96] = "";
    for (size_t side = 0, at = 0; side < rank && at < sizeof shape; side++) {
        const int wrote =
            snprintf(shape + at, sizeof shape - at, "%s%zu", side == 0 ? "" : " × ", sides[side]);
        at += wrote > 0 ? (size_t)wrote : 0;
    }
    return arena_format(arena, "  %-28s %-8s  %s\n", cli_escape_controls(name, arena), type, shape);
}

static bool info_as_text(const struct listed *listed, struct arena *arena, struct bytes *content,
                         struct error *error)
{
    struct growing out = growing_start(arena);
    const char *const head =
        listed->model != NULL
            ? cli_model_head(listed->path, listed->model, arena)
            : arena_format(arena, "%s: a folder with a model, which cannot be computed\n  %s\n",
                           cli_escape_controls(listed->path, arena),
                           cli_escape_controls(listed->why, arena));
    growing_put_text(&out, head == NULL ? "" : head);
    for (size_t t = 0; tensor_at(listed, t) != NULL; t++) {
        const struct model_tensor *const tensor = tensor_at(listed, t);
        const char *const row =
            cli_tensor_row(tensor->name, tensor->type, tensor->rank, tensor->shape, arena);
        growing_put_text(&out, row == NULL ? "" : row);
    }
    if (arena->lacking) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to tell of the model.");
    }
    return growing_finish(&out, content, error);
}

bool cli_model_info(const struct cli_options *options, struct arena *arena, struct bytes *content,
                    struct error *error)
{
    struct error unread = {ERROR_NONE, 0, ""}; /* not reported: the model's error says more */
    struct model *const model = model_open(options->opened, error);
    if (model == NULL && error->code == ERROR_MEMORY) { /* it says nothing of the folder */
        return false;
    }
    struct model_source *const source =
        model == NULL ? model_source_safetensors(options->file, &unread) : NULL;
    const struct listed listed = {options->file, model, error->text, source};
    const bool said =
        (model != NULL || source != NULL) &&
        (options->value[CLI_JSON].given ? info_as_json(&listed, arena, content, error)
                                        : info_as_text(&listed, arena, content, error));
    if (source != NULL) {
        source->calls->close(source);
    }
    model_close(model);
    return said;
}
