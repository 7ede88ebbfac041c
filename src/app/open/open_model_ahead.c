/* Layers of what was read that are not computed yet: the first ones show, the others follow on a
 * thread of their own, and the overview fills with their heads. */
#include <math.h>
#include <stdlib.h>

#include "app/open/open_model_internal.h"

bool open_model_has_layer(const struct app_open_model *model)
{
    const struct subject_spot spot = {.which = model->which, .layer = model->layer};
    return subject_is_computed(&model->subject, &spot);
}

static void work_ahead(struct app_job *job, void *subject)
{
    struct open_model_work *const work = subject;
    work->progress->job = job;
    work->progress->part = OPEN_MODEL_FILLS;
    open_model_fill(job, work);
}

/* The heads that were looked at so far are shown, whatever else comes. */
static void show_looked_at(struct app_open_model *model)
{
    struct lab_thumbnails *const thumbnails = model->thumbnails[MODEL_SELF];
    if (thumbnails != NULL && lab_thumbnails_take(thumbnails)) {
        open_model_sort(model);
    }
}

static void give_up(struct app_state *state)
{
    struct app_open_model *const model = state->model;
    model->stopped = true; /* until one of them is asked for */
    if (open_model_awaits_layer(state)) {
        open_model_stay_at_layer(model);
    }
    model->head_overview.expects_next = false;
}

/* All of it is there. */
static void mark_complete(struct app_open_model *model, struct open_model_work *work)
{
    free(model->logits);
    model->logits = work->logits;
    work->logits = NULL;
    model->masked = work->masked;
    model->head_overview.expects_next = false;
    open_model_find_next(model);
}

static void end_ahead(struct app_state *state, struct open_model_work *work)
{
    struct app_open_model *const model = state->model;
    model->work = NULL;
    model->head_overview.busy = model->next != NULL;
    show_looked_at(model);
    if (work->thumbnails[MODEL_SELF] != NULL) {
        mark_complete(model, work);
    } else {
        give_up(state);
    }
}

static void take_ahead(struct app_state *state, void *subject, double time)
{
    struct open_model_work *const work = subject;
    end_ahead(state, work);
    if (work->thumbnails[MODEL_SELF] == NULL) {
        app_state_show_message(state, time, "%s", work->error.text);
    }
}

/* Given up, perhaps when it was done already. */
static void drop_ahead(struct app_state *state, void *subject, double time)
{
    (void)time;
    end_ahead(state, subject);
}

static const struct task_kind ahead_kind = {.doing = "",
                                            .work = work_ahead,
                                            .apply = take_ahead,
                                            .discard = drop_ahead,
                                            .release = open_model_work_free,
                                            .describe = open_model_say,
                                            .concurrency = TASK_CONCURRENT};

/* Some layers are not computed yet, or not looked at. */
static bool lacks_layers(const struct app_open_model *model)
{
    const struct lab_thumbnails *const thumbnails = model->thumbnails[MODEL_SELF];
    return lab_thumbnails_ready(thumbnails) < lab_thumbnails_sizes(thumbnails).layers;
}

bool open_model_expects_next(const struct app_open_model *model)
{
    size_t masked = 0;
    return model->logits == NULL &&
           open_model_guesses(model->subject.model, model_run_ids(model->subject.run),
                              model_run_count(model->subject.run), &masked);
}

static void begin_ahead(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    const struct open_model_reading read = open_model_to_be(model);
    struct open_model_work *const work = open_model_new_work(state, &read, "");
    if (work != NULL) {
        work->at_once = INFINITY;
        work->subject.run = model_run_keep(model->subject.run);
        work->thumbnails[MODEL_SELF] = lab_thumbnails_keep(model->thumbnails[MODEL_SELF]);
        work->task = task_submit(&state->tasks, &ahead_kind, work, time);
    }
    if (work == NULL || work->task == NULL) {
        open_model_work_free(work);
        give_up(state);
        return;
    }
    model->work = work;
    model->head_overview.busy = true;
    model->head_overview.expects_next = open_model_expects_next(model);
}

/* Of the layer that stands there it is not known what is around it, and could be. */
static bool is_unknown_around(const struct app_state *state)
{
    const struct app_open_model *const model = state->model;
    const struct open_model_reading *const reading = open_model_shown_reading(state);
    return model->head_overview.stream_rows == 0 && reading != NULL &&
           open_model_has_layer(model) && model->layer == state->document.experiment.layer &&
           open_model_is_of_run(model, reading);
}

void open_model_go_ahead(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    if (model->subject.run == NULL || model->layers == 0 || open_model_is_reading(model)) {
        return;
    }
    show_looked_at(model);
    if (open_model_awaits_layer(state) && model->next == NULL && open_model_has_layer(model)) {
        open_model_show_layer(state, time);
    }
    if (is_unknown_around(state)) {
        open_model_look_around(model);
    }
    if (model->work == NULL && !model->stopped && state->view.head_overview != NULL &&
        (lacks_layers(model) || open_model_expects_next(model))) {
        begin_ahead(state, time);
    }
}
