/* cli/results.c — the arrays of a trace under the names that compute prints. */
#include "cli/results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file/json.h"
#include "lab/experiment_json.h"
#include "lab/flash.h"

static const uint64_t whole_max = (uint64_t)1 << 53;

enum { SCALED = LAB_PARTS, BEFORE, FLASH };

/* In the order in which they are printed. part: one of lab_part, or of those above. */
static const struct result {
    const char *name;
    int part;
    bool has_heads;
} table[] = {
    {"embeddings", BEFORE, false},
    {"X", LAB_EMBEDDINGS_X, false},
    {"X_context", LAB_CONTEXT_X, false},
    {"W_Q", LAB_W_Q, true},
    {"W_K", LAB_W_K, true},
    {"W_V", LAB_W_V, true},
    {"W_DKV", LAB_W_DKV, false},
    {"W_UK", LAB_W_UK, true},
    {"W_UV", LAB_W_UV, true},
    {"W_O", LAB_W_O, false},
    {"b_Q", LAB_B_Q, true},
    {"b_K", LAB_B_K, true},
    {"b_V", LAB_B_V, true},
    {"b_O", LAB_B_O, false},
    {"Q", LAB_Q, true},
    {"C", LAB_C, false},
    {"K", LAB_K, true},
    {"V", LAB_V, true},
    {"scores", LAB_SCORES, true},
    {"scaled", SCALED, true},
    {"weights", LAB_ALPHA, true},
    {"Z", LAB_Z, true},
    {"concat", LAB_CONCAT, false},
    {"output", LAB_OUTPUT_O, false},
    {"X_plus_output", LAB_RESIDUAL, false},
    {"flash", FLASH, true},
};

enum { RESULTS = sizeof table / sizeof table[0] };

static const char *result_name(size_t index)
{
    return index < RESULTS ? table[index].name : NULL;
}

bool cli_is_selected(const char *list, const char *name)
{
    if (list == NULL) {
        return true;
    }
    const size_t letters = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',' ? 1 : 0;
        if (strncmp(at, name, letters) == 0 && (at[letters] == ',' || at[letters] == '\0')) {
            return true;
        }
    }
    return false;
}

static bool check_selection(const char *list, struct error *error)
{
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',' ? 1 : 0;
        char name[32] = "";
        const size_t letters = strcspn(at, ",");
        memcpy(name, at, letters < sizeof name ? letters : sizeof name - 1);
        bool known = false;
        for (size_t r = 0; r < RESULTS; r++) {
            known = known || strcmp(name, table[r].name) == 0;
        }
        if (!known) {
            return cli_unknown(error, "result", name, result_name);
        }
    }
    return true;
}

static const float *scaled_of(const struct lab_trace *trace, struct arena *arena)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    float *const values = arena_array(arena, s.heads * s.n * s.m, sizeof *values);
    for (size_t h = 0; values != NULL && h < s.heads; h++) {
        for (size_t i = 0; i < s.n; i++) {
            for (size_t j = 0; j < s.m; j++) {
                values[(h * s.n + i) * s.m + j] = lab_trace_scaled(trace, h, i, j);
            }
        }
    }
    return values;
}

/* The matrices of all heads, which stand one behind the other in the trace. */
static bool matrix_of(const struct lab_trace *trace, int part, struct arena *arena,
                      struct lab_matrix *matrix)
{
    /* Before sinusoids are added, where there are any. */
    const bool waves = lab_trace_part(trace, LAB_EMBEDDED, 0).values != NULL;
    const enum lab_part from = part == SCALED            ? LAB_SCORES
                               : part == BEFORE && waves ? LAB_EMBEDDED
                               : part == BEFORE          ? LAB_EMBEDDINGS_X
                                                         : (enum lab_part)part;
    *matrix = lab_trace_part(trace, from, 0);
    if (part == SCALED) {
        matrix->values = scaled_of(trace, arena);
        return matrix->values != NULL;
    }
    return true;
}

/* All but the arrays. */
static struct cli_results results_about(const struct cli_options *options,
                                        const struct lab_trace *trace)
{
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    struct cli_results results = {
        .options = options,
        .trace = trace,
        .tokens = lab_trace_queries(trace),
        .token_count = sizes.n,
    };
    if (lab_trace_experiment(trace)->context != NULL) {
        results.context = lab_trace_keys(trace);
        results.context_count = sizes.m;
    }
    return results;
}

