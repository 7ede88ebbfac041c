/* tests/canvas/sample.h — one list with everything a player has to draw, for all tests of
 * players. */
#ifndef TESTS_CANVAS_SAMPLE_H
#define TESTS_CANVAS_SAMPLE_H

#include "canvas/draw/canvas.h"

enum { SAMPLE_WIDTH = 480, SAMPLE_HEIGHT = 300 };

/* Begins the list anew and fills it, ground and all. */
void sample_draw(struct canvas *canvas);

#endif
