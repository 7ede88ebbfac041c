/* learn/block.h — one layer of a sentence that is looked at, around its attention
 * (lab/run/block.h): learned weights are spelled out as those of any model. */
#ifndef LEARN_BLOCK_H
#define LEARN_BLOCK_H

#include "lab/run/block.h"
#include "learn/experiment.h"

/* Every step has the bits of the training pass. It keeps nothing of the view. Behind the last layer
 * stand the final norm and the likeliest of `vocabulary`, the names of all tokens. NULL and a
 * sentence: no memory. The caller releases it. */
struct lab_block *learn_block(const struct learn_layer_view *view, const char *const *vocabulary,
                              struct error *error);

#endif
