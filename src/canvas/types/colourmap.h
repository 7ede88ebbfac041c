/* canvas/types/colourmap.h — numbers into colours, from a table of named maps. */
#ifndef CANVAS_TYPES_COLOURMAP_H
#define CANVAS_TYPES_COLOURMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "canvas/types/colour.h"

enum colourmap_kind { COLOURMAP_UNSIGNED, COLOURMAP_SIGNED };

struct colourmap {
    const char *name;  /* as options write it: "blues", "rdbu" */
    const char *title; /* as people read it: "Blues", "RdBu" */
    enum colourmap_kind kind;
    bool dark; /* made for a dark ground */
    size_t stops;
    const unsigned *stop; /* 0xRRGGBB, evenly spaced from 0 to 1 */
};

/* The map at index 0, 1 … ; NULL behind the last. */
const struct colourmap *colourmap_at(size_t index);

/* By name, letter case ignored; NULL when there is none. */
const struct colourmap *colourmap_find(const char *name);

/* The default map for a kind on a light or a dark ground. */
const struct colourmap *colourmap_default(enum colourmap_kind kind, bool dark);

/* The colour at t, 0 … 1 (clamped; NaN as 0). For signed maps 0.5 is zero. */
struct colour colourmap_colour(const struct colourmap *map, float t);

#endif
