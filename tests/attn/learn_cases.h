/* tests/attn/learn_cases.h — each operation of learning as a function of one row of numbers, in
 * float32 by the sets and in float64 by the reference. */
#ifndef TESTS_ATTN_LEARN_CASES_H
#define TESTS_ATTN_LEARN_CASES_H

#include <stddef.h>

struct attn_kernels;

enum { CASE_MAX = 600 };

/* y of x; dx of x and dy, NULL where nothing is learned through it. At most CASE_MAX numbers. */
struct case_double {
    const char *name;
    size_t inputs, outputs;
    void (*forward)(const double *x, double *y);
    void (*back)(const double *x, const double *dy, double *dx);
};

struct case_float {
    const char *name;
    size_t inputs, outputs;
    void (*forward)(const float *x, float *y);
    void (*back)(const float *x, const float *dy, float *dx);
};

/* The same in the same order; the last has no name. */
extern const struct case_double cases_double[];
extern const struct case_float cases_float[];

/* The set that computes the second. */
extern const struct attn_kernels *case_kernels;

#endif
