/* canvas/render/cairo_shapes.h — inside of the room: rectangles and paths drawn by Cairo, for
 * pixels and for PDF. */
#ifndef CANVAS_RENDER_CAIRO_SHAPES_H
#define CANVAS_RENDER_CAIRO_SHAPES_H

#include <cairo.h>

#include "canvas/draw/canvas.h"

void cairo_shapes_colour(cairo_t *cairo, struct colour colour);

/* scale: pixels a point; top: the row of pixels that is the first of the surface. */
void cairo_shapes_rect(cairo_t *cairo, const struct canvas_command *command, float scale, int top);
void cairo_shapes_path(cairo_t *cairo, const struct canvas *canvas,
                       const struct canvas_command *command, float scale, int top);

#endif
