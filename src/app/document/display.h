/* app/document/display.h — how weights are looked at: several queries together, one line alone,
 * keys set aside. No experiment changes by it. */
#ifndef APP_DOCUMENT_DISPLAY_H
#define APP_DOCUMENT_DISPLAY_H

#include "app/document/state.h"

/* The parts of the selection are pinned. True when that changed anything. */
bool app_display_select(struct app_state *state, unsigned parts, const struct lab_selection *to,
                        double time);

/* Return what is selected as the cause of another number, and pin it as such. C, which stands in
 * place of Q, K and V at Project, is selected as projected. */
struct lab_selection app_display_cause(const struct app_state *state);
void app_display_pin_cause(struct app_state *state, enum lab_stage stage,
                           const struct lab_selection *to);

/* The query joins those that are looked at together, or leaves them. */
void app_display_keep(struct app_state *state, size_t query, double time);

/* The same by a ⇧-click. */
void app_display_click(struct app_state *state, size_t query, double time);

/* The key is set aside, or comes back; and these keys are, no others. Either is a step of history.
 */
void app_display_aside(struct app_state *state, size_t key, double time);
void app_display_set_aside(struct app_state *state, const struct lab_places *aside,
                           const char *name, double time);

/* Emphasises that key or query (VIEW_KEY, VIEW_QUERY) alone; called again, ends that. */
void app_display_filter(struct app_state *state, unsigned part, size_t place);

/* Esc: nothing is looked at together or alone any more. True when something was. */
bool app_display_let_go(struct app_state *state);

/* Applies what a step of a lesson says of it; what it leaves out stays, but for words, which may be
 * others. / */
void app_display_take(struct app_state *state, const struct lab_step *step);

#endif
