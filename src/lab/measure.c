/* lab/measure.c — peaks, ranges, entropy. */
#include "lab/measure.h"

#include <math.h>

float lab_measure_peak(const struct lab_matrix *matrix)
{
    float low = 0, high = 0;
    lab_measure_range(matrix, &low, &high);
    return fmaxf(fabsf(low), fabsf(high));
}

void lab_measure_range(const struct lab_matrix *matrix, float *low, float *high)
{
    bool any = false;
    *low = 0;
    *high = 0;
    for (size_t i = 0; matrix->values != NULL && i < matrix->rows; i++) {
        for (size_t j = 0; j < matrix->cols; j++) {
            const float value = lab_matrix_at(matrix, i, j);
            if (!isfinite(value)) {
                continue;
            }
            *low = any && *low < value ? *low : value;
            *high = any && *high > value ? *high : value;
            any = true;
        }
    }
}

double lab_measure_entropy(const float *row, size_t count)
{
    double bits = 0;
    for (size_t j = 0; j < count; j++) {
        if (row[j] > 0) {
            bits -= (double)row[j] * log2((double)row[j]);
        }
    }
    return bits > 0 ? bits : 0; /* no −0 */
}
