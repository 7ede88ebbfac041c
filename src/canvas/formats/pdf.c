/* The list as PDF, by Cairo: one page of the size of the picture, in points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo.h>
#include <ft2build.h>

#include "base/text.h"
#include "canvas/draw/canvas.h"
#include "canvas/draw/canvas_internal.h"
#include "canvas/draw/shape.h"
#include "canvas/formats/formats.h"
#include "canvas/render/cairo_shapes.h"
#include "canvas/render/pixels.h"
#include "canvas/render/render.h"
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

static struct pdf_fonts *pdf_fonts_open(struct fonts *fonts)
{
    struct pdf_fonts *const pdf_fonts = calloc(1, sizeof *pdf_fonts);
    if (pdf_fonts != NULL) {
        pdf_fonts->fonts = fonts;
    }
    return pdf_fonts;
}

/* NULL: no memory. */
static void pdf_fonts_close(struct pdf_fonts *pdf_fonts)
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

/* A copy that Cairo takes as text: whole UTF-8, what is no character (U+FFFE, 0, broken bytes)
 * replaced by U+FFFD. Owned by the arena, a 0 behind it; NULL: no memory. */
static char *pdf_text(struct arena *arena, const char *text, size_t length, size_t *clean_length)
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

/* Draws a text command with its baseline at y, in the source that is set. False: no memory. */
static bool pdf_fonts_draw(struct pdf_fonts *pdf_fonts, cairo_t *cairo, const struct canvas *canvas,
                           const struct canvas_command *command, double y, enum render_text text)
{
    const char *const letters = canvas_text_of(canvas, command);
    const struct font_run *const run =
        font_shape(pdf_fonts->fonts, command->face, letters, command->length);
    size_t clean_length = 0;
    const char *clean = pdf_text(&pdf_fonts->arena, letters, command->length, &clean_length);
    /* Where letters stand in the clean text must be where they stood. */
    const bool says = text != RENDER_OUTLINES && clean_length == command->length;
    bool drawn = clean != NULL;
    for (size_t s = 0; drawn && s < run->stretches; s++) {
        if (run->stretch[s].glyphs > 0) {
            drawn = draw_stretch(pdf_fonts, cairo, run, &run->stretch[s], clean, says, command, y);
        }
    }
    arena_reset(&pdf_fonts->arena);
    return drawn;
}

/* Shapes come to lie where a PNG of two pixels a point has them. */
static const float GRID = 2;

struct page {
    const struct canvas *canvas;
    const struct render_figure *figure;
    struct pdf_fonts *fonts;
    cairo_surface_t *surface;
    cairo_t *cairo; /* scaled: what is drawn is told in pixels of the grid */
    struct shape_box clip;
    bool failed; /* no memory */
};

/* The file while it grows. */
struct stream {
    uint8_t *at;
    size_t size, room;
    bool failed; /* no memory; Cairo is told too, but does not always pass it on */
};

static cairo_status_t append_bytes(void *to, const unsigned char *bytes, unsigned int size)
{
    struct stream *const stream = to;
    if (size > stream->room - stream->size) {
        const size_t room = (stream->size + size) * 2;
        uint8_t *const larger = realloc(stream->at, room);
        if (larger == NULL) {
            stream->failed = true;
            return CAIRO_STATUS_NO_MEMORY;
        }
        stream->at = larger;
        stream->room = room;
    }
    memcpy(stream->at + stream->size, bytes, size);
    stream->size += size;
    return CAIRO_STATUS_SUCCESS;
}

/* --- drawing --- */

static void set_clip(struct page *page, struct rect rect)
{
    page->clip = shape_box(rect, GRID);
    cairo_reset_clip(page->cairo);
    cairo_rectangle(page->cairo, page->clip.left, page->clip.top,
                    fmax(page->clip.right - page->clip.left, 0),
                    fmax(page->clip.bottom - page->clip.top, 0));
    cairo_clip(page->cairo);
}

static void draw_text(struct page *page, const struct canvas_command *command)
{
    const bool turned = command->turn != 0;
    const double y =
        turned ? (double)command->rect.y : (double)(roundf(command->rect.y * GRID) / GRID);
    if (!colour_is_seen(command->paint.fill)) {
        return;
    }
    cairo_save(page->cairo);
    cairo_scale(page->cairo, (double)GRID, (double)GRID);
    if (turned) {
        cairo_translate(page->cairo, (double)command->rect.x, y);
        cairo_rotate(page->cairo, -command->turn * 0.017453292519943295);
        cairo_translate(page->cairo, -(double)command->rect.x, -y);
    }
    cairo_shapes_colour(page->cairo, command->paint.fill);
    if (!pdf_fonts_draw(page->fonts, page->cairo, page->canvas, command, y, page->figure->text)) {
        page->failed = true;
    }
    cairo_restore(page->cairo);
}

