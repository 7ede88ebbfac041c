/* Masks: their names, their numbers, what they say, and those custom_mask by hand. */
#include "../experiment_text.h"
#include "bench.h"
#include "lab/experiment/edits.h"
#include "lab/explain/explain.h"

static struct lab_mask_rule rule_of(const char *text)
{
    struct lab_mask_rule rule;
    struct error error = {ERROR_NONE, 0, ""};
    lab_mask_parse(text, &rule, &error);
    assert_string_equal(error.text, "");
    return rule;
}

/* Eight words against eight: 1 where row i sees column j. */
static void assert_picture(const char *text, const char *const rows[8])
{
    const struct lab_mask_rule rule = rule_of(text);
    size_t pairs = 0;
    for (size_t i = 0; i < 8; i++) {
        for (size_t j = 0; j < 8; j++) {
            pairs += rows[i][j] == '1' ? 1 : 0;
            if (lab_mask_sees(&rule, i, j) != (rows[i][j] == '1')) {
                fail_msg("%s: row %zu, column %zu", text, i, j);
            }
        }
    }
    assert_int_equal(lab_mask_pairs(&rule, 8, 8), pairs);
}

static void masks_look_as_drawn_by_hand(void **state)
{
    (void)state;
    assert_picture("causal", (const char *const[]){"10000000", "11000000", "11100000", "11110000",
                                                   "11111000", "11111100", "11111110", "11111111"});
    assert_picture("window:1",
                   (const char *const[]){"11000000", "11100000", "01110000", "00111000", "00011100",
                                         "00001110", "00000111", "00000011"});
    assert_picture("causal-window:3",
                   (const char *const[]){"10000000", "11000000", "11100000", "01110000", "00111000",
                                         "00011100", "00001110", "00000111"});
    assert_picture("dilated:1,3",
                   (const char *const[]){"10010000", "01001000", "00100100", "10010010", "01001001",
                                         "00100100", "00010010", "00001001"});
    assert_picture("block:3",
                   (const char *const[]){"11100000", "11100000", "11100000", "00011100", "00011100",
                                         "00011100", "00000011", "00000011"});
    assert_picture("strided:3",
                   (const char *const[]){"10000000", "11000000", "11100000", "11110000", "01111000",
                                         "00111100", "10011110", "01001111"});
    assert_picture("global:1+window:1",
                   (const char *const[]){"11111111", "11100000", "11110000", "10111000", "10011100",
                                         "10001110", "10000111", "10000011"});
}

static void names_with_numbers_are_read_and_written_alike(void **state)
{
    (void)state;
    static const char *const names[] = {
        "none",    "causal",    "window:2",          "dilated:2,3", "causal-window:4",
        "block:5", "strided:6", "global:2+window:3", "painted"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        const struct lab_mask_rule rule = rule_of(names[n]);
        char text[LAB_MASK_TEXT_MAX], sentence[LAB_MASK_SENTENCE_MAX];
        assert_string_equal(lab_mask_text(&rule, text), names[n]);
        assert_true(strlen(lab_mask_sentence(&rule, sentence)) > 10);
    }
    const struct lab_mask_rule bare = rule_of("dilated");
    char text[LAB_MASK_TEXT_MAX];
    assert_string_equal(lab_mask_text(&bare, text), "dilated:1,2");
}

static void wrong_masks_are_refused_with_what_would_fit(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } wrong[] = {{"window:0", "1 to 1024, not 0"},
                 {"window:", "window:W"},
                 {"window:2,3", "window:W"},
                 {"window:-1", "window:W"},
                 {"dilated:2", "dilated:W,D"},
                 {"dilated:2,0", "D of the mask dilated:W,D must be 1"},
                 {"global:1", "global:G+window:W"},
                 {"global:1,2", "global:G+window:W"},
                 {"block:99999999999999999999", "block:B"},
                 {"causal:2", "is written causal"},
                 {"casual", "causal-window:W"},
                 {"", "there are none, causal"}};
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        struct lab_mask_rule rule;
        struct error error = {ERROR_NONE, 0, ""};
        assert_false(lab_mask_parse(wrong[w].text, &rule, &error));
        if (strstr(error.text, wrong[w].says) == NULL) {
            fail_msg("%s: %s", wrong[w].text, error.text);
        }
    }
}

static const char *const words[] = {"cat", "dog", "lion", "NYC"};

