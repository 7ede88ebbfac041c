/* Making a file that takes long, on a thread of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/export/export_internal.h"
#include "base/system/file.h"
#include "base/translate.h"
#include "canvas/formats/formats.h"

struct export_make {
    struct task *task;
    char path[EXPORT_PATH_MAX];
    enum export_saving saving;
    const struct export_format *format;
    const struct lab_trace *trace; /* a reference: the numbers, and their words */
    struct lab_matrix matrix;      /* of numbers */
    struct app_matrix_style style;
    struct app_sheet sheet; /* of a picture */
    struct render_figure figure;
    struct arena arena;
    bool written;
    struct error error;
};

/* A frame can wait for so many pixels and numbers. */
static const double PIXELS_MAX = 8e6, NUMBERS_MAX = 1 << 17;

bool export_takes_long(const struct app_state *state)
{
    const struct export_format *const format = export_format(state);
    const double scale = export_scale(state);
    if (format->kind == EXPORT_PICTURE) {
        return strcmp(format->by, "png") == 0 &&
               export_width(state) * export_height(state) * scale * scale > PIXELS_MAX;
    }
    struct export_extent numbers = {"", 0, 0};
    if (format->kind == EXPORT_NUMBERS) {
        numbers = export_numbers(state);
    }
    return (double)numbers.rows * (double)numbers.cols > NUMBERS_MAX;
}

static bool make_content(struct app_job *job, struct export_make *make, struct bytes *content)
{
    if (make->format->kind == EXPORT_NUMBERS) {
        const struct app_matrix_format *const format = app_matrix_format_find(make->format->by);
        struct app_job_text text_progress = {
            job, format->bytes * (double)make->matrix.rows * (double)make->matrix.cols, 0, 0};
        const struct growing_progress progress = {app_job_progress, &text_progress};
        return app_matrix_text_with_progress(format, &make->matrix, &make->style, &progress,
                                             &make->arena, content, &make->error);
    }
    return render_format_find(make->format->by)
               ->write(make->sheet.player, make->sheet.canvas, &make->figure, &make->arena, content,
                       &make->error) &&
           (!make->arena.lacking ||
            error_set(&make->error, ERROR_MEMORY, "There is not enough memory for this file."));
}

static void make_files(struct app_job *job, void *subject)
{
    struct export_make *const make = subject;
    struct bytes content = {0};
    app_job_report(job, 0, 1, 3);
    const bool made = make_content(job, make, &content);
    app_job_report(job, 1, 9, 10);
    if (made && !app_job_is_cancelled(job)) {
        make->written = export_write(make->path, make->saving, content, &make->error);
    }
    if (make->written && app_job_is_cancelled(job) && make->saving == EXPORT_CREATES) {
        (void)system_remove(make->path);
    }
    arena_free(&make->arena);
}

static void release_make(void *subject)
{
    struct export_make *const make = subject;
    lab_trace_release(make->trace);
    arena_free(&make->arena);
    free(make);
}

/* Everything that the thread will read. */
static bool prepare_make(struct app_state *state, struct export_make *make, struct error *error)
{
    struct app_export *const export = state->export;
    struct app_figure picture;
    if (make->format->kind == EXPORT_NUMBERS) {
        export_follow(state);
        make->trace = export->shown.trace == NULL ? NULL : lab_trace_keep(export->shown.trace);
        make->matrix = app_matrix_shown(&export->shown, &make->arena);
        make->style.map = export->view.prefs.weights_map;
        if (make->matrix.values != NULL) {
            make->style = app_matrix_style(&export->shown, &make->matrix);
        }
        return true;
    }
    if (!export_picture(state, &picture, error) ||
        !export_put_session(&picture, &make->arena, error)) {
        return false;
    }
    picture.format = render_format_find(make->format->by);
    if (!app_figure_renderer_draw(export->renderer, &picture, &make->sheet, error)) {
        return false;
    }
    make->figure = app_picture_figure(&picture, &make->sheet, &make->arena);
    return true;
}

static void apply_make(struct app_state *state, void *subject, double time)
{
    const struct export_make *const make = subject;
    state->export->make = NULL;
    if (make->written) {
        app_export_close(state);
        app_state_show_toast(state, time, "Saved %s", make->path);
    } else {
        export_refuse(state->export, make->error.text);
    }
}

static void discard_make(struct app_state *state, void *subject, double time)
{
    (void)subject;
    (void)time;
    state->export->make = NULL;
}

static const struct task_kind kind = {.work = make_files,
                                      .apply = apply_make,
                                      .discard = discard_make,
                                      .release = release_make,
                                      .concurrency = TASK_CONCURRENT};

bool export_make_begin(struct app_state *state, double time, struct error *error)
{
    struct app_export *const export = state->export;
    struct export_make *const make = calloc(1, sizeof *make);
    if (make == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for this file.");
    }
    make->format = export_format(state);
    make->saving = export->saving;
    memcpy(make->path, export->path, sizeof make->path);
    if (!prepare_make(state, make, error)) {
        release_make(make);
        return false;
    }
    make->task = task_submit(&state->tasks, &kind, make, time);
    if (make->task == NULL) {
        release_make(make);
        return error_set(error, ERROR_MEMORY, "There is not enough memory for this file.");
    }
    export->make = make;
    return true;
}

void export_make_give_up(struct app_export *export)
{
    if (export->make != NULL) {
        task_cancel(export->make->task);
    }
}

void export_make_end(struct app_state *state)
{
    struct export_make *const make = state->export->make;
    if (make != NULL) {
        state->export->make = NULL;
        task_end(&state->tasks, make->task);
    }
}

float export_make_progress(const struct app_export *export, char *text, size_t size)
{
    size_t part = 0, done = 0, all = 0;
    task_read_progress(export->make->task, &part, &done, &all);
    snprintf(text, size, "%s",
             task_is_cancelled(export->make->task) ? tr("Ending what was given up")
             : part == 0                           ? tr("Making the file")
                                                   : tr("Writing the file"));
    return all == 0 ? 0 : (float)done / (float)all;
}
