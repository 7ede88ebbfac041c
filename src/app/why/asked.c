/* What both computations begin with: the run of the text, and the words that are meant. */
#include <math.h>

#include "app/why/why_internal.h"
#include "lab/run/sample.h"
#include "why/intervention_text.h"

struct model_interventions why_changes_of(const struct why_asked *asked)
{
    return (struct model_interventions){asked->change, asked->changes};
}

struct view_why_row *why_rows_shown(struct model_interventions changes, struct arena *arena)
{
    struct view_why_row *const row = arena_array(arena, changes.count + 1, sizeof *row);
    for (size_t c = 0; row != NULL && c < changes.count; c++) {
        const struct model_intervention *const one = &changes.row[c];
        const bool is_number = one->row != MODEL_EACH && one->column != MODEL_EACH;
        row[c] = (struct view_why_row){.name = why_intervention_name(one, arena),
                                       .kind = one->by == MODEL_BY_MEAN ? VIEW_WHY_ROW_MEAN
                                               : isinf(one->value)      ? VIEW_WHY_ROW_MASKED
                                               : is_number              ? VIEW_WHY_ROW_SET
                                                                        : VIEW_WHY_ROW_OFF,
                                       .value = (double)one->value};
        if (row[c].name == NULL) {
            return NULL;
        }
    }
    return row;
}

static bool on_layer(void *listener, size_t layer, size_t layers)
{
    (void)layer;
    (void)layers;
    return !atomic_load((const atomic_bool *)listener);
}

static struct model_run *start_run(struct slice *slice, const struct why_asked *asked,
                                   struct model_interventions changes)
{
    const bool pair = asked->source != NULL;
    const struct model_request request = {
        .ids = pair ? asked->source : asked->ids,
        .count = pair ? asked->source_count : asked->count,
        .target_ids = pair ? asked->ids : NULL,
        .target_count = pair ? asked->count : 0,
        .interventions = changes,
        .layers = pair ? 0 : 1,
        .engine = asked->engine,
        .on_layer = slice->is_stopped == NULL ? NULL : on_layer,
        .listener = (void *)slice->is_stopped,
    };
    return model_run_start(asked->model, &request, &slice->error);
}

enum slice_end why_go_on(struct slice *slice, const struct why_asked *asked,
                         struct model_interventions changes, struct model_run **run)
{
    const size_t layers = model_layers_of(asked->model, MODEL_SELF);
    bool done = true;
    if (*run == NULL) {
        *run = start_run(slice, asked, changes);
        done = *run != NULL;
    }
    if (done) {
        model_run_listen(*run, slice->is_stopped == NULL ? NULL : on_layer,
                         (void *)slice->is_stopped);
    }
    while (done && model_run_layers(*run) < layers && !slice_is_over(slice)) {
        done = model_run_go_on(*run, model_run_layers(*run) + 1, &slice->error);
    }
    if (*run != NULL) {
        model_run_listen(*run, NULL, NULL); /* the slice ends before the run */
    }
    return !done && slice->error.code != ERROR_NONE   ? SLICE_FAILED
           : !done || model_run_layers(*run) < layers ? SLICE_MORE
                                                      : SLICE_DONE;
}

void why_complete_question(const struct why_asked *asked, const float *logits,
                           struct why_question *question)
{
    const size_t vocabulary = model_config(asked->model)->vocabulary;
    uint32_t best[2] = {0, 0};
    *question = asked->question;
    (void)lab_find_largest(logits, vocabulary, 2, best);
    question->word = asked->has_word ? question->word : best[0];
    question->rival = asked->is_rival_given       ? question->rival
                      : best[0] == question->word ? best[1]
                                                  : best[0];
    question->has_rival = asked->has_rival && question->rival != question->word;
}
