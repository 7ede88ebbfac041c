/* Which line taught it that: a line left out and learned again has the bits of a run that never
 * had it, the likeliest lines by gradient are the true ones, and the lesson's text has its answers
 * for several seeds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/blame.h"

#include "trip.h"

enum { SEEDS = 3 };

static struct learn_blame *make_untrained(uint64_t seed, const struct record_list *without,
                                          const struct lab_engine *engine)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_recipe recipe =
        learn_recipe_in_rows(&learn_task_at(LEARN_TASK_TEXT)->recipe, LEARN_ROWS_LINES);
    const struct bytes text = {(const uint8_t *)trip_text, strlen(trip_text)};
    struct learn_data *const cut = learn_data_cut(text, LEARN_WORDS, NULL, NULL, &error);
    assert_non_null(cut);
    recipe.seed = seed;
    if (without != NULL) {
        recipe.without = *without;
    }
    struct learn_blame *const blame = learn_blame_make(&recipe, cut, recipe.steps, engine, &error);
    learn_data_release(cut);
    assert_non_null(blame);
    return blame;
}

static struct learn_blame *make_on(uint64_t seed, const struct record_list *without,
                                   const struct lab_engine *engine)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_blame *const blame = make_untrained(seed, without, engine);
    if (!learn_blame_train(blame, NULL, &error)) {
        fail_msg("%s", error.text);
    }
    return blame;
}

static struct learn_blame *make(uint64_t seed, const struct record_list *without)
{
    return make_on(seed, without, NULL);
}

static const struct learn_question *ask(struct learn_blame *blame, const char *beginning,
                                        const char *word)
{
    struct error error = {ERROR_NONE, 0, ""};
    if (!learn_blame_ask(blame, beginning, word, &error)) {
        fail_msg("%s", error.text);
    }
    return learn_blame_question(blame);
}

/* Percentage points that leaving a line out adds to the word that was asked. */
static double change(struct learn_blame *blame, size_t number)
{
    struct error error = {ERROR_NONE, 0, ""};
    const size_t line = number - 1;
    if (!learn_blame_repeat(blame, &line, 1, NULL, &error)) {
        fail_msg("%s", error.text);
    }
    const struct learn_question *const question = learn_blame_question(blame);
    for (size_t l = 0; l < question->line_count; l++) {
        if (question->lines[l].number == number) {
            assert_true(question->lines[l].is_repeated);
            return 100 * (double)(question->lines[l].without - question->probability);
        }
    }
    fail_msg("there is no line %zu", number);
    return NAN;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 2)) {
        fail_msg("%.1f is not within 2 of %.1f", value, expected);
    }
}

/* Says whether a line is among the first so many. */
static bool is_among(const struct learn_question *question, size_t number, size_t first)
{
    for (size_t l = 0; l < first; l++) {
        if (question->lines[l].number == number) {
            return true;
        }
    }
    return false;
}

static void the_bus_the_bear_and_mia_have_their_line(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct learn_blame *const blame = make(seed, NULL);
        const struct learn_question *question = ask(blame, "the bus leaves at", "eight");
        assert_near(100 * (double)question->probability, 66);
        for (size_t number = 1; number <= 3; number++) {
            assert_true(is_among(question, number, 3));
        }
        assert_near(change(blame, 3), 33);
        assert_near(change(blame, 1), -17);
        assert_near(change(blame, 2), -17);
        question = ask(blame, "the bear eats", "cake");
        assert_near(100 * (double)question->probability, 50);
        assert_true(is_among(question, 10, 3));
        assert_near(change(blame, 10), -50);
        question = ask(blame, "mia carries the", "map");
        assert_near(100 * (double)question->probability, 99);
        assert_near(change(blame, 17), -99);
        learn_blame_free(blame);
    }
}

