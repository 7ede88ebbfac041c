/* lab/experiment/words.c — lists of words and arrays of numbers that never change and are shared by
 * counting references. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <stdatomic.h>

#include "base/arena.h"
#include "base/checked.h"
#include "base/text.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/experiment.h"

/* One block of memory holds the record, the list of texts, and the texts. */
struct lab_words {
    atomic_size_t references;
    size_t count;
    const char *word[];
};

struct lab_numbers {
    atomic_size_t references;
    size_t rank;
    size_t shape[3];
    struct lab_numbers_source source; /* read NULL: they cannot be read again */
    float *values;                    /* own, or a block that can be read again; NULL: they rest */
    float own[];
};

/* Cleans the words and drops those without any letter. Returns false where memory is lacking or a
 * word is too long. */
static bool clean_words(struct arena *arena, const char *const *word, size_t count,
                        const char **clean, size_t *kept, size_t *bytes, struct error *error)
{
    *kept = 0;
    *bytes = 0;
    for (size_t w = 0; w < count; w++) {
        size_t length = strlen(word[w]);
        if (length > LAB_WORD_BYTES_MAX) {
            return error_set(
                error, ERROR_INPUT,
                "Word %zu has %zu bytes; at most %d are allowed: split it into shorter words.",
                w + 1, length, LAB_WORD_BYTES_MAX);
        }
        const char *text = text_clean(arena, word[w], length, &length);
        if (text == NULL) {
            return error_set(error, ERROR_MEMORY, "There is not enough memory for %zu words.",
                             count);
        }
        if (length > 0) {
            clean[(*kept)++] = text;
            *bytes += length + 1;
        }
    }
    return true;
}

/* Packs clean texts into one list. */
static struct lab_words *words_pack(const char *const *clean, size_t count, size_t bytes)
{
    struct lab_words *words = malloc(sizeof *words + count * sizeof words->word[0] + bytes);
    if (words == NULL) {
        return NULL;
    }
    atomic_init(&words->references, 1);
    words->count = count;
    char *at = (char *)&words->word[words->count];
    for (size_t w = 0; w < count; w++) {
        const size_t size = strlen(clean[w]) + 1;
        memcpy(at, clean[w], size);
        words->word[w] = at;
        at += size;
    }
    return words;
}

struct lab_words *lab_words_make(const char *const *word, size_t count, struct error *error)
{
    if (count > LAB_TOKENS_MAX) {
        error_set(error, ERROR_INPUT, "These are %zu words; at most %d fit: leave some out.", count,
                  LAB_TOKENS_MAX);
        return NULL;
    }
    struct arena arena = {0};
    struct lab_words *words = NULL;
    size_t kept = 0, bytes = 0;
    const char **clean = arena_array(&arena, count + 1, sizeof *clean);
    if (clean == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for %zu words.", count);
    } else if (clean_words(&arena, word, count, clean, &kept, &bytes, error)) {
        words = words_pack(clean, kept, bytes);
        if (words == NULL) {
            error_set(error, ERROR_MEMORY, "There is not enough memory for %zu words.", count);
        }
    }
    arena_free(&arena);
    return words;
}

struct lab_words *lab_words_keep(const struct lab_words *words)
{
    struct lab_words *shared = (struct lab_words *)words; /* only the count changes */
    if (shared != NULL) {
        atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
    }
    return shared;
}

void lab_words_release(const struct lab_words *words)
{
    struct lab_words *shared = (struct lab_words *)words;
    if (shared != NULL &&
        atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1) {
        free(shared);
    }
}

bool lab_words_shared(const struct lab_words *words)
{
    struct lab_words *const shared = (struct lab_words *)words; /* only read */
    return shared != NULL && atomic_load_explicit(&shared->references, memory_order_acquire) > 1;
}

size_t lab_words_count(const struct lab_words *words)
{
    return words == NULL ? 0 : words->count;
}

const char *const *lab_words_list(const struct lab_words *words)
{
    return words == NULL ? NULL : words->word;
}

size_t lab_words_bytes(const struct lab_words *words)
{
    size_t bytes = 0;
    for (size_t w = 0; w < lab_words_count(words); w++) {
        bytes += sizeof words->word[w] + strlen(words->word[w]) + 1;
    }
    return bytes;
}

bool lab_words_equal(const struct lab_words *a, const struct lab_words *b)
{
    if (a == NULL || b == NULL || a->count != b->count) {
        return a == b;
    }
    for (size_t w = 0; a != b && w < a->count; w++) {
        if (strcmp(a->word[w], b->word[w]) != 0) {
            return false;
        }
    }
    return true;
}

