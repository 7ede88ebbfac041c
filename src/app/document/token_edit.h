/* app/document/token_edit.h — words come, change, go and move: the queries', and where keys and
 * values come from other words those too. */
#ifndef APP_DOCUMENT_TOKEN_EDIT_H
#define APP_DOCUMENT_TOKEN_EDIT_H

#include "app/document/state.h"

enum { APP_TOKEN_EDIT_BYTES_MAX = 64 << 10 }; /* of text taken at once */

/* The text of an action, where it is longer than that only its beginning: owned by the arena then,
 * and said. NULL: there is none, or no memory. */
const char *app_token_edit_cut(struct app_state *state, const struct view_action *action,
                               struct arena *arena, double time);

/* Applies an action about words, and returns whether anything became another. */
bool app_token_edit_apply(struct app_state *state, const struct view_action *action, double time);

#endif
