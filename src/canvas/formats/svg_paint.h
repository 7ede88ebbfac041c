/* canvas/formats/svg_paint.h — inside of the room: attributes of SVG that say how something is
 * painted, and ramps of colours. */
#ifndef CANVAS_FORMATS_SVG_PAINT_H
#define CANVAS_FORMATS_SVG_PAINT_H

#include "canvas/draw/canvas.h"
#include "canvas/formats/xml.h"

/* A colour as the attribute `name`, with its opacity where it is not opaque. */
void svg_put_colour(struct xml *xml, const char *name, struct colour colour);
void svg_put_fill(struct xml *xml, struct colour colour);
void svg_put_stroke(struct xml *xml, const struct paint *paint, float width);
void svg_put_area(struct xml *xml, struct rect area);

/* A rectangle in which colours [command->length] go over into each other, from its top or its left;
 * put_name writes its name in the file, once where it begins and once where it is used. */
void svg_put_ramp(struct xml *xml, const struct canvas_command *command, struct rect area,
                  const struct colour *colours, void (*put_name)(void *owner), void *owner);

#endif
