/* file/pasted.c — see pasted.h. Every dialect is cut into the same list of cells; what a cell
 * holds, which words are headings and whether rows are equally long is decided once, for all. */
#include "file/pasted.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "file/cell.h"

enum { CELL_BYTES_MAX = 64, SHOWN_BYTES = 24, CELLS_AT_FIRST = 256 };

/* A piece of the text that stands where a number is expected. */
struct cell {
    const char *at;
    size_t length;
    size_t row; /* from 0, without gaps */
    bool quoted;
};

struct cells {
    struct arena *arena;
    struct cell *cell;
    size_t count, capacity;
    size_t row, row_at; /* the row that is being filled, and its first cell */
    bool comma;         /* a comma in a number is its decimal sign */
    bool failed;        /* too many, or no memory */
};

struct reader {
    const char *at, *end;
    struct error *error;
};

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}

/* Fills the reader's error; false, always. */
static bool pasted_refuse(const struct reader *reader, const char *sentence)
{
    return error_set(reader->error, ERROR_INPUT, "%s", tr(sentence));
}

/* Removes the white space around it, and what only tells a typesetter that it is a formula. */
static void trim_formula(const char **at, size_t *length)
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

/* --- cells --- */

static void pasted_put(struct cells *cells, const char *at, size_t length, bool quoted)
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
        trim_formula(&at, &length);
    }
    cells->cell[cells->count++] = (struct cell){at, length, cells->row, quoted};
}

/* --- brackets: NumPy, JSON, PyTorch, MATLAB --- */

/* One more cell of the row; a row that holds nothing at all is none. */
static void pasted_end_row(struct cells *cells)
{
    bool empty = true;
    for (size_t i = cells->row_at; i < cells->count; i++) {
        empty = empty && cells->cell[i].length == 0 && !cells->cell[i].quoted;
    }
    cells->count = empty ? cells->row_at : cells->count;
    cells->row += !empty;
    cells->row_at = cells->count;
}

static void skip_line(struct reader *reader)
{
    const char *end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    reader->at = end != NULL ? end + 1 : reader->end;
}

static bool ends_in_bracket(char letter)
{
    return letter == '[' || letter == ']' || letter == ',' || letter == ';' || is_blank(letter);
}

static bool read_word_in_brackets(struct reader *reader, struct cells *cells)
{
    const char *begin = reader->at;
    while (reader->at < reader->end && !ends_in_bracket(*reader->at)) {
        reader->at++;
    }
    const size_t length = (size_t)(reader->at - begin);
    if (length == 3 && memcmp(begin, "...", 3) == 0) {
        return pasted_refuse(
            reader, "NumPy has left numbers out (…): print the whole array and copy that.");
    }
    pasted_put(cells, begin, length, false);
    return true;
}

/* Checks what stands behind the array: nothing, or the rest of the call. */
static bool check_rest(struct reader *reader)
{
    const char *word = reader->at;
    while (word < reader->end && is_blank(*word)) {
        word++;
    }
    return word == reader->end || (*word != 0 && strchr(",);#%'.T", *word) != NULL) ||
           pasted_refuse(reader, "There is more than one matrix in what was copied.");
}

static bool pasted_brackets(struct reader *reader, struct cells *cells)
{
    size_t depth = 0, deepest = 0;
    while (reader->at < reader->end) {
        const char letter = *reader->at;
        if (letter == '[') {
            depth++;
            deepest = depth > deepest ? depth : deepest;
            reader->at++;
        } else if (letter == ']') {
            pasted_end_row(cells);
            reader->at++;
            if (--depth == 0) {
                break;
            }
        } else if (letter == ';') {
            pasted_end_row(cells);
            reader->at++;
        } else if (letter == ',' || is_blank(letter)) {
            reader->at++;
        } else if (!read_word_in_brackets(reader, cells)) {
            return false;
        }
        if (depth > 2) {
            return pasted_refuse(reader,
                                 "That has more than two levels of brackets: copy one matrix.");
        }
    }
    return depth == 0 ? check_rest(reader)
                      : pasted_refuse(reader, "A bracket ] is missing at the end.");
}

