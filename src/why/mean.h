/* why/mean.h — mean and standard deviation of numbers that come one by one. */
#ifndef WHY_MEAN_H
#define WHY_MEAN_H

#include <math.h>
#include <stddef.h>

/* All zero: of none so far. */
struct why_mean {
    double sum, square;
    size_t count;
};

/* Adds a number; one that is none (NaN) is not counted. */
static inline void why_mean_add(struct why_mean *mean, double value)
{
    if (!isnan(value)) {
        mean->sum += value;
        mean->square += value * value;
        mean->count++;
    }
}

/* NaN where there were no numbers. */
static inline double why_mean_of(const struct why_mean *mean)
{
    return mean->count > 0 ? mean->sum / (double)mean->count : NAN;
}

static inline double why_mean_spread(const struct why_mean *mean)
{
    const double middle = why_mean_of(mean);
    return mean->count > 0 ? sqrt(fmax(0, mean->square / (double)mean->count - middle * middle))
                           : NAN;
}

#endif
