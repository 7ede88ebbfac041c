/* model/model_config_layers.c — what config.json says of single layers: windows, layers that do not
 * turn, experts; and of the two stacks of an encoder–decoder. */
#include <math.h>
#include <string.h>

#include "model/model_config_json.h"

/* ---- windows ------------------------------------------------------------------------------- */

/* A layer of a kind that a list names; false: that kind is not computed. */
static bool set_kind(const char *kind, size_t layer, struct model_config *out)
{
    const bool local = model_list_has("sliding_attention|local", kind);
    out->layer[layer] |= local ? MODEL_LAYER_LOCAL : 0;
    return local || model_list_has("full_attention|attention|global", kind);
}

static bool refuse_kind(const char *name, const char *kind, struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "config.json: %s names “%.30s”, which is not computed; full_attention and "
                     "sliding_attention are.",
                     name, kind);
}

/* Layers that a list of words calls local. */
static bool read_kinds(const struct json *list, const char *name, struct model_config *out,
                       struct error *error)
{
    bool fine = json_kind_of(list) == JSON_KIND_ARRAY && json_count(list) >= out->layers;
    for (size_t l = 0; fine && l < out->layers; l++) {
        const char *kind = NULL;
        fine = json_text(json_element(list, l), &kind);
        if (fine && !set_kind(kind, l, out)) {
            return refuse_kind(name, kind, error);
        }
    }
    return fine || error_set(error, ERROR_INPUT,
                             "config.json: %s must be a list of %zu words, one for each layer.",
                             name, out->layers);
}

/* GPT-Neo's [[["global", "local"], 12]]. */
static bool read_types(const struct json *list, struct model_config *out, struct error *error)
{
    size_t layer = 0;
    for (size_t i = 0; i < json_count(list); i++) {
        const struct json *const kinds = json_element(json_element(list, i), 0);
        int64_t times = 0;
        (void)json_whole_number(json_element(json_element(list, i), 1), &times);
        for (int64_t t = 0; t < times && json_count(kinds) > 0 && layer < out->layers; t++) {
            for (size_t k = 0; k < json_count(kinds) && layer < out->layers; k++, layer++) {
                const char *kind = "";
                (void)json_text(json_element(kinds, k), &kind);
                if (!set_kind(kind, layer, out)) {
                    return refuse_kind("attention_types", kind, error);
                }
            }
        }
    }
    return layer == out->layers ||
           error_set(error, ERROR_INPUT, "config.json: attention_types must name every layer.");
}

/* Where no list says it: every layer but one of so many is local; the odd one stands last in its
 * group, or first (ModernBERT). 0: the family has no such rule. */
static size_t period_of(const struct model_config *config, bool *first)
{
    static const struct {
        const char *name;
        size_t period;
        bool first;
    } rows[] = {{"gemma2", 2, false},    {"gpt-oss", 2, false},           {"gemma3", 6, false},
                {"modernbert", 3, true}, {"modernbert-decoder", 3, true}, {"neo", 2, true}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (strcmp(config->family->name, rows[r].name) == 0) {
            *first = rows[r].first;
            return rows[r].period;
        }
    }
    return 0;
}

/* A rule in place of a list of kinds. */
struct layer_rule {
    size_t period, from; /* every layer but one of so many is local, and none before that one */
    bool first;          /* the odd one is the first of its group */
};

static bool read_rule(const struct config_object *config, const struct model_config *out,
                      struct layer_rule *rule, struct error *error)
{
    const char *usual = NULL;
    const bool by_place =
        config_effect_of(out->family, CONFIG_TOP, "max_window_layers", &usual) == CONFIG_READ;
    rule->first = false;
    rule->period = period_of(out, &rule->first);
    rule->from = by_place ? 28 : 0; /* what Qwen's classes begin with */
    return config_size_or(config, "sliding_window_pattern|global_attn_every_n_layers",
                          MODEL_LAYERS_MAX, &rule->period, error) &&
           config_count_or(config, "max_window_layers", MODEL_LAYERS_MAX, &rule->from, error);
}

