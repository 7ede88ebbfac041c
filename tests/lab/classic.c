/* The numbers of the classic examples, as float64 gives them. */
#include "bench.h"

static const char *const words[] = {"cat", "dog", "lion", "NYC"};
static const double printed = 5.1e-7;

static void the_scores_of_cat_dog_and_lion_are_x_times_its_transpose(void **state)
{
    (void)state;
    static const double scores[] = {7.25, 7.25, 5, 7.25, 7.58, 2.7, 5, 2.7, 26};
    struct lab_experiment experiment = experiment_of(words, 3);
    struct lab_trace *const trace = trace_of(&experiment);
    assert_matrix(lab_trace_part(trace, LAB_SCORES, 0), scores, 3, 3, 0);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void check(size_t count, bool scale, enum lab_mask mask, const double *weights,
                  const double *output)
{
    struct lab_experiment experiment = experiment_of(words, count);
    experiment.scale = scale;
    experiment.mask = mask;
    struct lab_trace *const trace = trace_of(&experiment);
    assert_matrix(lab_trace_part(trace, LAB_ALPHA, 0), weights, count, count, printed);
    assert_matrix(lab_trace_part(trace, LAB_Z, 0), output, count, 3, printed);
    assert_matrix(lab_trace_part(trace, LAB_OUTPUT_O, 0), output, count, 3, printed);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void without_scaling_the_lion_looks_at_itself_alone(void **state)
{
    (void)state;
    static const double weights[] = {0.474969, 0.474969, 0.050061, 0.416400, 0.579200,
                                     0.004400, 0.000000, 0.000000, 1.000000};
    static const double output[] = {-2.469840, 0.962761, -0.145055, -2.604839, 0.728001,
                                    -0.120240, 0.000000, 5.000000,  -1.000000};
    check(3, false, LAB_MASK_NONE, weights, output);
}

static void scaling_by_the_root_of_three_evens_the_shares(void **state)
{
    (void)state;
    static const double weights[] = {0.439987, 0.439987, 0.120026, 0.438177, 0.530144,
                                     0.031680, 0.000005, 0.000001, 0.999993};
    static const double output[] = {-2.287933, 1.260110,  -0.208023, -2.526829, 0.861647,
                                    -0.137708, -0.000017, 4.999972,  -0.999993};
    check(3, true, LAB_MASK_NONE, weights, output);
}

static void with_nyc_dog_gives_thirty_nine_percent_to_cat(void **state)
{
    (void)state;
    static const double weights[] = {0.362486, 0.362486, 0.098884, 0.176143, 0.393751, 0.476394,
                                     0.028468, 0.101387, 0.000005, 0.000001, 0.999993, 0.000000,
                                     0.000001, 0.000001, 0.000000, 0.999999};
    static const double output[] = {-2.237215, 1.214293, 0.709336,  -2.473416, 0.875675, 0.383189,
                                    -0.000018, 4.999971, -0.999992, -2.000001, 1.000000, 4.999992};
    check(4, true, LAB_MASK_NONE, weights, output);
}

static void under_the_causal_mask_the_first_word_sees_only_itself(void **state)
{
    (void)state;
    static const double weights[] = {1.000000, 0.000000, 0.000000, 0.000000, 0.452512, 0.547488,
                                     0.000000, 0.000000, 0.000005, 0.000001, 0.999993, 0.000000,
                                     0.000001, 0.000001, 0.000000, 0.999999};
    static const double output[] = {-2.500000, 1.000000, 0.000000,  -2.609498, 0.726256, -0.109498,
                                    -0.000017, 4.999972, -0.999993, -2.000001, 1.000000, 4.999992};
    check(4, true, LAB_MASK_CAUSAL, weights, output);
}

static void masked_scores_are_minus_infinity_and_their_shares_zero(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 4);
    experiment.mask = LAB_MASK_CAUSAL;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 0);
    struct arena arena = {0};
    const struct lab_matrix scaled = lab_trace_scaled_matrix(trace, 0, &arena);
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            assert_int_equal(lab_trace_sees(trace, i, j), j <= i);
            assert_int_equal(isinf(lab_matrix_at(&scaled, i, j)) != 0, j > i);
            assert_true(j <= i || !(lab_matrix_at(&alpha, i, j) > 0));
        }
    }
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static struct lab_numbers *numbers(const float *values, size_t rows, size_t cols)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_numbers *const made = lab_numbers_make(values, 2, (size_t[]){rows, cols, 1}, &error);
    assert_non_null(made);
    return made;
}

