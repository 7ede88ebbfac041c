/* view/learn/curves.h — loss, accuracy and scores over the steps of training, with events, and the
 * track whose knob is the present step. */
#ifndef VIEW_LEARN_CURVES_H
#define VIEW_LEARN_CURVES_H

#include "view/parts/learn.h"

/* Returns whether the weights came from a file, without the curves that led to them. */
bool learn_was_read(const struct view_learn *learn);

/* Draws the curves and lets the knob be dragged, by VIEW_LEARN_SEEK and VIEW_LEARN_ONE. */
void learn_curves(struct view *view, struct rect area);

#endif
