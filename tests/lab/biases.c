/* Biases: a row of numbers that a model adds to every query, key, value and output. */
#include "../experiment_text.h"
#include "bench.h"
#include "lab/explain/cell.h"

enum { TOKENS = 3, D = 4, HEADS = 2, D_K = 2 };

static struct lab_numbers *counted(size_t heads, size_t rows, size_t cols, float first)
{
    float values[HEADS * D * D];
    struct error error = {ERROR_NONE, 0, ""};
    const size_t shape[3] = {heads, rows, cols};
    for (size_t c = 0; c < heads * rows * cols; c++) {
        values[c] = first + 0.25f * (float)(c % 7) - 0.5f * (float)(c % 3);
    }
    struct lab_numbers *const numbers = lab_numbers_make(values, 3, shape, &error);
    assert_non_null(numbers);
    return numbers;
}

/* Random embeddings, W's given as numbers, and all four biases. */
static struct lab_experiment biased(void)
{
    static const char *const words[TOKENS] = {"cat", "dog", "lion"};
    struct lab_experiment experiment = experiment_of(words, TOKENS);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.d_model = D;
    experiment.heads = HEADS;
    experiment.weights = LAB_WEIGHTS_NUMBERS;
    experiment.w_q = counted(HEADS, D, D_K, 0.125f);
    experiment.w_k = counted(HEADS, D, D_K, -0.25f);
    experiment.w_v = counted(HEADS, D, D_K, 0.5f);
    experiment.w_o = counted(1, D, D, 0.0625f);
    experiment.b_q = counted(HEADS, 1, D_K, 1);
    experiment.b_k = counted(HEADS, 1, D_K, -2);
    experiment.b_v = counted(HEADS, 1, D_K, 3);
    experiment.b_o = counted(1, 1, D, 4);
    return experiment;
}

/* row · column + bias in float64, beside what the trace says. */
static void assert_projected(const struct lab_trace *trace, enum lab_part from, enum lab_part by,
                             enum lab_part bias, enum lab_part result, size_t head)
{
    const struct lab_matrix x = lab_trace_part(trace, from, head);
    const struct lab_matrix w = lab_trace_part(trace, by, head);
    const struct lab_matrix b = lab_trace_part(trace, bias, head);
    const struct lab_matrix out = lab_trace_part(trace, result, head);
    assert_int_equal(b.rows, 1);
    assert_int_equal(b.cols, out.cols);
    for (size_t i = 0; i < out.rows; i++) {
        for (size_t c = 0; c < out.cols; c++) {
            double sum = (double)lab_matrix_at(&b, 0, c);
            for (size_t p = 0; p < w.rows; p++) {
                sum += (double)lab_matrix_at(&x, i, p) * (double)lab_matrix_at(&w, p, c);
            }
            assert_true(fabs(sum - (double)lab_matrix_at(&out, i, c)) < 1e-5);
        }
    }
}

static void each_row_of_q_k_v_and_o_has_its_bias(void **state)
{
    (void)state;
    struct lab_experiment experiment = biased();
    struct lab_trace *const trace = trace_of(&experiment);
    for (size_t h = 0; h < HEADS; h++) {
        assert_projected(trace, LAB_EMBEDDINGS_X, LAB_W_Q, LAB_B_Q, LAB_Q, h);
        assert_projected(trace, LAB_EMBEDDINGS_X, LAB_W_K, LAB_B_K, LAB_K, h);
        assert_projected(trace, LAB_EMBEDDINGS_X, LAB_W_V, LAB_B_V, LAB_V, h);
    }
    assert_projected(trace, LAB_CONCAT, LAB_W_O, LAB_B_O, LAB_OUTPUT_O, 0);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void the_formula_ends_with_the_bias_and_the_bias_is_a_cause(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct lab_experiment experiment = biased();
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_selection at = {.head = 1, .query = 2, .channel = 1, .projected = LAB_K};
    const struct lab_explanation said = lab_explain(trace, LAB_PROJECT, &at, 8, &arena);
    assert_non_null(strstr(said.title, "+ bias"));
    size_t found = 0;
    for (size_t p = 0; p < said.pieces; p++) {
        const struct lab_piece *const piece = &said.piece[p];
        found += piece->has_cell && piece->part == LAB_B_K && piece->head == 1 && piece->row == 0 &&
                 piece->column == 1;
    }
    assert_int_equal(found, 1);
    const struct lab_terms terms = lab_terms(trace, LAB_PROJECT, &at, &arena);
    assert_int_equal(terms.count, D + 1);
    assert_string_equal(terms.term[D].name, "bias");
    assert_true(fabs(terms.helps + terms.hurts - (double)terms.result) < 1e-5);
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void biases_are_saved_and_come_back(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct lab_experiment experiment = biased(), read;
    struct bytes text;
    assert_true(experiment_to_text(&experiment, &arena, &text, &error));
    assert_true(lab_experiment_default(&read, &error));
    assert_true(experiment_from_text(text, &read, &error));
    assert_true(lab_experiment_equal(&experiment, &read));
    lab_numbers_release(read.b_v);
    read.b_v = NULL;
    assert_false(lab_experiment_equal(&experiment, &read));
    lab_experiment_release(&read);
    lab_experiment_release(&experiment);
    arena_free(&arena);
}

static void a_bias_of_another_width_is_refused_by_its_name(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = biased();
    lab_numbers_release(experiment.b_k);
    experiment.b_k = counted(HEADS, 1, D_K + 1, 0);
    assert_false(lab_experiment_check(&experiment, &error));
    assert_non_null(strstr(error.text, "b_K is 2 × 1 × 3"));
    assert_non_null(strstr(error.text, "expected 2 × 1 × 2"));
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_of_q_k_v_and_o_has_its_bias),
        cmocka_unit_test(the_formula_ends_with_the_bias_and_the_bias_is_a_cause),
        cmocka_unit_test(biases_are_saved_and_come_back),
        cmocka_unit_test(a_bias_of_another_width_is_refused_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