/* The cells as Cairo has pixels; it owns them. NULL: no memory. */
static cairo_surface_t *image_of(const struct colour *cell, uint32_t columns, uint32_t rows)
{
    cairo_surface_t *const image =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)columns, (int)rows);
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(image);
        return NULL;
    }
    uint8_t *const at = cairo_image_surface_get_data(image);
    const size_t pitch = (size_t)cairo_image_surface_get_stride(image);
    for (size_t y = 0; y < rows; y++) {
        pixels_premultiply(cell + y * columns, columns, at + y * pitch);
    }
    cairo_surface_mark_dirty(image);
    return image;
}

/* Colours that go over into each other, as the reader's own gradient. */
static void draw_ramp(struct page *page, const struct canvas_command *command,
                      const struct shape_box *box)
{
    const bool upright = command->columns == 1;
    const struct colour *const colour = canvas_pixels_of(page->canvas, command);
    cairo_pattern_t *const ramp = cairo_pattern_create_linear(
        box->left, box->top, upright ? box->left : box->right, upright ? box->bottom : box->top);
    for (size_t c = 0; c < command->length; c++) {
        cairo_pattern_add_color_stop_rgba(ramp, (double)c / (double)(command->length - 1),
                                          colour[c].red / 255.0, colour[c].green / 255.0,
                                          colour[c].blue / 255.0, colour[c].alpha / 255.0);
    }
    cairo_save(page->cairo);
    cairo_rectangle(page->cairo, box->left, box->top, box->right - box->left,
                    box->bottom - box->top);
    cairo_set_source(page->cairo, ramp);
    cairo_fill(page->cairo);
    cairo_restore(page->cairo);
    cairo_pattern_destroy(ramp);
}

static void draw_image(struct page *page, const struct canvas_command *command)
{
    const struct shape_box box = shape_box(command->rect, GRID);
    if (command->columns == 0 || command->rows == 0 || shape_box_is_empty(box)) {
        return;
    }
    if (command->ramp) {
        draw_ramp(page, command, &box);
        return;
    }
    cairo_surface_t *const image =
        image_of(canvas_pixels_of(page->canvas, command), command->columns, command->rows);
    if (image == NULL) {
        page->failed = true;
        return;
    }
    cairo_save(page->cairo);
    cairo_rectangle(page->cairo, box.left, box.top, box.right - box.left, box.bottom - box.top);
    cairo_clip(page->cairo);
    cairo_translate(page->cairo, box.left, box.top);
    cairo_scale(page->cairo, (double)(box.right - box.left) / command->columns,
                (double)(box.bottom - box.top) / command->rows);
    cairo_set_source_surface(page->cairo, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(page->cairo),
                             command->smooth ? CAIRO_FILTER_BEST : CAIRO_FILTER_NEAREST);
    cairo_paint(page->cairo);
    cairo_restore(page->cairo);
    cairo_surface_destroy(image);
}

static void draw_command(struct page *page, const struct canvas_command *command)
{
    switch (command->kind) {
    case CANVAS_RECT:
        cairo_shapes_rect(page->cairo, command, GRID, 0);
        break;
    case CANVAS_PATH:
        cairo_shapes_path(page->cairo, page->canvas, command, GRID, 0);
        break;
    case CANVAS_TEXT:
        draw_text(page, command);
        break;
    case CANVAS_IMAGE:
        draw_image(page, command);
        break;
    case CANVAS_CLIP:
    case CANVAS_UNCLIP:
        set_clip(page, command->rect);
        break;
    case CANVAS_GROUP:
    case CANVAS_UNGROUP:
        break;
    }
}

/* Says whether a text can be seen. Others are not in the file either, because they could be
 * searched and copied. */
static bool is_seen(const struct page *page, const struct canvas_command *command)
{
    switch (command->kind) {
    case CANVAS_RECT:
    case CANVAS_PATH:
    case CANVAS_TEXT:
    case CANVAS_IMAGE:
        return !shape_box_is_empty(shape_box_cut(shape_bounds(command, GRID), page->clip));
    case CANVAS_CLIP:
    case CANVAS_UNCLIP:
    case CANVAS_GROUP:
    case CANVAS_UNGROUP:
        break;
    }
    return true;
}

