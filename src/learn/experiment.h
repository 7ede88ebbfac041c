/* learn/experiment.h — one layer of a sentence that is looked at, as an experiment: what is learned
 * is an ordinary experiment of the lab. */
#ifndef LEARN_EXPERIMENT_H
#define LEARN_EXPERIMENT_H

#include "lab/experiment/experiment.h"
#include "lab/run/trace.h"
#include "learn/sentence.h"

struct learn_layer_view {
    const struct learn_sentence *sentence;
    const float *weights;               /* those it was made with */
    const bool (*off)[LEARN_HEADS_MAX]; /* [layers]: heads that add nothing; NULL: none */
    const char *const *words;           /* one for each token */
    size_t layer;
};

/* X is what attention reads (the residual, normalised), W and b are the layer's: those of Q, K and
 * V a matrix a head; rotary positions turn by halves with the shape's θ. A head that is off has
 * rows of 0 in W_O. The caller releases it. False: error, nothing to release. */
bool learn_experiment(const struct learn_layer_view *view, struct lab_experiment *experiment,
                      struct error *error);

/* It computed, as the lab computes every experiment: within the last bits of the training pass. The
 * caller holds one reference. */
struct lab_trace *learn_trace(const struct learn_layer_view *view, const struct lab_engine *engine,
                              struct error *error);

#endif
