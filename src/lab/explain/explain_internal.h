/* lab/explain/explain_internal.h — what explain.c, sentence.c and describe.c share. */
#ifndef LAB_EXPLAIN_EXPLAIN_INTERNAL_H
#define LAB_EXPLAIN_EXPLAIN_INTERNAL_H

#include "lab/experiment/positions.h"
#include "lab/explain/cell.h"
#include "lab/explain/explain.h"
#include "lab/explain/formula.h"

enum { LAB_DECIMALS_MAX = 3, LAB_PRODUCTS_MAX = 6 };

/* One selected element and all that is needed to describe it. */
struct lab_topic {
    const struct lab_trace *trace;
    const struct lab_experiment *experiment;
    const struct lab_graph *graph; /* how it is computed */
    struct lab_sizes sizes;
    enum lab_stage stage;
    struct lab_selection at; /* clamped to what exists */
    struct lab_cell cell;    /* what is selected; of some experiments it does not exist */
    struct arena *arena;
    const char *query, *key;               /* the words, long ones cut */
    const char *quoted_query, *quoted_key; /* the same in quotes */
};

struct lab_topic lab_topic_of(const struct lab_trace *trace, enum lab_stage stage,
                              const struct lab_selection *selection, struct arena *arena);

/* Says whether the selected row of Q, K or V is named by the key, which is so where keys are other
 * words. */
bool lab_topic_of_keys(const struct lab_topic *topic);

/* The cells that make a number, as its operation says: lines through its left and right operand, of
 * which number meets number, and the bias. What is not known is no operand. */
struct lab_operands {
    struct lab_cells left, right, added;
    size_t count;
    bool is_product; /* the number is the sum of their products */
};
struct lab_operands lab_operands_of(const struct lab_graph *graph, const struct lab_cell *cell);

/* Finds the sum of products that makes the topic's number. Returns false where it is none: it was
 * given, or is made otherwise. */
bool lab_sum_of(const struct lab_topic *topic, struct lab_sum *sum);

/* How a number of turned rows turns with its place. */
struct lab_turn {
    struct lab_rotary_pair pair; /* both columns are the same where it does not turn */
    double angle;                /* in radians */
    double stretch;              /* factor of the turned pair's length; 1: none */
};
struct lab_turn lab_turn_of(const struct lab_graph *graph, const struct lab_cell *cell);

/* Returns the sum of squares of the row that the topic's number was made of, and its length. */
struct lab_sum lab_squares_of(const struct lab_topic *topic);
double lab_row_length(const struct lab_topic *topic);

/* Finds the cell that the selection of a topic means. */
struct lab_cell lab_topic_cell(const struct lab_topic *topic);

/* Says whether the selected number was typed by hand. */
bool lab_topic_is_edited(const struct lab_topic *topic);

/* Cuts a word so that the sentence about it stays short. */
const char *lab_topic_word(struct arena *arena, const char *word);

/* Returns "animalness", or "5" (counted from 1) for a column without a name. */
const char *lab_topic_column(const struct lab_topic *topic, const struct lab_matrix *matrix,
                             size_t column);

/* Returns the key that gets most of the selected query's row of α. */
size_t lab_topic_strongest(const struct lab_topic *topic);

/* Returns "39.4 %". */
const char *lab_topic_percent(struct arena *arena, double share);

/* Returns one plain sentence about the element at the topic's stage. `sum` is the sum of products
 * that makes it, where there is one (Project, Score, Blend, Output), else NULL. */
const char *lab_sentence(const struct lab_topic *topic, const struct lab_sum *sum);

/* Says which words get most of the query's attention: "dog gives 87 % of its attention to cat and
 * dog." */
const char *lab_sentence_attention(const struct lab_topic *topic);

/* Names the largest and the smallest number of the query's row, of a matrix that is no attention.
 */
const char *lab_sentence_of_row(const struct lab_topic *topic);

#endif
