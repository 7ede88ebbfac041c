/* learn/experiment.h — one layer of a sentence as an experiment, so that trained weights are an
 * ordinary experiment of the lab. */
#ifndef LEARN_EXPERIMENT_H
#define LEARN_EXPERIMENT_H

#include "lab/experiment/experiment.h"
#include "lab/run/trace.h"
#include "learn/activations.h"

struct learn_layer_view {
    const struct learn_activations *sentence;
    const float *weights;               /* those it was computed with */
    const bool (*off)[LEARN_HEADS_MAX]; /* [layers]: heads that are switched off; NULL: none */
    const char *const *words;           /* one for each token */
    size_t layer;
};

/* Makes the experiment of a layer: X is what attention reads (the normalised residual), W and b are
 * those of the layer, with a matrix of Q, K and V for each head; rotary positions turn by halves
 * with the shape's θ. A head that is off has rows of 0 in W_O. The caller releases it. Returns
 * false with an error, and nothing to release. */
bool learn_experiment(const struct learn_layer_view *view, struct lab_experiment *experiment,
                      struct error *error);

/* Computes the trace of that experiment as the lab does, which agrees with the training pass except
 * for the last bits. The caller holds one reference. */
struct lab_trace *learn_trace(const struct learn_layer_view *view, const struct lab_engine *engine,
                              struct error *error);

#endif
