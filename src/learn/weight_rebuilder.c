/* learn/weight_rebuilder.c — see weight_rebuilder.h. */
#include "learn/weight_rebuilder.h"

#include <string.h>

#include "lab/experiment/params.h"
#include "learn/cost.h"
#include "learn/experiment.h"
#include "learn/pass.h"
#include "learn/symbol_tokens.h"

void learn_weight_rebuilder_empty(struct lab_experiment *experiment)
{
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        if (param->type == LAB_TYPE_NUMBERS || param->type == LAB_TYPE_EDITS ||
            param->type == LAB_TYPE_WORDS) {
            lab_param_release(param, experiment);
            *(const void **)lab_param_place(param, experiment) = NULL;
        }
    }
    experiment->embedding = LAB_EMBEDDING_TOY;
    experiment->weights = LAB_WEIGHTS_IDENTITY;
    experiment->kind = LAB_MULTI_HEAD;
    experiment->flash_rows = experiment->flash_cols = 0;
}

void learn_weight_rebuilder_close(struct learn_weight_rebuilder *rebuilder)
{
    learn_run_free(rebuilder->run);
    lab_training_release(rebuilder->learned.held);
    *rebuilder = (struct learn_weight_rebuilder){.trains_anyway = rebuilder->trains_anyway,
                                                 .trains_nothing = rebuilder->trains_nothing,
                                                 .saved = rebuilder->saved,
                                                 .unused = rebuilder->unused};
}

/* Finds the tokens of the experiment's words. */
static bool find_ids(const struct learn_data *data, const struct learn_shape *shape,
                     const struct lab_words *tokens, int32_t *ids, struct error *error)
{
    const size_t count = lab_words_count(tokens);
    for (size_t w = 0; w < count; w++) {
        const char *const word = lab_words_list(tokens)[w];
        const size_t id = learn_token_of(data, word);
        if (id == SIZE_MAX) {
            return error_set(error, ERROR_INPUT,
                             "“%.40s” is none of the %zu words that are learned here.", word,
                             learn_data_vocabulary(data));
        }
        ids[w] = (int32_t)id;
    }
    return learn_batch_check(
        shape, &(struct learn_batch){.sequences = 1, .length = count, .tokens = ids}, error);
}

/* Checks before any training that everything can be made, and is allowed. is_near: the weights are
 * there without training. */
static bool check_request(const struct learn_weight_rebuilder *rebuilder,
                          const struct learn_recipe *recipe, const struct learn_data *data,
                          const struct learn_learned *wanted, const struct lab_words *tokens,
                          bool is_near, struct error *error)
{
    struct arena arena = {0};
    int32_t *const ids = arena_array(&arena, lab_words_count(tokens) + 1, sizeof *ids);
    bool done = ids != NULL ? find_ids(data, &recipe->shape, tokens, ids, error)
                            : error_set(error, ERROR_MEMORY, "There is not enough memory.");
    for (size_t e = 0; done && e < wanted->edits; e++) {
        done = learn_edit_check(&wanted->edit[e], recipe, error);
    }
    if (done && !rebuilder->trains_anyway) {
        const struct learn_cost cost =
            is_near ? learn_cost_of_near(recipe) : learn_cost_of(recipe, wanted);
        done = rebuilder->trains_nothing && cost.steps > 0
                   ? error_set(error, ERROR_INPUT, "These weights would have to be trained.")
                   : learn_cost_check(&cost, error);
    }
    arena_free(&arena);
    return done;
}

/* Reads the weights that were saved, into the arena. NULL: there are none, or they are not used. */
static const float *read_saved(struct learn_weight_rebuilder *rebuilder,
                               const struct learn_recipe *recipe,
                               const struct learn_learned *wanted, struct arena *arena)
{
    rebuilder->unused = (struct error){ERROR_NONE, 0, ""};
    return rebuilder->saved.folder == NULL
               ? NULL
               : learn_saved_read(&rebuilder->saved, recipe, wanted, arena, &rebuilder->unused);
}

/* The beginning of a run. Own text is cut once, for the check and for the run. */
struct beginning {
    struct learn_data *cut; /* NULL: it is no own text */
    struct arena arena;     /* of the weights */
    const float *weights;   /* those of the step that were saved; NULL: they are to be trained */
};

static bool check_new(struct learn_weight_rebuilder *rebuilder, const struct learn_learned *wanted,
                      const struct lab_words *tokens, struct beginning *begin, struct error *error)
{
    struct learn_recipe recipe = wanted->recipe;
    if (recipe.task == LEARN_TASK_TEXT) {
        begin->cut = learn_data_cut(wanted->text, recipe.units, NULL, NULL, error);
        if (begin->cut == NULL) {
            return false;
        }
    }
    struct learn_data *const data = learn_recipe_data_of(&recipe, begin->cut, error);
    bool done = data != NULL;
    if (done) {
        learn_recipe_fit(&recipe, data);
        done = learn_recipe_check(&recipe, error);
    }
    if (done) {
        begin->weights = read_saved(rebuilder, &recipe, wanted, &begin->arena);
        done =
            check_request(rebuilder, &recipe, data, wanted, tokens, begin->weights != NULL, error);
    }
    learn_data_release(data);
    return done;
}

/* Makes a run with these edits, each at its step, or (weights not NULL) at weights behind them;
 * texts of edits are cut before the first. */
