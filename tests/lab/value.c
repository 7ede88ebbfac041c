/* The experiment as a value: copied, compared, checked, and fed with what people type. */
#include "bench.h"

static const char *const words[] = {"cat", "dog", "lion"};

static void the_default_is_cat_dog_and_lion_with_identity_weights(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 3);
    const struct lab_sizes sizes = lab_experiment_sizes(&experiment);
    assert_string_equal(lab_embedding_name(experiment.embedding), "toy");
    assert_string_equal(lab_weights_name(experiment.weights), "identity");
    assert_int_equal(experiment.seed, 42);
    assert_int_equal(sizes.d_model, 3);
    assert_int_equal(sizes.d_k, 3);
    assert_int_equal(sizes.heads, 1);
    assert_true(fabs((double)sizes.factor - 1 / sqrt(3)) < 1e-7);
    lab_experiment_release(&experiment);
}

static void a_copy_is_equal_and_outlives_the_original(void **state)
{
    (void)state;
    struct lab_experiment original = experiment_of(words, 3), copy;
    lab_experiment_copy(&copy, &original);
    assert_true(lab_experiment_equal(&copy, &original));
    struct lab_experiment same = experiment_of(words, 3);
    assert_true(lab_experiment_equal(&same, &original));
    lab_experiment_release(&original);
    assert_null(original.tokens);
    assert_string_equal(lab_words_list(copy.tokens)[2], "lion");
    lab_experiment_release(&copy);
    lab_experiment_release(&same);
}

static void any_change_makes_an_experiment_unequal(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment original = experiment_of(words, 3);
    for (int change = 0; change < 9; change++) {
        struct lab_experiment other;
        lab_experiment_copy(&other, &original);
        other.heads += change == 0;
        other.seed += change == 1;
        other.d_k += change == 2 ? 4 : 0;
        other.scale = change == 3 ? !other.scale : other.scale;
        other.temperature *= change == 4 ? 2 : 1;
        other.mask = change == 5 ? LAB_MASK_CAUSAL : other.mask;
        other.weights = change == 6 ? LAB_WEIGHTS_RANDOM : other.weights;
        other.embedding = change == 7 ? LAB_EMBEDDING_ONEHOT : other.embedding;
        if (change == 8) {
            assert_true(lab_experiment_set_tokens(&other, words + 1, 2, &error));
        }
        assert_false(lab_experiment_equal(&other, &original));
        lab_experiment_release(&other);
    }
    lab_experiment_release(&original);
}

static void a_trace_keeps_its_experiment_when_the_asker_lets_go(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 3);
    struct lab_trace *const trace = trace_of(&experiment);
    lab_experiment_release(&experiment);
    struct lab_trace *const shared = lab_trace_keep(trace);
    lab_trace_release(trace);
    assert_string_equal(lab_trace_queries(shared)[1], "dog");
    const struct lab_matrix x = lab_trace_part(shared, LAB_EMBEDDINGS_X, 0);
    assert_string_equal(x.column_words[1], "animalness");
    lab_trace_release(shared);
}

static void no_words_at_all_is_said_in_a_sentence(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 3);
    assert_true(lab_experiment_set_tokens(&experiment, NULL, 0, &error));
    assert_true(lab_experiment_check(&experiment, &error));
    assert_null(lab_run(&experiment, NULL, &error));
    assert_non_null(strstr(error.text, "type a word"));
    lab_experiment_release(&experiment);
}

static void rules_that_are_broken_are_named(void **state)
{
    (void)state;
    static const struct {
        size_t heads, d_model, d_k;
        float temperature;
        const char *says;
    } cases[] = {
        {0, 64, 0, 1, "heads"},         {257, 64, 0, 1, "heads"},
        {1, 0, 0, 1, "d_model"},        {1, 5000, 0, 1, "d_model"},
        {1, 64, 4097, 1, "d_k"},        {1, 64, 0, 0, "temperature"},
        {1, 64, 0, -1, "temperature"},  {64, 4096, 4096, 1, "memory"},
        {1, 64, 0, NAN, "temperature"},
    };
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        experiment.heads = cases[c].heads;
        experiment.d_model = cases[c].d_model;
        experiment.d_k = cases[c].d_k;
        experiment.temperature = cases[c].temperature;
        assert_false(lab_experiment_check(&experiment, &error));
        assert_non_null(strstr(error.text, cases[c].says));
        assert_null(lab_run(&experiment, NULL, &error));
    }
    lab_experiment_release(&experiment);
}

static void an_unknown_instruction_set_is_answered_with_those_there_are(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 3);
    struct lab_engine engine;
    assert_false(lab_engine_open(&engine, "avx9", 1, &error));
    assert_non_null(strstr(error.text, "avx9"));
    assert_non_null(strstr(error.text, "ref"));
    assert_true(lab_engine_open(&engine, "ref", 1, &error));
    struct lab_trace *const plain = lab_run(&experiment, &engine, &error);
    assert_string_equal(lab_trace_facts(plain).isa, "ref");
    lab_trace_release(plain);
    lab_engine_close(&engine);
    lab_experiment_release(&experiment);
}

