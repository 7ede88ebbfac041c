/* Takes what readings have made of a model or a file of attention: its layer goes onto the stages,
 * and its heads into the overview. app_open_model_follow, once a frame, lets text and layer follow
 * the document, where undo or a lesson took it. What a person is told of what was opened, and what
 * is selected in it first, is open_model_first.c's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/settings_store.h"
#include "app/open/import_dialog.h"
#include "app/open/open_model_internal.h"
#include "app/results/wants.h"
#include "base/translate.h"

/* Whose attention stands on the stages; a file has heads of one at a time. */
static enum model_attention shown_attention(const struct app_state *state)
{
    return state->model->subject.dump != NULL
               ? MODEL_SELF
               : open_model_attention_of(open_model_shown_reading(state),
                                         &state->document.experiment);
}

bool open_model_awaits_layer(const struct app_state *state)
{
    const struct app_open_model *const model = state->model;
    const struct subject_spot *const shown = &model->followed_spot;
    return model->layers > 0 && state->view.head_overview != NULL &&
           (model->layer != shown->layer || model->which != shown->which ||
            (model->head != shown->head && subject_sizes(&model->subject, model->which).one_head));
}

void open_model_stay_at_layer(struct app_open_model *model)
{
    model->which = model->followed_spot.which;
    open_model_look(model);
    model->layer = model->head_overview.layer =
        model->followed_spot.layer < model->layers ? model->followed_spot.layer : 0;
    model->head = model->followed_spot.head;
}

void open_model_note_followed(struct app_state *state)
{
    const struct value *const former = state->model->followed;
    state->model->followed = value_keep(state->document.reading);
    value_release(former);
    state->model->followed_spot = (struct subject_spot){
        shown_attention(state), state->document.experiment.layer, state->model->head};
}

/* Nothing was done to what the call named, and no file has it: to walk through its layers is no
 * work that could be lost, and the weights of the layer that is left are needed no more. */
static bool is_as_opened(const struct document *document)
{
    return !document_is_unsaved(document) && document->work->path[0] == '\0' &&
           document->lesson->steps == 0;
}

/* A layer that is ready onto the stages: as a step of history with a name, else in place. */
void open_model_put_ready(struct app_state *state, const struct open_model_ready *ready,
                          const char *name, double time)
{
    struct app_open_model *const model = state->model;
    if (ready->experiment.tokens == NULL) {
        app_state_show_message(state, time, "%s", ready->error.text);
        open_model_stay_at_layer(model);
        return;
    }
    struct lab_experiment experiment;
    lab_experiment_copy(&experiment, &ready->experiment);
    const bool is_named = name[0] != '\0';
    const struct open_model_reading *const reading = open_model_read_now(state, &experiment);
    if (reading != NULL && reading->source_words != NULL) {
        open_model_share_words(&experiment.context, reading->source_words);
    }
    if (reading != NULL) {
        const bool is_source = reading->source_words != NULL && model->which == MODEL_ENCODER;
        open_model_share_words(&experiment.tokens,
                               is_source ? reading->source_words : reading->words);
    }
    const bool walks = !is_named && is_as_opened(&state->document);
    document_change_read(&state->document, &experiment, ready->trace,
                         reading == NULL ? NULL : &reading->value, is_named ? name : NULL, time);
    value_release(reading == NULL ? NULL : &reading->value);
    lab_experiment_release(&experiment);
    if (walks) {
        document_note_saved(&state->document, &state->document.experiment);
    }
    if (is_named && state->begins_with_file) {
        state->begins_with_file = false;
        if (state->document.wanted == 1) { /* nothing was done while it was being opened */
            document_begin_here(&state->document);
            document_note_saved(&state->document, &state->document.experiment);
        }
    }
    open_model_note_followed(state);
    model->head_overview.layer = model->layer;
}

/* Returns whether the layer that was made ready is still the one that is wanted. */
static bool is_wanted(const struct app_state *state, const struct layer_ref *ref)
{
    const struct app_open_model *const model = state->model;
    const bool one_head = subject_sizes(&model->subject, model->which).one_head;
    return ref->spot.layer == model->layer && ref->spot.which == model->which &&
           (!one_head || ref->spot.head == model->head);
}

