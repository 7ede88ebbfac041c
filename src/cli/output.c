/* cli/output.c — what is said, and where it goes. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/calls.h"

/* Names of files may hold anything; what is said stays one line and moves no cursor: control
 * characters, those of two bytes too, become spaces. */
static void one_line(char *text)
{
    for (size_t at = 0; text[at] != '\0'; at++) {
        unsigned char *const letter = (unsigned char *)&text[at];
        if (letter[0] < ' ' || letter[0] == 0x7f) {
            letter[0] = ' ';
        } else if (letter[0] == 0xc2 && letter[1] >= 0x80 && letter[1] < 0xa0) {
            letter[0] = letter[1] = ' ';
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

/* A line of its own, after the program's name. */
static void tr(const char *format, va_list arguments)
{
    char line[256];
    vsnprintf(line, sizeof line, format, arguments);
    one_line(line);
    fprintf(stderr, "attnscope: %s\n", line);
}

void cli_warn(const struct cli_options *options, const char *format, ...)
{
    if (options->value[CLI_QUIET].given) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    tr(format, arguments);
    va_end(arguments);
}

void cli_say(const struct cli_options *options, const char *format, ...)
{
    if (!options->value[CLI_VERBOSE].given) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    tr(format, arguments);
    va_end(arguments);
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
    sigset_t interrupt, former;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    if (!to_output) { /* Ctrl-C leaves no half of a file behind */
        sigprocmask(SIG_BLOCK, &interrupt, &former);
    }
    const bool written = file_write(path, content, &error);
    const int reason = errno;
    if (!to_output) {
        sigprocmask(SIG_SETMASK, &former, NULL);
    }
    /* Whoever closes the pipe has seen enough. */
    return written || (to_output && reason == EPIPE) ? CLI_DONE : cli_fail(&error);
}

int cli_print(const char *text)
{
    return cli_write("-", (struct bytes){(const uint8_t *)text, strlen(text)}, false);
}