static void one_token_attends_to_itself_alone(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 1);
    struct lab_trace *const trace = trace_of(&experiment);
    assert_matrix(lab_trace_part(trace, LAB_ALPHA, 0), (const double[]){1}, 1, 1, 0);
    assert_matrix(lab_trace_part(trace, LAB_OUTPUT_O, 0), (const double[]){-2.5, 1, 0}, 1, 3, 0);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void sixty_four_tokens_and_every_key_size_up_to_256_are_computed(void **state)
{
    (void)state;
    const char *many[64];
    for (size_t w = 0; w < 64; w++) {
        many[w] = words[w % 3];
    }
    struct lab_experiment experiment = experiment_of(many, 64);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    for (size_t d_k = 1; d_k <= 256; d_k += 51) {
        experiment.d_k = d_k;
        struct lab_trace *const trace = trace_of(&experiment);
        const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 0);
        for (size_t i = 0; i < 64; i++) {
            double sum = 0;
            for (size_t j = 0; j < 64; j++) {
                sum += (double)lab_matrix_at(&alpha, i, j);
            }
            assert_true(fabs(sum - 1) < 1e-5);
        }
        lab_trace_release(trace);
    }
    lab_experiment_release(&experiment);
}

static void long_words_every_script_and_broken_bytes_are_taken(void **state)
{
    (void)state;
    char long_word[501];
    memset(long_word, 'a', 500);
    long_word[500] = '\0';
    const char *const odd[] = {long_word,  "猫", "🦁👨‍👩‍👧", "قطة", "e\xcc\x81",
                               "\xff\xfe", "a b"};
    struct lab_experiment experiment = experiment_of(odd, 7);
    assert_int_equal(lab_words_count(experiment.tokens), 7);
    assert_string_equal(lab_words_list(experiment.tokens)[4], "é"); /* composed */
    assert_string_equal(lab_words_list(experiment.tokens)[5], "\xef\xbf\xbd\xef\xbf\xbd");
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix o = lab_trace_part(trace, LAB_OUTPUT_O, 0);
    for (size_t c = 0; c < o.rows * o.cols; c++) {
        assert_true(isfinite(o.values[c]));
    }
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void too_many_words_change_nothing(void **state)
{
    (void)state;
    static const char *many[LAB_TOKENS_MAX + 1];
    for (size_t w = 0; w <= LAB_TOKENS_MAX; w++) {
        many[w] = "word";
    }
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 3);
    assert_false(lab_experiment_set_tokens(&experiment, many, LAB_TOKENS_MAX + 1, &error));
    assert_non_null(strstr(error.text, "4096"));
    assert_int_equal(lab_words_count(experiment.tokens), 3);
    lab_experiment_release(&experiment);
}

static void weights_of_the_wrong_shape_are_refused_with_both_shapes(void **state)
{
    (void)state;
    static const float values[64] = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.weights = LAB_WEIGHTS_NUMBERS;
    assert_false(lab_experiment_check(&experiment, &error));
    experiment.w_q = lab_numbers_make(values, 2, (size_t[]){3, 2, 1}, &error);
    experiment.w_k = lab_numbers_make(values, 2, (size_t[]){4, 2, 1}, &error);
    experiment.w_v = lab_numbers_make(values, 2, (size_t[]){3, 2, 1}, &error);
    experiment.w_o = lab_numbers_make(values, 2, (size_t[]){2, 3, 1}, &error);
    assert_false(lab_experiment_check(&experiment, &error));
    assert_non_null(strstr(error.text, "W_K is 1 × 4 × 2"));
    assert_non_null(strstr(error.text, "1 × 3 × 2"));
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_is_cat_dog_and_lion_with_identity_weights),
        cmocka_unit_test(a_copy_is_equal_and_outlives_the_original),
        cmocka_unit_test(any_change_makes_an_experiment_unequal),
        cmocka_unit_test(a_trace_keeps_its_experiment_when_the_asker_lets_go),
        cmocka_unit_test(no_words_at_all_is_said_in_a_sentence),
        cmocka_unit_test(rules_that_are_broken_are_named),
        cmocka_unit_test(an_unknown_instruction_set_is_answered_with_those_there_are),
        cmocka_unit_test(one_token_attends_to_itself_alone),
        cmocka_unit_test(sixty_four_tokens_and_every_key_size_up_to_256_are_computed),
        cmocka_unit_test(long_words_every_script_and_broken_bytes_are_taken),
        cmocka_unit_test(too_many_words_change_nothing),
        cmocka_unit_test(weights_of_the_wrong_shape_are_refused_with_both_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
