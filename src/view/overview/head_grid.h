/* view/overview/head_grid.h — the places of the thumbnails of all heads in a panel: squares, as
 * large as they fit.
 *
 *     by layer and head: a row is a layer, a column a head. Many layers are placed in several
 * blocks side by side, many heads of few layers in several rows, whichever makes them largest.
 *
 *          H0  H1            H0  H1
 *     L0   ▦   ▦        L2   ▦   ▦
 *     L1   ▦   ▦        L3   ▦   ▦
 *
 *     sorted: in rows one after the other, or in a band for each kind of heads under its name. */
#ifndef VIEW_OVERVIEW_HEAD_GRID_H
#define VIEW_OVERVIEW_HEAD_GRID_H

#include "view/parts/head_overview.h"
#include "view/parts/view.h"

struct head_grid {
    struct rect area, hall;              /* of the visible thumbnails; with their numbers */
    size_t layers, heads, rows, columns; /* columns: of all blocks */
    const size_t *order;                 /* NULL: by layer and head */
    size_t blocks, lines; /* blocks side by side; layers in each but the last. Sorted: 1 and all */
    size_t folds, across; /* rows of a layer; thumbnails in each */
    float apart;          /* room for numbers before each block */
    float pitch, down;    /* distance of thumbnails */
    float side, name;     /* size of a thumbnail; height of the name below it */
    float content, from;  /* height of the grid; how far it is scrolled */
    struct head_band {
        size_t first, count, row;   /* range in the order; its first row */
        enum lab_head_measure kind; /* LAB_HEAD_MEASURES: other heads */
        float y, heading;           /* from the top of the grid; height of its name */
    } band[LAB_HEAD_MEASURES + 1];
    size_t bands;
};

/* Makes thumbnails as large as they fit into hall, or higher than hall if they would be too small.
 */
struct head_grid head_grid_find(const struct view *view, struct rect hall);

/* The thumbnail at a place of the order (by layer and head: layer · heads + head). */
struct rect head_grid_cell(const struct head_grid *grid, size_t at);

/* Its row and column; and the place at a row and column, or the nearest. */
void head_grid_spot(const struct head_grid *grid, size_t at, size_t *row, size_t *column);
size_t head_grid_at(const struct head_grid *grid, size_t row, size_t column);

/* The place under a point of the window; SIZE_MAX: none. */
size_t head_grid_pointed(const struct head_grid *grid, float x, float y);

/* The width of all thumbnails with the numbers before their blocks. */
float head_grid_width(const struct head_grid *grid);

#endif
