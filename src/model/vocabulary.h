/* model/vocabulary.h — the tokens of a model: text by id, and id by text. */
#ifndef MODEL_VOCABULARY_H
#define MODEL_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

enum {
    VOCABULARY_TOKENS_MAX = 1000000, /* entries */
    VOCABULARY_IDS_MAX = 2000000,    /* ids are below */
    VOCABULARY_TOKEN_BYTES_MAX = 1024,
};

struct vocabulary_entry;

struct vocabulary {
    const struct bytes *tokens; /* [size] by id, as the file writes them; at NULL: no such id */
    size_t size;
    struct vocabulary_entry *entries; /* [count] in the order of their hash, then of their bytes */
    size_t count;
    const uint32_t *first; /* [buckets + 1] of the entries */
    size_t buckets;        /* a power of two */
};

/* Room for ids below the number. False: memory. */
bool vocabulary_start(struct vocabulary *vocabulary, size_t ids, struct arena *arena);

/* One token; the id is below what was started with, and free. The text is copied. False: memory. */
bool vocabulary_add(struct vocabulary *vocabulary, const char *text, size_t length, size_t id,
                    struct arena *arena);

/* After the last token: now they can be found. False: memory. */
bool vocabulary_finish(struct vocabulary *vocabulary, struct arena *arena);

/* Returns whether there is a token of that text, and its id. Of several, the smallest. */
bool vocabulary_find(const struct vocabulary *vocabulary, const char *text, size_t length,
                     uint32_t *id);

/* ---- beginnings of a text that are words of a list ------------------------------------------ */

struct word {
    const char *text;
    uint32_t length;
    uint32_t value;
};

/* In the order of their bytes, so that those with one beginning stand together. */
struct words {
    struct word *at;
    size_t count;
};

void words_sort(struct words *words);

/* The words that a text begins with, the shortest first: *walk starts as all zero. False: there is
 * no further one. */
struct words_walk {
    size_t low, high, depth;
    bool started;
};
bool words_next(const struct words *words, const char *text, size_t length, struct words_walk *walk,
                const struct word **found);

#endif
