/* lab/explain/cause.h — where a number comes from: the cells that made it, and the products of its
 * sum.
 *
 * A cell is one number of one part of a trace. From any cell one can go to its causes, and on to
 * theirs, until a number was given. */
#ifndef LAB_EXPLAIN_CAUSE_H
#define LAB_EXPLAIN_CAUSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "lab/explain/explain.h"

struct lab_cell {
    enum lab_part part;
    size_t head; /* 0 for parts without heads */
    size_t row, column;
};

/* A block of cells: row_count rows from `row` on, columns likewise. */
struct lab_cause {
    enum lab_part part;
    size_t head;
    size_t row, column;
    size_t row_count, column_count;
};

struct lab_causes {
    const struct lab_cause *cause; /* owned by the arena */
    size_t count;                  /* 0: the number was given, or typed by hand */
};

/* Says whether the trace has this cell. */
bool lab_cell_exists(const struct lab_trace *trace, const struct lab_cell *cell);

/* Finds the cell that is selected at a stage; at Scale it is the score that was scaled. Returns
 * false where the trace has none (raw numbers have no X and no O). */
bool lab_cell_selected(const struct lab_trace *trace, enum lab_stage stage,
                       const struct lab_selection *selection, struct lab_cell *cell);

/* Returns the part that a stage ends with; at Scale the scores that are scaled. */
enum lab_part lab_cell_part(enum lab_stage stage, const struct lab_selection *selection);

/* Returns the stage that shows a part as its result (for weights, as an operand). */
enum lab_stage lab_cell_stage(enum lab_part part);

/* Finds the stage and selection under which the cell, or the row that holds it, is the selected
 * element. Indices that the cell does not determine keep their value in *selection. */
void lab_cell_select(const struct lab_trace *trace, const struct lab_cell *cell,
                     enum lab_stage *stage, struct lab_selection *selection);

/* Finds the causes of a cell:
 *
 *     Q[i][c] ← X row i, W_Q column c        K, V likewise, from the context's rows where there is
 *               one; with a latent K[j][c] ← C row j, W_UK column c and C[j][r] ← X row j, W_DKV
 *               column r; with rope Q[i][c] ← the pair of Q₀ it is turned from, Q₀ as Q above
 *     X[i][c] ← with sinusoids: the embedding and the wave
 *     S[i][j] ← Q row i, K row j, or Q̂ and K̂, whose rows are made of those
 *     α[i][j] ← S row i, as far as i sees it
 *     Z[i][c] ← α row i, V column c          concat[i][c] ← the Z that stands there
 *     O[i][c] ← concat row i, Z row i of every head, W_O column c
 *     X + O   ← X[i][c], O[i][c]
 *
 * Without memory there are none. */
struct lab_causes lab_causes_of(const struct lab_trace *trace, const struct lab_cell *cell,
                                struct arena *arena);

/* Finds the causes of the selected element. At Scale: the score alone; at Output with a residual:
 * the causes of O. */
struct lab_causes lab_causes(const struct lab_trace *trace, enum lab_stage stage,
                             const struct lab_selection *selection, struct arena *arena);

/* Says whether a cell lies in one of the causes. */
bool lab_causes_hold(const struct lab_causes *causes, const struct lab_cell *cell);

/* Finds the causes of the causes down to given numbers: everything that influenced the cell. */
struct lab_causes lab_causes_all(const struct lab_trace *trace, const struct lab_cell *cell,
                                 struct arena *arena);

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
