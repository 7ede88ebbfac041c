/* Attention of which only a part is known: weights from elsewhere, queries and keys alone. */
#include "bench.h"
#include "lab/experiment/edits.h"
#include "lab/explain/cell.h"
#include "lab/run/cache.h"

enum { HEADS = 2, N = 3, D = 4 };

static struct lab_numbers *numbers(size_t rows, size_t cols, float first)
{
    float values[HEADS * N * D];
    struct error error = {ERROR_NONE, 0, ""};
    const size_t shape[3] = {HEADS, rows, cols};
    for (size_t c = 0; c < HEADS * rows * cols; c++) {
        values[c] = first + 0.125f * (float)(c % 5);
    }
    struct lab_numbers *const made = lab_numbers_make(values, 3, shape, &error);
    assert_non_null(made);
    return made;
}

static struct lab_experiment three_words(void)
{
    static const char *const words[N] = {"cat", "dog", "lion"};
    return experiment_of(words, N);
}

static void weights_from_elsewhere_are_shown_as_they_are_and_nothing_is_made_up(void **state)
{
    (void)state;
    struct lab_experiment experiment = three_words();
    experiment.alpha = numbers(N, N, 0.1f);
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 1);
    assert_int_equal(lab_trace_sizes(trace).heads, HEADS);
    assert_memory_equal(alpha.values, lab_numbers_values(experiment.alpha) + N * N,
                        N * N * sizeof(float));
    for (size_t p = 0; p < LAB_PARTS; p++) {
        const bool known = p == LAB_ALPHA;
        assert_true((lab_trace_part(trace, (enum lab_part)p, 0).values != NULL) == known);
    }
    for (size_t s = 0; s < LAB_STAGES; s++) {
        assert_true((lab_trace_lacks(trace, (enum lab_stage)s) == NULL) == (s == LAB_SOFTMAX));
    }
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void values_beside_weights_are_blended(void **state)
{
    (void)state;
    struct lab_experiment experiment = three_words();
    experiment.alpha = numbers(N, N, 0.1f);
    experiment.v = numbers(N, D, -1);
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 1);
    const struct lab_matrix v = lab_trace_part(trace, LAB_V, 1);
    const struct lab_matrix z = lab_trace_part(trace, LAB_Z, 1);
    const struct lab_matrix concat = lab_trace_part(trace, LAB_CONCAT, 0);
    for (size_t i = 0; i < N; i++) {
        for (size_t c = 0; c < D; c++) {
            double sum = 0;
            for (size_t j = 0; j < N; j++) {
                sum += (double)lab_matrix_at(&alpha, i, j) * (double)lab_matrix_at(&v, j, c);
            }
            assert_true(fabs(sum - (double)lab_matrix_at(&z, i, c)) < 1e-6);
            assert_true(fabs(sum - (double)lab_matrix_at(&concat, i, D + c)) < 1e-6);
        }
    }
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void queries_and_keys_alone_give_the_weights_they_give_with_values(void **state)
{
    (void)state;
    struct lab_experiment experiment = three_words();
    experiment.q = numbers(N, D, -0.5f);
    experiment.k = numbers(N, D, 0.75f);
    experiment.mask = LAB_MASK_CAUSAL;
    struct lab_trace *const alone = trace_of(&experiment);
    experiment.v = numbers(N, D, 1);
    struct lab_trace *const whole = trace_of(&experiment);
    static const enum lab_part known[] = {LAB_Q, LAB_K, LAB_SCORES, LAB_ALPHA};
    for (size_t p = 0; p < sizeof known / sizeof known[0]; p++) {
        const struct lab_matrix a = lab_trace_part(alone, known[p], 0);
        const struct lab_matrix b = lab_trace_part(whole, known[p], 0);
        assert_memory_equal(a.values, b.values, HEADS * a.rows * a.cols * sizeof(float));
    }
    assert_null(lab_trace_part(alone, LAB_Z, 0).values);
    assert_null(lab_trace_part(alone, LAB_V, 0).values);
    lab_trace_release(alone);
    lab_trace_release(whole);
    lab_experiment_release(&experiment);
}

