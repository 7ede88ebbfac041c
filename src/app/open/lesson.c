/* Opens a lesson or a session, goes from step to step, and writes what is shown as one. */
#include "app/open/lesson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/display.h"
#include "app/document/session.h"
#include "app/document/user_dirs.h"
#include "app/draw/scene.h"
#include "app/learn/learn.h"
#include "app/open/autosave.h"
#include "app/open/open_model.h"
#include "base/file.h"
#include "base/system/file.h"
#include "base/text.h"
#include "base/translate.h"
#include "file/kinds.h"
#include "lab/lesson/guess.h"
#include "view/parts/learn.h"

enum { PATH_BYTES = 4096, NUMBERS_MAX = 10000 };

bool app_lesson_awaits_caption(const struct app_state *state)
{
    return state->view.learn != NULL && state->view.learn->awaited > 0;
}

/* The head that the question is about is shown, and the winner is chosen, so that its sum is
 * spelled out. */
void app_lesson_reveal(struct app_state *state)
{
    struct view_state *const view = &state->view;
    if (app_lesson_awaits_caption(state)) {
        return;
    }
    view->revealed = true;
    if (view->guessed[0] != '\0') {
        app_state_keep_guess(state);
    }
    view->pinned.head = view->guess != LAB_GUESS_NONE ? view->guess_at.head : view->pinned.head;
    if (view->guess != LAB_GUESS_WINNER || state->document.trace == NULL) {
        return;
    }
    const struct lab_matrix alpha =
        lab_trace_part(state->document.trace, LAB_ALPHA, view->guess_at.head);
    if (view->guess_at.query < alpha.rows) {
        view->pinned.key =
            lab_guess_winner(alpha.values + view->guess_at.query * alpha.stride, alpha.cols,
                             lab_trace_keys(state->document.trace), view->guessed);
    }
    view->pinned.query = view->guess_at.query;
}

/* All is computed: the step is shown. */
static void show_arrived_step(struct app_state *state)
{
    const struct lab_step *const now = &state->document.lesson->step[state->document.step];
    state->view.playback.playing = false;
    app_state_go(state, now->stage, state->arrival_time);
    state->view.playback.position = now->has_position ? now->position : 1;
    state->view.pinned = now->selection;
    state->view.hovered_parts = 0;
    state->view.let_go = false;
    app_display_take(state, now);
    if (now->has_camera) {
        state->view.prefs.camera.azimuth = now->camera[0];
        state->view.prefs.camera.elevation = now->camera[1];
        state->view.prefs.camera.zoom = now->camera[2];
    }
    const struct ui_theme *theme = now->theme[0] != 0 ? ui_theme_find(now->theme) : NULL;
    if (theme != NULL) {
        app_state_set_theme(state, theme);
    }
    app_view_prefs_take(&state->view, now);
    app_open_model_restore(state, &now->model, state->arrival_time);
    if (now->has_view_prefs && now->experiment.learned != NULL) {
        app_learn_show(state, now->view_prefs.learned);
    }
    app_state_clamp(state);
    app_state_show_step(state);
}

/* To a step; `name` is what the change of the experiment is called. original: as the lesson has it,
 * where a session has it otherwise. */
static void go_to_step(struct app_state *state, size_t step, bool original, const char *name,
                       double time)
{
    struct document *const document = &state->document;
    const size_t from = document->step;
    document->step = step < document->lesson->steps ? step : document->lesson->steps - 1;
    const struct lab_step *const to = &document->lesson->step[document->step];
    const struct lab_experiment *const saved = to->has_tried ? &to->tried : &to->experiment;
    const struct lab_experiment *const wanted = original ? &to->experiment : saved;
    app_learn_use_saved(state, saved->learned, &to->weights);
    if (document->step != from && lab_experiment_equal(wanted, document_present(document))) {
        document_change_look(document, name, time); /* undo comes back to the step before, too */
    } else {
        document_change(document, wanted, name, time);
    }
    document_note_lesson(document);
    app_state_when_shown(state, show_arrived_step, time);
}

static void go_named(struct app_state *state, size_t step, bool original, double time)
{
    char name[APP_NAME_MAX];
    snprintf(name, sizeof name, tr("step %zu of the lesson"),
             (step < state->document.lesson->steps ? step + 1 : state->document.lesson->steps));
    if (state->document.lesson->steps > 0) {
        go_to_step(state, step, original, name, time);
    }
}

