/* app/actions/step.h — one step of the program: what the person did, what has come meanwhile, and
 * the picture of it. Everything the window does, without a window.
 *
 *     struct app_frame *frame = app_frame_open(fonts, &error);
 *     app_step(frame, &state, &input);
 *     render_canvas(app_frame_canvas(frame));
 *
 * The window and the tests come in here and by no other door, so that what a test sees is what the
 * window comes to. */
#ifndef APP_ACTIONS_STEP_H
#define APP_ACTIONS_STEP_H

#include "app/document/state.h"
#include "app/draw/frame.h"

/* Everything that came in since the last step. */
struct app_input {
    struct ui_input ui;
    const char *const *dropped; /* [drops] paths of files that were dropped on the window */
    size_t drops;
    bool drops_text; /* a text was dropped, and no file */
    bool is_hidden;  /* nobody can see the window */
};

/* Does what the input asks for, shows what tasks and training have made, and draws until nothing
 * changes any more. app_frame_facts says what the window is to do then. */
void app_step(struct app_frame *frame, struct app_state *state, const struct app_input *input);

/* The part of a step that needs no picture: shows what tasks and training have made by now, and
 * begins what is wanted next. */
void app_advance(struct app_state *state, double time);

/* The same at the beginning of a frame that goes on: results_end is its end. */
void app_begin_frame(struct app_state *state, double time);

/* Returns whether anything that was asked for is not there yet. */
bool app_waits(const struct app_state *state);

/* The same without weights that learn, which may go on for hours. */
bool app_waits_for_tasks(const struct app_state *state);

/* Waits until something that was asked for has come, at most so many seconds. */
void app_wait(const struct app_state *state, double seconds);

/* Advances tasks and waits until none is under way, while weights go on learning. */
void app_settle_tasks(struct app_state *state, double time);

/* Advances and waits until nothing is missing, where no picture is drawn meanwhile. The time stands
 * still. */
void app_settle(struct app_state *state, double time);

#endif
