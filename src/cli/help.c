/* cli/help.c — how each call is used, and which version this is. */
#include <string.h>

#include "attn/attn.h"
#include "cli/calls.h"
#include "cli/version.h"
#include "file/json.h"

enum { OPTION_COLUMN = 34 };

static const struct usage {
    unsigned call;
    const char *text;
} usages[] = {
    {CALL_WINDOW, "attnscope shows how attention computes.\n\n"
                  "usage: attnscope [options]                    open the window\n"
                  "       attnscope compute [options] [-o OUT]   print every intermediate result\n"
                  "       attnscope render [options] -o OUT.svg  draw a picture: PNG, SVG or PDF\n"
                  "       attnscope describe [options]           say what the picture shows\n"
                  "       attnscope lessons [--json]             list the built-in lessons\n"
                  "       attnscope bench [--json]               measure this machine\n"
                  "       attnscope CALL --help                  the options of a call\n"},
    {CALL_COMPUTE, "usage: attnscope compute [options] [--format json|csv|npz] [-o OUT]\n"
                   "Prints every intermediate result of an experiment.\n"},
    {CALL_RENDER, "usage: attnscope render [options] -o OUT.png|svg|pdf [-o …]\n"
                  "Draws pictures of an experiment; it needs no display. {head}, {stage} and\n"
                  "{layer} in the name of a file stand for what the picture shows.\n"},
    {CALL_DESCRIBE, "usage: attnscope describe [options]\n"
                    "Says in plain sentences what the picture shows.\n"},
    {CALL_BENCH, "usage: attnscope bench [--json]\n"
                 "Measures this machine: the core against its own limits, and pictures.\n"},
    {CALL_LESSONS, "usage: attnscope lessons [--json]\nLists the built-in lessons.\n"},
};

static void put_option(struct growing *out, enum cli_option option)
{
    const struct cli_option_row *const row = cli_option_row(option);
    const char *const dashes = option == CLI_OUT ? "  -" : "  --";
    size_t letters = strlen(dashes) + strlen(row->name);
    growing_put_text(out, dashes);
    growing_put_text(out, row->name);
    if (row->argument != NULL) {
        growing_put_text(out, " ");
        growing_put_text(out, row->argument);
        letters += 1 + strlen(row->argument);
    }
    growing_put_spaces(out, letters + 1 < OPTION_COLUMN ? OPTION_COLUMN - letters : 2);
    growing_put_text(out, row->help);
    if (row->preset != NULL) {
        growing_put_text(out, " (");
        growing_put_text(out, row->preset);
        growing_put_text(out, ")");
    }
    growing_put_text(out, "\n");
}

static int print_grown(struct growing *out)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct bytes content;
    return growing_finish(out, &content, &error) ? cli_write("-", content, false)
                                                 : cli_fail(&error);
}

int cli_help(unsigned call)
{
    struct arena arena = {0};
    struct growing out = growing_start(&arena);
    for (size_t u = 0; u < sizeof usages / sizeof usages[0]; u++) {
        if (usages[u].call == call) {
            growing_put_text(&out, usages[u].text);
        }
    }
    growing_put_text(&out, "\noptions (defaults in brackets):\n");
    for (size_t o = 0; o < CLI_OPTIONS; o++) {
        const struct cli_option_row *const row = cli_option_row((enum cli_option)o);
        if ((row->calls & call) != 0 && row->help != NULL) {
            put_option(&out, (enum cli_option)o);
        }
    }
    const int status = print_grown(&out);
    arena_free(&arena);
    return status;
}

/* The libraries it was built with: name and version by turns. */
static const char *const libraries[] = {CLI_LIBRARIES};

enum { LIBRARIES = sizeof libraries / sizeof libraries[0] / 2 };

static void version_as_json(struct json_writer *json)
{
    json_begin_object(json);
    json_key(json, "name");
    json_put_text(json, "attnscope");
    json_key(json, "version");
    json_put_text(json, CLI_VERSION_TEXT);
    json_key(json, "libraries");
    json_begin_object(json);
    for (size_t l = 0; l < LIBRARIES; l++) {
        json_key(json, libraries[2 * l]);
        json_put_text(json, libraries[2 * l + 1]);
    }
    json_end_object(json);
    json_key(json, "instruction_sets");
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t k = 0; attn_kernels_at(k) != NULL; k++) {
        json_put_text(json, attn_kernels_name(attn_kernels_at(k)));
    }
    json_end_array(json);
    json_end_object(json);
}

static int version_as_text(struct arena *arena)
{
    struct growing out = growing_start(arena);
    growing_put_text(&out, "attnscope " CLI_VERSION_TEXT "\nlibraries:");
    for (size_t l = 0; l < LIBRARIES; l++) {
        growing_put_text(&out, l == 0 ? " " : ", ");
        growing_put_text(&out, libraries[2 * l]);
        growing_put_text(&out, " ");
        growing_put_text(&out, libraries[2 * l + 1]);
    }
    growing_put_text(&out, "\ninstruction sets:");
    for (size_t k = 0; attn_kernels_at(k) != NULL; k++) {
        growing_put_text(&out, k == 0 ? " " : ", ");
        growing_put_text(&out, attn_kernels_name(attn_kernels_at(k)));
    }
    growing_put_text(&out, "\n");
    return print_grown(&out);
}

int cli_version(const struct cli_options *options)
{
    struct arena arena = {0};
    int status = CLI_DONE;
    if (options->value[CLI_JSON].given) {
        struct json_writer json = json_writer_start(&arena);
        version_as_json(&json);
        struct error error = {ERROR_NONE, 0, ""};
        struct bytes content;
        status = json_writer_finish(&json, &content, &error) ? cli_write("-", content, false)
                                                             : cli_fail(&error);
    } else {
        status = version_as_text(&arena);
    }
    arena_free(&arena);
    return status;
}
