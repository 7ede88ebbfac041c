/* why/patching.c — parts of one run in another one. */
#include "why/patching.h"

#include <math.h>

/* A difference of logits that can be divided by: in less, which moves the odds by 5 % at most, the
 * shares are large numbers that say nothing. */
static const double TELLING = 0.05;

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum model_node node;
} rows[WHY_PATCHED] = {
    [WHY_RESIDUAL] = {"residual", MODEL_NODE_RESIDUAL},
    [WHY_HEADS] = {"head", MODEL_NODE_Z},
    [WHY_ALPHA] = {"alpha", MODEL_NODE_ALPHA},
    [WHY_VALUE] = {"value", MODEL_NODE_V},
};

const char *why_patched_name(size_t index)
{
    return index < WHY_PATCHED ? rows[index].name : NULL;
}

/* The cells of a table as interventions, with the numbers of the clean run. */
struct why_cells {
    struct why_node *node;
    float **source;
    struct model_intervention *one;
    struct model_interventions *list;
    struct why_state *state;
};

static bool make_cells(struct why_patching *out)
{
    struct arena *const arena = &out->arena;
    const size_t count = out->layers * out->places;
    struct why_cells *const cells = arena_array(arena, 1, sizeof *cells);
    out->cells = cells;
    out->restored = arena_array(arena, count, sizeof *out->restored);
    if (cells != NULL) {
        cells->node = arena_array(arena, count, sizeof *cells->node);
        cells->source = arena_array(arena, count, sizeof *cells->source);
        cells->one = arena_array(arena, count, sizeof *cells->one);
        cells->list = arena_array(arena, count, sizeof *cells->list);
        cells->state = arena_array(arena, count, sizeof *cells->state);
    }
    return !arena->lacking;
}

static void fill_cells(const struct why_patching *out, enum why_patched what, size_t n)
{
    struct why_cells *const cells = out->cells;
    for (size_t c = 0; c < out->layers * out->places; c++) {
        const size_t layer = c / out->places, place = c % out->places;
        const bool of_words = what == WHY_RESIDUAL;
        out->restored[c] = NAN;
        cells->node[c] = (struct why_node){rows[what].node, layer, of_words ? 0 : place};
        cells->one[c] = (struct model_intervention){.node = rows[what].node,
                                                    .by = MODEL_BY_SOURCE,
                                                    .layer = layer,
                                                    .head = of_words ? 0 : place,
                                                    .row = of_words ? place : MODEL_EACH,
                                                    .column = MODEL_EACH,
                                                    .source_rows = n};
        cells->list[c] = (struct model_interventions){&cells->one[c], 1};
    }
}

/* The numbers of the clean run: one copy for each node, which cells of a row of words share. */
static bool read_sources(const struct why_ablation *of, enum why_patched what,
                         struct why_patching *out, struct error *error)
{
    struct why_cells *const cells = out->cells;
    const size_t count = out->layers * out->places;
    const size_t step = what == WHY_RESIDUAL ? out->places : 1;
    for (size_t c = 0; c < count / step; c++) {
        cells->node[c] = cells->node[c * step];
    }
    if (!why_sources_read(of->run, of->model, model_no_interventions, cells->node, count / step,
                          &out->arena, cells->source, error)) {
        return false;
    }
    for (size_t c = 0; c < count; c++) {
        cells->one[c].source = cells->source[c / step];
    }
    return true;
}

static struct why_ablation question_of_changed(const struct why_ablation *of,
                                               const struct model_run *changed)
{
    struct why_ablation question = *of;
    question.run = changed;
    question.wants_loss = false;
    return question;
}

