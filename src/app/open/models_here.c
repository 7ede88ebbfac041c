/* Finds where other programs keep their models, as the environment says: the folders of Hugging
 * Face, Ollama and others, for the list of files that can be opened. */
#include "app/open/models_here.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/system/user.h"
#include "base/translate.h"
#include "model/listing.h"

bool app_models_here(struct arena *arena, struct model_listing *out)
{
    const struct model_environment environment = {
        .home = system_home(),
        .ollama_models = system_folder_variable("OLLAMA_MODELS"),
        .hf_home = system_folder_variable("HF_HOME"),
        .hf_hub_cache = system_folder_variable("HF_HUB_CACHE")};
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

/* Of ".../models--ORGANISATION--NAME/snapshots/HASH": NAME. */
static bool put_cached_name(const char *path, char *name, size_t size)
{
    static const char START[] = "/models--", BEHIND[] = "/snapshots/";
    const char *behind = strstr(path, BEHIND), *start = strstr(path, START);
    if (behind == NULL || start == NULL || start > behind) {
        return false;
    }
    const char *const rest = behind + strlen(BEHIND), *const slash = strchr(rest, '/');
    start += strlen(START);
    const char *const apart = strstr(start, "--");
    start = apart != NULL && apart < behind ? apart + 2 : start;
    if (slash != NULL && slash[1] != '\0') {
        return false; /* a file in it, which has a name */
    }
    snprintf(name, size, "%.*s", (int)(behind - start), start);
    return true;
}

void app_model_name(const char *path, char *name, size_t size)
{
    static const char BLOB[] = "sha256-";
    size_t length = 0;
    const char *const last = file_last_part(path, &length);
    snprintf(name, size, "%.*s", (int)length, last);
    if (put_cached_name(path, name, size) || strncmp(name, BLOB, strlen(BLOB)) != 0) {
        return;
    }
    struct arena arena = {0};
    struct model_listing listing;
    const bool is_read = app_models_here(&arena, &listing);
    for (size_t m = 0; is_read && m < listing.count; m++) {
        if (strcmp(listing.model[m].path, path) == 0) {
            snprintf(name, size, "%s", listing.model[m].name);
            break;
        }
    }
    arena_free(&arena);
}
