/* What comes after the first layer of a text: another layer that is wanted goes onto the stages, at
 * once or when a job has made it ready; layers that are not computed yet follow on a thread of
 * their own, while the overview fills with their heads; and then the likeliest next words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "base/translate.h"
#include "lab/run/sample.h"

/* ---- the layer that is wanted ---- */

void open_model_show_now(struct app_state *state, const char *name, double time)
{
    struct open_model_ready ready = {.layer_ref = open_model_wanted_layer(state)};
    open_model_make_ready(NULL, &ready);
    open_model_put_ready(state, &ready, name, time);
    open_model_ready_free(&ready);
}

/* Returns whether a layer is too much for the time between two frames. */
static bool is_large(const struct app_open_model *model)
{
    enum { LARGE = 1 << 18 };
    const struct subject_sizes sizes = subject_sizes(&model->subject, model->which);
    return sizes.n * sizes.m * (sizes.one_head ? 1 : sizes.heads) > LARGE ||
           sizes.m * sizes.width > LARGE / 16;
}

void open_model_drop_layer(struct app_open_model *model)
{
    struct open_model_layer *const layer = model->next;
    if (layer != NULL) {
        model->next = NULL;
        task_end(model->tasks, layer->task);
    }
}

static void work_on_layer(struct app_job *job, void *subject)
{
    struct open_model_layer *const layer = subject;
    app_job_report(job, 0, 0, 1);
    open_model_make_ready(job, &layer->ready);
}

static float say_layer(void *subject, const struct app_job *job, char *text, size_t size)
{
    const struct layer_ref *const ref =
        &((const struct open_model_layer *)subject)->ready.layer_ref;
    size_t part = 0, done = 0, all = 0;
    app_job_read_progress(job, &part, &done, &all);
    snprintf(text, size, tr("Reading layer %zu of %zu"), ref->spot.layer + 1,
             subject_sizes(&ref->subject, ref->spot.which).layers);
    return all > 0 ? 0.9f * (float)done / (float)all : 0;
}

static void take_layer(struct app_state *state, void *subject, double time)
{
    struct open_model_layer *const layer = subject;
    struct app_open_model *const model = state->model;
    model->next = NULL;
    model->head_overview.busy = model->work != NULL;
    if (open_model_is_wanted(state, &layer->ready.layer_ref)) {
        open_model_put_ready(state, &layer->ready, "", time);
    } else {
        open_model_show_layer(state, time);
    }
}

static void give_up_layer(struct app_state *state, void *subject, double time)
{
    (void)subject;
    (void)time;
    open_model_stay_at_layer(state->model);
}

static void drop_given_up(struct app_state *state, void *subject, double time)
{
    (void)subject;
    (void)time;
    state->model->next = NULL;
    state->model->head_overview.busy = state->model->work != NULL;
}

static void forget_layer(void *subject)
{
    struct open_model_layer *const layer = subject;
    open_model_ready_free(&layer->ready);
    free(layer);
}

static const struct task_kind layer_kind = {.doing = "",
                                            .work = work_on_layer,
                                            .apply = take_layer,
                                            .cancelled = give_up_layer,
                                            .discard = drop_given_up,
                                            .release = forget_layer,
                                            .describe = say_layer,
                                            .concurrency = TASK_CONCURRENT};

void open_model_show_layer(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    if (model->next != NULL) {
        return; /* what is wanted by then comes when that one is done */
    }
    if (!open_model_has_layer(model)) {
        model->stopped = false;
        return; /* it is computed first */
    }
    struct open_model_layer *const layer = is_large(model) ? calloc(1, sizeof *layer) : NULL;
    if (layer != NULL) {
        layer->ready.layer_ref = open_model_wanted_layer(state);
        layer->task = task_submit(&state->tasks, &layer_kind, layer, time);
    }
    if (layer == NULL || layer->task == NULL) {
        free(layer);
        open_model_show_now(state, "", time);
        return;
    }
    model->next = layer;
    model->head_overview.busy = true;
}

/* ---- the words that may come next ---- */

