/* canvas/types/colour.h — colours as people write them, which ink can be read on them, and the maps
 * that turn values into colours. */
#ifndef CANVAS_TYPES_COLOUR_H
#define CANVAS_TYPES_COLOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct colour {
    uint8_t red, green, blue, alpha; /* sRGB, alpha not multiplied in; all 0 draws nothing */
};

/* 0xRRGGBB as an opaque colour. */
static inline struct colour colour_hex(uint32_t rgb)
{
    return (struct colour){(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb, 255};
}

/* A channel without its alpha (1 … 255) multiplied in. */
static inline uint32_t colour_divide(uint32_t value, uint32_t alpha)
{
    const uint32_t whole = (value * 255 + alpha / 2) / alpha;
    return whole < 255 ? whole : 255;
}

/* The colour with its alpha multiplied by share (0 … 1). */
struct colour colour_fade(struct colour colour, float share);

/* a at t = 0, b at t = 1, straight in between; alpha too. t is clamped. */
struct colour colour_mix(struct colour a, struct colour b, float t);

/* Relative luminance after WCAG 2, 0 black … 1 white; alpha ignored. */
float colour_luminance(struct colour colour);

/* Contrast after WCAG 2, 1 … 21. */
float colour_contrast(struct colour a, struct colour b);

/* Of a dark and a white ink the one with the larger contrast on ground. */
struct colour colour_ink_on(struct colour ground);

/* --- numbers into colours, from a table of named maps. --- */

enum colourmap_kind { COLOURMAP_UNSIGNED, COLOURMAP_SIGNED };

struct colourmap {
    const char *name;  /* as options write it: "blues", "rdbu" */
    const char *title; /* as people read it: "Blues", "RdBu" */
    enum colourmap_kind kind;
    bool dark; /* made for a dark ground */
    size_t stops;
    const unsigned *stop; /* 0xRRGGBB, evenly spaced from 0 to 1 */
};

/* Returns the map at an index; NULL behind the last. */
const struct colourmap *colourmap_at(size_t index);

/* By name, letter case ignored; NULL when there is none. */
const struct colourmap *colourmap_find(const char *name);

/* The default map for a kind on a light or a dark ground. */
const struct colourmap *colourmap_default(enum colourmap_kind kind, bool dark);

/* Returns the colour at t, 0 … 1 (clamped; NaN as 0). For signed maps 0.5 is zero. */
struct colour colourmap_colour(const struct colourmap *map, float t);

#endif