struct layer_ref open_model_wanted_layer(const struct app_state *state)
{
    const struct app_open_model *const model = state->model;
    return (struct layer_ref){.subject = model->subject,
                              .spot = {model->which, model->layer, model->head},
                              .residual = state->document.experiment.residual &&
                                          state->document.experiment.layers > 0,
                              .engine = state->document.engine};
}

static void show_now(struct app_state *state, const char *name, double time)
{
    const struct layer_ref ref = open_model_wanted_layer(state);
    const struct file_progress nobody = {NULL, NULL};
    struct open_model_ready ready = {.layer_ref = ref};
    (void)open_model_make_ready(&ref, &nobody, &ready);
    open_model_put_ready(state, &ready, name, time);
    open_model_ready_free(&ready);
}

void open_model_sort(struct app_open_model *model)
{
    struct view_head_overview *const head_overview = &model->head_overview;
    const struct lab_thumbnails *const thumbnails = model->thumbnails[model->which];
    head_overview->order = model->order;
    if (model->order == NULL ||
        (!head_overview->grouped && head_overview->head_measure >= LAB_HEAD_MEASURES) ||
        lab_thumbnails_ready(thumbnails) < lab_thumbnails_sizes(thumbnails).layers) {
        head_overview->order = NULL; /* or not known yet */
    } else if (head_overview->grouped) {
        lab_thumbnails_group(thumbnails, head_overview->sinks_aside, model->order);
    } else {
        lab_thumbnails_sort(thumbnails, head_overview->head_measure, head_overview->sinks_aside,
                            model->order);
    }
}

void open_model_look(struct app_open_model *model)
{
    struct view_head_overview *const head_overview = &model->head_overview;
    const bool pair = model->subject.model != NULL && model_has_target(model->subject.model);
    if (model->subject.model != NULL) {
        model->layers = subject_sizes(&model->subject, model->which).layers;
        head_overview->ids = model_tokenizer(model->subject.model) != NULL
                                 ? 0
                                 : model_config(model->subject.model)->vocabulary;
    }
    head_overview->attentions = pair ? OPEN_MODEL_ATTENTIONS : 1;
    head_overview->attention = (size_t)model->which;
    if (model->subject.dump != NULL) {
        open_model_look_at_sides(model);
    }
    head_overview->thumbnails = model->thumbnails[model->which];
    head_overview->off =
        model->subject.kind->reads && model->which == MODEL_SELF && model->off != NULL
            ? model->off->has
            : NULL;
    if (head_overview->thumbnails != NULL) {
        open_model_sort(model);
    }
}

/* Lists of its heads, and the title that counts them. */
static void make_lists(struct app_open_model *model)
{
    const size_t source =
        model->subject.model == NULL ? 0 : model_layers_of(model->subject.model, MODEL_ENCODER);
    const size_t heads = (model->layers > source ? model->layers : source) * model->heads;
    model->off = model->off == NULL
                     ? calloc(1, sizeof *model->off + heads * sizeof *model->off->has)
                     : model->off;
    if (model->off != NULL) {
        model->off->places = heads;
    }
    model->order = model->order == NULL ? calloc(heads, sizeof *model->order) : model->order;
    snprintf(model->title, sizeof model->title, tr("%s · %zu × %zu heads"), model->name,
             model->layers, model->heads);
}

/* Holds what was opened and read from now on, in place of the former. */
static void hold_opened(struct app_state *state, const struct open_model_work *work)
{
    struct app_open_model *const model = state->model;
    struct subject former = model->subject;
    model->subject = subject_keep(&work->subject);
    subject_release(&former);
    model->held = work->number;
    const struct subject_sizes sizes =
        subject_sizes(&model->subject, MODEL_SELF); /* as the title counts them */
    model->layers = sizes.layers;
    model->heads = sizes.heads;
    model->head_overview.groups = sizes.groups;
}

/* Takes what a model computed of its text. */
static void take_run(struct app_open_model *model, struct open_model_work *work)
{
    model->head_overview.computed =
        work->aim == OPEN_MODEL_APPEND ? 1 : model_run_count(work->subject.run);
    model->head_overview.cached =
        model_run_count(work->subject.run) - model->head_overview.computed;
}

