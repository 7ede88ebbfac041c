/* file/cell.h — the content of one cell of a table of text: a number, nothing, or a word. */
#ifndef FILE_CELL_H
#define FILE_CELL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum cell_kind { CELL_NUMBER, CELL_MISSING, CELL_WORD };

/* Returns the kind of the text; `comma`: a comma is its decimal sign. *number: the number, also ±∞
 * as programs write it; NaN of a missing one. Empty texts and "nan", "NA", "null" and the like are
 * missing. */
enum cell_kind cell_read(const char *text, bool comma, double *number);

/* Commas and points of the numbers of a table, counted cell by cell. */
struct cell_marks {
    size_t points, commas;
    size_t thousands; /* commas that may stand between thousands: "1,250", but not "0,250" */
};
void cell_count_marks(const char *text, struct cell_marks *marks);

/* Returns whether commas are decimal signs. False and a sentence: it cannot be told. */
bool cell_marks_decide(const struct cell_marks *marks, bool *comma, struct error *error);

#endif
