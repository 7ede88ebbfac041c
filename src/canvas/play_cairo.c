/* The list into pixels without a GPU: shapes by Cairo, letters and cells straight into memory. */
#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/glyphs.h"
#include "canvas/list.h"
#include "canvas/pixels.h"
#include "canvas/play.h"
#include "canvas/png.h"

enum {
    LARGEST_SIDE = 16384,          /* pixels */
    BAND_PIXELS = 8 * 1024 * 1024, /* a PNG is drawn in bands of at most so many pixels */
};

/* Cairo computes in 24.8 fixed point; what is farther away is not in the picture. */
static const float FARTHEST = 4e6f;

struct play_cairo {
    struct glyphs *glyphs;
};

/* What is being drawn onto: rows top … of the picture. */
struct stage {
    struct play_cairo *player;
    const struct canvas *canvas;
    float scale;
    int top;
    struct shape_box dirty; /* pixels that may change, counted from the stage's own corner */
    struct shape_box clip;  /* dirty cut with the clips that are open */
    struct play_pixels pixels;
    cairo_surface_t *surface;
    cairo_t *cairo;
};

struct play_cairo *play_cairo_open(struct fonts *fonts, struct error *error) {
    struct play_cairo *player = calloc(1, sizeof *player);
    if (player == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory to draw.");
        return NULL;
    }
    player->glyphs = glyphs_open(fonts, error);
    if (player->glyphs == NULL) {
        free(player);
        return NULL;
    }
    return player;
}

void play_cairo_close(struct play_cairo *player) {
    if (player != NULL) {
        glyphs_close(player->glyphs);
        free(player);
    }
}

/* --- shapes --- */

static double within(float pixels) {
    return (double)fminf(fmaxf(pixels, -FARTHEST), FARTHEST);
}

static void set_colour(cairo_t *cairo, struct colour colour) {
    cairo_set_source_rgba(cairo, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0,
                          colour.alpha / 255.0);
}

static void trace_rect(cairo_t *cairo, struct rect area, float radius) {
    const double x = within(area.x);
    const double y = within(area.y);
    const double w = within(area.w);
    const double h = within(area.h);
    const double r = (double)radius;
    const double quarter = acos(-1.0) / 2;
    if (radius <= 0) {
        cairo_rectangle(cairo, x, y, w, h);
        return;
    }
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, x + w - r, y + r, r, -quarter, 0);
    cairo_arc(cairo, x + w - r, y + h - r, r, 0, quarter);
    cairo_arc(cairo, x + r, y + h - r, r, quarter, 2 * quarter);
    cairo_arc(cairo, x + r, y + r, r, 2 * quarter, 3 * quarter);
    cairo_close_path(cairo);
}

static void stroke(cairo_t *cairo, const struct paint *paint, float width, float scale) {
    const double dash[2] = {(double)(paint->dash * scale), (double)(paint->gap * scale)};
    const bool dashed = paint->dash > 0 && paint->gap > 0;
    cairo_set_dash(cairo, dash, dashed ? 2 : 0, 0);
    cairo_set_line_width(cairo, (double)width);
    set_colour(cairo, paint->stroke);
    cairo_stroke(cairo);
}

static void draw_rect(struct stage *stage, const struct canvas_command *command) {
    struct shape_rect shape = shape_rect(command, stage->scale);
    if (shape.area.w <= 0 || shape.area.h <= 0) {
        return;
    }
    shape.area.y -= (float)stage->top;
    const float half = shape.width / 2;
    /* The ground ends under the middle of the outline, so that it does not shine through its
     * edge. */
    const struct rect middle = rect_inset(shape.area, half);
    const float radius = fmaxf(shape.radius - half, 0);
    if (colour_is_seen(command->paint.fill)) {
        trace_rect(stage->cairo, middle, radius);
        set_colour(stage->cairo, command->paint.fill);
        cairo_fill(stage->cairo);
    }
    if (shape.width > 0) {
        trace_rect(stage->cairo, middle, radius);
        cairo_set_line_join(stage->cairo, CAIRO_LINE_JOIN_MITER);
        stroke(stage->cairo, &command->paint, shape.width, stage->scale);
        cairo_set_line_join(stage->cairo, CAIRO_LINE_JOIN_ROUND);
    }
}

static void trace_path(struct stage *stage, const struct canvas_command *command,
                       const struct point *point) {
    const float scale = stage->scale;
    for (size_t i = 0; i < command->length; i++) {
        cairo_line_to(stage->cairo, within(point[i].x * scale),
                      within(point[i].y * scale - (float)stage->top));
    }
    if (command->closed) {
        cairo_close_path(stage->cairo);
    }
}

