/* learn/data_lines.c — own text whose lines are rows: each stands behind the word that lines end
 * with (". the bear eats cake ."), so that every step, or every epoch, asks each line once, in one
 * place. A line that is left out keeps its row and is not asked; so nothing else changes, and two
 * trainings differ by that line alone. */
#include <stdlib.h>
#include <string.h>

#include "base/translate.h"
#include "learn/data_internal.h"
#include "learn/learned.h"

enum { SCORE_ROWS = 16, PROBES = 8 };

/* ---- the lines of a text --------------------------------------------------------------------- */

/* Adds the tokens of a line as a row. An empty line is none. */
static void add_row(struct learn_data *data, const char *line, size_t length, size_t number)
{
    size_t at = 0, start = 0, size = 0;
    const size_t first = data->stream_count;
    while (learn_next_word(line, length, data->letters, &at, &start, &size)) {
        const size_t token = learn_data_find(data, line + start, size);
        data->stream[data->stream_count++] = (int32_t)token;
    }
    if (data->stream_count > first) {
        data->items[data->item_count] = first;
        data->line_numbers[data->item_count++] = (uint32_t)number;
        data->items[data->item_count] = data->stream_count;
    }
}

static bool find_rows(struct learn_data *data, struct error *error)
{
    const char *const text = (const char *)data->request.text.at;
    const size_t size = data->request.text.size;
    size_t lines = 1;
    for (size_t at = 0; at < size; at++) {
        lines += text[at] == '\n' ? 1 : 0;
    }
    if (lines > LEARN_LINES_MAX) {
        return error_set(error, ERROR_INPUT,
                         "This text has %zu lines, more than %d that can be rows: learn its "
                         "windows instead.",
                         lines, LEARN_LINES_MAX);
    }
    data->stream = arena_array(&data->arena, data->stream_count + 1, sizeof *data->stream);
    data->items = arena_array(&data->arena, lines + 1, sizeof *data->items);
    data->line_numbers = arena_array(&data->arena, lines, sizeof *data->line_numbers);
    if (data->stream == NULL || data->items == NULL || data->line_numbers == NULL) {
        return learn_no_memory(error);
    }
    data->stream_count = 0;
    for (size_t at = 0, number = 1; at < size; number++) {
        const char *const end = memchr(text + at, '\n', size - at);
        const size_t length = end == NULL ? size - at : (size_t)(end - text) - at;
        add_row(data, text + at, length, number);
        at += length + 1;
    }
    data->train_count = data->item_count;
    data->lines = data->request.text;
    return true;
}

static size_t row_length(const struct learn_data *data, size_t row)
{
    return data->items[row + 1] - data->items[row];
}

/* Finds what stands before each line: the line's end where letters are learned, else the word that
 * more than half of the lines end with; without such a word a line begins with its own first one,
 * which is then not asked. */
static bool find_start(struct learn_data *data, struct error *error)
{
    size_t *const ends = calloc(data->vocabulary, sizeof *ends);
    size_t most = 0;
    data->line_start = LEARN_NO_START;
    if (ends == NULL) {
        return learn_no_memory(error);
    }
    for (size_t row = 0; row < data->item_count; row++) {
        const int32_t last = data->stream[data->items[row + 1] - 1];
        if (++ends[last] > most) {
            most = ends[last];
            data->line_start = 2 * most > data->item_count ? last : LEARN_NO_START;
        }
    }
    free(ends);
    if (data->letters) {
        const size_t end = learn_data_find(data, "\n", 1);
        data->line_start = end == SIZE_MAX ? LEARN_NO_START : (int32_t)end;
    }
    return true;
}

/* Returns how many tokens of a row say something: the others fill it up. */
static size_t used_length(const struct learn_data *data, size_t row)
{
    const size_t length = row_length(data, row);
    return data->line_start == LEARN_NO_START ? length - 1 : length + (data->letters ? 1 : 0);
}

/* Sets the context to the longest row, or checks that the rows fit the one that was asked for. */
static bool fit_context(struct learn_data *data, struct error *error)
{
    size_t longest = 0;
    for (size_t row = 1; row < data->item_count; row++) {
        longest = used_length(data, row) > used_length(data, longest) ? row : longest;
    }
    const size_t length = data->item_count == 0 ? 0 : used_length(data, longest);
    if (length == 0) {
        return error_set(error, ERROR_INPUT,
                         data->letters ? "No line of this text has two letters: there is nothing "
                                         "to ask in its rows."
                                       : "No line of this text has two words with white space "
                                         "between them: learn its letters instead.");
    }
    if (length > data->request.context) {
        return error_set(error, ERROR_INPUT,
                         length > LEARN_CONTEXT_MAX
                             ? "Line %zu has %zu tokens, more than a row's %zu: make it shorter, "
                               "or learn windows."
                             : "Line %zu has %zu tokens, more than a row's %zu: choose a larger "
                               "context.",
                         (size_t)data->line_numbers[longest], length, data->request.context);
    }
    if (data->request.context == LEARN_CONTEXT_MAX) {
        data->request.context = length;
    }
    return true;
}

