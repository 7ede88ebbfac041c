#include "app/lesson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/autosave.h"
#include "app/display.h"
#include "app/session.h"
#include "app/user_dirs.h"
#include "app/view_prefs.h"
#include "base/file.h"
#include "base/translate.h"
#include "file/kinds.h"

enum { PATH_BYTES = 4096, NUMBERS_MAX = 10000 };

/* What the view is told of the lesson: the step's caption, what it hides, what is to be guessed. */
static void show_step(struct app_state *state)
{
    struct view_state *view = &state->view;
    const bool open = state->lesson.steps > 0;
    view->steps = state->lesson.steps;
    view->step = state->step;
    view->lesson_title = open ? state->lesson.title : NULL;
    const bool silent = open && state->lesson.steps == 1 && state->lesson.step[0].caption[0] == 0;
    view->caption = open && !silent ? state->lesson.step[state->step].caption : NULL;
    view->hide = open ? state->lesson.step[state->step].hide : 0;
    view->guess = open ? state->lesson.step[state->step].guess : LAB_GUESS_NONE;
    view->guess_stage = open ? state->lesson.step[state->step].stage : LAB_EMBED;
    view->guess_at = view->pinned;
    view->guessed[0] = view->guess_refused[0] = 0;
    view->lesson_changed =
        open &&
        !lab_experiment_equal(&state->experiment, &state->lesson.step[state->step].experiment);
    view->revealed = false;
}

void app_lesson_close(struct app_state *state)
{
    lab_lesson_release(&state->lesson);
    arena_free(&state->lesson_arena);
    state->lesson = (struct lab_lesson){0};
    state->step = 0;
    show_step(state);
}

/* The winner is chosen, so that its sum is spelled out. */
void app_lesson_reveal(struct app_state *state)
{
    struct view_state *const view = &state->view;
    view->revealed = true;
    if (view->guess != LAB_GUESS_WINNER || state->trace == NULL) {
        return;
    }
    const struct lab_matrix alpha = lab_trace_part(state->trace, LAB_ALPHA, view->guess_at.head);
    size_t winner = 0;
    for (size_t j = 1; view->guess_at.query < alpha.rows && j < alpha.cols; j++) {
        if (lab_matrix_at(&alpha, view->guess_at.query, j) >
            lab_matrix_at(&alpha, view->guess_at.query, winner)) {
            winner = j;
        }
    }
    view->pinned.key = winner;
    view->pinned.query = view->guess_at.query;
}

/* To a step; `name` is what the change of the experiment is called. */
static void go(struct app_state *state, size_t step, const char *name, double time)
{
    state->step = step < state->lesson.steps ? step : state->lesson.steps - 1;
    const struct lab_step *now = &state->lesson.step[state->step];
    app_state_change(state, &now->experiment, name, time);
    state->view.playing = false;
    app_state_go(state, now->stage, time);
    state->view.moment = now->has_moment ? now->moment : 1;
    state->view.pinned = now->selection;
    state->view.hovered_parts = 0;
    state->view.let_go = false;
    app_display_take(state, now);
    if (now->has_camera) {
        state->view.camera.azimuth = now->camera[0];
        state->view.camera.elevation = now->camera[1];
        state->view.camera.zoom = now->camera[2];
    }
    const struct ui_theme *theme = now->theme[0] != 0 ? ui_theme_find(now->theme) : NULL;
    if (theme != NULL) {
        app_state_set_theme(state, theme);
    }
    app_view_prefs_take(state, now);
    app_state_clamp(state);
    show_step(state);
}

void app_lesson_go(struct app_state *state, size_t step, double time)
{
    char name[APP_NAME_MAX];
    snprintf(name, sizeof name, tr("step %zu of the lesson"),
             (step < state->lesson.steps ? step + 1 : state->lesson.steps));
    if (state->lesson.steps > 0) {
        go(state, step, name, time);
    }
}

/* The lesson becomes the open one; its texts move with the arena. */
static void take(struct app_state *state, const struct lab_lesson *lesson, struct arena arena,
                 double time)
{
    app_lesson_close(state);
    state->lesson = *lesson;
    state->lesson_arena = arena;
    state->back_count = 0;
    state->view.camera = view_camera_home();
    go(state, state->lesson.open, state->lesson.title, time);
}

bool app_lesson_open(struct app_state *state, size_t index, double time)
{
    struct lab_lesson lesson = {0};
    struct arena arena = {0};
    struct error error = {0};
    if (!lab_lesson_load(index, &arena, &lesson, &error)) {
        arena_free(&arena);
        app_state_show_message(state, time, "%s", error.text);
        return false;
    }
    take(state, &lesson, arena, time);
    app_state_note_saved(state, &state->experiment);
    state->path[0] = 0;
    state->conflict = false;
    app_autosave_ask(state);
    return true;
}

bool app_lesson_load(struct app_lesson_file *file, struct error *error)
{
    struct bytes bytes = {0}, text = {0};
    file->mark = file_mark(file->path); /* before: who writes meanwhile is noticed */
    if (!file_kind_check(file->path, error) ||
        !file_read(file->path, LAB_LESSON_BYTES_MAX, &file->arena, &bytes, error) ||
        !app_session_find(bytes, &file->arena, &text, error) ||
        !lab_lesson_parse(text, &file->arena, &file->lesson, error)) {
        arena_free(&file->arena);
        return false;
    }
    file->is_picture = text.at != bytes.at;
    return true;
}

