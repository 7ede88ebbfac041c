/* What can be left out or exchanged: softmax, the maximum, W_O, the residual, the temperature. */
#include "bench.h"
#include "lab/run/cache.h"
#include "lab/run/flash.h"
#include "lab/run/latent.h"
#include "links.h"

static const char *const words[] = {"cat", "dog", "lion"};

static void plain_shares_divide_each_score_by_the_sum_of_its_row(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.normalise = LAB_PLAIN_SHARE;
    struct lab_trace *const trace = trace_of(&experiment);
    const double cat = 7.25 + 7.25 + 5, dog = 7.25 + 7.58 + 2.7, lion = 5 + 2.7 + 26;
    const double expected[] = {7.25 / cat, 7.25 / cat, 5 / cat,    7.25 / dog, 7.58 / dog,
                               2.7 / dog,  5 / lion,   2.7 / lion, 26 / lion};
    assert_matrix(lab_trace_part(trace, LAB_ALPHA, 0), expected, 3, 3, 0);
    lab_trace_release(trace);
    experiment.mask = LAB_MASK_CAUSAL;
    struct lab_trace *const causal = trace_of(&experiment);
    const double visible[] = {1, 0,        0,          7.25 / 14.83, 7.58 / 14.83,
                              0, 5 / lion, 2.7 / lion, 26 / lion};
    assert_matrix(lab_trace_part(causal, LAB_ALPHA, 0), visible, 3, 3, 0);
    lab_trace_release(causal);
    lab_experiment_release(&experiment);
}

/* Queries and keys of length `size` in one dimension, one token. */
static struct lab_trace *trace_of_lengths(float size, bool keep_maximum)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 2);
    const float q[] = {size, 1}, k[] = {size, 0}, v[] = {1, 2};
    experiment.q = lab_numbers_make(q, 2, (size_t[]){2, 1, 1}, &error);
    experiment.k = lab_numbers_make(k, 2, (size_t[]){2, 1, 1}, &error);
    experiment.v = lab_numbers_make(v, 2, (size_t[]){2, 1, 1}, &error);
    experiment.scale = false;
    experiment.keep_maximum = keep_maximum;
    struct lab_trace *const trace = trace_of(&experiment);
    lab_experiment_release(&experiment);
    return trace;
}

static void a_maximum_that_is_kept_overflows_and_one_that_is_subtracted_does_not(void **state)
{
    (void)state;
    struct lab_trace *const kept = trace_of_lengths(10, true); /* a score of 100: e^100 > 3.4e38 */
    const struct lab_matrix broken = lab_trace_part(kept, LAB_ALPHA, 0);
    assert_true(isnan(lab_matrix_at(&broken, 0, 0)));
    assert_true(isfinite(lab_matrix_at(&broken, 1, 0))); /* the other row is fine */
    struct lab_trace *const safe = trace_of_lengths(10, false);
    const struct lab_matrix fine = lab_trace_part(safe, LAB_ALPHA, 0);
    assert_true(lab_matrix_at(&fine, 0, 0) > 0.999f);
    lab_trace_release(kept);
    lab_trace_release(safe);
}

static void small_scores_give_the_same_weights_with_and_without_the_maximum(void **state)
{
    (void)state;
    struct lab_trace *const kept = trace_of_lengths(1.5f, true);
    struct lab_trace *const safe = trace_of_lengths(1.5f, false);
    const struct lab_matrix a = lab_trace_part(kept, LAB_ALPHA, 0);
    const struct lab_matrix b = lab_trace_part(safe, LAB_ALPHA, 0);
    for (size_t c = 0; c < 4; c++) {
        assert_true(fabs((double)a.values[c] - (double)b.values[c]) < 1e-6);
    }
    lab_trace_release(kept);
    lab_trace_release(safe);
}

static void without_w_o_the_output_is_the_concatenation(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.heads = 8;
    experiment.skip_w_o = true;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix concat = lab_trace_part(trace, LAB_CONCAT, 0);
    const struct lab_matrix o = lab_trace_part(trace, LAB_OUTPUT_O, 0);
    for (size_t c = 0; c < concat.rows * concat.cols; c++) {
        assert_true(fabsf(concat.values[c] - o.values[c]) <= 0);
    }
    lab_trace_release(trace);
    struct error error = {ERROR_NONE, 0, ""};
    experiment.d_v = 5;
    assert_false(lab_experiment_check(&experiment, &error));
    assert_non_null(strstr(error.text, "8 · 5"));
    assert_non_null(strstr(error.text, "64"));
    lab_experiment_release(&experiment);
}

