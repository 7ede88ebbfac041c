/* lab/experiment/reading.c — reads and writes members by a table, and finds the line on which a
 * value stands. */
#include "lab/experiment/reading.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "file/record_json.h"

/* Looks for a place in a text that was parsed already: it is known that every text, array and
 * object ends. */
struct scan {
    struct bytes text;
    size_t at;
};

static uint8_t letter_of(const struct scan *scan)
{
    return scan->at < scan->text.size ? scan->text.at[scan->at] : 0;
}

/* Says whether one of these letters, or the end, comes next. */
static bool is_before(const struct scan *scan, const char *letters)
{
    return strchr(letters, letter_of(scan)) != NULL;
}

static void skip_space(struct scan *scan)
{
    static const char between[] = {' ', '\t', '\r', '\n', ',', ':'};
    while (memchr(between, letter_of(scan), sizeof between) != NULL) {
        scan->at++;
    }
}

/* Skips a text with its quotes; *inner [*length] lies between them. */
static void skip_text(struct scan *scan, const char **inner, size_t *length)
{
    const size_t start = ++scan->at;
    while (!is_before(scan, "\"")) {
        scan->at += letter_of(scan) == '\\' ? 2 : 1;
    }
    *inner = (const char *)scan->text.at + start;
    *length = scan->at++ - start;
}

static void skip_value(struct scan *scan)
{
    size_t depth = 0;
    do {
        const uint8_t letter = letter_of(scan);
        if (letter == '"') {
            const char *inner = NULL;
            size_t length = 0;
            skip_text(scan, &inner, &length);
        } else if (letter == '[' || letter == '{') {
            depth++;
            scan->at++;
        } else if (is_before(scan, "]}")) {
            depth -= depth > 0; /* the end of the text ends everything */
            scan->at++;
        } else {
            while (!is_before(scan, ",]}[{\" \t\r\n")) {
                scan->at++;
            }
        }
        if (depth > 0) {
            skip_space(scan);
        }
    } while (depth > 0);
}

/* Goes from the start of an array or object to an element or member. Returns false where there is
 * none. */
static bool step_into(struct scan *scan, const char *key, size_t index)
{
    scan->at++;
    for (size_t i = 0;; i++) {
        skip_space(scan);
        if (is_before(scan, "]}")) {
            return false;
        }
        if (key == NULL && i == index) {
            return true;
        }
        if (key != NULL) {
            const char *name = NULL;
            size_t length = 0;
            const size_t start = scan->at;
            skip_text(scan, &name, &length);
            if (length == strlen(key) && memcmp(name, key, length) == 0) {
                scan->at = start; /* errors name the line of the key, not that of its value */
                return true;
            }
            skip_space(scan);
        }
        skip_value(scan);
    }
}

static size_t line_of(const struct lab_reading *reading)
{
    struct scan scan = {reading->text, 0};
    while (!is_before(&scan, "{[")) {
        scan.at++; /* a byte-order mark */
    }
    size_t line_end = scan.at;
    for (size_t d = 0; d < reading->depth; d++) {
        const char *const key = reading->path[d].key;
        if (!step_into(&scan, key, reading->path[d].index)) {
            break;
        }
        line_end = scan.at;
        if (key != NULL && d + 1 < reading->depth) {
            const char *name = NULL;
            size_t length = 0;
            skip_text(&scan, &name, &length);
            skip_space(&scan);
        }
    }
    size_t line = 1;
    for (size_t b = 0; b < line_end; b++) {
        line += reading->text.at[b] == '\n';
    }
    return line;
}

void lab_reading_enter(struct lab_reading *reading, const char *key, size_t index)
{
    if (reading->depth < LAB_READING_DEPTH) {
        reading->path[reading->depth].key = key;
        reading->path[reading->depth].index = index;
        reading->depth++;
    }
}

void lab_reading_leave(struct lab_reading *reading)
{
    reading->depth--;
}

bool lab_reading_refuse(struct lab_reading *reading, const char *format, ...)
{
    char sentence[sizeof reading->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, tr(format), arguments);
    va_end(arguments);
    const char *key = NULL;
    for (size_t d = reading->depth; key == NULL && d-- > 0;) {
        key = reading->path[d].key;
    }
    if (key == NULL) {
        return error_set(reading->error, ERROR_INPUT, "Line %zu: %s", line_of(reading), sentence);
    }
    return error_set(reading->error, ERROR_INPUT, "Line %zu, “%.40s”: %s", line_of(reading), key,
                     sentence);
}

