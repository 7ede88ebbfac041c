/* All heads at three moments of a run, side by side: at the first step, at one on the way, and now.
 * Each keeps as much of its weights as other words need to be looked at there, too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"

enum { KEPT_FLOATS_MAX = 80000 }; /* of weights that are kept to look at other words */

void learn_forget_glances(struct app_learn *learn, uint64_t from)
{
    memset(learn->shown.moment, 0, sizeof learn->shown.moment); /* until it is told anew */
    for (size_t g = 0; g < APP_LEARN_GLANCES; g++) {
        if (from == 0 || learn->glance[g].step > from) {
            free(learn->glance[g].alpha);
            learn_snapshot_release(learn->glance[g].moment);
            learn->glance[g] = (struct learn_glance){.step = UINT64_MAX};
        }
    }
}

/* α of every head of a sentence, one behind the other. */
static void take_alpha(struct learn_glance *glance, const struct learn_activations *sentence)
{
    const struct learn_shape *const shape = learn_activations_shape(sentence);
    const size_t n = learn_activations_count(sentence), cells = n * n;
    float *const alpha = malloc((shape->layers * shape->heads * cells + 1) * sizeof *alpha);
    free(glance->alpha);
    glance->alpha = alpha;
    for (size_t place = 0; alpha != NULL && place < shape->layers * shape->heads; place++) {
        const struct lab_matrix part = learn_activations_part(
            sentence, LEARN_ALPHA, place / shape->heads, place % shape->heads);
        for (size_t i = 0; i < n; i++) {
            memcpy(alpha + place * cells + i * n, part.values + i * part.stride, n * sizeof *alpha);
        }
    }
}

/* The present moment with what its weights make of the words. */
static void take_glance(struct learn_glance *glance, const struct app_learn *learn)
{
    const struct learn_snapshot *const moment = learn->view->moment, *const former = glance->moment;
    take_alpha(glance, learn->sentence);
    glance->step = moment->step;
    glance->moment =
        moment->tensors->floats <= KEPT_FLOATS_MAX ? learn_snapshot_keep(moment) : NULL;
    learn_snapshot_release(former);
}

void learn_look_again(struct app_learn *learn)
{
    const int32_t *const ids = learn_activations_tokens(learn->sentence);
    const size_t count = learn_activations_count(learn->sentence);
    memset(learn->shown.moment, 0, sizeof learn->shown.moment); /* until it is told anew */
    for (size_t g = 0; g < APP_LEARN_GLANCES; g++) {
        struct learn_glance *const glance = &learn->glance[g];
        const struct learn_snapshot *const moment = glance->moment;
        struct learn_activations *sentence = NULL;
        if (moment != NULL) {
            learn_switch_heads(learn->network, moment);
            sentence =
                learn_activations_make(learn->network, moment->weights, ids, NULL, count, NULL);
        }
        if (sentence != NULL) {
            take_alpha(glance, sentence);
            learn_activations_free(sentence);
        } else {
            free(glance->alpha);
            glance->alpha = NULL;
        }
    }
    learn_switch_heads(learn->network, learn->view->moment);
}

/* Which glance a step belongs to: there are two to the octave. */
static size_t glance_of(uint64_t step)
{
    const double octaves = log2((double)step + 1);
    const size_t at = (size_t)(2 * octaves);
    return at < APP_LEARN_GLANCES - 2 ? at : APP_LEARN_GLANCES - 3;
}

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

/* The glance nearest to a step by the logarithm, and before the present one; NULL: none. */
static const struct learn_glance *glance_near(const struct app_learn *learn, uint64_t step)
{
    const struct learn_glance *best = NULL;
    double min_distance = INFINITY;
    for (size_t g = 0; g < APP_LEARN_GLANCES - 2; g++) {
        const struct learn_glance *const glance = &learn->glance[g];
        const double apart = fabs(log1p((double)glance->step) - log1p((double)step));
        if (glance->alpha != NULL && glance->step < learn->view->moment->step && glance->step > 0 &&
            apart < min_distance) {
            best = glance;
            min_distance = apart;
        }
    }
    return best;
}

static void add_moment(struct view_learn *shown, size_t *count, const struct learn_glance *glance)
{
    if (glance != NULL && glance->alpha != NULL) {
        shown->moment[(*count)++] = (struct view_learn_moment){(size_t)glance->step, glance->alpha};
    }
}

/* The first step, one on the way, and the present one. */
void learn_tell_moments(struct app_learn *learn)
{
    struct view_learn *const shown = &learn->shown;
    const uint64_t step = learn->view->moment->step;
    struct learn_glance *const first = &learn->glance[APP_LEARN_GLANCES - 2],
                               *const now = &learn->glance[APP_LEARN_GLANCES - 1];
    struct learn_glance *const seen = step == 0 ? first : &learn->glance[glance_of(step)];
    take_glance(now, learn);
    if (seen->alpha == NULL || seen->step > step || step == 0) {
        take_glance(seen, learn);
    }
    size_t count = 0;
    memset(shown->moment, 0, sizeof shown->moment);
    if (step > 0) {
        add_moment(shown, &count, first);
        add_moment(shown, &count, glance_near(learn, step_between(learn)));
    }
    add_moment(shown, &count, now);
}
