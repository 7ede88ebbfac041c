/* Begins to open a model or a file of attention: from a path, a session, a call or the panel about
 * arrays. It makes a reading, which open_model_work.c computes. What was open before stays until
 * the new one is there, and comes back where that cannot be opened. */
#include "app/open/open_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/import_dialog.h"
#include "app/open/models_here.h"
#include "app/open/open_model_internal.h"
#include "app/results/wants.h"
#include "base/file.h"
#include "base/translate.h"
#include "file/kinds.h"

/* A model that takes no longer than this, in seconds, shows as a whole. */
static const double AT_ONCE = 0.1;

/* --- what a path leads to --- */

bool app_open_model_probe(const char *path)
{
    struct file_handle *const file = file_handle_open(path);
    const bool opens = file != NULL && subject_kind_of(file) != NULL;
    file_handle_release(file);
    return opens;
}

bool app_open_model_refuses(const char *path, struct error *error)
{
    struct file_handle *const file = file_handle_open(path);
    struct model_config config;
    const bool refuses = file_kind_opens(file_handle_kind(file), FILE_AS_MODEL) &&
                         !model_config_read(file, &config, error);
    file_handle_release(file);
    return refuses;
}

/* ---- readings ---- */

void open_model_cancel(struct app_state *state, struct app_open_model *model)
{
    const struct open_model_work *const work = open_model_pending(model);
    if (work == NULL) {
        return;
    }
    const size_t count = work->aim == OPEN_MODEL_APPEND ? work->read.count : 0;
    if (work->aim == OPEN_MODEL_APPEND) { /* the run is to be at rest */
        results_stop(state->results, &model->reading.want);
    }
    results_forget(state->results, &model->reading.want);
    open_model_forget_ask(&model->reading);
    open_model_leave_word(model, count);
}

/* NULL: no memory. */
static char *copy_of(const char *text)
{
    char *const copy = malloc(strlen(text) + 1);
    return copy == NULL ? NULL : strcpy(copy, text);
}

struct open_model_work *open_model_new_work(struct app_state *state,
                                            const struct open_model_reading *asked,
                                            const char *name)
{
    struct app_open_model *const model = state->model;
    struct open_model_work *const work = calloc(1, sizeof *work);
    if (work == NULL) {
        return NULL;
    }
    struct subject unread = model->subject;
    unread.run = NULL;
    *work =
        (struct open_model_work){.subject = subject_keep(&unread),
                                 .path = copy_of(model->path),
                                 .options = app_dump_options_keep(model->options),
                                 .engine = state->document.engine,
                                 .at_once = (state->host & APP_HOST_IS_SLOW) != 0 ? 0 : AT_ONCE};
    value_begin(&work->value, sizeof *work, open_model_drop_work);
    work->ready.layer_ref = open_model_wanted_layer(state);
    snprintf(work->title, sizeof work->title, "%s", model->name);
    snprintf(work->name, sizeof work->name, "%s", name);
    work->read = asked != NULL ? *asked : work->read;
    const bool is_copied = asked == NULL || open_model_copy_lists(&work->read);
    if (!is_copied || work->path == NULL) {
        value_release(&work->value);
        return NULL;
    }
    return work;
}

bool open_model_begin(struct app_state *state, struct open_model_work *work, double time)
{
    struct app_open_model *const model = state->model;
    if (work == NULL) {
        app_state_show_message(state, time, "There is not enough memory to compute this text.");
        return false;
    }
    work->number = ++state->document.numbers;
    atomic_store(&work->first_layer, work->ready.layer_ref.spot.layer);
    model->reading = (struct open_model_ask){
        .want = {.kind = WANT_READING, .source = model->number, .reading = work->number},
        .content = &work->value,
        .work = {"", time, -1}};
    model->head_overview.busy = true;                  /* what is opened is told from now on */
    state->view.head_overview = &model->head_overview; /* how far it is shows from now on */
    return true;
}

/* Says it where a text is too short or too long. */
bool open_model_fits(struct app_state *state, size_t count, double time)
{
    const struct app_open_model *const model = state->model;
    const size_t max = model_config(model->subject.model)->positions;
    if (count == 0) {
        app_state_show_message(state, time, "A model reads at least one word.");
        return false;
    }
    if (count > max || count > LAB_TOKENS_MAX) {
        app_state_show_message(state, time,
                               "This model reads at most %zu tokens; these would be %zu.",
                               max < LAB_TOKENS_MAX ? max : (size_t)LAB_TOKENS_MAX, count);
        return false;
    }
    return true;
}

