/* app/words.h — words come, change, go and move: the queries', and where keys and values come from
 * other words those too. */
#ifndef APP_WORDS_H
#define APP_WORDS_H

#include "app/state.h"

/* Applies a wish about words. False: it is about something else. */
bool app_words_apply(struct app_state *state, const struct view_wish *wish, double time,
                     bool *changed);

#endif
