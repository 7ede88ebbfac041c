/* lab/explain/cell.h — one number of a trace as a place: what is selected, what selects it, and the
 * products of its sum. Each number of a formula that has a cell (lab/explain/explain.h) leads
 * there, and so back to numbers that were given. */
#ifndef LAB_EXPLAIN_CELL_H
#define LAB_EXPLAIN_CELL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "lab/explain/explain.h"

struct lab_cell {
    enum lab_part part;
    size_t head; /* 0 for parts without heads */
    size_t row, column;
};

/* Says whether the trace has this cell. */
bool lab_cell_exists(const struct lab_trace *trace, const struct lab_cell *cell);

/* Finds the cell that is selected at a stage; at Scale it is the score that was scaled. Returns
 * false where the trace has none (raw numbers have no X and no O). */
bool lab_cell_selected(const struct lab_trace *trace, enum lab_stage stage,
                       const struct lab_selection *selection, struct lab_cell *cell);

/* Returns the part that a stage ends with; at Scale the scores that are scaled. */
enum lab_part lab_cell_part(enum lab_stage stage, const struct lab_selection *selection);

/* Finds the stage and selection under which the cell, or the row that holds it, is the selected
 * element. Indices that the cell does not determine keep their value in *selection. */
void lab_cell_select(const struct lab_trace *trace, const struct lab_cell *cell,
                     enum lab_stage *stage, struct lab_selection *selection);

/* One product of a sum. */
struct lab_term {
    float left, right;
    double product;
    bool has_left; /* false: left is a cosine or a sine and no part of the trace */
    struct lab_cell left_cell, right_cell;
    const char *name; /* of the dimension, or of the key; NULL: it has none and is counted from 1 */
};

/* The products that make the selected element at Project, Score, Blend and Output, in the order of
 * the sum; elsewhere, and without memory, there are none. */
struct lab_terms {
    const struct lab_term *term; /* owned by the arena */
    size_t count;
    enum lab_role left_role, right_role;
    double largest; /* |product| */
    double helps;   /* sum of the products above 0 */
    double hurts;   /* sum of those below 0, ≤ 0 */
    float result;   /* the trace's own number */
};
struct lab_terms lab_terms(const struct lab_trace *trace, enum lab_stage stage,
                           const struct lab_selection *selection, struct arena *arena);

#endif
