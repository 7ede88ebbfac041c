/* view/parts/matrix.h — a matrix as cells: colour, number, hatch where hidden, the row and the
 * column that are selected, and which cell is under the pointer. */
#ifndef VIEW_PARTS_MATRIX_H
#define VIEW_PARTS_MATRIX_H

#include "view/parts/view.h"
#include "view/parts/viewport.h"

enum { VIEW_NOWHERE = -1 };

/* Where the cells of a matrix come from while they glide (view/parts/morph.h). */
struct view_origin {
    struct rect area;
    size_t rows, columns; /* on screen, there */
    bool transposed;      /* as it was drawn there */
    long shift;           /* column c of the matrix was column c + shift there */
    float share;          /* 0: there, 1: here */
};

struct view_matrix {
    struct lab_matrix matrix;
    bool transposed;    /* drawn as its transpose: rows on screen are columns of matrix */
    struct rect area;   /* of all cells; each is area.w / columns wide */
    struct rect window; /* what of that is seen, where there is no room for all; empty: all */
    const char *tip;    /* its name and formula: "S = Q · Kᵀ: the scores …"; NULL: the label */
    const char *label;  /* what it is, in words, for whoever reads the list */
    bool is_share;      /* weights 0 … 1: the map of weights; else the signed map, ± peak */
    float peak;         /* of the signed map; 0: none, everything is zero */
    int decimals;       /* of the numbers in the cells */
    bool numbers;       /* drawn where they fit … */
    bool shrinks;       /* … in small letters too */
    bool is_tile;       /* one of many: the keyboard goes to it as a whole, not to its cells */
    struct colour outline; /* around it all */
    long row, column;      /* emphasised with row_colour, column_colour; VIEW_NOWHERE: none */
    struct colour row_colour, column_colour;
    bool cell;   /* the cell (row, column) is emphasised rather than the lines */
    bool masked; /* cells that the trace's mask hides are hatched */
    float done;  /* share of the cells that are computed by now, row by row; 1: all */
    enum view_axis row_axis, column_axis; /* as drawn */
    bool discs;                           /* not squares but discs, where the matrix is small */
    bool guessed;       /* what a guess hides may stand in it: results and weights */
    bool editable;      /* its numbers can be typed over: */
    enum lab_part part; /* … as this part */
    size_t head;        /* … of this head */
    bool derived;       /* made of its part by this stage, not the part itself */
    const struct view_origin
        *origin;                    /* its cells are on their way from there; NULL: they are here */
    const struct lab_trace *trace;  /* whose mask it is; NULL: the view's */
    const struct lab_trace *also;   /* only what its mask hides, too, is hatched; NULL: none */
    size_t first_row, first_column; /* of the trace's, where `matrix` is a stretch of one */
    uint32_t id;                    /* for the pointer */
};

/* Where the pointer is. */
struct view_matrix_hit {
    bool hover, clicked;
    bool pressed, held; /* the button went down on a cell; it is still down, perhaps elsewhere */
    bool activated;     /* Enter or Space on the cell under the keyboard */
    size_t row, column;
};

/* What of its area a matrix can be seen and touched in. */
struct rect view_matrix_window(const struct view_matrix *matrix);

/* Which rows, and which columns, can be seen in it. */
struct view_viewport view_matrix_rows_seen(const struct view_matrix *matrix);
struct view_viewport view_matrix_columns_seen(const struct view_matrix *matrix);

/* The stretch that can be seen as a matrix of its own, where it is not drawn as its transpose. */
struct view_matrix view_matrix_seen(const struct view_matrix *matrix);

size_t view_matrix_rows(const struct view_matrix *matrix);
size_t view_matrix_columns(const struct view_matrix *matrix);
float view_matrix_value(const struct view_matrix *matrix, size_t row, size_t column);

struct view_matrix_hit view_matrix_draw(struct view *view, const struct view_matrix *matrix);

/* Words at the left (right-aligned, ending at x) or at the right (starting at x) of rows, and above
 * columns (baseline y), thinned out where they would not fit; `chosen` always shows, in its colour.
 * words NULL: numbers from 1, faint. In a figure words turn and shrink first, and what is left out
 * all the same stands in view->names_every. */
#define VIEW_WORDS_APART 9.0f /* of their baseline from the cells */
struct view_words {
    const char *const *words;
    size_t count;
    float from, step; /* the first cell's start, and the size of each */
    float at;         /* x of rows' words, baseline of columns' */
    float room;       /* widest a row's word may be; highest a column's where it may turn */
    float beyond;     /* of columns: room at the right of the last cell */
    enum canvas_anchor anchor;
    long chosen;
    struct colour colour;                 /* of the chosen word */
    const struct lab_places *highlighted; /* others that look as if chosen; NULL: none */
    float line; /* of rows: the least from word to word, with letters as small; 0: as usual */
    bool tight; /* something stands right behind the last column's word */
    struct view_viewport
        reach; /* which of them are there; count 0: all. `from` is the first one there */
};
/* Of a figure's columns: room from the cells up to the top of their words. */
float view_words_above(const struct view *view, const struct view_words *words);

/* Whether none of the words above columns is cut. */
bool view_words_whole(const struct view *view, const struct view_words *words);

/* Whether the words of columns stand aslant, and reach beyond the last one. */
bool view_words_lean(const struct view *view, const struct view_words *words);

/* The width that the words of rows take, at most `most`; in a figure they are as small as the rows.
 */
float view_words_beside(const struct view *view, const struct view_words *words, float most);

/* The least from word to word where all of them stand, in letters as small as can be. */
float view_words_line(const struct view *view);

/* What is tried in a figure, one after the other, until all words stand: how much of the most that
 * words take of it, and the least from word to word in lines. */
enum { VIEW_WORDS_SHARES = 8 };
extern const struct view_words_share {
    float share, line;
} view_words_shares[VIEW_WORDS_SHARES];

void view_words_of_rows(struct view *view, const struct view_words *words);
void view_words_of_columns(struct view *view, const struct view_words *words);

/* Width that the words of rows take, at most `most`. */
float view_words_width(const struct view *view, const char *const *words, size_t count, float most);

/* A cell's width so that the words above columns can be read: `least`, or as much as they need. */
float view_words_column(const struct view *view, const char *const *words, size_t count,
                        float least);

/* The decimals of a matrix on screen: as few as tell its values, at most 2 (shares: 2), or those
 * that were asked for. */
int view_matrix_decimals(const struct view *view, const struct lab_matrix *matrix, bool is_share);

/* As few of them as may be left where there is no room for all. */
int view_matrix_least_decimals(const struct view *view, int decimals);

/* Before a class, letters of numbers: the smallest, and those that are read from the last row. */
#define VIEW_CLASS_LEAST 9.2f
#define VIEW_CLASS_READ 12.8f

/* Before a class: as few decimals as may be left; numbers of two digits and more tell something
 * without any. */
int view_matrix_class_decimals(const struct view *view, const struct lab_matrix *matrix,
                               int decimals);

/* Width of a cell that has its numbers in letters of `size`, with air at both sides. */
float view_matrix_class_width(const struct view *view, const struct lab_matrix *matrix,
                              int decimals, float size);

/* Smallest cell width in which the numbers of a matrix can be read. */
float view_matrix_number_width(const struct view *view, const struct lab_matrix *matrix,
                               int decimals);

#endif
