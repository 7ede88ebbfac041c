/* Applies what a person changes in the open model: heads and MLPs off, pairs masked, a mean in
 * place of zero, changes taken back. The list itself is kept by open_model_changes.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "base/translate.h"
#include "view/parts/head_overview.h"
#include "why/intervention_text.h"

/* Returns whether the stages of a layer cannot show it with this list: a head's Z that is replaced
 * is no number of theirs, unless the head is off. */
static bool is_hidden(const struct model_intervention *change, size_t count, size_t layer)
{
    bool is = false;
    for (size_t c = 0; c < count; c++) {
        const struct model_intervention *const one = &change[c];
        is = is || (one->node == MODEL_NODE_Z && one->layer == layer &&
                    !model_head_is_off((struct model_interventions){one, 1}, layer, one->head));
    }
    return is;
}

/* Another layer stands on the stages where the wanted one cannot, and there is one that can. */
static void leave_hidden_layer(struct app_open_model *model)
{
    size_t layer = model->layer;
    for (size_t l = 0; l < model->layers && is_hidden(model->change, model->changes, layer); l++) {
        layer = (model->layer + 1 + l) % model->layers;
    }
    if (!is_hidden(model->change, model->changes, layer)) {
        model->layer = model->head_overview.layer = layer;
    }
}

/* The same text with this list: what is being read, where something is, else what was. */
static bool read_with(struct app_state *state, const struct model_intervention *change,
                      size_t count, const char *name, double time)
{
    if (!open_model_want_changes(state->model, change, count)) {
        return false;
    }
    leave_hidden_layer(state->model);
    const struct open_model_reading asked = open_model_to_be(state->model);
    return open_model_ask_for(state, &asked, name, time);
}

/* The list with a row more, in place of another one of the same numbers; or, where it stands there,
 * without it. */
static bool turn_change(struct app_state *state, const struct model_intervention *one,
                        const char *forms[2], const char *of, double time)
{
    const struct app_open_model *const model = state->model;
    size_t count = model->changes;
    struct model_intervention *list =
        realloc(open_model_copy_changes(model->change, &count), (count + 2) * sizeof *list);
    bool is_there = false;
    size_t kept = 0;
    for (size_t c = 0; list != NULL && c < count; c++) {
        is_there = is_there || model_intervention_equal(&list[c], one);
        if (!model_intervention_is_at(&list[c], one)) {
            list[kept++] = list[c];
        }
    }
    bool done = list != NULL;
    if (done) {
        char name[APP_NAME_MAX];
        list[kept] = *one;
        (void)snprintf(name, sizeof name, tr(forms[is_there ? 1 : 0]), of);
        done = read_with(state, list, kept + (is_there ? 0 : 1), name, time);
    }
    free(list);
    return done;
}

static bool switch_head(struct app_state *state, size_t place, double time)
{
    const struct app_open_model *const model = state->model;
    const struct model_intervention one =
        model_head_off(place / model->heads, place % model->heads);
    static const char *forms[] = {"switch %s off", "switch %s on"};
    char of[48];
    (void)snprintf(of, sizeof of, "L%zuH%zu", one.layer, one.head);
    return place < model->layers * model->heads && model->head_overview.off != NULL &&
           turn_change(state, &one, forms, of, time);
}

static bool switch_mlp(struct app_state *state, size_t layer, double time)
{
    static const char *forms[] = {"switch %s off", "switch %s on"};
    const struct model_intervention one = {.node = MODEL_NODE_MLP,
                                           .by = MODEL_BY_VALUE,
                                           .layer = layer,
                                           .row = MODEL_EACH,
                                           .column = MODEL_EACH};
    char of[48];
    (void)snprintf(of, sizeof of, "MLP %zu", layer);
    return layer < state->model->layers && turn_change(state, &one, forms, of, time);
}

/* A head does not see a pair of words: the rest of its row sums to 1. */
static bool mask_edge(struct app_state *state, const struct view_action *action, double time)
{
    static const char *forms[] = {"mask %s", "unmask %s"};
    const struct app_open_model *const model = state->model;
    const size_t place = action->overview.which, words = model_run_count(model->subject.run);
    const struct model_intervention one = {.node = MODEL_NODE_SCALED,
                                           .by = MODEL_BY_VALUE,
                                           .layer = place / model->heads,
                                           .head = place % model->heads,
                                           .row = action->overview.query,
                                           .column = action->overview.key,
                                           .value = -INFINITY};
    char of[80];
    (void)snprintf(of, sizeof of, "L%zuH%zu %zu → %zu", one.layer, one.head, one.row + 1,
                   one.column + 1);
    return place < model->layers * model->heads && one.row < words && one.column < words &&
           turn_change(state, &one, forms, of, time);
}

