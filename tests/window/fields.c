/* Every number is a field: pasted, typed, dragged, given back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "hands.h"
#include "lab/edits.h"

static float number_at(struct hands *hands, enum lab_part part, size_t row, size_t column)
{
    const struct lab_matrix matrix = lab_trace_part(hands->state->trace, part, 0);
    return lab_matrix_at(&matrix, row, column);
}

static void expect_number(struct hands *hands, enum lab_part part, size_t row, size_t column,
                          double expected)
{
    const float is = number_at(hands, part, row, column);
    if (fabs((double)is - expected) > 1e-6) {
        fail_msg("row %zu, column %zu is %f instead of %f", row, column, (double)is, expected);
    }
}

static size_t steps_back(const struct hands *hands)
{
    return hands->state->history_at;
}

static void a_pasted_matrix_is_one_step_and_everything_follows(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "1");
    const size_t before = steps_back(hands);
    const size_t rows = lab_trace_sizes(hands->state->trace).n;
    char text[256] = "";
    for (size_t i = 0; i < rows; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%zu.5\t%zu.25\t\u22121\n", i, i);
    }
    hands_paste(hands, text);
    expect_number(hands, LAB_EMBEDDINGS_X, 1, 0, 1.5);
    expect_number(hands, LAB_EMBEDDINGS_X, 2, 1, 2.25);
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 2, -1);
    expect_number(hands, LAB_SCORES, 0, 0, 0.25 + 0.0625 + 1);
    hands_expect_part(hands, "numbers pasted");
    assert_int_equal(steps_back(hands), before + 1);
    assert_string_equal(hands->state->view.undo_name, "paste X");
    hands_key(hands, "Ctrl+Z");
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -2.5);
    hands_close(hands);
}

static void a_paste_of_the_wrong_shape_is_answered_and_changes_nothing(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "2");
    const size_t before = steps_back(hands);
    hands_paste(hands, "1 2\n3 4\n5 6\n");
    char says[64];
    const struct lab_matrix q = lab_trace_part(hands->state->trace, LAB_Q, 0);
    snprintf(says, sizeof says, "This is 3 × 2; Q is %zu × %zu.", q.rows, q.cols);
    hands_expect_part(hands, says);
    hands_paste(hands, "cat dog");
    hands_expect_part(hands, "There are no numbers in what was copied.");
    hands_paste(hands, "");
    hands_expect_part(hands, "There is nothing to paste.");
    hands_key(hands, "3");
    hands_paste(hands, "1");
    hands_expect_part(hands, "S is computed from Q and K");
    assert_int_equal(steps_back(hands), before);
    hands_close(hands);
}

static void what_is_copied_pastes_back_equal(void **unused)
{
    (void)unused;
    static const struct {
        const char *command;
        bool exact;
    } forms[] = {{"copy", true}, {"copy numpy", true}, {"copy csv", true}, {"copy latex", false}};
    static const char *const stages[] = {"1", "2", "5"};
    static const enum lab_part parts[] = {LAB_EMBEDDINGS_X, LAB_Q, LAB_ALPHA};
    struct hands *hands = hands_open("ten", 1440, 900);
    for (size_t s = 0; s < 3; s++) {
        hands_key(hands, stages[s]);
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            const struct lab_matrix matrix = lab_trace_part(hands->state->trace, parts[s], 0);
            float *former = calloc(matrix.rows * matrix.cols, sizeof *former);
            memcpy(former, matrix.values, matrix.rows * matrix.cols * sizeof *former);
            struct arena arena = {0};
            app_state_apply(
                hands->state,
                &(struct view_wish){.kind = VIEW_WISH_COMMAND, .text = forms[f].command}, 0);
            char *copied =
                arena_text(&arena, hands->state->request.copy, strlen(hands->state->request.copy));
            hands_key(hands, "1");
            hands_key(hands, "R"); /* other numbers everywhere */
            hands_key(hands, stages[s]);
            const struct lab_matrix other = lab_trace_part(hands->state->trace, parts[s], 0);
            assert_memory_not_equal(other.values, former, other.rows * other.cols * sizeof *former);
            assert_true(strlen(copied) < sizeof hands->clipboard);
            hands_paste(hands, copied);
            const struct lab_matrix back = lab_trace_part(hands->state->trace, parts[s], 0);
            for (size_t i = 0; i < back.rows * back.cols; i++) {
                const float near = forms[f].exact ? 0 : 0.0005001f;
                if (!(fabsf(back.values[i] - former[i]) <= near)) {
                    fail_msg("%s at stage %s: %.9g came back as %.9g", forms[f].command, stages[s],
                             (double)former[i], (double)back.values[i]);
                }
            }
            free(former);
            arena_free(&arena);
            hands_key(hands, "Ctrl+Z");
            hands_key(hands, "Ctrl+Z");
        }
    }
    hands_close(hands);
}

static void one_number_or_one_row_goes_where_the_click_was(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "1");
    hands_click(hands, "−2.7"); /* dog, petness */
    hands_paste(hands, "7.5");
    expect_number(hands, LAB_EMBEDDINGS_X, 1, 0, 7.5);
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -2.5);
    hands_paste(hands, "[1, 2, 3]");
    expect_number(hands, LAB_EMBEDDINGS_X, 1, 0, 1);
    expect_number(hands, LAB_EMBEDDINGS_X, 1, 2, 3);
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -2.5);
    hands_close(hands);
}

static void a_text_field_gets_the_text_instead(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    const size_t rows = lab_trace_sizes(hands->state->trace).n;
    hands_click(hands, "type a token…");
    hands_paste(hands, "1 2");
    assert_int_equal(lab_trace_sizes(hands->state->trace).n, rows + 2);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pasted_matrix_is_one_step_and_everything_follows),
        cmocka_unit_test(a_paste_of_the_wrong_shape_is_answered_and_changes_nothing),
        cmocka_unit_test(what_is_copied_pastes_back_equal),
        cmocka_unit_test(one_number_or_one_row_goes_where_the_click_was),
        cmocka_unit_test(a_text_field_gets_the_text_instead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
