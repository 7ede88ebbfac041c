/* lab/explain/block_words.h — a number of the block around attention spelled out, and the block of
 * a word in sentences (lab/run/block.h). */
#ifndef LAB_EXPLAIN_BLOCK_WORDS_H
#define LAB_EXPLAIN_BLOCK_WORDS_H

#include "lab/explain/explain.h"
#include "lab/run/block.h"

/* Which number: a step of the block, a word, a dimension of that step. */
struct lab_block_place {
    size_t step, row, column;
};

/* The place inside what exists. */
struct lab_block_place lab_block_clamp(const struct lab_block *block, struct lab_block_place at);

/* Formula with its operands and one sentence, as lab_explain gives them; words [n] are those of the
 * text. Everything is owned by the arena. */
struct lab_explanation lab_block_explain(const struct lab_block *block, const char *const *words,
                                         struct lab_block_place at, size_t max_terms,
                                         struct arena *arena);

/* "(x − mean) ÷ √(variance + ε) · gain + bias": what a step does, without numbers. Owned by the
 * arena. */
const char *lab_block_rule(const struct lab_block *block, size_t step, struct arena *arena);

/* The same in a few letters, where the step stands in a list: "norm of x′". */
const char *lab_block_short_rule(const struct lab_block *block, size_t step, struct arena *arena);

/* The block of one word in plain sentences: alternative text. Owned by the arena. */
const char *lab_block_describe(const struct lab_block *block, const char *const *words, size_t row,
                               struct arena *arena);

#endif
