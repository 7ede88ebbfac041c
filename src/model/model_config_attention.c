/* model/model_config_attention.c — heads and rotary positions in config.json, in both spellings:
 * rope_theta with rope_scaling, and rope_parameters, also one for each kind of layer. */
#include <math.h>
#include <string.h>

#include "model/model_config_json.h"

/* ---- rotary positions ---------------------------------------------------------------------- */

static double magnitude_of(double factor, double by)
{
    return factor <= 1 ? 1 : 0.1 * by * log(factor) + 1;
}

bool model_rotary_finish(const struct model_config *config, struct model_rotary *rotary,
                         double attention_factor, double mscale, double mscale_all,
                         const char *file, struct error *error)
{
    if (rotary->original == 0) {
        rotary->original = config->positions;
    }
    if (rotary->scaling == MODEL_SCALING_YARN || rotary->scaling == MODEL_SCALING_LONGROPE) {
        if (rotary->factor <= 0) {
            rotary->factor = (double)config->positions / (double)rotary->original;
        }
        rotary->magnitude =
            attention_factor > 0 ? attention_factor
            : rotary->scaling == MODEL_SCALING_LONGROPE
                ? rotary->factor <= 1
                      ? 1
                      : sqrt(1 + log(rotary->factor) / log((double)rotary->original))
            : mscale > 0 && mscale_all > 0
                ? magnitude_of(rotary->factor, mscale) / magnitude_of(rotary->factor, mscale_all)
                : magnitude_of(rotary->factor, 1);
    }
    if (rotary->scaling == MODEL_SCALING_LONGROPE && 2 * rotary->longs != rotary->width) {
        return error_set(error, ERROR_INPUT,
                         "%s: rotary positions turn %zu numbers, but %zu pairs are stretched.",
                         file, rotary->width, rotary->longs);
    }
    return true;
}

static bool read_stretch(const struct json *row, const char *name, struct model_rotary *out,
                         float stretch[MODEL_ROTARY_MAX], struct error *error)
{
    const struct json *const list = json_member(row, name);
    out->longs = json_count(list);
    bool fine = json_kind_of(list) == JSON_KIND_ARRAY && out->longs <= MODEL_ROTARY_MAX;
    for (size_t i = 0; fine && i < out->longs; i++) {
        double number = 0;
        fine = json_number(json_element(list, i), &number) && number > 0 && number < 1e9;
        stretch[i] = (float)number;
    }
    return fine || error_set(error, ERROR_INPUT,
                             "config.json: %s must be a list of numbers above 0.", name);
}

static bool read_scaling(const struct json *row, struct model_rotary *out, struct error *error)
{
    static const struct {
        const char *name;
        enum model_scaling scaling;
    } kinds[] = {{"default", MODEL_SCALING_NONE},      {"linear", MODEL_SCALING_LINEAR},
                 {"llama3", MODEL_SCALING_LLAMA3},     {"yarn", MODEL_SCALING_YARN},
                 {"longrope", MODEL_SCALING_LONGROPE}, {"su", MODEL_SCALING_LONGROPE}};
    const char *name = "default";
    char key[CONFIG_KEY_MAX];
    const struct json *const type = config_member(row, "rope_type|type", key);
    if (type != NULL && !json_text(type, &name)) {
        return error_set(error, ERROR_INPUT, "config.json: %s must be a text.", key);
    }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(name, kinds[k].name) == 0) {
            out->scaling = kinds[k].scaling;
            return out->scaling != MODEL_SCALING_LONGROPE ||
                   (read_stretch(row, "short_factor", out, out->stretch[0], error) &&
                    read_stretch(row, "long_factor", out, out->stretch[1], error));
        }
    }
    return error_set(error, ERROR_INPUT,
                     "config.json: rotary positions of the type “%.30s” are not known; default, "
                     "linear, llama3, yarn and longrope are.",
                     name);
}

