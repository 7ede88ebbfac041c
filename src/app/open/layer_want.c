/* What is shown of one layer, by what is wanted: the layer itself, made ready for the stages, and
 * what is around its attention. Layers that a run has computed are read while it computes others,
 * so these have no lane. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "app/results/wants.h"
#include "base/translate.h"

/* What stands behind the key of both. */
struct layer_request {
    struct value value;
    struct layer_ref ref; /* its subject is held */
};

struct layer_value {
    struct value value;
    struct open_model_ready ready; /* borrows no subject */
};

struct around_value {
    struct value value;
    struct subject subject;        /* held, without its run: the block's weights are there */
    const struct lab_block *block; /* NULL: its steps cannot be shown */
    size_t rows, cols;
    float *stream; /* [rows][cols] before the layer; NULL: heads that read two texts */
};

/* ---- the layer ------------------------------------------------------------------------------- */

static void drop_request(struct value *value)
{
    struct layer_request *const request = (struct layer_request *)value;
    subject_release(&request->ref.subject);
    free(request);
}

static void drop_layer(struct value *value)
{
    open_model_ready_free(&((struct layer_value *)value)->ready);
    free(value);
}

/* Returns whether a layer is no work that would delay a frame. */
static bool is_small(const struct slice *slice)
{
    enum { LARGE = 1 << 18 };
    const struct layer_ref *const ref = &((const struct layer_request *)slice->content)->ref;
    const struct subject_sizes sizes = subject_sizes(&ref->subject, ref->spot.which);
    return sizes.n * sizes.m * (sizes.one_head ? 1 : sizes.heads) <= LARGE &&
           sizes.m * sizes.width <= LARGE / 16;
}

static bool on_rows(void *owner, size_t done, size_t all)
{
    const struct slice *const slice = owner;
    slice_report(slice, 0.9f * (float)done / (float)all);
    return !atomic_load(slice->is_stopped);
}

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this layer.");
}

static size_t bytes_of(const struct lab_experiment *experiment)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    return 2 * sizes.heads * sizes.n * sizes.m * sizeof(float) +
           lab_experiment_bytes(experiment, NULL);
}

static enum slice_end make_layer(struct slice *slice)
{
    const struct layer_ref *const ref = &((const struct layer_request *)slice->content)->ref;
    const struct file_progress progress = {on_rows, slice};
    struct layer_value *const made = calloc(1, sizeof *made);
    if (made == NULL) {
        (void)no_memory(&slice->error);
        return SLICE_FAILED;
    }
    made->ready.layer_ref = *ref;
    made->ready.layer_ref.subject = (struct subject){.kind = ref->subject.kind};
    slice_report(slice, 0);
    if (!open_model_make_ready(ref, &progress, &made->ready)) {
        slice->error = made->ready.error;
        free(made);
        return slice->error.code == ERROR_NONE ? SLICE_MORE : SLICE_FAILED; /* it was stopped */
    }
    value_begin(&made->value, sizeof *made + bytes_of(&made->ready.experiment), drop_layer);
    slice->value = &made->value;
    return SLICE_DONE;
}

const struct result_kind open_model_layer_kind = {.is_small = is_small, .work = make_layer};

/* ---- around it ------------------------------------------------------------------------------- */

static void drop_around(struct value *value)
{
    struct around_value *const around = (struct around_value *)value;
    lab_block_release(around->block);
    free(around->stream);
    subject_release(&around->subject);
    free(around);
}

/* Copies what goes into the layer, before its layer norm; the run may not touch it any more. */
static bool copy_stream(struct around_value *around, const struct layer_ref *ref)
{
    const struct model_run *const run = ref->subject.run;
    const bool source = ref->spot.which == MODEL_ENCODER;
    const size_t rows = source ? model_run_source_count(run) : model_run_count(run);
    const size_t cols = model_config(ref->subject.model)->width;
    around->rows = rows;
    around->cols = cols;
    if (ref->spot.which == MODEL_CROSS) { /* whose heads read what is no layer's beginning */
        return true;
    }
    around->stream = malloc(rows * cols * sizeof *around->stream);
    if (around->stream != NULL) {
        memcpy(around->stream,
               source ? model_run_source_residual(run, ref->spot.layer)
                      : model_run_residual(run, ref->spot.layer),
               rows * cols * sizeof *around->stream);
    }
    return around->stream != NULL;
}