static void take_opened(struct app_state *state, struct open_model_work *work, double time)
{
    struct app_open_model *const model = state->model;
    const bool opened = model->layers == 0;
    const bool reads = model->subject.kind->reads, was_chat = model->head_overview.chat != NULL;
    const struct lab_selection pinned = state->view.pinned;
    const size_t former = was_chat ? model->head_overview.chat_first : 0;
    hold_opened(state, work);
    if (reads) {
        take_run(model, work);
    } else {
        open_model_note_side(model);
    }
    open_model_free(state->results, model->former);
    model->former = NULL;
    for (size_t a = 0; a < OPEN_MODEL_ATTENTIONS; a++) {
        lab_thumbnails_release(model->thumbnails[a]);
        model->thumbnails[a] = lab_thumbnails_keep(work->thumbnails[a]);
        if (model->thumbnails[a] != NULL) {
            lab_thumbnails_take(model->thumbnails[a]);
        }
    }
    make_lists(model);
    model->head_overview.title = model->title;
    model->head_overview.opened = true;
    model->read.origin = work->read.origin;
    if (opened && model->subject.run != NULL) { /* as the call that computed it has changed it */
        const struct model_interventions list = model_run_interventions(model->subject.run);
        (void)open_model_want_changes(model, list.row, list.count);
    }
    if (opened && !(reads && model_has_target(model->subject.model))) {
        model->which = MODEL_SELF;
    }
    const bool restores = opened && model->restored != NULL;
    if (restores && !open_model_take_kept(state, work)) {
        app_state_show_message(state, time,
                               "%.60s is not the model that this session was saved with: its layer "
                               "stands alone.",
                               model->name);
        app_open_model_close(state);
        return;
    }
    open_model_look(model);
    if (reads) {
        open_model_look_at_message(model);
        open_model_tell_no_guess(state, time);
    }
    if (opened && !restores) {
        app_state_close_lesson(state);
        app_state_go(state, model->first_stage, time);
        model->layer = model->layer < model->layers ? model->layer : 0;
        state->view.prefs.whole_alpha = true;
        state->view.zoom = (struct view_zoom){0};
        open_model_tell_opened(state, work->text == NULL && work->read.origin == TEXT_WRITTEN,
                               time);
        app_state_store_file(state, model->path);
        model->head = model->head < model->heads ? model->head : 0;
        state->view.pinned.head = model->head;
    }
    if (work->name[0] != '\0' && is_wanted(state, &work->ready.layer_ref) &&
        (work->ready.experiment.tokens != NULL || work->ready.error.code != ERROR_NONE)) {
        open_model_put_ready(state, &work->ready, work->name, time);
    } else if (work->name[0] != '\0' && open_model_has_layer(model)) {
        show_now(state, work->name, time); /* another layer was chosen in between */
    } else if (work->name[0] != '\0') {    /* the layer that was chosen is not computed yet */
        const size_t wanted = model->layer;
        model->layer = work->ready.layer_ref.spot.layer;
        open_model_put_ready(state, &work->ready, work->name, time);
        model->layer = model->head_overview.layer = wanted;
    }
    if (opened && !restores) {
        open_model_select_first_head(state, time);
    } else if (!restores && was_chat != (model->head_overview.chat != NULL)) {
        open_model_follow_message(state, &pinned, former);
    }
    state->view.head_overview =
        state->document.experiment.layers > 0 ? &model->head_overview : NULL;
}

/* Another attention of the file that is open, in place. */
static void take_side(struct app_state *state, struct open_model_work *work, double time)
{
    struct app_open_model *const model = state->model;
    hold_opened(state, work);
    open_model_note_side(model);
    lab_thumbnails_release(model->thumbnails[MODEL_SELF]);
    model->thumbnails[MODEL_SELF] = NULL;
    free(model->off); /* as many as that has heads */
    free(model->order);
    model->off = NULL;
    model->order = NULL;
    make_lists(model);
    app_dump_options_release(model->options);
    model->options = app_dump_options_keep(work->options);
    model->layer = work->ready.layer_ref.spot.layer;
    model->head = work->ready.layer_ref.spot.head;
    open_model_look(model);
    if (!open_model_shows_side(state, (size_t)lab_dump_facts(model->subject.dump)->shown)) {
        state->view.let_go = false;
        open_model_put_ready(state, &work->ready, "", time);
    }
    app_state_clamp(state);
}

