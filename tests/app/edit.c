/* Numbers typed over, causes walked back to, an experiment kept to compare. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/actions/find.h"
#include "app/open/lesson.h"
#include "desk.h"
#include "lab/lesson/lessons.h"

static void a_number_typed_over_is_followed_by_all_and_is_one_step_of_undo(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct lab_cell cell = {LAB_Q, 0, 0, 1};
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_OPEN, .edit = {.cell = cell}},
                    1);
    assert_true(state->view.edit_open);
    action_number(state, cell, 3, 1);
    action_number(state, cell, 3.5, 1.2);
    assert_true(fabsf(score(state, 0, 0) - 9.75f) < 1e-5f);
    app_state_apply(
        state,
        &(struct view_action){.kind = VIEW_ACTION_CLOSE, .edit = {.stays = true, .cell = cell}}, 2);
    assert_false(state->view.edit_open);
    assert_string_equal(state->view.undo_name, "type Q of cat");
    document_undo(&state->document, 0);
    assert_true(score(state, 0, 0) == 7.25f);
    assert_false(state->view.can_undo);
    closed(state);
}

static void esc_in_a_number_leaves_what_stood_there(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct lab_cell cell = {LAB_EMBEDDINGS_X, 0, 2, 0};
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_OPEN, .edit = {.cell = cell}},
                    1);
    action_number(state, cell, 9, 1);
    assert_true(score(state, 2, 2) > 100);
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_CLOSE, .edit = {.cell = cell}},
                    2);
    assert_true(score(state, 2, 2) == 26);
    closed(state);
}

static void a_dot_gives_the_former_number_back(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct lab_cell cell = {LAB_ALPHA, 0, 1, 0};
    action_number(state, cell, 0.4, 1);
    assert_true(lab_trace_is_edited(state->document.trace, LAB_ALPHA, 0, 1, 0));
    app_state_apply(state,
                    &(struct view_action){.kind = VIEW_ACTION_RESTORE, .edit = {.cell = cell}}, 2);
    assert_false(lab_trace_is_edited(state->document.trace, LAB_ALPHA, 0, 1, 0));
    closed(state);
}

/* Shift is let go in the middle of a drag; a word comes in the middle of another. */
static void the_rest_of_a_row_is_shared_from_any_moment_of_a_drag(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct lab_cell cell = {LAB_ALPHA, 0, 1, 0};
    struct view_action drag = {.kind = VIEW_ACTION_EDIT, .edit = {.cell = cell, .number = 0.25}};
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_GRAB}, 1);
    app_state_apply(state, &drag, 1);
    for (size_t words = 4; words <= 40; words += 36) {
        drag.edit.shares = true;
        drag.edit.number += 0.25;
        app_state_apply(state, &drag, 2);
        const struct lab_matrix alpha = lab_trace_part(state->document.trace, LAB_ALPHA, 0);
        double sum = 0;
        for (size_t j = 0; j < alpha.cols; j++) {
            sum += (double)lab_matrix_at(&alpha, 1, j);
        }
        assert_true((double)lab_matrix_at(&alpha, 1, 0) == drag.edit.number);
        assert_true(fabs(sum - 1) < 1e-5);
        for (size_t i = alpha.cols; words == 4 && i < 40; i++) {
            insert(state, i, "bird", 2);
        }
    }
    closed(state);
}

static void weights_typed_by_hand_blend_the_values_by_hand(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    static const double weights[4] = {0.4, 0.5, 0.1, 0};
    static const float expected[3] = {-2.35f, 1.15f, -0.2f};
    for (size_t j = 0; j < 4; j++) {
        app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_GRAB}, (double)j);
        action_number(state, (struct lab_cell){LAB_ALPHA, 0, 1, j}, weights[j], (double)j);
    }
    const struct lab_matrix z = lab_trace_part(state->document.trace, LAB_Z, 0);
    for (size_t c = 0; c < 3; c++) {
        assert_true(fabsf(lab_matrix_at(&z, 1, c) - expected[c]) < 1e-5f);
    }
    closed(state);
}

static void text_where_a_number_belongs_is_answered_and_changes_nothing(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_NO_NUMBER, .text = "many"}, 1);
    assert_non_null(strstr(state->view.message, "many"));
    assert_false(state->view.can_undo);
    const struct lab_cell nowhere = {LAB_Q, 7, 99, 99};
    action_number(state, nowhere, 1, 2);
    assert_false(state->view.can_undo);
    closed(state);
}

static void an_operand_leads_back_and_backspace_forward(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct view_action back = {
        .kind = VIEW_ACTION_WALK,
        .walk = {.stage = LAB_PROJECT, .to = {.query = 1, .channel = 2, .projected = LAB_Q}}};
    app_state_apply(state, &back, 1);
    assert_int_equal(state->view.playback.stage, LAB_PROJECT);
    assert_int_equal(state->view.pinned.channel, 2);
    app_command_run(state, "walk forward", 0, 2);
    assert_int_equal(state->view.playback.stage, LAB_SCORE);
    assert_int_equal(state->view.pinned.key, 0);
    app_command_run(state, "walk forward", 0, 3);
    assert_int_equal(state->view.playback.stage, LAB_SCORE);
    for (int i = 0; i < 3 * APP_BACK_MAX; i++) {
        app_state_apply(state, &back, 4 + i);
    }
    assert_int_equal(state->back_count, APP_BACK_MAX);
    closed(state);
}

static void a_mask_is_painted_pair_by_pair_and_undone(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    action_field(state, LAB_PARAM_MASK, LAB_MASK_CUSTOM, 1);
    app_state_apply(state,
                    &(struct view_action){.kind = VIEW_ACTION_PAINT,
                                          .paint = {.query = 1, .key = 0, .shows = false}},
                    2);
    assert_false(lab_trace_sees(state->document.trace, 1, 0));
    assert_true(lab_trace_sees(state->document.trace, 0, 1));
    const struct lab_matrix alpha = lab_trace_part(state->document.trace, LAB_ALPHA, 0);
    assert_true(lab_matrix_at(&alpha, 1, 0) == 0);
    document_undo(&state->document, 0);
    assert_true(lab_trace_sees(state->document.trace, 1, 0));
    closed(state);
}

static void what_was_kept_stays_while_the_present_changes(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    app_command_run(state, "compare", 0, 1);
    assert_int_equal(state->view.compare, VIEW_COMPARE_SIDE);
    insert(state, 4, "bird", 2);
    assert_int_equal(lab_trace_sizes(state->document.baseline).n, 4);
    assert_int_equal(lab_trace_sizes(state->document.trace).n, 5);
    app_command_run(state, "compare", 0, 3);
    assert_int_equal(state->view.compare, VIEW_COMPARE_DIFFERENCE);
    app_command_run(state, "forget", 0, 4);
    assert_null(state->document.baseline);
    assert_int_equal(state->view.compare, VIEW_COMPARE_NOT);
    closed(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_typed_over_is_followed_by_all_and_is_one_step_of_undo),
        cmocka_unit_test(esc_in_a_number_leaves_what_stood_there),
        cmocka_unit_test(a_dot_gives_the_former_number_back),
        cmocka_unit_test(the_rest_of_a_row_is_shared_from_any_moment_of_a_drag),
        cmocka_unit_test(weights_typed_by_hand_blend_the_values_by_hand),
        cmocka_unit_test(text_where_a_number_belongs_is_answered_and_changes_nothing),
        cmocka_unit_test(an_operand_leads_back_and_backspace_forward),
        cmocka_unit_test(a_mask_is_painted_pair_by_pair_and_undone),
        cmocka_unit_test(what_was_kept_stays_while_the_present_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
