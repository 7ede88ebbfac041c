/* file/table.h — one table of numbers as text, with names of its columns and rows or without, as
 * spreadsheets, data frames, NumPy and attnscope write it:
 *
 *     ,cat,dog                    the names of the columns
 *     cat,0.7,                    a row's name, where rows have one, and its numbers
 *     dog,0.2,0.8
 *
 * Fields are separated by tabs, semicolons, commas or (without names) spaces, and quoted as RFC
 * 4180 has it. Numbers have a point, or all of them a comma where it cannot mean anything else. An
 * empty field, and what programs write for a missing number ("nan", "NA", "null"), is NaN. What a
 * spreadsheet leaves behind is no part of the table: separators behind the last column, rows of
 * nothing but separators below the last one; unless the table is square only with them. */
#ifndef FILE_TABLE_H
#define FILE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

enum { TABLE_COLS_MAX = 1 << 16 }; /* a longer row is refused where it gets too long */

struct table {
    size_t rows, cols;
    const float *values;         /* [rows][cols]; NaN: missing */
    const char *const *row_name; /* [rows]; NULL: they have none */
    const char *const *col_name; /* [cols]; NULL: they have none */
};

/* Returns whether a text begins like one: its first lines are enough. */
bool table_probe(struct bytes text);

/* All of it, owned by the arena. Lines that begin with # are passed over where columns have no
 * names. False and a sentence that names the line: it is none. */
bool table_read(struct bytes text, struct arena *arena, struct table *out, struct error *error);

#endif
