/* learn/cost.h — what it takes to make learned weights again, before any of it is made.
 *
 * A session says in a line how its weights were learned, and a line may stand for hours. Where
 * nobody sees how far it is (pictures, numbers, descriptions), so much is made without asking as
 * every lesson and every built-in recipe takes. It is counted, not timed: what is refused on one
 * machine is refused on all. */
#ifndef LEARN_COST_H
#define LEARN_COST_H

#include "learn/learned.h"

/* Multiply-adds, and bytes, that are taken without asking: addition modulo 31 to its last step, the
 * longest of the built-in recipes with an end, is 3.5e11. */
#define LEARN_PRODUCTS_MAX 4e11
enum { LEARN_BYTES_MAX = 256 << 20 };

struct learn_cost {
    double steps;    /* of training, those that are made again after an edit among them */
    double products; /* multiply-adds of all of them */
    double bytes;    /* of the run, beside its words and texts */
};

/* recipe: as it fits its data (learn_recipe_fit). Weights of a step that came with the program
 * cost no step. */
struct learn_cost learn_cost_of(const struct learn_recipe *recipe,
                                const struct learn_learned *learned);

/* Whether so much is made without asking. False and a sentence that says what it would take. */
bool learn_cost_check(const struct learn_cost *cost, struct error *error);

#endif
