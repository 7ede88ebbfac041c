/* The rows of all kinds of attention, and the change of an experiment to one of them. */
#include "lab/experiment/variant.h"

#include "lab/experiment/kind.h"
#include "lab/experiment/mask.h"
#include "lab/experiment/positions.h"

/* Settings that a row does not name are those of plain attention. */
static const struct variant {
    struct lab_variant_row row;
    enum lab_mask mask;
    enum lab_kind kind;
    enum lab_positions positions;
    bool cross, tiles;
} variants[] = {
    {.row = {"plain", "Plain", "softmax(QKᵀ ÷ √dₖ)·V", "cats", LAB_SCORE}},
    {.row = {"causal", "Causal", "j ≤ i", "causal", LAB_SCALE}, .mask = LAB_MASK_CAUSAL},
    {.row = {"cross", "Cross", "K, V from other words", "translate", LAB_PROJECT}, .cross = true},
    {.row = {"window", "Window", "|i − j| ≤ W", "window", LAB_SCALE}, .mask = LAB_MASK_WINDOW},
    {.row = {"causal-window", "Causal window", "i − W < j ≤ i", "window", LAB_SCALE},
     .mask = LAB_MASK_CAUSAL_WINDOW},
    {.row = {"dilated", "Dilated window", "|i − j| ≤ W·D, D divides i − j", "sparse", LAB_SCALE},
     .mask = LAB_MASK_DILATED},
    {.row = {"block", "Blocks", "⌊i/B⌋ = ⌊j/B⌋", "sparse", LAB_SCALE}, .mask = LAB_MASK_BLOCK},
    {.row = {"strided", "Strided", "i − j < S, or S divides it", "sparse", LAB_SCALE},
     .mask = LAB_MASK_STRIDED},
    {.row = {"global", "Global + window", "i < G or j < G or |i − j| ≤ W", "sparse", LAB_SCALE},
     .mask = LAB_MASK_GLOBAL},
    {.row = {"painted", "Painted by hand", "as painted", "sparse", LAB_SCALE},
     .mask = LAB_MASK_CUSTOM},
    {.row = {"gqa", "Grouped-query", "G keys and values for H heads", "fewer", LAB_PROJECT},
     .kind = LAB_GROUPED},
    {.row = {"mqa", "Multi-query", "one K, V for all heads", "fewer", LAB_PROJECT},
     .kind = LAB_MULTI_QUERY},
    {.row = {"latent", "Latent", "C = X·W_DKV, K = C·W_UK", "latent", LAB_PROJECT},
     .kind = LAB_LATENT},
    {.row = {"sinusoidal", "Sinusoidal positions", "X = E + P", "positions", LAB_EMBED},
     .positions = LAB_POSITIONS_SINUSOIDAL},
    {.row = {"rope", "Rotary positions", "q, k turned by their places", "positions", LAB_PROJECT},
     .positions = LAB_POSITIONS_ROPE},
    {.row = {"flash", "Flash, tile by tile", "m, l, O for each tile", "flash", LAB_SOFTMAX},
     .tiles = true},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

size_t lab_variant_count(void)
{
    return VARIANTS;
}

const struct lab_variant_row *lab_variant_row(size_t index)
{
    return &variants[index].row;
}

void lab_variant_apply(size_t index, const struct lab_experiment *from, struct lab_experiment *to)
{
    const struct variant *const variant = &variants[index];
    lab_experiment_copy(to, from);
    if (to->mask != variant->mask) {
        to->mask = variant->mask;
        to->mask_size = to->mask_step = 0;
    }
    to->kind = variant->kind;
    to->positions = variant->positions;
    if (!lab_experiment_sizes(to).raw) {
        const struct lab_words *const context =
            !variant->cross ? NULL : lab_words_keep(to->context != NULL ? to->context : to->tokens);
        lab_words_release(to->context);
        to->context = context;
    }
    if (!variant->tiles) {
        to->flash_rows = to->flash_cols = 0;
    } else if (to->flash_rows == 0) {
        const struct lab_sizes sizes = lab_experiment_sizes(to);
        to->flash_rows = (sizes.n + 2) / 3 > 0 ? (sizes.n + 2) / 3 : 1;
        to->flash_cols = (sizes.m + 2) / 3 > 0 ? (sizes.m + 2) / 3 : 1;
    }
}

size_t lab_variant_of(const struct lab_experiment *experiment)
{
    const bool cross = experiment->context != NULL, tiles = experiment->flash_rows > 0;
    for (size_t i = 0; i < VARIANTS; i++) {
        const struct variant *const variant = &variants[i];
        if (variant->mask == experiment->mask && variant->kind == experiment->kind &&
            variant->positions == experiment->positions && variant->cross == cross &&
            variant->tiles == tiles) {
            return i;
        }
    }
    return VARIANTS;
}