bool learn_data_is_left_out(const struct learn_data *data, size_t line)
{
    return record_list_has(&data->request.without, data->line_numbers[line]);
}

bool learn_data_check_left_out(const struct learn_data *data, struct error *error)
{
    const struct record_list *const without = &data->request.without;
    if (without->count > 0 && data->line_numbers == NULL) {
        return error_set(error, ERROR_INPUT,
                         "This is not learned from lines that can be left out.");
    }
    for (uint32_t n = 0; n < without->count; n++) {
        bool found = false;
        for (size_t row = 0; row < data->item_count && !found; row++) {
            found = data->line_numbers[row] == without->number[n];
        }
        if (!found) {
            return error_set(error, ERROR_INPUT,
                             "There is no line %zu to leave out: the text has %zu, the last is "
                             "line %zu, and empty ones do not count.",
                             (size_t)without->number[n], data->item_count,
                             (size_t)data->line_numbers[data->item_count - 1]);
        }
    }
    return without->count == 0 || without->count < data->item_count ||
           error_set(error, ERROR_INPUT, "With every line left out there is nothing to learn.");
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Writes a row without looking at what is left out. */
static void write_row(const struct learn_data *data, size_t row, int32_t *tokens, int32_t *targets)
{
    const size_t n = data->request.context, length = row_length(data, row);
    const size_t used = used_length(data, row);
    const int32_t *const line = data->stream + data->items[row];
    const int32_t start = data->line_start, fill = start == LEARN_NO_START ? line[0] : start;
    const size_t before = start == LEARN_NO_START ? 0 : 1;
    for (size_t i = 0; i < n; i++) {
        const size_t next = i + 1 - before; /* the place in the line of what is asked */
        tokens[i] = i < before || i - before >= length ? fill : line[i - before];
        targets[i] = i >= used ? LEARN_NOT_ASKED : next < length ? line[next] : start;
    }
}

static void ask_nothing(int32_t *targets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        targets[i] = LEARN_NOT_ASKED;
    }
}

/* Fills one row of a batch; a row behind the last line is empty. */
static void fill_row(const struct learn_data *data, size_t row, int32_t *tokens, int32_t *targets)
{
    const bool exists = row < data->item_count;
    write_row(data, exists ? row : 0, tokens, targets);
    if (!exists || learn_data_is_left_out(data, row)) {
        ask_nothing(targets, data->request.context);
    }
}

/* Returns the line at a place of an epoch's order, which is another one for each epoch. It is
 * computed by itself, by four rounds of a Feistel network over the smallest even number of bits,
 * again and again until the result is a line. */
static size_t shuffled_line(uint64_t seed, uint64_t epoch, size_t place, size_t count)
{
    unsigned half = 1;
    uint64_t at = place;
    while ((uint64_t)1 << 2 * half < count) {
        half++;
    }
    const uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = at >> half, right = at & mask;
        for (uint64_t round = 0; round < 4; round++) {
            const uint64_t key[] = {seed, epoch, round, right};
            const uint64_t next = left ^ (random_hash(key, sizeof key) >> 20 & mask);
            left = right;
            right = next;
        }
        at = left << half | right;
    } while (at >= count);
    return (size_t)at;
}

static void lines_batch(const struct learn_data *data, uint64_t step, int32_t *tokens,
                        int32_t *targets)
{
    const size_t n = data->request.context, batch = data->request.batch;
    const size_t count = data->item_count, steps = (count + batch - 1) / batch;
    const uint64_t epoch = step / steps, first = step % steps * batch;
    for (size_t b = 0; b < batch; b++) {
        const size_t place = (size_t)first + b;
        const size_t row = steps == 1 || place >= count
                               ? place
                               : shuffled_line(data->request.seed, epoch, place, count);
        fill_row(data, row, tokens + b * n, targets + b * n);
    }
}

/* ---- the texts that are looked at ------------------------------------------------------------ */

/* Returns the line of a row of the texts for scores, which are spread over all lines. */
static size_t score_line(const struct learn_data *data, size_t row)
{
    return row * data->item_count / data->score_rows;
}

