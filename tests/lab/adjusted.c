/* Scores that are capped and have a bias, rows that have a sink: against the definitions in
 * doubles, and what is said about them. */
#include "bench.h"
#include "lab/explain/explain.h"
#include "lab/run/cache.h"

enum { HEADS = 2, N = 4, D = 3 };

static const float CAP = 1.5f, SINK[HEADS] = {0.75f, -1.25f};

static struct lab_numbers *numbers(size_t rows, size_t cols, float first, float step)
{
    float values[HEADS * N * N];
    const size_t shape[3] = {HEADS, rows, cols};
    for (size_t c = 0; c < HEADS * rows * cols; c++) {
        values[c] = first + step * (float)(c * 7 % 11);
    }
    struct lab_numbers *const made = lab_numbers_make(values, 3, shape, NULL);
    assert_non_null(made);
    return made;
}

static struct lab_experiment four_words(void)
{
    static const char *const words[N] = {"cat", "dog", "lion", "cat"};
    struct lab_experiment experiment = experiment_of(words, N);
    experiment.q = numbers(N, D, -0.5f, 0.25f);
    experiment.k = numbers(N, D, 0.75f, -0.125f);
    experiment.v = numbers(N, D, 0, 0.5f);
    experiment.mask = LAB_MASK_CAUSAL;
    experiment.scale = true;
    return experiment;
}

static void adjust(struct lab_experiment *experiment, bool cap, bool bias, bool sinks)
{
    experiment->score_cap =
        cap ? lab_numbers_make(&CAP, 2, (const size_t[3]){1, 1, 1}, NULL) : NULL;
    experiment->score_bias = bias ? numbers(N, N, -1, 0.25f) : NULL;
    experiment->sinks =
        sinks ? lab_numbers_make(SINK, 3, (const size_t[3]){HEADS, 1, 1}, NULL) : NULL;
}

static double score(const struct lab_experiment *experiment, size_t h, size_t i, size_t j)
{
    const float *const q = lab_numbers_values(experiment->q) + (h * N + i) * D;
    const float *const k = lab_numbers_values(experiment->k) + (h * N + j) * D;
    double sum = 0;
    for (size_t c = 0; c < D; c++) {
        sum += (double)q[c] * (double)k[c];
    }
    sum /= sqrt(D);
    if (experiment->score_cap != NULL) {
        sum = (double)CAP * tanh(sum / (double)CAP);
    }
    return experiment->score_bias == NULL
               ? sum
               : sum + (double)lab_numbers_values(experiment->score_bias)[(h * N + i) * N + j];
}

static void expect_row(const struct lab_trace *trace, const struct lab_experiment *experiment,
                       size_t h, size_t i)
{
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, h);
    const double sink = experiment->sinks == NULL ? 0 : exp((double)SINK[h]);
    double sum = sink;
    for (size_t j = 0; j <= i; j++) {
        sum += exp(score(experiment, h, i, j));
        assert_true(fabs((double)lab_trace_scaled(trace, h, i, j) - score(experiment, h, i, j)) <
                    1e-5);
    }
    for (size_t j = 0; j < N; j++) {
        const double wanted = j > i ? 0 : exp(score(experiment, h, i, j)) / sum;
        assert_true(fabs((double)lab_matrix_at(&alpha, i, j) - wanted) < 1e-6);
    }
    assert_true(fabs(lab_trace_sink_share(trace, h, i) - sink / sum) < 1e-6);
}

static void weights_are_those_of_the_definitions(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 8; which++) {
        struct lab_experiment experiment = four_words();
        adjust(&experiment, (which & 1) != 0, (which & 2) != 0, (which & 4) != 0);
        struct lab_trace *const trace = trace_of(&experiment);
        for (size_t row = 0; row < HEADS * N; row++) {
            expect_row(trace, &experiment, row / N, row % N);
        }
        float apart = 1; /* word by word, from cached keys and values */
        assert_true(lab_cache_replay(trace, &apart, NULL));
        assert_true(apart < 1e-5f);
        lab_trace_release(trace);
        lab_experiment_release(&experiment);
    }
}

/* The formula of a weight or a scaled score, as one text. */
static void expect_formula(const struct lab_trace *trace, enum lab_stage stage, const char *wanted)
{
    struct arena arena = {0};
    const struct lab_selection at = {.head = 0, .query = 2, .key = 1};
    const struct lab_explanation told = lab_explain(trace, stage, &at, 4, &arena);
    char text[512] = "";
    for (size_t p = 0; p < told.pieces; p++) {
        strncat(text, told.piece[p].text, sizeof text - strlen(text) - 1);
    }
    if (strstr(text, wanted) == NULL) {
        fail_msg("“%s” is not in “%s”", wanted, text);
    }
    arena_free(&arena);
}

static void formulas_name_the_cap_the_bias_and_the_sink(void **state)
{
    (void)state;
    struct lab_experiment experiment = four_words();
    adjust(&experiment, true, true, true);
    struct lab_trace *const trace = trace_of(&experiment);
    expect_formula(trace, LAB_SCALE, "1.5 · tanh(");
    expect_formula(trace, LAB_SCALE, " ÷ 1.5) + ");
    expect_formula(trace, LAB_SOFTMAX, " sink) = ");
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = four_words();
    experiment.sinks = numbers(2, 1, 0, 1);
    assert_false(lab_experiment_check(&experiment, &error));
    assert_non_null(strstr(error.text, "sinks is 2 × 2 × 1"));
    lab_numbers_release(experiment.sinks);
    adjust(&experiment, false, false, true);
    experiment.flash_rows = experiment.flash_cols = 2;
    assert_false(lab_experiment_check(&experiment, &error));
    assert_non_null(strstr(error.text, "no sinks"));
    experiment.flash_rows = experiment.flash_cols = 0;
    const float nothing = 0;
    experiment.score_cap = lab_numbers_make(&nothing, 2, (const size_t[3]){1, 1, 1}, NULL);
    assert_false(lab_experiment_check(&experiment, &error));
    assert_non_null(strstr(error.text, "larger than 0"));
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_those_of_the_definitions),
        cmocka_unit_test(formulas_name_the_cap_the_bias_and_the_sink),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
