/* cli/circuit_view.c — circuits of the weights, for a picture. */
#include <math.h>

#include "cli/calls.h"
#include "cli/model.h"
#include "view/parts/circuit.h"
#include "why/circuit.h"

/* Puts a line among the strongest. */
static void rank_line(struct view_circuit *shown, struct view_circuit_line line)
{
    size_t at = shown->lines;
    while (at > 0 && line.value > shown->line[at - 1].value) {
        at--;
    }
    if (at == VIEW_CIRCUIT_LINES) {
        return;
    }
    shown->lines += shown->lines < VIEW_CIRCUIT_LINES ? 1 : 0;
    for (size_t l = shown->lines - 1; l > at; l--) {
        shown->line[l] = shown->line[l - 1];
    }
    shown->line[at] = line;
}

static void rank_lines(struct view_circuit *shown, const struct why_circuits *all)
{
    const size_t heads = all->layers * all->heads;
    for (size_t p = 0; p < WHY_READINGS * heads * heads; p++) {
        const enum why_reading reading = (enum why_reading)(p / heads / heads);
        if (!isnan(all->composition[p])) {
            rank_line(shown, (struct view_circuit_line){p / heads % heads, p % heads,
                                                        why_reading_name(reading)[0],
                                                        (double)all->composition[p]});
        }
    }
}

static void copy_pairs(const struct model *model, const struct why_over_words *words, size_t pairs,
                       struct arena *arena, struct view_circuit_pair *out)
{
    for (size_t p = 0; p < pairs; p++) {
        out[p] = (struct view_circuit_pair){
            model_shown(model, words->top[p].from, arena),
            model_shown_of(model, MODEL_WRITTEN, words->top[p].to, arena), words->top[p].value};
    }
}

static bool look_at_head(const struct cli_options *options, const struct model *model,
                         struct cli_overview *own, struct view_circuit *shown, double *copying,
                         struct error *error)
{
    struct why_circuit one;
    if (!why_circuit_make(model, &options->engine, shown->head / shown->heads,
                          shown->head % shown->heads, &one, error)) {
        return false;
    }
    shown->pairs = one.qk.pairs < VIEW_CIRCUIT_PAIRS ? one.qk.pairs : VIEW_CIRCUIT_PAIRS;
    copy_pairs(model, &one.qk, shown->pairs, &own->arena, shown->qk);
    copy_pairs(model, &one.ov, shown->pairs, &own->arena, shown->ov);
    copying[shown->head] = one.copying;
    why_circuit_free(&one);
    return true;
}

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
    const size_t heads = model_config(model)->heads, layers = model_config(model)->layers;
    struct view_circuit *const shown = arena_array(&own->arena, 1, sizeof *shown);
    double *const copying = arena_array(&own->arena, layers * heads, sizeof *copying);
    if (shown == NULL || copying == NULL) {
        return error_set(error, ERROR_MEMORY,
                         "There is not enough memory to look into this model.");
    }
    *shown = (struct view_circuit){.layers = layers,
                                   .heads = heads,
                                   .copying = copying,
                                   .has_head = options->value[CLI_HEAD].given,
                                   .head = context->layer * heads + context->selection.head};
    struct why_circuits all;
    const struct why_circuits_asked asked = {.model = model,
                                             .engine = options->engine,
                                             .head = shown->has_head ? shown->head : MODEL_EACH,
                                             .has_copying = !shown->has_head};
    if (!why_circuits_make(&asked, &all, error)) {
        return false;
    }
    for (size_t h = 0; h < layers * heads; h++) {
        copying[h] = all.copying[h];
    }
    rank_lines(shown, &all);
    why_circuits_free(&all);
    state->view.circuit = shown;
    return !shown->has_head || look_at_head(options, model, own, shown, copying, error);
}