static bool choose_texts(struct learn_data *data, struct error *error)
{
    const size_t n = data->request.context, count = data->item_count;
    data->score_rows = count < SCORE_ROWS ? count : SCORE_ROWS;
    data->score_width = n;
    data->score_tokens = arena_array(&data->arena, data->score_rows * n, sizeof(int32_t));
    data->probes = arena_array(&data->arena, PROBES + 1, sizeof *data->probes);
    int32_t *const targets = arena_array(&data->arena, n, sizeof *targets);
    int32_t *const tokens = arena_array(&data->arena, n, sizeof *tokens);
    if (data->score_tokens == NULL || data->probes == NULL || targets == NULL || tokens == NULL) {
        return learn_no_memory(error);
    }
    for (size_t row = 0; row < data->score_rows; row++) {
        write_row(data, score_line(data, row), data->score_tokens + row * n, targets);
    }
    for (size_t p = 0; p < PROBES && p < count; p++) {
        write_row(data, p, tokens, targets);
        const size_t used = used_length(data, p);
        data->probes[p] = learn_data_text(data, tokens, used > 0 ? used : 1);
        if (data->probes[p] == NULL) {
            return learn_no_memory(error);
        }
        data->probe_count = p + 1;
    }
    return true;
}

/* Marks cells of the line alone, not of what fills the row. */
static void lines_mark(struct learn_data *data, size_t row, const int32_t *tokens, size_t width)
{
    (void)width;
    learn_mark_text(data, row, tokens, used_length(data, score_line(data, row)));
}

static bool prepare_lines(struct learn_data *data, struct error *error)
{
    if (!learn_data_share_cut(data, error)) {
        return false;
    }
    if (data->request.text.size == 0) {
        return error_set(error, ERROR_INPUT,
                         "Rows of lines need a text of at most %d MB: learn its windows instead.",
                         LEARN_LEARNED_TEXT_MAX >> 20);
    }
    if (!find_rows(data, error) || !find_start(data, error) || !fit_context(data, error)) {
        return false;
    }
    if (data->request.batch == LEARN_BATCH_MAX && data->item_count < LEARN_BATCH_MAX) {
        data->request.batch = data->item_count;
    }
    return choose_texts(data, error);
}

const struct learn_source learn_source_lines = {
    .context = LEARN_CONTEXT_MAX,
    .batch = LEARN_BATCH_MAX,
    .context_min = 1,
    .context_max = LEARN_CONTEXT_MAX,
    .causal = true,
    .prepare = prepare_lines,
    .batch_of = lines_batch,
    .mark = lines_mark,
};

/* ---- lines by their number ------------------------------------------------------------------- */

size_t learn_data_lines(const struct learn_data *data)
{
    return data->line_numbers == NULL ? 0 : data->item_count;
}

size_t learn_data_line_number(const struct learn_data *data, size_t line)
{
    return data->line_numbers[line];
}

size_t learn_data_line(const struct learn_data *data, size_t line, int32_t *tokens,
                       int32_t *targets)
{
    const size_t used = used_length(data, line), n = data->request.context;
    write_row(data, line, tokens, targets);
    return used < n ? used : n;
}

size_t learn_data_line_times(const struct learn_data *data, size_t line)
{
    return data->line_times == NULL ? 1 : data->line_times[line];
}

struct bytes learn_data_all_lines(const struct learn_data *data)
{
    return data->lines;
}

const char *learn_data_line_text(const struct learn_data *data, size_t line, size_t *length)
{
    const char *const text = (const char *)data->lines.at;
    const size_t size = data->lines.size;
    size_t at = 0;
    for (size_t number = 1; number < data->line_numbers[line]; number++) {
        const char *const end = memchr(text + at, '\n', size - at);
        at = (size_t)(end - text) + 1;
    }
    const char *const end = memchr(text + at, '\n', size - at);
    *length = end == NULL ? size - at : (size_t)(end - text) - at;
    return text + at;
}

int32_t learn_data_line_start(const struct learn_data *data)
{
    return data->line_numbers == NULL ? LEARN_NO_START : data->line_start;
}

bool learn_data_encode_line(const struct learn_data *data, const char *text, size_t length,
                            struct arena *arena, const int32_t **tokens, size_t *count,
                            struct error *error)
{
    const int32_t start = learn_data_line_start(data);
    const int32_t *plain = NULL;
    if (!learn_data_encode(data, text, length, arena, &plain, count, error)) {
        return false;
    }
    *tokens = plain;
    if (start == LEARN_NO_START || (*count > 0 && plain[0] == start)) {
        return true;
    }
    int32_t *const whole = arena_array(arena, *count + 1, sizeof *whole);
    if (whole == NULL) {
        return learn_no_memory(error);
    }
    whole[0] = start;
    memcpy(whole + 1, plain, *count * sizeof *whole);
    *tokens = whole;
    ++*count;
    return true;
}
