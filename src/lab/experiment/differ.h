/* lab/experiment/differ.h — how one experiment differs from another, in a few words. */
#ifndef LAB_EXPERIMENT_DIFFER_H
#define LAB_EXPERIMENT_DIFFER_H

#include "base/arena.h"
#include "lab/experiment/experiment.h"

/* Returns "temperature 0.13 · mask causal": the values of `one` where the two differ. At most two
 * are named, and the others are counted; "" where nothing differs. The arena owns the text. */
const char *lab_differ(struct arena *arena, const struct lab_experiment *one,
                       const struct lab_experiment *other);

#endif
