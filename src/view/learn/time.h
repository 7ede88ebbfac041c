/* view/learn/time.h — steps of training as places on an axis, linear or logarithmic. */
#ifndef VIEW_LEARN_TIME_H
#define VIEW_LEARN_TIME_H

#include <stdbool.h>
#include <stddef.h>

/* The axis from step 0 at `left` to step `steps` at left + width. */
struct learn_time {
    float left, width;
    double steps; /* at least 1 */
    bool linear;  /* else log(1 + step / 20), which gives the first steps more room */
};

float learn_time_x(const struct learn_time *time, double step);
size_t learn_time_step(const struct learn_time *time, float x); /* the nearest step */

enum { LEARN_TICKS_MAX = 16 };

/* Round steps from 0 to the last, at least `apart` points from each other. Returns how many. */
size_t learn_time_ticks(const struct learn_time *time, float apart, size_t tick[LEARN_TICKS_MAX]);

#endif
