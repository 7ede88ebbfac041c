/* app/travel.h — undo and redo. A step to an experiment that takes longer to compute than the time
 * between two frames is computed on a thread of its own: what stands there stays until it is done,
 * and can be kept. */
#ifndef APP_TRAVEL_H
#define APP_TRAVEL_H

#include "app/state.h"

/* As app_state_undo and app_state_redo; while a step is under way, from where it leads to. What
 * undo takes back while changes are under way is those. */
void app_travel_undo(struct app_state *state, double time);
void app_travel_redo(struct app_state *state, double time);

/* Takes the step that has been computed. Once a frame. True while one is under way. */
bool app_travel_advance(struct app_state *state);

/* What is told of the step that is under way; NULL: none is. */
const struct view_work *app_travel_shown(const struct app_state *state);

/* Gives the step up that is under way. False: none is. */
bool app_travel_give_up(struct app_state *state);

/* Waits for the thread, and forgets it. */
void app_travel_close(struct app_state *state);

#endif
