/* Own text whose lines are rows: each stands alone in a fixed place behind the word that lines end
 * with, an epoch asks each once, and a line that is left out keeps its row and is not asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "learn/learned.h"

static const char four_lines[] =
    "the goat eats grass .\n\nmia sings .\nben sings a song .\nstop .\n";

static struct bytes bytes_of(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static struct learn_recipe line_recipe(void)
{
    return learn_recipe_in_rows(&learn_task_at(LEARN_TASK_TEXT)->recipe, LEARN_ROWS_LINES);
}

static struct learn_data *make(const struct learn_recipe *recipe, const char *text)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_data *const data = learn_recipe_data(recipe, bytes_of(text), &error);
    if (data == NULL) {
        fail_msg("%s", error.text);
    }
    return data;
}

/* Checks a row as text: what is read, "|", and what is asked, "-" where nothing is. */
static void assert_row(const struct learn_data *data, const int32_t *tokens, const int32_t *targets,
                       const char *expected)
{
    const size_t n = learn_data_request_of(data)->context;
    char text[400] = "";
    for (size_t i = 0; i < n; i++) {
        strcat(strcat(text, learn_data_words(data)[tokens[i]]), " ");
    }
    strcat(text, "|");
    for (size_t i = 0; i < n; i++) {
        strcat(strcat(text, " "), targets[i] < 0 ? "-" : learn_data_words(data)[targets[i]]);
    }
    assert_string_equal(text, expected);
}

enum { ROOM = 1024 };

static void each_line_is_a_row_in_its_place(void **state)
{
    (void)state;
    static int32_t tokens[2][ROOM], targets[2][ROOM];
    const struct learn_recipe recipe = line_recipe();
    struct learn_data *const data = make(&recipe, four_lines);
    const size_t n = learn_data_request_of(data)->context;
    assert_int_equal(n, 5);
    assert_int_equal(learn_data_request_of(data)->batch, 4);
    assert_int_equal(learn_data_lines(data), 4);
    assert_int_equal(learn_data_test_rows(data), 0);
    assert_int_equal(learn_data_line_number(data, 1),
                     3); /* an empty line counts, as in an editor */
    learn_data_batch(data, 0, tokens[0], targets[0]);
    learn_data_batch(data, 77, tokens[1], targets[1]);
    assert_memory_equal(tokens[0], tokens[1], sizeof tokens[0]);
    assert_memory_equal(targets[0], targets[1], sizeof targets[0]);
    assert_row(data, tokens[0], targets[0], ". the goat eats grass | the goat eats grass .");
    assert_row(data, tokens[0] + n, targets[0] + n, ". mia sings . . | mia sings . - -");
    assert_row(data, tokens[0] + 3 * n, targets[0] + 3 * n, ". stop . . . | stop . - - -");
    assert_string_equal(learn_data_probe(data, 1), ". mia sings");
    assert_null(learn_data_probe(data, 4));
    learn_data_release(data);
}

static void a_line_left_out_keeps_its_row(void **state)
{
    (void)state;
    static int32_t tokens[2][ROOM], targets[2][ROOM];
    struct learn_recipe recipe = line_recipe();
    struct learn_data *const all = make(&recipe, four_lines);
    assert_true(record_list_add(&recipe.without, 3));
    struct learn_data *const data = make(&recipe, four_lines);
    const size_t n = learn_data_request_of(data)->context;
    learn_data_batch(all, 5, tokens[0], targets[0]);
    learn_data_batch(data, 5, tokens[1], targets[1]);
    assert_memory_equal(tokens[0], tokens[1], sizeof tokens[0]);
    assert_row(data, tokens[1] + n, targets[1] + n, ". mia sings . . | - - - - -");
    memcpy(targets[0] + n, targets[1] + n, n * sizeof(int32_t));
    assert_memory_equal(targets[0], targets[1], sizeof targets[0]);
    learn_data_release(data);
    learn_data_release(all);
}

