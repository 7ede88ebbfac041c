/* learn/experiment.c — the weights of a layer in the form of the lab: a matrix [in][out] for each
 * head, whatever the form of the family. */
#include "learn/experiment.h"

#include <string.h>

#include "base/arena.h"

/* The layer, and what all functions here need of it. */
struct layer {
    const struct learn_layer_view *view;
    const struct learn_shape *shape;
    struct learn_tensors tensors;
    struct arena arena;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this layer.");
}

/* Returns the values of a role; NULL: this shape has none. */
static const float *values_of(const struct layer *layer, enum learn_role role)
{
    const struct learn_tensor *const tensor =
        learn_tensors_find(&layer->tensors, role, layer->view->layer);
    return tensor == NULL ? NULL : layer->view->weights + tensor->offset;
}

static float *allocate_floats(struct layer *layer, size_t count, struct error *error)
{
    float *const values = arena_array(&layer->arena, count, sizeof *values);
    if (values == NULL) {
        (void)no_memory(error);
    }
    return values;
}

static struct lab_numbers *make_numbers(const float *values, size_t matrices, size_t rows,
                                        size_t cols, struct error *error)
{
    if (values == NULL) {
        return NULL;
    }
    return lab_numbers_make(values, matrices == 0 ? 2 : 3,
                            matrices == 0 ? (const size_t[3]){rows, cols, 1}
                                          : (const size_t[3]){matrices, rows, cols},
                            error);
}

/* Makes W_Q (which 0), W_K or W_V: [heads][d][d_k]. */
static struct lab_numbers *make_projection(struct layer *layer, size_t which, struct error *error)
{
    const size_t d = layer->shape->d_model, d_k = layer->shape->d_k, heads = layer->shape->heads;
    const bool gpt2 = layer->shape->family == LEARN_GPT2;
    const float *const all = values_of(layer, gpt2 ? LEARN_QKV : LEARN_W_Q);
    float *const values = allocate_floats(layer, heads * d * d_k, error);
    for (size_t i = 0; values != NULL && i < heads * d * d_k; i++) {
        const size_t head = i / (d * d_k), row = i / d_k % d, col = i % d_k;
        const size_t out = which * heads * d_k + head * d_k + col;
        values[i] = gpt2 ? all[row * 3 * heads * d_k + out] : all[out * d + row];
    }
    return make_numbers(values, heads, d, d_k, error);
}

/* Makes W_O: [heads · d_k][d]. */
static struct lab_numbers *make_output(struct layer *layer, struct error *error)
{
    const size_t d = layer->shape->d_model, d_k = layer->shape->d_k;
    const size_t rows = layer->shape->heads * d_k;
    const bool gpt2 = layer->shape->family == LEARN_GPT2;
    const float *const all = values_of(layer, LEARN_W_O);
    float *const values = allocate_floats(layer, rows * d, error);
    for (size_t i = 0; values != NULL && i < rows * d; i++) {
        const size_t row = i / d, col = i % d;
        const bool off =
            layer->view->off != NULL && layer->view->off[layer->view->layer][row / d_k];
        values[i] = off ? 0 : gpt2 ? all[i] : all[col * rows + row];
    }
    return make_numbers(values, 0, rows, d, error);
}

static bool fill_biases(struct layer *layer, struct lab_experiment *experiment, struct error *error)
{
    const size_t d_k = layer->shape->d_k, heads = layer->shape->heads;
    const float *const all = values_of(layer, LEARN_QKV_BIAS);
    if (all == NULL) {
        return true;
    }
    experiment->b_q = make_numbers(all, heads, 1, d_k, error);
    experiment->b_k = make_numbers(all + heads * d_k, heads, 1, d_k, error);
    experiment->b_v = make_numbers(all + 2 * heads * d_k, heads, 1, d_k, error);
    experiment->b_o =
        make_numbers(values_of(layer, LEARN_O_BIAS), 0, 1, layer->shape->d_model, error);
    return experiment->b_q != NULL && experiment->b_k != NULL && experiment->b_v != NULL &&
           experiment->b_o != NULL;
}

/* Fills the experiment. It owns the numbers that were made even on failure. */
static bool fill_experiment(struct layer *layer, struct lab_experiment *experiment,
                            struct error *error)
{
    const struct learn_layer_view *const view = layer->view;
    const size_t count = learn_activations_count(view->sentence);
    const struct lab_matrix x = learn_activations_part(view->sentence, LEARN_X, view->layer, 0);
    experiment->tokens = lab_words_make(view->words, count, error);
    experiment->embeddings = make_numbers(x.values, 0, count, layer->shape->d_model, error);
    experiment->w_q = make_projection(layer, 0, error);
    experiment->w_k = make_projection(layer, 1, error);
    experiment->w_v = make_projection(layer, 2, error);
    experiment->w_o = make_output(layer, error);
    return experiment->tokens != NULL && experiment->embeddings != NULL &&
           experiment->w_q != NULL && experiment->w_k != NULL && experiment->w_v != NULL &&
           experiment->w_o != NULL && fill_biases(layer, experiment, error);
}

bool learn_experiment(const struct learn_layer_view *view, struct lab_experiment *experiment,
                      struct error *error)
{
    const struct learn_shape *const shape = learn_activations_shape(view->sentence);
    const bool llama = shape->family == LEARN_LLAMA;
    struct layer layer = {.view = view, .shape = shape};
    learn_tensors_list(shape, &layer.tensors);
    *experiment = (struct lab_experiment){
        .embedding = LAB_EMBEDDING_NUMBERS,
        .weights = LAB_WEIGHTS_NUMBERS,
        .layer = view->layer,
        .layers = shape->layers,
        .d_model = shape->d_model,
        .heads = shape->heads,
        .d_k = shape->d_k,
        .d_v = shape->d_k,
        .scale = true,
        .temperature = 1,
        .positions = llama ? LAB_POSITIONS_ROPE : LAB_POSITIONS_NONE,
        .rope_theta = llama ? shape->theta : 0,
        .rope_pairs = llama ? LAB_PAIRS_HALVES : LAB_PAIRS_NEIGHBOURS,
        .mask = shape->causal ? LAB_MASK_CAUSAL : LAB_MASK_NONE,
    };
    const bool fine = fill_experiment(&layer, experiment, error);
    arena_free(&layer.arena);
    if (!fine) {
        lab_experiment_release(experiment);
    }
    return fine;
}

struct lab_trace *learn_trace(const struct learn_layer_view *view, const struct lab_engine *engine,
                              struct error *error)
{
    struct lab_experiment experiment;
    if (!learn_experiment(view, &experiment, error)) {
        return NULL;
    }
    struct lab_trace *const trace = lab_run(&experiment, engine, error);
    lab_experiment_release(&experiment);
    return trace;
}
