/* learn/data_text.c — own text: cut into words or letters, most of it learned from, its end kept
 * back for a test. */
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "learn/data_internal.h"

enum {
    WORDS_MOST = 2000, /* kinds of words, where nobody says that it shall be words */
    WORDS_OFTEN = 4,   /* and how often a word comes, on average */
    TEXT_SHARE = 3,    /* where a third is no text, the rest is none either */
    TEST_SHARE = 10,   /* a tenth is kept back … */
    TEST_LEAST = 20,   /* … where the text has so many rows */
    TEST_ROWS = 64,
    PROBE_TOKENS = 12,
    PROBE_LETTERS = 24,
};

static const uint32_t damaged = 0xFFFD; /* what text_next gives for bytes that are no text */

/* The text without what is no text: bytes that are no letters, and controls. NULL: no memory. */
static char *sound_text(struct learn_data *data, size_t *length)
{
    const char *const text = (const char *)data->request.text.at;
    const size_t size = data->request.text.size;
    char *const sound = arena_alloc(&data->arena, size + 1);
    size_t kept = 0;
    for (size_t at = 0; sound != NULL && at < size;) {
        const size_t former = at;
        const uint32_t letter = text_next(text, size, &at);
        const bool space = letter == '\n' || letter == '\t';
        if (letter == '\r' || letter == 0xFEFF) {
            continue; /* ends of lines of other systems, the mark of a file's start */
        }
        if (letter == damaged || (!space && text_is_control(letter))) {
            data->left_out++;
            continue;
        }
        memcpy(sound + kept, text + former, at - former);
        kept += at - former;
    }
    return sound == NULL ? NULL : text_clean(&data->arena, sound, kept, length);
}

/* Tokens of the text as words or letters. *too_many: it has more kinds than `most`. */
static bool cut(struct learn_data *data, const char *text, size_t length, bool letters, size_t most,
                bool *too_many, struct error *error)
{
    size_t at = 0, start = 0, size = 0, room = 0;
    while (learn_next_word(text, length, letters, &at, &start, &size)) {
        room++;
    }
    *too_many = false;
    data->letters = letters;
    data->vocabulary = data->slot_count = data->stream_count = 0;
    data->stream = arena_array(&data->arena, room > 0 ? room : 1, sizeof *data->stream);
    if (data->stream == NULL) {
        return learn_no_memory(error);
    }
    at = 0;
    while (learn_next_word(text, length, letters, &at, &start, &size)) {
        size_t token = 0;
        if (size > LEARN_WORD_BYTES_MAX) {
            return error_set(
                error, ERROR_INPUT,
                "A word of this text has %zu bytes, more than %d: learn its letters instead.", size,
                LEARN_WORD_BYTES_MAX);
        }
        if (!learn_data_add_word(data, text + start, size, &token, error)) {
            return false;
        }
        if (data->vocabulary > most) {
            *too_many = true;
            return true;
        }
        data->stream[data->stream_count++] = (int32_t)token;
    }
    return true;
}

static bool choose_units(struct learn_data *data, const char *text, size_t length,
                         struct error *error)
{
    bool too_many = false;
    struct error reason = {ERROR_NONE, 0, ""};
    if (data->request.units == LEARN_UNITS_AUTO) {
        const bool cuts = cut(data, text, length, false, WORDS_MOST, &too_many, &reason);
        const bool words =
            cuts && !too_many && data->stream_count >= WORDS_OFTEN * data->vocabulary;
        data->request.units = words ? LEARN_WORDS : LEARN_LETTERS;
        if (words) {
            return true;
        }
    }
    const bool letters = data->request.units == LEARN_LETTERS;
    return cut(data, text, length, letters, LEARN_KINDS_MAX, &too_many, error) &&
           (!too_many ||
            error_set(error, ERROR_INPUT,
                      letters
                          ? "This text has more than %d kinds of letters: is it "
                            "a text?"
                          : "This text has more than %d kinds of words: learn its letters instead.",
                      LEARN_KINDS_MAX));
}

/* Where the rows for scores begin: spread over what is learned from. */
static bool take_score_rows(struct learn_data *data, struct error *error)
{
    const size_t n = data->request.context, most = 16;
    const size_t rows = data->train_count / n < most ? data->train_count / n : most;
    data->score_width = n;
    data->score_rows = rows;
    data->score_tokens = arena_array(&data->arena, rows * n + 1, sizeof *data->score_tokens);
    if (data->score_tokens == NULL) {
        return learn_no_memory(error);
    }
    for (size_t row = 0; row < rows; row++) {
        memcpy(data->score_tokens + row * n, data->stream + data->train_count / rows * row,
               n * sizeof *data->score_tokens);
    }
    return true;
}

