/* model/model_trace.c — a layer of a model as an experiment: the model's own numbers in the lab. */
#include <string.h>

#include "lab/run/trace.h"
#include "model/model_internal.h"

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this layer.");
}

static const struct lab_words *words_of(const struct model_run *run, struct arena *arena,
                                        struct error *error)
{
    const char **const word = arena_array(arena, run->count, sizeof *word);
    for (size_t i = 0; word != NULL && i < run->count; i++) {
        word[i] = tokenizer_shown(run->model->tokenizer, run->ids[i], arena);
        if (word[i] == NULL) {
            no_memory(error);
            return NULL;
        }
    }
    if (word == NULL) {
        no_memory(error);
        return NULL;
    }
    return lab_words_make(word, run->count, error);
}

static struct lab_numbers *numbers(const float *values, size_t matrices, size_t rows, size_t cols,
                                   struct error *error)
{
    return lab_numbers_make(values, matrices == 0 ? 2 : 3,
                            matrices == 0 ? (const size_t[3]){rows, cols, 1}
                                          : (const size_t[3]){matrices, rows, cols},
                            error);
}

/* W_Q, W_K or W_V: the columns of each head from c_attn, one matrix behind the other. */
static struct lab_numbers *projection(const struct model *model, size_t layer, size_t which,
                                      struct arena *arena, struct error *error)
{
    const size_t width = model->config.width, heads = model->config.heads, d_k = width / heads;
    const struct array *const c_attn = model->layers[layer].matrix[MODEL_C_ATTN];
    float *const values = arena_array(arena, width * width, sizeof *values);
    if (values == NULL) {
        no_memory(error);
        return NULL;
    }
    for (size_t h = 0; h < heads; h++) {
        for (size_t row = 0; row < width; row++) {
            array_copy_floats(c_attn, row * 3 * width + which * width + h * d_k, d_k,
                              values + (h * width + row) * d_k);
        }
    }
    return numbers(values, heads, width, d_k, error);
}

/* W_O. A head that is switched off adds nothing: its rows are 0. */
static struct lab_numbers *output(const struct model_run *run, size_t layer, struct arena *arena,
                                  struct error *error)
{
    const struct model_config *const config = &run->model->config;
    const size_t width = config->width, head_floats = width / config->heads * width;
    float *const values =
        array_floats(run->model->layers[layer].matrix[MODEL_C_PROJ], arena, error);
    if (values == NULL) {
        return NULL;
    }
    for (size_t h = 0; h < config->heads; h++) {
        if (run->off[layer * config->heads + h]) {
            memset(values + h * head_floats, 0, head_floats * sizeof *values);
        }
    }
    return numbers(values, 0, width, width, error);
}

static struct lab_numbers *seen_by_heads(const struct model_run *run, size_t layer,
                                         struct arena *arena, struct error *error)
{
    const struct model_config *const config = &run->model->config;
    const float *const *const vector = run->model->layers[layer].vector;
    float *const normed = arena_array(arena, run->count * config->width, sizeof *normed);
    if (normed == NULL) {
        no_memory(error);
        return NULL;
    }
    const struct attn_operand x = {run->residual[layer], run->count, config->width, config->width};
    model_layer_norm(&run->means, config->epsilon, vector[MODEL_LN_1_WEIGHT],
                     vector[MODEL_LN_1_BIAS], x, normed);
    return numbers(normed, 0, run->count, config->width, error);
}

/* The numbers of an experiment; those that were made are its own, whatever happens. */
static bool fill(const struct model_run *run, size_t layer, struct arena *arena,
                 struct lab_experiment *experiment, struct error *error)
{
    const struct model *const model = run->model;
    const size_t width = model->config.width, heads = model->config.heads, d_k = width / heads;
    const float *const *const vector = model->layers[layer].vector;
    const float *const c_attn_bias = vector[MODEL_C_ATTN_BIAS];
    if (!model_tensors_whole(model, error)) {
        return false;
    }
    experiment->tokens = words_of(run, arena, error);
    experiment->embeddings = seen_by_heads(run, layer, arena, error);
    experiment->w_q = projection(model, layer, 0, arena, error);
    experiment->w_k = projection(model, layer, 1, arena, error);
    experiment->w_v = projection(model, layer, 2, arena, error);
    experiment->w_o = output(run, layer, arena, error);
    experiment->b_q = numbers(c_attn_bias, heads, 1, d_k, error);
    experiment->b_k = numbers(c_attn_bias + width, heads, 1, d_k, error);
    experiment->b_v = numbers(c_attn_bias + 2 * width, heads, 1, d_k, error);
    experiment->b_o = numbers(vector[MODEL_C_PROJ_BIAS], 0, 1, width, error);
    return experiment->tokens != NULL && experiment->embeddings != NULL &&
           experiment->w_q != NULL && experiment->w_k != NULL && experiment->w_v != NULL &&
           experiment->w_o != NULL && experiment->b_q != NULL && experiment->b_k != NULL &&
           experiment->b_v != NULL && experiment->b_o != NULL;
}

bool model_experiment(const struct model_run *run, size_t layer, struct lab_experiment *experiment,
                      struct error *error)
{
    const struct model_config *const config = &run->model->config;
    struct arena arena = {0};
    *experiment = (struct lab_experiment){
        .embedding = LAB_EMBEDDING_NUMBERS,
        .weights = LAB_WEIGHTS_NUMBERS,
        .d_model = config->width,
        .heads = config->heads,
        .d_k = config->width / config->heads,
        .d_v = config->width / config->heads,
        .scale = config->scale,
        .temperature = config->scale_by_layer ? (float)(layer + 1) : 1.0F,
        .mask = LAB_MASK_CAUSAL,
    };
    const bool fine = fill(run, layer, &arena, experiment, error);
    arena_free(&arena);
    if (!fine) {
        lab_experiment_release(experiment);
    }
    return fine;
}

struct lab_trace *model_trace(const struct model_run *run, size_t layer, struct error *error)
{
    struct lab_experiment experiment;
    if (!model_experiment(run, layer, &experiment, error)) {
        return NULL;
    }
    const struct lab_engine engine = {run->means.kernels, run->means.pool};
    struct lab_trace *const trace = lab_run(&experiment, &engine, error);
    lab_experiment_release(&experiment);
    return trace;
}