static void race_results_come_out(const struct lab_experiment *experiment)
{
    static const double scores[] = {1, 0, 0, 0, 1, 0.5};
    static const double weights[] = {0.576117, 0.211942, 0.211942, 0.186324, 0.506480, 0.307196};
    static const double output[] = {28.015032, 54.047256};
    struct lab_trace *const trace = trace_of(experiment);
    assert_matrix(lab_trace_part(trace, LAB_SCORES, 0), scores, 2, 3, 0);
    assert_matrix(lab_trace_part(trace, LAB_ALPHA, 0), weights, 2, 3, printed);
    assert_matrix(lab_trace_part(trace, LAB_Z, 0), output, 2, 1, printed);
    assert_null(lab_trace_part(trace, LAB_OUTPUT_O, 0).values);
    assert_null(lab_trace_part(trace, LAB_EMBEDDINGS_X, 0).values);
    lab_trace_release(trace);
}

static void the_race_is_won_by_numbers_given_as_they_are(void **state)
{
    (void)state;
    static const char *const questions[] = {"Who won?", "Who stumbled?"};
    static const char *const facts[] = {"Tom ran fast", "Jerry finished first",
                                        "Spike stumbled midway"};
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(questions, 2);
    experiment.context = lab_words_make(facts, 3, &error);
    experiment.q = numbers((const float[]){1, 0, 0, 1}, 2, 2);
    experiment.k = numbers((const float[]){1, 0, 0, 1, 0, 0.5f}, 3, 2);
    experiment.v = numbers((const float[]){10, 100, 5}, 3, 1);
    experiment.scale = false;
    race_results_come_out(&experiment);
    lab_experiment_release(&experiment);
}

static void le_looks_up_the_and_sat_in_the_translation(void **state)
{
    (void)state;
    static const char *const query[] = {"Le"};
    static const char *const keys[] = {"The", "cat", "sat"};
    static const double weights[] = {0.422319, 0.155362, 0.422319};
    static const double output[] = {63.347820, 36.652180};
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(query, 1);
    experiment.context = lab_words_make(keys, 3, &error);
    experiment.q = numbers((const float[]){1, 0}, 1, 2);
    experiment.k = numbers((const float[]){1, 0, 0, 1, 1, 1}, 3, 2);
    experiment.v = numbers((const float[]){100, 0, 0, 100, 50, 50}, 3, 2);
    experiment.scale = false;
    struct lab_trace *const trace = trace_of(&experiment);
    assert_matrix(lab_trace_part(trace, LAB_ALPHA, 0), weights, 1, 3, printed);
    assert_matrix(lab_trace_part(trace, LAB_Z, 0), output, 1, 2, printed);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void assert_shape(const struct lab_trace *trace, enum lab_part part, size_t rows,
                         size_t cols)
{
    const struct lab_matrix matrix = lab_trace_part(trace, part, 0);
    assert_non_null(matrix.values);
    assert_int_equal(matrix.rows, rows);
    assert_int_equal(matrix.cols, cols);
}

static void ten_tokens_in_64_dimensions_have_the_shapes_of_the_textbook(void **state)
{
    (void)state;
    static const char *const ten[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    struct lab_experiment experiment = experiment_of(ten, 10);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    for (size_t heads = 1; heads <= 8; heads *= 8) {
        experiment.heads = heads;
        struct lab_trace *const trace = trace_of(&experiment);
        assert_shape(trace, LAB_EMBEDDINGS_X, 10, 64);
        assert_shape(trace, LAB_W_Q, 64, 64 / heads);
        assert_shape(trace, LAB_Q, 10, 64 / heads);
        assert_shape(trace, LAB_K, 10, 64 / heads);
        assert_shape(trace, LAB_V, 10, 64 / heads);
        assert_shape(trace, LAB_SCORES, 10, 10);
        assert_shape(trace, LAB_ALPHA, 10, 10);
        assert_shape(trace, LAB_Z, 10, 64 / heads);
        assert_shape(trace, LAB_CONCAT, 10, 64);
        assert_shape(trace, LAB_W_O, 64, 64);
        assert_shape(trace, LAB_OUTPUT_O, 10, 64);
        lab_trace_release(trace);
    }
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scores_of_cat_dog_and_lion_are_x_times_its_transpose),
        cmocka_unit_test(without_scaling_the_lion_looks_at_itself_alone),
        cmocka_unit_test(scaling_by_the_root_of_three_evens_the_shares),
        cmocka_unit_test(with_nyc_dog_gives_thirty_nine_percent_to_cat),
        cmocka_unit_test(under_the_causal_mask_the_first_word_sees_only_itself),
        cmocka_unit_test(masked_scores_are_minus_infinity_and_their_shares_zero),
        cmocka_unit_test(the_race_is_won_by_numbers_given_as_they_are),
        cmocka_unit_test(le_looks_up_the_and_sat_in_the_translation),
        cmocka_unit_test(ten_tokens_in_64_dimensions_have_the_shapes_of_the_textbook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
