/* view/learn/axis.h — an axis of a plot: numbers as places, linear or logarithmic, and its ticks.
 */
#ifndef VIEW_LEARN_AXIS_H
#define VIEW_LEARN_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* From the number low at the place `from` to high at `to`, where the places of a vertical axis
 * decrease. */
struct learn_axis {
    double low, high; /* of a logarithmic axis above 0 */
    float from, to;
    bool logarithmic; /* places are even in powers of ten */
    double interval;  /* between two ticks with a number */
};

enum { LEARN_AXIS_TICKS_MAX = 64 };

struct learn_tick {
    double value;
    bool has_number; /* else it is a small one, between powers of ten */
};

/* The place of a number; one outside the axis lies at its end. */
float learn_axis_place(const struct learn_axis *axis, double value);

/* The smallest of 1, 2 and 5 times a power of ten that is not below `least`, which is above 0. */
double learn_round_above(double least);

/* The ticks from low to high, in order. Returns how many. */
size_t learn_axis_ticks(const struct learn_axis *axis,
                        struct learn_tick tick[LEARN_AXIS_TICKS_MAX]);

/* The number at a tick, with as many decimals as the interval needs. Returns out. */
const char *learn_axis_number(const struct learn_axis *axis, double value,
                              char out[TEXT_NUMBER_MAX]);

#endif
