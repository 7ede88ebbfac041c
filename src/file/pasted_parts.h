/* file/pasted_parts.h — what the files of the reader of pasted matrices share: cells, and who cuts
 * them. */
#ifndef FILE_PASTED_PARTS_H
#define FILE_PASTED_PARTS_H

#include "file/pasted.h"

/* A piece of the text that stands where a number is expected. */
struct cell {
    const char *at;
    size_t length;
    size_t row; /* from 0, without gaps */
    bool quoted;
};

struct cells {
    struct arena *arena;
    struct cell *cell;
    size_t count, capacity;
    size_t row, row_at; /* the row that is being filled, and its first cell */
    bool comma;         /* a comma in a number is its decimal sign */
    bool failed;        /* too many, or no memory */
};

struct reader {
    const char *at, *end;
    struct error *error;
};

/* Fills the reader's error; false, always. */
bool pasted_refuse(const struct reader *reader, const char *sentence);

/* One more cell of the row; a row that holds nothing at all is none. */
void pasted_put(struct cells *cells, const char *at, size_t length, bool quoted);
void pasted_end_row(struct cells *cells);

/* Each cuts the text into cells (pasted_cut.c). False: a sentence. */
bool pasted_brackets(struct reader *reader, struct cells *cells); /* from the first bracket on */
bool pasted_latex(struct reader *reader, struct cells *cells);
bool pasted_table(struct reader *reader, struct cells *cells);

bool pasted_is_latex(const struct reader *reader);
const char *pasted_bracket(const struct reader *reader); /* the first; NULL: it is a table */

#endif
