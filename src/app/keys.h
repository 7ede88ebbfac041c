/* app/keys.h — which stroke means which command: one table, that the sheet of keys shows too. */
#ifndef APP_KEYS_H
#define APP_KEYS_H

#include <stdbool.h>

#include "app/state.h"
#include "ui/input.h"

/* Runs the commands of a record's strokes. True when there was one. */
bool app_keys_apply(struct app_state *state, const struct ui_input *input);

/* The key of a command with its argument as people read it: "Ctrl+Z", of "⇧ W" and "W" the one that
 * is meant; "" when it has none. The arena owns a part of a line. */
const char *app_key_of(const char *command, int argument, struct arena *arena);

/* Fills rows with the lines of the sheet of keys; returns how many there are (at most `most`). */
size_t app_key_rows(struct view_key_row *rows, size_t most);

#endif
