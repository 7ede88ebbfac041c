/* view/stage/softmax_layout.h — where the parts of the softmax stage stand: its heading, the charts
 * of a row, and all of α below them or in their place. */
#ifndef VIEW_STAGE_SOFTMAX_LAYOUT_H
#define VIEW_STAGE_SOFTMAX_LAYOUT_H

#include "view/parts/boxes.h"

/* The parts that give way in a low window, in this order. */
enum softmax_gives {
    SOFTMAX_ALPHA_TITLE = 1, /* the heading says what α is */
    SOFTMAX_BOTH,     /* the row of a query together with all of α; then one of them by choice */
    SOFTMAX_FORMULAS, /* below the titles of charts */
    SOFTMAX_SUMS,     /* below charts, and of the columns of α */
    SOFTMAX_NUMBERS,
    SOFTMAX_GIVES = SOFTMAX_NUMBERS
};

struct softmax_layout {
    struct box_tree tree;
    const struct box *heading, *row, *alpha; /* without scores all of α is alone, the others are
                                                NULL */
};

void softmax_lay_out(const struct view *view, struct rect area, struct softmax_layout *lay);

/* Says whether α has its title: below the charts it always has one in presenter mode. */
bool softmax_has_title(const struct view *view, const struct box_tree *tree);

/* Says whether something that may give way has to in a lower area, but not in this one. */
bool softmax_needs(const struct view *view, struct rect area, float lower, enum softmax_gives what);

#endif
