/* Masks of letters by FreeType, kept by file, glyph, size and position between pixels. */
#include "canvas/render/glyphs.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum {
    PHASES = 4,                    /* positions between two pixels */
    LARGEST = 1024,                /* pixels an em; what is larger has left the picture */
    FIRST_ROOM = 4096,             /* a power of two */
    MANY_BYTES = 48 * 1024 * 1024, /* glyphs_trim forgets all masks above it */
};

struct glyph_key {
    uint32_t file, id, size; /* size in 1/64 pixel */
    uint32_t phase;
    int turn; /* degrees */
};

struct glyph_mask {
    struct glyph_key key;
    bool used;
    struct pixels_mask mask;
    int left, above; /* of the mask's corner from the pen: to the right, upward */
};

struct glyphs {
    struct fonts *fonts;
    FT_Library library;
    FT_Face *face; /* by file; NULL until asked for */
    bool *face_tried;
    size_t faces;
    uint32_t face_size; /* what the face drawn last is set to, and which it is */
    uint32_t face_file;
    struct glyph_mask *table; /* open addressing */
    size_t room, count, bytes;
    struct arena masks;
};

struct glyphs *glyphs_open(struct fonts *fonts, struct error *error)
{
    struct glyphs *glyphs = calloc(1, sizeof *glyphs);
    if (glyphs == NULL || FT_Init_FreeType(&glyphs->library) != 0) {
        free(glyphs);
        error_set(error, ERROR_MEMORY, "There is not enough memory to draw text.");
        return NULL;
    }
    glyphs->fonts = fonts;
    return glyphs;
}

void glyphs_close(struct glyphs *glyphs)
{
    if (glyphs == NULL) {
        return;
    }
    for (size_t i = 0; i < glyphs->faces; i++) {
        if (glyphs->face[i] != NULL) {
            FT_Done_Face(glyphs->face[i]);
        }
    }
    FT_Done_FreeType(glyphs->library);
    free(glyphs->face);
    free(glyphs->face_tried);
    free(glyphs->table);
    arena_free(&glyphs->masks);
    free(glyphs);
}

/* --- font files as FreeType sees them --- */

static bool reserve_faces(struct glyphs *glyphs, size_t faces)
{
    if (faces <= glyphs->faces) {
        return true;
    }
    FT_Face *face = realloc(glyphs->face, faces * sizeof *face);
    if (face == NULL) {
        return false;
    }
    glyphs->face = face;
    bool *tried = realloc(glyphs->face_tried, faces * sizeof *tried);
    if (tried == NULL) {
        return false;
    }
    glyphs->face_tried = tried;
    for (size_t i = glyphs->faces; i < faces; i++) {
        face[i] = NULL;
        tried[i] = false;
    }
    glyphs->faces = faces;
    return true;
}

static FT_Face face_of(struct glyphs *glyphs, uint32_t file, uint32_t size)
{
    if (!reserve_faces(glyphs, (size_t)file + 1)) {
        fonts_lose(glyphs->fonts);
        return NULL;
    }
    if (!glyphs->face_tried[file]) {
        glyphs->face_tried[file] = true;
        const struct font_file font = fonts_file(glyphs->fonts, file);
        if (FT_New_Memory_Face(glyphs->library, font.bytes, (FT_Long)font.size, font.index,
                               &glyphs->face[file]) != 0) {
            glyphs->face[file] = NULL;
        }
        glyphs->face_size = 0;
    }
    FT_Face face = glyphs->face[file];
    if (face != NULL && (glyphs->face_file != file || glyphs->face_size != size)) {
        if (FT_Set_Char_Size(face, 0, (FT_F26Dot6)size, 72, 72) != 0) {
            return NULL;
        }
        glyphs->face_file = file;
        glyphs->face_size = size;
    }
    return face;
}

/* --- masks --- */

static bool same_key(const struct glyph_key *a, const struct glyph_key *b)
{
    return a->file == b->file && a->id == b->id && a->size == b->size && a->phase == b->phase &&
           a->turn == b->turn;
}

static struct glyph_mask *find_place(struct glyph_mask *table, size_t room,
                                     const struct glyph_key *key)
{
    /* Multipliers: 2^64 / φ and odd numbers out of splitmix64. */
    uint64_t hash =
        (uint64_t)key->id * UINT64_C(0x9e3779b97f4a7c15) +
        (uint64_t)key->size * UINT64_C(0xbf58476d1ce4e5b9) +
        ((uint64_t)(key->file * PHASES * PHASES + key->phase) * 360 + (uint64_t)(key->turn + 360)) *
            UINT64_C(0x94d049bb133111eb);
    hash ^= hash >> 32;
    size_t at = (size_t)hash & (room - 1);
    while (table[at].used && !same_key(&table[at].key, key)) {
        at = (at + 1) & (room - 1);
    }
    return &table[at];
}

static bool widen_table(struct glyphs *glyphs)
{
    if (glyphs->count * 2 < glyphs->room) {
        return true;
    }
    const size_t room = glyphs->room == 0 ? FIRST_ROOM : glyphs->room * 2;
    struct glyph_mask *table = calloc(room, sizeof *table);
    if (table == NULL) {
        return false;
    }
    for (size_t i = 0; i < glyphs->room; i++) {
        if (glyphs->table[i].used) {
            *find_place(table, room, &glyphs->table[i].key) = glyphs->table[i];
        }
    }
    free(glyphs->table);
    glyphs->table = table;
    glyphs->room = room;
    return true;
}

