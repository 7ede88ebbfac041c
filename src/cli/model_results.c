/* cli/model_results.c — what compute and info say of a model. */
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "cli/model.h"
#include "cli/results.h"
#include "file/csv.h"
#include "file/json.h"
#include "file/npz.h"

enum { ARRAYS_MOST = 16 };

/* What a model made of a text, under the names that compute prints. */
struct results {
    const struct cli_options *options;
    const struct cli_model *model;
    const char *const *tokens;
    size_t n;
    struct array array[ARRAYS_MOST];
    size_t count;
    struct arena *arena;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY,
                     "There is not enough memory for these results: --select names fewer.");
}

static bool is_wanted(const struct results *results, const char *name)
{
    return cli_is_selected(results->options->value[CLI_SELECT].text, name);
}

/* Room for an array of that shape, which becomes one of the results. NULL: no memory. */
static float *add(struct results *results, const char *name, size_t rank, const size_t *shape)
{
    size_t count = 1;
    for (size_t axis = 0; axis < rank; axis++) {
        if (!checked_multiply(count, shape[axis], &count)) {
            return NULL;
        }
    }
    float *const values = arena_array(results->arena, count, sizeof *values);
    if (values != NULL) {
        results->array[results->count++] = array_of_floats(name, rank, shape, values);
    }
    return values;
}

static bool read_tokens(struct results *results, struct error *error)
{
    const struct gpt2_run *const run = results->model->run;
    const char **const tokens = arena_array(results->arena, results->n, sizeof *tokens);
    for (size_t i = 0; tokens != NULL && i < results->n; i++) {
        tokens[i] =
            bpe_shown(gpt2_tokenizer(results->model->model), gpt2_run_ids(run)[i], results->arena);
        if (tokens[i] == NULL) {
            return no_memory(error);
        }
    }
    results->tokens = tokens;
    return tokens != NULL || no_memory(error);
}

static bool add_ids(struct results *results, struct error *error)
{
    if (!is_wanted(results, "token_ids")) {
        return true;
    }
    float *const ids = add(results, "token_ids", 1, (const size_t[]){results->n});
    for (size_t i = 0; ids != NULL && i < results->n; i++) {
        ids[i] = (float)gpt2_run_ids(results->model->run)[i];
    }
    return ids != NULL || no_memory(error);
}

static bool add_weights(struct results *results, struct error *error)
{
    const struct gpt2_config *const config = gpt2_config(results->model->model);
    const size_t n = results->n, heads = config->heads;
    if (!is_wanted(results, "weights")) {
        return true;
    }
    float *const weights =
        add(results, "weights", 4, (const size_t[]){config->layers, heads, n, n});
    for (size_t h = 0; weights != NULL && h < config->layers * heads; h++) {
        gpt2_run_weights(results->model->run, h / heads, h % heads, weights + h * n * n);
    }
    return weights != NULL || no_memory(error);
}

static bool add_residual(struct results *results, struct error *error)
{
    const struct gpt2_config *const config = gpt2_config(results->model->model);
    const size_t floats = results->n * config->width;
    if (!is_wanted(results, "residual")) {
        return true;
    }
    float *const residual = add(results, "residual", 3,
                                (const size_t[]){config->layers + 1, results->n, config->width});
    for (size_t l = 0; residual != NULL && l <= config->layers; l++) {
        memcpy(residual + l * floats, gpt2_run_residual(results->model->run, l),
               floats * sizeof *residual);
    }
    return residual != NULL || no_memory(error);
}

static bool add_logits(struct results *results, struct error *error)
{
    const size_t vocabulary = gpt2_config(results->model->model)->vocabulary;
    if (!is_wanted(results, "logits")) {
        return true;
    }
    float *const logits = add(results, "logits", 2, (const size_t[]){results->n, vocabulary});
    return logits != NULL ? gpt2_run_logits(results->model->run, 0, results->n, logits, error)
                          : no_memory(error);
}

/* A part of the layer that --layer names. Scaled scores are not kept, but derived. */
static bool add_part(struct results *results, const struct lab_trace *trace, const char *name,
                     int part, bool of_heads)
{
    const bool scaled = part == LAB_PARTS;
    const enum lab_part from = scaled ? LAB_SCORES : (enum lab_part)part;
    const struct lab_matrix first = lab_trace_part(trace, from, 0);
    const size_t heads = of_heads ? lab_trace_sizes(trace).heads : 1;
    const size_t shape[] = {heads, first.rows, first.cols}, floats = first.rows * first.cols;
    float *const values = add(results, name, of_heads ? 3 : 2, shape + !of_heads);
    for (size_t h = 0; values != NULL && h < heads; h++) {
        const struct lab_matrix matrix = lab_trace_part(trace, from, h);
        for (size_t i = 0; i < floats; i++) {
            values[h * floats + i] =
                scaled ? lab_trace_scaled(trace, h, i / first.cols, i % first.cols)
                       : lab_matrix_at(&matrix, i / first.cols, i % first.cols);
        }
    }
    return values != NULL;
}

