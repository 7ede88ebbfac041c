/* view/parts/boxes.h — boxes that many panels have: cells with numbers, and the names of their rows
 * and columns. */
#ifndef VIEW_PARTS_BOXES_H
#define VIEW_PARTS_BOXES_H

#include "ui/box.h"
#include "view/parts/product.h"

/* A tree for a panel, in which so many things may be given up. */
struct box_tree view_boxes(const struct view *view, unsigned gives);

/* The numbers of an operand may give these up, one after the other. The order is the panel's; each
 * is a member of its list. */
struct view_number_gives {
    uint8_t wanted;        /* the usual size, for one that is still read well */
    uint8_t decimals;      /* the last of each number */
    uint8_t readable;      /* for the smallest size */
    uint8_t all_decimals;  /* all of numbers of two digits and more */
    uint8_t numbers;       /* all of them */
    uint8_t readable_rows; /* rows that are as high as numbers that are read well */
    uint8_t rows;          /* rows that are as high as the smallest */
};

/* The needs of cells for their numbers, behind at most two that the panel has for their height. */
void view_number_needs(const struct view *view, const struct view_operand *operand,
                       const struct view_number_gives *gives, struct box_cells *cells);

/* Names of the rows or the columns of cells. */
struct view_names {
    struct view *view;
    const struct box *cells;
    struct view_words words;       /* from, step and at are found with the cells */
    bool above;                    /* of columns; else of rows, whose side words.anchor says */
    bool whole;                    /* above: there only if they are level, and none is cut */
    bool reaches;                  /* above: the last one has the room beyond the cells */
    struct point max;              /* the widest and the highest that they may be */
    uint8_t large, readable, each; /* given up: the usual size; the size that the style calls
                                      readable; a name for every row */
    uint8_t brief; /* of a figure: with the first two a third of the width each, where the middle of
                      names is cut; 0: it stays */
};

/* Adds them to the tree: *names as a leaf, at the place of `box`. */
struct box *view_add_names(struct box_tree *tree, const struct view_names *names, struct box box);

#endif
