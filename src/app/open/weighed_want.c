/* All heads of an open model by another weighing than α: how much of a word's value a head takes,
 * or of what W_O makes of it. Wanted while that is chosen and every layer is computed, and made
 * layer by layer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "app/results/wants.h"
#include "why/weighted.h"

_Static_assert((int)WHY_WEIGHTED_BY_VALUE + 1 == (int)VIEW_BY_VALUE &&
                   (int)WHY_WEIGHTED_BY_OUTPUT + 1 == (int)VIEW_BY_OUTPUT,
               "the view has the same weighings, and α before them");

struct weighed_heads {
    struct value value;
    struct view_weighed_heads shown;
    float top[]; /* [2 · layers] */
};

/* What was made so far. */
struct weighing {
    struct lab_thumbnails *thumbnails;
    size_t layers;
};

static void drop_weighed(struct value *value)
{
    lab_thumbnails_release(((struct weighed_heads *)value)->shown.thumbnails);
    free(value);
}

static void drop_weighing(void *state)
{
    lab_thumbnails_release(((struct weighing *)state)->thumbnails);
    free(state);
}

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

/* The largest number of each layer, and of what is left of it without the sinks of α. */
static void find_largest(const struct lab_thumbnails *by_alpha,
                         const struct lab_thumbnails *thumbnails, float *top, float *rest_top)
{
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(thumbnails);
    for (size_t at = 0; at < sizes.layers * sizes.heads; at++) {
        const size_t layer = at / sizes.heads, head = at % sizes.heads;
        const float *const cell = lab_thumbnails_head(thumbnails, layer, head).largest;
        const bool *const sink = lab_thumbnails_head(by_alpha, layer, head).sink;
        for (size_t c = 0; c < sizes.rows * sizes.cols; c++) {
            top[layer] = fmaxf(top[layer], cell[c]);
            rest_top[layer] = fmaxf(rest_top[layer], sink[c % sizes.cols] ? 0 : cell[c]);
        }
    }
}

/* Hands over what was made of all layers. */
static bool publish(const struct lab_thumbnails *by_alpha, struct weighing *weighing,
                    struct slice *slice)
{
    (void)lab_thumbnails_take(weighing->thumbnails);
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(weighing->thumbnails);
    struct weighed_heads *const made =
        calloc(1, sizeof *made + 2 * sizes.layers * sizeof *made->top);
    if (made == NULL) {
        return no_memory(&slice->error);
    }
    value_begin(&made->value,
                sizeof *made +
                    2 * sizes.layers * sizes.heads * sizes.rows * sizes.cols * sizeof(float),
                drop_weighed);
    find_largest(by_alpha, weighing->thumbnails, made->top, made->top + sizes.layers);
    made->shown =
        (struct view_weighed_heads){weighing->thumbnails, made->top, made->top + sizes.layers};
    weighing->thumbnails = NULL;
    slice->value = &made->value;
    return true;
}

static enum slice_end weigh_heads(struct slice *slice)
{
    const struct open_model_heads_request *const request =
        (const struct open_model_heads_request *)slice->content;
    const struct subject *const subject = &request->subject;
    const size_t all = subject_sizes(subject, MODEL_SELF).layers;
    const enum why_weighted by = (enum why_weighted)(slice->want->head - 1);
    struct weighing *const weighing =
        slice->state == NULL ? calloc(1, sizeof *weighing) : slice->state;
    slice->state = weighing;
    if (weighing == NULL) {
        (void)no_memory(&slice->error);
        return SLICE_FAILED;
    }
    while (weighing->layers < all && !slice_is_over(slice)) {
        if (!why_weighted_look(subject->run, subject->model, by, &request->engine, weighing->layers,
                               &weighing->thumbnails, &slice->error)) {
            return SLICE_FAILED;
        }
        weighing->layers++;
        slice_report(slice, (float)weighing->layers / (float)all);
    }
    return weighing->layers < all                          ? SLICE_MORE
           : publish(request->thumbnails, weighing, slice) ? SLICE_DONE
                                                           : SLICE_FAILED;
}

const struct result_kind open_model_weighed_kind = {
    .work = weigh_heads, .drop_state = drop_weighing, .has_lane = true};

/* Says whether words of the model have values to be weighed by: not those of a file of attention,
 * nor of models of two texts, whose heads may look into the other one. */
static bool may_weigh(const struct app_open_model *model)
{
    return model->subject.run != NULL && model->head_overview.attentions == 1;
}

void open_model_follow_weighed(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    struct open_model_ask *const ask = &model->weighed;
    struct view_head_overview *const overview = &model->head_overview;
    overview->weighed = NULL;
    overview->may_weigh = may_weigh(model);
    const bool is_wanted = overview->may_weigh && state->view.weighing != VIEW_BY_ALPHA &&
                           state->view.head_overview != NULL && overview->thumbnails != NULL &&
                           !open_model_is_reading(model) &&
                           lab_thumbnails_ready(overview->thumbnails) == model->layers;
    const struct want want = {.kind = WANT_WEIGHED,
                              .source = model->number,
                              .reading = model->held,
                              .head = (uint32_t)state->view.weighing};
    const bool is_other = ask->content == NULL || memcmp(&want, &ask->want, sizeof want) != 0;
    if (!is_wanted || is_other) {
        open_model_forget_ask(ask);
    }
    if (is_wanted && is_other) {
        *ask = (struct open_model_ask){.want = want, .content = open_model_request_heads(state)};
    }
    if (ask->content == NULL) {
        return;
    }
    const struct finding finding =
        results_want_of(state->results, &ask->want, ask->content, SLOT_WEIGHED);
    ask->found = finding.found;
    if (finding.found == FOUND_FAILED && finding.is_news) {
        app_state_show_message(state, time, "%s", finding.error.text);
    }
    if (finding.found == FOUND_WHOLE) {
        const struct weighed_heads *const weighed = (const struct weighed_heads *)finding.value;
        overview->weighed = &weighed->shown;
    }
}
