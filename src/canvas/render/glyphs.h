/* canvas/render/glyphs.h — inside of the room: letters as masks of coverage, ready to be blended.
 *
 * Cairo 1.16 moves every glyph to a whole pixel, which makes small text uneven; so masks are
 * made here, at four positions between two pixels, without hinting, and are the same with every
 * version of Cairo. */
#ifndef CANVAS_RENDER_GLYPHS_H
#define CANVAS_RENDER_GLYPHS_H

#include "canvas/draw/canvas.h"
#include "canvas/render/pixels.h"

struct glyphs;

struct glyphs *glyphs_open(struct fonts *fonts, struct error *error);
void glyphs_close(struct glyphs *glyphs);

/* Draws a text command into the clip of a picture whose first row is row `top` of the whole. */
void glyphs_draw(struct glyphs *glyphs, const struct canvas *canvas,
                 const struct canvas_command *command, float scale, int top, struct shape_box clip,
                 const struct render_pixels *pixels);

/* One glyph of a font file at `em` pixels with its pen at x, baseline at y, turned counterclockwise
 * by so many degrees: its mask and the pixel that the mask's corner comes to lie on. NULL: there is
 * nothing to draw. Valid until glyphs_trim. */
const struct pixels_mask *glyphs_mask(struct glyphs *glyphs, uint32_t file, uint32_t id, float em,
                                      struct point pen, int turn, int *left, int *top);

/* The mask for one of the positions between pixels, as glyphs_mask chose it: a name for caches. An
 * upright letter stands on a whole row. */
uint32_t glyphs_phase(struct point pen, int turn);

/* The pen of a glyph of a text command, in pixels, its baseline on a whole row where it is level.
 */
struct point glyphs_pen(const struct canvas_command *command, const struct font_glyph *glyph,
                        float scale);

/* Between frames: drops the masks when they take much memory. */
void glyphs_trim(struct glyphs *glyphs);

#endif
