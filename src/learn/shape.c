/* learn/shape.c — lists tensors, and draws initial values.
 *
 * A family is a table of its tensors, a row each, in the order in which they are stored. Tensors
 * that are used as one product stand together. */
#include "learn/shape.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"

const char *learn_family_name(size_t family)
{
    static const char *const names[LEARN_FAMILIES] = {"gpt2", "llama"};
    return family < LEARN_FAMILIES ? names[family] : NULL;
}

/* ---- tensors ------------------------------------------------------------------------------- */

/* The length of a side of a tensor. */
enum side { ONE, WIDTH, HEADS, HEADS_3, INNER, VOCABULARY, CONTEXT, SIDES };

/* The condition under which a tensor exists. */
enum when { ALWAYS, WITH_NORM, WITH_MLP, WITH_MLP_NORM, UNTIED };

struct row {
    enum learn_role role;
    const char *name; /* after the family's prefix, or in a layer after the layer's number */
    enum side rows, cols;
    enum when when;
};

struct family {
    const char *before;                     /* of a layer's tensors: the part of the name before
                                               its number */
    const struct row *first, *layer, *last; /* ended by a name NULL */
};

static const struct row gpt2_first[] = {
    {LEARN_WTE, "transformer.wte.weight", VOCABULARY, WIDTH, ALWAYS},
    {LEARN_WPE, "transformer.wpe.weight", CONTEXT, WIDTH, ALWAYS},
    {.name = NULL},
};
static const struct row gpt2_layer[] = {
    {LEARN_NORM_1_GAIN, "ln_1.weight", ONE, WIDTH, WITH_NORM},
    {LEARN_NORM_1_BIAS, "ln_1.bias", ONE, WIDTH, WITH_NORM},
    {LEARN_QKV, "attn.c_attn.weight", WIDTH, HEADS_3, ALWAYS},
    {LEARN_QKV_BIAS, "attn.c_attn.bias", ONE, HEADS_3, ALWAYS},
    {LEARN_W_O, "attn.c_proj.weight", HEADS, WIDTH, ALWAYS},
    {LEARN_O_BIAS, "attn.c_proj.bias", ONE, WIDTH, ALWAYS},
    {LEARN_NORM_2_GAIN, "ln_2.weight", ONE, WIDTH, WITH_MLP_NORM},
    {LEARN_NORM_2_BIAS, "ln_2.bias", ONE, WIDTH, WITH_MLP_NORM},
    {LEARN_UP, "mlp.c_fc.weight", WIDTH, INNER, WITH_MLP},
    {LEARN_UP_BIAS, "mlp.c_fc.bias", ONE, INNER, WITH_MLP},
    {LEARN_DOWN, "mlp.c_proj.weight", INNER, WIDTH, WITH_MLP},
    {LEARN_DOWN_BIAS, "mlp.c_proj.bias", ONE, WIDTH, WITH_MLP},
    {.name = NULL},
};
static const struct row gpt2_last[] = {
    {LEARN_NORM_F_GAIN, "transformer.ln_f.weight", ONE, WIDTH, WITH_NORM},
    {LEARN_NORM_F_BIAS, "transformer.ln_f.bias", ONE, WIDTH, WITH_NORM},
    {LEARN_HEAD, "lm_head.weight", VOCABULARY, WIDTH, UNTIED},
    {.name = NULL},
};
static const struct row llama_first[] = {
    {LEARN_WTE, "model.embed_tokens.weight", VOCABULARY, WIDTH, ALWAYS},
    {.name = NULL},
};
static const struct row llama_layer[] = {
    {LEARN_NORM_1_GAIN, "input_layernorm.weight", ONE, WIDTH, WITH_NORM},
    {LEARN_W_Q, "self_attn.q_proj.weight", HEADS, WIDTH, ALWAYS},
    {LEARN_W_K, "self_attn.k_proj.weight", HEADS, WIDTH, ALWAYS},
    {LEARN_W_V, "self_attn.v_proj.weight", HEADS, WIDTH, ALWAYS},
    {LEARN_W_O, "self_attn.o_proj.weight", WIDTH, HEADS, ALWAYS},
    {LEARN_NORM_2_GAIN, "post_attention_layernorm.weight", ONE, WIDTH, WITH_MLP_NORM},
    {LEARN_GATE, "mlp.gate_proj.weight", INNER, WIDTH, WITH_MLP},
    {LEARN_UP, "mlp.up_proj.weight", INNER, WIDTH, WITH_MLP},
    {LEARN_DOWN, "mlp.down_proj.weight", WIDTH, INNER, WITH_MLP},
    {.name = NULL},
};
static const struct row llama_last[] = {
    {LEARN_NORM_F_GAIN, "model.norm.weight", ONE, WIDTH, WITH_NORM},
    {LEARN_HEAD, "lm_head.weight", VOCABULARY, WIDTH, UNTIED},
    {.name = NULL},
};

