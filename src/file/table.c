/* file/table.c — see table.h. What separates the fields, and whether columns have names, is decided
 * by the first rows; then the table is walked through twice: to count and check, and to read. */
#include "file/table.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/checked.h"
#include "base/text.h"
#include "file/cell.h"

enum { FIELD_MAX = 512 }; /* bytes of a name or a number, with its 0 */

struct field {
    char text[FIELD_MAX];
    bool quoted;
};

/* The place at which the text is read. */
struct cursor {
    const char *at, *end;
    size_t line; /* from 1 */
    char separator;
};

static struct cursor cursor_of(struct bytes text, char separator)
{
    const char *const start = (const char *)text.at;
    return text.size == 0
               ? (struct cursor){"", "", 1, separator}
               : (struct cursor){start + lines_start(text), start + text.size, 1, separator};
}

/* ---- fields --------------------------------------------------------------------------------- */

static bool is_space(const struct cursor *cursor, char letter)
{
    return letter == ' ' || letter == '\r' || (letter == '\t' && cursor->separator != '\t');
}

static void skip_spaces(struct cursor *cursor)
{
    while (cursor->at < cursor->end && is_space(cursor, *cursor->at)) {
        cursor->at++;
    }
}

static bool ends_field(const struct cursor *cursor, const char *at)
{
    return at >= cursor->end || *at == '\n' || *at == cursor->separator ||
           (cursor->separator == ' ' && is_space(cursor, *at));
}

static void put_letter(struct field *field, size_t *length, char letter)
{
    if (*length + 1 < FIELD_MAX) {
        field->text[(*length)++] = letter;
    }
}

/* Reads what stands between quotes, where two of them are one; false, and nothing read, where they
 * do not close before the next separator: then the quote is a letter. */
static bool read_quoted(struct cursor *cursor, struct field *field, size_t *length)
{
    struct cursor next = *cursor;
    const size_t left = (size_t)(next.end - next.at);
    const char *const far = left > 2 * FIELD_MAX ? next.at + 2 * FIELD_MAX : next.end;
    bool closed = false;
    for (next.at++; !closed && next.at < far;) {
        const char letter = *next.at++;
        const bool twice = letter == '"' && next.at < far && *next.at == '"';
        closed = letter == '"' && !twice;
        next.at += twice;
        next.line += letter == '\n';
        if (!closed) {
            put_letter(field, length, letter);
        }
    }
    skip_spaces(&next);
    if (!closed || (next.separator != ' ' && !ends_field(&next, next.at))) {
        *length = 0;
        return false;
    }
    *cursor = next;
    return true;
}

/* The next field without white space around it; returns whether another one follows in its line,
 * and else stands at the beginning of the next line. */
static bool next_field(struct cursor *cursor, struct field *field)
{
    size_t length = 0;
    skip_spaces(cursor);
    field->quoted =
        cursor->at < cursor->end && *cursor->at == '"' && read_quoted(cursor, field, &length);
    for (; !field->quoted && !ends_field(cursor, cursor->at); cursor->at++) {
        put_letter(field, &length, *cursor->at == '\0' ? '?' : *cursor->at);
    }
    while (!field->quoted && length > 0 && is_space(cursor, field->text[length - 1])) {
        length--;
    }
    field->text[length] = '\0';
    if (cursor->separator == ' ') {
        skip_spaces(cursor);
        if (!ends_field(cursor, cursor->at)) {
            return true;
        }
    }
    const bool more = cursor->at < cursor->end && *cursor->at != '\n';
    if (cursor->at < cursor->end) {
        cursor->line += *cursor->at == '\n';
        cursor->at++;
    }
    return more;
}

/* Moves to the next line that holds more than white space; false: there is none. */
static bool next_row(struct cursor *cursor, bool comments)
{
    while (cursor->at < cursor->end) {
        struct cursor ahead = *cursor;
        skip_spaces(&ahead);
        const bool ends = ahead.at == ahead.end || *ahead.at == '\n';
        if (!ends && !(comments && *ahead.at == '#')) {
            return true;
        }
        const char *const end = memchr(ahead.at, '\n', (size_t)(ahead.end - ahead.at));
        cursor->at = end == NULL ? cursor->end : end + 1;
        cursor->line++;
    }
    return false;
}

