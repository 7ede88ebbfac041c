/* cli/lines.h — a file of lines (--texts), each of which is asked as a text of its own: what why,
 * ablate and patch say of all of them is a mean and a spread. */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include "cli/cause.h"
#include "why/mean.h"

/* One line: a text, or for patch the clean one and the changed one; then, where they are given, its
 * word and its rival; a tab between two of them. */
struct cli_line {
    size_t number;                             /* in the file, from 1 */
    const char *text, *changed, *word, *rival; /* NULL: not given */
    const struct cli_options *options;         /* of the call, with all these */
};

/* Asks each line in turn, while its cause is open, and writes the answer: "lines" with an object a
 * line, then what put_means adds. The answer lives until it is written. False: the file, a line
 * (the sentence names it), or what was called. */
struct cli_asking {
    bool has_pairs; /* lines of patch */
    bool (*ask)(void *owner, const struct cli_line *line, struct cli_cause *cause,
                struct error *error);
    void (*put_means)(void *owner, const struct cli_options *options);
    void *owner;
};
bool cli_lines_answer(const struct cli_options *options, const struct cli_asking *asking,
                      struct cli_answer *answer, struct error *error);

/* Writes what every line's object begins with: its text (pairs: clean and changed), its word, its
 * rival. */
void cli_line_put(struct json_writer *json, const struct cli_line *line,
                  const struct cli_cause *cause, bool has_pairs);

/* Writes "NAME" and "NAME_spread"; columns of both, and their cells. */
void cli_mean_put(struct json_writer *json, const char *name, const struct why_mean *mean);
void cli_mean_add_columns(struct cli_answer *answer, const char *name);
void cli_mean_put_cells(struct cli_answer *answer, const struct why_mean *mean);

/* Appends an array of the means, and one of the spreads, called NAME and NAME_spread. */
void cli_mean_add_arrays(struct cli_answer *answer, const char *name, size_t rank,
                         const size_t *shape, const struct why_mean *means);

#endif
