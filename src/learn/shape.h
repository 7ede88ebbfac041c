/* learn/shape.h — which transformer learns: its sizes, and where each of its tensors stands in one
 * flat array of weights.
 *
 *     tokens ─wte (+ wpe)─► residual ─┬─► norm ─► attention ─► + ─┬─► norm ─► MLP ─► + ─► … ─► norm
 *                                     └──────────────────────────┘                          └►
 * logits
 *
 * Two families, so that what was learned opens elsewhere. gpt2 (Radford et al., Language models are
 * unsupervised multitask learners, 2019): LayerNorm, learned positions, biases, GELU by tanh,
 * matrices [in][out]. llama (Touvron et al., LLaMA, 2023): RMSNorm, rotary positions by halves, no
 * biases, SwiGLU, matrices [out][in]. Tensors have the names of their model.safetensors. */
#ifndef LEARN_SHAPE_H
#define LEARN_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum learn_family { LEARN_GPT2, LEARN_LLAMA, LEARN_FAMILIES };

enum {
    LEARN_LAYERS_MAX = 6,
    LEARN_WIDTH_MIN = 3,
    LEARN_WIDTH_MAX = 256,
    LEARN_HEADS_MAX = 64,
    LEARN_CONTEXT_MAX = 256,
    LEARN_INNER_MAX = 1024,
    LEARN_VOCABULARY_MAX = 65536,
};

#define LEARN_EPSILON 1e-5F /* of the norms */

struct learn_shape {
    enum learn_family family;
    size_t layers, heads;
    size_t d_model;
    size_t d_k;        /* width of a head; gpt2: d_model / heads */
    size_t context;    /* largest number of tokens of a sequence */
    size_t vocabulary; /* kinds of tokens */
    size_t inner;      /* width of the MLP; 0: there is none */
    bool norm;         /* false: the residual itself is read */
    bool tied;         /* the embedding also makes the logits */
    bool causal;       /* false: every token sees every token */
    float theta;       /* llama: rotary positions turn pair p by position · theta^(−2p / d_k) */
    float smear;       /* every key takes this share of the key before it */
};

bool learn_shape_equal(const struct learn_shape *a, const struct learn_shape *b);

/* Returns "gpt2" or "llama"; NULL behind the last. */
const char *learn_family_name(size_t family);

/* The role of a tensor, whatever its family names it. */
enum learn_role {
    LEARN_WTE, /* [vocabulary][d_model] */
    LEARN_WPE, /* [context][d_model]; gpt2 alone */
    LEARN_NORM_1_GAIN,
    LEARN_NORM_1_BIAS, /* gpt2 alone, as every bias */
    LEARN_QKV,         /* gpt2: [d_model][3 · heads · d_k] */
    LEARN_QKV_BIAS,
    LEARN_W_Q, /* llama: [heads · d_k][d_model]; W_Q, W_K and W_V are stored one after the other */
    LEARN_W_K,
    LEARN_W_V,
    LEARN_W_O, /* gpt2: [heads · d_k][d_model]; llama: [d_model][heads · d_k] */
    LEARN_O_BIAS,
    LEARN_NORM_2_GAIN,
    LEARN_NORM_2_BIAS,
    LEARN_GATE, /* llama: [inner][d_model]; LEARN_UP follows it */
    LEARN_UP,   /* gpt2: [d_model][inner]; llama: [inner][d_model] */
    LEARN_UP_BIAS,
    LEARN_DOWN, /* gpt2: [inner][d_model]; llama: [d_model][inner] */
    LEARN_DOWN_BIAS,
    LEARN_NORM_F_GAIN,
    LEARN_NORM_F_BIAS,
    LEARN_HEAD, /* [vocabulary][d_model]; where it is not tied */
    LEARN_ROLES
};

enum { LEARN_TENSORS_MAX = 4 + 14 * LEARN_LAYERS_MAX + 3 };

struct learn_tensor {
    char name[56]; /* "transformer.h.0.attn.c_attn.weight" */
    enum learn_role role;
    size_t layer;      /* 0 for those of no layer */
    size_t rank;       /* 1 or 2 */
    size_t rows, cols; /* rank 1: one row */
    size_t offset;     /* in floats, from the start of all weights */
    bool decays;       /* weight decay is for tensors of two dimensions */
};

/* All tensors in the order in which they are stored, without gaps. */
struct learn_tensors {
    size_t count, floats;
    struct learn_tensor tensor[LEARN_TENSORS_MAX];
};

/* Lists the tensors; shape must have passed learn_shape_check. */
void learn_tensors_list(const struct learn_shape *shape, struct learn_tensors *out);

/* Returns the tensor of a role; for tensors of no layer, layer is ignored. NULL: this shape has
 * none. */
const struct learn_tensor *learn_tensors_find(const struct learn_tensors *tensors,
                                              enum learn_role role, size_t layer);

static inline size_t learn_tensor_floats(const struct learn_tensor *tensor)
{
    return tensor->rows * tensor->cols;
}

/* Draws initial values. Matrices and embeddings have normal values times sigma (0: 0.1 where
 * d_model ≤ 32, 0.02 above), each tensor from the seed's stream of its name; biases are 0, gains
 * 1. */
void learn_initial_values(const struct learn_shape *shape, uint64_t seed, float sigma,
                          float *weights);

#endif
