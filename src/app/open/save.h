/* app/open/save.h — saving a session: where it goes is asked once, nothing is written over unasked,
 * and a window is not closed on work that is kept nowhere. */
#ifndef APP_OPEN_SAVE_H
#define APP_OPEN_SAVE_H

#include "app/document/state.h"

struct app_save;

/* Saves to the file of the document, where it is its own; else asks: for name and folder, or whose
 * work stays. */
void app_save(struct app_state *state, double time);

/* Over whatever that file holds. */
void app_save_over(struct app_state *state, double time);

/* The overlay that asks for name and folder. close: is safe where it is not open. */
void app_save_open(struct app_state *state, double time);
void app_save_close(struct app_state *state);
void app_save_apply(struct app_state *state, const struct view_action *action, double time);

/* Prepares what the overlay shows; before each frame. */
void app_save_prepare(struct app_state *state);

/* The person wants to close the window. True: what is in no file is kept aside, and it may close.
 * False: that could not be done, and it is asked what is to become of it. */
bool app_save_may_close(struct app_state *state);

#endif
