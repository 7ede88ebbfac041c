/* What is said about the numbers: formulas, sentences, descriptions, and the lessons they open
 * with. */
#include "base/translate.h"
#include "bench.h"
#include "lab/explain/explain.h"
#include "lab/lesson/lessons.h"

/* A lesson by name, run. */
static struct lab_trace *lesson(const char *name, enum lab_stage *stage,
                                struct lab_selection *selection)
{
    size_t index = 0;
    struct lab_experiment experiment;
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(lab_lesson_find(name, &index));
    if (!lab_lesson_open(index, &experiment, stage, selection, &error)) {
        fail_msg("%s", error.text);
    }
    struct lab_trace *const trace = trace_of(&experiment);
    lab_experiment_release(&experiment);
    return trace;
}

static const char *formula_of(const struct lab_explanation *explanation, struct arena *arena)
{
    const char *text = "";
    for (size_t p = 0; p < explanation->pieces; p++) {
        text = arena_format(arena, "%s%s", text, explanation->piece[p].text);
    }
    return text;
}

static void every_stage_of_the_cats_is_spelled_out_in_its_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *title, *formula, *says;
    } expected[LAB_STAGES] = {
        {"x(dog)[animalness]", "(−2.7, 0.5, −0.2)", "placed by hand"},
        {"q(dog)[animalness] = x(dog) · W_Q[·, animalness]", "(−2.7·0) + (0.5·1) + (−0.2·0) = 0.5",
         "copied"},
        {"score( dog → cat ) = q(dog) · k(cat)", "(−2.7·−2.5) + (0.5·1.0) + (−0.2·0.0) = 7.25",
         "Mostly petness: 6.75 + 0.50 + 0.00 = |q| 2.75 · |k| 2.69 · cos 12.0°; next: ÷ √3 = "
         "4.186, then softmax → 0.394"},
        {"scaled( dog → cat ) = score ÷ √dₖ", "7.25 ÷ √3 = 4.186", "√3 = 1.732"},
        {"α( dog → cat ) = exp(scaled − max) ÷ Σ exp",
         "exp(4.186 − 4.376) ÷ (0.827 + 1.000 + 0.060 + 0.213) = 0.394",
         "“dog” gives 39.4 % of its attention to “cat”, most to “dog” (47.6 %)."},
        {"z(dog)[animalness] = Σⱼ α(dog, j) · v(j)[animalness]",
         "0.394·1.0 + 0.476·0.5 + 0.028·5.0 + 0.101·1.0 = 0.876",
         "“dog” gives 87 % of its attention to “cat” and “dog”."},
        {"o(dog)[animalness] = concat(dog) · W_O[·, animalness]",
         "(−2.473·0) + (0.876·1) + (0.383·0) = 0.876", "the output is z itself"},
    };
    enum lab_stage stage;
    struct lab_selection selection;
    struct arena arena = {0};
    struct lab_trace *const trace = lesson("cats", &stage, &selection);
    selection.channel = 1;
    for (size_t s = 0; s < LAB_STAGES; s++) {
        const struct lab_explanation explanation =
            lab_explain(trace, (enum lab_stage)s, &selection, 8, &arena);
        assert_string_equal(explanation.title, expected[s].title);
        assert_string_equal(formula_of(&explanation, &arena), expected[s].formula);
        assert_non_null(strstr(explanation.sentence, expected[s].says));
    }
    arena_free(&arena);
    lab_trace_release(trace);
}

/* Of three words none could be left out: the one that gets most is named. */
static void where_all_words_get_much_the_first_of_them_is_named(void **state)
{
    (void)state;
    enum lab_stage stage;
    struct lab_selection selection;
    struct arena arena = {0};
    struct lab_trace *const trace = lesson("race", &stage, &selection);
    selection = (struct lab_selection){0};
    const struct lab_explanation blend = lab_explain(trace, LAB_BLEND, &selection, 8, &arena);
    assert_non_null(
        strstr(blend.sentence, "gives most of its attention to “Tom ran fast” (57.6 %)."));
    arena_free(&arena);
    lab_trace_release(trace);
}

/* In whole numbers 99.9 % would read as 100 %, beside a formula that does not come to the value. */
static void only_all_of_the_attention_is_100_percent(void **state)
{
    (void)state;
    enum lab_stage stage;
    struct lab_selection selection;
    struct arena arena = {0};
    struct lab_trace *trace = lesson("flash", &stage, &selection);
    selection = (struct lab_selection){.query = 2};
    struct lab_explanation blend = lab_explain(trace, LAB_BLEND, &selection, 8, &arena);
    assert_non_null(strstr(blend.sentence, "“lion” gives 99.9 % of its attention to “lion”."));
    lab_trace_release(trace);
    struct lab_experiment experiment;
    struct error error = {ERROR_NONE, 0, ""};
    size_t index = 0;
    assert_true(lab_lesson_find("causal", &index));
    assert_true(lab_lesson_open(index, &experiment, &stage, &selection, &error));
    experiment.mask = LAB_MASK_CAUSAL;
    trace = trace_of(&experiment);
    lab_experiment_release(&experiment);
    static const char *const whole[] = {"“cat” gives 100 % of its attention to “cat”.",
                                        "“dog” gives 100 % of its attention to “cat” and “dog”."};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        selection = (struct lab_selection){.query = i};
        blend = lab_explain(trace, LAB_BLEND, &selection, 8, &arena);
        assert_non_null(strstr(blend.sentence, whole[i]));
    }
    selection = (struct lab_selection){0};
    assert_string_equal(lab_explain(trace, LAB_SOFTMAX, &selection, 8, &arena).sentence,
                        "“cat” gives all of its attention to “cat”.");
    arena_free(&arena);
    lab_trace_release(trace);
}

