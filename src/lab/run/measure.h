/* lab/run/measure.h — measures that reduce weights to one number, and the projection of points into
 * three dimensions. */
#ifndef LAB_RUN_MEASURE_H
#define LAB_RUN_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "lab/run/trace.h"

/* Return the largest |value| of a matrix (0 when it is empty; −∞ and NaN are skipped), and the
 * largest and smallest value. */
float lab_measure_peak(const struct lab_matrix *matrix);
void lab_measure_range(const struct lab_matrix *matrix, float *low, float *high);

/* Returns a weight that at most one of a hundred exceeds. Only rows count whose last key with a
 * weight stands at least half as far as that of the longest row: under a causal mask the first rows
 * have few keys, and their weights near 1 say nothing of the others. For few weights it is the
 * largest. It is at most 1/16 above the exact number. */
float lab_measure_common_peak(const struct lab_matrix *alpha);

/* Returns the entropy of a row of weights in bits. */
double lab_measure_entropy(const float *row, size_t count);

/* Returns the largest share of a row (0 when it is empty), and, where key is not NULL, the first
 * key that has it. */
float lab_measure_largest(const float *row, size_t count, size_t *key);

/* How rows of more than three columns are projected into three dimensions: by the principal
 * components of all rows together, after subtracting their mean. It is computed in double and
 * deterministic, with the largest entry of each component positive. With 3, 2 or 1 columns it is
 * the identity. */
struct lab_frame {
    size_t cols;       /* of the matrices it applies to */
    size_t dimensions; /* min(cols, 3) */
    bool principal;    /* false: raw axes */
    float share[3];    /* variance explained, 0 to 1, when principal */
    double *mean;      /* [cols], owned by the arena */
    double *component; /* [3][cols] */
};

/* Fits the frame to the rows of count matrices that all have the same cols. Returns false without
 * memory. */
bool lab_frame_fit(const struct lab_matrix *matrices, size_t count, struct arena *arena,
                   struct lab_frame *frame);

/* Projects a row of values [cols] to a point; dimensions beyond frame->dimensions are 0. */
void lab_frame_apply(const struct lab_frame *frame, const float *values, float point[3]);

#endif
