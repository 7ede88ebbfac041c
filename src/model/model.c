/* model/model.c — a folder becomes a model. */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

#include "model/folder.h"
#include "model/model_internal.h"

bool model_probe(const char *folder)
{
    return folder_has(folder, "config.json");
}

struct model *model_open(const char *folder, struct error *error)
{
    if (!model_probe(folder)) {
        error_set(error, ERROR_FILE, "\"%.100s\" is a folder without config.json, so no model.",
                  folder);
        return NULL;
    }
    struct model *const model = calloc(1, sizeof *model);
    if (model == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for this model.");
        return NULL;
    }
    if (model_config_read(folder, &model->config, error) &&
        model_tensors_open(model, folder, error)) {
        model->tokenizer = tokenizer_open(folder, model->config.vocabulary, error);
    }
    if (model->tokenizer == NULL) {
        model_close(model);
        return NULL;
    }
    return model;
}

void model_close(struct model *model)
{
    if (model != NULL) {
        model_tensors_close(model);
        tokenizer_close(model->tokenizer);
        arena_free(&model->arena);
        free(model);
    }
}

const struct model_config *model_config(const struct model *model)
{
    return &model->config;
}

const struct tokenizer *model_tokenizer(const struct model *model)
{
    return model->tokenizer;
}

const struct array *model_tensor_at(const struct model *model, size_t index)
{
    for (size_t s = 0; s < model->shard_count; s++) {
        if (index < model->shards[s].tensors.count) {
            return &model->shards[s].tensors.tensors[index];
        }
        index -= model->shards[s].tensors.count;
    }
    return NULL;
}

size_t model_parameters(const struct model *model)
{
    return model->parameters;
}

enum array_type model_tensor_type(const struct model *model)
{
    return model->layers[0].matrix[MODEL_C_ATTN]->type;
}

float model_factor(const struct model_config *config, size_t layer)
{
    const double d_k = (double)(config->width / config->heads);
    const double factor = config->scale ? 1 / sqrt(d_k) : 1;
    return (float)(config->scale_by_layer ? factor / (double)(layer + 1) : factor);
}
