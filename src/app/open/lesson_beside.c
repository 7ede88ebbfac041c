/* Writes and reads sessions with many numbers by tasks beside the window; app/open/lesson.c does
 * it at once for small ones. (A name that says so: lesson_tasks.c.) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/session.h"
#include "app/document/settings_store.h"
#include "app/open/lesson.h"
#include "base/system/file.h"

enum { NAME_SHOWN = 60, PATH_BYTES = 4096, READ_AT_ONCE = 1 << 20 /* bytes of a file */ };

/* ---- a copy ---- */

struct app_lesson_copy {
    struct app_lesson_content content; /* of what follows, and of a lesson that it holds */
    struct lab_experiment experiment;
    struct view_state view;
    struct arena arena; /* of what the model and the weights name */
};

static const void *copy_list(const void *list, size_t count, size_t size, struct arena *arena)
{
    void *const own = list == NULL ? NULL : arena_array(arena, count + 1, size);
    return own == NULL ? NULL : memcpy(own, list, count * size);
}

/* The model that a step names, with lists of its own. */
static void copy_model(struct lab_step_model *model, struct arena *arena)
{
    if (model->path != NULL) {
        model->path = arena_text(arena, model->path, strlen(model->path));
        model->ids = copy_list(model->ids, model->count, sizeof *model->ids, arena);
        model->source = copy_list(model->source, model->source_count, sizeof *model->source, arena);
        model->off = copy_list(model->off, model->places, sizeof *model->off, arena);
        const char **const changes = arena_array(arena, model->change_count + 1, sizeof *changes);
        for (size_t c = 0; changes != NULL && c < model->change_count; c++) {
            changes[c] = arena_text(arena, model->changes[c], strlen(model->changes[c]));
        }
        model->changes = changes;
    }
}

static void copy_weights(struct lab_step_weights *weights, struct arena *arena)
{
    if (weights->folder != NULL) {
        weights->folder = arena_text(arena, weights->folder, strlen(weights->folder));
    }
}

struct app_lesson_copy *app_lesson_copy(const struct app_state *state)
{
    struct app_lesson_copy *const copy = calloc(1, sizeof *copy);
    if (copy == NULL) {
        return NULL;
    }
    copy->view = state->view;
    lab_experiment_copy(&copy->experiment, document_present(&state->document));
    copy->content = app_lesson_content(state);
    copy->content.lesson = document_lesson_keep(copy->content.lesson);
    copy_model(&copy->content.model, &copy->arena);
    copy_weights(&copy->content.weights, &copy->arena);
    copy->content.scene.view = &copy->view;
    copy->content.scene.pending = &copy->experiment;
    if (copy->arena.lacking) {
        app_lesson_copy_free(copy);
        return NULL;
    }
    return copy;
}

const struct app_lesson_content *app_lesson_copy_content(const struct app_lesson_copy *copy)
{
    return &copy->content;
}

void app_lesson_copy_free(struct app_lesson_copy *copy)
{
    if (copy != NULL) {
        lab_experiment_release(&copy->experiment);
        document_lesson_release(copy->content.lesson);
        arena_free(&copy->arena);
        free(copy);
    }
}

/* ---- writing ---- */

struct writing {
    char path[PATH_BYTES];
    struct document_work *work; /* that is written, held */
    struct app_lesson_copy *copy;
    struct arena arena; /* of the file */
    struct file_mark mark;
    double expected; /* bytes */
    bool written;
    struct error error;
};

static void forget_writing(void *subject)
{
    struct writing *const writing = subject;
    app_lesson_copy_free(writing->copy);
    document_work_release(writing->work);
    arena_free(&writing->arena);
    free(writing);
}

static struct writing *prepare_writing(const struct app_state *state, const char *path)
{
    struct writing *const writing = calloc(1, sizeof *writing);
    if (writing == NULL) {
        return NULL;
    }
    writing->copy = app_lesson_copy(state);
    if (writing->copy == NULL) {
        forget_writing(writing);
        return NULL;
    }
    snprintf(writing->path, sizeof writing->path, "%s", path);
    writing->copy->content.path = writing->path;
    writing->work = document_work_keep(state->document.work);
    writing->expected = 2.3 * (double)lab_experiment_bytes(&writing->copy->experiment, NULL);
    return writing;
}

