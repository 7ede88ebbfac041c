#include "lab/explain/distance.h"

#include <math.h>

#include "lab/experiment/positions.h"

/* A pair of a row that stands at a place. */
static void turned(const struct lab_matrix *rows, size_t row, size_t place, size_t pair,
                   float out[2])
{
    const double angle = lab_positions_angle(place, pair, rows->cols);
    const double x = (double)lab_matrix_at(rows, row, 2 * pair);
    const double y = (double)lab_matrix_at(rows, row, 2 * pair + 1);
    out[0] = (float)(x * cos(angle) - y * sin(angle));
    out[1] = (float)(x * sin(angle) + y * cos(angle));
}

float lab_distance_score(const struct lab_trace *trace, size_t head, size_t i, size_t j,
                         size_t shift)
{
    const struct lab_matrix queries = lab_trace_part(trace, LAB_Q_BEFORE, head);
    const struct lab_matrix keys = lab_trace_part(trace, LAB_K_BEFORE, head);
    float sum = 0;
    for (size_t p = 0; 2 * p + 1 < queries.cols; p++) {
        float q[2], k[2];
        turned(&queries, i, i + shift, p, q);
        turned(&keys, j, j + shift, p, k);
        sum = fmaf(q[0], k[0], fmaf(q[1], k[1], sum));
    }
    if (queries.cols % 2 == 1) { /* the last of an odd number stays */
        sum = fmaf(lab_matrix_at(&queries, i, queries.cols - 1),
                   lab_matrix_at(&keys, j, keys.cols - 1), sum);
    }
    return sum;
}

float lab_distance_spread(const struct lab_trace *trace, size_t head, size_t i, size_t j,
                          size_t most)
{
    const float here = lab_distance_score(trace, head, i, j, 0);
    float spread = 0;
    for (size_t shift = 1; shift <= most; shift++) {
        spread = fmaxf(spread, fabsf(lab_distance_score(trace, head, i, j, shift) - here));
    }
    return spread;
}
