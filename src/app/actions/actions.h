/* app/actions/actions.h — what the controls of a view ask for, done to the state. */
#ifndef APP_ACTIONS_ACTIONS_H
#define APP_ACTIONS_ACTIONS_H

#include "app/document/state.h"
#include "lab/experiment/params.h"

/* Applies one action of a view. True when it changed anything that is drawn. */
bool app_state_apply(struct app_state *state, const struct view_action *action, double time);

/* These words become the text, as one step of history. */
void app_state_take_text(struct app_state *state, const char *text, double time);

/* Says why a setting changes nothing here. */
void app_state_say_idle(struct app_state *state, const struct lab_param *param, double time);

#endif
