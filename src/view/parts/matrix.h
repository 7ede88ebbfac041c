/* view/parts/matrix.h — a matrix as cells: colour, number, hatching where hidden, the selected row
 * and column, and the cell under the pointer; and the labels of rows and columns. */
#ifndef VIEW_PARTS_MATRIX_H
#define VIEW_PARTS_MATRIX_H

#include "view/parts/view.h"
#include "view/parts/viewport.h"

enum { VIEW_NOWHERE = -1 };

/* The place that the cells of a matrix start from during a transition (view/parts/morph.h). */
struct view_origin {
    struct rect area;
    size_t rows, columns; /* as drawn there */
    bool transposed;      /* it was drawn transposed there */
    long shift;           /* column c of the matrix is column c + shift there */
    float share;          /* progress: 0 there, 1 here */
};

struct view_matrix {
    struct lab_matrix matrix;
    bool transposed;    /* drawn transposed: rows as drawn are columns of matrix */
    struct rect area;   /* of all cells; each is area.w / columns wide */
    struct rect window; /* the visible part of area; empty: all of it */
    const char *tip;    /* its name and formula; NULL: the label */
    const char *label;  /* its description in the list of drawing commands */
    bool is_share; /* weights, in the colour map of weights; else signed numbers up to ± peak */
    float peak;    /* end of the signed map; 0: every value is zero */
    int decimals;  /* of the numbers in the cells */
    bool numbers;  /* numbers are drawn where they fit */
    bool shrinks;  /* in a small font too */
    bool is_tile;  /* the keyboard focuses it as a whole, not its cells */
    struct colour outline; /* around the matrix */
    long row, column;      /* emphasised in row_colour, column_colour; VIEW_NOWHERE: none */
    struct colour row_colour, column_colour;
    bool cell;   /* the cell (row, column) is emphasised, not the lines */
    bool masked; /* cells that the trace's mask hides are hatched */
    float done;  /* share of the cells that are computed by now, row by row; 1: all */
    enum view_axis row_axis, column_axis; /* as drawn */
    bool discs;                           /* cells are discs, if the matrix is small */
    bool guessed;       /* it may contain what is to be guessed: results and weights */
    bool editable;      /* its numbers may be edited */
    enum lab_part part; /* the part of the trace */
    size_t head;        /* of that part */
    bool derived;       /* computed from its part by this stage */
    const struct view_origin *origin; /* its cells are moving from there; NULL: they are in place */
    const struct lab_trace *trace;    /* whose mask hides cells; NULL: the view's */
    const struct lab_trace
        *also; /* cells are hidden only if its mask hides them too; NULL: no condition */
    size_t first_row, first_column; /* of the trace's matrix, where `matrix` is a part of one */
    uint32_t id;                    /* for the pointer */
};

/* The input on a cell, by pointer or keyboard. */
struct view_matrix_hit {
    bool hover, clicked;
    bool pressed,
        held; /* pressed: the button went down on it; held: it is down, perhaps elsewhere by now */
    bool activated; /* Enter or Space on the cell with the focus */
    size_t row, column;
};

/* The part of its area in which a matrix is visible and answers the pointer. */
struct rect view_matrix_window(const struct view_matrix *matrix);

/* The rows and the columns that are visible in it. */
struct view_viewport view_matrix_rows_seen(const struct view_matrix *matrix);
struct view_viewport view_matrix_columns_seen(const struct view_matrix *matrix);

/* The visible part as a matrix of its own; all of it if it is drawn transposed. */
struct view_matrix view_matrix_seen(const struct view_matrix *matrix);

size_t view_matrix_rows(const struct view_matrix *matrix);
size_t view_matrix_columns(const struct view_matrix *matrix);
float view_matrix_value(const struct view_matrix *matrix, size_t row, size_t column);

struct view_matrix_hit view_matrix_draw(struct view *view, const struct view_matrix *matrix);