void app_lesson_take(struct app_state *state, struct app_lesson_file *file, double time)
{
    take(state, &file->lesson, file->arena, time);
    /* Saving goes to the file itself, but never over a picture. */
    snprintf(state->path, sizeof state->path, "%s", file->is_picture ? "" : file->path);
    state->path_mark = file->mark;
    state->conflict = false;
    app_state_note_saved(state, &state->experiment);
    app_autosave_ask(state);
}

bool app_lesson_read(struct app_state *state, const char *path, double time, struct error *error)
{
    struct app_lesson_file file = {.path = path};
    const bool loaded = app_lesson_load(&file, error);
    if (loaded) {
        app_lesson_take(state, &file, time);
    }
    return loaded;
}

/* What is on screen now, as a step; it borrows the experiment. */
static struct lab_step present(const struct app_state *state, const char *caption)
{
    struct lab_step step = {.caption = caption,
                            .stage = state->view.stage,
                            .selection = state->view.pinned,
                            .has_camera = true,
                            .camera = {state->view.camera.azimuth, state->view.camera.elevation,
                                       state->view.camera.zoom},
                            .has_moment = state->view.moment < 1,
                            .moment = state->view.moment,
                            .has_display = true,
                            .display = state->view.display,
                            .changes = true,
                            .experiment = state->experiment};
    snprintf(step.theme, sizeof step.theme, "%s", state->theme->name);
    app_view_prefs_keep(state, &step);
    return step;
}

bool app_lesson_too_long(struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "So many numbers make a session of more than %d MB, and such a one could not "
                     "be opened again: save the numbers of a stage as NPZ.",
                     LAB_LESSON_BYTES_MAX >> 20);
}

bool app_lesson_text(const struct app_state *state, struct arena *arena, struct bytes *text,
                     struct error *error)
{
    return app_lesson_text_with_progress(state, NULL, arena, text, error);
}

bool app_lesson_text_with_progress(const struct app_state *state,
                                   const struct growing_progress *progress, struct arena *arena,
                                   struct bytes *text, struct error *error)
{
    const size_t count = state->lesson.steps > 0 ? state->lesson.steps : 1;
    struct lab_step *steps = arena_array(arena, count, sizeof *steps);
    if (steps == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to save.");
    }
    struct lab_lesson lesson = {.name = "session",
                                .title = "A session",
                                .summary = "",
                                .experiment = state->experiment,
                                .step = steps,
                                .steps = count};
    const char *caption = "";
    if (state->lesson.steps > 0) {
        lesson = state->lesson;
        memcpy(steps, state->lesson.step, count * sizeof *steps);
        lesson.step = steps;
        lesson.open = state->step;
        caption = steps[state->step].caption;
        steps[state->step] = present(state, caption);
        steps[state->step].hide = state->lesson.step[state->step].hide;
        steps[state->step].guess = state->lesson.step[state->step].guess;
    } else {
        steps[0] = present(state, caption);
        steps[0].changes = false;
    }
    if (!lab_lesson_write_with_progress(&lesson, progress, arena, text, error)) {
        return false;
    }
    /* What could not be opened again is not saved for that. */
    return text->size <= LAB_LESSON_BYTES_MAX || app_lesson_too_long(error);
}

bool app_lesson_save(struct app_state *state, const char *path, struct error *error)
{
    struct arena arena = {0};
    struct bytes text = {0};
    const bool saved =
        app_lesson_text(state, &arena, &text, error) && file_write(path, text, error);
    arena_free(&arena);
    if (!saved) {
        return false;
    }
    const struct file_mark mark = file_mark(path);
    app_lesson_note_file(state, path, &mark, &state->experiment);
    return true;
}

void app_lesson_note_file(struct app_state *state, const char *path, const struct file_mark *mark,
                          const struct lab_experiment *experiment)
{
    if (path != state->path) {
        snprintf(state->path, sizeof state->path, "%s", path);
    }
    state->path_mark = *mark;
    state->conflict = false;
    app_state_note_saved(state, experiment);
    app_autosave_ask(state);
}

void app_lesson_folder(char *path, size_t size)
{
    app_user_dir("DOCUMENTS", "Documents", path, size);
}

bool app_lesson_free_path(const struct app_state *state, char *path, size_t size)
{
    char folder[PATH_BYTES - 64];
    app_lesson_folder(folder, sizeof folder);
    const char *name = state->lesson.steps > 0            ? state->lesson.name
                       : state->experiment.lesson[0] != 0 ? state->experiment.lesson
                                                          : "session";
    for (int number = 1; number < NUMBERS_MAX; number++) {
        const int length =
            number == 1 ? snprintf(path, size, "%s/attnscope-%s.json", folder, name)
                        : snprintf(path, size, "%s/attnscope-%s-%d.json", folder, name, number);
        if (length < 0 || (size_t)length >= size) {
            return false;
        }
        if (access(path, F_OK) != 0) {
            return true;
        }
    }
    return false;
}
