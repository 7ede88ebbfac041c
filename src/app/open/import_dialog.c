#include "app/open/import_dialog.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/import_dialog_internal.h"
#include "app/open/open_model.h"
#include "base/translate.h"

struct app_dump_options app_dump_options_of(const struct lab_dump_request *request)
{
    struct app_dump_options asked = {.reading = request->reading,
                                     .sight = request->sight,
                                     .batch = request->batch,
                                     .counted = request->counted};
    const struct {
        char *to;
        size_t size;
        const char *from;
    } texts[] = {{asked.array, sizeof asked.array, request->array},
                 {asked.keys, sizeof asked.keys, request->keys},
                 {asked.inside, sizeof asked.inside, request->inside},
                 {asked.axes, sizeof asked.axes, request->axes},
                 {asked.words, sizeof asked.words, request->words}};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        snprintf(texts[t].to, texts[t].size, "%s", texts[t].from == NULL ? "" : texts[t].from);
    }
    return asked;
}

struct lab_dump_request app_dump_options_request(const struct app_dump_options *asked)
{
    return (struct lab_dump_request){.array = asked->array,
                                     .axes = asked->axes,
                                     .reading = asked->reading,
                                     .keys = asked->keys,
                                     .sight = asked->sight,
                                     .batch = asked->batch,
                                     .words = asked->words,
                                     .inside = asked->inside,
                                     .counted = asked->counted};
}

/* ---- the preview ---- */

static void forget(struct dialog_preview *preview)
{
    lab_dump_close(preview->dump);
    free(preview->values);
    preview->dump = NULL;
    preview->values = NULL;
}

/* The first head, each cell the largest of the weights that share it. */
static bool look(struct dialog_preview *preview, struct error *error)
{
    const struct lab_dump_facts *const facts = lab_dump_facts(preview->dump);
    struct lab_dump_page page = {.holds = {NULL}};
    const size_t n = facts->n, m = facts->m;
    preview->rows = n < ASK_SIDE ? n : ASK_SIDE;
    preview->cols = m < ASK_SIDE ? m : ASK_SIDE;
    float *const whole = malloc(n * m * sizeof *whole);
    preview->values = calloc(preview->rows * preview->cols, sizeof *preview->values);
    bool done = whole != NULL && preview->values != NULL;
    if (!done) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for one head.");
    }
    done = done && lab_dump_weights(preview->dump, &page, 0, 0, whole, error);
    for (size_t i = 0; done && i < n * m; i++) {
        float *const cell =
            preview->values + i / m * preview->rows / n * preview->cols + i % m * preview->cols / m;
        *cell = fmaxf(*cell, whole[i]);
    }
    lab_dump_page_free(&page);
    free(whole);
    return done;
}

static void work(struct app_job *job, void *subject)
{
    struct dialog_preview *const preview = subject;
    const struct lab_dump_request request = app_dump_options_request(&preview->asked);
    (void)job;
    preview->dump = lab_dump_open(preview->path, &request, &preview->error);
    if (preview->dump != NULL && !look(preview, &preview->error)) {
        forget(preview);
    }
}

/* "tokens: The cat sat on the …" */
static const char *say_tokens(struct app_import *dialog, const struct lab_dump_facts *facts)
{
    enum { SHOWN = 8 };
    const char *text = facts->words_from == NULL ? tr("tokens are counted: ") : tr("tokens: ");
    const size_t count = lab_words_count(facts->queries);
    for (size_t w = 0; w < count && w < SHOWN && text != NULL; w++) {
        text = arena_format(&dialog->said, "%s%s%.40s", text, w == 0 ? "" : "  ",
                            lab_words_list(facts->queries)[w]);
    }
    return text == NULL || count <= SHOWN ? text : arena_format(&dialog->said, "%s  …", text);
}

static void say_sheet(struct app_import *dialog)
{
    struct view_import *const sheet = &dialog->sheet;
    const struct dialog_preview *const shown = &dialog->shown;
    arena_reset(&dialog->said);
    sheet->facts = sheet->tokens = sheet->note = NULL;
    sheet->values = shown->values;
    sheet->values_rows = shown->rows;
    sheet->values_cols = shown->cols;
    if (shown->dump == NULL) {
        sheet->note = shown->error.code != ERROR_NONE ? shown->error.text : NULL;
        return;
    }
    const struct lab_dump_facts *const facts = lab_dump_facts(shown->dump);
    sheet->facts = arena_format(&dialog->said, "%zu layer%s × %zu head%s, %zu queries × %zu keys",
                                facts->layers, facts->layers == 1 ? "" : "s", facts->heads,
                                facts->heads == 1 ? "" : "s", facts->n, facts->m);
    sheet->tokens = say_tokens(dialog, facts);
    sheet->note = facts->doubt[0] == '\0' ? NULL : facts->doubt;
}