static void an_epoch_asks_each_line_once(void **state)
{
    (void)state;
    enum { LINES = 11, BATCH = 4, STEPS = 3 };
    static int32_t tokens[ROOM], targets[ROOM];
    char text[ROOM] = "";
    for (size_t l = 0; l < LINES; l++) {
        const char line[] = {'w', (char)('a' + l), ' ', 'x', '.', '\n', '\0'};
        strcat(text, line);
    }
    struct learn_recipe recipe = line_recipe();
    recipe.batch = BATCH;
    struct learn_data *const data = make(&recipe, text);
    const size_t n = learn_data_request_of(data)->context;
    size_t in_order = 0;
    for (uint64_t epoch = 0; epoch < 20; epoch++) {
        size_t seen[LINES] = {0}, empty = 0;
        for (uint64_t part = 0; part < STEPS; part++) {
            learn_data_batch(data, epoch * STEPS + part, tokens, targets);
            for (size_t b = 0; b < BATCH; b++) {
                const int32_t first = targets[b * n];
                const size_t line =
                    first < 0 ? 0 : (size_t)(learn_data_words(data)[first][1] - 'a');
                empty += first < 0 ? 1 : 0;
                seen[line] += first < 0 ? 0 : 1;
                in_order += first >= 0 && line == part * BATCH + b ? 1 : 0;
            }
        }
        for (size_t l = 0; l < LINES; l++) {
            assert_int_equal(seen[l], 1);
        }
        assert_int_equal(empty, STEPS * BATCH - LINES);
    }
    assert_true(in_order < 60); /* of 220: each epoch has an order of its own */
    learn_data_release(data);
}

static void lines_without_a_common_end_begin_with_themselves(void **state)
{
    (void)state;
    static int32_t tokens[ROOM], targets[ROOM];
    struct learn_recipe recipe = line_recipe();
    struct learn_data *data = make(&recipe, "cats purr\ndogs bark loudly\nfish swim");
    size_t n = learn_data_request_of(data)->context;
    assert_int_equal(learn_data_line_start(data), -1);
    learn_data_batch(data, 0, tokens, targets);
    assert_row(data, tokens + n, targets + n, "dogs bark | bark loudly");
    learn_data_release(data);
    recipe.units = LEARN_LETTERS;
    data = make(&recipe, "ab\nba c\n");
    n = learn_data_request_of(data)->context;
    learn_data_batch(data, 0, tokens, targets);
    assert_row(data, tokens, targets, "\n a b \n \n | a b \n - -");
    learn_data_release(data);
}

static void bad_lines_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t without;
        size_t context;
        const char *says;
    } cases[] = {
        {four_lines, 2, LEARN_CONTEXT_MAX, "There is no line 2 to leave out"},
        {four_lines, 6, LEARN_CONTEXT_MAX, "There is no line 6 to leave out"},
        {four_lines, 0, 4, "Line 1 has 5 tokens, more than a row's 4"},
        {"one\ntwo\n", 0, LEARN_CONTEXT_MAX, "No line of this text has two words"},
        {"a b\n\n", 1, LEARN_CONTEXT_MAX, "With every line left out there is nothing to learn."},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        struct learn_recipe recipe = line_recipe();
        recipe.shape.context = cases[c].context;
        (void)record_list_add(&recipe.without, cases[c].without);
        struct learn_data *const data = learn_recipe_data(&recipe, bytes_of(cases[c].text), &error);
        assert_null(data);
        if (strstr(error.text, cases[c].says) == NULL) {
            fail_msg("\"%s\" is not said in \"%s\"", cases[c].says, error.text);
        }
    }
}

static void a_session_holds_rows_and_lines_left_out(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct learn_learned *const learned = calloc(2, sizeof *learned);
    assert_non_null(learned);
    learned[0].recipe = line_recipe();
    assert_true(record_list_add(&learned[0].recipe.without, 7));
    assert_true(record_list_add(&learned[0].recipe.without, 3));
    learned[0].text = bytes_of(four_lines);
    learned[0].change[0] = (struct learn_change){"MLP0=mean@2"};
    learned[0].change[1] = (struct learn_change){"L0H1.alpha[3,2]=0.25"};
    learned[0].changes = 2;
    struct lab_words *const words = learn_learned_lines(&learned[0], &error);
    assert_non_null(words);
    assert_true(learn_learned_read(words, &arena, &learned[1], &error));
    assert_true(learn_recipe_same(&learned[0].recipe, &learned[1].recipe));
    assert_int_equal(learned[1].recipe.rows, LEARN_ROWS_LINES);
    assert_int_equal(learned[1].recipe.without.number[0], 3);
    assert_true(learn_learned_same_run(&learned[0], &learned[1]));
    assert_int_equal(learned[1].changes, 2); /* they stand beside the run */
    assert_string_equal(learned[1].change[0].text, "MLP0=mean@2");
    assert_string_equal(learned[1].change[1].text, "L0H1.alpha[3,2]=0.25");
    learned[1].changes = 0;
    assert_true(learn_learned_same_run(&learned[0], &learned[1]));
    lab_words_release(words);
    free(learned);
    arena_free(&arena);
}

