/* learn/optimiser.h — computes the next weights from a gradient: AdamW or SGD, with warm-up, decay
 * of the rate, weight decay, clipping, and frozen weights.
 *
 * The state of the optimiser stands in flat arrays of the caller, as weights do, so that a snapshot
 * of training is weights, two arrays and the number of the step. */
#ifndef LEARN_OPTIMISER_H
#define LEARN_OPTIMISER_H

#include "lab/run/engine.h"
#include "learn/shape.h"

enum learn_method { LEARN_ADAMW, LEARN_SGD, LEARN_METHODS };

enum learn_schedule {
    LEARN_CONSTANT,
    LEARN_LINEAR, /* rate · (1 − s / steps) */
    LEARN_COSINE, /* rate · (1 + cos(π s / steps)) / 2 */
    LEARN_SCHEDULES
};

struct learn_optimiser {
    enum learn_method method;
    float rate;
    float beta1, beta2; /* AdamW: .9 and .98 in the recipes */
    float epsilon;      /* AdamW: 1e-8 */
    float weight_decay; /* AdamW, of tensors of two dimensions */
    float momentum;     /* SGD */
    size_t warmup;      /* steps W in which the rate rises: rate · min(1, (s + 1) / W); 0: none */
    enum learn_schedule schedule;
    size_t steps; /* after which linear and cosine decay have reached 0 */
    float clip;   /* largest norm of the gradient; 0: any */
};

/* Return "adamw", "sgd"; "constant", "linear", "cosine"; NULL behind the last. */
const char *learn_method_name(size_t method);
const char *learn_schedule_name(size_t schedule);

/* Returns the rate of step number s, from 0; it is the same on every machine. */
float learn_optimiser_rate(const struct learn_optimiser *optimiser, uint64_t step);

/* Weights that are not trained. All zero: none. */
struct learn_frozen {
    bool tensor[LEARN_TENSORS_MAX];               /* by its number in learn_tensors */
    bool head[LEARN_LAYERS_MAX][LEARN_HEADS_MAX]; /* its columns of W_Q, W_K, W_V with their
                                                     biases, and its rows of W_O */
};

/* The result of a step. */
struct learn_step {
    float rate;
    float norm;  /* of the gradient; 0 without clipping, which does not need it */
    float scale; /* factor of the gradient: 1, or less where it was clipped */
    bool sane;   /* false: the norm is no number, and nothing was changed */
};

/* Makes step number s, from 0: weights, m and v [floats] become the next ones. m and v are 0 before
 * step 0; SGD keeps its velocity in m and ignores v, which may be NULL. frozen NULL: none; m and v
 * of frozen weights do not change either. engine is as in learn_network_open; with its pool the
 * bits are the same. */
struct learn_step learn_optimiser_step(const struct learn_optimiser *optimiser,
                                       const struct lab_engine *engine,
                                       const struct learn_shape *shape,
                                       const struct learn_tensors *tensors,
                                       const struct learn_frozen *frozen, uint64_t step,
                                       const float *gradient, float *m, float *v, float *weights);

#endif