static void a_query_that_sees_nothing_gets_zeros_and_the_text_says_so(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 4);
    struct error error = {ERROR_NONE, 0, ""};
    for (size_t j = 0; j < 4; j++) {
        assert_true(lab_experiment_paint(&experiment, 1, j, false, &error));
    }
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 0);
    const struct lab_matrix output = lab_trace_part(trace, LAB_OUTPUT_O, 0);
    for (size_t c = 0; c < 4; c++) {
        assert_true(!(fabsf(lab_matrix_at(&alpha, 1, c)) > 0));
        assert_true(c > 2 || !(fabsf(lab_matrix_at(&output, 1, c)) > 0));
    }
    assert_int_equal(lab_trace_pairs(trace), 12);
    assert_int_equal(lab_trace_blind(trace), 1);
    struct arena arena = {0};
    const struct lab_selection at = {.query = 1, .projected = LAB_Q};
    const char *const text = lab_describe(trace, LAB_SOFTMAX, &at, &arena);
    assert_non_null(strstr(text, "Of 16 pairs 12 are seen, 75.0 %. 1 query sees no key"));
    assert_non_null(
        strstr(lab_explain(trace, LAB_SOFTMAX, &at, 6, &arena).sentence, "sees no key at all"));
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void painting_begins_with_the_mask_there_was_and_follows_its_words(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 4);
    struct error error = {ERROR_NONE, 0, ""};
    experiment.mask = LAB_MASK_CAUSAL;
    assert_true(lab_experiment_paint(&experiment, 0, 3, true, &error));
    assert_int_equal(experiment.mask, LAB_MASK_CUSTOM);
    struct lab_mask_rule rule = lab_experiment_mask(&experiment);
    assert_true(lab_mask_sees(&rule, 0, 3) && lab_mask_sees(&rule, 2, 1));
    assert_false(lab_mask_sees(&rule, 0, 1));
    /* bird comes in, dog goes: what was custom_mask for cat and NYC stays with them */
    static const char *const others[] = {"bird", "cat", "lion", "NYC"};
    assert_true(lab_experiment_set_tokens(&experiment, others, 4, &error));
    rule = lab_experiment_mask(&experiment);
    assert_true(lab_mask_sees(&rule, 1, 3) && lab_mask_sees(&rule, 0, 3));
    assert_false(lab_mask_sees(&rule, 1, 2));
    assert_false(lab_experiment_paint(&experiment, 4, 0, true, &error));
    assert_true(lab_experiment_check(&experiment, &error));
    lab_experiment_release(&experiment);
}

static void a_painted_mask_of_another_shape_is_refused(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 4);
    struct error error = {ERROR_NONE, 0, ""};
    experiment.custom_mask =
        lab_custom_mask_make((const uint8_t[]){1, 0, 1, 1, 1, 1}, 2, 3, &error);
    experiment.mask = LAB_MASK_CUSTOM;
    assert_false(lab_experiment_check(&experiment, &error));
    assert_string_equal(error.text, "The painted mask is 2 × 3; these words need 4 × 4.");
    lab_experiment_release(&experiment);
}

static void looking_back_makes_no_sense_into_another_text(void **state)
{
    (void)state;
    static const struct {
        enum lab_mask mask;
        bool fits;
    } masks[] = {{LAB_MASK_CAUSAL, false},  {LAB_MASK_CAUSAL_WINDOW, false},
                 {LAB_MASK_STRIDED, false}, {LAB_MASK_WINDOW, true},
                 {LAB_MASK_BLOCK, true},    {LAB_MASK_CUSTOM, true}};
    struct lab_experiment experiment = experiment_of(words, 4);
    struct error error = {ERROR_NONE, 0, ""};
    experiment.context = lab_words_make(words, 3, &error);
    for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
        experiment.mask = masks[m].mask;
        assert_true(lab_experiment_check(&experiment, &error) == masks[m].fits);
    }
    assert_non_null(strstr(error.text, "looks back in one text"));
    lab_experiment_release(&experiment);
}

