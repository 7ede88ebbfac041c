/* lab/explain/explain.h — the selected element spelled out: formula, numbers, and one plain
 * sentence.
 *
 * A formula is a row of pieces, each with a role, so that whoever draws it can give every number
 * the colour of where it comes from. */
#ifndef LAB_EXPLAIN_EXPLAIN_H
#define LAB_EXPLAIN_EXPLAIN_H

#include <stddef.h>

#include "base/arena.h"
#include "lab/experiment/stage.h"
#include "lab/run/trace.h"

struct lab_piece {
    enum lab_role role;
    const char *text; /* owned by the arena */
    bool has_cell;    /* the number of one cell of the trace: */
    enum lab_part part;
    size_t head, row, column;
};

/* What is selected. Which of the indices count depends on the stage. */
struct lab_selection {
    size_t head;
    size_t query;            /* i: row */
    size_t key;              /* j: column of scores; token of a value */
    size_t channel;          /* c: dimension of X, Q, K, V, Z or O */
    enum lab_part projected; /* at Project: which of LAB_Q, LAB_K, LAB_V; to be explained: LAB_C */
    size_t weight; /* where weights learn: row of the weight in column c, from 1; 0: none */
};

struct lab_explanation {
    const char *title;             /* "score( dog → cat ) = q(dog) · k(cat)" */
    const struct lab_piece *piece; /* "(", "−2.7", "·", "−2.5", ")", " + ", … "= ", "7.25" */
    size_t pieces;
    const char
        *sentence; /* "6.75 + 0.50 + 0.00; next: ÷ √3 = 4.186, then softmax over … → 0.394" */
    const char *detail; /* a line of numbers more between the two; NULL: there is none */
};

/* max_terms: how many terms of a long sum are written out (the largest ones by magnitude, largest
 * first, and the rest as one number: "+ 51 other terms (0.08)"); the result is the trace's own
 * number, or what it would be where it was typed by hand. Everything is owned
 * by the arena. The selection is clamped to what exists. */
struct lab_explanation lab_explain(const struct lab_trace *trace, enum lab_stage stage,
                                   const struct lab_selection *selection, size_t max_terms,
                                   struct arena *arena);

/* What softmax makes shares of, as it is called: "scaled" where Scale · mask changes scores, else
 * "score". In the language that is spoken. */
const char *lab_score_word(const struct lab_experiment *experiment);

/* What the selected query's row has come to with the tile of that number, as a sum of what was
 * there and what the tile adds: its l, or a number of its O. Empty: the row is none of the tile's.
 * (lab/explain/flash_words.c) */
struct lab_flash;
struct lab_explanation lab_flash_sum(const struct lab_trace *trace, const struct lab_flash *flash,
                                     size_t number, bool of_output,
                                     const struct lab_selection *selection, size_t max_terms,
                                     struct arena *arena);

/* That a text is a message of a chat, whose template wrote so many of its tokens itself; a sentence
 * behind others. Owned by the arena. */
const char *lab_describe_chat(const char *form, size_t own, size_t count, struct arena *arena);

/* What of a selection can be seen: nothing, the row of its query, or its number too. */
enum lab_seen { LAB_SEEN_NOTHING, LAB_SEEN_ROW, LAB_SEEN_NUMBER };

/* The whole picture in plain sentences, as far as the selection is seen: alternative text. Owned by
 * the arena. */
const char *lab_describe_seen(const struct lab_trace *trace, enum lab_stage stage,
                              const struct lab_selection *selection, enum lab_seen seen,
                              struct arena *arena);

/* All of it. */
const char *lab_describe(const struct lab_trace *trace, enum lab_stage stage,
                         const struct lab_selection *selection, struct arena *arena);

/* How many decimals make every value of a matrix distinguishable and short: 0 … max. Values like
 * −2.5 and 1.0 need 1, 0.394 as a weight 3. */
int lab_decimals(const struct lab_matrix *matrix, int max);

/* A token as a word of a sentence, which could be taken for its own: “the”, “Who won?”. The arena
 * owns it. */
const char *lab_quoted(struct arena *arena, const char *word);

#endif
