/* Saves with a session which model, ids and switched heads its layer came from, and opens that
 * model again beside the layer. */
#include "app/open/open_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"

/* The requests that wait until the model is open. */
struct open_model_kept {
    enum model_attention which;
    char order[32];
    bool sinks_aside;
    double temperature;
};

static const char KINDS[] = "kinds"; /* an order of heads */

static void put_order(const struct view_head_overview *overview, char order[32])
{
    const char *const name = overview->grouped ? KINDS
                             : overview->head_measure < LAB_HEAD_MEASURES
                                 ? lab_head_measure_row(overview->head_measure)->name
                                 : "";
    snprintf(order, 32, "%s", name);
}

static void take_order(struct view_head_overview *overview, const char *order)
{
    overview->grouped = strcmp(order, KINDS) == 0;
    overview->head_measure = LAB_HEAD_MEASURES;
    for (size_t h = 0; h < LAB_HEAD_MEASURES; h++) {
        if (strcmp(order, lab_head_measure_row((enum lab_head_measure)h)->name) == 0) {
            overview->head_measure = (enum lab_head_measure)h;
        }
    }
}

void app_open_model_kept(const struct app_state *state, struct lab_step_model *kept)
{
    const struct app_open_model *const model = state->model;
    const struct lab_experiment *const experiment = document_present(&state->document);
    *kept = (struct lab_step_model){.path = NULL};
    const bool is_open = model != NULL && model->layers > 0 && model->subject.kind->reads;
    const struct open_model_reading *const text =
        is_open && experiment->layers > 0 ? open_model_present_reading(state) : NULL;
    if (text == NULL || model->full_path[0] == '\0') {
        return;
    }
    *kept = (struct lab_step_model){.path = model->full_path,
                                    .ids = text->ids,
                                    .count = text->count,
                                    .source = text->source,
                                    .source_count = text->source_count,
                                    .typed = text->source_count > 0 && text->origin != TEXT_WRITTEN,
                                    .chat = text->origin == TEXT_OF_CHAT,
                                    .off = text->off->has,
                                    .places = text->off->places,
                                    .changes = text->written,
                                    .change_count = text->written_count,
                                    .attention = (size_t)open_model_attention_of(text, experiment),
                                    .sinks_aside = model->head_overview.sinks_aside,
                                    .folded = state->view.prefs.head_overview_folded,
                                    .temperature = model->head_overview.temperature};
    put_order(&model->head_overview, kept->order);
}

/* Returns whether its lists are those of the layer's words. */
static bool fits_words(const struct lab_step_model *kept, const struct lab_experiment *experiment)
{
    const size_t words = lab_words_count(experiment->tokens);
    const bool pair = kept->source_count > 0;
    return kept->count > 0 && (pair || kept->attention == MODEL_SELF) &&
           words == (kept->attention == MODEL_ENCODER ? kept->source_count : kept->count) &&
           (kept->attention == MODEL_CROSS) == (experiment->context != NULL) &&
           (experiment->context == NULL ||
            lab_words_count(experiment->context) == kept->source_count);
}

/* The shown words were read so, with lists of their own. False: no memory. */
static bool note_reading(struct app_state *state, const struct open_model_reading *read)
{
    const struct app_open_model *const model = state->model;
    const struct lab_experiment *const experiment = &state->document.experiment;
    const bool encoder = model->which == MODEL_ENCODER;
    struct open_model_reading own = *read;
    own.words = encoder ? open_model_words(model, MODEL_WRITTEN, read->ids, read->count)
                        : lab_words_keep(experiment->tokens);
    own.source_words = read->source_count == 0 ? NULL
                       : encoder               ? lab_words_keep(experiment->tokens)
                       : experiment->context != NULL
                           ? lab_words_keep(experiment->context)
                           : open_model_words(model, MODEL_READ, read->source, read->source_count);
    const struct open_model_reading *const reading = open_model_new_reading(state, &own);
    if (reading != NULL) {
        document_note_reading(&state->document, &reading->value);
        value_release(&reading->value);
    }
    return reading != NULL;
}

static void look_as(struct app_open_model *model, const char *order, bool sinks_aside,
                    double temperature)
{
    take_order(&model->head_overview, order);
    model->head_overview.sinks_aside = sinks_aside;
    model->head_overview.temperature = temperature;
}

struct open_model_reading open_model_kept_reading(const struct lab_step_model *kept)
{
    return (struct open_model_reading){.ids = (uint32_t *)kept->ids,
                                       .count = kept->count,
                                       .source = (uint32_t *)kept->source,
                                       .source_count = kept->source_count,
                                       .origin = kept->chat    ? TEXT_OF_CHAT
                                                 : kept->typed ? TEXT_TYPED
                                                               : TEXT_WRITTEN};
}

