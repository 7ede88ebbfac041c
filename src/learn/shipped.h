/* learn/shipped.h — the model that comes with the program: the small world, learned by the recipe
 * beside it (assets/models/small-world). */
#ifndef LEARN_SHIPPED_H
#define LEARN_SHIPPED_H

#include "learn/checkpoint.h"

/* All is owned by the arena, words and weights too. False and a sentence: no memory. */
bool learn_shipped_open(struct arena *arena, struct learn_model *model, struct error *error);

/* Its weights, where they are what a recipe gives at a step; owned by the arena. NULL: they are
 * those of another run or step, or there is no memory. */
const float *learn_shipped_weights(const struct learn_recipe *recipe, uint64_t step,
                                   struct arena *arena);

#endif
