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

static bool read_stretch(const struct config_object *row, const char *name,
                         struct model_rotary *out, float stretch[MODEL_ROTARY_MAX],
                         struct error *error)
{
    char key[CONFIG_NAME_MAX];
    const struct json *const list = config_member(row, name, key);
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

static bool read_scaling(const struct config_object *row, struct model_rotary *out,
                         struct error *error)
{
    static const struct {
        const char *name;
        enum model_scaling scaling;
    } kinds[] = {
        {"default", MODEL_SCALING_NONE},      {"mrope", MODEL_SCALING_NONE}, /* words alone */
        {"linear", MODEL_SCALING_LINEAR},     {"dynamic", MODEL_SCALING_DYNAMIC},
        {"llama3", MODEL_SCALING_LLAMA3},     {"yarn", MODEL_SCALING_YARN},
        {"longrope", MODEL_SCALING_LONGROPE}, {"su", MODEL_SCALING_LONGROPE}};
    const char *name = "default";
    char key[CONFIG_NAME_MAX];
    const struct json *const type = config_member(row, "rope_type|type", key);
    if (type != NULL && !json_text(type, &name)) {
        return error_set(error, ERROR_INPUT, "config.json: %s must be a text.", key);
    }
    if (strcmp(row->family->name, "phi3") == 0 && strcmp(name, "yarn") == 0) {
        name = "longrope"; /* an older name of it there */
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
                     "linear, dynamic, llama3, yarn and longrope are.",
                     name);
}

/* How many numbers of a head turn: an odd share has one more, in pairs. */
static void set_width(struct model_rotary *rotary, double share, size_t width)
{
    rotary->divisor = (size_t)(share * (double)width);
    rotary->width = (rotary->divisor + 1) / 2 * 2;
}

bool model_rotary_fits(const struct model_config *config, const struct model_rotary *rotary)
{
    const bool by_shape = rotary->scaling == MODEL_SCALING_YARN ||
                          rotary->scaling == MODEL_SCALING_LONGROPE || !config->family->any_share;
    return rotary->width <= config->d_k && rotary->width <= 2 * MODEL_ROTARY_MAX &&
           (rotary->divisor % 2 == 0 || !by_shape);
}

/* The places of training: config.json's own, else those of its rotary positions; Phi-3's own are
 * there even where it does not say them. */
static bool read_original(const struct config_object *config, const struct config_object *row,
                          struct model_rotary *out, struct error *error)
{
    static const char *const name = "original_max_position_embeddings";
    const bool phi3 = strcmp(config->family->name, "phi3") == 0;
    out->original = phi3 ? 4096 : 0;
    return (phi3 || config_size_or(row, name, 1 << 24, &out->original, error)) &&
           config_size_or(config, name, 1 << 24, &out->original, error);
}

/* Reads what one row of rope_parameters or rope_scaling says. */
static bool read_row(const struct config_object *config, const struct config_object *row,
                     size_t width, struct model_config *out, struct model_rotary *rotary,
                     struct error *error)
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
    set_width(rotary, share, width);
    const bool fine =
        config_number_or(row, "factor", 0, 1e6, &rotary->factor, error) &&
        config_number_or(row, "low_freq_factor|beta_slow", 0, 1e6, &rotary->low, error) &&
        config_number_or(row, "high_freq_factor|beta_fast", 0, 1e6, &rotary->high, error) &&
        config_number_or(row, "attention_factor", 0, 1e6, &attention, error) &&
        config_number_or(row, "mscale", 0, 1e6, &mscale, error) &&
        config_number_or(row, "mscale_all_dim", 0, 1e6, &mscale_all, error) &&
        config_switch(row, "truncate", &rotary->whole, error) &&
        read_original(config, row, rotary, error);
    if (rotary->scaling == MODEL_SCALING_DYNAMIC) {
        rotary->original = out->positions;
    }
    if (fine && out->family->latent && rotary->scaling != MODEL_SCALING_NONE && mscale_all > 0) {
        const double by = magnitude_of(rotary->factor, mscale_all);
        out->factor = by * by / sqrt((double)out->d_k);
    }
    if (fine &&
        (rotary->scaling == MODEL_SCALING_LINEAR || rotary->scaling == MODEL_SCALING_LLAMA3 ||
         rotary->scaling == MODEL_SCALING_DYNAMIC) &&
        !(rotary->factor > 0)) {
        return error_set(error, ERROR_INPUT, "config.json: it does not say %s.", "factor");
    }
    return fine &&
           model_rotary_finish(out, rotary, attention, mscale, mscale_all, "config.json", error);
}