static void draw_path(struct stage *stage, const struct canvas_command *command) {
    const struct point *point = canvas_points_of(stage->canvas, command);
    const struct paint *paint = &command->paint;
    struct point ends[2];
    float width = paint->width * stage->scale;
    if (colour_is_seen(paint->fill) && command->length > 2) {
        trace_path(stage, command, point);
        set_colour(stage->cairo, paint->fill);
        cairo_fill(stage->cairo);
    }
    if (!colour_is_seen(paint->stroke) || paint->width <= 0) {
        return;
    }
    if (shape_straight_line(command, point, stage->scale, ends, &width)) {
        cairo_move_to(stage->cairo, within(ends[0].x), within(ends[0].y - (float)stage->top));
        cairo_line_to(stage->cairo, within(ends[1].x), within(ends[1].y - (float)stage->top));
    } else {
        trace_path(stage, command, point);
    }
    stroke(stage->cairo, paint, width, stage->scale);
}

static void draw_image(struct stage *stage, const struct canvas_command *command) {
    struct shape_box box = shape_box(command->rect, stage->scale);
    box.top -= stage->top;
    box.bottom -= stage->top;
    pixels_draw_cells(&stage->pixels, stage->clip, box, command->columns, command->rows,
                      canvas_pixels_of(stage->canvas, command));
}

/* --- the list --- */

static void set_clip(struct stage *stage, struct rect rect) {
    struct shape_box box = shape_box(rect, stage->scale);
    box.top -= stage->top;
    box.bottom -= stage->top;
    stage->clip = shape_box_cut(stage->dirty, box);
    cairo_reset_clip(stage->cairo);
    cairo_rectangle(stage->cairo, stage->clip.left, stage->clip.top,
                    fmax(stage->clip.right - stage->clip.left, 0),
                    fmax(stage->clip.bottom - stage->clip.top, 0));
    cairo_clip(stage->cairo);
}

static bool can_be_seen(const struct stage *stage, const struct canvas_command *command) {
    struct shape_box reach = shape_reach(command, stage->scale);
    reach.top -= stage->top;
    reach.bottom -= stage->top;
    return !shape_box_is_empty(shape_box_cut(reach, stage->clip));
}

static void draw(struct stage *stage, const struct canvas_command *command) {
    switch (command->kind) {
    case CANVAS_RECT:
        draw_rect(stage, command);
        break;
    case CANVAS_PATH:
        draw_path(stage, command);
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

static bool draws(enum canvas_kind kind) {
    return kind == CANVAS_RECT || kind == CANVAS_PATH || kind == CANVAS_TEXT ||
           kind == CANVAS_IMAGE;
}

static bool draw_list(struct stage *stage, struct error *error) {
    const size_t count = canvas_count(stage->canvas);
    set_clip(stage, canvas_everywhere());
    for (size_t i = 0; i < count; i++) {
        const struct canvas_command *command = canvas_command_at(stage->canvas, i);
        if (!draws(command->kind) || can_be_seen(stage, command)) {
            draw(stage, command);
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

static bool draw_stage(struct stage *stage, struct error *error) {
    const struct play_pixels *pixels = &stage->pixels;
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

static bool scale_is_usable(float scale) {
    return scale > 0 && scale <= 64;
}

bool play_cairo_pixels(struct play_cairo *player, const struct canvas *canvas, float scale,
                       const struct rect *dirty, struct play_pixels pixels, struct error *error) {
    if (pixels.width <= 0 || pixels.height <= 0 || !scale_is_usable(scale)) {
        return true; /* a window of no size shows nothing, and that is no fault */
    }
    if (pixels.width > LARGEST_SIDE || pixels.height > LARGEST_SIDE || pixels.pitch % 4 != 0) {
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
    return draw_stage(&stage, error);
}

/* --- PNG --- */

/* Draws the picture band by band, so that a poster needs no more memory than a screen. */
static bool write_bands(struct stage *stage, const struct colour *ground, int height, int band,
                        struct png_writer *writer, struct error *error) {
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

bool play_cairo_png(struct play_cairo *player, const struct canvas *canvas, float scale,
                    const struct colour *ground, struct arena *arena, struct bytes *png,
                    struct error *error) {
    const float wide = roundf(canvas_width(canvas) * scale);
    const float high = roundf(canvas_height(canvas) * scale);
    if (!scale_is_usable(scale) || wide > LARGEST_SIDE || high > LARGEST_SIDE) {
        return error_set(error, ERROR_USAGE,
                         "A picture of %.0f × %.0f pixels is too large; %d × %d is the most.",
                         (double)wide, (double)high, LARGEST_SIDE, LARGEST_SIDE);
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
    struct png_writer *writer =
        png_writer_open(width, height, ground == NULL, 72 * (double)scale, error);
    glyphs_trim(player->glyphs);
    const bool written = writer != NULL &&
                         write_bands(&stage, ground, height, band, writer, error) &&
                         png_writer_end(writer, arena, png, error);
    png_writer_close(writer);
    free(rows);
    return written;
}
