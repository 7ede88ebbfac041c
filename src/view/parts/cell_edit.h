/* view/parts/cell_edit.h — what hands do to the numbers of a matrix that may be typed over. */
#ifndef VIEW_PARTS_CELL_EDIT_H
#define VIEW_PARTS_CELL_EDIT_H

#include "lab/experiment/edits.h"
#include "view/parts/matrix.h"

/* Called when the matrix is drawn, with how the pointer stands to it; a drag takes the click from
 * hit. */
void view_cell_edit(struct view *view, const struct view_matrix *matrix, struct ui_touch touch,
                    struct view_matrix_hit *hit);

/* A number that follows the pointer sideways: Esc takes the move back. Weights of a row share what
 * is left among them, with ⇧ the others stay; other numbers go ten times as fast with ⇧. */
struct view_number {
    struct lab_cell cell;
    double value;     /* before the move */
    float pressed_at; /* x */
    double step;      /* for a point */
};
/* True while the number is being moved: the press is no click. */
bool view_number_drag(struct view *view, struct ui_touch touch, const struct view_number *number);

/* Whether hands may type over its numbers. */
bool view_cell_may_edit(const struct view *view, const struct view_matrix *matrix);

/* Opens the field over a cell, where the matrix may be typed over. */
void view_cell_open(struct view *view, const struct view_matrix *matrix, size_t row, size_t column);

#endif
