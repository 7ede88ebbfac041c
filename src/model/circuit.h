/* model/circuit.h — the weights of heads as circuits read them (Elhage et al. 2021): between words
 * and the residual stream, the gains of norms folded in and, where a norm takes the mean away,
 * that as well; its root depends on the text and is left out, as are biases.
 *
 *     which word looks at which: W_E W_Q W_Kᵀ W_Eᵀ      what it makes of it: W_E W_V W_O W_U */
#ifndef MODEL_CIRCUIT_H
#define MODEL_CIRCUIT_H

#include "model/model.h"

/* Returns whether a head is such matrices. False and one sentence: keys are rebuilt from a latent,
 * or the stream is no sum (model/direct.h). */
bool model_circuit_check(const struct model *model, struct error *error);

/* The matrices of all heads of a layer. Rotary positions are those of a distance of 0. */
enum model_circuit_part {
    MODEL_CIRCUIT_Q, /* [width][heads · d_k] */
    MODEL_CIRCUIT_K, /* [width][groups · d_k] */
    MODEL_CIRCUIT_V, /* [width][groups · d_v] */
    MODEL_CIRCUIT_O, /* [heads · d_v][width] */
    MODEL_CIRCUIT_PARTS
};
void model_circuit_weights(const struct model *model, size_t layer, enum model_circuit_part part,
                           float *out);

/* Returns the factor of the scores of a layer. */
float model_circuit_factor(const struct model *model, size_t layer);

/* Writes the embeddings of count words from first on, as they come to the first layer without
 * positions, into out [count][width]. Returns false when there is no memory. */
bool model_circuit_embed(const struct model *model, size_t first, size_t count, float *out);

/* How the stream is read for the same words, the last norm folded in: out [width][count]. False: no
 * memory. */
bool model_circuit_unembed(const struct model *model, size_t first, size_t count, float *out);

#endif
