/* model/circuit.c — weights with the gains of the norms around them. */
#include "model/circuit.h"

#include <math.h>
#include <string.h>

#include "model/direct.h"
#include "model/model_internal.h"

bool model_circuit_check(const struct model *model, struct error *error)
{
    if (model->config.family->latent) {
        return error_set(error, ERROR_INPUT,
                         "%s rebuilds keys and values from a normed latent: its heads are no "
                         "products of two matrices.",
                         model->config.family->title);
    }
    return model_stream_is_sum(model, error);
}

/* ---- norms ----------------------------------------------------------------------------------- */

/* A matrix behind a norm reads the numbers before it: rows [width][cols]. */
static void fold_norm(const struct model_config *config, const struct model_norm *norm, float *rows,
                      size_t cols)
{
    const size_t width = config->width;
    if (norm->gain == NULL) {
        return;
    }
    for (size_t c = 0; c < width; c++) {
        for (size_t k = 0; k < cols; k++) {
            rows[c * cols + k] *= norm->gain[c];
        }
    }
    for (size_t k = 0; config->family->norm == MODEL_LAYER_NORM && k < cols; k++) {
        double mean = 0;
        for (size_t c = 0; c < width; c++) {
            mean += (double)rows[c * cols + k] / (double)width;
        }
        for (size_t c = 0; c < width; c++) {
            rows[c * cols + k] -= (float)mean;
        }
    }
}

/* The norm behind all heads of a layer, before they are added: rows [rows][width]. */
static void fold_norm_behind(const struct model_config *config, const struct model_norm *norm,
                             float *values, size_t rows)
{
    const size_t width = config->width;
    for (size_t r = 0; norm->gain != NULL && r < rows; r++) {
        float *const row = values + r * width;
        double mean = 0;
        for (size_t c = 0; config->family->norm == MODEL_LAYER_NORM && c < width; c++) {
            mean += (double)row[c] / (double)width;
        }
        for (size_t c = 0; c < width; c++) {
            row[c] = (row[c] - (float)mean) * norm->gain[c];
        }
    }
}

/* The norm of queries or keys: its gain is that of a head's columns, or of all heads' at once. */
static void fold_head_norm(const struct model_config *config, const struct model_norm *norm,
                           float *values, size_t cols)
{
    for (size_t c = 0; norm->gain != NULL && c < cols; c++) {
        const float gain = norm->gain[config->family->qk_norm_whole ? c : c % config->d_k];
        for (size_t r = 0; r < config->width; r++) {
            values[r * cols + c] *= gain;
        }
    }
}

/* ---- weights --------------------------------------------------------------------------------- */

void model_circuit_weights(const struct model *model, size_t layer, enum model_circuit_part part,
                           float *out)
{
    static const enum model_matrix_place places[MODEL_CIRCUIT_PARTS] = {MODEL_M_Q, MODEL_M_K,
                                                                        MODEL_M_V, MODEL_M_O};
    const struct model_config *const config = &model->config;
    const struct model_layer *const l = &model->main.layer[layer];
    const struct model_matrix *const matrix = &l->matrix[places[part]];
    model_matrix_columns(matrix, 0, matrix->cols, out);
    if (part == MODEL_CIRCUIT_O) {
        fold_norm_behind(config, &l->norm[MODEL_NORM_ATTN_POST], out, matrix->depth);
        return;
    }
    fold_norm(config, &l->norm[MODEL_NORM_ATTN], out, matrix->cols);
    if (part != MODEL_CIRCUIT_V) {
        fold_head_norm(config, &l->norm[part == MODEL_CIRCUIT_Q ? MODEL_NORM_Q : MODEL_NORM_K], out,
                       matrix->cols);
    }
}

float model_circuit_factor(const struct model *model, size_t layer)
{
    return model_factor(&model->config, layer);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Norms a row as it stands there: a word alone has its own root. */
static void norm_row(const struct model_config *config, const struct model_norm *norm, float *row)
{
    const size_t width = config->width;
    double mean = 0, squares = 0;
    for (size_t c = 0; config->family->norm == MODEL_LAYER_NORM && c < width; c++) {
        mean += (double)row[c] / (double)width;
    }
    for (size_t c = 0; c < width; c++) {
        squares += ((double)row[c] - mean) * ((double)row[c] - mean) / (double)width;
    }
    const double root = sqrt(squares + (double)config->epsilon);
    for (size_t c = 0; c < width; c++) {
        row[c] = (float)(((double)row[c] - mean) / root * (double)norm->gain[c] +
                         (norm->bias == NULL ? 0 : (double)norm->bias[c]));
    }
}

/* out [rows][cols] = x [rows][depth] · w [depth][cols], for words that have fewer numbers. */
static void multiply_rows(const float *x, const float *w, size_t rows, size_t depth, size_t cols,
                          float *out)
{
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < cols; c++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += (double)x[r * depth + k] * (double)w[k * cols + c];
            }
            out[r * cols + c] = (float)sum;
        }
    }
}

bool model_circuit_embed(const struct model *model, size_t first, size_t count, float *out)
{
    const struct model_config *const config = &model->config;
    const struct model_stack *const stack = &model->main;
    const size_t width = config->width, numbers = config->embed;
    const bool narrow = stack->embed_in.tensor != NULL;
    struct arena arena = {0};
    float *const from = narrow ? arena_array(&arena, count, numbers * sizeof *from) : out;
    float *const in = narrow ? arena_array(&arena, numbers, width * sizeof *in) : out;
    const bool done = from != NULL && in != NULL;
    if (done) {
        model_tensor_floats(stack->embed, first * numbers, count * numbers, from);
    }
    if (done && narrow) {
        model_matrix_columns(&stack->embed_in, 0, width, in);
        multiply_rows(from, in, count, numbers, width, out);
    }
    for (size_t c = 0; done && c < count * width; c++) {
        out[c] *= config->embedding_scale;
    }
    for (size_t w = 0; done && stack->embed_norm.gain != NULL && w < count; w++) {
        norm_row(config, &stack->embed_norm, out + w * width);
    }
    arena_free(&arena);
    return done;
}

bool model_circuit_unembed(const struct model *model, size_t first, size_t count, float *out)
{
    const struct model_config *const config = &model->config;
    const size_t width = config->width, numbers = model->output.depth;
    const bool narrow = model->embed_out.tensor != NULL;
    struct arena arena = {0};
    float *const to = narrow ? arena_array(&arena, numbers, count * sizeof *to) : out;
    float *const wide = narrow ? arena_array(&arena, width, numbers * sizeof *wide) : out;
    const bool done = to != NULL && wide != NULL;
    if (done) {
        model_matrix_columns(&model->output, first, count, to);
    }
    if (done && narrow) {
        model_matrix_columns(&model->embed_out, 0, numbers, wide);
        multiply_rows(wide, to, width, numbers, count, out);
    }
    for (size_t c = 0; done && c < width * count; c++) {
        out[c] *= config->logit_scale;
    }
    if (done) {
        fold_norm(config, &model->main.final_norm, out, count);
    }
    arena_free(&arena);
    return done;
}
