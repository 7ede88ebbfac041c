/* cli/experiment_results.c — the answer of compute for an experiment. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/calls.h"
#include "cli/results.h"
#include "lab/experiment/experiment_json.h"
#include "lab/run/flash.h"

static const uint64_t whole_max = (uint64_t)1 << 53;

struct made {
    const struct lab_trace *trace;
    float flash_difference; /* the largest difference from Z, with --flash */
};

static const struct made *made_of(const struct cli_results *results)
{
    return results->owner;
}

/* ---- arrays --------------------------------------------------------------------------------- */

/* Writes the statistics of all tiles and heads. */
static void put_flash(struct json_writer *json, const struct cli_results *results)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(made_of(results)->trace);
    json_key(json, "flash");
    json_begin_object(json);
    json_key(json, "block_rows");
    json_put_whole_number(json, (int64_t)experiment->flash_rows);
    json_key(json, "block_cols");
    json_put_whole_number(json, (int64_t)experiment->flash_cols);
    json_key(json, "max_abs_difference");
    json_put_float(json, made_of(results)->flash_difference);
    json_key(json, "running_max");
    json_put_array(json, &results->array[results->count - 2]);
    json_key(json, "running_sum");
    json_put_array(json, &results->array[results->count - 1]);
    json_end_object(json);
}

/* Adds the running maximum and sum after every tile [heads][n][tiles of keys]: two arrays more in
 * tables, an object in JSON. */
static bool add_running_statistics(struct cli_results *results, struct made *made,
                                   struct error *error)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(made->trace);
    const struct lab_sizes s = lab_trace_sizes(made->trace);
    float *most = NULL, *sum = NULL;
    for (size_t h = 0; h < s.heads; h++) {
        struct lab_flash flash;
        if (!lab_flash_replay(made->trace, h, experiment->flash_rows, experiment->flash_cols,
                              results->arena, &flash, error)) {
            return false;
        }
        const size_t floats = s.n * flash.col_blocks;
        const size_t shape[3] = {s.heads, s.n, flash.col_blocks};
        if (h == 0) {
            most = cli_results_add_array(results, "flash_running_max", "Hnt", shape, error);
            sum = most == NULL
                      ? NULL
                      : cli_results_add_array(results, "flash_running_sum", "Hnt", shape, error);
        }
        if (sum == NULL) {
            return false;
        }
        memcpy(most + h * floats, flash.running_max, floats * sizeof *most);
        memcpy(sum + h * floats, flash.running_sum, floats * sizeof *sum);
        made->flash_difference = fmaxf(made->flash_difference, flash.difference);
    }
    results->in_last = 2;
    results->put_last = put_flash;
    return true;
}

/* Adds the results that this experiment has, and of these the ones that --select names. */
static bool add_arrays(struct cli_results *results, struct made *made, struct error *error)
{
    const bool tiled = lab_trace_experiment(made->trace)->flash_rows > 0;
    const struct lab_result *result = NULL;
    for (size_t r = 0; (result = lab_result_at(r)) != NULL; r++) {
        struct array array;
        if ((result->of & LAB_RESULT_OF_EXPERIMENT) == 0 ||
            !cli_is_selected(results->options, result->name)) {
            continue;
        }
        if (result->part == LAB_RESULT_FLASH) {
            if (tiled && !add_running_statistics(results, made, error)) {
                return false;
            }
        } else if (!lab_result_array(made->trace, result, results->arena, &array, error)) {
            return false;
        } else if (array.bytes.at != NULL) {
            cli_results_append(results, result->axes, &array);
        }
    }
    return true;
}

/* ---- settings ------------------------------------------------------------------------------- */

static void put_option(struct json_writer *json, const struct cli_options *options,
                       enum cli_option option, const char *otherwise)
{
    const struct cli_value *const value = &options->value[option];
    json_key(json, cli_option_row(option)->name);
    json_put_text(json, value->given ? value->text : otherwise);
}

