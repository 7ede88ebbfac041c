/* Shows all heads at three moments of a run: at the first step, at one on the way, and now. The
 * former two are keyframes of the run that have weights (learn/keyframes.h); what these make of
 * the words is wanted of results each frame, by the branch, the step and the words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "app/results/wants.h"

/* So many multiplications do not delay a frame. */
static const double SMALL = 2e7;

struct passed_heads {
    struct value value;
    uint32_t source, reading; /* whose heads, at which words */
    uint64_t step;
    float alpha[]; /* [layers · heads][n · n] */
};

/* What they are made of: the content of WANT_PASSED_HEADS. */
struct passed_heads_content {
    struct value value;
    const struct learn_keyframe *keyframe; /* held; it has weights */
};

static void drop_content(struct value *value)
{
    learn_keyframe_release(((struct passed_heads_content *)value)->keyframe);
    free(value);
}

/* Returns how many numbers α of every head of a sentence is. */
static size_t count_alpha(const struct learn_shape *shape, size_t n)
{
    return shape->layers * shape->heads * n * n;
}

/* α of every head of a sentence, one behind the other. */
static void copy_alpha(const struct learn_activations *sentence, float *alpha)
{
    const struct learn_shape *const shape = learn_activations_shape(sentence);
    const size_t n = learn_activations_count(sentence);
    for (size_t place = 0; place < shape->layers * shape->heads; place++) {
        const struct lab_matrix part = learn_activations_part(
            sentence, LEARN_ALPHA, place / shape->heads, place % shape->heads);
        for (size_t i = 0; i < n; i++, alpha += n) {
            memcpy(alpha, part.values + i * part.stride, n * sizeof *alpha);
        }
    }
}

/* ---- by demand ---- */

static const struct learn_snapshot *moment_of(const struct slice *slice)
{
    return ((const struct passed_heads_content *)slice->content)->keyframe->moment;
}

static enum slice_end look_back(struct slice *slice)
{
    const struct learn_snapshot *const moment = moment_of(slice);
    const size_t n = slice->reading.size / sizeof(int32_t);
    const size_t bytes = count_alpha(&moment->recipe->shape, n) * sizeof(float);
    struct learn_network *const network = learn_open_network(moment, &slice->error);
    struct learn_activations *const sentence =
        network == NULL ? NULL
                        : learn_activations_make(network, moment->weights,
                                                 (const int32_t *)(const void *)slice->reading.at,
                                                 NULL, n, &slice->error);
    struct passed_heads *const made = sentence == NULL ? NULL : malloc(sizeof *made + bytes);
    if (made != NULL) {
        made->source = slice->want->source;
        made->reading = slice->want->reading;
        made->step = moment->step;
        copy_alpha(sentence, made->alpha);
        value_begin(&made->value, sizeof *made + bytes, NULL);
        slice->value = &made->value;
    }
    learn_activations_free(sentence);
    learn_network_close(network);
    if (made == NULL && slice->error.code == ERROR_NONE) {
        (void)app_learn_no_memory(&slice->error);
    }
    return made != NULL ? SLICE_DONE : SLICE_FAILED;
}

static bool is_small(const struct slice *slice)
{
    return 2 * (double)moment_of(slice)->tensors->floats *
               (double)(slice->reading.size / sizeof(int32_t)) <=
           SMALL;
}

const struct result_kind learn_passed_heads_kind = {.is_small = is_small, .work = look_back};

/* ---- which ---- */

/* The step between the first and the present that says most: the last event, else half of it by
 * the logarithm. */
static uint64_t step_between(const struct app_learn *learn)
{
    const uint64_t now = learn->view->moment->step;
    uint64_t between = 0;
    for (size_t e = 0; e < learn->view->event_count; e++) {
        const uint64_t step = learn->view->events[e].step;
        between = step > between && 2 * step < now ? step : between;
    }
    return between > 0 ? between : (uint64_t)(20 * sqrt(1 + (double)now / 20) - 20);
}

/* The keyframe with weights that is nearest to a step by the logarithm, behind the first and before
 * the present one; NULL: none. */