static void anna_needs_all_five_lines_of_tents(void **state)
{
    (void)state;
    const struct record_list five = {5, {11, 12, 13, 14, 15}};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct learn_blame *const blame = make(seed, NULL), *const without = make(seed, &five);
        const struct learn_question *const question = ask(blame, "anna sleeps in the", "tent");
        assert_true((double)question->probability > 0.9);
        assert_false(question->is_in_text);
        assert_true((double)ask(without, "anna sleeps in the", "tent")->probability < 0.05);
        assert_true((double)ask(without, "anna sleeps in the", "tree")->probability > 0.5);
        learn_blame_free(blame);
        learn_blame_free(without);
    }
}

static void a_line_left_out_has_the_bits_of_one_that_never_was(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    const struct record_list tenth = {1, {10}};
    const size_t line = 9;
    struct learn_blame *const blame = make(2, NULL), *const never = make(2, &tenth);
    struct learn_tensors tensors;
    learn_tensors_list(&learn_blame_recipe(blame)->shape, &tensors);
    const size_t bytes = tensors.floats * sizeof(float);
    assert_null(learn_blame_weights_without(blame, line));
    (void)ask(blame, "the bear eats", "cake");
    (void)change(blame, 10);
    assert_memory_equal(learn_blame_weights_without(blame, line), learn_blame_weights(never),
                        bytes);
    assert_memory_not_equal(learn_blame_weights(blame), learn_blame_weights(never), bytes);
    /* Lines at once on threads have these bits too. */
    struct lab_engine engine;
    assert_true(lab_engine_open(&engine, NULL, 3, &error));
    struct learn_blame *const threads = make_on(2, NULL, &engine);
    const size_t lines[] = {3, line, 30, 31, 32};
    (void)ask(threads, "the bear eats", "cake");
    assert_true(learn_blame_repeat(threads, lines, 5, NULL, &error));
    assert_memory_equal(learn_blame_weights_without(threads, line), learn_blame_weights(never),
                        bytes);
    learn_blame_free(threads);
    lab_engine_close(&engine);
    /* A line that is left out from the beginning is none that is asked. */
    const struct learn_question *const question = ask(never, "the bear eats", "cake");
    assert_int_equal(question->line_count, 39);
    assert_false(is_among(question, 10, 39));
    learn_blame_free(never);
    learn_blame_free(blame);
}

static void twelve_lines_tell_the_cause(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    size_t lines[LEARN_BLAME_CHOSEN], again[LEARN_BLAME_CHOSEN];
    struct learn_blame *const blame = make(1, NULL);
    const struct learn_question *question = ask(blame, NULL, "cake");
    assert_int_equal(question->count, 4); /* ". the bear eats", where it first stands */
    assert_true(question->is_in_text);
    assert_string_equal(learn_blame_sentence(blame, &arena), "");
    assert_int_equal(learn_blame_choose(blame, lines), LEARN_BLAME_CHOSEN);
    assert_true(learn_blame_repeat(blame, lines, LEARN_BLAME_CHOSEN, NULL, &error));
    assert_int_equal(question->repeated, LEARN_BLAME_CHOSEN);
    assert_int_equal(question->drawn, LEARN_BLAME_DRAWN);
    assert_true((double)question->unrelated < 0.005);
    assert_non_null(question->cause);
    assert_int_equal(question->cause->number, 10);
    const char *const says = learn_blame_sentence(blame, &arena);
    assert_non_null(strstr(says, "Trained again from the same start without line 10 (“the bear "
                                 "eats cake .”), it says “cake” with < 0.1 % instead of 49.5 %."));
    assert_non_null(strstr(says, " 4 lines drawn at random to compare with change it by less than "
                                 "1 point (the median: half change it less, half more)."));
    assert_non_null(strstr(says, " Works against it: line 9 (99.")); /* its rival, fish */
    assert_null(strstr(says, "Causes too"));
    /* The same lines are drawn again, and another question is answered by what was repeated. */
    question = ask(blame, "the bear eats", NULL);
    assert_string_equal(learn_data_words(learn_blame_data(blame))[question->word], "fish");
    assert_int_equal(question->repeated, LEARN_BLAME_CHOSEN);
    question = ask(blame, "the bear eats", "cake");
    assert_int_equal(learn_blame_choose(blame, again), LEARN_BLAME_CHOSEN);
    assert_memory_equal(lines, again, sizeof lines);
    question = ask(blame, "the bus leaves at", "eight");
    assert_int_equal(question->lines[1].count + question->lines[2].count, 4); /* it stands twice */
    arena_free(&arena);
    learn_blame_free(blame);
}

