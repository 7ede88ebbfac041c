/* canvas/text/font_picture.h — inside of the room: letters that a font of the system has as
 * pictures in colours of their own, as most emoji are. What appends text to a list appends them as
 * images. */
#ifndef CANVAS_TEXT_FONT_PICTURE_H
#define CANVAS_TEXT_FONT_PICTURE_H

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

#endif