static const struct learn_keyframe *keyframe_near(const struct app_learn *learn, uint64_t step)
{
    const struct learn_view *const view = learn->view;
    const struct learn_keyframe *best = NULL;
    double min_distance = INFINITY;
    for (size_t k = 0; k < view->keyframe_count; k++) {
        const struct learn_keyframe *const keyframe = view->keyframes[k];
        const double apart = fabs(log1p((double)keyframe->step) - log1p((double)step));
        if (keyframe->moment != NULL && keyframe->step > 0 && keyframe->step < view->moment->step &&
            apart < min_distance) {
            best = keyframe;
            min_distance = apart;
        }
    }
    return best;
}

static const struct learn_keyframe *first_keyframe(const struct app_learn *learn)
{
    const struct learn_view *const view = learn->view;
    const bool has_first = view->moment->step > 0 && view->keyframe_count > 0 &&
                           view->keyframes[0]->step == 0 && view->keyframes[0]->moment != NULL;
    return has_first ? view->keyframes[0] : NULL;
}

/* Returns what its weights make of the words; NULL: it is not there yet. */
static const struct passed_heads *
want_passed_heads(struct app_state *state, const struct learn_keyframe *keyframe, size_t slot)
{
    const struct app_learn *const learn = state->learn;
    struct want want = {.kind = WANT_PASSED_HEADS};
    if (keyframe == NULL || learn->sentence == NULL ||
        !learn_key_want_at(state, keyframe->step, &want)) {
        return NULL;
    }
    want.reading = results_number(state->results, learn_activations_tokens(learn->sentence),
                                  learn_activations_count(learn->sentence) * sizeof(int32_t));
    if (want.reading == 0) {
        return NULL;
    }
    struct passed_heads_content *content = NULL;
    if (!results_have(state->results, &want)) {
        content = malloc(sizeof *content);
        if (content == NULL) { /* the next frame tries again */
            return NULL;
        }
        content->keyframe = learn_keyframe_keep(keyframe);
        value_begin(&content->value, sizeof *content, drop_content);
    }
    const struct finding finding =
        results_want_of(state->results, &want, content == NULL ? NULL : &content->value, slot);
    value_release(content == NULL ? NULL : &content->value);
    const struct passed_heads *const heads = (const struct passed_heads *)finding.value;
    const bool fits =
        heads != NULL && heads->source == want.source && heads->reading == want.reading;
    return fits ? heads : NULL;
}

/* ---- told ---- */

/* The first step, and one on the way; NULL: not there. Those that are there come first. Returns how
 * many. */
static size_t want_both(struct app_state *state, const struct passed_heads *heads[2])
{
    const struct app_learn *const learn = state->learn;
    const bool has_past = learn_has_past(learn);
    const struct learn_keyframe *const at[2] = {has_past ? first_keyframe(learn) : NULL,
                                                has_past ? keyframe_near(learn, step_between(learn))
                                                         : NULL};
    static const size_t slot[2] = {SLOT_FIRST_HEADS, SLOT_PASSED_HEADS};
    size_t count = 0;
    for (size_t g = 0; g < 2; g++) {
        const struct passed_heads *const found = want_passed_heads(state, at[g], slot[g]);
        if (found != NULL) {
            heads[count++] = found;
        }
    }
    return count;
}

bool learn_moments_are_told(struct app_state *state)
{
    const struct view_learn_moment *const told = state->learn->shown.moment;
    const struct passed_heads *heads[2];
    const size_t count = want_both(state, heads);
    bool are_told = true;
    for (size_t g = 0; g < count; g++) {
        are_told = are_told && told[g].alpha != NULL && told[g].step == heads[g]->step;
    }
    return are_told;
}

void learn_tell_moments(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    struct view_learn_moment *const told = learn->shown.moment;
    const struct learn_snapshot *const moment = learn->view->moment;
    const size_t n = learn_activations_count(learn->sentence);
    const size_t floats = count_alpha(&moment->recipe->shape, n);
    const struct passed_heads *heads[2];
    const size_t count = want_both(state, heads);
    memset(told, 0, sizeof learn->shown.moment);
    for (size_t g = 0; g <= count; g++) {
        float *const alpha = arena_array(&learn->texts, floats + 1, sizeof *alpha);
        if (alpha == NULL) {
            return;
        }
        if (g < count) {
            memcpy(alpha, heads[g]->alpha, floats * sizeof *alpha);
        } else {
            copy_alpha(learn->sentence, alpha);
        }
        told[g] =
            (struct view_learn_moment){(size_t)(g < count ? heads[g]->step : moment->step), alpha};
    }
}