static enum cell_kind kind_of(const struct field *field)
{
    double number = 0;
    return cell_read(field->text, true, &number);
}

static bool is_empty(const struct field *field)
{
    return field->text[0] == '\0' && !field->quoted;
}

/* ---- what the first rows say ---------------------------------------------------------------- */

/* The kinds of fields in a line that may hold names, or in the first fields of all rows. */
struct kinds {
    size_t words, numbers, fractions; /* fractions: numbers that are not whole */
    bool quoted;                      /* any of them */
};

static void count_kind(struct kinds *kinds, const struct field *field)
{
    double number = 0;
    const enum cell_kind kind = cell_read(field->text, true, &number);
    kinds->words += kind == CELL_WORD;
    kinds->numbers += kind == CELL_NUMBER;
    kinds->fractions += kind == CELL_NUMBER && number != trunc(number);
    kinds->quoted = kinds->quoted || field->quoted;
}

/* Says whether the few words among many numbers are wrong numbers, and no names: others are not
 * whole, or the table is square with this line. */
static bool are_mistakes(const struct kinds *kinds, bool is_square)
{
    return !kinds->quoted && kinds->words > 0 && kinds->words < kinds->numbers &&
           (kinds->fractions > 0 || is_square);
}

/* The line of names. */
struct head {
    size_t fields; /* without empty ones at its end */
    bool corner;   /* the first is empty: it stands above names of rows */
    bool words, whole;
    struct kinds kinds;
};

static struct head read_head(struct cursor *cursor)
{
    struct head head = {.whole = true};
    struct field field;
    bool more = true, gaps = false;
    for (size_t f = 0; more && f <= TABLE_COLS_MAX; f++) {
        double number = 0;
        more = next_field(cursor, &field);
        const enum cell_kind kind = cell_read(field.text, true, &number);
        count_kind(&head.kinds, &field);
        if (f == 0) {
            head.corner = field.text[0] == '\0';
        } else {
            head.words = head.words || kind == CELL_WORD;
            gaps = gaps || (kind == CELL_MISSING && is_empty(&field) && more);
            head.whole = head.whole && kind == CELL_NUMBER && number == trunc(number);
        }
        head.fields = is_empty(&field) && f > 0 ? head.fields : f + 1;
    }
    if (more) { /* a longer line is refused when it is read */
        const char *const end = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
        cursor->line += end != NULL;
        cursor->at = end == NULL ? cursor->end : end + 1;
    }
    head.whole = head.whole && !gaps;
    return head;
}

static size_t count_rows(struct cursor cursor)
{
    size_t rows = 0;
    while (next_row(&cursor, false)) {
        const char *const end = memchr(cursor.at, '\n', (size_t)(cursor.end - cursor.at));
        cursor.at = end == NULL ? cursor.end : end + 1;
        rows++;
    }
    return rows;
}

/* Words stand above columns; whole numbers do where nothing stands in the corner. The cursor is
 * behind the head. */
static bool has_names(const struct head *head, const struct cursor *cursor)
{
    const bool named = head->fields > 1 && (head->words || (head->corner && head->whole));
    return named && (head->corner || !head->words || head->kinds.words >= head->kinds.numbers ||
                     !are_mistakes(&head->kinds, count_rows(*cursor) + 1 == head->fields));
}

/* Returns whether the first rows hold numbers, behind a head if there are names. A comma in a row
 * by itself is no decimal sign. */
