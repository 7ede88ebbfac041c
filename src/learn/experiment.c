/* learn/experiment.c — the weights of a layer in the form of the lab: a matrix [in][out] for each
 * head, whatever the form of the family. */
#include "learn/experiment.h"

#include "learn/graph.h"

/* The layer, and what all functions here need of it. */
struct layer {
    const struct learn_layer_view *view;
    const struct learn_shape *shape;
    struct learn_tensors tensors;
};

/* Makes a part of the lab, with a matrix for each head or one for all; heads that are off have rows
 * of 0 in W_O. NULL: this shape has none, which is no error, or no memory. */
static struct lab_numbers *make_part(struct layer *layer, enum lab_part part, struct error *error)
{
    const struct learn_shape *const shape = layer->shape;
    const struct learn_layer_view *const view = layer->view;
    const bool has_heads = lab_node_has_heads(part);
    const bool *const off = part == LAB_W_O && view->off != NULL ? view->off[view->layer] : NULL;
    struct learn_place place;
    struct lab_numbers *made = NULL;
    float *room = NULL;
    for (size_t head = 0; head < (has_heads ? shape->heads : 1); head++) {
        if (!learn_place_of(shape, &layer->tensors, part, view->layer, head, &place)) {
            return NULL;
        }
        const size_t count = place.rows * place.cols;
        if (head == 0) {
            made =
                lab_numbers_room(has_heads ? 3 : 2,
                                 has_heads ? (const size_t[3]){shape->heads, place.rows, place.cols}
                                           : (const size_t[3]){place.rows, place.cols, 1},
                                 &room, error);
        }
        for (size_t i = 0; made != NULL && i < count; i++) {
            const size_t row = i / place.cols, column = i % place.cols;
            const float *const from = view->weights + place.first;
            room[head * count + i] = off != NULL && off[row / shape->d_k]
                                         ? 0
                                         : from[row * place.row_step + column * place.column_step];
        }
    }
    return made;
}

/* Fills the experiment. It owns the numbers that were made even on failure. */
static bool fill_experiment(struct layer *layer, struct lab_experiment *experiment,
                            struct error *error)
{
    const struct learn_layer_view *const view = layer->view;
    const size_t count = learn_activations_count(view->sentence);
    const struct lab_matrix x = learn_activations_part(view->sentence, LEARN_X, view->layer, 0);
    experiment->tokens = lab_words_make(view->words, count, error);
    experiment->embeddings =
        lab_numbers_make(x.values, 2, (const size_t[3]){count, layer->shape->d_model, 1}, error);
    experiment->w_q = make_part(layer, LAB_W_Q, error);
    experiment->w_k = make_part(layer, LAB_W_K, error);
    experiment->w_v = make_part(layer, LAB_W_V, error);
    experiment->w_o = make_part(layer, LAB_W_O, error);
    experiment->b_q = make_part(layer, LAB_B_Q, error);
    experiment->b_k = make_part(layer, LAB_B_K, error);
    experiment->b_v = make_part(layer, LAB_B_V, error);
    experiment->b_o = make_part(layer, LAB_B_O, error);
    const bool has_biases = experiment->b_q != NULL && experiment->b_k != NULL &&
                            experiment->b_v != NULL && experiment->b_o != NULL;
    return experiment->tokens != NULL && experiment->embeddings != NULL &&
           experiment->w_q != NULL && experiment->w_k != NULL && experiment->w_v != NULL &&
           experiment->w_o != NULL && (has_biases || layer->shape->family != LEARN_GPT2);
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
        .smear = shape->smear,
        .mask = shape->causal ? LAB_MASK_CAUSAL : LAB_MASK_NONE,
    };
    const bool fine = fill_experiment(&layer, experiment, error);
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
