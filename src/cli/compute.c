/* cli/compute.c — every intermediate result of an experiment, a model or a file of attention. */
#include <string.h>

#include "cli/calls.h"
#include "cli/results.h"

static bool choose_format(const struct cli_options *options, size_t *format, struct error *error)
{
    const struct cli_value *const given = &options->value[CLI_FORMAT];
    const char *const path = options->value[CLI_OUT].text;
    const char *const dot = path == NULL ? NULL : strrchr(path, '.');
    *format = 0;
    if (given->given && given->whole >= CLI_FORMAT_PICTURES) {
        return error_set(error, ERROR_USAGE, "compute writes json, csv or npz; pictures: render.");
    }
    for (size_t f = 0; cli_result_format_name(f) != NULL; f++) {
        if (given->given ? given->whole == f
                         : dot != NULL && strcmp(cli_result_format_name(f), dot + 1) == 0) {
            *format = f;
        }
    }
    return true;
}

int cli_compute(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct bytes content;
    size_t format = 0;
    const char *const path = options->value[CLI_OUT].text;
    bool (*const results)(const struct cli_options *, size_t, struct arena *, struct bytes *,
                          struct error *) = cli_is_model(options)  ? cli_model_results
                                            : cli_is_dump(options) ? cli_dump_results
                                                                   : cli_experiment_results;
    const int status =
        choose_format(options, &format, &error) &&
                results(options, format, &arena, &content, &error)
            ? cli_write(path == NULL ? "-" : path, content, cli_result_format_is_binary(format))
            : cli_fail(&error);
    arena_free(&arena);
    return status;
}
