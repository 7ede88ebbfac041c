/* lab/run/sample.h — one word drawn at random by what a model gives each. */
#ifndef LAB_RUN_SAMPLE_H
#define LAB_RUN_SAMPLE_H

#include <stddef.h>

#include "base/random.h"

/* One of `count`, each as likely as softmax( logits ÷ temperature ) says. top_p below 1: only of
 * the likeliest that together have at least that share (Holtzman et al., The Curious Case of Neural
 * Text Degeneration, 2020). temperature above 0. */
size_t lab_sample(const float *logits, size_t count, double temperature, double top_p,
                  struct random *random);

#endif