static void the_residual_adds_the_input_to_the_output(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 3);
    struct lab_trace *const without = trace_of(&experiment);
    assert_null(lab_trace_part(without, LAB_RESIDUAL, 0).values);
    experiment.residual = true;
    struct lab_trace *const with = trace_of(&experiment);
    const struct lab_matrix x = lab_trace_part(with, LAB_EMBEDDINGS_X, 0);
    const struct lab_matrix o = lab_trace_part(with, LAB_OUTPUT_O, 0);
    const struct lab_matrix sum = lab_trace_part(with, LAB_RESIDUAL, 0);
    assert_string_equal(sum.name, "X + O");
    assert_string_equal(sum.row_words[1], "dog");
    for (size_t c = 0; c < 9; c++) {
        assert_true(fabsf(sum.values[c] - (x.values[c] + o.values[c])) <= 0);
        /* O itself stays what it is. */
        assert_true(fabsf(lab_trace_part(without, LAB_OUTPUT_O, 0).values[c] - o.values[c]) <= 0);
    }
    lab_trace_release(without);
    lab_trace_release(with);
    lab_experiment_release(&experiment);
}

static void the_temperature_goes_from_a_hundredth_to_a_hundred(void **state)
{
    (void)state;
    static const struct {
        float temperature;
        bool fine;
    } cases[] = {{0.01f, true}, {100, true}, {0.009f, false}, {101, false}, {INFINITY, false}};
    struct lab_experiment experiment = experiment_of(words, 3);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        experiment.temperature = cases[c].temperature;
        assert_true(lab_experiment_check(&experiment, &error) == cases[c].fine);
        assert_true(cases[c].fine || strstr(error.text, "0.01 to 100") != NULL);
    }
    lab_experiment_release(&experiment);
}

static void every_switch_makes_an_experiment_another_one(void **state)
{
    (void)state;
    struct lab_experiment original = experiment_of(words, 3);
    for (int change = 0; change < 6; change++) {
        struct lab_experiment other;
        lab_experiment_copy(&other, &original);
        other.normalise = change == 0 ? LAB_PLAIN_SHARE : LAB_SOFTMAX_ROWS;
        other.keep_maximum = change == 1;
        other.skip_w_o = change == 2;
        other.residual = change == 3;
        other.unit_qk = change == 4;
        other.smear = change == 5 ? 0.5F : 0;
        assert_false(lab_experiment_equal(&other, &original));
        lab_experiment_release(&other);
    }
    lab_experiment_release(&original);
}

static const char *formula_of(const struct lab_explanation *said, struct arena *arena)
{
    const char *text = "";
    for (size_t p = 0; p < said->pieces; p++) {
        text = arena_format(arena, "%s%s", text, said->piece[p].text);
    }
    return text;
}

static void formulas_and_sentences_follow_the_switches(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct lab_selection at = {.query = 1, .key = 0, .projected = LAB_Q};
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.normalise = LAB_PLAIN_SHARE;
    experiment.residual = true;
    experiment.skip_w_o = true;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_explanation share = lab_explain(trace, LAB_SOFTMAX, &at, 8, &arena);
    assert_non_null(strstr(share.title, "scaled ÷ Σ scaled"));
    assert_string_equal(formula_of(&share, &arena), "4.186 ÷ (4.186 + 4.376 + 1.559) = 0.414");
    const struct lab_explanation out = lab_explain(trace, LAB_OUTPUT, &at, 8, &arena);
    assert_non_null(strstr(out.sentence, "W_O is left out"));
    assert_non_null(strstr(out.sentence, "x + o = −2.700 + (−2.201) = −4.901"));
    const char *const said = lab_describe(trace, LAB_SOFTMAX, &at, &arena);
    assert_non_null(strstr(said, "Weights are plain shares"));
    assert_non_null(strstr(sentence_at(&experiment, LAB_SOFTMAX), "plain shares"));
    lab_trace_release(trace);
    struct lab_trace *const broken = trace_of_lengths(10, true);
    const struct lab_selection first = {.projected = LAB_Q};
    const struct lab_explanation over = lab_explain(broken, LAB_SOFTMAX, &first, 8, &arena);
    assert_string_equal(formula_of(&over, &arena), "exp(100.000) ÷ (∞ + 1.000) = n/a");
    assert_non_null(strstr(over.sentence, "does not fit into a 32-bit number"));
    assert_non_null(
        strstr(lab_explain(broken, LAB_BLEND, &first, 8, &arena).sentence, "no shares of a whole"));
    lab_trace_release(broken);
    lab_experiment_release(&experiment);
    arena_free(&arena);
}