/* Numbers follow the bracket: [CLS] is a word. */
static bool opens_numbers(const char *at, const char *end)
{
    static const char minus[] = "\u2212";
    while (at < end && (*at == '[' || is_blank(*at))) {
        at++;
    }
    const bool signs = at < end && *at != '\0' && strchr("+-.0123456789]", *at) != NULL;
    const size_t size = sizeof minus - 1;
    return signs || ((size_t)(end - at) >= size && memcmp(at, minus, size) == 0);
}

static const char *pasted_bracket(const struct reader *reader)
{
    struct reader line = *reader;
    while (line.at < line.end) {
        const char *begin = line.at;
        skip_line(&line);
        while (begin < line.at && is_blank(*begin)) {
            begin++;
        }
        if (begin < line.at && *begin != '#') {
            const char *bracket = memchr(begin, '[', (size_t)(line.at - begin));
            return bracket != NULL && opens_numbers(bracket, line.end) ? bracket : NULL;
        }
    }
    return NULL;
}

/* --- LaTeX --- */

static const char *find_text(const char *at, const char *end, const char *what)
{
    const size_t size = strlen(what);
    for (; (size_t)(end - at) >= size; at++) {
        at = memchr(at, what[0], (size_t)(end - at) - size + 1);
        if (at == NULL) {
            return NULL;
        }
        if (memcmp(at, what, size) == 0) {
            return at;
        }
    }
    return NULL;
}

static bool begins_with(const char *at, const char *end, const char *what)
{
    const size_t size = strlen(what);
    return (size_t)(end - at) >= size && memcmp(at, what, size) == 0;
}

/* Behind \begin{array}{ccc}, \begin{bmatrix*}[r]. */
static const char *skip_groups(const char *at, const char *end)
{
    while (at < end && (*at == '{' || *at == '[')) {
        const char *close = memchr(at, *at == '{' ? '}' : ']', (size_t)(end - at));
        if (close == NULL) {
            return end;
        }
        at = close + 1;
    }
    return at;
}

/* One step through the body of a matrix: cells end at &, rows at \\. */
static void read_latex_letter(struct reader *reader, struct cells *cells, const char **begin)
{
    const char *at = reader->at;
    if (*at == '&') {
        pasted_put(cells, *begin, (size_t)(at - *begin), false);
        *begin = reader->at = at + 1;
    } else if (begins_with(at, reader->end, "\\\\")) {
        pasted_put(cells, *begin, (size_t)(at - *begin), false);
        pasted_end_row(cells);
        *begin = reader->at = skip_groups(at + 2, reader->end);
    } else if (begins_with(at, reader->end, "\\hline")) {
        *begin = reader->at = at + strlen("\\hline");
    } else {
        reader->at++;
    }
}

/* The text with blanks in place of its comments. */
static bool blank_comments(struct reader *reader, struct arena *arena)
{
    const size_t length = (size_t)(reader->end - reader->at);
    char *text = arena_text(arena, reader->at, length);
    if (text == NULL) {
        return error_set(reader->error, ERROR_MEMORY, "There is not enough memory to paste that.");
    }
    bool comment = false;
    for (size_t i = 0; i < length; i++) {
        const bool escaped = i > 0 && text[i - 1] == '\\';
        comment = (comment || (text[i] == '%' && !escaped)) && text[i] != '\n';
        text[i] = comment ? ' ' : text[i];
    }
    reader->at = text;
    reader->end = text + length;
    return true;
}

static bool pasted_latex(struct reader *reader, struct cells *cells)
{
    if (!blank_comments(reader, cells->arena)) {
        return false;
    }
    const char *start = find_text(reader->at, reader->end, "\\begin{");
    if (start != NULL) {
        const char *stop = find_text(start, reader->end, "\\end{");
        if (stop == NULL) {
            return pasted_refuse(reader, "\\end is missing: the matrix was not copied whole.");
        }
        if (find_text(stop, reader->end, "\\begin{") != NULL ||
            find_text(start + 1, stop, "\\begin{") != NULL) {
            return pasted_refuse(reader, "There is more than one matrix in what was copied.");
        }
        reader->at = skip_groups(start + strlen("\\begin"), stop);
        reader->end = stop;
    }
    const char *begin = reader->at;
    while (reader->at < reader->end) {
        read_latex_letter(reader, cells, &begin);
    }
    pasted_put(cells, begin, (size_t)(reader->end - begin), false);
    pasted_end_row(cells);
    return true;
}

