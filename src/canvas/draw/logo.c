/* A causal pattern of attention: three rows, the diagonal darkest. */
#include "canvas/draw/logo.h"

void canvas_logo(struct canvas *canvas, float size)
{
    static const uint32_t shade[3][3] = {{0x08306B, 0xDEEBF7, 0xDEEBF7},
                                         {0x6BAED6, 0x2171B5, 0xDEEBF7},
                                         {0xC6DBEF, 0x4292C6, 0x08306B}};
    const float edge = size / 16, gap = size / 16, side = (size - 2 * edge - 2 * gap) / 3;
    canvas_begin(canvas, size, size);
    for (size_t row = 0; row < 3; row++) {
        for (size_t column = 0; column < 3; column++) {
            const struct rect cell = {edge + (float)column * (side + gap),
                                      edge + (float)row * (side + gap), side, side};
            canvas_rect(canvas, cell, size / 16,
                        &(struct paint){.fill = colour_hex(shade[row][column])});
        }
    }
}
