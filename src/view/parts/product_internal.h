/* view/parts/product_internal.h — where the parts of a product stand: shared by its layout
 * (product_layout.c) and its drawing (product.c) alone. */
#ifndef VIEW_PARTS_PRODUCT_INTERNAL_H
#define VIEW_PARTS_PRODUCT_INTERNAL_H

#include "view/parts/pieces.h"

/* The layout of a product. */
struct product_layout {
    float left_step, row_step;     /* a cell of the left operand: width, height */
    float column_step, inner_step; /* a cell of the upper operand: width, height */
    struct rect left;
    struct rect upper[VIEW_BLOCKS_MAX], result[VIEW_BLOCKS_MAX];
    float words_right;         /* room for the labels at the right */
    float words_max;           /* widest labels of rows */
    float left_max, right_max; /* and of those at one side */
    float words_high;          /* height limit of rotated labels */
    float words_above;         /* height of the labels above the columns */
    float words_over;          /* height of the labels above the left operand; 0: it has none */
    float over_high;           /* limit of words_over */
    float gap_wide;            /* between left operand and result */
    float number_size;         /* of all numbers in the presenter view; 0: not of all */
    bool small_names;          /* beside rows: as large as can be read there, and no larger */
};

/* Rows and columns of an operand as it is drawn. */
static inline size_t product_rows(const struct view_operand *operand)
{
    return operand->transposed ? operand->matrix.cols : operand->matrix.rows;
}

static inline size_t product_columns(const struct view_operand *operand)
{
    return operand->transposed ? operand->matrix.rows : operand->matrix.cols;
}

/* Finds the layout inside the area. */
struct product_layout product_lay_out(const struct view *view, const struct view_product *product,
                                      struct rect area);

/* The labels above a block's columns. */
struct view_words product_column_words(const struct view_product *product, size_t b,
                                       const struct product_layout *lay);

/* The width of a title beside its matrix, with some air; and the least distance from the left
 * operand's middle to the upper one at which their titles fit beside each other. */
float product_title_width(const struct view *view, const struct view_operand *operand);
float product_titles_width(const struct view *view, const struct view_product *product);

bool product_has_sums(const struct view *view, const struct view_product *product);
bool product_is_small_window(const struct view *view);

#endif
