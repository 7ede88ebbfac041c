/* cli/model.h — a model that has read its text, for the calls. */
#ifndef CLI_MODEL_H
#define CLI_MODEL_H

#include "app/document/state.h"
#include "cli/calls.h"
#include "subject/subject.h"
#include "why/intervention_text.h"

struct cli_model {
    struct arena arena;
    struct subject subject;
    struct subject_spot spot; /* the attention and the layer that were asked for */
    struct why_subject read;  /* its text, without interventions */
    bool chat;                /* it has read the text as a message of a chat */
};

/* Prints, for a model that is not computed here, the lines of Python that save its attention, below
 * the sentence that refuses it. Prints nothing for any other file. (cli/recipe.c) */
void cli_print_python_recipe(const struct cli_options *options);

/* Opens the folder, makes tokens of the text and runs the model. begun: that model, where it is
 * begun already; else NULL. On success the caller closes it. */
bool cli_model_open(const struct cli_options *options, struct model *begun, struct cli_model *model,
                    struct error *error);
void cli_model_close(struct cli_model *model);

/* Says in one line which parts of its files are not computed, after the call has been answered. */
void cli_model_warn_of_unread(const struct cli_options *options, struct cli_model *model);

/* Makes ids of the given text or ids (--text, --text-pair, --ids, --target, --target-ids), runs the
 * model up to its layer, and lets it generate (--generate). (cli/model_read.c) */
bool cli_model_read(const struct cli_options *options, struct cli_model *model,
                    struct error *error);

/* Says whether --chat is on. */
bool cli_model_is_chat(const struct cli_options *options);

/* Returns the layer of context->experiment around its attention, made where it is not yet; owned by
 * the context. NULL and a sentence: no memory. */
const struct lab_block *cli_model_block(const struct cli_context *context, struct error *error);

/* Lets the state show that layer. */
bool cli_model_show_block(const struct cli_context *context, struct app_state *state,
                          struct error *error);

/* Reads the text of --text, --tokens or --text-file, without the last line break of a file. */
bool cli_model_text(const struct cli_options *options, struct arena *arena, struct bytes *text,
                    struct error *error);

/* Names to the window the folder, the text and the place in the model. (cli/window.c) */
bool cli_model_window(const struct cli_options *options, struct cli_window *window,
                      struct error *error);

#endif
