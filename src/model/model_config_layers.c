/* model/model_config_layers.c — what config.json says of single layers: windows, layers that do not
 * turn, experts; and of the two stacks of an encoder–decoder. */
#include <math.h>
#include <string.h>

#include "model/model_config_json.h"

/* ---- windows ------------------------------------------------------------------------------- */

/* Layers that a list of words calls local. */
static bool read_kinds(const struct json *list, const char *name, struct model_config *out,
                       struct error *error)
{
    bool fine = json_kind_of(list) == JSON_KIND_ARRAY && json_count(list) >= out->layers;
    for (size_t l = 0; fine && l < out->layers; l++) {
        const char *kind = NULL;
        fine = json_text(json_element(list, l), &kind);
        if (fine && model_list_has("sliding_attention|local", kind)) {
            out->layer[l] |= MODEL_LAYER_LOCAL;
        }
    }
    return fine || error_set(error, ERROR_INPUT,
                             "config.json: %s must be a list of %zu words, one for each layer.",
                             name, out->layers);
}

/* GPT-Neo's [[["global", "local"], 12]]. */
static bool read_types(const struct json *list, struct model_config *out)
{
    size_t layer = 0;
    for (size_t i = 0; i < json_count(list); i++) {
        const struct json *const kinds = json_element(json_element(list, i), 0);
        int64_t times = 0;
        if (json_count(kinds) == 0 ||
            !json_whole_number(json_element(json_element(list, i), 1), &times)) {
            return false;
        }
        for (int64_t t = 0; t < times && layer < out->layers; t++) {
            for (size_t k = 0; k < json_count(kinds) && layer < out->layers; k++, layer++) {
                const char *kind = "";
                (void)json_text(json_element(kinds, k), &kind);
                out->layer[layer] |= strcmp(kind, "local") == 0 ? MODEL_LAYER_LOCAL : 0;
            }
        }
    }
    return layer == out->layers;
}

/* Where no list says it: every layer but one of so many is local; the odd one stands last in its
 * group, or first (ModernBERT). 0: the family has no such rule. */
static size_t period_of(const struct model_config *config, bool *first)
{
    static const struct {
        const char *name;
        size_t period;
        bool first;
    } rows[] = {
        {"gemma2", 2, false}, {"gpt-oss", 2, false}, {"gemma3", 6, false}, {"modernbert", 3, true}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (strcmp(config->family->name, rows[r].name) == 0) {
            *first = rows[r].first;
            return rows[r].period;
        }
    }
    return 0;
}

static bool read_local(const struct json *config, struct model_config *out, struct error *error)
{
    char name[CONFIG_KEY_MAX];
    const struct json *const list = config_member(config, "layer_types|attention_layers", name);
    const struct json *const types = json_member(config, "attention_types");
    if (list != NULL) {
        return read_kinds(list, name, out, error);
    }
    if (types != NULL) {
        return read_types(types, out) ||
               error_set(error, ERROR_INPUT, "config.json: attention_types must name every layer.");
    }
    bool first = false;
    size_t period = period_of(out, &first), from = 0;
    if (!config_size_or(config, "sliding_window_pattern|global_attn_every_n_layers",
                        MODEL_LAYERS_MAX, &period, error) ||
        !config_size_or(config, "max_window_layers", MODEL_LAYERS_MAX, &from, error)) {
        return false;
    }
    for (size_t l = 0; l < out->layers; l++) {
        const bool odd = period > 0 && (first ? l % period == 0 : (l + 1) % period == 0);
        out->layer[l] |= l >= from && !odd ? MODEL_LAYER_LOCAL : 0;
    }
    return true;
}

static bool read_window(const struct json *config, struct model_config *out, struct error *error)
{
    bool used = true;
    size_t local = 0;
    if (!config_switch(config, "use_sliding_window", &used, error) ||
        !config_size_or(config, "sliding_window|window_size", 1 << 24, &out->window, error) ||
        !config_size_or(config, "local_attention", 1 << 24, &local, error)) {
        return false;
    }
    if (local > 0) { /* of both sides together */
        out->window = local / 2;
    }
    if (out->window == 0 || !used) {
        out->window = 0;
        return true;
    }
    if (out->family->layered_window) {
        return read_local(config, out, error);
    }
    for (size_t l = 0; l < out->layers; l++) {
        out->layer[l] |= MODEL_LAYER_LOCAL;
    }
    return true;
}

