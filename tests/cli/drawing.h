/* tests/cli/drawing.h — an SVG of the program as marks on a page, and what can be wrong with them.
 *
 *     svg ──drawing_read──► texts with their boxes, shapes on a raster ──drawing_fault──► a
 * sentence
 *
 * Lengths are points, y goes down. A box of a text reaches from its baseline to the height of its
 * capitals, turned as the text is. */
#ifndef TESTS_CLI_DRAWING_H
#define TESTS_CLI_DRAWING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { DRAWING_RASTER = 60 }; /* fields in each direction of the page */

struct drawing_text {
    double corner[4][2]; /* of its box: along the baseline, then back above it */
    double size;         /* of its letters */
    bool is_number;
    const char *words;
};

struct drawing {
    double wide, high;
    struct drawing_text *text;
    size_t texts;
    size_t shapes;
    bool inked[DRAWING_RASTER][DRAWING_RASTER]; /* rows of fields that something is drawn in */
};

/* Reads an SVG, which ends with a 0; everything is owned by the arena. Fails the test where it
 * cannot. */
struct drawing drawing_read(const char *svg, struct arena *arena);

/* What is asked of a drawing. */
struct drawing_rules {
    double smallest;  /* size of letters, points */
    double empty_max; /* share of the page that the largest rectangle without ink may have */
    const char *const *names; /* that must stand in it, or it says that some are left out */
    size_t names_count;
};

/* Returns what is wrong, a sentence owned by the arena; NULL: nothing is. */
const char *drawing_fault(const struct drawing *drawing, const struct drawing_rules *rules,
                          struct arena *arena);

/* The share of the page that the largest rectangle without ink has. */
double drawing_empty(const struct drawing *drawing);

#endif