/* What one row of rope_parameters or rope_scaling says (NULL: nothing). */
static bool read_row(const struct json *config, const struct json *row, size_t width,
                     struct model_config *out, struct model_rotary *rotary, struct error *error)
{
    double share = out->family->share > 0 ? out->family->share : 1;
    double attention = 0, mscale = 0, mscale_all = 0;
    rotary->factor = 0;
    rotary->low = 1;
    rotary->high = 4;
    if (!config_number_or(config, "partial_rotary_factor|rotary_pct", 0, 1.000001, &share, error) ||
        !config_number_or(row, "partial_rotary_factor", 0, 1.000001, &share, error) ||
        !config_number_or(row, "rope_theta", 0, 1e12, &rotary->theta, error) ||
        !read_scaling(row, rotary, error)) {
        return false;
    }
    if (rotary->scaling == MODEL_SCALING_YARN) {
        rotary->high = 32;
    }
    rotary->width = (size_t)floor(share * (double)width + 1e-6);
    const bool fine =
        config_number_or(row, "factor", 0, 1e6, &rotary->factor, error) &&
        config_number_or(row, "low_freq_factor|beta_slow", 0, 1e6, &rotary->low, error) &&
        config_number_or(row, "high_freq_factor|beta_fast", 0, 1e6, &rotary->high, error) &&
        config_number_or(row, "attention_factor", 0, 1e6, &attention, error) &&
        config_number_or(row, "mscale", 0, 1e6, &mscale, error) &&
        config_number_or(row, "mscale_all_dim", 0, 1e6, &mscale_all, error) &&
        config_switch(row, "truncate", &rotary->whole, error) &&
        config_size_or(config, "original_max_position_embeddings", 1 << 24, &rotary->original,
                       error) &&
        config_size_or(row, "original_max_position_embeddings", 1 << 24, &rotary->original, error);
    if (fine && out->family->latent && rotary->scaling != MODEL_SCALING_NONE && mscale_all > 0) {
        const double by = magnitude_of(rotary->factor, mscale_all);
        out->factor = by * by / sqrt((double)out->d_k);
    }
    if (fine &&
        (rotary->scaling == MODEL_SCALING_LINEAR || rotary->scaling == MODEL_SCALING_LLAMA3) &&
        !(rotary->factor > 0)) {
        return error_set(error, ERROR_INPUT, "config.json: it does not say %s.", "factor");
    }
    return fine &&
           model_rotary_finish(out, rotary, attention, mscale, mscale_all, "config.json", error);
}

static bool read_rotary(const struct json *config, struct model_config *out, struct error *error)
{
    static const char *const kinds[2] = {"full_attention", "sliding_attention"};
    const struct model_family *const family = out->family;
    const struct json *const rows = json_member(config, "rope_parameters");
    const size_t width = family->latent ? out->turns : out->d_k;
    const double theta[2] = {family->theta, family->local_theta};
    static const char *const names[2] = {"rope_theta|global_rope_theta|rotary_emb_base",
                                         "rope_local_base_freq|local_rope_theta"};
    for (size_t r = 0; r < 2; r++) {
        struct model_rotary *const rotary = &out->rotary[r];
        rotary->theta = theta[r];
        if (!(theta[r] > 0)) {
            continue;
        }
        const struct json *own = json_member(rows, kinds[r]);
        own = own != NULL ? own : rows;
        /* In the older spelling the local layers are not stretched. */
        const struct json *const scaling = rows != NULL ? own
                                           : r == 0     ? json_member(config, "rope_scaling")
                                                        : NULL;
        if (!config_number_or(config, names[r], 0, 1e12, &rotary->theta, error) ||
            !read_row(config, scaling, width, out, rotary, error)) {
            return false;
        }
    }
    if (family->local_theta <= 0) {
        out->rotary[1] = out->rotary[0];
    }
    return true;
}

/* ---- heads --------------------------------------------------------------------------------- */

static bool read_latent(const struct json *config, struct model_config *out, struct error *error)
{
    return config_size(config, "kv_lora_rank", MODEL_WIDTH_MAX, &out->kv_rank, error) &&
           config_size_or(config, "q_lora_rank", MODEL_WIDTH_MAX, &out->q_rank, error) &&
           config_size(config, "qk_nope_head_dim", MODEL_WIDTH_MAX, &out->still, error) &&
           config_size(config, "qk_rope_head_dim", MODEL_WIDTH_MAX, &out->turns, error) &&
           config_size(config, "v_head_dim", MODEL_WIDTH_MAX, &out->d_v, error);
}

bool config_read_attention(const struct json *config, struct model_config *out, struct error *error)
{
    const struct model_family *const family = out->family;
    double scalar = 0;
    if (!config_size_or(config, "type_vocab_size", 1 << 16, &out->types, error) ||
        !config_switch(config, "qk_layernorm", &out->qk_norm, error) ||
        !config_number_or(config, "query_pre_attn_scalar", 0, 1e9, &scalar, error)) {
        return false;
    }
    if (out->qk_norm && family->names[MODEL_Q_NORM] == NULL) {
        return error_set(error, ERROR_INPUT,
                         "config.json: qk_layernorm is true, which is not computed.");
    }
    if (family->latent) {
        if (!read_latent(config, out, error)) {
            return false;
        }
        out->d_k = out->still + out->turns;
        out->groups = out->heads;
    } else if (!config_size_or(config, "num_key_value_heads", ATTN_HEADS_MAX, &out->groups,
                               error) ||
               !config_size_or(config, "head_dim|d_kv", MODEL_WIDTH_MAX, &out->d_k, error)) {
        return false;
    }
    if (out->d_k == 0 && out->width % out->heads == 0) {
        out->d_k = out->width / out->heads;
    }
    out->factor = scalar > 0 ? 1 / sqrt(scalar) : 0;
    return read_rotary(config, out, error);
}