static bool pasted_is_latex(const struct reader *reader)
{
    return find_text(reader->at, reader->end, "\\begin{") != NULL ||
           (find_text(reader->at, reader->end, "\\\\") != NULL &&
            find_text(reader->at, reader->end, "&") != NULL);
}

/* --- tables --- */

/* Letters of the text that stand in no quotes and no comment, counted. */
struct signs {
    size_t tabs, semicolons, commas, points;
    size_t
        tight_commas; /* with a digit at both sides, and no three digits to the end behind them */
    size_t thousands; /* with exactly three digits behind them, and not a 0 alone before */
};

static bool is_digit_at(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static void count_comma(const struct reader *reader, const char *start, struct signs *signs)
{
    const char *at = reader->at, *first = at;
    signs->commas++;
    size_t digits = 0;
    while (is_digit_at(at + 1 + digits, reader->end)) {
        digits++;
    }
    while (first > start && is_digit_at(first - 1, at)) {
        first--;
    }
    signs->tight_commas += digits > 0;
    signs->thousands += digits == 3 && !(first < at && *first == '0');
}

static struct signs count_signs(struct reader reader)
{
    struct signs signs = {0};
    const char *const start = reader.at;
    bool quoted = false, line_begins = true;
    for (; reader.at < reader.end; reader.at++) {
        const char letter = *reader.at;
        if (line_begins && letter == '#') {
            skip_line(&reader);
            reader.at--;
            continue;
        }
        line_begins = letter == '\n';
        quoted = letter == '"' ? !quoted : quoted;
        signs.tabs += letter == '\t' && !quoted;
        signs.semicolons += letter == ';' && !quoted;
        signs.points += letter == '.' && !quoted;
        if (letter == ',' && !quoted) {
            count_comma(&reader, start, &signs);
        }
    }
    return signs;
}

/* A field in quotes (RFC 4180), with what may follow it up to the separator. */
static void read_quoted(struct reader *reader, struct cells *cells)
{
    const char *begin = ++reader->at;
    while (reader->at < reader->end) {
        const char *close = memchr(reader->at, '"', (size_t)(reader->end - reader->at));
        if (close == NULL) {
            reader->at = reader->end;
        } else if (close + 1 < reader->end && close[1] == '"') {
            reader->at = close + 2;
            continue;
        } else {
            pasted_put(cells, begin, (size_t)(close - begin), true);
            reader->at = close + 1;
        }
        return;
    }
}

static bool ends_field(const struct reader *reader, char separator)
{
    const char letter = *reader->at;
    return letter == '\n' || letter == separator || (separator == ' ' && is_blank(letter));
}

/* One field, and the separator behind it where another field follows. */
static void read_field(struct reader *reader, struct cells *cells, char separator)
{
    while (reader->at < reader->end && *reader->at != '\n' && is_blank(*reader->at) &&
           (*reader->at != separator || separator == ' ')) {
        reader->at++;
    }
    if (reader->at < reader->end && *reader->at == '"') {
        read_quoted(reader, cells);
    } else {
        const char *begin = reader->at;
        while (reader->at < reader->end && !ends_field(reader, separator)) {
            reader->at++;
        }
        pasted_put(cells, begin, (size_t)(reader->at - begin), false);
    }
    while (reader->at < reader->end && !ends_field(reader, separator)) {
        reader->at++;
    }
    while (separator == ' ' && reader->at < reader->end && *reader->at != '\n' &&
           is_blank(*reader->at)) {
        reader->at++;
    }
}

static void read_table(struct reader *reader, struct cells *cells, char separator)
{
    while (reader->at < reader->end) {
        if (*reader->at == '#') {
            skip_line(reader);
            continue;
        }
        read_field(reader, cells, separator);
        while (reader->at < reader->end && *reader->at != '\n') {
            reader->at += separator != ' ';
            read_field(reader, cells, separator);
        }
        pasted_end_row(cells);
        reader->at += reader->at < reader->end;
    }
}

/* Chooses what separates the numbers, and what a comma means. */
static bool choose_separator(const struct reader *reader, struct cells *cells, char *separator)
{
    const struct signs signs = count_signs(*reader);
    *separator = signs.tabs > 0 ? '\t' : signs.semicolons > 0 ? ';' : signs.commas > 0 ? ',' : ' ';
    if (*separator == ',' || signs.commas == 0) {
        return true;
    }
    if (signs.points > 0) {
        return pasted_refuse(reader,
                             "There are commas and points in the numbers: write them with a point, "
                             "and no comma.");
    }
    if (signs.thousands == signs.commas) {
        return pasted_refuse(reader,
                             "A comma before three digits may mean a point or thousands: write the "
                             "numbers with a point.");
    }
    cells->comma = signs.tight_commas > 0;
    return true;
}

/* Returns whether nothing but numbers stands between the commas; else blanks separate, and commas
 * are points. */
static bool commas_separate(const struct cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        const char *blank = memchr(cell->at, ' ', cell->length);
        if (!cell->quoted && blank != NULL && is_digit_at(blank - 1, blank) && blank > cell->at) {
            return false;
        }
    }
    return true;
}

