/* cli/learned.h — FILE is a folder that train wrote, looked at in the room that learned it: at any
 * step of its training, or where no other program could open it. */
#ifndef CLI_LEARNED_H
#define CLI_LEARNED_H

#include "cli/calls.h"

struct cli_learned;

/* Whether --step-of-training, --from-step or --to-step asks for a step of training. */
bool cli_asks_for_step(const struct cli_options *options);

/* Whether the folder's model is one that only this program knows: its weights alone say nothing to
 * the room of models. */
bool cli_learned_alone(const char *folder);

/* False, and the sentence for --train-anyway where nothing is trained. */
bool cli_refuse_training(struct error *error);

/* Those options are for a folder that train wrote, or a session of a run. */
bool cli_learned_check(const struct cli_options *options, struct error *error);

/* A layer of it that has read --text as an experiment; the context keeps it open. */
bool cli_learned_experiment(const struct cli_options *options, struct cli_context *context,
                            struct error *error);

/* A lesson's or a session's step whose weights are learned: *mine, if another step of training is
 * asked for. They are learned again up to that and become the context's experiment. */
bool cli_learned_session(const struct cli_options *options, struct cli_context *context, bool *mine,
                         struct error *error);

/* Where weights of the context's step of a session lie beside it; its text is the context's. */
struct learn_saved cli_learned_beside(const struct cli_options *options,
                                      struct cli_context *context);

/* learn_weight_rebuilder_fill; a warning says why weights beside the session are not used. */
bool cli_learned_fill(const struct cli_options *options, struct learn_weight_rebuilder *maker,
                      struct lab_experiment *experiment, const struct lab_engine *engine,
                      struct error *error);

bool cli_learned_layer(struct cli_learned *learned, size_t layer, struct lab_experiment *experiment,
                       struct error *error);
void cli_learned_drop(struct cli_learned *learned); /* NULL is fine */

/* Goes to another step of training and reads the text again there. */
bool cli_learned_go(struct cli_learned *learned, uint64_t step, struct error *error);

/* The run of a session; NULL: it is a folder. */
const struct learn_weight_rebuilder *cli_learned_maker(const struct cli_learned *learned);

/* The step it was saved at. */
uint64_t cli_learned_saved(const struct cli_learned *learned);

#endif