/* Notes what closes a sentence, and where the second begins. */
static void note_sentences(struct app_open_model *model)
{
    struct view_head_overview *const head_overview = &model->head_overview;
    struct arena arena = {0};
    uint32_t id = 0;
    const char *const closes = open_model_closes(model->subject.model, &arena, &id)
                                   ? model_shown(model->subject.model, id, &arena)
                                   : NULL;
    const size_t count = closes == NULL ? 0 : model_run_count(model->subject.run);
    size_t second = 0;
    while (second < count && model_run_types(model->subject.run)[second] == 0) {
        second++;
    }
    snprintf(model->closes, sizeof model->closes, "%s", closes == NULL ? "" : closes);
    head_overview->closes = closes == NULL ? NULL : model->closes;
    head_overview->second = second < count ? second : 0;
    arena_free(&arena);
}

/* Notes which of the masked words is guessed, and how many there are. */
static void note_masks(struct app_open_model *model, uint32_t mask)
{
    struct view_head_overview *const head_overview = &model->head_overview;
    const uint32_t *const ids = model_run_ids(model->subject.run);
    head_overview->mask_number = head_overview->masks = 0;
    for (size_t i = 0; head_overview->mask != NULL && i < model_run_count(model->subject.run);
         i++) {
        head_overview->masks += ids[i] == mask;
        head_overview->mask_number += ids[i] == mask && i <= model->masked;
    }
}

/* The likeliest words at the temperature, with their shares of all. */
void open_model_find_next(struct app_open_model *model)
{
    const size_t count = model_config(model->subject.model)->vocabulary;
    struct view_head_overview *const head_overview = &model->head_overview;
    const float *const logit = model->logits;
    struct arena arena = {0};
    uint32_t mask = 0;
    if (!open_model_mask(model->subject.model, &mask, &head_overview->mask)) {
        head_overview->mask = NULL;
    }
    note_sentences(model);
    note_masks(model, mask);
    if (logit == NULL) { /* an encoder without a masked word */
        head_overview->next_count = 0;
        return;
    }
    const struct lab_shares shares = lab_shares_of(logit, count, head_overview->temperature);
    head_overview->next_count = lab_find_largest(logit, count, VIEW_NEXT_MAX, model->next_id);
    for (size_t n = 0; n < head_overview->next_count; n++) {
        const uint32_t id = model->next_id[n];
        const char *const word = model_shown(model->subject.model, id, &arena);
        snprintf(model->next_word[n], sizeof model->next_word[n], "%s", word == NULL ? "" : word);
        head_overview->next[n] = (struct view_next){
            .word = model->next_word[n], .id = id, .share = lab_share(&shares, logit[id])};
    }
    arena_free(&arena);
}

void open_model_note_kept(struct app_open_model *model, const struct document *document)
{
    struct view_head_overview *const head_overview = &model->head_overview;
    const struct lab_trace *const kept =
        document == NULL || document->compares_change ? NULL : document->baseline;
    if (kept == model->kept_trace) {
        return;
    }
    lab_trace_release(model->kept_trace);
    model->kept_trace = kept == NULL ? NULL : lab_trace_keep(kept);
    free(model->kept_off);
    model->kept_off = NULL;
    head_overview->kept_off = NULL;
    head_overview->kept_count = 0;
    if (kept == NULL || kept != document->trace) { /* another kind of attention is compared with */
        return;
    }
    model->kept_off = model->off == NULL ? NULL : malloc(model->places * sizeof *model->kept_off);
    if (model->kept_off != NULL) {
        memcpy(model->kept_off, model->off, model->places * sizeof *model->kept_off);
        head_overview->kept_off = model->kept_off;
    }
    head_overview->kept_count = head_overview->next_count;
    for (size_t n = 0; n < head_overview->kept_count; n++) {
        memcpy(model->kept_word[n], model->next_word[n], sizeof model->kept_word[n]);
        head_overview->kept[n] =
            (struct view_next){.word = model->kept_word[n], .share = head_overview->next[n].share};
    }
}

/* ---- layers that are not computed yet ---- */

bool open_model_has_layer(const struct app_open_model *model)
{
    const struct subject_spot spot = {.which = model->which, .layer = model->layer};
    return subject_is_computed(&model->subject, &spot);
}

static void work_ahead(struct app_job *job, void *subject)
{
    struct open_model_work *const work = subject;
    work->progress->job = job;
    work->progress->part = OPEN_MODEL_FILLS;
    open_model_fill(job, work);
}

