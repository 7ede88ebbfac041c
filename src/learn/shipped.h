/* learn/shipped.h — the model that comes with the program: the small world, trained by the recipe
 * next to it (assets/models/small-world). */
#ifndef LEARN_SHIPPED_H
#define LEARN_SHIPPED_H

#include "learn/checkpoint.h"

/* Opens it; the arena owns everything, words and weights too. Returns false and a sentence without
 * memory. */
bool learn_shipped_open(struct arena *arena, struct learn_model *model, struct error *error);

/* Returns its weights where a recipe gives them at a step; owned by the arena. NULL: they belong to
 * another run or step, or memory is lacking. */
const float *learn_shipped_weights(const struct learn_recipe *recipe, uint64_t step,
                                   struct arena *arena);

#endif
