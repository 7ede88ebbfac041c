/* app/view_prefs.h — what a person view_prefs in the window, into a step that is saved and out of
 * one.
 */
#ifndef APP_VIEW_PREFS_H
#define APP_VIEW_PREFS_H

#include "app/state.h"
#include "lab/lesson/lessons.h"

void app_view_prefs_keep(const struct app_state *state, struct lab_step *step);

/* A step that says nothing of it leaves everything as it is. After the theme. */
void app_view_prefs_take(struct app_state *state, const struct lab_step *step);

#endif
