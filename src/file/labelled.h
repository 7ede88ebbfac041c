/* file/labelled.h — a table of numbers with names, as spreadsheets, data frames and attnscope write
 * it:
 *
 *     ,cat,dog                    the names of the columns
 *     cat,0.7,0.3                 a row's name, where rows have one, and its numbers
 *     dog,0.2,0.8
 *
 * Fields are separated by commas, semicolons or tabs, and quoted as RFC 4180 has it. */
#ifndef FILE_LABELLED_H
#define FILE_LABELLED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

struct labelled {
    size_t rows, cols;
    const float *values;         /* [rows][cols] */
    const char *const *row_name; /* [rows]; NULL: they have none */
    const char *const *col_name; /* [cols] */
};

/* Whether a text begins like one: its first lines are enough. */
bool labelled_probe(struct bytes text);

/* All of it, owned by the arena. False and a sentence that names the line where it is none. */
bool labelled_read(struct bytes text, struct arena *arena, struct labelled *out,
                   struct error *error);

#endif
