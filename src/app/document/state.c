/* Keeps the window in step with the document: selection, stages, play, and the line at the bottom.
 */
#include "app/document/state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/draw/scene.h"
#include "app/draw/timeline.h"
#include "base/random.h"
#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/differ.h"
#include "view/parts/playback.h"

static const double GLIDE_SECONDS = 0.2, MESSAGE_SECONDS = 6, READING_SECONDS = 3,
                    LETTERS_A_SECOND = 16, /* the speed of reading without haste */
    MESSAGE_SECONDS_MAX = 20;              /* it does not cover things for longer */

struct app_scene app_state_scene(const struct app_state *state)
{
    const struct document *const document = &state->document;
    const bool fails = document->trace == NULL && document->error.code != ERROR_NONE;
    return (struct app_scene){.experiment = &document->experiment,
                              .pending = document_present(document),
                              .trace = document->trace,
                              .why = fails ? document->error.text : NULL,
                              .baseline = document->baseline,
                              .compares_change = document->compares == DOCUMENT_COMPARES_CHANGE,
                              .engine = &document->engine,
                              .view = &state->view,
                              .theme = state->theme};
}

struct lab_selection app_state_selection(const struct app_state *state)
{
    const struct app_scene scene = app_state_scene(state);
    return app_scene_selection(&scene);
}

void app_state_clamp(struct app_state *state)
{
    app_view_clamp(&state->view, state->document.trace);
}

void app_state_set_theme(struct app_state *state, const struct ui_theme *theme)
{
    app_view_take_theme(&state->view.prefs, state->theme, theme);
    state->theme = theme;
}

bool app_state_submit(struct app_state *state, const struct task_kind *kind, void *subject,
                      double time)
{
    const bool busy = tasks_refuse(&state->tasks, kind);
    if (!busy && task_submit(&state->tasks, kind, subject, time) != NULL) {
        return true;
    }
    app_state_show_message(
        state, time,
        busy ? "What was begun before is still under way: wait for it, or cancel it."
             : "There is not enough memory for that.");
    kind->release(subject);
    return false;
}

bool app_state_edit_begun(const struct app_state *state)
{
    return state->own_step != 0 && state->own_step == document_wanted_number(&state->document);
}

void app_state_leave_number(struct app_state *state)
{
    state->view.armed = state->view.edit_open = state->view.edit_new = false;
    state->view.dragging_number = false;
    state->own_step = 0;
}

/* ---- what the view is told of the document ---- */

/* Returns whether the experiment is no longer the step's own. Weights that learn have other numbers
 * at each step of training, which is no change of it. */
static bool is_changed(const struct lab_experiment *own, const struct lab_experiment *present,
                       const char *differs)
{
    const bool learn = present->learned != NULL && own->learned != NULL;
    return learn ? differs[0] != '\0' : !lab_experiment_equal(present, own);
}

/* Returns whether the title has the mark of unsaved work. Training in a lesson goes on by itself:
 * where nothing else differs from the step, nobody has done anything that could be lost. It is kept
 * aside all the same. */
static bool is_marked_unsaved(const struct app_state *state)
{
    const struct document *const document = &state->document;
    const bool is_own = document->lesson->steps == 0 || document->restored ||
                        document->work->path[0] != '\0' || state->view.lesson_changed;
    return is_own && document_is_unsaved(document);
}

void app_state_say_differences(struct app_state *state)
{
    const struct document *const document = &state->document;
    struct view_state *const view = &state->view;
    view->lesson_changed = view->lesson_lost = false;
    if (document->lesson->steps == 0) {
        return;
    }
    const struct lab_step *const step = &document->lesson->step[document->step];
    struct arena arena = {0};
    const char *const differs = lab_differ(&arena, document_present(document), &step->experiment);
    view->lesson_changed = is_changed(&step->experiment, document_present(document), differs);
    view->lesson_lost = step->other_numbers;
    snprintf(view->lesson_differs, sizeof view->lesson_differs, "%s",
             !view->lesson_changed ? ""
             : differs[0] != '\0'  ? differs
                                   : tr("other numbers"));
    arena_free(&arena);
}

