/* What of an open model takes time to show: the layer that is wanted on the stages, until it stands
 * there, what is around the attention of the one that does, and layers with their heads that a text
 * lacks yet. Each frame asks for them, and they are computed in slices. Layers that a run has
 * computed are read while it computes others, so these have no lane. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "app/results/wants.h"
#include "base/translate.h"

struct layer_request {
    struct value value;
    struct layer_ref ref; /* its subject is held */
};

const struct layer_ref *open_model_requested(const struct value *content)
{
    return &((const struct layer_request *)content)->ref;
}

/* ---- the layer ------------------------------------------------------------------------------- */

static void drop_layer_request(struct value *value)
{
    struct layer_request *const request = (struct layer_request *)value;
    subject_release(&request->ref.subject);
    free(request);
}

static void drop_layer(struct value *value)
{
    open_model_ready_free(&((struct open_model_layer *)value)->ready);
    free(value);
}

/* Returns whether a layer is no work that would delay a frame. */
static bool is_small(const struct slice *slice)
{
    enum { LARGE = 1 << 18 };
    const struct layer_ref *const ref = open_model_requested(slice->content);
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
    const struct layer_ref *const ref = open_model_requested(slice->content);
    const struct file_progress progress = {on_rows, slice};
    struct open_model_layer *const made = calloc(1, sizeof *made);
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
    struct open_model_around *const around = (struct open_model_around *)value;
    lab_block_release(around->block);
    free(around->stream);
    subject_release(&around->subject);
    free(around);
}

/* Copies what goes into the layer, before its layer norm; the run may not touch it any more. */
static bool copy_stream(struct open_model_around *around, const struct layer_ref *ref)
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
    const struct layer_ref *const ref = open_model_requested(slice->content);
    struct open_model_around *const around = calloc(1, sizeof *around);
    struct subject unread = ref->subject;
    unread.run = NULL;
    if (around == NULL || !copy_stream(around, ref)) {
        free(around);
        (void)no_memory(&slice->error);
        return SLICE_FAILED;
    }
    struct error no_block = {ERROR_NONE, 0, ""};
    around->subject = subject_keep(&unread);
    around->block = subject_block(&ref->subject, &ref->spot, &no_block);
    if (around->block == NULL && no_block.code == ERROR_FILE) {
        /* A file that was refused once may be there again: a disk that woke, a network that is
         * back. Without the block the stages are there all the same. */
        around->block = subject_block(&ref->subject, &ref->spot, &no_block);
    }
    value_begin(&around->value,
                sizeof *around + 8 * around->rows * around->cols * sizeof *around->stream,
                drop_around);
    slice->value = &around->value;
    return SLICE_DONE;
}

const struct result_kind open_model_around_kind = {.is_small = is_small, .work = look_around};

const struct value *open_model_request_layer(const struct layer_ref *ref)
{
    struct layer_request *const request = calloc(1, sizeof *request);
    if (request == NULL) {
        return NULL;
    }
    value_begin(&request->value, sizeof *request, drop_layer_request);
    request->ref = *ref;
    request->ref.subject = subject_keep(&ref->subject);
    return &request->value;
}

/* ---- layers and heads ------------------------------------------------------------------------ */

static void drop_heads_request(struct value *value)
{
    struct open_model_heads_request *const request = (struct open_model_heads_request *)value;
    subject_release(&request->subject);
    lab_thumbnails_release(request->thumbnails);
    free(request);
}

static bool on_layer(void *listener, size_t layer, size_t layers)
{
    const struct slice *const slice = listener;
    slice_report(slice, (float)layer / (float)layers);
    return !atomic_load(slice->is_stopped);
}

static bool on_head(void *owner, size_t done, size_t all)
{
    (void)done;
    (void)all;
    return !atomic_load(((const struct slice *)owner)->is_stopped);
}

/* Layers and their heads by turns, as many as the slice has time for. */
static bool fill_layers(struct open_model_heads_request *request, struct slice *slice)
{
    const struct subject_look look = {MODEL_SELF, request->engine, on_head, slice};
    const struct subject *const subject = &request->subject;
    const size_t all = subject_sizes(subject, MODEL_SELF).layers;
    size_t layers = model_run_layers(subject->run);
    struct error *const error = &slice->error;
    bool done = subject_look_at_heads(subject, &look, layers, &request->thumbnails, error);
    while (done && layers < all && !slice_is_over(slice)) {
        const struct subject_spot next = {.layer = layers++};
        done = subject_compute(subject, &next, error) &&
               subject_look_at_heads(subject, &look, layers, &request->thumbnails, error);
    }
    return done;
}

