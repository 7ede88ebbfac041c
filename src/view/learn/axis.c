/* An axis of a plot. */
#include "view/learn/axis.h"

#include <math.h>

static const double NEARLY = 1e-9; /* what rounding leaves of a whole number of intervals */

/* With fewer powers of ten than these a logarithmic axis has numbers at 2 and 5 too. */
static const double FEW_POWERS = 1.8;

float learn_axis_place(const struct learn_axis *axis, double value)
{
    const double clamped = fmin(axis->high, fmax(axis->low, value));
    const double share = axis->logarithmic
                             ? log10(clamped / axis->low) / log10(axis->high / axis->low)
                             : (clamped - axis->low) / (axis->high - axis->low);
    return axis->from + (axis->to - axis->from) * (float)share;
}

double learn_round_above(double least)
{
    static const double round[] = {1, 2, 5, 10};
    const double power = pow(10, floor(log10(least)));
    size_t r = 0;
    while (r < 3 && round[r] * power < least * (1 - NEARLY)) {
        r++;
    }
    return round[r] * power;
}

static bool is_round(double digit, double powers)
{
    return digit < 1.5 || (powers < FEW_POWERS && (digit == 2 || digit == 5));
}

static size_t logarithmic_ticks(const struct learn_axis *axis,
                                struct learn_tick tick[LEARN_AXIS_TICKS_MAX])
{
    const double powers = log10(axis->high / axis->low);
    size_t count = 0;
    for (double power = pow(10, floor(log10(axis->low) + NEARLY)); power <= axis->high;
         power *= 10) {
        for (int digit = 1; digit <= 9 && count < LEARN_AXIS_TICKS_MAX; digit++) {
            const double value = digit * power;
            if (value >= axis->low * (1 - NEARLY) && value <= axis->high * (1 + NEARLY)) {
                tick[count++] = (struct learn_tick){value, is_round(digit, powers)};
            }
        }
    }
    return count;
}

size_t learn_axis_ticks(const struct learn_axis *axis, struct learn_tick tick[LEARN_AXIS_TICKS_MAX])
{
    if (axis->logarithmic) {
        return logarithmic_ticks(axis, tick);
    }
    const double first = ceil(axis->low / axis->interval - NEARLY);
    size_t count = 0;
    while (count < LEARN_AXIS_TICKS_MAX &&
           (first + (double)count) * axis->interval <= axis->high + axis->interval * NEARLY) {
        tick[count] = (struct learn_tick){(first + (double)count) * axis->interval, true};
        count++;
    }
    return count;
}

const char *learn_axis_number(const struct learn_axis *axis, double value,
                              char out[TEXT_NUMBER_MAX])
{
    const double interval = axis->logarithmic ? value : axis->interval;
    const int decimals = interval < 1 ? (int)ceil(-log10(interval) - NEARLY) : 0;
    return decimals == 0 && value >= 0 ? text_count(out, (size_t)(value + 0.5))
                                       : text_number(out, value, decimals);
}
