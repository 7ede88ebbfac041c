/* lab/run/measure.h — what can be said about numbers in one number, and points brought into sight.
 */
#ifndef LAB_RUN_MEASURE_H
#define LAB_RUN_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "lab/run/trace.h"

/* Largest |value| of a matrix (0 when empty; −∞ and NaN skipped), and largest and smallest. */
float lab_measure_peak(const struct lab_matrix *matrix);
void lab_measure_range(const struct lab_matrix *matrix, float *low, float *high);

/* The weight that no more than one of a hundred exceeds, of rows that share their attention among
 * at least half as many keys as the row that shares it among the most: under a causal mask the
 * first rows have few keys, and weights near 1 that say nothing of the others. Of few weights: the
 * largest. No more than 1/16 above the exact number. */
float lab_measure_common_peak(const struct lab_matrix *alpha);

/* Entropy of a row of weights, in bits. */
double lab_measure_entropy(const float *row, size_t count);

/* How many keys a row attends to in effect: 2 to the entropy, from 1 to count. */
double lab_measure_effective(const float *row, size_t count);

/* The largest share of a row (the first of equal ones; 0 when empty), and whose it is where key is
 * not NULL. */
float lab_measure_largest(const float *row, size_t count, size_t *key);

/* What each key gets from all queries together, sums [cols]; what each query gives, sums [rows]
 * (1 unless weights were typed by hand or nothing is seen). */
void lab_measure_key_sums(const struct lab_matrix *alpha, double *sums);
void lab_measure_query_sums(const struct lab_matrix *alpha, double *sums);

/* How the rows of matrices with more than three columns are brought into three dimensions:
 * principal components of all rows together (not centred away: mean is subtracted, then projected).
 * Jacobi on the covariance in double; deterministic, signs fixed (largest entry of each component
 * positive). With 3, 2 or 1 columns it is the identity. */
struct lab_frame {
    size_t cols;       /* of the matrices it applies to */
    size_t dimensions; /* min(cols, 3) */
    bool principal;    /* false: raw axes */
    float share[3];    /* variance explained, 0 … 1, when principal */
    double *mean;      /* [cols], owned by the arena given */
    double *component; /* [3][cols] */
};

/* From the rows of count matrices that all have the same cols. False: no memory. */
bool lab_frame_fit(const struct lab_matrix *matrices, size_t count, struct arena *arena,
                   struct lab_frame *frame);

/* A row of values [cols] as a point; dimensions beyond frame->dimensions are 0. */
void lab_frame_apply(const struct lab_frame *frame, const float *values, float point[3]);

#endif
