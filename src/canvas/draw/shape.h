/* canvas/draw/shape.h — inside of the room: where shapes come to lie on pixels, the same for every
 * player. */
#ifndef CANVAS_DRAW_SHAPE_H
#define CANVAS_DRAW_SHAPE_H

#include "canvas/draw/canvas.h"

/* Edges between pixels: x from left to right - 1 lies inside. */
struct shape_box {
    int left, top, right, bottom;
};

/* A rectangle in pixels. The outline is `width` wide and lies inside the area. */
struct shape_rect {
    struct rect area;
    float radius;
    float width; /* 0: no outline */
};

static inline bool colour_is_seen(struct colour colour)
{
    return colour.alpha > 0;
}

/* A clip or an image: all four edges rounded, never outside ±2^24. */
struct shape_box shape_box(struct rect rect, float scale);

/* The pixels that a rectangle touches at all. */
struct shape_box shape_box_around(struct rect rect, float scale);

struct shape_box shape_box_cut(struct shape_box a, struct shape_box b);

static inline bool shape_box_is_empty(struct shape_box box)
{
    return box.left >= box.right || box.top >= box.bottom;
}

struct shape_rect shape_rect(const struct canvas_command *command, float scale);

/* True when the command is a single line across or down; then its ends in pixels, rounded. */
bool shape_straight_line(const struct canvas_command *command, const struct point *points,
                         float scale, struct point ends[2], float *width);

/* The pixels that drawing the command may change. */
struct shape_box shape_bounds(const struct canvas_command *command, float scale);

#endif
