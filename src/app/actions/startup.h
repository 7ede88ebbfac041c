/* app/actions/startup.h — the state of the program begins and ends. */
#ifndef APP_ACTIONS_STARTUP_H
#define APP_ACTIONS_STARTUP_H

#include "app/document/state.h"

/* Opens on a lesson (by name; NULL: cats). engine is copied, its pool outlives the state; NULL: the
 * best set, no threads. The state stays where it is: its parts know it. */
bool app_state_open(struct app_state *state, const char *lesson, const struct lab_engine *engine,
                    struct error *error);
void app_state_close(struct app_state *state);

#endif
