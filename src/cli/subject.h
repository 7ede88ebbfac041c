/* cli/subject.h — the kinds of FILE: an experiment, a folder that train wrote, a model, a file of
 * attention. A row for each (cli/subject.c); callers ask the row and never which it is. */
#ifndef CLI_SUBJECT_H
#define CLI_SUBJECT_H

#include "cli/calls.h"

struct cli_target;

struct cli_subject {
    /* Makes the experiment that is asked for; the context holds what is open, for its other
     * layers. */
    bool (*experiment)(const struct cli_options *options, struct cli_context *context,
                       struct error *error);
    /* Writes the answer of compute. */
    bool (*results)(const struct cli_options *options, const struct cli_target *target,
                    struct arena *arena, struct error *error);
    /* Writes the answer of info; NULL: by the kind of the file. */
    bool (*info)(const struct cli_options *options, struct arena *arena, struct bytes *content,
                 struct error *error);
    /* Fills what the window opens by itself; NULL: it opens an experiment. */
    bool (*window)(const struct cli_options *options, struct cli_window *window,
                   struct error *error);
    bool reads_text; /* it is a model that reads a text */
    bool has_arrays; /* it is a file of arrays */
};

/* Opens options->file, where that is not open yet, and finds its row: whenever `file` has become
 * another. Options that were copied borrow what is open in them. */
void cli_choose_subject(struct cli_options *options);

#endif
