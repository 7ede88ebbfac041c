/* lab/experiment/reading.h — reading members of JSON objects by a table, with errors that name line
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

/* A text being read: where it stands is a path of keys and, in arrays, of places. */
struct lab_reading {
    struct bytes text;
    struct arena *arena; /* for what reading needs and gives */
    struct error *error;
    struct {
        const char *key; /* NULL: an array's element */
        size_t index;
    } path[LAB_READING_DEPTH];
    size_t depth;
    const char **kept;   /* where the next object's unknown members go; NULL: they are refused */
    const char *unknown; /* the first name that was kept; NULL: none */
};

struct lab_member {
    const char *name;
    /* Reads value into place; false: refused, the error is set. */
    bool (*read)(struct lab_reading *reading, const struct json *value, void *place,
                 const struct lab_member *member);
    size_t at;        /* of the place, in the record */
    double low, high; /* of numbers */
};

void lab_reading_enter(struct lab_reading *reading, const char *key, size_t index);
void lab_reading_leave(struct lab_reading *reading);

/* "Line 12, “heads”: " and the formatted sentence, at where the path stands. Returns false. */
bool lab_reading_refuse(struct lab_reading *reading, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Reads every member of an object that is there, in the order of the table. Refuses what is no
 * object. Members that the table does not have are refused too; where reading->kept says so, they
 * are kept as a text of the arena instead (lab_kept_put writes them again), but for those whose
 * names are nearly that of a member. The objects inside of it keep nothing unless told to. */
bool lab_reading_members(struct lab_reading *reading, const struct json *object,
                         const struct lab_member *members, size_t count, void *record);

/* Writes the members that were kept into the object that is being written; NULL: there are none. */
void lab_kept_put(struct json_writer *json, const char *kept);

/* Readers for tables. Places: size_t, float, bool, and char [at least 32] (high: its size). */
bool lab_read_size(struct lab_reading *reading, const struct json *value, void *place,
                   const struct lab_member *member);
bool lab_read_float(struct lab_reading *reading, const struct json *value, void *place,
                    const struct lab_member *member);
bool lab_read_truth(struct lab_reading *reading, const struct json *value, void *place,
                    const struct lab_member *member);
bool lab_read_short_text(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member);

/* A text of the arena, at most member->high bytes; place: const char *. */
bool lab_read_text(struct lab_reading *reading, const struct json *value, void *place,
                   const struct lab_member *member);

/* The place of a text among names (count of them); false: refused, with the names in the error. */
bool lab_read_choice(struct lab_reading *reading, const struct json *value,
                     const char *(*name_at)(size_t index), size_t count, size_t *choice);

/* A word of a list, or its place counted from 0. */
bool lab_read_place(struct lab_reading *reading, const struct json *value,
                    const struct lab_words *words, size_t *place);

#endif
