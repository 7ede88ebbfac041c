/* What becomes of a job's results: the layer that stands on the stages, texts to go back to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/import_dialog.h"
#include "app/lesson.h"
#include "app/source_parts.h"
#include "base/translate.h"

static bool same_words(const struct lab_words *a, const struct lab_words *b)
{
    bool same = lab_words_count(a) == lab_words_count(b);
    for (size_t w = 0; same && a != b && w < lab_words_count(a); w++) {
        same = strcmp(lab_words_list(a)[w], lab_words_list(b)[w]) == 0;
    }
    return same;
}

static size_t heads_of(const struct app_source *source)
{
    return source->layers * source->heads;
}

static void remember_text(struct app_source *source, const struct lab_words *words)
{
    const size_t count = gpt2_run_count(source->run), heads = heads_of(source);
    uint32_t *const ids = malloc(count * sizeof *ids);
    bool *const off = calloc(heads, sizeof *off);
    if (ids == NULL || off == NULL || source->off == NULL) {
        free(ids);
        free(off);
        return;
    }
    memcpy(ids, gpt2_run_ids(source->run), count * sizeof *ids);
    memcpy(off, source->off, heads * sizeof *off);
    if (source->texts == SOURCE_TEXTS_MAX) {
        source_forget_text(&source->text[0]);
        memmove(source->text, source->text + 1, (SOURCE_TEXTS_MAX - 1) * sizeof source->text[0]);
        source->texts--;
    }
    source->text[source->texts++] = (struct source_text){lab_words_keep(words), ids, count, off};
}

/* What goes into the layer, before its layer norm; the next run may not touch it. */
static void copy_stream(struct app_source *source)
{
    struct view_glance *const glance = &source->glance;
    if (source->run == NULL) {
        return; /* a file of attention has none */
    }
    const size_t rows = gpt2_run_count(source->run), cols = gpt2_config(source->model)->width;
    free(source->stream);
    source->stream = malloc(rows * cols * sizeof *source->stream);
    if (source->stream != NULL) {
        memcpy(source->stream, gpt2_run_residual(source->run, source->layer),
               rows * cols * sizeof *source->stream);
    }
    glance->stream = source->stream;
    glance->stream_rows = rows;
    glance->stream_cols = cols;
}

/* A layer that is ready onto the stages: as a step of history with a name, else in place. */
static void put_ready(struct app_state *state, struct source_ready *ready, const char *name,
                      double time)
{
    struct app_source *const source = state->source;
    struct lab_experiment *const experiment = &ready->experiment;
    if (!ready->there) {
        app_state_show_message(state, time, "%s", ready->error.text);
        return;
    }
    if (name[0] != '\0' && source->kind->reads) {
        remember_text(source, experiment->tokens);
    }
    state->ready = ready->trace;
    if (name[0] != '\0') {
        app_state_change(state, experiment, name, time);
    } else {
        if (same_words(experiment->tokens, state->experiment.tokens)) { /* the very same, then */
            lab_words_release(experiment->tokens);
            experiment->tokens = lab_words_keep(state->experiment.tokens);
        }
        app_state_put(state, experiment);
    }
    state->ready = NULL;
    source->glance.layer = source->layer;
    copy_stream(source);
}

static struct source_stand wanted_stand(const struct app_state *state)
{
    const struct app_source *const source = state->source;
    struct source_stand stand = {.run = source->run,
                                 .dump = source->dump,
                                 .layer = source->layer,
                                 .layers = source->layers,
                                 .head = source->head,
                                 .residual =
                                     state->experiment.residual && state->experiment.layers > 0};
    snprintf(stand.isa, sizeof stand.isa, "%s", state->isa);
    return stand;
}

static void show_now(struct app_state *state, const char *name, double time)
{
    struct source_ready ready;
    const struct source_stand stand = wanted_stand(state);
    source_make_ready(NULL, state->source->kind, &stand, &ready);
    put_ready(state, &ready, name, time);
    source_ready_free(&ready);
}

/* Whether a layer is too much for the time between two frames. */
static bool is_large(const struct app_source *source)
{
    enum { LARGE = 1 << 18 };
    if (source->dump != NULL) {
        const struct lab_dump_facts *const facts = lab_dump_facts(source->dump);
        return facts->n * facts->m * (facts->whole_layers ? facts->heads : 1) > LARGE;
    }
    const size_t words = gpt2_run_count(source->run);
    const struct gpt2_config *const config = gpt2_config(source->model);
    return words * words * config->heads > LARGE || words * config->width > LARGE / 16;
}