/* A folder that was written before there were rows of lines says nothing of them. */
static void recipes_of_windows_read_and_write_as_before(void **state)
{
    (void)state;
    const struct learn_recipe *const usual = &learn_task_at(LEARN_TASK_TEXT)->recipe;
    for (size_t rows = 0; rows < LEARN_ROWS; rows++) {
        struct error error = {ERROR_NONE, 0, ""};
        struct learn_recipe recipe = learn_recipe_in_rows(usual, (enum learn_rows)rows), again;
        struct arena arena = {0};
        struct json_writer json = json_writer_start(&arena);
        struct bytes text;
        learn_recipe_put(&json, &recipe);
        assert_true(json_writer_finish(&json, &text, &error));
        assert_int_equal(bytes_find(text, 0, "\"rows\"") < text.size, rows == LEARN_ROWS_LINES);
        assert_true(bytes_find(text, 0, "\"without\"") == text.size);
        struct json *const tree = json_parse(text, &error);
        assert_true(learn_recipe_read(tree, &again, &error));
        assert_true(learn_recipe_same(&recipe, &again));
        json_release(tree);
        arena_free(&arena);
    }
}

/* Other rows have a recipe of their own; units that were chosen stay, and so does the seed. */
static void rows_have_a_recipe_of_their_own(void **state)
{
    (void)state;
    struct learn_recipe recipe = learn_task_at(LEARN_TASK_TEXT)->recipe;
    recipe.seed = 7;
    recipe = learn_recipe_in_rows(&recipe, LEARN_ROWS_LINES);
    assert_int_equal(recipe.rows, LEARN_ROWS_LINES);
    assert_int_equal(recipe.units, LEARN_WORDS);
    assert_int_equal(recipe.steps, 200);
    assert_int_equal(recipe.seed, 7);
    recipe.units = LEARN_LETTERS;
    recipe = learn_recipe_in_rows(&recipe, LEARN_ROWS_WINDOWS);
    assert_int_equal(recipe.units, LEARN_LETTERS);
    recipe.seed = learn_task_at(LEARN_TASK_TEXT)->recipe.seed;
    recipe.units = learn_task_at(LEARN_TASK_TEXT)->recipe.units;
    assert_true(learn_recipe_same(&recipe, &learn_task_at(LEARN_TASK_TEXT)->recipe));
}

/* Another text in the middle fills as many rows, or comes in epochs. */
static void another_text_keeps_the_rows(void **state)
{
    (void)state;
    static int32_t tokens[ROOM], targets[ROOM];
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_recipe recipe = line_recipe();
    struct learn_run *const run = learn_run_make(&recipe, bytes_of(four_lines), NULL, &error);
    assert_non_null(run);
    assert_true(learn_run_go(run, 10, NULL, &error));
    assert_true(learn_run_edit(
        run,
        &(struct learn_edit){.kind = LEARN_EDIT_TEXT, .text = bytes_of("mia eats .\nben stop .\n")},
        &error));
    assert_true(learn_run_go(run, 20, NULL, &error));
    const struct learn_data *const data = learn_run_data(run);
    learn_data_batch(data, 15, tokens, targets);
    assert_row(data, tokens, targets, ". mia eats . . | mia eats . - -");
    assert_row(data, tokens + 10, targets + 10, ". mia eats . . | - - - - -");
    learn_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_line_is_a_row_in_its_place),
        cmocka_unit_test(a_line_left_out_keeps_its_row),
        cmocka_unit_test(an_epoch_asks_each_line_once),
        cmocka_unit_test(lines_without_a_common_end_begin_with_themselves),
        cmocka_unit_test(bad_lines_are_refused),
        cmocka_unit_test(a_session_holds_rows_and_lines_left_out),
        cmocka_unit_test(recipes_of_windows_read_and_write_as_before),
        cmocka_unit_test(rows_have_a_recipe_of_their_own),
        cmocka_unit_test(another_text_keeps_the_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
