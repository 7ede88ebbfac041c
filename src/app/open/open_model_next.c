/* Asks each frame for the words that may come next, or stand in place of a masked one, of what is
 * shown and of what is kept to compare with. The logits of a place are one value, the likeliest
 * words at a temperature another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "app/results/wants.h"
#include "base/translate.h"
#include "lab/run/sample.h"

/* Values of WANT_LOGITS and WANT_NEXT. */
struct logits {
    struct value value;
    size_t count;
    float logit[];
};
struct next_words {
    struct value value;
    size_t count;
    uint32_t id[VIEW_NEXT_MAX];
    double share[VIEW_NEXT_MAX];
};

/* ---- what is computed ------------------------------------------------------------------------ */

/* Returns whether the product with the weights of all words delays no frame. */
static bool are_few_words(const struct slice *slice)
{
    static const double LARGE = 1 << 23;
    const struct layer_ref *const ref = open_model_requested(slice->content);
    const struct model_config *const config = model_config(ref->subject.model);
    return (double)config->vocabulary * (double)config->width <= LARGE;
}

static enum slice_end compute_logits(struct slice *slice)
{
    const struct layer_ref *const ref = open_model_requested(slice->content);
    const size_t count = model_config(ref->subject.model)->vocabulary;
    struct logits *const made = malloc(sizeof *made + count * sizeof *made->logit);
    if (made == NULL) {
        (void)error_set(&slice->error, ERROR_MEMORY, "There is not enough memory for this text.");
        return SLICE_FAILED;
    }
    if (!subject_logits(&ref->subject, ref->spot.head, 1, made->logit, &slice->error)) {
        free(made);
        return SLICE_FAILED;
    }
    made->count = count;
    value_begin(&made->value, sizeof *made + count * sizeof *made->logit, NULL);
    slice->value = &made->value;
    return SLICE_DONE;
}

const struct result_kind open_model_logits_kind = {.is_small = are_few_words,
                                                   .work = compute_logits};

static size_t list_logits(const struct want *want, struct want needs[RESULTS_NEEDS_MAX])
{
    needs[0] = *want;
    needs[0].kind = WANT_LOGITS;
    needs[0].asked = 0;
    return 1;
}

static bool is_always_small(const struct slice *slice)
{
    (void)slice;
    return true;
}

static enum slice_end find_likeliest(struct slice *slice)
{
    const struct logits *const logits = (const struct logits *)slice->need[0];
    double temperature = 1;
    memcpy(&temperature, slice->asked.at, sizeof temperature);
    struct next_words *const made = calloc(1, sizeof *made);
    if (made == NULL) {
        (void)error_set(&slice->error, ERROR_MEMORY, "There is not enough memory for this text.");
        return SLICE_FAILED;
    }
    const struct lab_shares shares = lab_shares_of(logits->logit, logits->count, temperature);
    made->count = lab_find_largest(logits->logit, logits->count, VIEW_NEXT_MAX, made->id);
    for (size_t n = 0; n < made->count; n++) {
        made->share[n] = lab_share(&shares, logits->logit[made->id[n]]);
    }
    value_begin(&made->value, sizeof *made, NULL);
    slice->value = &made->value;
    return SLICE_DONE;
}

const struct result_kind open_model_next_kind = {
    .list_needs = list_logits, .is_small = is_always_small, .work = find_likeliest};

/* ---- what a frame asks for ------------------------------------------------------------------- */

size_t open_model_next_place(const struct app_state *state,
                             const struct open_model_reading *reading)
{
    const struct model *const model = state->model->subject.model;
    const size_t query = state->view.pinned.query;
    size_t masked = 0;
    return !open_model_guesses(model, reading->ids, reading->count, &masked) ? SIZE_MAX
           : masked == SIZE_MAX                                              ? reading->count - 1
                                : open_model_masked(model, reading->ids, reading->count,
                                                    query < reading->count ? query : 0);
}

/* Returns whether the run that has read it can give logits. */
static bool has_last_layer(const struct app_open_model *model,
                           const struct open_model_reading *reading)
{
    return !open_model_is_reading(model) && model->subject.run != NULL &&
           model_run_layers(model->subject.run) == model_config(model->subject.model)->layers &&
           open_model_is_of_run(model, reading);
}

