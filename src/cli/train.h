/* cli/train.h — what the files of train share. */
#ifndef CLI_TRAIN_H
#define CLI_TRAIN_H

#include "cli/calls.h"
#include "learn/checkpoint.h"
#include "learn/run.h"

/* One call of train. */
struct cli_training {
    const struct cli_options *options;
    struct learn_run *run;
    struct arena arena; /* of the table of curves, and of the text */
    struct growing log;
    const int32_t *probe; /* tokens of --probe */
    size_t probe_count;
    double began, told; /* seconds */
    uint64_t told_step;
    bool to_terminal;
    const char *folder;        /* that is written; NULL: none */
    struct learn_folder taken; /* it, while this trains */
    uint64_t begun_at;         /* the step where this call began */
    uint64_t written;          /* the step of the folder's model; UINT64_MAX: none of this run */
    double written_at;         /* seconds */
    bool warned;               /* that it could not be written on the way */
    const char *data;          /* the file of own text as --resume finds it; NULL: none */
    uint64_t data_hash;
    float first, last; /* losses */
};

/* The recipe of --task with what the options change of it. False and a sentence: one of them does
 * not belong to this task, or breaks a rule. (cli/train_recipe.c) */
bool cli_train_recipe(const struct cli_options *options, struct learn_recipe *recipe,
                      struct error *error);

/* Own text, cut into units; notes where it was, and what it was. The caller releases it; NULL and a
 * sentence. */
struct learn_data *cli_train_text(struct cli_training *training, const char *path,
                                  enum learn_units units, struct error *error);

/* Makes the run that the folder of --resume holds, where it was written down. False and a sentence.
 * (cli/train_resume.c) */
bool cli_train_resume(struct cli_training *training, struct error *error);

/* The lines of a table of curves that an earlier call wrote of the same run, before the step where
 * this call begins; header: the table's first line. False and a sentence: it is another table. */
bool cli_train_take_log(struct cli_training *training, const char *header, struct error *error);

/* The tasks with their recipes to standard output; returns an exit status. (cli/train_list.c) */
int cli_train_list(const struct cli_options *options);

#endif
