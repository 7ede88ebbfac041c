/* learn/network.h — the forward and the backward pass of a batch: from tokens to the loss, and to
 * its gradient with respect to every weight.
 *
 *     struct learn_network *network = learn_network_open(&shape, &engine, &error);
 *     learn_network_run(network, weights, &batch, gradient, &result);
 *
 * Each stage has a pass forward and a pass backward, written out, on the kernels of attn; there is
 * no graph of operations. The batch is cut into groups of whole sequences in a way that depends on
 * the shape and the batch alone; each group sums its own gradient and the groups are added in their
 * order. So the bits depend neither on the number of threads nor on the set of kernels.
 *
 * weights and gradient are flat arrays as learn_tensors_list lays them out, the caller's. */
#ifndef LEARN_NETWORK_H
#define LEARN_NETWORK_H

#include <stdatomic.h>

#include "lab/run/engine.h"
#include "learn/shape.h"

struct learn_network;

/* Everything a pass needs, allocated once. engine NULL: the best set, on the calling thread alone;
 * its pool outlives the network. NULL and a sentence: the shape breaks a rule, or no memory. Not
 * for two threads at once. */
struct learn_network *learn_network_open(const struct learn_shape *shape,
                                         const struct lab_engine *engine, struct error *error);
void learn_network_close(struct learn_network *network); /* NULL is fine */

const struct learn_shape *learn_network_shape(const struct learn_network *network);
const struct learn_tensors *learn_network_tensors(const struct learn_network *network);

/* A head that is off adds nothing (its Z counts as 0) and learns nothing. All are on at first. */
void learn_network_switch_head(struct learn_network *network, size_t layer, size_t head, bool on);
bool learn_network_head_is_on(const struct learn_network *network, size_t layer, size_t head);

/* A pass that somebody gives up meanwhile ends early, with false and no sentence; gradient and
 * logits are then of no use. NULL: nobody does. The flag lives as long as the network. */
void learn_network_heed(struct learn_network *network, const atomic_bool *given_up);

struct learn_batch {
    size_t sequences;       /* B */
    size_t length;          /* T of each: 1 … shape.context */
    const int32_t *tokens;  /* [B][T], 0 … vocabulary − 1 */
    const int32_t *targets; /* [B][T], −1: not asked; NULL: nothing is asked */
};

struct learn_result {
    float loss;   /* mean of −log p over what is asked; 0 when nothing is */
    size_t asked; /* positions */
    size_t right; /* of them, where no other token has a larger logit */
    bool sane;    /* the loss is a number */
};

/* gradient: of the loss, overwritten; NULL: forward alone. logits: [B][T][vocabulary] receives
 * them; NULL: not asked for. weights are only read. False and a sentence: no memory for this batch
 * (the first of a size may allocate), or a token outside the vocabulary. */
bool learn_network_run(struct learn_network *network, const float *weights,
                       const struct learn_batch *batch, float *gradient, float *logits,
                       struct learn_result *result, struct error *error);

/* What a batch takes, before it is made: multiply-adds of the pass forward over `rows` tokens in
 * sequences of `length` (the pass back has twice as many), and bytes beside weights and gradient.
 */
double learn_network_products(const struct learn_shape *shape, size_t rows, size_t length);
double learn_network_bytes(const struct learn_shape *shape, size_t sequences, size_t length,
                           size_t threads);

/* result.right / result.asked; 0 when nothing is asked. */
float learn_result_accuracy(const struct learn_result *result);

#endif
