/* view/stage/large_head.h — one head with large cells, and what stands at the colour bar of heads.
 */
#ifndef VIEW_STAGE_LARGE_HEAD_H
#define VIEW_STAGE_LARGE_HEAD_H

#include "view/parts/view.h"

enum { VIEW_HEAD_BAR_WIDE = 11 /* width of the colour bar, in points */ };

/* Draws the selected head. */
void view_large_head(struct view *view, struct rect area);

/* Returns the width of a bar with the legend of masked cells below it, at a distance from the
 * cells.
 */
float view_head_legend_width(const struct view *view, float taken, float apart);

/* Draws that legend in a figure, no farther right than `right`, and shortens the bar for it; cell:
 * the size of the cells that it explains. */
void view_head_legend(struct view *view, struct rect *bar, float right, struct rect cell);

#endif
