/* cli/cli.c — which call it is. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "cli/calls.h"

static const struct verb {
    const char *name;
    unsigned call;
    int (*run)(const struct cli_options *options); /* NULL: not in this version */
} verbs[] = {
    {"compute", CALL_COMPUTE, cli_compute},
    {"render", CALL_RENDER, cli_render},
    {"describe", CALL_DESCRIBE, cli_describe},
    {"lessons", CALL_LESSONS, cli_lessons},
    {"info", 0, NULL},
    {"bench", CALL_BENCH, cli_bench},
    {"completion", 0, NULL},
};

enum { VERBS = sizeof verbs / sizeof verbs[0] };

static const char *verb_name(size_t index)
{
    return index < VERBS ? verbs[index].name : NULL;
}

static const struct verb *find_verb(const char *name)
{
    for (size_t v = 0; v < VERBS; v++) {
        if (strcmp(verbs[v].name, name) == 0) {
            return &verbs[v];
        }
    }
    return NULL;
}

static int run_verb(const struct verb *verb, int argc, char **argv)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct cli_options options;
    if (verb->run == NULL) {
        error_set(&error, ERROR_USAGE, "\"%s\" is not supported in this version.", verb->name);
        return cli_fail(&error);
    }
    if (!cli_options_read(&options, verb->call, argc, argv, 2, &error)) {
        return cli_fail(&error);
    }
    return options.value[CLI_HELP].given ? cli_help(verb->call) : verb->run(&options);
}

/* An argument that is neither a file nor a call: was one of the calls meant? */
static bool check_file(const struct cli_options *options, struct error *error)
{
    const char *const file = options->file;
    if (file == NULL || strpbrk(file, "./\\") != NULL || cli_nearest(file, verb_name) == NULL) {
        return true;
    }
    return cli_unknown(error, "call", file, verb_name);
}

static bool fill_window(const struct cli_options *options, struct cli_window *window,
                        struct error *error)
{
    struct cli_asked asked;
    const struct cli_value *const value = options->value;
    if (!check_file(options, error) || !cli_experiment(options, "cats", &asked, error)) {
        return false;
    }
    *window = (struct cli_window){
        .experiment = asked.experiment,
        .stage = asked.stage,
        .selection = asked.selection,
        .dark_given = value[CLI_THEME].given,
        .dark = value[CLI_THEME].given && strcmp(value[CLI_THEME].text, "dark") == 0,
    };
    if (value[CLI_SIZE].given) {
        window->window.width = (int)value[CLI_SIZE].number;
        window->window.height = (int)value[CLI_SIZE].second;
    }
    window->window.ui_scale = (float)value[CLI_SCALE].number;
    window->window.renderer = (enum app_renderer)value[CLI_RENDERER].whole;
    const char *const isa = value[CLI_ISA].text;
    snprintf(window->isa, sizeof window->isa, "%s", isa == NULL ? "" : isa);
    return true;
}

int cli_main(int argc, char **argv, struct cli_window *window)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct cli_options options;
    const struct verb *const verb = argc > 1 ? find_verb(argv[1]) : NULL;
    if (verb != NULL) {
        return run_verb(verb, argc, argv);
    }
    if (!cli_options_read(&options, CALL_WINDOW, argc, argv, 1, &error)) {
        return cli_fail(&error);
    }
    const struct {
        enum cli_option option;
        int (*run)(const struct cli_options *options);
    } asides[] = {{CLI_VERSION, cli_version}, {CLI_LIST, cli_list}};
    if (options.value[CLI_HELP].given) {
        return cli_help(CALL_WINDOW);
    }
    for (size_t a = 0; a < sizeof asides / sizeof asides[0]; a++) {
        if (options.value[asides[a].option].given) {
            return asides[a].run(&options);
        }
    }
    return fill_window(&options, window, &error) ? CLI_WINDOW : cli_fail(&error);
}

void cli_window_release(struct cli_window *window)
{
    lab_experiment_release(&window->experiment);
}
