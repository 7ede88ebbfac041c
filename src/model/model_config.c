/* model/model_config.c — config.json of every family (Hugging Face's names), read and checked. What
 * is particular of attention and of layers stands in model/model_config_layers.c. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "file/folder.h"
#include "file/kinds.h"
#include "model/model_config_json.h"

static const char *const activation_names[MODEL_ACTIVATIONS] = {
    [MODEL_GELU_TANH] = "gelu_new", [MODEL_GELU] = "gelu", [MODEL_RELU] = "relu",
    [MODEL_SILU] = "silu",          [MODEL_TANH] = "tanh",
};

const char *model_activation_name(enum model_activation activation)
{
    return activation_names[activation];
}

bool model_activation_find(const char *name, enum model_activation *activation)
{
    static const struct {
        const char *name;
        enum model_activation activation;
    } others[] = {{"gelu_pytorch_tanh", MODEL_GELU_TANH},
                  {"gelu_fast", MODEL_GELU_TANH},
                  {"gelu_accurate", MODEL_GELU_TANH},
                  {"gelu_python_tanh", MODEL_GELU_TANH},
                  {"gelu_python", MODEL_GELU},
                  {"swish", MODEL_SILU}};
    for (size_t a = 0; a < MODEL_ACTIVATIONS; a++) {
        if (strcmp(name, activation_names[a]) == 0) {
            *activation = (enum model_activation)a;
            return true;
        }
    }
    for (size_t a = 0; a < sizeof others / sizeof *others; a++) {
        if (strcmp(name, others[a].name) == 0) {
            *activation = others[a].activation;
            return true;
        }
    }
    return false;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool is_there(const struct json *value)
{
    return json_kind_of(value) != JSON_KIND_NONE && json_kind_of(value) != JSON_KIND_NULL;
}

/* Returns what the family reads under a name; NULL: nothing is there, or it does not read it. */
static const struct json *value_of(const struct config_object *config, const char *name)
{
    const char *usual = NULL;
    return config_effect_of(config->family, config->place, name, &usual) == CONFIG_READ
               ? json_member(config->members, name)
               : NULL;
}

const struct json *config_member(const struct config_object *config, const char *names,
                                 char name[CONFIG_NAME_MAX])
{
    const struct json *found = NULL;
    name[0] = '\0';
    for (const char *at = names; found == NULL && at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, "|");
        const size_t kept = length < CONFIG_NAME_MAX ? length : CONFIG_NAME_MAX - 1;
        memcpy(name, at, kept);
        name[kept] = '\0';
        found = value_of(config, name);
        found = is_there(found) ? found : NULL;
        at += length + (at[length] == '|' ? 1 : 0);
    }
    return found;
}

bool config_is_null(const struct config_object *config, const char *name)
{
    return json_kind_of(value_of(config, name)) == JSON_KIND_NULL;
}

static bool whole_number(const struct json *value, const char *name, size_t min, size_t max,
                         size_t *out, struct error *error)
{
    int64_t number = 0;
    if (!json_whole_number(value, &number) || number < (int64_t)min || (uint64_t)number > max) {
        return error_set(error, ERROR_INPUT,
                         "config.json: %s must be a whole number from %zu to %zu.", name, min, max);
    }
    *out = (size_t)number;
    return true;
}

bool config_size(const struct config_object *config, const char *names, size_t max, size_t *out,
                 struct error *error)
{
    char name[CONFIG_NAME_MAX];
    const struct json *const value = config_member(config, names, name);
    return value == NULL ? error_set(error, ERROR_INPUT, "config.json: it does not say %s.", name)
                         : whole_number(value, name, 1, max, out, error);
}

bool config_size_or(const struct config_object *config, const char *names, size_t max, size_t *out,
                    struct error *error)
{
    char name[CONFIG_NAME_MAX];
    const struct json *const value = config_member(config, names, name);
    return value == NULL || whole_number(value, name, 1, max, out, error);
}

bool config_count_or(const struct config_object *config, const char *names, size_t max, size_t *out,
                     struct error *error)
{
    char name[CONFIG_NAME_MAX];
    const struct json *const value = config_member(config, names, name);
    return value == NULL || whole_number(value, name, 0, max, out, error);
}

