/* A file that takes long to make: a large picture, many numbers. The list is drawn, and the numbers
 * are found, by the window; a thread of its own makes a file of them and writes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/export_parts.h"
#include "app/session.h"
#include "base/translate.h"
#include "canvas/formats/formats.h"

struct export_make {
    struct app_job *job;
    bool given_up;
    char path[EXPORT_PATH_MAX];
    bool replaces;
    const struct export_format *format;
    const struct lab_trace *trace; /* a reference: the numbers, and their words */
    struct lab_matrix matrix;      /* of numbers */
    struct app_matrix_looks looks;
    struct app_sheet sheet; /* of a picture */
    struct render_figure figure;
    struct arena arena;
    bool written;
    struct error error;
};

/* What a frame can wait for. */
static const double PIXELS_MOST = 8e6, NUMBERS_MOST = 1 << 17;

bool export_takes_long(const struct app_state *state)
{
    const struct export_format *const format = export_format(state);
    const double scale = export_scale(state);
    if (format->kind == EXPORT_PICTURE) {
        return strcmp(format->by, "png") == 0 &&
               export_width(state) * export_height(state) * scale * scale > PIXELS_MOST;
    }
    struct export_extent numbers = {"", 0, 0};
    if (format->kind == EXPORT_NUMBERS) {
        numbers = export_numbers(state);
    }
    return (double)numbers.rows * (double)numbers.cols > NUMBERS_MOST;
}

static bool make_content(struct app_job *job, struct export_make *make, struct bytes *content)
{
    if (make->format->kind == EXPORT_NUMBERS) {
        const struct app_matrix_format *const format = app_matrix_format_find(make->format->by);
        struct app_job_text heard = {
            job, format->bytes * (double)make->matrix.rows * (double)make->matrix.cols, 0, false};
        const struct growing_progress progress = {app_job_progress, &heard};
        return app_matrix_text_with_progress(format, &make->matrix, &make->looks, &progress,
                                             &make->arena, content, &make->error);
    }
    return render_format_find(make->format->by)
               ->write(make->sheet.player, make->sheet.canvas, &make->figure, &make->arena, content,
                       &make->error) &&
           (!make->arena.lacking ||
            error_set(&make->error, ERROR_MEMORY, "There is not enough memory for this file."));
}

static void work(struct app_job *job, void *subject)
{
    struct export_make *const make = subject;
    struct bytes content = {0};
    app_job_tell(job, 0, 1, 3);
    const bool made = make_content(job, make, &content);
    app_job_tell(job, 1, 9, 10);
    if (made && !app_job_is_cancelled(job)) {
        make->written = export_write(make->path, make->replaces, content, &make->error);
    }
    if (make->written && app_job_is_cancelled(job) && !make->replaces) {
        unlink(make->path);
    }
    arena_free(&make->arena);
}

static void forget(struct export_make *make)
{
    app_job_finish(make->job);
    lab_trace_release(make->trace);
    arena_free(&make->arena);
    free(make);
}

/* Everything that the thread will read. */
static bool prepare(struct app_state *state, struct export_make *make, struct error *error)
{
    struct app_export *const export = state->export;
    struct app_figure picture;
    struct bytes session = {0};
    if (make->format->kind == EXPORT_NUMBERS) {
        if (!export_follow(state, error)) {
            return false;
        }
        make->trace = export->shown->trace == NULL ? NULL : lab_trace_keep(export->shown->trace);
        make->matrix = app_matrix_shown(export->shown, &make->arena);
        make->looks.map = export->shown->view.weights_map;
        if (make->matrix.values != NULL) {
            make->looks = app_matrix_looks(export->shown, &make->matrix);
        }
        return true;
    }
    if (!export_picture(state, &picture, error) ||
        (picture.describes && state->trace != NULL && app_session_fits(picture.state) &&
         !app_session_text(picture.state, &make->arena, &session, error))) {
        return false;
    }
    picture.format = render_format_find(make->format->by);
    picture.experiment = (const char *)session.at;
    if (!app_figure_renderer_draw(export->renderer, &picture, &make->sheet, error)) {
        return false;
    }
    make->figure = app_picture_figure(&picture, &make->sheet, &make->arena);
    return true;
}

bool export_make_begin(struct app_state *state, struct error *error)
{
    struct app_export *const export = state->export;
    struct export_make *const make = calloc(1, sizeof *make);
    if (make == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for this file.");
    }
    make->format = export_format(state);
    make->replaces = export->replaces;
    memcpy(make->path, export->path, sizeof make->path);
    if (!prepare(state, make, error)) {
        forget(make);
        return false;
    }
    make->job = app_job_start(work, make);
    if (make->job == NULL) {
        forget(make);
        return error_set(error, ERROR_MEMORY, "There is not enough memory for this file.");
    }
    export->make = make;
    return true;
}

void export_make_give_up(struct app_export *export)
{
    if (export->make != NULL) {
        export->make->given_up = true;
        app_job_cancel(export->make->job);
    }
}

float export_make_progress(const struct app_export *export, char *text, size_t size)
{
    size_t part = 0, done = 0, all = 0;
    app_job_look(export->make->job, &part, &done, &all);
    snprintf(text, size, "%s",
             export->make->given_up ? tr("Ending what was given up")
             : part == 0            ? tr("Making the file")
                                    : tr("Writing the file"));
    return all == 0 ? 0 : (float)done / (float)all;
}

bool export_make_advance(struct app_state *state, double time)
{
    struct app_export *const export = state->export;
    struct export_make *const make = export->make;
    if (make == NULL) {
        return false;
    }
    if (!app_job_is_done(make->job)) {
        return true;
    }
    export->make = NULL;
    if (!make->given_up && make->written) {
        app_export_close(state);
        app_state_show_message(state, time, "Saved %s", make->path);
    } else if (!make->given_up) {
        export_refuse(export, make->error.text);
    }
    forget(make);
    return true;
}

void export_make_free(struct app_export *export)
{
    if (export->make != NULL) {
        export_make_give_up(export);
        forget(export->make);
        export->make = NULL;
    }
}