/* Returns the member whose name is nearly that one; NULL: there is none. */
static const char *find_nearest_member(const char *name, const struct lab_member *members,
                                       size_t count)
{
    enum { SHORT = 5 };
    const char *nearest = NULL;
    size_t best = strlen(name) < SHORT ? 2 : 3; /* one more than the letters that may differ */
    for (size_t m = 0; m < count; m++) {
        const size_t distance = text_distance(name, members[m].row.key);
        if (distance < best) {
            best = distance;
            nearest = members[m].row.key;
        }
    }
    return nearest;
}

static bool refuse_unknown(struct lab_reading *reading, const char *name, const char *nearest)
{
    lab_reading_enter(reading, name, 0);
    return nearest == NULL ? lab_reading_refuse(reading, "this name means nothing here.")
                           : lab_reading_refuse(
                                 reading, "this name means nothing here; is “%s” meant?", nearest);
}

static bool is_known(const char *name, const struct lab_member *members, size_t count)
{
    size_t m = 0;
    while (m < count && strcmp(members[m].row.key, name) != 0) {
        m++;
    }
    return m < count;
}

/* Keeps members that a later version may have written as an object of their own. */
static bool keep_unknown(struct lab_reading *reading, const struct json *object,
                         const struct lab_member *members, size_t count, const char **kept)
{
    struct json_writer json = json_writer_start(reading->arena);
    struct bytes text = {NULL, 0};
    const struct json *member = NULL;
    const char *name = NULL;
    void *place = NULL;
    bool some = false;
    json_begin_object(&json);
    while ((member = json_next_member(object, &place, &name)) != NULL) {
        if (is_known(name, members, count)) {
            continue;
        }
        const char *const nearest = find_nearest_member(name, members, count);
        if (kept == NULL || nearest != NULL) {
            return refuse_unknown(reading, name, nearest);
        }
        some = true;
        if (reading->unknown == NULL) {
            reading->unknown = arena_text(reading->arena, name, strlen(name));
        }
        json_key(&json, name);
        json_put_value(&json, member);
    }
    json_end_object(&json);
    if (some && !json_writer_finish(&json, &text, reading->error)) {
        return false;
    }
    if (some) {
        *kept = (const char *)text.at;
    }
    return true;
}

void lab_unknown_json_put(struct json_writer *json, const char *kept)
{
    if (kept == NULL) {
        return;
    }
    struct json *const tree = json_parse((struct bytes){(const uint8_t *)kept, strlen(kept)}, NULL);
    const struct json *member = NULL;
    const char *name = NULL;
    void *place = NULL;
    json->text.failed = json->text.failed || tree == NULL; /* it was parsed before, so only memory
                                                              can be short */
    while ((member = json_next_member(tree, &place, &name)) != NULL) {
        json_key(json, name);
        json_put_value(json, member);
    }
    json_release(tree);
}

/* ---- values by their types ------------------------------------------------------------------- */

static size_t count_names(const struct record_row *row)
{
    size_t count = 0;
    while (row->name_at(count) != NULL) {
        count++;
    }
    return count;
}

static bool read_text(struct lab_reading *reading, const struct json *value, char *place,
                      const struct record_row *row)
{
    const char *text = NULL;
    size_t choice = 0;
    if (row->name_at != NULL &&
        !lab_read_choice(reading, value, row->name_at, count_names(row), &choice)) {
        return false;
    }
    if (!json_text(value, &text) || strlen(text) >= (size_t)row->high) {
        return lab_reading_refuse(reading, "a text of at most %g bytes is expected.",
                                  row->high - 1);
    }
    memcpy(place, text, strlen(text) + 1);
    return true;
}

static bool read_long_text(struct lab_reading *reading, const struct json *value,
                           const char **place, const struct record_row *row)
{
    const char *text = NULL;
    if (!json_text(value, &text) || strlen(text) > (size_t)row->high) {
        return lab_reading_refuse(reading, "a text of at most %g bytes is expected.", row->high);
    }
    *place = arena_text(reading->arena, text, strlen(text));
    return *place != NULL ||
           error_set(reading->error, ERROR_MEMORY, "There is not enough memory to read it.");
}

