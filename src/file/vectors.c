/* file/vectors.c — see vectors.h. GloVe: Pennington and others 2014; word2vec: Mikolov 2013. */
#include "file/vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/system/file.h"
#include "base/text.h"
#include "file/handle.h"
#include "file/npy.h"

static bool is_gap(char c)
{
    return c == ' ' || c == '\t';
}

static size_t word_length(const struct line *line)
{
    size_t length = 0;
    while (length < line->length && !is_gap(line->at[length])) {
        length++;
    }
    return length;
}

/* Reads up to max_numbers numbers behind the word into row (NULL: only looks). Returns how many
 * fields there are; *valid becomes false when one of those looked at is not a number. */
static size_t read_numbers(const struct line *line, size_t max_numbers, float *row, bool *valid)
{
    size_t count = 0;
    *valid = true;
    for (size_t at = word_length(line); at < line->length;) {
        while (is_gap(line->at[at])) { /* no line ends in one */
            at++;
        }
        size_t begin = at;
        while (at < line->length && !is_gap(line->at[at])) {
            at++;
        }
        char field[64];
        double value = 0;
        if (at - begin >= sizeof field || memchr(line->at + begin, 0, at - begin) != NULL) {
            *valid = false;
            return count;
        }
        memcpy(field, line->at + begin, at - begin);
        field[at - begin] = '\0';
        if (!text_to_double(field, &value) || !text_fits_float(value)) {
            *valid = false;
            return count;
        }
        if (row != NULL && count < max_numbers) {
            row[count] = (float)value;
        }
        count++;
    }
    return count;
}

/* word2vec begins with "words dimension": two whole numbers and nothing else. */
static bool is_heading(const struct line *line, size_t *dimension)
{
    size_t word = word_length(line);
    char first[24];
    char second[24];
    size_t gap = word;
    while (gap < line->length && is_gap(line->at[gap])) {
        gap++;
    }
    size_t rest = line->length - gap;
    if (word >= sizeof first || rest >= sizeof second || rest == 0) {
        return false;
    }
    memcpy(first, line->at, word);
    first[word] = '\0';
    memcpy(second, line->at + gap, rest);
    second[rest] = '\0';
    uint64_t words = 0;
    uint64_t numbers = 0;
    if (!text_to_u64(first, &words) || !text_to_u64(second, &numbers) || numbers == 0 ||
        numbers > VECTORS_DIMENSION_MAX) {
        return false;
    }
    *dimension = (size_t)numbers;
    return true;
}

/* The words that are looked for, and what is known of them so far. In the arena. */
struct search {
    const char *const *wanted;
    size_t count, dimension;
    size_t *length; /* [count], in bytes */
    bool *found;    /* [count] */
    float *values;  /* [count][dimension] */
};

static bool search_begin(struct search *search, const char *const *wanted, size_t count,
                         size_t dimension, struct arena *arena, struct error *error)
{
    *search =
        (struct search){wanted,
                        count,
                        dimension,
                        .length = arena_array(arena, count, sizeof *search->length),
                        .found = arena_array(arena, count, sizeof *search->found),
                        .values = arena_array(arena, count, dimension * sizeof *search->values)};
    if (search->length == NULL || search->found == NULL || search->values == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the word vectors.");
    }
    for (size_t i = 0; i < count; i++) {
        search->length[i] = strlen(wanted[i]);
    }
    return true;
}

/* The place of the line's word; count: it is not wanted, or was found before. */
static size_t which_wanted(const struct search *search, const struct line *line)
{
    const size_t length = word_length(line);
    for (size_t i = 0; i < search->count; i++) {
        if (search->length[i] == length && memcmp(search->wanted[i], line->at, length) == 0) {
            return search->found[i] ? search->count : i;
        }
    }
    return search->count;
}

/* Finds d and the place where the words begin. */
static bool read_beginning(struct bytes text, size_t *start, struct line *line, size_t *dimension,
                           struct error *error)
{
    /* A first line and one behind it are no longer than this, however long a file of another kind
     * goes on without an end of a line. */
    enum { NUMBER_MAX = 64, BEGINNING_MAX = 4 * NUMBER_MAX * VECTORS_DIMENSION_MAX };
    size_t at = lines_start(text);
    text.size = text.size < BEGINNING_MAX ? text.size : BEGINNING_MAX;
    *start = at;
    if (!lines_next(text, &at, line)) {
        return error_set(error, ERROR_INPUT, "There are no word vectors in it.");
    }
    struct line second = *line;
    size_t behind = at;
    bool valid = false;
    size_t announced = 0;
    /* A heading is one only if the line behind it keeps its promise. */
    if (is_heading(line, &announced) && lines_next(text, &behind, &second) &&
        read_numbers(&second, 0, NULL, &valid) == announced && valid) {
        *start = at;
        *dimension = announced;
        return true;
    }
    *line = (struct line){.at = line->at, .length = line->length};
    *dimension = read_numbers(line, 0, NULL, &valid);
    if (!valid || *dimension == 0 || *dimension > VECTORS_DIMENSION_MAX) {
        return error_set(error, ERROR_INPUT,
                         "Its first line is not a word and 1 to %d numbers behind it.",
                         (int)VECTORS_DIMENSION_MAX);
    }
    return true;
}

