/* lab/explain/eigen.c — eigenvalues and eigenvectors of a small symmetric matrix. */
#include "lab/explain/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDS_MAX = 60 };

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* The unit vector v for which H = I − 2vvᵀ maps x to a multiple of its first axis; false: x is
 * there. */
static bool reflector(const double *x, size_t n, double *v)
{
    const double length = sqrt(dot(x, x, n));
    if (!(length > 0)) {
        return false;
    }
    memcpy(v, x, n * sizeof *v);
    v[0] += copysign(length, x[0]);
    const double norm = sqrt(dot(v, v, n));
    for (size_t i = 0; i < n; i++) {
        v[i] /= norm;
    }
    return true;
}

/* a becomes three diagonals; the rows of q become the axes in which it has them. v, w [n]. */
static void reduce(double *a, size_t n, double *q, double *v, double *w)
{
    memset(q, 0, n * n * sizeof *q);
    for (size_t i = 0; i < n; i++) {
        q[i * n + i] = 1;
    }
    for (size_t k = 0; k + 2 < n; k++) {
        const size_t first = k + 1, m = n - first;
        if (!reflector(a + k * n + first, m, v)) {
            continue;
        }
        double along = 0;
        for (size_t i = 0; i < m; i++) {
            w[i] = 2 * dot(a + (first + i) * n + first, v, m);
            along += w[i] * v[i];
        }
        for (size_t i = 0; i < m; i++) {
            w[i] -= along * v[i];
        }
        for (size_t i = 0; i < m; i++) {
            double *const row = a + (first + i) * n + first;
            for (size_t j = 0; j < m; j++) {
                row[j] -= v[i] * w[j] + w[i] * v[j];
            }
        }
        const double reach = dot(a + k * n + first, v, m);
        for (size_t i = 0; i < m; i++) {
            a[k * n + first + i] -= 2 * reach * v[i];
        }
        /* q = H·q: every column of the rows from `first` on. */
        for (size_t c = 0; c < n; c++) {
            double sum = 0;
            for (size_t i = 0; i < m; i++) {
                sum += v[i] * q[(first + i) * n + c];
            }
            for (size_t i = 0; i < m; i++) {
                q[(first + i) * n + c] -= 2 * sum * v[i];
            }
        }
    }
}

/* Turns rows i and i + 1 of q by the angle of cosine c and sine s. */
static void turn(double *q, size_t n, size_t i, double c, double s)
{
    double *const upper = q + i * n, *const lower = upper + n;
    for (size_t k = 0; k < n; k++) {
        const double before = lower[k];
        lower[k] = s * upper[k] + c * before;
        upper[k] = c * upper[k] - s * before;
    }
}

/* The end of the block that begins at l: the first place whose side entry is as good as 0. */
static size_t block_end(const double *diagonal, const double *side, size_t l, size_t n)
{
    size_t m = l;
    while (m + 1 < n && fabs(side[m]) > DBL_EPSILON * (fabs(diagonal[m]) + fabs(diagonal[m + 1]))) {
        m++;
    }
    return m;
}

/* One QL sweep over the block l … m. */
static void sweep(double *diagonal, double *side, size_t l, size_t m, double *q, size_t n)
{
    double g = (diagonal[l + 1] - diagonal[l]) / (2 * side[l]);
    g = diagonal[m] - diagonal[l] + side[l] / (g + copysign(hypot(g, 1), g));
    double s = 1, c = 1, p = 0;
    for (size_t i = m; i-- > l;) {
        const double f = s * side[i], b = c * side[i];
        const double r = hypot(f, g);
        side[i + 1] = r;
        if (!(r > 0)) { /* the block falls apart here */
            diagonal[i + 1] -= p;
            side[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        const double shifted = diagonal[i + 1] - p;
        const double both = (diagonal[i] - shifted) * s + 2 * c * b;
        p = s * both;
        diagonal[i + 1] = shifted + p;
        g = c * both - b;
        turn(q, n, i, c, s);
    }
    diagonal[l] -= p;
    side[l] = g;
    side[m] = 0;
}

static void sort_down(double *value, double *vector, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t best = i;
        for (size_t j = i + 1; j < n; j++) {
            best = value[j] > value[best] ? j : best;
        }
        if (best == i) {
            continue;
        }
        const double largest = value[best];
        value[best] = value[i];
        value[i] = largest;
        for (size_t k = 0; k < n; k++) {
            const double former = vector[i * n + k];
            vector[i * n + k] = vector[best * n + k];
            vector[best * n + k] = former;
        }
    }
}

bool lab_eigen_symmetric(double *a, size_t n, double *value, double *vector, double *work)
{
    double *const side = work;
    reduce(a, n, vector, work + n, work + 2 * n);
    for (size_t i = 0; i < n; i++) {
        value[i] = a[i * n + i];
        side[i] = i + 1 < n ? a[i * n + i + 1] : 0;
    }
    for (size_t l = 0; l < n; l++) {
        size_t rounds = 0;
        for (size_t m = block_end(value, side, l, n); m != l; m = block_end(value, side, l, n)) {
            if (rounds++ == ROUNDS_MAX) {
                return false;
            }
            sweep(value, side, l, m, vector, n);
        }
    }
    sort_down(value, vector, n);
    return true;
}
