/* Blending in sRGB, as Cairo does it, over 0xAARRGGBB with alpha multiplied in. */
#include "canvas/render/pixels.h"

#include <string.h>

static uint32_t *row_at(const struct render_pixels *pixels, int y)
{
    return (uint32_t *)(void *)(pixels->at + (ptrdiff_t)y * pixels->pitch);
}

/* x / 255 rounded, for x up to 255 · 255 (Blinn 1995, "Three Wrongs Make a Right"). */
static uint32_t divide_255(uint32_t x)
{
    x += 128;
    return (x + (x >> 8)) >> 8;
}

static uint32_t blend_channel(uint32_t under, uint32_t over, uint32_t share)
{
    return divide_255(over * share + under * (255 - share));
}

static uint32_t blend_colour(uint32_t under, struct colour colour, uint32_t share)
{
    const uint32_t alpha = blend_channel(under >> 24, 255, share);
    const uint32_t red = blend_channel(under >> 16 & 255, colour.red, share);
    const uint32_t green = blend_channel(under >> 8 & 255, colour.green, share);
    const uint32_t blue = blend_channel(under & 255, colour.blue, share);
    return alpha << 24 | red << 16 | green << 8 | blue;
}

void pixels_blend_mask(const struct render_pixels *pixels, struct shape_box clip,
                       const struct pixels_mask *mask, int left, int top, struct colour colour)
{
    const struct shape_box box =
        shape_box_cut(clip, (struct shape_box){left, top, left + mask->width, top + mask->height});
    for (int y = box.top; y < box.bottom; y++) {
        uint32_t *row = row_at(pixels, y);
        const uint8_t *cover = mask->at + (ptrdiff_t)(y - top) * mask->width - left;
        for (int x = box.left; x < box.right; x++) {
            if (cover[x] != 0) {
                row[x] =
                    blend_colour(row[x], colour, divide_255((uint32_t)cover[x] * colour.alpha));
            }
        }
    }
}

/* The cell of `cells` that the middle of pixel `at` of `extent` lies in. */
static size_t cell_of(int at, int extent, uint32_t cells)
{
    return (size_t)((uint64_t)(2 * (int64_t)at + 1) * cells / (2 * (uint64_t)extent));
}

/* One row of pixels over one row of cells, a cell's stretch at a time. */
static void draw_cell_row(uint32_t *row, struct shape_box box, int left, int right,
                          uint32_t columns, const struct colour *line)
{
    int x = left;
    while (x < right) {
        const size_t column = cell_of(x - box.left, box.right - box.left, columns);
        const struct colour cell = line[column];
        const uint32_t whole =
            0xff000000u | (uint32_t)cell.red << 16 | (uint32_t)cell.green << 8 | cell.blue;
        do {
            row[x] = cell.alpha == 255 ? whole : blend_colour(row[x], cell, cell.alpha);
            x++;
        } while (x < right && cell_of(x - box.left, box.right - box.left, columns) == column);
    }
}

static bool are_opaque(const struct colour *line, uint32_t columns)
{
    uint8_t all = 255;
    for (uint32_t i = 0; i < columns; i++) {
        all &= line[i].alpha;
    }
    return all == 255;
}

void pixels_draw_cells(const struct render_pixels *pixels, struct shape_box clip,
                       struct shape_box box, uint32_t columns, uint32_t rows,
                       const struct colour *cells)
{
    const struct shape_box cut = shape_box_cut(clip, box);
    const struct colour *former = NULL; /* the row of cells above, when it covers all below it */
    for (int y = cut.top; y < cut.bottom && cut.left < cut.right; y++) {
        uint32_t *row = row_at(pixels, y);
        const struct colour *line =
            cells + cell_of(y - box.top, box.bottom - box.top, rows) * columns;
        if (line == former) {
            memcpy(row + cut.left, row_at(pixels, y - 1) + cut.left,
                   (size_t)(cut.right - cut.left) * sizeof *row);
            continue;
        }
        draw_cell_row(row, box, cut.left, cut.right, columns, line);
        former = are_opaque(line, columns) ? line : NULL;
    }
}

/* The cells that pixel `at` of `extent` covers: from … to, and at least one. */
static void cells_covered(int at, int extent, uint32_t cells, size_t *from, size_t *to)
{
    *from = (size_t)((uint64_t)at * cells / (uint64_t)extent);
    *to = (size_t)(((uint64_t)at + 1) * cells / (uint64_t)extent);
    *to = *to > *from ? *to : *from + 1;
}

/* The mean of columns left … right of rows top … bottom; its alpha 0: nothing is seen there. */
static struct colour mean_of(const struct colour *cells, uint32_t columns, const size_t x[2],
                             const size_t y[2])
{
    uint64_t sum[3] = {0, 0, 0}, alphas = 0;
    for (size_t row = y[0]; row < y[1]; row++) {
        for (const struct colour *cell = cells + row * columns + x[0],
                                 *end = cells + row * columns + x[1];
             cell < end; cell++) {
            sum[0] += (uint64_t)cell->red * cell->alpha;
            sum[1] += (uint64_t)cell->green * cell->alpha;
            sum[2] += (uint64_t)cell->blue * cell->alpha;
            alphas += cell->alpha;
        }
    }
    const uint64_t count = (x[1] - x[0]) * (y[1] - y[0]), half = alphas / 2;
    return alphas == 0 ? (struct colour){0, 0, 0, 0}
                       : (struct colour){(uint8_t)((sum[0] + half) / alphas),
                                         (uint8_t)((sum[1] + half) / alphas),
                                         (uint8_t)((sum[2] + half) / alphas),
                                         (uint8_t)((alphas + count / 2) / count)};
}

void pixels_draw_picture(const struct render_pixels *pixels, struct shape_box clip,
                         struct shape_box box, uint32_t columns, uint32_t rows,
                         const struct colour *cells)
{
    const struct shape_box cut = shape_box_cut(clip, box);
    for (int y = cut.top; y < cut.bottom && cut.left < cut.right; y++) {
        uint32_t *const row = row_at(pixels, y);
        size_t down[2], across[2];
        cells_covered(y - box.top, box.bottom - box.top, rows, &down[0], &down[1]);
        for (int x = cut.left; x < cut.right; x++) {
            cells_covered(x - box.left, box.right - box.left, columns, &across[0], &across[1]);
            const struct colour mean = mean_of(cells, columns, across, down);
            row[x] = blend_colour(row[x], mean, mean.alpha);
        }
    }
}

void pixels_fill(const struct render_pixels *pixels, struct shape_box clip, struct colour colour)
{
    for (int y = clip.top; y < clip.bottom; y++) {
        uint32_t *row = row_at(pixels, y);
        for (int x = clip.left; x < clip.right; x++) {
            row[x] = blend_colour(0, colour, colour.alpha);
        }
    }
}

void pixels_premultiply(const struct colour *cell, size_t count, uint8_t *pixels)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t alpha = cell[i].alpha;
        const uint32_t pixel = alpha << 24 | (cell[i].red * alpha + 127) / 255 << 16 |
                               (cell[i].green * alpha + 127) / 255 << 8 |
                               (cell[i].blue * alpha + 127) / 255;
        memcpy(pixels + i * sizeof pixel, &pixel, sizeof pixel);
    }
}