void source_drop_layer(struct app_source *source)
{
    struct source_layer *const layer = source->next;
    if (layer != NULL) {
        app_job_finish(layer->job);
        source_ready_free(&layer->ready);
        free(layer);
        source->next = NULL;
    }
}

void source_show_layer(struct app_state *state, double time)
{
    struct app_source *const source = state->source;
    if (source->next != NULL) {
        return; /* what is wanted by then comes when that one is done */
    }
    struct source_layer *const layer = is_large(source) ? calloc(1, sizeof *layer) : NULL;
    if (layer != NULL) {
        layer->kind = source->kind;
        layer->stand = wanted_stand(state);
        layer->job = app_job_start(source_work_on_layer, layer);
    }
    if (layer == NULL || layer->job == NULL) {
        free(layer);
        show_now(state, "", time);
        return;
    }
    source->next = layer;
    source->glance.began = source->glance.busy ? source->glance.began : time;
    source->glance.busy = true;
}

/* Whether the layer that was made ready is still the one that is wanted. */
static bool is_wanted(const struct app_state *state, const struct source_stand *stand)
{
    const struct app_source *const source = state->source;
    const bool one_head = source->dump != NULL && !lab_dump_facts(source->dump)->whole_layers;
    return stand->layer == source->layer && (!one_head || stand->head == source->head);
}

bool source_advance_layer(struct app_state *state, double time)
{
    struct app_source *const source = state->source;
    struct source_layer *const layer = source->next;
    if (layer == NULL) {
        return false;
    }
    if (!app_job_is_done(layer->job)) {
        snprintf(source->doing, sizeof source->doing, tr("Reading layer %zu of %zu"),
                 layer->stand.layer + 1, source->layers);
        source->glance.doing = source->doing;
        size_t part = 0, done = 0, all = 0;
        app_job_look(layer->job, &part, &done, &all);
        source->glance.progress = all > 0 ? 0.9f * (float)done / (float)all : 0;
        return true;
    }
    app_job_finish(layer->job);
    layer->job = NULL;
    const bool given_up = layer->given_up;
    const bool wanted = !given_up && is_wanted(state, &layer->stand);
    if (wanted) {
        put_ready(state, &layer->ready, "", time);
    }
    source->next = NULL;
    source->glance.busy = source->work != NULL;
    source_ready_free(&layer->ready);
    free(layer);
    if (!wanted && !given_up) {
        source_show_layer(state, time);
    }
    return source->next != NULL;
}

void source_sort(struct app_source *source)
{
    struct view_glance *const glance = &source->glance;
    glance->order = source->order;
    if (source->order == NULL || (!glance->grouped && glance->habit >= LAB_HABITS)) {
        glance->order = NULL;
    } else if (glance->grouped) {
        lab_atlas_group(source->atlas, source->order);
    } else {
        lab_atlas_sort(source->atlas, glance->habit, source->order);
    }
}

static bool make_lists(struct app_source *source)
{
    const size_t heads = source->layers * source->heads;
    source->off = source->off == NULL ? calloc(heads, sizeof *source->off) : source->off;
    source->order = source->order == NULL ? calloc(heads, sizeof *source->order) : source->order;
    return source->off != NULL && source->order != NULL;
}

/* What a model computed of its text. */
static void take_run(struct app_source *source, struct source_work *work)
{
    const struct gpt2_config *const config = gpt2_config(work->model);
    source->model = work->model;
    if (work->run != source->run) {
        gpt2_run_close(source->run);
        source->run = work->run;
    }
    free(source->logits);
    source->logits = work->logits;
    work->logits = NULL;
    source->layers = config->layers;
    source->heads = config->heads;
    source->glance.computed = work->appends ? 1 : work->count;
    source->glance.cached = work->count - source->glance.computed;
}

static void take_dump(struct app_source *source, struct source_work *work)
{
    const struct lab_dump_facts *const facts = lab_dump_facts(work->dump);
    source->dump = work->dump;
    source->layers = facts->layers;
    source->heads = facts->heads;
}

/* Among many words a weight is small, and on even colours nothing could be seen. */
static void show_faint(struct app_state *state, double time)
{
    enum { MANY = 96 };
    const struct app_source *const source = state->source;
    const size_t words =
        source->dump != NULL ? lab_dump_facts(source->dump)->m : gpt2_run_count(source->run);
    if (words >= MANY && !state->view.display.logarithmic && !state->view.range_by_content) {
        state->view.display.logarithmic = true;
        app_state_show_message(
            state, time,
            "Among %zu words weights are small: the colours are logarithmic now (settings, "
            "log).",
            words);
    }
}