static void every_number_of_a_score_has_the_role_of_where_it_comes_from(void **state)
{
    (void)state;
    static const enum lab_role roles[] = {LAB_ROLE_NONE, LAB_ROLE_QUERY, LAB_ROLE_NONE,
                                          LAB_ROLE_KEY};
    enum lab_stage stage;
    struct lab_selection selection;
    struct arena arena = {0};
    struct lab_trace *const trace = lesson("cats", &stage, &selection);
    const struct lab_explanation explanation = lab_explain(trace, stage, &selection, 8, &arena);
    for (size_t p = 0; p < 4; p++) {
        assert_int_equal(explanation.piece[p].role, roles[p]);
    }
    assert_int_equal(explanation.piece[explanation.pieces - 1].role, LAB_ROLE_RESULT);
    arena_free(&arena);
    lab_trace_release(trace);
}

static void a_long_sum_shows_its_largest_terms_and_how_many_are_left_out(void **state)
{
    (void)state;
    enum lab_stage stage;
    struct lab_selection selection;
    struct arena arena = {0};
    struct lab_trace *const trace = lesson("ten", &stage, &selection);
    const struct lab_explanation explanation =
        lab_explain(trace, LAB_PROJECT, &selection, 4, &arena);
    const char *const text = formula_of(&explanation, &arena);
    assert_non_null(strstr(text, " + 60 other terms ("));
    size_t products = 0;
    for (const char *at = strstr(text, "·"); at != NULL; at = strstr(at + 1, "·")) {
        products++;
    }
    assert_int_equal(products, 4);
    arena_free(&arena);
    lab_trace_release(trace);
}

