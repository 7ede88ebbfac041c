/* view/parts/product.h — a matrix product in Falk's scheme: row i and column j meet in the cell
 * that they make.
 *
 *                    upper  (inner × columns)
 *          left      result (rows × columns)
 *
 * Several products that share their left operand stand side by side (X · W_Q, X · W_K, X · W_V). */
#ifndef VIEW_PARTS_PRODUCT_H
#define VIEW_PARTS_PRODUCT_H

#include "view/parts/matrix.h"

enum { VIEW_BLOCKS_MAX = 3 };

/* One operand or result: a matrix and its name. */
struct view_operand {
    struct lab_matrix matrix;
    bool transposed;
    const char *title;    /* "Kᵀ" */
    struct colour colour; /* of its role */
    const char *tip;      /* its meaning and formula; NULL: none */
    bool is_share, masked;
    enum lab_part part; /* part of the trace */
    size_t head;
    bool derived;                         /* computed from that part by this stage */
    enum view_axis row_axis, column_axis; /* of the matrix before it is transposed */
    bool discs;                           /* scores are drawn as discs if these are on */
    bool guessed;                         /* a guess may hide cells of it */
    bool editable;                        /* its numbers may be edited */
    bool shrinks;                         /* its numbers shrink before they are left out */
    long row, column; /* emphasised lines, or with `cell` the cell; VIEW_NOWHERE: none */
    struct colour row_colour, column_colour;
    bool cell;
};

struct view_block {
    struct view_operand upper, result;
    const char *const *column_words;
    long column; /* the chosen column, whose label and band are emphasised */
    struct colour column_colour;
};

struct view_product {
    struct view_operand left;
    const char *const *row_words;   /* labels of the rows of left and result */
    const char *const *inner_words; /* labels of the upper operand's rows */
    bool words_over_left;           /* inner_words also label the left operand's columns */
    long left_column;               /* the chosen one, whose label is emphasised */
    struct colour left_colour;
    long row; /* the chosen row, whose label and band are emphasised */
    struct colour row_colour;
    struct view_block block[VIEW_BLOCKS_MAX];
    size_t blocks;
    bool sums;  /* left holds weights: their sums are drawn along it */
    float done; /* share of the result's cells that are computed by now */
};

enum view_product_part { VIEW_PART_NONE, VIEW_PART_LEFT, VIEW_PART_UPPER, VIEW_PART_RESULT };

struct view_product_hit {
    enum view_product_part part;
    bool clicked;
    size_t block, row, column;
    struct rect rows; /* area of the left operand; empty: there was no room */
};

struct view_product_hit view_product_draw(struct view *view, const struct view_product *product,
                                          struct rect area);

/* The cells of an operand in an area, ready to be drawn in whole. */
struct view_matrix view_operand_cells(const struct view *view, const struct view_operand *operand,
                                      struct rect area, uint32_t id);

/* Says whether its numbers shrink before they are left out: where the window is small, too, and
 * where weights that learn are edited. */
bool view_operand_shrinks(const struct view *view, const struct view_operand *operand);

/* Lets the area say what the operand is. */
void view_operand_tip(struct view *view, const struct view_operand *operand, struct rect area);

/* Says whether the numbers of all operands can be read when the product is drawn in area. */
bool view_product_fits(struct view *view, const struct view_product *product, struct rect area);

/* "typical size 7.9": the root mean square of the scores of random weights; NULL: of anything else,
 * and of many. Owned by the frame's arena. */
const char *view_typical_size(const struct view *view, const struct view_operand *operand);

/* Draws title and shape of a matrix: "Q" large in its colour, "4 × 3" below it, centred on x. */
void view_product_title(struct view *view, const struct view_operand *operand, float x, float y);

#endif
