/* learn/shipped.c — see shipped.h. */
#include "learn/shipped.h"

#include "base/embedded.h"

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
