/* A setting of training is one row: every row is a member of JSON; what has an option, a control or
 * a range has all that belongs to it; and every door gives the same verdict on the ends of a range:
 * a folder's JSON, a session, the command line, the window, and the engine itself. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/train.h"
#include "learn/learned.h"
#include "learn/task.h"

static const struct record_row *row_at(size_t member)
{
    return learn_recipe_row((enum learn_recipe_member)member);
}

static void a_row_has_what_belongs_to_it(void **unused)
{
    (void)unused;
    for (size_t m = 1; row_at(m) != NULL; m++) {
        const struct record_row *const row = row_at(m);
        assert_non_null(row->key);
        assert_ptr_equal(record_find(learn_recipe_record(), row->key), row);
        assert_true(row->type == RECORD_SWITCH || row->type == RECORD_LIST ||
                    row->name_at != NULL || (row->what != NULL && row->high > row->low));
        assert_true((row->option == NULL) == (row->help == NULL));
        assert_true((row->option == NULL) == (row->option_rank == 0));
        assert_true((row->group == 0) == (row->control_rank == 0));
        if (row->option != NULL) {
            const enum cli_option option = (enum cli_option)(CLI_RECIPES + (int)m);
            const struct cli_option_row *const of = cli_option_row(option);
            assert_string_equal(of->name, row->option);
            assert_string_equal(of->help, row->help);
            assert_non_null(of->argument);
            assert_int_equal(of->calls, CALL_TRAIN);
        }
        if (row->group != 0) {
            assert_non_null(row->title);
            assert_non_null(row->label);
            assert_non_null(row->tip);
            assert_true(record_is_in_range(row, row->slider_max > 0 ? row->slider_max : row->high));
            assert_true(row->slider_low > 0 ? record_is_in_range(row, row->slider_low)
                                            : !row->above_low);
        }
    }
}

/* A recipe in which the member applies. */
static struct learn_recipe recipe_with(const struct record_row *row)
{
    struct learn_recipe recipe = learn_task_at(LEARN_TASK_COPY)->recipe;
    recipe.shape.vocabulary = 8;
    recipe.shape.theta = 100;
    recipe.optimiser.steps = recipe.steps;
    if (row->needs != 0) {
        record_put(row_at(row->needs), &recipe, row->needs_value);
    }
    return recipe;
}

/* Says whether a door took a number, or refused it for another reason than its range: heads, say,
 * must divide the width. */
static bool is_fine(bool taken, const struct record_row *row, const struct error *error)
{
    char option[64], what[64];
    snprintf(option, sizeof option, "--%s must be ", row->option == NULL ? "" : row->option);
    snprintf(what, sizeof what, "%s must be ", row->what);
    return taken || (strncmp(error->text, option, strlen(option)) != 0 &&
                     strncmp(error->text, what, strlen(what)) != 0);
}

static bool engine_takes(const struct record_row *row, double number)
{
    struct learn_recipe recipe = recipe_with(row);
    struct error error = {0};
    record_put(row, &recipe, number);
    return is_fine(learn_recipe_check(&recipe, &error), row, &error);
}

static bool json_takes(const struct record_row *row, double number)
{
    struct learn_recipe recipe = recipe_with(row), read;
    struct error error = {0};
    struct arena arena = {0};
    struct bytes text;
    struct json_writer json = json_writer_start(&arena);
    record_put(row, &recipe, number);
    learn_recipe_put(&json, &recipe);
    assert_true(json_writer_finish(&json, &text, &error));
    struct json *const tree = json_parse(text, &error);
    assert_true(learn_recipe_read(tree, &read, &error));
    for (size_t m = 1; row_at(m) != NULL; m++) {
        assert_true(record_equal(row_at(m), &recipe, &read));
    }
    const bool takes = is_fine(learn_recipe_check(&read, &error), row, &error);
    json_release(tree);
    arena_free(&arena);
    return takes;
}

static bool session_takes(const struct record_row *row, double number)
{
    struct learn_learned learned = {.recipe = recipe_with(row)}, read;
    const struct learn_recipe usual = learned.recipe;
    struct error error = {0};
    struct arena arena = {0};
    record_put(row, &learned.recipe, number);
    struct lab_words *const words = learn_learned_lines(&learned, &error);
    assert_non_null(words);
    assert_true(learn_learned_read(words, &arena, &read, &error));
    assert_true(learn_recipe_same(&learned.recipe, &read.recipe));
    read.recipe.shape.vocabulary = usual.shape.vocabulary; /* those of the data */
    read.recipe.shape.causal = usual.shape.causal;
    const bool takes = is_fine(learn_recipe_check(&read.recipe, &error), row, &error);
    lab_words_release(words);
    arena_free(&arena);
    return takes;
}