static enum slice_end compute_heads(struct slice *slice)
{
    struct open_model_heads_request *const request =
        (struct open_model_heads_request *)slice->content;
    struct model_run *const run = request->subject.run;
    model_run_listen(run, on_layer, slice);
    const bool done = fill_layers(request, slice);
    model_run_listen(run, NULL, NULL); /* the slice ends before the run */
    if (!done) {
        return slice->error.code == ERROR_NONE ? SLICE_MORE : SLICE_FAILED; /* it was stopped */
    }
    struct value *const heads = malloc(sizeof *heads); /* the thumbnails hold what was found */
    if (heads == NULL) {
        (void)error_set(&slice->error, ERROR_MEMORY, "There is not enough memory for this text.");
        return SLICE_FAILED;
    }
    value_begin(heads, sizeof *heads, NULL);
    slice->value = heads;
    const bool is_whole =
        model_run_layers(run) == subject_sizes(&request->subject, MODEL_SELF).layers;
    return is_whole ? SLICE_DONE : SLICE_MORE;
}

const struct result_kind open_model_heads_kind = {.work = compute_heads};

const struct value *open_model_request_heads(const struct app_state *state)
{
    struct open_model_heads_request *const request = calloc(1, sizeof *request);
    if (request == NULL) {
        return NULL;
    }
    value_begin(&request->value, sizeof *request, drop_heads_request);
    request->subject = subject_keep(&state->model->subject);
    request->engine = state->document.engine;
    request->thumbnails = lab_thumbnails_keep(state->model->thumbnails[MODEL_SELF]);
    return &request->value;
}

/* ---- what a frame asks for ------------------------------------------------------------------- */

void open_model_forget_ask(struct open_model_ask *ask)
{
    value_release(ask->content);
    *ask = (struct open_model_ask){.content = NULL};
}

bool open_model_is_on_its_way(const struct open_model_ask *ask)
{
    return ask->content != NULL && ask->found < FOUND_WHOLE;
}

void open_model_stop_layers(struct app_state *state)
{
    struct open_model_ask *const ask[] = {&state->model->next,       &state->model->next_around,
                                          &state->model->around,     &state->model->missing,
                                          &state->model->weighed,    &state->model->logits,
                                          &state->model->kept_logits};
    for (size_t a = 0; a < sizeof ask / sizeof *ask; a++) {
        struct want want = ask[a]->want;
        results_stop(state->results, &want);
        want.kind = WANT_AROUND;
        results_stop(state->results, &want);
    }
}

void open_model_forget_asks(struct app_open_model *model)
{
    open_model_forget_ask(&model->reading);
    open_model_forget_ask(&model->next);
    open_model_forget_ask(&model->next_around);
    open_model_forget_ask(&model->around);
    open_model_forget_ask(&model->missing);
    open_model_forget_ask(&model->weighed);
    open_model_forget_ask(&model->logits);
    open_model_forget_ask(&model->kept_logits);
}

bool open_model_has_layer(const struct app_open_model *model)
{
    const struct subject_spot spot = {.which = model->which, .layer = model->layer};
    return subject_is_computed(&model->subject, &spot);
}

/* ---- layers that are missing ----------------------------------------------------------------- */

/* The heads that were looked at so far are shown, whatever else comes. */
static void show_looked_at(struct app_open_model *model)
{
    struct lab_thumbnails *const thumbnails = model->thumbnails[MODEL_SELF];
    if (thumbnails != NULL && lab_thumbnails_take(thumbnails)) {
        open_model_sort(model);
    }
}

/* Some layers are not computed yet, or not looked at, and are to be shown. */
static bool lacks_layers(const struct app_state *state)
{
    const struct app_open_model *const model = state->model;
    if (model->subject.run == NULL || model->layers == 0 || state->view.head_overview == NULL) {
        return false;
    }
    const struct lab_thumbnails *const thumbnails = model->thumbnails[MODEL_SELF];
    return lab_thumbnails_ready(thumbnails) < lab_thumbnails_sizes(thumbnails).layers;
}

bool open_model_awaits_heads(const struct app_state *state)
{
    return lacks_layers(state) && state->model->missing.found < FOUND_WHOLE;
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
    const struct value *const content = open_model_request_heads(state);
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
    const bool lacks = lacks_layers(state);
    if (!lacks || !ask_for_heads(state, time)) {
        open_model_forget_ask(ask);
        ask->found = lacks ? FOUND_FAILED : FOUND_NOTHING; /* no memory: they are not waited for */
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

static const struct view_work *work_ahead(struct app_open_model *model, char *text, size_t size)
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

/* ---- the wanted layer, and what is around it ------------------------------------------------- */

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
    open_model_follow_weighed(state, time);
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
        return work_ahead(model, model->told, sizeof model->told);
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