static bool read_local(const struct config_object *config, const struct layer_rule *rule,
                       struct model_config *out, struct error *error)
{
    char name[CONFIG_NAME_MAX], key[CONFIG_NAME_MAX];
    const struct json *const list = config_member(config, "layer_types|attention_layers", name);
    const struct json *const types = config_member(config, "attention_types", key);
    if (list != NULL) {
        return read_kinds(list, name, out, error);
    }
    if (types != NULL) {
        return read_types(types, out, error);
    }
    const bool some = out->window > 0 || rule->period > 0; /* else no layer has a window */
    for (size_t l = 0; some && l < out->layers; l++) {
        const bool odd =
            rule->period > 0 && (rule->first ? l % rule->period == 0 : (l + 1) % rule->period == 0);
        const bool moves = strcmp(out->family->name, "smollm3") == 0 &&
                           (out->layer[l] & MODEL_LAYER_UNROTATED) == 0;
        out->layer[l] |= !odd && !moves && l >= rule->from ? MODEL_LAYER_LOCAL : 0;
    }
    return true;
}

/* A layer of a list that shall have a window where there is none. */
static bool check_windows(const struct model_config *out, struct error *error)
{
    for (size_t l = 0; out->window == 0 && l < out->layers; l++) {
        if ((out->layer[l] & MODEL_LAYER_LOCAL) != 0) {
            return error_set(
                error, ERROR_INPUT,
                "config.json: layer %zu has a window by its kind, but no window is given "
                "or used.",
                l);
        }
    }
    return true;
}

/* The window, and which layers have it. */
static bool read_window(const struct config_object *config, struct model_config *out,
                        struct error *error)
{
    const struct model_family *const family = out->family;
    const char *usual = NULL;
    bool used = config_effect_of(family, CONFIG_TOP, "use_sliding_window", &usual) != CONFIG_READ;
    size_t both = 0;
    if (!config_switch(config, "use_sliding_window", &used, error) ||
        !config_size_or(config, "local_attention", 1 << 24, &both, error)) {
        return false;
    }
    out->window = config_is_null(config, "sliding_window") ? 0
                  : both > 0                               ? both / 2 /* of both sides together */
                                                           : family->window;
    if (!config_size_or(config, "sliding_window|window_size", 1 << 24, &out->window, error)) {
        return false;
    }
    if (out->bidirectional && strcmp(family->name, "gemma3") == 0) {
        out->window /= 2; /* likewise */
    }
    out->window = used ? out->window : 0;
    if (family->layered_window) {
        struct layer_rule rule;
        return read_rule(config, out, &rule, error) && read_local(config, &rule, out, error) &&
               check_windows(out, error);
    }
    for (size_t l = 0; out->window > 0 && l < out->layers; l++) {
        out->layer[l] |= MODEL_LAYER_LOCAL;
    }
    return true;
}

/* ---- layers that do not turn --------------------------------------------------------------- */

static bool read_still(const struct config_object *config, struct model_config *out,
                       struct error *error)
{
    char name[CONFIG_NAME_MAX];
    const struct json *const list = config_member(config, "no_rope_layers", name);
    size_t period = strcmp(out->family->name, "smollm3") == 0 ? 4 : 0;
    if (!config_size_or(config, "no_rope_layer_interval", MODEL_LAYERS_MAX, &period, error)) {
        return false;
    }
    for (size_t l = 0; l < out->layers; l++) {
        int64_t turns = period == 0 || (l + 1) % period != 0;
        if (list != NULL && !json_whole_number(json_element(list, l), &turns)) {
            return error_set(error, ERROR_INPUT,
                             "config.json: no_rope_layers must be a list of %zu numbers.",
                             out->layers);
        }
        out->layer[l] |= turns == 0 ? MODEL_LAYER_UNROTATED : 0;
    }
    return true;
}

