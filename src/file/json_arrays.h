/* file/json_arrays.h — arrays as json.dump writes them: {"attention": [[…]], "tokens": ["a", …]}.
 *
 * Nested lists of numbers are arrays by their names; of objects inside of the object, and of lists
 * of objects, the names are joined by points ("layers.0.attention"). Lists of unequal length are
 * taken apart ("attentions_0", "attentions_1" …). null and NaN are NaN, Infinity is one too. Texts
 * and lists of texts are notes, as in a header of safetensors. A list of lists alone has no name.
 *
 * Numbers go straight into float32 (whole numbers of a list or a table into int64): memory is that
 * of the numbers. */
#ifndef FILE_JSON_ARRAYS_H
#define FILE_JSON_ARRAYS_H

#include "file/array.h"

enum {
    JSON_ARRAYS_BYTES_MAX = 256 << 20,  /* of the file */
    JSON_ARRAYS_NUMBERS_MAX = 32 << 20, /* of all arrays */
    JSON_ARRAYS_COUNT_MAX = 16 << 10,   /* arrays, and notes */
    JSON_ARRAYS_NOTHING_MAX = 64,       /* arrays that hold nothing, and are told of */
    JSON_ARRAYS_NOTE_MAX = 4 << 20,     /* bytes of one note */
    JSON_ARRAYS_DEPTH_MAX = 32          /* objects and lists around an array */
};

struct json_arrays {
    const struct array *array; /* [count] */
    size_t count;
    const struct array_unread *unread; /* [unread_count] attention by its name that holds nothing */
    size_t unread_count;
    const char *const *note; /* [2 · notes]: name and text by turns; a list of texts is JSON */
    size_t notes;
};

/* Returns whether a text begins like one, or like several of them, one a line, which are refused. A
 * lesson and the sizes of a model do not. */
bool json_arrays_probe(struct bytes beginning);

/* All of it, owned by the arena. False and a sentence that names the line, or the array. */
bool json_arrays_read(struct bytes text, struct arena *arena, struct json_arrays *out,
                      struct error *error);

#endif
