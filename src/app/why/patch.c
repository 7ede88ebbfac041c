/* A table of what each part of one text restores in another one, as the view shows it: both texts
 * are read, and the upper layers come first. */
#include "app/why/patch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/why/why_internal.h"
#include "model/message.h"
#include "why/intervention_text.h"
#include "why/word.h"

_Static_assert((size_t)WHY_PATCHED == (size_t)VIEW_PATCHED &&
                   (size_t)WHY_HEADS == (size_t)VIEW_PATCHED_HEADS &&
                   (size_t)WHY_ALPHA == (size_t)VIEW_PATCHED_ALPHA,
               "the view has the same tables");

bool app_why_patch_show(const struct why_ablation *of, const struct model_run *changed,
                        enum why_patched what, const struct why_patching *patching,
                        struct arena *arena, struct view_patch *shown, struct error *error)
{
    const struct why_question *const question = &of->question;
    const size_t cells = patching->layers * patching->places;
    double *const restored = arena_array(arena, cells, sizeof *restored);
    *shown = (struct view_patch){
        .what = (enum view_patched)what,
        .layers = patching->layers,
        .places = patching->places,
        .n = model_run_count(of->run),
        .restored = restored,
        .words = why_words_shown(of->run, of->model, arena),
        .other = why_words_shown(changed, of->model, arena),
        .word = model_shown_of(of->model, MODEL_WRITTEN, question->word, arena),
        .rival = question->has_rival
                     ? model_shown_of(of->model, MODEL_WRITTEN, question->rival, arena)
                     : NULL,
        .clean = patching->clean.logit,
        .changed = patching->changed.logit,
    };
    if (restored == NULL || shown->words == NULL || shown->other == NULL || shown->word == NULL ||
        (question->has_rival && shown->rival == NULL)) {
        return error_set(error, ERROR_MEMORY,
                         "There is not enough memory to look into this model.");
    }
    memcpy(restored, patching->restored, cells * sizeof *restored);
    for (size_t c = 0; c < cells; c++) {
        shown->done += isnan(restored[c]) ? 0 : 1;
    }
    return true;
}

/* ---- as a result ----------------------------------------------------------------------------- */

