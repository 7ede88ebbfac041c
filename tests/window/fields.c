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

#include "app/actions/actions.h"
#include "base/text.h"
#include "base/translate.h"
#include "hands.h"
#include "lab/experiment/edits.h"

static float number_at(struct hands *hands, enum lab_part part, size_t row, size_t column)
{
    const struct lab_matrix matrix = lab_trace_part(hands->state->document.trace, part, 0);
    return lab_matrix_at(&matrix, row, column);
}

static void expect_number(struct hands *hands, enum lab_part part, size_t row, size_t column,
                          double expected)
{
    const float is = number_at(hands, part, row, column);
    if (fabs((double)is - expected) > 0.0005) {
        fail_msg("row %zu, column %zu is %f instead of %f", row, column, (double)is, expected);
    }
}

static size_t steps_back(const struct hands *hands)
{
    return hands->state->document.at;
}

static void a_pasted_matrix_is_one_step_and_everything_follows(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "1");
    const size_t before = steps_back(hands);
    const size_t rows = lab_trace_sizes(hands->state->document.trace).n;
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
    const struct lab_matrix q = lab_trace_part(hands->state->document.trace, LAB_Q, 0);
    snprintf(says, sizeof says, "This is 3 × 2; Q is %zu × %zu: click", q.rows, q.cols);
    hands_expect_part(hands, says);
    hands_paste(hands, "1 2 3 4\n5 6 7 8\n9 10 11 12\n"); /* Q is 4 × 3 */
    hands_expect_part(hands, "This is 3 × 4; Q is 4 × 3: Ctrl+Shift+V pastes it transposed.");
    hands_paste(hands, "cat dog");
    hands_expect_part(hands, "There are no numbers in what was copied. Words are pasted into");
    hands_paste(hands, "");
    hands_expect_part(hands, "There is nothing to paste.");
    hands_key(hands, "3");
    hands_paste(hands, "1");
    hands_expect_part(hands, "S is computed from Q and K");
    hands_paste(hands, "bird fish"); /* words are no matter of Q and K */
    hands_expect_part(hands, "Words are pasted into the field at the top");
    assert_int_equal(steps_back(hands), before);
    hands_close(hands);
}

/* A field holds one number; a matrix that is pasted into it is the matrix's, as a whole. */
static void a_matrix_pasted_while_a_number_is_open_is_the_matrix_s(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "1");
    const size_t before = steps_back(hands);
    const struct point number = hands_find(hands, "−2.5", 0);
    hands_click_at(hands, number.x, number.y);
    hands_click_at(hands, number.x, number.y);
    hands_type(hands, "9");
    assert_true(hands->state->view.edit_open);
    hands_paste(hands, "1\t2\t3\n4\t5\t6\n7\t8\t9\n10\t11\t12\n");
    assert_false(hands->state->view.edit_open);
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, 1);
    expect_number(hands, LAB_EMBEDDINGS_X, 3, 2, 12);
    assert_int_equal(steps_back(hands), before + 1);
    hands_key(hands, "Ctrl+Z");
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -2.5);
    hands_click_at(hands, number.x, number.y);
    hands_click_at(hands, number.x, number.y);
    assert_true(hands->state->view.edit_open);
    hands_paste(hands, " 0.75 ");
    hands_key(hands, "Enter");
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, 0.75);
    hands_close(hands);
}

/* As a data frame of causal attention is copied: nothing stands where nothing is seen. */
static void an_empty_cell_of_pasted_weights_is_masked(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "2");
    const size_t before = steps_back(hands);
    hands_paste(hands, "1\t2\t3\n4\t\t6\n7\t8\t9\n10\t11\t12\n"); /* Q is 4 × 3 */
    hands_expect_part(hands, "Row 2 has no number in column 2.");
    assert_int_equal(steps_back(hands), before);
    hands_key(hands, "5");
    hands_paste(hands, "1;;;\n0,5;0,5;;\n0,25;0,25;0,5;\n0,25;0,25;0,25;0,25\n");
    expect_number(hands, LAB_ALPHA, 0, 0, 1);
    expect_number(hands, LAB_ALPHA, 0, 3, 0);
    expect_number(hands, LAB_ALPHA, 1, 1, 0.5);
    expect_number(hands, LAB_ALPHA, 2, 3, 0);
    assert_int_equal(steps_back(hands), before + 1);
    hands_close(hands);
}

