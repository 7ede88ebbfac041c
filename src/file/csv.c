/* file/csv.c — writes tables of numbers as text. Quoting: RFC 4180. */
#include "file/csv.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

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

void csv_put_record(struct growing *out, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put_word(out, words[i]);
        growing_put_byte(out, i + 1 < count ? ',' : '\n');
    }
}

void csv_put_words(struct growing *out, const char *name, const char *const *words, size_t count)
{
    const char *head = arena_format(out->arena, "# %s %zu\n", name, count);
    if (head == NULL) {
        out->failed = true;
        return;
    }
    growing_put_text(out, head);
    csv_put_record(out, words, count);
    growing_put_byte(out, '\n');
}
