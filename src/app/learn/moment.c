/* The weights that stand on the stages, for rooms that ask about them. */
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

const char *app_learn_lacks_next(const struct app_state *state)
{
    const struct app_learn *const learn = state->learn;
    const struct learn_shape *const shape = &learn->view->moment->recipe->shape;
    return !learn_shape_is_common(shape)
               ? "The words of this task see those behind them, or its layers have no norms: Why "
                 "asks weights that say a next word and have norms."
           : learn->shown.next_count == 0 ? "All brackets are closed: no word is asked for here."
                                          : NULL;
}