static void a_matrix_that_lies_on_its_side_is_pasted_transposed(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "2");
    snprintf(hands->clipboard, sizeof hands->clipboard, "1 2 3 4\n5 6 7 8\n9 10 11 12\n");
    hands_key(hands, "Ctrl+Shift+V");
    hands_frame(hands);
    expect_number(hands, LAB_Q, 0, 0, 1);
    expect_number(hands, LAB_Q, 0, 1, 5);
    expect_number(hands, LAB_Q, 3, 2, 12);
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
            const struct lab_matrix matrix =
                lab_trace_part(hands->state->document.trace, parts[s], 0);
            float *former = calloc(matrix.rows * matrix.cols, sizeof *former);
            memcpy(former, matrix.values, matrix.rows * matrix.cols * sizeof *former);
            struct arena arena = {0};
            app_state_apply(
                hands->state,
                &(struct view_action){.kind = VIEW_ACTION_COMMAND, .command = forms[f].command}, 0);
            char *copied =
                arena_text(&arena, hands->state->request.copy, strlen(hands->state->request.copy));
            hands_key(hands, "1");
            hands_key(hands, "Ctrl+R"); /* other numbers everywhere */
            hands_key(hands, stages[s]);
            const struct lab_matrix other =
                lab_trace_part(hands->state->document.trace, parts[s], 0);
            assert_memory_not_equal(other.values, former, other.rows * other.cols * sizeof *former);
            assert_true(strlen(copied) < sizeof hands->clipboard);
            hands_paste(hands, copied);
            const struct lab_matrix back =
                lab_trace_part(hands->state->document.trace, parts[s], 0);
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

static void a_block_goes_from_the_click_on(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "1");
    hands_click(hands, "5.0"); /* lion, animalness */
    hands_paste(hands, "1\t2\n3\t4\n");
    expect_number(hands, LAB_EMBEDDINGS_X, 2, 1, 1);
    expect_number(hands, LAB_EMBEDDINGS_X, 2, 2, 2);
    expect_number(hands, LAB_EMBEDDINGS_X, 3, 2, 4);
    expect_number(hands, LAB_EMBEDDINGS_X, 2, 0, 0);
    const size_t before = steps_back(hands);
    hands_paste(hands, "1 2\n3 4\n5 6\n");
    hands_expect_part(hands, "with room for all of it");
    assert_int_equal(steps_back(hands), before);
    hands_close(hands);
}

static void what_was_clicked_is_what_is_copied(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "3");
    hands_key(hands, "Ctrl+C");
    hands_expect_part(hands, "S copied: 4 × 4 numbers");
    hands_click(hands, "−2.7"); /* Q, which stands before Kᵀ or not: either has 4 × 3 numbers */
    hands_key(hands, "Ctrl+C");
    hands_expect_part(hands, " copied: 4 × 3 numbers");
    assert_non_null(strstr(hands->clipboard, "-2.7\t0.5\t-0.2"));
    hands_close(hands);
}

static void a_text_field_gets_the_text_instead(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    const size_t rows = lab_trace_sizes(hands->state->document.trace).n;
    hands_click(hands, "type a token…");
    hands_paste(hands, "1 2");
    assert_int_equal(lab_trace_sizes(hands->state->document.trace).n, rows + 2);
    hands_close(hands);
}

