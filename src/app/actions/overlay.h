/* app/actions/overlay.h — what lies over the panels: opened and closed in one place. */
#ifndef APP_ACTIONS_OVERLAY_H
#define APP_ACTIONS_OVERLAY_H

#include "app/document/state.h"

/* Opens the overlay in place of the one that is there; closes it where it is that one. */
void app_overlay_turn(struct app_state *state, enum view_overlay overlay, double time);

/* True when there was one. */
bool app_overlay_close(struct app_state *state);

#endif
