/* The tiny GPT-2 in float64, formula by formula. */
#include "gpt2_double.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { W = DOUBLE_WIDTH, D = DOUBLE_D, INNER = DOUBLE_INNER };

const float *gpt2_double_tensor(struct checkpoint *weights, const char *name)
{
    return (const float *)(const void *)checkpoint_find(weights, name)->bytes.at;
}

const float *gpt2_double_of_layer(struct checkpoint *weights, size_t layer, const char *name)
{
    char whole[64];
    snprintf(whole, sizeof whole, "h.%zu.%s", layer, name);
    return gpt2_double_tensor(weights, whole);
}

/* Replaces the numbers of a node: rows of `cols` numbers, row after row. */
static void intervene(struct model_interventions list, enum model_node node, size_t layer,
                      size_t head, size_t n, size_t cols, size_t stride, double *values)
{
    for (size_t i = 0; i < list.count; i++) {
        const struct model_intervention one = list.row[i];
        if (one.node != node || one.layer != layer || one.head != head) {
            continue;
        }
        for (size_t c = 0; c < cols; c++) {
            double mean = 0;
            for (size_t r = 0; r < n; r++) {
                mean += values[r * stride + c] / (double)n;
            }
            for (size_t r = 0; r < n; r++) {
                const bool meant = (one.row == MODEL_EACH || one.row == r) &&
                                   (one.column == MODEL_EACH || one.column == c);
                double *const at = &values[r * stride + c];
                *at = !meant                     ? *at
                      : one.by == MODEL_BY_MEAN  ? mean
                      : one.by == MODEL_BY_VALUE ? (double)one.value
                                                 : (double)one.source[r * cols + c];
            }
        }
    }
}

static void normalise(const double *x, const float *gain, const float *bias, double *out)
{
    double mean = 0, square = 0;
    for (size_t c = 0; c < W; c++) {
        mean += x[c] / W;
    }
    for (size_t c = 0; c < W; c++) {
        square += (x[c] - mean) * (x[c] - mean) / W;
    }
    for (size_t c = 0; c < W; c++) {
        out[c] = (x[c] - mean) / sqrt(square + 1e-5) * (double)gain[c] + (double)bias[c];
    }
}

/* out [cols] = x [depth] · w [depth][all], columns from `first` on, + bias */
static void multiply(const double *x, size_t depth, const float *w, size_t all, size_t first,
                     const float *bias, size_t cols, double *out)
{
    for (size_t c = 0; c < cols; c++) {
        double sum = bias == NULL ? 0 : (double)bias[first + c];
        for (size_t k = 0; k < depth; k++) {
            sum += x[k] * (double)w[k * all + first + c];
        }
        out[c] = sum;
    }
}

static void attend(struct model_interventions list, size_t layer, size_t h, struct gpt2_double *out)
{
    const size_t n = out->n;
    double s[DOUBLE_WORDS][DOUBLE_WORDS];
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            s[i][j] = 0;
            for (size_t c = 0; c < D; c++) {
                s[i][j] += out->q[layer][h][i][c] * out->k[layer][h][j][c];
            }
        }
    }
    intervene(list, MODEL_NODE_SCORES, layer, h, n, n, DOUBLE_WORDS, &s[0][0]);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            s[i][j] = j > i ? -INFINITY : s[i][j] / sqrt(D);
        }
    }
    intervene(list, MODEL_NODE_SCALED, layer, h, n, n, DOUBLE_WORDS, &s[0][0]);
    for (size_t i = 0; i < n; i++) {
        double max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            max = fmax(max, s[i][j]);
        }
        for (size_t j = 0; j < n; j++) {
            sum += exp(s[i][j] - max);
        }
        for (size_t j = 0; j < n; j++) {
            out->alpha[layer][h][i][j] = exp(s[i][j] - max) / sum;
        }
    }
    intervene(list, MODEL_NODE_ALPHA, layer, h, n, n, DOUBLE_WORDS, &out->alpha[layer][h][0][0]);
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < D; c++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++) {
                sum += out->alpha[layer][h][i][j] * out->v[layer][h][j][c];
            }
            out->z[layer][h][i][c] = sum;
        }
    }
    intervene(list, MODEL_NODE_Z, layer, h, n, D, D, &out->z[layer][h][0][0]);
}

