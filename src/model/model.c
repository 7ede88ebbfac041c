/* model/model.c — a folder becomes a model. */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "model/folder.h"
#include "model/model_internal.h"

bool model_probe(const char *folder)
{
    return folder_has(folder, "config.json");
}

/* A tokenizer that is damaged is refused; without one the model takes ids. */
static bool take_tokenizer(struct model *model, const char *folder, struct error *error)
{
    model->tokenizer = tokenizer_open(folder, model->config.vocabulary, &model->no_words);
    if (model->tokenizer == NULL && model->no_words.code != ERROR_FILE) {
        *error = model->no_words;
        return false;
    }
    return true;
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
    if (!model_config_read(folder, &model->config, error) ||
        (model->source = model_source_safetensors(folder, error)) == NULL ||
        !model_tensors_take(model, error) || !take_tokenizer(model, folder, error)) {
        model_close(model);
        return NULL;
    }
    return model;
}

void model_close(struct model *model)
{
    if (model != NULL) {
        if (model->source != NULL) {
            model->source->calls->close(model->source);
        }
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

const struct model_tensor *model_tensor_at(const struct model *model, size_t index)
{
    return model->source->calls->at(model->source, index);
}

const char *model_shown(const struct model *model, uint32_t id, struct arena *arena)
{
    return model->tokenizer == NULL ? arena_format(arena, "#%lu", (unsigned long)id)
                                    : tokenizer_shown(model->tokenizer, id, arena);
}

size_t model_parameters(const struct model *model)
{
    return model->parameters;
}

const char *model_tensor_type(const struct model *model)
{
    return model->main.layer[0].matrix[MODEL_M_Q].tensor->type;
}

bool model_has_logits(const struct model *model)
{
    return model->output.tensor != NULL;
}

bool model_has_target(const struct model *model)
{
    return model->encoder.count > 0;
}

bool model_reads_text(const struct model *model, struct error *error)
{
    return model->tokenizer != NULL ||
           error_set(error, model->no_words.code, "%s", model->no_words.text);
}
