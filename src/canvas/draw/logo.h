/* canvas/draw/logo.h — the program's mark: on the window, in menus and docks. */
#ifndef CANVAS_DRAW_LOGO_H
#define CANVAS_DRAW_LOGO_H

#include "canvas/draw/canvas.h"

/* Starts the list anew with the mark on it, size × size points. */
void canvas_logo(struct canvas *canvas, float size);

#endif