static const struct family families[LEARN_FAMILIES] = {
    [LEARN_GPT2] = {"transformer.h.", gpt2_first, gpt2_layer, gpt2_last},
    [LEARN_LLAMA] = {"model.layers.", llama_first, llama_layer, llama_last},
};

static bool is_there(const struct learn_shape *shape, enum when when)
{
    switch (when) {
    case WITH_NORM:
        return shape->norm;
    case WITH_MLP:
        return shape->inner > 0;
    case WITH_MLP_NORM:
        return shape->norm && shape->inner > 0;
    case UNTIED:
        return !shape->tied;
    case ALWAYS:
        break;
    }
    return true;
}

static size_t side_of(const struct learn_shape *shape, enum side side)
{
    const size_t heads = shape->heads * shape->d_k;
    const size_t sides[SIDES] = {
        1, shape->d_model, heads, 3 * heads, shape->inner, shape->vocabulary, shape->context};
    return sides[side];
}

static void list_rows(const struct learn_shape *shape, const struct row *row, const char *before,
                      size_t layer, struct learn_tensors *out)
{
    for (; row->name != NULL; row++) {
        if (!is_there(shape, row->when)) {
            continue;
        }
        struct learn_tensor *const tensor = &out->tensor[out->count++];
        *tensor = (struct learn_tensor){
            .role = row->role,
            .layer = layer,
            .rank = row->rows == ONE ? 1 : 2,
            .rows = side_of(shape, row->rows),
            .cols = side_of(shape, row->cols),
            .offset = out->floats,
            .decays = row->rows != ONE,
        };
        if (before == NULL) {
            (void)snprintf(tensor->name, sizeof tensor->name, "%s", row->name);
        } else {
            (void)snprintf(tensor->name, sizeof tensor->name, "%s%zu.%s", before, layer, row->name);
        }
        out->floats += learn_tensor_floats(tensor);
    }
}

void learn_tensors_list(const struct learn_shape *shape, struct learn_tensors *out)
{
    const struct family *const family = &families[shape->family];
    *out = (struct learn_tensors){0};
    list_rows(shape, family->first, NULL, 0, out);
    for (size_t layer = 0; layer < shape->layers; layer++) {
        list_rows(shape, family->layer, family->before, layer, out);
    }
    list_rows(shape, family->last, NULL, 0, out);
}

const struct learn_tensor *learn_tensors_find(const struct learn_tensors *tensors,
                                              enum learn_role role, size_t layer)
{
    const bool of_layer = role > LEARN_WPE && role < LEARN_NORM_F_GAIN;
    for (size_t i = 0; i < tensors->count; i++) {
        if (tensors->tensor[i].role == role && (!of_layer || tensors->tensor[i].layer == layer)) {
            return &tensors->tensor[i];
        }
    }
    return NULL;
}

/* ---- initial values ------------------------------------------------------------------------ */

static bool is_gain(enum learn_role role)
{
    return role == LEARN_NORM_1_GAIN || role == LEARN_NORM_2_GAIN || role == LEARN_NORM_F_GAIN;
}

void learn_initial_values(const struct learn_shape *shape, uint64_t seed, float sigma,
                          float *weights)
{
    const float small = shape->d_model <= 32 ? 0.1F : 0.02F;
    const double by = (double)(sigma > 0 ? sigma : small);
    struct learn_tensors tensors;
    learn_tensors_list(shape, &tensors);
    for (size_t i = 0; i < tensors.count; i++) {
        const struct learn_tensor *const tensor = &tensors.tensor[i];
        float *const values = weights + tensor->offset;
        struct random random;
        random_start(&random, seed, tensor->name);
        for (size_t j = 0; j < learn_tensor_floats(tensor); j++) {
            values[j] = tensor->rank == 2       ? (float)(random_normal(&random) * by)
                        : is_gain(tensor->role) ? 1.0F
                                                : 0.0F;
        }
    }
}
