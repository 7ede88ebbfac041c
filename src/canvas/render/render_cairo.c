/* The list into pixels without a GPU: shapes by Cairo, letters and cells straight into memory. */
#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/draw/canvas_internal.h"
#include "canvas/render/cairo_shapes.h"
#include "canvas/render/glyphs.h"
#include "canvas/render/pixels.h"
#include "canvas/render/png.h"
#include "canvas/render/render.h"

enum {
    BAND_PIXELS = 8 * 1024 * 1024, /* a PNG is drawn in bands of at most so many pixels */
};

struct render_cairo {
    struct fonts *fonts;
    struct glyphs *glyphs;
    uint8_t *easel; /* where a part of a picture is drawn, as large as the whole */
    size_t easel_room;
};

/* The target of drawing, from row `top` of the picture on. */
struct stage {
    struct render_cairo *player;
    const struct canvas *canvas;
    float scale;
    int top;
    struct shape_box dirty; /* pixels that may change, counted from the stage's own corner */
    struct shape_box open;  /* the clips that are open */
    struct shape_box clip;  /* dirty cut with them */
    bool is_clipped;        /* Cairo knows of `open` */
    struct render_pixels pixels;
    cairo_surface_t *surface;
    cairo_t *cairo;
};

struct render_cairo *render_cairo_open(struct fonts *fonts, struct error *error)
{
    struct render_cairo *player = calloc(1, sizeof *player);
    if (player == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory to draw.");
        return NULL;
    }
    player->fonts = fonts;
    player->glyphs = glyphs_open(fonts, error);
    if (player->glyphs == NULL) {
        free(player);
        return NULL;
    }
    return player;
}

size_t render_cairo_losses(const struct render_cairo *player)
{
    return fonts_losses(player->fonts);
}

void render_cairo_close(struct render_cairo *player)
{
    if (player != NULL) {
        glyphs_close(player->glyphs);
        free(player->easel);
        free(player);
    }
}

/* --- shapes and images --- */

/* Cairo takes an edge that its clip cuts in other steps than a whole one, and the pixels come out a
 * little different; so shapes are clipped by the clips of the list alone, never by what is dirty.
 */
static void clip_shapes(struct stage *stage)
{
    if (stage->is_clipped) {
        return;
    }
    const struct shape_box open = stage->open;
    cairo_reset_clip(stage->cairo);
    cairo_rectangle(stage->cairo, open.left, open.top, fmax(open.right - open.left, 0),
                    fmax(open.bottom - open.top, 0));
    cairo_clip(stage->cairo);
    stage->is_clipped = true;
}

static bool lies_between(int from, int to, float low, float high)
{
    return (float)from >= low && (float)to <= high;
}

/* Returns whether all that is to be drawn lies deep inside the shape, away from its edges and
 * corners. */
static bool covers_clip(const struct stage *stage, const struct shape_rect *shape)
{
    const struct shape_box clip = stage->clip;
    const float edge = shape->width + 1, corner = shape->radius + 1;
    const float left = shape->area.x, top = shape->area.y - (float)stage->top;
    const float right = left + shape->area.w, bottom = top + shape->area.h;
    const bool inside = lies_between(clip.left, clip.right, left + edge, right - edge) &&
                        lies_between(clip.top, clip.bottom, top + edge, bottom - edge);
    return inside && (lies_between(clip.left, clip.right, left + corner, right - corner) ||
                      lies_between(clip.top, clip.bottom, top + corner, bottom - corner));
}

static void draw_rect(struct stage *stage, const struct canvas_command *command)
{
    const struct shape_rect shape = shape_rect(command, stage->scale);
    if (command->paint.fill.alpha == 255 && covers_clip(stage, &shape)) {
        cairo_surface_flush(stage->surface);
        pixels_fill(&stage->pixels, stage->clip, command->paint.fill);
        cairo_surface_mark_dirty(stage->surface);
        return;
    }
    clip_shapes(stage);
    cairo_shapes_rect(stage->cairo, command, stage->scale, stage->top);
}

static void draw_image(struct stage *stage, const struct canvas_command *command)
{
    struct shape_box box = shape_box(command->rect, stage->scale);
    box.top -= stage->top;
    box.bottom -= stage->top;
    (command->smooth ? pixels_draw_picture
                     : pixels_draw_cells)(&stage->pixels, stage->clip, box, command->columns,
                                          command->rows, canvas_pixels_of(stage->canvas, command));
}

/* --- the list --- */

