/* cli/origin.c — what a picture was made from: the file, the layer and the head, and the tokens
 * that a model has read. */
#include <string.h>

#include "base/translate.h"
#include "cli/model.h"
#include "cli/render.h"
#include "lab/dump/dump.h"
#include "model/model.h"

/* Says whether a picture of this view is of one head; lines of a figure are. */
static bool is_of_one_head(const struct cli_options *options)
{
    const char *const view = options->value[CLI_VIEW].text;
    if (strcmp(view, "heads") == 0) {
        return options->value[CLI_LINES].given && options->value[CLI_FIGURE].given;
    }
    static const char *const views[] = {"stage", "space", "head", "matrix", "formula"};
    bool is = false;
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        is = is || strcmp(view, views[v]) == 0;
    }
    return is;
}

void cli_print_shown_head(const struct cli_options *options, const struct cli_context *context)
{
    const struct cli_value *const value = options->value;
    const bool lines = strcmp(value[CLI_VIEW].text, "heads") == 0; /* of an experiment, too */
    const bool asks = (context->subject.dump != NULL || lines) && !value[CLI_WORKSHEET].given &&
                      !value[CLI_HEAD].given;
    const bool one = is_of_one_head(options);
    const size_t count = context->sizes.heads > 0
                             ? context->sizes.heads
                             : lab_experiment_sizes(&context->experiment).heads;
    const bool heads = asks && one && count > 1 && !value[CLI_ALL_HEADS].given;
    const bool layers = asks && (one || lines) && context->sizes.layers > 1 &&
                        !value[CLI_LAYER].given && !value[CLI_ALL_LAYERS].given;
    const size_t head = (context->sizes.one_head ? context->head : context->selection.head) + 1;
    const size_t layer = context->layer + 1;
    const char *const file = context->subject.dump != NULL
                                 ? lab_dump_facts(context->subject.dump)->name
                                 : "The experiment";
    if (heads && layers) {
        cli_warn(options,
                 "%s: Head %zu of %zu in layer %zu of %zu is drawn; --head and --layer choose "
                 "another.",
                 file, head, count, layer, context->sizes.layers);
    } else if (heads) {
        cli_warn(options, "%s: Head %zu of %zu is drawn; --head chooses another.", file, head,
                 count);
    } else if (layers) {
        cli_warn(options, "%s: Layer %zu of %zu is drawn; --layer chooses another.", file, layer,
                 context->sizes.layers);
    }
}

/* "5 17 3": the numbers of the tokens, and dots behind so many. */
static const char *ids_text(const struct model_run *run, struct arena *arena)
{
    enum { IDS_MAX = 1024 };
    const size_t count = model_run_count(run);
    const char *text = "";
    for (size_t i = 0; i < count && i < IDS_MAX && text != NULL; i++) {
        text =
            arena_format(arena, "%s%s%u", text, i == 0 ? "" : " ", (unsigned)model_run_ids(run)[i]);
    }
    return count <= IDS_MAX || text == NULL ? text : arena_format(arena, "%s …", text);
}

const char *cli_source_text(const struct cli_options *options, const struct cli_context *context,
                            size_t layer, size_t head, struct arena *arena)
{
    const struct model_run *const run =
        context->model != NULL ? context->model->subject.run : context->subject.run;
    if (options->file == NULL || context->sizes.layers == 0) {
        return NULL;
    }
    const char *const ids = run == NULL ? NULL : ids_text(run, arena);
    const char *const place = is_of_one_head(options) ? arena_format(arena, "L%zuH%zu", layer, head)
                                                      : arena_format(arena, "L%zu", layer);
    return ids == NULL
               ? arena_format(arena, tr("From %s: %s."), options->file, place)
               : arena_format(arena, tr("From %s: %s, token ids %s."), options->file, place, ids);
}
