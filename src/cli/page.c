/* cli/page.c — pages of render: options that they do not take, and the layers of a model. */
#include "cli/page.h"

#include <stdlib.h>

#include "cli/learned.h"
#include "lab/run/trace.h"

bool cli_has_page(const struct cli_figures *figures)
{
    bool has = false;
    for (size_t f = 0; f < figures->count; f++) {
        has = has || (figures->figure[f].format != NULL && figures->figure[f].format->is_page);
    }
    return has;
}

static bool are_all_pages(const struct cli_figures *figures)
{
    bool are = true;
    for (size_t f = 0; f < figures->count; f++) {
        are = are && figures->figure[f].format != NULL && figures->figure[f].format->is_page;
    }
    return are;
}

/* Says whether a page shows layers one after the other: of what has several, where none was chosen
 * and each is computed whole. */
static bool has_layers(const struct cli_options *options, const struct cli_context *context)
{
    return context->sizes.layers > 1 && !context->sizes.one_head &&
           !options->value[CLI_LAYER].given && !options->value[CLI_HEAD].given &&
           !options->value[CLI_ALL_LAYERS].given && context->lesson.steps == 0;
}

/* The steps of training that a page goes through, evenly spaced; count 0: it goes through none. */
struct steps {
    uint64_t first, last;
    size_t count;
};

static struct steps steps_of(const struct cli_options *options, const struct cli_context *context)
{
    enum { STEPS_MAX = 60 };
    const struct cli_value *const value = options->value;
    struct steps steps = {.first = value[CLI_FROM_STEP].whole};
    if (!(value[CLI_FROM_STEP].given || value[CLI_TO_STEP].given) || context->learned == NULL) {
        return steps;
    }
    steps.last = value[CLI_TO_STEP].given ? value[CLI_TO_STEP].whole
                                          : cli_learned_saved_step(context->learned);
    steps.last = steps.last > steps.first ? steps.last : steps.first;
    steps.count =
        steps.last - steps.first < STEPS_MAX ? (size_t)(steps.last - steps.first) + 1 : STEPS_MAX;
    return steps;
}

bool cli_check_pages(const struct cli_options *options, const struct cli_figures *figures,
                     const struct cli_context *context, struct error *error)
{
    static const struct {
        enum cli_option option;
        const char *name;
    } own[] = {{CLI_SIZE, "size"},        {CLI_LETTERS, "letters"}, {CLI_FIGURE, "figure"},
               {CLI_CROP, "crop"},        {CLI_STYLE, "style"},     {CLI_BACKGROUND, "background"},
               {CLI_METADATA, "metadata"}};
    const struct cli_value *const value = options->value;
    const bool all = are_all_pages(figures);
    for (size_t o = 0; all && o < sizeof own / sizeof *own; o++) {
        if (value[own[o].option].given) {
            return error_set(error, ERROR_USAGE,
                             "--%s changes nothing in a page, whose layout is its own: it is for "
                             "pictures.",
                             own[o].name);
        }
    }
    return !value[CLI_PAGE_OPERANDS].given ||
           (cli_has_page(figures) &&
            (has_layers(options, context) || steps_of(options, context).count > 0)) ||
           error_set(error, ERROR_USAGE,
                     "--page-operands changes nothing here: it is for a page (.html) of all layers "
                     "of a model.");
}

static bool add_layer(const struct cli_options *options, const struct cli_context *context,
                      size_t layer, const struct lab_engine *engine, struct app_page_layers *layers,
                      struct error *error)
{
    struct lab_experiment experiment;
    if (!cli_context_layer(options, context, layer, 0, &experiment, error)) {
        return false;
    }
    const struct lab_trace *const trace = lab_run(&experiment, engine, error);
    lab_experiment_release(&experiment);
    if (trace != NULL) {
        layers->trace[layers->count++] = trace;
    }
    return trace != NULL;
}

/* Adds the layer that is looked at as it was at each of these steps. */
static bool add_steps(const struct cli_options *options, const struct cli_context *context,
                      const struct steps *steps, const struct lab_engine *engine,
                      struct app_page_layers *layers, struct error *error)
{
    const char **const name = arena_array(&layers->arena, steps->count, sizeof *name);
    layers->name = name;
    for (size_t s = 0; name != NULL && s < steps->count; s++) {
        const uint64_t way = steps->last - steps->first;
        const uint64_t step = steps->first + (s > 0 ? way * s / (steps->count - 1) : 0);
        name[s] = arena_words(&layers->arena, "Step %zu of training", (size_t)step);
        if (!cli_learned_go_to_step(context->learned, step, error) ||
            !add_layer(options, context, context->layer, engine, layers, error)) {
            return false;
        }
    }
    return name != NULL || error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
}

bool cli_page_layers_make(const struct cli_options *options, const struct cli_context *context,
                          const struct lab_engine *engine, struct app_page_layers *layers,
                          struct error *error)
{
    const struct steps steps = steps_of(options, context);
    const size_t all = has_layers(options, context) ? context->sizes.layers : 0;
    const size_t count = steps.count > 0 ? steps.count : all;
    *layers = (struct app_page_layers){.weights_alone = !options->value[CLI_PAGE_OPERANDS].given};
    layers->trace = count > 0 ? calloc(count, sizeof *layers->trace) : NULL;
    if (count > 0 && layers->trace == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
    }
    if (steps.count > 0) {
        return add_steps(options, context, &steps, engine, layers, error);
    }
    bool added = true;
    for (size_t l = 0; added && l < all; l++) {
        added = add_layer(options, context, l, engine, layers, error);
    }
    return added;
}

void cli_page_layers_release(struct app_page_layers *layers)
{
    for (size_t l = 0; l < layers->count; l++) {
        lab_trace_release(layers->trace[l]);
    }
    free(layers->trace);
    arena_free(&layers->arena);
    *layers = (struct app_page_layers){0};
}
