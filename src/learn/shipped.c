/* learn/shipped.c — see shipped.h. */
#include "learn/shipped.h"

#include "base/embedded.h"
#include "learn/learned.h"

static struct bytes embedded_bytes(const char *name)
{
    const struct embedded *const file = embedded_find(name);
    return file == NULL ? (struct bytes){NULL, 0} : (struct bytes){file->bytes, file->size};
}

bool learn_shipped_open(struct arena *arena, struct learn_model *model, struct error *error)
{
    return learn_model_parse(embedded_bytes("assets/models/small-world/config.json"),
                             embedded_bytes("assets/models/small-world/model.safetensors"),
                             embedded_bytes("assets/models/small-world/tokenizer.json"), arena,
                             model, error);
}

const float *learn_shipped_weights(const struct learn_recipe *recipe, uint64_t step,
                                   struct arena *arena)
{
    struct learn_model model;
    if (recipe->task != LEARN_TASK_SMALL_WORLD || !learn_shipped_open(arena, &model, NULL)) {
        return NULL;
    }
    model.recipe.shape.theta = recipe->shape.theta; /* learned positions do not turn */
    return model.step == step && learn_recipe_same(&model.recipe, recipe) ? model.weights : NULL;
}