/* The logits of the word that is next behind this text. NULL: they are not there. */
static const struct logits *want_logits(struct app_state *state, struct open_model_ask *ask,
                                        const struct open_model_reading *reading, enum slot slot,
                                        double time)
{
    const struct app_open_model *const model = state->model;
    const size_t place = open_model_next_place(state, reading);
    const struct want want = {.kind = WANT_LOGITS,
                              .source = model->number,
                              .reading = reading->number,
                              .head = (uint32_t)place};
    const bool is_other = ask->content == NULL || memcmp(&want, &ask->want, sizeof want) != 0;
    if (place == SIZE_MAX || reading->number == 0 ||
        !(has_last_layer(model, reading) || results_have(state->results, &want))) {
        open_model_forget_ask(ask);
        return NULL;
    }
    if (is_other) {
        const struct layer_ref ref = {.subject = model->subject, .spot = {.head = place}};
        open_model_forget_ask(ask);
        *ask = (struct open_model_ask){.want = want, .content = open_model_request_layer(&ref)};
    }
    const struct finding finding =
        ask->content == NULL ? (struct finding){.found = FOUND_FAILED}
                             : results_want_of(state->results, &ask->want, ask->content, slot);
    ask->found = finding.found;
    if (finding.found == FOUND_FAILED && finding.is_news) {
        app_state_show_message(state, time, "%s", finding.error.text);
    }
    return finding.found == FOUND_WHOLE ? (const struct logits *)finding.value : NULL;
}

/* The likeliest words behind a text, with their shares at the temperature. Returns how many. */
static size_t tell_words(struct app_state *state, struct open_model_ask *ask,
                         const struct open_model_reading *reading, const enum slot slot[2],
                         struct view_next next[VIEW_NEXT_MAX], double time)
{
    struct app_open_model *const model = state->model;
    const double temperature = model->head_overview.temperature;
    if (want_logits(state, ask, reading, slot[0], time) == NULL) {
        return 0;
    }
    struct want want = ask->want;
    want.kind = WANT_NEXT;
    want.asked = results_number(state->results, &temperature, sizeof temperature);
    const struct finding finding = want.asked == 0 ? (struct finding){.found = FOUND_FAILED}
                                                   : results_want(state->results, &want, slot[1]);
    const struct next_words *const words =
        finding.found == FOUND_WHOLE ? (const struct next_words *)finding.value : NULL;
    const size_t count = words == NULL ? 0 : words->count;
    for (size_t n = 0; n < count; n++) {
        const char *const word = model_shown(model->subject.model, words->id[n], &model->told_next);
        next[n] = (struct view_next){
            .word = word == NULL ? "" : word, .id = words->id[n], .share = words->share[n]};
    }
    return count;
}

/* What is compared with: the text that stood there when it was kept. NULL: nothing, or what no
 * model has read. */
static const struct open_model_reading *follow_kept(const struct app_state *state)
{
    struct app_open_model *const model = state->model;
    const struct lab_trace *const kept =
        state->document.compares == DOCUMENT_COMPARES_CHANGE ? NULL : state->document.baseline;
    if (kept != model->kept_trace) {
        const bool is_shown = kept != NULL && kept == state->document.trace;
        lab_trace_release(model->kept_trace);
        value_release(model->kept_reading);
        model->kept_trace = kept == NULL ? NULL : lab_trace_keep(kept);
        model->kept_reading = is_shown ? value_keep(state->document.reading) : NULL;
    }
    const struct open_model_reading *const reading =
        (const struct open_model_reading *)model->kept_reading;
    return reading != NULL && reading->owner == model->number ? reading : NULL;
}