static void a_masked_key_is_said_to_be_hidden(void **state)
{
    (void)state;
    static const char *const words[] = {"cat", "dog"};
    struct lab_experiment experiment = experiment_of(words, 2);
    experiment.mask = LAB_MASK_CAUSAL;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_selection selection = {.query = 0, .key = 1, .projected = LAB_Q};
    struct arena arena = {0};
    const struct lab_explanation explanation = lab_explain(trace, LAB_SCALE, &selection, 8, &arena);
    assert_non_null(strstr(formula_of(&explanation, &arena), "= −∞"));
    assert_non_null(strstr(explanation.sentence, "every query sees itself"));
    const struct language *const english = language_current();
    language_speak(language_find("de"));
    for (enum lab_stage stage = LAB_SCORE; stage <= LAB_SCALE; stage++) {
        const char *const said = lab_explain(trace, stage, &selection, 8, &arena).sentence;
        assert_non_null(strstr(said, "Maske"));
        assert_null(strstr(said, "causal")); /* a name of the command line's */
    }
    language_speak(english);
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

/* Nothing about a selection may lead outside of what exists. */
static void a_selection_beyond_the_end_is_brought_back(void **state)
{
    (void)state;
    static const char *const names[] = {"cats", "ten", "race"};
    for (size_t n = 0; n < 3; n++) {
        enum lab_stage stage;
        struct lab_selection selection;
        struct arena arena = {0};
        struct lab_trace *const trace = lesson(names[n], &stage, &selection);
        for (size_t s = 0; s < LAB_STAGES; s++) {
            for (int part = LAB_Q; part <= LAB_V; part++) {
                const struct lab_selection beyond = {.head = 99,
                                                     .query = 99,
                                                     .key = 99,
                                                     .channel = 999,
                                                     .projected = (enum lab_part)part};
                for (size_t terms = 0; terms < 3; terms++) {
                    const struct lab_explanation explanation =
                        lab_explain(trace, (enum lab_stage)s, &beyond, terms, &arena);
                    assert_true(strlen(explanation.title) > 0);
                    assert_true(strlen(explanation.sentence) > 0);
                }
            }
        }
        arena_free(&arena);
        lab_trace_release(trace);
    }
}

static void a_word_of_500_letters_is_cut_in_what_is_said_about_it(void **state)
{
    (void)state;
    char long_word[501];
    memset(long_word, 'a', 500);
    long_word[500] = '\0';
    const char *const words[] = {long_word};
    struct lab_experiment experiment = experiment_of(words, 1);
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_selection selection = {.projected = LAB_Q};
    struct arena arena = {0};
    const struct lab_explanation explanation = lab_explain(trace, LAB_SCORE, &selection, 8, &arena);
    assert_true(strlen(explanation.title) < 200);
    assert_non_null(strstr(explanation.title, "…"));
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void the_description_names_stage_words_numbers_and_shares(void **state)
{
    (void)state;
    enum lab_stage stage;
    struct lab_selection selection;
    struct arena arena = {0};
    struct lab_trace *const trace = lesson("cats", &stage, &selection);
    const char *const text = lab_describe(trace, stage, &selection, &arena);
    static const char *const parts[] = {"Stage 3 of 7", "“cat”, “dog”, “lion” and “NYC”", "= 7.25",
                                        "“cat” 39.4 %", "“dog” 47.6 %"};
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        assert_non_null(strstr(text, parts[p]));
    }
    arena_free(&arena);
    lab_trace_release(trace);
}

static void decimals_are_as_few_as_tell_the_numbers_apart(void **state)
{
    (void)state;
    static const struct {
        float values[3];
        int decimals;
    } cases[] = {{{1, -2, 30}, 0},
                 {{-2.5f, 1, 0}, 1},
                 {{7.25f, 5, 2.7f}, 2},
                 {{0.393751f, 0, 1}, 3},
                 {{-INFINITY, 2, NAN}, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const struct lab_matrix matrix = {
            .rows = 1, .cols = 3, .stride = 3, .values = cases[c].values};
        assert_int_equal(lab_decimals(&matrix, 3), cases[c].decimals);
    }
}

static void all_lessons_open_where_they_say(void **state)
{
    (void)state;
    static const struct {
        const char *name, *title, *query, *key;
        enum lab_stage stage;
        size_t n, m, heads, d_model;
    } expected[] = {
        {"cats", "Cats, dogs and a lion", "dog", "cat", LAB_SCORE, 4, 4, 1, 3},
        {"ten", "Ten tokens, 64 dimensions", "chases", "dog", LAB_SOFTMAX, 10, 10, 8, 64},
        {"race", "Who won the race?", "Who stumbled?", "Jerry finished first", LAB_SOFTMAX, 2, 3, 1,
         0},
    };
    for (size_t l = 0; l < 3; l++) {
        enum lab_stage stage;
        struct lab_selection selection;
        struct lab_trace *const trace = lesson(expected[l].name, &stage, &selection);
        const struct lab_sizes sizes = lab_trace_sizes(trace);
        assert_string_equal(lab_lesson_title(l), expected[l].title);
        assert_string_equal(lab_trace_experiment(trace)->lesson, expected[l].name);
        assert_int_equal(stage, expected[l].stage);
        assert_int_equal(sizes.n, expected[l].n);
        assert_int_equal(sizes.m, expected[l].m);
        assert_int_equal(sizes.heads, expected[l].heads);
        assert_int_equal(sizes.d_model, expected[l].d_model);
        assert_string_equal(lab_trace_queries(trace)[selection.query], expected[l].query);
        assert_string_equal(lab_trace_keys(trace)[selection.key], expected[l].key);
        lab_trace_release(trace);
    }
}

static void the_lesson_of_the_race_has_its_right_results(void **state)
{
    (void)state;
    enum lab_stage stage;
    struct lab_selection selection;
    struct lab_trace *const trace = lesson("race", &stage, &selection);
    assert_matrix(lab_trace_part(trace, LAB_Z, 0), (const double[]){28.015032, 54.047256}, 2, 1,
                  5e-7);
    lab_trace_release(trace);
}

/* "=" and "won" would be taken for parts of the sentence. */
static void a_token_in_a_sentence_stands_in_quotation_marks(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(lab_quoted(&arena, "="), "“=”");
    assert_string_equal(lab_quoted(&arena, "dog"), "“dog”");
    assert_string_equal(lab_quoted(&arena, "7"), "“7”");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stage_of_the_cats_is_spelled_out_in_its_numbers),
        cmocka_unit_test(a_token_in_a_sentence_stands_in_quotation_marks),
        cmocka_unit_test(only_all_of_the_attention_is_100_percent),
        cmocka_unit_test(where_all_words_get_much_the_first_of_them_is_named),
        cmocka_unit_test(every_number_of_a_score_has_the_role_of_where_it_comes_from),
        cmocka_unit_test(a_long_sum_shows_its_largest_terms_and_how_many_are_left_out),
        cmocka_unit_test(a_masked_key_is_said_to_be_hidden),
        cmocka_unit_test(a_selection_beyond_the_end_is_brought_back),
        cmocka_unit_test(a_word_of_500_letters_is_cut_in_what_is_said_about_it),
        cmocka_unit_test(the_description_names_stage_words_numbers_and_shares),
        cmocka_unit_test(decimals_are_as_few_as_tell_the_numbers_apart),
        cmocka_unit_test(all_lessons_open_where_they_say),
        cmocka_unit_test(the_lesson_of_the_race_has_its_right_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