/* The experiment may have become another by undo, redo or a lesson: the text and the layer follow
 * it. */
static void follow_document(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    const struct lab_experiment *const experiment = &state->document.experiment;
    const struct open_model_reading *const reading = open_model_shown_reading(state);
    const enum model_attention which = shown_attention(state);
    if (model->layers == 0 ||
        (model->followed == state->document.reading &&
         model->followed_spot.layer == experiment->layer && model->followed_spot.which == which &&
         state->view.head_overview != NULL)) {
        return;
    }
    open_model_note_followed(state);
    state->view.head_overview = experiment->layers > 0 ? &model->head_overview : NULL;
    if (experiment->layers == 0) {
        return;
    }
    if (model->subject.dump != NULL && reading != NULL &&
        open_model_show_side(state, reading->side, time)) {
        return;
    }
    model->which = which;
    open_model_look(model);
    model->layer = model->head_overview.layer =
        experiment->layer < model->layers ? experiment->layer : 0;
    if (reading == NULL || !model->subject.kind->reads) {
        if (model->subject.kind
                ->reads) { /* a layer of something else: these heads are not beside it */
            state->view.head_overview = NULL;
        }
        return;
    }
    model_share_layer(model->subject.model, model->which, model->layer, experiment);
    (void)open_model_want_changes(model, reading->change, reading->changes);
    if (open_model_is_of_run(model, reading)) {
        model->read.origin = reading->origin;
        open_model_look_at_message(model);
    } else {
        (void)open_model_ask_for(state, reading, "", time);
    }
}

/* A switch that was given up: it is as the text that still stands there has it. */
static void give_switches_back(const struct app_state *state)
{
    const struct open_model_reading *const reading = open_model_shown_reading(state);
    if (reading != NULL) {
        (void)open_model_want_changes(state->model, reading->change, reading->changes);
    }
}

/* The reading is of another attention of the file than the one that is open. */
static bool is_other_side(const struct app_open_model *model, const struct open_model_work *work)
{
    return model->subject.dump != NULL && work->options != model->options;
}

static void look_at_all_heads(struct app_state *state, double time)
{
    struct open_model_work *const work = open_model_new_work(state, NULL, "");
    if (work != NULL) {
        work->aim = OPEN_MODEL_SCAN;
    }
    (void)open_model_begin(state, work, time);
}

/* A file of attention is open: its first layer is shown, and all heads are looked at from now on.
 */
static void look_on(struct app_state *state, double time)
{
    open_model_tell_dump(state, time);
    look_at_all_heads(state, time);
}

/* The kind of the arrays has to be said: it is not what their names or numbers would tell. */
static bool is_unclear(const struct app_open_model *model, const struct open_model_work *work)
{
    const bool is_guess =
        work->subject.dump != NULL && lab_dump_facts(work->subject.dump)->is_guess;
    return model->subject.dump == NULL && work->options != NULL &&
           work->options->doubt == DUMP_DOUBT_IS_ASKED &&
           (work->error.code == ERROR_UNCLEAR || is_guess);
}

/* Nothing is opened yet, and the panel is up. */
static void ask_about(struct app_state *state, struct open_model_work *work, double time)
{
    struct lab_dump *const list = work->list;
    const bool fails = work->error.code != ERROR_NONE;
    char doubt[sizeof work->error.text] = "";
    if (!fails && work->subject.dump != NULL) { /* which goes with the work */
        snprintf(doubt, sizeof doubt, "%s", lab_dump_facts(work->subject.dump)->doubt);
    }
    work->list = NULL;
    char path[LAB_MODEL_PATH_MAX]; /* the work's goes with the model that is not open */
    snprintf(path, sizeof path, "%s", work->path);
    subject_release(&work->subject);
    open_model_bring_back(state);
    if (!app_import_open(state, path, list, &work->options->request,
                         fails              ? work->error.text
                         : doubt[0] != '\0' ? doubt
                                            : tr("Its names do not tell what its arrays are."))) {
        app_state_show_message(state, time, "%s", work->error.text);
    }
}

