/* cli/compute.c — every intermediate result of an experiment as JSON, CSV or npz. */
#include <stdio.h>
#include <string.h>

#include "cli/calls.h"
#include "cli/results.h"
#include "file/csv.h"
#include "file/npz.h"

static const struct suffix {
    const char *suffix;
    enum cli_table_format format;
} suffixes[] = {{".json", CLI_TABLE_JSON}, {".csv", CLI_TABLE_CSV}, {".npz", CLI_TABLE_NPZ}};

static bool choose_format(const struct cli_options *options, enum cli_table_format *format,
                          struct error *error)
{
    const struct cli_value *const given = &options->value[CLI_FORMAT];
    const char *const path = options->value[CLI_OUT].text;
    *format = CLI_TABLE_JSON;
    if (given->given) {
        if (given->whole < CLI_FORMAT_PICTURES) {
            *format = (enum cli_table_format)given->whole;
            return true;
        }
        return error_set(error, ERROR_USAGE, "compute writes json, csv or npz; pictures: render.");
    }
    const char *const dot = path == NULL ? NULL : strrchr(path, '.');
    for (size_t s = 0; dot != NULL && s < sizeof suffixes / sizeof suffixes[0]; s++) {
        if (strcmp(suffixes[s].suffix, dot) == 0) {
            *format = suffixes[s].format;
        }
    }
    return true;
}

static bool write_csv(const struct cli_results *results, struct arena *arena, struct bytes *content,
                      struct error *error)
{
    struct growing out = growing_start(arena);
    cli_put_words(&out, "tokens", results->tokens, results->token_count);
    if (results->context != NULL) {
        cli_put_words(&out, "context", results->context, results->context_count);
    }
    for (size_t a = 0; a < results->count; a++) {
        csv_put_array(&out, &results->array[a]);
    }
    return growing_finish(&out, content, error);
}

static bool write_as(enum cli_table_format format, const struct cli_results *results,
                     struct arena *arena, struct bytes *content, struct error *error)
{
    struct cli_results tables = *results; /* which hold no objects: arrays instead */
    if (results->has_flash) {
        tables.array[tables.count++] = results->running_max;
        tables.array[tables.count++] = results->running_sum;
    }
    switch (format) {
    case CLI_TABLE_CSV:
        return write_csv(&tables, arena, content, error);
    case CLI_TABLE_NPZ:
        return npz_write(tables.array, tables.count, arena, content, error);
    case CLI_TABLE_JSON:
        break;
    }
    return cli_results_json(results, arena, content, error);
}

static int write_content(const struct cli_options *options, enum cli_table_format format,
                         struct bytes content)
{
    const char *const path = options->value[CLI_OUT].text;
    return cli_write(path == NULL ? "-" : path, content, format == CLI_TABLE_NPZ);
}

/* FILE is the folder of a model, or holds attention. */
static int compute_model(const struct cli_options *options, enum cli_table_format format)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct bytes content;
    const int status = (cli_is_model(options) ? cli_model_results : cli_dump_results)(
                           options, format, &arena, &content, &error)
                           ? write_content(options, format, content)
                           : cli_fail(&error);
    arena_free(&arena);
    return status;
}

int cli_compute(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct cli_context asked;
    enum cli_table_format format;
    if (!choose_format(options, &format, &error)) {
        return cli_fail(&error);
    }
    if (cli_is_model(options) || cli_is_dump(options)) {
        return compute_model(options, format);
    }
    if (!cli_experiment(options, NULL, &asked, &error)) {
        return cli_fail(&error);
    }
    struct arena arena = {0};
    struct cli_results results;
    struct bytes content;
    struct lab_trace *const trace = cli_trace(options, &asked.experiment, &error);
    const bool made = trace != NULL && cli_results_of(options, trace, &arena, &results, &error) &&
                      write_as(format, &results, &arena, &content, &error);
    const int status = made ? write_content(options, format, content) : cli_fail(&error);
    lab_trace_release(trace);
    cli_context_release(&asked);
    arena_free(&arena);
    return status;
}
