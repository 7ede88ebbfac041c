/* A table of numbers with names: see labelled.h. */
#include "file/labelled.h"

#include <string.h>

#include "base/checked.h"
#include "base/text.h"

enum { FIELD_MAX = 512 }; /* bytes of a name or a number, with its 0 */

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for the table.");
}

/* One line, read field by field. */
struct fields {
    struct line line;
    char separator;
    size_t at; /* behind the line's end: there is none left */
};

static struct fields fields_of(const struct line *line, char separator)
{
    return (struct fields){*line, separator, 0};
}

/* The first of the separators that stands in the line outside of quotes; 0: none does. */
static char separator_of(const struct line *line)
{
    for (const char *choice = ",;\t"; *choice != '\0'; choice++) {
        bool quoted = false;
        for (size_t at = 0; at < line->length; at++) {
            quoted = quoted != (line->at[at] == '"');
            if (!quoted && line->at[at] == *choice) {
                return *choice;
            }
        }
    }
    return '\0';
}

/* What stands between quotes, where two of them are one; *at is behind the last one. */
static size_t unquote(const struct line *line, size_t *at, char field[FIELD_MAX])
{
    size_t length = 0;
    for (++*at; *at < line->length; ++*at) {
        if (line->at[*at] == '"' && (++*at == line->length || line->at[*at] != '"')) {
            break;
        }
        if (length + 1 < FIELD_MAX) {
            field[length++] = line->at[*at];
        }
    }
    return length;
}

/* The next field without white space around it; false: there is none left. */
static bool next_field(struct fields *fields, char field[FIELD_MAX])
{
    const struct line *const line = &fields->line;
    size_t length = 0;
    if (fields->at > line->length) {
        return false;
    }
    while (fields->at < line->length && line->at[fields->at] == ' ') {
        fields->at++;
    }
    if (fields->at < line->length && line->at[fields->at] == '"') {
        length = unquote(line, &fields->at, field);
    }
    for (; fields->at < line->length && line->at[fields->at] != fields->separator; fields->at++) {
        if (length + 1 < FIELD_MAX) {
            field[length++] = line->at[fields->at];
        }
    }
    while (length > 0 && field[length - 1] == ' ') {
        length--;
    }
    field[length] = '\0';
    fields->at++;
    return true;
}

/* The first line and the one behind it; false: there are no two. */
static bool first_lines(struct bytes text, size_t *at, struct line *head, struct line *row)
{
    *at = lines_start(text);
    *head = (struct line){0};
    if (!lines_next(text, at, head) || head->at[0] == '#') {
        return false;
    }
    *row = *head;
    const size_t behind = *at;
    const bool is_there = lines_next(text, at, row);
    *at = behind;
    return is_there;
}

/* The first field of the head is empty over names of rows, and any other is no number. */
static bool has_names(const struct line *head, char separator)
{
    struct fields fields = fields_of(head, separator);
    char field[FIELD_MAX];
    double value = 0;
    bool first = true, names = false;
    for (; next_field(&fields, field) && !names; first = false) {
        names = first ? field[0] == '\0' : !text_to_double(field, &value);
    }
    return names;
}

bool labelled_probe(struct bytes text)
{
    struct line head, row;
    char field[FIELD_MAX];
    size_t at = 0;
    double value = 0;
    if (!first_lines(text, &at, &head, &row) || memchr(head.at, '\0', head.length) != NULL) {
        return false;
    }
    const char separator = separator_of(&head);
    struct fields fields = fields_of(&row, separator);
    return separator != '\0' && has_names(&head, separator) && next_field(&fields, field) &&
           next_field(&fields, field) && text_to_double(field, &value);
}

/* Counts the fields of a line. */
static size_t count_fields(const struct line *line, char separator)
{
    struct fields fields = fields_of(line, separator);
    char field[FIELD_MAX];
    size_t count = 0;
    while (next_field(&fields, field)) {
        count++;
    }
    return count;
}

/* The numbers of one line, and its name before them where `named`. */
static bool read_row(const struct line *line, char separator, size_t cols, float *values,
                     const char **name, struct arena *arena, struct error *error)
{
    struct fields fields = fields_of(line, separator);
    char field[FIELD_MAX] = "";
    if (name != NULL && next_field(&fields, field)) {
        *name = arena_text(arena, field, strlen(field));
    }
    for (size_t c = 0; c < cols; c++) {
        double value = 0;
        if (!next_field(&fields, field)) {
            return error_set(error, ERROR_INPUT, "Line %zu has %zu numbers, %zu columns are named.",
                             line->number, c, cols);
        }
        if (!text_to_double(field, &value) || !text_fits_float(value)) {
            return error_set(error, ERROR_INPUT, "Line %zu, column %zu: \"%s\" is not a number.",
                             line->number, c + 1 + (name != NULL), field);
        }
        values[c] = (float)value;
    }
    return !next_field(&fields, field) ||
           error_set(error, ERROR_INPUT,
                     "Line %zu has more numbers than the %zu columns that are "
                     "named.",
                     line->number, cols);
}

/* All lines behind the first. */
static bool read_rows(struct bytes text, size_t at, struct line head, char separator,
                      const char **row_name, struct arena *arena, struct labelled *out,
                      struct error *error)
{
    size_t count = 0;
    float *const values = checked_multiply(out->rows, out->cols, &count)
                              ? arena_array(arena, count, sizeof *values)
                              : NULL;
    if (values == NULL) {
        return no_memory(error);
    }
    struct line line = head;
    for (size_t row = 0; row < out->rows && lines_next(text, &at, &line); row++) {
        if (!read_row(&line, separator, out->cols, values + row * out->cols,
                      row_name == NULL ? NULL : &row_name[row], arena, error)) {
            return false;
        }
    }
    out->values = values;
    return true;
}

bool labelled_read(struct bytes text, struct arena *arena, struct labelled *out,
                   struct error *error)
{
    struct line head, row;
    char field[FIELD_MAX];
    double value = 0;
    size_t at = 0;
    if (!first_lines(text, &at, &head, &row)) {
        return error_set(error, ERROR_INPUT, "There are no numbers in it.");
    }
    const char separator = separator_of(&head);
    struct fields first = fields_of(&row, separator), names = fields_of(&head, separator);
    const bool is_empty = next_field(&names, field) && field[0] == '\0';
    const bool rows_named =
        is_empty || (next_field(&first, field) && !text_to_double(field, &value));
    const size_t fields = count_fields(&head, separator);
    *out = (struct labelled){.cols = fields - (rows_named && fields > 0)};
    struct line line = head;
    for (size_t rest = at; lines_next(text, &rest, &line);) {
        out->rows++;
    }
    const char **const row_name =
        rows_named ? arena_array(arena, out->rows, sizeof *row_name) : NULL;
    const char **const col_name = arena_array(arena, out->cols + 1, sizeof *col_name);
    if ((rows_named && row_name == NULL) || col_name == NULL) {
        return no_memory(error);
    }
    names = fields_of(&head, separator);
    for (size_t c = 0; c < fields && next_field(&names, field); c++) {
        if (!rows_named || c > 0) {
            col_name[c - rows_named] = arena_text(arena, field, strlen(field));
        }
    }
    out->row_name = row_name;
    out->col_name = col_name;
    return read_rows(text, at, head, separator, row_name, arena, out, error) &&
           (!arena->lacking || no_memory(error));
}
