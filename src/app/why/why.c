/* Asks, frame by frame, for what the view shows: by keys of the text, the word and its rival, and
 * of the heads that are switched off. */
#include "app/why/why_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model.h"
#include "app/results/wants.h"
#include "base/translate.h"
#include "model/direct.h"

struct app_why {
    struct view_why shown;
    struct arena arena;            /* of what it shows that is made for each frame */
    const struct why_asked *asked; /* the content of the present wants, held */
    struct want want;              /* of the answer */
    struct why_learned learned;    /* where weights learn */
    bool is_asking;                /* the answer is not whole yet */
    struct why_remembered remembered;
    char refused[sizeof((struct error *)NULL)->text],
        no_circuit[sizeof((struct error *)NULL)->text],
        no_patch[sizeof((struct error *)NULL)->text];
    const struct why_other_asked *other; /* the content of the present want of a table, held */
    struct want other_want;
};

/* A key of what is asked for beside the text. */
struct question_key {
    uint32_t word, rival; /* as the view has them */
    uint64_t position;
    char named[2][48]; /* of a word 0, of a rival 0 */
};

static void drop_asked(struct value *value)
{
    struct why_asked *const asked = (struct why_asked *)value;
    model_close(asked->model);
    free(asked->ids);
    free(asked->source);
    free(asked->change);
    free(asked);
}

static uint32_t *copy_ids(const uint32_t *ids, size_t count)
{
    uint32_t *const own = ids == NULL ? NULL : malloc((count + 1) * sizeof *own);
    return own == NULL ? NULL : memcpy(own, ids, count * sizeof *own);
}

uint32_t why_find_named(const struct model *model, const char *name)
{
    struct arena arena = {0};
    uint32_t found = 0;
    for (uint32_t id = 0; name[0] != '\0' && found == 0 && id < model_config(model)->vocabulary;
         id++) {
        const char *const shown = model_shown_of(model, MODEL_WRITTEN, id, &arena);
        found = shown != NULL && strcmp(shown, name) == 0 ? id + 1 : 0;
        arena_reset(&arena);
    }
    arena_free(&arena);
    return found;
}

/* NULL: no memory. */
static const struct why_asked *new_asked(const struct app_state *state,
                                         const struct app_open_model_text *text,
                                         const struct question_key *key)
{
    struct why_asked *const asked = calloc(1, sizeof *asked);
    if (asked == NULL) {
        return NULL;
    }
    value_begin(&asked->value, sizeof *asked, drop_asked);
    asked->model = model_keep(text->model);
    asked->engine = state->document.engine;
    asked->ids = copy_ids(text->ids, text->count);
    asked->source = copy_ids(text->source, text->source_count);
    asked->count = text->count;
    asked->source_count = text->source_count;
    asked->position = (size_t)key->position;
    asked->word = key->word != 0 ? key->word : why_find_named(text->model, key->named[0]);
    asked->rival = key->rival != 0 ? key->rival : why_find_named(text->model, key->named[1]);
    asked->change = calloc(text->changes + 1, sizeof *asked->change);
    if (asked->change != NULL && text->changes > 0) {
        memcpy(asked->change, text->change, text->changes * sizeof *asked->change);
        asked->changes = text->changes;
        asked->offs = text->offs;
    }
    if (asked->ids == NULL || (asked->source == NULL) != (text->source == NULL) ||
        asked->change == NULL) {
        value_release(&asked->value);
        return NULL;
    }
    return asked;
}

/* Nothing is asked any more, so that a model that is closed does not stay. */
static void forget_question(struct app_why *why)
{
    value_release(why->asked == NULL ? NULL : &why->asked->value);
    value_release(why->other == NULL ? NULL : &why->other->value);
    why->asked = NULL;
    why->other = NULL;
}

/* Makes the content of both wants where what is asked is another thing. False: no memory. */
static bool put_question(struct app_state *state, const struct app_open_model_text *text,
                         const struct question_key *key)
{
    struct app_why *const why = state->why;
    const struct why_learned *const learned = &why->learned;
    const bool learns = text->model == learned->model;
    const struct want want = {.kind = WANT_WHY,
                              .source = text->number,
                              .branch = learns ? learned->branch : 0,
                              .step = learns ? learned->moment->step : 0,
                              .reading = app_open_model_number(state->results, text),
                              .asked = results_number(state->results, key, sizeof *key)};
    if (want.reading == 0 || want.asked == 0) {
        return false;
    }
    if (why->asked == NULL || memcmp(&want, &why->want, sizeof want) != 0) {
        forget_question(why);
        why->asked = new_asked(state, text, key);
        why->want = want;
    }
    return why->asked != NULL;
}

const struct why_asked *why_asked_now(const struct app_state *state)
{
    return state->why == NULL || state->view.why == NULL ? NULL : state->why->asked;
}

