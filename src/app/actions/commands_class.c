/* The commands of a class: the lesson's steps and captions, and how they are shown to many. */
#include "app/actions/commands.h"

#include "app/open/lesson.h"

static bool is_presenter_mode(const struct app_state *state)
{
    return state->view.prefs.presenter;
}

/* Anything that is open over the stage is closed first. */
static bool presents_stage(const struct app_state *state)
{
    return is_presenter_mode(state) && !state->view.prefs.display.flow;
}

static bool is_presenting(const struct app_state *state)
{
    return state->view.prefs.presenter && state->document.lesson->steps > 0;
}

/* Goes to another step of the lesson, without a lesson to another stage. */
static void go_step(struct app_state *state, int steps, double time)
{
    const size_t at = state->document.step;
    if (state->document.lesson->steps == 0) {
        const size_t stage = (size_t)state->view.playback.stage;
        const size_t to = steps > 0 ? stage + 1 : stage - (stage > 0);
        if (to < LAB_STAGES && to != stage) {
            app_state_go(state, (enum lab_stage)to, time);
        }
    } else if (steps > 0 && state->view.guess != LAB_GUESS_NONE && !state->view.revealed &&
               !app_lesson_awaits_caption(state)) {
        app_lesson_reveal(state);
    } else if (state->view.ended && steps > 0) {
        app_lesson_open_next(state, time);
    } else if (state->view.ended) {
        state->view.ended = false;
    } else if (steps > 0 && at + 1 == state->document.lesson->steps) {
        app_lesson_go(state, at + 1, time);
        state->view.ended_new = state->view.ended;
    } else if (steps < 0 && at == 0) {
        app_lesson_open_former(state, time);
    } else {
        app_lesson_go(state, steps > 0 ? at + 1 : at - 1, time);
    }
}

static bool has_next(const struct app_state *state)
{
    return state->view.next_lesson != NULL;
}

static void toggle_presenter(struct app_state *state)
{
    state->view.prefs.presenter = !state->view.prefs.presenter;
    if (state->view.prefs.presenter) {
        state->view.prefs.captions_closed = false;
        state->view.small_panel = VIEW_SMALL_PANEL_NONE;
    }
}

/* This is for the presenter view alone: elsewhere a full stop belongs to a number. */
static void blank_screen(struct app_state *state, double time)
{
    state->view.blank = state->view.prefs.presenter;
    if (!state->view.blank) {
        app_state_show_message(state, time, "The screen goes blank in presenter mode (F5).");
    }
}

static const struct app_command rows[] = {
    {"step", 1, .title = "Next step of the lesson", .turn = go_step,
     .help = "Next, previous step of the lesson",
     .stroke = {{UI_KEY_PAGE_DOWN, 0}, {UI_KEY_RIGHT, APP_UNLISTED}}, .when = is_presenting},
    {"step", -1, .title = "Previous step of the lesson", .turn = go_step, .help = APP_SAME_LINE,
     .stroke = {{UI_KEY_PAGE_UP, 0}, {UI_KEY_LEFT, APP_UNLISTED}}, .when = is_presenting},
    {"captions", .title = "Show or hide the lesson's captions", .stroke = {{'c', 0}},
     .toggle = offsetof(struct app_state, view.prefs.captions_closed)},
    {"end", .run = toggle_presenter, .stroke = {{UI_KEY_ESCAPE, APP_UNLISTED}},
     .when = presents_stage},
    {"presenter", .title = "Presenter: full screen, captions large, no settings",
     .words = "projector beamer class slides lecture", .run = toggle_presenter,
     .help = "Presenter mode; blank screen", .stroke = {{UI_KEY_F1 + 4, 0}},
     .traits = APP_COMMAND_COVERS},
    {"blank", .title = "Blank screen, until something is pressed", .help = APP_SAME_LINE,
     .stroke = {{'.', 0}}, .traits = APP_COMMAND_COVERS, .run_at = blank_screen},
    {"next lesson", .title = "Next lesson", .run_at = app_lesson_open_next, .when = has_next},
    {"reveal", .title = "Reveal what was to be guessed", .run = app_lesson_reveal},
    {"back to lesson", .title = "Back to the lesson as this step has it",
     .run_at = app_lesson_go_back},
};

const struct app_command_group app_commands_class = {"Class", rows, sizeof rows / sizeof *rows};
