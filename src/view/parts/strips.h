/* view/parts/strips.h — sums along a matrix of weights: what every query gives, at its right; what
 * every key receives, below it. A click on a sum emphasises its line alone. */
#ifndef VIEW_PARTS_STRIPS_H
#define VIEW_PARTS_STRIPS_H

#include "view/parts/view.h"

/* Width of the strip beside the cells, without and with numbers, and height of the one below. */
#define VIEW_STRIP_WIDE 20.0f
#define VIEW_STRIP_NUMBERS 58.0f
#define VIEW_STRIP_HIGH 26.0f

struct view_strips {
    struct lab_matrix weights; /* as they are shown */
    struct rect cells;         /* their area */
    bool numbers;              /* the strip beside the cells has numbers */
    bool rows_only;            /* there is no strip below the cells */
    const char *name;          /* the id of the strips */
};

void view_strips(struct view *view, const struct view_strips *strips);

/* Draws a title over a column of sums that begins at x, or below it if `leaning` columns have
 * labels that lean over it; 0: none do. */
void view_strip_title(struct view *view, struct rect cells, size_t leaning, float x,
                      const char *title);

/* The font size of a figure's numbers beside rows so high; 0: they could not be read. */
float view_strip_size(const struct view *view, float high);

/* Draws in one line what is set aside, with buttons to compute without it or bring it back; and the
 * height of that line (0: nothing is set aside). */
void view_aside_note(struct view *view, struct rect area, bool controls);
float view_aside_height(const struct view *view);

#endif
