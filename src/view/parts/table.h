/* view/parts/table.h — one matrix alone: title and shape, the labels of its rows and columns, its
 * cells. */
#ifndef VIEW_PARTS_TABLE_H
#define VIEW_PARTS_TABLE_H

#include "view/parts/product.h"

struct view_table {
    struct view_operand operand;  /* the matrix, with title (NULL: none), colours and emphasis */
    const char *const *row_words; /* labels; NULL: none */
    const char *const *column_words;
    bool column_numbers;        /* columns without labels are numbered */
    const char *label;          /* in the list of drawing commands; NULL: the title */
    const char *formula;        /* below the title in place of the shape; NULL: the shape */
    float formula_wide;         /* room for it; 0: that of the cells */
    float cell_wide, cell_high; /* limits of a cell's size */
    float cell_share;           /* limit of a cell's height as a share of its width; 0: none */
    float cell_tall;            /* the same in the presenter view, to fill the area; 0: none */
    bool square;                /* cells are as high as wide */
    float tail;                 /* room kept free at the right of the cells */
    float foot;                 /* room kept free below them */
    bool has_zoom;              /* many weights can be zoomed into */
    bool crops; /* in presenter mode of many lines only those around the chosen ones are shown where
                   numbers in all of them would be too small to be read */
    bool top;   /* at the top of its area, not in the middle */
    struct rect level;             /* rows are level with these, if there is room for the head */
    float peak;                    /* end of the signed map; 0: its own */
    float done;                    /* share of the cells that are computed by now */
    int decimals;                  /* 0: as few as distinguish the values */
    const struct lab_trace *trace; /* whose mask hides cells; NULL: the view's */
    const struct lab_trace
        *also; /* cells are hidden only if this one's mask hides them too; NULL: no condition */
    uint32_t id;
};

struct view_table_answer {
    struct view_matrix_hit hit;
    struct rect cells; /* the visible ones; empty: there was no room */
    float words, head; /* room of the labels beside them, and of what is above them */
    bool in_part;      /* not all of it is visible */
    bool words_lean;   /* the labels above columns lean, and reach beyond the last one */
};

struct view_table_answer view_table_draw(struct view *view, const struct view_table *table,
                                         struct rect area);

/* --- Zoom into weights that are too many to be seen one by one: the wheel zooms, a drag moves. ---
 */

enum { VIEW_ZOOM_FROM = 16 }; /* larger matrices can be zoomed into */

/* The zoom after some steps in (> 0) or out, about the place at shares x, y of the visible part,
 * which stays where it is; rows and columns are those of the matrix. */
struct view_zoom view_zoom_nearer(struct view_zoom zoom, size_t rows, size_t columns, float steps,
                                  float x, float y);

#endif
