/* Bitmaps and layers of coloured fonts, read by FreeType and kept at half sizes. */
#include "canvas/text/font_picture.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum {
    LEVELS = 6,     /* each half as large as the one before */
    SMALLEST = 8,   /* pixels of a side */
    LARGEST = 256,  /* likewise: what a font says is larger is not read */
    SCALABLE = 128, /* pixels an em at which layers of outlines are painted */
    ROOM = 256,     /* a power of two; pictures are forgotten when it is half full */
};

struct cached_glyph {
    bool used;
    uint32_t file, glyph;
    uint32_t levels; /* 0: there is no picture */
    struct font_picture level[LEVELS];
};

struct font_pictures {
    FT_Library library;
    FT_Face face; /* the file asked for last; NULL: none could be opened */
    uint32_t file;
    struct cached_glyph cached_glyph[ROOM];
    size_t count;
    struct arena cells;
};

static struct font_pictures *open_pictures(struct fonts *fonts)
{
    struct font_pictures *const pictures =
        fonts->pictures != NULL ? fonts->pictures : calloc(1, sizeof *pictures);
    if (pictures != NULL && pictures->library == NULL &&
        FT_Init_FreeType(&pictures->library) != 0) {
        free(pictures);
        return NULL;
    }
    fonts->pictures = pictures;
    return pictures;
}

void font_pictures_close(struct font_pictures *pictures)
{
    if (pictures != NULL) {
        FT_Done_FreeType(pictures->library); /* and its faces */
        arena_free(&pictures->cells);
        free(pictures);
    }
}

/* --- out of the font --- */

/* Bitmap fonts: the largest size there is; others: one that is large enough. Pixels an em, 0: none.
 */
static float choose_size(FT_Face face)
{
    int largest = -1;
    for (int s = 0; s < face->num_fixed_sizes; s++) {
        if (largest < 0 ||
            face->available_sizes[s].y_ppem > face->available_sizes[largest].y_ppem) {
            largest = s;
        }
    }
    if (largest >= 0) {
        return FT_Select_Size(face, largest) == 0
                   ? (float)face->available_sizes[largest].y_ppem / 64
                   : 0;
    }
    return FT_Set_Pixel_Sizes(face, 0, SCALABLE) == 0 ? SCALABLE : 0;
}

static FT_Face face_of(struct font_pictures *pictures, struct fonts *fonts, uint32_t file)
{
    if (pictures->face != NULL && pictures->file == file) {
        return pictures->face;
    }
    if (pictures->face != NULL) {
        FT_Done_Face(pictures->face);
        pictures->face = NULL;
    }
    const struct font_file of = fonts_file(fonts, file);
    if (FT_New_Memory_Face(pictures->library, of.bytes, (FT_Long)of.size, of.index,
                           &pictures->face) != 0) {
        pictures->face = NULL;
    }
    pictures->file = file;
    return pictures->face;
}

/* FreeType's pixels are blue, green, red, alpha, with alpha multiplied in. */
static struct colour read_pixel(const unsigned char *from)
{
    const uint32_t alpha = from[3];
    return alpha == 0 ? (struct colour){0, 0, 0, 0}
                      : (struct colour){(uint8_t)colour_divide(from[2], alpha),
                                        (uint8_t)colour_divide(from[1], alpha),
                                        (uint8_t)colour_divide(from[0], alpha), (uint8_t)alpha};
}

static bool is_readable(const FT_Bitmap *bitmap)
{
    return bitmap->pixel_mode == FT_PIXEL_MODE_BGRA && bitmap->width > 0 && bitmap->rows > 0 &&
           bitmap->width <= LARGEST && bitmap->rows <= LARGEST;
}

/* The picture as large as the font has it. False: no memory. */
static bool read_picture(struct font_pictures *pictures, FT_Face face,
                         struct cached_glyph *cached_glyph)
{
    const float em = face == NULL ? 0 : choose_size(face);
    if (!(em > 0) ||
        FT_Load_Glyph(face, cached_glyph->glyph, FT_LOAD_COLOR | FT_LOAD_RENDER) != 0 ||
        !is_readable(&face->glyph->bitmap)) {
        return true; /* nothing better will come of trying again */
    }
    const FT_Bitmap *const bitmap = &face->glyph->bitmap;
    const uint32_t columns = bitmap->width, rows = bitmap->rows;
    struct colour *const cell = arena_array(&pictures->cells, (size_t)columns * rows, sizeof *cell);
    for (size_t y = 0; cell != NULL && y < rows; y++) {
        for (size_t x = 0; x < columns; x++) {
            cell[y * columns + x] =
                read_pixel(bitmap->buffer + (ptrdiff_t)y * bitmap->pitch + 4 * x);
        }
    }
    const struct rect place = {(float)face->glyph->bitmap_left / em,
                               -(float)face->glyph->bitmap_top / em, (float)columns / em,
                               (float)rows / em};
    cached_glyph->level[0] = (struct font_picture){columns, rows, cell, place};
    cached_glyph->levels = cell != NULL ? 1 : 0;
    return cell != NULL;
}

