/* lab/explain/block_words.h — spells out a number of the block around attention, and describes the
 * block of a word in sentences (lab/run/block.h). */
#ifndef LAB_EXPLAIN_BLOCK_WORDS_H
#define LAB_EXPLAIN_BLOCK_WORDS_H

#include "lab/explain/explain.h"
#include "lab/run/block.h"

/* A number of the block: a step, a word, and a dimension of that step. */
struct lab_block_place {
    size_t step, row, column;
};

/* Clamps the place to what exists. */
struct lab_block_place lab_block_clamp(const struct lab_block *block, struct lab_block_place at);

/* Returns the formula with its operands and one sentence, as lab_explain does; words [n] are those
 * of the text. The arena owns everything. */
struct lab_explanation lab_block_explain(const struct lab_block *block, const char *const *words,
                                         struct lab_block_place at, size_t max_terms,
                                         struct arena *arena);

/* Returns the rule of a step without numbers: "(x − mean) ÷ √(variance + ε) · gain + bias". The
 * arena owns it. */
const char *lab_block_rule(const struct lab_block *block, size_t step, struct arena *arena);

/* Returns a short form of the rule for a list of steps: "norm of x′". */
const char *lab_block_short_rule(const struct lab_block *block, size_t step, struct arena *arena);

/* Describes the block of one word in plain sentences, as alternative text. The arena owns them. */
const char *lab_block_describe(const struct lab_block *block, const char *const *words, size_t row,
                               struct arena *arena);

#endif