/* The beginning of the text; spaces before its first word would show nothing. */
static bool take_probes(struct learn_data *data, struct error *error)
{
    const size_t length = data->letters ? PROBE_LETTERS : PROBE_TOKENS;
    const size_t most = length < data->request.context ? length : data->request.context;
    size_t from = 0;
    while (from + most < data->stream_count &&
           strchr(" \n\t", data->words[data->stream[from]][0]) != NULL) {
        from++;
    }
    data->probes = arena_array(&data->arena, 2, sizeof *data->probes);
    if (data->probes == NULL ||
        (data->probes[0] = learn_data_text(data, data->stream + from, most)) == NULL) {
        return learn_no_memory(error);
    }
    data->probe_count = 1;
    return true;
}

static bool prepare_text(struct learn_data *data, struct error *error)
{
    size_t length = 0;
    if (data->request.text.size > LEARN_TEXT_BYTES_MAX) {
        return error_set(
            error, ERROR_INPUT, "This text has %zu MB, more than %d: give a part of it.",
            (data->request.text.size + (1 << 20) - 1) >> 20, LEARN_TEXT_BYTES_MAX >> 20);
    }
    const char *const text = sound_text(data, &length);
    if (text == NULL) {
        return learn_no_memory(error);
    }
    if (data->left_out * TEXT_SHARE > data->request.text.size) {
        return error_set(error, ERROR_INPUT,
                         "This is no text in UTF-8: %zu of %zu bytes belong to no letter.",
                         data->left_out, data->request.text.size);
    }
    if (!choose_units(data, text, length, error)) {
        return false;
    }
    if (data->stream_count < 2 || data->vocabulary < 2) {
        return error_set(error, ERROR_INPUT,
                         data->letters
                             ? "There is nothing to learn from: the text has fewer than two "
                               "different letters."
                             : "There is nothing to learn from: the text has fewer than two "
                               "different words.");
    }
    if (data->request.context > data->stream_count - 1) {
        data->request.context = data->stream_count - 1;
    }
    const size_t n = data->request.context, rows = data->stream_count / (n + 1);
    data->train_count = data->stream_count;
    if (rows >= TEST_LEAST) {
        data->test_rows = rows / TEST_SHARE < TEST_ROWS ? rows / TEST_SHARE : TEST_ROWS;
        data->train_count -= data->stream_count / TEST_SHARE;
    }
    return take_score_rows(data, error) && take_probes(data, error);
}

static void text_row(const struct learn_data *data, struct random *random, int32_t *tokens,
                     int32_t *targets)
{
    const size_t n = data->request.context;
    const size_t start = learn_below(random, data->train_count - n);
    memcpy(tokens, data->stream + start, n * sizeof *tokens);
    memcpy(targets, data->stream + start + 1, n * sizeof *targets);
}

/* Rows one behind the other in the part that was kept back; the first has the number train_count.
 */
static void text_test_row(const struct learn_data *data, size_t row, int32_t *tokens,
                          int32_t *targets)
{
    const size_t n = data->request.context;
    const size_t start = data->train_count + (row - data->train_count) * (n + 1);
    memcpy(tokens, data->stream + start, n * sizeof *tokens);
    memcpy(targets, data->stream + start + 1, n * sizeof *targets);
}

size_t learn_data_left_out(const struct learn_data *data)
{
    return data->left_out;
}

const char *learn_data_sentence(const struct learn_data *data, size_t left_out, struct arena *arena)
{
    if (data->request.task != LEARN_TASK_TEXT) {
        return "";
    }
    char all[TEXT_NUMBER_MAX], kinds[TEXT_NUMBER_MAX], bytes[TEXT_NUMBER_MAX];
    text_count(all, data->stream_count);
    text_count(kinds, data->vocabulary);
    const char *const cut_into =
        data->letters
            ? arena_format(arena, "Learned letter by letter: %s letters of %s kinds.", all, kinds)
            : arena_format(arena, "Learned word by word: %s words of %s kinds.", all, kinds);
    const char *const test =
        data->test_rows > 0 ? tr(" A tenth at the end is kept back for the test.") : "";
    const char *const left = left_out > 0
                                 ? arena_format(arena, " Left out: %s bytes that are no text.",
                                                text_count(bytes, left_out))
                                 : "";
    return arena_format(arena, "%s%s%s", cut_into, test, left);
}

const struct learn_source learn_source_text = {
    .context = 64,
    .batch = 16,
    .context_least = 1,
    .context_most = LEARN_CONTEXT_MAX,
    .causal = true,
    .prepare = prepare_text,
    .row = text_row,
    .test_row = text_test_row,
    .mark = learn_mark_text,
};
