/* app/actions/find.h — anything by its name: commands, stages, lessons, heads and words, for
 * Ctrl+K. */
#ifndef APP_ACTIONS_FIND_H
#define APP_ACTIONS_FIND_H

#include "app/document/state.h"

/* Opens the field with nothing typed, or closes it. */
void app_find_open(struct app_state *state);

/* The same for sessions and folders of models: those in the person's documents and where the
 * program was started, and any path that is typed. */
void app_find_open_files(struct app_state *state);

/* The same for the words of the text. */
void app_find_open_words(struct app_state *state);

/* To the next (steps 1) or former (−1) place of the word that was looked for last. */
void app_find_step(struct app_state *state, int steps, double time);
void app_find_close(struct app_state *state);

/* Finds the rows of a field that was just opened. */
void app_find_prepare(struct app_state *state);

/* The typed text becomes the field's; the rows become those that match it: every word of it stands
 * somewhere in the row, whatever the case. */
void app_find_type(struct app_state *state, const char *text);

/* Does what the row stands for, and closes. */
void app_find_take(struct app_state *state, size_t row, double time);

#endif
