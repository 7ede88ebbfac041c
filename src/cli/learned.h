/* cli/learned.h — FILE is a folder that train wrote, opened with its run: at any step of its
 * training, or where no other program could open it. */
#ifndef CLI_LEARNED_H
#define CLI_LEARNED_H

#include "cli/calls.h"

struct view_learn;
struct cli_learned;

/* Says whether --step-of-training, --from-step or --to-step asks for a step of training. */
bool cli_asks_for_step(const struct cli_options *options);

/* Says whether the picture is one of curves: of a folder that train wrote, up to its last step. */
bool cli_asks_for_curves(const struct cli_options *options);

/* Says whether only this program can read the folder's model, so that its weights alone say nothing
 * to the room of models. */
bool cli_learned_is_own_format(struct file_handle *folder);

/* Returns false with the sentence for --train-anyway where nothing is trained. */
bool cli_refuse_training(struct error *error);

/* Refuses those options unless FILE is a folder that train wrote, or a session of a run. */
bool cli_learned_check(const struct cli_options *options, struct error *error);

/* Makes an experiment of a layer that has read --text; the context keeps the folder open. */
bool cli_learned_experiment(const struct cli_options *options, struct cli_context *context,
                            struct error *error);

/* Trains a lesson's or a session's weights again up to another step of training, where one is asked
 * for (*mine is true then), and makes them the context's experiment. */
bool cli_learned_session(const struct cli_options *options, struct cli_context *context, bool *mine,
                         struct error *error);

/* Finds the weights that were saved beside the session for the context's step; its text is the
 * context's. */
struct learn_saved cli_learned_saved_weights(const struct cli_options *options,
                                             struct cli_context *context);

/* Calls learn_weight_rebuilder_fill and warns where weights beside the session are not used. */
bool cli_learned_fill_weights(const struct cli_options *options,
                              struct learn_weight_rebuilder *rebuilder,
                              struct lab_experiment *experiment, const struct lab_engine *engine,
                              struct error *error);

void cli_learned_close(struct cli_learned *learned); /* NULL is fine */

/* Refuses curves of weights that have made no step, and names the first step of the lesson whose
 * weights have; true where they have made one. */
bool cli_check_curves(const struct cli_context *context, const struct view_learn *shown,
                      struct error *error);

/* Goes to another step of training and reads the text again there. */
bool cli_learned_go_to_step(struct cli_learned *learned, uint64_t step, struct error *error);

/* Returns the run that goes from step to step; NULL: only what was saved is looked at. */
struct learn_run *cli_learned_run(const struct cli_learned *learned);

/* Returns the run of a session; NULL for a folder. */
const struct learn_weight_rebuilder *cli_learned_rebuilder(const struct cli_learned *learned);

/* Returns the step that the folder was saved at. */
uint64_t cli_learned_saved_step(const struct cli_learned *learned);

#endif