/* Each cuts the text into cells (pasted_cut.c). False: a sentence. */
static bool pasted_table(struct reader *reader, struct cells *cells)
{
    char separator = ' ';
    if (!choose_separator(reader, cells, &separator)) {
        return false;
    }
    const struct reader start = *reader;
    const struct cells none = *cells;
    read_table(reader, cells, separator);
    if (separator == ',' && !cells->failed && !commas_separate(cells)) {
        const struct signs signs = count_signs(start);
        if (signs.points > 0 || signs.thousands == signs.commas) {
            return pasted_refuse(reader,
                                 "It cannot be told what the commas mean: write the numbers with a "
                                 "point and tabs between them.");
        }
        *reader = start;
        *cells = none;
        cells->comma = true;
        read_table(reader, cells, ' ');
    }
    return true;
}

/* --- numbers --- */

/* Reads {7} or one digit, as \frac is given either. NULL: neither stands there. */
static const char *read_frac_part(const char *at, bool comma, double *number)
{
    const bool braced = *at == '{';
    const char *const from = at + braced;
    const size_t length = braced ? strcspn(from, "}") : 1;
    char part[CELL_BYTES_MAX];
    if (from[0] == '\0' || (braced && from[length] != '}') || length >= sizeof part ||
        (!braced && !is_digit_at(from, from + 1))) {
        return NULL;
    }
    memcpy(part, from, length);
    part[length] = 0;
    return cell_read(part, comma, number) == CELL_NUMBER ? from + length + braced : NULL;
}

/* \frac{1}{2}, \tfrac12, -\dfrac{1}{4}. False: the text is none of these. */
static bool read_frac(const char *text, bool comma, double *number)
{
    static const char *const names[] = {"\\frac", "\\tfrac", "\\dfrac"};
    const double sign = *text == '-' ? -1 : 1;
    const char *at = text + (*text == '-' || *text == '+');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i]);
        double above = 0, below = 0;
        if (strncmp(at, names[i], length) != 0) {
            continue;
        }
        at = read_frac_part(at + length, comma, &above);
        at = at != NULL ? read_frac_part(at, comma, &below) : NULL;
        *number = sign * above / below;
        return at != NULL && *at == '\0' && below != 0;
    }
    return false;
}

