/* lab/experiment/reading.h — reads members of JSON objects by a table, with errors that name line
 * and key; for the files of this room that read experiments and lessons. */
#ifndef LAB_EXPERIMENT_READING_H
#define LAB_EXPERIMENT_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "file/json.h"
#include "lab/experiment/experiment.h"

enum { LAB_READING_DEPTH = 12 };

/* A text that is being read: the current place is a path of keys and, in arrays, of indices. */
struct lab_reading {
    struct bytes text;
    struct arena *arena; /* for everything that reading allocates */
    struct error *error;
    struct {
        const char *key; /* NULL: an array's element */
        size_t index;
    } path[LAB_READING_DEPTH];
    size_t depth;
    const char **kept;   /* receives the unknown members of the next object; NULL: they are
                            refused */
    const char *unknown; /* the first name that was kept; NULL: none */
};

struct lab_member {
    const char *name;
    /* Reads value into place. Returns false where it is refused, with the error set. */
    bool (*read)(struct lab_reading *reading, const struct json *value, void *place,
                 const struct lab_member *member);
    size_t at;        /* of the place, in the record */
    double low, high; /* of numbers */
};

void lab_reading_enter(struct lab_reading *reading, const char *key, size_t index);
void lab_reading_leave(struct lab_reading *reading);

/* Reports an error at the current path: "Line 12, “heads”: " and the formatted sentence. Returns
 * false. */
bool lab_reading_refuse(struct lab_reading *reading, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Reads every member of an object that is there, in the order of the table, and refuses anything
 * that is no object. Members that the table does not have are refused too. Where reading->kept is
 * set, they are kept as a text of the arena instead (lab_unknown_json_put writes them again),
 * unless their names are nearly those of members. Objects within keep nothing unless asked to. */
bool lab_reading_members(struct lab_reading *reading, const struct json *object,
                         const struct lab_member *members, size_t count, void *record);

/* Writes the members that were kept into the object that is being written; NULL: there are none. */
void lab_unknown_json_put(struct json_writer *json, const char *kept);

/* Readers for tables. Their places are size_t, float, bool, and char [at least 32] (high: its
 * size). */
bool lab_read_size(struct lab_reading *reading, const struct json *value, void *place,
                   const struct lab_member *member);
bool lab_read_float(struct lab_reading *reading, const struct json *value, void *place,
                    const struct lab_member *member);
bool lab_read_truth(struct lab_reading *reading, const struct json *value, void *place,
                    const struct lab_member *member);
bool lab_read_short_text(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member);

/* Reads a text of the arena, at most member->high bytes; place: const char *. */
bool lab_read_text(struct lab_reading *reading, const struct json *value, void *place,
                   const struct lab_member *member);

/* Finds a text among count names. Returns false where it is refused, with the names in the
 * error. */
bool lab_read_choice(struct lab_reading *reading, const struct json *value,
                     const char *(*name_at)(size_t index), size_t count, size_t *choice);

/* Reads a word of a list, or its place counted from 0. */
bool lab_read_place(struct lab_reading *reading, const struct json *value,
                    const struct lab_words *words, size_t *place);

#endif
