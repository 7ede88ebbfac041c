/* cli/subject.h — what FILE is, and who reads it: an experiment, a folder that train wrote, a
 * model, a file of attention. A row for each (cli/subject.c); callers ask the row and never which
 * it is. */
#ifndef CLI_SUBJECT_H
#define CLI_SUBJECT_H

#include "cli/calls.h"

struct cli_target;

struct cli_subject {
    /* The experiment that is asked for, with what the context keeps open for its other layers. */
    bool (*experiment)(const struct cli_options *options, struct cli_context *context,
                       struct error *error);
    /* Another layer of what the context keeps open, or a head of it. */
    bool (*layer)(const struct cli_context *context, size_t layer, size_t head,
                  struct lab_experiment *experiment, struct error *error);
    /* compute. */
    bool (*results)(const struct cli_options *options, const struct cli_target *target,
                    struct arena *arena, struct error *error);
    /* info; NULL: by what kind of file it is. */
    bool (*info)(const struct cli_options *options, struct arena *arena, struct bytes *content,
                 struct error *error);
    /* What the window opens by itself, beside an experiment; NULL: it is one. */
    bool (*window)(const struct cli_options *options, struct cli_window *window,
                   struct error *error);
    bool reads_text; /* it is a model, whose words are a text that it reads */
    bool has_arrays; /* it is a file of arrays */
};

/* Finds the kind of options->file and its row: once, whenever `file` has become another. */
void cli_choose_subject(struct cli_options *options);

#endif
