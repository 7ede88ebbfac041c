/* tests/canvas/press.h — fonts, a list and the Cairo player, for tests that make files. */
#ifndef TESTS_CANVAS_PRESS_H
#define TESTS_CANVAS_PRESS_H

#include "base/arena.h"
#include "canvas/draw/canvas.h"
#include "canvas/render/render.h"

struct press {
    struct fonts *fonts;
    struct canvas *canvas;
    struct render_cairo *player;
    struct arena arena;
};

/* Set-up and tear-down of cmocka: *state is a press. */
int press_open(void **state);
int press_close(void **state);

#endif
