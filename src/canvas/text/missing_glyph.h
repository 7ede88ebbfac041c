/* canvas/text/missing_glyph.h — inside of the room: the box that stands for a letter that no font
 * has, with its code point in hexadecimal digits, in two rows: "U+10FFFD" as 10F over FFD. */
#ifndef CANVAS_TEXT_MISSING_GLYPH_H
#define CANVAS_TEXT_MISSING_GLYPH_H

#include <stdint.h>

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
