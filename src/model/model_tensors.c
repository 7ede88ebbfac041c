/* model/model_tensors.c — the tensors of a checkpoint: which there are, of which shape, in which
 * file. Layers are called h.0, h.1 …; some files write "transformer." before every name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/translate.h"
#include "file/kinds.h"
#include "model/folder.h"
#include "model/model_internal.h"

enum { NAME_BYTES = 96 };

/* A length in the table of tensors. */
enum side {
    SIDE_NONE,
    SIDE_WIDTH,
    SIDE_WIDTH_3,
    SIDE_INNER,
    SIDE_VOCABULARY,
    SIDE_POSITIONS,
    SIDES
};

struct tensor_row {
    const char *name;
    enum side rows, cols; /* cols SIDE_NONE: a vector */
};

static const struct tensor_row matrix_rows[MODEL_MATRICES] = {
    [MODEL_C_ATTN] = {"attn.c_attn.weight", SIDE_WIDTH, SIDE_WIDTH_3},
    [MODEL_C_PROJ] = {"attn.c_proj.weight", SIDE_WIDTH, SIDE_WIDTH},
    [MODEL_MLP_FC] = {"mlp.c_fc.weight", SIDE_WIDTH, SIDE_INNER},
    [MODEL_MLP_PROJ] = {"mlp.c_proj.weight", SIDE_INNER, SIDE_WIDTH},
};

static const struct tensor_row vector_rows[MODEL_VECTORS] = {
    [MODEL_LN_1_WEIGHT] = {"ln_1.weight", SIDE_WIDTH, SIDE_NONE},
    [MODEL_LN_1_BIAS] = {"ln_1.bias", SIDE_WIDTH, SIDE_NONE},
    [MODEL_C_ATTN_BIAS] = {"attn.c_attn.bias", SIDE_WIDTH_3, SIDE_NONE},
    [MODEL_C_PROJ_BIAS] = {"attn.c_proj.bias", SIDE_WIDTH, SIDE_NONE},
    [MODEL_LN_2_WEIGHT] = {"ln_2.weight", SIDE_WIDTH, SIDE_NONE},
    [MODEL_LN_2_BIAS] = {"ln_2.bias", SIDE_WIDTH, SIDE_NONE},
    [MODEL_MLP_FC_BIAS] = {"mlp.c_fc.bias", SIDE_INNER, SIDE_NONE},
    [MODEL_MLP_PROJ_BIAS] = {"mlp.c_proj.bias", SIDE_WIDTH, SIDE_NONE},
};

static const struct tensor_row wte_row = {"wte.weight", SIDE_VOCABULARY, SIDE_WIDTH};
static const struct tensor_row wpe_row = {"wpe.weight", SIDE_POSITIONS, SIDE_WIDTH};
static const struct tensor_row ln_f_weight_row = {"ln_f.weight", SIDE_WIDTH, SIDE_NONE};
static const struct tensor_row ln_f_bias_row = {"ln_f.bias", SIDE_WIDTH, SIDE_NONE};
static const struct tensor_row output_row = {"lm_head.weight", SIDE_VOCABULARY, SIDE_WIDTH};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for this model.");
}

static size_t side_of(const struct model_config *config, enum side side)
{
    const size_t sides[SIDES] = {
        [SIDE_WIDTH] = config->width,         [SIDE_WIDTH_3] = 3 * config->width,
        [SIDE_INNER] = config->inner,         [SIDE_VOCABULARY] = config->vocabulary,
        [SIDE_POSITIONS] = config->positions,
    };
    return sides[side];
}

/* ---- finding ------------------------------------------------------------------------------- */

/* The tensor of that name, with or without a prefix, in whichever file it is. */
static const struct array *find(const struct model *model, const char *name,
                                const struct model_shard **shard)
{
    static const char *const prefixes[] = {"", "transformer."};
    for (size_t s = 0; s < model->shard_count; s++) {
        for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
            char whole[NAME_BYTES + 16];
            snprintf(whole, sizeof whole, "%s%s", prefixes[p], name);
            const struct array *const found = safetensors_find(&model->shards[s].tensors, whole);
            if (found != NULL) {
                *shard = &model->shards[s];
                return found;
            }
        }
    }
    return NULL;
}

