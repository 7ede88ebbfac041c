/* app/document/hints.h — which hints (view/parts/hints.h) are left for this person, and how long
 * one is shown. Kept with the settings, where whoever holds the window stores them. */
#ifndef APP_DOCUMENT_HINTS_H
#define APP_DOCUMENT_HINTS_H

#include "app/document/state.h"
#include "view/parts/hints.h"

/* From now on those are shown that were neither shown nor used in former runs. */
void app_hints_begin(struct app_state *state);

/* Shows `wanted`, 1 + a hint that helps in this frame (0: none does), and ends the one that was
 * read, or helps no longer. True when that changes what is shown. */
bool app_hints_follow(struct app_state *state, size_t wanted, const struct ui_input *input);

/* When the shown hint ends; 0: none is shown. */
double app_hints_wake(const struct app_state *state);

/* Notes that a person has used what a hint is about: it is never shown again. */
void app_hint_used(struct app_state *state, enum view_hint hint);
void app_hint_used_command(struct app_state *state, const char *command);

#endif