/* "Where would dog land if it looked only at NYC?", with the mouse alone. */
static void a_click_lets_a_word_look_at_one_other_only(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Blend");
    hands_click(hands, "0.10"); /* dog to lion is 0.03, cat to lion 0.10 */
    hands_expect(hands, "cat:");
    hands_click(hands, "0.39"); /* dog */
    const struct point nyc = hands_find(hands, "0.10", 1);
    hands_click_at(hands, nyc.x, nyc.y);
    hands_expect(hands, "dog:");
    hands_click(hands, "looks only at “NYC”");
    const size_t dog = 1;
    for (size_t channel = 0; channel < 3; channel++) {
        expect_number(hands, LAB_Z, dog, channel, (double)number_at(hands, LAB_V, 3, channel));
    }
    hands_expect_part(hands, "−2.00");
    assert_string_equal(hands->state->view.undo_name, "all of “dog” on “NYC”");
    hands_click(hands, "looks equally at all");
    expect_number(hands, LAB_ALPHA, dog, 2, 0.25);
    hands_click(hands, "restore all of α");
    hands_expect_not(hands, "restore all of α");
    assert_int_equal(lab_edits_count(hands->state->document.experiment.edits), 0);
    hands_close(hands);
}

static void a_key_asks_what_if_the_query_looked_only_there(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands->state->view.pinned.query = 1;
    hands->state->view.pinned.key = 3;
    hands_key(hands, "Alt+W");
    expect_number(hands, LAB_ALPHA, 1, 3, 1);
    hands_key(hands, "Alt+Shift+W");
    expect_number(hands, LAB_ALPHA, 1, 3, 0.25);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "looks only at");
    hands_key(hands, "Enter");
    expect_number(hands, LAB_ALPHA, 1, 3, 1);
    hands_close(hands);
}

static void what_the_mask_hides_gets_nothing(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_COMMAND, .command = "causal mask"},
                    0);
    hands->state->view.pinned.query = 0;
    hands->state->view.pinned.key = 1;
    const size_t before = steps_back(hands);
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_COMMAND, .command = "all on key"}, 0);
    assert_int_equal(steps_back(hands), before);
    assert_non_null(strstr(hands->state->message, "the mask hides it"));
    hands_close(hands);
}

static void open_number(struct hands *hands, const char *number)
{
    const struct point at = hands_find(hands, number, 0);
    hands_click_at(hands, at.x, at.y);
    hands_click_at(hands, at.x, at.y);
    assert_true(hands->state->view.edit_open);
}

/* Before a class no button stands below the matrix: the way is by name. Of a lesson's own numbers
 * only the other one counts. */
static void a_row_is_rescaled_before_a_class_by_its_name(void **state)
{
    (void)state;
    struct hands *const hands = hands_open_presenter("cats", 1280, 720);
    hands_show_step(hands, 4);
    open_number(hands, "0.50");
    hands_type(hands, "0.2");
    hands_key(hands, "Tab");
    hands_key(hands, "Escape");
    hands_wait(hands, 0.5);
    hands_expect_part(hands, "not to 1: Ctrl+K “rescale” mends it.");
    hands_expect_part(hands, "changed since: 1 number typed by hand");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "rescale");
    hands_key(hands, "Enter");
    hands_wait(hands, 0.5);
    const struct lab_matrix alpha = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 0);
    float sum = 0;
    for (size_t j = 0; j < alpha.cols; j++) {
        sum += lab_matrix_at(&alpha, 1, j);
    }
    assert_true(sum > 0.9999f && sum < 1.0001f);
    hands_expect_part(hands, "changed since: 1 row changed by hand"); /* one number was typed */
    hands_close(hands);
}

static void a_typed_weight_leaves_the_sum_and_one_click_mends_it(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Blend");
    hands_expect_not(hands, "rescale the row");
    open_number(hands, "0.39");
    hands_type(hands, "1");
    hands_key(hands, "Tab");
    hands_key(hands, "Escape");
    expect_number(hands, LAB_ALPHA, 1, 0, 1);
    hands_expect_part(hands, "sum to 1.606 now, not to 1");
    hands_expect_part(hands, "The row of “dog” sums to 1.606, not to 1: its output is no average");
    struct rect picture;
    assert_true(canvas_find_group(hands_canvas(hands), "3-D view", 0, &picture));
    const struct point z = hands_find(hands, "z(dog)", 0);
    assert_true(rect_has(picture, z.x, z.y));
    hands_click(hands, "rescale the row");
    expect_number(hands, LAB_ALPHA, 1, 0, 1 / 1.6058);
    hands_expect_not(hands, "rescale the row");
    hands_close(hands);
}