/* Rows and columns as people write them. */
static const char *shape_text(const struct array *tensor, struct arena *arena)
{
    const char *const text = array_shape_text(tensor, " × ", arena);
    return text == NULL ? "?" : text;
}

/* Finds a tensor of the table and checks type and shape; NULL: an error. */
static const struct array *take(struct model *model, const char *layer,
                                const struct tensor_row *row, struct error *error)
{
    char name[NAME_BYTES];
    const struct model_shard *shard = NULL;
    snprintf(name, sizeof name, "%s%s", layer, row->name);
    const struct array *const tensor = find(model, name, &shard);
    if (tensor == NULL) {
        error_set(error, ERROR_INPUT, "%s: the tensor %s is missing.",
                  model->shard_count == 1 ? model->shards[0].name : "model.safetensors.index.json",
                  name);
        return NULL;
    }
    const bool vector = row->cols == SIDE_NONE;
    struct array wanted = {
        .rank = vector ? 1 : 2,
        .shape = {side_of(&model->config, row->rows), side_of(&model->config, row->cols)}};
    const bool fits = tensor->rank == wanted.rank && tensor->shape[0] == wanted.shape[0] &&
                      (vector || tensor->shape[1] == wanted.shape[1]);
    if (!fits) {
        error_set(error, ERROR_INPUT, "%s: %s is %s, expected %s.", shard->name, tensor->name,
                  shape_text(tensor, &model->arena), shape_text(&wanted, &model->arena));
        return NULL;
    }
    if (tensor->type != ARRAY_FLOAT32 && tensor->type != ARRAY_FLOAT16 &&
        tensor->type != ARRAY_BFLOAT16 && tensor->type != ARRAY_FLOAT64) {
        error_set(error, ERROR_INPUT,
                  "%s: %s holds %s, expected float32, float16, bfloat16 or "
                  "float64.",
                  shard->name, tensor->name, array_type_name(tensor->type));
        return NULL;
    }
    model->parameters += array_count(tensor);
    return tensor;
}

static const float *take_vector(struct model *model, const char *layer,
                                const struct tensor_row *row, struct error *error)
{
    const struct array *const tensor = take(model, layer, row, error);
    return tensor == NULL ? NULL : array_floats(tensor, &model->arena, error);
}

static bool take_layer(struct model *model, size_t number, struct error *error)
{
    struct model_layer *const layer = &model->layers[number];
    char prefix[32];
    snprintf(prefix, sizeof prefix, "h.%zu.", number);
    for (size_t m = 0; m < MODEL_MATRICES; m++) {
        layer->matrix[m] = take(model, prefix, &matrix_rows[m], error);
        if (layer->matrix[m] == NULL) {
            return false;
        }
    }
    for (size_t v = 0; v < MODEL_VECTORS; v++) {
        layer->vector[v] = take_vector(model, prefix, &vector_rows[v], error);
        if (layer->vector[v] == NULL) {
            return false;
        }
    }
    return true;
}

static bool take_all(struct model *model, struct error *error)
{
    model->layers = arena_array(&model->arena, model->config.layers, sizeof *model->layers);
    if (model->layers == NULL) {
        return no_memory(error);
    }
    model->wte = take(model, "", &wte_row, error);
    model->wpe = model->wte == NULL ? NULL : take(model, "", &wpe_row, error);
    if (model->wpe == NULL) {
        return false;
    }
    for (size_t l = 0; l < model->config.layers; l++) {
        if (!take_layer(model, l, error)) {
            return false;
        }
    }
    model->ln_f_weight = take_vector(model, "", &ln_f_weight_row, error);
    model->ln_f_bias =
        model->ln_f_weight == NULL ? NULL : take_vector(model, "", &ln_f_bias_row, error);
    if (model->ln_f_bias == NULL) {
        return false;
    }
    model->output = model->config.tied ? model->wte : take(model, "", &output_row, error);
    return model->output != NULL;
}

/* ---- files --------------------------------------------------------------------------------- */

static struct model_shard *add_shard(struct model *model, const char *folder, const char *name,
                                     struct error *error)
{
    char path[FOLDER_PATH_MAX];
    struct model_shard *const shard = &model->shards[model->shard_count];
    snprintf(shard->name, sizeof shard->name, "%s", name);
    struct error reason = {ERROR_NONE, 0, ""};
    if (!folder_path(folder, name, path, error)) {
        return NULL;
    }
    if (!safetensors_open(path, &shard->map, &model->arena, &shard->tensors, &reason)) {
        const bool named = strncmp(reason.text, name, strlen(name) < 60 ? strlen(name) : 60) == 0;
        error_set(error, reason.code, "%s%s%s", named ? "" : name, named ? "" : ": ", reason.text);
        return NULL;
    }
    model->shard_count++;
    return shard;
}

