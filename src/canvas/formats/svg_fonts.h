/* canvas/formats/svg_fonts.h — inside of the room: the fonts of a picture, cut down to the letters
 * in it, for an SVG that looks the same where they are not installed. */
#ifndef CANVAS_FORMATS_SVG_FONTS_H
#define CANVAS_FORMATS_SVG_FONTS_H

#include "canvas/draw/canvas.h"
#include "canvas/formats/xml.h"

/* Appends a <style> with a rule for every font file that the texts of the list use: its family is
 * named by put_name and the number of the file. A font that cannot be cut down is left out: readers
 * then take one of their own. */
void svg_fonts_put(struct xml *xml, const struct canvas *canvas,
                   void (*put_name)(void *owner, uint32_t file), void *owner);

/* Writes the family of all words; and of a face that has another one, with its weight. */
void svg_fonts_put_words(struct xml *xml, const struct fonts *fonts);
void svg_fonts_put_face(struct xml *xml, const struct fonts *fonts, enum font_face face);

#endif
