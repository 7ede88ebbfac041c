/* file/json.c — see json.h: the reader, the only file that knows jansson. */
#include "file/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/checked.h"
#include "base/system/thread.h"
#include "base/text.h"
#include "base/translate.h"
#include "file/limits.h"

/* Once an allocation was refused every further one of that reading is: jansson would go on with a
 * text that lacks a letter, or its closing quote, and only here is it known that memory was short.
 */
static _Thread_local bool lacking;

static void *allocate_for_jansson(size_t size)
{
    void *const memory = lacking ? NULL : malloc(size);
    lacking = memory == NULL;
    return memory;
}

static void watch_memory(void)
{
    json_set_alloc_funcs(allocate_for_jansson, free);
}

/* Begins to watch allocations, before a reading or a change of a tree. */
static void watch_allocations(void)
{
    static struct system_once once;
    system_once(&once, watch_memory);
    lacking = false;
}

static json_t *tree_of(const struct json *value)
{
    return (json_t *)(uintptr_t)value; /* jansson counts references in values it only reads */
}

static const struct json *value_of(const json_t *tree)
{
    return (const struct json *)tree;
}

static bool refuse_at(struct bytes text, size_t at, const char *why, struct error *error)
{
    size_t line = 1;
    size_t column = 1;
    for (size_t i = 0; i < at; i++) {
        bool begins_letter = (text.at[i] & 0xC0) != 0x80;
        column = text.at[i] == '\n' ? 1 : column + begins_letter;
        line += text.at[i] == '\n';
    }
    error_set(error, ERROR_INPUT, "Line %zu, column %zu: %s.", line, column, tr(why));
    if (error != NULL) {
        error->at = at;
    }
    return false;
}

static bool is_number_letter(uint8_t letter)
{
    return (letter >= '0' && letter <= '9') || letter == '.' || letter == '-' || letter == '+' ||
           letter == 'e' || letter == 'E';
}

/* Where the text ends that begins behind a quote: at its last quote, or at the end. */
static size_t text_end(struct bytes text, size_t at)
{
    while (at < text.size && text.at[at] != '"') {
        at += text.at[at] == '\\' ? 2 : 1;
    }
    return at;
}

/* A part of a text that is passed over: places of values, in their order. */
struct skipped {
    size_t from, to;
};

/* A text that is looked through before anything is built of it: hostile ones are cheap to refuse.
 */
struct look {
    struct bytes text;
    const struct json_limits *limits;
    size_t depth, values, cells, number;
    size_t row[JSON_DEPTH_MAX + 1]; /* so many elements at that depth so far, but for one */
    size_t key, key_end;            /* the last text, which may be a name */
    bool is_value;                  /* what begins now stands behind a name */
    size_t from, from_depth; /* of a value whose name no large one is read under; from 0: none */
    size_t from_values, from_cells; /* what was counted before that value */
    struct skipped *skipped;        /* owned */
    size_t skipped_count, skipped_room;
};

static bool is_asked_for(const struct look *look)
{
    const char *const *const large = look->limits->large;
    const size_t letters = look->key_end - look->key;
    for (size_t n = 0; large[n] != NULL; n++) {
        if (strlen(large[n]) == letters &&
            memcmp(large[n], look->text.at + look->key, letters) == 0) {
            return true;
        }
    }
    return false;
}

static bool add_skipped(struct look *look, size_t to)
{
    if (look->skipped_count == look->skipped_room) {
        const size_t room = 2 * look->skipped_room + 4;
        struct skipped *const more = realloc(look->skipped, room * sizeof *more);
        if (more == NULL) {
            return false;
        }
        look->skipped = more;
        look->skipped_room = room;
    }
    look->skipped[look->skipped_count++] = (struct skipped){look->from, to};
    look->values = look->from_values;
    look->cells = look->from_cells;
    return true;
}

