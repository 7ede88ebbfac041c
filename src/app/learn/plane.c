/* Finds the plane of the two largest principal components, or of three seen at an angle, and turns
 * it to match the former plane. */
#include "app/learn/plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/angle.h"
#include "learn/scores.h"

enum { ROUNDS = 80, COMPONENTS = 3, PLANE_ROWS = COMPONENTS + 2 + 1 };
static const float POWER_SHARE_MIN = 0.5f;
static const double TURN = 2 * 3.14159265358979323846;

struct app_learn_plane {
    size_t frequency, width;
    bool at_angle;
    double value[]; /* [PLANE_ROWS][width]: the components, the largest first; what is to the right
                       and what is up; the mean of the rows */
};

/* A plane while it is found. */
struct finding_plane {
    const struct app_learn_placed *placed;
    struct app_learn_plane *plane;
    double *component, *axis, *mean; /* of its values */
    bool has_axes;
};

static double dot_product(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* axis ← Σ over words of (x · axis) x, with x the rows less their mean. */
static void apply_covariance(const struct finding_plane *plane, const float *rows, double *axis,
                             double *next)
{
    memset(next, 0, plane->placed->width * sizeof *next);
    for (size_t w = 0; w < plane->placed->words; w++) {
        const float *const row = rows + w * plane->placed->width;
        double along = 0;
        for (size_t c = 0; c < plane->placed->width; c++) {
            along += ((double)row[c] - plane->mean[c]) * axis[c];
        }
        for (size_t c = 0; c < plane->placed->width; c++) {
            next[c] += along * ((double)row[c] - plane->mean[c]);
        }
    }
    memcpy(axis, next, plane->placed->width * sizeof *axis);
}

static void make_unit(double *axis, size_t n)
{
    const double length = sqrt(dot_product(axis, axis, n));
    for (size_t i = 0; i < n; i++) {
        axis[i] = length > 0 ? axis[i] / length : 0;
    }
}

static void take_mean(struct finding_plane *plane, const float *rows)
{
    memset(plane->mean, 0, plane->placed->width * sizeof *plane->mean);
    for (size_t w = 0; w < plane->placed->words; w++) {
        for (size_t c = 0; c < plane->placed->width; c++) {
            plane->mean[c] +=
                (double)rows[w * plane->placed->width + c] / (double)plane->placed->words;
        }
    }
}

/* Takes the part along others away from an axis. */
static void keep_apart(double *axis, const double *others, size_t count, size_t n)
{
    for (size_t o = 0; o < count; o++) {
        const double along = dot_product(others + o * n, axis, n);
        for (size_t c = 0; c < n; c++) {
            axis[c] -= along * others[o * n + c];
        }
    }
}

/* The largest components, by powers; it begins where the step before had ended.
 */
static bool find_components(struct finding_plane *plane, const float *rows)
{
    const size_t n = plane->placed->width;
    double *const next = calloc(n + 1, sizeof *next);
    if (next == NULL) {
        return false;
    }
    take_mean(plane, rows);
    for (size_t c = 0; !plane->has_axes && c < n; c++) {
        plane->component[c] = 1 + 0.37 * (double)(c % 7);
        plane->component[n + c] = c % 2 == 0 ? 1 : -0.8;
        plane->component[2 * n + c] = c % 3 == 0 ? 1 : -0.6;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t k = 0; k < COMPONENTS; k++) {
            double *const one = plane->component + k * n;
            apply_covariance(plane, rows, one, next);
            keep_apart(one, plane->component, k, n);
            make_unit(one, n);
        }
    }
    free(next);
    return true;
}

/* Where the words of kinds stand along the components, seen from where kinds
 * are apart. */
static bool find_angle(const struct finding_plane *plane, const float *rows, double view[2][3])
{
    double *const place = calloc(COMPONENTS * plane->placed->words + 1, sizeof *place);
    for (size_t w = 0; place != NULL && w < plane->placed->words; w++) {
        for (size_t k = 0; k < COMPONENTS; k++) {
            for (size_t c = 0; c < plane->placed->width; c++) {
                place[COMPONENTS * w + k] +=
                    ((double)rows[w * plane->placed->width + c] - plane->mean[c]) *
                    plane->component[k * plane->placed->width + c];
            }
        }
    }
    const bool found = place != NULL && plane->placed->kind != NULL &&
                       app_learn_angle(place, plane->placed->kind, plane->placed->words, view);
    free(place);
    return found;
}

/* Of the components the two largest; of words of several kinds the three
 * largest at an angle. */
static bool find_axes(struct finding_plane *plane, const float *rows)
{
    const size_t n = plane->placed->width;
    double view[2][COMPONENTS] = {{1, 0, 0}, {0, 1, 0}};
    if (!find_components(plane, rows)) {
        return false;
    }
    plane->plane->at_angle = find_angle(plane, rows, view);
    for (size_t c = 0; c < 2 * n; c++) {
        plane->axis[c] = 0;
        for (size_t k = 0; k < COMPONENTS; k++) {
            plane->axis[c] += view[c / n][k] * plane->component[k * n + c % n];
        }
    }
    return true;
}

