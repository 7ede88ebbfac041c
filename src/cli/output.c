/* cli/output.c — what is said, and where it goes. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/calls.h"

/* Names of files may hold anything; what is said stays one line. */
static void one_line(char *text)
{
    for (size_t at = 0; text[at] != '\0'; at++) {
        if ((unsigned char)text[at] < ' ') {
            text[at] = ' ';
        }
    }
}

int cli_fail(const struct error *error)
{
    char line[sizeof error->text];
    memcpy(line, error->text, sizeof line);
    line[sizeof line - 1] = '\0';
    one_line(line);
    fprintf(stderr, "attnscope: %s\n", line);
    return error->code == ERROR_USAGE ? CLI_USAGE : CLI_FAILED;
}

void cli_warn(const struct cli_options *options, const char *format, ...)
{
    if (options->value[CLI_QUIET].given) {
        return;
    }
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    one_line(line);
    fprintf(stderr, "attnscope: %s\n", line);
}

int cli_write(const char *path, struct bytes content, bool binary)
{
    struct error error = {ERROR_NONE, 0, ""};
    const bool to_output = strcmp(path, "-") == 0;
    if (to_output && binary && isatty(STDOUT_FILENO) != 0) {
        error_set(&error, ERROR_USAGE,
                  "This is not for a terminal: name a file with -o, or use a pipe.");
        return cli_fail(&error);
    }
    errno = 0;
    if (file_write(path, content, &error)) {
        return CLI_DONE;
    }
    /* Whoever closes the pipe has seen enough. */
    return to_output && errno == EPIPE ? CLI_DONE : cli_fail(&error);
}

int cli_print(const char *text)
{
    return cli_write("-", (struct bytes){(const uint8_t *)text, strlen(text)}, false);
}