void open_model_leave_word(struct app_open_model *model, size_t count)
{
    if (count > 0 && model_run_count(model->subject.run) != count - 1) {
        value_release(model->followed); /* so that it is followed anew */
        model->followed = NULL;
    }
}

/* All is as it was: `work`, which is not wanted any more, came to nothing. */
static void go_back(struct app_state *state, const struct open_model_work *work, double time)
{
    struct app_open_model *const model = state->model;
    if (model->subject.run != NULL) {
        give_switches_back(state);
    }
    if (model->layers == 0) {
        open_model_bring_back(state); /* it never opened */
    } else if (is_other_side(model, work) && model->thumbnails[MODEL_SELF] == NULL) {
        look_at_all_heads(state, time);
    }
}

void open_model_leave_work(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    const struct value *const work = value_keep(model->reading.content);
    open_model_cancel(state, model);
    go_back(state, (const struct open_model_work *)work, time);
    value_release(work);
}

/* A file of the call that cannot be opened is said where the call was made, too. */
static void tell_caller(struct app_state *state, const struct error *error)
{
    if (state->begins_with_file) {
        state->begins_with_file = false;
        fprintf(stderr, "attnscope: %s\n", error->text);
    }
}

static void take_work(struct app_state *state, struct open_model_work *work,
                      const struct error *error, double time)
{
    struct app_open_model *const model = state->model;
    const bool opened_dump = work->subject.dump != NULL && model->subject.dump == NULL;
    const bool other_side = is_other_side(model, work);
    const bool lost = model->layers == 0 && model->restored == NULL && error->code == ERROR_NONE &&
                      work->ready.error.code != ERROR_NONE;
    const bool is_whole = error->code == ERROR_NONE && !lost;
    if (is_unclear(model, work)) {
        ask_about(state, work, time);
    } else if (is_whole && other_side && work->ready.experiment.tokens != NULL) {
        take_side(state, work, time);
        look_on(state, time);
    } else if (is_whole && !other_side) {
        take_opened(state, work, time);
        if (opened_dump) {
            look_on(state, time);
        }
    } else { /* without its first layer nothing is opened */
        const struct error *const why = error->code != ERROR_NONE ? error : &work->ready.error;
        if (why->code != ERROR_NONE && model->restored != NULL) {
            app_state_show_message(state, time, "The layer stands alone, without its model. %s",
                                   why->text);
        } else if (why->code != ERROR_NONE) {
            app_state_show_message(state, time, "%s", why->text);
            tell_caller(state, why);
        }
        subject_release(&work->subject);
        open_model_leave_word(model, work->aim == OPEN_MODEL_APPEND ? work->read.count : 0);
        go_back(state, work, time);
    }
}

struct finding open_model_want_reading(struct app_state *state)
{
    const struct open_model_ask *const ask = &state->model->reading;
    return results_want_of(state->results, &ask->want, ask->content, SLOT_READING);
}

/* What was read is taken when it is there. */
static void follow_reading(struct app_state *state, double time)
{
    const struct finding finding = open_model_want_reading(state);
    const struct open_model_ask ask = state->model->reading;
    if (finding.found == FOUND_WHOLE || finding.found == FOUND_FAILED) {
        state->model->reading = (struct open_model_ask){.content = NULL};
        results_forget(state->results, &ask.want);
        take_work(state, (struct open_model_work *)ask.content, &finding.error, time);
        value_release(ask.content);
    }
}

void open_model_finish_reading(struct app_state *state, double time)
{
    (void)open_model_want_reading(state); /* where no frame has wanted it yet */
    results_finish(state->results, &state->model->reading.want);
    follow_reading(state, time);
    app_open_model_follow(state, time);
}

void app_open_model_follow(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    if (model == NULL) {
        return;
    }
    if (!open_model_is_reading(model)) {
        follow_document(state, time);
        open_model_go_ahead(state, time);
    }
    if (open_model_is_reading(model)) {
        follow_reading(state, time);
    }
}

bool app_open_model_waits(const struct app_state *state)
{
    const struct app_open_model *const model = state->model;
    return model != NULL && (open_model_is_reading(model) || open_model_awaits_layer(state) ||
                             open_model_awaits_around(model) || open_model_awaits_heads(state) ||
                             open_model_is_on_its_way(&model->logits));
}
