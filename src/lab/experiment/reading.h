/* lab/experiment/reading.h — reads and writes members of JSON objects by a table, with errors that
 * name line and key; for the files of this room that read experiments and lessons. */
#ifndef LAB_EXPERIMENT_READING_H
#define LAB_EXPERIMENT_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/record.h"
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

/* Types of members that a record does not have. */
enum lab_member_type {
    LAB_MEMBER_TEXT = RECORD_TYPES, /* char [high]; with name_at one of the names */
    LAB_MEMBER_LONG_TEXT,           /* const char *, of the arena, of at most high bytes */
    LAB_MEMBER_PARTS,   /* unsigned: bit i stands for name i; a list of names in the file */
    LAB_MEMBER_NUMBERS, /* float [count], in the ranges of members; refused by the sentence row.help
                         */
    LAB_MEMBER_OBJECT,  /* a struct with members of its own; its first member is there with it */
    LAB_MEMBER_OWN      /* what its functions read and write */
};

/* A member: its row in the struct that is read (the record), whose key is its name, and where the
 * type does not say enough its own functions. It is written where it is there: by `is_there`, by
 * `has`, always, or where it is neither as `standard` says nor empty. */
struct lab_member {
    struct record_row row;
    /* Reads the value into the record. Returns false where it is refused, with the error set. */
    bool (*read)(struct lab_reading *reading, const struct json *value, void *record,
                 const struct lab_member *member);
    /* Writes the value. */
    void (*put)(struct json_writer *json, const void *record, const struct lab_member *member);
    bool (*is_there)(const void *record, const struct lab_member *member);
    size_t has; /* offset + 1 of a bool: it is there; set where it is read */
    bool is_always, is_needed;
    bool is_first; /* read before the others */
    /* Of an object: its members, which are written on one line or each on its own. kept: offset + 1
     * of the unknown members in the record; 0: they are refused. */
    const struct lab_member *members;
    size_t count, kept;
    bool on_one_line;
};

/* One of the ranges of a member of several numbers. */
#define LAB_RANGE(LOW, HIGH)                                                                       \
    {                                                                                              \
        .row = {.type = RECORD_NUMBER, .low = (LOW), .high = (HIGH) }                              \
    }

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
 * that is no object, and one without a member that is needed. Members that the table does not have
 * are refused too. Where reading->kept is set, they are kept as a text of the arena instead
 * (lab_unknown_json_put writes them again), unless their names are nearly those of members. Objects
 * within keep nothing unless asked to. */
bool lab_reading_members(struct lab_reading *reading, const struct json *object,
                         const struct lab_member *members, size_t count, void *record);

/* Writes the members that are there, in the order of the table, and behind them those that were
 * kept (NULL: none). */
void lab_members_put(struct json_writer *json, const struct lab_member *members, size_t count,
                     const void *record, const char *kept);

/* Writes the kept members alone. */
void lab_unknown_json_put(struct json_writer *json, const char *kept);

/* Finds a text among count names. Returns false where it is refused, with the names in the
 * error. */
bool lab_read_choice(struct lab_reading *reading, const struct json *value,
                     const char *(*name_at)(size_t index), size_t count, size_t *choice);

/* Reads a word of a list, or its place counted from 0. */
bool lab_read_place(struct lab_reading *reading, const struct json *value,
                    const struct lab_words *words, size_t *place);

#endif
