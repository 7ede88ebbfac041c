#include "app/state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/autosave.h"
#include "app/change.h"
#include "app/display.h"
#include "app/edit.h"
#include "app/errand.h"
#include "app/export.h"
#include "app/import_dialog.h"
#include "app/keys.h"
#include "app/lesson.h"
#include "app/open_model.h"
#include "app/timeline.h"
#include "app/travel.h"
#include "base/text.h"
#include "base/translate.h"
#include "lab/lesson/lessons.h"
#include "view/parts/playback.h"

static const double GLIDE_SECONDS = 0.2, SAY_SECONDS = 6;

/* Whether the experiment is one that no file and no step of the lesson has. */
static bool is_unsaved(const struct app_state *state)
{
    if (state->restored || lab_experiment_equal(&state->experiment, &state->saved)) {
        return state->restored;
    }
    for (size_t i = 0; i < state->lesson.steps; i++) {
        if (lab_experiment_equal(&state->experiment, &state->lesson.step[i].experiment)) {
            return false;
        }
    }
    return true;
}

void app_state_note_saved(struct app_state *state, const struct lab_experiment *experiment)
{
    lab_experiment_release(&state->saved);
    lab_experiment_copy(&state->saved, experiment);
    state->restored = false;
    state->unsaved = is_unsaved(state);
}

static void compute(struct app_state *state)
{
    state->changes++;
    state->unsaved = is_unsaved(state);
    const struct lab_trace *former = state->trace;
    state->trouble = (struct error){0};
    state->trace = NULL;
    if (lab_words_count(state->experiment.tokens) > 0) {
        state->trace = state->ready != NULL
                           ? lab_trace_keep(state->ready)
                           : lab_run_after(former, &state->experiment, state->isa, &state->trouble);
    }
    app_display_follow(state, former);
    lab_trace_release(former);
    state->view.lesson_changed =
        state->lesson.steps > 0 &&
        !lab_experiment_equal(&state->experiment, &state->lesson.step[state->step].experiment);
    app_state_clamp(state);
}

static void note_history(struct app_state *state)
{
    const size_t at = state->history_at;
    state->view.can_undo = at > 0;
    state->view.can_redo = at + 1 < state->history_count;
    state->view.undo_name = state->view.can_undo ? state->history_name[at] : NULL;
    state->view.redo_name = state->view.can_redo ? state->history_name[at + 1] : NULL;
}

/* The map that belongs to a theme. */
static const struct colourmap *map_of(const struct ui_theme *theme, enum colourmap_kind kind)
{
    return theme->grey ? colourmap_find(kind == COLOURMAP_SIGNED ? "ash" : "grey")
                       : colourmap_default(kind, theme->dark);
}

void app_state_set_theme(struct app_state *state, const struct ui_theme *theme)
{
    struct view_state *view = &state->view;
    if (view->weights_map == NULL || state->theme == NULL ||
        view->weights_map == map_of(state->theme, COLOURMAP_UNSIGNED)) {
        view->weights_map = map_of(theme, COLOURMAP_UNSIGNED);
    }
    view->signed_map = map_of(theme, COLOURMAP_SIGNED);
    state->theme = theme;
}

bool app_state_open(struct app_state *state, const char *lesson, const char *isa,
                    struct error *error)
{
    *state = (struct app_state){0};
    size_t index = 0;
    const char *name = lesson != NULL ? lesson : "cats";
    if (!lab_lesson_find(name, &index)) {
        return error_set(error, ERROR_USAGE, "There is no lesson called %s.", name);
    }
    snprintf(state->isa, sizeof state->isa, "%s", isa != NULL ? isa : "");
    state->view = (struct view_state){.moment = 1,
                                      .glide = 1,
                                      .arrival = 1,
                                      .scale_step = SIZE_MAX,
                                      .split_column = 0.576f,
                                      .split_right = 0.628f,
                                      .camera = view_camera_home()};
    state->view.key_rows = state->key_rows;
    state->view.key_count = app_key_rows(state->key_rows, APP_KEY_ROWS_MAX);
    state->play_speed = 1;
    app_state_set_theme(state, ui_theme_find("light"));
    if (!lab_lesson_open(index, &state->experiment, &state->view.stage, &state->view.pinned,
                         error)) {
        return false;
    }
    compute(state);
    lab_experiment_copy(&state->history[0], &state->experiment);
    state->history_count = 1;
    app_lesson_open(state, index, 0);
    app_state_note_saved(state, &state->experiment);
    note_history(state);
    return true;
}

