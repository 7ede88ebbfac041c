/* cli/head_overview.c — all heads of a model, or of a file of attention, for a picture of them. */
#include <stdio.h>

#include "app/actions/step.h"
#include "app/open/open_model.h"
#include "base/translate.h"
#include "cli/calls.h"
#include "cli/learned.h"
#include "cli/model.h"
#include "cli/window.h"
#include "subject/trained.h"

static bool open_window_state(const struct cli_window *window, const struct cli_context *context,
                              struct app_state *state, struct error *error)
{
    const bool started =
        window->is_dump ? app_open_model_open_as(state, window->model, &window->request,
                                                 DUMP_DOUBT_IS_ASKED, context->subject.dump, 0)
                        : app_open_model_adopt(state, window->model, context->model->subject.model,
                                               context->model->subject.run, NULL, window->chat, 0);
    if (!started) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to open a model.");
    }
    app_open_model_begin_at(state, window->side, window->layer, window->head, window->stage);
    app_settle(state, 0);
    const struct view_head_overview *const head_overview = state->view.head_overview;
    return (head_overview != NULL && head_overview->thumbnails != NULL &&
            !app_open_model_lacks_next(state)) ||
           error_set(error, ERROR_INPUT, "%s",
                     state->view.message != NULL ? state->view.message
                                                 : "Its heads cannot be shown at a glance.");
}

/* Returns the options without those that only pictures have, as the window would be called. */
static struct cli_options without_display(const struct cli_options *options)
{
    struct cli_options plain = *options;
    for (size_t o = 0; o < CLI_OPTIONS; o++) {
        const bool of_window = (cli_option_row((enum cli_option)o)->calls & CALL_WINDOW) != 0;
        if (!of_window || o == CLI_QUERY || o == CLI_KEY) {
            plain.value[o].given = false;
        }
    }
    return plain;
}

/* Returns the run of the experiment's weights; NULL: they were not learned. */
static const struct learn_weight_rebuilder *rebuilder_of(const struct cli_context *context)
{
    const struct learn_weight_rebuilder *const rebuilder =
        context->learned != NULL ? cli_learned_rebuilder(context->learned) : &context->rebuilder;
    return rebuilder != NULL && rebuilder->run != NULL ? rebuilder : NULL;
}

static bool show_learned(const struct cli_options *options,
                         const struct learn_weight_rebuilder *rebuilder,
                         const struct cli_context *context, struct app_state *state,
                         struct cli_overview *own, struct error *error)
{
    const struct lab_experiment *const experiment = &context->experiment;
    struct learn_activations *const sentence =
        learn_weight_rebuilder_read(rebuilder, experiment->tokens, error);
    struct subject_trained trained = {
        .view = {.sentence = sentence, .words = lab_words_list(experiment->tokens)}};
    const struct subject subject = subject_of_trained(&trained);
    const struct subject_look look = {.engine = options->engine};
    struct lab_thumbnails *thumbnails = NULL;
    const bool looked =
        sentence != NULL && subject_look_at_heads(&subject, &look, SIZE_MAX, &thumbnails, error);
    learn_activations_free(sentence);
    if (!looked) {
        return false;
    }
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(thumbnails);
    const char *const name = context->lesson.steps > 0
                                 ? tr(context->lesson.title)
                                 : tr(learn_task_at(learn_run_recipe(rebuilder->run)->task)->title);
    (void)snprintf(own->title, sizeof own->title, tr("%s · %zu × %zu heads"), name, sizes.layers,
                   sizes.heads);
    own->shown = (struct view_head_overview){.title = own->title,
                                             .thumbnails = thumbnails,
                                             .attentions = 1,
                                             .layer = experiment->layer,
                                             .sinks_aside = options->value[CLI_SINKS].given &&
                                                            options->value[CLI_SINKS].whole == 1,
                                             .head_measure = LAB_HEAD_MEASURES};
    state->view.head_overview = &own->shown;
    return true;
}

void cli_overview_release(struct cli_overview *own)
{
    lab_thumbnails_release(own->shown.thumbnails);
    arena_free(&own->arena);
}

/* Weighs the heads of a picture as the call says it. */
static bool set_weighing(const struct cli_options *options, struct app_state *state,
                         struct error *error)
{
    const struct cli_value *const weighing = &options->value[CLI_WEIGHING];
    state->view.weighing = (enum view_weighing)weighing->whole;
    if (state->view.weighing == VIEW_BY_ALPHA) {
        return true;
    }
    if (!state->view.head_overview->may_weigh) {
        return error_set(error, ERROR_USAGE,
                         "--weighing %s takes a checkpoint that reads one text, for it asks how "
                         "long the values of its words are: a folder or a GGUF.",
                         weighing->text);
    }
    app_settle(state, 0);
    return state->view.head_overview->weighed != NULL ||
           error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

bool cli_open_head_overview(const struct cli_options *options,
                            const struct cli_context *dump_options, struct app_state *state,
                            struct cli_overview *own, struct error *error)
{
    struct cli_window window = {.stage = dump_options->stage};
    bool is_model = false;
    const struct cli_options plain = without_display(options);
    if (options->value[CLI_RENORMALISE].given) {
        return error_set(error, ERROR_USAGE,
                         "--renormalise changes nothing in this picture, which has a model as it "
                         "is: it is for --view stage, heads, head and matrix.");
    }
    if (rebuilder_of(dump_options) != NULL) {
        return show_learned(options, rebuilder_of(dump_options), dump_options, state, own, error) &&
               set_weighing(options, state, error);
    }
    window.opened =
        dump_options->model == NULL ? NULL : model_keep(dump_options->model->subject.model);
    window.dump =
        dump_options->subject.dump == NULL ? NULL : lab_dump_keep(dump_options->subject.dump);
    if (!cli_window_fill_from_file(&plain, &window, &is_model, error)) {
        return false;
    }
    window.stage = dump_options->stage;
    window.layer = dump_options->model != NULL ? dump_options->layer : window.layer;
    window.chat = cli_model_is_chat(options);
    const bool opened =
        is_model
            ? open_window_state(&window, dump_options, state, error)
            : error_set(
                  error, ERROR_USAGE,
                  "--view %s takes the folder of a model or a file of attention, as it is: what "
                  "changes an experiment is for --view stage and matrix.",
                  options->value[CLI_VIEW].text);
    app_open_model_set_sinks(state, options->value[CLI_SINKS].given &&
                                        options->value[CLI_SINKS].whole == 1);
    cli_window_release(&window);
    return opened && set_weighing(options, state, error);
}