/* Returns what the lesson below this one in the menu is called; NULL: there is none. */
static const char *next_title(const struct lab_lesson *lesson)
{
    size_t index = 0;
    const size_t next = lesson->steps > 0 && lab_lesson_find(lesson->name, &index)
                            ? lab_lesson_next(index)
                            : lab_lesson_count();
    return next < lab_lesson_count() ? lab_lesson_title(next) : NULL;
}

/* The question of a step as a number: the same whenever its lesson is opened again, and another one
 * for every other step. */
static uint64_t question_number(const struct lab_lesson *lesson, size_t step)
{
    const char *const caption = lesson->steps > 0 ? lesson->step[step].caption : "";
    return random_hash(caption, strlen(caption)) ^ random_hash(lesson->name, strlen(lesson->name)) ^
           step;
}

static uint64_t shown_question(const struct app_state *state)
{
    return question_number(state->document.lesson, state->document.step);
}

/* The guess that is kept of a question; guess_count: there is none. */
static size_t find_guess(const struct app_state *state, uint64_t question)
{
    size_t at = 0;
    while (at < state->guess_count && state->guesses[at].question != question) {
        at++;
    }
    return at;
}

/* Recalls the guess of this step from when it was open before, whatever lesson was open since. */
static void recall_guess(struct app_state *state)
{
    const size_t at = find_guess(state, shown_question(state));
    snprintf(state->view.guessed, sizeof state->view.guessed, "%s",
             at < state->guess_count ? state->guesses[at].text : "");
}

void app_state_keep_guess(struct app_state *state)
{
    const uint64_t question = shown_question(state);
    size_t at = find_guess(state, question);
    if (at == APP_GUESSES_MAX) { /* the oldest goes */
        memmove(state->guesses, state->guesses + 1, (--at) * sizeof *state->guesses);
    }
    state->guess_count = at < state->guess_count ? state->guess_count : at + 1;
    state->guesses[at].question = question;
    state->guesses[at].answered = state->view.revealed;
    snprintf(state->guesses[at].text, sizeof state->guesses[at].text, "%s", state->view.guessed);
}

void app_state_forget_answered_guesses(struct app_state *state, const struct lab_lesson *lesson)
{
    for (size_t step = 0; step < lesson->steps; step++) {
        const size_t at = find_guess(state, question_number(lesson, step));
        if (at < state->guess_count && state->guesses[at].answered) {
            memmove(&state->guesses[at], &state->guesses[at + 1],
                    (--state->guess_count - at) * sizeof *state->guesses);
        }
    }
}

void app_state_show_step(struct app_state *state)
{
    const struct lab_lesson *const lesson = state->document.lesson;
    const struct lab_step *const step =
        lesson->steps > 0 ? &lesson->step[state->document.step] : NULL;
    struct view_state *const view = &state->view;
    const bool silent = lesson->steps == 1 && step->caption[0] == 0;
    view->steps = lesson->steps;
    view->step = state->document.step;
    view->lesson_title = step != NULL ? lesson->title : NULL;
    view->caption = step != NULL && !silent ? step->caption : NULL;
    view->hide = step != NULL ? step->hide : 0;
    view->panels = step != NULL ? step->panels : 0;
    view->small_panel = VIEW_SMALL_PANEL_NONE;
    view->caption_stage = step != NULL ? step->stage : view->playback.stage;
    view->caption_extra_stage = step == NULL ? view->extra_stage
                                : step->has_view_prefs
                                    ? (enum view_extra_stage)step->view_prefs.behind
                                    : VIEW_EXTRA_STAGE_NONE;
    view->why_returns = false;
    view->caption_why =
        step == NULL ? view->why_shown : step->has_view_prefs && step->view_prefs.why;
    view->guess = step != NULL ? step->guess : LAB_GUESS_NONE;
    view->guess_stage = step != NULL ? step->stage : LAB_EMBED;
    view->guess_at = view->pinned;
    view->guess_refused[0] = 0;
    recall_guess(state);
    view->revealed = view->ended = view->ended_new = false;
    view->next_lesson = next_title(lesson);
    app_state_say_differences(state);
}

void app_state_close_lesson(struct app_state *state)
{
    document_set_lesson(&state->document, &document_no_lesson);
    app_state_show_step(state);
}