static void take_work(struct app_state *state, double time)
{
    struct app_source *const source = state->source;
    struct source_work *const work = source->work;
    const bool opened = source->layers == 0;
    const bool reads = source->kind->reads;
    (reads ? take_run : take_dump)(source, work);
    source_free(source->former);
    source->former = NULL;
    lab_atlas_release(source->atlas);
    source->atlas = lab_atlas_keep(work->atlas);
    snprintf(source->title, sizeof source->title, tr("%s · %zu × %zu heads"), source->name,
             source->layers, source->heads);
    make_lists(source);
    source->off_changed = source->off_changed && work->appends;
    source->glance.title = source->title;
    source->glance.opened = true;
    source->glance.atlas = source->atlas;
    source->glance.off = reads ? source->off : NULL;
    if (source->atlas != NULL) {
        source_sort(source);
    }
    if (reads) {
        source_find_next(source);
    }
    if (opened) {
        app_lesson_close(state);
        app_state_go(state, source->first_stage, time);
        source->layer = source->layer < source->layers ? source->layer : 0;
        state->view.whole_alpha = true;
        state->view.closeup = (struct view_closeup){0};
        show_faint(state, time);
        source->head = source->first_head < source->heads ? source->first_head : 0;
        state->view.pinned.head = source->head;
    }
    if (work->name[0] != '\0' && is_wanted(state, &work->ready.stand) &&
        (work->ready.there || work->ready.error.code != ERROR_NONE)) {
        put_ready(state, &work->ready, work->name, time);
    } else if (work->name[0] != '\0') { /* another layer was chosen in between */
        show_now(state, work->name, time);
    } else if (source->layer != state->experiment.layer) {
        source_show_layer(state, time);
    } else {
        copy_stream(source);
    }
    if (opened) {
        state->view.pinned.head = source->first_head;
        app_state_clamp(state);
    }
    state->view.glance = state->experiment.layers > 0 ? &source->glance : NULL;
}

/* What was read for these words: for the very list, else the latest that reads alike. NULL:
 * nothing. */
static const struct source_text *find_text(const struct app_source *source,
                                           const struct lab_words *words)
{
    const struct source_text *alike = NULL;
    for (size_t t = source->texts; t-- > 0;) {
        if (source->text[t].words == words) {
            return &source->text[t];
        }
        if (alike == NULL && same_words(source->text[t].words, words)) {
            alike = &source->text[t];
        }
    }
    return alike;
}

/* The experiment may have become another by undo, redo or a lesson: the text and the layer follow
 * it. */
static void follow(struct app_state *state, double time)
{
    struct app_source *const source = state->source;
    const struct lab_experiment *const experiment = &state->experiment;
    if (source->layers == 0 || (source->followed == experiment->tokens &&
                                source->layer == experiment->layer && state->view.glance != NULL)) {
        return;
    }
    lab_words_release(source->followed);
    source->followed = lab_words_keep(experiment->tokens);
    state->view.glance = experiment->layers > 0 ? &source->glance : NULL;
    if (experiment->layers == 0) {
        return;
    }
    source->layer = source->glance.layer =
        experiment->layer < source->layers ? experiment->layer : 0;
    source->glance.stream = NULL; /* until it is known to be of this layer and this text */
    const struct source_text *const text = find_text(source, experiment->tokens);
    if (text == NULL) {
        return;
    }
    const size_t heads = heads_of(source);
    if (memcmp(source->off, text->off, heads * sizeof *text->off) != 0) {
        memcpy(source->off, text->off, heads * sizeof *text->off);
        source->off_changed = true;
    }
    if (!source->off_changed && text->count == gpt2_run_count(source->run) &&
        memcmp(text->ids, gpt2_run_ids(source->run), text->count * sizeof *text->ids) == 0) {
        copy_stream(source);
    } else {
        source_read(state, text->ids, text->count, "", time);
    }
}

static void tell_progress(struct app_source *source)
{
    size_t part = 0, done = 0, all = 0;
    app_job_look(source->work->job, &part, &done, &all);
    if (part == SOURCE_OPENS) {
        snprintf(source->doing, sizeof source->doing, tr("Opening %.40s"), source->name);
    } else if (part == SOURCE_COMPUTES) {
        snprintf(source->doing, sizeof source->doing, tr("Computing layer %zu of %zu"), done + 1,
                 all);
    } else {
        snprintf(source->doing, sizeof source->doing, tr("Looking at head %zu of %zu"), done + 1,
                 all);
    }
    source->glance.doing = source->doing;
    source->glance.progress = all > 0 ? ((float)part + (float)done / (float)all) / 3 : 0;
}