static bool add_layer(struct results *results, struct error *error)
{
    static const struct {
        const char *name;
        int part; /* LAB_PARTS: scaled scores */
        bool of_heads;
    } parts[] = {{"Q", LAB_Q, true},
                 {"K", LAB_K, true},
                 {"V", LAB_V, true},
                 {"scores", LAB_SCORES, true},
                 {"scaled", LAB_PARTS, true},
                 {"Z", LAB_Z, true},
                 {"concat", LAB_CONCAT, false},
                 {"output", LAB_OUTPUT_O, false}};
    if (!results->options->value[CLI_LAYER].given) {
        return true;
    }
    struct lab_trace *const trace = gpt2_trace(results->model->run, results->model->layer, error);
    bool made = trace != NULL;
    for (size_t p = 0; made && p < sizeof parts / sizeof parts[0]; p++) {
        made = !is_wanted(results, parts[p].name) ||
               add_part(results, trace, parts[p].name, parts[p].part, parts[p].of_heads) ||
               no_memory(error);
    }
    lab_trace_release(trace);
    return made;
}

/* ---- written ------------------------------------------------------------------------------- */

struct setting {
    const char *name;
    size_t number;
};

static void put_settings(struct json_writer *json, const struct gpt2 *model)
{
    const struct gpt2_config *const config = gpt2_config(model);
    const struct setting settings[] = {
        {"layers", config->layers},
        {"heads", config->heads},
        {"d_model", config->width},
        {"d_k", config->width / config->heads},
        {"d_v", config->width / config->heads},
        {"d_mlp", config->inner},
        {"positions", config->positions},
        {"vocabulary", config->vocabulary},
        {"parameters", gpt2_parameters(model)},
    };
    json_begin_object(json);
    json_key(json, "model");
    json_put_text(json, "gpt2");
    for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
        json_key(json, settings[s].name);
        json_put_whole_number(json, (int64_t)settings[s].number);
    }
    json_key(json, "activation");
    json_put_text(json, gpt2_activation_name(config->activation));
    json_key(json, "layer_norm_epsilon");
    json_put_float(json, config->epsilon);
    json_key(json, "scale");
    json_put_truth(json, config->scale);
    json_key(json, "scale_by_layer");
    json_put_truth(json, config->scale_by_layer);
    json_key(json, "tied");
    json_put_truth(json, config->tied);
    json_key(json, "biases");
    json_put_truth(json, true);
    json_key(json, "stored_as");
    json_put_text(json, array_type_name(gpt2_type(model)));
    json_key(json, "mask");
    json_put_text(json, "causal");
    json_end_object(json);
}

static bool write_json(const struct results *results, struct bytes *content, struct error *error)
{
    struct json_writer json = json_writer_start(results->arena);
    json_begin_object(&json);
    json_key(&json, "format");
    json_put_text(&json, "attnscope-trace");
    json_key(&json, "version");
    json_put_whole_number(&json, 1);
    json_key(&json, "tokens");
    json_put_texts(&json, results->tokens, results->n);
    json_key(&json, "settings");
    put_settings(&json, results->model->model);
    if (results->options->value[CLI_LAYER].given) {
        json_key(&json, "layer"); /* from 0, as all in arrays */
        json_put_whole_number(&json, (int64_t)results->model->layer);
    }
    for (size_t a = 0; a < results->count; a++) {
        json_key(&json, results->array[a].name);
        json_put_array(&json, &results->array[a]);
    }
    json_end_object(&json);
    return json_writer_finish(&json, content, error);
}

static bool write_csv(const struct results *results, struct bytes *content, struct error *error)
{
    struct growing out = growing_start(results->arena);
    cli_put_words(&out, "tokens", results->tokens, results->n);
    for (size_t a = 0; a < results->count; a++) {
        csv_put_array(&out, &results->array[a]);
    }
    return growing_finish(&out, content, error);
}

