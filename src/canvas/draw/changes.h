/* canvas/draw/changes.h — where a picture differs from the one before, so that only that is drawn.
 *
 *     const size_t count = changes_find(changes, canvas, scale, width, height, area);
 *     for (size_t i = 0; i < count; i++) render_cairo_pixels(player, canvas, scale, &area[i], …);
 *
 * Exact for lists that begin with an opaque ground: outside the areas every pixel would come out
 * as it is. */
#ifndef CANVAS_DRAW_CHANGES_H
#define CANVAS_DRAW_CHANGES_H

#include "canvas/draw/canvas.h"

enum { CHANGES_MAX = 6 };

struct changes; /* what was drawn into every tile of the former picture */

/* NULL: no memory. */
struct changes *changes_open(void);
void changes_close(struct changes *changes);

/* The pixels on screen are not the former picture: the next one is new as a whole. */
void changes_forget(struct changes *changes);

/* The areas (points) of width × height pixels that the list changes since the last call, and
 * keeps the list as the former one. Where nothing is known it is one area: all. */
size_t changes_find(struct changes *changes, const struct canvas *canvas, float scale, int width,
                    int height, struct rect area[CHANGES_MAX]);

#endif