void app_lesson_go(struct app_state *state, size_t step, double time)
{
    const size_t steps = state->document.lesson->steps;
    const bool is_over = steps > 0 && step >= steps && state->document.step + 1 == steps;
    if (is_over && app_lesson_awaits_caption(state)) {
        return; /* the last word of the lesson is not said yet */
    }
    if (is_over && state->view.caption != NULL && !state->view.prefs.captions_closed) {
        state->view.ended = true;
    } else {
        go_named(state, step, false, time);
    }
}

void app_lesson_go_back(struct app_state *state, double time)
{
    go_named(state, state->document.step, true, time);
}

/* The lesson becomes the open one; it is taken over with its texts. False, and it is said: there is
 * no memory, and what was open stays. */
static bool begin_lesson(struct app_state *state, struct lab_lesson *lesson, struct arena *texts,
                         double time)
{
    app_learn_read_lesson(lesson);
    const struct lab_lesson *const held = document_lesson_new(lesson, texts);
    if (held == NULL || !document_begin_work(&state->document)) {
        document_lesson_release(held);
        app_state_show_message(state, time, "There is not enough memory to open it.");
        return false;
    }
    document_set_lesson(&state->document, held);
    document_lesson_release(held);
    state->back_count = state->lessons_behind = 0;
    state->view.prefs.camera = view_camera_home();
    go_to_step(state, held->open, false, held->title, time);
    document_note_saved(&state->document, document_present(&state->document));
    state->document.asks = DOCUMENT_ASKS_NOTHING;
    app_autosave_ask(state);
    return true;
}

static bool open_lesson(struct app_state *state, size_t index, bool at_end, double time)
{
    struct lab_lesson lesson = {0};
    struct arena arena = {0};
    struct error error = {0};
    if (!lab_lesson_load(index, &arena, &lesson, &error)) {
        arena_free(&arena);
        app_state_show_message(state, time, "%s", error.text);
        return false;
    }
    lesson.open = at_end ? lesson.steps - 1 : lesson.open;
    if (!at_end && lesson.step[lesson.open].experiment.learned != NULL) {
        app_learn_end_run(state); /* the class sees how it learns, whoever saw it before */
    }
    if (!at_end) {
        app_state_forget_answered_guesses(state, &lesson);
    }
    state->view.prefs.captions_closed = false;
    return begin_lesson(state, &lesson, &arena, time);
}

bool app_lesson_open(struct app_state *state, size_t index, double time)
{
    return open_lesson(state, index, false, time);
}

void app_lesson_open_next(struct app_state *state, double time)
{
    const size_t behind = state->lessons_behind + 1;
    size_t index = 0;
    if (lab_lesson_find(state->document.lesson->name, &index) &&
        lab_lesson_next(index) < lab_lesson_count() &&
        app_lesson_open(state, lab_lesson_next(index), time)) {
        state->lessons_behind = behind;
    }
}

void app_lesson_open_former(struct app_state *state, double time)
{
    const size_t behind = state->lessons_behind, lessons = lab_lesson_count();
    size_t index = 0, former = 0;
    if (behind == 0 || !lab_lesson_find(state->document.lesson->name, &index)) {
        return;
    }
    while (former < lessons && lab_lesson_next(former) != index) {
        former++;
    }
    if (former < lessons && open_lesson(state, former, true, time)) {
        state->lessons_behind = behind - 1;
    }
}

/* Finds the lesson of this program that captions of a session were written for, so that one can go
 * back to it. */
static void find_originals(struct lab_lesson *session)
{
    struct arena arena = {0};
    struct lab_lesson lesson;
    size_t index = 0;
    if (!lab_lesson_find(session->name, &index) || !lab_lesson_load(index, &arena, &lesson, NULL)) {
        arena_free(&arena);
        return;
    }
    for (size_t s = 0; s < session->steps && s < lesson.steps; s++) {
        struct lab_step *const step = &session->step[s];
        if (step->other_numbers && strcmp(step->caption, lesson.step[s].caption) == 0) {
            step->tried = step->experiment;
            step->has_tried = step->changes = true;
            step->other_numbers = false;
            lab_experiment_copy(&step->experiment, &lesson.step[s].experiment);
        }
    }
    lab_lesson_release(&lesson);
    arena_free(&arena);
}