static void set_clip(struct stage *stage, struct rect rect)
{
    struct shape_box box = shape_box(rect, stage->scale);
    box.top -= stage->top;
    box.bottom -= stage->top;
    const struct shape_box all = {0, 0, stage->pixels.width, stage->pixels.height};
    stage->open = shape_box_cut(all, box);
    stage->clip = shape_box_cut(stage->dirty, box);
    stage->is_clipped = false;
}

static bool can_be_seen(const struct stage *stage, const struct canvas_command *command)
{
    struct shape_box bounds = shape_bounds(command, stage->scale);
    bounds.top -= stage->top;
    bounds.bottom -= stage->top;
    return !shape_box_is_empty(shape_box_cut(bounds, stage->clip));
}

static void draw_command(struct stage *stage, const struct canvas_command *command)
{
    switch (command->kind) {
    case CANVAS_RECT:
        draw_rect(stage, command);
        break;
    case CANVAS_PATH:
        clip_shapes(stage);
        cairo_shapes_path(stage->cairo, stage->canvas, command, stage->scale, stage->top);
        break;
    case CANVAS_TEXT:
        cairo_surface_flush(stage->surface);
        glyphs_draw(stage->player->glyphs, stage->canvas, command, stage->scale, stage->top,
                    stage->clip, &stage->pixels);
        cairo_surface_mark_dirty(stage->surface);
        break;
    case CANVAS_IMAGE:
        cairo_surface_flush(stage->surface);
        draw_image(stage, command);
        cairo_surface_mark_dirty(stage->surface);
        break;
    case CANVAS_CLIP:
    case CANVAS_UNCLIP:
        set_clip(stage, command->rect);
        break;
    case CANVAS_GROUP:
    case CANVAS_UNGROUP:
        break;
    }
}

static bool is_drawn(enum canvas_kind kind)
{
    return kind == CANVAS_RECT || kind == CANVAS_PATH || kind == CANVAS_TEXT ||
           kind == CANVAS_IMAGE;
}

static bool draw_list(struct stage *stage, struct error *error)
{
    const size_t count = canvas_count(stage->canvas);
    set_clip(stage, canvas_everywhere());
    for (size_t i = 0; i < count; i++) {
        const struct canvas_command *command = canvas_command_at(stage->canvas, i);
        if (!is_drawn(command->kind) || can_be_seen(stage, command)) {
            draw_command(stage, command);
        }
    }
    cairo_surface_flush(stage->surface);
    const cairo_status_t status = cairo_status(stage->cairo);
    if (status != CAIRO_STATUS_SUCCESS) {
        return error_set(error, ERROR_MEMORY, "The picture could not be drawn: %s.",
                         cairo_status_to_string(status));
    }
    return true;
}