/* What both texts say, and the numbers that are put there. */
static bool read_both(const struct why_ablation *of, const struct model_run *changed,
                      enum why_patched what, struct why_patching *out, struct error *error)
{
    const struct why_ablation base = question_of_changed(of, changed),
                              whole = question_of_changed(of, of->run);
    if (!make_cells(out)) {
        return no_memory(error);
    }
    fill_cells(out, what, model_run_count(of->run));
    if (!read_sources(of, what, out, error) ||
        !why_ablate(&whole, NULL, 0, &out->clean, NULL, error) ||
        !why_ablate(&base, NULL, 0, &out->changed, NULL, error)) {
        return false;
    }
    return fabs(out->clean.logit - out->changed.logit) >= TELLING ||
           error_set(error, ERROR_INPUT,
                     "Both texts give almost the same logit, %.4g and %.4g: a share of less than "
                     "%.2g is noise. Ask about words that they tell apart.",
                     out->clean.logit, out->changed.logit, TELLING);
}

bool why_patch_begin(const struct why_ablation *of, const struct model_run *changed,
                     enum why_patched what, struct why_patching *out, struct error *error)
{
    const struct model_config *const config = model_config(of->model);
    const size_t n = model_run_count(of->run);
    *out = (struct why_patching){.layers = config->layers,
                                 .places = what == WHY_RESIDUAL ? n : config->heads};
    if (n != model_run_count(changed)) {
        return error_set(error, ERROR_INPUT,
                         "The texts are of different lengths: %zu tokens and %zu; a part can be "
                         "taken from a text with as many tokens.",
                         n, model_run_count(changed));
    }
    if (!read_both(of, changed, what, out, error)) {
        why_patching_free(out);
        return false;
    }
    return true;
}

bool why_patch_layers(const struct why_ablation *of, const struct model_run *changed, size_t first,
                      size_t count, struct why_patching *out, struct error *error)
{
    const struct why_ablation base = question_of_changed(of, changed);
    const size_t from = first * out->places, all = count * out->places;
    struct why_state *const state = out->cells->state + from;
    struct why_state before;
    if (!why_ablate(&base, out->cells->list + from, all, &before, state, error)) {
        return false;
    }
    for (size_t c = 0; c < all; c++) {
        out->restored[from + c] =
            (state[c].logit - before.logit) / (out->clean.logit - out->changed.logit);
    }
    return true;
}

bool why_patch(const struct why_ablation *of, const struct model_run *changed,
               enum why_patched what, struct why_patching *out, struct error *error)
{
    if (!why_patch_begin(of, changed, what, out, error)) {
        return false;
    }
    if (!why_patch_layers(of, changed, 0, out->layers, out, error)) {
        why_patching_free(out);
        return false;
    }
    return true;
}

