/* view/learn/names.h — what the curves are called and what they are at the step that is shown: a
 * column right of the plot, where no line runs. */
#ifndef VIEW_LEARN_NAMES_H
#define VIEW_LEARN_NAMES_H

#include "view/parts/learn.h"

/* So far the column may reach below the plot. */
#define LEARN_NAMES_BELOW 4.0f

/* How much of the right of an area the column takes: at least what the scale of time below it does,
 * and no more than that where there is no room for names. */
#define LEARN_NAMES_LEAST 42.0f
float learn_names_width(const struct view *view, struct rect area);

/* end: of each curve, where its line ends and a leader begins; y NaN: it has not begun. */
void learn_names(struct view *view, struct rect column, const struct point *end);

/* "82 %", "0.395": never 0 or 100 percent of what is neither. Owned by the frame's arena. */
const char *learn_share_text(struct view *view, double share);

#endif
