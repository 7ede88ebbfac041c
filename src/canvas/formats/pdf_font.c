#include "canvas/formats/pdf_font.h"

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "canvas/text/font_internal.h"

/* A file opened for Cairo. Cairo keeps fonts for later, longer than a picture takes; so each holds
 * all it needs, and goes when Cairo lets go of it. */
struct embedded_face {
    FT_Library library;
    FT_Face face;
    hb_blob_t *blob;
};

struct pdf_fonts {
    struct fonts *fonts;
    cairo_font_face_t **face; /* by file; NULL until asked for, or none */
    bool *tried;
    size_t faces;
    struct arena arena; /* of one text */
};

static const cairo_user_data_key_t KEEP = {0};

static void let_go(void *kept)
{
    struct embedded_face *const embedded = kept;
    if (embedded->face != NULL) {
        FT_Done_Face(embedded->face);
    }
    if (embedded->library != NULL) {
        FT_Done_FreeType(embedded->library);
    }
    hb_blob_destroy(embedded->blob);
    free(embedded);
}

static cairo_font_face_t *open_face(struct fonts *fonts, uint32_t file)
{
    const struct font_file font = fonts_file(fonts, file);
    struct embedded_face *const embedded = calloc(1, sizeof *embedded);
    if (embedded == NULL) {
        return NULL;
    }
    embedded->blob = hb_face_reference_blob(fonts->source[file].face);
    if (FT_Init_FreeType(&embedded->library) != 0 ||
        FT_New_Memory_Face(embedded->library, font.bytes, (FT_Long)font.size, font.index,
                           &embedded->face) != 0) {
        let_go(embedded);
        return NULL;
    }
    cairo_font_face_t *const face =
        cairo_ft_font_face_create_for_ft_face(embedded->face, FT_LOAD_NO_HINTING);
    if (cairo_font_face_set_user_data(face, &KEEP, embedded, let_go) != CAIRO_STATUS_SUCCESS) {
        cairo_font_face_destroy(face);
        let_go(embedded);
        return NULL;
    }
    return face;
}

struct pdf_fonts *pdf_fonts_open(struct fonts *fonts)
{
    struct pdf_fonts *const pdf_fonts = calloc(1, sizeof *pdf_fonts);
    if (pdf_fonts != NULL) {
        pdf_fonts->fonts = fonts;
    }
    return pdf_fonts;
}

void pdf_fonts_close(struct pdf_fonts *pdf_fonts)
{
    if (pdf_fonts == NULL) {
        return;
    }
    for (size_t f = 0; f < pdf_fonts->faces; f++) {
        cairo_font_face_destroy(pdf_fonts->face[f]);
    }
    free(pdf_fonts->face);
    free(pdf_fonts->tried);
    arena_free(&pdf_fonts->arena);
    free(pdf_fonts);
}

static bool reserve_faces(struct pdf_fonts *pdf_fonts, size_t faces)
{
    if (faces <= pdf_fonts->faces) {
        return true;
    }
    cairo_font_face_t **const face = realloc(pdf_fonts->face, faces * sizeof *face);
    if (face == NULL) {
        return false;
    }
    pdf_fonts->face = face;
    bool *const tried = realloc(pdf_fonts->tried, faces * sizeof *tried);
    if (tried == NULL) {
        return false;
    }
    pdf_fonts->tried = tried;
    for (size_t f = pdf_fonts->faces; f < faces; f++) {
        face[f] = NULL;
        tried[f] = false;
    }
    pdf_fonts->faces = faces;
    return true;
}

static cairo_font_face_t *face_of(struct pdf_fonts *pdf_fonts, uint32_t file)
{
    if (file >= pdf_fonts->fonts->sources || !reserve_faces(pdf_fonts, (size_t)file + 1)) {
        return NULL;
    }
    if (!pdf_fonts->tried[file]) {
        pdf_fonts->tried[file] = true;
        pdf_fonts->face[file] = open_face(pdf_fonts->fonts, file);
    }
    return pdf_fonts->face[file];
}

/* Unicode 15, section 23.7: noncharacters, which Cairo refuses. */
static bool is_character(uint32_t code)
{
    return code != 0 && (code & 0xfffe) != 0xfffe && (code < 0xfdd0 || code > 0xfdef);
}

