/* model/model_config.c — config.json of the GPT-2 family (Hugging Face's names), read and checked.
 */
#include <string.h>

#include "model/folder.h"
#include "model/model.h"

static const char *const activation_names[MODEL_ACTIVATIONS] = {
    [MODEL_GELU_TANH] = "gelu_new", [MODEL_GELU] = "gelu", [MODEL_RELU] = "relu",
    [MODEL_SILU] = "silu",          [MODEL_TANH] = "tanh",
};

const char *model_activation_name(enum model_activation activation)
{
    return activation_names[activation];
}

static bool read_size(const struct json *config, const char *name, size_t most, size_t *out,
                      struct error *error)
{
    int64_t number = 0;
    const struct json *const value = json_member(config, name);
    if (value == NULL) {
        return error_set(error, ERROR_INPUT, "config.json: it does not say %s.", name);
    }
    if (!json_whole_number(value, &number) || number < 1 || (uint64_t)number > most) {
        return error_set(error, ERROR_INPUT,
                         "config.json: %s must be a whole number from 1 to %zu.", name, most);
    }
    *out = (size_t)number;
    return true;
}

/* A switch that may be left out. */
static bool read_switch(const struct json *config, const char *name, bool *out, struct error *error)
{
    const struct json *const value = json_member(config, name);
    return value == NULL || json_truth(value, out) ||
           error_set(error, ERROR_INPUT, "config.json: %s must be true or false.", name);
}

static bool read_activation(const struct json *config, struct model_config *out,
                            struct error *error)
{
    static const struct {
        const char *name;
        enum model_activation activation;
    } others[] = {{"gelu_pytorch_tanh", MODEL_GELU_TANH}, {"swish", MODEL_SILU}};
    const struct json *const value = json_member(config, "activation_function");
    const char *name = activation_names[MODEL_GELU_TANH];
    if (value != NULL && !json_text(value, &name)) {
        return error_set(error, ERROR_INPUT, "config.json: activation_function must be a text.");
    }
    for (size_t a = 0; a < MODEL_ACTIVATIONS; a++) {
        if (strcmp(name, activation_names[a]) == 0) {
            out->activation = (enum model_activation)a;
            return true;
        }
    }
    for (size_t a = 0; a < sizeof others / sizeof *others; a++) {
        if (strcmp(name, others[a].name) == 0) {
            out->activation = others[a].activation;
            return true;
        }
    }
    return error_set(error, ERROR_INPUT,
                     "config.json: activation_function “%.30s” is not known; gelu_new, gelu, relu, "
                     "silu and tanh are.",
                     name);
}

static bool check_kind(const struct json *config, struct error *error)
{
    const char *type = "gpt2";
    bool crosses = false;
    if (json_kind_of(config) != JSON_KIND_OBJECT) {
        return error_set(error, ERROR_INPUT, "config.json: it is no object.");
    }
    (void)json_text(json_member(config, "model_type"), &type);
    if (strcmp(type, "gpt2") != 0) {
        return error_set(error, ERROR_INPUT,
                         "config.json: its model_type is “%.40s”; models of the type gpt2 can be "
                         "opened.",
                         type);
    }
    (void)json_truth(json_member(config, "add_cross_attention"), &crosses);
    return !crosses ||
           error_set(error, ERROR_INPUT,
                     "config.json: add_cross_attention is true; models of one text can be opened.");
}

static bool read_inner(const struct json *config, struct model_config *out, struct error *error)
{
    const enum json_kind kind = json_kind_of(json_member(config, "n_inner"));
    out->inner = 4 * out->width;
    return kind == JSON_KIND_NONE || kind == JSON_KIND_NULL ||
           read_size(config, "n_inner", 1 << 20, &out->inner, error);
}

static bool read_epsilon(const struct json *config, struct model_config *out, struct error *error)
{
    const struct json *const value = json_member(config, "layer_norm_epsilon");
    double number = 1e-5;
    if (value != NULL && (!json_number(value, &number) || !(number > 0) || !(number < 1))) {
        return error_set(error, ERROR_INPUT,
                         "config.json: layer_norm_epsilon must be a number between 0 and 1.");
    }
    out->epsilon = (float)number;
    return true;
}

static bool read_sizes(const struct json *config, struct model_config *out, struct error *error)
{
    const char *const positions =
        json_member(config, "n_positions") != NULL ? "n_positions" : "n_ctx";
    if (!read_size(config, "n_layer", 1024, &out->layers, error) ||
        !read_size(config, "n_head", ATTN_HEADS_MAX, &out->heads, error) ||
        !read_size(config, "n_embd", 1 << 16, &out->width, error) ||
        !read_size(config, positions, 1 << 20, &out->positions, error) ||
        !read_size(config, "vocab_size", VOCABULARY_IDS_MAX, &out->vocabulary, error) ||
        !read_inner(config, out, error)) {
        return false;
    }
    return out->width % out->heads == 0 ||
           error_set(error, ERROR_INPUT, "config.json: n_head %zu does not divide n_embd %zu.",
                     out->heads, out->width);
}

bool model_config_read(const char *folder, struct model_config *config, struct error *error)
{
    struct json *const tree = folder_json(folder, "config.json", error);
    if (tree == NULL) {
        return false;
    }
    *config = (struct model_config){.scale = true, .tied = true};
    const bool fine =
        check_kind(tree, error) && read_sizes(tree, config, error) &&
        read_activation(tree, config, error) && read_epsilon(tree, config, error) &&
        read_switch(tree, "scale_attn_weights", &config->scale, error) &&
        read_switch(tree, "scale_attn_by_inverse_layer_idx", &config->scale_by_layer, error) &&
        read_switch(tree, "tie_word_embeddings", &config->tied, error);
    json_release(tree);
    return fine;
}
