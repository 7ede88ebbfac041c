/* learn/data_words.c — the vocabulary: finds words by their numbers and numbers by their words, and
 * cuts texts into words. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "learn/data_internal.h"

enum { WORDS_FIRST = 64 };

/* Returns the slot of a word, or the empty slot where it belongs. */
static size_t slot_of(const struct learn_data *data, const char *word, size_t length)
{
    size_t slot = (size_t)random_hash(word, length) & (data->slot_count - 1);
    while (data->slots[slot].token != 0) {
        const char *const other = data->words[data->slots[slot].token - 1];
        if (strncmp(other, word, length) == 0 && other[length] == '\0') {
            break;
        }
        slot = (slot + 1) & (data->slot_count - 1);
    }
    return slot;
}

size_t learn_data_find(const struct learn_data *data, const char *word, size_t length)
{
    const uint32_t token = data->slots[slot_of(data, word, length)].token;
    return token == 0 ? SIZE_MAX : token - 1;
}

/* Doubles the table, so that half of the slots stay empty. */
static bool grow_table(struct learn_data *data, struct error *error)
{
    const size_t room = data->slot_count == 0 ? WORDS_FIRST : data->slot_count;
    const char **const words = arena_array(&data->arena, room, sizeof *words);
    struct learn_slot *const slots = arena_array(&data->arena, 2 * room, sizeof *slots);
    if (words == NULL || slots == NULL) {
        return learn_no_memory(error);
    }
    if (data->vocabulary > 0) {
        memcpy(words, data->words, data->vocabulary * sizeof *words);
    }
    data->words = words;
    data->slots = slots;
    data->slot_count = 2 * room;
    for (size_t w = 0; w < data->vocabulary; w++) {
        data->slots[slot_of(data, words[w], strlen(words[w]))].token = (uint32_t)w + 1;
    }
    return true;
}

bool learn_data_add_word(struct learn_data *data, const char *word, size_t length, size_t *token,
                         struct error *error)
{
    if (2 * data->vocabulary >= data->slot_count && !grow_table(data, error)) {
        return false;
    }
    struct learn_slot *const slot = &data->slots[slot_of(data, word, length)];
    if (slot->token == 0) {
        const char *const copy = arena_text(&data->arena, word, length);
        if (copy == NULL) {
            return learn_no_memory(error);
        }
        data->words[data->vocabulary++] = copy;
        slot->token = (uint32_t)data->vocabulary;
    }
    *token = slot->token - 1;
    return true;
}

bool learn_data_set_words(struct learn_data *data, const char *const *words, size_t count,
                          struct error *error)
{
    for (size_t w = 0; w < count; w++) {
        size_t token;
        if (!learn_data_add_word(data, words[w], strlen(words[w]), &token, error)) {
            return false;
        }
    }
    return true;
}

struct learn_data *learn_data_empty(bool letters, struct error *error)
{
    static const struct learn_source none = {.causal = true};
    struct learn_data *const data = calloc(1, sizeof *data);
    if (data == NULL) {
        learn_no_memory(error);
        return NULL;
    }
    atomic_init(&data->holders, 1);
    data->source = &none;
    data->letters = letters;
    return data;
}

struct learn_data *learn_data_of_words(const char *const *words, size_t count, bool letters,
                                       struct error *error)
{
    struct learn_data *const data = learn_data_empty(letters, error);
    if (data != NULL && !learn_data_set_words(data, words, count, error)) {
        learn_data_release(data);
        return NULL;
    }
    return data;
}

bool learn_next_word(const char *text, size_t length, bool letters, size_t *at, size_t *start,
                     size_t *size)
{
    size_t place = *at;
    *start = place;
    while (place < length) {
        const size_t former = place;
        const bool space = text_is_space(text_next(text, length, &place));
        if (letters) {
            *size = place - former;
            *at = place;
            return true;
        }
        if (!space) {
            continue;
        }
        if (former > *start) {
            *size = former - *start;
            *at = place;
            return true;
        }
        *start = place;
    }
    *at = length;
    *size = length - *start;
    return *size > 0;
}

bool learn_data_encode(const struct learn_data *data, const char *text, size_t length,
                       struct arena *arena, const int32_t **tokens, size_t *count,
                       struct error *error)
{
    size_t at = 0, start = 0, size = 0, found = 0;
    while (learn_next_word(text, length, data->letters, &at, &start, &size)) {
        found++;
    }
    int32_t *const out = arena_array(arena, found > 0 ? found : 1, sizeof *out);
    if (out == NULL) {
        return learn_no_memory(error);
    }
    at = 0;
    for (size_t t = 0; t < found; t++) {
        learn_next_word(text, length, data->letters, &at, &start, &size);
        const size_t token = learn_data_find(data, text + start, size);
        if (token == SIZE_MAX) {
            return error_set(error, ERROR_INPUT,
                             data->letters ? "The letter \"%.*s\" is not in what is learned from."
                                           : "The word \"%.*s\" is not in what is learned from.",
                             (int)(size < 60 ? size : 60), text + start);
        }
        out[t] = (int32_t)token;
    }
    *tokens = out;
    *count = found;
    return true;
}