/* Runs the action that waited for a step of history which is there now; where that was given up,
 * nothing runs. */
static void run_arrival(struct app_state *state)
{
    struct app_arrival *const arrival = &state->arrival;
    const struct document *const document = &state->document;
    const bool is_there =
        document->shown != arrival->shown && document_shows(document, arrival->step);
    void (*const arrive)(struct app_state *) = arrival->arrive;
    if (arrive != NULL && (is_there || !document_is_pending(document))) {
        arrival->arrive = NULL;
        if (is_there) {
            arrive(state);
        }
    }
}

void app_state_when_shown(struct app_state *state, void (*arrive)(struct app_state *), double time)
{
    const struct document *const document = &state->document;
    state->arrival_time = time;
    if (document_is_pending(document)) {
        state->arrival =
            (struct app_arrival){arrive, document_wanted_number(document), document->shown};
    } else {
        arrive(state);
    }
}

/* Where a stage stands that nothing plays: complete; tile by tile at the first one, as at the end
 * no tile is there any more. */
static float resting_position(const struct app_state *state)
{
    const struct lab_trace *const trace = state->document.trace;
    return trace != NULL && view_tiles_are_shown(trace, state->view.playback.stage)
               ? view_tiles_position(0, view_tiles_count(trace))
               : 1;
}

/* Returns whether nearly all weights of the first head are so small that in colours up to 1 none is
 * seen: told by some of its rows, of which few may have a larger one. */
static bool weights_are_faint(const struct lab_trace *trace)
{
    enum { MANY = 64, ROWS = 64, FEW = 16 /* one row in so many */ };
    const float faint = 0.2f;
    const struct lab_matrix alpha =
        trace == NULL ? (struct lab_matrix){0} : lab_trace_part(trace, LAB_ALPHA, 0);
    if (alpha.values == NULL || alpha.cols < MANY) {
        return false;
    }
    const size_t step = (alpha.rows + ROWS - 1) / ROWS;
    size_t rows = 0, strong = 0;
    for (size_t row = 0; row < alpha.rows; row += step, rows++) {
        bool is_strong = false;
        for (size_t column = 0; !is_strong && column < alpha.cols; column++) {
            is_strong = lab_matrix_at(&alpha, row, column) >= faint;
        }
        strong += is_strong;
    }
    return strong * FEW <= rows;
}

/* Many words turn the colours of weights up to the largest one, and few turn them back; in between
 * the person's choice stays. */
static void fit_range(struct app_state *state)
{
    const bool faint = state->model == NULL && weights_are_faint(state->document.trace);
    struct view_state *const view = &state->view;
    const enum app_faintness former = state->faintness;
    if (faint == (former != WEIGHTS_SHOW) || view->prefs.display.logarithmic) {
        return;
    }
    state->faintness = faint ? WEIGHTS_ARE_FAINT : WEIGHTS_SHOW;
    if (faint && !view->prefs.range_by_content) {
        view->prefs.range_by_content = true;
        state->faintness = WEIGHTS_ARE_FITTED;
        const bool said =
            state->message[0] != '\0' && state->document.glide_from < state->message_until;
        if (!said) { /* what was said of the change itself stays; a chip tells of the colours */
            app_state_show_message(
                state, state->document.glide_from,
                "Among so many words most weights are small: colours reach up to "
                "those now, not to 1.");
        }
    } else if (former == WEIGHTS_ARE_FITTED) {
        view->prefs.range_by_content = false;
    }
}

void app_state_look(void *owner, struct document_view_position *position)
{
    const struct app_state *const state = owner;
    position->stage = state->view.playback.stage;
    position->selection = state->view.pinned;
    position->aside = state->view.prefs.display.aside;
    memcpy(position->changed, state->view.why_changed, sizeof position->changed);
}

/* Returns to the place from which the step of history was left that undo came back to; where it
 * asks again which word wins, not to the word that was chosen when that had been revealed. */
