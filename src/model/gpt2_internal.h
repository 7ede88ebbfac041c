/* model/gpt2_internal.h — what a model and a run are made of; for the files of gpt2 only. */
#ifndef MODEL_GPT2_INTERNAL_H
#define MODEL_GPT2_INTERNAL_H

#include "base/arena.h"
#include "model/gpt2.h"

/* Matrices, which stay where they lie in the file. */
enum gpt2_matrix {
    GPT2_C_ATTN,   /* width × 3·width: W_Q, W_K and W_V side by side */
    GPT2_C_PROJ,   /* width × width: W_O */
    GPT2_MLP_FC,   /* width × inner */
    GPT2_MLP_PROJ, /* inner × width */
    GPT2_MATRICES
};

/* Vectors, which are few numbers and always float32. */
enum gpt2_vector {
    GPT2_LN_1_WEIGHT,
    GPT2_LN_1_BIAS,
    GPT2_C_ATTN_BIAS,
    GPT2_C_PROJ_BIAS,
    GPT2_LN_2_WEIGHT,
    GPT2_LN_2_BIAS,
    GPT2_MLP_FC_BIAS,
    GPT2_MLP_PROJ_BIAS,
    GPT2_VECTORS
};

struct gpt2_layer {
    const struct array *matrix[GPT2_MATRICES];
    const float *vector[GPT2_VECTORS];
};

struct gpt2_shard {
    char name[256];
    struct file_map map;
    struct safetensors tensors;
};

struct gpt2 {
    struct arena arena; /* everything below stands here */
    struct gpt2_config config;
    struct gpt2_shard *shards;
    size_t shard_count;
    const struct array *wte, *wpe, *output; /* output: wte where they are tied */
    const float *ln_f_weight, *ln_f_bias;
    struct gpt2_layer *layers;
    size_t parameters;
    struct bpe *bpe;
};

/* Opens the shards of a folder and finds every tensor (model/gpt2_tensors.c). */
bool gpt2_tensors_open(struct gpt2 *model, const char *folder, struct error *error);
void gpt2_tensors_close(struct gpt2 *model);

/* False and a sentence when a file became shorter since it was opened. */
bool gpt2_tensors_whole(const struct gpt2 *model, struct error *error);

/* ---- pieces of a layer (model/gpt2_pieces.c) ----------------------------------------------- */

/* How a run computes. */
struct gpt2_means {
    const struct attn_kernels *kernels;
    struct attn_pool *pool;
    float *scratch; /* of all workers, worker_floats each */
    size_t worker_floats;
};

/* Floats that the products of this model need on one thread; 0: they do not fit a size_t. */
size_t gpt2_worker_floats(const struct gpt2_config *config);

/* out [rows][cols] = activation(x [rows][depth] · w [depth][cols] + bias [cols]); bias and
 * activation NULL: none. */
void gpt2_product(const struct gpt2_means *means, struct attn_operand x, const struct array *w,
                  const float *bias, const enum gpt2_activation *activation,
                  struct attn_matrix out);

/* out [rows][tokens] = x [rows][width] · w [tokens][width]ᵀ. */
void gpt2_product_turned(const struct gpt2_means *means, struct attn_operand x,
                         const struct array *w, struct attn_matrix out);

/* out [rows][width] = (x − mean) / √(variance + epsilon) · weight + bias, row by row. */
void gpt2_layer_norm(const struct gpt2_means *means, float epsilon, const float *weight,
                     const float *bias, struct attn_operand x, float *out);

/* The activation of every number, in place. */
void gpt2_activate(const struct attn_kernels *kernels, enum gpt2_activation activation,
                   float *values, size_t count);

/* What scores of a layer are multiplied by. */
float gpt2_factor(const struct gpt2_config *config, size_t layer);

struct gpt2_run {
    const struct gpt2 *model;
    struct gpt2_means means;
    struct arena own; /* of off */
    struct arena
        arena; /* of the rows and means.scratch; another one when there must be more room */
    size_t count, room;            /* tokens there are, and there is memory for */
    uint32_t *ids;                 /* [room] */
    float **residual;              /* [layers + 1] of [room][width] */
    float **qkv;                   /* [layers] of [room][3 · width] */
    float *normed, *mixed, *inner; /* of the layer being computed: [room][width], [room][inner] */
    bool *off;                     /* [layers · heads] */
    bool (*on_layer)(void *listener, size_t layer, size_t layers);
    void *listener;
};

#endif
