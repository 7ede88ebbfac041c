/* view/parts/colours.h — a colour map in so many steps that neighbours can hardly be told apart:
 * for images of many values, whose colours are looked up. */
#ifndef VIEW_PARTS_COLOURS_H
#define VIEW_PARTS_COLOURS_H

#include <stdint.h>
#include <string.h>

#include "view/parts/view.h"

enum { VIEW_RAMP_STEPS = 1024, VIEW_RAMP_POWERS = 3584, VIEW_RAMP_SHIFT = 15 };

struct view_ramp {
    struct colour step[VIEW_RAMP_STEPS + 1];
    float zero, each;                 /* the step of value 0; steps per unit of value */
    bool logarithmic;                 /* steps follow the logarithm of a value */
    uint32_t first_bits;              /* first bits of the smallest weight with a step of its own */
    uint16_t power[VIEW_RAMP_POWERS]; /* the steps of those first bits and the ones above */
};

/* The colours of weights under the present display options. */
void view_ramp_of_shares(const struct view *view, struct view_ramp *ramp);

/* The colours of signed numbers, from −peak to peak. */
void view_ramp_of_signed(const struct view *view, float peak, struct view_ramp *ramp);

/* The step of a value; NaN has the first one. */
static inline size_t view_ramp_step(const struct view_ramp *ramp, float value)
{
    if (!ramp->logarithmic) {
        const float at = ramp->zero + value * ramp->each;
        return !(at > 0) ? 0 : at < VIEW_RAMP_STEPS ? (size_t)(at + 0.5f) : VIEW_RAMP_STEPS;
    }
    if (!(value > 0)) {
        return 0;
    }
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t first = bits >> VIEW_RAMP_SHIFT;
    const uint32_t place = first > ramp->first_bits ? first - ramp->first_bits : 0;
    return ramp->power[place < VIEW_RAMP_POWERS ? place : VIEW_RAMP_POWERS - 1];
}

enum { VIEW_TICKS_MAX = 16 };

/* The tick of a bar at or above the largest weight. */
float view_tick_above(float top);

/* By how much the numbers at a bar are wider because the first says that some weights are larger.
 */
float view_ticks_wider(const struct view *view);

/* Draws the legend of masked cells: a swatch, hatched or grey, and its name at the right; and the
 * width of that name. */
void view_masked_legend(struct view *view, struct rect swatch, bool strokes);

/* Says whether masked cells of that size are hatched; smaller ones are grey. */
bool view_has_strokes(float wide, float high);
float view_masked_legend_width(const struct view *view);

/* --- Marks of cells that have no colour of their own. --- */

/* The colour of hatching. */
struct colour view_mark_ink(const struct view *view);

/* Draws diagonal strokes: a masked cell is no zero. */
void view_mark_hidden(struct view *view, struct rect cell);

/* Draws light strokes both ways: a key that is set aside. */
void view_mark_aside(struct view *view, struct rect cell);

/* A number as a disc: its area is the size, its hue the sign; −∞ is an empty ring with a bar. The
 * number is written beside it or below where it fits. */
struct view_disc {
    float value, peak; /* peak: the value of the largest disc */
    int decimals;
    const char *widest; /* widest number of the matrix: all its discs are placed alike */
    bool dimmed;
};
void view_mark_disc(struct view *view, struct rect cell, const struct view_disc *disc);

#endif