/* An α by hand, through all later layers to the next words. */
static bool set_alpha(struct app_state *state, const struct view_action *action, double time)
{
    static const char *forms[] = {"set %s", "set %s"};
    const struct app_open_model *const model = state->model;
    const size_t place = action->overview.which, words = model_run_count(model->subject.run);
    const struct model_intervention one = {.node = MODEL_NODE_ALPHA,
                                           .by = MODEL_BY_VALUE,
                                           .layer = place / model->heads,
                                           .head = place % model->heads,
                                           .row = action->overview.query,
                                           .column = action->overview.key,
                                           .value = (float)action->overview.number};
    struct arena arena = {0};
    const char *const of = why_intervention_written(&one, &arena);
    const bool done = of != NULL && isfinite(one.value) && place < model->layers * model->heads &&
                      one.row < words && one.column < words &&
                      turn_change(state, &one, forms, of, time);
    arena_free(&arena);
    return done;
}

/* Puts a part that is off, or at its mean, in place of a row of the list. form: names the change,
 * of the part. */
static bool put_row(struct app_state *state, size_t which, const struct model_intervention *one,
                    const char *form, double time)
{
    const struct app_open_model *const model = state->model;
    const bool is_part =
        one->node == MODEL_NODE_Z || one->node == MODEL_NODE_MLP || one->node == MODEL_NODE_NEURONS;
    struct arena arena = {0};
    size_t count = model->changes;
    struct model_intervention *const list = open_model_copy_changes(model->change, &count);
    const char *const of = why_intervention_name(one, &arena);
    char name[APP_NAME_MAX];
    bool done = list != NULL && of != NULL && is_part;
    if (done) {
        list[which] = *one;
        (void)snprintf(name, sizeof name, tr(form), of);
        done = read_with(state, list, count, name, time);
    }
    free(list);
    arena_free(&arena);
    return done;
}

/* A part that is off has its mean instead, or is off again. */
static bool turn_mean(struct app_state *state, size_t which, double time)
{
    if (which >= state->model->changes) {
        return false;
    }
    struct model_intervention one = state->model->change[which];
    one.by = one.by == MODEL_BY_MEAN ? MODEL_BY_VALUE : MODEL_BY_MEAN;
    return put_row(state, which, &one, "%s: mean, or zero", time);
}

/* It is so at one word alone, or at all of them again. */
static bool turn_word(struct app_state *state, size_t which, size_t word, double time)
{
    if (which >= state->model->changes || word >= model_run_count(state->model->subject.run)) {
        return false;
    }
    struct model_intervention one = state->model->change[which];
    one.row = one.row == word ? MODEL_EACH : word;
    return put_row(state, which, &one, "%s: at one word, or all", time);
}

static bool take_back(struct app_state *state, size_t which, double time)
{
    const struct app_open_model *const model = state->model;
    if (which >= model->changes) {
        return false;
    }
    size_t count = model->changes;
    struct model_intervention *const list = open_model_copy_changes(model->change, &count);
    for (size_t c = which; list != NULL && c + 1 < count; c++) {
        list[c] = list[c + 1];
    }
    const bool done =
        list != NULL && read_with(state, list, count - 1, tr("take a change back"), time);
    free(list);
    return done;
}

/* Heads are as they were; what else is changed stays. */
static bool switch_all_on(struct app_state *state, double time)
{
    size_t count = state->model->changes, kept = 0;
    struct model_intervention *const list = open_model_copy_changes(state->model->change, &count);
    for (size_t c = 0; list != NULL && c < count; c++) {
        if (list[c].node != MODEL_NODE_Z) {
            list[kept++] = list[c];
        }
    }
    const bool done = list != NULL && read_with(state, list, kept, tr("switch all heads on"), time);
    free(list);
    return done;
}

bool open_model_change(struct app_state *state, const struct view_action *action, double time)
{
    switch (action->overview.act) {
    case VIEW_HEAD_OVERVIEW_SWITCH:
        return switch_head(state, action->overview.which, time);
    case VIEW_HEAD_OVERVIEW_SWITCH_MLP:
        return switch_mlp(state, action->overview.which, time);
    case VIEW_HEAD_OVERVIEW_MASK:
        return mask_edge(state, action, time);
    case VIEW_HEAD_OVERVIEW_MEAN:
        return turn_mean(state, action->overview.which, time);
    case VIEW_HEAD_OVERVIEW_AT:
        return turn_word(state, action->overview.which, action->overview.query, time);
    case VIEW_HEAD_OVERVIEW_SET:
        return set_alpha(state, action, time);
    case VIEW_HEAD_OVERVIEW_TAKE_BACK:
        return take_back(state, action->overview.which, time);
    default:
        return switch_all_on(state, time);
    }
}
