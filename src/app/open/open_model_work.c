/* Computes a reading: opens the file, makes ids of the text, computes layers, looks at heads, and
 * makes the first layer ready for the stages. It does not touch the state; open_model_take.c takes
 * the result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "base/system/clock.h"
#include "base/translate.h"
#include "model/ids.h"

/* Who computes a reading. */
struct reader {
    struct open_model_work *work;
    const struct slice *slice;
};

static bool report(const struct reader *reader, enum open_model_part part, size_t done, size_t all)
{
    struct open_model_work *const work = reader->work;
    atomic_store(&work->part, part);
    atomic_store(&work->done, done);
    atomic_store(&work->all, all);
    return !atomic_load(reader->slice->is_stopped);
}

void open_model_drop_work(struct value *value)
{
    struct open_model_work *const work = (struct open_model_work *)value;
    subject_release(&work->subject);
    free(work->text);
    free(work->path);
    open_model_free_lists(&work->read);
    for (size_t a = 0; a < OPEN_MODEL_ATTENTIONS; a++) {
        lab_thumbnails_release(work->thumbnails[a]);
    }
    lab_dump_close(work->list);
    app_dump_options_release(work->options);
    open_model_ready_free(&work->ready);
    free(work);
}

void open_model_ready_free(struct open_model_ready *ready)
{
    lab_experiment_release(&ready->experiment);
    lab_trace_release(ready->trace);
    *ready = (struct open_model_ready){.trace = NULL};
}

static bool on_rows(void *owner, size_t done, size_t all)
{
    const struct reader *const reader = owner;
    return report(reader, (enum open_model_part)atomic_load(&reader->work->part), done, all);
}

bool open_model_make_ready(const struct layer_ref *ref, const struct file_progress *progress,
                           struct open_model_ready *ready)
{
    struct lab_experiment *const experiment = &ready->experiment;
    const bool is_made =
        subject_experiment(&ref->subject, &ref->spot, progress, experiment, &ready->error);
    if (is_made) {
        experiment->residual = ref->residual;
        ready->trace = lab_run(experiment, &ref->engine, NULL);
    }
    return is_made;
}

enum { TARGET_WORDS = 32 };

static const char FIRST_TEXT[] = "The cat sat on the mat, and the dog sat on the cat.";

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for this text.");
}

/* The first words of a vocabulary that was learned from something else than English. */
static const uint32_t *first_ids(const struct open_model_work *work, struct arena *arena,
                                 size_t *count)
{
    enum { WORDS = 8 };
    const size_t all = model_config(work->subject.model)->vocabulary;
    *count = all < WORDS ? all : WORDS;
    uint32_t *const ids = arena_array(arena, *count + 1, sizeof *ids);
    for (size_t i = 0; ids != NULL && i < *count; i++) {
        ids[i] = (uint32_t)i;
    }
    return ids;
}

bool open_model_read_ids(const struct model *model, enum model_text which, const char *text,
                         struct arena *arena, const uint32_t **ids, size_t *count,
                         struct error *error)
{
    const struct model_config *const config = model_config(model);
    const size_t all = which == MODEL_READ && model_has_target(model) ? config->source_vocabulary
                                                                      : config->vocabulary;
    const char *wrong = NULL;
    if (!model_ids_read(text, arena, ids, count, &wrong)) {
        return wrong == NULL
                   ? error_set(error, ERROR_MEMORY, "There is not enough memory for this text.")
                   : error_set(error, ERROR_INPUT,
                               "“%.20s” is no number of a token, and this model came without a "
                               "tokenizer: type numbers from 0 to %zu, such as 1 5 7.",
                               wrong, all - 1);
    }
    for (size_t i = 0; i < *count; i++) {
        if ((*ids)[i] >= all) {
            return error_set(error, ERROR_INPUT,
                             "There is no token %lu: those of this model are 0 to %zu.",
                             (unsigned long)(*ids)[i], all - 1);
        }
    }
    return true;
}