/* Returns whether it is what the run has read, by the same heads, and one token more. */
static bool is_one_more(const struct app_open_model *model, const struct open_model_reading *asked)
{
    const size_t had = model_run_count(model->subject.run);
    const bool grows = !model_config(model->subject.model)->bidirectional; /* row by row */
    return grows && open_model_has_changes(model, asked->change, asked->changes) &&
           asked->count == had + 1 && open_model_same_source(asked, model->subject.run) &&
           memcmp(asked->ids, model_run_ids(model->subject.run), had * sizeof *asked->ids) == 0;
}

bool open_model_ask_for(struct app_state *state, const struct open_model_reading *asked,
                        const char *name, double time)
{
    struct app_open_model *const model = state->model;
    struct open_model_work *const work = open_model_new_work(state, asked, name);
    open_model_cancel(state, model);
    open_model_stop_layers(state);
    if (work != NULL && name[0] != '\0' && is_one_more(model, &work->read)) {
        work->aim = OPEN_MODEL_APPEND;
        work->subject.run = model_run_keep(model->subject.run);
    }
    return open_model_begin(state, work, time);
}

bool open_model_read(struct app_state *state, const uint32_t *ids, size_t count, const char *name,
                     double time)
{
    struct open_model_reading asked = open_model_to_be(state->model);
    asked.ids = (uint32_t *)ids;
    asked.count = count;
    asked.origin = asked.origin == TEXT_WRITTEN ? TEXT_TYPED : asked.origin;
    return open_model_fits(state, count, time) && open_model_ask_for(state, &asked, name, time);
}

/* The text that the model wrote is written anew. */
static void forget_written(struct open_model_reading *asked)
{
    asked->ids = NULL;
    asked->count = 0;
    asked->origin = TEXT_WRITTEN;
}

bool open_model_read_source(struct app_state *state, const uint32_t *ids, size_t count,
                            const char *name, double time)
{
    struct open_model_reading asked = open_model_to_be(state->model);
    if (asked.origin == TEXT_WRITTEN) {
        forget_written(&asked);
    }
    asked.source = (uint32_t *)ids;
    asked.source_count = count;
    return open_model_fits(state, count, time) && open_model_ask_for(state, &asked, name, time);
}

bool open_model_write(struct app_state *state, double time)
{
    struct open_model_reading asked = open_model_to_be(state->model);
    forget_written(&asked);
    return open_model_ask_for(state, &asked, "write the target", time);
}

/* What is computed of it holds it until that is done, and what it grows into longer. */
static void forget_results(struct results *results, const struct app_open_model *model)
{
    static const uint32_t kinds[] = {WANT_WHY,     WANT_WHY_CHANGE, WANT_CIRCUIT, WANT_PATCH,
                                     WANT_READING, WANT_LAYER,      WANT_HEADS,   WANT_WEIGHED,
                                     WANT_LOGITS,  WANT_NEXT,       WANT_AROUND};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        results_forget_source(results, kinds[k], model->number);
    }
}

void open_model_free(struct results *results, struct app_open_model *model)
{
    if (model == NULL) {
        return;
    }
    forget_results(results, model);
    open_model_forget_asks(model);
    open_model_free(results, model->former);
    value_release(model->followed);
    for (size_t a = 0; a < OPEN_MODEL_ATTENTIONS; a++) {
        lab_thumbnails_release(model->thumbnails[a]);
    }
    subject_release(&model->subject);
    app_dump_options_release(model->options);
    app_dump_options_release(model->said);
    arena_free(&model->arena);
    open_model_forget_kept(model->restored);
    lab_trace_release(model->kept_trace);
    value_release(model->kept_reading);
    arena_free(&model->told_next);
    free(model->off);
    free(model->change);
    free(model->order);
    free(model);
}

