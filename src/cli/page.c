/* cli/page.c — pages of render: options that they do not take, and the layers of a model. */
#include "cli/page.h"

#include <stdlib.h>

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
           (cli_has_page(figures) && has_layers(options, context)) ||
           error_set(error, ERROR_USAGE,
                     "--page-operands changes nothing here: it is for a page (.html) of all layers "
                     "of a model.");
}

bool cli_page_layers_make(const struct cli_options *options, const struct cli_context *context,
                          const struct lab_engine *engine, struct app_page_layers *layers,
                          struct error *error)
{
    const size_t count = has_layers(options, context) ? context->sizes.layers : 0;
    *layers = (struct app_page_layers){.weights_alone = !options->value[CLI_PAGE_OPERANDS].given};
    layers->trace = count > 0 ? calloc(count, sizeof *layers->trace) : NULL;
    if (count > 0 && layers->trace == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
    }
    for (size_t l = 0; l < count; l++) {
        struct lab_experiment experiment;
        if (!cli_context_layer(options, context, l, 0, &experiment, error)) {
            return false;
        }
        layers->trace[l] = lab_run(&experiment, engine, error);
        lab_experiment_release(&experiment);
        if (layers->trace[l] == NULL) {
            return false;
        }
        layers->count++;
    }
    return true;
}

void cli_page_layers_release(struct app_page_layers *layers)
{
    for (size_t l = 0; l < layers->count; l++) {
        lab_trace_release(layers->trace[l]);
    }
    free(layers->trace);
    *layers = (struct app_page_layers){0};
}
