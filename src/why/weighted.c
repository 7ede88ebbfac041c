/* why/weighted.c — lengths of values, and weights through layers. */
#include "why/weighted.h"

#include <math.h>
#include <string.h>

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

/* ‖v W_O‖ of a head's rows of W_O [d_v][width]; sum: scratch [width]. */
static double output_length(const float *value, const float *w_o, size_t d_v, size_t width,
                            double *sum)
{
    double square = 0;
    for (size_t c = 0; c < width; c++) {
        sum[c] = 0;
    }
    for (size_t k = 0; k < d_v; k++) {
        for (size_t c = 0; c < width; c++) {
            sum[c] += (double)value[k] * (double)w_o[k * width + c];
        }
    }
    for (size_t c = 0; c < width; c++) {
        square += sum[c] * sum[c];
    }
    return sqrt(square);
}

static double value_length(const float *value, size_t d_v)
{
    double square = 0;
    for (size_t k = 0; k < d_v; k++) {
        square += (double)value[k] * (double)value[k];
    }
    return sqrt(square);
}

bool why_lengths(const struct model_run *run, const struct model *model, size_t layer,
                 enum why_weighted by, float *out, struct error *error)
{
    const struct model_config *const config = model_config(model);
    const size_t n = model_run_count(run), d_v = config->d_v, width = config->width;
    struct arena arena = {0};
    const struct lab_numbers *w_o = NULL;
    double *const sum = arena_array(&arena, width, sizeof *sum);
    const bool done = (sum != NULL || no_memory(error)) &&
                      (by == WHY_WEIGHTED_BY_VALUE ||
                       model_layer_weights(run, MODEL_SELF, layer, LAB_W_O, &w_o, error));
    for (size_t p = 0; done && p < config->heads * n; p++) {
        const size_t head = p / n;
        const struct attn_operand v = model_run_values(run, layer, head);
        const float *const value = v.values + p % n * v.stride;
        out[p] =
            (float)(w_o == NULL ? value_length(value, d_v)
                                : output_length(value, lab_numbers_values(w_o) + head * d_v * width,
                                                d_v, width, sum));
    }
    lab_numbers_release(w_o);
    arena_free(&arena);
    return done;
}

bool why_weighted_make(const struct model_run *run, const struct model *model, enum why_weighted by,
                       float *out, struct error *error)
{
    const struct model_config *const config = model_config(model);
    const size_t n = model_run_count(run);
    struct arena arena = {0};
    float *const lengths = arena_array(&arena, config->heads, n * sizeof *lengths);
    bool done = lengths != NULL || no_memory(error);
    for (size_t l = 0; done && l < config->layers; l++) {
        done = why_lengths(run, model, l, by, lengths, error);
        for (size_t h = 0; done && h < config->heads; h++) {
            float *const alpha = out + (l * config->heads + h) * n * n;
            model_run_weights(run, l, h, alpha);
            for (size_t p = 0; p < n * n; p++) {
                alpha[p] *= lengths[h * n + p % n];
            }
        }
    }
    arena_free(&arena);
    return done;
}

/* A layer whose heads are looked at. */
struct weighted_layer {
    const struct model_run *run;
    const float *lengths; /* [heads][n] */
};

static bool fill_weighted(void *owner, size_t layer, size_t head, float *out)
{
    const struct weighted_layer *const weighted = owner;
    const size_t n = model_run_count(weighted->run);
    model_run_weights(weighted->run, layer, head, out);
    for (size_t p = 0; p < n * n; p++) {
        out[p] *= weighted->lengths[head * n + p % n];
    }
    return true;
}

bool why_weighted_look(const struct model_run *run, const struct model *model, enum why_weighted by,
                       const struct lab_engine *engine, size_t layer,
                       struct lab_thumbnails **thumbnails, struct error *error)
{
    struct arena arena = {0};
    const size_t heads = model_config(model)->heads, n = model_run_count(run);
    float *const lengths = arena_array(&arena, heads, n * sizeof *lengths);
    struct weighted_layer weighted = {run, lengths};
    struct lab_thumbnails_source source;
    bool done = (lengths != NULL && model_thumbnails_source(run, MODEL_SELF, &arena, &source)) ||
                no_memory(error);
    if (done) {
        source.weights = fill_weighted;
        source.engine = *engine;
        source.on_head = NULL;
        source.owner = &weighted;
        *thumbnails = *thumbnails != NULL ? *thumbnails : lab_thumbnails_begin(&source, error);
        done = *thumbnails != NULL && why_lengths(run, model, layer, by, lengths, error) &&
               lab_thumbnails_look(*thumbnails, &source, layer + 1, error);
    }
    arena_free(&arena);
    return done;
}

/* ½ (ᾱ + I) of a layer, rows to 1, into mean [n][n]; alpha: scratch of as many. */
static void mix_heads(const struct model_run *run, size_t layer, size_t heads, size_t n,
                      float *alpha, double *mean)
{
    memset(mean, 0, n * n * sizeof *mean);
    for (size_t h = 0; h < heads; h++) {
        model_run_weights(run, layer, h, alpha);
        for (size_t p = 0; p < n * n; p++) {
            mean[p] += 0.5 * (double)alpha[p] / (double)heads;
        }
    }
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        mean[i * n + i] += 0.5;
        for (size_t j = 0; j < n; j++) {
            sum += mean[i * n + j];
        }
        for (size_t j = 0; j < n; j++) {
            mean[i * n + j] /= sum;
        }
    }
}

bool why_rollout(const struct model_run *run, const struct model *model, float *out,
                 struct error *error)
{
    const struct model_config *const config = model_config(model);
    const size_t n = model_run_count(run);
    struct arena arena = {0};
    double *const mean = arena_array(&arena, n, n * sizeof *mean);
    float *const alpha = arena_array(&arena, n, n * sizeof *alpha);
    const bool done = (mean != NULL && alpha != NULL) || no_memory(error);
    for (size_t l = 0; done && l < config->layers; l++) {
        float *const now = out + l * n * n;
        mix_heads(run, l, config->heads, n, alpha, mean);
        for (size_t p = 0; p < n * n; p++) {
            double sum = l == 0 ? mean[p] : 0;
            for (size_t k = 0; l > 0 && k < n; k++) {
                sum += mean[p / n * n + k] *
                       (double)now[(ptrdiff_t)(k * n + p % n) - (ptrdiff_t)(n * n)];
            }
            now[p] = (float)sum;
        }
    }
    arena_free(&arena);
    return done;
}
