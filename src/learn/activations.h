/* learn/activations.h — every activation of every layer for one sentence at given weights, and the
 * gradient of the loss with respect to each. They have the bits of the training pass. */
#ifndef LEARN_ACTIVATIONS_H
#define LEARN_ACTIVATIONS_H

#include "lab/run/trace.h"
#include "learn/network.h"

/* n tokens, d = d_model, k = d_k, h heads. Parts with heads are had for one head at a time. */
enum learn_part {
    LEARN_RESIDUAL,  /* [n][d] the input of layer l; l = layers: the output of the last */
    LEARN_X,         /* [n][d] the input of attention: the normalised residual */
    LEARN_Q,         /* [n][k] of a head, turned by rotary positions if there are any */
    LEARN_K,         /* [n][k] likewise, and smeared where keys are */
    LEARN_V,         /* [n][k] */
    LEARN_Q_PLAIN,   /* [n][k] before it is turned; gpt2: Q */
    LEARN_K_PLAIN,   /* [n][k] likewise */
    LEARN_K_TURNED,  /* [n][k] before it is smeared */
    LEARN_SCORES,    /* [n][n] S = Q·Kᵀ */
    LEARN_SCALED,    /* [n][n] S′ = S / √d_k; −∞ where a key is hidden */
    LEARN_ALPHA,     /* [n][n] softmax of the rows of S′ */
    LEARN_Z,         /* [n][k] = α·V */
    LEARN_CONCAT,    /* [n][h·k]; heads that are off: 0 */
    LEARN_O,         /* [n][d] = concat·W_O + b_O */
    LEARN_MIDDLE,    /* [n][d] residual + O */
    LEARN_MLP_X,     /* [n][d] the input of the MLP: that, normalised */
    LEARN_MLP_GATE,  /* [n][inner] llama: before SiLU */
    LEARN_MLP_UP,    /* [n][inner] gpt2: before GELU */
    LEARN_MLP_INNER, /* [n][inner] after the activation */
    LEARN_MLP_OUT,   /* [n][d] */
    LEARN_FINAL,     /* [n][d] the last residual, normalised */
    LEARN_LOGITS,    /* [n][vocabulary] */
    LEARN_P,         /* [n][vocabulary] softmax of the logits */
    LEARN_PARTS,
    /* The following are only read by the rows of learn/graph.h. */
    LEARN_PROJECTED = LEARN_PARTS + 1, /* [n][3·h·k] Q, K and V of all heads, not turned */
    LEARN_MLP_HIDDEN,                  /* [n][inner]; llama: gate and up, [n][2·inner] */
    LEARN_NEXT,                        /* [n][d] the output of layer l */
    LEARN_LOSS                         /* no matrix */
};

struct learn_activations;

/* Computes the activations. targets [count], −1: none; NULL: there are no targets and all gradients
 * are 0. count: 1 to context. The result owns everything and needs neither network nor weights
 * later. NULL and a sentence: no memory, or a token outside the vocabulary. */
struct learn_activations *learn_activations_make(struct learn_network *network,
                                                 const float *weights, const int32_t *tokens,
                                                 const int32_t *targets, size_t count,
                                                 struct error *error);
void learn_activations_free(struct learn_activations *activations); /* NULL is fine */

const struct learn_shape *learn_activations_shape(const struct learn_activations *activations);
size_t learn_activations_count(const struct learn_activations *activations);
const int32_t *learn_activations_tokens(const struct learn_activations *activations);
const int32_t *learn_activations_targets(const struct learn_activations *activations);
struct learn_result learn_activations_result(const struct learn_activations *activations);

/* Returns the loss of one position, −log p of its target; 0 without a target. */
float learn_activations_loss(const struct learn_activations *activations, size_t position);

/* Return the values of a part, and dL/d of them, without words. Parts that have no layer or head
 * ignore these. values NULL: this shape has no such part. */
struct lab_matrix learn_activations_part(const struct learn_activations *activations,
                                         enum learn_part part, size_t layer, size_t head);
struct lab_matrix learn_activations_gradient(const struct learn_activations *activations,
                                             enum learn_part part, size_t layer, size_t head);

/* Returns dL/dw of every weight for this sentence alone, as flat as the weights. */
const float *learn_activations_weights_gradient(const struct learn_activations *activations);

#endif
