/* model/vocabulary.c — see vocabulary.h. Texts are found by a hash, and among equal ones by their
 * bytes: a file made to collide costs a few comparisons more, not a number of tokens. */
#include "model/vocabulary.h"

#include <stdlib.h>
#include <string.h>

struct vocabulary_entry {
    uint64_t hash;
    struct bytes text;
    uint32_t id;
};

/* Fowler, Noll and Vo's, with its bits mixed once more (the finaliser of MurmurHash3). */
static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t hash = 14695981039346656037U;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (uint8_t)text[i]) * 1099511628211U;
    }
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdU;
    return hash ^ (hash >> 33);
}

static int compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length)
{
    const size_t both = a_length < b_length ? a_length : b_length;
    const int order = both == 0 ? 0 : memcmp(a, b, both);
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_entries(const void *left, const void *right)
{
    const struct vocabulary_entry *const a = left, *const b = right;
    if (a->hash != b->hash) {
        return a->hash < b->hash ? -1 : 1;
    }
    const int order = compare_bytes((const char *)a->text.at, a->text.size,
                                    (const char *)b->text.at, b->text.size);
    return order != 0 ? order : (a->id > b->id) - (a->id < b->id);
}

bool vocabulary_start(struct vocabulary *vocabulary, size_t ids, struct arena *arena)
{
    *vocabulary = (struct vocabulary){.size = 0};
    vocabulary->tokens = arena_array(arena, ids + 1, sizeof *vocabulary->tokens);
    return vocabulary->tokens != NULL;
}

bool vocabulary_add(struct vocabulary *vocabulary, const char *text, size_t length, size_t id,
                    struct arena *arena)
{
    struct bytes *const token = (struct bytes *)&vocabulary->tokens[id]; /* the arena's: ours */
    *token = (struct bytes){(const uint8_t *)arena_text(arena, text, length), length};
    vocabulary->size = id >= vocabulary->size ? id + 1 : vocabulary->size;
    vocabulary->count += token->at != NULL;
    return token->at != NULL;
}

bool vocabulary_finish(struct vocabulary *vocabulary, struct arena *arena)
{
    size_t next = 0;
    vocabulary->buckets = 1;
    while (vocabulary->buckets < vocabulary->count) {
        vocabulary->buckets *= 2;
    }
    vocabulary->entries = arena_array(arena, vocabulary->count + 1, sizeof *vocabulary->entries);
    uint32_t *const first = arena_array(arena, vocabulary->buckets + 1, sizeof *first);
    if (vocabulary->entries == NULL || first == NULL) {
        return false;
    }
    for (size_t id = 0; id < vocabulary->size; id++) {
        const struct bytes text = vocabulary->tokens[id];
        if (text.at != NULL) {
            vocabulary->entries[next++] = (struct vocabulary_entry){
                hash_of((const char *)text.at, text.size), text, (uint32_t)id};
        }
    }
    qsort(vocabulary->entries, next, sizeof *vocabulary->entries, compare_entries);
    vocabulary->first = first;
    for (size_t bucket = 0, entry = 0; bucket <= vocabulary->buckets; bucket++) {
        while (entry < next &&
               (vocabulary->entries[entry].hash >> 32) * vocabulary->buckets >> 32 < bucket) {
            entry++;
        }
        first[bucket] = (uint32_t)entry;
    }
    return true;
}

bool vocabulary_find(const struct vocabulary *vocabulary, const char *text, size_t length,
                     uint32_t *id)
{
    const struct vocabulary_entry wanted = {
        hash_of(text, length), {(const uint8_t *)text, length}, 0};
    const size_t bucket = (size_t)((wanted.hash >> 32) * vocabulary->buckets >> 32);
    size_t low = vocabulary->first[bucket], high = vocabulary->first[bucket + 1];
    const size_t end = high;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_entries(&vocabulary->entries[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == end || vocabulary->entries[low].hash != wanted.hash ||
        vocabulary->entries[low].text.size != length ||
        (length > 0 && memcmp(vocabulary->entries[low].text.at, text, length) != 0)) {
        return false;
    }
    *id = vocabulary->entries[low].id;
    return true;
}

/* ---- beginnings ----------------------------------------------------------------------------- */

static int compare_words(const void *left, const void *right)
{
    const struct word *const a = left, *const b = right;
    const int order = compare_bytes(a->text, a->length, b->text, b->length);
    return order != 0 ? order : (a->value > b->value) - (a->value < b->value);
}

void words_sort(struct words *words)
{
    qsort(words->at, words->count, sizeof *words->at, compare_words);
}

/* The first word in low to high whose byte at the depth is not below the byte. */
static size_t first_from(const struct words *words, size_t low, size_t high, size_t depth,
                         unsigned byte)
{
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uint8_t)words->at[middle].text[depth] < byte) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool words_next(const struct words *words, const char *text, size_t length, struct words_walk *walk,
                const struct word **found)
{
    if (!walk->started) {
        *walk = (struct words_walk){0, words->count, 0, true};
    }
    while (walk->depth < length && walk->low < walk->high) {
        /* Words that end here stand first, and are behind us. */
        while (walk->low < walk->high && words->at[walk->low].length == walk->depth) {
            walk->low++;
        }
        const unsigned byte = (uint8_t)text[walk->depth];
        walk->low = first_from(words, walk->low, walk->high, walk->depth, byte);
        walk->high = first_from(words, walk->low, walk->high, walk->depth, byte + 1);
        walk->depth++;
        if (walk->low < walk->high && words->at[walk->low].length == walk->depth) {
            *found = &words->at[walk->low];
            return true;
        }
    }
    return false;
}
