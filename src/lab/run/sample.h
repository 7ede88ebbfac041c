/* lab/run/sample.h — draws one word at random from the logits of a model. */
#ifndef LAB_RUN_SAMPLE_H
#define LAB_RUN_SAMPLE_H

#include <stddef.h>

#include "base/random.h"

/* Returns one of `count` ids, each as likely as softmax( logits ÷ temperature ) says. With top_p
 * below 1 it is one of the likeliest that together have at least that share (Holtzman et al., The
 * Curious Case of Neural Text Degeneration, 2020). temperature must be above 0. */
size_t lab_sample(const float *logits, size_t count, double temperature, double top_p,
                  struct random *random);

#endif