static bool rows_fit(struct bytes text, char separator, bool named, size_t rows_max)
{
    struct cursor cursor = cursor_of(text, separator);
    if (!next_row(&cursor, !named)) {
        return false;
    }
    struct cursor ahead = cursor;
    const struct head head = read_head(&ahead);
    cursor = named ? ahead : cursor;
    bool fits = named ? has_names(&head, &ahead) : !(head.corner && head.whole && head.fields > 1);
    size_t numbers = 0;
    for (size_t rows = 0; fits && (rows < rows_max || numbers == 0) && next_row(&cursor, !named);
         rows++) {
        struct field field;
        bool more = true;
        size_t fields = 0;
        for (; fits && more && fields <= TABLE_COLS_MAX; fields++) {
            more = next_field(&cursor, &field);
            const bool is_cut = cursor.at == cursor.end && cursor.end[-1] != '\n' && rows > 0;
            const enum cell_kind kind = kind_of(&field);
            fits = kind != CELL_WORD || (named && fields == 0) || is_cut;
            numbers += kind == CELL_NUMBER && !(named && fields == 0);
        }
        if (fields > TABLE_COLS_MAX) {
            return fits && numbers > 0; /* reading it refuses the row */
        }
        const bool is_one = fields == 1 && strchr(field.text, ',') == NULL;
        fits = fits && (fields > 1 || (separator == ' ' && is_one));
    }
    return fits && numbers > 0;
}

struct layout {
    char separator;
    bool named;
};

/* Names are not separated by spaces: such lines are vectors of words. A wrong number in the second
 * row is told when it is read. */
static bool choose_layout(struct bytes text, bool probes, struct layout *out)
{
    enum { ROWS = 8 };
    static const struct {
        const char *separators;
        bool named, reads;
        size_t rows;
    } tries[] = {{"\t;, ", false, true, ROWS},
                 {"\t;,", true, true, ROWS},
                 {"\t;,", true, true, 1},
                 {"\t;, ", false, false, 1}};
    for (size_t t = 0; t < sizeof tries / sizeof *tries; t++) {
        for (const char *s = tries[t].separators; *s != '\0' && (tries[t].reads || !probes); s++) {
            if (rows_fit(text, *s, tries[t].named, tries[t].rows)) {
                *out = (struct layout){*s, tries[t].named};
                return true;
            }
        }
    }
    return false;
}

bool table_probe(struct bytes text)
{
    struct layout layout;
    return text.size > 0 && memchr(text.at, '\0', text.size) == NULL &&
           choose_layout(text, true, &layout);
}

/* ---- reading -------------------------------------------------------------------------------- */

struct reading {
    struct bytes text;
    struct arena *arena;
    struct error *error;
    struct layout layout;
    bool rows_named, comma;
    size_t rows, cols;
    size_t used, blank; /* columns that hold anything; rows at the end that hold nothing */
    struct cell_marks marks;
    float *values;         /* NULL: they are counted */
    const char **row_name; /* NULL: likewise, or there are none */
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for the table.");
}

/* Rows have names where nothing stands above them, or any begins with a word that is no wrong
 * number. Leaves the cursor behind the head. */
static void measure_head(struct reading *reading, struct cursor *cursor)
{
    const struct head head = read_head(cursor);
    struct cursor rows = *cursor;
    struct kinds first = {0}, others = {0};
    size_t first_fields = 0, count = 0;
    for (; (count == 0 || !head.corner) && next_row(&rows, false); count++) {
        struct field field;
        bool more = next_field(&rows, &field);
        count_kind(&first, &field);
        first_fields += count == 0;
        while (more) {
            more = next_field(&rows, &field);
            count_kind(&others, &field);
            first_fields += count == 0;
        }
    }
    const bool is_shifted = first_fields > head.fields; /* R leaves the corner out */
    const bool are_names =
        first.words > 0 &&
        (is_shifted || !are_mistakes(&first, count == head.fields && others.fractions == 0));
    reading->rows_named = head.corner || are_names;
    reading->cols = head.fields - (reading->rows_named && (head.corner || !is_shifted));
}

/* A number of a row at its place; false: it is none. */
static bool read_cell(struct reading *reading, const struct field *field, size_t line,
                      size_t column, float *value)
{
    double number = 0;
    const enum cell_kind kind =
        cell_read(field->text, reading->comma || reading->values == NULL, &number);
    if (kind == CELL_WORD ||
        (kind == CELL_NUMBER && isfinite(number) && !text_fits_float(number))) {
        return error_set(reading->error, ERROR_INPUT,
                         "Line %zu, column %zu: \"%.60s\" is not a number.", line, column,
                         field->text);
    }
    if (kind == CELL_NUMBER && reading->values == NULL) {
        cell_count_marks(field->text, &reading->marks);
    }
    *value = (float)number;
    return true;
}

