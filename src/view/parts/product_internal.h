/* view/parts/product_internal.h — where the parts of a product stand: shared by its layout
 * (product_layout.c) and its drawing (product.c) alone. */
#ifndef VIEW_PARTS_PRODUCT_INTERNAL_H
#define VIEW_PARTS_PRODUCT_INTERNAL_H

#include "view/parts/boxes.h"
#include "view/parts/pieces.h"

/* The parts that give way where there is little room, in this order. */
enum product_gives {
    PRODUCT_WIDE_GAPS = 1,       /* between operands and result */
    PRODUCT_WANTED_NUMBERS,      /* their usual size */
    PRODUCT_NAMES_OVER_LEFT,     /* above the columns of the left operand */
    PRODUCT_TITLES_STACKED,      /* the left operand's title below that of the upper one */
    PRODUCT_TITLES_BESIDE,       /* then both beside each other; then in one line each */
    PRODUCT_TITLE_BESIDE_RESULT, /* then it is in one line above it */
    PRODUCT_LARGE_NAMES,
    PRODUCT_SUMS,          /* along the weights */
    PRODUCT_NOTE,          /* the third line of a title */
    PRODUCT_LEFT_DECIMALS, /* the last of each number of the left operand */
    PRODUCT_DECIMALS,      /* and of the others */
    PRODUCT_READABLE_NAMES,
    PRODUCT_READABLE_NUMBERS, /* of operands, and of the result where it is read at hand */
    PRODUCT_READABLE_ROWS,
    PRODUCT_ALL_DECIMALS, /* of two digits and more */
    PRODUCT_BRIEF_NAMES,  /* of a figure: more of their middle is cut */
    PRODUCT_OPERAND_NUMBERS,
    PRODUCT_OPERAND_ROWS, /* as high as a number */
    PRODUCT_RESULT_READABLE_NUMBERS,
    PRODUCT_RESULT_READABLE_ROWS,
    PRODUCT_RESULT_ALL_DECIMALS,
    PRODUCT_NAME_OF_EACH_ROW,
    PRODUCT_RESULT_NUMBERS,
    PRODUCT_RESULT_ROWS,
    PRODUCT_GIVES = PRODUCT_RESULT_ROWS
};

/* The layout of a product. */
struct product_layout {
    struct view *view;
    const struct view_product *product;
    struct rect area;
    struct box_tree tree;
    struct box *root, *left, *upper[VIEW_BLOCKS_MAX], *result[VIEW_BLOCKS_MAX];
    struct box *sums; /* along the weights; NULL: it has none */
};

/* Title and shape of an operand: in two lines with a note perhaps, or in one line. */
struct product_title {
    struct view *view;
    const struct view_operand *operand;
    const char *note; /* NULL: none */
    const struct box_tree *tree;
    const struct box *cells; /* it is centred on these as far as its own box lets it */
    bool in_line;
};
void product_draw_title(const struct box *box);

/* Rows and columns of an operand as it is drawn. */
static inline size_t product_rows(const struct view_operand *operand)
{
    return operand->transposed ? operand->matrix.cols : operand->matrix.rows;
}

static inline size_t product_columns(const struct view_operand *operand)
{
    return operand->transposed ? operand->matrix.rows : operand->matrix.cols;
}

/* Finds the layout inside the area. The boxes live in the frame's arena and know *lay. */
void product_lay_out(struct view *view, const struct view_product *product, struct rect area,
                     struct product_layout *lay);

/* The note below the shape of an operand; NULL: none. */
const char *product_note(const struct view *view, const struct view_operand *operand);

#endif
