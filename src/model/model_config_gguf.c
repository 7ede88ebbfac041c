/* model/model_config_gguf.c — what a GGUF says of its model: key-values behind the name of the
 * architecture (ggml-org/ggml, docs/gguf.md; llama.cpp, gguf-py/gguf/constants.py). Some things
 * stand in tensors (stretched rotary positions), some are known by the architecture alone. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file/gguf.h"
#include "model/model_config_json.h"

struct reading {
    const struct model_source *source;
    const char *arch;
    const struct model_family *family; /* NULL: not found yet */
    struct model_config *out;
    struct error *error;
    bool failed;
};

/* ---- values -------------------------------------------------------------------------------- */

/* Returns what stands under a key that the family reads (model/model_config_members.h). */
static struct model_value value_of(const struct reading *reading, const char *key)
{
    char whole[128];
    const char *usual = NULL;
    if (reading->family != NULL &&
        config_effect_of(reading->family, CONFIG_GGUF, key, &usual) != CONFIG_READ) {
        return (struct model_value){.kind = MODEL_VALUE_NONE};
    }
    snprintf(whole, sizeof whole, "%s.%s", reading->arch, key);
    return reading->source->calls->value(reading->source, whole);
}

/* The number of a list that has one for each layer, where all are the same. */
static struct model_value item_of_all(struct reading *reading, const char *whole, size_t count)
{
    const struct model_source *const source = reading->source;
    const struct model_value first = source->calls->item(source, whole, 0);
    for (size_t i = 1; i < count && !reading->failed; i++) {
        if (source->calls->item(source, whole, i).number != first.number) {
            reading->failed = true;
            error_set(reading->error, ERROR_INPUT,
                      "%s: %.80s differs between layers, which is not computed.", source->name,
                      whole);
        }
    }
    return first;
}

/* A number from low to high, also as a list with one for each layer. */
static bool read_number(struct reading *reading, const char *key, double low, double high,
                        double *out)
{
    struct model_value value = value_of(reading, key);
    char whole[128];
    snprintf(whole, sizeof whole, "%s.%s", reading->arch, key);
    if (value.kind == MODEL_VALUE_LIST && value.count > 0) {
        value = item_of_all(reading, whole, value.count);
    }
    if (value.kind == MODEL_VALUE_NONE || reading->failed) {
        return false;
    }
    if ((value.kind != MODEL_VALUE_NUMBER && value.kind != MODEL_VALUE_TRUTH) ||
        !(value.number >= low) || !(value.number <= high)) {
        reading->failed = true;
        return error_set(reading->error, ERROR_INPUT, "%s: %.80s must be a number from %g to %g.",
                         reading->source->name, whole, low, high);
    }
    *out = value.number;
    return true;
}

static bool read_size(struct reading *reading, const char *key, size_t max, size_t *out)
{
    double found = 0;
    if (!read_number(reading, key, 0, (double)max, &found)) {
        return false;
    }
    if (found > 0) {
        *out = (size_t)found;
    }
    return true;
}

static void read_required_size(struct reading *reading, const char *key, size_t max, size_t *out)
{
    *out = 0;
    char whole[128];
    const bool said = read_size(reading, key, max, out);
    if (*out > 0 || reading->failed) {
        return;
    }
    reading->failed = true;
    snprintf(whole, sizeof whole, "%s.%s", reading->arch, key);
    if (said) {
        error_set(reading->error, ERROR_INPUT, "%s: %.80s must be a number from %g to %g.",
                  reading->source->name, whole, 1.0, (double)max);
    } else {
        error_set(reading->error, ERROR_INPUT, "%s: it does not say %s.%s.", reading->source->name,
                  reading->arch, key);
    }
}

static const struct model_tensor *tensor_of(const struct reading *reading, const char *name)
{
    return reading->source->calls->find(reading->source, name);
}

static bool is_arch(const struct reading *reading, const char *list)
{
    return model_list_has(list, reading->arch);
}

/* ---- parts --------------------------------------------------------------------------------- */

/* Where no length of keys is given. */
static void find_d_k(struct reading *reading)
{
    struct model_config *const out = reading->out;
    char heads[128], width[128];
    if (out->width % out->heads == 0) {
        out->d_k = out->width / out->heads;
    } else if (!out->family->latent) { /* which say it in another way */
        reading->failed = true;
        snprintf(heads, sizeof heads, "%s.attention.head_count", reading->arch);
        snprintf(width, sizeof width, "%s.embedding_length", reading->arch);
        error_set(reading->error, ERROR_INPUT, "%s: %s %zu does not divide %s %zu.",
                  reading->source->name, heads, out->heads, width, out->width);
    }
}

