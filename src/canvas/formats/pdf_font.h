/* canvas/formats/pdf_font.h — inside of the room: the font files as Cairo embeds them, and a
 * stretch of text as Cairo writes it, with what it says. */
#ifndef CANVAS_FORMATS_PDF_FONT_H
#define CANVAS_FORMATS_PDF_FONT_H

#include <cairo.h>

#include "canvas/draw/canvas.h"
#include "canvas/render/render.h"

/* A copy that Cairo takes as text: whole UTF-8, what is no character (U+FFFE, 0, broken bytes)
 * replaced by U+FFFD. Owned by the arena, a 0 behind it; NULL: no memory. */
char *pdf_text(struct arena *arena, const char *text, size_t length, size_t *clean_length);

struct pdf_fonts;

/* NULL: no memory. */
struct pdf_fonts *pdf_fonts_open(struct fonts *fonts);
void pdf_fonts_close(struct pdf_fonts *pdf_fonts);

/* Draws a text command with its baseline at y, in the source that is set. False: no memory. */
bool pdf_fonts_draw(struct pdf_fonts *pdf_fonts, cairo_t *cairo, const struct canvas *canvas,
                    const struct canvas_command *command, double y, enum render_text text);

#endif