static struct finding want_answer(struct app_state *state)
{
    const struct app_why *const why = state->why;
    return results_want_of(state->results, &why->want, &why->asked->value, SLOT_WHY);
}

/* Returns the words that the model said before it was changed, beside those of now; NULL: not known
 * yet. */
static const struct view_why_change *want_change(struct app_state *state)
{
    struct want want = state->why->want;
    want.kind = WANT_WHY_CHANGE;
    const struct finding finding =
        results_want_of(state->results, &want, &state->why->asked->value, SLOT_WHY_CHANGE);
    const struct why_changed *const changed = (const struct why_changed *)finding.value;
    return changed == NULL || finding.found == FOUND_OLD ? NULL : &changed->shown;
}

/* The circuits of its weights, while they are shown. */
static void want_circuit(struct app_state *state)
{
    struct app_why *const why = state->why;
    const struct model_config *const config = model_config(why->asked->model);
    const size_t chosen = state->view.why_circuit;
    struct want want = {.kind = WANT_CIRCUIT,
                        .source = why->want.source,
                        .branch = why->want.branch,
                        .step = why->want.step,
                        .head = chosen <= config->layers * config->heads ? (uint32_t)chosen : 0};
    const struct finding finding =
        results_want_of(state->results, &want, &why->asked->value, SLOT_CIRCUIT);
    const struct why_circuit_shown *const circuit = (const struct why_circuit_shown *)finding.value;
    if (finding.found == FOUND_FAILED) {
        (void)snprintf(why->no_circuit, sizeof why->no_circuit, "%s", finding.error.text);
        why->shown.no_circuit = why->no_circuit;
    } else if (circuit != NULL && circuit->source == want.source) { /* not of a former model */
        state->view.circuit = &circuit->shown;
    }
}

/* Why there is nothing to see; NULL: there is. */
static const char *refusal_of(const struct app_state *state, struct app_open_model_text *text,
                              char *out, size_t size)
{
    struct error error = {ERROR_NONE, 0, ""};
    if (state->view.head_overview == NULL) {
        return "Why asks a model: Ctrl+O opens one, Ctrl+Space learns one.";
    }
    if (!app_open_model_text(state, text)) {
        return "A file of attention has no weights to compute with: Why takes the model itself.";
    }
    if (!model_has_logits(text->model)) {
        return "This model was saved without the weights that give words: there is none to ask "
               "about.";
    }
    if (!model_stream_is_sum(text->model, &error)) {
        (void)snprintf(out, size, "%s", error.text);
        return out;
    }
    return text->position == SIZE_MAX ? "There is no word to be guessed in this text." : NULL;
}

/* The same of weights that learn: *text.model NULL: they are not there yet. */
static const char *refuse_learned(struct app_state *state, struct app_open_model_text *text)
{
    struct app_why *const why = state->why;
    struct error error = {ERROR_NONE, 0, ""};
    const char *const refused = why_learned_refuse(state);
    *text = (struct app_open_model_text){.model = NULL};
    if (refused != NULL || why_learned_text(state, &why->learned, why->is_asking, text, &error) ||
        error.code == ERROR_NONE) {
        return refused;
    }
    (void)snprintf(why->refused, sizeof why->refused, "%s", error.text);
    return why->refused;
}

static bool is_within(const struct app_open_model_text *text, uint32_t word)
{
    return word == 0 || word - 1 < model_config(text->model)->vocabulary;
}

static void open_why(struct app_state *state)
{
    state->why = calloc(1, sizeof *state->why);
    results_set_kind(state->results, WANT_WHY, &why_answer_kind, NULL);
    results_set_kind(state->results, WANT_WHY_CHANGE, &why_change_kind, NULL);
    results_set_kind(state->results, WANT_CIRCUIT, &why_circuit_kind, NULL);
    results_set_kind(state->results, WANT_PATCH, &why_patch_kind, NULL);
}

/* Cancels: what is there stays, the rest is not wanted; called again, it is wanted again. */
static void turn_given_up(struct app_state *state, const struct want *want, enum found found)
{
    state->view.why_given_up = false;
    if (found == FOUND_GIVEN_UP) {
        results_take_up(state->results, want);
    } else if (found == FOUND_PART) {
        results_give_up(state->results, want);
    }
}

/* ---- another text ---------------------------------------------------------------------------- */

static struct finding find_patch(struct app_state *state)
{
    struct app_why *const why = state->why;
    return results_want_of(state->results, &why->other_want, &why->other->value, SLOT_PATCH);
}

/* Makes the content of the want where another text, or another thing, is asked. False: no memory.
 */
