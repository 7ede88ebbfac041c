/* file/pasted_cut.c — text as other programs write matrices, cut into cells. */
#include "file/pasted_parts.h"

#include <string.h>

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}

/* --- brackets: NumPy, JSON, PyTorch, MATLAB --- */

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

/* What stands behind the array: nothing, or the rest of the call. */
static bool check_rest(struct reader *reader)
{
    const char *word = reader->at;
    while (word < reader->end && is_blank(*word)) {
        word++;
    }
    return word == reader->end || (*word != 0 && strchr(",);#%'.T", *word) != NULL) ||
           pasted_refuse(reader, "There is more than one matrix in what was copied.");
}

bool pasted_brackets(struct reader *reader, struct cells *cells)
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

const char *pasted_bracket(const struct reader *reader)
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

static bool begins(const char *at, const char *end, const char *what)
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
    } else if (begins(at, reader->end, "\\\\")) {
        pasted_put(cells, *begin, (size_t)(at - *begin), false);
        pasted_end_row(cells);
        *begin = reader->at = skip_groups(at + 2, reader->end);
    } else if (begins(at, reader->end, "\\hline")) {
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

bool pasted_latex(struct reader *reader, struct cells *cells)
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

bool pasted_is_latex(const struct reader *reader)
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
    size_t thousands; /* with exactly three digits behind them */
};

static bool is_digit_at(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static void count_comma(const struct reader *reader, struct signs *signs)
{
    const char *at = reader->at;
    signs->commas++;
    size_t digits = 0;
    while (is_digit_at(at + 1 + digits, reader->end)) {
        digits++;
    }
    signs->tight_commas += digits > 0;
    signs->thousands += digits == 3;
}

static struct signs count_signs(struct reader reader)
{
    struct signs signs = {0};
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
            count_comma(&reader, &signs);
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

/* What separates the numbers, and what a comma means. */
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

/* Whether nothing but numbers stands between the commas; else blanks separate, and commas are
 * points. */
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

bool pasted_table(struct reader *reader, struct cells *cells)
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
