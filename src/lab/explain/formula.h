/* lab/explain/formula.h — a row of pieces that grows, and sums of products that are shortened to
 * their largest terms. */
#ifndef LAB_EXPLAIN_FORMULA_H
#define LAB_EXPLAIN_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/explain/explain.h"

struct lab_formula {
    struct arena *arena;
    struct lab_piece *piece;
    size_t pieces, room;
};

/* The cells of the trace that numbers stand in, one after the other. */
struct lab_cells {
    bool known; /* false: they are no cells */
    enum lab_part part;
    size_t head, row, column; /* of the first */
    size_t row_step, column_step;
};

#define LAB_SUMMED SIZE_MAX

/* Returns the cells of a matrix with these two axes that stand where the indices of all axes say;
 * along one that is LAB_SUMMED there are many. They are not known where both axes are the same. */
struct lab_cells lab_cells_along(const enum lab_axis axes[2], const size_t at[LAB_AXES]);

/* One operand of a sum of products: count numbers, `step` floats apart. */
struct lab_factor {
    const float *values;
    size_t step;
    enum lab_role role;
    int decimals;
    struct lab_cells cells;
};

struct lab_sum {
    struct lab_factor left, right; /* right.values NULL: a sum of the left numbers alone */
    size_t count;
    const size_t *which;     /* [count]: indices of the terms; NULL: all in their order */
    bool brackets;           /* around each product */
    struct lab_factor added; /* one more number; values NULL: none */
    int rest_decimals;       /* of the omitted terms as one number; 0: 3 */
};

/* Returns the index, or the last one where there is no such; of no things 0. */
static inline size_t lab_index_clamp(size_t index, size_t count)
{
    return count == 0 ? 0 : index < count ? index : count - 1;
}

/* For `decimals`: as many as the number's own size needs. */
enum { LAB_SIZED = -1 };

/* Starts a formula with room for `room` pieces; more are dropped. Without memory it stays empty. */
struct lab_formula lab_formula_start(struct arena *arena, size_t room);

void lab_formula_text(struct lab_formula *formula, enum lab_role role, const char *text);
void lab_formula_number(struct lab_formula *formula, enum lab_role role, double value,
                        int decimals);

/* Adds a pattern: its text, and for each mark the next of the values, in the role of its letter:
 * "%n" none, "%x", "%q", "%k", "%v", "%w" a weight, "%o" an output, "%r" the result. "%+v" adds the
 * number, "%-v" subtracts it: its sign becomes the operator before it. */
void lab_formula_spell(struct lab_formula *formula, int decimals, const char *pattern,
                       const double *values);

/* Adds the number of a cell: the t-th of those given. */
void lab_formula_cell(struct lab_formula *formula, enum lab_role role, double value, int decimals,
                      const struct lab_cells *cells, size_t t);

/* The same with its text as it stands. */
void lab_formula_cell_text(struct lab_formula *formula, enum lab_role role, const char *text,
                           const struct lab_cells *cells, size_t t);

/* Adds the products joined by " + ": all in their order, or the max_terms largest ones, largest
 * first, and the others as one number. It needs lab_formula_room pieces. */
void lab_formula_sum(struct lab_formula *formula, const struct lab_sum *sum, size_t max_terms);
size_t lab_formula_room(size_t max_terms);

/* Returns how many decimals, 0 to 9, give the largest of the numbers three digits that are not
 * 0. */
int lab_decimals_by_size(const float *values, size_t count, size_t step);

/* Returns the explanation of which this is the formula. */
struct lab_explanation lab_formula_explanation(const struct lab_formula *formula, const char *title,
                                               const char *sentence);

/* Returns a share with `decimals` as a text of the arena; "" without memory. Unlike a sum, which
 * may miss zero by the last bits of its terms, none is so small that it reads as zero: 5.4e-6. */
const char *lab_formula_share(struct arena *arena, double share, int decimals);

/* Returns a number as a text of the arena; "" without memory. */
const char *lab_formula_digits(struct arena *arena, double value, int decimals);

/* Returns the products, "6.75 + 0.50 − 0.12", or "" for more than max of them. */
const char *lab_formula_products(struct arena *arena, const struct lab_sum *sum, size_t max,
                                 int decimals);

#endif