size_t lab_words_find(const struct lab_words *words, const char *name)
{
    static const char mark[] = "␣";
    const size_t letters = sizeof mark - 1, count = lab_words_count(words);
    for (size_t w = 0; w < count; w++) {
        if (strcmp(words->word[w], name) == 0) {
            return w;
        }
    }
    name += name[0] == ' ';
    for (size_t w = 0; w < count; w++) {
        const char *const word = words->word[w];
        if (strncmp(word, mark, letters) == 0 && strcmp(word + letters, name) == 0) {
            return w;
        }
    }
    return SIZE_MAX;
}

static void no_memory_for_numbers(struct error *error)
{
    error_set(error, ERROR_MEMORY, "There is not enough memory for these numbers.");
}

/* own: the values stand in the same block as the record. */
static struct lab_numbers *make_numbers(size_t rank, const size_t shape[3], bool own,
                                        struct error *error)
{
    if (rank < 2 || rank > 3) {
        error_set(error, ERROR_INPUT, "These numbers have %zu dimensions; 2 or 3 are needed.",
                  rank);
        return NULL;
    }
    size_t count = 1, bytes = 0;
    bool fits = true;
    for (size_t r = 0; r < rank; r++) {
        fits = fits && checked_multiply(count, shape[r], &count);
    }
    fits = fits && checked_multiply(count, sizeof(float), &bytes) &&
           checked_add(bytes, sizeof(struct lab_numbers), &bytes);
    struct lab_numbers *numbers = fits ? malloc(own ? bytes : sizeof *numbers) : NULL;
    if (numbers == NULL) {
        no_memory_for_numbers(error);
        return NULL;
    }
    *numbers = (struct lab_numbers){.rank = rank, .values = own ? numbers->own : NULL};
    atomic_init(&numbers->references, 1);
    for (size_t r = 0; r < 3; r++) {
        numbers->shape[r] = r < rank ? shape[r] : 1;
    }
    return numbers;
}

struct lab_numbers *lab_numbers_room(size_t rank, const size_t shape[3], float **room,
                                     struct error *error)
{
    struct lab_numbers *const numbers = make_numbers(rank, shape, true, error);
    *room = numbers == NULL ? NULL : numbers->values;
    return numbers;
}

struct lab_numbers *lab_numbers_read(const struct lab_numbers_source *source, size_t rank,
                                     const size_t shape[3], struct error *error)
{
    struct lab_numbers *const numbers = make_numbers(rank, shape, false, error);
    if (numbers == NULL) {
        return NULL;
    }
    numbers->source = *source;
    source->keep(source->owner);
    if (!lab_numbers_wake(numbers)) {
        no_memory_for_numbers(error);
        lab_numbers_release(numbers);
        return NULL;
    }
    return numbers;
}

bool lab_numbers_wake(const struct lab_numbers *numbers)
{
    struct lab_numbers *const shared = (struct lab_numbers *)numbers;
    if (shared != NULL && shared->values == NULL) {
        const size_t *const shape = shared->shape;
        shared->values = malloc((shape[0] * shape[1] * shape[2] + 1) * sizeof *shared->values);
        if (shared->values == NULL) {
            return false;
        }
        shared->source.read(shared->source.what, shared->rank, shape, shared->values);
    }
    return true;
}

bool lab_numbers_may_rest(const struct lab_numbers *numbers)
{
    return numbers != NULL && numbers->source.read != NULL && numbers->values != NULL;
}

void lab_numbers_rest(const struct lab_numbers *numbers, size_t references)
{
    struct lab_numbers *const shared = (struct lab_numbers *)numbers;
    if (lab_numbers_may_rest(numbers) &&
        atomic_load_explicit(&shared->references, memory_order_acquire) == references) {
        free(shared->values);
        shared->values = NULL;
    }
}

bool lab_numbers_stand_at(const struct lab_numbers *numbers, const void *what)
{
    return numbers != NULL && numbers->source.read != NULL && numbers->source.what == what;
}

bool lab_numbers_read_alike(const struct lab_numbers *a, const struct lab_numbers *b)
{
    return a->source.read != NULL && a->source.owner == b->source.owner &&
           a->source.what == b->source.what;
}

struct lab_numbers *lab_numbers_make(const float *values, size_t rank, const size_t shape[3],
                                     struct error *error)
{
    float *room = NULL;
    struct lab_numbers *const numbers = lab_numbers_room(rank, shape, &room, error);
    const size_t *const size = lab_numbers_shape(numbers);
    if (numbers != NULL && size[0] * size[1] * size[2] > 0) {
        memcpy(room, values, size[0] * size[1] * size[2] * sizeof *values);
    }
    return numbers;
}