void app_state_close(struct app_state *state)
{
    app_autosave_end(state);
    for (size_t i = 0; i < state->history_count; i++) {
        lab_experiment_release(&state->history[i]);
    }
    state->history_count = 0;
    lab_trace_release(state->trace);
    state->trace = NULL;
    lab_experiment_release(&state->experiment);
    lab_experiment_release(&state->saved);
    app_lesson_close(state);
    lab_trace_release(state->baseline);
    state->baseline = NULL;
    app_errand_close(state);
    app_change_close(state);
    app_travel_close(state);
    lab_trace_release(state->edit_former);
    state->edit_former = NULL;
    app_open_model_close(state);
    app_import_close(state);
    app_export_free(state->export);
    state->export = NULL;
    state->view.export_sheet = NULL;
    arena_free(&state->copied);
    arena_free(&state->found);
}

void app_state_put(struct app_state *state, const struct lab_experiment *experiment)
{
    struct lab_experiment copy;
    lab_experiment_copy(&copy, experiment);
    lab_experiment_release(&state->experiment);
    state->experiment = copy;
    struct lab_experiment *present = &state->history[state->history_at];
    lab_experiment_release(present);
    lab_experiment_copy(present, &state->experiment);
    compute(state);
}

static void forget_oldest(struct app_state *state)
{
    lab_experiment_release(&state->history[0]);
    state->history_count--;
    memmove(state->history, state->history + 1, state->history_count * sizeof state->history[0]);
    memmove(state->history_name, state->history_name + 1,
            state->history_count * sizeof state->history_name[0]);
}

/* What all steps hold together, whatever they share counted once where neighbours share it. */
static size_t history_bytes(const struct app_state *state)
{
    size_t bytes = 0;
    for (size_t i = 0; i < state->history_count; i++) {
        bytes += lab_experiment_bytes(&state->history[i], i > 0 ? &state->history[i - 1] : NULL);
    }
    return bytes;
}

/* The present and one step back always stay. */
static void keep_history_small(struct app_state *state)
{
    for (size_t bytes = history_bytes(state);
         bytes > APP_HISTORY_BYTES_MAX && state->history_at > 1;) {
        bytes -= lab_experiment_bytes(&state->history[0], &state->history[1]);
        forget_oldest(state);
        state->history_at--;
    }
}

/* As much of a name as fits, in whole letters; one that was cut inside a letter loses it. */
static void copy_name(char out[APP_NAME_MAX], const char *name)
{
    const uint32_t damaged = 0xFFFD;
    const size_t length = strlen(name);
    size_t used = 0;
    for (size_t at = 0; at < length;) {
        const size_t from = at;
        const bool whole = text_next(name, length, &at) != damaged;
        if (used + (at - from) >= APP_NAME_MAX) {
            break;
        }
        if (whole) {
            memcpy(out + used, name + from, at - from);
            used += at - from;
        }
    }
    out[used] = 0;
}

void app_state_change(struct app_state *state, const struct lab_experiment *experiment,
                      const char *name, double time)
{
    if (lab_experiment_equal(experiment, &state->experiment)) {
        return;
    }
    for (size_t i = state->history_at + 1; i < state->history_count; i++) {
        lab_experiment_release(&state->history[i]);
    }
    state->history_count = state->history_at + 1;
    if (state->history_count == APP_HISTORY_MAX) {
        forget_oldest(state);
    }
    state->history[state->history_count] = (struct lab_experiment){0};
    state->history_at = state->history_count++;
    copy_name(state->history_name[state->history_at], name);
    state->edits++;
    app_state_put(state, experiment);
    keep_history_small(state);
    state->glide_from = time;
    note_history(state);
}

