/* learn/cost.c — see cost.h. */
#include "learn/cost.h"

#include "base/text.h"
#include "learn/network.h"
#include "learn/shipped.h"

enum { BACK_AND_FORTH = 3 /* a step takes as long as three passes forward */, THREADS = 2 };

/* Counts the steps of training from edit to edit and to the step that is shown; going back starts
 * anew in the worst case. */
static double steps_of(const struct learn_learned *learned)
{
    uint64_t at = 0;
    double steps = 0;
    for (size_t e = 0; e <= learned->edits; e++) {
        const uint64_t next = e < learned->edits ? learned->edit[e].step : learned->step;
        steps += (double)(next < at ? next : next - at);
        at = next;
    }
    return steps;
}

static bool is_shipped(const struct learn_recipe *recipe, const struct learn_learned *learned)
{
    struct arena arena = {0};
    bool stays = true; /* heads that are switched off there leave the weights as they are */
    for (size_t e = 0; e < learned->edits; e++) {
        stays = stays && learned->edit[e].kind == LEARN_EDIT_HEAD_OFF &&
                learned->edit[e].step == learned->step;
    }
    const bool shipped = stays && learn_shipped_weights(recipe, learned->step, &arena) != NULL;
    arena_free(&arena);
    return shipped;
}

bool learn_cost_is_none(const struct learn_recipe *recipe, const struct learn_learned *learned)
{
    return !(steps_of(learned) > 0) || is_shipped(recipe, learned);
}

struct learn_cost learn_cost_of(const struct learn_recipe *recipe,
                                const struct learn_learned *learned)
{
    const struct learn_shape *const shape = &recipe->shape;
    const size_t rows = recipe->batch * shape->context;
    const double steps = learn_cost_is_none(recipe, learned) ? 0 : steps_of(learned);
    struct learn_tensors tensors;
    learn_tensors_list(shape, &tensors);
    const double snapshot = 3 * (double)tensors.floats * sizeof(float); /* weights, m and v */
    const double kept = LEARN_KEPT_BYTES > 2 * snapshot ? LEARN_KEPT_BYTES : 2 * snapshot;
    return (struct learn_cost){
        .steps = steps,
        .products = steps * BACK_AND_FORTH * learn_network_products(shape, rows, shape->context),
        .bytes = snapshot + (double)tensors.floats * sizeof(float) /* the gradient */ +
                 (steps + 1 < kept / snapshot ? (steps + 1) * snapshot : kept) +
                 2 * (double)rows * sizeof(int32_t) +
                 learn_network_bytes(shape, recipe->batch, shape->context, THREADS)};
}

struct learn_cost learn_cost_of_near(const struct learn_recipe *recipe)
{
    enum { ARRAYS = 8 /* weights, m, v, gradient; the known weights; weights, m, v of step 0 */ };
    const struct learn_shape *const shape = &recipe->shape;
    struct learn_tensors tensors;
    learn_tensors_list(shape, &tensors);
    return (struct learn_cost){.bytes =
                                   ARRAYS * (double)tensors.floats * sizeof(float) +
                                   2 * (double)(recipe->batch * shape->context) * sizeof(int32_t) +
                                   learn_network_bytes(shape, 1, shape->context, 1)};
}

bool learn_cost_check(const struct learn_cost *cost, struct error *error)
{
    static const double megabyte = 1 << 20, countable = 1e18;
    if (cost->products > LEARN_PRODUCTS_MAX) {
        char steps[TEXT_NUMBER_MAX], max[TEXT_NUMBER_MAX];
        const double fit = cost->steps * (LEARN_PRODUCTS_MAX / cost->products);
        return error_set(
            error, ERROR_INPUT,
            "Its weights take %s steps of training (%.1e multiply-adds); without a "
            "window at most %s (%.0e) are made: open it in the window, or add "
            "--train-anyway.",
            text_count(steps, cost->steps < countable ? (size_t)cost->steps : SIZE_MAX),
            cost->products, text_count(max, (size_t)fit), LEARN_PRODUCTS_MAX);
    }
    return cost->bytes <= LEARN_BYTES_MAX ||
           error_set(error, ERROR_INPUT,
                     "Training its weights takes %.0f MB of memory; without a window at most %d "
                     "are taken. Open it in the window, or add --train-anyway.",
                     cost->bytes / megabyte, LEARN_BYTES_MAX >> 20);
}