static void write_session(struct app_job *job, void *subject)
{
    struct writing *const writing = subject;
    struct app_job_text text_progress = {job, writing->expected, LAB_LESSON_BYTES_MAX, 0};
    const struct growing_progress progress = {app_job_progress, &text_progress};
    struct bytes text = {0};
    if (app_lesson_text(&writing->copy->content, &progress, &writing->arena, &text,
                        &writing->error)) {
        writing->written =
            !app_job_is_cancelled(job) && file_write(writing->path, text, &writing->error);
        writing->mark = file_mark(writing->path);
    } else if (text_progress.size > LAB_LESSON_BYTES_MAX) {
        (void)app_lesson_too_long(&writing->error);
    }
}

static void take_writing(struct app_state *state, void *subject, double time)
{
    const struct writing *const writing = subject;
    if (!writing->written) {
        state->closing = false;
        app_state_show_toast(state, time, "%s", writing->error.text);
        return;
    }
    app_lesson_note_file(state, writing->work, writing->path, &writing->mark,
                         &writing->copy->experiment);
    app_state_store_file(state, writing->path);
    app_state_show_toast(state, time, "Saved as %.200s", writing->path);
}

static const struct task_kind writing_kind = {.doing = "Writing the session",
                                              .work = write_session,
                                              .apply = take_writing,
                                              .release = forget_writing,
                                              .completes = true};

bool app_lesson_save_report(struct app_state *state, const char *path, double time,
                            struct error *error)
{
    if (!app_session_fits(document_present(&state->document))) {
        struct writing *const writing = prepare_writing(state, path);
        if (writing != NULL) {
            app_state_submit(state, &writing_kind, writing, time);
            return true;
        }
    }
    if (!app_lesson_save(state, path, error)) {
        return false;
    }
    app_state_store_file(state, state->document.work->path);
    app_state_show_toast(state, time, "Saved as %.200s", state->document.work->path);
    return true;
}

/* ---- reading ---- */

struct reading {
    char path[PATH_BYTES];
    struct app_lesson_file file;
    bool is_loaded;
    struct error error;
};

static void forget_reading(void *subject)
{
    struct reading *const reading = subject;
    if (reading->is_loaded) {
        lab_lesson_release(&reading->file.lesson);
        arena_free(&reading->file.arena);
    }
    file_handle_release(reading->file.file);
    free(reading);
}

static void read_session(struct app_job *job, void *subject)
{
    struct reading *const reading = subject;
    (void)job;
    reading->is_loaded = app_lesson_load(&reading->file, &reading->error);
}

/* Where it holds what this version does not know, that is said already. */
static void say_open(struct app_state *state, const char *path, double time)
{
    if (state->document.lesson->unknown == NULL) {
        app_state_show_message(state, time, "%.*s is open.", NAME_SHOWN, file_name(path));
    }
}

static void take_reading(struct app_state *state, void *subject, double time)
{
    struct reading *const reading = subject;
    if (!reading->is_loaded) {
        app_state_show_message(state, time, "%s", reading->error.text);
        return;
    }
    reading->is_loaded = false; /* it is taken over */
    if (!app_lesson_take(state, &reading->file, time)) {
        return;
    }
    say_open(state, reading->path, time);
    app_state_store_file(state, reading->path);
}

static const struct task_kind reading_kind = {.doing = "Reading the session",
                                              .work = read_session,
                                              .apply = take_reading,
                                              .release = forget_reading};

bool app_lesson_open_file(struct app_state *state, struct file_handle *file, double time,
                          struct error *error)
{
    const char *const path = file_handle_path(file);
    struct reading *const reading =
        file_handle_mark(file).size > READ_AT_ONCE ? calloc(1, sizeof *reading) : NULL;
    struct app_lesson_file here = {.path = path, .file = file_handle_keep(file)};
    if (reading != NULL) {
        snprintf(reading->path, sizeof reading->path, "%s", path);
        reading->file = here;
        reading->file.path = reading->path;
        app_state_submit(state, &reading_kind, reading, time);
        return true;
    }
    if (!app_lesson_load(&here, error)) {
        return false;
    }
    if (!app_lesson_take(state, &here, time)) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to open it.");
    }
    app_state_store_file(state, path);
    say_open(state, path, time);
    return true;
}
