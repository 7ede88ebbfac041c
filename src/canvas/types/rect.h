/* canvas/types/rect.h — points and rectangles, in whatever unit their owner says; y downward. */
#ifndef CANVAS_TYPES_RECT_H
#define CANVAS_TYPES_RECT_H

#include <stdbool.h>

struct point {
    float x, y;
};

struct rect {
    float x, y, w, h;
};

static inline bool rect_has(struct rect rect, float x, float y)
{
    return x >= rect.x && x < rect.x + rect.w && y >= rect.y && y < rect.y + rect.h;
}

/* rect moved in by d on every side (outward when d < 0); never less than empty. */
static inline struct rect rect_inset(struct rect rect, float d)
{
    struct rect in = {rect.x + d, rect.y + d, rect.w - 2 * d, rect.h - 2 * d};
    in.w = in.w < 0 ? 0 : in.w;
    in.h = in.h < 0 ? 0 : in.h;
    return in;
}

#endif
