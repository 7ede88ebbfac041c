/* with_model.h — what tests of an open model share. Include behind cmocka.h. */
#ifndef WINDOW_WITH_MODEL_H
#define WINDOW_WITH_MODEL_H

#include <stdio.h>
#include <stdlib.h>

#include "../opened.h"
#include "app/actions/actions.h"
#include "app/open/open_model.h"
#include "hands.h"
#include "model/model.h"
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

/* The checkpoint of that family among MODELS, which has no tokenizer, open on seven numbers of
 * tokens. Close it with hands_close. */
static inline struct hands *hands_on_ids(const char *family, float width, float height)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("MODELS"), family);
    struct hands *const hands = hands_open("cats", width, height);
    const uint32_t ids[] = {5, 17, 3, 21, 8, 30, 2};
    struct model *const model = open_model(path, NULL);
    assert_non_null(model);
    struct model_run *const run = model_run_start(
        model, &(struct model_request){.ids = ids, .count = sizeof ids / sizeof *ids}, NULL);
    assert_non_null(run);
    assert_true(app_open_model_adopt(hands->state, path, model, run, NULL, false, 0));
    model_run_close(run); /* the state holds both */
    model_close(model);
    hands_settle(hands);
    hands_frame(hands);
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