/* One file of the index; opened when it is named for the first time. */
static const struct model_shard *shard_of(struct model *model, const char *folder, const char *name,
                                          struct error *error)
{
    for (size_t s = model->shard_count; s-- > 0;) {
        if (strcmp(model->shards[s].name, name) == 0) {
            return &model->shards[s];
        }
    }
    if (strchr(name, '/') != NULL || strchr(name, '\\') != NULL || name[0] == '.' ||
        name[0] == '\0' || strlen(name) >= sizeof model->shards->name) {
        error_set(error, ERROR_INPUT,
                  "model.safetensors.index.json: “%.60s” is no name of a file in this folder.",
                  name);
        return NULL;
    }
    if (model->shard_count == MODEL_FILES_MAX) {
        error_set(error, ERROR_INPUT, "model.safetensors.index.json: it names more than %d files.",
                  MODEL_FILES_MAX);
        return NULL;
    }
    return add_shard(model, folder, name, error);
}

static bool open_index(struct model *model, const char *folder, const struct json *map,
                       struct error *error)
{
    const char *tensor = NULL;
    void *place = NULL;
    if (json_kind_of(map) != JSON_KIND_OBJECT || json_count(map) == 0) {
        return error_set(
            error, ERROR_INPUT,
            "model.safetensors.index.json: it has no weight_map of tensors and files.");
    }
    for (const struct json *value; (value = json_next_member(map, &place, &tensor)) != NULL;) {
        const char *file = NULL;
        if (!json_text(value, &file)) {
            return error_set(error, ERROR_INPUT,
                             "model.safetensors.index.json: the file of %.80s is no text.", tensor);
        }
        const struct model_shard *const shard = shard_of(model, folder, file, error);
        if (shard == NULL) {
            return false;
        }
        if (safetensors_find(&shard->tensors, tensor) == NULL) {
            return error_set(error, ERROR_INPUT,
                             "%s: the tensor %.80s is missing, which the index says it has.",
                             shard->name, tensor);
        }
    }
    return true;
}

static bool open_shards(struct model *model, const char *folder, struct error *error)
{
    static const char *const pickles[] = {"pytorch_model.bin", "pytorch_model.bin.index.json"};
    model->shards = arena_array(&model->arena, MODEL_FILES_MAX, sizeof *model->shards);
    if (model->shards == NULL) {
        return no_memory(error);
    }
    if (folder_has(folder, "model.safetensors")) {
        return add_shard(model, folder, "model.safetensors", error) != NULL;
    }
    if (folder_has(folder, "model.safetensors.index.json")) {
        struct json *const tree = folder_json(folder, "model.safetensors.index.json", error);
        const bool fine =
            tree != NULL && open_index(model, folder, json_member(tree, "weight_map"), error);
        json_release(tree);
        return fine;
    }
    for (size_t p = 0; p < sizeof pickles / sizeof *pickles; p++) {
        if (folder_has(folder, pickles[p])) {
            return error_set(error, ERROR_FILE, "%s",
                             tr(file_kind_refusal(FILE_PYTORCH, pickles[0])));
        }
    }
    return error_set(error, ERROR_FILE,
                     "The folder holds no weights: neither model.safetensors nor "
                     "model.safetensors.index.json.");
}

bool model_tensors_open(struct model *model, const char *folder, struct error *error)
{
    return open_shards(model, folder, error) && take_all(model, error);
}

void model_tensors_close(struct model *model)
{
    for (size_t s = 0; s < model->shard_count; s++) {
        file_map_close(&model->shards[s].map);
    }
    model->shard_count = 0;
}

bool model_tensors_whole(const struct model *model, struct error *error)
{
    for (size_t s = 0; s < model->shard_count; s++) {
        if (!file_map_is_whole(&model->shards[s].map)) {
            return error_set(error, ERROR_FILE, "%s: the file became shorter while it was open.",
                             model->shards[s].name);
        }
    }
    return true;
}
