/* Numbers typed by hand: what follows them, what they cover, and where they go with their words. */
#include "lab/experiment/edits.h"
#include "bench.h"
#include "lab/experiment/differ.h"
#include "lab/explain/explain.h"

static const char *const words[] = {"cat", "dog", "lion"};

static void type(struct lab_experiment *experiment, enum lab_part part, size_t row, size_t column,
                 float value)
{
    struct error error = {ERROR_NONE, 0, ""};
    const struct lab_edit edit = {part, 0, row, column, value, false};
    lab_experiment_edit(experiment, &edit, &error);
    assert_string_equal(error.text, "");
}

static void weights_typed_by_hand_blend_the_values_as_typed(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 3);
    type(&experiment, LAB_ALPHA, 1, 0, 0.4f);
    type(&experiment, LAB_ALPHA, 1, 1, 0.5f);
    type(&experiment, LAB_ALPHA, 1, 2, 0.1f);
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix o = lab_trace_part(trace, LAB_OUTPUT_O, 0);
    static const double by_hand[] = {-2.35, 1.15, -0.2};
    for (size_t c = 0; c < 3; c++) {
        assert_true(fabs((double)lab_matrix_at(&o, 1, c) - by_hand[c]) < 1e-5);
    }
    assert_true(lab_trace_is_edited(trace, LAB_ALPHA, 0, 1, 0));
    assert_false(lab_trace_is_edited(trace, LAB_ALPHA, 0, 0, 0));
    assert_true(fabsf(lab_trace_origin_value(trace, LAB_ALPHA, 0, 1, 0) - 0.438177f) < 1e-5f);
    assert_true(fabsf(lab_trace_origin_value(trace, LAB_ALPHA, 0, 0, 0) - 0.439987f) < 1e-5f);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void everything_behind_a_typed_number_follows_it(void **state)
{
    (void)state;
    static const enum lab_part parts[] = {
        LAB_EMBEDDINGS_X, LAB_W_Q, LAB_W_K, LAB_W_V, LAB_W_O, LAB_Q, LAB_K, LAB_V, LAB_ALPHA};
    struct lab_experiment experiment = experiment_of(words, 3);
    struct lab_trace *const before = trace_of(&experiment);
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        struct lab_experiment edited;
        lab_experiment_copy(&edited, &experiment);
        type(&edited, parts[p], 1, 2, 0.75f);
        assert_false(lab_experiment_equal(&edited, &experiment));
        struct lab_trace *const after = trace_of(&edited);
        const struct lab_matrix part = lab_trace_part(after, parts[p], 0);
        assert_true(fabsf(lab_matrix_at(&part, 1, 2) - 0.75f) <= 0);
        assert_true(memcmp(lab_trace_part(before, LAB_OUTPUT_O, 0).values,
                           lab_trace_part(after, LAB_OUTPUT_O, 0).values, 9 * sizeof(float)) != 0);
        lab_trace_release(after);
        lab_experiment_release(&edited);
    }
    lab_trace_release(before);
    lab_experiment_release(&experiment);
}

static void a_number_that_is_let_go_comes_back_to_the_bit(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 3), original;
    lab_experiment_copy(&original, &experiment);
    type(&experiment, LAB_EMBEDDINGS_X, 1, 0, 9);
    type(&experiment, LAB_EMBEDDINGS_X, 1, 0, 8); /* the same cell: still one edit */
    assert_int_equal(lab_edits_count(experiment.edits), 1);
    assert_true(lab_experiment_restore(&experiment, LAB_EMBEDDINGS_X, 0, 1, 0, &error));
    assert_null(experiment.edits);
    assert_true(lab_experiment_equal(&experiment, &original));
    lab_experiment_release(&experiment);
    lab_experiment_release(&original);
}

