/* file/csv.c — see csv.h. Quoting: RFC 4180. */
#include "file/csv.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/checked.h"
#include "base/text.h"

enum { NUMBER_MAX = 64 }; /* letters of one number in a table that is read */

static void put_number(struct growing *out, double value)
{
    char text[TEXT_NUMBER_MAX];
    if (isnan(value)) {
        growing_put_text(out, "nan");
    } else if (isinf(value)) {
        growing_put_text(out, value < 0 ? "-inf" : "inf");
    } else {
        growing_put_text(out, text_number_exact(text, (float)value));
    }
}

void csv_put_head(struct growing *out, const struct array *array)
{
    const char *shape = array_shape_text(array, "x", out->arena);
    if (shape == NULL) {
        out->failed = true;
        return;
    }
    growing_put_text(out, "# ");
    growing_put_text(out, array->name);
    growing_put_byte(out, ' ');
    growing_put_text(out, shape);
    growing_put_byte(out, '\n');
}

void csv_put_row(struct growing *out, const struct array *array, size_t first, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        put_number(out, array_number(array, first + i));
        growing_put_byte(out, i + 1 < columns ? ',' : '\n');
    }
}

void csv_put_rows(struct growing *out, const struct array *array)
{
    const size_t columns = array->rank == 0 ? 1 : array->shape[array->rank - 1];
    const size_t count = array_count(array);
    for (size_t i = 0; i < count; i += columns) {
        csv_put_row(out, array, i, columns);
    }
}

void csv_put_array(struct growing *out, const struct array *array)
{
    csv_put_head(out, array);
    csv_put_rows(out, array);
    growing_put_byte(out, '\n');
}

static void put_word(struct growing *out, const char *word)
{
    bool plain = word[0] != '\0' && word[0] != '#' && strpbrk(word, ",\";\t\r\n ") == NULL;
    if (plain) {
        growing_put_text(out, word);
        return;
    }
    growing_put_byte(out, '"');
    for (; *word != '\0'; word++) {
        if (*word == '"') {
            growing_put_byte(out, '"');
        }
        growing_put_byte(out, *word);
    }
    growing_put_byte(out, '"');
}

void csv_put_words(struct growing *out, const char *name, const char *const *words, size_t count)
{
    const char *head = arena_format(out->arena, "# %s %zu\n", name, count);
    if (head == NULL) {
        out->failed = true;
        return;
    }
    growing_put_text(out, head);
    for (size_t i = 0; i < count; i++) {
        put_word(out, words[i]);
        growing_put_byte(out, i + 1 < count ? ',' : '\n');
    }
    growing_put_byte(out, '\n');
}

bool csv_write(const struct array *arrays, size_t count, struct arena *arena, struct bytes *out,
               struct error *error)
{
    struct growing text = growing_start(arena);
    for (size_t i = 0; i < count; i++) {
        csv_put_array(&text, &arrays[i]);
    }
    return growing_finish(&text, out, error);
}

/* The next line of numbers, without the white space around it; false at the end. */
static bool next_row(struct bytes text, size_t *at, struct line *line)
{
    while (lines_next(text, at, line)) {
        while (*line->at == ' ' || *line->at == '\t') {
            line->at++;
            line->length--;
        }
        if (*line->at != '#') {
            return true;
        }
    }
    return false;
}

static char separator_of(const struct line *line)
{
    for (const char *choice = ",;\t"; *choice != '\0'; choice++) {
        if (memchr(line->at, *choice, line->length) != NULL) {
            return *choice;
        }
    }
    return ' ';
}

/* Moves *at behind the next field; false when there is no further one. */
static bool next_field(const struct line *line, char separator, size_t *at, char field[NUMBER_MAX],
                       bool *fits)
{
    if (*at > line->length) {
        return false;
    }
    const char *begin = line->at + *at;
    size_t left = line->length - *at;
    const char *end = left == 0 ? NULL : memchr(begin, separator, left);
    size_t length = end == NULL ? left : (size_t)(end - begin);
    *at += length + 1;
    if (separator == ' ') { /* several spaces are one */
        while (*at < line->length && line->at[*at] == ' ') {
            *at += 1;
        }
    }
    *fits = length < NUMBER_MAX && memchr(begin, 0, length) == NULL;
    if (*fits) {
        memcpy(field, begin, length);
        field[length] = '\0';
    }
    return true;
}

static bool field_number(const char *field, float *out)
{
    double value = 0;
    if (text_to_double(field, &value) && text_fits_float(value)) {
        *out = (float)value;
        return true;
    }
    static const struct {
        const char *name;
        float value;
    } names[] = {{"inf", INFINITY}, {"-inf", -INFINITY}, {"nan", NAN}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(field, names[i].name) == 0) {
            *out = names[i].value;
            return true;
        }
    }
    return false;
}

/* Reads the numbers of one line into row (room for `columns`; NULL: only counts and checks).
 * Returns how many there are, 0 on failure. */
static size_t read_row(const struct line *line, char separator, size_t columns, float *row,
                       struct error *error)
{
    size_t count = 0;
    char field[NUMBER_MAX] = "";
    bool fits = false;
    for (size_t at = 0; next_field(line, separator, &at, field, &fits); count++) {
        float value = 0;
        if (!fits || !field_number(field, &value)) {
            error_set(error, ERROR_INPUT, "Line %zu, column %zu: \"%s\" is not a number.",
                      line->number, count + 1, fits ? field : "…");
            return 0;
        }
        if (row != NULL && count < columns) {
            row[count] = value;
        }
    }
    if (columns != 0 && count != columns) {
        error_set(error, ERROR_INPUT, "Line %zu has %zu numbers, the first row has %zu.",
                  line->number, count, columns);
        return 0;
    }
    return count;
}

bool csv_read(struct bytes text, struct arena *arena, struct array *out, struct error *error)
{
    size_t at = lines_start(text);
    size_t start = at;
    struct line line = {0};
    size_t rows = 0;
    size_t columns = 0;
    char separator = ' ';
    while (next_row(text, &at, &line)) {
        if (rows == 0) {
            separator = separator_of(&line);
        }
        columns = read_row(&line, separator, columns, NULL, error);
        if (columns == 0) {
            return false;
        }
        rows++;
    }
    if (rows == 0) {
        return error_set(error, ERROR_INPUT, "There are no numbers in it.");
    }
    size_t count = 0;
    float *values =
        checked_multiply(rows, columns, &count) ? arena_array(arena, count, sizeof *values) : NULL;
    if (values == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the table.");
    }
    at = start;
    line = (struct line){0};
    for (size_t row = 0; row < rows && next_row(text, &at, &line); row++) {
        (void)read_row(&line, separator, columns, values + row * columns, error);
    }
    *out = array_of_floats("", 2, (size_t[]){rows, columns}, values);
    return true;
}
