/* Blending in sRGB, as Cairo does it, over 0xAARRGGBB with alpha multiplied in. */
#include "canvas/pixels.h"

#include <string.h>

static uint32_t *row_at(const struct play_pixels *pixels, int y) {
    return (uint32_t *)(void *)(pixels->at + (ptrdiff_t)y * pixels->pitch);
}

/* x / 255 rounded, for x up to 255 · 255 (Blinn 1995, "Three Wrongs Make a Right"). */
static uint32_t divide_255(uint32_t x) {
    x += 128;
    return (x + (x >> 8)) >> 8;
}

static uint32_t blend_channel(uint32_t under, uint32_t over, uint32_t share) {
    return divide_255(over * share + under * (255 - share));
}

static uint32_t blend(uint32_t under, struct colour colour, uint32_t share) {
    const uint32_t alpha = blend_channel(under >> 24, 255, share);
    const uint32_t red = blend_channel(under >> 16 & 255, colour.red, share);
    const uint32_t green = blend_channel(under >> 8 & 255, colour.green, share);
    const uint32_t blue = blend_channel(under & 255, colour.blue, share);
    return alpha << 24 | red << 16 | green << 8 | blue;
}

void pixels_blend_mask(const struct play_pixels *pixels, struct shape_box clip,
                       const struct pixels_mask *mask, int left, int top, struct colour colour) {
    const struct shape_box box =
        shape_box_cut(clip, (struct shape_box){left, top, left + mask->width, top + mask->height});
    for (int y = box.top; y < box.bottom; y++) {
        uint32_t *row = row_at(pixels, y);
        const uint8_t *cover = mask->at + (ptrdiff_t)(y - top) * mask->width - left;
        for (int x = box.left; x < box.right; x++) {
            if (cover[x] != 0) {
                row[x] = blend(row[x], colour, divide_255((uint32_t)cover[x] * colour.alpha));
            }
        }
    }
}

/* The cell of `cells` that the middle of pixel `at` of `extent` lies in. */
static size_t cell_of(int at, int extent, uint32_t cells) {
    return (size_t)((uint64_t)(2 * (int64_t)at + 1) * cells / (2 * (uint64_t)extent));
}

void pixels_draw_cells(const struct play_pixels *pixels, struct shape_box clip,
                       struct shape_box box, uint32_t columns, uint32_t rows,
                       const struct colour *cells) {
    const struct shape_box cut = shape_box_cut(clip, box);
    for (int y = cut.top; y < cut.bottom; y++) {
        uint32_t *row = row_at(pixels, y);
        const struct colour *line =
            cells + cell_of(y - box.top, box.bottom - box.top, rows) * columns;
        for (int x = cut.left; x < cut.right; x++) {
            const struct colour cell = line[cell_of(x - box.left, box.right - box.left, columns)];
            row[x] = blend(row[x], cell, cell.alpha);
        }
    }
}

void pixels_fill(const struct play_pixels *pixels, struct shape_box clip, struct colour colour) {
    for (int y = clip.top; y < clip.bottom; y++) {
        uint32_t *row = row_at(pixels, y);
        for (int x = clip.left; x < clip.right; x++) {
            row[x] = blend(0, colour, colour.alpha);
        }
    }
}

void pixels_premultiply(const struct colour *cell, size_t count, uint8_t *pixels) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t alpha = cell[i].alpha;
        const uint32_t pixel = alpha << 24 | (cell[i].red * alpha + 127) / 255 << 16 |
                               (cell[i].green * alpha + 127) / 255 << 8 |
                               (cell[i].blue * alpha + 127) / 255;
        memcpy(pixels + i * sizeof pixel, &pixel, sizeof pixel);
    }
}
