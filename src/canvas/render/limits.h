/* canvas/render/limits.h — how large a picture may be. */
#ifndef CANVAS_RENDER_LIMITS_H
#define CANVAS_RENDER_LIMITS_H

enum { RENDER_SIDE_MAX = 16384 /* pixels */ };

#endif
