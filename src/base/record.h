/* base/record.h — a struct whose members are described by a table, a row each (a record). JSON,
 * options, help, sliders, ranges and differences are made of the rows, so that a new member is one
 * row, and its name, range and default stand once.
 *
 *     static const struct record_row rows[] = {
 *         {.type = RECORD_COUNT, .at = offsetof(struct shape, heads), .key = "heads",
 *          .low = 1, .high = 64, .what = "The number of heads"}};
 *     static const struct record record = {rows, 1, sizeof *rows};
 *
 * file/record_json.h reads and writes the members as JSON. */
#ifndef BASE_RECORD_H
#define BASE_RECORD_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* The type of a member. */
enum record_type {
    RECORD_SWITCH, /* bool */
    RECORD_COUNT,  /* size_t */
    RECORD_SEED,   /* uint64_t */
    RECORD_NUMBER, /* float */
    RECORD_DOUBLE, /* double */
    RECORD_CHOICE, /* an enum without negative values */
    RECORD_LIST,   /* struct record_list */
    RECORD_TYPES   /* the first that a module may add */
};

/* Whole numbers from 1 on, each once and in rising order; those behind the count are 0. As a text
 * it is "3,7", as a number how many there are. */
enum { RECORD_LIST_MAX = 16, RECORD_LISTED_MAX = 99999 };
struct record_list {
    uint32_t count, number[RECORD_LIST_MAX];
};

#define RECORD_UNBOUNDED ((double)FLT_MAX)
#define RECORD_SEED_MAX 18446744073709551616.0 /* 2⁶⁴: the range of a seed ends before it */

struct record_row {
#include "base/record_row.inc"
};

struct record {
    const void *rows;
    size_t count, size; /* rows, and bytes of each; a row begins with a struct record_row */
};

/* Returns a row; NULL behind the last, or where no row has this key. */
const struct record_row *record_row(const struct record *record, size_t index);
const struct record_row *record_find(const struct record *record, const char *key);
size_t record_index(const struct record *record, const struct record_row *row);

/* Returns the row at a place of an order, the first from 0, and NULL behind the last. rank_of says
 * where a row stands, from 1; equal ranks stand in the order of the table. 0: it is left out. */
const struct record_row *record_in_order(const struct record *record,
                                         size_t (*rank_of)(const struct record_row *row),
                                         size_t place);

/* A value as a number: a switch is 0 or 1, a choice its index. A large seed loses digits. value:
 * the struct that the rows describe. */
double record_get(const struct record_row *row, const void *value);
void record_put(const struct record_row *row, void *value, double number);

/* Says whether a member of two structs has the same bytes. */
bool record_equal(const struct record_row *row, const void *a, const void *b);

/* Says whether the member applies, by `needs`. */
bool record_applies(const struct record *record, const struct record_row *row, const void *value);

/* Write a number, or the member with every digit, as options write it ("4", "0.5", "on", "rope"),
 * and return text. */
enum { RECORD_TEXT_MAX = 96 };
const char *record_number_text(const struct record_row *row, double number,
                               char text[RECORD_TEXT_MAX]);
const char *record_text(const struct record_row *row, const void *value,
                        char text[RECORD_TEXT_MAX]);

/* Reads such a text into the member, whatever its range. Returns false where it is none. */
bool record_read(const struct record_row *row, const char *text, void *value);

/* Adds a number to a list. Returns false where it is 0, above RECORD_LISTED_MAX or there already,
 * or the list is full. */
bool record_list_add(struct record_list *list, uint64_t number);
bool record_list_has(const struct record_list *list, uint64_t number);

/* Says whether a number is in the range of the row. */
bool record_is_in_range(const struct record_row *row, double number);

/* Returns the possible values: "1 to 256", "above 0 and at most 1000", "on or off", "none,
 * sinusoidal, rope"; "": there is no short list. The arena owns it. */
const char *record_range(const struct record_row *row, struct arena *arena);

/* Checks a number, or every member that has `what` and applies. Returns false and a sentence such
 * as "The number of heads must be 1 to 256, not 0." */
bool record_check_number(const struct record_row *row, double number, struct error *error);
bool record_check(const struct record *record, const void *value, struct error *error);

#endif