/* ---- layers that do not turn --------------------------------------------------------------- */

static bool read_still(const struct json *config, struct model_config *out, struct error *error)
{
    const struct json *const list = json_member(config, "no_rope_layers");
    size_t period = strcmp(out->family->name, "smollm3") == 0 ? 4 : 0;
    if (!config_size_or(config, "no_rope_layer_interval", MODEL_LAYERS_MAX, &period, error)) {
        return false;
    }
    for (size_t l = 0; l < out->layers; l++) {
        int64_t turns = period == 0 || (l + 1) % period != 0;
        if (json_kind_of(list) == JSON_KIND_ARRAY &&
            !json_whole_number(json_element(list, l), &turns)) {
            return error_set(error, ERROR_INPUT,
                             "config.json: no_rope_layers must be a list of %zu numbers.",
                             out->layers);
        }
        out->layer[l] |= turns == 0 ? MODEL_LAYER_STILL : 0;
    }
    return true;
}

bool config_read_layers(const struct json *config, struct model_config *out, struct error *error)
{
    return read_window(config, out, error) && read_still(config, out, error);
}

/* ---- experts ------------------------------------------------------------------------------- */

/* Layers with an MLP of their own. */
static bool read_dense(const struct json *config, struct model_config *out, struct error *error)
{
    size_t first = 0, step = 1;
    const struct json *const list = json_member(config, "mlp_only_layers");
    if (!config_size_or(config, "decoder_sparse_step", MODEL_LAYERS_MAX, &step, error)) {
        return false;
    }
    int64_t dense = 0;
    if (json_whole_number(json_member(config, "first_k_dense_replace"), &dense) && dense > 0) {
        first = (size_t)dense;
    }
    for (size_t l = 0; l < out->layers; l++) {
        out->layer[l] |= l < first || (l + 1) % step != 0 ? MODEL_LAYER_DENSE : 0;
    }
    for (size_t i = 0; i < json_count(list); i++) {
        int64_t layer = 0;
        if (!json_whole_number(json_element(list, i), &layer) || layer < 0 ||
            (uint64_t)layer >= out->layers) {
            return error_set(error, ERROR_INPUT,
                             "config.json: mlp_only_layers must be a list of layers.");
        }
        out->layer[layer] |= MODEL_LAYER_DENSE;
    }
    return true;
}

bool config_read_experts(const struct json *config, struct model_config *out, struct error *error)
{
    struct model_experts *const experts = &out->experts;
    const struct model_family *const family = out->family;
    double scale = 1, limit = 7, slope = 1.702;
    size_t shared = 0;
    if (family->names[MODEL_ROUTER] == NULL) {
        return true;
    }
    experts->inner = out->inner;
    const bool gpt_oss = family->router == MODEL_ROUTER_SOFTMAX_CHOSEN;
    const bool sigmoid = family->router == MODEL_ROUTER_SIGMOID;
    bool normed = strcmp(family->name, "mixtral") == 0 || sigmoid;
    if (!config_size(config, "num_local_experts|n_routed_experts|num_experts", MODEL_EXPERTS_MAX,
                     &experts->count, error) ||
        !config_size(config, "num_experts_per_tok", experts->count, &experts->chosen, error) ||
        !config_size_or(config, "moe_intermediate_size", MODEL_INNER_MAX, &experts->inner, error) ||
        !config_size_or(config, "n_shared_experts", MODEL_EXPERTS_MAX, &shared, error) ||
        !config_number_or(config, "routed_scaling_factor", 0, 1e6, &scale, error) ||
        !config_number_or(config, "swiglu_limit", 0, 1e6, &limit, error) ||
        !config_number_or(config, "swiglu_alpha", 0, 1e6, &slope, error) ||
        !config_switch(config, "norm_topk_prob", &normed, error) ||
        !read_dense(config, out, error)) {
        return false;
    }
    experts->scale = scale;
    experts->normed = normed && strcmp(family->name, "deepseek-v2") != 0;
    experts->shared = shared * experts->inner;
    experts->limit = gpt_oss ? (float)limit : 0;
    experts->slope = (float)slope;
    experts->group_by_two = sigmoid;
    if (experts->shared > MODEL_INNER_MAX) {
        return error_set(error, ERROR_INPUT,
                         "config.json: %s must be a whole number from 1 to %zu.",
                         "n_shared_experts", MODEL_INNER_MAX / experts->inner);
    }
    if (sigmoid || config_text_is(config, "topk_method", "group_limited_greedy")) {
        if (!config_size_or(config, "n_group", experts->count, &experts->groups, error) ||
            !config_size_or(config, "topk_group", experts->count, &experts->groups_chosen, error)) {
            return false;
        }
        const size_t groups = experts->groups;
        if (groups > 0 && (experts->count % groups != 0 || experts->groups_chosen > groups ||
                           experts->groups_chosen == 0 ||
                           experts->groups_chosen * (experts->count / groups) < experts->chosen)) {
            return error_set(error, ERROR_INPUT,
                             "config.json: %zu of %zu groups do not suit %zu experts.",
                             experts->groups_chosen, groups, experts->count);
        }
    }
    return true;
}