/* The mean of up to two by two cells, each counted as much as it covers. */
static struct colour mean_of(const struct font_picture *picture, uint32_t column, uint32_t row)
{
    uint32_t sum[3] = {0, 0, 0}, alphas = 0, cells = 0;
    for (uint32_t y = 2 * row; y < 2 * row + 2 && y < picture->rows; y++) {
        for (uint32_t x = 2 * column; x < 2 * column + 2 && x < picture->columns; x++, cells++) {
            const struct colour cell = picture->cell[(size_t)y * picture->columns + x];
            sum[0] += (uint32_t)cell.red * cell.alpha;
            sum[1] += (uint32_t)cell.green * cell.alpha;
            sum[2] += (uint32_t)cell.blue * cell.alpha;
            alphas += cell.alpha;
        }
    }
    const uint32_t half = alphas / 2;
    return alphas == 0 ? (struct colour){0, 0, 0, 0}
                       : (struct colour){(uint8_t)((sum[0] + half) / alphas),
                                         (uint8_t)((sum[1] + half) / alphas),
                                         (uint8_t)((sum[2] + half) / alphas),
                                         (uint8_t)((alphas + cells / 2) / cells)};
}

/* Each level is half as large as the one before. Where memory ends, the larger ones do. */
static void add_levels(struct font_pictures *pictures, struct cached_glyph *cached_glyph)
{
    while (cached_glyph->levels > 0 && cached_glyph->levels < LEVELS) {
        const struct font_picture *const former = &cached_glyph->level[cached_glyph->levels - 1];
        const uint32_t columns = (former->columns + 1) / 2, rows = (former->rows + 1) / 2;
        struct colour *const cell =
            columns < SMALLEST || rows < SMALLEST
                ? NULL
                : arena_array(&pictures->cells, (size_t)columns * rows, sizeof *cell);
        if (cell == NULL) {
            return;
        }
        for (uint32_t y = 0; y < rows; y++) {
            for (uint32_t x = 0; x < columns; x++) {
                cell[(size_t)y * columns + x] = mean_of(former, x, y);
            }
        }
        cached_glyph->level[cached_glyph->levels++] =
            (struct font_picture){columns, rows, cell, former->place};
    }
}

/* --- kept --- */

static struct cached_glyph *place_of(struct font_pictures *pictures, uint32_t file, uint32_t glyph)
{
    size_t at = (glyph * UINT32_C(2654435769) + file) & (ROOM - 1);
    while (pictures->cached_glyph[at].used &&
           (pictures->cached_glyph[at].file != file || pictures->cached_glyph[at].glyph != glyph)) {
        at = (at + 1) & (ROOM - 1);
    }
    return &pictures->cached_glyph[at];
}

static const struct cached_glyph *kept_of(struct fonts *fonts, uint32_t file, uint32_t glyph)
{
    struct font_pictures *const pictures = open_pictures(fonts);
    struct cached_glyph *cached_glyph = pictures == NULL ? NULL : place_of(pictures, file, glyph);
    if (cached_glyph == NULL || cached_glyph->used) {
        return cached_glyph;
    }
    if (pictures->count >= ROOM / 2) {
        memset(pictures->cached_glyph, 0, sizeof pictures->cached_glyph);
        arena_free(&pictures->cells);
        pictures->count = 0;
        cached_glyph = place_of(pictures, file, glyph);
    }
    struct cached_glyph fresh = {.used = true, .file = file, .glyph = glyph};
    if (!read_picture(pictures, face_of(pictures, fonts, file), &fresh)) {
        return NULL;
    }
    add_levels(pictures, &fresh);
    *cached_glyph = fresh;
    pictures->count++;
    return cached_glyph;
}

const struct font_picture *font_picture(struct fonts *fonts, uint32_t file, uint32_t glyph,
                                        float pixels)
{
    const struct cached_glyph *const cached_glyph = kept_of(fonts, file, glyph);
    if (cached_glyph == NULL) {
        fonts_lose(fonts);
        return NULL;
    }
    uint32_t level = 0;
    while (level + 1 < cached_glyph->levels &&
           (float)cached_glyph->level[level + 1].columns >=
               pixels * cached_glyph->level[level + 1].place.w) {
        level++;
    }
    return cached_glyph->levels == 0 ? NULL : &cached_glyph->level[level];
}
