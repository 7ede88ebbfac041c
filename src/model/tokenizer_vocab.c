/* model/tokenizer_vocab.c — vocabularies and merges as files hold them:
 *
 *     vocab.json      {"token": id, …}
 *     merges.txt      left right, one pair a line, the first is best
 *     tokenizer.json  {"model": {"vocab": …, "merges": ["left right" or ["left", "right"], …]}} */
#include <string.h>

#include "base/readable.h"
#include "base/text.h"
#include "model/tokenizer_internal.h"

/* The state of reading one vocabulary. */
struct reading {
    struct tokenizer *tokenizer;
    const char *file; /* name of the one that is read, for sentences */
    struct error *error;
};

bool tokenizer_no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for the tokenizer.");
}

/* ---- the vocabulary ------------------------------------------------------------------------ */

bool tokenizer_put_token(struct tokenizer *tokenizer, const char *file, const char *text,
                         size_t length, size_t id, struct error *error)
{
    if (length > VOCABULARY_TOKEN_BYTES_MAX) {
        return error_set(error, ERROR_INPUT, "%s: a token has %zu bytes; 1 to %d are allowed.",
                         file, length, VOCABULARY_TOKEN_BYTES_MAX);
    }
    if (tokenizer->vocabulary.tokens[id].at != NULL) {
        return error_set(error, ERROR_INPUT, "%s: “%.40s” and another token share the id %zu.",
                         file, text, id);
    }
    return vocabulary_add(&tokenizer->vocabulary, text, length, id, &tokenizer->arena) ||
           tokenizer_no_memory(error);
}

static bool check_id(const struct reading *reading, const char *token, const struct json *value,
                     size_t *id)
{
    int64_t number = 0;
    if (!json_whole_number(value, &number) || number < 0) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: the id of “%.40s” is no whole number from 0 up.", reading->file,
                         token);
    }
    const size_t max_id = reading->tokenizer->limit;
    if ((uint64_t)number >= max_id) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: the id of “%.40s” is %lld, but the model has %zu tokens.",
                         reading->file, token, (long long)number, max_id);
    }
    *id = (size_t)number;
    return true;
}

static bool add_token(struct reading *reading, const char *token, const struct json *value)
{
    const size_t length = strlen(token);
    size_t id = 0;
    if (length == 0) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: a token has %zu bytes; 1 to %d are allowed.", reading->file, length,
                         VOCABULARY_TOKEN_BYTES_MAX);
    }
    return check_id(reading, token, value, &id) &&
           tokenizer_put_token(reading->tokenizer, reading->file, token, length, id,
                               reading->error);
}

bool tokenizer_read_vocabulary(struct tokenizer *tokenizer, const struct json *vocab,
                               const char *file, struct error *error)
{
    struct reading reading = {tokenizer, file, error};
    const size_t count = json_count(vocab);
    const char *token = NULL;
    void *place = NULL;
    if (json_kind_of(vocab) != JSON_KIND_OBJECT) {
        return error_set(error, ERROR_INPUT, "%s: it holds no object of tokens and ids.", file);
    }
    if (count > VOCABULARY_TOKENS_MAX) {
        return error_set(error, ERROR_INPUT, "%s: it has %zu tokens, at most %d can be read.", file,
                         count, VOCABULARY_TOKENS_MAX);
    }
    for (const struct json *id; (id = json_next_member(vocab, &place, &token)) != NULL;) {
        if (!add_token(&reading, token, id)) {
            return false;
        }
    }
    return vocabulary_finish(&tokenizer->vocabulary, &tokenizer->arena) ||
           tokenizer_no_memory(error);
}

bool tokenizer_every_byte(const struct tokenizer *tokenizer, const char *file, struct error *error)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        if (tokenizer->bpe.letters[readable_letter_of((uint8_t)byte)] == BPE_NOWHERE) {
            return error_set(error, ERROR_INPUT, "%s: no token stands for the byte %02X.", file,
                             byte);
        }
    }
    return true;
}

/* ---- merges -------------------------------------------------------------------------------- */

static bool id_of(const struct reading *reading, const char *token, size_t length, uint32_t *id)
{
    return vocabulary_find(&reading->tokenizer->vocabulary, token, length, id) ||
           error_set(reading->error, ERROR_INPUT,
                     "%s: merge %zu speaks of “%.*s”, which is not in the vocabulary.",
                     reading->file, reading->tokenizer->bpe.merge_count + 1,
                     (int)(length < 40 ? length : 40), token);
}

