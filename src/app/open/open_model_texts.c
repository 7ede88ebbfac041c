/* Finds how words were read (tokens, ids, switched heads): those of a step of history, those of
 * the run, and those that are on their way. */
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"

const struct lab_words *open_model_words(const struct app_open_model *model, enum model_text text,
                                         const uint32_t *ids, size_t count)
{
    struct arena arena = {0};
    const char **const word = arena_array(&arena, count, sizeof *word);
    bool fine = word != NULL;
    for (size_t i = 0; fine && i < count; i++) {
        word[i] = model_shown_of(model->subject.model, text, ids[i], &arena);
        fine = word[i] != NULL;
    }
    const struct lab_words *const words = fine ? lab_words_make(word, count, NULL) : NULL;
    arena_free(&arena);
    return words;
}

bool open_model_same_source(const struct open_model_reading *reading, const struct model_run *run)
{
    const size_t count = run == NULL ? 0 : model_run_source_count(run);
    return reading->source_count == count &&
           (count == 0 || memcmp(reading->source, model_run_source_ids(run),
                                 count * sizeof *reading->source) == 0);
}

bool open_model_is_of_run(const struct app_open_model *model,
                          const struct open_model_reading *reading)
{
    const size_t count = model_run_count(model->subject.run);
    return reading->count == count &&
           open_model_has_changes(model, reading->change, reading->changes) &&
           memcmp(reading->ids, model_run_ids(model->subject.run), count * sizeof *reading->ids) ==
               0 &&
           open_model_same_source(reading, model->subject.run);
}

static struct open_model_reading was_read(const struct app_open_model *model)
{
    struct open_model_reading read = model->read;
    if (model->subject.run != NULL) {
        read.ids = (uint32_t *)model_run_ids(model->subject.run);
        read.count = model_run_count(model->subject.run);
        read.source = (uint32_t *)model_run_source_ids(model->subject.run);
        read.source_count = model_run_source_count(model->subject.run);
        const struct model_interventions changes = model_run_interventions(model->subject.run);
        read.change = (struct model_intervention *)changes.row;
        read.changes = changes.count;
    }
    return read;
}

static const struct open_model_work *being_read(const struct app_open_model *model)
{
    return model->layers == 0 ? NULL : open_model_pending(model);
}

struct open_model_reading open_model_to_be(const struct app_open_model *model)
{
    const struct open_model_work *const pending = being_read(model);
    struct open_model_reading read = pending != NULL ? pending->read : was_read(model);
    read.change = model->change;
    read.changes = model->changes;
    return read;
}

/* Members of an intervention without the bytes between them. */
struct change_key {
    uint64_t node, by, layer, head, row, column;
    double value;
};

uint32_t app_open_model_number(struct results *results, const struct app_open_model_text *text)
{
    struct arena arena = {0};
    const size_t ids = text->count * sizeof *text->ids,
                 source = text->source_count * sizeof *text->ids,
                 changes = text->changes * sizeof(struct change_key);
    unsigned char *const bytes = arena_alloc(&arena, sizeof ids + ids + source + changes);
    uint32_t number = 0;
    if (bytes != NULL) {
        memcpy(bytes, &ids, sizeof ids);
        if (ids > 0) {
            memcpy(bytes + sizeof ids, text->ids, ids);
        }
        if (source > 0) {
            memcpy(bytes + sizeof ids + ids, text->source, source);
        }
        for (size_t c = 0; c < text->changes; c++) {
            const struct model_intervention *const one = &text->change[c];
            const struct change_key key = {one->node, one->by,     one->layer,        one->head,
                                           one->row,  one->column, (double)one->value};
            memcpy(bytes + sizeof ids + ids + source + c * sizeof key, &key, sizeof key);
        }
        number = results_number(results, bytes, sizeof ids + ids + source + changes);
    }
    arena_free(&arena);
    return number;
}

static void drop_reading(struct value *value)
{
    struct open_model_reading *const reading = (struct open_model_reading *)value;
    lab_words_release(reading->words);
    lab_words_release(reading->source_words);
    open_model_free_lists(reading);
    arena_free(&reading->arena);
    free(reading);
}

const struct open_model_reading *open_model_new_reading(const struct app_state *state,
                                                        const struct open_model_reading *reading)
{
    const struct app_open_model *const model = state->model;
    struct open_model_reading *const own = malloc(sizeof *own);
    if (own == NULL) {
        lab_words_release(reading->words);
        lab_words_release(reading->source_words);
        return NULL;
    }
    *own = *reading;
    own->owner = model->number;
    own->arena = (struct arena){0};
    value_begin(&own->value, sizeof *own, drop_reading);
    if (!open_model_copy_lists(own) ||
        !open_model_write_changes(own, model->heads, model->off == NULL ? 0 : model->off->places) ||
        own->words == NULL || (own->source_count > 0 && own->source_words == NULL)) {
        value_release(&own->value);
        return NULL;
    }
    const struct app_open_model_text text = {.ids = own->ids,
                                             .count = own->count,
                                             .source = own->source,
                                             .source_count = own->source_count,
                                             .change = own->change,
                                             .changes = own->changes};
    own->number = app_open_model_number(state->results, &text);
    return own;
}

/* Of what is open; NULL: of something else. */
static const struct open_model_reading *own_reading(const struct app_state *state,
                                                    const struct value *value)
{
    const struct open_model_reading *const reading = (const struct open_model_reading *)value;
    return reading != NULL && reading->owner == state->model->number ? reading : NULL;
}

const struct open_model_reading *open_model_shown_reading(const struct app_state *state)
{
    return own_reading(state, state->document.reading);
}

const struct open_model_reading *open_model_present_reading(const struct app_state *state)
{
    return own_reading(state, document_present_reading(&state->document));
}

const struct open_model_reading *open_model_read_now(const struct app_state *state,
                                                     const struct lab_experiment *experiment)
{
    const struct app_open_model *const model = state->model;
    const struct open_model_reading *const present = open_model_present_reading(state);
    const size_t side =
        model->subject.dump == NULL ? 0 : (size_t)lab_dump_facts(model->subject.dump)->shown;
    const bool is_same =
        present != NULL && (model->subject.run == NULL ? present->side == side
                                                       : present->origin == model->read.origin &&
                                                             open_model_is_of_run(model, present));
    if (is_same) {
        (void)value_keep(&present->value);
        return present;
    }
    struct open_model_reading read = was_read(model);
    read.side = side;
    read.words = read.source_count == 0
                     ? lab_words_keep(experiment->tokens)
                     : open_model_words(model, MODEL_WRITTEN, read.ids, read.count);
    read.source_words = read.source_count == 0
                            ? NULL
                            : open_model_words(model, MODEL_READ, read.source, read.source_count);
    return open_model_new_reading(state, &read);
}

enum model_attention open_model_attention_of(const struct open_model_reading *reading,
                                             const struct lab_experiment *experiment)
{
    const bool is_source = reading != NULL && reading->source_words != NULL &&
                           experiment->tokens != reading->words &&
                           lab_words_equal(experiment->tokens, reading->source_words);
    return experiment->context != NULL ? MODEL_CROSS : is_source ? MODEL_ENCODER : MODEL_SELF;
}

void open_model_share_words(const struct lab_words **words, const struct lab_words *there)
{
    if (*words != NULL && lab_words_equal(*words, there)) {
        const struct lab_words *const kept = lab_words_keep(there);
        lab_words_release(*words);
        *words = kept;
    }
}