static void run_heads(struct checkpoint *weights, struct model_interventions list, size_t layer,
                      struct gpt2_double *out)
{
    const float *const gain = gpt2_double_of_layer(weights, layer, "ln_1.weight"),
                       *const bias = gpt2_double_of_layer(weights, layer, "ln_1.bias"),
                       *const qkv = gpt2_double_of_layer(weights, layer, "attn.c_attn.weight"),
                       *const b_qkv = gpt2_double_of_layer(weights, layer, "attn.c_attn.bias"),
                       *const w_o = gpt2_double_of_layer(weights, layer, "attn.c_proj.weight"),
                       *const b_o = gpt2_double_of_layer(weights, layer, "attn.c_proj.bias");
    for (size_t h = 0; h < DOUBLE_HEADS; h++) {
        for (size_t i = 0; i < out->n; i++) {
            double x[W];
            normalise(out->residual[layer][i], gain, bias, x);
            multiply(x, W, qkv, 3 * W, h * D, b_qkv, D, out->q[layer][h][i]);
            multiply(x, W, qkv, 3 * W, W + h * D, b_qkv, D, out->k[layer][h][i]);
            multiply(x, W, qkv, 3 * W, 2 * W + h * D, b_qkv, D, out->v[layer][h][i]);
        }
        intervene(list, MODEL_NODE_Q, layer, h, out->n, D, D, &out->q[layer][h][0][0]);
        intervene(list, MODEL_NODE_K, layer, h, out->n, D, D, &out->k[layer][h][0][0]);
        intervene(list, MODEL_NODE_V, layer, h, out->n, D, D, &out->v[layer][h][0][0]);
        attend(list, layer, h, out);
    }
    for (size_t i = 0; i < out->n; i++) {
        double z[W];
        for (size_t h = 0; h < DOUBLE_HEADS; h++) {
            memcpy(z + h * D, out->z[layer][h][i], sizeof out->z[layer][h][i]);
        }
        multiply(z, W, w_o, W, 0, b_o, W, out->attention[layer][i]);
    }
    intervene(list, MODEL_NODE_OUTPUT, layer, 0, out->n, W, W, &out->attention[layer][0][0]);
    intervene(list, MODEL_NODE_ATTENTION, layer, 0, out->n, W, W, &out->attention[layer][0][0]);
    for (size_t i = 0; i < out->n; i++) {
        for (size_t c = 0; c < W; c++) {
            out->middle[layer][i][c] = out->residual[layer][i][c] + out->attention[layer][i][c];
        }
    }
}

static void run_mlp(struct checkpoint *weights, struct model_interventions list, size_t layer,
                    struct gpt2_double *out)
{
    double hidden[DOUBLE_WORDS][INNER];
    for (size_t i = 0; i < out->n; i++) {
        double x[W];
        normalise(out->middle[layer][i], gpt2_double_of_layer(weights, layer, "ln_2.weight"),
                  gpt2_double_of_layer(weights, layer, "ln_2.bias"), x);
        multiply(x, W, gpt2_double_of_layer(weights, layer, "mlp.c_fc.weight"), INNER, 0,
                 gpt2_double_of_layer(weights, layer, "mlp.c_fc.bias"), INNER, hidden[i]);
        for (size_t c = 0; c < INNER; c++) {
            const double t = hidden[i][c];
            hidden[i][c] = 0.5 * t * (1 + tanh(sqrt(2 / acos(-1.0)) * (t + 0.044715 * t * t * t)));
        }
    }
    intervene(list, MODEL_NODE_NEURONS, layer, 0, out->n, INNER, INNER, &hidden[0][0]);
    for (size_t i = 0; i < out->n; i++) {
        multiply(hidden[i], INNER, gpt2_double_of_layer(weights, layer, "mlp.c_proj.weight"), W, 0,
                 gpt2_double_of_layer(weights, layer, "mlp.c_proj.bias"), W, out->mlp[layer][i]);
    }
    intervene(list, MODEL_NODE_MLP, layer, 0, out->n, W, W, &out->mlp[layer][0][0]);
    for (size_t i = 0; i < out->n; i++) {
        for (size_t c = 0; c < W; c++) {
            out->residual[layer + 1][i][c] = out->middle[layer][i][c] + out->mlp[layer][i][c];
        }
    }
}

void gpt2_double_words(struct checkpoint *weights, const double *x, double *logits)
{
    const float *const wte = gpt2_double_tensor(weights, "wte.weight");
    double normed[W];
    normalise(x, gpt2_double_tensor(weights, "ln_f.weight"),
              gpt2_double_tensor(weights, "ln_f.bias"), normed);
    for (size_t id = 0; id < DOUBLE_VOCABULARY; id++) {
        logits[id] = 0;
        for (size_t c = 0; c < W; c++) {
            logits[id] += normed[c] * (double)wte[id * W + c];
        }
    }
}

void gpt2_double_run(struct checkpoint *weights, const uint32_t *ids, size_t n,
                     struct model_interventions list, struct gpt2_double *out)
{
    const float *const wte = gpt2_double_tensor(weights, "wte.weight"), *const wpe =
                                                                            gpt2_double_tensor(
                                                                                weights,
                                                                                "wpe.weight");
    *out = (struct gpt2_double){.n = n};
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < W; c++) {
            out->residual[0][i][c] = (double)wte[ids[i] * W + c] + (double)wpe[i * W + c];
        }
    }
    for (size_t l = 0; l < DOUBLE_LAYERS; l++) {
        intervene(list, MODEL_NODE_RESIDUAL, l, 0, n, W, W, &out->residual[l][0][0]);
        run_heads(weights, list, l, out);
        run_mlp(weights, list, l, out);
    }
    intervene(list, MODEL_NODE_RESIDUAL, DOUBLE_LAYERS, 0, n, W, W,
              &out->residual[DOUBLE_LAYERS][0][0]);
    for (size_t i = 0; i < n; i++) {
        gpt2_double_words(weights, out->residual[DOUBLE_LAYERS][i], out->logits[i]);
    }
}
