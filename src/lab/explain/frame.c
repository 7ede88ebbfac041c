/* lab/explain/frame.c — finds the principal components of the rows on screen. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "lab/explain/eigen.h"
#include "lab/run/measure.h"

/* ---- eigenvalues and eigenvectors of a small symmetric matrix -------------------------------- */

enum { ROUNDS_MAX = 60 };

static double dot_product(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Finds the unit vector v for which H = I − 2vvᵀ maps x to a multiple of the first axis. Returns
 * false where x is 0. */
static bool find_reflector(const double *x, size_t n, double *v)
{
    const double length = sqrt(dot_product(x, x, n));
    if (!(length > 0)) {
        return false;
    }
    memcpy(v, x, n * sizeof *v);
    v[0] += copysign(length, x[0]);
    const double norm = sqrt(dot_product(v, v, n));
    for (size_t i = 0; i < n; i++) {
        v[i] /= norm;
    }
    return true;
}

/* Reduces a to three diagonals; the rows of q become the axes of this form. v, w [n]. */
static void reduce_to_tridiagonal(double *a, size_t n, double *q, double *v, double *w)
{
    memset(q, 0, n * n * sizeof *q);
    for (size_t i = 0; i < n; i++) {
        q[i * n + i] = 1;
    }
    for (size_t k = 0; k + 2 < n; k++) {
        const size_t first = k + 1, m = n - first;
        if (!find_reflector(a + k * n + first, m, v)) {
            continue;
        }
        double along = 0;
        for (size_t i = 0; i < m; i++) {
            w[i] = 2 * dot_product(a + (first + i) * n + first, v, m);
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
        const double reach = dot_product(a + k * n + first, v, m);
        for (size_t i = 0; i < m; i++) {
            a[k * n + first + i] -= 2 * reach * v[i];
        }
        /* Multiplies q = H·q: every column of the rows from `first` on. */
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
static void rotate_rows(double *q, size_t n, size_t i, double c, double s)
{
    double *const upper = q + i * n, *const lower = upper + n;
    for (size_t k = 0; k < n; k++) {
        const double before = lower[k];
        lower[k] = s * upper[k] + c * before;
        upper[k] = c * upper[k] - s * before;
    }
}

/* Returns the end of the block that begins at l: the first place whose side entry is practically
 * 0. */
static size_t block_end(const double *diagonal, const double *side, size_t l, size_t n)
{
    size_t m = l;
    while (m + 1 < n && fabs(side[m]) > DBL_EPSILON * (fabs(diagonal[m]) + fabs(diagonal[m + 1]))) {
        m++;
    }
    return m;
}

/* Makes one QL sweep over the block from l to m. */
static void sweep_block(double *diagonal, double *side, size_t l, size_t m, double *q, size_t n)
{
    double g = (diagonal[l + 1] - diagonal[l]) / (2 * side[l]);
    g = diagonal[m] - diagonal[l] + side[l] / (g + copysign(hypot(g, 1), g));
    double s = 1, c = 1, p = 0;
    for (size_t i = m; i-- > l;) {
        const double f = s * side[i], b = c * side[i];
        const double r = hypot(f, g);
        side[i + 1] = r;
        if (!(r > 0)) { /* the block splits here */
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
        rotate_rows(q, n, i, c, s);
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
    reduce_to_tridiagonal(a, n, vector, work + n, work + 2 * n);
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
            sweep_block(value, side, l, m, vector, n);
        }
    }
    sort_down(value, vector, n);
    return true;
}

enum {
    FRAME_AXES = 3,
    FRAME_ROWS_MAX =
        128 /* more are thinned out evenly: the axes need no more, and a frame must stay short */
};

/* The rows that are used, with their mean subtracted. */
struct sample {
    double *row; /* [rows][cols] */
    size_t rows, cols;
};

static bool is_finite_row(const float *row, size_t cols)
{
    for (size_t c = 0; c < cols; c++) {
        if (!isfinite(row[c])) {
            return false;
        }
    }
    return true;
}

static bool collect_sample(const struct lab_matrix *matrices, size_t count, struct arena *arena,
                           struct sample *sample, double *mean)
{
    size_t all = 0, at = 0;
    for (size_t m = 0; m < count; m++) {
        all += matrices[m].values == NULL ? 0 : matrices[m].rows;
    }
    const size_t step = (all + FRAME_ROWS_MAX - 1) / FRAME_ROWS_MAX;
    const size_t cols = sample->cols;
    sample->row = arena_array(arena, (all < FRAME_ROWS_MAX ? all : FRAME_ROWS_MAX) * cols + 1,
                              sizeof *sample->row);
    if (sample->row == NULL) {
        return false;
    }
    for (size_t m = 0; m < count; m++) {
        for (size_t r = 0; matrices[m].values != NULL && r < matrices[m].rows; r++, at++) {
            const float *const from = matrices[m].values + r * matrices[m].stride;
            if (at % step != 0 || !is_finite_row(from, cols)) {
                continue;
            }
            double *const to = sample->row + sample->rows++ * cols;
            for (size_t c = 0; c < cols; c++) {
                to[c] = (double)from[c];
                mean[c] += (double)from[c];
            }
        }
    }
    for (size_t c = 0; c < cols; c++) {
        mean[c] /= sample->rows > 0 ? (double)sample->rows : 1.0;
        for (size_t r = 0; r < sample->rows; r++) {
            sample->row[r * cols + c] -= mean[c];
        }
    }
    return true;
}

/* Adds in eight independent sums whose order is the same on every machine. */
static double dot_of_columns(const double *a, const double *b, size_t count)
{
    enum { LANES = 8 };
    double sum[LANES] = {0};
    size_t c = 0;
    for (; c + LANES <= count; c += LANES) {
        for (size_t l = 0; l < LANES; l++) {
            sum[l] += a[c + l] * b[c + l];
        }
    }
    for (size_t l = 0; c + l < count; l++) {
        sum[l] += a[c + l] * b[c + l];
    }
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/* Returns element (i, j) of XXᵀ (over rows) or XᵀX (over columns), whichever is smaller; their
 * eigenvalues other than 0 are the same. */
static double moment_entry(const struct sample *sample, bool over_rows, size_t i, size_t j)
{
    double sum = 0;
    const size_t cols = sample->cols;
    if (over_rows) {
        return dot_of_columns(sample->row + i * cols, sample->row + j * cols, cols);
    }
    for (size_t r = 0; r < sample->rows; r++) {
        sum += sample->row[r * cols + i] * sample->row[r * cols + j];
    }
    return sum;
}

/* Scales a component to length 1 with its largest entry positive; one without a direction stays
 * 0. */
static void normalise_component(double *component, size_t cols)
{
    double square = 0;
    size_t largest = 0;
    for (size_t c = 0; c < cols; c++) {
        square += component[c] * component[c];
        largest = fabs(component[c]) > fabs(component[largest]) ? c : largest;
    }
    const double length = square > 0 ? copysign(sqrt(square), component[largest]) : 1;
    for (size_t c = 0; c < cols; c++) {
        component[c] /= length;
    }
}

/* Computes the component that belongs to an eigenvector of the smaller moment matrix. */
static void compute_component(const struct sample *sample, bool over_rows, const double *vector,
                              double *component)
{
    const size_t cols = sample->cols;
    if (!over_rows) {
        memcpy(component, vector, cols * sizeof *component);
    }
    for (size_t r = 0; over_rows && r < sample->rows; r++) {
        for (size_t c = 0; c < cols; c++) {
            component[c] += vector[r] * sample->row[r * cols + c];
        }
    }
    normalise_component(component, cols);
}

static bool fit_components(const struct sample *sample, struct arena *arena,
                           struct lab_frame *frame)
{
    const bool over_rows = sample->rows < sample->cols;
    const size_t n = over_rows ? sample->rows : sample->cols;
    double *const moments = arena_array(arena, n * n + 1, sizeof *moments);
    double *const vector = arena_array(arena, n * n + 1, sizeof *vector);
    double *const value = arena_array(arena, 4 * n + 1, sizeof *value);
    if (moments == NULL || vector == NULL || value == NULL) {
        return false;
    }
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) {
            moments[i * n + j] = moment_entry(sample, over_rows, i, j);
            moments[j * n + i] = moments[i * n + j];
        }
        total += moments[i * n + i];
    }
    if (!(total > 0) || !lab_eigen_symmetric(moments, n, value, vector, value + n)) {
        return true; /* all rows are equal, so every component stays 0 */
    }
    for (size_t k = 0; k < FRAME_AXES && k < n && value[k] > 1e-12 * total; k++) {
        compute_component(sample, over_rows, vector + k * n, frame->component + k * sample->cols);
        frame->share[k] = (float)(value[k] / total);
    }
    return true;
}

bool lab_frame_fit(const struct lab_matrix *matrices, size_t count, struct arena *arena,
                   struct lab_frame *frame)
{
    const size_t cols = count == 0 ? 0 : matrices[0].cols;
    *frame = (struct lab_frame){
        .cols = cols,
        .dimensions = cols < FRAME_AXES ? cols : FRAME_AXES,
        .principal = cols > FRAME_AXES,
        .mean = arena_array(arena, cols + 1, sizeof *frame->mean),
        .component = arena_array(arena, FRAME_AXES * cols + 1, sizeof *frame->component),
    };
    if (frame->mean == NULL || frame->component == NULL) {
        return false;
    }
    if (!frame->principal) {
        for (size_t k = 0; k < cols; k++) {
            frame->component[k * cols + k] = 1;
        }
        return true;
    }
    struct sample sample = {.cols = cols};
    return collect_sample(matrices, count, arena, &sample, frame->mean) &&
           fit_components(&sample, arena, frame);
}

void lab_frame_apply(const struct lab_frame *frame, const float *values, float point[3])
{
    for (size_t k = 0; k < FRAME_AXES; k++) {
        if (!frame->principal) {
            point[k] = k < frame->dimensions ? values[k] : 0;
            continue;
        }
        double along = 0;
        for (size_t c = 0; c < frame->cols; c++) {
            along += ((double)values[c] - frame->mean[c]) * frame->component[k * frame->cols + c];
        }
        point[k] = (float)along;
    }
}
