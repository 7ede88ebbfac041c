/* Circuits of a model's weights as the view shows them: all heads, or one of them with its pairs of
 * words. */
#include "app/why/circuit.h"

#include <math.h>
#include <stdlib.h>

#include "app/why/why_internal.h"
#include "why/circuit.h"

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

/* ---- as it is shown -------------------------------------------------------------------------- */

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

static bool look_at_head(const struct app_why_circuit_asked *asked, struct arena *arena,
                         struct view_circuit *shown, double *copying, struct error *error)
{
    struct why_circuit one;
    if (!why_circuit_make(asked->model, &asked->engine, shown->head / shown->heads,
                          shown->head % shown->heads, &one, error)) {
        return false;
    }
    shown->pairs = one.qk.pairs < VIEW_CIRCUIT_PAIRS ? one.qk.pairs : VIEW_CIRCUIT_PAIRS;
    copy_pairs(asked->model, &one.qk, shown->pairs, arena, shown->qk);
    copy_pairs(asked->model, &one.ov, shown->pairs, arena, shown->ov);
    copying[shown->head] = one.copying;
    why_circuit_free(&one);
    return true;
}

bool app_why_circuit_fill(const struct app_why_circuit_asked *asked, struct arena *arena,
                          struct view_circuit *shown, struct error *error)
{
    const size_t heads = model_config(asked->model)->heads;
    const size_t layers = model_config(asked->model)->layers;
    const bool has_head = asked->head != MODEL_EACH;
    double *const copying = arena_array(arena, layers * heads, sizeof *copying);
    if (copying == NULL) {
        return no_memory(error);
    }
    *shown = (struct view_circuit){.layers = layers,
                                   .heads = heads,
                                   .copying = copying,
                                   .has_head = has_head,
                                   .head = has_head ? asked->head : 0};
    struct why_circuits all;
    const struct why_circuits_asked circuits = {.model = asked->model,
                                                .engine = asked->engine,
                                                .head = asked->head,
                                                .has_copying = !has_head,
                                                .goes_on = asked->goes_on,
                                                .owner = asked->owner};
    if (!why_circuits_make(&circuits, &all, error)) {
        return false;
    }
    for (size_t h = 0; h < layers * heads; h++) {
        copying[h] = all.copying[h];
    }
    rank_lines(shown, &all);
    why_circuits_free(&all);
    return !has_head || look_at_head(asked, arena, shown, copying, error);
}

/* ---- as a result ----------------------------------------------------------------------------- */

static void drop_circuit(struct value *value)
{
    struct why_circuit_shown *const circuit = (struct why_circuit_shown *)value;
    arena_free(&circuit->arena);
    free(circuit);
}

static bool goes_on(void *owner)
{
    const struct slice *const slice = owner;
    return slice->is_stopped == NULL || !atomic_load(slice->is_stopped);
}

static enum slice_end circuit_slice(struct slice *slice)
{
    const struct why_asked *const asked = (const struct why_asked *)slice->content;
    const size_t head = slice->want->head;
    const struct app_why_circuit_asked circuit = {.model = asked->model,
                                                  .engine = asked->engine,
                                                  .head = head > 0 ? head - 1 : MODEL_EACH,
                                                  .goes_on = goes_on,
                                                  .owner = slice};
    struct why_circuit_shown *const made = calloc(1, sizeof *made);
    if (made == NULL) {
        (void)no_memory(&slice->error);
        return SLICE_FAILED;
    }
    value_begin(&made->value, sizeof *made, drop_circuit);
    made->source = slice->want->source;
    if (!app_why_circuit_fill(&circuit, &made->arena, &made->shown, &slice->error)) {
        value_release(&made->value);
        return slice->error.code == ERROR_NONE ? SLICE_MORE : SLICE_FAILED;
    }
    slice->value = &made->value;
    return SLICE_DONE;
}

static bool is_small(const struct slice *slice)
{
    static const double SMALL = 2e5; /* weights */
    const struct why_asked *const asked = (const struct why_asked *)slice->content;
    return (double)model_parameters(asked->model) <= SMALL;
}

const struct result_kind why_circuit_kind = {
    .is_small = is_small, .work = circuit_slice, .has_lane = true};
