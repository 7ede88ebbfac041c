/* What a frame asks for of one layer: the one that is wanted, until it stands on the stages, and
 * what is around the attention of the one that stands there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "app/results/wants.h"
#include "base/translate.h"

/* Another layer is asked for where it is another one. False: no memory. */
static bool ask_for(struct app_state *state, struct open_model_ask *ask,
                    const struct layer_ref *ref, double time)
{
    const struct want want = {.kind = WANT_LAYER,
                              .source = state->model->number,
                              .reading = state->model->held,
                              .asked = ref->residual ? 1 : 0,
                              .attention = (uint32_t)ref->spot.which,
                              .layer = (uint32_t)ref->spot.layer,
                              .head = (uint32_t)ref->spot.head};
    if (ask->content != NULL && memcmp(&want, &ask->want, sizeof want) == 0) {
        return true;
    }
    open_model_forget_ask(ask);
    const struct value *const content = open_model_request_layer(ref);
    if (content == NULL) {
        return false;
    }
    *ask = (struct open_model_ask){.want = want, .content = content, .work = {"", time, -1}};
    return true;
}

static struct finding want_kind(const struct app_state *state, const struct open_model_ask *ask,
                                enum want_kind kind, enum slot slot)
{
    struct want want = ask->want;
    want.kind = kind;
    return results_want_of(state->results, &want, ask->content, slot);
}

/* What is around an attention belongs to no head. */
static struct layer_ref without_head(struct layer_ref ref)
{
    ref.spot.head = 0;
    ref.residual = false;
    return ref;
}

static bool has_around(const struct app_open_model *model)
{
    return model->subject.run != NULL;
}

/* The wanted layer goes onto the stages when it is there, with what is around it. */
static void follow_layer(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    struct open_model_ask *const ask = &model->next;
    const struct layer_ref ref = open_model_wanted_layer(state);
    if (!open_model_awaits_layer(state) || !open_model_has_layer(model)) {
        open_model_forget_ask(ask);
        return;
    }
    if (!ask_for(state, ask, &ref, time)) {
        return;
    }
    const struct finding layer = want_kind(state, ask, WANT_LAYER, SLOT_LAYER);
    const struct layer_ref around_ref = without_head(ref);
    bool is_whole = layer.found == FOUND_WHOLE;
    if (has_around(model) && ask_for(state, &model->next_around, &around_ref, time)) {
        const enum found found =
            want_kind(state, &model->next_around, WANT_AROUND, SLOT_NEXT_AROUND).found;
        is_whole = is_whole && (found == FOUND_WHOLE || found == FOUND_FAILED);
    }
    ask->work.progress = layer.progress;
    if (layer.found == FOUND_FAILED) {
        app_state_show_message(state, time, "%s", layer.error.text);
        open_model_stay_at_layer(model);
    } else if (is_whole) {
        open_model_put_ready(state, &((const struct open_model_layer *)layer.value)->ready, "",
                             time);
        results_forget(state->results, &ask->want); /* its weights are the document's alone */
        open_model_forget_ask(ask);
    }
}

/* The layer that stands there, where the run has read its words; what was known of it stays while
 * the run reads others. Returns whether it can be asked for. */
static bool ask_around_shown(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    const struct open_model_reading *const reading = open_model_shown_reading(state);
    struct layer_ref ref = open_model_wanted_layer(state);
    if (open_model_is_reading(model)) {
        return model->around.found == FOUND_WHOLE;
    }
    ref.spot.layer = state->document.experiment.layer;
    ref.spot.which = reading == NULL
                         ? MODEL_SELF
                         : open_model_attention_of(reading, &state->document.experiment);
    ref = without_head(ref);
    const bool is_there = has_around(model) && model->layers > 0 && reading != NULL &&
                          state->document.experiment.layers > 0 &&
                          subject_is_computed(&model->subject, &ref.spot) &&
                          open_model_is_of_run(model, reading);
    if (!is_there) {
        open_model_forget_ask(&model->around);
    }
    return is_there && ask_for(state, &model->around, &ref, time);
}

static void follow_around(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    struct view_head_overview *const overview = &model->head_overview;
    overview->block = NULL;
    overview->stream = NULL;
    overview->stream_rows = overview->stream_cols = 0;
    if (!ask_around_shown(state, time)) {
        return;
    }
    const struct finding finding = want_kind(state, &model->around, WANT_AROUND, SLOT_AROUND);
    model->around.found = finding.found;
    if (finding.found == FOUND_WHOLE) {
        const struct open_model_around *const around =
            (const struct open_model_around *)finding.value;
        overview->block = around->block;
        overview->stream = around->stream;
        overview->stream_rows = around->rows;
        overview->stream_cols = around->cols;
    }
}

void app_open_model_want(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    if (model != NULL && open_model_is_reading(model)) {
        (void)open_model_want_reading(state);
    }
    if (model == NULL || model->layers == 0) {
        return;
    }
    if (open_model_is_reading(model) && model->subject.kind->reads) {
        open_model_forget_ask(
            &model->next); /* it comes of what is being read, where it is still wanted */
    } else {
        follow_layer(state, time);
    }
    follow_around(state, time);
    open_model_follow_next(state, time);
    model->head_overview.busy = open_model_is_reading(model) || model->next.content != NULL ||
                                open_model_is_on_its_way(&model->missing);
}

bool open_model_awaits_around(const struct app_open_model *model)
{
    return !open_model_is_reading(model) && open_model_is_on_its_way(&model->around);
}

const struct view_work *app_open_model_work(struct app_state *state)
{
    struct app_open_model *const model = state->model;
    if (model != NULL && open_model_is_reading(model)) {
        model->reading.work.progress =
            open_model_say(open_model_pending(model), model->told, sizeof model->told);
        model->reading.work.doing = model->told;
        return &model->reading.work;
    }
    if (model == NULL || model->layers == 0) {
        return NULL;
    }
    if (model->next.content == NULL) {
        return open_model_work_ahead(model, model->told, sizeof model->told);
    }
    snprintf(model->told, sizeof model->told, tr("Reading layer %zu of %zu"),
             (size_t)model->next.want.layer + 1, model->layers);
    model->next.work.doing = model->told;
    return &model->next.work;
}

bool app_open_model_give_up(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    const bool is_told = app_open_model_work(state) != NULL;
    if (is_told && open_model_is_reading(model)) {
        open_model_leave_work(state, time);
    } else if (is_told && model->next.content != NULL) {
        open_model_forget_ask(&model->next);
        open_model_stay_at_layer(model);
    } else if (is_told) {
        results_give_up(state->results, &model->missing.want);
    }
    return is_told;
}
