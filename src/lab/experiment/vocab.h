/* lab/experiment/vocab.h — the toy vocabulary: words placed by hand on the axes petness,
 * animalness, cityness.
 */
#ifndef LAB_EXPERIMENT_VOCAB_H
#define LAB_EXPERIMENT_VOCAB_H

#include <stdbool.h>
#include <stddef.h>

enum { LAB_VOCAB_AXES = 3 };

/* "petness", "animalness", "cityness". */
const char *lab_vocab_axis(size_t axis);

/* How many words there are, and the index-th in the order of the file. */
size_t lab_vocab_count(void);
const char *lab_vocab_word(size_t index);

/* The position of a word: by hand when the vocabulary has it (exact spelling first, then letter
 * case ignored); returns true. Else a stable position from its own letters, returns false. */
bool lab_vocab_place(const char *word, float position[LAB_VOCAB_AXES]);

/* Up to max words of the vocabulary that begin with the letters given (case ignored), for
 * completion. */
size_t lab_vocab_complete(const char *letters, const char **words, size_t max);

#endif