/* Tile by tile: for JSON an object, for tables two arrays more. */
static bool replay(const struct lab_trace *trace, struct arena *arena, struct cli_results *results,
                   struct error *error)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    const struct lab_sizes s = lab_trace_sizes(trace);
    if (experiment->flash_rows == 0) {
        return true;
    }
    float *most = NULL, *sum = NULL;
    for (size_t h = 0; h < s.heads; h++) {
        struct lab_flash flash;
        if (!lab_flash_replay(trace, h, experiment->flash_rows, experiment->flash_cols, arena,
                              &flash, error)) {
            return false;
        }
        const size_t floats = s.n * flash.col_blocks;
        if (h == 0) {
            const size_t shape[3] = {s.heads, s.n, flash.col_blocks};
            most = arena_array(arena, s.heads * floats, sizeof *most);
            sum = arena_array(arena, s.heads * floats, sizeof *sum);
            if (most == NULL || sum == NULL) {
                return error_set(error, ERROR_MEMORY, "There is not enough memory for the tiles.");
            }
            results->running_max = array_of_floats("flash_running_max", 3, shape, most);
            results->running_sum = array_of_floats("flash_running_sum", 3, shape, sum);
        }
        memcpy(most + h * floats, flash.running_max, floats * sizeof *most);
        memcpy(sum + h * floats, flash.running_sum, floats * sizeof *sum);
        results->flash_difference = fmaxf(results->flash_difference, flash.difference);
    }
    results->has_flash = true;
    return true;
}

bool cli_results_of(const struct cli_options *options, const struct lab_trace *trace,
                    struct arena *arena, struct cli_results *results, struct error *error)
{
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    const struct cli_value *const select = &options->value[CLI_SELECT];
    *results = results_about(options, trace);
    if (select->given && !check_selection(select->text, error)) {
        return false;
    }
    for (size_t r = 0; r < RESULTS; r++) {
        struct lab_matrix matrix;
        if (select->given && !cli_is_selected(select->text, table[r].name)) {
            continue;
        }
        if (table[r].part == FLASH) {
            if (!replay(trace, arena, results, error)) {
                return false;
            }
            continue;
        }
        if (!matrix_of(trace, table[r].part, arena, &matrix)) {
            return error_set(error, ERROR_MEMORY, "There is not enough memory for the results.");
        }
        if (matrix.values == NULL) {
            continue; /* this experiment has none */
        }
        const size_t matrices = table[r].part >= LAB_PARTS
                                    ? sizes.heads
                                    : lab_trace_matrices(trace, (enum lab_part)table[r].part);
        const size_t shape[3] = {matrices, matrix.rows, matrix.cols};
        results->array[results->count++] =
            array_of_floats(table[r].name, table[r].has_heads ? 3 : 2,
                            table[r].has_heads ? shape : shape + 1, matrix.values);
    }
    return true;
}

static void put_option(struct json_writer *json, const struct cli_options *options,
                       enum cli_option option, const char *otherwise)
{
    const struct cli_value *const value = &options->value[option];
    json_key(json, cli_option_row(option)->name);
    json_put_text(json, value->given ? value->text : otherwise);
}

static void put_sources(struct json_writer *json, const struct cli_results *results)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(results->trace);
    const bool raw = lab_trace_sizes(results->trace).raw;
    json_key(json, "lesson");
    json_put_text(json, experiment->lesson[0] == '\0' ? NULL : experiment->lesson);
    json_key(json, "tokens");
    json_put_texts(json, results->tokens, results->token_count);
    json_key(json, "context");
    if (results->context == NULL) {
        json_put_null(json);
    } else {
        json_put_texts(json, results->context, results->context_count);
    }
    /* A file stands there by its name. */
    put_option(json, results->options, CLI_PARAM(EMBEDDING),
               raw ? NULL : lab_embedding_name(experiment->embedding));
    put_option(json, results->options, CLI_PARAM(POSITIONS),
               lab_positions_row(experiment->positions)->name);
    put_option(json, results->options, CLI_PARAM(WEIGHTS),
               raw ? NULL : lab_weights_name(experiment->weights));
    char kind[LAB_KIND_TEXT_MAX], tiles[32] = "off";
    if (experiment->flash_rows > 0) {
        snprintf(tiles, sizeof tiles, "%zu,%zu", experiment->flash_rows, experiment->flash_cols);
    }
    json_key(json, "attention");
    json_put_text(json,
                  lab_kind_text(experiment->kind, lab_experiment_kind_number(experiment), kind));
    json_key(json, "flash");
    json_put_text(json, tiles);
    put_option(json, results->options, CLI_PARAM(Q), NULL);
    put_option(json, results->options, CLI_PARAM(K), NULL);
    put_option(json, results->options, CLI_PARAM(V), NULL);
}

/* How scores become the output, from the row of `normalise` on; what stands before it is put by
 * name above, at its place in the file. */
