/* lab/explain/frame.c — principal components of the rows on screen. */
#include <math.h>
#include <string.h>

#include "lab/explain/eigen.h"
#include "lab/run/measure.h"

enum {
    FRAME_AXES = 3,
    FRAME_ROWS_MAX =
        128 /* more are thinned out evenly: the axes need no more, and a frame is short */
};

/* The rows that are looked at, less their mean. */
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

static bool take_sample(const struct lab_matrix *matrices, size_t count, struct arena *arena,
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

/* Eight sums that do not wait for each other; their order is the same on every machine. */
static double dot(const double *a, const double *b, size_t count)
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

/* Element (i, j) of XXᵀ (over rows) or XᵀX (over columns), whichever is smaller: their eigenvalues
 * other than 0 are the same. */
static double moment(const struct sample *sample, bool over_rows, size_t i, size_t j)
{
    double sum = 0;
    const size_t cols = sample->cols;
    if (over_rows) {
        return dot(sample->row + i * cols, sample->row + j * cols, cols);
    }
    for (size_t r = 0; r < sample->rows; r++) {
        sum += sample->row[r * cols + i] * sample->row[r * cols + j];
    }
    return sum;
}

/* Length 1, largest entry positive; all 0 when there is no direction left. */
static void settle(double *component, size_t cols)
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

/* The component that belongs to an eigenvector of the smaller moment matrix. */
static void component_of(const struct sample *sample, bool over_rows, const double *vector,
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
    settle(component, cols);
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
            moments[i * n + j] = moment(sample, over_rows, i, j);
            moments[j * n + i] = moments[i * n + j];
        }
        total += moments[i * n + i];
    }
    if (!(total > 0) || !lab_eigen_symmetric(moments, n, value, vector, value + n)) {
        return true; /* all rows are the same: every component stays 0 */
    }
    for (size_t k = 0; k < FRAME_AXES && k < n && value[k] > 1e-12 * total; k++) {
        component_of(sample, over_rows, vector + k * n, frame->component + k * sample->cols);
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
    return take_sample(matrices, count, arena, &sample, frame->mean) &&
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
