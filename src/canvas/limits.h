/* canvas/limits.h — how large a picture may be. */
#ifndef CANVAS_LIMITS_H
#define CANVAS_LIMITS_H

enum { RENDER_SIDE_MAX = 16384 /* pixels */ };

#endif