void why_patching_free(struct why_patching *patching)
{
    arena_free(&patching->arena);
    *patching = (struct why_patching){.layers = 0};
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Where a part reads or writes, in the order of computing. */
static size_t order_of(const struct model_config *config, const struct why_node *part)
{
    return 2 * part->layer + (part->node == MODEL_NODE_MLP && !config->parallel ? 1 : 0);
}

bool why_is_before(const struct model *model, const struct why_node *sender,
                   const struct why_node *receiver)
{
    const struct model_config *const config = model_config(model);
    return order_of(config, sender) < order_of(config, receiver);
}

/* The node that holds what a part adds to the stream. */
static struct why_node added_by(const struct why_node *part)
{
    return (struct why_node){part->node == MODEL_NODE_MLP ? MODEL_NODE_MLP : MODEL_NODE_ATTENTION,
                             part->layer, 0};
}

/* Returns what a part adds to a run's stream, [n][width]: its layer's sum less that without it. */
static float *read_part(const struct model_run *run, const struct model *model,
                        const struct why_node *part, struct arena *arena, struct error *error)
{
    const struct model_intervention off = {.node = part->node,
                                           .layer = part->layer,
                                           .head = part->head,
                                           .row = MODEL_EACH,
                                           .column = MODEL_EACH};
    const struct why_node added = added_by(part);
    const size_t floats = model_run_count(run) * model_config(model)->width;
    float *with = NULL, *without = NULL;
    if (!why_sources_read(run, model, model_no_interventions, &added, 1, arena, &with, error) ||
        !why_sources_read(run, model, (struct model_interventions){&off, 1}, &added, 1, arena,
                          &without, error)) {
        return NULL;
    }
    for (size_t i = 0; i < floats; i++) {
        with[i] -= without[i];
    }
    return with;
}

/* The node right before what the receiver reads. */
static struct why_node read_by(const struct model *model, const struct why_node *receiver)
{
    const bool mlp = receiver->node == MODEL_NODE_MLP && !model_config(model)->parallel;
    return (struct why_node){!mlp                      ? MODEL_NODE_RESIDUAL
                             : model_has_target(model) ? MODEL_NODE_CROSS
                                                       : MODEL_NODE_ATTENTION,
                             receiver->layer, 0};
}

/* Computes what the receiver gives for a stream that is changed by `change` [n][width]. */
static float *read_receiver(const struct why_ablation *of, const struct why_node *receiver,
                            const float *change, struct arena *arena, struct error *error)
{
    const struct why_node stream = read_by(of->model, receiver);
    const size_t n = model_run_count(of->run);
    const size_t floats = n * model_config(of->model)->width;
    float *values = NULL, *given = NULL;
    if (!why_sources_read(of->run, of->model, model_no_interventions, &stream, 1, arena, &values,
                          error)) {
        return NULL;
    }
    for (size_t i = 0; i < floats; i++) {
        values[i] += change[i];
    }
    const struct model_intervention read = {.node = stream.node,
                                            .by = MODEL_BY_SOURCE,
                                            .layer = stream.layer,
                                            .row = MODEL_EACH,
                                            .column = MODEL_EACH,
                                            .source = values,
                                            .source_rows = n};
    return why_sources_read(of->run, of->model, (struct model_interventions){&read, 1}, receiver, 1,
                            arena, &given, error)
               ? given
               : NULL;
}

static bool follow_path(const struct why_ablation *of, const struct model_run *other,
                        const struct why_node *sender, const struct why_node *receiver,
                        struct arena *arena, struct why_state *before, struct why_state *without,
                        struct error *error)
{
    const size_t n = model_run_count(of->run);
    const size_t floats = n * model_config(of->model)->width;
    float *const part = read_part(of->run, of->model, sender, arena, error);
    const float *const others =
        part == NULL || other == NULL ? NULL : read_part(other, of->model, sender, arena, error);
    if (part == NULL || (other != NULL && others == NULL)) {
        return false;
    }
    for (size_t i = 0; i < floats; i++) {
        part[i] = (others == NULL ? 0 : others[i]) - part[i];
    }
    const float *const given = read_receiver(of, receiver, part, arena, error);
    const struct model_intervention told = {.node = receiver->node,
                                            .by = MODEL_BY_SOURCE,
                                            .layer = receiver->layer,
                                            .head = receiver->head,
                                            .row = MODEL_EACH,
                                            .column = MODEL_EACH,
                                            .source = given,
                                            .source_rows = n};
    return given != NULL &&
           why_ablate(of, &(struct model_interventions){&told, 1}, 1, before, without, error);
}

bool why_path(const struct why_ablation *of, const struct model_run *other,
              const struct why_node *sender, const struct why_node *receiver,
              struct why_state *before, struct why_state *without, struct error *error)
{
    const struct model_config *const config = model_config(of->model);
    struct arena arena = {0};
    if (sender->layer >= config->layers || receiver->layer >= config->layers ||
        sender->head >= config->heads || receiver->head >= config->heads) {
        return error_set(
            error, ERROR_INPUT,
            "A path is between two parts of the model: it has %zu layers of %zu heads, "
            "counted from 0.",
            config->layers, config->heads);
    }
    if (!why_is_before(of->model, sender, receiver) && config->parallel) {
        return error_set(error, ERROR_INPUT,
                         "The sender of a path stands before its receiver: attention and MLP of a "
                         "layer read the same stream here, and tell later layers alone.");
    }
    if (!why_is_before(of->model, sender, receiver)) {
        return error_set(error, ERROR_INPUT,
                         "The sender of a path stands before its receiver: a head tells the MLP of "
                         "its layer and all later layers.");
    }
    const bool done = follow_path(of, other, sender, receiver, &arena, before, without, error);
    arena_free(&arena);
    return done;
}
