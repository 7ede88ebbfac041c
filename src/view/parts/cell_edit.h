/* view/parts/cell_edit.h — editing the numbers of a matrix by typing and dragging. */
#ifndef VIEW_PARTS_CELL_EDIT_H
#define VIEW_PARTS_CELL_EDIT_H

#include "lab/experiment/edits.h"
#include "view/parts/matrix.h"

/* Called when the matrix is drawn, with the state of the pointer; a drag takes the click from hit.
 */
void view_cell_edit(struct view *view, const struct view_matrix *matrix, struct ui_touch touch,
                    struct view_matrix_hit *hit);

/* A number that follows the pointer sideways until Esc undoes the drag. The other weights of a row
 * share the remainder, and with ⇧ they stay; other numbers change ten times as fast with ⇧. */
struct view_number {
    struct lab_cell cell;
    double value;     /* before the drag */
    float pressed_at; /* x */
    double step;      /* change per point */
};
/* True during a drag: the press is no click. */
bool view_number_drag(struct view *view, struct ui_touch touch, const struct view_number *number);

/* Says whether the numbers of the matrix may be edited. */
bool view_cell_may_edit(const struct view *view, const struct view_matrix *matrix);

/* Opens the field over a cell, if the matrix may be edited. */
void view_cell_open(struct view *view, const struct view_matrix *matrix, size_t row, size_t column);

#endif