/* ---- two stacks ---------------------------------------------------------------------------- */

static bool read_id(const struct json *config, const char *names, size_t *out)
{
    char name[CONFIG_KEY_MAX];
    const struct json *value = config_member(config, names, name);
    int64_t id = 0;
    if (json_kind_of(value) == JSON_KIND_ARRAY) {
        value = json_element(value, 0);
    }
    if (json_whole_number(value, &id) && id >= 0) {
        *out = (size_t)id;
        return true;
    }
    return false;
}

void config_read_padding(const struct json *config, struct model_config *out)
{
    if (out->family->padding_stays) {
        out->padding = out->first_place - 1;
        (void)read_id(config, "pad_token_id", &out->padding);
        out->padding = out->padding < VOCABULARY_IDS_MAX ? out->padding : VOCABULARY_IDS_MAX;
        out->first_place = out->padding + 1;
    }
}

bool config_read_pair(const struct json *config, struct model_config *out, struct error *error)
{
    (void)read_id(config, "eos_token_id", &out->end);
    if (out->family->source_names == NULL) {
        return true;
    }
    out->source_inner = out->inner;
    out->source_heads = out->heads;
    if (!config_size(config, "num_layers|encoder_layers", MODEL_LAYERS_MAX, &out->source_layers,
                     error) ||
        !config_size_or(config, "encoder_attention_heads", ATTN_HEADS_MAX, &out->source_heads,
                        error) ||
        !config_size_or(config, "encoder_ffn_dim", MODEL_INNER_MAX, &out->source_inner, error)) {
        return false;
    }
    if (out->source_heads != out->heads) {
        return error_set(error, ERROR_INPUT,
                         "config.json: %zu heads of the encoder and %zu of the decoder; models "
                         "with as many in both can be opened.",
                         out->source_heads, out->heads);
    }
    if (!read_id(config, "decoder_start_token_id|pad_token_id", &out->start)) {
        out->start = 0;
    }
    if (out->start >= out->vocabulary) {
        return error_set(error, ERROR_INPUT,
                         "config.json: decoder_start_token_id is %zu, the model has %zu tokens.",
                         out->start, out->vocabulary);
    }
    if (out->family->names[MODEL_RELATIVE] == NULL) {
        return true;
    }
    const char *form = NULL;
    bool scaled = out->tied;
    out->buckets = 32;
    out->farthest = 128;
    if (json_text(json_member(config, "feed_forward_proj"), &form) &&
        strncmp(form, "gated-", 6) == 0) {
        out->gated = true;
        if (!model_activation_find(strcmp(form + 6, "gelu") == 0 ? "gelu_new" : form + 6,
                                   &out->activation)) {
            return error_set(error, ERROR_INPUT,
                             "config.json: %s “%.30s” is not known; gelu_new, gelu, relu, silu "
                             "and tanh are.",
                             "feed_forward_proj", form);
        }
    }
    if (!config_switch(config, "scale_decoder_outputs", &scaled, error) ||
        !config_size_or(config, "relative_attention_num_buckets", 1 << 16, &out->buckets, error) ||
        !config_size_or(config, "relative_attention_max_distance", 1 << 24, &out->farthest,
                        error)) {
        return false;
    }
    out->logit_scale = scaled ? 1 / sqrtf((float)out->width) : 1;
    return (out->buckets % 4 == 0 && out->farthest > out->buckets / 2) ||
           error_set(error, ERROR_INPUT,
                     "config.json: %zu relative buckets up to a distance of %zu cannot be made.",
                     out->buckets, out->farthest);
}
