/* view/learn/names.h — the names of the curves with their values at the present step: a column
 * right of the plot. */
#ifndef VIEW_LEARN_NAMES_H
#define VIEW_LEARN_NAMES_H

#include "view/parts/learn.h"

/* The reach of the column below the plot. */
#define LEARN_NAMES_BELOW 4.0f

/* The width of the column at the right of an area, at least that of the switch of the time scale
 * below it, which is all there is without room for names. */
#define LEARN_NAMES_MIN 42.0f
float learn_names_width(const struct view *view, struct rect area);

/* Draws the column. end: of each curve, the end of its line, where a leader begins; y NaN: it has
 * not begun. */
void learn_names(struct view *view, struct rect column, const struct point *end);

/* The name of a curve; hidden while a guess asks where a head looks. brief: without its head. */
const char *learn_curve_name(const struct view *view, const struct view_learn_curve *curve,
                             bool brief);

/* "82 %": never 0 or 100 percent of what is neither. Owned by the frame's arena. */
const char *learn_share_text(struct view *view, double share);

#endif