static void a_weight_beyond_one_is_answered_and_changes_nothing(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"1.5", "-0.2", "0.5x"};
    for (size_t i = 0; i < 3; i++) {
        struct hands *hands = hands_open("cats", 1440, 900);
        hands_click(hands, "Blend");
        const float former = number_at(hands, LAB_ALPHA, 1, 0);
        const size_t before = steps_back(hands);
        open_number(hands, "0.39");
        hands_type(hands, wrong[i]);
        hands_key(hands, "Enter");
        hands_expect_part(hands, i < 2 ? "A weight lies between 0 and 1" : "is not a number");
        assert_true(number_at(hands, LAB_ALPHA, 1, 0) == former);
        assert_int_equal(steps_back(hands), before);
        assert_false(hands->state->view.can_redo);
        hands_close(hands);
    }
}

static void tab_goes_from_number_to_number(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Embed");
    open_number(hands, "−2.5");
    hands_type(hands, "1");
    hands_key(hands, "Tab");
    hands_type(hands, "2");
    hands_key(hands, "Tab");
    hands_type(hands, "3");
    hands_key(hands, "Tab"); /* on to the next row */
    hands_type(hands, "4");
    hands_key(hands, "Shift+Tab");
    hands_type(hands, "5");
    hands_key(hands, "Tab");
    hands_type(hands, "6");
    hands_key(hands, "Escape"); /* takes only that back */
    static const double expected[2][3] = {{1, 2, 5}, {4, 0.5, -0.2}};
    for (size_t i = 0; i < 6; i++) {
        expect_number(hands, LAB_EMBEDDINGS_X, i / 3, i % 3, expected[i / 3][i % 3]);
    }
    hands_expect(hands, "restore all of X");
    hands_click(hands, "restore all of X");
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -2.5);
    assert_string_equal(hands->state->view.undo_name, "restore all of X");
    hands_close(hands);
}

/* Tab goes from number to number to look at them: none is typed over, and nothing is to undo. */
static void tab_on_a_number_changes_nothing_that_was_not_typed(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Embed");
    const size_t before = steps_back(hands);
    open_number(hands, "−2.5");
    for (size_t i = 0; i < 3; i++) {
        hands_key(hands, "Tab");
    }
    hands_key(hands, "Tab");
    hands_key(hands, "Escape");
    assert_int_equal(steps_back(hands), before);
    assert_int_equal(lab_edits_count(hands->state->document.experiment.edits), 0);
    open_number(hands, "−2.5");
    hands_type(hands, "7");
    hands_key(hands, "Enter");
    hands_key(hands, "Enter");
    assert_int_equal(steps_back(hands), before + 1);
    assert_int_equal(lab_edits_count(hands->state->document.experiment.edits), 1);
    hands_close(hands);
}

/* Ctrl+Z took back the change before, and the field stayed as it was. */
static void undo_in_a_field_is_of_what_is_typed(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+R"); /* there is something else to take back */
    hands_click(hands, "Embed");
    open_number(hands, "−2.5");
    hands_type(hands, "7");
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, 7);
    hands_key(hands, "Ctrl+Z");
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -2.5);
    hands_key(hands, "Ctrl+Z");
    assert_int_equal(hands->state->document.experiment.weights, LAB_WEIGHTS_RANDOM);
    hands_key(hands, "Ctrl+Y");
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, 7);
    hands_key(hands, "Ctrl+Z");
    hands_type(hands, "3"); /* typing goes on from there */
    hands_key(hands, "Ctrl+Z");
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -2.5);
    hands_key(hands, "Escape");
    hands_key(hands, "Ctrl+Z");
    assert_int_equal(hands->state->document.experiment.weights, LAB_WEIGHTS_IDENTITY);
    hands_close(hands);
}

