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
    const struct layer_ref ref = open_model_wanted_layer(state);
    const struct file_progress nobody = {NULL, NULL};
    struct open_model_ready ready = {.layer_ref = ref};
    (void)open_model_make_ready(&ref, &nobody, &ready);
    open_model_put_ready(state, &ready, name, time);
    open_model_ready_free(&ready);
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
    model->head_overview.expects_next = open_model_expects_next(model);
}

void open_model_go_ahead(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    if (model->subject.run == NULL || model->layers == 0 || open_model_is_reading(model)) {
        return;
    }
    show_looked_at(model);
    if (model->work == NULL && !model->stopped && state->view.head_overview != NULL &&
        (lacks_layers(model) || open_model_expects_next(model))) {
        begin_ahead(state, time);
    }
}