static void go_in_history(struct app_state *state, size_t at)
{
    state->edits++;
    state->history_at = at;
    lab_experiment_release(&state->experiment);
    lab_experiment_copy(&state->experiment, &state->history[at]);
    state->last_change = -INFINITY;
    if (strcmp(state->experiment.lesson, state->lesson.name) != 0) {
        app_lesson_close(state); /* its captions would speak of other words */
    }
    compute(state);
    note_history(state);
}

void app_state_visit(struct app_state *state, size_t at, const struct lab_trace *trace)
{
    state->ready = trace;
    go_in_history(state, at);
    state->ready = NULL;
}

void app_state_undo(struct app_state *state)
{
    if (state->history_at > 0) {
        go_in_history(state, state->history_at - 1);
    }
}

void app_state_cancel(struct app_state *state)
{
    if (state->history_at == 0) {
        return;
    }
    const struct lab_trace *const former = state->edit_former;
    const struct lab_experiment *const before = &state->history[state->history_at - 1];
    const bool is_known =
        former != NULL && lab_experiment_equal(lab_trace_experiment(former), before);
    app_state_visit(state, state->history_at - 1, is_known ? former : NULL);
    for (size_t i = state->history_at + 1; i < state->history_count; i++) {
        lab_experiment_release(&state->history[i]);
    }
    state->history_count = state->history_at + 1;
    note_history(state);
}

void app_state_redo(struct app_state *state)
{
    if (state->history_at + 1 < state->history_count) {
        go_in_history(state, state->history_at + 1);
    }
}

bool app_state_lesson(struct app_state *state, size_t lesson, double time)
{
    return app_lesson_open(state, lesson, time);
}

void app_state_go(struct app_state *state, enum lab_stage stage, double time)
{
    struct view_state *view = &state->view;
    const enum lab_stage former = view->stage;
    view->stage = stage < LAB_STAGES ? stage : LAB_STAGES - 1;
    view->former = former;
    state->arrives = former != view->stage && !view->display.flow;
    view->arrival = state->arrives ? 0 : 1;
    view->moment = view->playing ? 0 : 1;
    view->display.flow = false;
    app_edit_close(state);
    view->glide = 0;
    state->glide_from = state->arrival_from = time;
    app_state_play(state, time);
}

void app_state_scrub(struct app_state *state, double place, double time)
{
    struct view_state *view = &state->view;
    const struct view_playback to = view_playback_at(place);
    if (to.stage != view->stage || view->display.flow) {
        app_state_go(state, to.stage, time);
    }
    view->former = to.stage > LAB_EMBED ? to.stage - 1 : to.stage;
    view->arrival = to.arrival;
    view->moment = to.moment;
    view->playing = view->let_go = state->arrives = false;
    view->hovered_parts = 0;
}

void app_state_play(struct app_state *state, double time)
{
    const struct app_playback now = {state->view.stage, state->view.former, state->view.arrival,
                                     state->view.moment};
    state->play_from = time - app_timeline_passed(&now) / (double)state->play_speed;
}

static size_t clamp(size_t value, size_t count)
{
    return count == 0 ? 0 : value < count ? value : count - 1;
}

static void clamp_selection(struct lab_selection *selection, struct lab_sizes sizes)
{
    selection->head = clamp(selection->head, sizes.heads);
    selection->query = clamp(selection->query, sizes.n);
    selection->key = clamp(selection->key, sizes.m);
    if (selection->projected != LAB_K && selection->projected != LAB_V) {
        selection->projected = LAB_Q;
    }
}

