/* model/direct.c — directions of the residual stream: from a word back to what added to it. */
#include "model/direct.h"

#include <math.h>

#include "model/model_internal.h"

enum { COLUMNS = 64 }; /* of W_O that are copied at once */

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

bool model_stream_is_sum(const struct model *model, struct error *error)
{
    static const enum model_norm_place behind[] = {MODEL_NORM_ATTN_AFTER, MODEL_NORM_CROSS_AFTER,
                                                   MODEL_NORM_MLP_AFTER};
    const char *const title = model->config.family->title;
    if (!model_has_logits(model)) {
        return error_set(error, ERROR_INPUT, "The model has no weights that give next words.");
    }
    for (size_t l = 0; l < model->main.count; l++) {
        for (size_t b = 0; b < sizeof behind / sizeof *behind; b++) {
            if (model->main.layer[l].norm[behind[b]].gain != NULL) {
                return error_set(
                    error, ERROR_INPUT,
                    "%s norms the stream behind each sum, so that a word is no sum of "
                    "parts; on the command line attnscope ablate, patch and heads work with it.",
                    title);
            }
        }
    }
    return model->head_dense.tensor == NULL ||
           error_set(
               error, ERROR_INPUT,
               "%s has another layer between its stream and its words, so that a word is no "
               "sum of parts; on the command line attnscope ablate, patch and heads work with it.",
               title);
}

/* How a direction reads what stands before a norm whose root is that of x [width]: in place; and
 * what its bias gives. */
static double read_through_norm(const struct model_config *config, const struct model_norm *norm,
                                const float *x, double *direction)
{
    const size_t width = config->width;
    const bool centred = config->family->norm == MODEL_LAYER_NORM;
    double mean = 0, squares = 0, bias = 0, of_mean = 0;
    for (size_t c = 0; centred && c < width; c++) {
        mean += (double)x[c] / (double)width;
    }
    for (size_t c = 0; c < width; c++) {
        squares += ((double)x[c] - mean) * ((double)x[c] - mean) / (double)width;
    }
    const double root = sqrt(squares + (double)config->epsilon);
    for (size_t c = 0; c < width; c++) {
        bias += norm->bias == NULL ? 0 : (double)norm->bias[c] * direction[c];
        direction[c] *= (double)norm->gain[c] / root;
        of_mean += direction[c] / (double)width;
    }
    for (size_t c = 0; centred && c < width; c++) {
        direction[c] -= of_mean;
    }
    return bias;
}

/* The column of W_U, before the words' own numbers where these are fewer. */
static bool read_word(const struct model *model, uint32_t word, struct arena *arena,
                      double *direction)
{
    const size_t width = model->config.width, numbers = model->output.depth;
    const bool narrow = model->embed_out.tensor != NULL;
    float *const column = arena_array(arena, numbers, sizeof *column);
    float *const out = narrow ? arena_array(arena, width, numbers * sizeof *out) : column;
    if (column == NULL || out == NULL) {
        return false;
    }
    model_matrix_columns(&model->output, word, 1, column);
    if (narrow) {
        model_matrix_columns(&model->embed_out, 0, numbers, out);
    }
    for (size_t c = 0; c < width; c++) {
        direction[c] = narrow ? 0 : (double)column[c];
        for (size_t e = 0; narrow && e < numbers; e++) {
            direction[c] += (double)out[c * numbers + e] * (double)column[e];
        }
    }
    return true;
}

bool model_direction_of(const struct model *model, const float *x, uint32_t word,
                        struct arena *arena, struct model_direction *out, struct error *error)
{
    const struct model_config *const config = &model->config;
    const size_t width = config->width;
    *out = (struct model_direction){.of_stream = arena_array(arena, width, sizeof *out->of_stream)};
    if (out->of_stream == NULL || !read_word(model, word, arena, out->of_stream)) {
        return no_memory(error);
    }
    for (size_t c = 0; c < width; c++) {
        out->of_stream[c] *= (double)config->logit_scale;
    }
    if (model->main.final_norm.gain != NULL) {
        out->norm_bias = read_through_norm(config, &model->main.final_norm, x, out->of_stream);
    }
    out->output_bias = model->output.bias == NULL ? 0 : (double)model->output.bias[word];
    return true;
}

bool model_direction_of_heads(const struct model *model, size_t layer, const double *direction,
                              const float *output, double *of_heads, double *bias,
                              struct error *error)
{
    const struct model_config *const config = &model->config;
    const struct model_layer *const l = &model->main.layer[layer];
    const struct model_matrix *const w = &l->matrix[MODEL_M_O];
    struct arena arena = {0};
    double *const own = arena_array(&arena, config->width, sizeof *own);
    float *const columns = arena_array(&arena, w->depth, COLUMNS * sizeof *columns);
    if (own == NULL || columns == NULL) {
        arena_free(&arena);
        return no_memory(error);
    }
    for (size_t c = 0; c < config->width; c++) {
        own[c] = direction[c];
    }
    *bias = l->norm[MODEL_NORM_ATTN_POST].gain == NULL
                ? 0
                : read_through_norm(config, &l->norm[MODEL_NORM_ATTN_POST], output, own);
    for (size_t k = 0; k < w->depth; k++) {
        of_heads[k] = 0;
    }
    for (size_t first = 0; first < config->width; first += COLUMNS) {
        const size_t rest = config->width - first, cols = rest < COLUMNS ? rest : COLUMNS;
        model_matrix_columns(w, first, cols, columns);
        for (size_t c = 0; c < cols; c++) {
            *bias += w->bias == NULL ? 0 : (double)w->bias[first + c] * own[first + c];
            for (size_t k = 0; k < w->depth; k++) {
                of_heads[k] += (double)columns[k * cols + c] * own[first + c];
            }
        }
    }
    arena_free(&arena);
    return true;
}
