#include "lab/explain/distance.h"

#include <math.h>

#include "lab/experiment/positions.h"

/* Turns one pair of a row by the angle of a place. */
static void turn_pair(const struct lab_rotary *rotary, const struct lab_matrix *rows, size_t row,
                      size_t place, const struct lab_rotary_pair *pair, float out[2])
{
    const double angle = lab_rotary_angle(rotary, place, pair->number, rows->cols);
    const double x = (double)lab_matrix_at(rows, row, pair->first);
    const double y = (double)lab_matrix_at(rows, row, pair->second);
    const double by = lab_rotary_stretch(rotary, pair->number, rows->cols);
    out[0] = (float)(by * (x * cos(angle) - y * sin(angle)));
    out[1] = (float)(by * (x * sin(angle) + y * cos(angle)));
}

float lab_distance_score(const struct lab_trace *trace, size_t head, size_t i, size_t j,
                         size_t shift)
{
    const struct lab_matrix queries = lab_trace_part(trace, LAB_Q_BEFORE, head);
    const struct lab_matrix keys = lab_trace_part(trace, LAB_K_BEFORE, head);
    float sum = 0;
    const struct lab_rotary rotary = lab_experiment_rotary(lab_trace_experiment(trace));
    for (size_t c = 0; c < queries.cols; c++) {
        const struct lab_rotary_pair pair = lab_rotary_pair_of(&rotary, queries.cols, c);
        float q[2], k[2];
        if (pair.first == pair.second) { /* the column does not turn */
            sum = fmaf(lab_matrix_at(&queries, i, c), lab_matrix_at(&keys, j, c), sum);
        } else if (pair.first == c) {
            turn_pair(&rotary, &queries, i, i + shift, &pair, q);
            turn_pair(&rotary, &keys, j, j + shift, &pair, k);
            sum = fmaf(q[0], k[0], fmaf(q[1], k[1], sum));
        }
    }
    return sum;
}

float lab_distance_spread(const struct lab_trace *trace, size_t head, size_t i, size_t j,
                          size_t max)
{
    const float here = lab_distance_score(trace, head, i, j, 0);
    float spread = 0;
    for (size_t shift = 1; shift <= max; shift++) {
        spread = fmaxf(spread, fabsf(lab_distance_score(trace, head, i, j, shift) - here));
    }
    return spread;
}
