/* learn/cost.h — the cost of training weights again, before it is done.
 *
 * A session describes in a line how its weights were trained, and a line may stand for hours. Where
 * nobody sees the progress (pictures, numbers, descriptions), as much is trained without asking as
 * every lesson and every built-in recipe needs. The cost is counted, not timed, so that all
 * machines refuse the same. */
#ifndef LEARN_COST_H
#define LEARN_COST_H

#include "learn/learned.h"

/* Multiply-adds, and bytes, that are spent without asking. The longest of the built-in recipes with
 * an end, addition modulo 31 to its last step, takes 3.5e11. */
#define LEARN_PRODUCTS_MAX 4e11
enum { LEARN_BYTES_MAX = 256 << 20 };

/* More than these are long to learn again: their weights are offered to be saved with a session.
 * The small world to its last step, which a class watches from its beginning, is 1.7e10. */
#define LEARN_PRODUCTS_LONG 2e10

struct learn_cost {
    double steps;    /* of training, including those that are repeated after an edit */
    double products; /* multiply-adds of all of them */
    double bytes;    /* of the run, besides its words and texts */
};

/* Counts the cost; recipe: as it fits its data (learn_recipe_fit). The weights that come with the
 * program cost no step. */
struct learn_cost learn_cost_of(const struct learn_recipe *recipe,
                                const struct learn_learned *learned);

/* Says whether weights are known without any training: they come with the program, or are those of
 * step 0. */
bool learn_cost_is_none(const struct learn_recipe *recipe, const struct learn_learned *learned);

/* Counts the cost of a run that stands at weights which were made before: no step and no batch. */
struct learn_cost learn_cost_of_near(const struct learn_recipe *recipe);

/* Checks that so much is done without asking. Returns false and a sentence that names the cost. */
bool learn_cost_check(const struct learn_cost *cost, struct error *error);

#endif