static void read_sizes(struct reading *reading)
{
    struct model_config *const out = reading->out;
    const struct model_tensor *const embed = tensor_of(reading, "token_embd.weight");
    double epsilon = out->family->epsilon, score_cap = 0, logit_cap = 0;
    double parallel = out->parallel ? 1 : 0, causal = out->bidirectional ? 0 : 1;
    read_required_size(reading, "block_count", MODEL_LAYERS_MAX, &out->layers);
    read_required_size(reading, "embedding_length", MODEL_WIDTH_MAX, &out->width);
    read_required_size(reading, "attention.head_count", ATTN_HEADS_MAX, &out->heads);
    read_required_size(reading, "feed_forward_length", MODEL_INNER_MAX, &out->inner);
    (void)read_size(reading, "context_length", 1 << 24, &out->positions);
    (void)read_size(reading, "attention.head_count_kv", ATTN_HEADS_MAX, &out->groups);
    (void)read_size(reading, "attention.key_length", MODEL_WIDTH_MAX, &out->d_k);
    (void)read_size(reading, "attention.value_length", MODEL_WIDTH_MAX, &out->d_v);
    (void)read_number(reading, "attention.layer_norm_epsilon", 0, 1, &epsilon);
    (void)read_number(reading, "attention.layer_norm_rms_epsilon", 0, 1, &epsilon);
    (void)read_number(reading, "attn_logit_softcapping", 0, 1e6, &score_cap);
    (void)read_number(reading, "final_logit_softcapping", 0, 1e6, &logit_cap);
    (void)read_number(reading, "use_parallel_residual", 0, 1, &parallel);
    (void)read_number(reading, "attention.causal", 0, 1, &causal);
    out->bidirectional = !(causal > 0);
    out->parallel = parallel > 0;
    out->epsilon = (float)epsilon;
    out->score_cap = (float)score_cap;
    out->logit_cap = (float)logit_cap;
    if (embed == NULL || embed->rank != 2 || embed->shape[0] > VOCABULARY_IDS_MAX) {
        reading->failed = true;
        error_set(reading->error, ERROR_INPUT, "%s: the tensor %.96s is missing.",
                  reading->source->name, "token_embd.weight");
        return;
    }
    out->vocabulary = out->source_vocabulary = embed->shape[0];
    out->tied = tensor_of(reading, "output.weight") == NULL;
    out->embedding_scale = out->family->scaled_embedding ? sqrtf((float)out->width) : 1.0F;
    if (out->d_k == 0 && !reading->failed) {
        find_d_k(reading);
    }
    if (is_arch(reading, "bert")) {
        const struct model_tensor *const types = tensor_of(reading, "token_types.weight");
        out->types = types == NULL ? 0 : types->shape[0];
    }
}

static void read_latent(struct reading *reading)
{
    struct model_config *const out = reading->out;
    read_required_size(reading, "attention.kv_lora_rank", MODEL_WIDTH_MAX, &out->kv_rank);
    read_required_size(reading, "rope.dimension_count", MODEL_WIDTH_MAX, &out->turns);
    (void)read_size(reading, "attention.q_lora_rank", MODEL_WIDTH_MAX, &out->q_rank);
    (void)read_size(reading, "attention.key_length_mla", MODEL_WIDTH_MAX, &out->d_k);
    (void)read_size(reading, "attention.value_length_mla", MODEL_WIDTH_MAX, &out->d_v);
    out->groups = out->heads;
    if (!reading->failed && out->d_k <= out->turns) {
        reading->failed = true;
        error_set(reading->error, ERROR_INPUT, "%s: %zu numbers of a head of %zu cannot turn.",
                  reading->source->name, out->turns, out->d_k);
        return;
    }
    out->unrotated = out->d_k - out->turns;
}

/* Pairs are slowed down by the numbers of a tensor. */
static void read_stretch(struct reading *reading, const char *name, struct model_rotary *rotary,
                         size_t which)
{
    const struct model_tensor *const tensor = tensor_of(reading, name);
    if (tensor == NULL || tensor->rank != 1 || !tensor->readable ||
        tensor->shape[0] > MODEL_ROTARY_MAX) {
        return;
    }
    rotary->scaling = MODEL_SCALING_LONGROPE;
    rotary->longs = tensor->shape[0];
    tensor->copy(tensor, 0, tensor->shape[0], rotary->stretch[which]);
}

