/* why/eigen.c — QR steps with shifts on a complex Hessenberg matrix. */
#include "why/eigen.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { STEPS_MAX = 60, UNUSUAL = 10 }; /* for one eigenvalue; every so many an unusual shift */

/* As cabs and csqrt, which not every library of Windows has. */
static double magnitude(double complex number)
{
    return hypot(creal(number), cimag(number));
}

static double complex square_root(double complex number)
{
    const double real = creal(number), imaginary = cimag(number);
    const double half = sqrt((magnitude(number) + fabs(real)) / 2);
    const double other = half > 0 ? fabs(imaginary) / (2 * half) : 0;
    return real < 0 ? other + copysign(half, imaginary) * I : half + copysign(other, imaginary) * I;
}

/* h [n][n] becomes zero below its first subdiagonal, by reflections from both sides. */
static void make_hessenberg(double complex *h, size_t n, double complex *v)
{
    for (size_t k = 0; k + 2 < n; k++) {
        double length = 0;
        for (size_t i = k + 1; i < n; i++) {
            length = hypot(length, magnitude(h[i * n + k]));
        }
        const double complex first = h[(k + 1) * n + k];
        const double size = magnitude(first);
        if (!(length > 0)) {
            continue;
        }
        for (size_t i = k + 1; i < n; i++) {
            v[i] = h[i * n + k];
        }
        v[k + 1] += size > 0 ? first / size * length : length;
        const double square = 2 * length * (length + size); /* of v */
        for (size_t j = 0; j < n; j++) {                    /* from the left */
            double complex sum = 0;
            for (size_t i = k + 1; i < n; i++) {
                sum += conj(v[i]) * h[i * n + j];
            }
            for (size_t i = k + 1; i < n; i++) {
                h[i * n + j] -= 2 / square * v[i] * sum;
            }
        }
        for (size_t i = 0; i < n; i++) { /* from the right */
            double complex sum = 0;
            for (size_t j = k + 1; j < n; j++) {
                sum += h[i * n + j] * v[j];
            }
            for (size_t j = k + 1; j < n; j++) {
                h[i * n + j] -= 2 / square * sum * conj(v[j]);
            }
        }
    }
}

/* The eigenvalue of the last two rows that is nearer to the last number. */
static double complex shift_of(const double complex *h, size_t n, size_t last)
{
    const double complex a = h[(last - 1) * n + last - 1], b = h[(last - 1) * n + last],
                         c = h[last * n + last - 1], d = h[last * n + last];
    const double complex middle = (a + d) / 2,
                         root = square_root((a - d) / 2 * ((a - d) / 2) + b * c);
    return magnitude(middle + root - d) < magnitude(middle - root - d) ? middle + root
                                                                       : middle - root;
}

/* One step on rows first … last: H − s = QR becomes RQ + s. turns [n][2]. */
static void make_step(double complex *h, size_t n, size_t first, size_t last, double complex shift,
                      double complex (*turns)[2])
{
    for (size_t i = first; i <= last; i++) {
        h[i * n + i] -= shift;
    }
    for (size_t k = first; k < last; k++) {
        const double complex a = h[k * n + k], b = h[(k + 1) * n + k];
        const double length = hypot(magnitude(a), magnitude(b));
        turns[k][0] = length > 0 ? a / length : 1;
        turns[k][1] = length > 0 ? b / length : 0;
        for (size_t j = k; j <= last; j++) {
            const double complex x = h[k * n + j], y = h[(k + 1) * n + j];
            h[k * n + j] = conj(turns[k][0]) * x + conj(turns[k][1]) * y;
            h[(k + 1) * n + j] = turns[k][0] * y - turns[k][1] * x;
        }
    }
    for (size_t k = first; k < last; k++) {
        for (size_t i = first; i <= k + 1; i++) {
            const double complex x = h[i * n + k], y = h[i * n + k + 1];
            h[i * n + k] = x * turns[k][0] + y * turns[k][1];
            h[i * n + k + 1] = y * conj(turns[k][0]) - x * conj(turns[k][1]);
        }
    }
    for (size_t i = first; i <= last; i++) {
        h[i * n + i] += shift;
    }
}

/* Where the rows begin that hang together with the last one; what is nearly 0 becomes 0. */
static size_t first_of(double complex *h, size_t n, size_t last)
{
    size_t first = last;
    while (first > 0) {
        const double around =
            magnitude(h[(first - 1) * n + first - 1]) + magnitude(h[first * n + first]);
        if (!(magnitude(h[first * n + first - 1]) > DBL_EPSILON * around)) {
            h[first * n + first - 1] = 0;
            break;
        }
        first--;
    }
    return first;
}

bool why_eigen_sizes(const double *matrix, size_t n, double *sum)
{
    double complex *const h = calloc(n * n + 1, sizeof *h);
    double complex *const v = calloc(n + 1, sizeof *v);
    double complex(*const turns)[2] = calloc(n + 1, sizeof *turns);
    bool done = h != NULL && v != NULL && turns != NULL;
    double scale = 0;
    *sum = 0;
    for (size_t i = 0; done && i < n * n; i++) {
        h[i] = matrix[i];
        scale = fmax(scale, fabs(matrix[i]));
        done = isfinite(matrix[i]);
    }
    if (done) {
        make_hessenberg(h, n, v);
    }
    size_t steps = 0;
    for (size_t last = n; done && scale > 0 && last > 0;) {
        const size_t first = first_of(h, n, last - 1);
        if (first == last - 1) {
            *sum += magnitude(h[first * n + first]);
            last--;
            steps = 0;
            continue;
        }
        done = ++steps <= STEPS_MAX;
        const double complex shift = steps % UNUSUAL == 0
                                         ? magnitude(h[(last - 1) * n + last - 2]) + 0 * I
                                         : shift_of(h, n, last - 1);
        make_step(h, n, first, last - 1, shift, turns);
    }
    free(h);
    free(v);
    free(turns);
    return done;
}
