/* Steps of training on an axis. */
#include "view/learn/time.h"

#include <math.h>

static const double LINEAR_STEPS =
    20; /* the first steps, which a logarithmic axis shows nearly linearly */

static double share_of_axis(const struct learn_time *time, double step)
{
    return time->linear ? step / time->steps
                        : log1p(step / LINEAR_STEPS) / log1p(time->steps / LINEAR_STEPS);
}

float learn_time_x(const struct learn_time *time, double step)
{
    return time->left + time->width * (float)share_of_axis(time, step);
}

size_t learn_time_step(const struct learn_time *time, float x)
{
    const double share = fmin(1, fmax(0, (double)((x - time->left) / fmaxf(time->width, 1))));
    const double step = time->linear
                            ? share * time->steps
                            : LINEAR_STEPS * expm1(share * log1p(time->steps / LINEAR_STEPS));
    return (size_t)(fmin(step, time->steps) + 0.5);
}

/* The next tick: 10, 30, 100, 300 and so on, or on a linear axis multiples of a round number. */
static double next_tick(const struct learn_time *time, double tick, double every)
{
    if (time->linear) {
        return tick + every;
    }
    if (tick <= 0) {
        return 10;
    }
    const double power = pow(10, floor(log10(tick) + 1e-9));
    return tick / power < 2.5 ? 3 * power : 10 * power;
}

static double linear_interval(const struct learn_time *time, float apart)
{
    static const double round[] = {1, 2, 5};
    const double interval_min = time->steps * (double)(apart / fmaxf(time->width, 1));
    for (double power = 1;; power *= 10) {
        for (size_t r = 0; r < sizeof round / sizeof *round; r++) {
            if (round[r] * power >= interval_min) {
                return round[r] * power;
            }
        }
    }
}

size_t learn_time_ticks(const struct learn_time *time, float apart, size_t tick[LEARN_TICKS_MAX])
{
    const double every = linear_interval(time, apart);
    const float end = learn_time_x(time, time->steps);
    float last = -1e9f;
    size_t count = 0;
    for (double at = 0; at < time->steps && count + 1 < LEARN_TICKS_MAX;
         at = next_tick(time, at, every)) {
        const float x = learn_time_x(time, at);
        if (x - last >= apart && end - x >= apart) {
            tick[count++] = (size_t)at;
            last = x;
        }
    }
    tick[count++] = (size_t)time->steps;
    return count;
}
