/* cli/model.h — a model that has read its text, for the calls. */
#ifndef CLI_MODEL_H
#define CLI_MODEL_H

#include "app/document/state.h"
#include "cli/calls.h"
#include "model/model.h"

struct cli_model {
    struct arena arena;
    struct model *model;
    struct model_run *run;
    enum model_attention which; /* of a model of two texts */
    size_t layer;               /* that was asked for, from 0 */
    bool chat;                  /* it has read the text as a message of a chat */
};

/* Of a model that is not computed here: the lines of Python that save its attention, below the
 * sentence that refuses it. Nothing for any other file. (cli/recipe.c) */
void cli_model_elsewhere(const struct cli_options *options);

/* Opens the folder, makes tokens of the text and runs the model. begun: that model, where it is
 * begun already; else NULL. On success the caller closes it. */
bool cli_model_open(const struct cli_options *options, struct model *begun, struct cli_model *model,
                    struct error *error);
void cli_model_close(struct cli_model *model);

/* What of its files is not computed, in one line, once the call was answered. */
void cli_model_tell(const struct cli_options *options, struct cli_model *model);

/* Makes ids of what is given (--text, --text-pair, --ids, --target, --target-ids), runs the model
 * up to its layer, and lets it write on (--generate). (cli/model_read.c) */
bool cli_model_read(const struct cli_options *options, struct cli_model *model,
                    struct error *error);

/* The first so many layers, where they are not computed yet: a call computes no layer that it does
 * not ask for. */
bool cli_model_compute(const struct cli_model *model, size_t layers, struct error *error);

/* --chat on. */
bool cli_model_is_chat(const struct cli_options *options);

/* The layer of context->experiment around its attention, made where it is not yet; owned by the
 * context. NULL and a sentence: no memory. */
const struct lab_block *cli_model_block(const struct cli_context *context, struct error *error);

/* The same for a picture: what the state shows from now on. */
bool cli_model_show_block(const struct cli_context *context, struct app_state *state,
                          struct error *error);

/* The text of --text, --tokens or --text-file; the last line break of a file is none of its own. */
bool cli_model_text(const struct cli_options *options, struct arena *arena, struct bytes *text,
                    struct error *error);

/* What of it the window opens: the folder, the text and the place in it. (cli/window.c) */
bool cli_model_window(const struct cli_options *options, struct cli_window *window,
                      struct error *error);

#endif
