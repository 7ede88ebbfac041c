#include "press.h"

#include <stdlib.h>

int press_open(void **state)
{
    struct press *press = calloc(1, sizeof *press);
    if (press == NULL) {
        return 1;
    }
    press->fonts = fonts_open(NULL);
    press->canvas = canvas_open(press->fonts);
    press->player = render_cairo_open(press->fonts, NULL);
    *state = press;
    return press->player == NULL || press->canvas == NULL;
}

int press_close(void **state)
{
    struct press *press = *state;
    render_cairo_close(press->player);
    canvas_close(press->canvas);
    fonts_close(press->fonts);
    arena_free(&press->arena);
    free(press);
    return 0;
}
