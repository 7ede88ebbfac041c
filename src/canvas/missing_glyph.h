/* canvas/missing_glyph.h — inside of the room: the box that stands for a letter that no font has,
 * with its code point in hexadecimal digits, in two rows: "U+10FFFD" as 10F over FFD. */
#ifndef CANVAS_MISSING_GLYPH_H
#define CANVAS_MISSING_GLYPH_H

#include "canvas/canvas.h"

/* Sizes in ems of the text it stands in. */
struct missing_glyph_box {
    char row[2][5];
    float width; /* with the gap to its neighbours */
    float gap, top, bottom;
    float digits;      /* size of the digits */
    float baseline[2]; /* of each row; downward from the text's */
};

struct missing_glyph_box missing_glyph_box(uint32_t code_point);

/* Appends the box of a stretch of a text that begins at x with its baseline at y. */
void missing_glyph_draw(struct canvas *canvas, float x, float y, float size, struct colour colour,
                        const struct font_stretch *stretch);

#endif