/* The text as ids; as many as the model takes. */
static bool read_text(struct open_model_work *work)
{
    struct arena arena = {0};
    const uint32_t *ids = NULL;
    const size_t max = model_config(work->subject.model)->positions < LAB_TOKENS_MAX
                           ? model_config(work->subject.model)->positions
                           : LAB_TOKENS_MAX;
    const struct tokenizer *const tokenizer = model_tokenizer(work->subject.model);
    const char *const text = work->text != NULL ? work->text : FIRST_TEXT;
    bool fine = tokenizer != NULL
                    ? tokenizer_encode(tokenizer, text, strlen(text), &arena, &ids,
                                       &work->read.count, &work->error)
                    : open_model_read_ids(work->subject.model, MODEL_READ, text, &arena, &ids,
                                          &work->read.count, &work->error);
    if (!fine && work->text == NULL && work->error.code == ERROR_INPUT) {
        ids = first_ids(work, &arena, &work->read.count);
        fine = ids != NULL;
        work->error = (struct error){0};
    }
    work->read.count = work->read.count < max ? work->read.count : max;
    uint32_t *const own = fine ? malloc((work->read.count + 1) * sizeof *own) : NULL;
    if (own != NULL) {
        memcpy(own, ids, work->read.count * sizeof *ids);
    } else if (fine) {
        fine = no_memory(&work->error);
    }
    if (model_has_target(work->subject.model)) { /* what it writes begins anew */
        free(work->read.source);
        work->read.source = own;
        work->read.source_count = work->read.count;
    } else {
        work->read.ids = own;
    }
    arena_free(&arena);
    return fine;
}

static bool on_layer(void *listener, size_t layer, size_t layers)
{
    const struct reader *const reader = listener;
    return report(reader, reader->work->layers_part, layer, layers);
}

/* The second text: the likeliest words up to its end, or to as many as a glance takes; its start
 * alone, where nothing gives words. */
static bool write_target(struct open_model_work *work)
{
    const size_t left =
        model_config(work->subject.model)->positions - model_run_count(work->subject.run);
    const size_t max = model_has_logits(work->subject.model) ? TARGET_WORDS : 0;
    return model_run_write(work->subject.run, max < left ? max : left, &work->error);
}

bool open_model_mask_token(const struct model *model, uint32_t *id, const char **name)
{
    static const char *const names[] = {"[MASK]", "<mask>"};
    const bool guesses = model_config(model)->bidirectional && !model_has_target(model) &&
                         model_tokenizer(model) != NULL;
    for (size_t n = 0; guesses && n < sizeof names / sizeof *names; n++) {
        if (tokenizer_find(model_tokenizer(model), names[n], id)) {
            *name = names[n];
            return true;
        }
    }
    return false;
}

bool open_model_mask(const struct model *model, uint32_t *id, const char **name)
{
    return model_has_logits(model) && open_model_mask_token(model, id, name);
}

size_t open_model_masked(const struct model *model, const uint32_t *ids, size_t count, size_t place)
{
    uint32_t mask = 0;
    const char *name = NULL;
    const bool masks = open_model_mask(model, &mask, &name);
    for (size_t i = 0; masks && i < count; i++) {
        const size_t at = (place + i) % count;
        if (ids[at] == mask) {
            return at;
        }
    }
    return SIZE_MAX;
}

bool open_model_guesses(const struct model *model, const uint32_t *ids, size_t count,
                        size_t *masked)
{
    *masked = open_model_masked(model, ids, count, 0);
    return model_has_logits(model) && (!model_config(model)->bidirectional || *masked != SIZE_MAX);
}

bool open_model_closes(const struct model *model, struct arena *arena, uint32_t *id)
{
    const uint32_t *whole = NULL;
    size_t count = 0;
    if (model_config(model)->types < 2 || model_tokenizer(model) == NULL ||
        !tokenizer_encode(model_tokenizer(model), "a", 1, arena, &whole, &count, NULL) ||
        count < 3) {
        return false;
    }
    *id = whole[count - 1];
    return true;
}

/* Which sentence each word is of. NULL: there is one sentence, or no memory. */
static uint8_t *sentences_of(const struct open_model_work *work, struct arena *arena)
{
    uint32_t closes = 0;
    const bool apart = open_model_closes(work->subject.model, arena, &closes);
    uint8_t *const type = apart ? arena_array(arena, work->read.count, sizeof *type) : NULL;
    for (size_t i = 1; type != NULL && i < work->read.count; i++) {
        type[i] = type[i - 1] == 1 || work->read.ids[i - 1] == closes;
    }
    return type;
}

