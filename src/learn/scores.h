/* learn/scores.h — scores of every head at given weights, which say what its attention does. */
#ifndef LEARN_SCORES_H
#define LEARN_SCORES_H

#include "learn/data.h"
#include "learn/network.h"

/* All scores at given weights. A score that the data has no marks for is NaN. */
struct learn_scores {
    float head[LEARN_SCORES_OF_HEADS][LEARN_LAYERS_MAX][LEARN_HEADS_MAX];
    float best[LEARN_SCORE_ROWS]; /* of the best head, or of the embedding */
    size_t layer[LEARN_SCORES_OF_HEADS], best_head[LEARN_SCORES_OF_HEADS]; /* which head that is */
};

/* Takes the scores. Returns false and a sentence without memory. */
bool learn_scores_take(struct learn_network *network, const float *weights,
                       const struct learn_data *data, struct learn_scores *out,
                       struct error *error);

/* Returns the strongest of the frequencies of an embedding [p][width] of p numbers, from 1 on, and
 * the share of the three strongest together; p: 2 to 256. */
size_t learn_scores_strongest(const float *embedding, size_t p, size_t width, float *share);

#endif