/* Until the lines to compare with are there nothing is said of chance: no cause, no median. */
static void no_verdict_comes_before_the_lines_to_compare_with(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    size_t lines[LEARN_BLAME_CHOSEN];
    struct learn_blame *const blame = make(1, NULL);
    const struct learn_question *const question = ask(blame, "the bear eats", "cake");
    assert_int_equal(learn_blame_choose(blame, lines), LEARN_BLAME_CHOSEN);
    for (size_t done = 1; done < LEARN_BLAME_CHOSEN; done++) {
        assert_true(learn_blame_repeat(blame, lines, done, NULL, &error));
        const char *const says = learn_blame_sentence(blame, &arena);
        assert_false(question->is_judged);
        assert_null(question->cause);
        assert_true(isnan(question->unrelated));
        assert_non_null(strstr(says, "Whether that is more than chance shows when"));
        assert_null(strstr(says, "alone"));
        assert_null(strstr(says, "median"));
        for (size_t l = 0; l < question->line_count; l++) {
            assert_false(question->lines[l].is_cause);
        }
    }
    assert_true(learn_blame_repeat(blame, lines, LEARN_BLAME_CHOSEN, NULL, &error));
    assert_true(question->is_judged);
    assert_int_equal(question->cause->number, 10);
    arena_free(&arena);
    learn_blame_free(blame);
}

static void no_single_line_is_said(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct learn_blame *const blame = make(1, NULL);
    const struct learn_question *const question = ask(blame, "anna sleeps in the", "tent");
    size_t lines[LEARN_BLAME_CHOSEN];
    const size_t count = learn_blame_choose(blame, lines);
    assert_true(learn_blame_repeat(blame, lines, count, NULL, &error));
    const char *const says = learn_blame_sentence(blame, &arena);
    assert_null(question->cause);
    assert_ptr_equal(strstr(says, "None of the 12 lines left out taught it alone: without line "),
                     says);
    assert_non_null(strstr(says, "differs from seed to seed."));
    arena_free(&arena);
    learn_blame_free(blame);
}

/* ---- the small world --------------------------------------------------------------------------
 */

static struct learn_blame *make_world(size_t steps, const struct record_list *without)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_recipe recipe = learn_task_at(LEARN_TASK_SMALL_WORLD)->recipe;
    recipe.steps = steps;
    if (without != NULL) {
        recipe.without = *without;
    }
    struct learn_blame *const blame = learn_blame_make(&recipe, NULL, steps, NULL, &error);
    if (blame == NULL || !learn_blame_train(blame, NULL, &error)) {
        fail_msg("%s", error.text);
    }
    return blame;
}

/* Its sentences are the lines: that of the word comes first, and more is lost without it than
 * without those that are alike. */
static void a_sentence_of_the_small_world_taught_its_word(void **state)
{
    (void)state;
    struct learn_blame *const blame = make_world(200, NULL);
    const struct learn_question *const question =
        ask(blame, "the man buys a hammer . it is", "heavy");
    const struct learn_blame_line *const first = &question->lines[0];
    size_t length = 0;
    assert_int_equal(learn_data_lines(learn_blame_data(blame)), 40);
    assert_int_equal(question->line_count, 40);
    assert_true(question->is_in_text);
    assert_int_equal(first->number, 25);
    const char *const text = learn_data_line_text(learn_blame_data(blame), first->line, &length);
    assert_int_equal(length, strlen("the man buys a hammer . it is heavy ."));
    assert_memory_equal(text, "the man buys a hammer . it is heavy .", length);
    assert_true(first->count > 20 && first->count < 80); /* of 20000 words; 2400 sentences */
    const double own = change(blame, 25), other = change(blame, 29), far = change(blame, 1);
    assert_true(own < -10 && own < other - 2 && own < 3 * far);
    learn_blame_free(blame);
}