/* The heads that were looked at so far are shown, whatever else comes. */
static void show_looked_at(struct app_open_model *model)
{
    struct lab_thumbnails *const thumbnails = model->thumbnails[MODEL_SELF];
    if (thumbnails != NULL && lab_thumbnails_take(thumbnails)) {
        open_model_sort(model);
    }
}

static void give_up(struct app_state *state)
{
    struct app_open_model *const model = state->model;
    model->stopped = true; /* until one of them is asked for */
    if (open_model_awaits_layer(state)) {
        open_model_stay_at_layer(model);
    }
    model->head_overview.expects_next = false;
}

/* All of it is there. */
static void mark_complete(struct app_open_model *model, struct open_model_work *work)
{
    free(model->logits);
    model->logits = work->logits;
    work->logits = NULL;
    model->masked = work->masked;
    model->head_overview.expects_next = false;
    open_model_find_next(model);
}

static void end_ahead(struct app_state *state, struct open_model_work *work)
{
    struct app_open_model *const model = state->model;
    model->work = NULL;
    model->head_overview.busy = model->next != NULL;
    show_looked_at(model);
    if (work->thumbnails[MODEL_SELF] != NULL) {
        mark_complete(model, work);
    } else {
        give_up(state);
    }
}

static void take_ahead(struct app_state *state, void *subject, double time)
{
    struct open_model_work *const work = subject;
    end_ahead(state, work);
    if (work->thumbnails[MODEL_SELF] == NULL) {
        app_state_show_message(state, time, "%s", work->error.text);
    }
}

/* Given up, perhaps when it was done already. */
static void drop_ahead(struct app_state *state, void *subject, double time)
{
    (void)time;
    end_ahead(state, subject);
}

static const struct task_kind ahead_kind = {.doing = "",
                                            .work = work_ahead,
                                            .apply = take_ahead,
                                            .discard = drop_ahead,
                                            .release = open_model_work_free,
                                            .describe = open_model_say,
                                            .concurrency = TASK_CONCURRENT};

/* Some layers are not computed yet, or not looked at. */
static bool lacks_layers(const struct app_open_model *model)
{
    const struct lab_thumbnails *const thumbnails = model->thumbnails[MODEL_SELF];
    return lab_thumbnails_ready(thumbnails) < lab_thumbnails_sizes(thumbnails).layers;
}

bool open_model_expects_next(const struct app_open_model *model)
{
    size_t masked = 0;
    return model->logits == NULL &&
           open_model_guesses(model->subject.model, model_run_ids(model->subject.run),
                              model_run_count(model->subject.run), &masked);
}

static void begin_ahead(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    const struct open_model_reading read = open_model_to_be(model);
    struct open_model_work *const work = open_model_new_work(state, &read, "");
    if (work != NULL) {
        work->aim = OPEN_MODEL_GO_ON;
        work->subject.run = model_run_keep(model->subject.run);
        work->thumbnails[MODEL_SELF] = lab_thumbnails_keep(model->thumbnails[MODEL_SELF]);
        work->task = task_submit(&state->tasks, &ahead_kind, work, time);
    }
    if (work == NULL || work->task == NULL) {
        open_model_work_free(work);
        give_up(state);
        return;
    }
    model->work = work;
    model->head_overview.busy = true;
    model->head_overview.expects_next = open_model_expects_next(model);
}

/* Of the layer that stands there it is not known what is around it, and could be. */
static bool is_unknown_around(const struct app_state *state)
{
    const struct app_open_model *const model = state->model;
    const struct open_model_reading *const reading = open_model_shown_reading(state);
    return model->head_overview.stream_rows == 0 && reading != NULL &&
           open_model_has_layer(model) && model->layer == state->document.experiment.layer &&
           open_model_is_of_run(model, reading);
}

void open_model_go_ahead(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    if (model->subject.run == NULL || model->layers == 0 || open_model_is_reading(model)) {
        return;
    }
    show_looked_at(model);
    if (open_model_awaits_layer(state) && model->next == NULL && open_model_has_layer(model)) {
        open_model_show_layer(state, time);
    }
    if (is_unknown_around(state)) {
        open_model_look_around(model);
    }
    if (model->work == NULL && !model->stopped && state->view.head_overview != NULL &&
        (lacks_layers(model) || open_model_expects_next(model))) {
        begin_ahead(state, time);
    }
}
