/* learning.h — what tests of training in the window share. Include behind cmocka.h. */
#ifndef WINDOW_LEARNING_H
#define WINDOW_LEARNING_H

#include "app/learn/learn.h"
#include "hands.h"
#include "view/parts/learn.h"

static inline const struct view_learn *learn_of(const struct hands *hands)
{
    assert_non_null(hands->state->view.learn);
    return hands->state->view.learn;
}

static inline void ask_learn(struct hands *hands, enum view_learn_act act, size_t which,
                             double number)
{
    (void)app_learn_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_LEARN,
                              .learn = {.act = act, .which = which, .number = number}},
        hands->input.time);
    hands_show_settled(hands);
}

/* Another task, before its first step: if all were waited for it would be trained to its end. */
static inline void start_still(struct hands *hands, size_t task)
{
    (void)app_learn_apply(hands->state,
                          &(struct view_action){.kind = VIEW_ACTION_LEARN,
                                                .learn = {.act = VIEW_LEARN_START, .which = task}},
                          hands->input.time);
    ask_learn(hands, VIEW_LEARN_SEEK, 0, 0);
}

/* The lesson, with its training stopped: a test goes where it wants to be. */
static inline struct hands *open_still(void)
{
    struct hands *const hands = hands_open("learned", 1440, 900);
    ask_learn(hands, VIEW_LEARN_SEEK, 0, 0);
    return hands;
}

#endif