static void take_preview(struct app_state *state, void *subject, double time)
{
    struct app_import *const dialog = state->dialog;
    struct dialog_preview *const next = subject;
    (void)time;
    next->task = NULL;
    forget(&dialog->shown);
    dialog->shown = *next;
    next->dump = NULL;
    next->values = NULL;
    say_sheet(dialog);
}

static const struct task_kind preview_kind = {
    .work = work, .take = take_preview, .beside = TASK_BESIDE};

void app_import_advance(struct app_state *state, double time)
{
    struct app_import *const dialog = state->dialog;
    if (dialog == NULL) {
        return;
    }
    struct dialog_preview *const next = &dialog->next;
    if (next->task == NULL && dialog->shown.version != dialog->version) {
        *next = (struct dialog_preview){.asked = dialog->asked, .version = dialog->version};
        memcpy(next->path, dialog->path, sizeof next->path);
        next->task = task_submit(&state->tasks, &preview_kind, next, time);
        if (next->task == NULL) {
            dialog->shown.version = dialog->version; /* no preview, then */
        }
    }
    dialog->sheet.busy = next->task != NULL;
}

void app_import_settle(struct app_state *state)
{
    do {
        tasks_settle(&state->tasks, state, 0);
        app_import_advance(state, 0);
    } while (state->dialog != NULL && state->dialog->sheet.busy);
}

/* ---- the panel ---- */

void app_import_close(struct app_state *state)
{
    struct app_import *const dialog = state->dialog;
    if (dialog != NULL) {
        if (dialog->next.task != NULL) {
            task_end(&state->tasks, dialog->next.task);
        }
        forget(&dialog->next);
        forget(&dialog->shown);
        lab_dump_close(dialog->list);
        arena_free(&dialog->arena);
        arena_free(&dialog->said);
        free(dialog);
    }
    state->dialog = NULL;
    if (state->view.overlay == VIEW_OVERLAY_IMPORT) {
        state->view.overlay = VIEW_OVERLAY_NONE;
    }
}

bool app_import_open(struct app_state *state, const char *path, struct lab_dump *list,
                     const struct lab_dump_request *request, const char *why)
{
    struct app_import *const dialog = calloc(1, sizeof *dialog);
    list = list == NULL && dialog != NULL ? lab_dump_list(path, NULL) : list;
    if (dialog == NULL || list == NULL || lab_dump_items(list) == 0) {
        lab_dump_close(list);
        free(dialog);
        return false;
    }
    app_import_close(state);
    const char *const slash = strrchr(path, '/');
    dialog->list = list;
    dialog->asked = app_dump_options_of(request);
    dialog->version = 1;
    snprintf(dialog->path, sizeof dialog->path, "%s", path);
    snprintf(dialog->why, sizeof dialog->why, "%s", why);
    snprintf(dialog->title, sizeof dialog->title, tr("What is in %.80s?"),
             slash == NULL ? path : slash + 1);
    dialog->sheet.title = dialog->title;
    dialog->sheet.why = dialog->why;
    dialog_begin(dialog);
    dialog_fill_rows(dialog);
    state->dialog = dialog;
    state->view.import = &dialog->sheet;
    state->view.overlay = VIEW_OVERLAY_IMPORT;
    return true;
}

static void open_as_said(struct app_state *state, double time)
{
    struct app_import *const dialog = state->dialog;
    if (dialog->sheet.busy || dialog->shown.version != dialog->version ||
        dialog->shown.dump == NULL) {
        return; /* not known to be one so */
    }
    struct app_dump_options asked = dialog->asked;
    asked.by_person = true;
    char path[APP_DUMP_OPTIONS_PATH];
    memcpy(path, dialog->path, sizeof path);
    app_import_close(state);
    app_open_model_open_as(state, path, &asked, time);
}

void app_import_apply(struct app_state *state, const struct view_action *action, double time)
{
    struct app_import *const dialog = state->dialog;
    if (dialog == NULL) {
        return;
    }
    switch ((enum view_import_act)action->import.act) {
    case VIEW_IMPORT_CHOOSE:
        dialog_choose(dialog, action->import.row, action->import.choice);
        dialog_fill_rows(dialog);
        dialog->version++;
        break;
    case VIEW_IMPORT_OPEN:
        open_as_said(state, time);
        break;
    case VIEW_IMPORT_CLOSE:
        app_import_close(state);
        break;
    }
}
