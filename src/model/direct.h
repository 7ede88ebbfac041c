/* model/direct.h — a logit as a sum over what was added to the residual stream, for models whose
 * stream is a sum: the last norm's root is the whole stream's and stays as it is (frozen), its mean
 * is each part's own.
 *
 *     logit = direction · (x₀ + heads + b_O + MLP + …) + norm bias + output bias */
#ifndef MODEL_DIRECT_H
#define MODEL_DIRECT_H

#include "model/model.h"

/* Returns whether the stream is a sum that the logits read through one norm. False and one
 * sentence: a norm stands behind its sums (BERT), or another layer before the words. */
bool model_stream_is_sum(const struct model *model, struct error *error);

struct model_direction {
    double *of_stream; /* [width] */
    double norm_bias, output_bias;
};

/* How the logit of a word (before the cap, where there is one) reads the last stream x [width] of
 * its position; the numbers are owned by the arena. False: no memory. */
bool model_direction_of(const struct model *model, const float *x, uint32_t word,
                        struct arena *arena, struct model_direction *out, struct error *error);

/* How a direction of the stream reads Z of the heads of a layer, through W_O and, where the sum of
 * all heads is normed before it is added, through that norm; output [width]: that sum at the
 * position (MODEL_NODE_OUTPUT). Into of_heads [heads · d_v], and what the biases give into *bias.
 * False: no memory. */
bool model_direction_of_heads(const struct model *model, size_t layer, const double *direction,
                              const float *output, double *of_heads, double *bias,
                              struct error *error);

/* Writes the parts of the stream before the first layer that come from the place of a word (place
 * [width]) and from its kind of sentence (kind [width]); 0 where the model has no such numbers, or
 * norms their sum. False: no memory. */
bool model_embedding_parts(const struct model_run *run, size_t position, float *place, float *kind);

#endif
