/* learn/weight_rebuilder.h — trains weights again from how they were trained, where no window does
 * it: an experiment that only describes its weights gets their numbers.
 *
 *     struct learn_weight_rebuilder rebuilder = {.run = NULL};
 *     learn_weight_rebuilder_fill(&rebuilder, &experiment, &engine, &error);
 *     learn_weight_rebuilder_close(&rebuilder);
 *
 * The last run is kept, so that the steps of a lesson cost no more than its last step. Weights that
 * were saved beside a session are used before anything is trained. */
#ifndef LEARN_WEIGHT_REBUILDER_H
#define LEARN_WEIGHT_REBUILDER_H

#include "learn/activations.h"
#include "learn/saved.h"

struct learn_weight_rebuilder {
    bool trains_anyway;       /* at any cost (learn/cost.h) */
    bool trains_nothing;      /* only weights that are known without training are filled in */
    struct learn_saved saved; /* where the first weights lie; its text is the caller's */
    struct error unused;      /* why those were not used; code NONE: they were, or there are none */
    struct learn_run *run;    /* NULL: none yet */
    struct learn_saved used;  /* what of `saved` the run began with */
    struct learn_learned learned; /* whose `held` is a reference */
};

/* Fills in the numbers that experiment.learned describes. An experiment without it, or with numbers
 * already, is left alone. Words, edits, sizes and the cost are checked before anything is trained.
 * Returns false and a sentence, and changes nothing, where it cannot be done. */
bool learn_weight_rebuilder_fill(struct learn_weight_rebuilder *rebuilder,
                                 struct lab_experiment *experiment, const struct lab_engine *engine,
                                 struct error *error);

/* Reads words with the weights that were filled in last. The caller frees it. NULL and a sentence:
 * it failed. */
struct learn_activations *
learn_weight_rebuilder_read(const struct learn_weight_rebuilder *rebuilder,
                            const struct lab_words *tokens, struct error *error);
void learn_weight_rebuilder_close(struct learn_weight_rebuilder *rebuilder);

/* Moves the numbers that were made of the experiment's words, and everything that follows from how
 * the weights were trained, into the experiment. Everything that a person chose stays. `made` is
 * empty afterwards. */
void learn_weight_rebuilder_take(struct lab_experiment *experiment, struct lab_experiment *made);

/* Removes the numbers of an experiment, and what belongs to them, since they can be made again. */
void learn_weight_rebuilder_empty(struct lab_experiment *experiment);

#endif