/* A row with more or fewer numbers than there are columns. */
static bool refuse_length(const struct reading *reading, size_t line, size_t count)
{
    if (!reading->layout.named) {
        return error_set(reading->error, ERROR_INPUT,
                         "Line %zu has %zu numbers, the first row has %zu.", line, count,
                         reading->cols);
    }
    return count < reading->cols
               ? error_set(reading->error, ERROR_INPUT,
                           "Line %zu has %zu numbers, %zu columns are named.", line, count,
                           reading->cols)
               : error_set(reading->error, ERROR_INPUT,
                           "Line %zu has more numbers than the %zu columns that are named.", line,
                           reading->cols);
}

static bool refuse_too_long(const struct reading *reading, size_t line)
{
    return error_set(reading->error, ERROR_INPUT,
                     "Line %zu has more than %d numbers, too many for a row.", line,
                     TABLE_COLS_MAX);
}

/* A row in the making. */
struct row {
    size_t count, extra; /* numbers in columns, and behind the last one */
    bool is_blank;
};

/* The numbers of one row up to the end of its line, counted, and put behind those of other rows
 * where there is room for them. */
static bool read_numbers(struct reading *reading, struct cursor *cursor, struct row *row)
{
    const size_t line = cursor->line, named = reading->rows_named;
    struct field field;
    for (bool more = true; more;) {
        float value = 0;
        more = next_field(cursor, &field);
        if (row->count + row->extra == TABLE_COLS_MAX) {
            return refuse_too_long(reading, line);
        }
        if (!read_cell(reading, &field, line, named + row->count + row->extra + 1, &value)) {
            return false;
        }
        row->is_blank = row->is_blank && is_empty(&field);
        if (row->count == reading->cols && reading->cols > 0) {
            row->extra += !is_empty(&field);
            continue;
        }
        if (reading->values != NULL) {
            reading->values[reading->rows * reading->cols + row->count] = value;
        }
        row->count++;
        reading->used = is_empty(&field) || row->count < reading->used ? reading->used : row->count;
        reading->cols += reading->cols == 0 && !more ? row->count : 0;
    }
    return true;
}

/* One row with its name. Separators behind the last column are no numbers, and nothing but them,
 * without a name, is no row. */
static bool read_row(struct reading *reading, struct cursor *cursor)
{
    const size_t line = cursor->line;
    struct field field = {.text = ""};
    struct row row = {.is_blank = true};
    const bool more = !reading->rows_named || next_field(cursor, &field);
    if (more && !read_numbers(reading, cursor, &row)) {
        return false;
    }
    if (row.is_blank && reading->rows_named && field.text[0] == '\0') {
        return true;
    }
    if (row.count != reading->cols || row.extra > 0) {
        return refuse_length(reading, line, row.count + row.extra);
    }
    if (reading->row_name != NULL) {
        reading->row_name[reading->rows] =
            arena_text(reading->arena, field.text, strlen(field.text));
    }
    reading->blank = row.is_blank ? reading->blank + 1 : 0;
    reading->rows++;
    return true;
}

/* All rows, behind the head if there is one. */
static bool read_rows(struct reading *reading)
{
    struct cursor cursor = cursor_of(reading->text, reading->layout.separator);
    const bool comments = !reading->layout.named;
    if (!comments && next_row(&cursor, false)) {
        (void)read_head(&cursor);
    }
    const size_t rows = reading->values == NULL ? SIZE_MAX : reading->rows;
    reading->rows = 0;
    while (reading->rows < rows && next_row(&cursor, comments)) {
        if (!read_row(reading, &cursor)) {
            return false;
        }
    }
    return true;
}

static bool read_col_names(const struct reading *reading, const char **name)
{
    struct cursor cursor = cursor_of(reading->text, reading->layout.separator);
    struct field field;
    (void)next_row(&cursor, false);
    const struct cursor start = cursor;
    struct cursor ahead = cursor;
    const size_t skipped = read_head(&ahead).fields - reading->cols;
    cursor = start;
    for (size_t f = 0; f < skipped + reading->cols; f++) {
        (void)next_field(&cursor, &field);
        if (f >= skipped) {
            name[f - skipped] = arena_text(reading->arena, field.text, strlen(field.text));
        }
    }
    return !reading->arena->lacking;
}