static void results_and_numbers_without_end_cannot_be_typed(void **state)
{
    (void)state;
    static const struct {
        struct lab_edit edit;
        const char *says;
    } cases[] = {
        {{LAB_SCORES, 0, 0, 0, 1, false}, "result"}, {{LAB_OUTPUT_O, 0, 0, 0, 1, false}, "result"},
        {{LAB_Q, 0, 0, 0, NAN, false}, "finite"},    {{LAB_Q, 0, 3, 0, 1, false}, "no row 4"},
        {{LAB_W_V, 1, 0, 0, 1, false}, "head 2"},
    };
    struct lab_experiment experiment = experiment_of(words, 3);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        assert_false(lab_experiment_edit(&experiment, &cases[c].edit, &error));
        assert_non_null(strstr(error.text, cases[c].says));
        assert_null(experiment.edits);
    }
    lab_experiment_release(&experiment);
}

static void at_most_4096_numbers_can_be_typed(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_edits *edits = NULL;
    for (size_t e = 0; e <= LAB_EDITS_MAX; e++) {
        const struct lab_edit edit = {LAB_EMBEDDINGS_X, 0, e / 64, e % 64, 1, false};
        struct lab_edits *const more = lab_edits_with(edits, &edit, &error);
        assert_true((more != NULL) == (e < LAB_EDITS_MAX));
        if (more != NULL) {
            lab_edits_release(edits);
            edits = more;
        }
    }
    assert_non_null(strstr(error.text, "4096"));
    lab_edits_release(edits);
}

/* The row of the one edit of Q after the words have become these; SIZE_MAX: it is gone. */
static size_t row_after(const char *const *word, size_t count)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 3);
    type(&experiment, LAB_Q, 1, 2, 5);
    assert_true(lab_experiment_set_tokens(&experiment, word, count, &error));
    const size_t row = experiment.edits == NULL ? SIZE_MAX : lab_edits_at(experiment.edits, 0).row;
    lab_experiment_release(&experiment);
    return row;
}

static void a_typed_number_stays_with_its_word(void **state)
{
    (void)state;
    assert_int_equal(row_after((const char *const[]){"bird", "cat", "dog", "lion"}, 4), 2);
    assert_int_equal(row_after((const char *const[]){"dog", "lion"}, 2), 0);
    assert_int_equal(row_after((const char *const[]){"dog", "cat", "lion"}, 3), 0);
    assert_int_equal(row_after((const char *const[]){"lion", "cat", "dog"}, 3), 2);
    assert_int_equal(row_after((const char *const[]){"cat", "dog", "dog", "lion"}, 4), 1);
    assert_true(row_after((const char *const[]){"cat", "bird", "lion"}, 3) == SIZE_MAX);
    assert_true(row_after(NULL, 0) == SIZE_MAX);
}

static void typed_weights_follow_both_their_words(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 3);
    type(&experiment, LAB_ALPHA, 0, 2, 0.5f);
    type(&experiment, LAB_W_Q, 0, 2, 4);
    assert_true(lab_experiment_set_tokens(&experiment, (const char *const[]){"lion", "bird", "cat"},
                                          3, &error));
    size_t found = 0;
    assert_true(lab_edits_find(experiment.edits, LAB_ALPHA, 0, 2, 0, &found));
    assert_true(lab_edits_find(experiment.edits, LAB_W_Q, 0, 0, 2, &found));
    assert_true(lab_experiment_set_tokens(&experiment, (const char *const[]){"cat"}, 1, &error));
    assert_false(lab_edits_find(experiment.edits, LAB_ALPHA, 0, 0, 0, &found));
    assert_int_equal(lab_edits_count(experiment.edits), 1);
    lab_experiment_release(&experiment);
}