static void put_switches(struct json_writer *json, const struct lab_experiment *experiment)
{
    for (size_t p = LAB_PARAM_NORMALISE; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        const double value = lab_param_get(param, experiment);
        char text[LAB_PARAM_TEXT_MAX];
        if (param->option == NULL || param->type == LAB_TYPE_TILES) {
            continue;
        }
        json_key(json, param->option);
        if (param->type == LAB_TYPE_COUNT || param->type == LAB_TYPE_NUMBER) {
            json_put_float(json, (float)value);
        } else {
            json_put_text(json, lab_param_text(param, value, text));
        }
    }
    json_key(json, "edits"); /* numbers typed by hand, as lessons write them */
    lab_edits_put(json, experiment->edits, JSON_ONE_LINE);
}

/* As lessons have it: a text where a reader's double would lose digits. */
static void put_seed(struct json_writer *json, uint64_t seed)
{
    char digits[24];
    if (seed <= whole_max) {
        json_put_whole_number(json, (int64_t)seed);
        return;
    }
    snprintf(digits, sizeof digits, "%" PRIu64, seed);
    json_put_text(json, digits);
}

/* A mask from a file stands there by the file's name. */
static void put_mask(struct json_writer *json, const struct cli_results *results)
{
    const struct lab_mask_rule rule = lab_experiment_mask(lab_trace_experiment(results->trace));
    const struct cli_value *const given = &results->options->value[CLI_PARAM(MASK)];
    char text[LAB_MASK_TEXT_MAX];
    json_key(json, "mask");
    json_put_text(json, rule.kind == LAB_MASK_CUSTOM && given->given ? given->text
                                                                     : lab_mask_text(&rule, text));
}

static void put_settings(struct json_writer *json, const struct cli_results *results)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(results->trace);
    const struct lab_sizes sizes = lab_trace_sizes(results->trace);
    const struct {
        const char *name;
        size_t size;
    } whole[] = {{"d_model", sizes.d_model},
                 {"d_k", sizes.d_k},
                 {"d_v", sizes.d_v},
                 {"heads", sizes.heads},
                 {"kv_heads", sizes.kv_heads}};
    put_sources(json, results);
    json_key(json, "seed");
    put_seed(json, experiment->seed);
    json_key(json, "scale");
    json_put_text(json, experiment->scale ? "on" : "off");
    json_key(json, "temperature");
    json_put_float(json, experiment->temperature);
    put_mask(json, results);
    put_switches(json, experiment);
    for (size_t w = 0; w < sizeof whole / sizeof whole[0]; w++) {
        json_key(json, whole[w].name);
        json_put_whole_number(json, (int64_t)whole[w].size);
    }
    json_key(json, "scale_factor");
    json_put_float(json, sizes.factor);
}

/* What computed it; the results do not depend on it. */
static void put_machine(struct json_writer *json, const struct lab_trace *trace)
{
    const struct lab_run_facts facts = lab_trace_facts(trace);
    json_key(json, "isa");
    json_put_text(json, facts.isa);
    json_key(json, "threads");
    json_put_whole_number(json, (int64_t)facts.threads);
}

/* What was seen tile by tile, all heads. */
static void put_flash(struct json_writer *json, const struct cli_results *results)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(results->trace);
    json_key(json, "flash");
    json_begin_object(json);
    json_key(json, "block_rows");
    json_put_whole_number(json, (int64_t)experiment->flash_rows);
    json_key(json, "block_cols");
    json_put_whole_number(json, (int64_t)experiment->flash_cols);
    json_key(json, "max_abs_difference");
    json_put_float(json, results->flash_difference);
    json_key(json, "running_max");
    json_put_array(json, &results->running_max);
    json_key(json, "running_sum");
    json_put_array(json, &results->running_sum);
    json_end_object(json);
}

bool cli_results_json(const struct cli_results *results, struct arena *arena, struct bytes *content,
                      struct error *error)
{
    struct json_writer json = json_writer_start(arena);
    json_begin_object(&json);
    json_key(&json, "format");
    json_put_text(&json, "attnscope-trace");
    json_key(&json, "version");
    json_put_whole_number(&json, 1);
    json_key(&json, "tokens");
    json_put_texts(&json, results->tokens, results->token_count);
    json_key(&json, "context");
    if (results->context == NULL) {
        json_put_null(&json);
    } else {
        json_put_texts(&json, results->context, results->context_count);
    }
    json_key(&json, "settings");
    json_begin_object(&json);
    put_settings(&json, results);
    put_machine(&json, results->trace);
    json_end_object(&json);
    for (size_t a = 0; a < results->count; a++) {
        json_key(&json, results->array[a].name);
        json_put_array(&json, &results->array[a]);
    }
    if (results->has_flash) {
        put_flash(&json, results);
    }
    json_end_object(&json);
    return json_writer_finish(&json, content, error);
}