static bool options_take(const struct record_row *row, const char *written)
{
    char option[64], needs[64] = "--quiet", value[64] = "--quiet", name[RECORD_TEXT_MAX];
    static struct cli_options options;
    struct learn_recipe recipe;
    struct error error = {0};
    snprintf(option, sizeof option, "--%s", row->option);
    char number[64];
    snprintf(number, sizeof number, "%s", written);
    if (row->needs != 0) {
        const struct record_row *const other = row_at(row->needs);
        snprintf(needs, sizeof needs, "--%s", other->option);
        snprintf(value, sizeof value, "%s", record_number_text(other, row->needs_value, name));
    }
    char task[] = "--task", copy[] = "copy";
    char *argv[] = {task, copy, option, number, needs, value};
    const bool takes = cli_options_read(&options, CALL_TRAIN, 6, argv, 0, &error) &&
                       cli_train_recipe(&options, &recipe, &error);
    if (takes) { /* what the data says is filled in later */
        recipe.shape.vocabulary = 8;
        recipe.optimiser.steps = 1;
        return is_fine(learn_recipe_check(&recipe, &error), row, &error);
    }
    return is_fine(takes, row, &error);
}

static bool window_takes(size_t member, double number)
{
    struct learn_recipe recipe = recipe_with(row_at(member));
    struct error error = {0};
    return is_fine(learn_recipe_change(&recipe, (enum learn_recipe_member)member, number, &error),
                   row_at(member), &error);
}

static void expect_member(size_t member, double number, bool is_in_range)
{
    const struct record_row *const row = row_at(member);
    char text[RECORD_TEXT_MAX];
    const struct {
        const char *door;
        bool takes;
    } doors[] = {
        {"the engine", number >= 0 ? engine_takes(row, number) : is_in_range},
        {"JSON", number >= 0 ? json_takes(row, number) : is_in_range},
        {"a session", number >= 0 && member != LEARN_RECIPE_VOCABULARY ? session_takes(row, number)
                                                                       : is_in_range},
        {"an option", row->option != NULL && !row->toggle
                          ? options_take(row, record_number_text(row, number, text))
                          : is_in_range},
        {"the window",
         row->group != 0 && !row->toggle ? window_takes(member, number) : is_in_range},
    };
    for (size_t d = 0; d < sizeof doors / sizeof *doors; d++) {
        if (doors[d].takes != is_in_range) {
            fail_msg("%s: %s %s %g", row->key, doors[d].door, is_in_range ? "refuses" : "takes",
                     number);
        }
    }
}

static void every_door_holds_the_same_range(void **unused)
{
    (void)unused;
    for (size_t m = 1; row_at(m) != NULL; m++) {
        const struct record_row *const row = row_at(m);
        const bool is_float = row->type == RECORD_NUMBER;
        if (row->type == RECORD_SWITCH || row->type == RECORD_CHOICE || row->type == RECORD_LIST) {
            continue;
        }
        expect_member(m, row->low, !row->above_low);
        expect_member(m, is_float ? (double)nextafterf((float)row->low, -1) : row->low - 1, false);
        if (row->above_low) {
            expect_member(m, (double)nextafterf((float)row->low, 1), true);
        }
        if (row->type == RECORD_SEED || row->high >= RECORD_UNBOUNDED) {
            expect_member(m, is_float ? (double)FLT_MAX : 9007199254740991.0, true);
            continue;
        }
        expect_member(m, row->high, !row->below_high);
        expect_member(m, is_float ? (double)nextafterf((float)row->high, FLT_MAX) : row->high + 1,
                      false);
        if (row->below_high) {
            expect_member(m, (double)nextafterf((float)row->high, 0), true);
        }
    }
}

static void every_kind_of_edit_comes_back(void **unused)
{
    (void)unused;
    static const char *const lines[] = {
        "task copy",
        "seed 1",
        "step 9",
        "edit 3 weight 4 2 7 0.5",
        "edit 4 freeze-tensor 4 1",
        "edit 5 freeze-head 1 0 1",
        "edit 6 off 0 1 0",
        "edit 7 rate 0.02",
        "edit 8 data 18446744073709551615",
        "edit 18446744073709551615 weight 9007199254740992 9007199254740992 9007199254740992 "
        "-3.4028235e+38",
        "edit 9 text",
    };
    enum { LINES = sizeof lines / sizeof *lines };
    struct arena arena = {0};
    struct error error = {0};
    struct learn_learned learned;
    struct lab_words *const words = lab_words_make(lines, LINES, &error);
    assert_true(learn_learned_read(words, &arena, &learned, &error));
    struct lab_words *const again = learn_learned_lines(&learned, &error);
    assert_int_equal(lab_words_count(again), LINES);
    for (size_t l = 0; l < LINES; l++) {
        assert_string_equal(lab_words_list(again)[l], lines[l]);
    }
    lab_words_release(words);
    lab_words_release(again);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_has_what_belongs_to_it),
        cmocka_unit_test(every_door_holds_the_same_range),
        cmocka_unit_test(every_kind_of_edit_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
