/* model/gpt2.c — a folder becomes a model. */
#include "model/gpt2.h"

#include <math.h>
#include <stdlib.h>

#include "model/folder.h"
#include "model/gpt2_internal.h"

bool gpt2_probe(const char *folder)
{
    return folder_has(folder, "config.json");
}

struct gpt2 *gpt2_open(const char *folder, struct error *error)
{
    if (!gpt2_probe(folder)) {
        error_set(error, ERROR_FILE, "\"%.100s\" is a folder without config.json, so no model.",
                  folder);
        return NULL;
    }
    struct gpt2 *const model = calloc(1, sizeof *model);
    if (model == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for this model.");
        return NULL;
    }
    if (gpt2_config_read(folder, &model->config, error) &&
        gpt2_tensors_open(model, folder, error)) {
        model->bpe = bpe_open(folder, model->config.vocabulary, error);
    }
    if (model->bpe == NULL) {
        gpt2_close(model);
        return NULL;
    }
    return model;
}

void gpt2_close(struct gpt2 *model)
{
    if (model != NULL) {
        gpt2_tensors_close(model);
        bpe_close(model->bpe);
        arena_free(&model->arena);
        free(model);
    }
}

const struct gpt2_config *gpt2_config(const struct gpt2 *model)
{
    return &model->config;
}

const struct bpe *gpt2_tokenizer(const struct gpt2 *model)
{
    return model->bpe;
}

const struct array *gpt2_tensor_at(const struct gpt2 *model, size_t index)
{
    for (size_t s = 0; s < model->shard_count; s++) {
        if (index < model->shards[s].tensors.count) {
            return &model->shards[s].tensors.tensors[index];
        }
        index -= model->shards[s].tensors.count;
    }
    return NULL;
}

size_t gpt2_parameters(const struct gpt2 *model)
{
    return model->parameters;
}

enum array_type gpt2_type(const struct gpt2 *model)
{
    return model->layers[0].matrix[GPT2_C_ATTN]->type;
}

float gpt2_factor(const struct gpt2_config *config, size_t layer)
{
    const double d_k = (double)(config->width / config->heads);
    const double factor = config->scale ? 1 / sqrt(d_k) : 1;
    return (float)(config->scale_by_layer ? factor / (double)(layer + 1) : factor);
}