/* Returns the open model, at rest; NULL: nothing has been opened so far. */
static struct app_open_model *set_aside(struct app_state *state)
{
    struct app_open_model *const model = state->model;
    if (model != NULL) {
        open_model_cancel(state, model);
    }
    if (model != NULL && model->layers == 0) {
        struct app_open_model *const former = model->former;
        model->former = NULL;
        open_model_free(state->results, model);
        return former;
    }
    if (model != NULL) {
        open_model_forget_asks(model);
        open_model_stay_at_layer(model);
    }
    return model;
}

void open_model_bring_back(struct app_state *state)
{
    struct app_open_model *const former = state->model->former;
    state->model->former = NULL;
    open_model_free(state->results, state->model);
    state->model = former;
    state->view.head_overview =
        former != NULL && state->document.experiment.layers > 0 ? &former->head_overview : NULL;
}

/* The file to open: of a model with the text that it reads; and what is there of it already, held
 * by the caller. */
struct opening {
    const char *path, *text;
    bool chat;                              /* the run has read it as a message of a chat */
    const struct lab_step_model *kept;      /* a session's; NULL: none */
    const struct lab_dump_request *request; /* of a file of attention; NULL: nothing is said */
    enum app_dump_doubt doubt;
    struct subject subject; /* borrowed; of what is not open its kind, and its file */
};

/* With its paths and what is said of it. NULL: no memory. */
static struct app_open_model *new_model(struct results *results, const struct opening *opening)
{
    char full[LAB_MODEL_PATH_MAX];
    const bool is_named = file_full_path(opening->path, full, sizeof full);
    const struct lab_dump_request none = {.batch = 0};
    const bool has_arrays = !opening->subject.kind->reads;
    struct app_open_model *const model = calloc(1, sizeof *model);
    if (model == NULL) {
        return NULL;
    }
    model->path = arena_text(&model->arena, opening->path, strlen(opening->path));
    model->full_path = is_named ? arena_text(&model->arena, full, strlen(full)) : "";
    model->options = has_arrays
                         ? app_dump_options_new(opening->request != NULL ? opening->request : &none,
                                                opening->doubt)
                         : NULL;
    if (model->path == NULL || model->full_path == NULL || (has_arrays && model->options == NULL)) {
        open_model_free(results, model);
        return NULL;
    }
    return model;
}

static bool begin_to_open(struct app_state *state, const struct opening *opening, double time)
{
    const char *const text = opening->text;
    struct app_open_model *const fresh = new_model(state->results, opening);
    if (fresh == NULL) {
        return false;
    }
    results_set_kind(state->results, WANT_READING, &open_model_reading_kind, NULL);
    results_set_kind(state->results, WANT_LAYER, &open_model_layer_kind, NULL);
    results_set_kind(state->results, WANT_HEADS, &open_model_heads_kind, NULL);
    results_set_kind(state->results, WANT_WEIGHED, &open_model_weighed_kind, NULL);
    results_set_kind(state->results, WANT_LOGITS, &open_model_logits_kind, NULL);
    results_set_kind(state->results, WANT_NEXT, &open_model_next_kind, NULL);
    results_set_kind(state->results, WANT_AROUND, &open_model_around_kind, NULL);
    fresh->former = set_aside(state); /* comes back where this cannot be opened */
    state->model = fresh;
    fresh->subject.kind = opening->subject.kind;
    fresh->number = ++state->document.numbers;
    app_model_name(fresh->full_path[0] != '\0' ? fresh->full_path : fresh->path, fresh->name,
                   sizeof fresh->name);
    fresh->first_stage = LAB_SOFTMAX;
    fresh->head_overview.head_measure = LAB_HEAD_MEASURES;
    fresh->head_overview.temperature = 1;
    open_model_begin_draws(fresh, 42);
    char name[APP_NAME_MAX] = "";
    if (opening->kept == NULL) {
        snprintf(name, sizeof name, tr("open %.40s"), fresh->name);
    }
    const struct lab_step_model *const kept = opening->kept;
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct open_model_reading asked =
        kept == NULL ? (struct open_model_reading){.ids = NULL} : open_model_kept_reading(kept);
    if (kept != NULL && !open_model_read_changes(kept, &arena, &asked, &error)) {
        app_state_show_message(state, time, "%s", error.text);
    }
    const bool has_memory = kept == NULL || open_model_ask_kept(fresh, kept);
    struct open_model_work *const work =
        has_memory ? open_model_new_work(state, &asked, name) : NULL;
    arena_free(&arena);
    if (work != NULL) {
        work->text = text == NULL ? NULL : copy_of(text);
        work->subject = subject_keep(&opening->subject);
        if (opening->kept == NULL) {
            work->read.origin = opening->chat                  ? TEXT_OF_CHAT
                                : opening->subject.run != NULL ? TEXT_TYPED
                                                               : TEXT_WRITTEN;
        } else {
            work->ready.layer_ref.spot.layer = state->document.experiment.layer;
        }
    }
    const bool begun = open_model_begin(state, work, time);
    if (!begun) {
        open_model_bring_back(state);
    }
    return begun;
}

