/* The texts that a model has read, to go back to by undo and redo. */
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
        word[i] = model_shown_of(model->model, text, ids[i], &arena);
        fine = word[i] != NULL;
    }
    const struct lab_words *const words = fine ? lab_words_make(word, count, NULL) : NULL;
    arena_free(&arena);
    return words;
}

/* Texts whose lists of words no experiment has any more: nothing returns to them. */
static void forget_left_texts(struct app_open_model *model)
{
    size_t kept = 0;
    for (size_t t = 0; t < model->texts; t++) {
        struct open_model_text *const text = &model->text[t];
        if (lab_words_shared(text->words) || lab_words_shared(text->source_words)) {
            model->text[kept++] = *text;
        } else {
            open_model_forget_text(text);
        }
    }
    model->texts = kept;
}

/* Room for one text more. False: no memory. */
static bool make_room_for_text(struct app_open_model *model)
{
    enum { TEXTS_MIN = 64 };
    if (model->texts < model->text_room) {
        return true;
    }
    forget_left_texts(model);
    if (2 * model->texts >= model->text_room) { /* else few stay: there is room for long */
        const size_t room = model->text_room == 0 ? TEXTS_MIN : 2 * model->text_room;
        struct open_model_text *const grown = realloc(model->text, room * sizeof *grown);
        if (grown != NULL) {
            model->text = grown;
            model->text_room = room;
        }
    }
    return model->texts < model->text_room;
}

bool open_model_add_text(struct app_open_model *model, const struct open_model_text *text)
{
    struct open_model_text own = *text;
    if (!make_room_for_text(model)) {
        open_model_forget_text(&own);
        return false;
    }
    model->text[model->texts++] = own;
    return true;
}

void open_model_store_text(struct app_open_model *model, const struct lab_experiment *experiment)
{
    const size_t count = model_run_count(model->run), heads = model->places;
    uint32_t *const ids = malloc(count * sizeof *ids);
    bool *const off = calloc(heads, sizeof *off);
    const size_t sources = model_run_source_count(model->run);
    uint32_t *const source = sources == 0 ? NULL : malloc(sources * sizeof *source);
    const struct lab_words *const words =
        sources == 0 ? lab_words_keep(experiment->tokens)
                     : open_model_words(model, MODEL_WRITTEN, model_run_ids(model->run), count);
    const struct lab_words *const source_words =
        sources == 0
            ? NULL
            : open_model_words(model, MODEL_READ, model_run_source_ids(model->run), sources);
    if (ids == NULL || off == NULL || model->off == NULL || words == NULL ||
        (sources > 0 && (source == NULL || source_words == NULL))) {
        free(ids);
        free(off);
        free(source);
        lab_words_release(words);
        lab_words_release(source_words);
        return;
    }
    memcpy(ids, model_run_ids(model->run), count * sizeof *ids);
    memcpy(off, model->off, heads * sizeof *off);
    if (source != NULL) {
        memcpy(source, model_run_source_ids(model->run), sources * sizeof *source);
    }
    open_model_add_text(model,
                        &(const struct open_model_text){words, ids, count, off, source, sources,
                                                        source_words, model->typed, model->chat});
}

const struct open_model_text *open_model_find_text(const struct app_open_model *model,
                                                   const struct lab_experiment *experiment,
                                                   enum model_attention *which)
{
    const struct lab_words *const words = experiment->tokens, *const other = experiment->context;
    const struct open_model_text *alike = NULL;
    *which = other != NULL ? MODEL_CROSS : MODEL_SELF;
    for (size_t t = model->texts; t-- > 0;) {
        const struct open_model_text *const text = &model->text[t];
        if (text->words == words && (other == NULL || other == text->source_words)) {
            *which = other != NULL ? MODEL_CROSS : MODEL_SELF;
            return text;
        }
        if (text->source_words != NULL && text->source_words == words) {
            *which = MODEL_ENCODER;
            return text;
        }
        const bool source = text->source_words != NULL && other == NULL;
        if (alike == NULL && lab_words_equal(text->words, words) &&
            (other == NULL || lab_words_equal(text->source_words, other))) {
            alike = text;
        } else if (alike == NULL && source && lab_words_equal(text->source_words, words)) {
            *which = MODEL_ENCODER;
            alike = text;
        }
    }
    return alike;
}

void open_model_share_words(const struct lab_words **words, const struct lab_words *there)
{
    if (*words != NULL && lab_words_equal(*words, there)) {
        const struct lab_words *const kept = lab_words_keep(there);
        lab_words_release(*words);
        *words = kept;
    }
}
