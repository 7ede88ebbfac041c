/* What the thread of a run, or another beside the window, does late or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/learn/learn.h"
#include "app/learn/learn_internal.h"
#include "hands.h"

static void settle(struct hands *hands)
{
    app_learn_settle(hands->state, hands->input.time);
    hands_frame(hands);
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

static const struct view_learn *learn_of(const struct hands *hands)
{
    return hands->state->view.learn;
}

/* Two hundred words of a wide network are written beside the window, which shows them one by one.
 */
static void a_long_text_is_written_beside_the_window(void **unused)
{
    (void)unused;
    static char all[2000];
    for (size_t i = 0; i + 1 < sizeof all; i++) {
        all[i] = "the cat sat on the mat . "[(i * 7 + i / 40) % 25];
    }
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_learn_text(hands->state, (struct bytes){(const uint8_t *)all, sizeof all - 1},
                               hands->input.time, NULL));
    ask(hands, VIEW_LEARN_SEEK, 0, 0);
    ask(hands, VIEW_LEARN_SET, VIEW_LEARN_WIDTH, 256);
    ask(hands, VIEW_LEARN_SET, VIEW_LEARN_LAYERS, 4);
    ask(hands, VIEW_LEARN_DRAW, VIEW_DRAW_WORDS, 200);
    app_learn_look_closely(hands->state, VIEW_OVERLAY_WRITE, hands->input.time);
    app_learn_follow(hands->state, hands->input.time);
    assert_true(learn_of(hands)->text.words < 200);
    settle(hands);
    assert_int_equal(learn_of(hands)->text.words, 200);
    hands_close(hands);
}

/* What the run does not take is said, and is no step of history. */
static void an_edit_that_is_refused_is_taken_back(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_learn_start(hands->state, SIZE_MAX, false, hands->input.time));
    ask(hands, VIEW_LEARN_SEEK, 20, 0);
    ask(hands, VIEW_LEARN_SET, VIEW_LEARN_RATE, 0.02);
    const size_t before = hands->state->document.wanted;
    ask(hands, VIEW_LEARN_SET, VIEW_LEARN_RATE, 1000);
    hands_expect_part(hands, "The rate must be above 0");
    assert_int_equal(hands->state->document.wanted, before);
    ask(hands, VIEW_LEARN_SEEK, 30, 0);
    assert_int_equal(learn_of(hands)->step, 30);
    assert_int_equal(hands->state->learn->learned.edits, 1);
    assert_int_equal(hands->state->learn->view->edit_count, 1);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_text_is_written_beside_the_window),
        cmocka_unit_test(an_edit_that_is_refused_is_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
