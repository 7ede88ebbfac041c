/* canvas/formats/outline.h — inside of the room: text as the outlines of its letters, in font
 * units. */
#ifndef CANVAS_FORMATS_OUTLINE_H
#define CANVAS_FORMATS_OUTLINE_H

#include "canvas/formats/xml.h"
#include "canvas/text/font.h"

/* Font units an em of a file has. */
float outline_units(struct fonts *fonts, uint32_t file);

/* Appends the letters of a stretch as the content of an SVG path (`M12 40L…Z`): font units, y
 * upward from the baseline, x counted from the start of the run. */
void outline_put(struct fonts *fonts, const struct font_run *run,
                 const struct font_stretch *stretch, struct xml *xml);

#endif
