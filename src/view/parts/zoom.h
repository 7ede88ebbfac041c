/* view/parts/zoom.h — weights looked at closely, where there are too many to be seen one by one:
 * the wheel goes nearer and farther, a drag moves along. */
#ifndef VIEW_PARTS_ZOOM_H
#define VIEW_PARTS_ZOOM_H

#include "view/parts/product.h"

enum { VIEW_ZOOM_FROM = 16 }; /* so many words can be seen one by one */

/* Whether the zoom is for this matrix: weights or scores of many words. */
bool view_zoom_is_for(const struct view_operand *operand);

/* The stretch of rows and columns that the zoom shows; all of them where it lies on nothing. */
void view_zoom_reach(const struct view *view, const struct view_operand *operand,
                     struct view_viewport *row, struct view_viewport *column);

/* Wheel and drag over the cells that are seen. */
void view_zoom_feel(struct view *view, const struct view_operand *operand, struct rect cells,
                    const struct view_matrix_hit *hit);

/* "Largest | Mean" where dots of a matrix stand for many weights, at the right end above `cells`.
 */
void view_zoom_switch(struct view *view, struct rect cells, float above);

/* The zoom so many steps nearer (> 0) or farther, about a place of a matrix of these sizes that
 * stays where it is at shares x, y of what is seen. */
struct view_zoom view_zoom_nearer(struct view_zoom zoom, size_t rows, size_t columns, float steps,
                                  float x, float y);

#endif
