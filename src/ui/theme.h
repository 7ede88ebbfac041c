/* ui/theme.h — colours, sizes and spaces that everything on screen shares. */
#ifndef UI_THEME_H
#define UI_THEME_H

#include <stdbool.h>
#include <stddef.h>

#include "canvas/types/colour.h"

#define UI_TEXT_TINY 11.0f
#define UI_TEXT_SMALL 12.0f
#define UI_TEXT_BODY 13.0f
#define UI_TEXT_TITLE 17.0f
#define UI_TEXT_BIG 22.0f

#define UI_CORNER 10.0f      /* of panels */
#define UI_CORNER_SMALL 8.0f /* of controls */
#define UI_GUTTER 12.0f      /* between panels */
#define UI_EDGE 20.0f        /* between the window's edge and what is in it */

struct ui_theme {
    const char *name;  /* "light", "dark", "grey" */
    const char *title; /* as people read it: "Light" */
    bool dark;
    bool grey; /* nothing is told by hue: prints and copies without colour */
    struct colour ground, panel, line, control;
    struct colour ink, muted, faint;
    struct colour accent, accent_ink;           /* the current; what can be read on it */
    struct colour refused;                      /* what cannot be taken as it was typed */
    struct colour x, query, key, value, output; /* roles: the same everywhere */
};

/* "light", "dark" and "grey"; NULL for any other name. */
const struct ui_theme *ui_theme_find(const char *name);
const struct ui_theme *ui_theme_at(size_t index); /* NULL behind the last */

#endif
