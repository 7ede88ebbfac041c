/* lab/explain/formula.h — a row of pieces that grows, and sums of products shortened to their
 * largest terms. */
#ifndef LAB_EXPLAIN_FORMULA_H
#define LAB_EXPLAIN_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "lab/explain/explain.h"

struct lab_formula {
    struct arena *arena;
    struct lab_piece *piece;
    size_t pieces, room;
};

/* Which cells of the trace numbers are, one behind the other. */
struct lab_cells {
    bool known; /* false: they are no cells */
    enum lab_part part;
    size_t head, row, column; /* of the first */
    size_t row_step, column_step;
};

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
    const size_t *which;     /* [count]: the places of the terms; NULL: 0 … count − 1 */
    bool brackets;           /* around each product */
    struct lab_factor added; /* one number more; values NULL: none */
    int rest_decimals;       /* of the terms that are not written, as one number; 0: 3 */
};

/* Room for `room` pieces; more are dropped. Without memory the formula stays empty. */
struct lab_formula lab_formula_start(struct arena *arena, size_t room);

void lab_formula_text(struct lab_formula *formula, enum lab_role role, const char *text);
void lab_formula_number(struct lab_formula *formula, enum lab_role role, double value,
                        int decimals);

/* The number of a cell: the t-th of those given. */
void lab_formula_cell(struct lab_formula *formula, enum lab_role role, double value, int decimals,
                      const struct lab_cells *cells, size_t t);

/* The products joined by " + ": all of them in their order, or the max_terms largest ones, largest
 * first, and the others as one number. Pieces needed: lab_formula_room. */
void lab_formula_sum(struct lab_formula *formula, const struct lab_sum *sum, size_t max_terms);
size_t lab_formula_room(size_t max_terms);

/* A number as a text of the arena; "" when there is no memory. */
const char *lab_formula_digits(struct arena *arena, double value, int decimals);

/* The products themselves: "6.75 + 0.50 − 0.12", or "" for more than max of them. */
const char *lab_formula_products(struct arena *arena, const struct lab_sum *sum, size_t max,
                                 int decimals);

#endif
