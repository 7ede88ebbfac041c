/* app/actions/find_internal.h — what find.c, find_files.c, find_names.c and find_values.c
 * share. */
#ifndef APP_ACTIONS_FIND_INTERNAL_H
#define APP_ACTIONS_FIND_INTERNAL_H

#include "app/document/state.h"

/* Ranks of rows: the lower stands higher. What does nothing now stands behind all others. */
enum { APP_FIND_NOT = 3, APP_FIND_IDLE = 100 };

/* One row more at its rank, while there is room or it stands higher than the last. Texts live in
 * state->found or longer. */
void app_find_add(struct app_state *state, struct app_find_action action, const char *title,
                  const char *hint);

/* Returns whether every word of what is typed stands in the title. NULL: no. */
bool app_find_is_called(const struct app_state *state, const char *title);

/* Returns whether `length` bytes of both texts are the same, ASCII letters without their case. */
bool app_find_starts_alike(const char *text, const char *word, size_t length);

/* Settings with the value that is typed behind their names; and the value that was chosen. */
void app_find_suggest_values(struct app_state *state);
void app_find_take_value(struct app_state *state, const struct app_find_action *action,
                         double time);

/* "words a b c": they become the text; where there is no field for them, too. */
void app_find_suggest_text(struct app_state *state);

/* Sessions and models that fit what is typed. */
void app_find_suggest_files(struct app_state *state);

/* How well the title bears what is typed: 0 as whole words, 1 as beginnings of words, 2 anywhere,
 * APP_FIND_NOT: some word of it is not there. NULL: likewise. */
unsigned app_find_rank(const struct app_state *state, const char *title);

/* The places of words of the text that fit what is typed, from the chosen query on. */
void app_find_suggest_words(struct app_state *state);

/* The word at index becomes query and key, and what app_find_step goes on with. */
void app_find_word(struct app_state *state, size_t index, double time);

#endif