static void a_given_weight_can_be_typed_over_and_is_kept_beneath(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = three_words();
    experiment.alpha = numbers(N, N, 0.1f);
    const float before = lab_numbers_values(experiment.alpha)[N * N + 1];
    const struct lab_edit edit = {LAB_ALPHA, 1, 0, 1, 0.875f, false};
    assert_true(lab_experiment_edit(&experiment, &edit, &error));
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 1);
    assert_true(fabsf(lab_matrix_at(&alpha, 0, 1) - 0.875f) <= 0);
    assert_true(fabsf(lab_trace_origin_value(trace, LAB_ALPHA, 1, 0, 1) - before) <= 0);
    assert_true(fabsf(lab_numbers_values(experiment.alpha)[N * N + 1] - before) <= 0);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void every_stage_says_something_about_what_is_not_known(void **state)
{
    (void)state;
    struct lab_experiment experiment = three_words();
    experiment.alpha = numbers(N, N, 0.1f);
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_selection at = {.head = 1, .query = 1, .key = 2, .channel = 1};
    for (size_t s = 0; s < LAB_STAGES; s++) {
        const enum lab_stage stage = (enum lab_stage)s;
        struct arena arena = {0};
        const struct lab_explanation said = lab_explain(trace, stage, &at, 8, &arena);
        assert_true(strlen(said.sentence) > 10);
        assert_true(strlen(lab_describe(trace, stage, &at, &arena)) > 20);
        assert_int_equal(lab_terms(trace, stage, &at, &arena).count, 0);
        arena_free(&arena);
    }
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void halves_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = three_words();
    experiment.q = numbers(N, D, 0);
    assert_false(lab_experiment_check(&experiment, &error));
    assert_non_null(strstr(error.text, "Q and K go together"));
    experiment.k = numbers(N, D, 0);
    assert_true(lab_experiment_check(&experiment, &error));
    experiment.positions = LAB_POSITIONS_ROPE;
    assert_false(lab_experiment_check(&experiment, &error));
    assert_non_null(strstr(error.text, "take none"));
    experiment.positions = LAB_POSITIONS_NONE;
    experiment.flash_rows = experiment.flash_cols = 2;
    assert_false(lab_experiment_check(&experiment, &error));
    assert_non_null(strstr(error.text, "flash off"));
    lab_experiment_release(&experiment);
}

/* Masked like a text that is decoded, and yet without what a cache would hold. */
static void weights_alone_are_not_decoded_word_by_word(void **state)
{
    (void)state;
    float values[HEADS * N * N];
    struct lab_experiment experiment = three_words();
    struct error error = {ERROR_NONE, 0, ""};
    float difference = 0;
    for (size_t c = 0; c < HEADS * N * N; c++) {
        const size_t i = c / N % N, j = c % N;
        values[c] = j <= i ? 1 / (float)(i + 1) : 0;
    }
    experiment.alpha = lab_numbers_make(values, 3, (const size_t[3]){HEADS, N, N}, &error);
    experiment.mask = LAB_MASK_CAUSAL;
    struct lab_trace *const trace = trace_of(&experiment);
    assert_false(lab_cache_replay(trace, &difference, &error));
    assert_non_null(strstr(error.text, "queries, keys and values"));
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_from_elsewhere_are_shown_as_they_are_and_nothing_is_made_up),
        cmocka_unit_test(values_beside_weights_are_blended),
        cmocka_unit_test(queries_and_keys_alone_give_the_weights_they_give_with_values),
        cmocka_unit_test(a_given_weight_can_be_typed_over_and_is_kept_beneath),
        cmocka_unit_test(every_stage_says_something_about_what_is_not_known),
        cmocka_unit_test(weights_alone_are_not_decoded_word_by_word),
        cmocka_unit_test(halves_that_do_not_go_together_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
