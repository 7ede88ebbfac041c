/* Work of the thread of a run, or another beside the window, that is late or never done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/learn/learn_internal.h"
#include "base/file.h"
#include "learning.h"

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
    ask_learn(hands, VIEW_LEARN_SEEK, 0, 0);
    ask_learn(hands, VIEW_LEARN_SET, LEARN_RECIPE_D_MODEL, 256);
    ask_learn(hands, VIEW_LEARN_SET, LEARN_RECIPE_LAYERS, 4);
    ask_learn(hands, VIEW_LEARN_DRAW, VIEW_DRAW_WORDS, 200);
    app_learn_look_closely(hands->state, VIEW_OVERLAY_WRITE, hands->input.time);
    hands_step(hands);
    assert_true(learn_of(hands)->text.words < 200);
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->text.words, 200);
    hands_close(hands);
}

/* An edit that the run refuses is reported, and is no step of history. */
static void an_edit_that_is_refused_is_taken_back(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_learn_start(hands->state, SIZE_MAX, false, hands->input.time));
    ask_learn(hands, VIEW_LEARN_SEEK, 20, 0);
    ask_learn(hands, VIEW_LEARN_SET, LEARN_RECIPE_RATE, 0.02);
    const size_t before = hands->state->document.wanted;
    for (size_t time = 0; time < 2; time++) { /* in the same drag; and as a change of its own */
        ask_learn(hands, VIEW_LEARN_SET, LEARN_RECIPE_RATE, 1001);
        hands_expect_part(hands, "The rate must be above 0");
        assert_int_equal(hands->state->document.wanted, before);
        hands->input.time += 5;
    }
    ask_learn(hands, VIEW_LEARN_SEEK, 30, 0);
    assert_int_equal(learn_of(hands)->step, 30);
    assert_int_equal(hands->state->learn->learned->edits, 1);
    assert_int_equal(hands->state->learn->view->edit_count, 1);
    hands_close(hands);
}

/* Which step a side is of is said, however it was kept; what was let go of can be kept again. */
static void compare_keeps_a_moment_of_the_run(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_learn_start(hands->state, SIZE_MAX, false, hands->input.time));
    ask_learn(hands, VIEW_LEARN_SEEK, 20, 0);
    hands_click(hands, "Compare");
    hands_frame(hands);
    hands_key(hands, "b");
    hands_key(hands, "b");
    hands_key(hands, "b"); /* once around */
    ask_learn(hands, VIEW_LEARN_SEEK, 30, 0);
    hands_expect(hands, "step 20");
    hands_expect(hands, "step 30");
    hands_expect_not(hands, "nothing is changed yet");
    assert_true(app_command_run(hands->state, "forget", 0, hands->input.time));
    hands_show_settled(hands);
    assert_false(learn_of(hands)->pinned);
    ask_learn(hands, VIEW_LEARN_PIN, 0, 0);
    assert_non_null(hands->state->document.baseline);
    assert_int_equal(hands_count(hands, "step 30"), 2);
    hands_close(hands);
}

/* B is what A would be with the next seed, whatever A becomes, until it is let go of. */
static void the_other_seed_is_that_of_what_stands_there(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 20, 0);
    ask_learn(hands, VIEW_LEARN_BESIDE, 0, 0);
    hands_show_settled(hands);
    hands_expect(hands, "seed 20");
    ask_learn(hands, VIEW_LEARN_SET, LEARN_RECIPE_SEED, 5);
    hands_show_settled(hands);
    hands_expect(hands, "seed 5");
    hands_expect(hands, "seed 6");
    ask_learn(hands, VIEW_LEARN_SEEK, 30, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 10, 0);
    hands_show_settled(hands);
    const struct view_learn *const learn = learn_of(hands);
    const struct view_learn_curve *other = NULL;
    for (size_t c = 0; c < learn->curves; c++) {
        other = learn->curve[c].dashed && other == NULL ? &learn->curve[c] : other;
    }
    assert_non_null(other); /* as far as it has come, also behind the step that is shown */
    assert_true(other->value[29] > 0);
    assert_true(app_command_run(hands->state, "forget", 0, hands->input.time));
    hands_show_settled(hands);
    assert_null(hands->state->document.baseline);
    assert_int_equal(hands_count(hands, "loss, B"), 0);
    hands_close(hands);
}

/* Enter would write what stood there at another step. */
static void a_field_does_not_stay_open_while_its_weight_learns(void **unused)
{
    (void)unused;
    static const enum view_learn_act moves[] = {VIEW_LEARN_ONE, VIEW_LEARN_SEEK, VIEW_LEARN_PLAY};
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_learn_start(hands->state, SIZE_MAX, false, hands->input.time));
    ask_learn(hands, VIEW_LEARN_SEEK, 20, 0);
    hands_key(hands, "2");
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        app_state_apply(
            hands->state,
            &(struct view_action){.kind = VIEW_ACTION_OPEN,
                                  .edit = {.cell = {.part = LAB_W_Q, .row = 1, .column = 1}}},
            hands->input.time);
        assert_true(hands->state->view.edit_open);
        ask_learn(hands, moves[i], 10, 0);
        assert_false(hands->state->view.edit_open);
    }
    hands_close(hands);
}

/* The command writes at once, and says where: the whole way to the folder. */
static void a_model_is_saved_where_it_is_said(void **unused)
{
    (void)unused;
    char file[600];
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 3, 0);
    assert_true(app_command_run(hands->state, "save model", 0, hands->input.time));
    hands_frame(hands);
    assert_string_equal(hands->state->view.message, hands->state->message);
    const char *const folder = strchr(hands->state->message, '/');
    assert_non_null(folder);
    snprintf(file, sizeof file, "%s/config.json", folder);
    assert_true(file_mark(file).exists);
    hands_expect_part(hands, folder);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_text_is_written_beside_the_window),
        cmocka_unit_test(an_edit_that_is_refused_is_taken_back),
        cmocka_unit_test(a_field_does_not_stay_open_while_its_weight_learns),
        cmocka_unit_test(compare_keeps_a_moment_of_the_run),
        cmocka_unit_test(the_other_seed_is_that_of_what_stands_there),
        cmocka_unit_test(a_model_is_saved_where_it_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
