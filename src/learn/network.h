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

/* Opens a network and allocates everything that a pass needs. engine NULL: the best set, on the
 * calling thread alone; its pool must outlive the network. NULL and a sentence: the shape breaks a
 * rule, or memory is lacking. Two threads must not use it at once. */
struct learn_network *learn_network_open(const struct learn_shape *shape,
                                         const struct lab_engine *engine, struct error *error);
void learn_network_close(struct learn_network *network); /* NULL is fine */

const struct learn_shape *learn_network_shape(const struct learn_network *network);
const struct learn_tensors *learn_network_tensors(const struct learn_network *network);

/* Switches a head. One that is off adds nothing (its Z counts as 0) and learns nothing. All are on
 * at first. */
void learn_network_switch_head(struct learn_network *network, size_t layer, size_t head, bool on);
bool learn_network_head_is_on(const struct learn_network *network, size_t layer, size_t head);

/* Sets a flag that makes a pass end early, with false and no sentence; gradient and logits are then
 * of no use. NULL: none. The flag lives as long as the network. */
void learn_network_heed(struct learn_network *network, const atomic_bool *given_up);

struct learn_batch {
    size_t sequences;       /* B */
    size_t length;          /* T of each: 1 to shape.context */
    const int32_t *tokens;  /* [B][T], below vocabulary */
    const int32_t *targets; /* [B][T], −1: no target; NULL: there are no targets */
};

struct learn_result {
    float loss;   /* mean of −log p over all targets; 0 without any */
    size_t asked; /* positions with a target */
    size_t right; /* of these, where no other token has a larger logit */
    bool sane;    /* the loss is a number */
};

/* Runs a batch. gradient: receives that of the loss; NULL: forward only. logits: [B][T][vocabulary]
 * receives them; NULL: not needed. weights are only read. Returns false and a sentence where a
 * token is outside the vocabulary, or memory is lacking (only the first batch of a size
 * allocates). */
bool learn_network_run(struct learn_network *network, const float *weights,
                       const struct learn_batch *batch, float *gradient, float *logits,
                       struct learn_result *result, struct error *error);

/* Return the cost of a batch: multiply-adds of the pass forward over `rows` tokens in sequences of
 * `length` (the pass back has twice as many), and bytes besides weights and gradient. */
double learn_network_products(const struct learn_shape *shape, size_t rows, size_t length);
double learn_network_bytes(const struct learn_shape *shape, size_t sequences, size_t length,
                           size_t threads);

/* Returns result.right / result.asked; 0 without targets. */
float learn_result_accuracy(const struct learn_result *result);

#endif
