/* Applies what a person changes of weights that learn, to ask Why once more: an MLP off or at its
 * mean, a pair masked, an α by hand. The run itself learns on without these changes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/learn/learn.h"
#include "app/why/why_internal.h"
#include "base/translate.h"
#include "view/parts/head_overview.h"
#include "why/intervention_text.h"

/* The changes as numbers that are replaced, and those that this text has no place for, which stay
 * as they are. */
struct changing {
    struct model_intervention row[LEARN_CHANGES_MAX + 1];
    struct learn_change other[LEARN_CHANGES_MAX];
    size_t count, others;
};

static bool is_within(const struct model_intervention *one, const struct model_config *config,
                      size_t n)
{
    const bool has_row = one->row == MODEL_EACH || one->row < n;
    return one->layer < config->layers && one->head < config->heads && has_row;
}

/* Sorts them by whether a text of n words has a place for them. */
static void list_changes(const struct app_state *state, const struct model_config *config, size_t n,
                         struct arena *arena, struct changing *list)
{
    size_t all = 0;
    const struct learn_change *const change = app_learn_changes(state, &all);
    list->count = list->others = 0;
    for (size_t c = 0; c < all; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        if (why_intervention_parse(change[c].text, n, arena, &list->row[list->count], &error) &&
            is_within(&list->row[list->count], config, n)) {
            list->count++;
        } else {
            list->other[list->others++] = change[c];
        }
    }
}

size_t why_learned_changes(const struct app_state *state, const struct model_config *config,
                           size_t n, struct arena *arena, struct model_intervention *out)
{
    struct changing list;
    list_changes(state, config, n, arena, &list);
    memcpy(out, list.row, list.count * sizeof *out);
    return list.count;
}

/* Writes the list into the document. form: names the step of history, of `of`. */
static bool keep_changes(struct app_state *state, const struct changing *list, const char *form,
                         const char *of, double time)
{
    struct learn_change change[LEARN_CHANGES_MAX];
    struct arena arena = {0};
    char name[APP_NAME_MAX];
    const size_t count = list->count + list->others;
    bool done = count <= LEARN_CHANGES_MAX;
    if (!done) {
        app_state_show_message(state, time, tr("At most %d changes of Why stand beside a run."),
                               LEARN_CHANGES_MAX);
    }
    for (size_t c = 0; done && c < list->count; c++) {
        const char *const text = why_intervention_written(&list->row[c], &arena);
        done = text != NULL && strlen(text) < sizeof change[c].text;
        if (done) {
            (void)snprintf(change[c].text, sizeof change[c].text, "%s", text);
        }
    }
    if (done) {
        memcpy(&change[list->count], list->other, list->others * sizeof *change);
    }
    (void)snprintf(name, sizeof name, tr(form), of);
    done = done && app_learn_set_changes(state, change, count, name, time);
    arena_free(&arena);
    return done;
}

/* The list with a row more, in place of another one of the same numbers; or, where it stands there,
 * without it. forms: of both. */
static bool turn_change(struct app_state *state, struct changing *list,
                        const struct model_intervention *one, const char *const forms[2],
                        double time)
{
    struct arena arena = {0};
    bool is_there = false;
    size_t kept = 0;
    for (size_t c = 0; c < list->count; c++) {
        is_there = is_there || model_intervention_equal(&list->row[c], one);
        if (!model_intervention_is_at(&list->row[c], one)) {
            list->row[kept++] = list->row[c];
        }
    }
    list->count = kept;
    if (!is_there) {
        list->row[list->count++] = *one;
    }
    const char *const of = why_intervention_written(one, &arena);
    const bool done = of != NULL && keep_changes(state, list, forms[is_there ? 1 : 0],
                                                 arena_text(&arena, of, strcspn(of, "=")), time);
    arena_free(&arena);
    return done;
}

/* A row of the list is another one: its mean in place of zero, one word in place of all. */
static bool put_row(struct app_state *state, struct changing *list, size_t which, bool to_mean,
                    size_t word, double time)
{
    if (which >= list->count) {
        return false;
    }
    struct model_intervention *const one = &list->row[which];
    struct arena arena = {0};
    if (to_mean) {
        one->by = one->by == MODEL_BY_MEAN ? MODEL_BY_VALUE : MODEL_BY_MEAN;
    } else {
        one->row = one->row == word ? MODEL_EACH : word;
    }
    const char *const of = why_intervention_name(one, &arena);
    const bool done =
        of != NULL &&
        keep_changes(state, list, to_mean ? "%s: mean, or zero" : "%s: at one word, or all", of,
                     time);
    arena_free(&arena);
    return done;
}

