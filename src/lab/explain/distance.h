/* lab/explain/distance.h — measures that rotary scores depend only on the distance of two words. */
#ifndef LAB_EXPLAIN_DISTANCE_H
#define LAB_EXPLAIN_DISTANCE_H

#include "lab/run/trace.h"

/* Returns the score of query i and key j of a head with both words `shift` places further on, from
 * their rows before they are turned; in float32, as the core multiplies. It needs rotary
 * positions. */
float lab_distance_score(const struct lab_trace *trace, size_t head, size_t i, size_t j,
                         size_t shift);

/* Returns the largest difference to shift 0 over the shifts 1 to max. */
float lab_distance_spread(const struct lab_trace *trace, size_t head, size_t i, size_t j,
                          size_t max);

#endif
