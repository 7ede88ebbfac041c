/* app/open/models_here.h — the models that other programs have put on this machine
 * (model/listing.h), by the environment the program was started in. */
#ifndef APP_OPEN_MODELS_HERE_H
#define APP_OPEN_MODELS_HERE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct model_listing;

/* Owned by the arena. False: no memory. */
bool app_models_here(struct arena *arena, struct model_listing *out);

/* One of them as a list shows it. */
struct app_model_here {
    const char *path;  /* that opens it */
    const char *title; /* "Model: llama3.2:3b" */
    const char *facts; /* "Ollama · llama · Q4_K_M · 2.0 GB" */
};

/* All of them; the list and its texts are owned by the arena. NULL: there are none, or no memory.
 */
const struct app_model_here *app_models_listed(struct arena *arena, size_t *count);

/* Writes what the model at a path from the root is called: its own name where the path ends with a
 * hash (of a snapshot of Hugging Face, a blob of Ollama), else the last part of it. */
void app_model_name(const char *path, char *name, size_t size);

#endif