static bool read_parts(struct lab_reading *reading, const struct json *value, unsigned *bits,
                       const struct record_row *row)
{
    if (json_kind_of(value) != JSON_KIND_ARRAY) {
        return lab_reading_refuse(reading, "a list is expected: [\"%s\"].", row->name_at(0));
    }
    for (size_t p = 0; p < json_count(value); p++) {
        size_t choice = 0;
        if (!lab_read_choice(reading, json_element(value, p), row->name_at, count_names(row),
                             &choice)) {
            return false;
        }
        *bits |= 1u << choice;
    }
    return true;
}

static bool read_numbers(struct lab_reading *reading, const struct json *value, float *numbers,
                         const struct lab_member *member)
{
    for (size_t n = 0; n < member->count; n++) {
        double number = 0;
        if (json_count(value) != member->count || !json_number(json_element(value, n), &number) ||
            !record_is_in_range(&member->members[n].row, number)) {
            return lab_reading_refuse(reading, "%s", tr(member->row.help));
        }
        numbers[n] = (float)number;
    }
    return true;
}

/* Reads a value that every record has. */
static bool read_simple(struct lab_reading *reading, const struct json *value, void *record,
                        const struct record_row *row)
{
    size_t choice = 0;
    double number = 0;
    if (row->name_at != NULL) {
        const bool read = lab_read_choice(reading, value, row->name_at, count_names(row), &choice);
        record_put(row, record, row->low + (double)choice);
        return read;
    }
    const bool is_in_range = !json_number(value, &number) || record_is_in_range(row, number);
    if (is_in_range && record_json_read(value, row, record)) {
        return true;
    }
    return row->type == RECORD_SWITCH ? lab_reading_refuse(reading, "true or false is expected.")
           : row->type == RECORD_SEED
               ? lab_reading_refuse(reading, "a whole number from 0 on is expected.")
           : row->type == RECORD_COUNT
               ? lab_reading_refuse(reading, "a whole number from %g to %g is expected.", row->low,
                                    row->high)
               : lab_reading_refuse(reading, "a number from %g to %g is expected.", row->low,
                                    row->high);
}

static bool read_member(struct lab_reading *reading, const struct json *value, void *record,
                        const struct lab_member *member)
{
    void *const place = (char *)record + member->row.at;
    if (member->has > 0) {
        *((bool *)record + member->has - 1) = true;
    }
    if (member->read != NULL) {
        return member->read(reading, value, record, member);
    }
    switch (member->row.type) {
    case LAB_MEMBER_TEXT:
        return read_text(reading, value, place, &member->row);
    case LAB_MEMBER_LONG_TEXT:
        return read_long_text(reading, value, place, &member->row);
    case LAB_MEMBER_PARTS:
        return read_parts(reading, value, place, &member->row);
    case LAB_MEMBER_NUMBERS:
        return read_numbers(reading, value, place, member);
    case LAB_MEMBER_OBJECT:
        reading->kept =
            member->kept > 0 ? (const char **)(void *)((char *)record + member->kept - 1) : NULL;
        return lab_reading_members(reading, value, member->members, member->count, place);
    default:
        return read_simple(reading, value, record, &member->row);
    }
}

bool lab_reading_members(struct lab_reading *reading, const struct json *object,
                         const struct lab_member *members, size_t count, void *record)
{
    const char **const kept = reading->kept;
    reading->kept = NULL;
    if (json_kind_of(object) != JSON_KIND_OBJECT) {
        return lab_reading_refuse(reading, "an object in braces is expected here.");
    }
    if (!keep_unknown(reading, object, members, count, kept)) {
        return false;
    }
    for (size_t m = 0; m < 2 * count; m++) {
        const struct lab_member *const member = &members[m % count];
        const struct json *const value = json_member(object, member->row.key);
        if (value == NULL || member->is_first != (m < count)) {
            continue;
        }
        lab_reading_enter(reading, member->row.key, 0);
        if (!read_member(reading, value, record, member)) {
            return false;
        }
        lab_reading_leave(reading);
    }
    for (size_t m = 0; m < count; m++) { /* what is there is judged first */
        if (members[m].is_needed && json_member(object, members[m].row.key) == NULL) {
            return lab_reading_refuse(reading, "“%s” is missing.", members[m].row.key);
        }
    }
    return true;
}

