/* view/parts/table.h — one matrix alone: title and shape, the words of its rows and columns, its
 * cells.
 */
#ifndef VIEW_PARTS_TABLE_H
#define VIEW_PARTS_TABLE_H

#include "view/parts/product.h"

struct view_table {
    struct view_operand operand;  /* the matrix, its title (NULL: none), colours and emphasis */
    const char *const *row_words; /* NULL: rows carry no words */
    const char *const *column_words;
    bool column_numbers;        /* columns without words are numbered */
    const char *label;          /* for whoever reads the list; NULL: the title */
    const char *formula;        /* instead of the shape below the title; NULL: the shape */
    float formula_wide;         /* room for it; 0: that of the cells */
    float cell_wide, cell_high; /* the largest a cell may be */
    float cell_share;           /* height of a cell as a share of its width at most; 0: any */
    float cell_tall;            /* … which before a class it may have to fill its area; 0: none */
    bool square;                /* cells are as high as wide */
    float tail;                 /* room kept free at the right of the cells */
    float foot;                 /* room kept free below them */
    bool has_zoom;              /* many weights can be looked at closely */
    bool top;                   /* stands at the top of its area, not in the middle */
    struct rect level;          /* rows stand level with these, if its head has room above */
    float peak;                 /* of the signed map; 0: its own */
    float done;                 /* share of the cells that are computed by now */
    int decimals;               /* 0: as few as tell the values */
    const struct lab_trace *trace; /* whose mask hides cells; NULL: the view's */
    const struct lab_trace *also;  /* … if this one's hides them, too; NULL: none */
    uint32_t id;
};

struct view_table_answer {
    struct view_matrix_hit hit;
    struct rect cells; /* of what is seen; empty: there was no room */
    bool in_part;      /* not all of it is seen */
    bool words_lean;   /* those above the columns stand aslant, and reach beyond the last one */
};

struct view_table_answer view_table_draw(struct view *view, const struct view_table *table,
                                         struct rect area);

/* weights looked at closely, where there are too many to be seen one by one:
 * the wheel goes nearer and farther, a drag moves along. */

enum { VIEW_ZOOM_FROM = 16 }; /* so many words can be seen one by one */

/* The zoom so many steps nearer (> 0) or farther, about a place of a matrix of these sizes that
 * stays where it is at shares x, y of what is seen. */
struct view_zoom view_zoom_nearer(struct view_zoom zoom, size_t rows, size_t columns, float steps,
                                  float x, float y);

#endif