/* Tab leads to the next number: there nothing is typed yet, and undo is of what was. */
static void undo_in_an_untouched_field_is_of_the_document(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Embed");
    open_number(hands, "−2.5");
    hands_type(hands, "3");
    hands_key(hands, "Tab");
    assert_true(hands->state->view.edit_open);
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, 3);
    hands_key(hands, "Ctrl+Z");
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -2.5);
    assert_false(hands->state->view.edit_open);
    hands_key(hands, "Ctrl+Shift+Z");
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, 3);
    open_number(hands, "3.0");
    hands_key(hands, "Ctrl+Z");
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -2.5);
    hands_close(hands);
}

static void escape_gives_a_drag_up(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Embed");
    const size_t before = steps_back(hands);
    const struct point at = hands_find(hands, "−2.5", 0);
    hands_press(hands, at.x, at.y, UI_LEFT_BUTTON, 1);
    hands_move(hands, at.x + 40, at.y);
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -2.5 + 40 * 0.02);
    hands_key(hands, "Escape");
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -2.5);
    hands_move(hands, at.x + 80, at.y);
    hands_release(hands, at.x + 80, at.y, UI_LEFT_BUTTON);
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -2.5);
    assert_int_equal(steps_back(hands), before);
    hands_drag(hands, at.x, at.y, at.x + 50, at.y); /* the next one moves again */
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, -1.5);
    assert_string_equal(hands->state->view.undo_name, "drag X of cat");
    hands_close(hands);
}

static double row_sum(struct hands *hands, size_t row)
{
    double sum = 0;
    for (size_t j = 0; j < lab_trace_sizes(hands->state->document.trace).m; j++) {
        sum += (double)number_at(hands, LAB_ALPHA, row, j);
    }
    return sum;
}

static void a_dragged_weight_lets_the_others_share_the_rest(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Blend");
    const double ratio =
        (double)number_at(hands, LAB_ALPHA, 1, 1) / (double)number_at(hands, LAB_ALPHA, 1, 3);
    const struct point at = hands_find(hands, "0.39", 0);
    hands_drag(hands, at.x, at.y, at.x + 40, at.y);
    expect_number(hands, LAB_ALPHA, 1, 0, 0.594);
    assert_true(fabs(row_sum(hands, 1) - 1) < 1e-6);
    const double now =
        (double)number_at(hands, LAB_ALPHA, 1, 1) / (double)number_at(hands, LAB_ALPHA, 1, 3);
    assert_true(fabs(now - ratio) < 1e-4 * ratio);
    hands_key(hands, "Ctrl+Z");
    hands->input.mods = UI_SHIFT;
    hands_drag(hands, at.x, at.y, at.x + 40, at.y);
    hands->input.mods = 0;
    assert_true(fabs(row_sum(hands, 1) - 1.2) < 1e-3);
    hands_close(hands);
}

static void a_bar_of_softmax_is_dragged_and_doubly_clicked(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Softmax");
    const struct point share = hands_find(hands, "share", 0);
    const struct point cat = hands_find(hands, "0.394", 0); /* the number beside the bar */
    const float y = cat.y - 4;
    hands_drag(hands, share.x, y, share.x + 1000, y);
    expect_number(hands, LAB_ALPHA, 1, 0, 1);
    expect_number(hands, LAB_ALPHA, 1, 1, 0);
    hands_key(hands, "Ctrl+Z");
    expect_number(hands, LAB_ALPHA, 1, 0, 0.394);
    const struct point lion = hands_find(hands, "0.028", 0);
    hands_press(hands, share.x + 20, lion.y - 4, UI_LEFT_BUTTON, 1);
    hands_release(hands, share.x + 20, lion.y - 4, UI_LEFT_BUTTON);
    hands_press(hands, share.x + 20, lion.y - 4, UI_LEFT_BUTTON, 2);
    hands_release(hands, share.x + 20, lion.y - 4, UI_LEFT_BUTTON);
    expect_number(hands, LAB_ALPHA, 1, 2, 1);
    assert_string_equal(hands->state->view.undo_name, "all of “dog” on “lion”");
    hands_close(hands);
}

