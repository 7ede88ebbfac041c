/* app/draw/panels.h — a figure of several panels: matrices of one shape have cells of one size and
 * their rows at one height, all letters are of one size, and where the colours of panels mean the
 * same numbers one bar explains them. */
#ifndef APP_DRAW_PANELS_H
#define APP_DRAW_PANELS_H

#include "app/draw/figure.h"

enum { APP_PANELS_MAX = 26 };

/* One panel: of its figure only scene and view count. */
struct app_panel {
    struct app_figure figure;
    const char *letter; /* at its upper left; NULL: none */
    bool own_scale;     /* its colours stand for its own numbers, not for those of all panels */
};

struct app_panels {
    const struct app_panel *panel;
    size_t count, columns;
    struct app_figure figure; /* of the whole; scene, view and ink do not count; cropped: as high
                                 as it needs to be */
};

/* Fills the panels A, B and A − B of two scenes; `difference` is the third one's view. Returns 3,
 * or 2 where matrices of different shapes have no difference. */
enum { APP_COMPARED = 3 };
size_t app_panels_compare(const struct app_figure *a, const struct app_figure *b,
                          struct app_panel panel[APP_COMPARED], struct view_state *difference);

/* The bytes of the file, owned by the arena. False and a sentence where the panels do not fit, or
 * one of them has nothing to show; *failed (NULL allowed) is that one then, else count. */
bool app_panels_print(struct app_figure_renderer *renderer, const struct app_panels *panels,
                      struct arena *arena, struct bytes *content, size_t *failed,
                      struct error *error);

#endif