/* A list or an object begins at i. */
static void begin_nested(struct look *look, size_t i)
{
    if (look->from == 0 && look->is_value && look->limits->large != NULL && !is_asked_for(look)) {
        look->from = i;
        look->from_depth = look->depth;
        look->from_values = look->values;
        look->from_cells = look->cells;
    }
    look->depth++;
    look->values++;
}

/* One ends behind i. False: no memory. */
static bool end_nested(struct look *look, size_t i)
{
    look->depth -= look->depth > 0;
    if (look->from == 0 || look->depth != look->from_depth) {
        return true;
    }
    const bool done = i + 1 - look->from <= JSON_SKIPPED_BYTES || add_skipped(look, i + 1);
    look->from = 0;
    return done;
}

/* The memory of jansson's tree for a value that begins with that byte, in cells of 48 bytes. */
static const uint8_t cells_of[UINT8_MAX + 1] = {
    [','] = 1, ['"'] = 1, [':'] = 2, ['['] = 3, ['{'] = 6};

/* One letter outside of texts: NULL, or what is wrong there. What may be passed over is judged only
 * where it is not. */
static const char *look_at(struct look *look, size_t i)
{
    const struct json_limits *const limits = look->limits;
    const uint8_t letter = look->text.at[i];
    const bool begins = letter == '[' || letter == '{', ends = letter == ']' || letter == '}';
    const size_t depth_max = limits->depth > 0 ? limits->depth : JSON_DEPTH_MAX;
    if (begins) {
        begin_nested(look, i);
    }
    look->cells += cells_of[letter];
    look->values += letter == ',';
    if (ends && !end_nested(look, i)) {
        return "there is not enough memory to read it";
    }
    look->is_value = letter == ':' || (look->is_value && !begins && !ends && letter != ',');
    look->number = is_number_letter(letter) ? look->number + 1 : 0;
    if (letter == 0) { /* jansson overlooks it behind a number */
        return "there is a byte 0 here";
    }
    if (look->depth > depth_max) {
        return "this is nested too deep";
    }
    look->row[look->depth] = begins ? 0 : look->row[look->depth] + (letter == ',');
    if (look->from != 0) {
        return NULL;
    }
    if (limits->row > 0 && look->row[look->depth] >= limits->row) {
        return "this list is longer than any can be";
    }
    if ((limits->values > 0 && look->values > limits->values) ||
        look->cells > (limits->cells > 0 ? limits->cells : JSON_CELLS_MAX)) {
        return "this is one value too many";
    }
    return look->number > JSON_NUMBER_LETTERS_MAX ? "this number is too long" : NULL;
}

/* Depth, values and length of numbers and texts; and what is to be passed over. */
static bool look_through(struct look *look, struct error *error)
{
    const struct bytes text = look->text;
    const size_t text_max = look->limits->text > 0 ? look->limits->text : JSON_TEXT_BYTES_MAX;
    for (size_t i = 0; i < text.size; i++) {
        const bool is_text = text.at[i] == '"';
        const char *const wrong = look_at(look, i);
        if (wrong != NULL) {
            return refuse_at(text, i, wrong, error);
        }
        if (is_text) {
            look->key = i + 1;
            look->key_end = i = text_end(text, i + 1);
            if (i - look->key > text_max && look->from == 0) {
                return refuse_at(text, look->key - 1, "this text is too long", error);
            }
        }
    }
    return true;
}