static void words_that_end_in_s_have_no_odd_grammar(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "type a token…");
    hands_type(hands, "lions ");
    hands_key(hands, "Escape");
    hands->state->view.pinned.query = 4;
    hands_key(hands, "Escape");
    hands->state->view.let_go = false;
    hands_click(hands, "Blend");
    hands_expect_part(hands, "where the output of “lions” lands");
    hands->state->view.pinned.query = 1;
    hands_frame(hands);
    hands_expect_part(hands, "where the output of “dog” lands");
    hands_close(hands);
}

static void the_sheet_shows_scale_and_mask_too(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "O");
    hands_expect(hands, "S ÷ √dₖ");
    hands_click(hands, "S ÷ √dₖ");
    assert_int_equal(hands->state->view.playback.stage, LAB_SCALE);
    assert_false(hands->state->view.prefs.display.flow);
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_COMMAND, .command = "causal mask"},
                    0);
    hands_key(hands, "O");
    hands_expect(hands, "S ÷ √dₖ + mask");
    hands_close(hands);
}

static void with_the_residual_the_space_shows_the_sum(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Output");
    hands_expect_not(hands, "x + o");
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_COMMAND, .command = "residual"}, 0);
    hands_frame(hands);
    hands_expect(hands, "x + o");
    hands_close(hands);
}

/* After Tab the next number is open: a hand that goes on elsewhere closes it, and the keys of the
 * stages do not end up in it. */
static void a_hand_that_goes_elsewhere_leaves_the_number(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_show_settings(hands);
    hands_key(hands, "1");
    hands_wait(hands, 1);
    const struct point cell = hands_find(hands, "−2.5", 0);
    hands_click_at(hands, cell.x, cell.y);
    hands_click_at(hands, cell.x, cell.y);
    hands_type(hands, "3");
    hands_key(hands, "Tab");
    assert_true(hands->state->view.edit_open);
    const struct point slider = hands_find(hands, "temperature τ", 0);
    hands_drag(hands, slider.x + 40, slider.y + 19, slider.x + 70, slider.y + 19);
    assert_true(hands->state->document.experiment.temperature > 1.5F);
    assert_false(hands->state->view.edit_open);
    hands_key(hands, "5");
    assert_int_equal(hands->state->view.playback.stage, LAB_SOFTMAX);
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 1, 1);
    hands_close(hands);
}

/* Enter is the end of a number: the digit that follows is a stage, not the next number. */
static void enter_leaves_the_number(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Embed");
    open_number(hands, "−2.5");
    hands_type(hands, "3");
    hands_key(hands, "Enter");
    assert_false(hands->state->view.edit_open);
    hands_key(hands, "5");
    assert_int_equal(hands->state->view.playback.stage, LAB_SOFTMAX);
    expect_number(hands, LAB_EMBEDDINGS_X, 0, 0, 3);
    expect_number(hands, LAB_EMBEDDINGS_X, 1, 0, -2.7);
    assert_int_equal(lab_edits_count(hands->state->document.experiment.edits), 1);
    hands_close(hands);
}

/* The field over a number of many digits is wider than its cell. */
static void a_wide_field_covers_no_word_beside_the_matrix(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "6");
    hands_wait(hands, 1);
    struct point cell = {0, 0}, word = {0, 0}; /* lion’s first weight, 5·10⁻⁶, and its word */
    for (size_t n = 0; n < hands_count(hands, "lion"); n++) {
        for (size_t z = 0; z < hands_count(hands, "0.00"); z++) {
            const struct point at = hands_find(hands, "lion", n);
            const struct point number = hands_find(hands, "0.00", z);
            if (fabsf(at.y - number.y) < 10 && at.x < number.x && number.x - at.x < 75) {
                word = at;
                cell = number;
            }
        }
    }
    assert_true(word.x > 0);
    hands_click_at(hands, cell.x, cell.y);
    hands_click_at(hands, cell.x, cell.y);
    hands_frame(hands);
    struct rect field;
    assert_true(canvas_find_group(hands_canvas(hands), "Number", 0, &field));
    assert_true(field.x > word.x);
    assert_true(field.w > 62);
    hands_close(hands);
}