/* The row of layers of a kind. rope_scaling is the older spelling, and counts where both are there;
 * of Gemma 3 it speaks of layers without a window alone. */
static const struct json *row_of(const struct config_object *config, bool local)
{
    static const char *const kinds[2] = {"full_attention", "sliding_attention"};
    char name[CONFIG_NAME_MAX];
    const struct json *const older = config_member(config, "rope_scaling", name);
    const struct json *const rows = config_member(config, "rope_parameters", name);
    const struct json *const own = json_member(rows, kinds[local ? 1 : 0]);
    if (json_count(older) > 0 && !(local && strcmp(config->family->name, "gemma3") == 0)) {
        return older;
    }
    return own != NULL ? own : rows;
}

static bool check_rows(const struct config_object *config, struct error *error)
{
    static const char *const names[] = {"rope_scaling", "rope_parameters"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char name[CONFIG_NAME_MAX];
        const struct json *const row = config_member(config, names[n], name);
        if (row != NULL && json_kind_of(row) != JSON_KIND_OBJECT) {
            return error_set(error, ERROR_INPUT, "config.json: %s must be an object.", name);
        }
    }
    return true;
}

/* gpt-oss turns so where its configuration says nothing of it. */
static void set_gpt_oss(struct model_rotary *rotary)
{
    rotary->scaling = MODEL_SCALING_YARN;
    rotary->factor = 32;
    rotary->low = 1;
    rotary->high = 32;
    rotary->whole = false;
    rotary->original = 4096;
}

static bool read_rotary(const struct config_object *config, struct model_config *out,
                        struct error *error)
{
    const struct model_family *const family = out->family;
    const size_t width = family->latent ? out->turns : out->d_k;
    const double theta[2] = {family->theta, family->local_theta};
    static const char *const names[2] = {"rope_theta|global_rope_theta|rotary_emb_base",
                                         "rope_local_base_freq|local_rope_theta"};
    if (!check_rows(config, error)) {
        return false;
    }
    for (size_t r = 0; r < 2; r++) {
        struct model_rotary *const rotary = &out->rotary[r];
        const struct config_object row = {row_of(config, r == 1), family, CONFIG_ROTARY};
        rotary->theta = theta[r];
        if (theta[r] > 0 && (!config_number_or(config, names[r], 0, 1e12, &rotary->theta, error) ||
                             !read_row(config, &row, width, out, rotary, error))) {
            return false;
        }
        if (theta[r] > 0 && row.members == NULL && strcmp(family->name, "gpt-oss") == 0) {
            set_gpt_oss(rotary);
            if (!model_rotary_finish(out, rotary, 0, 0, 0, "config.json", error)) {
                return false;
            }
        }
    }
    if (family->local_theta <= 0) {
        out->rotary[1] = out->rotary[0];
    }
    if (out->rotary[0].scaling == MODEL_SCALING_DYNAMIC) { /* texts beyond the places of training */
        const double longer = (double)out->positions * fmax(out->rotary[0].factor, 1);
        out->positions = (size_t)fmin(longer, MODEL_PLACES_ENDLESS);
    }
    return true;
}

/* ---- heads --------------------------------------------------------------------------------- */

static bool read_latent(const struct config_object *config, struct model_config *out,
                        struct error *error)
{
    out->q_rank = config_is_null(config, "q_lora_rank") ? 0 : 1536;
    return config_size(config, "kv_lora_rank", MODEL_WIDTH_MAX, &out->kv_rank, error) &&
           config_size_or(config, "q_lora_rank", MODEL_WIDTH_MAX, &out->q_rank, error) &&
           config_size(config, "qk_nope_head_dim", MODEL_WIDTH_MAX, &out->unrotated, error) &&
           config_size(config, "qk_rope_head_dim", MODEL_WIDTH_MAX, &out->turns, error) &&
           config_size(config, "v_head_dim", MODEL_WIDTH_MAX, &out->d_v, error);
}

bool config_read_attention(const struct config_object *config, struct model_config *out,
                           struct error *error)
{
    const struct model_family *const family = out->family;
    double scalar = family->scalar;
    out->types = family->names[MODEL_TYPES] == NULL ? 0 : 2;
    if (!config_size_or(config, "type_vocab_size", 1 << 16, &out->types, error) ||
        !config_switch(config, "qk_layernorm", &out->qk_norm, error) ||
        !config_number_or(config, "query_pre_attn_scalar", 0, 1e9, &scalar, error)) {
        return false;
    }
    if (family->latent) {
        if (!read_latent(config, out, error)) {
            return false;
        }
        out->d_k = out->unrotated + out->turns;
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
