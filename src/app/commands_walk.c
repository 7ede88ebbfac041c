/* app/commands_walk.c — from stage to stage, from query to query, from step to step. */
#include "app/commands_parts.h"

#include "app/find.h"
#include "app/lesson.h"

#include <math.h>

#include "base/text.h"
#include "view/parts/playback.h"

static void go_stage(struct app_state *state, int argument, double time)
{
    app_state_go(state, (enum lab_stage)argument, time);
}

static void first_stage(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_state_go(state, LAB_EMBED, time);
}

static void last_stage(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_state_go(state, LAB_OUTPUT, time);
}

static void next_stage(struct app_state *state, int argument, double time)
{
    (void)argument;
    if (state->view.stage + 1 < LAB_STAGES) {
        app_state_go(state, state->view.stage + 1, time);
    }
}

static void former_stage(struct app_state *state, int argument, double time)
{
    (void)argument;
    if (state->view.stage > LAB_EMBED) {
        app_state_go(state, state->view.stage - 1, time);
    }
}

/* From the start of the stage when it is full; from the first stage when all is over. */
static void play(struct app_state *state, int argument, double time)
{
    (void)argument;
    struct view_state *view = &state->view;
    view->playing = !view->playing;
    if (!view->playing) {
        return;
    }
    view->let_go = false;
    const bool over = view->stage == LAB_OUTPUT && view->moment >= 1;
    if (over || view->moment >= 1) {
        app_state_go(state, over ? LAB_EMBED : view->stage, time);
    }
    app_state_play(state, time);
}

/* A cell, a row, a bar further or back; play stops. */
static void move_moment(struct app_state *state, int argument, double time)
{
    if (state->document.trace != NULL) {
        app_state_scrub(
            state, view_place_beside(state->document.trace, &state->view, argument >= 0), time);
    }
}

static void change_speed(struct app_state *state, int argument, double time)
{
    const float factor = argument > 0 ? 1.5f : 1 / 1.5f;
    state->play_speed = fminf(8, fmaxf(0.125f, state->play_speed * factor));
    app_state_play(state, time);
    char speed[TEXT_NUMBER_MAX];
    app_state_show_message(state, time, "Speed × %s",
                           text_number(speed, (double)state->play_speed, 2));
}

static size_t stepped(size_t value, int steps, size_t count)
{
    if (steps < 0) {
        return value > 0 ? value - 1 : 0;
    }
    return value + 1 < count ? value + 1 : value;
}

/* The keyboard moves what is pinned, and what the pointer happens to rest on gives way. */
static struct lab_sizes begin_move(struct app_state *state, double time)
{
    state->view.hovered_parts = 0;
    state->view.let_go = false;
    state->glide_from = time;
    return state->document.trace != NULL ? lab_trace_sizes(state->document.trace)
                                         : (struct lab_sizes){0};
}

static void move_query(struct app_state *state, int argument, double time)
{
    const struct lab_sizes sizes = begin_move(state, time);
    state->view.pinned.query = stepped(state->view.pinned.query, argument, sizes.n);
}

static void move_key(struct app_state *state, int argument, double time)
{
    const struct lab_sizes sizes = begin_move(state, time);
    state->view.pinned.key = stepped(state->view.pinned.key, argument, sizes.m);
}

static void move_head(struct app_state *state, int argument, double time)
{
    const struct lab_sizes sizes = begin_move(state, time);
    const size_t heads = sizes.heads > 0 ? sizes.heads : 1;
    const size_t step = argument < 0 ? heads - 1 : 1;
    state->view.pinned.head = (state->view.pinned.head + step) % heads;
}

static void find_word(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    app_find_open_words(state);
}

static void next_place(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_find_step(state, 1, time);
}

static void former_place(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_find_step(state, -1, time);
}

/* Forward again, to where one came from. */
static void walk_forward(struct app_state *state, int argument, double time)
{
    (void)argument;
    if (state->back_count > 0) {
        const struct app_location place = state->back_stack[--state->back_count];
        state->view.pinned = place.selection;
        state->view.let_go = false;
        app_state_go(state, place.stage, time);
    }
}

static void step(struct app_state *state, int argument, double time)
{
    const size_t at = state->document.step;
    if (state->document.lesson.steps == 0) {
        app_command_run(state, argument < 0 ? "former stage" : "next stage", 0, time);
    } else if (argument > 0 && state->view.guess != LAB_GUESS_NONE && !state->view.revealed) {
        app_lesson_reveal(state);
    } else if (argument > 0 || at > 0) {
        app_lesson_go(state, argument > 0 ? at + 1 : at - 1, time);
    }
}

/* What an arrow does: in presenter mode it turns the lesson's pages, else the stages. */
static void go_on(struct app_state *state, int argument, double time)
{
    if (state->view.presenter) {
        step(state, argument, time);
    } else if (argument > 0) {
        next_stage(state, 0, time);
    } else {
        former_stage(state, 0, time);
    }
}

static void back_to_lesson(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_lesson_go(state, state->document.step, time);
}

static void reveal(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    app_lesson_reveal(state);
}

const struct app_command app_commands_walk[] = {
    {"stage", "Go to a stage", go_stage, false},
    {"first stage", "To the first stage", first_stage, true},
    {"last stage", "To the last stage", last_stage, true},
    {"next stage", "Next stage", next_stage, true},
    {"former stage", "Previous stage", former_stage, true},
    {"play", "Play or pause", play, true},
    {"speed", "Slower or faster", change_speed, false},
    {"moment", "A moment further in the calculation", move_moment, true},
    {"query", "Next or previous query", move_query, false},
    {"key", "Next or previous key", move_key, false},
    {"head", "Next or previous head", move_head, false},
    {"find word", "Find a word of the text", find_word, true},
    {"next place", "Next place of the word that was found", next_place, true},
    {"former place", "Previous place of the word that was found", former_place, true},
    {"walk forward", "Back from a cause to what it made", walk_forward, true},
    {"step", "Next step of the lesson", step, false},
    {"go on", "Next stage; in presenter mode the next step", go_on, false},
    {"back to lesson", "Back to the lesson as this step has it", back_to_lesson, true},
    {"reveal", "Reveal what was to be guessed", reveal, true},
};

const size_t app_commands_walk_count = sizeof app_commands_walk / sizeof *app_commands_walk;
