/* view/parts/strips.h — sums along a matrix of weights: what every query gives, at its right; what
 * every key receives, below it. A click on one lets its line shine alone. */
#ifndef VIEW_PARTS_STRIPS_H
#define VIEW_PARTS_STRIPS_H

#include "view/parts/view.h"

/* Room that the strips take beside and below the cells; beside without numbers. */
#define VIEW_STRIP_WIDE 20.0f
#define VIEW_STRIP_NUMBERS 58.0f
#define VIEW_STRIP_HIGH 26.0f

struct view_strips {
    struct lab_matrix weights; /* as they are shown */
    struct rect cells;         /* where they stand */
    bool numbers;              /* there is room for VIEW_STRIP_NUMBERS beside the cells */
    const char *name;          /* its id */
};

void view_strips(struct view *view, const struct view_strips *strips);

/* A title over a column of sums that begins at x; below it, where the words over so many columns
 * lean and reach over it. leaning: 0, they do not lean. */
void view_strip_title(struct view *view, struct rect cells, size_t leaning, float x,
                      const char *title);

/* Letters of a figure's numbers beside rows so high; 0: they could not be read. */
float view_strip_size(const struct view *view, float high);

/* What is set aside, in one line; with controls: a switch to bring the rows back to 1; and how high
 * it is (0: nothing is). */
void view_aside_note(struct view *view, struct rect area, bool controls);
float view_aside_height(const struct view *view);

#endif
