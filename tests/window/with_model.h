/* with_model.h — what tests of an open model share. Include behind cmocka.h. */
#ifndef WINDOW_WITH_MODEL_H
#define WINDOW_WITH_MODEL_H

#include "app/actions/actions.h"
#include "app/open/open_model.h"
#include "hands.h"
#include "view/parts/head_overview.h"

/* The model or the file at path, open on a text. Close it with hands_close. */
static inline struct hands *hands_on_path(const char *path, const char *text)
{
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_open_model_open(hands->state, path, text, hands->input.time));
    hands_show_settled(hands);
    assert_string_equal(hands->state->message, "");
    return hands;
}

static inline const struct view_head_overview *head_overview_of(const struct hands *hands)
{
    assert_non_null(hands->state->view.head_overview);
    return hands->state->view.head_overview;
}

static inline void ask_overview(struct hands *hands, enum view_head_overview_act act, size_t which)
{
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                          .overview = {.act = act, .which = which}},
                    hands->input.time);
    hands_show_settled(hands);
}

#endif