char *pdf_text(struct arena *arena, const char *text, size_t length, size_t *clean_length)
{
    enum { LONGEST_CHANGE = 3 }; /* a broken byte becomes so many */
    static const char instead[LONGEST_CHANGE] = {'\xef', '\xbf', '\xbd'};
    char *clean =
        length < SIZE_MAX / LONGEST_CHANGE ? arena_alloc(arena, length * LONGEST_CHANGE + 1) : NULL;
    size_t to = 0;
    for (size_t at = 0; clean != NULL && at < length;) {
        const size_t from = at;
        const uint32_t code = text_next(text, length, &at);
        const bool stays = is_character(code) && (code != 0xfffd || at - from == LONGEST_CHANGE);
        const size_t size = stays ? at - from : LONGEST_CHANGE;
        memcpy(clean + to, stays ? text + from : instead, size);
        to += size;
    }
    *clean_length = to;
    return clean;
}

/* Which bytes each letter stands for: clusters in the order of the text. Of a stretch from right
 * to left the glyphs are counted from their end. Returns how many clusters there are. */
static int find_clusters(const struct font_run *run, const struct font_stretch *stretch,
                         cairo_text_cluster_t *cluster)
{
    size_t byte = stretch->start;
    size_t count = 0;
    for (size_t g = 0; g < stretch->glyphs;) {
        size_t glyphs = 0;
        uint32_t at = 0, next = 0;
        do {
            const size_t place = g + glyphs;
            const size_t seen = stretch->right_to_left ? stretch->glyphs - 1 - place : place;
            next = run->glyph[stretch->glyph + seen].cluster;
            at = glyphs == 0 ? next : at;
            glyphs += next == at ? 1 : 0;
        } while (next == at && g + glyphs < stretch->glyphs);
        g += glyphs;
        const size_t end = next == at ? stretch->start + stretch->length : next;
        cluster[count++] = (cairo_text_cluster_t){(int)(end - byte), (int)glyphs};
        byte = end;
    }
    return (int)count;
}

static bool draw_stretch(struct pdf_fonts *pdf_fonts, cairo_t *cairo, const struct font_run *run,
                         const struct font_stretch *stretch, const char *text, bool says,
                         const struct canvas_command *command, double y)
{
    cairo_font_face_t *const face = face_of(pdf_fonts, stretch->file);
    cairo_glyph_t *const glyph = arena_array(&pdf_fonts->arena, stretch->glyphs, sizeof *glyph);
    cairo_text_cluster_t *const cluster =
        arena_array(&pdf_fonts->arena, stretch->glyphs, sizeof *cluster);
    if (face == NULL || glyph == NULL || cluster == NULL) {
        return false;
    }
    const double size = (double)command->rect.h;
    for (size_t g = 0; g < stretch->glyphs; g++) {
        const struct font_glyph *const from = &run->glyph[stretch->glyph + g];
        glyph[g] = (cairo_glyph_t){from->id, (double)command->rect.x + (double)from->x * size,
                                   y + (double)from->y * size};
    }
    cairo_set_font_face(cairo, face);
    cairo_set_font_size(cairo, size);
    if (!says) {
        cairo_glyph_path(cairo, glyph, (int)stretch->glyphs);
        cairo_fill(cairo);
        return true;
    }
    cairo_show_text_glyphs(cairo, text + stretch->start, (int)stretch->length, glyph,
                           (int)stretch->glyphs, cluster, find_clusters(run, stretch, cluster),
                           stretch->right_to_left ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : 0);
    return true;
}

bool pdf_fonts_draw(struct pdf_fonts *pdf_fonts, cairo_t *cairo, const struct canvas *canvas,
                    const struct canvas_command *command, double y, enum render_text text)
{
    const char *const letters = canvas_text_of(canvas, command);
    const struct font_run *const run =
        font_shape(pdf_fonts->fonts, command->face, letters, command->length);
    size_t clean_length = 0;
    const char *clean = pdf_text(&pdf_fonts->arena, letters, command->length, &clean_length);
    /* Where letters stand in the clean text must be where they stood. */
    const bool says = text == RENDER_LETTERS && clean_length == command->length;
    bool drawn = clean != NULL;
    for (size_t s = 0; drawn && s < run->stretches; s++) {
        if (run->stretch[s].glyphs > 0) {
            drawn = draw_stretch(pdf_fonts, cairo, run, &run->stretch[s], clean, says, command, y);
        }
    }
    arena_reset(&pdf_fonts->arena);
    return drawn;
}
