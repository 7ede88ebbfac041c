/* The commands that walk: from stage to stage, from query to query, through time. */
#include "app/actions/commands.h"

#include <math.h>

#include "app/actions/find.h"
#include "app/document/display.h"
#include "base/text.h"
#include "view/parts/playback.h"

static bool steps_by_stage(const struct app_state *state)
{
    return !state->view.prefs.presenter || state->document.lesson->steps == 0;
}

static void go_stage(struct app_state *state, int stage, double time)
{
    state->view.why_shown = false;
    app_state_go(state, (enum lab_stage)stage, time);
}

static void next_stage(struct app_state *state, double time)
{
    if (state->view.playback.stage + 1 < LAB_STAGES) {
        app_state_go(state, state->view.playback.stage + 1, time);
    }
}

static void former_stage(struct app_state *state, double time)
{
    if (state->view.playback.stage > LAB_EMBED) {
        app_state_go(state, state->view.playback.stage - 1, time);
    }
}

/* Plays on, or from the start of a stage that is full, or from the first stage when all is over. */
static void play_stage(struct app_state *state, double time)
{
    struct view_state *view = &state->view;
    view->playback.playing = !view->playback.playing;
    if (!view->playback.playing) {
        return;
    }
    view->let_go = false;
    const bool over = view->playback.stage == LAB_OUTPUT && view->playback.position >= 1;
    if (over || view->playback.position >= 1) {
        app_state_go(state, over ? LAB_EMBED : view->playback.stage, time);
    }
    app_state_play(state, time);
}

/* Goes a cell, a row or a bar on or back; play stops. */
static void move_position(struct app_state *state, int steps, double time)
{
    if (state->document.trace != NULL) {
        app_state_scrub(state,
                        view_place_beside(state->document.trace, &state->view.playback,
                                          &state->view.pinned, steps >= 0),
                        time);
    }
}

static void change_speed(struct app_state *state, int steps, double time)
{
    const float factor = steps > 0 ? 1.5f : 1 / 1.5f;
    state->view.playback.speed = fminf(8, fmaxf(0.125f, state->view.playback.speed * factor));
    app_state_play(state, time);
    char speed[TEXT_NUMBER_MAX];
    app_state_show_message(state, time, "Speed × %s",
                           text_number(speed, (double)state->view.playback.speed, 2));
}

static size_t step_value(size_t value, int steps, size_t count)
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
    state->view.playback.glide_from = time;
    return state->document.trace != NULL ? lab_trace_sizes(state->document.trace)
                                         : (struct lab_sizes){0};
}

static void move_query(struct app_state *state, int steps, double time)
{
    const struct lab_sizes sizes = begin_move(state, time);
    state->view.pinned.query = step_value(state->view.pinned.query, steps, sizes.n);
}

static void move_key(struct app_state *state, int steps, double time)
{
    const struct lab_sizes sizes = begin_move(state, time);
    state->view.pinned.key = step_value(state->view.pinned.key, steps, sizes.m);
}

static void move_head(struct app_state *state, int steps, double time)
{
    const struct lab_sizes sizes = begin_move(state, time);
    const size_t heads = sizes.heads > 0 ? sizes.heads : 1;
    const size_t step = steps < 0 ? heads - 1 : 1;
    state->view.pinned.head = (state->view.pinned.head + step) % heads;
}

/* Goes back to where the present cause was opened. */
static void walk_forward(struct app_state *state, double time)
{
    if (state->back_count > 0) {
        const struct app_back_entry entry = state->back_stack[--state->back_count];
        app_display_pin_cause(state, entry.stage, &entry.selection);
        state->view.let_go = false;
        app_state_go(state, entry.stage, time);
    } else if (state->view.why_returns) {
        state->view.why_shown = true;
    }
}

/* Closes the nearest thing first: the flow, the settings over the stage with what is looked at
 * together, then the selection. An overlay is closed before any of it (app_command "close"). */
static void let_go(struct app_state *state)
{
    if (state->view.prefs.display.flow) {
        state->view.prefs.display.flow = false;
        return;
    }
    if (state->view.why_shown) {
        state->view.why_shown = false;
        return;
    }
    state->view.settings_open = false;
    if (!app_display_let_go(state)) {
        state->view.let_go = true;
    }
}

/* In a presentation Esc ends it. */
static bool is_not_presenting(const struct app_state *state)
{
    return !state->view.prefs.presenter || state->view.prefs.display.flow || state->view.why_shown;
}

