/* lab/explain/distance.h — rotary scores depend on the distance of two words alone: measured. */
#ifndef LAB_EXPLAIN_DISTANCE_H
#define LAB_EXPLAIN_DISTANCE_H

#include "lab/run/trace.h"

/* The score of query i and key j of a head when both words stand `shift` places further on, of
 * their rows before they are turned; float32, as the core multiplies. Only with rotary positions.
 */
float lab_distance_score(const struct lab_trace *trace, size_t head, size_t i, size_t j,
                         size_t shift);

/* The largest difference to shift 0 over shifts 1 … most. */
float lab_distance_spread(const struct lab_trace *trace, size_t head, size_t i, size_t j,
                          size_t most);

#endif
