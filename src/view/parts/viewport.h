/* view/parts/viewport.h — which cells of a matrix are seen where there is no room for all of them:
 * before a class a stretch with the pinned row and column in it, so that its numbers can be read.
 */
#ifndef VIEW_PARTS_VIEWPORT_H
#define VIEW_PARTS_VIEWPORT_H

#include "view/parts/view.h"

/* Whose words stand along rows or columns. */
enum view_axis { VIEW_AXIS_OTHER, VIEW_AXIS_QUERIES, VIEW_AXIS_KEYS };

/* Lowest cell that a class reads, points. */
#define VIEW_CLASS_ROW 19.0f

/* Whether numbers of a matrix of these sizes are for a class to read; longer lines are a pattern.
 */
bool view_class_reads(const struct view *view, size_t rows, size_t columns);

/* Narrowest cell in which a class reads the numbers of a matrix. */
float view_class_width(const struct view *view, const struct lab_matrix *matrix, int decimals);

/* A stretch of at most `most` of `total` cells (at least one) with `keep` in it. It goes by pages:
 * what is chosen inside one leaves it where it is. */
struct view_viewport view_viewport_of(size_t total, size_t most, size_t keep);

/* Shares room for `most` cells between what is summed over, a, and the lines that are sums, b: a
 * may have half of it, so that sums can be followed, and what b leaves. */
void view_viewport_share(size_t most, size_t *a, size_t *b);

/* The area of all cells when those of two reaches fill `window`. */
struct rect view_viewport_area(struct rect window, size_t rows, struct view_viewport row,
                               size_t columns, struct view_viewport column);

/* What is pinned on an axis: a query, a key, or the dimension. */
size_t view_pinned_on(const struct view *view, enum view_axis axis);

#endif
