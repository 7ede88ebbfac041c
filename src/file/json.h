/* file/json.h — JSON read into a tree and written as a stream (RFC 8259; the reader is jansson's).
 *
 *     struct json *lesson = json_parse(content, &error);
 *     const char *title = NULL;
 *     json_text(json_member(lesson, "title"), &title);      false: missing, or not a text
 *     json_release(lesson);
 *
 *     struct json_writer json = json_writer_start(&arena);
 *     json_begin_object(&json);
 *     json_key(&json, "weights");
 *     json_put_floats(&json, 2, (size_t[]){n, n}, weights);
 *     json_end_object(&json);
 *     if (!json_writer_finish(&json, &content, &error)) … */
#ifndef FILE_JSON_H
#define FILE_JSON_H

#include <stdint.h>

#include "file/array.h"
#include "file/growing.h"

enum {
    JSON_DEPTH_MAX = 64,
    JSON_BYTES_MAX = 64 * 1024 * 1024,
    JSON_SKIPPED_BYTES = 64 * 1024,
};

/* Reading. */

struct json; /* a value; belongs to the tree json_parse gave */

enum json_kind {
    JSON_KIND_NONE, /* of a NULL pointer */
    JSON_KIND_NULL,
    JSON_KIND_BOOLEAN,
    JSON_KIND_NUMBER,
    JSON_KIND_TEXT,
    JSON_KIND_ARRAY,
    JSON_KIND_OBJECT,
};

/* The tree of a whole JSON text (a byte-order mark is allowed, a name twice in one object is not).
 * NULL on failure; the error says line and column, its `at` is the byte. The caller releases the
 * tree. */
struct json *json_parse(struct bytes text, struct error *error);

/* json_parse for a text that must be smaller or flatter than others, or may be larger. */
struct json_limits {
    size_t bytes, depth, values; /* 0: that of json_parse; values: members and elements, none */
    size_t text;                 /* bytes of one text */
    size_t cells;                /* of memory that the tree takes, some 48 bytes each */
    size_t row;                  /* elements of one array, members of one object; 0: any number */
    /* A list or an object of more than JSON_SKIPPED_BYTES is read under these names alone (NULL
     * behind the last; NULL in place of all: under any). Under another it is passed over and is
     * null: nobody asks for it, and it would take some thirty times its bytes. */
    const char *const *large;
    bool reals; /* whole numbers are numbers of any size, not refused where no int64 holds them */
    bool constants; /* NaN, Infinity and -Infinity, which Python's json writes, are values: texts,
                       so that whoever asks for a number there is told that there is none */
};
struct json *json_parse_within(struct bytes text, const struct json_limits *limits,
                               struct error *error);
void json_release(struct json *tree); /* NULL allowed */

/* All of these take NULL, and a value of the wrong kind, for "there is none". */
enum json_kind json_kind_of(const struct json *value);
const struct json *json_member(const struct json *object, const char *key);
size_t json_count(const struct json *array_or_object);
const struct json *json_element(const struct json *array, size_t index);

/* The members of an object in their order: start with *place = NULL; NULL behind the last. */
const struct json *json_next_member(const struct json *object, void **place, const char **key);

/* The value as a C value; false, with *out untouched, when it is not of that kind (or range). A
 * text is valid UTF-8, ends in a 0 and lives as long as the tree. */
bool json_number(const struct json *value, double *out);
bool json_whole_number(const struct json *value, int64_t *out);
bool json_truth(const struct json *value, bool *out);
bool json_text(const struct json *value, const char **out);

/* A new object of no members, which the caller releases; NULL: no memory. And members of another
 * object, which it shares from then on: those of the names (ended by NULL; NULL: all), but for what
 * it has already. False: no memory. */
struct json *json_make_object(void);
bool json_add_members(struct json *object, const struct json *from, const char *const *names);

/* Nested arrays of numbers of equal lengths as floats: [[1, 2, 3], [4, 5, 6]] has rank 2 and shape
 * 2 × 3. null is NaN. Owned by the arena. */
bool json_floats(const struct json *value, struct arena *arena, struct array *out,
                 struct error *error);

/* Writing. Objects stand one member a line, arrays as their layout says. Text is made UTF-8. */

enum json_layout { JSON_ONE_LINE, JSON_LINES };

struct json_writer {
    struct growing text;
    size_t depth;
    enum json_layout layout[JSON_DEPTH_MAX];
    bool has_items[JSON_DEPTH_MAX]; /* of the array or object open at that depth */
    bool after_key;
};

struct json_writer json_writer_start(struct arena *arena);

void json_begin_object(struct json_writer *writer);
void json_begin_object_in_line(struct json_writer *writer); /* {"a": 1, "b": 2} */
void json_end_object(struct json_writer *writer);
void json_begin_array(struct json_writer *writer, enum json_layout layout);
void json_end_array(struct json_writer *writer);
void json_key(struct json_writer *writer, const char *key); /* before every value in an object */

/* A number is the shortest text that reads back as the same; one that is not finite is null. */
void json_put_float(struct json_writer *writer, float value);
void json_put_double(struct json_writer *writer, double value);
void json_put_whole_number(struct json_writer *writer, int64_t value);
void json_put_truth(struct json_writer *writer, bool value);
void json_put_null(struct json_writer *writer);
void json_put_text(struct json_writer *writer, const char *text); /* NULL is null */
void json_put_texts(struct json_writer *writer, const char *const *texts, size_t count);

/* Writes row-major floats as nested arrays, the innermost ones one a line; rank 1 to
 * ARRAY_RANK_MAX. */
void json_put_floats(struct json_writer *writer, size_t rank, const size_t *shape,
                     const float *values);
void json_put_array(struct json_writer *writer, const struct array *array);

/* A value that was read, with all that is in it. */
void json_put_value(struct json_writer *writer, const struct json *value);

/* The whole text with a newline at its end, owned by the arena. */
bool json_writer_finish(struct json_writer *writer, struct bytes *out, struct error *error);

#endif
