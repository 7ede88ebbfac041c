/* lab/experiment/edits.h — numbers typed by hand over those that were given or computed.
 *
 * A list never changes: every change gives a new one. It is sorted by part, head, row and column,
 * holds each cell once, and an empty list is NULL. Lists that are returned hold one reference of
 * the caller's; those that are passed in stay his. */
#ifndef LAB_EXPERIMENT_EDITS_H
#define LAB_EXPERIMENT_EDITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "lab/experiment/graph.h"

enum { LAB_EDITS_MAX = 4096 };

struct lab_edit {
    enum lab_part part; /* one that lab_edits_may takes */
    size_t head; /* of queries; 0 for parts without heads. Typed into keys or values, a number
                    holds for all heads of the group */
    size_t row, column;
    float value; /* finite */
};

/* Whether numbers of this part can be typed: X, W_Q, W_K, W_V, W_O, Q, K, V, α, X_context, W_DKV,
 * C, W_UK and W_UV. */
bool lab_edits_may(enum lab_part part);

struct lab_edits *lab_edits_keep(const struct lab_edits *edits); /* NULL gives NULL */
void lab_edits_release(const struct lab_edits *edits);           /* NULL is fine */

size_t lab_edits_count(const struct lab_edits *edits);
struct lab_edit lab_edits_at(const struct lab_edits *edits, size_t index);
bool lab_edits_equal(const struct lab_edits *a, const struct lab_edits *b);

/* What these edits have that `others` (NULL: none) do not have, or have otherwise. Who rescales a
 * row of α, or gives it equal shares, types none of its numbers: a row of `columns` weights with
 * all of them edited, several anew, counts as one row and not as numbers. */
struct lab_edits_told {
    size_t numbers, rows;
};
struct lab_edits_told lab_edits_tell(const struct lab_edits *edits, const struct lab_edits *others,
                                     size_t columns);

/* *index of the edit of this cell; false: there is none. */
bool lab_edits_find(const struct lab_edits *edits, enum lab_part part, size_t head, size_t row,
                    size_t column, size_t *index);

/* The list with this edit, in place of one of the same cell. NULL: an error (a part that cannot be
 * edited, a number that is not finite, too many, no memory). */
struct lab_edits *lab_edits_with(const struct lab_edits *edits, const struct lab_edit *edit,
                                 struct error *error);

/* The following give NULL for an empty list, and without memory too: error->code says which. */

/* The list without the edit of this cell. */
struct lab_edits *lab_edits_without(const struct lab_edits *edits, enum lab_part part, size_t head,
                                    size_t row, size_t column, struct error *error);

/* Which words have moved: queries and keys are the same words in self-attention. */
enum lab_followers { LAB_FOLLOW_BOTH, LAB_FOLLOW_QUERIES, LAB_FOLLOW_KEYS };

/* The list after words have been put in, taken out or moved: word r of now [count] was word
 * from_row[r] before, SIZE_MAX: it is new. Rows of X, Q, K and V, and rows and columns of α, go
 * with their words. */
struct lab_edits *lab_edits_moved(const struct lab_edits *edits, enum lab_followers who,
                                  const size_t *from_row, size_t count, struct error *error);

/* Only those edits whose cells exist with these sizes. */
struct lab_edits *lab_edits_clamped(const struct lab_edits *edits, const struct lab_sizes *sizes,
                                    struct error *error);

/* Whether the cell exists with these sizes. */
bool lab_edits_fits(const struct lab_edit *edit, const struct lab_sizes *sizes);

/* from_row [count of now]: which word of `before` each word of `now` is: the longest common
 * subsequence first, then equal words wherever they went; SIZE_MAX: a new one. False: no memory. */
bool lab_words_match(const struct lab_words *before, const struct lab_words *now, size_t *from_row);

/* The same on an experiment: types a number over a cell, or lets the computed one come back. False:
 * error (the cell does not exist, …), nothing changed. */
bool lab_experiment_edit(struct lab_experiment *experiment, const struct lab_edit *edit,
                         struct error *error);
bool lab_experiment_restore(struct lab_experiment *experiment, enum lab_part part, size_t head,
                            size_t row, size_t column, struct error *error);

/* Many numbers at once: rows × columns of them from (row, column) on. */
struct lab_edit_block {
    enum lab_part part;
    size_t head, row, column, rows, columns;
    const float *values; /* [rows][columns]; NULL: the computed numbers come back */
    const float
        *computed; /* the same, what would be computed: equal ones are not typed over; NULL */
};
bool lab_experiment_edit_block(struct lab_experiment *experiment,
                               const struct lab_edit_block *block, struct error *error);

/* Names of parts as files write them: "X" "W_Q" … "alpha"; false: not one that can be edited. */
const char *lab_edits_part_name(enum lab_part part);
bool lab_edits_find_part(const char *name, enum lab_part *part);

#endif
