/* lab/run/sample.c — see sample.h. */
#include "lab/run/sample.h"

#include <math.h>

enum { HALVINGS = 60 };

/* How likely an id is beside the likeliest. */
static double share(const float *logits, size_t id, double most, double temperature)
{
    return exp(((double)logits[id] - most) / temperature);
}

/* What the ids together have whose share is at least so large. */
static double sum_from(const float *logits, size_t count, double most, double temperature,
                       double least)
{
    double sum = 0;
    for (size_t id = 0; id < count; id++) {
        const double own = share(logits, id, most, temperature);
        sum += own >= least ? own : 0;
    }
    return sum;
}

/* The largest share such that the ids from it on have top_p of all. */
static double threshold(const float *logits, size_t count, double most, double temperature,
                        double top_p)
{
    const double asked = top_p * sum_from(logits, count, most, temperature, 0);
    double low = 0, high = 1;
    for (int i = 0; i < HALVINGS && top_p < 1; i++) {
        const double middle = (low + high) / 2;
        if (sum_from(logits, count, most, temperature, middle) >= asked) {
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
    const double most = (double)logits[best];
    const double least = threshold(logits, count, most, temperature, top_p);
    double left = random_uniform(random) * sum_from(logits, count, most, temperature, least);
    for (size_t id = 0; id < count; id++) {
        const double own = share(logits, id, most, temperature);
        left -= own >= least ? own : 0;
        if (left < 0 && own >= least) {
            return id;
        }
    }
    return best;
}
