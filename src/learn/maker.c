/* learn/maker.c — see maker.h. */
#include "learn/maker.h"

#include <string.h>

#include "lab/experiment/params.h"
#include "learn/experiment.h"
#include "learn/signs.h"

void learn_maker_empty(struct lab_experiment *experiment)
{
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        if (param->type == LAB_TYPE_NUMBERS || param->type == LAB_TYPE_EDITS) {
            lab_param_release(param, experiment);
            *(const void **)lab_param_place(param, experiment) = NULL;
        }
    }
    const struct lab_words **const words[] = {&experiment->context, &experiment->axes,
                                              &experiment->key_axes, &experiment->value_axes};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        lab_words_release(*words[w]);
        *words[w] = NULL;
    }
    experiment->embedding = LAB_EMBEDDING_TOY;
    experiment->weights = LAB_WEIGHTS_IDENTITY;
    experiment->kind = LAB_MULTI_HEAD;
    experiment->flash_rows = experiment->flash_cols = 0;
}

void learn_maker_close(struct learn_maker *maker)
{
    learn_run_free(maker->run);
    arena_free(&maker->arena);
    *maker = (struct learn_maker){.run = NULL};
}

/* A run with these edits, each made at its step. */
static bool begin_run(struct learn_maker *maker, const struct lab_words *learned,
                      const struct lab_engine *engine, struct error *error)
{
    learn_maker_close(maker);
    if (!learn_learned_read(learned, &maker->arena, &maker->learned, error)) {
        return false;
    }
    maker->run = learn_run_make(&maker->learned.recipe, maker->learned.text, engine, error);
    bool done = maker->run != NULL;
    for (size_t e = 0; done && e < maker->learned.edits; e++) {
        const struct learn_edit *const edit = &maker->learned.edit[e];
        done = learn_run_go(maker->run, edit->step, NULL, error) &&
               learn_run_edit(maker->run, edit, error);
    }
    if (!done) {
        learn_maker_close(maker);
    }
    return done;
}

/* One word of the experiment as a token. */
static bool find_ids(const struct learn_data *data, const struct lab_words *tokens, int32_t *ids,
                     struct error *error)
{
    for (size_t w = 0; w < lab_words_count(tokens); w++) {
        const char *const word = lab_words_list(tokens)[w];
        const size_t id = learn_token_of(data, word);
        if (id == SIZE_MAX) {
            return error_set(error, ERROR_INPUT,
                             "“%.40s” is none of the %zu words that are learned here.", word,
                             learn_data_vocabulary(data));
        }
        ids[w] = (int32_t)id;
    }
    return true;
}

void learn_maker_take(struct lab_experiment *experiment, struct lab_experiment *made)
{
    const struct lab_edits *const edits = experiment->edits;
    experiment->edits = NULL;
    learn_maker_empty(experiment);
    experiment->edits = edits;
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        if (param->type == LAB_TYPE_NUMBERS) {
            const void **const from = lab_param_place(param, made);
            *(const void **)lab_param_place(param, experiment) = *from;
            *from = NULL;
        }
    }
    experiment->embedding = made->embedding;
    experiment->weights = made->weights;
    experiment->d_model = made->d_model;
    experiment->d_k = made->d_k;
    experiment->d_v = made->d_v;
    experiment->heads = made->heads;
    experiment->positions = made->positions;
    experiment->rope_theta = made->rope_theta;
    experiment->rope_pairs = made->rope_pairs;
    experiment->rope_share = made->rope_share;
    experiment->scale = made->scale;
    experiment->mask = made->mask;
    lab_experiment_release(made);
}

static bool make(struct learn_maker *maker, struct lab_experiment *experiment, struct error *error)
{
    const struct learn_shape *const shape = &learn_run_recipe(maker->run)->shape;
    const float *const weights = learn_run_weights(maker->run);
    const size_t count = lab_words_count(experiment->tokens);
    struct learn_sentence *sentence = NULL;
    struct lab_experiment made;
    struct arena arena = {0};
    int32_t *const ids = arena_array(&arena, count + 1, sizeof *ids);
    if (ids != NULL && find_ids(learn_run_data(maker->run), experiment->tokens, ids, error)) {
        sentence =
            learn_sentence_make(learn_run_network(maker->run), weights, ids, NULL, count, error);
    }
    const struct learn_layer_view view = {
        .sentence = sentence,
        .weights = weights,
        .words = lab_words_list(experiment->tokens),
        .layer = experiment->layer < shape->layers ? experiment->layer : 0};
    const bool done = sentence != NULL && learn_experiment(&view, &made, error);
    if (done) {
        learn_maker_take(experiment, &made);
        experiment->layers = shape->layers;
    }
    learn_sentence_free(sentence);
    arena_free(&arena);
    return done;
}

bool learn_maker_fill(struct learn_maker *maker, struct lab_experiment *experiment,
                      const struct lab_engine *engine, struct error *error)
{
    if (experiment->learned == NULL || experiment->embeddings != NULL ||
        lab_words_count(experiment->tokens) == 0) {
        return true;
    }
    struct arena arena = {0};
    struct learn_learned *const wanted = arena_array(&arena, 1, sizeof *wanted);
    bool done = wanted != NULL && learn_learned_read(experiment->learned, &arena, wanted, error);
    if (done && (maker->run == NULL || !learn_learned_same_run(wanted, &maker->learned))) {
        done = begin_run(maker, experiment->learned, engine, error);
    }
    done = done && learn_run_go(maker->run, wanted->step, NULL, error) &&
           make(maker, experiment, error);
    arena_free(&arena);
    return done;
}
