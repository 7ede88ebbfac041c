/* cli/train.h — shared by the files of train. */
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
    const char *folder;        /* for the model; NULL: none */
    struct learn_folder taken; /* the folder, locked while this call trains */
    uint64_t begun_at;         /* the step where this call began */
    uint64_t written;          /* the step of the folder's model; UINT64_MAX: none of this run */
    double written_at;         /* seconds */
    bool warned;               /* of a folder that could not be written on the way */
    const char *data;          /* the file of own text as --resume finds it; NULL: none */
    uint64_t data_hash;
    float first, last; /* losses */
};

/* Reads the recipe of --task and the options that change it. False and a sentence: an option does
 * not belong to this task, or breaks a rule. (cli/train_recipe.c) */
bool cli_train_recipe(const struct cli_options *options, struct learn_recipe *recipe,
                      struct error *error);

/* Reads own text, cut into units, and keeps its path and hash. The caller releases it; NULL and a
 * sentence on failure. */
struct learn_data *cli_train_read_text(struct cli_training *training, const char *path,
                                       enum learn_units units, struct error *error);

/* Makes the run of the folder of --resume, at the step where it was saved. (cli/train_resume.c) */
bool cli_train_resume(struct cli_training *training, struct error *error);

/* Keeps the lines of the table of curves that an earlier call wrote for the same run, before the
 * step where this call begins; header: the table's first line. False and a sentence: it is another
 * table. */
bool cli_train_read_log(struct cli_training *training, const char *header, struct error *error);

/* Prints the tasks with their recipes; returns an exit status. (cli/train_list.c) */
int cli_train_list(const struct cli_options *options);

#endif
