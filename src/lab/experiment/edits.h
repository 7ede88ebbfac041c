/* lab/experiment/edits.h — numbers typed by hand over those that were given or computed.
 *
 * A list never changes: every change makes a new one. It is sorted by part, head, row and column
 * and holds each cell once; an empty list is NULL. A list that is returned holds one reference for
 * the caller, and a list that is passed in stays the caller's. */
#ifndef LAB_EXPERIMENT_EDITS_H
#define LAB_EXPERIMENT_EDITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "lab/experiment/graph.h"

enum { LAB_EDITS_MAX = 4096 };

struct lab_edit {
    enum lab_part part; /* one for which lab_edits_may is true */
    size_t head; /* of queries; 0 for parts without heads. Typed into keys or values, a number
                    holds for all heads of the group */
    size_t row, column;
    float value;  /* finite */
    bool goes_on; /* the model computes with it too: block, later layers and next words follow */
};

/* Says whether numbers of this part can be typed: X, W_Q, W_K, W_V, W_O, Q, K, V, α, X_context,
 * W_DKV, C, W_UK and W_UV. */
bool lab_edits_may(enum lab_part part);

struct lab_edits *lab_edits_keep(const struct lab_edits *edits); /* NULL gives NULL */
void lab_edits_release(const struct lab_edits *edits);           /* NULL is fine */

size_t lab_edits_count(const struct lab_edits *edits);
struct lab_edit lab_edits_at(const struct lab_edits *edits, size_t index);
bool lab_edits_equal(const struct lab_edits *a, const struct lab_edits *b);

/* Says whether the model computes with all of them, so that nothing of it differs from a stage. */
bool lab_edits_all_go_on(const struct lab_edits *edits);

/* Counts the edits that `others` (NULL: none) does not have, or has with another number. Rescaling
 * a row of α edits all of its weights at once, so a row of `columns` weights that are all edited,
 * several of them newly, counts as one row and not as numbers. */
struct lab_edits_told {
    size_t numbers, rows;
};
struct lab_edits_told lab_edits_tell(const struct lab_edits *edits, const struct lab_edits *others,
                                     size_t columns);

/* Finds the index of the edit of this cell. Returns false where there is none. */
bool lab_edits_find(const struct lab_edits *edits, enum lab_part part, size_t head, size_t row,
                    size_t column, size_t *index);

/* Returns the list with this edit, which replaces one of the same cell. NULL with an error: the
 * part cannot be edited, the number is not finite, there are too many edits, or memory is
 * lacking. */
struct lab_edits *lab_edits_with(const struct lab_edits *edits, const struct lab_edit *edit,
                                 struct error *error);

/* The following return NULL for an empty list, and also without memory: error->code says which. */

/* Returns the list without the edit of this cell. */
struct lab_edits *lab_edits_without(const struct lab_edits *edits, enum lab_part part, size_t head,
                                    size_t row, size_t column, struct error *error);

/* Says which words have moved; in self-attention queries and keys are the same words. */
enum lab_followers { LAB_FOLLOW_BOTH, LAB_FOLLOW_QUERIES, LAB_FOLLOW_KEYS };

/* Returns the list after words were inserted, removed or moved: word r of now [count] was word
 * from_row[r] before, or is new where that is SIZE_MAX. Rows of X, Q, K and V, and rows and columns
 * of α, move with their words. */
struct lab_edits *lab_edits_moved(const struct lab_edits *edits, enum lab_followers who,
                                  const size_t *from_row, size_t count, struct error *error);

/* Says whether the cell exists with these sizes. */
bool lab_edits_fits(const struct lab_edit *edit, const struct lab_sizes *sizes);

/* Fills from_row [count of now] with the former place of each word; SIZE_MAX: it is new. The
 * longest common subsequence is matched first, then equal words that stand elsewhere. Returns false
 * without memory. */
bool lab_words_match(const struct lab_words *before, const struct lab_words *now, size_t *from_row);

/* Types a number over a cell of the experiment, or restores the computed one. Returns false with an
 * error, and changes nothing, where for example the cell does not exist. */
bool lab_experiment_edit(struct lab_experiment *experiment, const struct lab_edit *edit,
                         struct error *error);
bool lab_experiment_restore(struct lab_experiment *experiment, enum lab_part part, size_t head,
                            size_t row, size_t column, struct error *error);

/* Many numbers typed at once: rows × columns of them, from (row, column) on. */
struct lab_edit_block {
    enum lab_part part;
    size_t head, row, column, rows, columns;
    const float *values;   /* [rows][columns]; NULL: the computed numbers are restored */
    const float *computed; /* [rows][columns] of computed numbers: equal values are not kept as
                              edits; NULL: all are kept */
    bool goes_on;          /* as of an edit */
};
bool lab_experiment_edit_block(struct lab_experiment *experiment,
                               const struct lab_edit_block *block, struct error *error);

/* Returns the name of a part in files, such as "X", "W_Q" or "alpha". The search returns false for
 * a part that cannot be edited. */
const char *lab_edits_part_name(enum lab_part part);
bool lab_edits_find_part(const char *name, enum lab_part *part);

#endif
