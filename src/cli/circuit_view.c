/* cli/circuit_view.c — circuits of the weights, for a picture. */
#include "app/why/circuit.h"
#include "cli/calls.h"
#include "cli/model.h"

bool cli_show_circuit(const struct cli_options *options, const struct cli_context *context,
                      struct app_state *state, struct cli_overview *own, struct error *error)
{
    if (context->model == NULL) {
        return error_set(error, ERROR_USAGE,
                         "--view circuit takes a model: name its folder or a GGUF.");
    }
    if (!cli_refuse_interventions(options, error)) {
        return false;
    }
    const struct model *const model = context->model->subject.model;
    struct view_circuit *const shown = arena_array(&own->arena, 1, sizeof *shown);
    if (shown == NULL) {
        return error_set(error, ERROR_MEMORY,
                         "There is not enough memory to look into this model.");
    }
    const struct app_why_circuit_asked asked = {
        .model = model,
        .engine = options->engine,
        .head = options->value[CLI_HEAD].given
                    ? context->layer * model_config(model)->heads + context->selection.head
                    : MODEL_EACH};
    state->view.circuit = shown;
    return app_why_circuit_fill(&asked, &own->arena, shown, error);
}
