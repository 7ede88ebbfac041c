/* learn/maker.h — weights made again from how they were learned, where no window does it: an
 * experiment that only says so gets its numbers.
 *
 *     struct learn_maker maker = {.run = NULL};
 *     learn_maker_fill(&maker, &experiment, &engine, &error);
 *     learn_maker_close(&maker);
 *
 * What was made last is kept, so that the steps of a lesson cost no more than the last of them. */
#ifndef LEARN_MAKER_H
#define LEARN_MAKER_H

#include "lab/run/thumbnails.h"
#include "learn/learned.h"

struct learn_maker {
    bool trains_anyway;    /* whatever it takes (learn/cost.h) */
    struct learn_run *run; /* NULL: none yet */
    struct learn_learned learned;
    struct arena arena; /* of its text */
};

/* Fills in what experiment.learned stands for; an experiment without it, or with numbers already,
 * stays as it is. Words, edits and sizes are checked, and what it takes, before a step is made.
 * False and a sentence: it cannot be made, and nothing changed. */
bool learn_maker_fill(struct learn_maker *maker, struct lab_experiment *experiment,
                      const struct lab_engine *engine, struct error *error);

/* All heads on the experiment's words, with what was filled in last. The caller holds one
 * reference. NULL and a sentence. */
struct lab_thumbnails *learn_maker_thumbnails(const struct learn_maker *maker,
                                              const struct lab_experiment *experiment,
                                              const struct lab_engine *engine, struct error *error);
void learn_maker_close(struct learn_maker *maker);

/* The experiment gets what was made of its words: numbers, and what follows from how the weights
 * were learned. All that a person chose stays. made is empty afterwards. */
void learn_maker_take(struct lab_experiment *experiment, struct lab_experiment *made);

/* The numbers of an experiment, and what belongs to them, go: they are made again. */
void learn_maker_empty(struct lab_experiment *experiment);

#endif
