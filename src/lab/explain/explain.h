/* lab/explain/explain.h — spells out the selected element: formula, numbers, and one plain
 * sentence.
 *
 * A formula is a row of pieces with roles, so that every number can be drawn in the colour of where
 * it comes from. */
#ifndef LAB_EXPLAIN_EXPLAIN_H
#define LAB_EXPLAIN_EXPLAIN_H

#include <stddef.h>

#include "base/arena.h"
#include "lab/experiment/stage.h"
#include "lab/run/trace.h"

struct lab_piece {
    enum lab_role role;
    const char *text; /* owned by the arena */
    bool has_cell;    /* the number is that of one cell of the trace */
    enum lab_part part;
    size_t head, row, column;
};

/* The selected element. The stage decides which indices count. */
struct lab_selection {
    size_t head;
    size_t query;            /* i: row */
    size_t key;              /* j: column of scores; token of a value */
    size_t channel;          /* c: dimension of X, Q, K, V, Z or O */
    enum lab_part projected; /* at Project: one of LAB_Q, LAB_K, LAB_V; for explanations also
                                LAB_C */
    enum lab_part form; /* for explanations: the node of the same rows and columns whose number is
                           meant instead, as Q₀ or Q̂ at Project, X + O at Output;
                           LAB_EMBEDDINGS_X: none */
    size_t weight;      /* of trained weights: row of the weight in column c, from 1; 0: none */
};

struct lab_explanation {
    const char *title;             /* "score( dog → cat ) = q(dog) · k(cat)" */
    const struct lab_piece *piece; /* such as "(", "−2.7", "·", "−2.5", ")", " + ", "= ", "7.25" */
    size_t pieces;
    const char *sentence; /* "6.75 + 0.50 + 0.00; next: ÷ √3 = 4.186, then softmax over 3 scores →
                             0.394" */
    const char *detail; /* a further line of numbers between the two; NULL: there is none */
};

/* Explains the selected element; the selection is clamped to what exists. max_terms: how many terms
 * of a long sum are written out, the largest by magnitude first; the rest becomes one number, "+ 51
 * other terms (0.08)". The result is the trace's own number, or the computed one where it was typed
 * by hand. The arena owns everything. */
struct lab_explanation lab_explain(const struct lab_trace *trace, enum lab_stage stage,
                                   const struct lab_selection *selection, size_t max_terms,
                                   struct arena *arena);

/* Returns the translated name of what softmax is taken of: "scaled" where Scale · mask changes
 * scores, else "score". */
const char *lab_score_word(const struct lab_experiment *experiment);

/* Returns the sum that the selected query's row has after the tile of that number, as the former
 * sum and the part that the tile adds: its l, or a number of its O. It is empty where the row is
 * not in the tile (lab/explain/flash_words.c). */
struct lab_flash;
struct lab_explanation lab_flash_sum(const struct lab_trace *trace, const struct lab_flash *flash,
                                     size_t number, bool of_output,
                                     const struct lab_selection *selection, size_t max_terms,
                                     struct arena *arena);

/* Returns a sentence which says that a text is a chat message whose template wrote `own` of its
 * tokens; it follows other sentences. The arena owns it. */
const char *lab_describe_chat(const char *form, size_t own, size_t count, struct arena *arena);

/* Returns sentences which say how many numbers were typed by hand, and how many rows were changed;
 * they follow other ones: " 2 numbers were typed by hand.". The arena owns them. "": none. */
const char *lab_describe_edits(const struct lab_trace *trace, struct arena *arena);

/* How much of a selection is seen: nothing, the row of its query, or also its number. */
enum lab_seen { LAB_SEEN_NOTHING, LAB_SEEN_ROW, LAB_SEEN_NUMBER };

/* Describes the whole picture in plain sentences, with the selection as far as it is seen, as
 * alternative text. The arena owns it. */
const char *lab_describe_seen(const struct lab_trace *trace, enum lab_stage stage,
                              const struct lab_selection *selection, enum lab_seen seen,
                              struct arena *arena);

/* Describes the picture with the whole selection. */
const char *lab_describe(const struct lab_trace *trace, enum lab_stage stage,
                         const struct lab_selection *selection, struct arena *arena);

/* Returns how many decimals, 0 to max, make every value of a matrix distinct and short. Values like
 * −2.5 and 1.0 need 1, a weight of 0.394 needs 3. */
int lab_decimals(const struct lab_matrix *matrix, int max);

/* Returns a token in quotes, so that it is not taken for a word of the sentence: “the”, “Who won?”.
 * The arena owns it. */
const char *lab_quoted(struct arena *arena, const char *word);

#endif