static bool put_other(struct app_state *state)
{
    struct app_why *const why = state->why;
    const char *const text = state->view.why_changed;
    const uint32_t key[] = {why->want.asked, results_number(state->results, text, strlen(text))};
    struct want want = why->want;
    want.kind = WANT_PATCH;
    want.asked = results_number(state->results, key, sizeof key);
    want.head = state->view.why_patched < VIEW_PATCHED ? state->view.why_patched : 0;
    if (key[1] == 0 || want.asked == 0) {
        return false;
    }
    if (why->other == NULL || memcmp(&want, &why->other_want, sizeof want) != 0) {
        value_release(why->other == NULL ? NULL : &why->other->value);
        why->other = why_new_other(why->asked, text);
        why->other_want = want;
    }
    return why->other != NULL;
}

/* What parts of the text restore in another one, while that is shown. */
static void want_patch(struct app_state *state)
{
    struct app_why *const why = state->why;
    why->shown.text = why_text_typed(why->asked, &why->arena);
    if (state->view.why_changed[0] == '\0' || !put_other(state)) {
        return;
    }
    struct finding finding = find_patch(state);
    if (state->view.why_given_up) {
        turn_given_up(state, &why->other_want, finding.found);
        finding = find_patch(state);
    }
    const struct why_patch_shown *const patch = (const struct why_patch_shown *)finding.value;
    why->shown.is_given_up = finding.found == FOUND_GIVEN_UP;
    if (finding.found == FOUND_FAILED) {
        (void)snprintf(why->no_patch, sizeof why->no_patch, "%s", finding.error.text);
        why->shown.no_patch = why->no_patch;
    } else if (patch != NULL && finding.found != FOUND_OLD) {
        state->view.patch = &patch->shown;
    }
}

static void show_answer(struct app_state *state, const struct finding *finding)
{
    struct view_why *const shown = &state->why->shown;
    const struct why_answered *const answered = (const struct why_answered *)finding->value;
    shown->answer = answered == NULL ? NULL : &answered->shown;
    shown->is_old = finding->found == FOUND_OLD;
    shown->is_given_up = finding->found == FOUND_GIVEN_UP;
    if (finding->found == FOUND_FAILED) {
        (void)snprintf(state->why->refused, sizeof state->why->refused, "%s", finding->error.text);
        shown->refused = state->why->refused;
    }
}

void app_why_follow(struct app_state *state)
{
    struct app_open_model_text text;
    state->view.why = NULL;
    state->view.circuit = state->why == NULL ? state->view.circuit : NULL;
    state->view.patch = state->why == NULL ? state->view.patch : NULL;
    if (state->why != NULL) {
        why_forget_words(&state->why->remembered, state);
    }
    if (!state->view.why_shown) {
        if (state->why != NULL) {
            forget_question(state->why);
        }
        return;
    }
    if (state->why == NULL) {
        open_why(state);
    }
    struct app_why *const why = state->why;
    if (why == NULL) {
        return;
    }
    const bool learns = state->view.learn != NULL;
    why->shown = (struct view_why){
        .answer = NULL, .has_model = learns || state->view.head_overview != NULL, .learns = learns};
    state->view.why = &why->shown;
    if (!learns) {
        why_learned_forget(&why->learned);
    }
    why->shown.refused = learns ? refuse_learned(state, &text)
                                : refusal_of(state, &text, why->refused, sizeof why->refused);
    if (why->shown.refused != NULL || text.model == NULL) {
        forget_question(why);
        return;
    }
    const bool has_rival =
        state->view.why_rival == VIEW_WHY_NO_RIVAL || is_within(&text, state->view.why_rival);
    struct question_key key = {.word = is_within(&text, state->view.why_word) ? state->view.why_word
                                                                              : 0,
                               .rival = has_rival ? state->view.why_rival : 0,
                               .position = text.position};
    memcpy(key.named, state->view.why_named, sizeof key.named);
    if (!put_question(state, &text, &key)) {
        return;
    }
    struct finding finding = want_answer(state);
    if (state->view.why_given_up && state->view.why_page != VIEW_WHY_TEXTS) {
        turn_given_up(state, &why->want, finding.found);
        finding = want_answer(state);
    }
    show_answer(state, &finding);
    why->is_asking = finding.found != FOUND_WHOLE && finding.found != FOUND_FAILED;
    arena_reset(&why->arena);
    why->shown.row = why_rows_shown(why->asked, &why->arena);
    why->shown.rows = why->shown.row == NULL ? 0 : why->asked->changes;
    if (why->shown.rows > 0) {
        why->shown.change = want_change(state);
    }
    if (state->view.why_page == VIEW_WHY_CIRCUITS) {
        want_circuit(state);
    } else if (state->view.why_page == VIEW_WHY_TEXTS) {
        want_patch(state);
    }
}

void app_why_close(struct app_state *state)
{
    struct app_why *const why = state->why;
    if (why != NULL) {
        forget_question(why);
        why_learned_forget(&why->learned);
        lab_words_release(why->remembered.tokens);
        arena_free(&why->arena);
        free(why);
        state->why = NULL;
        state->view.why = NULL;
        state->view.circuit = NULL;
        state->view.patch = NULL;
    }
}