/* The strongest of the frequencies 1 … words / 2; 0: the three strongest do not
 * hold most of the power, as is so before numbers are understood. */
static size_t find_frequency(const struct finding_plane *plane, const float *rows)
{
    float share = 0;
    if (!plane->placed->numbers) {
        return 0;
    }
    const size_t strongest =
        learn_scores_strongest(rows, plane->placed->words, plane->placed->width, &share);
    return share >= POWER_SHARE_MIN ? strongest : 0;
}

/* The plane in which numbers go round that many times: its axes are the cosine
 * and the sine of that frequency over the rows. */
static void find_circle(struct finding_plane *plane, const float *rows, size_t frequency)
{
    const size_t n = plane->placed->width;
    double *const one = plane->axis, *const other = plane->axis + n;
    take_mean(plane, rows);
    memset(one, 0, 2 * n * sizeof *one);
    for (size_t w = 0; w < plane->placed->words; w++) {
        const double angle =
            TURN * (double)(frequency * w % plane->placed->words) / (double)plane->placed->words;
        for (size_t c = 0; c < n; c++) {
            one[c] += cos(angle) * (double)rows[w * n + c];
            other[c] += sin(angle) * (double)rows[w * n + c];
        }
    }
    make_unit(one, n);
    keep_apart(other, one, 1, n);
    make_unit(other, n);
}

/* Where a row stands in a plane. */
static void project_row(const struct app_learn_plane *plane, const float *row, double out[2])
{
    const size_t n = plane->width;
    const double *const axis = plane->value + COMPONENTS * n, *const mean = axis + 2 * n;
    out[0] = out[1] = 0;
    for (size_t c = 0; c < n; c++) {
        const double x = (double)row[c] - mean[c];
        out[0] += x * axis[c];
        out[1] += x * axis[n + c];
    }
}

/* Turns the axes, or turns and mirrors them, so that the words lie as near as
 * can be to where they were: the orthogonal factor of M = (now)ᵀ(before), which
 * of two by two is written out. */
static void turn_axes(struct finding_plane *plane, const float *rows,
                      const struct app_learn_plane *former, const float *former_rows)
{
    double m[2][2] = {{0}};
    for (size_t w = 0; w < plane->placed->words; w++) {
        double now[2], before[2];
        project_row(plane->plane, rows + w * plane->placed->width, now);
        project_row(former, former_rows + w * plane->placed->width, before);
        for (size_t i = 0; i < 2; i++) {
            for (size_t j = 0; j < 2; j++) {
                m[i][j] += now[i] * before[j];
            }
        }
    }
    const bool mirrors = m[0][0] * m[1][1] - m[0][1] * m[1][0] < 0;
    const double angle = mirrors ? atan2(m[0][1] + m[1][0], m[0][0] - m[1][1])
                                 : atan2(m[0][1] - m[1][0], m[0][0] + m[1][1]);
    const double c = cos(angle), s = sin(angle);
    for (size_t i = 0; i < plane->placed->width; i++) {
        double *const one = &plane->axis[i], *const other = &plane->axis[plane->placed->width + i];
        const double a = *one, b = *other;
        *one = mirrors ? a * c + b * s : a * c - b * s;
        *other = mirrors ? a * s - b * c : a * s + b * c;
    }
}

static void look_from(struct finding_plane *plane, const float *rows,
                      const struct app_learn_plane *former, const float *former_rows)
{
    plane->plane->frequency = find_frequency(plane, rows);
    plane->plane->at_angle = false;
    if (plane->plane->frequency > 0) {
        find_circle(plane, rows, plane->plane->frequency);
    }
    if ((plane->plane->frequency > 0 || find_axes(plane, rows)) && former != NULL) {
        turn_axes(plane, rows, former, former_rows);
    }
}

struct app_learn_plane *app_learn_plane_find(const struct app_learn_placed *placed,
                                             const float *rows,
                                             const struct app_learn_plane *former,
                                             const float *former_rows)
{
    const size_t n = placed->width, bytes = PLANE_ROWS * n * sizeof(double);
    struct app_learn_plane *const plane = calloc(1, sizeof *plane + bytes);
    if (plane == NULL) {
        return NULL;
    }
    if (former != NULL) { /* the components are looked for from where they were */
        memcpy(plane->value, former->value, bytes);
    }
    plane->width = n;
    struct finding_plane finding = {.placed = placed,
                                    .plane = plane,
                                    .component = plane->value,
                                    .axis = plane->value + COMPONENTS * n,
                                    .mean = plane->value + (COMPONENTS + 2) * n,
                                    .has_axes = former != NULL};
    look_from(&finding, rows, former, former_rows);
    return plane;
}

size_t app_learn_plane_frequency(const struct app_learn_plane *plane)
{
    return plane->frequency;
}

bool app_learn_plane_at_angle(const struct app_learn_plane *plane)
{
    return plane->at_angle;
}

struct point app_learn_plane_place(const struct app_learn_plane *plane, const float *row)
{
    double at[2];
    project_row(plane, row, at);
    return (struct point){(float)at[0], (float)at[1]};
}
