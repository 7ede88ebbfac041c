/* tests/double_kernels.h — kernels_ref_learn.inc in float64: the same source with double in the
 * place of float, and the functions of math.h in that of its polynomials. Included once by a
 * program, behind every header in which float stays float. */
#ifndef DOUBLE_KERNELS_H
#define DOUBLE_KERNELS_H

#include <math.h>

#define float double
#define fmaf fma
#define sqrtf sqrt

#include "attn/kernels_limits.h"
#include "attn/learn.h"

enum { LANES = 16 };

static double max_of(double a, double b)
{
    return a > b ? a : b;
}

static double ref_sum(const double *lanes)
{
    double sum = 0;
    for (size_t l = 0; l < LANES; l++) {
        sum += lanes[l];
    }
    return sum;
}

static double with_value(double sum, double weight, double v)
{
    return sum + weight * v;
}

#define ref_exp exp
#define ref_log log

#include "attn/kernels_ref_learn.inc"

#endif
