/* model/model_internal.h — what a model and a run are made of; for the files of this room only. */
#ifndef MODEL_MODEL_INTERNAL_H
#define MODEL_MODEL_INTERNAL_H

#include "base/arena.h"
#include "model/model.h"

/* Matrices, which stay where they lie in the file. */
enum model_matrix {
    MODEL_C_ATTN,   /* width × 3·width: W_Q, W_K and W_V side by side */
    MODEL_C_PROJ,   /* width × width: W_O */
    MODEL_MLP_FC,   /* width × inner */
    MODEL_MLP_PROJ, /* inner × width */
    MODEL_MATRICES
};

/* Vectors, which are few numbers and always float32. */
enum model_vector {
    MODEL_LN_1_WEIGHT,
    MODEL_LN_1_BIAS,
    MODEL_C_ATTN_BIAS,
    MODEL_C_PROJ_BIAS,
    MODEL_LN_2_WEIGHT,
    MODEL_LN_2_BIAS,
    MODEL_MLP_FC_BIAS,
    MODEL_MLP_PROJ_BIAS,
    MODEL_VECTORS
};

struct model_layer {
    const struct array *matrix[MODEL_MATRICES];
    const float *vector[MODEL_VECTORS];
};

struct model_shard {
    char name[256];
    struct file_map map;
    struct safetensors tensors;
};

struct model {
    struct arena arena; /* everything below stands here */
    struct model_config config;
    struct model_shard *shards;
    size_t shard_count;
    const struct array *wte, *wpe, *output; /* output: wte where they are tied */
    const float *ln_f_weight, *ln_f_bias;
    struct model_layer *layers;
    size_t parameters;
    struct tokenizer *tokenizer;
};

/* Opens the shards of a folder and finds every tensor (model/model_tensors.c). */
bool model_tensors_open(struct model *model, const char *folder, struct error *error);
void model_tensors_close(struct model *model);

/* False and a sentence when a file became shorter since it was opened. */
bool model_tensors_whole(const struct model *model, struct error *error);

/* ---- pieces of a layer (model/model_products.c) -----------------------------------------------
 */

/* How a run computes. */
struct model_means {
    const struct attn_kernels *kernels;
    struct attn_pool *pool;
    float *scratch; /* of all workers, worker_floats each */
    size_t worker_floats;
};

/* Floats that the products of this model need on one thread; 0: they do not fit a size_t. */
size_t model_worker_floats(const struct model_config *config);

/* out [rows][cols] = activation(x [rows][depth] · w [depth][cols] + bias [cols]); bias and
 * activation NULL: none. */
void model_product(const struct model_means *means, struct attn_operand x, const struct array *w,
                   const float *bias, const enum model_activation *activation,
                   struct attn_matrix out);

/* out [rows][tokens] = x [rows][width] · w [tokens][width]ᵀ. */
void model_product_turned(const struct model_means *means, struct attn_operand x,
                          const struct array *w, struct attn_matrix out);

/* out [rows][width] = (x − mean) / √(variance + epsilon) · weight + bias, row by row. */
void model_layer_norm(const struct model_means *means, float epsilon, const float *weight,
                      const float *bias, struct attn_operand x, float *out);

/* The activation of every number, in place. */
void model_activate(const struct attn_kernels *kernels, enum model_activation activation,
                    float *values, size_t count);

/* What scores of a layer are multiplied by. */
float model_factor(const struct model_config *config, size_t layer);

struct model_run {
    const struct model *model;
    struct model_means means;
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
