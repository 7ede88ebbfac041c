/* file/pasted.h — a matrix as people copy it out of other programs.
 *
 * Tables (tabs, commas, semicolons, blanks; the words of a first row and a first column are passed
 * over, and a first row that only counts the columns), brackets (NumPy with or without commas,
 * JSON, PyTorch, MATLAB) and LaTeX (anything between & and \\). */
#ifndef FILE_PASTED_H
#define FILE_PASTED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

enum { PASTED_BYTES_MAX = 4 << 20, PASTED_NUMBERS_MAX = 1 << 18 };

struct pasted {
    size_t rows, cols;
    const float *values; /* [rows][cols], owned by the arena; NaN: an empty cell, else finite */
};

/* Numbers have a point, or a comma where it cannot mean anything else; a true minus sign is one;
 * 1e-3 is a number, and so is \frac{1}{2}. 1/2, which may be a date, and −∞ are none; NaN, NA and
 * nothing are empty cells (file/cell.h), but not behind the last column. False and one sentence:
 * there is no matrix in the text. */
bool pasted_read(struct bytes text, struct arena *arena, struct pasted *out, struct error *error);

#endif