/* The length of NaN, Infinity or -Infinity where a value begins with it; 0: with none of them. */
static size_t constant_length(struct bytes text, size_t at)
{
    static const char *const names[] = {"NaN", "Infinity", "-Infinity"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const size_t length = strlen(names[n]);
        if (text.size - at >= length && memcmp(text.at + at, names[n], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* The text with each of Python's constants as a JSON text of the same length ("N" for NaN), so that
 * lines and columns stay; jansson has no number for them. *copy is the caller's to free, NULL where
 * there is no constant. False: there is no memory for it. */
static bool replace_constants(struct bytes text, struct bytes *out, uint8_t **copy)
{
    *out = text;
    *copy = NULL;
    for (size_t at = 0; at < text.size; at++) {
        const size_t length = constant_length(text, at);
        if (length > 0 && *copy == NULL) {
            *copy = malloc(text.size);
            if (*copy == NULL) {
                return false;
            }
            memcpy(*copy, text.at, text.size);
            out->at = *copy;
        }
        if (length > 0) {
            (*copy)[at] = '"';
            memcpy(*copy + at + 1, text.at + at, length - 2);
            (*copy)[at + length - 1] = '"';
            at += length - 1;
        }
        at = length == 0 && text.at[at] == '"' ? text_end(text, at + 1) : at;
    }
    return true;
}

struct json *json_parse(struct bytes text, struct error *error)
{
    return json_parse_within(text, &(struct json_limits){0}, error);
}

/* The text without what is passed over, piece by piece. */
struct feed {
    const struct look *look;
    size_t at, next; /* in the text; which of those that are passed over comes next */
};

static size_t feed_some(void *buffer, size_t room, void *owner)
{
    static const char nothing[] = "null";
    struct feed *const feed = owner;
    const struct look *const look = feed->look;
    const bool skips = feed->next < look->skipped_count;
    if (skips && feed->at == look->skipped[feed->next].from && room >= sizeof nothing) {
        memcpy(buffer, nothing, sizeof nothing - 1);
        feed->at = look->skipped[feed->next++].to;
        return sizeof nothing - 1;
    }
    const size_t end = skips ? look->skipped[feed->next].from : look->text.size;
    const size_t some = end - feed->at < room ? end - feed->at : room;
    memcpy(buffer, look->text.at + feed->at, some);
    feed->at += some;
    return some;
}

/* Where a place of what was fed stands in the text. */
static size_t place_in_text(const struct look *look, size_t fed)
{
    const size_t null_letters = 4;
    size_t place = fed;
    for (size_t s = 0; s < look->skipped_count && place > look->skipped[s].from; s++) {
        place += look->skipped[s].to - look->skipped[s].from - null_letters;
    }
    return place < look->text.size ? place : look->text.size;
}

/* The tree of a text that was looked through. */
static json_t *build_tree(const struct look *look, size_t start, struct error *error)
{
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY |
                         (look->limits->reals ? JSON_DECODE_INT_AS_REAL : 0);
    struct feed feed = {look, 0, 0};
    json_error_t reason;
    lacking = false;
    json_t *const tree = look->skipped_count > 0
                             ? json_load_callback(feed_some, &feed, flags, &reason)
                             : json_loadb(look->text.size == 0 ? "" : (const char *)look->text.at,
                                          look->text.size, flags, &reason);
    if (lacking) {
        json_decref(tree);
        error_set(error, ERROR_MEMORY, "There is not enough memory to read it.");
        return NULL;
    }
    if (tree == NULL && look->skipped_count > 0) {
        const size_t fed = reason.position > 0 ? (size_t)reason.position : 0;
        refuse_at(look->text, place_in_text(look, fed), reason.text, error);
    } else if (tree == NULL) {
        error_set(error, ERROR_INPUT, "Line %d, column %d: %s.", reason.line, reason.column,
                  reason.text);
        if (error != NULL) {
            error->at = start + (reason.position > 0 ? (size_t)reason.position : 0);
        }
    }
    return tree;
}

struct json *json_parse_within(struct bytes text, const struct json_limits *limits,
                               struct error *error)
{
    const size_t bytes_max = limits->bytes > 0 ? limits->bytes : JSON_BYTES_MAX;
    if (text.size > bytes_max) {
        error_set(error, ERROR_INPUT, "It is too large: more than %zu MiB.", bytes_max >> 20);
        return NULL;
    }
    watch_allocations();
    const size_t start = lines_start(text);
    struct look look = {.text = {text.size == 0 ? NULL : text.at + start, text.size - start},
                        .limits = limits};
    uint8_t *copy = NULL;
    if (limits->constants && !replace_constants(look.text, &look.text, &copy)) {
        error_set(error, ERROR_MEMORY, "There is not enough memory to read it.");
        return NULL;
    }
    json_t *const tree = look_through(&look, error) ? build_tree(&look, start, error) : NULL;
    free(look.skipped);
    free(copy);
    return (struct json *)tree;
}

void json_release(struct json *tree)
{
    json_decref((json_t *)tree);
}

enum json_kind json_kind_of(const struct json *value)
{
    static const enum json_kind kinds[] = {
        [JSON_OBJECT] = JSON_KIND_OBJECT, [JSON_ARRAY] = JSON_KIND_ARRAY,
        [JSON_STRING] = JSON_KIND_TEXT,   [JSON_INTEGER] = JSON_KIND_NUMBER,
        [JSON_REAL] = JSON_KIND_NUMBER,   [JSON_TRUE] = JSON_KIND_BOOLEAN,
        [JSON_FALSE] = JSON_KIND_BOOLEAN, [JSON_NULL] = JSON_KIND_NULL,
    };
    return value == NULL ? JSON_KIND_NONE : kinds[json_typeof(tree_of(value))];
}

const struct json *json_member(const struct json *object, const char *key)
{
    return value_of(json_object_get(tree_of(object), key));
}

size_t json_count(const struct json *array_or_object)
{
    json_t *tree = tree_of(array_or_object);
    return json_is_object(tree) ? json_object_size(tree) : json_array_size(tree);
}

const struct json *json_element(const struct json *array, size_t index)
{
    return value_of(json_array_get(tree_of(array), index));
}

const struct json *json_next_member(const struct json *object, void **place, const char **key)
{
    json_t *tree = tree_of(object);
    *place = *place == NULL ? json_object_iter(tree) : json_object_iter_next(tree, *place);
    if (*place == NULL) {
        return NULL;
    }
    *key = json_object_iter_key(*place);
    return value_of(json_object_iter_value(*place));
}

bool json_number(const struct json *value, double *out)
{
    if (json_kind_of(value) != JSON_KIND_NUMBER) {
        return false;
    }
    *out = json_number_value(tree_of(value));
    return true;
}

bool json_whole_number(const struct json *value, int64_t *out)
{
    if (json_kind_of(value) != JSON_KIND_NUMBER) {
        return false;
    }
    if (json_is_integer(tree_of(value))) {
        *out = (int64_t)json_integer_value(tree_of(value));
        return true;
    }
    double number = json_number_value(tree_of(value));
    if (fabs(number) > 9007199254740992.0 || floor(number) != number) {
        return false;
    }
    *out = (int64_t)number;
    return true;
}

bool json_truth(const struct json *value, bool *out)
{
    if (json_kind_of(value) != JSON_KIND_BOOLEAN) {
        return false;
    }
    *out = json_is_true(tree_of(value));
    return true;
}

bool json_text(const struct json *value, const char **out)
{
    if (json_kind_of(value) != JSON_KIND_TEXT) {
        return false;
    }
    *out = json_string_value(tree_of(value));
    return true;
}

struct json *json_make_object(void)
{
    watch_allocations();
    return (struct json *)json_object();
}

bool json_add_members(struct json *object, const struct json *from, const char *const *names)
{
    json_t *const into = (json_t *)object, *const tree = tree_of(from);
    watch_allocations();
    if (names == NULL) {
        return tree == NULL || json_object_update_missing(into, tree) == 0;
    }
    for (size_t n = 0; names[n] != NULL; n++) {
        json_t *const value = json_object_get(tree, names[n]);
        if (value != NULL && json_object_get(into, names[n]) == NULL &&
            json_object_set(into, names[n], value) != 0) {
            return false;
        }
    }
    return true;
}

/* Checks that value is of that shape and all numbers; with a next, writes them behind *next. */
static bool fill_floats(const struct json *value, const size_t *shape, size_t rank, float **next,
                        struct error *error)
{
    if (rank > 0) {
        if (json_kind_of(value) != JSON_KIND_ARRAY || json_count(value) != shape[0]) {
            return error_set(error, ERROR_INPUT, "The rows are not all %zu long.", shape[0]);
        }
        for (size_t i = 0; i < shape[0]; i++) {
            if (!fill_floats(json_element(value, i), shape + 1, rank - 1, next, error)) {
                return false;
            }
        }
        return true;
    }
    double number = (double)NAN;
    bool fine = json_number(value, &number) ? text_fits_float(number)
                                            : json_kind_of(value) == JSON_KIND_NULL;
    if (!fine) {
        return error_set(error, ERROR_INPUT,
                         "A number is missing among the numbers, or too large.");
    }
    if (next != NULL) {
        *(*next)++ = (float)number;
    }
    return true;
}

bool json_floats(const struct json *value, struct arena *arena, struct array *out,
                 struct error *error)
{
    size_t shape[ARRAY_RANK_MAX] = {0};
    size_t rank = 0;
    size_t count = 1;
    const struct json *inner = value;
    for (; json_kind_of(inner) == JSON_KIND_ARRAY; inner = json_element(inner, 0)) {
        if (rank == ARRAY_RANK_MAX) {
            return error_set(error, ERROR_INPUT, "The numbers are nested too deep.");
        }
        shape[rank++] = json_count(inner);
        if (!checked_multiply(count, json_count(inner), &count)) {
            return error_set(error, ERROR_INPUT, "The rows are not all equally long.");
        }
    }
    if (!fill_floats(value, shape, rank, NULL, error)) {
        return false;
    }
    float *values = arena_array(arena, count, sizeof *values);
    float *next = values;
    if (values == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the numbers.");
    }
    (void)fill_floats(value, shape, rank, &next, error);
    *out = array_of_floats("", rank, shape, values);
    return true;
}

/* --- what was read, written again --- */

static void put_number(struct json_writer *writer, const struct json *value)
{
    if (json_is_integer(tree_of(value))) {
        json_put_whole_number(writer, (int64_t)json_integer_value(tree_of(value)));
    } else {
        json_put_double(writer, json_number_value(tree_of(value)));
    }
}

/* Lists of numbers or words stand on one line. */
static void put_elements(struct json_writer *writer, const struct json *list)
{
    const enum json_kind first = json_kind_of(json_element(list, 0));
    const bool nested = first == JSON_KIND_ARRAY || first == JSON_KIND_OBJECT;
    json_begin_array(writer, nested ? JSON_LINES : JSON_ONE_LINE);
    for (size_t i = 0; i < json_count(list); i++) {
        json_put_value(writer, json_element(list, i));
    }
    json_end_array(writer);
}

static void put_members(struct json_writer *writer, const struct json *object)
{
    void *place = NULL;
    const char *key = NULL;
    const struct json *member = NULL;
    json_begin_object(writer);
    while ((member = json_next_member(object, &place, &key)) != NULL) {
        json_key(writer, key);
        json_put_value(writer, member);
    }
    json_end_object(writer);
}

void json_put_value(struct json_writer *writer, const struct json *value)
{
    switch (json_kind_of(value)) {
    case JSON_KIND_OBJECT:
        put_members(writer, value);
        break;
    case JSON_KIND_ARRAY:
        put_elements(writer, value);
        break;
    case JSON_KIND_TEXT:
        json_put_text(writer, json_string_value(tree_of(value)));
        break;
    case JSON_KIND_NUMBER:
        put_number(writer, value);
        break;
    case JSON_KIND_BOOLEAN:
        json_put_truth(writer, json_is_true(tree_of(value)));
        break;
    case JSON_KIND_NULL:
    case JSON_KIND_NONE:
        json_put_null(writer);
        break;
    }
}
