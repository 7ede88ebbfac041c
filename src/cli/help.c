/* cli/help.c — the help of each call, and the program's version. */
#include <string.h>

#include "attn/attn.h"
#include "base/text.h"
#include "cli/calls.h"
#include "cli/version.h"
#include "file/json.h"

enum { CALL_COLUMN = 52, OPTION_COLUMN = 32, LINE_LETTERS = 100 };

const char cli_about_files[] =
    "FILE is a lesson, a saved session, or a picture that attnscope drew (PNG, SVG, PDF, WebP, "
    "GIF); - is standard input. Options change what it holds. A folder as Hugging Face lays it out "
    "(config.json, model.safetensors, a tokenizer) or a GGUF is a model, and the text it reads is "
    "given with --text (render: --tokens) or --text-file. Attention that was computed elsewhere is "
    "shown from an NPY, NPZ, safetensors, JSON or CSV; --tokens names its rows and columns. The "
    "window learns from a text (.txt, .md).";

/* Appends a text broken at spaces; lines after the first begin at `indent`. */
static void put_wrapped(struct growing *out, const char *text, size_t indent)
{
    size_t column = indent;
    while (*text != '\0') {
        const size_t bytes = strcspn(text, " ");
        const size_t letters = text_letters(text, bytes);
        if (column > indent && column + 1 + letters > LINE_LETTERS) {
            growing_put_text(out, "\n");
            growing_put_spaces(out, indent);
            column = indent;
        } else if (column > indent) {
            growing_put_text(out, " ");
            column++;
        }
        growing_put(out, text, bytes);
        column += letters;
        text += bytes + (text[bytes] == ' ' ? 1 : 0);
    }
    growing_put_text(out, "\n");
}

/* Appends the text at the column, on the next line where the line is too long already. */
static void put_at_column(struct growing *out, size_t letters, size_t column, const char *text)
{
    if (letters + 2 > column) {
        growing_put_text(out, "\n");
        letters = 0;
    }
    growing_put_spaces(out, column - letters);
    put_wrapped(out, text, column);
}

const char *cli_option_help(const struct cli_option_row *row, struct arena *arena)
{
    struct growing text = growing_start(arena);
    struct bytes whole;
    growing_put_text(&text, row->help);
    /* The names that the argument does not list itself. */
    if (row->name_at != NULL && row->argument != NULL && strchr(row->argument, '|') == NULL) {
        for (size_t n = 0; row->name_at(n) != NULL; n++) {
            growing_put_text(&text, n == 0 ? ": " : ", ");
            growing_put_text(&text, row->name_at(n));
        }
    }
    if (row->preset != NULL) {
        growing_put_text(&text, " (");
        growing_put_text(&text, row->preset);
        growing_put_text(&text, ")");
    }
    return growing_finish(&text, &whole, NULL) ? (const char *)whole.at : "";
}

/* Returns "--seed N". */
static const char *option_usage(enum cli_option option, const struct cli_option_row *row,
                                struct arena *arena)
{
    const char *const usage =
        arena_format(arena, "%s%s%s%s", cli_option_dashes(option), row->name,
                     row->argument == NULL ? "" : " ", row->argument == NULL ? "" : row->argument);
    return usage == NULL ? "" : usage;
}

static void put_option(struct growing *out, enum cli_option option, unsigned call)
{
    const struct cli_option_row row = cli_option_row_in(option, call);
    const char *const usage = option_usage(option, &row, out->arena);
    growing_put_text(out, "  ");
    growing_put_text(out, usage);
    put_at_column(out, 2 + text_letters(usage, strlen(usage)), OPTION_COLUMN,
                  cli_option_help(&row, out->arena));
}

static void put_calls(struct growing *out, const struct cli_call *calls)
{
    growing_put_text(out, "attnscope shows how attention computes.\n\n");
    for (const struct cli_call *call = calls; call->name != NULL; call++) {
        const char *const line =
            arena_format(out->arena, "%s attnscope %s%s%s", call == calls ? "usage:" : "      ",
                         call->name, call->name[0] == '\0' ? "" : " ", call->arguments);
        growing_put_text(out, line == NULL ? "" : line);
        put_at_column(out, line == NULL ? 0 : strlen(line), CALL_COLUMN, call->does);
    }
    static const char last[] = "       attnscope CALL --help";
    growing_put_text(out, last);
    put_at_column(out, sizeof last - 1, CALL_COLUMN, "the options of a call");
}

static int print_grown(struct growing *out)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct bytes content;
    return growing_finish(out, &content, &error) ? cli_write_file("-", content, false)
                                                 : cli_fail(&error);
}

int cli_help(const struct cli_call *call)
{
    struct arena arena = {0};
    struct growing out = growing_start(&arena);
    if (call->call == CALL_WINDOW) {
        put_calls(&out, call);
    } else {
        const char *const usage =
            arena_format(&arena, "usage: attnscope %s %s\n", call->name, call->arguments);
        growing_put_text(&out, usage == NULL ? "" : usage);
        put_wrapped(&out, call->more, 0);
    }
    if ((call->call & CALL_EXPERIMENT) != 0) {
        growing_put_text(&out, "\n");
        put_wrapped(&out, cli_about_files, 0);
    }
    growing_put_text(&out, "\noptions (defaults in brackets):\n");
    for (size_t p = 0; cli_option_at(p) != CLI_OPTIONS; p++) {
        const enum cli_option option = cli_option_at(p);
        const struct cli_option_row *const row = cli_option_row(option);
        if ((row->calls & call->call) != 0 && row->help != NULL) {
            put_option(&out, option, call->call);
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
        status = json_writer_finish(&json, &content, &error) ? cli_write_file("-", content, false)
                                                             : cli_fail(&error);
    } else {
        status = version_as_text(&arena);
    }
    arena_free(&arena);
    return status;
}
