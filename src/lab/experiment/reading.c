/* lab/experiment/reading.c — reads members by a table, and finds the line on which a value
 * stands. */
#include "lab/experiment/reading.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"

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
        const size_t distance = text_distance(name, members[m].name);
        if (distance < best) {
            best = distance;
            nearest = members[m].name;
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
    while (m < count && strcmp(members[m].name, name) != 0) {
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
    for (size_t m = 0; m < count; m++) {
        const struct json *const value = json_member(object, members[m].name);
        if (value == NULL) {
            continue;
        }
        lab_reading_enter(reading, members[m].name, 0);
        if (!members[m].read(reading, value, (char *)record + members[m].at, &members[m])) {
            return false;
        }
        lab_reading_leave(reading);
    }
    return true;
}

bool lab_read_size(struct lab_reading *reading, const struct json *value, void *place,
                   const struct lab_member *member)
{
    int64_t whole = 0;
    if (!json_whole_number(value, &whole) || (double)whole < member->low ||
        (double)whole > member->high) {
        return lab_reading_refuse(reading, "a whole number from %g to %g is expected.", member->low,
                                  member->high);
    }
    *(size_t *)place = (size_t)whole;
    return true;
}

bool lab_read_float(struct lab_reading *reading, const struct json *value, void *place,
                    const struct lab_member *member)
{
    double number = 0;
    if (!json_number(value, &number) || !(number >= member->low) || !(number <= member->high)) {
        return lab_reading_refuse(reading, "a number from %g to %g is expected.", member->low,
                                  member->high);
    }
    *(float *)place = (float)number;
    return true;
}

bool lab_read_truth(struct lab_reading *reading, const struct json *value, void *place,
                    const struct lab_member *member)
{
    (void)member;
    return json_truth(value, place) || lab_reading_refuse(reading, "true or false is expected.");
}

bool lab_read_short_text(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member)
{
    const char *text = NULL;
    if (!json_text(value, &text) || strlen(text) >= (size_t)member->high) {
        return lab_reading_refuse(reading, "a text of at most %g bytes is expected.",
                                  member->high - 1);
    }
    memcpy(place, text, strlen(text) + 1);
    return true;
}

bool lab_read_text(struct lab_reading *reading, const struct json *value, void *place,
                   const struct lab_member *member)
{
    const char *text = NULL;
    if (!json_text(value, &text) || strlen(text) > (size_t)member->high) {
        return lab_reading_refuse(reading, "a text of at most %g bytes is expected.", member->high);
    }
    const char *const copy = arena_text(reading->arena, text, strlen(text));
    if (copy == NULL) {
        return error_set(reading->error, ERROR_MEMORY, "There is not enough memory to read it.");
    }
    *(const char **)place = copy;
    return true;
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
