/* Rectangles, lines and clips rounded to whole pixels. */
#include "canvas/draw/shape.h"

#include <math.h>

#include "canvas/draw/canvas_internal.h"

/* Whole floats up to here are exact, and far beyond any picture. */
static const float FARTHEST_PIXEL = 16777216;

static int to_pixel(float pixels)
{
    return (int)fminf(fmaxf(pixels, -FARTHEST_PIXEL), FARTHEST_PIXEL);
}

struct shape_box shape_box(struct rect rect, float scale)
{
    return (struct shape_box){
        to_pixel(roundf(rect.x * scale)),
        to_pixel(roundf(rect.y * scale)),
        to_pixel(roundf((rect.x + rect.w) * scale)),
        to_pixel(roundf((rect.y + rect.h) * scale)),
    };
}

struct shape_box shape_box_around(struct rect rect, float scale)
{
    return (struct shape_box){
        to_pixel(floorf(rect.x * scale)),
        to_pixel(floorf(rect.y * scale)),
        to_pixel(ceilf((rect.x + rect.w) * scale)),
        to_pixel(ceilf((rect.y + rect.h) * scale)),
    };
}

struct shape_box shape_box_cut(struct shape_box a, struct shape_box b)
{
    return (struct shape_box){
        a.left > b.left ? a.left : b.left,
        a.top > b.top ? a.top : b.top,
        a.right < b.right ? a.right : b.right,
        a.bottom < b.bottom ? a.bottom : b.bottom,
    };
}

static bool is_circle(const struct canvas_command *command)
{
    const struct rect rect = command->rect;
    return fabsf(rect.w - rect.h) < 0.01f && command->radius * 2 > rect.w - 0.01f;
}

struct shape_rect shape_rect(const struct canvas_command *command, float scale)
{
    const struct paint *paint = &command->paint;
    const struct rect rect = command->rect;
    const bool outlined = colour_is_seen(paint->stroke) && paint->width > 0;
    struct shape_rect shape = {
        {rect.x * scale, rect.y * scale, rect.w * scale, rect.h * scale},
        command->radius * scale,
        outlined ? paint->width * scale : 0,
    };
    if (is_circle(command) ? paint->crisp : (outlined || paint->crisp)) {
        const struct shape_box box = shape_box(rect, scale);
        shape.area = (struct rect){(float)box.left, (float)box.top, (float)(box.right - box.left),
                                   (float)(box.bottom - box.top)};
        shape.width = outlined ? fmaxf(roundf(shape.width), 1) : 0;
    }
    const float half = fminf(shape.area.w, shape.area.h) / 2;
    shape.radius = fminf(shape.radius, half);
    shape.width = fminf(shape.width, half);
    return shape;
}

bool shape_straight_line(const struct canvas_command *command, const struct point *points,
                         float scale, struct point ends[2], float *width)
{
    const bool down = points[0].x == points[1].x;
    const bool across = points[0].y == points[1].y;
    if (command->length != 2 || down == across) {
        return false;
    }
    *width = fmaxf(roundf(command->paint.width * scale), 1);
    /* An odd width sits on the middle of a pixel, an even one between two. */
    const float half = fmodf(*width, 2) / 2;
    for (int i = 0; i < 2; i++) {
        ends[i] = (struct point){points[i].x * scale, points[i].y * scale};
        if (down) {
            ends[i].x = roundf(ends[i].x - half) + half;
        } else {
            ends[i].y = roundf(ends[i].y - half) + half;
        }
    }
    return true;
}

struct shape_box shape_bounds(const struct canvas_command *command, float scale)
{
    struct rect area = canvas_bounds(command);
    if (command->kind == CANVAS_TEXT) {
        /* Accents, swashes and the tails of some scripts leave the line they are measured by. */
        const float size = command->rect.h;
        area = rect_inset((struct rect){area.x, area.y, area.w, area.h}, -size);
    }
    return shape_box_around(rect_inset(area, -2 / scale), scale);
}
