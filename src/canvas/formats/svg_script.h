/* canvas/formats/svg_script.h — a text with indices in SVG: one element, so that whoever searches
 * or copies finds W_Q. */
#ifndef CANVAS_FORMATS_SVG_SCRIPT_H
#define CANVAS_FORMATS_SVG_SCRIPT_H

#include "canvas/draw/canvas.h"
#include "canvas/formats/xml.h"

/* Writes what stands inside the element of the text that begins with this command: letters and
 * indices where they were measured; the signs between them take no room and are not seen. */
void svg_script_put(struct xml *xml, const struct canvas *canvas,
                    const struct canvas_command *first,
                    float (*baseline)(const struct canvas_command *command),
                    void (*put_length)(struct xml *xml, float width));

#endif
