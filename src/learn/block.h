/* learn/block.h — one layer of a sentence with the steps around its attention (lab/run/block.h), so
 * that trained weights are explained like those of any model. */
#ifndef LEARN_BLOCK_H
#define LEARN_BLOCK_H

#include "lab/run/block.h"
#include "learn/experiment.h"

/* Makes the block of a layer; every step has the bits of the training pass, and nothing of the view
 * is kept. After the last layer it also has the final norm and the likeliest words of `vocabulary`,
 * the names of all tokens. NULL and a sentence: no memory. The caller releases it. */
struct lab_block *learn_block(const struct learn_layer_view *view, const char *const *vocabulary,
                              struct error *error);

#endif
