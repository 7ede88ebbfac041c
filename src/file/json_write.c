/* JSON as text (RFC 8259): lines, commas and brackets by themselves, any text and number as JSON
 * has it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "file/json.h"

enum { INDENT = 2 };

struct json_writer json_writer_start(struct arena *arena)
{
    return (struct json_writer){.text = growing_start(arena)};
}

static void break_line(struct json_writer *writer)
{
    growing_put_byte(&writer->text, '\n');
    growing_put_spaces(&writer->text, INDENT * writer->depth);
}

/* Writes what stands between the former value of an array or object and the next. */
static void separate_value(struct json_writer *writer)
{
    if (writer->depth == 0) {
        return;
    }
    size_t open = writer->depth - 1;
    bool in_line = writer->layout[open] == JSON_ONE_LINE;
    if (writer->has_items[open]) {
        growing_put_text(&writer->text, in_line ? ", " : ",");
    }
    if (!in_line) {
        break_line(writer);
    }
    writer->has_items[open] = true;
}

static void begin_value(struct json_writer *writer)
{
    if (writer->after_key) {
        writer->after_key = false;
        return;
    }
    separate_value(writer);
}

static void open_bracket(struct json_writer *writer, char bracket, enum json_layout layout)
{
    begin_value(writer);
    if (writer->depth == JSON_DEPTH_MAX) {
        writer->text.failed = true;
        return;
    }
    growing_put_byte(&writer->text, bracket);
    writer->layout[writer->depth] = layout;
    writer->has_items[writer->depth] = false;
    writer->depth++;
}

static void close_bracket(struct json_writer *writer, char bracket)
{
    if (writer->depth == 0) {
        writer->text.failed = true;
        return;
    }
    writer->depth--;
    if (writer->layout[writer->depth] == JSON_LINES && writer->has_items[writer->depth]) {
        break_line(writer);
    }
    growing_put_byte(&writer->text, bracket);
}

void json_begin_object(struct json_writer *writer)
{
    open_bracket(writer, '{', JSON_LINES);
}

void json_begin_object_in_line(struct json_writer *writer)
{
    open_bracket(writer, '{', JSON_ONE_LINE);
}

void json_end_object(struct json_writer *writer)
{
    close_bracket(writer, '}');
}

void json_begin_array(struct json_writer *writer, enum json_layout layout)
{
    open_bracket(writer, '[', layout);
}

void json_end_array(struct json_writer *writer)
{
    close_bracket(writer, ']');
}

static void put_code_point(struct growing *out, const char *bytes, size_t length,
                           uint32_t code_point)
{
    static const struct {
        uint32_t code_point;
        const char *escape;
    } escapes[] = {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\t', "\\t"}, {'\r', "\\r"}};
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
        if (escapes[i].code_point == code_point) {
            growing_put_text(out, escapes[i].escape);
            return;
        }
    }
    if (text_is_control(code_point)) { /* those beyond U+001F need not, but turn what is read */
        char escape[8];
        (void)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)code_point);
        growing_put_text(out, escape);
    } else if (code_point == 0xFFFD) {
        growing_put_text(out, "\xEF\xBF\xBD"); /* may stand for a byte that is not UTF-8 */
    } else {
        growing_put(out, bytes, length);
    }
}

static void put_quoted(struct growing *out, const char *text)
{
    size_t length = strlen(text);
    growing_put_byte(out, '"');
    for (size_t at = 0; at < length;) {
        size_t begin = at;
        uint32_t code_point = text_next(text, length, &at);
        put_code_point(out, text + begin, at - begin, code_point);
    }
    growing_put_byte(out, '"');
}

void json_key(struct json_writer *writer, const char *key)
{
    separate_value(writer);
    put_quoted(&writer->text, key);
    growing_put_text(&writer->text, ": ");
    writer->after_key = true;
}

void json_put_null(struct json_writer *writer)
{
    begin_value(writer);
    growing_put_text(&writer->text, "null");
}

void json_put_float(struct json_writer *writer, float value)
{
    char text[TEXT_NUMBER_MAX];
    if (!isfinite(value)) {
        json_put_null(writer);
        return;
    }
    begin_value(writer);
    growing_put_text(&writer->text, text_number_exact(text, value));
}

void json_put_double(struct json_writer *writer, double value)
{
    char text[TEXT_NUMBER_MAX];
    if (!isfinite(value)) {
        json_put_null(writer);
        return;
    }
    begin_value(writer);
    growing_put_text(&writer->text, text_double_exact(text, value));
}

void json_put_whole_number(struct json_writer *writer, int64_t value)
{
    char text[24];
    begin_value(writer);
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    growing_put_text(&writer->text, text);
}

void json_put_truth(struct json_writer *writer, bool value)
{
    begin_value(writer);
    growing_put_text(&writer->text, value ? "true" : "false");
}

void json_put_text(struct json_writer *writer, const char *text)
{
    if (text == NULL) {
        json_put_null(writer);
        return;
    }
    begin_value(writer);
    put_quoted(&writer->text, text);
}

void json_put_texts(struct json_writer *writer, const char *const *texts, size_t count)
{
    json_begin_array(writer, JSON_ONE_LINE);
    for (size_t i = 0; i < count; i++) {
        json_put_text(writer, texts[i]);
    }
    json_end_array(writer);
}

/* Writes everything from `axis` on, beginning with the number at *place. */
static void put_axis(struct json_writer *writer, const struct array *array, size_t axis,
                     size_t *place)
{
    if (axis == array->rank) {
        double value = array_number(array, (*place)++);
        bool narrow = array->type != ARRAY_FLOAT64 && array->type != ARRAY_INT32 &&
                      array->type != ARRAY_INT64;
        if (narrow) {
            json_put_float(writer, (float)value);
        } else {
            json_put_double(writer, value);
        }
        return;
    }
    json_begin_array(writer, axis + 1 == array->rank ? JSON_ONE_LINE : JSON_LINES);
    for (size_t i = 0; i < array->shape[axis]; i++) {
        put_axis(writer, array, axis + 1, place);
    }
    json_end_array(writer);
}

void json_put_array(struct json_writer *writer, const struct array *array)
{
    size_t place = 0;
    put_axis(writer, array, 0, &place);
}

void json_put_floats(struct json_writer *writer, size_t rank, const size_t *shape,
                     const float *values)
{
    struct array array = array_of_floats("", rank, shape, values);
    json_put_array(writer, &array);
}

bool json_writer_finish(struct json_writer *writer, struct bytes *out, struct error *error)
{
    if (writer->depth != 0) {
        writer->text.failed = true;
    }
    growing_put_byte(&writer->text, '\n');
    return growing_finish(&writer->text, out, error);
}
