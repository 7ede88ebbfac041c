/* Shows how far a run has come to the step that the document asks for, which may take long, and
 * lets the person cancel. */
#include <stdio.h>

#include "app/learn/learn_internal.h"
#include "base/text.h"
#include "base/translate.h"

/* The step that it is on its way to: which the document says, or which it goes on from. 0: none. */
static uint64_t goal_of(const struct app_learn *learn)
{
    return learn->course != LEARN_STANDS ? learn->goal : learn->view->comes_to;
}

const struct view_work *app_learn_work(struct app_state *state, double time)
{
    struct app_learn *const learn = state->learn;
    const uint64_t goal = learn == NULL || state->view.learn == NULL ? 0 : goal_of(learn);
    if (goal == 0) {
        if (learn != NULL) {
            learn->way.doing = NULL; /* the next one begins then */
        }
        return NULL;
    }
    const uint64_t step = learn->view->moment->step;
    char now[TEXT_NUMBER_MAX], of[TEXT_NUMBER_MAX];
    if (learn->way.doing == NULL) {
        learn->way.began = time;
    }
    (void)snprintf(learn->way_text, sizeof learn->way_text, tr("Learning: step %s of %s"),
                   text_count(now, (size_t)step), text_count(of, (size_t)goal));
    learn->way.doing = learn->way_text;
    learn->way.progress = step < goal ? (float)step / (float)goal : 1;
    return &learn->way;
}

void app_learn_give_up(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    if (learn == NULL || state->view.learn == NULL ||
        (learn->course == LEARN_STANDS && learn->view->comes_to == 0)) {
        return;
    }
    learn->course = learn->course == LEARN_STANDS ? LEARN_STANDS : LEARN_GIVES_UP;
    learn->until = 0;
    learn_trainer_give_up(learn->trainer, learn->view->moment->step);
}

void learn_end_way(struct app_learn *learn)
{
    const bool was_given_up = learn->course == LEARN_GIVES_UP;
    learn->course = LEARN_STANDS;
    learn->way.doing = NULL;
    if (was_given_up) { /* edits that come later were not made */
        learn->learned->edits = learn->view->edit_count < learn->learned->edits
                                    ? learn->view->edit_count
                                    : learn->learned->edits;
    }
}