/* The hint where one types is whole, brief, or not there. */
static void no_hint_to_type_is_cut(void **state)
{
    (void)state;
    static const float rooms[][2] = {{960, 600}, {1024, 768}, {1280, 720}, {1440, 900}};
    for (size_t l = 0; language_at(l) != NULL; l++) {
        language_speak(language_at(l));
        const char *const whole[] = {tr("words for queries…"), tr("words for keys and values…"),
                                     tr("words…")};
        for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
            struct hands *const hands = hands_open("translate", rooms[r][0], rooms[r][1]);
            size_t shown = 0, all = 0;
            for (size_t w = 0; w < sizeof whole / sizeof *whole; w++) {
                shown += hands_count(hands, whole[w]);
            }
            const struct canvas *const canvas = hands_canvas(hands);
            for (size_t i = 0; i < canvas_count(canvas); i++) {
                const struct canvas_command *const command = canvas_command_at(canvas, i);
                static const char dots[] = "…";
                const size_t end = sizeof dots - 1;
                const bool ends =
                    command->kind == CANVAS_TEXT && command->length >= end &&
                    command->rect.y < 60 && command->rect.x > 300 &&
                    memcmp(canvas_text_of(canvas, command) + command->length - end, dots, end) == 0;
                all += ends ? 1 : 0;
            }
            assert_int_equal(all, shown);
            assert_true(shown > 0);
            hands_close(hands);
        }
    }
    language_speak(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_hint_to_type_is_cut),
        cmocka_unit_test(a_wide_field_covers_no_word_beside_the_matrix),
        cmocka_unit_test(a_pasted_matrix_is_one_step_and_everything_follows),
        cmocka_unit_test(a_paste_of_the_wrong_shape_is_answered_and_changes_nothing),
        cmocka_unit_test(a_matrix_pasted_while_a_number_is_open_is_the_matrix_s),
        cmocka_unit_test(an_empty_cell_of_pasted_weights_is_masked),
        cmocka_unit_test(a_matrix_that_lies_on_its_side_is_pasted_transposed),
        cmocka_unit_test(what_is_copied_pastes_back_equal),
        cmocka_unit_test(one_number_or_one_row_goes_where_the_click_was),
        cmocka_unit_test(a_block_goes_from_the_click_on),
        cmocka_unit_test(what_was_clicked_is_what_is_copied),
        cmocka_unit_test(a_text_field_gets_the_text_instead),
        cmocka_unit_test(a_click_lets_a_word_look_at_one_other_only),
        cmocka_unit_test(a_key_asks_what_if_the_query_looked_only_there),
        cmocka_unit_test(what_the_mask_hides_gets_nothing),
        cmocka_unit_test(a_typed_weight_leaves_the_sum_and_one_click_mends_it),
        cmocka_unit_test(a_row_is_rescaled_before_a_class_by_its_name),
        cmocka_unit_test(a_hand_that_goes_elsewhere_leaves_the_number),
        cmocka_unit_test(enter_leaves_the_number),
        cmocka_unit_test(a_weight_beyond_one_is_answered_and_changes_nothing),
        cmocka_unit_test(tab_goes_from_number_to_number),
        cmocka_unit_test(tab_on_a_number_changes_nothing_that_was_not_typed),
        cmocka_unit_test(undo_in_a_field_is_of_what_is_typed),
        cmocka_unit_test(undo_in_an_untouched_field_is_of_the_document),
        cmocka_unit_test(escape_gives_a_drag_up),
        cmocka_unit_test(a_dragged_weight_lets_the_others_share_the_rest),
        cmocka_unit_test(a_bar_of_softmax_is_dragged_and_doubly_clicked),
        cmocka_unit_test(words_that_end_in_s_have_no_odd_grammar),
        cmocka_unit_test(the_sheet_shows_scale_and_mask_too),
        cmocka_unit_test(with_the_residual_the_space_shows_the_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