/* Where weights lie is said from the root while the session is open. False: no memory. */
static bool find_weights(struct app_lesson_file *file)
{
    for (size_t s = 0; s < file->lesson.steps; s++) {
        struct lab_step_weights *const weights = &file->lesson.step[s].weights;
        if (weights->folder != NULL) {
            char *const full = arena_alloc(&file->arena, LAB_MODEL_PATH_MAX);
            const char *const path = lab_step_weights_path(weights, file->path, &file->arena);
            if (full == NULL || path == NULL) {
                return false;
            }
            weights->folder = file_full_path(path, full, LAB_MODEL_PATH_MAX) ? full : path;
        }
    }
    return true;
}

bool app_lesson_load(struct app_lesson_file *file, struct error *error)
{
    struct bytes bytes = {0}, text = {0};
    file->mark = file_handle_mark(file->file);
    const bool is_read =
        file_kind_check(file->path, file_handle_kind(file->file), error) &&
        file_handle_read(file->file, LAB_LESSON_BYTES_MAX, &file->arena, &bytes, error) &&
        app_session_find(bytes, &file->arena, &text, error) &&
        lab_lesson_parse(text, &file->arena, &file->lesson, error);
    file_handle_release(file->file);
    file->file = NULL;
    file->is_picture = text.at != bytes.at;
    if (!is_read) {
        arena_free(&file->arena);
    }
    return is_read;
}

bool app_lesson_take(struct app_state *state, struct app_lesson_file *file, double time)
{
    if (!find_weights(file)) {
        lab_lesson_release(&file->lesson);
        arena_free(&file->arena);
        app_state_show_message(state, time, "There is not enough memory to open it.");
        return false;
    }
    find_originals(&file->lesson);
    if (!begin_lesson(state, &file->lesson, &file->arena, time)) {
        return false;
    }
    /* Saving goes to the file itself, but never over a picture. */
    struct document_work *const work = state->document.work;
    snprintf(work->path, sizeof work->path, "%s", file->is_picture ? "" : file->path);
    work->mark = file->mark;
    app_autosave_ask(state);
    const char *const unknown = state->document.lesson->unknown;
    if (unknown != NULL) {
        app_state_show_message(state, time,
                               "“%.40s” means nothing to this version; saving keeps it.", unknown);
    }
    return true;
}

bool app_lesson_read(struct app_state *state, const char *path, double time, struct error *error)
{
    struct app_lesson_file file = {.path = path, .file = file_handle_open(path)};
    if (file.file == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to open it.");
    }
    return app_lesson_load(&file, error) &&
           (app_lesson_take(state, &file, time) ||
            error_set(error, ERROR_MEMORY, "There is not enough memory to open it."));
}

bool app_lesson_too_long(struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "So many numbers make a session of more than %d MB, and such a one could not "
                     "be opened again: save the numbers of a stage as NPZ.",
                     LAB_LESSON_BYTES_MAX >> 20);
}

struct app_lesson_content app_lesson_content(const struct app_state *state)
{
    struct app_lesson_content content = {.scene = app_state_scene(state),
                                         .lesson = state->document.lesson,
                                         .step = state->document.step};
    app_open_model_kept(state, &content.model);
    content.weights = app_learn_saved(state);
    return content;
}

/* A folder of weights that lies beside the file, or below, is named as seen from there. Those that
 * were saved for another step into the folder of the present ones are gone. */
static void name_weights(struct lab_step *step, const char *path,
                         const struct lab_step_weights *present)
{
    struct lab_step_weights *const weights = &step->weights;
    char full[PATH_BYTES];
    if (weights->folder == NULL) {
        return;
    }
    if (present->folder != NULL && strcmp(weights->folder, present->folder) == 0 &&
        weights->mark != present->mark) {
        weights->folder = NULL;
    } else if (path != NULL && file_full_path(path, full, sizeof full)) {
        const size_t before = (size_t)(file_name(full) - full);
        weights->folder += strncmp(weights->folder, full, before) == 0 ? before : 0;
    }
}