static const struct app_command rows[] = {
    {"next stage", .title = "Next stage", .run_at = next_stage, .when = steps_by_stage,
     .help = "Next, previous stage; in presenter mode: step", .stroke = {{UI_KEY_RIGHT, 0}}},
    {"former stage", .title = "Previous stage", .run_at = former_stage, .when = steps_by_stage,
     .help = APP_SAME_LINE, .stroke = {{UI_KEY_LEFT, 0}}},
    {"stage", LAB_EMBED, .turn = go_stage, .stroke = {{'1', 0}}, .keys = "1 … 7",
     .help = "Go to a stage; in models 8: Block, 9: Loss"},
    {"stage", LAB_PROJECT, .turn = go_stage, .stroke = {{'2', APP_UNLISTED}}},
    {"stage", LAB_SCORE, .turn = go_stage, .stroke = {{'3', APP_UNLISTED}}},
    {"stage", LAB_SCALE, .turn = go_stage, .stroke = {{'4', APP_UNLISTED}}},
    {"stage", LAB_SOFTMAX, .turn = go_stage, .stroke = {{'5', APP_UNLISTED}}},
    {"stage", LAB_BLEND, .turn = go_stage, .stroke = {{'6', APP_UNLISTED}}},
    {"stage", LAB_OUTPUT, .turn = go_stage, .stroke = {{'7', APP_UNLISTED}}},
    {"first stage", LAB_EMBED, .title = "To the first stage", .turn = go_stage,
     .help = "First, last stage", .stroke = {{UI_KEY_HOME, 0}}},
    {"last stage", LAB_OUTPUT, .title = "To the last stage", .turn = go_stage,
     .help = APP_SAME_LINE, .stroke = {{UI_KEY_END, 0}}},
    {"play", .title = "Play or pause", .words = "animate animation start stop",
     .run_at = play_stage, .stroke = {{UI_KEY_SPACE, 0}}},
    {"moment", 1, .title = "A moment further in the calculation", .turn = move_position,
     .help = "A moment further, back: a cell, then rows", .stroke = {{UI_KEY_RIGHT, UI_ALT}}},
    {"moment", -1, .turn = move_position, .help = APP_SAME_LINE, .stroke = {{UI_KEY_LEFT, UI_ALT}}},
    {"speed", -1, .title = "Play slower", .turn = change_speed, .help = "Slower, faster",
     .stroke = {{'[', APP_ANY_SHIFT}}},
    {"speed", 1, .title = "Play faster", .turn = change_speed, .help = APP_SAME_LINE,
     .stroke = {{']', APP_ANY_SHIFT}}},
    {"query", 1, .title = "Next query", .turn = move_query, .help = "Next, previous query",
     .stroke = {{UI_KEY_DOWN, 0}}},
    {"query", -1, .title = "Previous query", .turn = move_query, .help = APP_SAME_LINE,
     .stroke = {{UI_KEY_UP, 0}}},
    {"key", 1, .title = "Next key", .turn = move_key, .help = "Next, previous key",
     .stroke = {{UI_KEY_DOWN, UI_SHIFT}, {UI_KEY_RIGHT, UI_SHIFT | APP_UNLISTED}}},
    {"key", -1, .title = "Previous key", .turn = move_key, .help = APP_SAME_LINE,
     .stroke = {{UI_KEY_UP, UI_SHIFT}, {UI_KEY_LEFT, UI_SHIFT | APP_UNLISTED}}},
    {"head", 1, .title = "Next head", .turn = move_head, .help = "Next, previous head",
     .stroke = {{'h', 0}}},
    {"head", -1, .title = "Previous head", .turn = move_head, .help = APP_SAME_LINE,
     .stroke = {{'h', UI_SHIFT}}},
    {"walk forward", .title = "Back from a cause to what it made", .run_at = walk_forward,
     .help = "From a cause back to what it made", .stroke = {{UI_KEY_BACKSPACE, 0}}},
    {"find word", .title = "Find a word of the text", .run = app_find_open_words,
     .help = "Find a word of the text; its next, former place", .stroke = {{'f', UI_CTRL}}},
    {"next place", 1, .title = "Next place of the word that was found", .turn = app_find_step,
     .help = APP_SAME_LINE, .stroke = {{UI_KEY_F1 + 2, 0}}},
    {"former place", -1, .title = "Previous place of the word that was found",
     .turn = app_find_step, .help = APP_SAME_LINE, .stroke = {{UI_KEY_F1 + 2, UI_SHIFT}}},
    {"let go", .title = "Let go of the selection", .words = "deselect clear", .run = let_go,
     .when = is_not_presenting, .stroke = {{UI_KEY_ESCAPE, 0}}},
};

const struct app_command_group app_commands_walk = {"Walk", rows, sizeof rows / sizeof *rows};
