/* model/ids.h — a text of numbers of tokens, for models that come without a tokenizer, or where one
 * wants to say which tokens are meant. */
#ifndef MODEL_IDS_H
#define MODEL_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Whole numbers between white space or commas, each as "7" or as such a token is shown, "#7"; they
 * stand in the arena, and there may be none. False: *wrong is where something else stands, or NULL
 * without memory. */
bool model_ids_read(const char *text, struct arena *arena, const uint32_t **ids, size_t *count,
                    const char **wrong);

#endif
