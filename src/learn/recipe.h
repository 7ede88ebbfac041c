/* learn/recipe.h — everything that a run of training depends on, and the table of its members, a
 * row each (learn/recipe.inc). */
#ifndef LEARN_RECIPE_H
#define LEARN_RECIPE_H

#include "base/record.h"
#include "file/json.h"
#include "learn/data.h"
#include "learn/optimiser.h"
#include "learn/shape.h"

/* The same recipe, with the same own text, gives the same bits. */
struct learn_recipe {
    enum learn_task_id task;
    enum learn_language language; /* of the small world */
    enum learn_units units;       /* of own text */
    enum learn_rows rows;         /* of own text */
    struct record_list without;   /* lines of own text that are not asked, from 1 */
#ifdef LEARN_TRIAL_MEMBER
    float trial; /* a test adds a member in the space before the shape */
#endif
    struct learn_shape shape; /* vocabulary and causal are those of the data: see
                                 learn_recipe_fit */
    struct learn_optimiser optimiser;
    float sigma;   /* of the initial values; 0: 0.1 where d_model ≤ 32, 0.02 above */
    size_t batch;  /* rows of a step */
    size_t steps;  /* after which a run stops by itself */
    uint64_t seed; /* of the initial values and of the data */
};

/* The index of each row, such as LEARN_RECIPE_HEADS. */
enum learn_recipe_member {
    LEARN_RECIPE_NONE, /* an empty row, so that any other may be a condition */
#define LEARN_MEMBER(NAME, member, ...) LEARN_RECIPE_##NAME,
#include "learn/recipe.inc"
    LEARN_RECIPE_ROOM = 48 /* no row; there are fewer rows than this */
};

/* The parts of the window's settings. */
enum learn_recipe_group { LEARN_GROUP_NONE, LEARN_GROUP_WEIGHTS, LEARN_GROUP_LEARNING };

/* A row, with how a session names the member. */
struct learn_recipe_row {
    struct record_row row;
    const char *line; /* NULL: it does not stand in sessions */
    unsigned line_rank;
    bool may_lack; /* a member that came later: JSON holds it only where it is not 0 */
};

const struct record *learn_recipe_record(void);

/* Returns a row; NULL behind the last. */
const struct record_row *learn_recipe_row(enum learn_recipe_member member);

/* Sets a member as the window does, together with what depends on it: the width becomes one that
 * the heads divide, and a switched-on MLP is four times as wide. Returns false and a sentence where
 * the number is out of range. */
bool learn_recipe_change(struct learn_recipe *recipe, enum learn_recipe_member member,
                         double number, struct error *error);

/* Checks a recipe that was fitted to its data, or a shape alone. Returns false and one sentence
 * that says how to mend it. */
bool learn_recipe_check(const struct learn_recipe *recipe, struct error *error);
bool learn_shape_check(const struct learn_shape *shape, struct error *error);

/* Returns the recipe as it was before it was fitted to data: what sessions hold of it. */
struct learn_recipe learn_recipe_unfitted(const struct learn_recipe *recipe);

/* Says whether two recipes agree in all that sessions hold of them. */
bool learn_recipe_same(const struct learn_recipe *a, const struct learn_recipe *b);

/* Return the member of a session's list, in its order, NULL behind the last; or the one with this
 * name, NULL where there is none. */
const struct learn_recipe_row *learn_recipe_line(size_t place);
const struct learn_recipe_row *learn_recipe_find_line(const char *name, size_t length);

/* Write a recipe as a value of JSON, and read it back, whatever its ranges. */
void learn_recipe_put(struct json_writer *json, const struct learn_recipe *recipe);
bool learn_recipe_read(const struct json *json, struct learn_recipe *recipe, struct error *error);

#endif