/* How positions are stretched by the type and the factor that a file names. */
static void read_scaling(struct reading *reading, struct model_rotary *rotary)
{
    static const struct {
        const char *name;
        enum model_scaling scaling;
    } kinds[] = {{"none", MODEL_SCALING_NONE},
                 {"linear", MODEL_SCALING_LINEAR},
                 {"yarn", MODEL_SCALING_YARN},
                 {"longrope", MODEL_SCALING_NONE}}; /* unless tensors say how far */
    const struct model_value type = value_of(reading, "rope.scaling.type");
    const char *const name = type.kind == MODEL_VALUE_TEXT ? type.text : "linear";
    const struct model_tensor *const stretch = tensor_of(reading, "rope_factors_long.weight");
    bool known = false;
    (void)read_number(reading, "rope.scale_linear", 0, 1e6, &rotary->factor);
    (void)read_number(reading, "rope.scaling.factor", 0, 1e6, &rotary->factor);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(name, kinds[k].name) == 0) {
            rotary->scaling = kinds[k].scaling;
            known = strcmp(name, "longrope") != 0 || stretch != NULL;
        }
    }
    if (!known && !reading->failed) {
        reading->failed = true;
        error_set(reading->error, ERROR_INPUT,
                  "%s: rotary positions of the type “%.30s” are not known; none, linear, yarn and "
                  "longrope with its factors are.",
                  reading->source->name, name);
    }
    if (rotary->scaling == MODEL_SCALING_LINEAR && !(rotary->factor > 0)) {
        rotary->scaling = MODEL_SCALING_NONE;
    }
}

static void finish_rotary(struct reading *reading, double attention, double mscale)
{
    struct model_config *const out = reading->out;
    struct model_rotary *const rotary = &out->rotary[0];
    out->rotary[1] = *rotary;
    if (out->family->local_theta > 0) { /* local layers are not stretched */
        out->rotary[1].theta = out->family->local_theta;
        out->rotary[1].scaling = MODEL_SCALING_NONE;
        (void)read_number(reading, "rope.freq_base_swa", 1e-3, 1e12, &out->rotary[1].theta);
    }
    if (!reading->failed && !model_rotary_finish(out, rotary, attention, mscale, mscale,
                                                 reading->source->name, reading->error)) {
        reading->failed = true;
    }
    if (attention > 0 && rotary->scaling != MODEL_SCALING_YARN) {
        rotary->magnitude = attention;
    }
    if (out->family->local_theta <= 0) {
        out->rotary[1] = *rotary;
    }
}

static void read_rotary(struct reading *reading)
{
    struct model_config *const out = reading->out;
    struct model_rotary *const rotary = &out->rotary[0];
    double attention = 0, log_by = 0;
    if (!(out->family->theta > 0) || reading->failed) {
        return;
    }
    rotary->width = out->family->latent ? out->turns : out->d_k;
    rotary->theta = out->family->theta;
    rotary->factor = 0;
    rotary->low = 1;
    rotary->high = 32;
    rotary->whole = !is_arch(reading, "gpt-oss");
    (void)read_size(reading, "rope.dimension_count", MODEL_WIDTH_MAX, &rotary->width);
    rotary->divisor = rotary->width;
    (void)read_number(reading, "rope.freq_base", 1e-3, 1e12, &rotary->theta);
    (void)read_number(reading, "rope.scaling.attn_factor", 0, 1e6, &attention);
    (void)read_number(reading, "rope.scaling.yarn_log_multiplier", 0, 1e3, &log_by);
    (void)read_number(reading, "rope.scaling.yarn_beta_fast", 0, 1e6, &rotary->high);
    (void)read_number(reading, "rope.scaling.yarn_beta_slow", 0, 1e6, &rotary->low);
    (void)read_size(reading, "rope.scaling.original_context_length", 1 << 24, &rotary->original);
    read_scaling(reading, rotary);
    read_stretch(reading, "rope_factors_short.weight", rotary, 0);
    read_stretch(reading, "rope_factors_long.weight", rotary, 1);
    if (tensor_of(reading, "rope_freqs.weight") != NULL) { /* Llama 3: of texts of any length */
        read_stretch(reading, "rope_freqs.weight", rotary, 0);
        read_stretch(reading, "rope_freqs.weight", rotary, 1);
        attention = attention > 0 ? attention : 1;
    }
    const double mscale = out->family->latent ? log_by * 10 : 0;
    if (mscale > 0 && rotary->factor > 1) {
        const double by = log_by * log(rotary->factor) + 1;
        out->factor = by * by / sqrt((double)out->d_k);
    }
    finish_rotary(reading, attention, mscale);
}