static bool run_whole(struct reader *reader)
{
    struct open_model_work *const work = reader->work;
    struct arena arena = {0};
    const struct model_config *const config = model_config(work->subject.model);
    const bool pair = work->read.source != NULL;
    struct model_request request = {.ids = pair ? work->read.source : work->read.ids,
                                    .count = pair ? work->read.source_count : work->read.count,
                                    .types = pair ? NULL : sentences_of(work, &arena),
                                    .target_ids = work->read.ids,
                                    .target_count =
                                        pair && work->read.ids != NULL ? work->read.count : 0,
                                    .layers = pair ? 0 : work->ready.layer_ref.spot.layer + 1,
                                    .engine = work->engine,
                                    .on_layer = on_layer,
                                    .listener = reader};
    /* `read` is not written: the window looks into it meanwhile. The run knows how many fit. */
    const size_t fitting =
        open_model_fitting_changes(work->read.change, work->read.changes, config->heads,
                                   work->read.ids != NULL ? work->read.count : SIZE_MAX);
    request.interventions = (struct model_interventions){work->read.change, fitting};
    work->subject.run = model_run_start(work->subject.model, &request, &work->error);
    arena_free(&arena);
    return work->subject.run != NULL && (!pair || work->read.ids != NULL || write_target(work));
}

static bool on_head(void *owner, size_t done, size_t all)
{
    return report(owner, OPEN_MODEL_SCANS, done, all);
}

/* Layers, by turns with their heads, tell how far it is. */
static bool on_head_by_turns(void *owner, size_t done, size_t all)
{
    (void)done;
    (void)all;
    return !atomic_load(((const struct reader *)owner)->slice->is_stopped);
}

static bool look_at_all_heads(struct reader *reader, enum model_attention which)
{
    struct open_model_work *const work = reader->work;
    const struct subject_look look = {which, work->engine, on_head, reader};
    return subject_look_at_heads(&work->subject, &look, SIZE_MAX, &work->thumbnails[which],
                                 &work->error);
}

/* Layers and their heads by turns. */
static bool fill_layers(struct reader *reader)
{
    struct open_model_work *const work = reader->work;
    const bool by_turns = work->layers_part == OPEN_MODEL_FILLS;
    const struct subject_look look = {MODEL_SELF, work->engine,
                                      by_turns ? on_head_by_turns : on_head, reader};
    struct lab_thumbnails **const made = &work->thumbnails[MODEL_SELF];
    const double until = system_seconds() + work->at_once;
    const size_t all = subject_sizes(&work->subject, MODEL_SELF).layers;
    size_t layers = model_run_layers(work->subject.run);
    bool fine = subject_look_at_heads(&work->subject, &look, layers, made, &work->error);
    while (fine && layers < all && system_seconds() < until) {
        const struct subject_spot next = {.layer = layers++};
        fine = subject_compute(&work->subject, &next, &work->error) &&
               subject_look_at_heads(&work->subject, &look, layers, made, &work->error);
    }
    return fine;
}

/* Makes what stands on the stages first. */
static void make_first_ready(struct reader *reader)
{
    struct open_model_work *const work = reader->work;
    struct subject_spot *const spot = &work->ready.layer_ref.spot;
    const struct subject_sizes sizes = subject_sizes(&work->subject, spot->which);
    work->ready.layer_ref.subject = work->subject;
    spot->layer = spot->layer < sizes.layers ? spot->layer : 0;
    spot->head = spot->head < sizes.heads ? spot->head : 0;
    const struct file_progress progress = {on_rows, reader};
    (void)open_model_make_ready(&work->ready.layer_ref, &progress, &work->ready);
}

/* The layer that is wanted first, and all before it. */
static bool compute_layers(struct reader *reader)
{
    struct open_model_work *const work = reader->work;
    if (work->subject.run == NULL) {
        return run_whole(reader);
    }
    model_run_listen(work->subject.run, on_layer, reader);
    return work->aim == OPEN_MODEL_APPEND && model_run_count(work->subject.run) < work->read.count
               ? model_run_append(work->subject.run, work->read.ids[work->read.count - 1],
                                  &work->error)
               : subject_compute(&work->subject, &work->ready.layer_ref.spot, &work->error);
}

/* Its text is to be made into ids: one that was given, or the first one of all. */
static bool has_no_ids(const struct open_model_work *work)
{
    return work->subject.run == NULL && work->read.ids == NULL && work->read.source == NULL;
}

