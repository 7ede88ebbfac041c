/* Models on this machine: the bytes are a manifest of Ollama, a config.json in the cache of Hugging
 * Face, and a GGUF of LM Studio. */
#include "model/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "fuzz.h"

static const char *const places[] = {"ollama/manifests/registry/library/a", "ollama/blobs",
                                     "hub/models--org--a/snapshots/1", "studio/publisher/a"};
static const char *const files[] = {
    "ollama/manifests/registry/library/a/latest",
    "ollama/blobs/sha256-"
    "0000000000000000000000000000000000000000000000000000000000000000",
    "hub/models--org--a/snapshots/1/model.safetensors",
    "hub/models--org--a/snapshots/1/config.json", "studio/publisher/a/a.gguf"};

enum { PLACES = sizeof places / sizeof places[0], FILES = sizeof files / sizeof files[0] };

static char folder[FOLDER_PATH_MAX];

/* Folders inside one another, each made where it is not there (make), or taken away. */
static void walk_folders(bool make)
{
    for (size_t p = 0; p < PLACES; p++) {
        char path[2 * FOLDER_PATH_MAX];
        const int length = snprintf(path, sizeof path, "%s/%s", folder, places[p]);
        const size_t root = (size_t)snprintf(NULL, 0, "%s/", folder);
        for (size_t at = root; make && at <= (size_t)length; at++) {
            if (path[at] == '/' || path[at] == '\0') {
                const char former = path[at];
                path[at] = '\0';
                (void)mkdir(path, 0700);
                path[at] = former;
            }
        }
        for (size_t at = (size_t)length; !make && at > root; at--) {
            if (path[at] == '/' || path[at] == '\0') {
                path[at] = '\0';
                (void)rmdir(path);
            }
        }
    }
}

static void leave(void)
{
    walk_folders(false);
}

bool fuzz_reads(struct bytes file)
{
    static const char blob[] = "GGUF";
    struct arena arena = {0};
    struct model_listing listing;
    if (folder[0] == '\0') {
        folder_make(folder);
        walk_folders(true);
        if (atexit(leave) != 0) {
            abort();
        }
    }
    for (size_t f = 0; f < FILES; f++) {
        folder_put(folder, files[f],
                   f == 1 || f == 2 ? (struct bytes){(const uint8_t *)blob, sizeof blob - 1}
                                    : file);
    }
    const struct model_place place[] = {
        {MODEL_SHELF_OLLAMA, arena_format(&arena, "%s/ollama", folder)},
        {MODEL_SHELF_HUGGING_FACE, arena_format(&arena, "%s/hub", folder)},
        {MODEL_SHELF_LM_STUDIO, arena_format(&arena, "%s/studio", folder)}};
    bool told = false;
    if (model_listing_read(place, sizeof place / sizeof place[0], &arena, &listing)) {
        for (size_t m = 0; m < listing.count; m++) {
            (void)model_listed_facts(&listing.model[m], &arena);
            told = told || listing.model[m].family[0] != '\0' ||
                   listing.model[m].shelf == MODEL_SHELF_OLLAMA;
        }
    }
    folder_drop(folder, files, FILES);
    arena_free(&arena);
    return told;
}
