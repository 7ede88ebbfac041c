/* canvas/glyphs.h — inside of the room: letters as masks of coverage, ready to be blended.
 *
 * Cairo 1.16 moves every glyph to a whole pixel, which makes small text uneven; so masks are made here,
 * at four positions between two pixels, without hinting, and are the same with every version of Cairo. */
#ifndef CANVAS_GLYPHS_H
#define CANVAS_GLYPHS_H

#include "canvas/canvas.h"
#include "canvas/pixels.h"

struct glyphs;

struct glyphs *glyphs_open(struct fonts *fonts, struct error *error);
void glyphs_close(struct glyphs *glyphs);

/* Draws a text command into the clip of a picture whose first row is row `top` of the whole. */
void glyphs_draw(struct glyphs *glyphs, const struct canvas *canvas,
                 const struct canvas_command *command, float scale, int top,
                 struct shape_box clip, const struct play_pixels *pixels);

/* Between frames: drops the masks when they take much memory. */
void glyphs_trim(struct glyphs *glyphs);

#endif
