/* view/learn/curves.h — loss, accuracy and scores over the steps of training, the events on the
 * way, and the track whose knob is the step that is shown. */
#ifndef VIEW_LEARN_CURVES_H
#define VIEW_LEARN_CURVES_H

#include "view/parts/learn.h"

/* Drawn, and dragged: asks for VIEW_LEARN_SEEK and VIEW_LEARN_ONE. */
void learn_curves(struct view *view, struct rect area);

#endif
