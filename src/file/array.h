/* file/array.h — the array every reader of numbers gives and every writer takes.
 *
 * An array is a view: it says where the numbers are and how they lie there, and owns nothing. */
#ifndef FILE_ARRAY_H
#define FILE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

enum { ARRAY_RANK_MAX = 8 };

enum array_type {
    ARRAY_BOOLEAN,
    ARRAY_INT8,
    ARRAY_INT16,
    ARRAY_INT32,
    ARRAY_INT64,
    ARRAY_UINT8,
    ARRAY_UINT16,
    ARRAY_UINT32,
    ARRAY_UINT64,
    ARRAY_FLOAT16,
    ARRAY_BFLOAT16, /* the upper half of a float32 */
    ARRAY_FLOAT32,
    ARRAY_FLOAT64,
    ARRAY_TYPES,
};

enum byte_order { BYTE_ORDER_LITTLE, BYTE_ORDER_BIG };

struct array {
    const char *name; /* "" when it has none */
    enum array_type type;
    enum byte_order order;
    size_t rank; /* 0: a single number */
    size_t shape[ARRAY_RANK_MAX];
    ptrdiff_t strides[ARRAY_RANK_MAX]; /* in bytes */
    struct bytes bytes;                /* owned by the caller; all numbers lie inside */
    /* In place of bytes: how its numbers are made when they are asked for, and how many rows of the
     * last axis are made that way before its first. */
    const struct array_filling *filling;
    size_t rows_before;
};

/* Float32 numbers that are made some rows of the last axis at a time, so that there are never more
 * of them in memory. */
struct array_filling {
    /* `count` rows from the row `first` on, which is a multiple of rows_at_once; false: a sentence.
     */
    bool (*fill)(const void *owner, size_t first, size_t count, float *out, struct error *error);
    const void *owner;
    size_t rows_at_once;
};

/* An array of a file that cannot be read: its numbers are of none of these types, or it is damaged.
 */
struct array_unread {
    struct array array; /* its name and shape; of the rest nothing is set */
    char type[24];      /* as people or the file call it: "complex64", "F8_E4M3" */
    const char *why;    /* a sentence, owned by the arena it was listed into; NULL: its type */
};

/* An array of texts: tokens, names. Where they stand is known to the reader of its file. */
struct array_texts {
    const char *name;
    size_t rank, shape[ARRAY_RANK_MAX];
};

/* The type of what Python calls None, which a model gives in place of attention that it does not
 * keep. */
#define ARRAY_NOTHING "None"

/* The bytes one number of this type takes, and its name for people ("float32"). */
size_t array_type_size(enum array_type type);
const char *array_type_name(enum array_type type);

/* Rows of the last axis one behind the other, as float32; a single number is a row. Of an array
 * that lies in memory in any way, or of one that is filled. */
struct array_rows {
    const struct array *array;
    size_t count, cols;       /* how many rows there are, of how many numbers each */
    float *values;            /* [held][cols] rows at hand */
    size_t at_once;           /* so many are made together */
    size_t first, held, next; /* of those at hand the number of the first; the next to be given */
};

/* Room for the rows at hand, owned by the arena; nothing is made so far. */
bool array_rows_start(struct array_rows *rows, const struct array *array, struct arena *arena,
                      struct error *error);

/* The next rows, *count of them, at least one until all were given (then 0); they stay until the
 * next call. */
bool array_rows_next(struct array_rows *rows, const float **values, size_t *count,
                     struct error *error);

/* The next row alone; NULL and a sentence where it cannot be made. There must be one. */
const float *array_rows_one(struct array_rows *rows, struct error *error);

/* A row-major view of floats: array_of_floats("Q", 3, (size_t[]){heads, n, d_k}, q). The sizes were
 * checked by whoever made the floats; rank is at most ARRAY_RANK_MAX. */
struct array array_of_floats(const char *name, size_t rank, const size_t *shape,
                             const float *values);

/* Makes a view of a list of whole numbers. */
struct array array_of_whole_numbers(const char *name, size_t count, const int64_t *values);

/* Makes an array of that shape whose numbers are filled; the filling lives as long as the array. */
struct array array_of_filling(const char *name, size_t rank, const size_t *shape,
                              const struct array_filling *filling);

/* How many numbers the array has. */
size_t array_count(const struct array *array);

/* The shape with `between` between its sizes: "2 × 3", "2x3"; "1" for a single number. Owned by the
 * arena; NULL: no memory. */
const char *array_shape_text(const struct array *array, const char *between, struct arena *arena);

/* The number at that place of row-major order (place < array_count). */
double array_number(const struct array *array, size_t place);

/* Copies the numbers first … first + count − 1 of row-major order as float32. Half precision
 * becomes single exactly. A dense array is read at the speed of memory. */
void array_copy_floats(const struct array *array, size_t first, size_t count, float *out);

/* The float32 numbers where they stand, row-major, without a copy; NULL when they stand there in
 * another way (another type, order or place in memory), or when there are none. */
const float *array_floats_in_place(const struct array *array);

/* All numbers as float32 in row-major order, owned by the arena, aligned to 64. NULL: no memory, or
 * they cannot be made. */
float *array_floats(const struct array *array, struct arena *arena, struct error *error);

#endif
