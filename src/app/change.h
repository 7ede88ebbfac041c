/* app/change.h — a change of an experiment that takes longer to compute than the time between two
 * frames: it is computed on a thread of its own, what stands there stays until it is done, and can
 * be kept. */
#ifndef APP_CHANGE_H
#define APP_CHANGE_H

#include "app/state.h"

/* What a frame cannot wait for: multiplications, and weights that are made or copied. */
bool app_change_is_long(const struct lab_experiment *experiment);

/* As app_state_change and app_state_put; at once where it is short. Changes that come meanwhile
 * wait for each other, and each is a step of history as ever. */
void app_change_make(struct app_state *state, const struct lab_experiment *experiment,
                     const char *name, double time);
void app_change_put(struct app_state *state, const struct lab_experiment *experiment, double time);

/* What the next change is a change of: the experiment as it will be when all is computed. */
const struct lab_experiment *app_change_present(const struct app_state *state);

/* Takes the last change back, whether it has been computed by now or not. */
void app_change_take_back(struct app_state *state);

/* Takes what has been computed. Once a frame. True while a thread is at work. */
bool app_change_advance(struct app_state *state, double time);

/* What is told of the changes that are under way; NULL: none is. */
const struct view_work *app_change_shown(const struct app_state *state);

/* Gives up all changes that are under way. False: none is. */
bool app_change_give_up(struct app_state *state);

/* Waits for the thread, and forgets it. */
void app_change_close(struct app_state *state);

#endif
