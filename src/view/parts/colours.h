/* view/parts/colours.h — a colour map in so many steps that the next is hardly another colour: for
 * pictures of many values, whose colours are then looked up. */
#ifndef VIEW_PARTS_COLOURS_H
#define VIEW_PARTS_COLOURS_H

#include <stdint.h>
#include <string.h>

#include "view/parts/view.h"

enum { VIEW_RAMP_STEPS = 1024, VIEW_RAMP_POWERS = 3584, VIEW_RAMP_SHIFT = 15 };

struct view_ramp {
    struct colour step[VIEW_RAMP_STEPS + 1];
    float zero, each; /* the step of value 0; steps a unit of value */
    bool logarithmic; /* where a value stands is not in proportion to it: */
    uint32_t least;   /* … the first bits of the smallest weight with a step of its own … */
    uint16_t power[VIEW_RAMP_POWERS]; /* … and the step of each of those that follow them */
};

/* The colours of weights as they are shown now. */
void view_ramp_of_shares(const struct view *view, struct view_ramp *ramp);

/* The colours of signed numbers up to ± peak. */
void view_ramp_of_signed(const struct view *view, float peak, struct view_ramp *ramp);

/* The step of a value; NaN stands where the least does. */
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
    const uint32_t place = first > ramp->least ? first - ramp->least : 0;
    return ramp->power[place < VIEW_RAMP_POWERS ? place : VIEW_RAMP_POWERS - 1];
}

enum { VIEW_TICKS_MAX = 16 };

/* Numbers from high down to low, at most so many (1 …), in steps of 1, 2 or 5 times a power of ten,
 * and the decimals that name them exactly; the ends where only one number is so round. Returns how
 * many. */
size_t view_ticks(double low, double high, size_t most, double tick[VIEW_TICKS_MAX], int *decimals);

/* The number of a bar's tick at or above a largest weight. */
float view_tick_above(float top);

/* How much wider the numbers at a bar are where the first says that some weights are larger. */
float view_ticks_wider(const struct view *view);

/* What hidden cells look like, with strokes or without, named at the right of the swatch; and how
 * much room that takes there. */
void view_masked_legend(struct view *view, struct rect swatch, bool strokes);

/* Whether masked cells of that size have strokes; smaller ones are grey. */
bool view_has_strokes(float wide, float high);
float view_masked_legend_width(const struct view *view);

/* --- what can stand in a cell besides a square. --- */

/* The colour of strokes over hidden cells. */
struct colour view_mark_ink(const struct view *view);

/* Diagonal strokes: a masked cell is no zero. */
void view_mark_hidden(struct view *view, struct rect cell);

/* Light strokes both ways: a key that is set aside. */
void view_mark_aside(struct view *view, struct rect cell);

/* A number as a disc: its area is the size, its hue the sign; −∞ is an empty ring with a bar. The
 * number stands beside it or below where it fits. */
struct view_disc {
    float value, peak; /* peak: the value of the largest disc */
    int decimals;
    const char *widest; /* number of its matrix: the discs of all cells stand alike */
    bool dimmed;
};
void view_mark_disc(struct view *view, struct rect cell, const struct view_disc *disc);

#endif