bool config_number_or(const struct config_object *config, const char *names, double low,
                      double high, double *out, struct error *error)
{
    char name[CONFIG_NAME_MAX];
    const struct json *const value = config_member(config, names, name);
    double number = *out;
    if (value != NULL && (!json_number(value, &number) || !(number > low) || !(number < high))) {
        return error_set(error, ERROR_INPUT, "config.json: %s must be a number between %g and %g.",
                         name, low, high);
    }
    *out = number;
    return true;
}

/* A switch that may be left out. */
bool config_switch(const struct config_object *config, const char *name, bool *out,
                   struct error *error)
{
    const struct json *const value = value_of(config, name);
    return !is_there(value) || json_truth(value, out) ||
           error_set(error, ERROR_INPUT, "config.json: %s must be true or false.", name);
}

bool config_text_is(const struct config_object *config, const char *name, const char *text)
{
    const char *found = NULL;
    return json_text(value_of(config, name), &found) && strcmp(found, text) == 0;
}

bool config_activation_or(const struct config_object *config, const char *names,
                          enum model_activation *out, struct error *error)
{
    char key[CONFIG_NAME_MAX];
    const struct json *const value = config_member(config, names, key);
    const char *name = NULL;
    if (value != NULL && !json_text(value, &name)) {
        return error_set(error, ERROR_INPUT, "config.json: %s must be a text.", key);
    }
    return value == NULL || model_activation_find(name, out) ||
           error_set(error, ERROR_INPUT,
                     "config.json: %s “%.30s” is not known; gelu_new, gelu, relu, silu and tanh "
                     "are.",
                     key, name);
}

bool config_id_or(const struct config_object *config, const char *names, size_t *out,
                  struct error *error)
{
    char key[CONFIG_NAME_MAX];
    const struct json *value = config_member(config, names, key);
    int64_t id = 0;
    if (json_kind_of(value) == JSON_KIND_ARRAY) {
        value = json_element(value, 0);
    }
    if (value == NULL) {
        return true;
    }
    if (!json_whole_number(value, &id)) {
        return error_set(error, ERROR_INPUT,
                         "config.json: %s must be the number of a token, or a list of them.", key);
    }
    *out = id < 0 ? SIZE_MAX : (size_t)id;
    return true;
}

/* ---- sizes --------------------------------------------------------------------------------- */

static bool read_activations(const struct config_object *config, struct model_config *out,
                             struct error *error)
{
    const struct model_family *const family = out->family;
    if (!config_activation_or(config, family->keys.activation, &out->activation, error)) {
        return false;
    }
    if (family->tanh_gelu && out->activation == MODEL_GELU) {
        out->activation = MODEL_GELU_TANH; /* what its "gelu" means */
    }
    out->head_activation = out->activation;
    if (family->head_act != NULL) {
        (void)model_activation_find(family->head_act, &out->head_activation);
    }
    return config_activation_or(config, "classifier_activation", &out->head_activation, error);
}

static bool read_sizes(const struct config_object *config, struct model_config *out,
                       struct error *error)
{
    const struct model_keys *const keys = &out->family->keys;
    double epsilon = out->family->epsilon;
    if (!config_size(config, keys->layers, MODEL_LAYERS_MAX, &out->layers, error) ||
        !config_size(config, keys->heads, ATTN_HEADS_MAX, &out->heads, error) ||
        !config_size(config, keys->width, MODEL_WIDTH_MAX, &out->width, error) ||
        (keys->positions != NULL &&
         !config_size(config, keys->positions, 1 << 24, &out->positions, error)) ||
        !config_size(config, keys->vocabulary, VOCABULARY_IDS_MAX, &out->vocabulary, error)) {
        return false;
    }
    out->source_vocabulary = out->vocabulary;
    if (!config_size_or(config, "decoder_vocab_size", VOCABULARY_IDS_MAX, &out->vocabulary,
                        error)) {
        return false;
    }
    if (!config_read_padding(config, out, error)) {
        return false;
    }
    if (out->family->places_within) {
        const size_t before = out->first_place;
        out->positions -= out->positions > before ? before : out->positions - 1;
    }
    out->inner = 4 * out->width;
    out->embed = out->width;
    if (keys->epsilon != NULL && !config_number_or(config, keys->epsilon, 0, 1, &epsilon, error)) {
        return false;
    }
    out->epsilon = (float)epsilon;
    return config_size_or(config, keys->inner, MODEL_INNER_MAX, &out->inner, error) &&
           (out->family->names[MODEL_EMBED_IN] == NULL ||
            config_size_or(config, "word_embed_proj_dim", out->width, &out->embed, error)) &&
           read_activations(config, out, error);
}

