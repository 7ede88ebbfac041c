/* model/listing.h — models on this machine: those that other programs have put on the disk.
 *
 *     Ollama         MODELS/manifests/REGISTRY/NAMESPACE/NAME/TAG   a JSON that names blobs
 *                    MODELS/blobs/sha256-…                          the blobs, one of them a GGUF
 *     Hugging Face   HUB/models--ORG--NAME/snapshots/HASH/          links into the cache's blobs
 *     LM Studio      MODELS/PUBLISHER/REPOSITORY/NAME.gguf
 *
 * Only names of folders, small JSON files and sizes are read: no weights. Nothing outside the
 * folders is looked at; a link counts where its end lies inside them, as the caches' own links do.
 */
#ifndef MODEL_LISTING_H
#define MODEL_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { MODEL_LISTING_MAX = 1000, MODEL_PLACES_MAX = 12 };

enum model_shelf { MODEL_SHELF_OLLAMA, MODEL_SHELF_HUGGING_FACE, MODEL_SHELF_LM_STUDIO };

/* "Ollama", "Hugging Face", "LM Studio". */
const char *model_shelf_name(enum model_shelf shelf);

/* A folder to look in: MODELS or HUB above. One that is not there has no models. */
struct model_place {
    enum model_shelf shelf;
    const char *folder;
};

/* The folders of whoever has this environment; values NULL or "" are not set. Returns how many. */
struct model_environment {
    const char *home, *ollama_models, *hf_home, *hf_hub_cache;
};
size_t model_places(const struct model_environment *environment, struct arena *arena,
                    struct model_place place[MODEL_PLACES_MAX]);

struct model_listed {
    enum model_shelf shelf;
    const char *name;   /* "llama3.2:3b", "openai-community/gpt2", "PUBLISHER/REPOSITORY/NAME" */
    const char *path;   /* what is opened: a folder, a file */
    const char *family; /* "llama", "gpt2"; "": it is not told */
    const char *kind;   /* of its numbers: "Q4_K_M", "bfloat16"; "": it is not told */
    size_t layers, heads, groups, width; /* 0: it is not told */
    size_t target_layers; /* of a model of two texts: those of the second; 0: there is one text */
    uint64_t bytes;       /* of weights on the disk, mapped where they are read */
    uint64_t memory;      /* beside the map, of a text of MODEL_LISTING_WORDS; 0: it is not told */
};
enum { MODEL_LISTING_WORDS = 256 };

struct model_listing {
    const struct model_listed *model; /* [count], by name in each place; owned by the arena */
    size_t count;
    bool cut; /* there are more than MODEL_LISTING_MAX */
};

/* Lists what lies in those places; what cannot be read is left out. False: no memory. */
bool model_listing_read(const struct model_place *place, size_t places, struct arena *arena,
                        struct model_listing *out);

/* "llama · 28 layers × 24 heads (8 of keys) · Q4_K_M · 2.0 GB · 44 MB for 256 words": what is told
 * of it, in the language that is spoken. Owned by the arena; NULL: no memory. */
const char *model_listed_facts(const struct model_listed *model, struct arena *arena);

#endif