static bool draw_stage(struct stage *stage, struct error *error)
{
    const struct render_pixels *pixels = &stage->pixels;
    stage->surface = cairo_image_surface_create_for_data(
        pixels->at, pixels->has_alpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, pixels->width,
        pixels->height, pixels->pitch);
    stage->cairo = cairo_create(stage->surface);
    cairo_set_antialias(stage->cairo, CAIRO_ANTIALIAS_GRAY);
    cairo_set_line_join(stage->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(stage->cairo, CAIRO_LINE_CAP_BUTT);
    const bool drawn = draw_list(stage, error);
    cairo_destroy(stage->cairo);
    cairo_surface_destroy(stage->surface);
    return drawn;
}

static bool scale_is_usable(float scale)
{
    return scale > 0 && scale <= 64;
}

/* --- parts of a picture --- */

static uint32_t *row_of(const struct render_pixels *pixels, struct shape_box box, int y)
{
    return (uint32_t *)(void *)(pixels->at + (ptrdiff_t)y * pixels->pitch) + box.left;
}

static void copy_box(const struct render_pixels *to, const struct render_pixels *from,
                     struct shape_box box)
{
    for (int y = box.top; y < box.bottom; y++) {
        memcpy(row_of(to, box, y), row_of(from, box, y),
               (size_t)(box.right - box.left) * sizeof(uint32_t));
    }
}

/* A part is drawn beside the picture, where whole shapes may reach over its edges, and copied. */
static bool draw_part(struct stage *stage, struct error *error)
{
    struct render_cairo *player = stage->player;
    const struct render_pixels picture = stage->pixels;
    const size_t bytes = (size_t)picture.width * (size_t)picture.height * sizeof(uint32_t);
    if (bytes > player->easel_room) {
        free(player->easel);
        player->easel = malloc(bytes);
        player->easel_room = player->easel == NULL ? 0 : bytes;
    }
    if (player->easel == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to draw.");
    }
    stage->pixels.at = player->easel;
    stage->pixels.pitch = picture.width * (int)sizeof(uint32_t);
    copy_box(&stage->pixels, &picture, stage->dirty);
    if (!draw_stage(stage, error)) {
        return false;
    }
    copy_box(&picture, &stage->pixels, stage->dirty);
    return true;
}

static bool is_part(struct shape_box box, const struct render_pixels *pixels)
{
    return box.left > 0 || box.top > 0 || box.right < pixels->width || box.bottom < pixels->height;
}

bool render_cairo_pixels(struct render_cairo *player, const struct canvas *canvas, float scale,
                         const struct rect *dirty, struct render_pixels pixels, struct error *error)
{
    if (pixels.width <= 0 || pixels.height <= 0 || !scale_is_usable(scale)) {
        return true; /* a window of no size shows nothing, and that is no fault */
    }
    if (pixels.width > RENDER_SIDE_MAX || pixels.height > RENDER_SIDE_MAX ||
        pixels.pitch % 4 != 0) {
        return error_set(error, ERROR_USAGE, "%d × %d pixels cannot be drawn on.", pixels.width,
                         pixels.height);
    }
    struct shape_box all = {0, 0, pixels.width, pixels.height};
    if (dirty != NULL) {
        all = shape_box_cut(all, shape_box_around(*dirty, scale));
    }
    if (shape_box_is_empty(all)) {
        return true;
    }
    struct stage stage = {
        .player = player, .canvas = canvas, .scale = scale, .dirty = all, .pixels = pixels};
    glyphs_trim(player->glyphs);
    return is_part(all, &pixels) ? draw_part(&stage, error) : draw_stage(&stage, error);
}

/* --- PNG --- */

/* Draws the picture band by band, so that a poster needs no more memory than a screen. */
static bool write_bands(struct stage *stage, const struct colour *ground, int height, int band,
                        struct png_writer *writer, struct error *error)
{
    for (int top = 0; top < height; top += band) {
        stage->top = top;
        stage->pixels.height = height - top < band ? height - top : band;
        stage->dirty = (struct shape_box){0, 0, stage->pixels.width, stage->pixels.height};
        const struct colour nothing = {0, 0, 0, 0};
        pixels_fill(&stage->pixels, stage->dirty,
                    ground == NULL
                        ? nothing
                        : (struct colour){ground->red, ground->green, ground->blue, 255});
        if (!draw_stage(stage, error) ||
            !png_writer_band(writer, stage->pixels.at, stage->pixels.height, error)) {
            return false;
        }
    }
    return true;
}

bool render_png(struct render_cairo *player, const struct canvas *canvas,
                const struct render_figure *figure, struct arena *arena, struct bytes *png,
                struct error *error)
{
    const float scale = figure->scale == 0 ? 1 : figure->scale;
    const struct colour *ground = figure->ground;
    const struct png_words words[] = {{"Title", figure->title},
                                      {"Description", figure->description},
                                      {"Creation Time", figure->created},
                                      {"attnscope", figure->experiment}};
    const float wide = roundf(canvas_width(canvas) * scale);
    const float high = roundf(canvas_height(canvas) * scale);
    if (!scale_is_usable(scale) || wide > RENDER_SIDE_MAX || high > RENDER_SIDE_MAX) {
        return error_set(error, ERROR_USAGE,
                         "A picture of %.0f × %.0f pixels is too large; %d × %d is the most.",
                         (double)wide, (double)high, RENDER_SIDE_MAX, RENDER_SIDE_MAX);
    }
    const int width = wide < 1 ? 1 : (int)wide;
    const int height = high < 1 ? 1 : (int)high;
    const int band = BAND_PIXELS / width < height ? BAND_PIXELS / width : height;
    uint8_t *rows = malloc((size_t)width * (size_t)band * 4);
    if (rows == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the picture.");
    }
    struct stage stage = {
        .player = player,
        .canvas = canvas,
        .scale = scale,
        .pixels = {rows, width, band, width * 4, ground == NULL},
    };
    struct png_writer *writer = png_writer_open(width, height, ground == NULL, 72 * (double)scale,
                                                words, sizeof words / sizeof words[0], error);
    glyphs_trim(player->glyphs);
    const bool written = writer != NULL &&
                         write_bands(&stage, ground, height, band, writer, error) &&
                         png_writer_end(writer, arena, png, error);
    png_writer_close(writer);
    free(rows);
    return written;
}
