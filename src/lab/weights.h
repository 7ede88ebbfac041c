/* lab/weights.h — where the numbers of W_Q, W_K, W_V and W_O come from. */
#ifndef LAB_WEIGHTS_H
#define LAB_WEIGHTS_H

#include "lab/experiment.h"

/* One projection of every head: w [heads][d_model][size], row-major. `letter` is 'Q', 'K' or 'V'.
 *
 * identity: column c of head h has its 1 in row (h·size + c) mod d_model.
 * random: the stream "W_Q.h" of the seed (h from 0), normal values · 1/√d_model.
 * numbers: as given. */
void lab_weights_project(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                         char letter, float *w);

/* w_o [heads·d_v][d_model].
 *
 * identity: adds every entry of the concatenation back to its dimension and divides by how many
 * there are. random: the stream "W_O", normal values · 1/√(heads·d_v). numbers: as given. Left out
 * (skip_w_o): the unit matrix. */
void lab_weights_output(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                        float *w_o);

#endif