static void return_to_place(struct app_state *state, const struct lab_trace *former,
                            bool is_elsewhere)
{
    struct document *const document = &state->document;
    struct document_view_position *const position = &document->history.step[document->at].position;
    if (document_is_pending(document)) {
        return;
    }
    if (position->known) {
        state->view.prefs.display.aside = position->aside;
        memcpy(state->view.why_changed, position->changed, sizeof state->view.why_changed);
    }
    if (position->known && !document->glides && former != NULL &&
        lab_trace_experiment(former)->layer != document->experiment.layer) {
        state->view.pinned.head = position->selection.head; /* the head comes with its layer */
    }
    if (is_elsewhere && position->known) {
        state->view.playback.playing = false;
        app_state_go(state, position->stage, document->glide_from);
        state->view.pinned = position->selection;
        if (state->view.guess == LAB_GUESS_WINNER && !state->view.revealed) {
            state->view.pinned.key = state->view.guess_at.key;
        }
        state->view.hovered_parts = 0;
    }
    position->known = false;
}

/* Undo came to another step of a lesson, or out of it: its caption, where that looks. Steps at
 * which nothing was changed are passed over, so that it is said where one is. */
static void show_returned_step(struct app_state *state, bool is_elsewhere)
{
    const struct document *const document = &state->document;
    struct view_state *const view = &state->view;
    const bool closed = document->lesson->steps == 0 && view->steps > 0;
    const bool other = view->steps != document->lesson->steps || view->step != document->step ||
                       view->lesson_title != document->lesson->title;
    if (document->lesson->steps > 0 && !document->glides && other) {
        const struct lab_step *const step = &document->lesson->step[document->step];
        view->playback.playing = false;
        app_state_go(state, step->stage, document->glide_from);
        view->pinned = step->selection;
        app_view_prefs_take(view, step);
        app_state_show_step(state);
        if (is_elsewhere && document->lesson->steps > 1) {
            app_state_show_message(state, document->computing.began,
                                   "Back at step %zu of the lesson.", document->step + 1);
        }
    } else if (closed) {
        app_state_show_step(state);
    }
}

void app_state_follow(void *owner, const struct lab_trace *former, bool is_elsewhere)
{
    struct app_state *const state = owner;
    const struct document *const document = &state->document;
    struct view_state *const view = &state->view;
    app_view_follow(view, former, document->trace);
    if (view->playback.position >= 1 &&
        (former == NULL || !view_tiles_are_shown(former, view->playback.stage))) {
        view->playback.position = resting_position(state);
    }
    if (document->compares == DOCUMENT_COMPARES_NOTHING) {
        view->compare = VIEW_COMPARE_NOT;
    }
    show_returned_step(state, is_elsewhere);
    return_to_place(state, former, is_elsewhere);
    app_state_say_differences(state);
    view->can_undo = document_can_undo(document);
    view->can_redo = document_can_redo(document);
    view->undo_name = document_undo_name(document);
    view->change_name = view->learn == NULL ? document_change_name(document) : NULL;
    view->redo_name = document_redo_name(document);
    state->view.playback.glide_from = fmax(state->view.playback.glide_from, document->glide_from);
    fit_range(state);
    run_arrival(state);
    app_state_clamp(state);
}

void app_state_refuse(void *owner, double time)
{
    app_state_show_message(owner, time, "There is not enough memory for that.");
}

/* ---- from stage to stage ---- */

void app_state_go(struct app_state *state, enum lab_stage stage, double time)
{
    struct view_state *view = &state->view;
    struct playback *const playback = &state->view.playback;
    const enum lab_stage former = playback->stage;
    playback->stage = stage < LAB_STAGES ? stage : LAB_STAGES - 1;
    playback->former = former;
    playback->arrives = former != playback->stage && !view->prefs.display.flow;
    playback->arrival = playback->arrives ? 0 : 1;
    playback->position = playback->playing ? 0 : resting_position(state);
    view->prefs.display.flow = false;
    view->extra_stage = VIEW_EXTRA_STAGE_NONE;
    app_state_leave_number(state);
    playback->glide = 0;
    playback->glide_from = playback->arrival_from = time;
    app_state_play(state, time);
}

