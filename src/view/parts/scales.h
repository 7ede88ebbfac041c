/* view/parts/scales.h — one colour scale for matrices that are compared: queries with keys, values
 * with their blend, embeddings with what is added to them. */
#ifndef VIEW_PARTS_SCALES_H
#define VIEW_PARTS_SCALES_H

#include "view/parts/view.h"

/* The value at which the colours of a part end, for this head; own: the matrix as it is drawn. */
float view_scale_peak(const struct view *view, enum lab_part part, size_t head,
                      const struct lab_matrix *own);

/* Draws the scales of the stage's matrices in one line, right-aligned: "Q K ▬ ±5.00". Those that do
 * not fit are left out. */
void view_scales(struct view *view, struct rect line);

/* Says whether the stage has scales. */
bool view_scales_are_there(const struct view *view);

#endif
