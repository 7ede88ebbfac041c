/* cli/model.h — a model that has read its text, for the calls. */
#ifndef CLI_MODEL_H
#define CLI_MODEL_H

#include "cli/calls.h"
#include "model/gpt2.h"

struct cli_model {
    struct arena arena;
    struct gpt2 *model;
    struct attn_pool *pool;
    struct gpt2_run *run;
    size_t layer; /* that was asked for, from 0 */
};

/* Opens the folder, makes tokens of the text and runs the model. On success the caller closes it.
 */
bool cli_model_open(const struct cli_options *options, struct cli_model *model,
                    struct error *error);
void cli_model_close(struct cli_model *model);

#endif
