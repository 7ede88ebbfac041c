/* cli/train.h — what the files of train share. */
#ifndef CLI_TRAIN_H
#define CLI_TRAIN_H

#include "cli/options.h"
#include "learn/task.h"

/* The recipe of --task with what the options change of it. False and a sentence: one of them does
 * not belong to this task, or breaks a rule. (cli/train_recipe.c) */
bool cli_train_recipe(const struct cli_options *options, struct learn_recipe *recipe,
                      struct error *error);

/* The tasks with their recipes to standard output; returns an exit status. (cli/train_list.c) */
int cli_train_list(const struct cli_options *options);

#endif
