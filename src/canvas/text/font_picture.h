/* canvas/text/font_picture.h — inside of the room: letters that a font of the system has as
 * pictures in colours of their own, as most emoji are. What appends text to a list appends them as
 * images. */
#ifndef CANVAS_TEXT_FONT_PICTURE_H
#define CANVAS_TEXT_FONT_PICTURE_H

#include <stdint.h>

#include "canvas/text/font_internal.h"
#include "canvas/types/colour.h"
#include "canvas/types/rect.h"

struct font_picture {
    uint32_t columns, rows;
    const struct colour *cell; /* row by row */
    struct rect place;         /* ems from the pen on the baseline, y downward */
};

/* The picture of a glyph with at least `pixels` for an em, where the font has as many; owned by
 * fonts. NULL: the font has no picture that can be read, or there is no memory. */
const struct font_picture *font_picture(struct fonts *fonts, uint32_t file, uint32_t glyph,
                                        float pixels);

void font_pictures_close(struct font_pictures *pictures);

/* the box that stands for a letter that no font
 * has, with its code point in hexadecimal digits, in two rows: "U+10FFFD" as 10F over FFD. */

/* Sizes in ems of the text it stands in. */
struct missing_glyph_box {
    char row[2][5];
    float width; /* with the gap to its neighbours */
    float gap, top, bottom;
    float digits;      /* size of the digits */
    float baseline[2]; /* of each row; downward from the text's */
};

struct missing_glyph_box missing_glyph_box(uint32_t code_point);

#endif
