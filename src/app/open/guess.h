/* app/open/guess.h — the guess of a class at a step of a lesson: a number or a word, or why it is
 * neither. */
#ifndef APP_OPEN_GUESS_H
#define APP_OPEN_GUESS_H

#include "app/document/state.h"

/* Takes the guess of the step that is open. What is no guess of its kind leaves the former one and
 * says why in view.guess_refused. */
void app_guess_say(struct app_state *state, const char *text);

/* The same while it is typed: what is no guess so far is none, and nothing is said of it. */
void app_guess_type(struct app_state *state, const char *text);

#endif