static void masks_kinds_and_positions_come_back_from_their_text(void **state)
{
    (void)state;
    static const char text[] =
        "{\"heads\": 4, \"attention\": \"gqa:2\", \"positions\": \"rope\", \"flash\": [2, 3],"
        " \"mask\": \"painted\", \"painted\": [[1, 0, 1], [0, 0, 0], [1, 1, 1]]}";
    struct lab_experiment experiment, again;
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    assert_true(lab_experiment_default(&experiment, &error));
    experiment_from_text((struct bytes){(const uint8_t *)text, sizeof text - 1}, &experiment,
                         &error);
    assert_string_equal(error.text, "");
    assert_int_equal(experiment.groups, 2);
    assert_int_equal(experiment.flash_cols, 3);
    const struct lab_mask_rule rule = lab_experiment_mask(&experiment);
    assert_int_equal(lab_mask_pairs(&rule, 3, 3), 5);
    struct bytes written;
    assert_true(experiment_to_text(&experiment, &arena, &written, &error));
    assert_true(lab_experiment_default(&again, &error));
    assert_true(experiment_from_text(written, &again, &error));
    assert_true(lab_experiment_equal(&experiment, &again));
    again.mask = LAB_MASK_WINDOW;
    assert_false(lab_experiment_equal(&experiment, &again));
    lab_experiment_release(&experiment);
    lab_experiment_release(&again);
    arena_free(&arena);
}

/* Pairs that are hidden cost nothing, until somebody looks at S itself. */
static void hidden_scores_are_computed_only_when_they_are_looked_at(void **state)
{
    (void)state;
    static const char *const six[] = {"cat", "dog", "lion", "NYC", "cat", "milk"};
    struct lab_experiment experiment = experiment_of(six, 6);
    experiment.heads = 2;
    struct lab_trace *const whole = trace_of(&experiment);
    experiment.mask = LAB_MASK_CAUSAL;
    struct lab_trace *const masked = trace_of(&experiment);
    assert_int_equal(lab_trace_facts(whole).pairs, 2 * 36);
    assert_int_equal(lab_trace_facts(masked).pairs, 2 * 21);
    const float seen = lab_trace_scaled(masked, 1, 3, 2);
    for (size_t h = 0; h < 2; h++) {
        const struct lab_matrix s = lab_trace_part(masked, LAB_SCORES, h);
        const struct lab_matrix all = lab_trace_part(whole, LAB_SCORES, h);
        assert_memory_equal(s.values, all.values, 36 * sizeof(float));
    }
    assert_true(lab_trace_scaled(masked, 1, 3, 2) >= seen &&
                lab_trace_scaled(masked, 1, 3, 2) <= seen);
    assert_int_equal(lab_trace_facts(masked).pairs, 2 * 21); /* what the weights needed */
    lab_trace_release(whole);
    lab_trace_release(masked);
    lab_experiment_release(&experiment);
}

/* With a causal mask the text says what a cache saves: 3 tokens, d_k = d_v = 3, one head. */
static void the_text_says_what_a_cache_saves(void **state)
{
    (void)state;
    static const char *const three[] = {"cat", "dog", "lion"};
    struct arena arena = {0};
    struct lab_experiment experiment = experiment_of(three, 3);
    const struct lab_selection at = {.query = 2};
    struct lab_trace *trace = trace_of(&experiment);
    assert_null(strstr(lab_describe(trace, LAB_SOFTMAX, &at, &arena), "cache"));
    lab_trace_release(trace);
    experiment.mask = LAB_MASK_CAUSAL;
    trace = trace_of(&experiment);
    const char *const text = lab_describe(trace, LAB_SOFTMAX, &at, &arena);
    assert_non_null(
        strstr(text, "the cache grows by 24 bytes to 72.")); /* (3 + 3) · 4, three times */
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_look_as_drawn_by_hand),
        cmocka_unit_test(names_with_numbers_are_read_and_written_alike),
        cmocka_unit_test(wrong_masks_are_refused_with_what_would_fit),
        cmocka_unit_test(a_query_that_sees_nothing_gets_zeros_and_the_text_says_so),
        cmocka_unit_test(painting_begins_with_the_mask_there_was_and_follows_its_words),
        cmocka_unit_test(a_painted_mask_of_another_shape_is_refused),
        cmocka_unit_test(looking_back_makes_no_sense_into_another_text),
        cmocka_unit_test(hidden_scores_are_computed_only_when_they_are_looked_at),
        cmocka_unit_test(the_text_says_what_a_cache_saves),
        cmocka_unit_test(masks_kinds_and_positions_come_back_from_their_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
