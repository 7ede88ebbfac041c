/* app/draw/view_prefs.h — what a person chose in the window, into a step that is saved and out of
 * one.
 */
#ifndef APP_DRAW_VIEW_PREFS_H
#define APP_DRAW_VIEW_PREFS_H

#include "lab/lesson/lessons.h"
#include "view/parts/view.h"

void app_view_prefs_keep(const struct view_state *view, struct lab_step *step);

/* A step that says nothing of it leaves everything as it is. After the theme. */
void app_view_prefs_take(struct view_state *view, const struct lab_step *step);

#endif
