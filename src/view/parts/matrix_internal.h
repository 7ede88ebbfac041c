/* view/parts/matrix_internal.h — how a cell is coloured, for cells and for images of many cells. */
#ifndef VIEW_PARTS_MATRIX_INTERNAL_H
#define VIEW_PARTS_MATRIX_INTERNAL_H

#include "view/parts/matrix.h"

static const float PRESENTER_AIR =
    4; /* in the presenter view, beside the number of a cell: at least */
static const float PRESENTER_MARGIN = 0.15f;      /* the same as a share of the cell's width */
static const float PRINTED_MARGIN = 0.12f;        /* the same in a figure */
static const float NUMBER_OF_HEIGHT = 0.8f;       /* of a low cell, for its number */
static const float FAR_NUMBER_OF_HEIGHT = 0.825f; /* the same in the presenter view */
static const float VISIBLE_FONT_MIN = 2; /* smallest font of figures, which may be enlarged */
static const float SHRUNK_FONT_MIN = 7.5f,
                   SHRUNK_SHARE_FONT_MIN = 9.5f; /* smallest font of matrices that may shrink */
static const float NUMBER_HEIGHT = 15;           /* lowest cell with a number */

/* The colour of a dimmed cell: it loses its hue and keeps some of its lightness, as a pale red
 * would be read as a smaller value. */
struct colour view_dimmed(const struct view *view, struct colour fill);

/* Returns whether the matrix is of a head that is switched off. */
bool view_matrix_is_off(const struct view *view, const struct view_matrix *matrix);

/* Says whether the mask hides the cell. */
bool view_matrix_hides(const struct view *view, const struct view_matrix *matrix, size_t row,
                       size_t column);

/* Says whether the column is that of a key that is set aside, in a matrix of weights. */
bool view_matrix_is_aside(const struct view *view, const struct view_matrix *matrix, size_t column);

/* The number at the end of the signed map; 0: none. */
float view_matrix_peak(const struct view *view, const struct view_matrix *matrix);

struct colour view_matrix_colour(const struct view *view, const struct view_matrix *matrix,
                                 float value);

/* Draws the first `shown` cells as one image, no larger than the pixels it covers
 * (view/parts/downsample.c). */
void view_image(struct view *view, const struct view_matrix *matrix, size_t shown);

/* --- view/parts/matrix_numbers.c --- */

/* Returns so many decimals that the largest number keeps two digits, at least those given: a matrix
 * of small numbers would be all 0.00. Whole numbers stay whole. */
int view_decimals_by_size(const struct view *view, const struct lab_matrix *matrix, int decimals);

/* Returns the size of the letters of a number in a cell of a figure that is so wide; digits: the
 * width of the number in letters of size 1. */
float view_printed_number_size(float cell, float digits);

/* Writes a number of a cell into text [TEXT_NUMBER_MAX]; where even the most decimals would be
 * zeros, with a power of ten. */
void view_write_cell_number(char *text, double value, int decimals);

/* Says whether the matrix has numbers of two digits or more, which are useful without decimals. */
bool view_matrix_has_digits(const struct view *view, const struct lab_matrix *matrix);

/* Returns the size of the last of so many largest numbers of the cells that are seen; equal ones
 * stand together. 0: there are fewer, or no memory. */
float view_matrix_least_of_largest(struct view *view, const struct view_matrix *matrix,
                                   size_t largest);

/* Says whether the weights of a figure are 0 wherever a key comes after its query, though no mask
 * says so: they come from elsewhere, from a causal model. */
bool view_matrix_is_causal(const struct view *view, const struct view_matrix *matrix);

#endif