/* A value that stands at Scale · mask as "scaled" is no "score" a stage later. */
static void softmax_calls_what_it_reads_as_the_stage_before_does(void **state)
{
    (void)state;
    static const struct {
        bool scale;
        float temperature;
        enum lab_normalise normalise;
        const char *title;
    } cases[] = {{true, 1, LAB_SOFTMAX_ROWS, "exp(scaled − max) ÷ Σ exp"},
                 {false, 1, LAB_SOFTMAX_ROWS, "exp(score − max) ÷ Σ exp"},
                 {false, 2, LAB_SOFTMAX_ROWS, "exp(scaled − max) ÷ Σ exp"},
                 {false, 1, LAB_PLAIN_SHARE, "score ÷ Σ scores"}};
    const struct lab_selection at = {.query = 1, .key = 0, .projected = LAB_Q};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct arena arena = {0};
        struct lab_experiment experiment = experiment_of(words, 3);
        experiment.scale = cases[c].scale;
        experiment.temperature = cases[c].temperature;
        experiment.normalise = cases[c].normalise;
        struct lab_trace *const trace = trace_of(&experiment);
        const struct lab_explanation share = lab_explain(trace, LAB_SOFTMAX, &at, 8, &arena);
        assert_non_null(strstr(share.title, cases[c].title));
        lab_trace_release(trace);
        lab_experiment_release(&experiment);
        arena_free(&arena);
    }
}

/* Does lion look at itself because it is long? Scores of the lesson about cats as cosines, in
 * float64 from where the words stand. */
