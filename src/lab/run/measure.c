/* Measures peaks, ranges, entropy and sums of matrices of weights. */
#include "lab/run/measure.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

float lab_measure_peak(const struct lab_matrix *matrix)
{
    float low = 0, high = 0;
    lab_measure_range(matrix, &low, &high);
    return fmaxf(fabsf(low), fabsf(high));
}

static size_t keys_of(const float *row, size_t count)
{
    size_t keys = 0;
    for (size_t j = 0; j < count; j++) {
        keys += row[j] > 0;
    }
    return keys;
}

/* Returns how many keys there are up to the last that has a weight: what a causal mask leaves of a
 * row. A row that sees all keys and looks at one of them has as many as its place. */
static size_t reach_of(const float *row, size_t count)
{
    while (count > 0 && !(row[count - 1] > 0)) {
        count--;
    }
    return count;
}

/* Weights with the same first bits are counted together. */
enum { BITS = 19, BINS = 1 << (31 - BITS), OF_WEIGHTS = 100, MANY_WEIGHTS = 200 };

static uint32_t bits_of(float weight)
{
    uint32_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return bits;
}

/* Returns the upper end of the bin that all but the `largest` largest weights stay below. */
static float bin_below(const uint32_t count[BINS], size_t largest, float peak)
{
    size_t above = 0;
    for (size_t b = BINS; b-- > 1;) {
        above += count[b];
        if (above > largest) {
            const uint32_t end = (uint32_t)(b + 1) << BITS;
            float edge;
            memcpy(&edge, &end, sizeof edge);
            return fminf(edge, peak);
        }
    }
    return peak;
}

float lab_measure_common_peak(const struct lab_matrix *alpha)
{
    uint32_t count[BINS] = {0};
    size_t max = 0, weights = 0;
    float peak = 0;
    for (size_t i = 0; alpha->values != NULL && i < alpha->rows; i++) {
        const size_t reach = reach_of(alpha->values + i * alpha->stride, alpha->cols);
        max = reach > max ? reach : max;
    }
    for (size_t i = 0; alpha->values != NULL && i < alpha->rows; i++) {
        const float *const row = alpha->values + i * alpha->stride;
        const bool counts = 2 * reach_of(row, alpha->cols) >= max;
        for (size_t j = 0; counts && j < alpha->cols; j++) {
            count[row[j] > 0 && isfinite(row[j]) ? bits_of(row[j]) >> BITS : 0]++;
            peak = isfinite(row[j]) ? fmaxf(peak, row[j]) : peak;
        }
        weights += counts ? keys_of(row, alpha->cols) : 0;
    }
    return weights < MANY_WEIGHTS ? peak : bin_below(count, weights / OF_WEIGHTS, peak);
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
    return bits > 0 ? bits : 0; /* avoids −0 */
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
