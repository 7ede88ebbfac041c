/* learn/shipped.h — the model that comes with the program: the small world, learned by the recipe
 * beside it (assets/models/small-world). */
#ifndef LEARN_SHIPPED_H
#define LEARN_SHIPPED_H

#include "learn/checkpoint.h"

/* All is owned by the arena, words and weights too. False and a sentence: no memory. */
bool learn_shipped_open(struct arena *arena, struct learn_model *model, struct error *error);

#endif