static void of_length_1_lion_scores_1_with_itself_and_nothing_scores_more(void **state)
{
    (void)state;
    static const char *const cats[] = {"cat", "dog", "lion", "NYC"};
    static const double at[4][3] = {{-2.5, 1, 0}, {-2.7, 0.5, -0.2}, {0, 5, -1}, {-2, 1, 5}};
    double expected[16], squares[4] = {0};
    struct lab_experiment experiment = experiment_of(cats, 4);
    experiment.unit_qk = true;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix scores = lab_trace_part(trace, LAB_SCORES, 0);
    for (size_t c = 0; c < 12; c++) {
        squares[c / 3] += at[c / 3][c % 3] * at[c / 3][c % 3];
    }
    for (size_t c = 0; c < 16; c++) {
        const double *const q = at[c / 4], *const k = at[c % 4];
        expected[c] =
            (q[0] * k[0] + q[1] * k[1] + q[2] * k[2]) / sqrt(squares[c / 4] * squares[c % 4]);
        assert_true((double)scores.values[c] <= 1 + 1e-6);
    }
    assert_matrix(scores, expected, 4, 4, 1e-6);
    assert_true(fabs((double)lab_matrix_at(&scores, 2, 2) - 1) < 1e-6);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

/* Q and K themselves stay; a row of zeros has no direction and stays too. */
static void a_query_of_zeros_stays_one_and_what_is_given_is_kept(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 2);
    const float q[] = {0, 0, 3, 4}, k[] = {0, 2, 0, 0}, unit[] = {0, 0, 0.6f, 0.8f};
    static const double expected[] = {0, 0, 0.8, 0};
    experiment.q = lab_numbers_make(q, 2, (size_t[]){2, 2, 1}, &error);
    experiment.k = lab_numbers_make(k, 2, (size_t[]){2, 2, 1}, &error);
    experiment.unit_qk = true;
    struct lab_trace *const trace = trace_of(&experiment);
    assert_memory_equal(lab_trace_part(trace, LAB_Q, 0).values, q, sizeof q);
    assert_memory_equal(lab_trace_part(trace, LAB_Q_SCORED, 0).values, unit, sizeof unit);
    assert_matrix(lab_trace_part(trace, LAB_SCORES, 0), expected, 2, 2, 1e-6);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void a_score_of_unit_rows_is_told_with_the_numbers_of_unit_rows(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct lab_selection at = {.query = 2, .key = 2, .projected = LAB_Q};
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.unit_qk = true;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_explanation said = lab_explain(trace, LAB_SCORE, &at, 8, &arena);
    assert_string_equal(said.title, "score( lion → lion ) = q̂(lion) · k̂(lion)");
    assert_string_equal(formula_of(&said, &arena),
                        "(0.000·0.000) + (0.981·0.981) + (−0.196·−0.196) = 1.000");
    const struct lab_terms terms = lab_terms(trace, LAB_SCORE, &at, &arena);
    assert_int_equal(terms.term[1].left_cell.part, LAB_Q_SCORED);
    assert_true(fabs((double)terms.term[1].right - 5 / sqrt(26)) < 1e-6);
    const struct links links = links_of(trace, LAB_SCORE, &at);
    assert_true(links_hold(&links, LAB_K_SCORED, 0, 2, 1));
    assert_false(links_hold(&links, LAB_K, 0, 2, 1));
    assert_non_null(strstr(lab_describe(trace, LAB_SCORE, &at, &arena), "brought to length 1"));
    assert_non_null(strstr(sentence_at(&experiment, LAB_SCORE), "S = Q̂K̂ᵀ"));
    assert_string_equal(lab_stage_formula(lab_trace_graph(trace), LAB_SCORE), "Q̂K̂ᵀ");
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
    arena_free(&arena);
}

/* A smeared key has its formula, which leads to the keys of its word and of the word before. */
static void a_smeared_key_is_told_with_the_key_before_it(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct lab_selection at = {.query = 1, .key = 2, .projected = LAB_Q};
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.smear = 0.25F;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_explanation score = lab_explain(trace, LAB_SCORE, &at, 8, &arena);
    assert_string_equal(score.title, "score( dog → lion ) = q(dog) · kₛ(lion)");
    assert_non_null(strstr(lab_describe(trace, LAB_SCORE, &at, &arena),
                           "Every key takes a share of the key before it."));
    assert_non_null(strstr(sentence_at(&experiment, LAB_SCORE), "S = QKₛᵀ"));
    assert_string_equal(lab_stage_formula(lab_trace_graph(trace), LAB_SCORE), "QKₛᵀ");
    const struct links links = links_of(trace, LAB_SCORE, &at);
    assert_true(links_hold(&links, LAB_K_SMEARED, 0, 2, 1));
    enum lab_stage stage = LAB_SCORE;
    lab_cell_select(trace, &(struct lab_cell){LAB_K_SMEARED, 0, 2, 1}, &stage, &at);
    assert_int_equal(stage, LAB_PROJECT);
    const struct lab_explanation key = lab_explain(trace, stage, &at, 8, &arena);
    assert_string_equal(key.title, "kₛ(lion)[animalness] = s · k(dog)[animalness] + (1 − s) · "
                                   "k(lion)[animalness]");
    assert_string_equal(formula_of(&key, &arena), "(0.25·0.5) + (0.75·5.0) = 3.875");
    assert_string_equal(key.sentence,
                        "This key takes 0.25 of the key of “dog”, the word before "
                        "it: a query that looks for “dog” also finds what follows it.");
    const struct links made = links_of(trace, stage, &at);
    assert_true(made.count == 2 && links_hold(&made, LAB_K, 0, 1, 1));
    lab_cell_select(trace, &(struct lab_cell){LAB_K_SMEARED, 0, 0, 1}, &stage, &at);
    const struct lab_explanation first = lab_explain(trace, stage, &at, 8, &arena);
    assert_string_equal(first.title, "kₛ(cat)[animalness] = (1 − s) · k(cat)[animalness]");
    assert_string_equal(formula_of(&first, &arena), "(0.75·1.0) = 0.750");
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
    arena_free(&arena);
}

/* Tile by tile and word by word the same rows are taken; W_Q and W_UKᵀ do not become one. */
static void unit_rows_are_those_of_tiles_of_a_cache_and_of_no_absorbed_matrix(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.unit_qk = true;
    experiment.smear = 0.5F;
    experiment.kind = LAB_LATENT;
    experiment.latent = 2;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.mask = LAB_MASK_CAUSAL;
    struct lab_trace *const trace = trace_of(&experiment);
    float difference = 1;
    assert_true(lab_cache_replay(trace, &difference, &error));
    assert_true(difference < 1e-5f);
    struct lab_flash flash;
    assert_true(lab_flash_replay(trace, 0, 2, 2, &arena, &flash, &error));
    assert_true(flash.difference < 1e-5f);
    struct lab_absorbed absorbed;
    assert_false(lab_latent_absorb(trace, 0, &arena, &absorbed, &error));
    assert_non_null(strstr(error.text, "changed by itself"));
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_shares_divide_each_score_by_the_sum_of_its_row),
        cmocka_unit_test(a_maximum_that_is_kept_overflows_and_one_that_is_subtracted_does_not),
        cmocka_unit_test(small_scores_give_the_same_weights_with_and_without_the_maximum),
        cmocka_unit_test(without_w_o_the_output_is_the_concatenation),
        cmocka_unit_test(the_residual_adds_the_input_to_the_output),
        cmocka_unit_test(the_temperature_goes_from_a_hundredth_to_a_hundred),
        cmocka_unit_test(every_switch_makes_an_experiment_another_one),
        cmocka_unit_test(formulas_and_sentences_follow_the_switches),
        cmocka_unit_test(softmax_calls_what_it_reads_as_the_stage_before_does),
        cmocka_unit_test(of_length_1_lion_scores_1_with_itself_and_nothing_scores_more),
        cmocka_unit_test(a_query_of_zeros_stays_one_and_what_is_given_is_kept),
        cmocka_unit_test(a_score_of_unit_rows_is_told_with_the_numbers_of_unit_rows),
        cmocka_unit_test(a_smeared_key_is_told_with_the_key_before_it),
        cmocka_unit_test(unit_rows_are_those_of_tiles_of_a_cache_and_of_no_absorbed_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
