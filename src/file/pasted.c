/* file/pasted.c — see pasted.h. Every dialect is cut into the same list of cells; what a cell
 * holds, which words are headings and whether rows are equally long is decided once, for all. */
#include "file/pasted_parts.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "file/lines.h"

enum { CELL_BYTES_MAX = 64, SHOWN_BYTES = 24, CELLS_AT_FIRST = 256 };

bool pasted_refuse(const struct reader *reader, const char *sentence)
{
    return error_set(reader->error, ERROR_INPUT, "%s", tr(sentence));
}

/* --- cells --- */

/* Without the white space around it, and without what only tells a typesetter that it is a formula.
 */
static void trim(const char **at, size_t *length)
{
    static const char *const blanks[] = {" ", "\t", "\r", "\n", "\u00a0", "\u202f", "$"};
    bool again = true;
    while (again) {
        again = false;
        for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
            const size_t size = strlen(blanks[i]);
            if (*length >= size && memcmp(*at, blanks[i], size) == 0) {
                *at += size;
                *length -= size;
                again = true;
            }
            if (*length >= size && memcmp(*at + *length - size, blanks[i], size) == 0) {
                *length -= size;
                again = true;
            }
        }
    }
}

void pasted_put(struct cells *cells, const char *at, size_t length, bool quoted)
{
    if (cells->failed || cells->count >= PASTED_NUMBERS_MAX) {
        cells->failed = true;
        return;
    }
    if (cells->count == cells->capacity) {
        const size_t more = cells->capacity > 0 ? 2 * cells->capacity : CELLS_AT_FIRST;
        struct cell *grown = arena_array(cells->arena, more, sizeof *grown);
        if (grown == NULL) {
            cells->failed = true;
            return;
        }
        if (cells->count > 0) {
            memcpy(grown, cells->cell, cells->count * sizeof *grown);
        }
        cells->cell = grown;
        cells->capacity = more;
    }
    if (!quoted) {
        trim(&at, &length);
    }
    cells->cell[cells->count++] = (struct cell){at, length, cells->row, quoted};
}

void pasted_end_row(struct cells *cells)
{
    bool empty = true;
    for (size_t i = cells->row_at; i < cells->count; i++) {
        empty = empty && cells->cell[i].length == 0 && !cells->cell[i].quoted;
    }
    cells->count = empty ? cells->row_at : cells->count;
    cells->row += !empty;
    cells->row_at = cells->count;
}

/* --- numbers --- */

static bool number_of(const struct cells *cells, const struct cell *cell, double *number)
{
    char text[CELL_BYTES_MAX];
    if (cell->length == 0 || cell->length >= sizeof text) {
        return false;
    }
    memcpy(text, cell->at, cell->length);
    text[cell->length] = 0;
    if (strlen(text) != cell->length) {
        return false;
    }
    char *comma = cells->comma ? strchr(text, ',') : NULL;
    if (comma != NULL) {
        *comma = '.';
    }
    return text_to_double(text, number);
}

static bool is_number(const struct cells *cells, const struct cell *cell)
{
    double number = 0;
    return number_of(cells, cell, &number);
}

/* "1.5e99", cut where it is long, for a sentence. */
static void show_cell(char out[SHOWN_BYTES + 4], const struct cell *cell)
{
    const size_t length = cell->length < SHOWN_BYTES ? cell->length : SHOWN_BYTES;
    memcpy(out, cell->at, length);
    size_t end = length;
    while (length < cell->length && end > 0 && ((unsigned char)cell->at[end] & 0xC0) == 0x80) {
        end--;
    }
    out[end] = 0;
    for (size_t i = 0; i < end; i++) {
        out[i] = (unsigned char)out[i] < ' ' ? ' ' : out[i];
    }
    if (end < cell->length) {
        memcpy(out + end, "…", sizeof "…");
    }
}

static bool read_number(const struct reader *reader, const struct cells *cells,
                        const struct cell *cell, size_t column, float *value)
{
    double number = 0;
    char shown[SHOWN_BYTES + 4];
    show_cell(shown, cell);
    if (cell->length == 0) {
        return error_set(reader->error, ERROR_INPUT, "Row %zu has no number in column %zu.",
                         cell->row + 1, column + 1);
    }
    if (!number_of(cells, cell, &number)) {
        const bool fraction = memchr(cell->at, '/', cell->length) != NULL;
        return error_set(reader->error, ERROR_INPUT,
                         fraction ? "“%s” is a fraction: write it with a point, as 0.5."
                                  : "“%s” is not a number.",
                         shown);
    }
    if (fabs(number) > (double)FLT_MAX) {
        return error_set(reader->error, ERROR_INPUT, "“%s” is too large to compute with.", shown);
    }
    *value = (float)number;
    return true;
}