/* A number that a file may give, or say that there is none by null. */
static bool read_cap(const struct config_object *config, const char *name, double usual, float *out,
                     struct error *error)
{
    double cap = config_is_null(config, name) ? 0 : usual;
    const bool fine = config_number_or(config, name, 0, 1e6, &cap, error);
    *out = (float)cap;
    return fine;
}

/* Which way words look. */
static bool read_direction(const struct config_object *config, struct model_config *out,
                           struct error *error)
{
    bool causal = true, decoder = !out->bidirectional, both = false;
    const bool fine = config_switch(config, "is_decoder", &decoder, error) &&
                      config_switch(config, "is_causal", &causal, error) &&
                      config_switch(config, "use_bidirectional_attention", &both, error);
    out->bidirectional = !decoder || !causal || both;
    return fine;
}

/* Reads what config.json says of a family beside sizes. */
static bool read_particulars(const struct config_object *config, struct model_config *out,
                             struct error *error)
{
    const struct model_family *const family = out->family;
    bool scaled = family->scaled_embedding, before = true, no_final = false;
    const bool fine =
        config_switch(config, "scale_attn_weights", &out->scale, error) &&
        config_switch(config, "scale_attn_by_inverse_layer_idx", &out->scale_by_layer, error) &&
        config_switch(config, "tie_word_embeddings", &out->tied, error) &&
        config_switch(config, "use_parallel_residual", &out->parallel, error) &&
        config_switch(config, "scale_embedding", &scaled, error) &&
        config_switch(config, "do_layer_norm_before", &before, error) &&
        config_switch(config, "_remove_final_layer_norm", &no_final, error) &&
        read_cap(config, "attn_logit_softcapping", family->score_cap, &out->score_cap, error) &&
        read_cap(config, "final_logit_softcapping", family->logit_cap, &out->logit_cap, error) &&
        read_direction(config, out, error) && config_read_biases(config, out, error);
    out->embedding_scale = scaled ? sqrtf((float)out->width) : 1.0F;
    out->norms_behind = !before;
    out->no_final_norm = !before || no_final;
    return fine;
}

static bool read_gguf(struct file_handle *file, struct model_config *config, struct error *error)
{
    struct model_source *const source = model_source_gguf(file, error);
    const bool fine = source != NULL && model_config_of_source(source, config, error);
    if (source != NULL) {
        source->calls->close(source);
    }
    return fine;
}

/* Returns whether it is of the class that has the encoder of two stacks alone. */
static bool is_encoder_alone(const struct config_object *config)
{
    char name[CONFIG_NAME_MAX];
    const char *class = "";
    (void)json_text(json_element(config_member(config, "architectures", name), 0), &class);
    return config->family->encoder != NULL && strstr(class, "EncoderModel") != NULL;
}

/* Reads a config.json; folder NULL: its weights are in no folder. */
static bool read_tree(const struct json *tree, const char *folder, struct model_config *config,
                      struct error *error)
{
    const struct model_family *family = NULL;
    struct json *text = NULL;
    bool fine =
        tree != NULL && config_choose_text_part(tree, &family, &text, &config->foreign, error);
    const bool is_part = text != NULL;
    tree = is_part ? text : tree;
    fine = fine && (folder == NULL || model_foreign_check_weights(tree, folder, error));
    if (fine) {
        const struct config_object members = {tree, family, CONFIG_TOP};
        model_config_start(config, family);
        config->text_part = is_part;
        config->headless = config_is_headless(tree);
        fine = config_check_members(tree, config, error) && read_sizes(&members, config, error) &&
               read_particulars(&members, config, error) &&
               config_read_attention(&members, config, error) &&
               config_read_layers(&members, config, error) &&
               config_read_experts(&members, config, error) &&
               config_read_pair(&members, config, error) &&
               model_config_finish(config, "config.json", error);
        if (fine && is_encoder_alone(&members)) {
            model_config_leave_decoder_out(config);
        }
    }
    json_release(text);
    return fine;
}

/* The sentence begins with the file's name; every model has one of that name, so the folder's comes
 * before it. */
static bool refuse_folder(const char *path, const struct error *reason, struct error *error)
{
    enum { SHOWN = 40 };
    size_t whole = 0;
    const char *const last = file_last_part(path, &whole);
    size_t length = whole < SHOWN ? whole : SHOWN;
    while (length > 0 && length < whole && ((uint8_t)last[length] & 0xC0) == 0x80) {
        length--; /* no letter is cut */
    }
    return error_set(error, reason->code, "%.*s/%s", (int)length, last, reason->text);
}