static bool add_merge(struct reading *reading, const char *left, size_t left_length,
                      const char *right, size_t right_length)
{
    char text[2 * VOCABULARY_TOKEN_BYTES_MAX + 1];
    struct bpe *const bpe = &reading->tokenizer->bpe;
    struct bpe_merge *const merge = &bpe->merges[bpe->merge_count];
    if (left_length == 0 || right_length == 0 || left_length > VOCABULARY_TOKEN_BYTES_MAX ||
        right_length > VOCABULARY_TOKEN_BYTES_MAX) {
        return error_set(reading->error, ERROR_INPUT, "%s: merge %zu is no pair of tokens.",
                         reading->file, bpe->merge_count + 1);
    }
    merge->rank = (uint32_t)bpe->merge_count;
    /* what marks that a token continues a word stands once in what both make */
    const size_t marked = strlen(bpe->prefix);
    const size_t left_out =
        right_length > marked && memcmp(right, bpe->prefix, marked) == 0 ? marked : 0;
    memcpy(text, left, left_length);
    memcpy(text + left_length, right + left_out, right_length - left_out);
    const bool fine = id_of(reading, left, left_length, &merge->left) &&
                      id_of(reading, right, right_length, &merge->right) &&
                      id_of(reading, text, left_length + right_length - left_out, &merge->merged);
    bpe->merge_count += fine;
    return fine;
}

/* "left right", as a whole. */
static bool read_merge_line(struct reading *reading, const char *line, size_t length)
{
    const char *const space = memchr(line, ' ', length);
    if (space == NULL || memchr(space + 1, ' ', length - (size_t)(space + 1 - line)) != NULL) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: merge %zu is no pair of tokens with one space between them.",
                         reading->file, reading->tokenizer->bpe.merge_count + 1);
    }
    const size_t left = (size_t)(space - line);
    return add_merge(reading, line, left, space + 1, length - left - 1);
}

bool tokenizer_merges_start(struct tokenizer *tokenizer, size_t count, const char *file,
                            struct error *error)
{
    struct bpe *const bpe = &tokenizer->bpe;
    if (count > BPE_MERGES_MAX) {
        return error_set(error, ERROR_INPUT, "%s: it has %zu merges, at most %d can be read.", file,
                         count, BPE_MERGES_MAX);
    }
    bpe->merges = arena_array(&tokenizer->arena, count + 1, sizeof *bpe->merges);
    return bpe->merges != NULL || tokenizer_no_memory(error);
}

bool tokenizer_merges_put(struct tokenizer *tokenizer, struct bytes line, const char *file,
                          struct error *error)
{
    struct reading reading = {tokenizer, file, error};
    return read_merge_line(&reading, (const char *)line.at, line.size);
}

/* The next line, its end not counted; false behind the last. Tokens hold no white space of their
 * own, but other lines must not vanish: white space within a line is looked at by the caller. */
static bool next_line(struct bytes text, size_t *at, const char **line, size_t *length)
{
    if (*at >= text.size) {
        return false;
    }
    const uint8_t *const begin = text.at + *at;
    const uint8_t *const end = memchr(begin, '\n', text.size - *at);
    *length = end == NULL ? text.size - *at : (size_t)(end - begin);
    *at += *length + 1;
    *line = (const char *)begin;
    *length -= *length > 0 && begin[*length - 1] == '\r';
    return true;
}

bool tokenizer_read_merge_lines(struct tokenizer *tokenizer, struct bytes text, const char *file,
                                struct error *error)
{
    struct reading reading = {tokenizer, file, error};
    const char *line = NULL;
    size_t length = 0, lines = 1, at = lines_start(text);
    for (size_t i = 0; i < text.size; i++) {
        lines += text.at[i] == '\n';
    }
    if (!tokenizer_merges_start(tokenizer, lines - (lines > 1), file, error)) {
        return false;
    }
    for (size_t number = 0; next_line(text, &at, &line, &length); number++) {
        const bool version = number == 0 && length >= 9 && memcmp(line, "#version:", 9) == 0;
        if (length > BPE_LINE_BYTES_MAX) {
            return error_set(error, ERROR_INPUT, "%s: line %zu is longer than %d bytes.", file,
                             number + 1, BPE_LINE_BYTES_MAX);
        }
        if (length > 0 && !version && !read_merge_line(&reading, line, length)) {
            return false;
        }
    }
    return true;
}

bool tokenizer_read_merges(struct tokenizer *tokenizer, const struct json *merges, const char *file,
                           struct error *error)
{
    struct reading reading = {tokenizer, file, error};
    const size_t count = json_count(merges);
    if (json_kind_of(merges) != JSON_KIND_ARRAY) {
        return error_set(error, ERROR_INPUT, "%s: it has no list of merges.", file);
    }
    if (!tokenizer_merges_start(tokenizer, count, file, error)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct json *const merge = json_element(merges, i);
        const char *left = NULL, *right = NULL;
        const bool pair = json_count(merge) == 2 && json_text(json_element(merge, 0), &left) &&
                          json_text(json_element(merge, 1), &right);
        const bool fine =
            pair ? add_merge(&reading, left, strlen(left), right, strlen(right))
            : json_text(merge, &left)
                ? read_merge_line(&reading, left, strlen(left))
                : error_set(error, ERROR_INPUT, "%s: merge %zu is no pair of tokens.", file, i + 1);
        if (!fine) {
            return false;
        }
    }
    return true;
}