/* A step of a session as it is written: with what was saved of it. */
static void take_tried(struct lab_step *step)
{
    if (step->has_tried) {
        step->experiment = step->tried;
        step->has_tried = false;
        step->other_numbers = true;
    }
}

bool app_lesson_text(const struct app_lesson_content *content,
                     const struct growing_progress *progress, struct arena *arena,
                     struct bytes *text, struct error *error)
{
    const struct lab_lesson *const open = content->lesson;
    const size_t count = open->steps > 0 ? open->steps : 1;
    struct lab_step *steps = arena_array(arena, count, sizeof *steps);
    if (steps == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to save.");
    }
    struct lab_lesson lesson = {.name = "session",
                                .title = "A session",
                                .summary = "",
                                .experiment = *content->scene.pending,
                                .steps = count};
    struct lab_step now;
    app_scene_keep(&content->scene, &now);
    now.model = content->model;
    now.weights = content->weights;
    if (open->steps > 0) {
        lesson = *open;
        memcpy(steps, open->step, count * sizeof *steps);
        for (size_t s = 0; s < count; s++) {
            take_tried(&steps[s]);
        }
        const struct lab_step *const at = &open->step[content->step];
        lesson.open = content->step;
        now.other_numbers =
            at->caption[0] != '\0' &&
            (at->other_numbers || !lab_experiment_equal(&now.experiment, &at->experiment));
        now.changes = true;
        now.caption = steps[content->step].caption;
        now.hide = steps[content->step].hide;
        now.panels = steps[content->step].panels;
        now.guess = steps[content->step].guess;
        now.kept = steps[content->step].kept;
    }
    steps[lesson.open] = now;
    lesson.step = steps;
    for (size_t s = 0; s < count; s++) {
        name_weights(&steps[s], content->path, &content->weights);
    }
    if (!lab_lesson_write_with_progress(&lesson, progress, arena, text, error)) {
        return false;
    }
    /* A session that could not be opened again is not saved for that reason. */
    return text->size <= LAB_LESSON_BYTES_MAX || app_lesson_too_long(error);
}

bool app_lesson_save(struct app_state *state, const char *path, struct error *error)
{
    struct arena arena = {0};
    struct bytes text = {0};
    struct app_lesson_content content = app_lesson_content(state);
    content.path = path;
    const bool saved =
        app_lesson_text(&content, NULL, &arena, &text, error) && file_write(path, text, error);
    arena_free(&arena);
    if (!saved) {
        return false;
    }
    const struct file_mark mark = file_mark(path);
    app_lesson_note_file(state, state->document.work, path, &mark,
                         document_present(&state->document));
    return true;
}

void app_lesson_note_file(struct app_state *state, struct document_work *work, const char *path,
                          const struct file_mark *mark, const struct lab_experiment *experiment)
{
    if (path != work->path) {
        snprintf(work->path, sizeof work->path, "%s", path);
    }
    work->mark = *mark;
    work->is_written = true;
    if (work != state->document.work) {
        return; /* another work was begun meanwhile */
    }
    state->document.asks = DOCUMENT_ASKS_NOTHING;
    document_note_saved(&state->document, experiment);
    app_autosave_ask(state);
    state->request.asks |= state->closing ? (unsigned)APP_ASKS_QUIT : 0;
}

void app_lesson_folder(char *path, size_t size)
{
    app_user_dir("DOCUMENTS", "Documents", path, size);
}

bool app_lesson_free_path(const struct app_state *state, char *path, size_t size)
{
    char folder[PATH_BYTES - 128], name[64];
    app_lesson_folder(folder, sizeof folder);
    const char *const called = state->document.lesson->steps > 0 ? state->document.lesson->name
                               : state->document.experiment.lesson[0] != 0
                                   ? state->document.experiment.lesson
                                   : "session";
    text_file_name(called, name, sizeof name);
    for (int number = 1; number < NUMBERS_MAX; number++) {
        const int length =
            number == 1 ? snprintf(path, size, "%s/attnscope-%s.json", folder, name)
                        : snprintf(path, size, "%s/attnscope-%s-%d.json", folder, name, number);
        if (length < 0 || (size_t)length >= size) {
            return false;
        }
        if (!system_exists(path)) {
            return true;
        }
    }
    return false;
}