/* Reads the text, computes the wanted layer and those before it, and looks at all heads. False: it
 * failed, or was stopped. */
static bool read_words(struct reader *reader)
{
    struct open_model_work *const work = reader->work;
    if (!subject_open(&work->subject, work->path, NULL, &work->error) ||
        (has_no_ids(work) && !read_text(work))) {
        return false;
    }
    if (work->subject.run == NULL && work->read.count == 0 && work->read.source == NULL) {
        return error_set(&work->error, ERROR_INPUT, "There is no word in this text: type one.");
    }
    const bool has_target = model_has_target(work->subject.model);
    const size_t wanted = atomic_load(&work->first_layer);
    struct subject_spot *const first = &work->ready.layer_ref.spot;
    if (first->which == MODEL_SELF) {
        first->layer = wanted < subject_sizes(&work->subject, MODEL_SELF).layers ? wanted : 0;
    }
    work->layers_part =
        work->aim == OPEN_MODEL_APPEND || has_target ? OPEN_MODEL_COMPUTES : OPEN_MODEL_FILLS;
    return compute_layers(reader) &&
           (!has_target ||
            (look_at_all_heads(reader, MODEL_ENCODER) && look_at_all_heads(reader, MODEL_CROSS))) &&
           fill_layers(reader);
}

static bool work_on_text(struct reader *reader)
{
    struct open_model_work *const work = reader->work;
    const bool is_read = read_words(reader);
    if (work->subject.run != NULL) {
        model_run_listen(work->subject.run, NULL, NULL); /* the slice ends before the run */
    }
    if (is_read) {
        make_first_ready(reader);
    }
    return is_read;
}

static bool on_bytes(void *owner, size_t done, size_t all)
{
    return report(owner, OPEN_MODEL_OPENS, done, all);
}

/* Opens a file of attention, and makes its first layer ready unless it has to be asked what it is.
 */
static bool work_on_arrays(struct reader *reader)
{
    struct open_model_work *const work = reader->work;
    struct lab_dump_request request = work->options->request;
    request.progress = (struct file_progress){on_bytes, reader};
    request.unclear = &work->list;
    request.kernels = work->engine.kernels;
    const bool is_open = subject_open(&work->subject, work->path, &request, &work->error);
    if (is_open && (work->options->doubt == DUMP_DOUBT_IS_SETTLED ||
                    !lab_dump_facts(work->subject.dump)->is_guess)) {
        make_first_ready(reader);
    }
    return is_open;
}

static enum slice_end read_in_slice(struct slice *slice)
{
    struct open_model_work *const work = (struct open_model_work *)slice->content;
    struct reader reader = {work, slice};
    (void)report(&reader, OPEN_MODEL_OPENS, 0, 1);
    work->error = (struct error){ERROR_NONE, 0, ""};
    const bool done = work->aim == OPEN_MODEL_SCAN ? look_at_all_heads(&reader, MODEL_SELF)
                      : work->subject.kind->reads  ? work_on_text(&reader)
                                                   : work_on_arrays(&reader);
    if (!done) {
        slice->error = work->error;
        return work->error.code == ERROR_NONE ? SLICE_MORE : SLICE_FAILED; /* it was stopped */
    }
    slice->value = (struct value *)value_keep(&work->value);
    return SLICE_DONE;
}

const struct result_kind open_model_reading_kind = {.work = read_in_slice};

/* Of the time for layers and their heads, where one comes behind the other. */
static const float LAYERS_TAKE = 0.9f;

float open_model_say(const struct open_model_work *work, char *text, size_t size)
{
    const size_t part = atomic_load(&work->part), done = atomic_load(&work->done),
                 all = atomic_load(&work->all);
    if (part == OPEN_MODEL_OPENS) {
        snprintf(text, size, tr("Opening %.40s"), work->title);
    } else if (part != OPEN_MODEL_SCANS) {
        snprintf(text, size, tr("Computing layer %zu of %zu"), done + 1, all);
    } else {
        snprintf(text, size, tr("Looking at head %zu of %zu"), done + 1, all);
    }
    const float share = all > 0 ? (float)done / (float)all : 0;
    return part == OPEN_MODEL_COMPUTES ? LAYERS_TAKE * share
           : part == OPEN_MODEL_SCANS && work->subject.kind->reads
               ? LAYERS_TAKE + (1 - LAYERS_TAKE) * share
               : share;
}