static enum slice_end look_around(struct slice *slice)
{
    const struct layer_ref *const ref = &((const struct layer_request *)slice->content)->ref;
    struct around_value *const around = calloc(1, sizeof *around);
    struct subject unread = ref->subject;
    unread.run = NULL;
    if (around == NULL || !copy_stream(around, ref)) {
        free(around);
        (void)no_memory(&slice->error);
        return SLICE_FAILED;
    }
    struct error no_block = {ERROR_NONE, 0, ""}; /* the stages are there without it */
    around->subject = subject_keep(&unread);
    around->block = subject_block(&ref->subject, &ref->spot, &no_block);
    value_begin(&around->value,
                sizeof *around + 8 * around->rows * around->cols * sizeof *around->stream,
                drop_around);
    slice->value = &around->value;
    return SLICE_DONE;
}

const struct result_kind open_model_around_kind = {.is_small = is_small, .work = look_around};

/* ---- what a frame asks for ------------------------------------------------------------------- */

static void forget_ask(struct open_model_ask *ask)
{
    value_release(ask->content);
    *ask = (struct open_model_ask){.content = NULL};
}

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
    struct layer_request *const request = calloc(1, sizeof *request);
    forget_ask(ask);
    if (request == NULL) {
        return false;
    }
    value_begin(&request->value, sizeof *request, drop_request);
    request->ref = *ref;
    request->ref.subject = subject_keep(&ref->subject);
    *ask =
        (struct open_model_ask){.want = want, .content = &request->value, .work = {"", time, -1}};
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
        forget_ask(ask);
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
        open_model_put_ready(state, &((const struct layer_value *)layer.value)->ready, "", time);
        results_forget(state->results, &ask->want); /* its weights are the document's alone */
        forget_ask(ask);
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
        forget_ask(&model->around);
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
        const struct around_value *const around = (const struct around_value *)finding.value;
        overview->block = around->block;
        overview->stream = around->stream;
        overview->stream_rows = around->rows;
        overview->stream_cols = around->cols;
    }
}

void app_open_model_want(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    if (model == NULL || model->layers == 0) {
        return;
    }
    if (open_model_is_reading(model) && model->subject.kind->reads) {
        forget_ask(&model->next); /* it comes of what is being read, where it is still wanted */
    } else {
        follow_layer(state, time);
    }
    follow_around(state, time);
    model->head_overview.busy = model->work != NULL || model->next.content != NULL;
}

void open_model_stop_layers(struct app_state *state)
{
    struct open_model_ask *const ask[] = {&state->model->next, &state->model->next_around,
                                          &state->model->around};
    for (size_t a = 0; a < sizeof ask / sizeof *ask; a++) {
        struct want want = ask[a]->want;
        results_stop(state->results, &want);
        want.kind = WANT_AROUND;
        results_stop(state->results, &want);
    }
}

void open_model_forget_asks(struct app_open_model *model)
{
    forget_ask(&model->next);
    forget_ask(&model->next_around);
    forget_ask(&model->around);
}

bool open_model_awaits_around(const struct app_open_model *model)
{
    return model->around.content != NULL && !open_model_is_reading(model) &&
           model->around.found < FOUND_WHOLE;
}

const struct view_work *app_open_model_work(struct app_state *state)
{
    struct app_open_model *const model = state->model;
    if (model == NULL || model->next.content == NULL) {
        return NULL;
    }
    snprintf(model->next_text, sizeof model->next_text, tr("Reading layer %zu of %zu"),
             (size_t)model->next.want.layer + 1, model->layers);
    model->next.work.doing = model->next_text;
    return &model->next.work;
}

bool app_open_model_give_up_layer(struct app_state *state)
{
    struct app_open_model *const model = state->model;
    if (model == NULL || model->next.content == NULL) {
        return false;
    }
    forget_ask(&model->next);
    open_model_stay_at_layer(model);
    return true;
}
