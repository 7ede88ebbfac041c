/* view/overview/head_grid.h — where the small pictures of all heads stand in a panel: squares, as
 * large as they fit.
 *
 *     by layer and head: a row is a layer, a column a head. Many layers stand in several blocks
 * side by side, many heads of few layers in several rows, whichever makes them largest.
 *
 *          H0  H1            H0  H1
 *     L0   ▦   ▦        L2   ▦   ▦
 *     L1   ▦   ▦        L3   ▦   ▦
 *
 *     sorted: in rows one after the other, or a band for each kind of heads under its name. */
#ifndef VIEW_OVERVIEW_HEAD_GRID_H
#define VIEW_OVERVIEW_HEAD_GRID_H

#include "view/parts/head_overview.h"
#include "view/parts/view.h"

struct head_grid {
    struct rect area, hall; /* of the pictures, as far as they are seen; with their numbers */
    size_t layers, heads, rows, columns; /* columns: of all blocks */
    const size_t *order;                 /* NULL: by layer and head */
    size_t blocks, lines; /* side by side; layers in each but the last. 1 and all where sorted */
    size_t folds, across; /* rows that a layer takes; pictures in each */
    float apart;          /* room for numbers before each block */
    float pitch, down;    /* from picture to picture */
    float side, name;     /* of a picture; of the line below it */
    float content, from;  /* the height of it all, and how far it is scrolled */
    struct head_band {
        size_t first, count, row;   /* of the order; which row of pictures it begins with */
        enum lab_head_measure kind; /* LAB_HEAD_MEASURES: none of them */
        float y, heading;           /* from the top of it all; room for its name */
    } band[LAB_HEAD_MEASURES + 1];
    size_t bands;
};

/* As large as they fit into hall; where they would be too small, higher than it. */
struct head_grid head_grid_find(const struct view *view, struct rect hall);

/* The picture at a place of the order (by layer and head: layer · heads + head). */
struct rect head_grid_cell(const struct head_grid *grid, size_t at);

/* Its row and column; and the place there, or the nearest where none is. */
void head_grid_spot(const struct head_grid *grid, size_t at, size_t *row, size_t *column);
size_t head_grid_at(const struct head_grid *grid, size_t row, size_t column);

/* The place under a point of the screen; SIZE_MAX: none. */
size_t head_grid_pointed(const struct head_grid *grid, float x, float y);

/* The width of all pictures with the numbers before their blocks. */
float head_grid_width(const struct head_grid *grid);

#endif
