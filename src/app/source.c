#include "app/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/import_dialog.h"
#include "app/source_parts.h"
#include "base/translate.h"

static const char FIRST_TEXT[] = "The cat sat on the mat, and the dog sat on the cat.";

bool app_source_probe(const char *path)
{
    return source_kind_of(path) != NULL;
}

/* ---- jobs ---- */

void source_drop_opened(struct app_source *source, struct source_work *work)
{
    if (work->run != source->run) {
        gpt2_run_close(work->run);
    }
    if (work->model != source->model) {
        gpt2_close(work->model);
    }
    if (work->dump != source->dump) {
        lab_dump_close(work->dump);
    }
}

void source_cancel(struct app_source *source)
{
    struct source_work *const work = source->work;
    if (work != NULL) {
        app_job_cancel(work->job);
        app_job_finish(work->job);
        source_drop_opened(source, work);
        source_work_free(work);
        source->work = NULL;
    }
    source->glance.busy = false;
}

/* What every job needs; NULL: no memory. ids are copied. */
struct source_work *source_new_work(struct app_state *state, const uint32_t *ids, size_t count,
                                    const char *name)
{
    struct app_source *const source = state->source;
    struct source_work *const work = calloc(1, sizeof *work);
    if (work == NULL) {
        return NULL;
    }
    *work = (struct source_work){.kind = source->kind,
                                 .asked = source->asked,
                                 .dump = source->dump,
                                 .model = source->model,
                                 .pool = source->pool,
                                 .ear = &source->ear,
                                 .count = count};
    work->first = (struct source_stand){
        .layer = source->layer,
        .head = source->layers == 0 ? source->first_head : source->head,
        .residual = state->experiment.residual && state->experiment.layers > 0};
    snprintf(work->first.isa, sizeof work->first.isa, "%s", state->isa);
    snprintf(work->path, sizeof work->path, "%s", source->path);
    snprintf(work->isa, sizeof work->isa, "%s", state->isa);
    snprintf(work->name, sizeof work->name, "%s", name);
    if (ids != NULL) {
        work->ids = malloc((count + 1) * sizeof *ids);
        if (work->ids == NULL) {
            free(work);
            return NULL;
        }
        memcpy(work->ids, ids, count * sizeof *ids);
    }
    if (source->off != NULL) {
        const size_t heads = source->layers * source->heads;
        work->off = calloc(heads, sizeof *work->off);
        if (work->off != NULL) {
            memcpy(work->off, source->off, heads * sizeof *work->off);
        }
    }
    return work;
}

bool source_begin(struct app_state *state, struct source_work *work, double time)
{
    struct app_source *const source = state->source;
    work = work == NULL || (work->job = app_job_start(work->kind->work, work)) != NULL
               ? work
               : (source_work_free(work), NULL);
    if (work == NULL) {
        app_state_show_message(state, time, "There is not enough memory to compute this text.");
        return false;
    }
    source_drop_layer(source); /* of a text that is the former one now, or of the same again */
    source->work = work;
    source->glance.busy = true;
    source->glance.progress = 0;
    source->glance.began = time;
    state->view.glance = &source->glance; /* how far it is shows from now on */
    return true;
}

/* A text of these ids from now on. */
bool source_read(struct app_state *state, const uint32_t *ids, size_t count, const char *name,
                 double time)
{
    struct app_source *const source = state->source;
    const size_t most = gpt2_config(source->model)->positions;
    if (count == 0) {
        app_state_show_message(state, time, "A model reads at least one word.");
        return false;
    }
    if (count > most || count > LAB_TOKENS_MAX) {
        app_state_show_message(state, time,
                               "This model reads at most %zu tokens; these would be %zu.",
                               most < LAB_TOKENS_MAX ? most : (size_t)LAB_TOKENS_MAX, count);
        return false;
    }
    source_cancel(source);
    struct source_work *const work = source_new_work(state, ids, count, name);
    const size_t had = gpt2_run_count(source->run);
    if (work != NULL && count == had + 1 && !source->off_changed &&
        memcmp(ids, gpt2_run_ids(source->run), had * sizeof *ids) == 0) {
        work->appends = true;
        work->run = source->run;
    }
    return source_begin(state, work, time);
}

void source_forget_text(struct source_text *text)
{
    lab_words_release(text->words);
    free(text->ids);
    free(text->off);
}

