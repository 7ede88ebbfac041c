/* Where other programs keep their models, as the environment says. */
#include "app/open/models_here.h"

#include <stdlib.h>

#include "base/translate.h"
#include "model/listing.h"

bool app_models_here(struct arena *arena, struct model_listing *out)
{
    const struct model_environment environment = {.home = getenv("HOME"),
                                                  .ollama_models = getenv("OLLAMA_MODELS"),
                                                  .hf_home = getenv("HF_HOME"),
                                                  .hf_hub_cache = getenv("HF_HUB_CACHE")};
    struct model_place place[MODEL_PLACES_MAX];
    const size_t places = model_places(&environment, arena, place);
    return model_listing_read(place, places, arena, out);
}

const struct app_model_here *app_models_listed(struct arena *arena, size_t *count)
{
    struct model_listing listing;
    const bool is_read = app_models_here(arena, &listing);
    struct app_model_here *const list =
        is_read ? arena_array(arena, listing.count, sizeof *list) : NULL;
    *count = 0;
    for (size_t m = 0; list != NULL && m < listing.count; m++) {
        const struct model_listed *const model = &listing.model[m];
        const char *const facts = model_listed_facts(model, arena);
        struct app_model_here *const here = &list[*count];
        here->path = model->path;
        here->title = arena_format(arena, "Model: %s", model->name);
        here->facts = facts == NULL
                          ? NULL
                          : arena_format(arena, "%s · %s", model_shelf_name(model->shelf), facts);
        *count += here->title != NULL && here->facts != NULL;
    }
    return list;
}
