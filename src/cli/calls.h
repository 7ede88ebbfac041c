/* cli/calls.h — what the calls share: one line for what went wrong, output, and the experiment. */
#ifndef CLI_CALLS_H
#define CLI_CALLS_H

#include "base/arena.h"
#include "base/bytes.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "lab/trace.h"

/* Everything a call has been told, and what its options make. */
struct cli_asked {
    struct lab_experiment experiment;
    enum lab_stage stage;
    struct lab_selection selection;
};

/* Prints "attnscope: " and the error's sentence as one line to standard error; returns the exit
 * status that belongs to it. */
int cli_fail(const struct error *error);

/* A warning, unless --quiet. */
void cli_warn(const struct cli_options *options, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Writes content to a file or ("-") standard output; binary content never to a terminal. Returns an
 * exit status; a closed pipe ends quietly. */
int cli_write(const char *path, struct bytes content, bool binary);

/* A text to standard output. */
int cli_print(const char *text);

/* The experiment, stage and selection of lesson and options. fallback_lesson: what stands there
 * when neither a lesson nor any other option of the experiment is given; NULL: the defaults. On
 * success the caller releases the experiment. */
bool cli_experiment(const struct cli_options *options, const char *fallback_lesson,
                    struct cli_asked *asked, struct error *error);

/* Files into the experiment (cli/inputs.c). */
bool cli_read_embedding(const struct cli_options *options, struct lab_experiment *experiment,
                        struct error *error);
bool cli_read_weights(const struct cli_options *options, struct lab_experiment *experiment,
                      struct error *error);
bool cli_read_raw(const struct cli_options *options, struct lab_experiment *experiment,
                  struct error *error);

/* The calls. Each returns an exit status. */
int cli_compute(const struct cli_options *options);
int cli_render(const struct cli_options *options);
int cli_describe(const struct cli_options *options);
int cli_lessons(const struct cli_options *options);
int cli_list(const struct cli_options *options);
int cli_bench(const struct cli_options *options);
int cli_version(const struct cli_options *options);

/* call: one of the CALL_ bits. */
int cli_help(unsigned call);

#endif
