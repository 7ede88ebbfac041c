/* The next words before and after the interventions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/why/why_internal.h"
#include "lab/run/sample.h"

static const double SMALL = 6e7; /* so many multiplications delay no frame */

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

static void drop_run(void *state)
{
    model_run_close(*(struct model_run **)state);
    free(state);
}

static void drop_changed(struct value *value)
{
    struct why_changed *const changed = (struct why_changed *)value;
    arena_free(&changed->arena);
    free(changed);
}

struct hearing {
    float *after;
    size_t vocabulary;
};

static void hear_words(void *owner, size_t variant, const float *logits)
{
    const struct hearing *const hearing = owner;
    (void)variant;
    memcpy(hearing->after, logits, hearing->vocabulary * sizeof *logits);
}

/* A word among those that are told, once. */
static void tell_word(struct why_changed *changed, const struct why_asked *asked, uint32_t id,
                      uint32_t *told, const double *before, const double *after)
{
    struct view_why_change *const shown = &changed->shown;
    for (size_t t = 0; t < shown->count; t++) {
        if (told[t] == id) {
            return;
        }
    }
    if (shown->count < VIEW_WHY_TOLD) {
        told[shown->count] = id;
        shown->told[shown->count].word =
            model_shown_of(asked->model, MODEL_WRITTEN, id, &changed->arena);
        shown->told[shown->count].before = before[id];
        shown->told[shown->count].after = after[id];
        shown->count++;
    }
}

static void take_shares(const float *logits, size_t vocabulary, double *shares)
{
    const double all = lab_log_sum(logits, vocabulary);
    for (size_t id = 0; id < vocabulary; id++) {
        shares[id] = exp((double)logits[id] - all);
    }
}

static double logit_of(const struct why_question *question, const float *logits)
{
    return (double)logits[question->word] -
           (question->has_rival ? (double)logits[question->rival] : 0);
}

static bool compare_next_words(const struct why_asked *asked, struct model_run *run,
                               struct why_changed *changed, struct error *error)
{
    const size_t vocabulary = model_config(asked->model)->vocabulary;
    struct arena arena = {0};
    float *const before = arena_array(&arena, vocabulary, sizeof *before);
    struct hearing hearing = {arena_array(&arena, vocabulary, sizeof *before), vocabulary};
    double *const p = arena_array(&arena, vocabulary, sizeof *p);
    double *const q = arena_array(&arena, vocabulary, sizeof *q);
    struct why_question question;
    bool done =
        (before != NULL && hearing.after != NULL && p != NULL && q != NULL) || no_memory(error);
    done = done && model_run_logits(run, asked->position, 1, before, error);
    if (done) {
        const struct model_interventions changes = why_changes_of(asked);
        const struct model_varying how = {
            .first = asked->position, .count = 1, .on_words = hear_words, .owner = &hearing};
        done = model_run_vary(run, &changes, 1, &how, error);
    }
    if (done) {
        const size_t few = vocabulary < VIEW_WHY_TOLD ? vocabulary : VIEW_WHY_TOLD;
        uint32_t now[VIEW_WHY_TOLD] = {0}, told[VIEW_WHY_TOLD] = {0};
        why_complete_question(asked, hearing.after, &question);
        take_shares(before, vocabulary, p);
        take_shares(hearing.after, vocabulary, q);
        (void)lab_find_largest(hearing.after, vocabulary, few, now);
        tell_word(changed, asked, question.word, told, p, q);
        if (question.has_rival) {
            tell_word(changed, asked, question.rival, told, p, q);
        }
        for (size_t w = 0; w < few; w++) { /* then the likeliest now */
            tell_word(changed, asked, now[w], told, p, q);
        }
        changed->shown.before = logit_of(&question, before);
        changed->shown.after = logit_of(&question, hearing.after);
        for (size_t id = 0; id < vocabulary; id++) {
            changed->shown.kl += p[id] > 0 ? p[id] * (log(p[id]) - log(fmax(q[id], 1e-300))) : 0;
        }
    }
    arena_free(&arena);
    return done;
}

static enum slice_end change_slice(struct slice *slice)
{
    const struct why_asked *const asked = (const struct why_asked *)slice->content;
    if (slice->state == NULL) {
        slice->state = calloc(1, sizeof(struct model_run *));
    }
    struct model_run **const run = slice->state;
    const enum slice_end end =
        run == NULL ? SLICE_FAILED : why_go_on(slice, asked, model_no_interventions, run);
    if (run == NULL) {
        (void)no_memory(&slice->error);
    }
    if (end != SLICE_DONE) {
        return end;
    }
    struct why_changed *const changed = calloc(1, sizeof *changed);
    if (changed == NULL) {
        (void)no_memory(&slice->error);
        return SLICE_FAILED;
    }
    value_begin(&changed->value, sizeof *changed, drop_changed);
    if (!compare_next_words(asked, *run, changed, &slice->error)) {
        value_release(&changed->value);
        return SLICE_FAILED;
    }
    slice->value = &changed->value;
    return SLICE_DONE;
}

static bool is_small(const struct slice *slice)
{
    const struct why_asked *const asked = (const struct why_asked *)slice->content;
    return 3 * (double)model_parameters(asked->model) * (double)asked->count <= SMALL;
}

const struct result_kind why_change_kind = {
    .is_small = is_small, .work = change_slice, .drop_state = drop_run, .has_lane = true};