void source_free(struct app_source *source)
{
    if (source == NULL) {
        return;
    }
    source_cancel(source);
    source_drop_layer(source);
    source_free(source->former);
    for (size_t t = 0; t < source->texts; t++) {
        source_forget_text(&source->text[t]);
    }
    lab_words_release(source->followed);
    lab_atlas_release(source->atlas);
    gpt2_run_close(source->run);
    gpt2_close(source->model);
    lab_dump_close(source->dump);
    attn_pool_close(source->pool);
    free(source->off);
    free(source->order);
    free(source->logits);
    free(source->stream);
    free(source);
}

/* What is open, at rest; NULL: nothing has been opened so far. */
static struct app_source *set_aside(struct app_source *source)
{
    if (source != NULL && source->layers == 0) {
        struct app_source *const former = source->former;
        source->former = NULL;
        source_free(source);
        return former;
    }
    if (source != NULL) {
        source_cancel(source);
    }
    return source;
}

void source_bring_back(struct app_state *state)
{
    struct app_source *const former = state->source->former;
    state->source->former = NULL;
    source_free(state->source);
    state->source = former;
    state->view.glance = former != NULL && state->experiment.layers > 0 ? &former->glance : NULL;
}

/* text: what a model reads. */
static bool open_kind(struct app_state *state, const struct source_kind *kind, const char *path,
                      const char *text, const struct app_dump_options *asked, double time)
{
    struct app_source *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL) {
        return false;
    }
    fresh->former = set_aside(state->source); /* comes back where this cannot be opened */
    state->source = fresh;
    fresh->kind = kind;
    fresh->asked = *asked;
    snprintf(fresh->path, sizeof fresh->path, "%s", path);
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    size_t from = end;
    while (from > 0 && path[from - 1] != '/') {
        from--;
    }
    snprintf(fresh->name, sizeof fresh->name, "%.*s", (int)(end - from), path + from);
    fresh->pool = attn_pool_open(0);
    fresh->first_stage = LAB_SOFTMAX;
    fresh->glance.habit = LAB_HABITS;
    fresh->glance.temperature = 1;
    fresh->glance.seed = 42;
    random_start(&fresh->draw, fresh->glance.seed, "next word");
    char name[APP_NAME_MAX];
    snprintf(name, sizeof name, tr("open %.40s"), fresh->name);
    struct source_work *const work = source_new_work(state, NULL, 0, name);
    if (work != NULL) {
        work->text = malloc(strlen(text) + 1);
        if (work->text != NULL) {
            memcpy(work->text, text, strlen(text) + 1);
        }
    }
    return source_begin(state, work, time);
}

bool app_source_open(struct app_state *state, const char *path, const char *text, double time)
{
    const struct source_kind *const kind = source_kind_meant(path);
    const bool given = text != NULL && text[0] != '\0';
    const struct lab_dump_request request = {.words = kind->reads ? NULL : text};
    const struct app_dump_options asked = app_dump_options_of(&request);
    return open_kind(state, kind, path, given ? text : FIRST_TEXT, &asked, time);
}

bool app_source_open_as(struct app_state *state, const char *path,
                        const struct app_dump_options *asked, double time)
{
    return open_kind(state, source_kind_dump, path, "", asked, time);
}

bool app_source_ask(struct app_state *state)
{
    const struct app_source *const source = state->source;
    if (source == NULL || source->dump == NULL || state->view.glance == NULL) {
        return state->rows_path[0] !=
                   '\0' && /* taken for the places of words: were they weights? */
               app_import_open(state, state->rows_path, NULL,
                               &(const struct lab_dump_request){.batch = 0}, "");
    }
    const struct lab_dump_facts *const facts = lab_dump_facts(source->dump);
    struct app_dump_options asked =
        source->asked; /* what was guessed is said, as it stands there */
    struct lab_dump_request request = app_dump_options_request(&asked);
    request.array = facts->array;
    request.axes = facts->axes;
    return app_import_open(state, source->path, NULL, &request, "");
}

void app_source_begin_at(struct app_state *state, size_t layer, size_t head, enum lab_stage stage)
{
    if (state->source != NULL && state->source->layers == 0) {
        state->source->layer = layer;
        state->source->first_head = head;
        state->source->first_stage = stage;
    }
}

void app_source_close(struct app_state *state)
{
    if (state->source != NULL) {
        state->view.glance = NULL;
        source_free(state->source);
        state->source = NULL;
    }
}