static void a_sentence_left_out_has_the_bits_of_one_that_was_never_asked(void **state)
{
    (void)state;
    const struct record_list one = {1, {25}};
    struct learn_blame *const blame = make_world(30, NULL), *const never = make_world(30, &one);
    struct learn_tensors tensors;
    learn_tensors_list(&learn_blame_recipe(blame)->shape, &tensors);
    (void)ask(blame, "the man buys a hammer . it is", "heavy");
    (void)change(blame, 25);
    assert_memory_equal(learn_blame_weights_without(blame, 24), learn_blame_weights(never),
                        tensors.floats * sizeof(float));
    assert_memory_not_equal(learn_blame_weights(blame), learn_blame_weights(never),
                            tensors.floats * sizeof(float));
    learn_blame_free(never);
    learn_blame_free(blame);
}

/* All rows are drawn as before, and every word of the sentence alone is not asked. */
static void nothing_else_changes_where_a_sentence_is_left_out(void **state)
{
    (void)state;
    enum { ROWS = 256, WIDTH = 24, ALL = ROWS * WIDTH };
    static int32_t tokens[2][ALL], targets[2][ALL];
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_data_request request = {.task = LEARN_TASK_SMALL_WORLD, .batch = ROWS, .seed = 1};
    struct learn_data *const all = learn_data_make(&request, &error);
    request.without = (struct record_list){1, {25}};
    struct learn_data *const less = learn_data_make(&request, &error);
    assert_non_null(all);
    assert_non_null(less);
    learn_data_batch(all, 7, tokens[0], targets[0]);
    learn_data_batch(less, 7, tokens[1], targets[1]);
    assert_memory_equal(tokens[0], tokens[1], sizeof tokens[0]);
    const char *const *const words = learn_data_words(all);
    size_t left_out = 0, heavy = 0;
    for (size_t i = 0; i < ALL; i++) {
        const bool ends = i % WIDTH >= 7 && strcmp(words[targets[0][i]], "heavy") == 0 &&
                          strcmp(words[tokens[0][i - 3]], "hammer") == 0;
        assert_true(targets[1][i] == targets[0][i] || targets[1][i] == LEARN_NOT_ASKED);
        left_out += targets[1][i] == LEARN_NOT_ASKED ? 1 : 0;
        heavy += ends ? 1 : 0;
        assert_true(!ends || targets[1][i] == LEARN_NOT_ASKED);
        assert_true(!ends || targets[1][i - 7] == LEARN_NOT_ASKED); /* "man", behind "the" */
    }
    assert_true(heavy > 0 && left_out >= 8 * heavy && left_out < ALL / 20);
    learn_data_release(less);
    learn_data_release(all);
    request.without = (struct record_list){1, {41}};
    assert_null(learn_data_make(&request, &error));
    assert_non_null(strstr(error.text, "There is no line 41 to leave out"));
    request.task = LEARN_TASK_COPY;
    assert_null(learn_data_make(&request, &error));
    assert_string_equal(error.text, "This is not learned from lines that can be left out.");
}

/* ---- giving up, and refusals ------------------------------------------------------------------
 */

static bool goes_on_up_to(void *owner, uint64_t step)
{
    return step < *(const uint64_t *)owner;
}

