/* lab/experiment/embed.h — turns words into rows of numbers: placed by hand, random, one-hot, or
 * given. */
#ifndef LAB_EXPERIMENT_EMBED_H
#define LAB_EXPERIMENT_EMBED_H

#include <stdbool.h>
#include <stddef.h>

#include "lab/experiment/experiment.h"

/* Returns the number of dimensions of the toy vocabulary. */
size_t lab_embed_toy_size(void);

/* Counts the distinct words of tokens and context (either may be NULL), in the order in which they
 * first occur. token_of [tokens] and context_of [context], where not NULL, get the number of each
 * word. */
size_t lab_embed_distinct(const struct lab_words *tokens, const struct lab_words *context,
                          size_t *token_of, size_t *context_of);

/* Fills name [distinct] with those words in the same order. They belong to tokens and context. */
void lab_embed_distinct_names(const struct lab_words *tokens, const struct lab_words *context,
                              const char **name);

/* Fills row [d_model] with normal values of variance 1 from the stream "X:" and the word, so that
 * it has the same vector wherever it stands (a one-hot word picks one row, so its fan-in is 1). */
void lab_embed_random(uint64_t seed, const char *word, size_t d_model, float *row);

/* Fills x [words][d_model] with the rows of the tokens, or with context true of the context. A
 * random word has the experiment's seed. guess [words], where not NULL, becomes true for words
 * whose toy position is derived from their letters. */
bool lab_embed_rows(const struct lab_experiment *experiment, bool context, size_t d_model, float *x,
                    bool *guess, struct error *error);

#endif