static void draw_list(struct page *page)
{
    const struct rect all = {0, 0, canvas_width(page->canvas), canvas_height(page->canvas)};
    const struct colour *const ground = page->figure->ground;
    cairo_scale(page->cairo, 1 / (double)GRID, 1 / (double)GRID);
    cairo_set_line_join(page->cairo, CAIRO_LINE_JOIN_ROUND);
    set_clip(page, all);
    if (ground != NULL && colour_is_seen(*ground)) {
        cairo_shapes_colour(page->cairo, *ground);
        cairo_paint(page->cairo);
    }
    for (size_t i = 0; i < canvas_count(page->canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(page->canvas, i);
        if (is_seen(page, command)) {
            draw_command(page, command);
        }
    }
}

/* --- the file --- */

static bool set_metadata(cairo_surface_t *surface, cairo_pdf_metadata_t what, const char *text)
{
    struct arena arena = {0};
    size_t length = 0;
    if (text == NULL || text[0] == '\0') {
        return true;
    }
    const char *const clean = pdf_text(&arena, text, strlen(text), &length);
    if (clean != NULL) {
        cairo_pdf_surface_set_metadata(surface, what, clean);
    }
    arena_free(&arena);
    return clean != NULL;
}

/* Left alone, Cairo writes the time at which the file was made. */
static bool set_all_metadata(cairo_surface_t *surface, const struct render_figure *figure)
{
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                   figure->created == NULL ? "" : figure->created);
    return set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "attnscope") &&
           set_metadata(surface, CAIRO_PDF_METADATA_TITLE, figure->title) &&
           set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, figure->description) &&
           set_metadata(surface, CAIRO_PDF_METADATA_KEYWORDS, figure->experiment);
}

/* One list as a page of its own size. */
static void draw_page(struct page *page)
{
    cairo_pdf_surface_set_size(page->surface, (double)fmaxf(canvas_width(page->canvas), 1),
                               (double)fmaxf(canvas_height(page->canvas), 1));
    cairo_save(page->cairo);
    draw_list(page);
    cairo_restore(page->cairo);
    cairo_show_page(page->cairo);
}

/* Draws the pages into the stream. */
static bool print_pages(struct page *page, const struct canvas *const *pages, size_t count,
                        struct stream *stream, struct error *error)
{
    page->surface = cairo_pdf_surface_create_for_stream(append_bytes, stream, 1, 1);
    /* Later versions pack what is said of the picture, and nobody could search for it. */
    cairo_pdf_surface_restrict_to_version(page->surface, CAIRO_PDF_VERSION_1_4);
    page->cairo = cairo_create(page->surface);
    page->failed = !set_all_metadata(page->surface, page->figure);
    for (size_t p = 0; p < count; p++) {
        page->canvas = pages[p];
        draw_page(page);
    }
    const cairo_status_t drawn = cairo_status(page->cairo);
    cairo_destroy(page->cairo);
    cairo_surface_finish(page->surface);
    const cairo_status_t finished = cairo_surface_status(page->surface);
    cairo_surface_destroy(page->surface);
    const cairo_status_t status = drawn != CAIRO_STATUS_SUCCESS ? drawn : finished;
    if (page->failed || stream->failed) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the PDF file.");
    }
    return status == CAIRO_STATUS_SUCCESS ||
           error_set(error, ERROR_MEMORY, "The PDF file could not be made: %s.",
                     cairo_status_to_string(status));
}

bool render_pdf_pages(const struct canvas *const *pages, size_t count,
                      const struct render_figure *figure, struct arena *arena, struct bytes *pdf,
                      struct error *error)
{
    struct stream stream = {NULL, 0, 0, false};
    struct page page = {.figure = figure, .fonts = pdf_fonts_open(canvas_fonts(pages[0]))};
    bool printed = page.fonts != NULL ? print_pages(&page, pages, count, &stream, error)
                                      : error_set(error, ERROR_MEMORY,
                                                  "There is not enough memory for the PDF file.");
    pdf_fonts_close(page.fonts);
    uint8_t *const copy = printed ? arena_alloc(arena, stream.size) : NULL;
    if (copy != NULL) {
        memcpy(copy, stream.at, stream.size);
        *pdf = (struct bytes){copy, stream.size};
    } else if (printed) {
        printed = error_set(error, ERROR_MEMORY, "There is not enough memory for the PDF file.");
    }
    free(stream.at);
    return printed;
}

bool render_pdf(struct render_cairo *player, const struct canvas *canvas,
                const struct render_figure *figure, struct arena *arena, struct bytes *pdf,
                struct error *error)
{
    (void)player;
    return render_pdf_pages(&canvas, 1, figure, arena, pdf, error);
}
