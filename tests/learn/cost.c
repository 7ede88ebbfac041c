/* What it takes to make learned weights again: counted before a step is made, and held to what is
 * made; every lesson is made without asking, and what would take more is refused with what it would
 * take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lab/lesson/lessons.h"
#include "learn/cost.h"
#include "learn/weight_rebuilder.h"

static struct lab_words *words_of(const char *const *line, size_t count)
{
    struct lab_words *const words = lab_words_make(line, count, NULL);
    assert_non_null(words);
    return words;
}

/* What an experiment that was read from a file has of it. */
static struct lab_training *training_of(const char *const *line, size_t count)
{
    struct lab_words *const words = words_of(line, count);
    struct lab_training *const training = lab_training_of_lines(words);
    assert_non_null(training);
    lab_words_release(words);
    return training;
}

/* The cost of what an experiment says. */
static struct learn_cost cost_of(const struct lab_words *words)
{
    struct arena arena = {0};
    static struct learn_learned learned;
    assert_true(learn_learned_read(words, &arena, &learned, NULL));
    struct learn_recipe recipe = learned.recipe;
    struct learn_data *const data = learn_recipe_data(&recipe, learned.text, NULL);
    assert_non_null(data);
    learn_recipe_fit(&recipe, data);
    const struct learn_cost cost = learn_cost_of(&recipe, &learned);
    learn_data_release(data);
    arena_free(&arena);
    return cost;
}

static void every_lesson_is_made_without_asking(void **state)
{
    (void)state;
    size_t learned = 0;
    double most = 0;
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        struct arena arena = {0};
        struct lab_lesson lesson;
        assert_true(lab_lesson_load(l, &arena, &lesson, NULL));
        for (size_t s = 0; s < lesson.steps; s++) {
            const struct lab_training *const training = lesson.step[s].experiment.learned;
            if (training != NULL) {
                struct lab_words *const words = lab_training_lines(training);
                const struct learn_cost cost = cost_of(words);
                lab_words_release(words);
                assert_true(learn_cost_check(&cost, NULL));
                most = cost.products > most ? cost.products : most;
                learned++;
            }
        }
        lab_lesson_release(&lesson);
        arena_free(&arena);
    }
    assert_true(learned > 40);
    printf("the most of a lesson: %.3g multiply-adds of %.3g\n", most, LEARN_PRODUCTS_MAX);
}

/* The built-in recipes that have an end, to that. */
static void every_recipe_is_made_to_its_end(void **state)
{
    (void)state;
    for (size_t t = 0; t < LEARN_TASKS; t++) {
        const struct learn_task *const task = learn_task_at(t);
        char lines[2][64];
        const char *const line[] = {lines[0], lines[1]};
        snprintf(lines[0], sizeof lines[0], "task %s", task->name);
        snprintf(lines[1], sizeof lines[1], "step %zu", task->recipe.steps);
        if (task->id == LEARN_TASK_TEXT) {
            continue;
        }
        struct lab_words *const words = words_of(line, 2);
        const struct learn_cost cost = cost_of(words);
        assert_true(learn_cost_check(&cost, NULL));
        lab_words_release(words);
    }
}

/* Steps that are made, counted one by one. */
static bool count_step(void *owner, uint64_t step)
{
    (void)step;
    ++*(size_t *)owner;
    return true;
}

static void the_count_of_steps_is_that_of_those_made(void **state)
{
    (void)state;
    static const struct {
        const char *line[5];
        size_t lines;
    } rows[] = {
        {{"task copy", "step 7"}, 2},
        {{"task copy", "step 9", "edit 3 rate 0.1"}, 3},
        {{"task copy", "step 9", "edit 3 rate 0.1", "edit 3 off 0 0 1", "edit 6 data 4"}, 5},
        {{"task copy", "step 0"}, 2},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct arena arena = {0};
        static struct learn_learned learned;
        struct lab_words *const words = words_of(rows[r].line, rows[r].lines);
        const struct learn_cost cost = cost_of(words);
        size_t made = 0;
        const struct learn_progress progress = {count_step, &made};
        assert_true(learn_learned_read(words, &arena, &learned, NULL));
        struct learn_run *const run =
            learn_run_make(&learned.recipe, (struct bytes){NULL, 0}, NULL, NULL);
        for (size_t e = 0; e < learned.edits; e++) {
            assert_true(learn_run_go(run, learned.edit[e].step, &progress, NULL));
            assert_true(learn_run_edit(run, &learned.edit[e], NULL));
        }
        assert_true(learn_run_go(run, learned.step, &progress, NULL));
        assert_int_equal((size_t)cost.steps, made);
        learn_run_free(run);
        lab_words_release(words);
        arena_free(&arena);
    }
}

/* A weight of a matrix meets each token once on the way forward and twice on the way back; so do
 * scores and blends, a pair of tokens. */