static bool take_back(struct app_state *state, struct changing *list, size_t which, double time)
{
    if (which >= list->count) {
        return false;
    }
    memmove(&list->row[which], &list->row[which + 1],
            (list->count - which - 1) * sizeof *list->row);
    list->count--;
    return keep_changes(state, list, "take a change back", "", time);
}

/* A head that is off in the run has its mean, or is off at one word alone: the run learns on with
 * it, and Why asks without. */
static bool put_row_of_run(struct app_state *state, const struct model_intervention *off,
                           bool to_mean, size_t word, double time)
{
    struct model_intervention one = *off;
    struct learn_change change = {.text = ""};
    struct arena arena = {0};
    char name[APP_NAME_MAX];
    one.by = to_mean ? MODEL_BY_MEAN : MODEL_BY_VALUE;
    one.row = to_mean ? MODEL_EACH : word;
    const char *const text = why_intervention_written(&one, &arena);
    const char *const of = why_intervention_name(&one, &arena);
    const bool done = text != NULL && of != NULL && strlen(text) < sizeof change.text;
    if (done) {
        (void)snprintf(change.text, sizeof change.text, "%s", text);
        (void)snprintf(name, sizeof name,
                       tr(to_mean ? "%s: mean, or zero" : "%s: at one word, or all"), of);
        app_learn_ask_of_head(state, one.layer, one.head, &change, name, time);
    }
    arena_free(&arena);
    return done;
}

/* Returns what an act asks for as one that is replaced. */
static struct model_intervention asked_of(const struct view_action *action, size_t heads)
{
    const size_t which = action->overview.which;
    struct model_intervention one = {.node = MODEL_NODE_MLP,
                                     .by = MODEL_BY_VALUE,
                                     .layer = which,
                                     .row = MODEL_EACH,
                                     .column = MODEL_EACH};
    if (action->overview.act != VIEW_HEAD_OVERVIEW_SWITCH_MLP) {
        const bool is_mask = action->overview.act == VIEW_HEAD_OVERVIEW_MASK;
        one = (struct model_intervention){.node = is_mask ? MODEL_NODE_SCALED : MODEL_NODE_ALPHA,
                                          .by = MODEL_BY_VALUE,
                                          .layer = which / heads,
                                          .head = which % heads,
                                          .row = action->overview.query,
                                          .column = action->overview.key,
                                          .value =
                                              is_mask ? -INFINITY : (float)action->overview.number};
    }
    return one;
}

bool app_why_change(struct app_state *state, const struct view_action *action, double time)
{
    static const char *const switched[] = {"switch %s off", "switch %s on"},
                             *const masked[] = {"mask %s", "unmask %s"},
                             *const set[] = {"set %s", "set %s"};
    const struct why_asked *const asked = why_asked_now(state);
    struct changing list;
    struct arena arena = {0};
    if (asked == NULL || state->view.learn == NULL) {
        return false;
    }
    const struct model_config *const config = model_config(asked->model);
    list_changes(state, config, asked->count, &arena, &list);
    arena_free(&arena);
    const struct model_intervention one = asked_of(action, config->heads);
    const size_t which = action->overview.which - asked->offs;
    const bool is_mean = action->overview.act == VIEW_HEAD_OVERVIEW_MEAN;
    if (action->overview.which < asked->offs &&
        (is_mean || action->overview.act == VIEW_HEAD_OVERVIEW_AT)) {
        return put_row_of_run(state, &asked->change[action->overview.which], is_mean,
                              action->overview.query, time);
    }
    switch ((enum view_head_overview_act)action->overview.act) {
    case VIEW_HEAD_OVERVIEW_SWITCH_MLP:
        return is_within(&one, config, asked->count) &&
               turn_change(state, &list, &one, switched, time);
    case VIEW_HEAD_OVERVIEW_MASK:
        return is_within(&one, config, asked->count) &&
               turn_change(state, &list, &one, masked, time);
    case VIEW_HEAD_OVERVIEW_SET:
        return is_within(&one, config, asked->count) && isfinite(one.value) &&
               turn_change(state, &list, &one, set, time);
    case VIEW_HEAD_OVERVIEW_MEAN:
        return put_row(state, &list, which, true, 0, time);
    case VIEW_HEAD_OVERVIEW_AT:
        return put_row(state, &list, which, false, action->overview.query, time);
    case VIEW_HEAD_OVERVIEW_TAKE_BACK:
        return take_back(state, &list, which, time);
    default:
        return false;
    }
}