struct lab_numbers *lab_numbers_keep(const struct lab_numbers *numbers)
{
    struct lab_numbers *shared = (struct lab_numbers *)numbers;
    if (shared != NULL) {
        atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
    }
    return shared;
}

void lab_numbers_release(const struct lab_numbers *numbers)
{
    struct lab_numbers *shared = (struct lab_numbers *)numbers;
    if (shared != NULL &&
        atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1) {
        if (shared->source.read != NULL) {
            shared->source.release(shared->source.owner);
            free(shared->values);
        }
        free(shared);
    }
}

size_t lab_numbers_rank(const struct lab_numbers *numbers)
{
    return numbers == NULL ? 0 : numbers->rank;
}

const size_t *lab_numbers_shape(const struct lab_numbers *numbers)
{
    return numbers == NULL ? NULL : numbers->shape;
}

const float *lab_numbers_values(const struct lab_numbers *numbers)
{
    return numbers == NULL ? NULL : numbers->values;
}

/* ---- matching words of a changed list -------------------------------------------------------- */

static bool are_same_word(const struct lab_words *before, size_t b, const struct lab_words *now,
                          size_t n)
{
    return strcmp(lab_words_list(before)[b], lab_words_list(now)[n]) == 0;
}

/* Matches the longest common subsequence of words first to before_end of `before` and first to
 * now_end of `now`. length [i][j] is that of the rests from i and j on (Wagner and Fischer,
 * 1974). */
static bool match_in_order(const struct lab_words *before, const struct lab_words *now,
                           size_t first, size_t before_end, size_t now_end, size_t *from_row)
{
    const size_t rows = before_end - first, cols = now_end - first;
    uint16_t *const length = calloc((rows + 1) * (cols + 1), sizeof *length);
    if (length == NULL) {
        return false;
    }
    for (size_t i = rows; i-- > 0;) {
        for (size_t j = cols; j-- > 0;) {
            const uint16_t down = length[(i + 1) * (cols + 1) + j];
            const uint16_t right = length[i * (cols + 1) + j + 1];
            const uint16_t both = length[(i + 1) * (cols + 1) + j + 1];
            length[i * (cols + 1) + j] = are_same_word(before, first + i, now, first + j)
                                             ? (uint16_t)(both + 1)
                                         : down > right ? down
                                                        : right;
        }
    }
    for (size_t i = 0, j = 0; i < rows && j < cols;) {
        if (are_same_word(before, first + i, now, first + j)) {
            from_row[first + j++] = first + i++;
        } else if (length[(i + 1) * (cols + 1) + j] >= length[i * (cols + 1) + j + 1]) {
            i++;
        } else {
            j++;
        }
    }
    free(length);
    return true;
}

/* Matches words that stand elsewhere now: each takes the first equal word that is still free. */
static bool match_moved(const struct lab_words *before, const struct lab_words *now,
                        size_t *from_row)
{
    const size_t old_count = lab_words_count(before), count = lab_words_count(now);
    bool *const taken = calloc(old_count + 1, sizeof *taken);
    if (taken == NULL) {
        return false;
    }
    for (size_t r = 0; r < count; r++) {
        if (from_row[r] != SIZE_MAX) {
            taken[from_row[r]] = true;
        }
    }
    for (size_t r = 0; r < count; r++) {
        for (size_t b = 0; from_row[r] == SIZE_MAX && b < old_count; b++) {
            if (!taken[b] && are_same_word(before, b, now, r)) {
                taken[b] = true;
                from_row[r] = b;
            }
        }
    }
    free(taken);
    return true;
}

bool lab_words_match(const struct lab_words *before, const struct lab_words *now, size_t *from_row)
{
    size_t before_end = lab_words_count(before), now_end = lab_words_count(now), first = 0;
    for (size_t r = 0; r < now_end; r++) {
        from_row[r] = SIZE_MAX;
    }
    /* Most changes are small, so equal words at both ends need no table. */
    while (first < before_end && first < now_end && are_same_word(before, first, now, first)) {
        from_row[first] = first;
        first++;
    }
    while (before_end > first && now_end > first &&
           are_same_word(before, before_end - 1, now, now_end - 1)) {
        from_row[--now_end] = --before_end;
    }
    return match_in_order(before, now, first, before_end, now_end, from_row) &&
           match_moved(before, now, from_row);
}
