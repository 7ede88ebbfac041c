/* app/why/why.h — why the model that is open says a word: wanted while the view is shown, computed
 * on threads of the results. */
#ifndef APP_WHY_WHY_H
#define APP_WHY_WHY_H

#include "app/document/state.h"

/* Asks for what the view shows and tells it what is there. Each pass of a frame. */
void app_why_follow(struct app_state *state);

void app_why_close(struct app_state *state);

#endif