/* A word asked for twice is found twice. */
static struct vectors search_end(struct search *search)
{
    const size_t d = search->dimension;
    struct vectors vectors = {d, search->count, 0, search->found, search->values};
    for (size_t i = 0; i < search->count; i++) {
        for (size_t j = 0; j < i && !search->found[i]; j++) {
            if (search->found[j] && strcmp(search->wanted[i], search->wanted[j]) == 0) {
                memcpy(search->values + i * d, search->values + j * d, d * sizeof *search->values);
                search->found[i] = true;
            }
        }
        vectors.found_count += search->found[i];
    }
    return vectors;
}

/* Says whether the progress lets it go on; asked behind each line. */
static bool goes_on(const struct file_progress *progress, const struct line *line, size_t done,
                    size_t all)
{
    enum { REPORT_EVERY = 1024 };
    return progress == NULL || line->number % REPORT_EVERY != 0 ||
           progress->goes_on(progress->owner, done, all);
}

static bool read_text(struct bytes text, const char *const *wanted, size_t wanted_count,
                      const struct file_progress *progress, struct arena *arena,
                      struct vectors *out, struct error *error)
{
    size_t at = 0;
    size_t dimension = 0;
    struct line line = {0};
    if (!read_beginning(text, &at, &line, &dimension, error)) {
        return false;
    }
    struct search search;
    if (!search_begin(&search, wanted, wanted_count, dimension, arena, error)) {
        return false;
    }
    while (lines_next(text, &at, &line)) {
        if (!goes_on(progress, &line, at, text.size)) {
            return false;
        }
        const size_t word = which_wanted(&search, &line);
        if (word == wanted_count) {
            continue;
        }
        bool valid = false;
        size_t count = read_numbers(&line, dimension, search.values + word * dimension, &valid);
        if (!valid || count != dimension) {
            return error_set(error, ERROR_INPUT,
                             "Line %zu (\"%.40s\") does not hold %zu numbers behind its word.",
                             line.number, wanted[word], dimension);
        }
        search.found[word] = true;
    }
    *out = search_end(&search);
    return true;
}

bool vectors_read(struct bytes text, const char *const *wanted, size_t wanted_count,
                  struct arena *arena, struct vectors *out, struct error *error)
{
    return read_text(text, wanted, wanted_count, NULL, arena, out, error);
}

/* ---- rows with a list of words --------------------------------------------------------------- */

/* "vectors.npy": "vectors.txt" or "vectors.vocab", whichever is there. */
static bool find_list(const char *path, char *out, size_t size)
{
    static const char *const ends[] = {".txt", ".vocab"};
    const char *const slash = strrchr(path, '/');
    const char *const dot = strrchr(slash == NULL ? path : slash, '.');
    const size_t stem = dot == NULL ? strlen(path) : (size_t)(dot - path);
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
        const int length = snprintf(out, size, "%.*s%s", (int)stem, path, ends[e]);
        if ((size_t)length < size && system_is_regular(out)) {
            return true;
        }
    }
    return false;
}

bool vectors_are_listed(const char *path)
{
    char list[4096];
    return find_list(path, list, sizeof list);
}

static bool read_rows(const struct array *rows, struct bytes list, const char *const *wanted,
                      size_t wanted_count, const struct file_progress *progress,
                      struct arena *arena, struct vectors *out, struct error *error)
{
    const size_t dimension = rows->rank == 2 ? rows->shape[1] : 0;
    if (dimension == 0 || dimension > VECTORS_DIMENSION_MAX) {
        return error_set(error, ERROR_INPUT, "It is not a table of words × 1 to %d numbers.",
                         (int)VECTORS_DIMENSION_MAX);
    }
    struct search search;
    if (!search_begin(&search, wanted, wanted_count, dimension, arena, error)) {
        return false;
    }
    size_t at = lines_start(list), row = 0;
    struct line line = {0};
    for (; lines_next(list, &at, &line); row++) {
        if (!goes_on(progress, &line, at, list.size)) {
            return false;
        }
        const size_t word = which_wanted(&search, &line);
        if (row < rows->shape[0] && word < wanted_count) {
            array_copy_floats(rows, row * dimension, dimension, search.values + word * dimension);
            search.found[word] = true;
        }
    }
    if (row != rows->shape[0]) {
        return error_set(error, ERROR_INPUT, "It has %zu rows, but %zu words are beside it.",
                         rows->shape[0], row);
    }
    *out = search_end(&search);
    return true;
}

bool vectors_open(struct file_handle *file, const char *const *wanted, size_t wanted_count,
                  const struct file_progress *progress, struct arena *arena, struct vectors *out,
                  struct error *error)
{
    struct file_map words = {.descriptor = -1};
    struct bytes bytes;
    struct array rows;
    char list[4096];
    if (!file_handle_map(file, &bytes, error)) {
        return false;
    }
    if (bytes.size < 6 || memcmp(bytes.at, "\x93NUMPY", 6) != 0) {
        return read_text(bytes, wanted, wanted_count, progress, arena, out, error);
    }
    if (!find_list(file_handle_path(file), list, sizeof list)) {
        return error_set(error, ERROR_INPUT,
                         "There is no list of its words beside it, one a line.");
    }
    const bool done =
        npy_read(bytes, &rows, error) && file_map_open(list, &words, error) &&
        read_rows(&rows, words.bytes, wanted, wanted_count, progress, arena, out, error);
    file_map_close(&words);
    return done;
}