bool config_read_layers(const struct config_object *config, struct model_config *out,
                        struct error *error)
{
    return read_still(config, out, error) && read_window(config, out, error);
}

/* ---- experts ------------------------------------------------------------------------------- */

/* Layers with an MLP of their own. */
static bool read_dense(const struct config_object *config, struct model_config *out,
                       struct error *error)
{
    size_t first = out->family->router == MODEL_ROUTER_SIGMOID ? 3 : 0, step = 1;
    char name[CONFIG_NAME_MAX];
    const struct json *const list = config_member(config, "mlp_only_layers", name);
    if (!config_size_or(config, "decoder_sparse_step", MODEL_LAYERS_MAX, &step, error) ||
        !config_count_or(config, "first_k_dense_replace", MODEL_LAYERS_MAX, &first, error)) {
        return false;
    }
    if (list != NULL && json_kind_of(list) != JSON_KIND_ARRAY) {
        return error_set(error, ERROR_INPUT,
                         "config.json: mlp_only_layers must be a list of layers.");
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

/* Groups of experts, of which only the best are looked at. */
static bool read_groups(const struct config_object *config, struct model_config *out,
                        struct error *error)
{
    struct model_experts *const experts = &out->experts;
    const bool sigmoid = out->family->router == MODEL_ROUTER_SIGMOID;
    char name[CONFIG_NAME_MAX];
    const struct json *const method = config_member(config, "topk_method", name);
    const bool limited = config_text_is(config, "topk_method", "group_limited_greedy");
    if (method != NULL && !limited && !config_text_is(config, "topk_method", "greedy")) {
        return error_set(error, ERROR_INPUT,
                         "config.json: topk_method is not known; greedy and group_limited_greedy "
                         "are.");
    }
    experts->groups = sigmoid && !config_is_null(config, "n_group") ? 8 : 0;
    experts->groups_chosen = experts->groups / 2;
    if (!config_size_or(config, "n_group", experts->count, &experts->groups, error) ||
        !config_size_or(config, "topk_group", experts->count, &experts->groups_chosen, error)) {
        return false;
    }
    experts->groups = sigmoid || limited ? experts->groups : 0; /* else all are looked at */
    const size_t groups = experts->groups;
    if (groups > 0 && (experts->count % groups != 0 || experts->groups_chosen > groups ||
                       experts->groups_chosen == 0 ||
                       experts->groups_chosen * (experts->count / groups) < experts->chosen)) {
        return error_set(error, ERROR_INPUT,
                         "config.json: %zu of %zu groups do not suit %zu experts.",
                         experts->groups_chosen, groups, experts->count);
    }
    return true;
}

bool config_read_experts(const struct config_object *config, struct model_config *out,
                         struct error *error)
{
    struct model_experts *const experts = &out->experts;
    const struct model_family *const family = out->family;
    const bool gpt_oss = family->router == MODEL_ROUTER_SOFTMAX_CHOSEN;
    const bool sigmoid = family->router == MODEL_ROUTER_SIGMOID;
    double scale = sigmoid ? 2.5 : 1, limit = 7, slope = 1.702;
    size_t shared = sigmoid ? 1 : family->latent ? 2 : 0;
    bool normed = strcmp(family->name, "mixtral") == 0 || sigmoid;
    if (family->names[MODEL_ROUTER] == NULL) {
        return true;
    }
    const char *const names = family->latent ? "num_experts|num_local_experts|n_routed_experts"
                                             : "num_experts|num_local_experts";
    experts->inner = out->inner;
    if (!config_size(config, names, MODEL_EXPERTS_MAX, &experts->count, error) ||
        !config_size(config, "num_experts_per_tok", experts->count, &experts->chosen, error) ||
        !config_size_or(config, "moe_intermediate_size", MODEL_INNER_MAX, &experts->inner, error) ||
        !config_count_or(config, "n_shared_experts", MODEL_EXPERTS_MAX, &shared, error) ||
        !config_number_or(config, "routed_scaling_factor", 0, 1e6, &scale, error) ||
        !config_number_or(config, "swiglu_limit", 0, 1e6, &limit, error) ||
        !config_number_or(config, "swiglu_alpha", 0, 1e6, &slope, error) ||
        !config_switch(config, "norm_topk_prob", &normed, error) ||
        !read_dense(config, out, error)) {
        return false;
    }
    experts->scale = scale;
    experts->normed = normed;
    experts->shared = config_is_null(config, "n_shared_experts") ? 0 : shared * experts->inner;
    experts->limit = gpt_oss ? (float)limit : 0;
    experts->slope = (float)slope;
    experts->group_by_two = sigmoid;
    if (experts->shared > MODEL_INNER_MAX) {
        return error_set(error, ERROR_INPUT,
                         "config.json: %s must be a whole number from %zu to %zu.",
                         "n_shared_experts", (size_t)0, MODEL_INNER_MAX / experts->inner);
    }
    return read_groups(config, out, error);
}

/* ---- biases -------------------------------------------------------------------------------- */

bool config_read_biases(const struct config_object *config, struct model_config *out,
                        struct error *error)
{
#define BIT MODEL_ROLE_BIT
#define QKV (BIT(MODEL_Q) | BIT(MODEL_K) | BIT(MODEL_V) | BIT(MODEL_QKV))
#define MLP (BIT(MODEL_GATE) | BIT(MODEL_UP) | BIT(MODEL_GATE_UP) | BIT(MODEL_DOWN))
#define SHARED (BIT(MODEL_SHARED_GATE) | BIT(MODEL_SHARED_UP) | BIT(MODEL_SHARED_DOWN))
#define LATENT (BIT(MODEL_Q_A) | BIT(MODEL_KV_A))
#define NORMS                                                                                      \
    (BIT(MODEL_EMBED_NORM) | BIT(MODEL_FINAL_NORM) | BIT(MODEL_HEAD_NORM) | BIT(MODEL_ATTN_NORM) | \
     BIT(MODEL_MLP_NORM))
    static const struct {
        const char *member, *families; /* families NULL: all that read it */
        uint64_t roles;
        bool usual; /* what the member is where it is not said */
    } rows[] = {
        {"attention_bias", "deepseek-v2|deepseek-v3", LATENT | BIT(MODEL_O), false},
        {"attention_bias", "gpt-oss|neox", QKV | BIT(MODEL_O), true},
        {"attention_bias", NULL, QKV | BIT(MODEL_O), false},
        {"mlp_bias", NULL, MLP | SHARED, false},
        {"norm_bias", NULL, NORMS, false},
        {"decoder_bias", NULL, BIT(MODEL_OUTPUT_BIAS) | BIT(MODEL_OUTPUT), true},
        {"classifier_bias", NULL, BIT(MODEL_HEAD_DENSE), false},
        {"enable_bias", NULL, QKV | BIT(MODEL_O) | MLP, true},
    };
#undef BIT
    uint64_t known = 0; /* the first row that speaks of a role counts */
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const char *usual = NULL;
        bool on = rows[r].usual;
        if (config_effect_of(out->family, CONFIG_TOP, rows[r].member, &usual) != CONFIG_READ ||
            (rows[r].families != NULL && !model_list_has(rows[r].families, out->family->name))) {
            continue;
        }
        if (!config_switch(config, rows[r].member, &on, error)) {
            return false;
        }
        const uint64_t roles = rows[r].roles & ~known;
        out->biases |= on && !rows[r].usual ? roles : 0;
        out->unread_biases |= on ? 0 : roles;
        known |= rows[r].roles;
    }
    return true;
}

/* ---- two stacks ---------------------------------------------------------------------------- */

bool config_read_padding(const struct config_object *config, struct model_config *out,
                         struct error *error)
{
    if (out->family->padding_stays) {
        out->padding = out->first_place - 1;
        if (!config_id_or(config, "pad_token_id", &out->padding, error)) {
            return false;
        }
        out->padding = out->padding < VOCABULARY_IDS_MAX ? out->padding : VOCABULARY_IDS_MAX;
        out->first_place = out->padding + 1;
    }
    return true;
}

/* T5's MLP: "relu", "gated-gelu"; what the two members say that were made of it counts. */
static bool read_form(const struct config_object *config, struct model_config *out,
                      struct error *error)
{
    char name[CONFIG_NAME_MAX];
    const char *form = out->gated ? "gated-gelu" : "relu";
    const struct json *const value = config_member(config, "feed_forward_proj", name);
    if (value != NULL && !json_text(value, &form)) {
        return error_set(error, ERROR_INPUT, "config.json: %s must be a text.", name);
    }
    out->gated = strncmp(form, "gated-", 6) == 0;
    const char *const act = out->gated ? form + 6 : form;
    if (!model_activation_find(strcmp(form, "gated-gelu") == 0 ? "gelu_new" : act,
                               &out->activation)) {
        return error_set(
            error, ERROR_INPUT,
            "config.json: %s “%.30s” is not known; gelu_new, gelu, relu, silu and tanh "
            "are.",
            "feed_forward_proj", form);
    }
    return config_activation_or(config, "dense_act_fn", &out->activation, error) &&
           config_switch(config, "is_gated_act", &out->gated, error);
}

/* T5's positions, MLP and logits. */
static bool read_t5(const struct config_object *config, struct model_config *out,
                    struct error *error)
{
    bool scaled = out->tied; /* unless the configuration says that the head is none of these */
    out->buckets = 32;
    out->farthest = 128;
    if (!read_form(config, out, error) ||
        !config_switch(config, "scale_decoder_outputs", &scaled, error) ||
        !config_size_or(config, "relative_attention_num_buckets", 1 << 16, &out->buckets, error) ||
        !config_size_or(config, "relative_attention_max_distance", 1 << 24, &out->farthest,
                        error)) {
        return false;
    }
    out->tied = true; /* where there is no head: these families never lack one */
    out->logit_scale = out->family->scaled_output && scaled ? 1 / sqrtf((float)out->width) : 1;
    return (out->buckets % 4 == 0 && out->farthest > out->buckets / 2) ||
           error_set(error, ERROR_INPUT,
                     "config.json: %zu relative buckets up to a distance of %zu cannot be made.",
                     out->buckets, out->farthest);
}

bool config_read_pair(const struct config_object *config, struct model_config *out,
                      struct error *error)
{
    if (!config_id_or(config, "eos_token_id", &out->end, error)) {
        return false;
    }
    if (out->family->source_names == NULL) {
        return true;
    }
    out->source_inner = out->inner;
    out->source_heads = out->heads;
    if (!config_size(config, "num_hidden_layers|num_layers|encoder_layers", MODEL_LAYERS_MAX,
                     &out->source_layers, error) ||
        !config_size_or(config, "num_attention_heads|encoder_attention_heads", ATTN_HEADS_MAX,
                        &out->source_heads, error) ||
        !config_size_or(config, "encoder_ffn_dim", MODEL_INNER_MAX, &out->source_inner, error)) {
        return false;
    }
    if (out->source_heads != out->heads) {
        return error_set(error, ERROR_INPUT,
                         "config.json: %zu heads of the encoder and %zu of the decoder; models "
                         "with as many in both can be opened.",
                         out->source_heads, out->heads);
    }
    if (!config_id_or(config, "decoder_start_token_id|pad_token_id", &out->start, error)) {
        return false;
    }
    if (out->start >= out->vocabulary) {
        return error_set(error, ERROR_INPUT,
                         "config.json: decoder_start_token_id is %zu, the model has %zu tokens.",
                         out->start, out->vocabulary);
    }
    return out->family->names[MODEL_RELATIVE] == NULL || read_t5(config, out, error);
}