struct patching {
    struct model_run *clean, *changed;
    struct why_asked other; /* what is asked, of the other text; its ids are the arena's */
    struct arena arena;
    bool is_read, is_begun; /* the other text, and the table */
    struct why_ablation of;
    struct why_patching table;
    size_t layers_left;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

static void drop_other(struct value *value)
{
    struct why_other_asked *const other = (struct why_other_asked *)value;
    value_release(&other->asked->value);
    free(other);
}

const struct why_other_asked *why_new_other(const struct why_asked *asked, const char *text)
{
    struct why_other_asked *const other = calloc(1, sizeof *other);
    if (other != NULL) {
        value_begin(&other->value, sizeof *other, drop_other);
        other->asked = (const struct why_asked *)value_keep(&asked->value);
        (void)snprintf(other->text, sizeof other->text, "%s", text);
    }
    return other;
}

/* The message of a chat without the tokens of its template, or the text as it is. */
static bool find_message(const struct why_asked *asked, struct arena *arena, const uint32_t **ids,
                         size_t *count, bool *is_chat)
{
    struct error error = {ERROR_NONE, 0, ""};
    const struct model_request request = why_request_of(asked);
    *ids = request.ids;
    *count = request.count;
    *is_chat = false;
    if (asked->source != NULL || model_chat_lack(asked->model) != NULL) {
        return true;
    }
    const struct model_message message =
        model_message_find(asked->model, request.ids, request.count);
    *is_chat = message.first > 0 && message.end < message.behind;
    return !*is_chat || model_message_turn(asked->model, false, request.ids, request.count, arena,
                                           ids, count, &error);
}

/* The words as they are shown, of a model that has them alone. */
static const char *join_words(const struct why_asked *asked, struct arena *arena)
{
    const struct model_request request = why_request_of(asked);
    const char **const word = arena_array(arena, request.count + 1, sizeof *word);
    size_t letters = 1, at = 0;
    for (size_t i = 0; word != NULL && i < request.count; i++) {
        word[i] = model_shown(asked->model, request.ids[i], arena);
        letters += word[i] == NULL ? 0 : strlen(word[i]) + 1;
    }
    char *const text = arena_array(arena, letters, 1);
    for (size_t i = 0; word != NULL && text != NULL && i < request.count; i++) {
        const size_t more = word[i] == NULL ? 0 : strlen(word[i]);
        if (i > 0) {
            text[at++] = ' ';
        }
        memcpy(text + at, word[i] == NULL ? "" : word[i], more);
        at += more;
    }
    if (text != NULL) {
        text[at] = '\0';
    }
    return word == NULL ? NULL : text;
}

/* The same words back: each between spaces is a token. */
static bool split_words(const struct model *model, const char *text, struct arena *arena,
                        struct model_request *request, struct error *error)
{
    uint32_t *const ids = arena_array(arena, strlen(text) + 1, sizeof *ids);
    size_t count = 0;
    for (const char *at = text + strspn(text, " "); ids != NULL && *at != '\0';) {
        const size_t letters = strcspn(at, " ");
        const char *const word = arena_text(arena, at, letters);
        const uint32_t named = word == NULL ? 0 : why_find_named(model, word);
        if (named == 0) {
            return error_set(error, ERROR_INPUT, "“%.60s” is not in the model's vocabulary.",
                             word == NULL ? "" : word);
        }
        ids[count++] = named - 1;
        at += letters + strspn(at + letters, " ");
    }
    if (ids == NULL) {
        return no_memory(error);
    }
    request->ids = ids;
    request->count = count;
    return true;
}

static bool has_as_many(size_t clean, size_t changed, struct error *error)
{
    return clean == changed ||
           error_set(error, ERROR_INPUT,
                     "The texts are of different lengths: %zu tokens and %zu; a part can be taken "
                     "from a text with as many tokens.",
                     clean, changed);
}

const char *why_text_typed(const struct why_asked *asked, struct arena *arena)
{
    const struct tokenizer *const tokenizer = model_tokenizer(asked->model);
    struct error error = {ERROR_NONE, 0, ""};
    const uint32_t *ids = NULL, *bare = NULL;
    size_t count = 0, few = 0;
    bool is_chat = false;
    struct bytes text = {NULL, 0};
    if (tokenizer == NULL) {
        return join_words(asked, arena);
    }
    if (!find_message(asked, arena, &ids, &count, &is_chat)) {
        return NULL;
    }
    /* Without what a tokenizer puts around each text. */
    size_t before = 0, behind = 0;
    if (tokenizer_encode(tokenizer, "", 0, arena, &bare, &few, &error)) {
        while (before < few && before < count && ids[before] == bare[before]) {
            before++;
        }
        while (behind < few - before && behind < count - before &&
               ids[count - 1 - behind] == bare[few - 1 - behind]) {
            behind++;
        }
    }
    return tokenizer_decode(tokenizer, ids + before, count - before - behind, arena, &text, &error)
               ? (const char *)text.at
               : NULL;
}

/* Makes tokens of the other text as the first one has them: of a chat a message. */
static bool read_other(struct patching *p, const struct why_other_asked *asked, struct error *error)
{
    const struct why_subject subject = {.model = asked->asked->model,
                                        .request = why_request_of(asked->asked)};
    struct model_request request = subject.request;
    const uint32_t *ids = NULL;
    size_t count = 0;
    bool is_chat = false;
    if (!find_message(asked->asked, &p->arena, &ids, &count, &is_chat)) {
        return no_memory(error);
    }
    if (is_chat ? !model_message_encode(subject.model, asked->text, &p->arena, &request.ids,
                                        &request.count, error)
        : model_tokenizer(subject.model) == NULL
            ? !split_words(subject.model, asked->text, &p->arena, &request, error)
            : !why_other_text(&subject, asked->text, &p->arena, &request, error)) {
        return false;
    }
    if (!has_as_many(subject.request.count, request.count, error)) {
        return false;
    }
    p->other = *asked->asked;
    if (asked->asked->source != NULL) {
        p->other.source = (uint32_t *)request.ids;
    } else {
        p->other.ids = (uint32_t *)request.ids;
    }
    return true;
}

/* The same question as of the answer: its words are the likeliest behind the clean text. */
static bool begin_table(struct patching *p, const struct why_asked *asked, struct slice *slice)
{
    const size_t vocabulary = model_config(asked->model)->vocabulary;
    float *const logits = arena_array(&p->arena, vocabulary, sizeof *logits);
    p->of = (struct why_ablation){
        .run = p->clean, .model = asked->model, .on_progress = why_goes_on, .owner = slice};
    if (logits == NULL) {
        return no_memory(&slice->error);
    }
    if (!model_run_logits(p->clean, asked->position, 1, logits, &slice->error)) {
        return false;
    }
    why_complete_question(asked, logits, &p->of.question);
    p->is_begun = why_patch_begin(&p->of, p->changed, (enum why_patched)slice->want->head,
                                  &p->table, &slice->error);
    p->layers_left = p->table.layers;
    return p->is_begun;
}

static void drop_patch(struct value *value)
{
    struct why_patch_shown *const patch = (struct why_patch_shown *)value;
    arena_free(&patch->arena);
    free(patch);
}

static bool publish_table(const struct patching *p, struct slice *slice)
{
    struct why_patch_shown *const made = calloc(1, sizeof *made);
    if (made == NULL) {
        return no_memory(&slice->error);
    }
    value_begin(&made->value,
                sizeof *made + p->table.layers * p->table.places * sizeof *p->table.restored,
                drop_patch);
    if (!app_why_patch_show(&p->of, p->changed, (enum why_patched)slice->want->head, &p->table,
                            &made->arena, &made->shown, &slice->error)) {
        value_release(&made->value);
        return false;
    }
    value_release(slice->value);
    slice->value = &made->value;
    return true;
}

static enum slice_end read_both(struct patching *p, const struct why_other_asked *other,
                                struct slice *slice)
{
    const struct model_interventions changes = why_changes_of(other->asked);
    const enum slice_end clean = why_go_on(slice, other->asked, changes, &p->clean);
    if (clean != SLICE_DONE) {
        return clean;
    }
    p->is_read = p->is_read || read_other(p, other, &slice->error);
    return p->is_read ? why_go_on(slice, &p->other, changes, &p->changed) : SLICE_FAILED;
}

static enum slice_end patch_slice(struct slice *slice)
{
    const struct why_other_asked *const other = (const struct why_other_asked *)slice->content;
    if (slice->state == NULL) {
        slice->state = calloc(1, sizeof(struct patching));
    }
    struct patching *const p = slice->state;
    if (p == NULL) {
        (void)no_memory(&slice->error);
        return SLICE_FAILED;
    }
    const enum slice_end read = read_both(p, other, slice);
    if (read != SLICE_DONE) {
        return read;
    }
    p->of.owner = slice;
    bool done = p->is_begun || begin_table(p, other->asked, slice);
    while (done && p->layers_left > 0 && !slice_is_over(slice)) {
        done =
            why_patch_layers(&p->of, p->changed, p->layers_left - 1, 1, &p->table, &slice->error);
        p->layers_left -= done ? 1 : 0;
    }
    if ((!done && slice->error.code != ERROR_NONE) || (p->is_begun && !publish_table(p, slice))) {
        return SLICE_FAILED;
    }
    return p->is_begun && p->layers_left == 0 ? SLICE_DONE : SLICE_MORE;
}

static void drop_patching(void *state)
{
    struct patching *const p = state;
    why_patching_free(&p->table);
    model_run_close(p->clean);
    model_run_close(p->changed);
    arena_free(&p->arena);
    free(p);
}

static bool is_small(const struct slice *slice)
{
    static const double SMALL = 6e7; /* so many multiplications delay no frame */
    const struct why_asked *const asked = ((const struct why_other_asked *)slice->content)->asked;
    const struct model_config *const config = model_config(asked->model);
    const size_t places = config->heads > asked->count ? config->heads : asked->count;
    return (double)model_parameters(asked->model) * (double)asked->count *
               (double)(config->layers * places + 4) <=
           SMALL;
}

const struct result_kind why_patch_kind = {
    .is_small = is_small, .work = patch_slice, .drop_state = drop_patching, .has_lane = true};
