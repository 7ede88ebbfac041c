/* lab/experiment/differ.h — what one experiment has that another has not, in a few words. */
#ifndef LAB_EXPERIMENT_DIFFER_H
#define LAB_EXPERIMENT_DIFFER_H

#include "base/arena.h"
#include "lab/experiment/experiment.h"

/* "temperature 0.13 · mask causal": what `one` has where the two differ, at most two things by name
 * and the number of the others; "" where nothing differs. The arena owns it. */
const char *lab_differ(struct arena *arena, const struct lab_experiment *one,
                       const struct lab_experiment *other);

#endif