/* Which layers have a window: a list of truths, or every one but the last of so many. */
static bool is_local(struct reading *reading, size_t layer, size_t period)
{
    const struct model_value pattern = value_of(reading, "attention.sliding_window_pattern");
    char whole[128];
    snprintf(whole, sizeof whole, "%s.attention.sliding_window_pattern", reading->arch);
    if (pattern.kind == MODEL_VALUE_LIST) {
        return layer < pattern.count &&
               reading->source->calls->item(reading->source, whole, layer).number > 0;
    }
    if (pattern.kind == MODEL_VALUE_NUMBER && pattern.number >= 0 && pattern.number < 1e6) {
        period = (size_t)pattern.number;
    }
    return period == 0 || (layer + 1) % period != 0;
}

static void read_layers(struct reading *reading)
{
    static const struct {
        const char *arch;
        size_t period;
    } patterns[] = {{"gemma2", 2}, {"gpt-oss", 2}, {"gemma3", 6}};
    struct model_config *const out = reading->out;
    size_t period = 0, dense = 0;
    out->window = 0;
    (void)read_size(reading, "attention.sliding_window", 1 << 24, &out->window);
    (void)read_size(reading, "leading_dense_block_count", MODEL_LAYERS_MAX, &dense);
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        period = is_arch(reading, patterns[p].arch) ? patterns[p].period : period;
    }
    for (size_t l = 0; l < out->layers; l++) {
        const bool local = out->window > 0 && is_local(reading, l, period);
        out->layer[l] |= local ? MODEL_LAYER_LOCAL : 0;
        out->layer[l] |=
            is_arch(reading, "smollm3") && (l + 1) % 4 == 0 ? MODEL_LAYER_UNROTATED : 0;
        char router[64];
        snprintf(router, sizeof router, "blk.%zu.ffn_gate_inp.weight", l);
        const bool plain = out->family->names[MODEL_ROUTER] != NULL &&
                           (l < dense || tensor_of(reading, router) == NULL);
        out->layer[l] |= plain ? MODEL_LAYER_DENSE : 0;
    }
    /* Of the largest Gemmas scores are divided by another root. */
    if ((is_arch(reading, "gemma2") && out->layers == 46) ||
        (is_arch(reading, "gemma3") && out->layers == 62)) {
        out->factor = 1 / sqrt((double)out->width / (double)out->heads);
    }
}

static void read_experts(struct reading *reading)
{
    struct model_config *const out = reading->out;
    struct model_experts *const experts = &out->experts;
    const bool sigmoid = out->family->router == MODEL_ROUTER_SIGMOID;
    double scale = 1, normed = is_arch(reading, "llama|qwen3moe") ? 1 : 0;
    size_t shared = 0;
    if (out->family->names[MODEL_ROUTER] == NULL) {
        return;
    }
    read_required_size(reading, "expert_count", MODEL_EXPERTS_MAX, &experts->count);
    read_required_size(reading, "expert_used_count", experts->count, &experts->chosen);
    experts->inner = out->inner;
    (void)read_size(reading, "expert_feed_forward_length", MODEL_INNER_MAX, &experts->inner);
    (void)read_size(reading, "expert_shared_count", 64, &shared);
    (void)read_size(reading, "expert_group_count", experts->count, &experts->groups);
    (void)read_size(reading, "expert_group_used_count", experts->count, &experts->groups_chosen);
    (void)read_number(reading, "expert_weights_scale", 0, 1e6, &scale);
    (void)read_number(reading, "expert_weights_norm", 0, 1, &normed);
    const size_t groups = experts->groups;
    if (groups > 0 && (experts->count % groups != 0 || experts->groups_chosen == 0 ||
                       experts->groups_chosen > groups ||
                       experts->groups_chosen * (experts->count / groups) < experts->chosen)) {
        experts->groups = 0;
    }
    experts->shared = shared * experts->inner;
    experts->scale = scale > 0 ? scale : 1;
    experts->normed = normed > 0;
    experts->group_by_two = sigmoid;
    experts->limit = out->family->router == MODEL_ROUTER_SOFTMAX_CHOSEN ? 7 : 0;
    experts->slope = 1.702F;
}

/* T5's positions and MLP. */
static void read_relative(struct reading *reading)
{
    struct model_config *const out = reading->out;
    read_required_size(reading, "attention.relative_buckets_count", 1 << 16, &out->buckets);
    out->farthest = 128;
    out->positions = MODEL_PLACES_ENDLESS;
    out->gated = tensor_of(reading, "dec.blk.0.ffn_gate.weight") != NULL ||
                 tensor_of(reading, "enc.blk.0.ffn_gate.weight") != NULL;
    out->activation = out->gated ? MODEL_GELU_TANH : MODEL_RELU;
    if (!reading->failed && (out->buckets % 4 != 0 || out->farthest <= out->buckets / 2)) {
        reading->failed = true;
        error_set(reading->error, ERROR_INPUT, "%s: %.80s must be a number from %g to %g.",
                  reading->source->name, "t5.attention.relative_buckets_count", 4.0, 252.0);
    }
}