void app_state_clamp(struct app_state *state)
{
    if (state->trace == NULL) {
        state->view.hovered_parts = 0;
        return;
    }
    const struct lab_sizes sizes = lab_trace_sizes(state->trace);
    clamp_selection(&state->view.pinned, sizes);
    clamp_selection(&state->view.hovered, sizes);
    app_display_clamp(state);
}

/* How many channels the current stage's selected element may have. */
static size_t channels_of(const struct app_state *state, const struct lab_selection *selection)
{
    const struct lab_sizes sizes = lab_trace_sizes(state->trace);
    switch (state->view.stage) {
    case LAB_PROJECT:
        return selection->projected == LAB_V ? sizes.d_v : sizes.d_k;
    case LAB_BLEND:
        return sizes.d_v;
    default:
        return sizes.raw ? sizes.d_k : sizes.d_model;
    }
}

struct lab_selection app_state_selection(const struct app_state *state)
{
    const struct view_state *view = &state->view;
    struct lab_selection selection = view->pinned;
    const unsigned parts = view->hovered_parts;
    selection.head = parts & VIEW_HEAD ? view->hovered.head : selection.head;
    selection.query = parts & VIEW_QUERY ? view->hovered.query : selection.query;
    selection.key = parts & VIEW_KEY ? view->hovered.key : selection.key;
    selection.channel = parts & VIEW_CHANNEL ? view->hovered.channel : selection.channel;
    selection.projected = parts & VIEW_PROJECTED ? view->hovered.projected : selection.projected;
    if (state->trace != NULL) {
        clamp_selection(&selection, lab_trace_sizes(state->trace));
        view_playback_cell(state->trace, view->stage, view->moment, &selection);
        selection.channel = clamp(selection.channel, channels_of(state, &selection));
    }
    return selection;
}

/* One step of play: the stage comes, fills, is looked at, then the next begins; at the end of the
 * last it stops. */
static void play_on(struct app_state *state, double time)
{
    struct view_state *view = &state->view;
    const double passed = (time - state->play_from) * (double)state->play_speed;
    struct app_playback now = {view->stage, view->former, 1, 1};
    if (app_timeline_in_stage(passed, &now)) {
        view->arrival = now.arrival;
        view->moment = now.moment;
    } else if (view->stage + 1 < LAB_STAGES) {
        app_state_go(state, view->stage + 1, time);
    } else {
        view->playing = false;
        view->moment = 1;
    }
}

static float eased(double gone)
{
    const double left = 1 - fmin(1, fmax(0, gone));
    return (float)(1 - left * left * left);
}

bool app_state_advance(struct app_state *state, double time, bool reduce_motion)
{
    struct view_state *view = &state->view;
    if (view->playing) {
        play_on(state, time);
    } else if (state->arrives) {
        view->arrival = (float)fmin(1, fmax(0, (time - state->arrival_from) / GLIDE_SECONDS));
        state->arrives = view->arrival < 1;
    }
    view->glide = eased((time - state->glide_from) / GLIDE_SECONDS);
    if (view->playing && view->arrival < 1) {
        view->glide = eased((double)view->arrival); /* at the speed of play */
    }
    if (reduce_motion) {
        view->glide = view->arrival = 1;
        state->arrives = false;
    }
    state->view.message = time < state->message_until ? state->message : NULL;
    return view->playing || view->glide < 1 || state->arrives;
}

void app_state_show_message(struct app_state *state, double time, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(state->message, sizeof state->message, tr(format), arguments);
    va_end(arguments);
    state->message_until = time + SAY_SECONDS;
    state->view.message = state->message;
}

float app_state_zoom(const struct app_state *state, float width, float height)
{
    static const float LEAST = 1.25f, MOST = 2.2f; /* by height, … */
    static const float HIGH = 640, WIDE = 768;     /* … what is drawn is no lower, no narrower */
    const float zoom = fminf(fmaxf(fminf(height / HIGH, MOST), LEAST), width / WIDE);
    return state->view.presenter ? fmaxf(zoom, 1) : 1;
}
