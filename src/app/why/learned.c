/* Weights that learn here as a model that can be asked: those of the moment that stands on the
 * stages, with the heads that are off there. */
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn.h"
#include "app/why/why_internal.h"
#include "base/translate.h"
#include "learn/checkpoint.h"

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

void why_learned_forget(struct why_learned *learned)
{
    model_close(learned->model);
    learn_snapshot_release(learned->moment);
    arena_free(&learned->arena);
    arena_free(&learned->words);
    *learned = (struct why_learned){.model = NULL};
}

static struct model *open_moment(const struct app_learn_moment *now, struct error *error)
{
    const struct learn_model saved = learn_model_of_snapshot(now->snapshot);
    struct arena arena = {0};
    struct model_in_memory stored = {.words = now->words};
    struct model *const model =
        learn_model_store(&saved, &arena, &stored.config, &stored.tensors, error)
            ? model_open_memory(&stored, error)
            : NULL;
    arena_free(&arena);
    return model;
}

/* Lists the heads that are off. */
static bool list_off(struct why_learned *learned, struct error *error)
{
    const struct learn_shape *const shape = &learned->moment->recipe->shape;
    struct model_intervention *const off =
        arena_array(&learned->arena, shape->layers * shape->heads, sizeof *off);
    learned->off = off;
    learned->offs = 0;
    for (size_t place = 0; off != NULL && place < shape->layers * shape->heads; place++) {
        const size_t layer = place / shape->heads, head = place % shape->heads;
        if (learned->moment->head_off[layer][head]) {
            off[learned->offs++] = model_head_off(layer, head);
        }
    }
    return off != NULL || no_memory(error);
}

/* Holds another moment, which becomes the model. */
static bool take_moment(struct why_learned *learned, const struct app_learn_moment *now,
                        struct error *error)
{
    why_learned_forget(learned);
    learned->model = open_moment(now, error);
    if (learned->model == NULL) {
        return false;
    }
    learned->moment = learn_snapshot_keep(now->snapshot);
    learned->source = now->source;
    learned->branch = now->branch;
    return list_off(learned, error);
}

bool why_learned_text(struct app_state *state, struct why_learned *learned, bool is_asking,
                      struct app_open_model_text *text, struct error *error)
{
    struct app_learn_moment now;
    if (!app_learn_moment(state, &now)) {
        return false;
    }
    const bool is_same_run =
        learned->model != NULL && learned->source == now.source && learned->branch == now.branch;
    if (learned->moment != now.snapshot &&
        !(is_same_run && is_asking && app_learn_is_training(state)) &&
        !take_moment(learned, &now, error)) {
        why_learned_forget(learned);
        return false;
    }
    arena_reset(&learned->words);
    uint32_t *const ids = arena_array(&learned->words, now.count + 1, sizeof *ids);
    for (size_t i = 0; ids != NULL && i < now.count; i++) {
        ids[i] = (uint32_t)now.tokens[i];
    }
    struct model_intervention *const change =
        arena_array(&learned->words, learned->offs + LEARN_CHANGES_MAX, sizeof *change);
    size_t changes = learned->offs;
    if (change != NULL) {
        memcpy(change, learned->off, learned->offs * sizeof *change);
        changes += why_learned_changes(state, model_config(learned->model), now.count,
                                       &learned->words, change + learned->offs);
    }
    *text = (struct app_open_model_text){.model = learned->model,
                                         .number = learned->source,
                                         .ids = ids,
                                         .change = change,
                                         .changes = changes,
                                         .offs = learned->offs,
                                         .count = now.count,
                                         .position = now.position};
    return (ids != NULL && change != NULL) || no_memory(error);
}

const char *why_learned_refuse(const struct app_state *state)
{
    const struct view_state *const view = &state->view;
    return view->guess == LAB_GUESS_NEXT && !view->revealed
               ? "The next word is to be guessed here: reveal it first."
               : app_learn_lacks_next(state);
}
