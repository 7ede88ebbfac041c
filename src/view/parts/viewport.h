/* view/parts/viewport.h — which cells of a matrix are visible where it is zoomed into. */
#ifndef VIEW_PARTS_VIEWPORT_H
#define VIEW_PARTS_VIEWPORT_H

#include "view/parts/view.h"

/* Whose tokens label rows or columns. */
enum view_axis { VIEW_AXIS_OTHER, VIEW_AXIS_QUERIES, VIEW_AXIS_KEYS };

/* Draws a torn edge on each side where the cells of `all` go on beyond their window; with an arrow
 * where they can be moved there. */
void view_torn_edges(struct view *view, struct rect window, struct rect all, bool moves);

/* The area of all cells when those of two visible ranges fill `window`. */
struct rect view_viewport_area(struct rect window, size_t rows, struct view_viewport row,
                               size_t columns, struct view_viewport column);

#endif