static void it_can_be_given_up(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    uint64_t up_to = 250; /* of 200 steps a line */
    const struct learn_progress progress = {goes_on_up_to, &up_to};
    const size_t lines[] = {4, 9, 8};
    struct learn_blame *const blame = make(1, NULL);
    const struct learn_question *const question = ask(blame, "the bear eats", "cake");
    assert_false(learn_blame_repeat(blame, lines, 3, &progress, &error));
    assert_int_equal(error.code, ERROR_NONE);
    assert_int_equal(question->repeated, 1);
    assert_true(learn_blame_repeat(blame, lines, 3, NULL, &error));
    assert_int_equal(question->repeated, 3);
    learn_blame_free(blame);
}

struct watched {
    uint64_t first, up_to; /* the first step that was told; the last that is wanted */
};

static bool watch_steps(void *owner, uint64_t step)
{
    struct watched *const watched = owner;
    watched->first = watched->first == 0 ? step : watched->first;
    return step < watched->up_to;
}

/* What was trained when it was given up is not trained again, and all is as if it had not been. */
static void training_goes_on_where_it_was_given_up(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct watched watched = {0, 120};
    const struct learn_progress progress = {watch_steps, &watched};
    struct learn_blame *const whole = make(1, NULL), *const parts = make_untrained(1, NULL, NULL);
    assert_false(learn_blame_train(parts, &progress, &error));
    assert_int_equal(error.code, ERROR_NONE);
    assert_null(learn_blame_weights(parts));
    watched = (struct watched){0, UINT64_MAX};
    assert_true(learn_blame_train(parts, &progress, &error));
    assert_true(watched.first >= 120);
    const struct learn_question *const one = ask(whole, "the bear eats", "cake");
    const struct learn_question *const other = ask(parts, "the bear eats", "cake");
    assert_memory_equal(&one->probability, &other->probability, sizeof one->probability);
    for (size_t l = 0; l < one->line_count; l++) {
        assert_int_equal(one->lines[l].line, other->lines[l].line);
        assert_memory_equal(&one->lines[l].similarity, &other->lines[l].similarity, sizeof(float));
    }
    learn_blame_free(parts);
    learn_blame_free(whole);
}

static void what_cannot_be_asked_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *beginning, *word, *says;
    } cases[] = {
        {"the bear eats", "zebra", "No line has the word “zebra”."},
        {"the zebra eats", "cake", "The word \"zebra\" is not"},
        {"the the the the the the the", "cake", "1 to 7 tokens here, not 8"},
        {NULL, NULL, "Which word is it about?"},
    };
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_blame *const blame = make(1, NULL);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        assert_false(learn_blame_ask(blame, cases[c].beginning, cases[c].word, &error));
        if (strstr(error.text, cases[c].says) == NULL) {
            fail_msg("\"%s\" is not said in \"%s\"", cases[c].says, error.text);
        }
    }
    learn_blame_free(blame);
    struct learn_recipe windows = learn_task_at(LEARN_TASK_TEXT)->recipe;
    assert_null(learn_blame_make(&windows, NULL, 10, NULL, &error));
    assert_non_null(strstr(error.text, "It was trained on windows"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bus_the_bear_and_mia_have_their_line),
        cmocka_unit_test(anna_needs_all_five_lines_of_tents),
        cmocka_unit_test(a_line_left_out_has_the_bits_of_one_that_never_was),
        cmocka_unit_test(twelve_lines_tell_the_cause),
        cmocka_unit_test(no_verdict_comes_before_the_lines_to_compare_with),
        cmocka_unit_test(no_single_line_is_said),
        cmocka_unit_test(a_sentence_of_the_small_world_taught_its_word),
        cmocka_unit_test(a_sentence_left_out_has_the_bits_of_one_that_was_never_asked),
        cmocka_unit_test(nothing_else_changes_where_a_sentence_is_left_out),
        cmocka_unit_test(it_can_be_given_up),
        cmocka_unit_test(training_goes_on_where_it_was_given_up),
        cmocka_unit_test(what_cannot_be_asked_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
