/* app/actions/frame_run.h — one frame: (state, input) → drawing list. Everything the window does,
 * without a window.
 *
 *     struct app_frame *frame = app_frame_open(fonts, &error);
 *     app_frame_run(frame, &state, &input);
 *     … play app_frame_canvas(frame) … */
#ifndef APP_ACTIONS_FRAME_RUN_H
#define APP_ACTIONS_FRAME_RUN_H

#include "app/document/state.h"
#include "app/draw/frame.h"

/* Feeds one input record, applies what was wished, and draws until nothing changes any more. */
void app_frame_run(struct app_frame *frame, struct app_state *state, const struct ui_input *input);

#endif
