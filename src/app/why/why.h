/* app/why/why.h — why the model that is open says a word: wanted while the view is shown, computed
 * on threads of the results. */
#ifndef APP_WHY_WHY_H
#define APP_WHY_WHY_H

#include "app/document/state.h"
#include "app/open/open_model.h"

/* Asks for what the view shows and tells it what is there. Each pass of a frame. */
void app_why_follow(struct app_state *state);

/* Applies an act about what is changed of weights that learn: an MLP, a pair of words, an α.
 * Returns whether anything became another; nothing where a model is open. */
bool app_why_change(struct app_state *state, const struct view_action *action, double time);

/* Lists what is changed in a model that has read a text, "L0H2 off, MLP 1 at its mean"; owned by
 * the arena. "": nothing. */
const char *app_why_list_changes(const struct app_open_model_text *text, struct arena *arena);

void app_why_close(struct app_state *state);

#endif