/* FreeType's bitmap into memory of our own, rows without gaps. */
static bool copy_bitmap(struct glyphs *glyphs, const FT_Bitmap *bitmap, struct glyph_mask *mask)
{
    const size_t width = bitmap->width;
    const size_t height = bitmap->rows;
    if (width == 0 || height == 0) {
        return true;
    }
    uint8_t *cover = arena_array(&glyphs->masks, width, height);
    if (cover == NULL) {
        return false;
    }
    for (size_t y = 0; y < height; y++) {
        memcpy(cover + y * width, bitmap->buffer + (ptrdiff_t)y * bitmap->pitch, width);
    }
    mask->mask = (struct pixels_mask){(int)width, (int)height, cover};
    glyphs->bytes += width * height + ARENA_ALIGNMENT;
    return true;
}

static bool render_mask(struct glyphs *glyphs, struct glyph_mask *mask)
{
    const struct glyph_key *key = &mask->key;
    FT_Face face = face_of(glyphs, key->file, key->size);
    if (face == NULL || FT_Load_Glyph(face, key->id, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0 ||
        face->glyph->format != FT_GLYPH_FORMAT_OUTLINE) {
        return true; /* an empty mask: nothing better will come of trying again */
    }
    FT_Outline *const outline = &face->glyph->outline;
    if (key->turn != 0) {
        const double angle = key->turn * 0.017453292519943295;
        const FT_Fixed c = (FT_Fixed)lround(65536 * cos(angle));
        const FT_Fixed s = (FT_Fixed)lround(65536 * sin(angle));
        FT_Outline_Transform(outline, &(FT_Matrix){.xx = c, .xy = -s, .yx = s, .yy = c});
    }
    FT_Outline_Translate(outline, (FT_Pos)(key->phase % PHASES * 64 / PHASES),
                         -(FT_Pos)(key->phase / PHASES * 64 / PHASES));
    if (FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) != 0) {
        return true;
    }
    mask->left = face->glyph->bitmap_left;
    mask->above = face->glyph->bitmap_top;
    return copy_bitmap(glyphs, &face->glyph->bitmap, mask);
}

static const struct glyph_mask *mask_of(struct glyphs *glyphs, const struct glyph_key *key)
{
    if (!widen_table(glyphs)) {
        return NULL;
    }
    struct glyph_mask *mask = find_place(glyphs->table, glyphs->room, key);
    if (mask->used) {
        return mask;
    }
    struct glyph_mask fresh = {.key = *key, .used = true};
    if (!render_mask(glyphs, &fresh)) {
        return NULL;
    }
    *mask = fresh;
    glyphs->count++;
    return mask;
}

void glyphs_trim(struct glyphs *glyphs)
{
    if (glyphs->bytes < MANY_BYTES) {
        return;
    }
    memset(glyphs->table, 0, glyphs->room * sizeof *glyphs->table);
    arena_free(&glyphs->masks);
    glyphs->count = 0;
    glyphs->bytes = 0;
}

/* In quarters of a pixel. */
static int quarter_pixels(float place)
{
    return (int)floorf(place * PHASES + 0.5f);
}

uint32_t glyphs_phase(struct point pen, int turn)
{
    const uint32_t across = (uint32_t)quarter_pixels(pen.x) & (PHASES - 1);
    return turn == 0 ? across : across + PHASES * ((uint32_t)quarter_pixels(pen.y) & (PHASES - 1));
}

struct point glyphs_pen(const struct canvas_command *command, const struct font_glyph *glyph,
                        float scale)
{
    const float em = command->rect.h * scale;
    if (command->turn == 0) {
        return (struct point){command->rect.x * scale + glyph->x * em,
                              roundf(command->rect.y * scale) + glyph->y * em};
    }
    const struct point at =
        canvas_text_place(command, glyph->x * command->rect.h, glyph->y * command->rect.h);
    return (struct point){at.x * scale, at.y * scale};
}

const struct pixels_mask *glyphs_mask(struct glyphs *glyphs, uint32_t file, uint32_t id, float em,
                                      struct point pen, int turn, int *left, int *top)
{
    const uint32_t size = (uint32_t)lroundf(fminf(em, LARGEST) * 64);
    if (em > LARGEST || size == 0) {
        return NULL;
    }
    const uint32_t phase = glyphs_phase(pen, turn);
    const struct glyph_mask *mask =
        mask_of(glyphs, &(struct glyph_key){file, id, size, phase, turn});
    if (mask == NULL) {
        fonts_lose(glyphs->fonts);
        return NULL;
    }
    if (mask->mask.width == 0) {
        return NULL;
    }
    *left = (quarter_pixels(pen.x) - (int)(phase % PHASES)) / PHASES + mask->left;
    *top = (turn == 0 ? (int)roundf(pen.y)
                      : (quarter_pixels(pen.y) - (int)(phase / PHASES)) / PHASES) -
           mask->above;
    return &mask->mask;
}

void glyphs_draw(struct glyphs *glyphs, const struct canvas *canvas,
                 const struct canvas_command *command, float scale, int top, struct shape_box clip,
                 const struct render_pixels *pixels)
{
    const float em = command->rect.h * scale;
    const struct font_run *run =
        font_shape(glyphs->fonts, command->face, canvas_text_of(canvas, command), command->length);
    for (size_t i = 0; i < run->glyphs; i++) {
        const struct font_glyph *glyph = &run->glyph[i];
        struct point pen = glyphs_pen(command, glyph, scale);
        pen.y -= (float)top;
        if (pen.x < (float)clip.left - 2 * em || pen.x > (float)clip.right + 2 * em) {
            continue;
        }
        int left = 0;
        int above = 0;
        const struct pixels_mask *mask =
            glyphs_mask(glyphs, glyph->file, glyph->id, em, pen, command->turn, &left, &above);
        if (mask != NULL) {
            pixels_blend_mask(pixels, clip, mask, left, above, command->paint.fill);
        }
    }
}
