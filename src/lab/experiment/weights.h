/* lab/experiment/weights.h — fills the weight matrices. */
#ifndef LAB_EXPERIMENT_WEIGHTS_H
#define LAB_EXPERIMENT_WEIGHTS_H

#include "lab/experiment/graph.h"

/* One projection of all heads (of W_Q), of all groups (of W_K, W_V), or the parts of a latent:
 *
 *     LAB_W_Q   [heads][d_model][d_k]         LAB_W_DKV [d_model][R]
 *     LAB_W_K   [kv_heads][d_model][d_k]      LAB_W_UK  [heads][R][d_k]
 *     LAB_W_V   [kv_heads][d_model][d_v]      LAB_W_UV  [heads][R][d_v]      row-major
 *
 * identity: column c of matrix g has its 1 in row (g·columns + c) mod rows.
 * random: the stream "W_Q.g" of the seed (g from 0; "W_DKV"), normal values · 1/√rows.
 * numbers: as given.
 *
 * Matrices before `first` are left as they are. */
void lab_weights_fill(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                      enum lab_part part, size_t first, float *w);

/* Returns the numbers that are given for a part, LAB_W_O among them; NULL: none are. */
const struct lab_numbers *lab_weights_given(const struct lab_experiment *experiment,
                                            enum lab_part part);

/* Returns the dimension of X that column c of head h's values copies, with identity weights. */
size_t lab_weights_value_dimension(const struct lab_sizes *sizes, size_t head, size_t column);

/* Returns the dimension of X that column c of head h's keys copies, with identity weights. */
size_t lab_weights_key_dimension(const struct lab_sizes *sizes, size_t head, size_t column);

/* w_o [heads·d_v][d_model].
 *
 * identity: adds every entry of the concatenation back to its dimension and divides by how many
 * there are. random: the stream "W_O", normal values · 1/√(heads·d_v). numbers: as given. Left out
 * (skip_w_o): the unit matrix. */
void lab_weights_output(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                        float *w_o);

#endif
