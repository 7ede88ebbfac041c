/* view/parts/viewport.h — which cells of a matrix are seen where it is looked at closely. */
#ifndef VIEW_PARTS_VIEWPORT_H
#define VIEW_PARTS_VIEWPORT_H

#include "view/parts/view.h"

/* Whose words stand along rows or columns. */
enum view_axis { VIEW_AXIS_OTHER, VIEW_AXIS_QUERIES, VIEW_AXIS_KEYS };

/* Where the cells of `all` go on beyond their window its edge is torn, with a sign of the way on.
 */
void view_torn_edges(struct view *view, struct rect window, struct rect all);

/* The area of all cells when those of two reaches fill `window`. */
struct rect view_viewport_area(struct rect window, size_t rows, struct view_viewport row,
                               size_t columns, struct view_viewport column);

#endif