bool app_open_model_open(struct app_state *state, const char *path, const char *text, double time)
{
    struct subject found = {.file = file_handle_open(path)};
    const struct subject_kind *const kind = found.file == NULL ? NULL : subject_kind_of(found.file);
    found.kind = kind != NULL ? kind : &subject_checkpoint; /* which says what it is not */
    const bool begun = app_open_model_open_found(state, &found, path, text, time);
    subject_release(&found);
    return begun;
}

static bool is_given(const char *text)
{
    return text != NULL && text[0] != '\0';
}

bool app_open_model_open_found(struct app_state *state, const struct subject *found,
                               const char *path, const char *text, double time)
{
    const struct lab_dump_request request = {.words = found->kind->reads ? NULL : text};
    state->view.why_word = state->view.why_rival = 0; /* those were of other words */
    state->view.why_named[0][0] = state->view.why_named[1][0] = '\0';
    state->view.why_changed[0] = '\0';
    const struct opening opening = {
        .path = path, .text = is_given(text) ? text : NULL, .request = &request, .subject = *found};
    return begin_to_open(state, &opening, time);
}

bool app_open_model_adopt(struct app_state *state, const char *path, struct model *model,
                          struct model_run *run, const char *text, bool chat, double time)
{
    const struct opening opening = {
        .path = path,
        .text = run == NULL && is_given(text) ? text : NULL,
        .chat = chat,
        .subject = {.kind = &subject_checkpoint, .model = model, .run = run}};
    return begin_to_open(state, &opening, time);
}

bool open_model_open_kept(struct app_state *state, const struct lab_step_model *kept,
                          struct file_handle *file, double time)
{
    const struct opening opening = {
        .path = kept->path, .kept = kept, .subject = {.kind = &subject_checkpoint, .file = file}};
    return begin_to_open(state, &opening, time);
}

bool app_open_model_open_as(struct app_state *state, const char *path,
                            const struct lab_dump_request *request, enum app_dump_doubt doubt,
                            struct lab_dump *dump, double time)
{
    const struct opening opening = {.path = path,
                                    .request = request,
                                    .doubt = doubt,
                                    .subject = {.kind = &subject_attention_file, .dump = dump}};
    return begin_to_open(state, &opening, time);
}

bool app_open_model_ask(struct app_state *state)
{
    const struct app_open_model *const model = state->model;
    if (model == NULL || model->subject.dump == NULL || state->view.head_overview == NULL) {
        return state->document.rows_path[0] !=
                   '\0' && /* taken for the places of words: were they weights? */
               app_import_open(state, state->document.rows_path, NULL,
                               &(const struct lab_dump_request){.batch = 0}, "");
    }
    const struct lab_dump_facts *const facts = lab_dump_facts(model->subject.dump);
    /* The guesses are said, as they stand there. */
    struct lab_dump_request request = model->options->request;
    request.array = facts->array;
    request.axes = facts->axes;
    return app_import_open(state, model->path, NULL, &request, "");
}

void app_open_model_begin_at(struct app_state *state, size_t attention, size_t layer, size_t head,
                             enum lab_stage stage)
{
    if (state->model != NULL && state->model->layers == 0) {
        state->begins_with_file = true;
        state->model->which = (enum model_attention)attention;
        state->model->layer = layer;
        atomic_store(&open_model_pending(state->model)->first_layer, layer);
        state->model->head = head;
        state->model->first_stage = stage;
    }
}

void app_open_model_close(struct app_state *state)
{
    if (state->model != NULL) {
        state->view.head_overview = NULL;
        open_model_cancel(state, state->model);
        open_model_free(state->results, state->model);
        state->model = NULL;
    }
}
