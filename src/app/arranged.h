/* app/arranged.h — what a person arranged in the window, into a step that is saved and out of one.
 */
#ifndef APP_ARRANGED_H
#define APP_ARRANGED_H

#include "app/state.h"
#include "lab/lessons.h"

void app_arranged_keep(const struct app_state *state, struct lab_step *step);

/* A step that says nothing of it leaves everything as it is. After the theme. */
void app_arranged_take(struct app_state *state, const struct lab_step *step);

#endif
