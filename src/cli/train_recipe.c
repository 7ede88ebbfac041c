/* cli/train_recipe.c — a task's recipe, and the options that change it. */
#include <stdio.h>

#include "cli/train.h"

static const struct record_row *row_at(size_t member)
{
    return learn_recipe_row((enum learn_recipe_member)member);
}

/* Sets the members whose options were given, but for a switched MLP, which is as wide as others
 * say. */
static bool set_members(const struct cli_value *value, struct learn_recipe *recipe,
                        struct error *error)
{
    const struct record_row *row = NULL;
    for (size_t m = 0; (row = row_at(m)) != NULL; m++) {
        const struct cli_value *const given = &value[CLI_RECIPES + m];
        if (row->type == RECORD_LIST && given->given) {
            if (!record_read(row, given->text, recipe) || record_get(row, recipe) == 0) {
                return error_set(error, ERROR_USAGE,
                                 "--%s is 1 to %d different numbers from 1, such as %s, not "
                                 "\"%.40s\".",
                                 row->option, RECORD_LIST_MAX, row->argument, given->text);
            }
        } else if (row->type == RECORD_SEED && given->given) {
            (void)record_read(row, given->text, recipe);
        } else if (given->given && !row->toggle) {
            record_put(row, recipe,
                       row->type == RECORD_SWITCH   ? given->whole == CLI_SWITCH_ON
                       : row->type == RECORD_NUMBER ? given->number
                                                    : (double)given->whole);
        }
    }
    return true;
}

/* Sets what follows from the options that were given. */
static void set_followers(const struct cli_value *value, struct learn_recipe *recipe)
{
    struct learn_shape *const shape = &recipe->shape;
    const struct cli_value *const mlp = &value[CLI_RECIPE(MLP)];
    const bool is_wide = mlp->given || value[CLI_RECIPE(D_MODEL)].given;
    const bool is_turned = value[CLI_RECIPE(HEADS)].given || value[CLI_RECIPE(D_MODEL)].given;
    const bool has_mlp = mlp->given ? mlp->whole == CLI_SWITCH_ON : shape->inner > 0;
    if (!value[CLI_RECIPE(D_K)].given && is_turned) {
        shape->d_k = shape->d_model / shape->heads;
    }
    if (is_wide || !has_mlp) {
        (void)learn_recipe_change(recipe, LEARN_RECIPE_MLP, has_mlp ? 1 : 0, NULL);
    }
    if (!(shape->theta > 0)) {
        record_put(row_at(LEARN_RECIPE_THETA), recipe, row_at(LEARN_RECIPE_THETA)->standard);
    }
    if (recipe->optimiser.method == LEARN_SGD && !value[CLI_RECIPE(MOMENTUM)].given) {
        record_put(row_at(LEARN_RECIPE_MOMENTUM), recipe, row_at(LEARN_RECIPE_MOMENTUM)->standard);
    }
}

/* Refuses an option of a member that does not apply, with where it does. */
static bool check_members(const struct cli_value *value, const struct learn_recipe *recipe,
                          struct error *error)
{
    const struct record *const record = learn_recipe_record();
    const struct record_row *row = NULL;
    for (size_t m = 0; (row = row_at(m)) != NULL; m++) {
        const struct record_row *const needs = row_at(row->needs);
        char where[2 * RECORD_TEXT_MAX], name[RECORD_TEXT_MAX];
        if (value[CLI_RECIPES + m].given && !record_applies(record, row, recipe)) {
            snprintf(where, sizeof where, "--%s %s", needs->key,
                     record_number_text(needs, row->needs_value, name));
            return error_set(error, ERROR_USAGE, "--%s changes nothing here: it goes with %s.",
                             row->option, where);
        }
    }
    return true;
}

/* Refuses options that would change nothing, with where they work. */
static bool check_effects(const struct cli_value *value, const struct learn_recipe *recipe,
                          struct error *error)
{
    const bool text = recipe->task == LEARN_TASK_TEXT;
    const bool lines =
        text ? recipe->rows == LEARN_ROWS_LINES : recipe->task == LEARN_TASK_SMALL_WORLD;
    const struct {
        enum cli_option option;
        bool works;
        const char *where;
    } rules[] = {
        {CLI_DATA, text, "--task text"},
        {CLI_RECIPE(WITHOUT), lines, "--rows lines or --task small-world"},
        {CLI_LANGUAGE, recipe->task == LEARN_TASK_SMALL_WORLD, "--task small-world"},
        {CLI_EVERY, value[CLI_LOG].given || value[CLI_PROBE].given, "--log or --probe"},
        {CLI_SAVE_EVERY, value[CLI_OUT].given, "-o"},
        {CLI_JSON, false, "--list"},
    };
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        if (value[rules[r].option].given && !rules[r].works) {
            return error_set(error, ERROR_USAGE, "--%s changes nothing here: it goes with %s.",
                             cli_option_row(rules[r].option)->name, rules[r].where);
        }
    }
    return !text || value[CLI_DATA].given ||
           error_set(error, ERROR_USAGE,
                     "--task text learns from a text of your own: name it with --data FILE.");
}

bool cli_train_recipe(const struct cli_options *options, struct learn_recipe *recipe,
                      struct error *error)
{
    const struct cli_value *const value = options->value;
    if (!value[CLI_TASK].given) {
        return error_set(error, ERROR_USAGE,
                         "What shall be learned? Name it with --task; train --list says what "
                         "there is.");
    }
    *recipe = learn_task_at((size_t)value[CLI_TASK].whole)->recipe;
    if (value[CLI_RECIPE(ROWS)].given) {
        *recipe = learn_recipe_in_rows(recipe, (enum learn_rows)value[CLI_RECIPE(ROWS)].whole);
    }
    if (!set_members(value, recipe, error)) {
        return false;
    }
    set_followers(value, recipe);
    if (value[CLI_LANGUAGE].given) {
        (void)record_read(row_at(LEARN_RECIPE_LANGUAGE), value[CLI_LANGUAGE].text, recipe);
    }
    return check_members(value, recipe, error) && check_effects(value, recipe, error);
}
