/* lab/weights.c — where the numbers of W_Q, W_K, W_V and W_O come from. */
#include "lab/weights.h"

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

static const struct lab_numbers *given(const struct lab_experiment *experiment, char letter)
{
    return letter == 'Q' ? experiment->w_q : letter == 'K' ? experiment->w_k : experiment->w_v;
}

void lab_weights_project(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                         char letter, float *w)
{
    const size_t size = letter == 'V' ? sizes->d_v : sizes->d_k;
    const size_t floats = sizes->d_model * size;
    if (experiment->weights == LAB_WEIGHTS_NUMBERS) {
        memcpy(w, lab_numbers_values(given(experiment, letter)), sizes->heads * floats * sizeof *w);
        return;
    }
    for (size_t h = 0; h < sizes->heads; h++) {
        float *const head = w + h * floats;
        if (experiment->weights == LAB_WEIGHTS_RANDOM) {
            char stream[16];
            snprintf(stream, sizeof stream, "W_%c.%u", letter, (unsigned)(h % LAB_HEADS_MAX));
            fill_normal(experiment->seed, stream, sizes->d_model, floats, head);
            continue;
        }
        memset(head, 0, floats * sizeof *head);
        for (size_t c = 0; c < size; c++) {
            head[((h * size + c) % sizes->d_model) * size + c] = 1;
        }
    }
}

void lab_weights_output(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                        float *w_o)
{
    const size_t rows = sizes->heads * sizes->d_v, d = sizes->d_model;
    if (experiment->skip_w_o) { /* rows = d, lab_experiment_check says so */
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
    for (size_t r = 0; r < rows; r++) {
        const size_t dimension = r % d;
        const size_t entries = rows / d + (dimension < rows % d ? 1 : 0);
        w_o[r * d + dimension] = 1.0f / (float)entries;
    }
}
