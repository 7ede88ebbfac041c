/* view/parts/marks.h — what can stand in a cell besides a square. */
#ifndef VIEW_PARTS_MARKS_H
#define VIEW_PARTS_MARKS_H

#include "view/parts/view.h"

/* The colour of strokes over hidden cells. */
struct colour view_mark_ink(const struct view *view);

/* Diagonal strokes: a masked cell is no zero. */
void view_mark_hidden(struct view *view, struct rect cell);

/* Light strokes both ways: a key that is set aside. */
void view_mark_aside(struct view *view, struct rect cell);

/* A number as a disc: its area is the size, its hue the sign; −∞ is an empty ring with a bar. The
 * number stands beside it or below where it fits. */
struct view_disc {
    float value, peak; /* peak: the value of the largest disc */
    int decimals;
    const char *widest; /* number of its matrix: the discs of all cells stand alike */
    bool dimmed;
};
void view_mark_disc(struct view *view, struct rect cell, const struct view_disc *disc);

#endif
