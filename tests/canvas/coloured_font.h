/* tests/canvas/coloured_font.h — the smallest font with pictures: two letters for private use.
 * U+10FFF0 is a square of one em on the baseline, its left half red, its right half blue; U+10FFF1
 * is said to be there, but has neither layers nor an outline. */
#ifndef TESTS_CANVAS_COLOURED_FONT_H
#define TESTS_CANVAS_COLOURED_FONT_H

#include <stdbool.h>

#define COLOURED_SQUARE "\xf4\x8f\xbf\xb0"
#define COLOURED_NOTHING "\xf4\x8f\xbf\xb1"

/* Writes it; false: that failed. */
bool coloured_font_write(const char *path);

#endif
