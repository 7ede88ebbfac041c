/* view/parts/matrix_internal.h — how a cell is coloured, for cells and for images of many cells. */
#ifndef VIEW_PARTS_MATRIX_INTERNAL_H
#define VIEW_PARTS_MATRIX_INTERNAL_H

#include "view/parts/matrix.h"

/* The colour of a dimmed cell: it loses its hue and keeps some of its lightness, as a pale red
 * would be read as a smaller value. */
struct colour view_dimmed(const struct view *view, struct colour fill);

/* Says whether the mask hides the cell. */
/* Returns whether the matrix is of a head that is switched off. */
bool view_matrix_is_off(const struct view *view, const struct view_matrix *matrix);

bool view_matrix_hides(const struct view *view, const struct view_matrix *matrix, size_t row,
                       size_t column);

/* Says whether the column is that of a key that is set aside, in a matrix of weights. */
bool view_matrix_is_aside(const struct view *view, const struct view_matrix *matrix, size_t column);

/* The number at the end of the signed map; 0: none. */
float view_matrix_peak(const struct view *view, const struct view_matrix *matrix);

struct colour view_matrix_colour(const struct view *view, const struct view_matrix *matrix,
                                 float value);

/* Draws the first `shown` cells as one image, no larger than the pixels it covers
 * (view/parts/downsample.c). */
void view_image(struct view *view, const struct view_matrix *matrix, size_t shown);

#endif
