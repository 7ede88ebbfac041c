/* learn/saved.h — weights that were saved beside a session, as a model's folder, so that they need
 * not be learned again to be looked at.
 *
 * A session says how its weights were learned, and that is what holds: the folder is believed where
 * its recipe and step are those that the session asks for, and where the session has its mark, a
 * hash of how the weights were learned and of the weights themselves. */
#ifndef LEARN_SAVED_H
#define LEARN_SAVED_H

#include "learn/learned.h"

struct learn_saved {
    const char *folder; /* NULL: there is none */
    bool has_mark;
    uint64_t mark;
};

/* The mark of weights [floats] at learned->step. False and a sentence: no memory. */
bool learn_saved_mark(const struct learn_learned *learned, const float *weights, size_t floats,
                      uint64_t *mark, struct error *error);

/* The folder's weights, laid out as learn_tensors_list has them, where they are those of
 * learned->step; owned by the arena. recipe: of that run, as it fits its data. NULL and a sentence:
 * the folder cannot be read, or is of something else. */
const float *learn_saved_read(const struct learn_saved *saved, const struct learn_recipe *recipe,
                              const struct learn_learned *learned, struct arena *arena,
                              struct error *error);

#endif