static void a_step_is_counted_by_its_products(void **state)
{
    (void)state;
    const char *const line[] = {"task copy", "batch 5", "step 1"};
    struct lab_words *const words = words_of(line, 3);
    const struct learn_cost cost = cost_of(words);
    const double rows = 5 * 8, d = 32, pairs = 8;
    const double of_row = 4 * d * d + 2 * pairs * d + 26 * d; /* Q K V O; S and Z; logits */
    assert_true(cost.products == 3 * rows * of_row);
    lab_words_release(words);
}

static void the_model_that_comes_with_the_program_costs_no_step(void **state)
{
    (void)state;
    const char *line[] = {"task small-world", "seed 1",     "layers 2",
                          "heads 4",          "d_model 32", "d_k 8",
                          "inner 128",        "rate 0.003", "step 1500"};
    struct lab_words *words = words_of(line, 9);
    assert_true(cost_of(words).steps == 0);
    lab_words_release(words);
    line[8] = "step 1499";
    words = words_of(line, 9);
    assert_true(cost_of(words).steps == 1499);
    lab_words_release(words);
}

/* Refused before a step is made, for the first of these reasons. */
static void what_cannot_be_made_is_told_before_it_is_tried(void **state)
{
    (void)state;
    static const char *const tokens[] = {"the", "man", "buys"};
    static const char *const unknown[] = {"the", "zebra"};
    static const char *const many[] = {
        "the", "the", "the", "the", "the", "the", "the", "the", "the", "the", "the", "the", "the",
        "the", "the", "the", "the", "the", "the", "the", "the", "the", "the", "the", "the", "the"};
    static const struct {
        const char *line[4];
        size_t lines;
        const char *const *tokens;
        size_t count;
        const char *says;
    } rows[] = {
        {{"task small-world", "step 1000000000"}, 2, tokens, 3, "1 000 000 000 steps"},
        {{"task small-world", "step 1000000000"}, 2, unknown, 2, "zebra"},
        {{"task small-world", "step 1000000000"}, 2, many, 26, "26 tokens does not fit"},
        {{"task small-world", "step 1000000000", "edit 999999999 off 5 9 1"}, 3, tokens, 3, "head"},
        {{"task small-world", "step 1000000000", "edit 9 text", "text.1 a b"},
         4,
         tokens,
         3,
         "learns from no text"},
        {{"task small-world", "step 5", "edit 1000000000 rate 0.1"}, 3, tokens, 3, "steps of tr"},
        {{"task small-world", "step 1000000000", "d_model 15"}, 3, tokens, 3, "d_model 15"},
        {{"task small-world", "step 18446744073709551615"}, 2, tokens, 3, "steps of training"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct learn_weight_rebuilder maker = {.run = NULL};
        struct error error = {ERROR_NONE, 0, ""};
        struct lab_experiment experiment;
        assert_true(lab_experiment_default(&experiment, NULL));
        assert_true(lab_experiment_set_tokens(&experiment, rows[r].tokens, rows[r].count, NULL));
        experiment.learned = training_of(rows[r].line, rows[r].lines);
        assert_false(learn_weight_rebuilder_fill(&maker, &experiment, NULL, &error));
        if (strstr(error.text, rows[r].says) == NULL) {
            fail_msg("row %zu says: %s", r, error.text);
        }
        assert_null(maker.run);
        assert_null(experiment.embeddings);
        learn_weight_rebuilder_close(&maker);
        lab_experiment_release(&experiment);
    }
}

/* Memory without end is asked for too, unless one says that it may be. */
static void a_large_network_is_asked_for(void **state)
{
    (void)state;
    static const char *const tokens[] = {"the", "man", "buys"};
    const char *const line[] = {"task small-world", "layers 6",    "heads 4",
                                "d_model 256",      "d_k 64",      "inner 1024",
                                "batch 64",         "context 256", "step 0"};
    struct learn_weight_rebuilder maker = {.run = NULL};
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment;
    assert_true(lab_experiment_default(&experiment, NULL));
    assert_true(lab_experiment_set_tokens(&experiment, tokens, 3, NULL));
    experiment.learned = training_of(line, sizeof line / sizeof *line);
    assert_false(learn_weight_rebuilder_fill(&maker, &experiment, NULL, &error));
    assert_non_null(strstr(error.text, "MB of memory"));
    maker.trains_anyway = true;
    assert_true(learn_weight_rebuilder_fill(&maker, &experiment, NULL, &error));
    assert_non_null(experiment.embeddings);
    learn_weight_rebuilder_close(&maker);
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lesson_is_made_without_asking),
        cmocka_unit_test(every_recipe_is_made_to_its_end),
        cmocka_unit_test(the_count_of_steps_is_that_of_those_made),
        cmocka_unit_test(a_step_is_counted_by_its_products),
        cmocka_unit_test(the_model_that_comes_with_the_program_costs_no_step),
        cmocka_unit_test(what_cannot_be_made_is_told_before_it_is_tried),
        cmocka_unit_test(a_large_network_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
