/* What a frame asks for of layers that a text lacks yet: the overview fills with their heads. */
#include <stdio.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "app/results/wants.h"
#include "base/translate.h"

/* The heads that were looked at so far are shown, whatever else comes. */
static void show_looked_at(struct app_open_model *model)
{
    struct lab_thumbnails *const thumbnails = model->thumbnails[MODEL_SELF];
    if (thumbnails != NULL && lab_thumbnails_take(thumbnails)) {
        open_model_sort(model);
    }
}

/* Some layers are not computed yet, or not looked at. */
static bool lacks_layers(const struct app_open_model *model)
{
    const struct lab_thumbnails *const thumbnails = model->thumbnails[MODEL_SELF];
    return lab_thumbnails_ready(thumbnails) < lab_thumbnails_sizes(thumbnails).layers;
}

/* False: no memory. */
static bool ask_for_heads(struct app_state *state, double time)
{
    const struct app_open_model *const model = state->model;
    struct open_model_ask *const ask = &state->model->missing;
    const struct want want = {.kind = WANT_HEADS, .source = model->number, .reading = model->held};
    if (ask->content != NULL && memcmp(&want, &ask->want, sizeof want) == 0) {
        return true;
    }
    open_model_forget_ask(ask);
    const struct value *const content = open_model_request_heads(
        &model->subject, &state->document.engine, model->thumbnails[MODEL_SELF]);
    if (content == NULL) {
        return false;
    }
    *ask = (struct open_model_ask){.want = want, .content = content, .work = {"", time, -1}};
    return true;
}

/* Nothing more comes: a layer that is not there is not waited for. */
static void leave_missing(struct app_state *state, const struct finding *finding, double time)
{
    if (finding->found == FOUND_FAILED && finding->is_news) {
        app_state_show_message(state, time, "%s", finding->error.text);
    }
    if (open_model_awaits_layer(state) && !open_model_has_layer(state->model)) {
        open_model_stay_at_layer(state->model);
    }
}

void open_model_go_ahead(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    struct open_model_ask *const ask = &model->missing;
    if (model->subject.run == NULL || model->layers == 0) {
        return;
    }
    show_looked_at(model);
    if (state->view.head_overview == NULL || !lacks_layers(model) || !ask_for_heads(state, time)) {
        open_model_forget_ask(ask);
        return;
    }
    const struct finding finding =
        results_want_of(state->results, &ask->want, ask->content, SLOT_HEADS);
    ask->found = finding.found;
    ask->work.progress = finding.progress;
    if (finding.found == FOUND_WHOLE) {
        show_looked_at(model);
        open_model_forget_ask(ask);
    } else if (!open_model_is_on_its_way(ask)) {
        leave_missing(state, &finding, time);
    }
}

const struct view_work *open_model_work_ahead(struct app_open_model *model, char *text, size_t size)
{
    if (!open_model_is_on_its_way(&model->missing)) {
        return NULL;
    }
    const size_t all = lab_thumbnails_sizes(model->thumbnails[MODEL_SELF]).layers;
    const size_t done = model_run_layers(model->subject.run);
    snprintf(text, size, tr("Computing layer %zu of %zu"), done < all ? done + 1 : all, all);
    model->missing.work.doing = text;
    return &model->missing.work;
}
