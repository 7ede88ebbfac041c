/* Rounded rectangles and paths for Cairo. */
#include "canvas/render/cairo_shapes.h"

#include <math.h>

#include "canvas/draw/shape.h"

/* Cairo computes in 24.8 fixed point; what is farther away is not in the picture. */
static const float FARTHEST = 4e6f;

static double clamp_pixel(float pixels)
{
    return (double)fminf(fmaxf(pixels, -FARTHEST), FARTHEST);
}

void cairo_shapes_colour(cairo_t *cairo, struct colour colour)
{
    cairo_set_source_rgba(cairo, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0,
                          colour.alpha / 255.0);
}

static void trace_rect(cairo_t *cairo, struct rect area, float radius)
{
    const double x = clamp_pixel(area.x);
    const double y = clamp_pixel(area.y);
    const double w = clamp_pixel(area.w);
    const double h = clamp_pixel(area.h);
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

static void stroke_path(cairo_t *cairo, const struct paint *paint, float width, float scale)
{
    const double dash[2] = {(double)(paint->dash * scale), (double)(paint->gap * scale)};
    const bool dashed = paint->dash > 0 && paint->gap > 0;
    cairo_set_dash(cairo, dash, dashed ? 2 : 0, 0);
    cairo_set_line_width(cairo, (double)width);
    cairo_shapes_colour(cairo, paint->stroke);
    cairo_stroke(cairo);
}

void cairo_shapes_rect(cairo_t *cairo, const struct canvas_command *command, float scale, int top)
{
    struct shape_rect shape = shape_rect(command, scale);
    if (shape.area.w <= 0 || shape.area.h <= 0) {
        return;
    }
    shape.area.y -= (float)top;
    const float half = shape.width / 2;
    /* The ground ends under the middle of the outline, so that it does not shine through its
     * edge. */
    const struct rect middle = rect_inset(shape.area, half);
    const float radius = fmaxf(shape.radius - half, 0);
    if (colour_is_seen(command->paint.fill)) {
        trace_rect(cairo, middle, radius);
        cairo_shapes_colour(cairo, command->paint.fill);
        cairo_fill(cairo);
    }
    if (shape.width > 0) {
        trace_rect(cairo, middle, radius);
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_MITER);
        stroke_path(cairo, &command->paint, shape.width, scale);
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    }
}

static void trace_path(cairo_t *cairo, const struct canvas_command *command,
                       const struct point *point, float scale, int top)
{
    for (size_t i = 0; i < command->length; i++) {
        cairo_line_to(cairo, clamp_pixel(point[i].x * scale),
                      clamp_pixel(point[i].y * scale - (float)top));
    }
    if (command->closed) {
        cairo_close_path(cairo);
    }
}

void cairo_shapes_path(cairo_t *cairo, const struct canvas *canvas,
                       const struct canvas_command *command, float scale, int top)
{
    const struct point *point = canvas_points_of(canvas, command);
    const struct paint *paint = &command->paint;
    struct point ends[2];
    float width = paint->width * scale;
    if (colour_is_seen(paint->fill) && command->length > 2) {
        trace_path(cairo, command, point, scale, top);
        cairo_shapes_colour(cairo, paint->fill);
        cairo_fill(cairo);
    }
    if (!colour_is_seen(paint->stroke) || paint->width <= 0) {
        return;
    }
    if (shape_straight_line(command, point, scale, ends, &width)) {
        cairo_move_to(cairo, clamp_pixel(ends[0].x), clamp_pixel(ends[0].y - (float)top));
        cairo_line_to(cairo, clamp_pixel(ends[1].x), clamp_pixel(ends[1].y - (float)top));
    } else {
        trace_path(cairo, command, point, scale, top);
    }
    stroke_path(cairo, paint, width, scale);
}