static void put_parts(struct json_writer *json, unsigned bits, const struct record_row *row)
{
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t p = 0; row->name_at(p) != NULL; p++) {
        if ((bits >> p & 1u) != 0) {
            json_put_text(json, row->name_at(p));
        }
    }
    json_end_array(json);
}

static void put_numbers(struct json_writer *json, const float *numbers, size_t count)
{
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t n = 0; n < count; n++) {
        json_put_float(json, numbers[n]);
    }
    json_end_array(json);
}

/* Says whether there is something to write. */
static bool is_there(const struct lab_member *member, const void *record)
{
    const void *const place = (const char *)record + member->row.at;
    if (member->is_always || member->is_there != NULL) {
        return member->is_always || member->is_there(record, member);
    }
    if (member->has > 0) {
        return *((const bool *)record + member->has - 1);
    }
    switch (member->row.type) {
    case LAB_MEMBER_TEXT:
        return *(const char *)place != '\0';
    case LAB_MEMBER_LONG_TEXT:
        return *(const char *const *)place != NULL;
    case LAB_MEMBER_PARTS:
        return *(const unsigned *)place != 0;
    case LAB_MEMBER_OBJECT:
        return is_there(member->members, place) ||
               (member->kept > 0 && *(const char *const *)(const void *)((const char *)record +
                                                                         member->kept - 1) != NULL);
    default:
        return record_get(&member->row, record) < member->row.standard ||
               record_get(&member->row, record) > member->row.standard;
    }
}

static void put_object(struct json_writer *json, const struct lab_member *member,
                       const void *record)
{
    const char *const at = (const char *)record;
    if (member->on_one_line) {
        json_begin_object_in_line(json);
    } else {
        json_begin_object(json);
    }
    lab_members_put(json, member->members, member->count, at + member->row.at,
                    member->kept > 0 ? *(const char *const *)(const void *)(at + member->kept - 1)
                                     : NULL);
    json_end_object(json);
}

static void put_value(struct json_writer *json, const struct lab_member *member, const void *record)
{
    const void *const place = (const char *)record + member->row.at;
    if (member->put != NULL) {
        member->put(json, record, member);
        return;
    }
    switch (member->row.type) {
    case LAB_MEMBER_TEXT:
        json_put_text(json, place);
        break;
    case LAB_MEMBER_LONG_TEXT:
        json_put_text(json, *(const char *const *)place);
        break;
    case LAB_MEMBER_PARTS:
        put_parts(json, *(const unsigned *)place, &member->row);
        break;
    case LAB_MEMBER_NUMBERS:
        put_numbers(json, place, member->count);
        break;
    case LAB_MEMBER_OBJECT:
        put_object(json, member, record);
        break;
    default:
        record_json_put(json, &member->row, record);
        break;
    }
}

void lab_members_put(struct json_writer *json, const struct lab_member *members, size_t count,
                     const void *record, const char *kept)
{
    for (const struct lab_member *member = members; member < members + count; member++) {
        if (is_there(member, record)) {
            json_key(json, member->row.key);
            put_value(json, member, record);
        }
    }
    lab_unknown_json_put(json, kept);
}

bool lab_read_choice(struct lab_reading *reading, const struct json *value,
                     const char *(*name_at)(size_t index), size_t count, size_t *choice)
{
    const char *name = NULL;
    char names[120] = "";
    for (size_t n = 0; n < count; n++) {
        if (json_text(value, &name) && strcmp(name, name_at(n)) == 0) {
            *choice = n;
            return true;
        }
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", n == 0 ? "" : ", ", name_at(n));
    }
    return lab_reading_refuse(reading, "one of these is expected: %s.", names);
}

bool lab_read_place(struct lab_reading *reading, const struct json *value,
                    const struct lab_words *words, size_t *place)
{
    const size_t count = lab_words_count(words);
    const char *name = NULL;
    int64_t whole = 0;
    if (json_whole_number(value, &whole) && whole >= 0 && (uint64_t)whole < count) {
        *place = (size_t)whole;
        return true;
    }
    if (json_text(value, &name)) {
        const size_t found = lab_words_find(words, name);
        if (found < count) {
            *place = found;
            return true;
        }
    }
    return name != NULL
               ? lab_reading_refuse(reading, "there is no word “%.40s” at this step.", name)
               : lab_reading_refuse(
                     reading, "a word is expected, or its place counted from 0, below %zu.", count);
}
