#include "canvas/text/missing_glyph.h"

#include <stdio.h>
#include <string.h>

#define DIGITS 0.46f     /* size of the digits */
#define DIGIT_WIDTH 0.6f /* of JetBrains Mono, of its size */
#define DIGIT_HEIGHT 0.73f
#define PAD 0.1f

struct missing_glyph_box missing_glyph_box(uint32_t code_point)
{
    char digits[16];
    const int count = snprintf(digits, sizeof digits, code_point > 0xffff ? "%06X" : "%04X",
                               (unsigned)code_point);
    const size_t columns = (size_t)count / 2;
    struct missing_glyph_box box = {
        .gap = 0.07f,
        .top = -0.9f,
        .bottom = 0.14f,
        .digits = DIGITS,
    };
    box.width = (float)columns * DIGIT_WIDTH * DIGITS + 2 * (PAD + box.gap);
    const float high = DIGIT_HEIGHT * DIGITS;
    const float between = (box.bottom - box.top - 2 * high) / 3;
    for (size_t row = 0; row < 2; row++) {
        memcpy(box.row[row], digits + row * columns, columns);
        box.baseline[row] = box.top + (float)(row + 1) * (between + high);
    }
    return box;
}
