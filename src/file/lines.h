/* file/lines.h — a text line by line, for the readers of this room. */
#ifndef FILE_LINES_H
#define FILE_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

struct line {
    const char *at; /* into the text; ends in no 0 */
    size_t length;  /* without the line break and white space before it */
    size_t number;  /* from 1; 0 before the first line */
};

/* Where the text begins behind a byte-order mark, if there is one. */
size_t lines_start(struct bytes text);

/* Moves on to the next line that holds more than white space; false when there is none. */
bool lines_next(struct bytes text, size_t *at, struct line *line);

#endif