static void put_sources(struct json_writer *json, const struct cli_results *results)
{
    const struct lab_trace *const trace = made_of(results)->trace;
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    const bool raw = lab_trace_sizes(trace).raw;
    json_key(json, "lesson");
    json_put_text(json, experiment->lesson[0] == '\0' ? NULL : experiment->lesson);
    cli_write_words(json, "tokens", results->tokens, results->token_count);
    cli_write_words(json, "context", results->context, results->context_count);
    /* A file is written as its name. */
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

/* Writes the switches between scores and output, from the row of `normalise` on. Earlier ones are
 * written by name above, at their places in the file, except those that are not as usual. */
static void put_switches(struct json_writer *json, const struct lab_experiment *experiment)
{
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        const double value = lab_param_get(param, experiment);
        const bool of_positions = param->needs == LAB_PARAM_POSITIONS;
        const bool usual = of_positions ? !lab_param_applies(param, experiment) ||
                                              !(fabs(value - param->standard) > 0)
                                        : param->type != LAB_TYPE_SWITCH || p == LAB_PARAM_SCALE ||
                                              (value > 0) == (param->standard > 0);
        char text[LAB_PARAM_TEXT_MAX];
        if (param->option == NULL || param->type == LAB_TYPE_TILES ||
            (p < LAB_PARAM_NORMALISE && usual)) {
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

/* Writes the seed as lessons have it: as a text where a reader's double would lose digits. */
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

/* Writes the mask; a mask from a file is written as the file's name. */
static void put_mask(struct json_writer *json, const struct cli_results *results)
{
    const struct lab_mask_rule rule =
        lab_experiment_mask(lab_trace_experiment(made_of(results)->trace));
    const struct cli_value *const given = &results->options->value[CLI_PARAM(MASK)];
    char text[LAB_MASK_TEXT_MAX];
    json_key(json, "mask");
    json_put_text(json, rule.kind == LAB_MASK_CUSTOM && given->given ? given->text
                                                                     : lab_mask_text(&rule, text));
}

static void put_settings(struct json_writer *json, const struct cli_results *results)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(made_of(results)->trace);
    const struct lab_sizes sizes = lab_trace_sizes(made_of(results)->trace);
    const struct {
        const char *name;
        size_t size;
    } whole[] = {{"d_model", sizes.d_model},
                 {"d_k", sizes.d_k},
                 {"d_v", sizes.d_v},
                 {"heads", sizes.heads},
                 {"kv_heads", sizes.kv_heads}};
    json_key(json, "settings");
    json_begin_object(json);
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
    json_end_object(json);
}

/* Keeps all heads, or the one that is asked for. */
static bool pick_head(struct cli_results *results, const struct cli_context *context,
                      struct error *error)
{
    const size_t heads = lab_trace_sizes(results->trace).heads;
    const bool given = results->options->value[CLI_HEAD].given;
    size_t head = 0;
    if (!cli_read_head_option(results->options, context->experiment.layer, heads, &head, error)) {
        return false;
    }
    if (given) {
        cli_results_keep_one(results, 'H', head, heads);
    }
    return true;
}

bool cli_experiment_results(const struct cli_options *options, const struct cli_target *target,
                            struct arena *arena, struct error *error)
{
    struct cli_context context;
    if (!cli_check_selection(options, LAB_RESULT_OF_EXPERIMENT, error) ||
        !cli_experiment(options, NULL, &context, error)) {
        return false;
    }
    struct made made = {.trace = cli_compute_trace(options, &context.experiment, error)};
    struct cli_results results = {.options = options,
                                  .target = target,
                                  .arena = arena,
                                  .trace = made.trace,
                                  .put_settings = put_settings,
                                  .owner = &made};
    bool done = made.trace != NULL;
    if (done) {
        const struct lab_sizes sizes = lab_trace_sizes(made.trace);
        results.tokens = lab_trace_queries(made.trace);
        results.token_count = sizes.n;
        if (lab_trace_experiment(made.trace)->context != NULL) {
            results.context = lab_trace_keys(made.trace);
            results.context_count = sizes.m;
        }
        done = add_arrays(&results, &made, error) && cli_check_results(&results, error) &&
               pick_head(&results, &context, error) && cli_results_write(&results, error);
    }
    lab_trace_release(made.trace);
    cli_context_release(&context);
    return done;
}
