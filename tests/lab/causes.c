/* From a number back to those that made it, the products of its sum, and measures of weights. */
#include "base/text.h"
#include "bench.h"
#include "lab/experiment/edits.h"
#include "lab/explain/cause.h"
#include "lab/run/measure.h"

static const char *const words[] = {"cat", "dog", "lion"};

/* Two heads of 4 over 8 random dimensions: every part has another shape. */
static struct lab_experiment two_heads(void)
{
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.d_model = 8;
    experiment.heads = 2;
    experiment.d_v = 3;
    return experiment;
}

static bool holds(const struct lab_causes *causes, enum lab_part part, size_t head, size_t row,
                  size_t column)
{
    const struct lab_cell cell = {part, head, row, column};
    return lab_causes_hold(causes, &cell);
}

static size_t cells_of(const struct lab_causes *causes)
{
    size_t cells = 0;
    for (size_t c = 0; c < causes->count; c++) {
        cells += causes->cause[c].row_count * causes->cause[c].column_count;
    }
    return cells;
}

static void each_stage_names_the_rows_and_columns_that_made_its_number(void **state)
{
    (void)state;
    static const struct {
        enum lab_stage stage;
        size_t cells; /* all of them */
        struct lab_cell in[2], out;
    } cases[] = {
        {LAB_EMBED, 0, {{0}, {0}}, {LAB_EMBEDDINGS_X, 0, 1, 2}},
        {LAB_PROJECT, 16, {{LAB_EMBEDDINGS_X, 0, 1, 7}, {LAB_W_Q, 1, 7, 2}}, {LAB_W_Q, 0, 7, 2}},
        {LAB_SCORE, 8, {{LAB_Q, 1, 1, 3}, {LAB_K, 1, 2, 0}}, {LAB_K, 1, 1, 0}},
        {LAB_SCALE, 1, {{LAB_SCORES, 1, 1, 2}, {LAB_SCORES, 1, 1, 2}}, {LAB_SCORES, 1, 1, 1}},
        {LAB_SOFTMAX, 3, {{LAB_SCORES, 1, 1, 0}, {LAB_SCORES, 1, 1, 2}}, {LAB_SCORES, 1, 0, 0}},
        {LAB_BLEND, 6, {{LAB_ALPHA, 1, 1, 2}, {LAB_V, 1, 0, 2}}, {LAB_V, 1, 0, 1}},
        {LAB_OUTPUT, 18, {{LAB_CONCAT, 0, 1, 5}, {LAB_Z, 0, 1, 2}}, {LAB_Z, 0, 0, 2}},
    };
    struct lab_experiment experiment = two_heads();
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const struct lab_selection at = {
            .head = 1, .query = 1, .key = 2, .channel = 2, .projected = LAB_Q};
        const struct lab_causes causes = lab_causes(trace, cases[c].stage, &at, &arena);
        assert_int_equal(cells_of(&causes), cases[c].cells);
        for (size_t k = 0; k < 2 && cases[c].cells > 0; k++) {
            assert_true(lab_causes_hold(&causes, &cases[c].in[k]));
        }
        assert_false(lab_causes_hold(&causes, &cases[c].out));
    }
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void keys_behind_a_mask_had_no_part_in_a_weight(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.mask = LAB_MASK_CAUSAL;
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    const struct lab_selection at = {.query = 1, .key = 0, .projected = LAB_Q};
    const struct lab_causes causes = lab_causes(trace, LAB_SOFTMAX, &at, &arena);
    assert_int_equal(cells_of(&causes), 2);
    assert_false(holds(&causes, LAB_SCORES, 0, 1, 2));
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

/* By members: what stands between them in memory is nobody's. */
static void assert_same_cell(const struct lab_cell *a, const struct lab_cell *b)
{
    assert_int_equal(a->part, b->part);
    assert_int_equal(a->head, b->head);
    assert_int_equal(a->row, b->row);
    assert_int_equal(a->column, b->column);
}

static void one_can_walk_from_an_output_back_to_a_letter_of_the_input(void **state)
{
    (void)state;
    struct lab_experiment experiment = two_heads();
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    struct lab_cell cell = {LAB_OUTPUT_O, 0, 1, 6};
    size_t steps = 0;
    for (; steps < LAB_PARTS; steps++) {
        enum lab_stage stage = LAB_OUTPUT;
        struct lab_selection at = {.projected = LAB_Q};
        lab_cell_select(trace, &cell, &stage, &at);
        assert_int_equal(stage, lab_cell_stage(cell.part));
        struct lab_cell selected;
        assert_true(lab_cell_selected(trace, stage, &at, &selected));
        if (cell.part != LAB_CONCAT) { /* concat is shown as the Z that stands there */
            assert_same_cell(&selected, &cell);
        }
        const struct lab_causes causes = lab_causes_of(trace, &cell, &arena);
        if (causes.count == 0) {
            break;
        }
        const struct lab_cause *const first = &causes.cause[0];
        cell = (struct lab_cell){first->part, first->head, first->row, first->column};
    }
    assert_int_equal(cell.part, LAB_EMBEDDINGS_X);
    assert_int_equal(steps, 6); /* O, concat, Z, α, S, Q, X */
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void all_causes_of_a_weight_are_its_row_and_all_words(void **state)
{
    (void)state;
    struct lab_experiment experiment = two_heads();
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    const struct lab_cell weight = {LAB_ALPHA, 1, 1, 2};
    const struct lab_causes all = lab_causes_all(trace, &weight, &arena);
    assert_true(holds(&all, LAB_SCORES, 1, 1, 0));
    assert_true(holds(&all, LAB_Q, 1, 1, 0));
    assert_false(holds(&all, LAB_Q, 1, 0, 0)); /* other queries have nothing to do with it */
    assert_true(holds(&all, LAB_K, 1, 0, 3));
    assert_true(holds(&all, LAB_EMBEDDINGS_X, 0, 2, 7));
    assert_true(holds(&all, LAB_W_K, 1, 7, 3));
    assert_false(holds(&all, LAB_W_K, 0, 0, 0));
    assert_false(holds(&all, LAB_V, 1, 0, 0));
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void a_typed_number_has_no_cause_but_the_hand(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 3);
    assert_true(lab_experiment_edit(&experiment, &(struct lab_edit){LAB_Q, 0, 1, 0, 4}, &error));
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    const struct lab_selection at = {.query = 1, .projected = LAB_Q};
    assert_int_equal(lab_causes(trace, LAB_PROJECT, &at, &arena).count, 0);
    const struct lab_explanation said = lab_explain(trace, LAB_PROJECT, &at, 6, &arena);
    char text[256] = "";
    for (size_t p = 0; p < said.pieces; p++) {
        strncat(text, said.piece[p].text, sizeof text - strlen(text) - 1);
    }
    assert_non_null(strstr(text, "= −2.700; set by hand: 4"));
    assert_non_null(strstr(said.sentence, "Set by hand: 4 where −2.700 would be"));
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void every_number_of_a_formula_that_is_a_cell_says_which(void **state)
{
    (void)state;
    struct lab_experiment experiment = two_heads();
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    for (int s = 0; s < LAB_STAGES; s++) {
        const struct lab_selection at = {
            .head = 1, .query = 1, .key = 2, .channel = 1, .projected = LAB_Q};
        const struct lab_explanation said = lab_explain(trace, (enum lab_stage)s, &at, 3, &arena);
        size_t cells = 0;
        for (size_t p = 0; p < said.pieces; p++) {
            const struct lab_piece *const piece = &said.piece[p];
            char digits[TEXT_NUMBER_MAX];
            const struct lab_matrix matrix = lab_trace_part(trace, piece->part, piece->head);
            if (!piece->has_cell) {
                continue;
            }
            cells++;
            /* Scaled scores and their powers stand for the score that they come from. */
            if (s != LAB_SOFTMAX) {
                text_number(digits, (double)lab_matrix_at(&matrix, piece->row, piece->column), 3);
                assert_string_equal(piece->text, digits);
            }
        }
        assert_true(cells >= (s == LAB_SCALE ? 1 : 3));
    }
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void the_terms_of_a_sum_add_up_to_its_number(void **state)
{
    (void)state;
    struct lab_experiment experiment = two_heads();
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    static const struct {
        enum lab_stage stage;
        size_t count;
    } cases[] = {{LAB_PROJECT, 8}, {LAB_SCORE, 4}, {LAB_BLEND, 3}, {LAB_OUTPUT, 6}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const struct lab_selection at = {
            .head = 1, .query = 1, .key = 2, .channel = 1, .projected = LAB_K};
        const struct lab_terms terms = lab_terms(trace, cases[c].stage, &at, &arena);
        assert_int_equal(terms.count, cases[c].count);
        assert_true(fabs(terms.helps + terms.hurts - (double)terms.result) < 1e-5);
        for (size_t t = 0; t < terms.count; t++) {
            const struct lab_term *const term = &terms.term[t];
            const struct lab_matrix left =
                lab_trace_part(trace, term->left_cell.part, term->left_cell.head);
            assert_true(fabsf(lab_matrix_at(&left, term->left_cell.row, term->left_cell.column) -
                              term->left) <= 0);
            assert_true(fabs(term->product) <= terms.largest);
        }
    }
    assert_int_equal(lab_terms(trace, LAB_SOFTMAX, &(struct lab_selection){0}, &arena).count, 0);
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void the_dimension_that_makes_lion_like_itself_is_animalness(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 3);
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    const struct lab_selection at = {.query = 2, .key = 2, .projected = LAB_Q};
    const struct lab_terms terms = lab_terms(trace, LAB_SCORE, &at, &arena);
    assert_string_equal(terms.term[1].name, "animalness");
    assert_true(fabs(terms.term[1].product - 25) < 1e-6);
    assert_true(fabs(terms.largest - 25) < 1e-6);
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void weights_are_measured_by_row_and_by_column(void **state)
{
    (void)state;
    static const float even[] = {0.25f, 0.25f, 0.25f, 0.25f}, one[] = {0, 1, 0, 0};
    size_t key = 9;
    assert_true(fabs(exp2(lab_measure_entropy(even, 4)) - 4) < 1e-9);
    assert_true(fabs(exp2(lab_measure_entropy(one, 4)) - 1) < 1e-9);
    assert_true(lab_measure_largest(one, 4, &key) >= 1);
    assert_int_equal(key, 1);
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.scale = false;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 0);
    double keys[3] = {0}, queries[3] = {0};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            keys[j] += (double)lab_matrix_at(&alpha, i, j);
            queries[i] += (double)lab_matrix_at(&alpha, i, j);
        }
    }
    assert_true(fabs(keys[0] - (0.474969 + 0.416400)) < 2e-6);
    assert_true(fabs(keys[2] - (0.050061 + 0.004400 + 1)) < 2e-6);
    assert_true(fabs(queries[1] - 1) < 1e-6);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_stage_names_the_rows_and_columns_that_made_its_number),
        cmocka_unit_test(keys_behind_a_mask_had_no_part_in_a_weight),
        cmocka_unit_test(one_can_walk_from_an_output_back_to_a_letter_of_the_input),
        cmocka_unit_test(all_causes_of_a_weight_are_its_row_and_all_words),
        cmocka_unit_test(a_typed_number_has_no_cause_but_the_hand),
        cmocka_unit_test(every_number_of_a_formula_that_is_a_cell_says_which),
        cmocka_unit_test(the_terms_of_a_sum_add_up_to_its_number),
        cmocka_unit_test(the_dimension_that_makes_lion_like_itself_is_animalness),
        cmocka_unit_test(weights_are_measured_by_row_and_by_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
