/* learn/scores.h — what attention does, as numbers: every head's scores at given weights. */
#ifndef LEARN_SCORES_H
#define LEARN_SCORES_H

#include "learn/data.h"
#include "learn/network.h"

/* All scores of a moment. A score that the data has no marks for is NaN. */
struct learn_scores {
    float head[LEARN_SCORES_OF_HEADS][LEARN_LAYERS_MAX][LEARN_HEADS_MAX];
    float best[LEARN_SCORE_ROWS]; /* the best head's; or the embedding's */
    size_t layer[LEARN_SCORES_OF_HEADS], best_head[LEARN_SCORES_OF_HEADS]; /* which head that is */
};

/* False and a sentence: no memory. */
bool learn_scores_take(struct learn_network *network, const float *weights,
                       const struct learn_data *data, struct learn_scores *out,
                       struct error *error);

/* The power of the embedding of 0 … p − 1 over frequency 1 … p / 2 of the numbers, each as a share
 * of all but the mean: power [p / 2]. embedding [p][width]. */
void learn_scores_frequencies(const float *embedding, size_t p, size_t width, float *power);

/* The strongest of them, and the share of the three strongest together; p: 2 … 256. */
size_t learn_scores_strongest(const float *embedding, size_t p, size_t width, float *share);

#endif
