/* learn/optimiser.h — from a gradient to the next weights: AdamW or SGD, with warm-up, decay of
 * the rate, weight decay, clipping, and weights that are frozen.
 *
 * What a step knows of the past stands in flat arrays of the caller, as weights do, so that a
 * moment of training is weights, two arrays and the number of the step. */
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
    size_t steps; /* at which linear and cosine decay have come to 0 */
    float clip;   /* the gradient's norm is at most this; 0: whatever it is */
};

/* AdamW, rate 1e-3, .9, .98, 1e-8, weight decay .01, 50 steps of warm-up, constant, not clipped. */
struct learn_optimiser learn_optimiser_default(void);

/* False and one sentence with the way out when a number is out of its range. */
bool learn_optimiser_check(const struct learn_optimiser *optimiser, struct error *error);

/* "adamw", "sgd"; "constant", "linear", "cosine"; NULL behind the last */
const char *learn_method_name(size_t method);
const char *learn_schedule_name(size_t schedule);

/* The rate of step number s, from 0. The same on every machine. */
float learn_optimiser_rate(const struct learn_optimiser *optimiser, uint64_t step);

/* Which weights stay as they are. All zero: none. */
struct learn_frozen {
    bool tensor[LEARN_TENSORS_MAX];               /* by its number in learn_tensors */
    bool head[LEARN_LAYERS_MAX][LEARN_HEADS_MAX]; /* its columns of W_Q, W_K, W_V with their biases,
                                                      and its rows of W_O */
};

/* What a step found. */
struct learn_step {
    float rate;
    float norm;  /* of the gradient; 0 where nothing is clipped: nobody asked */
    float scale; /* the gradient was multiplied by: 1, or less where it was clipped */
    bool sane;   /* false: the norm is no number; nothing was changed */
};

/* Step number s, from 0: weights, m and v [floats] become the next ones. Both are 0 before step 0;
 * SGD keeps its velocity in m and leaves v alone (NULL is fine there). frozen NULL: none; the m and
 * v of frozen weights stay too. engine as in learn_network_open: with its pool the same bits. */
struct learn_step learn_optimiser_step(const struct learn_optimiser *optimiser,
                                       const struct lab_engine *engine,
                                       const struct learn_shape *shape,
                                       const struct learn_tensors *tensors,
                                       const struct learn_frozen *frozen, uint64_t step,
                                       const float *gradient, float *m, float *v, float *weights);

#endif
