/* cli/output.c — errors, warnings and results: on the terminal or in files. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/system/file.h"
#include "base/system/process.h"
#include "base/system/terminal.h"
#include "base/text.h"
#include "cli/calls.h"

/* Replaces control characters by spaces: names of files may hold anything, and a message stays one
 * line and moves no cursor. */
static void replace_controls(char *text)
{
    const size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        const size_t from = at;
        if (text_is_control(text_next(text, length, &at))) {
            memset(text + from, ' ', at - from);
        }
    }
}

int cli_fail(const struct error *error)
{
    char line[sizeof error->text];
    memcpy(line, error->text, sizeof line);
    line[sizeof line - 1] = '\0';
    replace_controls(line);
    fprintf(stderr, "attnscope: %s\n", line);
    return error->code == ERROR_USAGE ? CLI_USAGE : CLI_FAILED;
}

/* Prints a line after the program's name. */
static void print_line(const char *format, va_list arguments)
{
    char line[4096]; /* room for the names of many arrays */
    vsnprintf(line, sizeof line, format, arguments);
    replace_controls(line);
    fprintf(stderr, "attnscope: %s\n", line);
}

void cli_warn(const struct cli_options *options, const char *format, ...)
{
    if (options->value[CLI_QUIET].given) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

void cli_print_verbose(const struct cli_options *options, const char *format, ...)
{
    if (!options->value[CLI_VERBOSE].given) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

static bool write_part(void *owner, struct bytes part)
{
    const struct cli_sink *const sink = owner;
    return !system_interrupt_waits() && file_writer_put(sink->writer, part);
}

static bool replace_part(void *owner, uint64_t at, struct bytes part)
{
    const struct cli_sink *const sink = owner;
    return !system_interrupt_waits() && file_writer_replace(sink->writer, at, part);
}

bool cli_sink_open(struct cli_sink *sink, const char *path, bool binary, struct error *error)
{
    *sink = (struct cli_sink){.to = {write_part, replace_part, sink},
                              .to_output = strcmp(path, "-") == 0};
    if (sink->to_output && binary && system_is_terminal(SYSTEM_OUTPUT)) {
        return error_set(error, ERROR_USAGE,
                         "This is not for a terminal: name a file with -o, or use a pipe.");
    }
    /* Ctrl-C must not leave half of a file. */
    sink->was_held = sink->to_output || system_interrupt_hold();
    sink->writer = file_writer_open(path, error);
    if (sink->writer == NULL) {
        system_interrupt_release(sink->was_held);
    }
    return sink->writer != NULL;
}

bool cli_sink_close(struct cli_sink *sink, bool keep, struct error *error)
{
    errno = 0;
    const bool written = file_writer_close(sink->writer, keep && !system_interrupt_waits(), error);
    const bool closed = sink->to_output && errno == EPIPE; /* the reader has seen enough */
    system_interrupt_release(sink->was_held);
    return (keep && written) || closed;
}

int cli_write_file(const char *path, struct bytes content, bool binary)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct cli_sink sink;
    if (!cli_sink_open(&sink, path, binary, &error)) {
        return cli_fail(&error);
    }
    (void)write_part(&sink, content);
    return cli_sink_close(&sink, true, &error) ? CLI_DONE : cli_fail(&error);
}

int cli_print_text(const char *text)
{
    return cli_write_file("-", (struct bytes){(const uint8_t *)text, strlen(text)}, false);
}
