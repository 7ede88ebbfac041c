/* view/stage/stage_layout.h — which parts of a stage's panel are there, and how high they are: its
 * header, its content and the bar below it; and those of the softmax stage. */
#ifndef VIEW_STAGE_STAGE_LAYOUT_H
#define VIEW_STAGE_STAGE_LAYOUT_H

#include "view/parts/boxes.h"

/* What gives way where a panel in the window is low, the first first. */
enum view_stage_gives {
    STAGE_ALPHA_TITLE = 1, /* the heading says what α is */
    STAGE_TOOLBAR,         /* its commands have keys, too */
    STAGE_AIRY_LINES,      /* of charts that stand alone */
    STAGE_SENTENCE,        /* below the headline */
    STAGE_BOTH,            /* the row of a query together with all of α; then one by choice */
    STAGE_HEADLINE,        /* the ribbon repeats it, but the head or the step that it names */
    STAGE_FORMULAS,        /* below the titles of charts */
    STAGE_SUMS,            /* below charts, and of the columns of α */
    STAGE_NUMBERS,
    STAGE_GIVES = STAGE_NUMBERS
};

/* The parts of a panel that has controls. */
struct view_stage_parts {
    struct rect body;
    bool headline, sentence, toolbar;
};

/* Places the parts of the panel in its area; edge and foot: the room at both sides of the body, and
 * below all. bar: the height of the toolbar, 0: there is none. */
struct view_stage_parts view_stage_place(struct view *view, struct rect area, float edge,
                                         float foot, float bar);

/* The boxes of the softmax stage. Where there are no scores, it is all of α alone, and the others
 * are NULL. */
struct view_softmax_boxes {
    struct box *heading, *row, *alpha;
};

/* Adds them as a column. */
struct box *view_softmax_add(const struct view *view, struct box_tree *tree,
                             struct view_softmax_boxes *boxes);

#endif