static enum cell_kind kind_of(const struct cells *cells, const struct cell *cell, double *number)
{
    char text[CELL_BYTES_MAX];
    if (cell->length >= sizeof text) {
        return CELL_WORD;
    }
    memcpy(text, cell->at, cell->length);
    text[cell->length] = 0;
    const bool is_text = strlen(text) == cell->length;
    if (is_text && read_frac(text, cells->comma, number)) {
        return CELL_NUMBER;
    }
    const enum cell_kind kind = is_text ? cell_read(text, cells->comma, number) : CELL_WORD;
    return kind == CELL_NUMBER && !isfinite(*number) ? CELL_WORD : kind;
}

static bool is_number(const struct cells *cells, const struct cell *cell)
{
    double number = 0;
    return kind_of(cells, cell, &number) == CELL_NUMBER;
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

/* NaN where no number stands. */
static bool read_number(const struct reader *reader, const struct cells *cells,
                        const struct cell *cell, float *value)
{
    double number = 0;
    char shown[SHOWN_BYTES + 4];
    show_cell(shown, cell);
    if (kind_of(cells, cell, &number) == CELL_WORD) {
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
    double number = 0;
    const bool is_empty = cell->length == 0;
    return (cell->quoted && quotes_mean_words) || is_empty ||
           kind_of(cells, cell, &number) == CELL_WORD;
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

/* Returns whether the row has nothing in its first cell and counts its columns from 0 in the
 * others, as tables are written whose columns have no words. */
static bool counts_columns(const struct cells *cells, size_t length)
{
    bool counts = length > 1 && cells->cell[0].length == 0;
    for (size_t i = 1; counts && i < length; i++) {
        double number = -1;
        counts =
            kind_of(cells, &cells->cell[i], &number) == CELL_NUMBER && number == (double)(i - 1);
    }
    return counts;
}

/* How many cells at the start are a row of words. */
static size_t heading_row(const struct cells *cells, bool quotes_mean_words)
{
    const size_t length = cells->count > 0 ? row_length(cells, 0) : 0;
    if (length < cells->count && counts_columns(cells, length)) {
        return length;
    }
    for (size_t i = 0; i < length; i++) {
        if (!is_word(cells, &cells->cell[i], quotes_mean_words)) {
            return 0;
        }
    }
    return length < cells->count ? length : 0;
}

/* Returns whether every row from `first` on begins with a word, and has more than it; a column of
 * nothing is one of numbers that are missing. */
static bool heading_column(const struct cells *cells, size_t first, bool quotes_mean_words)
{
    bool any = first > 0; /* then it stands below the corner */
    for (size_t i = first; i < cells->count; i += row_length(cells, i)) {
        if (row_length(cells, i) < 2 || !is_word(cells, &cells->cell[i], quotes_mean_words)) {
            return false;
        }
        any = any || cells->cell[i].length > 0;
    }
    return any && first < cells->count;
}

/* How many cells at the end of every row hold nothing: a separator that a program leaves behind its
 * last column. */
static size_t empty_tail(const struct cells *cells, size_t first)
{
    size_t tail = SIZE_MAX;
    for (size_t at = first, length = 0; at < cells->count; at += length) {
        size_t own = 0;
        length = row_length(cells, at);
        while (own + 1 < length && cells->cell[at + length - own - 1].length == 0 &&
               !cells->cell[at + length - own - 1].quoted) {
            own++;
        }
        tail = own < tail ? own : tail;
    }
    return tail;
}

/* The cells become numbers, without headings where there may be any. */
static bool read_numbers(const struct reader *reader, const struct cells *cells,
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
    const size_t tail = empty_tail(cells, first);
    *out = (struct pasted){.values = values};
    for (size_t at = first, length = 0; at < cells->count; at += length) {
        length = row_length(cells, at);
        const size_t count = length - skip - (length > skip + tail ? tail : 0);
        out->cols = out->rows == 0 ? count : out->cols;
        if (count != out->cols) {
            return error_set(reader->error, ERROR_INPUT,
                             "Row %zu has %zu numbers, the first row has %zu.", out->rows + 1,
                             count, out->cols);
        }
        for (size_t column = 0; column < out->cols; column++) {
            if (!read_number(reader, cells, &cells->cell[at + skip + column], &values[taken++])) {
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
    return cut && read_numbers(&reader, &cells, !latex && bracket == NULL, out);
}
