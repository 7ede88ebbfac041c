/* lab/run/row_shares.c — softmax with its maximum kept, and plain shares. */
#include "lab/run/row_shares.h"

#include <math.h>
#include <stdbool.h>

static bool is_hidden(float score)
{
    return isinf(score) && score < 0;
}

static float exponential(float score)
{
    return expf(score);
}

static float as_it_is(float score)
{
    return score;
}

static size_t divide_rows(float *a, size_t n, size_t m, float (*size_of)(float))
{
    size_t empty = 0;
    for (size_t i = 0; i < n; i++) {
        float *const row = a + i * m;
        float sum = 0;
        size_t seen = 0;
        for (size_t j = 0; j < m; j++) {
            if (!is_hidden(row[j])) {
                row[j] = size_of(row[j]);
                sum += row[j];
                seen++;
            }
        }
        for (size_t j = 0; j < m; j++) {
            row[j] = is_hidden(row[j]) ? 0 : row[j] / sum;
        }
        empty += seen == 0;
    }
    return empty;
}

size_t lab_row_shares_overflowing(float *a, size_t n, size_t m)
{
    return divide_rows(a, n, m, exponential);
}

size_t lab_row_shares_plain(float *a, size_t n, size_t m)
{
    return divide_rows(a, n, m, as_it_is);
}