bool model_config_read(struct file_handle *file, struct model_config *config, struct error *error)
{
    const char *const path = file_handle_path(file);
    config->foreign = MODEL_FOREIGN_NOT;
    if (file_handle_kind(file) == FILE_GGUF) {
        return read_gguf(file, config, error);
    }
    struct error reason = {ERROR_NONE, 0, ""};
    return read_tree(file_handle_settings(file, "config.json", &reason), path, config, &reason) ||
           refuse_folder(path, &reason, error);
}

bool model_config_parse(struct bytes text, struct model_config *config, struct error *error)
{
    config->foreign = MODEL_FOREIGN_NOT;
    struct json *const tree = json_parse(text, error);
    const bool is_read = read_tree(tree, NULL, config, error);
    json_release(tree);
    return is_read;
}

/* ---- both kinds of files ------------------------------------------------------------------- */

void model_config_start(struct model_config *config, const struct model_family *family)
{
    *config = (struct model_config){
        .family = family,
        .scale = !family->no_scale,
        .tied = family->tied,
        .gated = family->gated,
        .parallel = family->parallel,
        .bidirectional = family->bidirectional,
        .biases = family->biases,
        .window = family->window,
        .embedding_scale = 1,
        .logit_scale = 1,
        .end = SIZE_MAX,
        .positions = MODEL_PLACES_ENDLESS,
        .first_place = family->first_place,
        .padding = SIZE_MAX,
    };
    (void)model_activation_find(family->act, &config->activation);
    config->head_activation = config->activation;
    for (size_t r = 0; r < 2; r++) {
        config->rotary[r] = (struct model_rotary){.factor = 1, .magnitude = 1, .whole = true};
    }
}

/* Returns the name that the family's own class uses, which is the last of several. */
static const char *last_of(const char *names)
{
    const char *const bar = strrchr(names, '|');
    return bar == NULL ? names : bar + 1;
}

bool model_config_finish(struct model_config *config, const char *file, struct error *error)
{
    const struct model_keys *const keys = &config->family->keys;
    if (config->groups == 0) {
        config->groups = config->heads;
    }
    config->embed = config->embed > 0 ? config->embed : config->width;
    if (config->d_k == 0) {
        if (config->width % config->heads != 0) {
            return error_set(error, ERROR_INPUT, "%s: %s %zu does not divide %s %zu.", file,
                             last_of(keys->heads), config->heads, last_of(keys->width),
                             config->width);
        }
        config->d_k = config->width / config->heads;
    }
    if (config->d_v == 0) {
        config->d_v = config->d_k;
    }
    if (config->heads % config->groups != 0) {
        return error_set(error, ERROR_INPUT,
                         "%s: %zu heads cannot be shared out evenly to %zu of keys and values.",
                         file, config->heads, config->groups);
    }
    if (config->heads * config->d_k > MODEL_WIDTH_MAX ||
        config->heads * config->d_v > MODEL_WIDTH_MAX) {
        return error_set(error, ERROR_INPUT, "%s: heads of %zu numbers are too wide.", file,
                         config->d_k > config->d_v ? config->d_k : config->d_v);
    }
    for (size_t r = 0; r < 2; r++) {
        struct model_rotary *const rotary = &config->rotary[r];
        if (!model_rotary_fits(config, rotary)) {
            return error_set(error, ERROR_INPUT, "%s: %zu numbers of a head of %zu cannot turn.",
                             file, rotary->divisor, config->d_k);
        }
    }
    return true;
}

void model_config_leave_decoder_out(struct model_config *config)
{
    config->family = model_family_of_name(config->family->encoder);
    config->bidirectional = config->family->bidirectional;
    config->layers = config->source_layers;
    config->heads = config->source_heads;
    config->inner = config->source_inner;
    config->vocabulary = config->source_vocabulary;
    config->source_layers = 0;
    config->logit_scale = 1;
}

float model_factor(const struct model_config *config, size_t layer)
{
    const double d_k = (double)config->d_k;
    const double factor = config->factor > 0 ? config->factor : config->scale ? 1 / sqrt(d_k) : 1;
    return (float)(config->scale_by_layer ? factor / (double)(layer + 1) : factor);
}
