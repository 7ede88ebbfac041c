/* The toy vocabulary: the classic four, everything placed, nothing twice, and guesses that stay. */
#include "bench.h"
#include "lab/experiment/vocab.h"

static void assert_place(const char *word, float x, float y, float z)
{
    float position[LAB_VOCAB_AXES];
    assert_true(lab_vocab_place(word, position));
    assert_memory_equal(position, ((const float[]){x, y, z}), sizeof position);
}

static void the_four_words_of_the_classic_example_stand_exactly_there(void **state)
{
    (void)state;
    assert_place("cat", -2.5f, 1, 0);
    assert_place("dog", -2.7f, 0.5f, -0.2f);
    assert_place("lion", 0, 5, -1);
    assert_place("NYC", -2, 1, 5);
}

static void there_are_at_least_124_words_all_finite_and_none_twice(void **state)
{
    (void)state;
    assert_true(lab_vocab_count() >= 134);
    for (size_t w = 0; w < lab_vocab_count(); w++) {
        float position[LAB_VOCAB_AXES];
        assert_true(lab_vocab_place(lab_vocab_word(w), position));
        for (size_t a = 0; a < LAB_VOCAB_AXES; a++) {
            assert_true(isfinite(position[a]) && fabsf(position[a]) < 10);
        }
        for (size_t other = 0; other < w; other++) {
            assert_string_not_equal(lab_vocab_word(other), lab_vocab_word(w));
        }
    }
}

static void letter_case_does_not_hide_a_word(void **state)
{
    (void)state;
    assert_place("Cat", -2.5f, 1, 0);
    assert_place("LION", 0, 5, -1);
    assert_place("nyc", -2, 1, 5);
}

static float between(const char *a, const char *b)
{
    float p[LAB_VOCAB_AXES], q[LAB_VOCAB_AXES], square = 0;
    assert_true(lab_vocab_place(a, p) && lab_vocab_place(b, q));
    for (size_t i = 0; i < LAB_VOCAB_AXES; i++) {
        square += (p[i] - q[i]) * (p[i] - q[i]);
    }
    return sqrtf(square);
}

static void words_of_a_kind_stand_closer_together_than_words_of_two_kinds(void **state)
{
    (void)state;
    static const char *const kinds[][4] = {
        {"cat", "puppy", "hamster", "kitten"},
        {"lion", "tiger", "elephant", "bear"},
        {"NYC", "London", "Tokyo", "Paris"},
        {"bread", "cheese", "cake", "tea"},
        {"the", "a", "of", "and"},
    };
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    for (size_t k = 0; k < KINDS; k++) {
        for (size_t other = 0; other < KINDS; other++) {
            /* food and small words are both near the middle: neither pet, animal nor city */
            const bool both_middle = k >= 3 && other >= 3;
            for (size_t w = 0; k != other && !both_middle && w < 4; w++) {
                assert_true(between(kinds[k][0], kinds[k][3]) <
                            between(kinds[k][0], kinds[other][w]));
            }
        }
    }
}

static void verbs_pronouns_people_places_and_food_are_there(void **state)
{
    (void)state;
    static const char *const some[] = {"sat",    "on",      "the",    "mat",    "she",
                                       "they",   "teacher", "park",   "forest", "milk",
                                       "coffee", "barks",   "sleeps", "wild"};
    for (size_t s = 0; s < sizeof some / sizeof some[0]; s++) {
        float position[LAB_VOCAB_AXES];
        assert_true(lab_vocab_place(some[s], position));
    }
}

static void an_unknown_word_gets_the_same_small_place_every_time(void **state)
{
    (void)state;
    static const char *const unknown[] = {"quokka", "Zürich", "猫", "🦁", "x", "ß"};
    float first[sizeof unknown / sizeof unknown[0]][LAB_VOCAB_AXES], again[LAB_VOCAB_AXES];
    for (size_t u = 0; u < sizeof unknown / sizeof unknown[0]; u++) {
        assert_false(lab_vocab_place(unknown[u], first[u]));
        assert_false(lab_vocab_place(unknown[u], again));
        assert_memory_equal(first[u], again, sizeof again);
        for (size_t a = 0; a < LAB_VOCAB_AXES; a++) {
            assert_true(fabsf(first[u][a]) < 5);
        }
        for (size_t other = 0; other < u; other++) {
            assert_memory_not_equal(first[u], first[other], sizeof again);
        }
    }
    assert_false(lab_vocab_place("QUOKKA", again));
    assert_memory_equal(first[0], again, sizeof again);
}

static void a_trace_marks_the_words_whose_place_was_guessed(void **state)
{
    (void)state;
    static const char *const words[] = {"cat", "quokka", "Dog"};
    struct lab_experiment experiment = experiment_of(words, 3);
    struct lab_trace *trace = trace_of(&experiment);
    assert_false(lab_trace_is_guess(trace, 0));
    assert_true(lab_trace_is_guess(trace, 1));
    assert_false(lab_trace_is_guess(trace, 2));
    lab_trace_release(trace);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    trace = trace_of(&experiment);
    assert_false(lab_trace_is_guess(trace, 1));
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void copies_of_a_dimension_are_numbered(void **state)
{
    (void)state;
    static const char *const words[] = {"cat", "dog"};
    static const char *const expected[] = {"petness",   "animalness",   "cityness",
                                           "petness 2", "animalness 2", "cityness 2",
                                           "petness 3", "animalness 3"};
    struct lab_experiment experiment = experiment_of(words, 2);
    experiment.d_k = 8;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix q = lab_trace_part(trace, LAB_Q, 0);
    const struct lab_matrix x = lab_trace_part(trace, LAB_EMBEDDINGS_X, 0);
    for (size_t c = 0; c < 8; c++) {
        assert_string_equal(q.column_words[c], expected[c]);
    }
    assert_string_equal(x.column_words[0], "petness");
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_of_a_dimension_are_numbered),
        cmocka_unit_test(the_four_words_of_the_classic_example_stand_exactly_there),
        cmocka_unit_test(there_are_at_least_124_words_all_finite_and_none_twice),
        cmocka_unit_test(letter_case_does_not_hide_a_word),
        cmocka_unit_test(words_of_a_kind_stand_closer_together_than_words_of_two_kinds),
        cmocka_unit_test(verbs_pronouns_people_places_and_food_are_there),
        cmocka_unit_test(an_unknown_word_gets_the_same_small_place_every_time),
        cmocka_unit_test(a_trace_marks_the_words_whose_place_was_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
