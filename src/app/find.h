/* app/find.h — anything by its name: commands, stages, lessons, heads and words, for Ctrl+K. */
#ifndef APP_FIND_H
#define APP_FIND_H

#include "app/state.h"

/* Opens the field with nothing typed, or closes it. */
void app_find_open(struct app_state *state);

/* The same for lessons and sessions in files: those in the person's documents, and any path that is typed. */
void app_find_open_files(struct app_state *state);
void app_find_close(struct app_state *state);

/* What is typed becomes text; the rows become what matches it: every word of it stands somewhere in the row,
 * whatever the case. */
void app_find_type(struct app_state *state, const char *text);

/* Does what the row stands for, and closes. */
void app_find_take(struct app_state *state, size_t row, double time);

#endif