static bool replay_edits(struct learn_weight_rebuilder *rebuilder, const float *weights,
                         struct error *error)
{
    struct learn_data *cuts[LEARN_EDITS_MAX] = {NULL};
    bool done = true;
    for (size_t e = 0; done && e < rebuilder->learned.edits; e++) {
        struct learn_edit *const edit = &rebuilder->learned.edit[e];
        if (edit->kind == LEARN_EDIT_TEXT) {
            cuts[e] = learn_data_cut(edit->text, LEARN_UNITS_AUTO, learn_run_data(rebuilder->run),
                                     NULL, error);
            done = cuts[e] != NULL;
            edit->cut = cuts[e];
        }
    }
    if (done && weights != NULL) {
        done = learn_run_know(rebuilder->run, rebuilder->learned.edit, rebuilder->learned.edits,
                              rebuilder->learned.step, weights, error);
    }
    for (size_t e = 0; done && weights == NULL && e < rebuilder->learned.edits; e++) {
        const struct learn_edit *const edit = &rebuilder->learned.edit[e];
        done = learn_run_go(rebuilder->run, edit->step, NULL, error) &&
               learn_run_edit(rebuilder->run, edit, error);
    }
    for (size_t e = 0; e < rebuilder->learned.edits; e++) {
        rebuilder->learned.edit[e].cut = NULL;
        learn_data_release(cuts[e]);
    }
    return done;
}

static bool begin_run(struct learn_weight_rebuilder *rebuilder, const struct learn_learned *wanted,
                      const struct lab_words *tokens, const struct lab_engine *engine,
                      struct error *error)
{
    struct beginning begin = {.cut = NULL};
    bool done = check_new(rebuilder, wanted, tokens, &begin, error);
    if (done) {
        learn_weight_rebuilder_close(rebuilder);
        rebuilder->learned = *wanted;
        (void)lab_training_keep(wanted->held);
        rebuilder->run = learn_run_make_of(&rebuilder->learned.recipe, begin.cut, engine, error);
        done = rebuilder->run != NULL;
    }
    if (done) {
        learn_run_keep_at_most(rebuilder->run, LEARN_KEPT_BYTES);
        done = replay_edits(rebuilder, begin.weights, error);
    }
    rebuilder->used =
        begin.weights != NULL ? rebuilder->saved : (struct learn_saved){.folder = NULL};
    learn_data_release(begin.cut);
    arena_free(&begin.arena);
    if (!done) {
        learn_weight_rebuilder_close(rebuilder);
    }
    return done;
}

void learn_weight_rebuilder_take(struct lab_experiment *experiment, struct lab_experiment *made)
{
    const struct lab_edits *const edits = experiment->edits;
    experiment->edits = NULL;
    learn_weight_rebuilder_empty(experiment);
    experiment->edits = edits;
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        if (param->type == LAB_TYPE_NUMBERS) {
            const void **const from = lab_param_place(param, made);
            *(const void **)lab_param_place(param, experiment) = *from;
            *from = NULL;
        } else if (param->made != LAB_MADE_NOT) {
            lab_param_put(param, experiment, lab_param_get(param, made));
        }
    }
    lab_experiment_release(made);
}

struct learn_activations *
learn_weight_rebuilder_read(const struct learn_weight_rebuilder *rebuilder,
                            const struct lab_words *tokens, struct error *error)
{
    const size_t count = lab_words_count(tokens);
    struct learn_activations *sentence = NULL;
    struct arena arena = {0};
    int32_t *const ids = arena_array(&arena, count + 1, sizeof *ids);
    if (ids == NULL) {
        (void)error_set(error, ERROR_MEMORY, "There is not enough memory.");
    } else if (find_ids(learn_run_data(rebuilder->run), &learn_run_recipe(rebuilder->run)->shape,
                        tokens, ids, error)) {
        sentence =
            learn_activations_make(learn_run_network(rebuilder->run),
                                   learn_run_weights(rebuilder->run), ids, NULL, count, error);
    }
    arena_free(&arena);
    return sentence;
}

static bool make_experiment(struct learn_weight_rebuilder *rebuilder,
                            struct lab_experiment *experiment, struct error *error)
{
    const struct learn_shape *const shape = &learn_run_recipe(rebuilder->run)->shape;
    struct learn_activations *const sentence =
        learn_weight_rebuilder_read(rebuilder, experiment->tokens, error);
    struct lab_experiment made;
    const struct learn_layer_view view = {
        .sentence = sentence,
        .weights = learn_run_weights(rebuilder->run),
        .words = lab_words_list(experiment->tokens),
        .layer = experiment->layer < shape->layers ? experiment->layer : 0};
    const bool done = sentence != NULL && learn_experiment(&view, &made, error);
    if (done) {
        learn_weight_rebuilder_take(experiment, &made);
        experiment->layers = shape->layers;
    }
    learn_activations_free(sentence);
    return done;
}

bool learn_weight_rebuilder_fill(struct learn_weight_rebuilder *rebuilder,
                                 struct lab_experiment *experiment, const struct lab_engine *engine,
                                 struct error *error)
{
    if (experiment->learned == NULL || experiment->embeddings != NULL ||
        lab_words_count(experiment->tokens) == 0) {
        return true;
    }
    const struct learn_learned *const wanted = learn_training_read(&experiment->learned, error);
    bool done = wanted != NULL;
    if (done && (rebuilder->run == NULL || !learn_learned_same_run(wanted, &rebuilder->learned))) {
        done = begin_run(rebuilder, wanted, experiment->tokens, engine, error);
    } else if (done) {
        done = check_request(rebuilder, learn_run_recipe(rebuilder->run),
                             learn_run_data(rebuilder->run), wanted, experiment->tokens,
                             learn_run_is_near(rebuilder->run, wanted->step), error);
    }
    return done && learn_run_go(rebuilder->run, wanted->step, NULL, error) &&
           make_experiment(rebuilder, experiment, error);
}
