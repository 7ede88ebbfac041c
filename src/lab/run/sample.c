/* lab/run/sample.c — shares of words by their logits. */
#include "lab/run/sample.h"

#include <math.h>
#include <string.h>

enum { HALVINGS = 60 };

struct lab_shares lab_shares_of(const float *logits, size_t count, double temperature)
{
    struct lab_shares shares = {.temperature = temperature, .max = -INFINITY};
    for (size_t id = 0; id < count; id++) {
        shares.max = fmax(shares.max, (double)logits[id]);
    }
    for (size_t id = 0; id < count; id++) {
        shares.sum += exp(((double)logits[id] - shares.max) / temperature);
    }
    return shares;
}

double lab_share(const struct lab_shares *shares, float logit)
{
    return exp(((double)logit - shares->max) / shares->temperature) / shares->sum;
}

double lab_log_sum(const float *logits, size_t count)
{
    const struct lab_shares shares = lab_shares_of(logits, count, 1);
    return shares.max + log(shares.sum);
}

size_t lab_find_largest(const float *values, size_t count, size_t max, uint32_t *largest)
{
    size_t found = 0;
    for (size_t id = 0; id < count; id++) {
        size_t at = found;
        while (at > 0 && values[id] > values[largest[at - 1]]) {
            at--;
        }
        if (at < max) {
            found += found < max;
            memmove(largest + at + 1, largest + at, (found - at - 1) * sizeof *largest);
            largest[at] = (uint32_t)id;
        }
    }
    return found;
}

/* Returns how likely an id is relative to the likeliest. */
static double likelihood_of(const float *logits, size_t id, double max, double temperature)
{
    return exp(((double)logits[id] - max) / temperature);
}

/* Sums the ids whose likelihood is at least min. */
static double sum_likelihoods(const float *logits, size_t count, double max, double temperature,
                              double min)
{
    double sum = 0;
    for (size_t id = 0; id < count; id++) {
        const double own = likelihood_of(logits, id, max, temperature);
        sum += own >= min ? own : 0;
    }
    return sum;
}

/* Returns the largest likelihood such that the ids from it on have top_p of the sum. */
static double find_threshold(const float *logits, size_t count, double max, double temperature,
                             double top_p)
{
    const double asked = top_p * sum_likelihoods(logits, count, max, temperature, 0);
    double low = 0, high = 1;
    for (int i = 0; i < HALVINGS && top_p < 1; i++) {
        const double middle = (low + high) / 2;
        if (sum_likelihoods(logits, count, max, temperature, middle) >= asked) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t lab_sample(const float *logits, size_t count, double temperature, double top_p,
                  struct random *random)
{
    size_t best = 0;
    for (size_t id = 1; id < count; id++) {
        best = logits[id] > logits[best] ? id : best;
    }
    const double max = (double)logits[best];
    const double min = find_threshold(logits, count, max, temperature, top_p);
    double left = random_uniform(random) * sum_likelihoods(logits, count, max, temperature, min);
    for (size_t id = 0; id < count; id++) {
        const double own = likelihood_of(logits, id, max, temperature);
        left -= own >= min ? own : 0;
        if (left < 0 && own >= min) {
            return id;
        }
    }
    return best;
}