static void read_pair(struct reading *reading)
{
    struct model_config *const out = reading->out;
    double id = 0;
    const struct model_value end =
        reading->source->calls->value(reading->source, "tokenizer.ggml.eos_token_id");
    if (end.kind == MODEL_VALUE_NUMBER && end.number >= 0 && end.number < 1e9) {
        out->end = (size_t)end.number;
    }
    if (out->family->names[MODEL_RELATIVE] == NULL) {
        return;
    }
    read_relative(reading);
    if (out->family->source_names == NULL) {
        return;
    }
    out->source_layers = out->layers;
    out->source_heads = out->heads;
    out->source_inner = out->inner;
    (void)read_size(reading, "decoder_block_count", MODEL_LAYERS_MAX, &out->layers);
    (void)read_number(reading, "decoder_start_token_id", 0, (double)(out->vocabulary - 1), &id);
    out->start = (size_t)id;
    out->logit_scale = out->tied ? 1 / sqrtf((float)out->width) : 1;
}

/* Some architectures of llama.cpp are several families of Hugging Face. */
static const struct model_family *family_of(const struct reading *reading)
{
    const struct model_value experts = value_of(reading, "expert_count");
    const struct model_value gating = value_of(reading, "expert_gating_func");
    if (is_arch(reading, "llama") && experts.kind == MODEL_VALUE_NUMBER && experts.number > 0) {
        return model_family_of_type("mixtral");
    }
    if (is_arch(reading, "deepseek2") && gating.kind == MODEL_VALUE_NUMBER && gating.number > 1.5) {
        return model_family_of_type("deepseek_v3");
    }
    return model_family_of_arch(reading->arch);
}

/* Goes through all keys of the architecture (model/model_config_members.h). */
static bool check_keys(struct reading *reading)
{
    const struct gguf *const gguf = model_source_gguf_of(reading->source);
    const size_t length = strlen(reading->arch);
    for (size_t k = 0; gguf != NULL && k < gguf->key_count; k++) {
        const struct gguf_value *const value = &gguf->keys[k];
        char text[32];
        if (strncmp(value->key, reading->arch, length) != 0 || value->key[length] != '.') {
            continue;
        }
        if (value->type == GGUF_TRUTH) {
            snprintf(text, sizeof text, "%s", value->bits != 0 ? "true" : "false");
        } else {
            snprintf(text, sizeof text, "%.9g", value->number);
        }
        const bool plain = value->type != GGUF_TEXT && value->type != GGUF_LIST;
        if (!config_check_key(value->key + length + 1, plain ? text : "a list or a text",
                              reading->source->name, reading->out, reading->error)) {
            return false;
        }
    }
    return true;
}

bool model_config_of_source(const struct model_source *source, struct model_config *config,
                            struct error *error)
{
    const struct model_value arch = source->calls->value(source, "general.architecture");
    struct reading reading = {.source = source, .out = config, .error = error};
    if (arch.kind != MODEL_VALUE_TEXT) {
        return error_set(error, ERROR_INPUT, "%s: it does not say general.architecture.",
                         source->name);
    }
    reading.arch = arch.text;
    const struct model_family *const family = family_of(&reading);
    if (family == NULL) {
        config->foreign = model_foreign_of(NULL, arch.text);
        return config->foreign == MODEL_FOREIGN_STATE
                   ? error_set(error, ERROR_INPUT,
                               "%.40s: models of type “%.24s” have no attention: a state goes from "
                               "word to word, and there are no weights to show.",
                               source->name, arch.text)
                   : error_set(error, ERROR_INPUT,
                               "%.40s: its architecture “%.24s” is not known; a few lines of "
                               "Python save what can be opened (manual, For researchers).",
                               source->name, arch.text);
    }
    model_config_start(config, family);
    reading.family = family;
    reading.failed = !check_keys(&reading);
    if (!reading.failed) {
        read_sizes(&reading);
    }
    if (family->latent && !reading.failed) {
        read_latent(&reading);
    }
    if (!reading.failed) {
        read_rotary(&reading);
        read_layers(&reading);
        read_experts(&reading);
        read_pair(&reading);
    }
    return !reading.failed && model_config_finish(config, source->name, error);
}
