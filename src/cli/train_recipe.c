/* cli/train_recipe.c — a task's recipe, and what options change of it. */
#include <stddef.h>
#include <string.h>

#include "cli/train.h"

enum { INNER_TIMES = 4 /* as wide as d_model: an MLP's middle */ };

static const float usual_momentum = .9F, usual_theta = 10000;

/* Options that are one number of the recipe. */
static const struct {
    enum cli_option option;
    size_t offset;
} sizes[] =
    {
        {CLI_LAYERS, offsetof(struct learn_recipe, shape.layers)},
        {CLI_TRAIN_HEADS, offsetof(struct learn_recipe, shape.heads)},
        {CLI_TRAIN_D_MODEL, offsetof(struct learn_recipe, shape.d_model)},
        {CLI_TRAIN_CONTEXT, offsetof(struct learn_recipe, shape.context)},
        {CLI_ROWS, offsetof(struct learn_recipe, batch)},
        {CLI_STEPS, offsetof(struct learn_recipe, steps)},
        {CLI_WARMUP, offsetof(struct learn_recipe, optimiser.warmup)},
},
  numbers[] = {
      {CLI_RATE, offsetof(struct learn_recipe, optimiser.rate)},
      {CLI_WEIGHT_DECAY, offsetof(struct learn_recipe, optimiser.weight_decay)},
      {CLI_MOMENTUM, offsetof(struct learn_recipe, optimiser.momentum)},
      {CLI_CLIP, offsetof(struct learn_recipe, optimiser.clip)},
};

static void take_numbers(const struct cli_value *value, struct learn_recipe *recipe)
{
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        if (value[sizes[s].option].given) {
            const size_t size = (size_t)value[sizes[s].option].whole;
            memcpy((char *)recipe + sizes[s].offset, &size, sizeof size);
        }
    }
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
        if (value[numbers[n].option].given) {
            const float number = (float)value[numbers[n].option].number;
            memcpy((char *)recipe + numbers[n].offset, &number, sizeof number);
        }
    }
}

static void take_shape(const struct cli_value *value, struct learn_recipe *recipe)
{
    struct learn_shape *const shape = &recipe->shape;
    const bool mlp =
        value[CLI_MLP].given ? value[CLI_MLP].whole == CLI_SWITCH_ON : shape->inner > 0;
    const bool wide = value[CLI_MLP].given || value[CLI_TRAIN_D_MODEL].given;
    const bool turned = value[CLI_TRAIN_HEADS].given || value[CLI_TRAIN_D_MODEL].given;
    if (value[CLI_FAMILY].given) {
        shape->family = (enum learn_family)value[CLI_FAMILY].whole;
    }
    if (value[CLI_NORM].given) {
        shape->norm = value[CLI_NORM].whole == CLI_SWITCH_ON;
    }
    if (value[CLI_TRAIN_D_K].given) {
        shape->d_k = (size_t)value[CLI_TRAIN_D_K].whole;
    } else if (turned) {
        shape->d_k = shape->d_model / shape->heads;
    }
    shape->inner = !mlp ? 0 : wide ? INNER_TIMES * shape->d_model : shape->inner;
    shape->theta = shape->theta > 0 ? shape->theta : usual_theta;
}

static void take_optimiser(const struct cli_value *value, struct learn_optimiser *optimiser)
{
    if (value[CLI_OPTIMIZER].given) {
        optimiser->method = (enum learn_method)value[CLI_OPTIMIZER].whole;
    }
    if (value[CLI_DECAY].given) {
        optimiser->schedule = (enum learn_schedule)value[CLI_DECAY].whole;
    }
    if (optimiser->method == LEARN_SGD && !value[CLI_MOMENTUM].given) {
        optimiser->momentum = usual_momentum;
    }
}

/* Options that would change nothing are refused with where they work. */
static bool check_effects(const struct cli_value *value, const struct learn_recipe *recipe,
                          struct error *error)
{
    const bool text = recipe->task == LEARN_TASK_TEXT, sgd = recipe->optimiser.method == LEARN_SGD;
    const struct {
        enum cli_option option;
        bool works;
        const char *where;
    } rules[] = {
        {CLI_DATA, text, "--task text"},
        {CLI_UNITS, text, "--task text"},
        {CLI_LANGUAGE, recipe->task == LEARN_TASK_SMALL_WORLD, "--task small-world"},
        {CLI_MOMENTUM, sgd, "--optimizer sgd"},
        {CLI_WEIGHT_DECAY, !sgd, "--optimizer adamw"},
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
    take_numbers(value, recipe);
    take_shape(value, recipe);
    take_optimiser(value, &recipe->optimiser);
    if (value[CLI_TRAIN_SEED].given) {
        recipe->seed = value[CLI_TRAIN_SEED].whole;
    }
    if (value[CLI_UNITS].given) {
        recipe->units = (enum learn_units)value[CLI_UNITS].whole;
    }
    for (size_t l = 0; value[CLI_LANGUAGE].given && learn_language_name(l) != NULL; l++) {
        if (strcmp(learn_language_name(l), value[CLI_LANGUAGE].text) == 0) {
            recipe->language = (enum learn_language)l;
        }
    }
    return check_effects(value, recipe, error);
}
