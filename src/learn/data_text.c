/* learn/data_text.c — own text after it is cut: most of it is learned from, and its end is kept for
 * a test. */
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "learn/data_internal.h"

enum {
    TEST_SHARE = 10,    /* a tenth is kept for the test, */
    TEST_ROWS_MIN = 20, /* where it has at least so many rows */
    TEST_ROWS = 64,
    PROBE_TOKENS = 12,
    PROBE_LETTERS = 24,
};

/* Chooses where the rows for scores begin, spread over the text that is learned from. */
static bool choose_score_rows(struct learn_data *data, struct error *error)
{
    const size_t n = data->request.context, max = 16;
    const size_t rows = data->train_count / n < max ? data->train_count / n : max;
    data->score_width = n;
    data->score_rows = rows;
    data->score_tokens = arena_array(&data->arena, rows * n + 1, sizeof *data->score_tokens);
    if (data->score_tokens == NULL) {
        return learn_no_memory(error);
    }
    for (size_t row = 0; row < rows; row++) {
        learn_pages_read(data, data->train_count / rows * row, n, data->score_tokens + row * n);
    }
    return true;
}

/* Shows the beginning of the text, without spaces before its first word. */
static bool choose_probes(struct learn_data *data, struct error *error)
{
    const size_t length = data->letters ? PROBE_LETTERS : PROBE_TOKENS;
    const size_t max = length < data->request.context ? length : data->request.context;
    int32_t token[PROBE_LETTERS];
    size_t from = 0;
    learn_pages_read(data, 0, 1, token);
    while (from + max < data->stream_count && strchr(" \n\t", data->words[token[0]][0]) != NULL) {
        learn_pages_read(data, ++from, 1, token);
    }
    learn_pages_read(data, from, max, token);
    data->probes = arena_array(&data->arena, 2, sizeof *data->probes);
    if (data->probes == NULL || (data->probes[0] = learn_data_text(data, token, max)) == NULL) {
        return learn_no_memory(error);
    }
    data->probe_count = 1;
    return true;
}

bool learn_data_share_cut(struct learn_data *data, struct error *error)
{
    const struct learn_data *const given = data->request.cut;
    data->shares = given != NULL
                       ? learn_data_keep(given)
                       : learn_data_cut(data->request.text, data->request.units, NULL, NULL, error);
    const struct learn_data *const cut = data->shares;
    if (cut == NULL) {
        return false;
    }
    data->request.cut = cut;
    data->request.text = cut->request.text;
    data->request.units = cut->request.units;
    data->words = cut->words;
    data->vocabulary = cut->vocabulary;
    data->slots = cut->slots;
    data->slot_count = cut->slot_count;
    data->letters = cut->letters;
    data->pages = cut->pages;
    data->stream_count = cut->stream_count;
    data->left_out = cut->left_out;
    return true;
}

static bool prepare_text(struct learn_data *data, struct error *error)
{
    if (!learn_data_share_cut(data, error)) {
        return false;
    }
    if (data->request.context > data->stream_count - 1) {
        data->request.context = data->stream_count - 1;
    }
    const size_t n = data->request.context, rows = data->stream_count / (n + 1);
    data->train_count = data->stream_count;
    if (rows >= TEST_ROWS_MIN) {
        data->test_rows = rows / TEST_SHARE < TEST_ROWS ? rows / TEST_SHARE : TEST_ROWS;
        data->train_count -= data->stream_count / TEST_SHARE;
    }
    return choose_score_rows(data, error) && choose_probes(data, error);
}

static void text_row(const struct learn_data *data, struct random *random, int32_t *tokens,
                     int32_t *targets)
{
    const size_t n = data->request.context;
    const size_t start = learn_below(random, data->train_count - n);
    learn_pages_read(data, start, n, tokens);
    learn_pages_read(data, start + 1, n, targets);
}

/* Copies a row of the part that was kept for the test; the first begins at train_count. */
static void text_test_row(const struct learn_data *data, size_t row, int32_t *tokens,
                          int32_t *targets)
{
    const size_t n = data->request.context;
    const size_t start = data->train_count + (row - data->train_count) * (n + 1);
    learn_pages_read(data, start, n, tokens);
    learn_pages_read(data, start + 1, n, targets);
}

const char *learn_data_sentence(const struct learn_data *data, struct arena *arena)
{
    if (data->request.task != LEARN_TASK_TEXT) {
        return "";
    }
    char all[TEXT_NUMBER_MAX], kinds[TEXT_NUMBER_MAX], bytes[TEXT_NUMBER_MAX];
    char lines[TEXT_NUMBER_MAX];
    text_count(all, data->stream_count);
    text_count(kinds, data->vocabulary);
    const char *const cut_into =
        data->letters
            ? arena_format(arena, "Learned letter by letter: %s letters of %s kinds.", all, kinds)
            : arena_format(arena, "Learned word by word: %s words of %s kinds.", all, kinds);
    const char *const test =
        data->test_rows > 0 ? tr(" A tenth at the end is kept back for the test.") : "";
    const char *const rows = data->line_numbers != NULL
                                 ? arena_format(arena, " Each of %s lines is a row.",
                                                text_count(lines, data->item_count))
                                 : "";
    const char *const left = data->left_out > 0
                                 ? arena_format(arena, " Left out: %s bytes that are no text.",
                                                text_count(bytes, data->left_out))
                                 : "";
    return arena_format(arena, "%s%s%s%s", cut_into, rows, test, left);
}

const struct learn_source learn_source_text = {
    .context = 64,
    .batch = 16,
    .context_min = 1,
    .context_max = LEARN_CONTEXT_MAX,
    .causal = true,
    .prepare = prepare_text,
    .row = text_row,
    .test_row = text_test_row,
    .mark = learn_mark_text,
};