/* Labels at the left of rows (right-aligned, ending at x), at their right (starting at x), or above
 * columns (baseline y), thinned out where they would not fit; `chosen` is always shown, in its
 * colour. words NULL: numbers from 1, faint. In a figure labels are rotated and shrunk first, and
 * view->names_every says what is left out all the same. */
#define VIEW_WORDS_APART 9.0f /* from the cells to the baseline of labels above them */
struct view_words {
    const char *const *words;
    size_t count;
    float from, step; /* start of the first cell, size of each */
    float at;         /* x of row labels, baseline of column labels */
    float room;       /* width limit of a row label; height limit of a rotated column label */
    float beyond;     /* room at the right of the last column */
    enum canvas_anchor anchor;
    long chosen;
    struct colour colour;                 /* of the chosen word */
    const struct lab_places *highlighted; /* others that look as if chosen; NULL: none */
    float line; /* of rows: the least from label to label, and the limit of the font size; 0: as
                   usual */
    bool tight; /* there is no free room after the last column's label */
    struct view_viewport
        reach; /* the visible ones, the first of which is at `from`; count 0: all */
};
/* The height of the labels above columns, from the cells up; 0: they stand in one level line. */
float view_words_above(const struct view *view, const struct view_words *words);

/* Says whether no label above columns is cut. */
bool view_words_whole(const struct view *view, const struct view_words *words);

/* Says whether the labels of columns lean, and so reach beyond the last column. */
bool view_words_lean(const struct view *view, const struct view_words *words);

/* The width of row labels, at most width_max; in a figure their font is as small as the rows. */
float view_words_beside(const struct view *view, const struct view_words *words, float width_max);

/* The least distance between labels in the smallest font. */
float view_words_line(const struct view *view);

/* The attempts of a figure, one after the other, until it has all labels: the share of their width
 * limit, and the share of the least distance between labels. */
enum { VIEW_WORDS_SHARES = 8 };
extern const struct view_words_share {
    float share, line;
} view_words_shares[VIEW_WORDS_SHARES];

void view_words_of_rows(struct view *view, const struct view_words *words);
void view_words_of_columns(struct view *view, const struct view_words *words);

/* The width of row labels, at most width_max. */
float view_words_width(const struct view *view, const char *const *words, size_t count,
                       float width_max);

/* A cell width at which the labels above columns can be read, at least width_min. */
float view_words_column(const struct view *view, const char *const *words, size_t count,
                        float width_min);

/* The decimals of a matrix in the window: as few as distinguish its values, at most 2 (shares: 2),
 * or those that were asked for. */
int view_matrix_decimals(const struct view *view, const struct lab_matrix *matrix, bool is_share);

/* In a figure names and letters make room for the numbers of so few cells. */
enum { VIEW_FEW_CELLS = 256 };

/* The fewest decimals that may be left if there is no room for all. */
int view_matrix_min_decimals(const struct view *view, int decimals);

/* Font sizes of numbers in the presenter view: the smallest, and the one that can be read from the
 * last row. */
#define VIEW_PRESENTER_FONT_MIN 9.2f
#define VIEW_PRESENTER_FONT_READABLE 12.8f

/* The fewest decimals that may be left in the presenter view or a figure: numbers of two digits and
 * more are useful without any. */
int view_matrix_presenter_decimals(const struct view *view, const struct lab_matrix *matrix,
                                   int decimals);

/* The sizes of numbers, and what a cell needs to have them in one of these. */
struct view_number_sizes {
    float wanted;   /* as they are drawn where there is room */
    float readable; /* for whoever sits where the style says */
    float min;      /* before they are left out */
};
struct view_number_sizes view_number_sizes(const struct view *view, bool is_share, bool shrinks);
float view_number_cell_width(const struct view *view, const struct lab_matrix *matrix, int decimals,
                             float size);
float view_number_cell_height(const struct view *view, float size);

/* The smallest cell width in which the numbers of a matrix can be read. */
float view_matrix_number_width(const struct view *view, const struct lab_matrix *matrix,
                               int decimals);

#endif
