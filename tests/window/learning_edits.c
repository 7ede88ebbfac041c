/* Weights that learn, changed by a hand and looked at two by two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/open/lesson.h"
#include "hands.h"
#include "learning.h"

/* A weight of a former step is typed over: a branch begins there, and one undo takes it back. */
static void a_typed_weight_is_one_undo_away(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask(hands, VIEW_LEARN_SEEK, 60, 0);
    ask(hands, VIEW_LEARN_SEEK, 40, 0);
    hands_key(hands, "2");
    settle(hands);
    const float was = lab_trace_part(hands->state->document.trace, LAB_W_Q, 1).values[0];
    static const double typed[] = {1, 1.5}; /* "1", "1.", "1.5": each stroke is a number */
    for (size_t t = 0; t < 2; t++) {
        app_state_apply(
            hands->state,
            &(struct view_action){.kind = VIEW_ACTION_EDIT,
                                  .edit = {.cell = {LAB_W_Q, 1, 0, 0}, .number = typed[t]}},
            hands->input.time);
        settle(hands);
    }
    assert_int_equal(learn_of(hands)->branch, 0); /* a field is open: it may be given up */
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_CLOSE,
                                          .edit = {.stays = true, .cell = {LAB_W_Q, 1, 0, 0}}},
                    hands->input.time);
    settle(hands);
    assert_true(lab_trace_part(hands->state->document.trace, LAB_W_Q, 1).values[0] == 1.5f);
    assert_int_equal(learn_of(hands)->branch, 1);
    hands_key(hands, "Ctrl+z");
    settle(hands);
    assert_true(lab_trace_part(hands->state->document.trace, LAB_W_Q, 1).values[0] == was);
    assert_int_equal(learn_of(hands)->branch, 0);
    assert_int_equal(learn_of(hands)->step, 40);
    hands_expect(hands, "As it was"); /* what came behind it is there again */
    hands_key(hands, "Ctrl+Shift+z");
    settle(hands);
    assert_true(lab_trace_part(hands->state->document.trace, LAB_W_Q, 1).values[0] == 1.5f);
    hands_close(hands);
}

/* Two matrices side by side, each of eight columns: their numbers are there, before a class too. */
static void numbers_stand_in_pairs_of_matrices(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("onestep", 1024, 768);
    hands->state->view.prefs.presenter = true;
    for (size_t step = 3; step < 5; step++) {
        app_lesson_go(hands->state, step, hands->input.time);
        settle(hands);
        hands_expect_part(hands, step == 3 ? "dL/dQ" : "ΔQ");
        assert_true(hands_count(hands, "0.000") > 12);
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
    hands = open_still();
    ask(hands, VIEW_LEARN_SEEK, 60, 0);
    ask(hands, VIEW_LEARN_PIN, 0, 0);
    ask(hands, VIEW_LEARN_SEEK, 40, 0);
    hands_expect(hands, "A, now");
    assert_int_equal(hands_count(hands, "1.00"), 2); /* the first word sees itself, on both sides */
    hands_close(hands);
}

/* What was asked for is still computed: that is no pause. */
static void a_run_on_its_way_says_so(void **unused)
{
    (void)unused;
    enum { LAST = 1400, FRAMES = 20000 };
    struct hands *const hands = open_still();
    const size_t begun = learn_of(hands)->reached;
    bool changed = false;
    (void)app_learn_apply(hands->state,
                          &(struct view_action){.kind = VIEW_ACTION_LEARN,
                                                .learn = {.act = VIEW_LEARN_SEEK, .which = LAST}},
                          hands->input.time, &changed);
    for (int f = 0; f < FRAMES && learn_of(hands)->step != LAST; f++) {
        hands_frame(hands);
        if (learn_of(hands)->step > begun && learn_of(hands)->step < LAST) {
            hands_expect(hands, "On the way");
        }
    }
    settle(hands);
    assert_int_equal(learn_of(hands)->step, LAST);
    hands_expect_not(hands, "On the way");
    hands_close(hands);
}

/* A text that is an argument is learned from before there is a window with its clock and its
 * language: what was done with it is said as soon as there is. */
static void what_was_done_with_a_text_is_said_once_there_is_a_window(void **unused)
{
    (void)unused;
    static const char text[] =
        "\xff\xfe a cat a dog a cat a dog a cat a dog a cat a dog a cat a dog";
    struct error error = {0};
    struct hands *const hands = open_still();
    app_learn_greet(hands->state, hands->input.time);
    hands_frame(hands);
    assert_int_equal(hands_count_part(hands, "Learned word by word"), 0);
    assert_true(app_learn_text(hands->state, (struct bytes){(const uint8_t *)text, sizeof text - 1},
                               hands->input.time, &error));
    settle(hands);
    hands->input.time += 5000;
    hands_frame(hands);
    assert_int_equal(hands_count_part(hands, "Learned word by word"), 0);
    app_learn_greet(hands->state, hands->input.time);
    hands_frame(hands);
    hands_expect_part(hands, "Learned word by word");
    hands_expect_part(hands, "Left out: 2 bytes");
    hands_close(hands);
}

/* A short text keeps nothing back to be tested with: there is no curve of a test, and no name. */
static void a_short_text_has_no_curve_of_a_test(void **state)
{
    (void)state;
    static const char text[] = "the baker sells bread . the smith sells iron .";
    struct hands *const hands = hands_open("cats", 1440, 900);
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(app_learn_text(hands->state, (struct bytes){(const uint8_t *)text, sizeof text - 1},
                               hands->input.time, &error));
    ask(hands, VIEW_LEARN_SEEK, 20, 20);
    hands_expect(hands, "loss");
    assert_int_equal(hands_count(hands, "right in the test"), 0);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_typed_weight_is_one_undo_away),
        cmocka_unit_test(numbers_stand_in_pairs_of_matrices),
        cmocka_unit_test(a_run_on_its_way_says_so),
        cmocka_unit_test(what_was_done_with_a_text_is_said_once_there_is_a_window),
        cmocka_unit_test(a_short_text_has_no_curve_of_a_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