/* Where a second sentence begins, and which of the masked words is guessed. */
static void tell_places(const struct app_state *state, const struct open_model_reading *reading)
{
    struct app_open_model *const model = state->model;
    struct view_head_overview *const overview = &model->head_overview;
    const size_t place = open_model_next_place(state, reading);
    uint32_t closes = 0, mask = 0;
    overview->closes = open_model_closes(model->subject.model, &model->told_next, &closes)
                           ? model_shown(model->subject.model, closes, &model->told_next)
                           : NULL;
    overview->mask = NULL;
    (void)open_model_mask(model->subject.model, &mask, &overview->mask);
    overview->second = overview->mask_number = overview->masks = 0;
    for (size_t i = 0; i < reading->count; i++) {
        const bool is_mask = overview->mask != NULL && reading->ids[i] == mask;
        const bool opens = overview->closes != NULL && i > 0 && reading->ids[i - 1] == closes;
        overview->second = opens && overview->second == 0 ? i : overview->second;
        overview->masks += is_mask;
        overview->mask_number += is_mask && i <= place;
    }
}

/* Returns whether both texts were read by a model with the same changes inside. */
static bool have_same_changes(const struct open_model_reading *one,
                              const struct open_model_reading *other)
{
    bool same = one->changes == other->changes;
    for (size_t c = 0; same && c < one->changes; c++) {
        same = model_intervention_equal(&one->change[c], &other->change[c]);
    }
    return same;
}

static bool will_not_come(const struct open_model_ask *ask)
{
    return ask->found == FOUND_GIVEN_UP || ask->found == FOUND_FAILED;
}

void open_model_follow_next(struct app_state *state, double time)
{
    static const enum slot shown[] = {SLOT_LOGITS, SLOT_NEXT},
                           kept[] = {SLOT_KEPT_LOGITS, SLOT_KEPT_NEXT};
    struct app_open_model *const model = state->model;
    struct view_head_overview *const overview = &model->head_overview;
    const bool has_words = model->subject.run != NULL && state->view.head_overview != NULL;
    const struct open_model_reading *const reading =
        has_words ? open_model_shown_reading(state) : NULL;
    const struct open_model_reading *const before = has_words ? follow_kept(state) : NULL;
    arena_reset(&model->told_next);
    overview->next_count = overview->kept_count = 0;
    overview->kept_off = before == NULL ? NULL : before->off->has;
    overview->kept_differs = false;
    overview->expects_next = false;
    if (reading == NULL) {
        open_model_forget_ask(&model->logits);
        open_model_forget_ask(&model->kept_logits);
        return;
    }
    tell_places(state, reading);
    overview->next_count = tell_words(state, &model->logits, reading, shown, overview->next, time);
    if (before != NULL) {
        overview->kept_differs = !have_same_changes(before, reading);
        overview->kept_count =
            tell_words(state, &model->kept_logits, before, kept, overview->kept, time);
    }
    overview->expects_next = overview->next_count == 0 &&
                             open_model_next_place(state, reading) != SIZE_MAX &&
                             !will_not_come(&model->missing) && !will_not_come(&model->logits);
}

void open_model_begin_draws(struct app_open_model *model, uint64_t seed)
{
    model->head_overview.seed = seed;
    random_start(&model->draw, seed, "next word");
}

bool open_model_draw_next(struct app_state *state, uint32_t *id, double time)
{
    struct app_open_model *const model = state->model;
    const struct open_model_reading *const reading = open_model_shown_reading(state);
    const struct logits *const logits =
        reading == NULL ? NULL : want_logits(state, &model->logits, reading, SLOT_LOGITS, time);
    if (logits != NULL) {
        *id = (uint32_t)lab_sample(logits->logit, logits->count, model->head_overview.temperature,
                                   1, &model->draw);
    }
    return logits != NULL;
}

bool app_open_model_lacks_next(const struct app_state *state)
{
    return state->model != NULL && state->model->logits.found == FOUND_FAILED;
}

bool app_open_model_text(const struct app_state *state, struct app_open_model_text *text)
{
    const struct app_open_model *const model = state->model;
    const struct open_model_reading *const reading =
        model == NULL ? NULL : open_model_shown_reading(state);
    if (reading == NULL || model->subject.model == NULL || model->layers == 0) {
        return false;
    }
    *text = (struct app_open_model_text){.model = model->subject.model,
                                         .number = model->number,
                                         .ids = reading->ids,
                                         .source = reading->source,
                                         .change = reading->change,
                                         .changes = reading->changes,
                                         .count = reading->count,
                                         .source_count = reading->source_count,
                                         .position = open_model_next_place(state, reading)};
    return true;
}
