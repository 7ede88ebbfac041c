#include "app/export/copy.h"

#include <stdlib.h>

#include "app/export/matrix_text.h"
#include "base/translate.h"

enum { NUMBERS_AT_ONCE = 1 << 16 };

struct copying {
    const struct app_matrix_format *format;
    const char *how;
    const struct lab_trace *trace; /* a reference: the numbers and their words are its */
    struct lab_matrix matrix;
    struct app_matrix_style style;
    struct arena arena;
    struct bytes text; /* NULL: it could not be made */
    struct error error;
};

static void release_copying(void *subject)
{
    struct copying *const copying = subject;
    lab_trace_release(copying->trace);
    arena_free(&copying->arena);
    free(copying);
}

/* job NULL: nobody is told. */
static void make_text(struct app_job *job, void *subject)
{
    struct copying *const copying = subject;
    const struct lab_matrix *const matrix = &copying->matrix;
    struct app_job_text text_progress = {
        job, copying->format->bytes * (double)matrix->rows * (double)matrix->cols, 0, 0};
    const struct growing_progress progress = {app_job_progress, &text_progress};
    app_matrix_text_with_progress(copying->format, matrix, &copying->style,
                                  job == NULL ? NULL : &progress, &copying->arena, &copying->text,
                                  &copying->error);
}

static void apply_copying(struct app_state *state, void *subject, double time)
{
    struct copying *const copying = subject;
    const struct lab_matrix *const matrix = &copying->matrix;
    if (copying->text.at == NULL) {
        app_state_show_message(state, time, "%s", copying->error.text);
        return;
    }
    app_state_show_toast(state, time,
                         tr_n("%s copied: %zu × %zu number, %s", "%s copied: %zu × %zu numbers, %s",
                              matrix->rows * matrix->cols),
                         matrix->name, matrix->rows, matrix->cols, tr(copying->how));
    arena_free(&state->copied);
    state->copied = copying->arena; /* and with it the text */
    copying->arena = (struct arena){0};
    state->request.copy = (const char *)copying->text.at;
}

static const struct task_kind kind = {.doing = "Writing numbers for the clipboard",
                                      .work = make_text,
                                      .apply = apply_copying,
                                      .release = release_copying};

void app_copy_matrix(struct app_state *state, const char *format, const char *how, double time)
{
    if (state->document.trace == NULL) {
        return;
    }
    struct copying *const copying = calloc(1, sizeof *copying);
    if (copying == NULL) {
        app_state_show_message(state, time, "There is not enough memory for that.");
        return;
    }
    copying->format = app_matrix_format_find(format);
    copying->how = how;
    copying->trace = lab_trace_keep(state->document.trace);
    const struct app_scene scene = app_state_scene(state);
    copying->matrix = app_matrix_clicked(&scene, &copying->arena);
    if (copying->matrix.values == NULL) { /* of attention from elsewhere not every stage is known */
        app_state_show_message(state, time, "There are no numbers here to copy.");
        release_copying(copying);
        return;
    }
    copying->style = app_matrix_style(&scene, &copying->matrix);
    if (copying->matrix.rows * copying->matrix.cols > NUMBERS_AT_ONCE) {
        app_state_submit(state, &kind, copying, time);
        return;
    }
    make_text(NULL, copying);
    apply_copying(state, copying, time);
    release_copying(copying);
}