static void numbers_of_cells_that_are_gone_do_nothing_and_can_be_cut_off(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 3);
    type(&experiment, LAB_Q, 0, 2, 4);
    type(&experiment, LAB_Q, 0, 0, 4);
    experiment.d_k = 2;
    struct lab_trace *const trace = trace_of(&experiment);
    assert_true(lab_trace_is_edited(trace, LAB_Q, 0, 0, 0));
    assert_false(lab_trace_is_edited(trace, LAB_Q, 0, 0, 2));
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    size_t left = 0;
    for (size_t e = 0; e < lab_edits_count(experiment.edits); e++) {
        const struct lab_edit edit = lab_edits_at(experiment.edits, e);
        left += lab_edits_fits(&edit, &sizes);
    }
    assert_int_equal(left, 1);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void raw_queries_can_be_typed_over(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 2);
    static const float numbers[] = {1, 2};
    experiment.q = lab_numbers_make(numbers, 2, (size_t[]){2, 1, 1}, &error);
    experiment.k = lab_numbers_make(numbers, 2, (size_t[]){2, 1, 1}, &error);
    experiment.v = lab_numbers_make(numbers, 2, (size_t[]){2, 1, 1}, &error);
    type(&experiment, LAB_Q, 0, 0, 3);
    struct lab_trace *const trace = trace_of(&experiment);
    assert_matrix(lab_trace_part(trace, LAB_SCORES, 0), (const double[]){3, 6, 2, 4}, 2, 2, 0);
    assert_true(fabsf(lab_trace_origin_value(trace, LAB_Q, 0, 0, 0) - 1) <= 0);
    assert_false(lab_experiment_edit(
        &experiment,
        &(struct lab_edit){.part = LAB_W_Q, .head = 0, .row = 0, .column = 0, .value = 1}, &error));
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

/* Whoever rescales a row or gives it equal shares has typed none of its numbers. */
static void a_row_that_was_changed_as_a_whole_is_told_as_a_row(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment plain = experiment_of(words, 3), experiment;
    lab_experiment_copy(&experiment, &plain);
    type(&experiment, LAB_ALPHA, 1, 0, 0.4f);
    assert_string_equal(lab_differ(&arena, &experiment, &plain), "1 number typed by hand");
    const struct lab_edit_block row = {.part = LAB_ALPHA,
                                       .row = 1,
                                       .rows = 1,
                                       .columns = 3,
                                       .values = (const float[]){0.5f, 0.25f, 0.25f}};
    assert_true(lab_experiment_edit_block(&experiment, &row, &error));
    assert_string_equal(lab_differ(&arena, &experiment, &plain), "1 row changed by hand");
    type(&experiment, LAB_EMBEDDINGS_X, 0, 0, 2);
    assert_string_equal(lab_differ(&arena, &experiment, &plain),
                        "1 number typed by hand, 1 row changed by hand");
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_selection at = {0};
    const char *const said = lab_describe(trace, LAB_SOFTMAX, &at, &arena);
    assert_non_null(strstr(said, " 1 number was typed by hand. 1 row was changed by hand."));
    lab_trace_release(trace);
    lab_experiment_release(&plain);
    lab_experiment_copy(&plain, &experiment); /* of what was there before only the other counts */
    type(&experiment, LAB_ALPHA, 1, 0, 0.3f);
    assert_string_equal(lab_differ(&arena, &experiment, &plain), "1 number typed by hand");
    lab_experiment_release(&experiment);
    lab_experiment_release(&plain);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_typed_by_hand_blend_the_values_as_typed),
        cmocka_unit_test(everything_behind_a_typed_number_follows_it),
        cmocka_unit_test(a_number_that_is_let_go_comes_back_to_the_bit),
        cmocka_unit_test(results_and_numbers_without_end_cannot_be_typed),
        cmocka_unit_test(at_most_4096_numbers_can_be_typed),
        cmocka_unit_test(a_typed_number_stays_with_its_word),
        cmocka_unit_test(typed_weights_follow_both_their_words),
        cmocka_unit_test(numbers_of_cells_that_are_gone_do_nothing_and_can_be_cut_off),
        cmocka_unit_test(raw_queries_can_be_typed_over),
        cmocka_unit_test(a_row_that_was_changed_as_a_whole_is_told_as_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
