/* Weights that learn, in the window: begun by one click, watched, gone back through, changed on the
 * way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/learn/learn.h"
#include "hands.h"
#include "view/parts/learn.h"

/* All that was asked for is done, and shown. */
static void settle(struct hands *hands)
{
    app_learn_settle(hands->state, hands->input.time);
    hands_frame(hands);
}

static const struct view_learn *learn_of(const struct hands *hands)
{
    assert_non_null(hands->state->view.learn);
    return hands->state->view.learn;
}

static void ask(struct hands *hands, enum view_learn_act act, size_t which, double number)
{
    bool changed = false;
    (void)app_learn_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_LEARN,
                              .learn = {.act = act, .which = which, .number = number}},
        hands->input.time, &changed);
    settle(hands);
}

static void one_click_trains_and_it_is_finds_the_noun(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Learn");
    ask(hands, VIEW_LEARN_SPEED, 0, 0);
    hands_expect_part(hands, "step 1 500");
    ask(hands, VIEW_LEARN_SEEK, 910, 0);
    hands_expect(hands, "step 910 of 1 500");
    assert_int_equal(learn_of(hands)->step, 910);
    hands_key(hands, "8"); /* the layer around attention, of learned weights too */
    hands_expect_part(hands, "Block around attention");
    hands_key(hands, "5");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_click_trains_and_it_is_finds_the_noun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