/* Columns and rows of nothing at the end, without names, are none; unless the table is square with
 * them. */
static void trim_empty_edges(struct reading *reading)
{
    while (!reading->layout.named && reading->cols > reading->used &&
           reading->cols != reading->rows) {
        reading->cols--;
    }
    while (!reading->rows_named && reading->blank > 0 && reading->rows != reading->cols) {
        reading->blank--;
        reading->rows--;
    }
}

/* Room for what was counted, and what stands there. */
static bool read_counted(struct reading *reading, struct table *out)
{
    size_t count = 0;
    const bool named = reading->layout.named;
    const size_t rows = reading->rows;
    float *const values = checked_multiply(rows, reading->cols, &count)
                              ? arena_array(reading->arena, count + 1, sizeof *values)
                              : NULL;
    reading->values = values;
    reading->row_name = reading->rows_named
                            ? arena_array(reading->arena, rows + 1, sizeof *reading->row_name)
                            : NULL;
    const char **const col_name =
        named ? arena_array(reading->arena, reading->cols + 1, sizeof *col_name) : NULL;
    if (values == NULL || reading->arena->lacking ||
        (named && !read_col_names(reading, col_name))) {
        return no_memory(reading->error);
    }
    if (!read_rows(reading) || reading->arena->lacking) {
        return reading->arena->lacking ? no_memory(reading->error) : false;
    }
    *out = (struct table){.rows = reading->rows,
                          .cols = reading->cols,
                          .values = values,
                          .row_name = reading->row_name,
                          .col_name = col_name};
    return true;
}

/* Says whether a line is of words alone: names of columns. */
static bool is_of_words(struct cursor cursor)
{
    struct field field;
    bool more = true, words = true;
    size_t fields = 0;
    for (; more && words; fields++) {
        more = next_field(&cursor, &field);
        words = kind_of(&field) == CELL_WORD || (fields == 0 && is_empty(&field));
    }
    return words && fields > 1;
}

/* Where no first rows hold numbers, what stands in the first line is told to be none, or in the
 * second one, where the first is of names. */
static struct layout find_mistake(struct bytes text)
{
    struct cursor cursor = cursor_of(text, ' ');
    struct layout layout = {' ', false};
    (void)next_row(&cursor, true);
    const char *const end = memchr(cursor.at, '\n', (size_t)(cursor.end - cursor.at));
    const size_t length = (size_t)((end == NULL ? cursor.end : end) - cursor.at);
    for (const char *s = ",;\t"; *s != '\0'; s++) {
        layout.separator = memchr(cursor.at, *s, length) != NULL ? *s : layout.separator;
    }
    cursor.separator = layout.separator;
    layout.named = layout.separator != ' ' && end != NULL && is_of_words(cursor);
    return layout;
}

static bool has_digit(struct bytes text)
{
    bool has = false;
    for (size_t i = 0; !has && i < text.size; i++) {
        has = text.at[i] >= '0' && text.at[i] <= '9';
    }
    return has;
}

bool table_read(struct bytes text, struct arena *arena, struct table *out, struct error *error)
{
    struct reading reading = {.text = text, .arena = arena, .error = error};
    if (!has_digit(text)) {
        return error_set(error, ERROR_INPUT, "There are no numbers in it.");
    }
    if (!choose_layout(text, false, &reading.layout)) {
        reading.layout = find_mistake(text);
    }
    if (reading.layout.named) {
        struct cursor cursor = cursor_of(text, reading.layout.separator);
        (void)next_row(&cursor, false);
        measure_head(&reading, &cursor);
    }
    if (!read_rows(&reading) || !cell_marks_decide(&reading.marks, &reading.comma, error)) {
        return false;
    }
    trim_empty_edges(&reading);
    return reading.rows > 0 ? read_counted(&reading, out)
                            : error_set(error, ERROR_INPUT, "There are no numbers in it.");
}
