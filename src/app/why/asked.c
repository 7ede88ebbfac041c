/* The beginning of both computations: the run of the text, and the words that are meant. */
#include <math.h>
#include <string.h>

#include "app/why/why_internal.h"
#include "lab/run/sample.h"
#include "why/intervention_text.h"

struct model_interventions why_changes_of(const struct why_asked *asked)
{
    return (struct model_interventions){asked->change, asked->changes};
}

/* "L0H2 is → hammer": the words of a pair that is masked. */
static const char *pair_name(const struct app_open_model_text *text,
                             const struct model_intervention *one, struct arena *arena)
{
    const char *const query =
        model_shown_of(text->model, MODEL_WRITTEN, text->ids[one->row], arena);
    const char *const key =
        model_shown_of(text->model, MODEL_WRITTEN, text->ids[one->column], arena);
    return query == NULL || key == NULL
               ? NULL
               : arena_format(arena, "L%zuH%zu %s → %s", one->layer, one->head, query, key);
}

/* "L0H1.alpha[8,5]": a number that is set. */
static const char *set_name(const struct model_intervention *one, struct arena *arena)
{
    const char *const written = why_intervention_written(one, arena);
    return written == NULL ? NULL : arena_text(arena, written, strcspn(written, "="));
}

static struct view_why_row *list_rows(const struct app_open_model_text *text, struct arena *arena)
{
    struct view_why_row *const row = arena_array(arena, text->changes + 1, sizeof *row);
    for (size_t c = 0; row != NULL && c < text->changes; c++) {
        const struct model_intervention *const one = &text->change[c];
        const bool is_pair =
            isinf(one->value) && one->row < text->count && one->column < text->count;
        const bool is_part = one->node == MODEL_NODE_Z || one->node == MODEL_NODE_MLP ||
                             one->node == MODEL_NODE_NEURONS;
        const bool is_zero = !(one->value < 0) && !(one->value > 0);
        const bool is_off = is_part && is_zero;
        row[c] = (struct view_why_row){.kind = one->by == MODEL_BY_MEAN     ? VIEW_WHY_ROW_MEAN
                                               : one->by == MODEL_BY_SOURCE ? VIEW_WHY_ROW_PATCHED
                                               : is_pair                    ? VIEW_WHY_ROW_MASKED
                                               : is_off                     ? VIEW_WHY_ROW_OFF
                                                                            : VIEW_WHY_ROW_SET,
                                       .layer = one->layer,
                                       .head = one->head,
                                       .word = one->row,
                                       .is_of_run = c < text->offs,
                                       .value = (double)one->value};
        row[c].name = row[c].kind == VIEW_WHY_ROW_MASKED ? pair_name(text, one, arena)
                      : row[c].kind == VIEW_WHY_ROW_SET  ? set_name(one, arena)
                                                         : why_intervention_name(one, arena);
        if (row[c].name == NULL) {
            return NULL;
        }
    }
    return row;
}

struct view_why_row *why_rows_shown(const struct why_asked *asked, struct arena *arena)
{
    const struct app_open_model_text text = {.model = asked->model,
                                             .ids = asked->ids,
                                             .change = asked->change,
                                             .count = asked->count,
                                             .changes = asked->changes,
                                             .offs = asked->offs};
    return list_rows(&text, arena);
}

const char *app_why_list_changes(const struct app_open_model_text *text, struct arena *arena)
{
    const struct view_why_row *const row = list_rows(text, arena);
    return row == NULL ? "" : view_why_list_changes(row, text->changes, arena);
}

static bool on_layer(void *listener, size_t layer, size_t layers)
{
    (void)layer;
    (void)layers;
    return !atomic_load((const atomic_bool *)listener);
}

struct model_request why_request_of(const struct why_asked *asked)
{
    const bool pair = asked->source != NULL;
    return (struct model_request){.ids = pair ? asked->source : asked->ids,
                                  .count = pair ? asked->source_count : asked->count,
                                  .target_ids = pair ? asked->ids : NULL,
                                  .target_count = pair ? asked->count : 0,
                                  .layers = pair ? 0 : 1,
                                  .engine = asked->engine};
}

static struct model_run *start_run(struct slice *slice, const struct why_asked *asked,
                                   struct model_interventions changes)
{
    struct model_request request = why_request_of(asked);
    request.interventions = changes;
    request.on_layer = slice->is_stopped == NULL ? NULL : on_layer;
    request.listener = (void *)slice->is_stopped;
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
    (void)lab_find_largest(logits, vocabulary, 2, best);
    const uint32_t word = asked->word != 0 ? asked->word - 1 : best[0];
    const uint32_t other = best[0] == word ? best[1] : best[0]; /* the likeliest that it is not */
    const bool has_rival = asked->rival != VIEW_WHY_NO_RIVAL;
    const uint32_t rival = has_rival && asked->rival != 0 ? asked->rival - 1 : other;
    *question = (struct why_question){.position = asked->position,
                                      .word = word,
                                      .rival = rival,
                                      .has_rival = has_rival && rival != word};
}