/* --- headings --- */

/* Words above columns and beside rows are no numbers; a word in quotes is a word even when it looks
 * like a number, unless all are quoted. */
static bool is_word(const struct cells *cells, const struct cell *cell, bool quotes_mean_words)
{
    return (cell->quoted && quotes_mean_words) || !is_number(cells, cell);
}

static size_t row_length(const struct cells *cells, size_t first)
{
    size_t length = 1;
    while (first + length < cells->count &&
           cells->cell[first + length].row == cells->cell[first].row) {
        length++;
    }
    return length;
}

static bool has_number(const struct cells *cells, bool in_quotes)
{
    for (size_t i = 0; i < cells->count; i++) {
        if ((in_quotes || !cells->cell[i].quoted) && is_number(cells, &cells->cell[i])) {
            return true;
        }
    }
    return false;
}

/* How many cells at the start are a row of words. */
static size_t heading_row(const struct cells *cells, bool quotes_mean_words)
{
    const size_t length = cells->count > 0 ? row_length(cells, 0) : 0;
    for (size_t i = 0; i < length; i++) {
        if (!is_word(cells, &cells->cell[i], quotes_mean_words)) {
            return 0;
        }
    }
    return length < cells->count ? length : 0;
}

/* Whether every row from `first` on begins with a word, and has more than it. */
static bool heading_column(const struct cells *cells, size_t first, bool quotes_mean_words)
{
    for (size_t i = first; i < cells->count; i += row_length(cells, i)) {
        if (row_length(cells, i) < 2 || !is_word(cells, &cells->cell[i], quotes_mean_words)) {
            return false;
        }
    }
    return first < cells->count;
}

/* The cells become numbers, without headings where there may be any. */
static bool take_numbers(const struct reader *reader, const struct cells *cells,
                         bool may_have_words, struct pasted *out)
{
    const bool quotes_mean_words = has_number(cells, false);
    const size_t first = may_have_words ? heading_row(cells, quotes_mean_words) : 0;
    const size_t skip = may_have_words && heading_column(cells, first, quotes_mean_words) ? 1 : 0;
    float *values = arena_array(cells->arena, cells->count + 1, sizeof *values);
    if (cells->arena->lacking) {
        return error_set(reader->error, ERROR_MEMORY, "There is not enough memory to paste that.");
    }
    if (cells->failed) {
        return pasted_refuse(reader, "That is more than can be pasted at once.");
    }
    if (may_have_words && !has_number(cells, true)) {
        return pasted_refuse(reader, "There are no numbers in what was copied.");
    }
    size_t taken = 0;
    *out = (struct pasted){.values = values};
    for (size_t at = first, length = 0; at < cells->count; at += length) {
        length = row_length(cells, at);
        out->cols = out->rows == 0 ? length - skip : out->cols;
        if (length - skip != out->cols) {
            return error_set(reader->error, ERROR_INPUT,
                             "Row %zu has %zu numbers, the first row has %zu.", out->rows + 1,
                             length - skip, out->cols);
        }
        for (size_t column = 0; column < out->cols; column++) {
            if (!read_number(reader, cells, &cells->cell[at + skip + column], column,
                             &values[taken++])) {
                return false;
            }
        }
        out->rows++;
    }
    return taken > 0 || pasted_refuse(reader, "There are no numbers in what was copied.");
}

bool pasted_read(struct bytes text, struct arena *arena, struct pasted *out, struct error *error)
{
    const char *start = (const char *)text.at;
    struct reader reader = {start, start + text.size, error};
    struct cells cells = {.arena = arena};
    *out = (struct pasted){0};
    if (text.size > PASTED_BYTES_MAX) {
        return pasted_refuse(&reader, "That is more than can be pasted at once.");
    }
    if (text.size == 0) {
        return pasted_refuse(&reader, "There is nothing to paste.");
    }
    reader.at += lines_start(text);
    const char *bracket = pasted_bracket(&reader);
    const bool latex = pasted_is_latex(&reader);
    bool cut = false;
    if (latex) {
        cut = pasted_latex(&reader, &cells);
    } else if (bracket != NULL) {
        reader.at = bracket;
        cut = pasted_brackets(&reader, &cells);
    } else {
        cut = pasted_table(&reader, &cells);
    }
    return cut && take_numbers(&reader, &cells, !latex && bracket == NULL, out);
}
