#include "view/parts/ramp.h"

#include "view/parts/pieces.h"

static void lay(const struct colourmap *map, struct view_ramp *ramp)
{
    for (size_t i = 0; i <= VIEW_RAMP_STEPS; i++) {
        ramp->step[i] = colourmap_colour(map, (float)i / VIEW_RAMP_STEPS);
    }
}

/* Weights whose first bits are alike share a step: of their middle, 0.2 % from the farthest. */
static void lay_powers(const struct view *view, struct view_ramp *ramp)
{
    static const float LEAST = 1e-4f; /* of the largest: less has no step of its own */
    const float least = view->share_top * LEAST;
    uint32_t bits;
    memcpy(&bits, &least, sizeof bits);
    ramp->least = bits >> VIEW_RAMP_SHIFT;
    for (uint32_t i = 0; i < VIEW_RAMP_POWERS; i++) {
        float middle;
        bits = (ramp->least + i) << VIEW_RAMP_SHIFT | 1u << (VIEW_RAMP_SHIFT - 1);
        memcpy(&middle, &bits, sizeof middle);
        const float at = view_share_place(view, middle) * VIEW_RAMP_STEPS;
        ramp->power[i] = (uint16_t)(at < VIEW_RAMP_STEPS ? at + 0.5f : VIEW_RAMP_STEPS);
    }
}

void view_ramp_of_shares(const struct view *view, struct view_ramp *ramp)
{
    lay(view->state->weights_map, ramp);
    ramp->each = VIEW_RAMP_STEPS / (view->share_top - view->share_low);
    ramp->zero = -view->share_low * ramp->each;
    ramp->logarithmic = view->state->display.logarithmic;
    if (ramp->logarithmic) {
        lay_powers(view, ramp);
    }
}

void view_ramp_of_signed(const struct view *view, float peak, struct view_ramp *ramp)
{
    lay(view->state->signed_map, ramp);
    ramp->each = peak > 0 ? VIEW_RAMP_STEPS / 2 / peak : 0;
    ramp->zero = VIEW_RAMP_STEPS / 2;
    ramp->logarithmic = false;
}
