/* lab/run/measure.c — peaks, ranges, entropy, sums. */
#include "lab/run/measure.h"

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

double lab_measure_effective(const float *row, size_t count)
{
    return exp2(lab_measure_entropy(row, count));
}

float lab_measure_largest(const float *row, size_t count, size_t *key)
{
    size_t best = 0;
    for (size_t j = 1; j < count; j++) {
        best = row[j] > row[best] ? j : best;
    }
    if (key != NULL) {
        *key = best;
    }
    return count == 0 ? 0 : row[best];
}

void lab_measure_key_sums(const struct lab_matrix *alpha, double *sums)
{
    for (size_t j = 0; j < alpha->cols; j++) {
        sums[j] = 0;
    }
    for (size_t i = 0; i < alpha->rows; i++) {
        for (size_t j = 0; j < alpha->cols; j++) {
            sums[j] += (double)lab_matrix_at(alpha, i, j);
        }
    }
}

void lab_measure_query_sums(const struct lab_matrix *alpha, double *sums)
{
    for (size_t i = 0; i < alpha->rows; i++) {
        sums[i] = 0;
        for (size_t j = 0; j < alpha->cols; j++) {
            sums[i] += (double)lab_matrix_at(alpha, i, j);
        }
    }
}
