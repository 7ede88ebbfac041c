/* cli/compute.c — every intermediate result of an experiment, a model or a file of attention. */
#include "cli/calls.h"
#include "cli/results.h"
#include "cli/subject.h"

int cli_compute(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    const char *const path = options->value[CLI_OUT].text;
    struct cli_target target = {0, path == NULL ? "-" : path};
    const bool done = cli_result_format(options, &target.format, &error) &&
                      cli_check_decimals(options, target.format, &error) &&
                      options->subject->results(options, &target, &arena, &error);
    arena_free(&arena);
    return done ? CLI_DONE : cli_fail(&error);
}