void app_state_turn_extra_stage(struct app_state *state, enum view_extra_stage which, double time)
{
    const bool open = state->view.extra_stage != which || state->view.why_shown;
    state->view.why_shown = false;                          /* which would hide it */
    if (open && state->view.playback.stage != LAB_OUTPUT) { /* it goes on where Output ends */
        app_state_go(state, LAB_OUTPUT, time);
    }
    state->view.prefs.display.flow = false;
    state->view.compare = VIEW_COMPARE_NOT;
    state->view.extra_stage = open ? which : VIEW_EXTRA_STAGE_NONE;
}

void app_state_scrub(struct app_state *state, double place, double time)
{
    struct view_state *view = &state->view;
    struct playback *const playback = &state->view.playback;
    const struct playback to = view_playback_at(place);
    if (to.stage != playback->stage || view->prefs.display.flow ||
        view->extra_stage != VIEW_EXTRA_STAGE_NONE) {
        app_state_go(state, to.stage, time);
    }
    playback->former = to.former;
    playback->arrival = to.arrival;
    playback->position = to.position;
    playback->playing = view->let_go = playback->arrives = false;
    view->hovered_parts = 0;
}

void app_state_play(struct app_state *state, double time)
{
    struct playback *const playback = &state->view.playback;
    playback->play_from = time - app_timeline_passed(playback) / (double)playback->speed;
}

/* One step of play: the stage comes, fills, is looked at, then the next begins; at the end of the
 * last it stops. */
static void play_on(struct app_state *state, double time)
{
    struct playback *const playback = &state->view.playback;
    const double passed = (time - playback->play_from) * (double)playback->speed;
    struct playback now = *playback;
    if (app_timeline_in_stage(passed, &now)) {
        playback->arrival = now.arrival;
        playback->position = now.position;
    } else if (playback->stage + 1 < LAB_STAGES) {
        app_state_go(state, playback->stage + 1, time);
    } else {
        playback->playing = false;
        playback->position = 1;
    }
}

static float ease_out(double gone)
{
    const double left = 1 - fmin(1, fmax(0, gone));
    return (float)(1 - left * left * left);
}

bool app_state_advance(struct app_state *state, double time, bool reduce_motion)
{
    struct playback *const playback = &state->view.playback;
    if (playback->playing) {
        play_on(state, time);
    } else if (playback->arrives) {
        playback->arrival =
            (float)fmin(1, fmax(0, (time - playback->arrival_from) / GLIDE_SECONDS));
        playback->arrives = playback->arrival < 1;
    }
    playback->glide = ease_out((time - playback->glide_from) / GLIDE_SECONDS);
    if (playback->playing && playback->arrival < 1) {
        playback->glide = ease_out((double)playback->arrival); /* at the speed of play */
    }
    if (reduce_motion) {
        playback->glide = playback->arrival = 1;
        playback->arrives = false;
    }
    state->view.unsaved = is_marked_unsaved(state);
    state->view.message = time < state->message_until ? state->message : NULL;
    return playback->playing || playback->glide < 1 || playback->arrives;
}

static void set_message(struct app_state *state, double time, bool as_toast, const char *format,
                        va_list arguments)
{
    vsnprintf(state->message, sizeof state->message, tr(format), arguments);
    const size_t letters = text_letters(state->message, strlen(state->message));
    state->message_until =
        time + fmin(MESSAGE_SECONDS_MAX,
                    fmax(MESSAGE_SECONDS, READING_SECONDS + (double)letters / LETTERS_A_SECOND));
    state->view.message = state->message;
    state->view.message_is_toast = as_toast;
}

void app_state_show_message(struct app_state *state, double time, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_message(state, time, false, format, arguments);
    va_end(arguments);
}

void app_state_show_toast(struct app_state *state, double time, const char *format, ...)
{
    static const double RECENTLY = 1.5; /* seconds */
    static const float BELOW_TOPBAR = 34;
    const float zoom = app_view_zoom(&state->view.prefs, state->width, state->height);
    const bool by_hand = state->pressed_time > 0 && time - state->pressed_time < RECENTLY;
    va_list arguments;
    va_start(arguments, format);
    set_message(state, time, true, format, arguments);
    va_end(arguments);
    state->view.toast_at =
        by_hand ? (struct point){state->pressed_at.x / zoom, state->pressed_at.y / zoom}
                : (struct point){state->width / zoom / 2, BELOW_TOPBAR};
}