static bool check_selection(const char *list, bool layer, struct error *error)
{
    static const char *const names[] = {"token_ids", "weights", "residual", "logits",
                                        "Q",         "K",       "V",        "scores",
                                        "scaled",    "Z",       "concat",   "output"};
    enum { OF_THE_MODEL = 4, ALL = sizeof names / sizeof names[0] };
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',' ? 1 : 0;
        const size_t letters = strcspn(at, ",");
        size_t name = 0;
        while (name < ALL &&
               (strlen(names[name]) != letters || strncmp(names[name], at, letters) != 0)) {
            name++;
        }
        if (name == ALL) {
            return error_set(error, ERROR_USAGE,
                             "A model has no result “%.*s”: token_ids, weights, residual, logits; "
                             "with --layer Q, K, V, scores, scaled, Z, concat, output.",
                             letters < 30 ? (int)letters : 30, at);
        }
        if (name >= OF_THE_MODEL && !layer) {
            return error_set(error, ERROR_USAGE, "%s is a result of one layer: --layer names it.",
                             names[name]);
        }
    }
    return true;
}

bool cli_model_results(const struct cli_options *options, enum cli_table_format format,
                       struct arena *arena, struct bytes *content, struct error *error)
{
    struct cli_model model;
    if (!check_selection(options->value[CLI_SELECT].text, options->value[CLI_LAYER].given, error) ||
        !cli_model_open(options, &model, error)) {
        return false;
    }
    struct results results = {
        .options = options, .model = &model, .n = gpt2_run_count(model.run), .arena = arena};
    bool made = read_tokens(&results, error) && add_ids(&results, error) &&
                add_weights(&results, error) && add_residual(&results, error) &&
                add_logits(&results, error) && add_layer(&results, error);
    if (made) {
        made = format == CLI_TABLE_JSON ? write_json(&results, content, error)
               : format == CLI_TABLE_CSV
                   ? write_csv(&results, content, error)
                   : npz_write(results.array, results.count, arena, content, error);
    }
    cli_model_close(&model);
    return made;
}

/* ---- info ---------------------------------------------------------------------------------- */

static void put_tensor(struct json_writer *json, const struct array *tensor)
{
    json_begin_object_in_line(json);
    json_key(json, "name");
    json_put_text(json, tensor->name);
    json_key(json, "type");
    json_put_text(json, array_type_name(tensor->type));
    json_key(json, "shape");
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t axis = 0; axis < tensor->rank; axis++) {
        json_put_whole_number(json, (int64_t)tensor->shape[axis]);
    }
    json_end_array(json);
    json_end_object(json);
}

static bool info_as_json(const char *path, const struct gpt2 *model, struct arena *arena,
                         struct bytes *content, struct error *error)
{
    struct json_writer json = json_writer_start(arena);
    json_begin_object(&json);
    json_key(&json, "file");
    json_put_text(&json, path);
    json_key(&json, "kind");
    json_put_text(&json, "model");
    json_key(&json, "model");
    put_settings(&json, model);
    json_key(&json, "arrays");
    json_begin_array(&json, JSON_LINES);
    for (size_t t = 0; gpt2_tensor_at(model, t) != NULL; t++) {
        put_tensor(&json, gpt2_tensor_at(model, t));
    }
    json_end_array(&json);
    json_end_object(&json);
    return json_writer_finish(&json, content, error);
}

static bool info_as_text(const char *path, const struct gpt2 *model, struct arena *arena,
                         struct bytes *content, struct error *error)
{
    const struct gpt2_config *const config = gpt2_config(model);
    struct growing out = growing_start(arena);
    const char *const head =
        arena_format(arena,
                     "%s: a model of the GPT-2 family\n"
                     "  %zu layers of %zu heads, d_model %zu, d_k %zu, MLP %zu (%s)\n"
                     "  %zu places, %zu tokens, %zu numbers stored as %s\n",
                     cli_visible(path, arena), config->layers, config->heads, config->width,
                     config->width / config->heads, config->inner,
                     gpt2_activation_name(config->activation), config->positions,
                     config->vocabulary, gpt2_parameters(model), array_type_name(gpt2_type(model)));
    growing_put_text(&out, head == NULL ? "" : head);
    for (size_t t = 0; gpt2_tensor_at(model, t) != NULL; t++) {
        const struct array *const tensor = gpt2_tensor_at(model, t);
        const char *const row =
            arena_format(arena, "  %-28s %-8s  %s\n", cli_visible(tensor->name, arena),
                         array_type_name(tensor->type), array_shape_text(tensor, " × ", arena));
        growing_put_text(&out, row == NULL ? "" : row);
    }
    return growing_finish(&out, content, error);
}

bool cli_model_info(const struct cli_options *options, struct arena *arena, struct bytes *content,
                    struct error *error)
{
    struct gpt2 *const model = gpt2_open(options->file, error);
    const bool said =
        model != NULL && (options->value[CLI_JSON].given
                              ? info_as_json(options->file, model, arena, content, error)
                              : info_as_text(options->file, model, arena, content, error));
    gpt2_close(model);
    return said;
}
