/* lab/experiment/weights.c — fills the weight matrices. */
#include "lab/experiment/weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

static void fill_normal(uint64_t seed, const char *stream, size_t fan_in, size_t count, float *w)
{
    struct random random;
    random_start(&random, seed, stream);
    const double scale = 1.0 / sqrt((double)fan_in);
    for (size_t c = 0; c < count; c++) {
        w[c] = (float)(random_normal(&random) * scale);
    }
}

/* Returns the given matrices of a part. */
static const struct lab_numbers *given_of(const struct lab_experiment *e, enum lab_part part)
{
    const struct lab_numbers *const given[LAB_PARTS] = {
        [LAB_W_Q] = e->w_q,     [LAB_W_K] = e->w_k,   [LAB_W_V] = e->w_v,
        [LAB_W_DKV] = e->w_dkv, [LAB_W_UK] = e->w_uk, [LAB_W_UV] = e->w_uv,
    };
    return given[part];
}

void lab_weights_fill(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                      enum lab_part part, size_t first, float *w)
{
    const struct lab_node_row *const row = lab_node_row(part);
    const size_t count = lab_extent_of(sizes, row->matrices),
                 rows = lab_extent_of(sizes, row->rows);
    const size_t cols = lab_extent_of(sizes, row->cols), floats = rows * cols;
    if (experiment->weights == LAB_WEIGHTS_NUMBERS) {
        memcpy(w + first * floats, lab_numbers_values(given_of(experiment, part)) + first * floats,
               (count - first) * floats * sizeof *w);
        return;
    }
    for (size_t g = first; g < count; g++) {
        float *const matrix = w + g * floats;
        if (experiment->weights == LAB_WEIGHTS_RANDOM) {
            char stream[16];
            snprintf(stream, sizeof stream, lab_node_has_heads(part) ? "%s.%u" : "%s", row->symbol,
                     (unsigned)(g % LAB_HEADS_MAX));
            fill_normal(experiment->seed, stream, rows, floats, matrix);
            continue;
        }
        memset(matrix, 0, floats * sizeof *matrix);
        for (size_t c = 0; c < cols; c++) {
            matrix[((g * cols + c) % rows) * cols + c] = 1;
        }
    }
}

const struct lab_numbers *lab_weights_given(const struct lab_experiment *experiment,
                                            enum lab_part part)
{
    if (experiment->weights != LAB_WEIGHTS_NUMBERS) {
        return NULL;
    }
    return part == LAB_W_O ? experiment->skip_w_o ? NULL : experiment->w_o
                           : given_of(experiment, part);
}

/* Returns the dimension of column c of a head whose matrices have `wide` columns, through the
 * latent or through the group. */
static size_t dimension_of(const struct lab_sizes *sizes, size_t head, size_t wide, size_t column)
{
    if (sizes->latent > 0) {
        return (head * wide + column) % sizes->latent % sizes->d_model;
    }
    return (head / (sizes->heads / sizes->kv_heads) * wide + column) % sizes->d_model;
}

size_t lab_weights_value_dimension(const struct lab_sizes *sizes, size_t head, size_t column)
{
    return dimension_of(sizes, head, sizes->d_v, column);
}

size_t lab_weights_key_dimension(const struct lab_sizes *sizes, size_t head, size_t column)
{
    return dimension_of(sizes, head, sizes->d_k, column);
}

void lab_weights_output(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                        float *w_o)
{
    const size_t rows = sizes->heads * sizes->d_v, d = sizes->d_model;
    if (experiment->skip_w_o) { /* lab_experiment_check makes sure that rows = d */
        memset(w_o, 0, rows * d * sizeof *w_o);
        for (size_t r = 0; r < rows; r++) {
            w_o[r * d + r] = 1;
        }
        return;
    }
    if (experiment->weights == LAB_WEIGHTS_NUMBERS) {
        memcpy(w_o, lab_numbers_values(experiment->w_o), rows * d * sizeof *w_o);
        return;
    }
    if (experiment->weights == LAB_WEIGHTS_RANDOM) {
        fill_normal(experiment->seed, "W_O", rows, rows * d, w_o);
        return;
    }
    memset(w_o, 0, rows * d * sizeof *w_o);
    for (size_t r = 0; r < rows; r++) { /* the first row counts the entries of each dimension */
        w_o[lab_weights_value_dimension(sizes, r / sizes->d_v, r % sizes->d_v)] += 1;
    }
    for (size_t r = rows; r-- > 0;) {
        const size_t dimension = lab_weights_value_dimension(sizes, r / sizes->d_v, r % sizes->d_v);
        const float entries = w_o[dimension];
        if (r == 0) {
            memset(w_o, 0, d * sizeof *w_o);
        }
        w_o[r * d + dimension] = 1 / entries;
    }
}