/* A switch that was given up: the heads are as the text that still stands there has them. */
static void give_heads_back(struct app_source *source, const struct lab_words *words)
{
    const struct source_text *const text = find_text(source, words);
    if (text != NULL && memcmp(source->off, text->off, heads_of(source) * sizeof *text->off) != 0) {
        memcpy(source->off, text->off, heads_of(source) * sizeof *text->off);
        source->off_changed = false;
    }
}

/* A file of attention is open: its first layer is shown, and all heads are looked at from now on.
 */
static void look_on(struct app_state *state, double time)
{
    const char *const doubt = lab_dump_facts(state->source->dump)->doubt;
    if (doubt[0] != '\0') {
        app_state_show_message(state, time, "%s", doubt);
    }
    source_begin(state, source_new_work(state, NULL, 0, ""), time);
}

/* What the arrays are has to be said: they are not what their names or numbers would tell. */
static bool is_unclear(const struct app_source *source, const struct source_work *work)
{
    const bool is_guess = work->dump != NULL && lab_dump_facts(work->dump)->is_guess;
    return source->dump == NULL && !work->asked.by_person &&
           (work->error.code == ERROR_UNCLEAR || is_guess);
}

/* Nothing is opened yet, and the panel is up. Always false. */
static bool ask_about(struct app_state *state, double time)
{
    struct app_source *const source = state->source;
    struct source_work *const work = source->work;
    char path[sizeof work->path];
    const struct app_dump_options asked = work->asked;
    const struct error error = work->error;
    const struct lab_dump_request request = app_dump_options_request(&asked);
    struct lab_dump *const list = work->list;
    memcpy(path, work->path, sizeof path);
    work->list = NULL;
    source->work = NULL;
    source_drop_opened(source, work);
    source_work_free(work);
    source_bring_back(state);
    if (!app_import_open(state, path, list, &request,
                         error.code != ERROR_NONE
                             ? error.text
                             : tr("Its names do not tell what its arrays are."))) {
        app_state_show_message(state, time, "%s", error.text);
    }
    return false;
}

/* The job is over: what it made is taken, or what stopped it is said. */
static bool end_work(struct app_state *state, double time)
{
    struct app_source *const source = state->source;
    struct source_work *const work = source->work;
    const bool given_up = app_job_is_cancelled(work->job); /* perhaps when all was done already */
    const bool opened_dump = work->dump != NULL && source->dump == NULL && !given_up;
    if (given_up) {
        lab_atlas_release(work->atlas);
        work->atlas = NULL;
    }
    app_job_finish(work->job);
    source->glance.busy = false;
    if (!given_up && is_unclear(source, work)) {
        return ask_about(state, time);
    }
    if (work->atlas != NULL || opened_dump) {
        take_work(state, time);
        source->work = NULL;
        source_work_free(work);
        if (opened_dump) {
            look_on(state, time);
        }
        return source->work != NULL;
    }
    source->work = NULL;
    if (work->error.code != ERROR_NONE && !given_up) {
        app_state_show_message(state, time, "%s", work->error.text);
    }
    source_drop_opened(source, work);
    if (work->appends && gpt2_run_count(source->run) == work->count) {
        source_read(state, work->ids, work->count - 1, "",
                    time); /* the word came, but not its atlas */
    }
    source_work_free(work);
    if (source->run != NULL) {
        give_heads_back(source, state->experiment.tokens);
    }
    if (source->layers == 0) {
        source_bring_back(state); /* it never opened */
    }
    return state->source != NULL && state->source->work != NULL;
}

bool app_source_advance(struct app_state *state, double time)
{
    struct app_source *const source = state->source;
    if (source == NULL) {
        return false;
    }
    const bool reads = source_advance_layer(state, time);
    if (source->work == NULL && !reads) {
        follow(state, time);
    }
    if (source->work == NULL) {
        return reads;
    }
    if (!app_job_is_done(source->work->job)) {
        if (!reads) {
            tell_progress(source);
        }
        return true;
    }
    const bool more = end_work(state, time);
    return more || (state->source != NULL && state->source->next != NULL);
}

void app_source_settle(struct app_state *state, double time)
{
    while (app_source_advance(state, time)) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}
