/* lab/run/sample.h — from the logits of a model to the shares of words, the likeliest ones, and one
 * that is drawn at random. */
#ifndef LAB_RUN_SAMPLE_H
#define LAB_RUN_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

/* From what softmax( logits ÷ temperature ) follows: the largest logit, and Σ e^((logit − max) ÷
 * temperature). temperature must be above 0. */
struct lab_shares {
    double temperature, max, sum;
};
struct lab_shares lab_shares_of(const float *logits, size_t count, double temperature);

/* Returns the share of one of these logits. */
double lab_share(const struct lab_shares *shares, float logit);

/* Returns log Σ e^logit: a logit less that is the logarithm of its share. */
double lab_log_sum(const float *logits, size_t count);

/* Finds the largest of `count` values, at most `max` of them: the largest first, and of equal ones
 * the first. Returns how many. */
size_t lab_find_largest(const float *values, size_t count, size_t max, uint32_t *largest);

/* Returns one of `count` ids, each as likely as softmax( logits ÷ temperature ) says. With top_p
 * below 1 it is one of the likeliest that together have at least that share (Holtzman et al., The
 * Curious Case of Neural Text Degeneration, 2020). temperature must be above 0. */
size_t lab_sample(const float *logits, size_t count, double temperature, double top_p,
                  struct random *random);

#endif
