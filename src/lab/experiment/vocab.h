/* lab/experiment/vocab.h — the toy vocabulary: words placed by hand on the axes petness,
 * animalness, cityness.
 */
#ifndef LAB_EXPERIMENT_VOCAB_H
#define LAB_EXPERIMENT_VOCAB_H

#include <stdbool.h>
#include <stddef.h>

enum { LAB_VOCAB_AXES = 3 };

/* Returns "petness", "animalness" or "cityness". */
const char *lab_vocab_axis(size_t axis);

/* Return the number of words, and the word at an index in the order of the file. */
size_t lab_vocab_count(void);
const char *lab_vocab_word(size_t index);

/* Finds the position of a word that was placed by hand (exact spelling first, then any case) and
 * returns true. Else it derives a fixed position from the word's letters and returns false. */
bool lab_vocab_place(const char *word, float position[LAB_VOCAB_AXES]);

#endif
