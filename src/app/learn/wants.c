/* Makes the keys under which results of a run's moments are asked for (run, branch and step as
 * numbers), and the snapshot of weights that they all need. */
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "app/results/wants.h"
#include "learn/learned.h"

/* ---- numbers ---- */

static uint32_t number_of_text(struct app_state *state, struct bytes text)
{
    return results_number(state->results, text.size == 0 ? "" : (const char *)text.at, text.size);
}

/* The number of a recipe with these edits. first: the number of what else there is: of the text
 * that the run begins with, or of the run. Texts of edits have numbers of their own. 0: no memory.
 */
static uint32_t number_of_edits(struct app_state *state, uint32_t first,
                                const struct learn_recipe *recipe, const struct learn_edit *edit,
                                size_t edits)
{
    struct arena arena = {0};
    struct learn_learned run = {.recipe = *recipe, .edits = edits};
    const char *key = arena_format(&arena, "%u", (unsigned)first);
    for (size_t e = 0; e < edits; e++) {
        run.edit[e] = edit[e];
        if (edit[e].kind == LEARN_EDIT_TEXT && key != NULL) {
            key = arena_format(&arena, "%s %u", key, (unsigned)number_of_text(state, edit[e].text));
            run.edit[e].text = (struct bytes){NULL, 0};
        }
    }
    struct lab_words *const lines = learn_learned_lines(&run, NULL);
    for (size_t l = 0; l < lab_words_count(lines) && key != NULL; l++) {
        key = arena_format(&arena, "%s\n%s", key, lab_words_list(lines)[l]);
    }
    const uint32_t number = first == 0 || lines == NULL || key == NULL
                                ? 0
                                : results_number(state->results, key, strlen(key));
    lab_words_release(lines);
    arena_free(&arena);
    return number;
}

/* ---- the moment that wants are about ---- */

void learn_forget_key(struct app_learn *learn)
{
    learn_snapshot_release(learn->key.snapshot);
    learn->key = (struct learn_key){.snapshot = NULL};
}

/* A moment that is not exact yet, while it is on its way, is no key of anything. */
static void follow_moment(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    struct learn_key *const key = &learn->key;
    const struct learn_view *const view = learn->view;
    if (!view->moment->is_exact ||
        (key->snapshot == view->moment && key->number == view->number && key->branch != 0)) {
        return;
    }
    learn_snapshot_release(key->snapshot);
    key->snapshot = learn_snapshot_keep(view->moment);
    key->number = view->number;
    const struct learn_recipe *const recipe = &learn->learned->recipe;
    if (key->source == 0 || key->other == 0) {
        struct learn_recipe other = *recipe;
        const uint32_t text = number_of_text(state, learn->learned->text);
        other.seed += 1;
        key->source = number_of_edits(state, text, recipe, NULL, 0);
        key->other = number_of_edits(state, text, &other, NULL, 0);
    }
    key->branch = number_of_edits(state, key->source, recipe, view->edits, view->edit_count);
}

bool learn_key_want(struct app_state *state, uint32_t kind, struct want *want)
{
    const struct learn_key *const key = &state->learn->key;
    follow_moment(state);
    *want = (struct want){.kind = kind, .source = key->source, .branch = key->branch};
    if (key->snapshot == NULL || key->branch == 0) {
        return false;
    }
    want->step = key->snapshot->step;
    return true;
}

bool learn_key_want_at(struct app_state *state, uint64_t step, struct want *want)
{
    const struct app_learn *const learn = state->learn;
    struct learn_key *const key = &state->learn->key;
    const struct learn_view *const view = learn->view;
    struct learn_passed *const passed = &key->passed[step > 0];
    size_t edits = 0;
    follow_moment(state);
    while (edits < view->edit_count && view->edits[edits].step < step) {
        edits++;
    }
    if (passed->number != view->number || passed->edits != edits) {
        const struct learn_recipe *const recipe = &learn->learned->recipe;
        *passed = (struct learn_passed){
            view->number, edits, number_of_edits(state, key->source, recipe, view->edits, edits)};
    }
    want->source = key->source;
    want->branch = passed->branch;
    want->step = step;
    return passed->branch != 0;
}

/* ---- its weights ---- */

struct snapshot_value {
    struct value value;
    uint32_t source;
    const struct learn_snapshot *snapshot; /* held */
};

static void drop_snapshot(struct value *value)
{
    learn_snapshot_release(((struct snapshot_value *)value)->snapshot);
    free(value);
}

const struct learn_snapshot *learn_snapshot_of(const struct value *value)
{
    return ((const struct snapshot_value *)value)->snapshot;
}

uint32_t learn_source_of(const struct value *value)
{
    return ((const struct snapshot_value *)value)->source;
}

bool learn_give_snapshot(struct slice *slice, const struct learn_snapshot *snapshot)
{
    struct snapshot_value *const made = snapshot == NULL ? NULL : malloc(sizeof *made);
    if (made == NULL) {
        learn_snapshot_release(snapshot);
        return app_learn_no_memory(&slice->error);
    }
    made->source = slice->want->source;
    made->snapshot = snapshot;
    value_begin(&made->value, snapshot->tensors->floats * sizeof(float), drop_snapshot);
    slice->value = &made->value;
    return true;
}

/* On the window's thread, which has the moment at hand. */
static bool is_at_hand(const struct slice *slice)
{
    (void)slice;
    return true;
}

static enum slice_end hand_snapshot(struct slice *slice)
{
    const struct app_state *const state = slice->owner;
    return learn_give_snapshot(slice, learn_snapshot_keep(state->learn->key.snapshot))
               ? SLICE_DONE
               : SLICE_FAILED;
}

const struct result_kind learn_snapshot_kind = {.is_small = is_at_hand, .work = hand_snapshot};

size_t learn_list_snapshot(const struct want *want, struct want needs[RESULTS_NEEDS_MAX])
{
    needs[0] = (struct want){
        .kind = WANT_SNAPSHOT, .source = want->source, .branch = want->branch, .step = want->step};
    return 1;
}

void learn_switch_heads(struct learn_network *network, const struct learn_snapshot *moment)
{
    for (size_t layer = 0; layer < moment->recipe->shape.layers; layer++) {
        for (size_t head = 0; head < moment->recipe->shape.heads; head++) {
            learn_network_switch_head(network, layer, head, !moment->head_off[layer][head]);
        }
    }
}

struct learn_network *learn_open_network(const struct learn_snapshot *moment, struct error *error)
{
    struct learn_network *const network = learn_network_open(&moment->recipe->shape, NULL, error);
    if (network != NULL) {
        learn_switch_heads(network, moment);
    }
    return network;
}
