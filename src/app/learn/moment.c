/* Gives other rooms the weights that stand on the stages, and what a person changed of them. */
#include <string.h>

#include "app/learn/learn_internal.h"
#include "app/results/wants.h"
#include "learn/checkpoint.h"

bool app_learn_moment(struct app_state *state, struct app_learn_moment *moment)
{
    struct app_learn *const learn = state->learn;
    struct want want;
    if (state->view.learn == NULL || learn->sentence == NULL ||
        !learn_key_want(state, WANT_SNAPSHOT, &want)) {
        return false;
    }
    *moment = (struct app_learn_moment){.snapshot = learn->key.snapshot,
                                        .source = want.source,
                                        .branch = want.branch,
                                        .tokens = learn_activations_tokens(learn->sentence),
                                        .count = learn_activations_count(learn->sentence),
                                        .position = learn->next_at,
                                        .words = learn_words_shown(learn)};
    return moment->words != NULL;
}

const struct learn_change *app_learn_changes(const struct app_state *state, size_t *count)
{
    const struct app_learn *const learn = state->learn;
    *count = state->view.learn == NULL ? 0 : learn->learned->changes;
    return *count == 0 ? NULL : learn->learned->change;
}

bool app_learn_set_changes(struct app_state *state, const struct learn_change *change, size_t count,
                           const char *name, double time)
{
    const struct learn_learned *const present =
        learn_training_record(document_present(&state->document)->learned);
    if (present == NULL || count > LEARN_CHANGES_MAX) {
        return false;
    }
    struct learn_learned next = *present;
    memcpy(next.change, change, count * sizeof *change);
    next.changes = count;
    return app_learn_change(state, &next, NULL, 0, name, time);
}

const char *app_learn_lacks_next(const struct app_state *state)
{
    const struct app_learn *const learn = state->learn;
    const struct learn_oddity *const oddity =
        learn_shape_oddity(&learn->view->moment->recipe->shape);
    return oddity != NULL                 ? oddity->lacks_next
           : learn->shown.next_count == 0 ? "All brackets are closed: no word is asked for here."
                                          : NULL;
}
