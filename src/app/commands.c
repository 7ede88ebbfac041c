#include "app/commands.h"

#include "app/export.h"
#include "app/find.h"
#include "app/lesson.h"
#include "app/matrix_text.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static void undo(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    app_state_undo(state);
}

static void redo(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    app_state_redo(state);
}

static void export_sheet(struct app_state *state, int argument, double time)
{
    (void)argument;
    if (state->view.export_sheet == NULL) {
        app_export_open(state, time);
    } else {
        app_export_close(state);
    }
}

static void export_now(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_export_now(state, time);
}

static void turn_theme(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    app_state_set_theme(state, ui_theme_find(state->theme->dark ? "light" : "dark"));
}

static void help(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.help_open = !state->view.help_open;
}

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
    state->play_from = time - (double)(view->moment * 3.0f / state->play_speed);
}

static void change_speed(struct app_state *state, int argument, double time)
{
    const float former = state->play_speed;
    const float factor = argument > 0 ? 1.5f : 1 / 1.5f;
    state->play_speed = fminf(8, fmaxf(0.125f, former * factor));
    state->play_from = time - (time - state->play_from) * (double)(former / state->play_speed);
    char speed[TEXT_NUMBER_MAX];
    app_state_say(state, time, "Speed × %s", text_number(speed, (double)state->play_speed, 2));
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
    return state->trace != NULL ? lab_trace_sizes(state->trace) : (struct lab_sizes){0};
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

/* Other random numbers; where nothing was random, random weights. */
static void roll(struct app_state *state, int argument, double time)
{
    (void)argument;
    struct lab_experiment next;
    lab_experiment_copy(&next, &state->experiment);
    if (next.weights == LAB_WEIGHTS_RANDOM || next.embedding == LAB_EMBEDDING_RANDOM) {
        next.seed++;
    } else {
        next.weights = LAB_WEIGHTS_RANDOM;
    }
    app_state_change(state, &next, "roll the dice", time);
    lab_experiment_release(&next);
}

static void turn_range(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.range_by_content = !state->view.range_by_content;
}

static void find(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    if (state->view.find_open) {
        app_find_close(state);
    } else {
        app_find_open(state);
    }
}

static void forget(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    lab_trace_release(state->kept);
    state->kept = NULL;
    state->view.compare = VIEW_COMPARE_NOT;
}

/* The first time it keeps what is; then it turns through the ways to show both. */
static void compare(struct app_state *state, int argument, double time)
{
    (void)argument;
    if (state->trace == NULL) {
        return;
    }
    state->view.flow = false;
    if (state->kept == NULL) {
        state->kept = lab_trace_keep(state->trace);
        state->view.compare = VIEW_COMPARE_SIDE;
        app_state_say(state, time, "Kept. Change anything, and see it beside what was.");
    } else {
        state->view.compare = (enum view_compare)((state->view.compare + 1) % 3);
    }
}

/* Forward again, to where one came from. */
static void walk_forward(struct app_state *state, int argument, double time)
{
    (void)argument;
    if (state->trail_count > 0) {
        const struct app_place place = state->trail[--state->trail_count];
        state->view.pinned = place.selection;
        state->view.let_go = false;
        app_state_go(state, place.stage, time);
    }
}

static void step(struct app_state *state, int argument, double time)
{
    const size_t at = state->step;
    if (state->lesson.steps == 0) {
        app_command_run(state, argument < 0 ? "former stage" : "next stage", 0, time);
    } else if (argument > 0 && state->view.guess != LAB_GUESS_NONE && !state->view.revealed) {
        app_lesson_reveal(state);
    } else if (argument > 0 || at > 0) {
        app_lesson_go(state, argument > 0 ? at + 1 : at - 1, time);
    }
}

static void captions(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.captions_closed = !state->view.captions_closed;
}

static void reveal(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    app_lesson_reveal(state);
}

static void presenter(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.presenter = !state->view.presenter;
    if (state->view.presenter) {
        state->view.captions_closed = false;
    }
}

static void blank(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.blank = !state->view.blank;
}

static void open_session(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    app_find_open_files(state);
}

static void save_to(struct app_state *state, const char *path, double time)
{
    struct error error = {0};
    if (app_lesson_save(state, path, &error)) {
        app_state_say(state, time, "Saved as %.200s", state->path);
    } else {
        app_state_say(state, time, "%s", error.text);
    }
}

static void save_as(struct app_state *state, int argument, double time)
{
    (void)argument;
    char path[sizeof state->path];
    if (app_lesson_free_path(state, path, sizeof path)) {
        save_to(state, path, time);
    } else {
        app_state_say(state, time, "There is no free name for the session in the documents.");
    }
}

static void save(struct app_state *state, int argument, double time)
{
    if (state->path[0] != 0) {
        save_to(state, state->path, time);
    } else {
        save_as(state, argument, time);
    }
}

static void turn_alpha(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.whole_alpha = !state->view.whole_alpha;
}

static void costs(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.costs_open = !state->view.costs_open;
}

static void set(struct app_state *state, enum view_field field, double number, double time)
{
    app_state_apply(state,
                    &(struct view_wish){.kind = VIEW_WISH_FIELD, .field = field, .number = number},
                    time);
}

static void turn_scale(struct app_state *state, int argument, double time)
{
    (void)argument;
    set(state, VIEW_FIELD_SCALE, state->experiment.scale ? 0 : 1, time);
}

static void turn_causal(struct app_state *state, int argument, double time)
{
    (void)argument;
    const bool causal = state->experiment.mask == LAB_MASK_CAUSAL;
    set(state, VIEW_FIELD_MASK, causal ? LAB_MASK_NONE : LAB_MASK_CAUSAL, time);
}

static void turn_softmax(struct app_state *state, int argument, double time)
{
    (void)argument;
    const bool softmax = state->experiment.normalise == LAB_SOFTMAX_ROWS;
    set(state, VIEW_FIELD_NORMALISE, softmax ? LAB_PLAIN_SHARE : LAB_SOFTMAX_ROWS, time);
}

static void turn_residual(struct app_state *state, int argument, double time)
{
    (void)argument;
    set(state, VIEW_FIELD_RESIDUAL, state->experiment.residual ? 0 : 1, time);
}

static void even_temperature(struct app_state *state, int argument, double time)
{
    (void)argument;
    set(state, VIEW_FIELD_TEMPERATURE, 1, time);
}

static void turn_flow(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.flow = !state->view.flow;
}

static void turn_lines(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.lines = !state->view.lines;
}

static void settings(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.settings_folded = !state->view.settings_folded;
    state->view.settings_open = !state->view.settings_open;
}

static void let_go(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    if (state->view.help_open || state->view.costs_open) {
        state->view.help_open = state->view.costs_open = false;
        return;
    }
    if (state->view.flow) {
        state->view.flow = false;
        return;
    }
    state->view.settings_open = false;
    state->view.let_go = true;
}

static void show_tab(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.tab = state->view.tab == VIEW_TAB_SPACE ? VIEW_TAB_HEADS : VIEW_TAB_SPACE;
}

static void quit(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->request.quit = true;
}

static void fullscreen(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->request.fullscreen = true;
}

static void ui_scale(struct app_state *state, int argument, double time)
{
    (void)time;
    if (argument == 0) {
        state->request.ui_scale_reset = true;
    } else {
        state->request.ui_scale_step = (float)argument;
    }
}

/* The stage's result as text that another program takes. */
static void copy_as(struct app_state *state, const char *format, const char *how, double time)
{
    struct error error = {0};
    struct bytes text = {0};
    arena_reset(&state->copied);
    if (state->trace == NULL) {
        return;
    }
    const struct lab_matrix matrix = app_matrix_shown(state, &state->copied);
    const struct app_matrix_looks looks = app_matrix_looks(state, &matrix);
    if (!app_matrix_text(app_matrix_format_find(format), &matrix, &looks, &state->copied, &text,
                         &error)) {
        app_state_say(state, time, "%s", error.text);
        return;
    }
    state->request.copy = (const char *)text.at;
    app_state_say(state, time, "%s copied: %zu × %zu numbers, %s", matrix.name, matrix.rows,
                  matrix.cols, how);
}

static void copy_tabs(struct app_state *state, int argument, double time)
{
    (void)argument;
    copy_as(state, "Tabs", "separated by tabs", time);
}

static void copy_numpy(struct app_state *state, int argument, double time)
{
    (void)argument;
    copy_as(state, "NumPy", "as a NumPy array", time);
}

static void copy_latex(struct app_state *state, int argument, double time)
{
    (void)argument;
    copy_as(state, "LaTeX", "as a bmatrix for LaTeX", time);
}

static void copy_tikz(struct app_state *state, int argument, double time)
{
    (void)argument;
    copy_as(state, "TikZ", "as a heatmap for LaTeX with TikZ", time);
}

static void copy_csv(struct app_state *state, int argument, double time)
{
    (void)argument;
    copy_as(state, "CSV", "as CSV with their words", time);
}

static const struct app_command commands[] = {
    {"undo", "Take back the last change", undo, true},
    {"redo", "Do it again", redo, true},
    {"export", "Save a picture, an animation or numbers", export_sheet, true},
    {"export now", "Save at once as last time", export_now, true},
    {"theme", "Light or dark", turn_theme, true},
    {"help", "All keys", help, true},
    {"stage", "Go to a stage", go_stage, false},
    {"first stage", "To the first stage", first_stage, true},
    {"last stage", "To the last stage", last_stage, true},
    {"next stage", "Next stage", next_stage, true},
    {"former stage", "Previous stage", former_stage, true},
    {"play", "Play or pause", play, true},
    {"speed", "Slower or faster", change_speed, false},
    {"query", "Next or previous query", move_query, false},
    {"key", "Next or previous key", move_key, false},
    {"head", "Next or previous head", move_head, false},
    {"roll", "Other random numbers", roll, true},
    {"range", "Colours up to 1, or up to the largest weight", turn_range, true},
    {"walk forward", "Back from a cause to what it made", walk_forward, true},
    {"compare", "Keep this experiment and compare", compare, true},
    {"forget", "Let go of what was kept to compare", forget, true},
    {"whole alpha", "Softmax: one row or all of α", turn_alpha, true},
    {"step", "Next step of the lesson", step, false},
    {"captions", "Show or hide the lesson's captions", captions, true},
    {"reveal", "Reveal what was to be guessed", reveal, true},
    {"presenter", "Presenter: captions large, no settings", presenter, true},
    {"blank", "Blank screen", blank, true},
    {"open", "Open a lesson or session", open_session, true},
    {"save", "Save the session", save, true},
    {"save as", "Save the session under a new name", save_as, true},
    {"costs", "What each kind of attention costs", costs, true},
    {"causal mask", "Setting: causal mask, on or off", turn_causal, true},
    {"scale scores", "Setting: scale by 1/√dₖ, on or off", turn_scale, true},
    {"softmax switch", "Setting: softmax or plain shares", turn_softmax, true},
    {"residual", "Setting: residual X + O, on or off", turn_residual, true},
    {"temperature", "Setting: temperature back to 1", even_temperature, true},
    {"flow", "The whole flow on one sheet", turn_flow, true},
    {"lines", "Heads as matrices or as lines", turn_lines, true},
    {"settings", "Show or hide the settings", settings, true},
    {"let go", "Let go of the selection", let_go, true},
    {"tab", "Space or heads, where they share a place", show_tab, true},
    {"copy", "Copy the stage's result", copy_tabs, true},
    {"copy numpy", "Copy the stage's result as NumPy", copy_numpy, true},
    {"copy latex", "Copy the stage's result as LaTeX", copy_latex, true},
    {"copy tikz", "Copy the stage's result as a TikZ heatmap", copy_tikz, true},
    {"copy csv", "Copy the stage's result as CSV", copy_csv, true},
    {"fullscreen", "Full screen", fullscreen, true},
    {"scale", "Size of the interface", ui_scale, false},
    {"quit", "Close the window", quit, true},
    {"find", "Find anything by name", find, false},
};

const struct app_command *app_command_at(size_t index)
{
    return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

bool app_command_run(struct app_state *state, const char *name, int argument, double time)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            commands[i].run(state, argument, time);
            app_state_clamp(state);
            return true;
        }
    }
    return false;
}
