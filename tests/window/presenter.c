/* In front of a class: what it reads is large, no number is lost, and what has to be said is said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/commands.h"
#include "base/text.h"
#include "hands.h"
#include "lab/lesson/lessons.h"
#include "view/parts/pieces.h"

enum { READ_MOST = 16 }; /* longer lines are patterns */

static const float rooms[][2] = {{960, 600}, {1024, 768}, {1280, 720}, {1440, 900}};
enum { ROOMS = sizeof rooms / sizeof *rooms };

static struct hands *before_a_class(const char *lesson, float width, float height)
{
    struct hands *hands = hands_open(lesson, width, height);
    hands_key(hands, "F5");
    return hands;
}

/* The height in which a text is shown; 0: it is not. */
static float height_of(struct hands *hands, const char *words)
{
    float most = 0;
    struct rect area;
    for (size_t i = 0; canvas_find_text(hands_canvas(hands), words, i, &area); i++) {
        most = area.h > most ? area.h : most;
    }
    return most;
}

/* The chosen cell of a product's result. */
static bool chosen_number(const struct hands *hands, double *value)
{
    const struct app_state *state = hands->state;
    const struct lab_selection at = app_state_selection(state);
    const enum lab_stage stage = state->view.stage;
    if (state->document.trace == NULL ||
        (stage != LAB_SCORE && stage != LAB_BLEND && stage != LAB_OUTPUT)) {
        return false;
    }
    const struct lab_sizes sizes = lab_trace_sizes(state->document.trace);
    const struct lab_matrix matrix =
        lab_trace_part(state->document.trace, lab_cell_part(stage, &at), at.head);
    const size_t column = stage == LAB_SCORE ? at.key : at.channel;
    const size_t inner = stage == LAB_SCORE   ? sizes.d_k
                         : stage == LAB_BLEND ? sizes.m
                                              : sizes.heads * sizes.d_v;
    if (matrix.values == NULL || matrix.rows > READ_MOST || matrix.cols > READ_MOST ||
        inner > READ_MOST || lab_trace_experiment(state->document.trace)->residual ||
        (state->view.guess != LAB_GUESS_NONE && !state->view.revealed)) {
        return false;
    }
    *value = (double)lab_matrix_at(&matrix, at.query, column);
    return true;
}

static void expect_chosen_number(struct hands *hands, const char *lesson)
{
    const float least = 12; /* of letters that a class reads, in points of the window */
    double value = 0;
    if (!chosen_number(hands, &value)) {
        return;
    }
    float most = 0;
    for (int decimals = 0; decimals <= 2; decimals++) {
        char text[TEXT_NUMBER_MAX];
        text_number(text, value, decimals);
        const float high = height_of(hands, text);
        most = high > most ? high : most;
    }
    if (most < least) {
        fail_msg("%s, step %zu, %g × %g: %g is %g high", lesson, hands->state->view.step + 1,
                 (double)hands->input.width, (double)hands->input.height, value, (double)most);
    }
}

static void the_chosen_number_is_read_at_every_step_of_every_lesson(void **state)
{
    (void)state;
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        const char *const name = lab_lesson_name(l);
        for (size_t r = 0; r < ROOMS; r++) {
            struct hands *hands = before_a_class(name, rooms[r][0], rooms[r][1]);
            for (size_t step = 0; step < hands->state->document.lesson.steps; step++) {
                app_state_apply(
                    hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = step},
                    hands->input.time);
                hands_wait(hands, 1);
                expect_chosen_number(hands, name);
                if (hands_collisions(hands) > 0) {
                    fail_msg("%s, step %zu", name, step + 1);
                }
            }
            hands_close(hands);
        }
    }
}

static void shares_are_read_from_the_last_row_too(void **state)
{
    (void)state;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = hands_open("cats", rooms[r][0], rooms[r][1]);
        app_command_run(hands->state, "stage", LAB_SOFTMAX, 0);
        hands_wait(hands, 1);
        const float before = height_of(hands, "0.476");
        hands_key(hands, "F5");
        hands_wait(hands, 1);
        assert_true(before > 0 && height_of(hands, "0.476") >= 1.5f * before);
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

static void in_a_low_room_stage_space_and_heads_take_turns(void **state)
{
    (void)state;
    struct hands *hands = before_a_class("cats", 960, 600);
    hands_expect(hands, "26.00");
    hands_click(hands, "Space");
    hands_expect_part(hands, "how far keys go along dog");
    hands_expect_not(hands, "26.00");
    hands_key(hands, "g");
    hands_expect(hands, "Head 1 of 1");
    hands_click(hands, "Stage");
    hands_expect(hands, "26.00");
    hands_key(hands, "F5");
    hands_expect(hands, "Heads");
    hands_close(hands);
}

/* Nine words do not fit: five or six of them do, with the chosen one. */
static void where_not_all_cells_fit_those_around_the_chosen_one_are_shown(void **state)
{
    (void)state;
    struct hands *hands = before_a_class("hammer", 960, 600);
    app_command_run(hands->state, "stage", LAB_SCORE, 0);
    hands_wait(hands, 1);
    assert_int_equal(hands->state->view.pinned.query, 4);
    hands_expect(hands, "of 9 × 9");
    hands_expect(hands, "8.00");
    hands_click(hands, "3.20"); /* the same row, the last column */
    assert_int_equal(hands->state->view.pinned.query, 4);
    assert_int_equal(hands->state->view.pinned.key, 8);
    hands_expect(hands, "Peter");
    for (int i = 0; i < 4; i++) {
        hands_key(hands, "Down");
    }
    assert_int_equal(hands->state->view.pinned.query, 8);
    hands_expect(hands, "of 9 × 9");
    hands_expect(hands, "great"); /* the row before the last came into sight */
    hands_key(hands, "F5");
    hands_expect_not(hands, "of 9 × 9");
    hands_close(hands);
}

static void what_is_no_number_is_answered_before_a_class_too(void **state)
{
    (void)state;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = before_a_class("cats", rooms[r][0], rooms[r][1]);
        hands_click_number(hands, "0.5", 0);
        hands_click_number(hands, "0.5", 0);
        hands_type(hands, "lots");
        hands_key(hands, "Enter");
        hands_expect(hands, "“lots” is not a number; what stood there stays.");
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

static void a_click_in_a_part_of_a_matrix_chooses_what_stands_there(void **state)
{
    (void)state;
    struct hands *hands = before_a_class("hammer", 960, 600);
    app_command_run(hands->state, "stage", LAB_SCORE, 0);
    hands->state->view.pinned.query = 8;
    hands_wait(hands, 1);
    hands_click_number(hands, "0.80", 0); /* the first is what It gives to “a” */
    assert_int_equal(hands->state->view.pinned.query, 4);
    assert_int_equal(hands->state->view.pinned.key, 2);
    hands_expect(hands, "0.80");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chosen_number_is_read_at_every_step_of_every_lesson),
        cmocka_unit_test(shares_are_read_from_the_last_row_too),
        cmocka_unit_test(in_a_low_room_stage_space_and_heads_take_turns),
        cmocka_unit_test(where_not_all_cells_fit_those_around_the_chosen_one_are_shown),
        cmocka_unit_test(what_is_no_number_is_answered_before_a_class_too),
        cmocka_unit_test(a_click_in_a_part_of_a_matrix_chooses_what_stands_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
