/* canvas/render/pixels.h — inside of the room: drawing straight into pixels what needs no geometry.
 */
#ifndef CANVAS_RENDER_PIXELS_H
#define CANVAS_RENDER_PIXELS_H

#include "canvas/draw/shape.h"
#include "canvas/render/render.h"

/* Coverage, 0 … 255, row by row. */
struct pixels_mask {
    int width, height;
    const uint8_t *at;
};

/* Lays colour over the pixels with the mask's corner at left, top. */
void pixels_blend_mask(const struct render_pixels *pixels, struct shape_box clip,
                       const struct pixels_mask *mask, int left, int top, struct colour colour);

/* Each pixel of the box takes the cell that its middle lies in. */
void pixels_draw_cells(const struct render_pixels *pixels, struct shape_box clip,
                       struct shape_box box, uint32_t columns, uint32_t rows,
                       const struct colour *cells);

/* Each pixel of the box takes the mean of the cells that it covers. */
void pixels_draw_picture(const struct render_pixels *pixels, struct shape_box clip,
                         struct shape_box box, uint32_t columns, uint32_t rows,
                         const struct colour *cells);

/* count cells into pixels as render_pixels has them with alpha: 0xAARRGGBB, alpha multiplied in. */
void pixels_premultiply(const struct colour *cell, size_t count, uint8_t *pixels);

/* Overwrites the clip. */
void pixels_fill(const struct render_pixels *pixels, struct shape_box clip, struct colour colour);

#endif