bool open_model_ask_kept(struct app_open_model *model, const struct lab_step_model *kept)
{
    model->restored = calloc(1, sizeof *model->restored);
    if (model->restored == NULL) {
        return false;
    }
    *model->restored = (struct open_model_kept){.which = (enum model_attention)kept->attention,
                                                .sinks_aside = kept->sinks_aside,
                                                .temperature = kept->temperature};
    snprintf(model->restored->order, sizeof model->restored->order, "%s", kept->order);
    return true;
}

void open_model_forget_kept(struct open_model_kept *kept)
{
    free(kept);
}

/* The sizes of the layer are those of the model. */
static bool is_its_layer(const struct app_open_model *model,
                         const struct lab_experiment *experiment)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    return experiment->layers == subject_sizes(&model->subject, model->which).layers &&
           experiment->layer < experiment->layers && sizes.heads == model->heads &&
           (sizes.raw || sizes.d_model == model_config(model->subject.model)->width);
}

bool open_model_take_kept(struct app_state *state, struct open_model_work *work)
{
    struct app_open_model *const model = state->model;
    const struct lab_experiment *const experiment = &state->document.experiment;
    const struct open_model_kept kept = *model->restored;
    open_model_forget_kept(model->restored);
    model->restored = NULL;
    model->which = model_has_target(model->subject.model) ? kept.which : MODEL_SELF;
    model->layers = subject_sizes(&model->subject, model->which).layers;
    struct open_model_reading text = work->read;
    (void)open_model_want_changes(model, text.change, text.changes);
    look_as(model, kept.order, kept.sinks_aside, kept.temperature);
    if (experiment->layers == 0) { /* something else stands there by now */
        return true;
    }
    model->layer = experiment->layer < model->layers ? experiment->layer : 0;
    model->head_overview.layer = model->layer;
    model->head = state->view.pinned.head;
    const bool fits = is_its_layer(model, experiment) && note_reading(state, &text);
    open_model_note_followed(state);
    return fits;
}

/* The model is open already, perhaps with another text. */
static void look_again(struct app_state *state, const struct lab_step_model *kept, double time)
{
    struct app_open_model *const model = state->model;
    const struct lab_experiment *const experiment = &state->document.experiment;
    model->which = (enum model_attention)kept->attention;
    if (is_its_layer(model, experiment)) {
        struct arena arena = {0};
        struct error error = {ERROR_NONE, 0, ""};
        struct open_model_reading text = open_model_kept_reading(kept);
        if (!open_model_read_changes(kept, &arena, &text, &error)) {
            app_state_show_message(state, time, "%s", error.text);
        }
        text.changes =
            open_model_fitting_changes(text.change, text.changes, model->heads, text.count);
        (void)note_reading(state, &text); /* and the frame follows it */
        look_as(model, kept->order, kept->sinks_aside, kept->temperature);
        open_model_look(model);
        arena_free(&arena);
    }
}

/* The very text of it is being read already. */
static bool is_on_its_way(const struct app_open_model *model, const struct lab_step_model *kept)
{
    const struct open_model_work *const work = model == NULL ? NULL : open_model_pending(model);
    return work != NULL && model->layers == 0 && model->restored != NULL &&
           strcmp(model->full_path, kept->path) == 0 && work->read.count == kept->count &&
           memcmp(work->read.ids, kept->ids, kept->count * sizeof *kept->ids) == 0 &&
           work->read.source_count == kept->source_count &&
           (kept->source_count == 0 || memcmp(work->read.source, kept->source,
                                              kept->source_count * sizeof *kept->source) == 0) &&
           model->restored->which == (enum model_attention)kept->attention &&
           model->restored->sinks_aside == kept->sinks_aside &&
           strcmp(model->restored->order, kept->order) == 0;
}

void app_open_model_restore(struct app_state *state, const struct lab_step_model *kept, double time)
{
    const struct app_open_model *const model = state->model;
    const struct lab_experiment *const experiment = &state->document.experiment;
    if (kept->path == NULL || experiment->layers == 0 || !fits_words(kept, experiment) ||
        is_on_its_way(model, kept)) {
        return;
    }
    state->view.prefs.head_overview_folded = kept->folded;
    if (model != NULL && model->layers > 0 && model->subject.model != NULL &&
        strcmp(model->full_path, kept->path) == 0 &&
        model_has_target(model->subject.model) == (kept->source_count > 0)) {
        look_again(state, kept, time);
        return;
    }
    struct file_handle *const file = file_handle_open(kept->path);
    if (file_kind_opens(file_handle_kind(file), FILE_AS_MODEL)) {
        open_model_open_kept(state, kept, file, time);
    } else {
        app_state_show_message(state, time,
                               "Its model is not at %.120s any more: the layer stands alone.",
                               kept->path);
    }
    file_handle_release(file);
}
