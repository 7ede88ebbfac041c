/* lab/experiment/embed.h — words into rows of numbers: by hand, at random, one-hot, or as given. */
#ifndef LAB_EXPERIMENT_EMBED_H
#define LAB_EXPERIMENT_EMBED_H

#include <stdbool.h>
#include <stddef.h>

#include "lab/experiment/experiment.h"

/* Dimensions of the toy vocabulary. */
size_t lab_embed_toy_size(void);

/* How many distinct words tokens and context (either may be NULL) hold together, in the order they
 * are first met. token_of [tokens] and context_of [context], where not NULL, get each word's
 * number. */
size_t lab_embed_distinct(const struct lab_words *tokens, const struct lab_words *context,
                          size_t *token_of, size_t *context_of);

/* name [distinct] becomes those words, in the same order. They belong to tokens and context. */
void lab_embed_distinct_names(const struct lab_words *tokens, const struct lab_words *context,
                              const char **name);

/* Fills x [words][d_model]: rows of the tokens, or with context true of the context. Random words:
 * the stream "X:" and the word of the experiment's seed, normal values of variance 1 (a one-hot
 * word picks one row: its fan-in is 1), so that a word is the same vector wherever it stands. guess
 * [words], where not NULL, becomes true for words whose toy position comes from their letters only.
 */
bool lab_embed_rows(const struct lab_experiment *experiment, bool context, size_t d_model, float *x,
                    bool *guess, struct error *error);

#endif
