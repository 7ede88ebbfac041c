/* The plane of the two largest principal components, or of three seen at an angle, turned from step
 * to step. */
#include "app/learn/plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/angle.h"
#include "learn/scores.h"

enum { KEPT_MAX = 193, ROUNDS = 80, COMPONENTS = 3 };
static const double APART = 1.06; /* of a step, to the next that is kept */
static const float POWER_SHARE_MIN = 0.5f;
static const double TURN = 2 * 3.14159265358979323846;

/* An embedding that was kept and the plane it lies in, for all branches that have come by it. */
struct rows {
    size_t uses, frequency;
    bool at_angle;
    float *value;   /* [words][width] */
    double plane[]; /* component, axis, mean: then the values */
};

enum { PLANE_ROWS = COMPONENTS + 2 + 1 };

struct kept {
    uint64_t step;
    struct rows *rows;
};

struct app_learn_plane {
    size_t words, width, count;
    bool numbers;
    size_t frequency; /* whose plane it is; 0: that of the largest components */
    int32_t *kind;    /* [words]; NULL: there are none */
    struct kept kept[KEPT_MAX];
    struct rows *base; /* the plane in which a branch begins; NULL: it is none */
    uint64_t begins;   /* the step where it does: seen in that plane, it is not kept */

    /* The plane that was last looked at. */
    double *component; /* [COMPONENTS][width]: the largest first */
    double *axis;      /* [2][width]: what is to the right and what is up */
    double *mean;      /* [width]: of its rows */
    double *former;    /* [words][2]: where words stood at the step before */
    bool has_axes, at_angle;
};

struct app_learn_plane *app_learn_plane_open(size_t words, size_t width, bool numbers,
                                             const int32_t *kind)
{
    struct app_learn_plane *const plane = calloc(1, sizeof *plane);
    if (plane == NULL) {
        return NULL;
    }
    plane->words = words;
    plane->width = width;
    plane->numbers = numbers;
    plane->component = calloc(COMPONENTS * width + 1, sizeof *plane->component);
    plane->axis = calloc(2 * width + 1, sizeof *plane->axis);
    plane->mean = calloc(width + 1, sizeof *plane->mean);
    plane->former = calloc(2 * words + 1, sizeof *plane->former);
    plane->kind = kind == NULL ? NULL : calloc(words + 1, sizeof *plane->kind);
    if (plane->component == NULL || plane->axis == NULL || plane->mean == NULL ||
        plane->former == NULL || (kind != NULL && plane->kind == NULL)) {
        app_learn_plane_close(plane);
        return NULL;
    }
    for (size_t w = 0; kind != NULL && w < words; w++) {
        plane->kind[w] = kind[w];
    }
    return plane;
}

static void let_go(struct rows *rows)
{
    if (rows != NULL && --rows->uses == 0) {
        free(rows);
    }
}

/* Returns the rows that were kept last up to a step: its plane is that of the step, however far the
 * run has got. */
static struct rows *rows_at(const struct app_learn_plane *plane, uint64_t step)
{
    size_t k = plane->count;
    while (k > 0 && plane->kept[k - 1].step > step) {
        k--;
    }
    return k > 0                 ? plane->kept[k - 1].rows
           : plane->base != NULL ? plane->base
           : plane->count > 0    ? plane->kept[0].rows
                                 : NULL;
}

struct app_learn_plane *app_learn_plane_branch(const struct app_learn_plane *from, uint64_t step)
{
    struct app_learn_plane *const plane =
        app_learn_plane_open(from->words, from->width, from->numbers, from->kind);
    if (plane == NULL) {
        return NULL;
    }
    for (size_t k = 0; k < from->count && from->kept[k].step <= step; k++) {
        plane->kept[plane->count++] = from->kept[k];
        plane->kept[k].rows->uses++;
    }
    plane->begins = step;
    plane->base = rows_at(from, step);
    if (plane->base != NULL) {
        plane->base->uses++;
    }
    return plane;
}

void app_learn_plane_close(struct app_learn_plane *plane)
{
    if (plane != NULL) {
        for (size_t k = 0; k < plane->count; k++) {
            let_go(plane->kept[k].rows);
        }
        let_go(plane->base);
        free(plane->kind);
        free(plane->component);
        free(plane->axis);
        free(plane->mean);
        free(plane->former);
        free(plane);
    }
}

static double dot_product(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* axis ← Σ over words of (x · axis) x, with x the rows less their mean. */
static void apply_covariance(const struct app_learn_plane *plane, const float *rows, double *axis,
                             double *next)
{
    memset(next, 0, plane->width * sizeof *next);
    for (size_t w = 0; w < plane->words; w++) {
        const float *const row = rows + w * plane->width;
        double along = 0;
        for (size_t c = 0; c < plane->width; c++) {
            along += ((double)row[c] - plane->mean[c]) * axis[c];
        }
        for (size_t c = 0; c < plane->width; c++) {
            next[c] += along * ((double)row[c] - plane->mean[c]);
        }
    }
    memcpy(axis, next, plane->width * sizeof *axis);
}

static void make_unit(double *axis, size_t n)
{
    const double length = sqrt(dot_product(axis, axis, n));
    for (size_t i = 0; i < n; i++) {
        axis[i] = length > 0 ? axis[i] / length : 0;
    }
}

static void take_mean(struct app_learn_plane *plane, const float *rows)
{
    memset(plane->mean, 0, plane->width * sizeof *plane->mean);
    for (size_t w = 0; w < plane->words; w++) {
        for (size_t c = 0; c < plane->width; c++) {
            plane->mean[c] += (double)rows[w * plane->width + c] / (double)plane->words;
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

/* The largest components, by powers; it begins where the step before had ended. */
static bool find_components(struct app_learn_plane *plane, const float *rows)
{
    const size_t n = plane->width;
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

/* Where the words of kinds stand along the components, seen from where kinds are apart. */
static bool find_angle(const struct app_learn_plane *plane, const float *rows, double view[2][3])
{
    double *const place = calloc(COMPONENTS * plane->words + 1, sizeof *place);
    for (size_t w = 0; place != NULL && w < plane->words; w++) {
        for (size_t k = 0; k < COMPONENTS; k++) {
            for (size_t c = 0; c < plane->width; c++) {
                place[COMPONENTS * w + k] += ((double)rows[w * plane->width + c] - plane->mean[c]) *
                                             plane->component[k * plane->width + c];
            }
        }
    }
    const bool found = place != NULL && plane->kind != NULL &&
                       app_learn_angle(place, plane->kind, plane->words, view);
    free(place);
    return found;
}

/* Of the components the two largest; of words of several kinds the three largest at an angle. */
static bool find_axes(struct app_learn_plane *plane, const float *rows)
{
    const size_t n = plane->width;
    double view[2][COMPONENTS] = {{1, 0, 0}, {0, 1, 0}};
    if (!find_components(plane, rows)) {
        return false;
    }
    plane->at_angle = find_angle(plane, rows, view);
    for (size_t c = 0; c < 2 * n; c++) {
        plane->axis[c] = 0;
        for (size_t k = 0; k < COMPONENTS; k++) {
            plane->axis[c] += view[c / n][k] * plane->component[k * n + c % n];
        }
    }
    return true;
}

/* The strongest of the frequencies 1 … words / 2; 0: the three strongest do not hold most of the
 * power, as is so before numbers are understood. */
static size_t find_frequency(const struct app_learn_plane *plane, const float *rows)
{
    float share = 0;
    if (!plane->numbers) {
        return 0;
    }
    const size_t strongest = learn_scores_strongest(rows, plane->words, plane->width, &share);
    return share >= POWER_SHARE_MIN ? strongest : 0;
}

/* The plane in which numbers go round that many times: its axes are the cosine and the sine of that
 * frequency over the rows. */
static void find_circle(struct app_learn_plane *plane, const float *rows, size_t frequency)
{
    const size_t n = plane->width;
    double *const one = plane->axis, *const other = plane->axis + n;
    take_mean(plane, rows);
    memset(one, 0, 2 * n * sizeof *one);
    for (size_t w = 0; w < plane->words; w++) {
        const double angle = TURN * (double)(frequency * w % plane->words) / (double)plane->words;
        for (size_t c = 0; c < n; c++) {
            one[c] += cos(angle) * (double)rows[w * n + c];
            other[c] += sin(angle) * (double)rows[w * n + c];
        }
    }
    make_unit(one, n);
    keep_apart(other, one, 1, n);
    make_unit(other, n);
}

static void project_row(const struct app_learn_plane *plane, const float *row, double out[2])
{
    out[0] = out[1] = 0;
    for (size_t c = 0; c < plane->width; c++) {
        const double x = (double)row[c] - plane->mean[c];
        out[0] += x * plane->axis[c];
        out[1] += x * plane->axis[plane->width + c];
    }
}

/* Turns the axes, or turns and mirrors them, so that the words lie as near as can be to where they
 * were: the orthogonal factor of M = (now)ᵀ(before), which of two by two is written out. */
static void turn_axes(struct app_learn_plane *plane, const float *rows)
{
    double m[2][2] = {{0}};
    for (size_t w = 0; w < plane->words; w++) {
        double now[2];
        project_row(plane, rows + w * plane->width, now);
        for (size_t i = 0; i < 2; i++) {
            for (size_t j = 0; j < 2; j++) {
                m[i][j] += now[i] * plane->former[2 * w + j];
            }
        }
    }
    const bool mirrors = m[0][0] * m[1][1] - m[0][1] * m[1][0] < 0;
    const double angle = mirrors ? atan2(m[0][1] + m[1][0], m[0][0] - m[1][1])
                                 : atan2(m[0][1] - m[1][0], m[0][0] + m[1][1]);
    const double c = cos(angle), s = sin(angle);
    for (size_t i = 0; i < plane->width; i++) {
        double *const one = &plane->axis[i], *const other = &plane->axis[plane->width + i];
        const double a = *one, b = *other;
        *one = mirrors ? a * c + b * s : a * c - b * s;
        *other = mirrors ? a * s - b * c : a * s + b * c;
    }
}

static void note_former(struct app_learn_plane *plane, const float *rows)
{
    for (size_t w = 0; w < plane->words; w++) {
        project_row(plane, rows + w * plane->width, &plane->former[2 * w]);
    }
}

/* The plane of what was kept, and where words stood in it. */
static void take_plane(struct app_learn_plane *plane, const struct rows *rows)
{
    const size_t n = plane->width;
    memcpy(plane->component, rows->plane, COMPONENTS * n * sizeof *rows->plane);
    memcpy(plane->axis, rows->plane + COMPONENTS * n, 2 * n * sizeof *rows->plane);
    memcpy(plane->mean, rows->plane + (COMPONENTS + 2) * n, n * sizeof *rows->plane);
    plane->frequency = rows->frequency;
    plane->at_angle = rows->at_angle;
    plane->has_axes = true;
    note_former(plane, rows->value);
}

static void look_from(struct app_learn_plane *plane, const float *rows)
{
    plane->frequency = find_frequency(plane, rows);
    plane->at_angle = false;
    if (plane->frequency > 0) {
        find_circle(plane, rows, plane->frequency);
    }
    if (plane->frequency > 0 || find_axes(plane, rows)) {
        if (plane->has_axes) {
            turn_axes(plane, rows);
        }
        plane->has_axes = true;
    }
}

/* Every other one goes where there is no room for more. */
static void thin_out(struct app_learn_plane *plane)
{
    size_t stay = 0;
    for (size_t k = 0; k < plane->count; k++) {
        if (k % 2 == 0) {
            plane->kept[stay++] = plane->kept[k];
        } else {
            let_go(plane->kept[k].rows);
        }
    }
    plane->count = stay;
}

/* A copy of rows and of the plane that is looked at. */
static void keep_rows(struct app_learn_plane *plane, uint64_t step, const float *rows)
{
    const size_t n = plane->width, doubles = PLANE_ROWS * n, floats = plane->words * n;
    if (plane->count == KEPT_MAX) {
        thin_out(plane);
    }
    struct rows *const copy =
        malloc(sizeof *copy + doubles * sizeof(double) + floats * sizeof *rows);
    if (copy == NULL) {
        return;
    }
    *copy = (struct rows){.uses = 1, .frequency = plane->frequency, .at_angle = plane->at_angle};
    copy->value = (float *)(copy->plane + doubles);
    memcpy(copy->plane, plane->component, COMPONENTS * n * sizeof *copy->plane);
    memcpy(copy->plane + COMPONENTS * n, plane->axis, 2 * n * sizeof *copy->plane);
    memcpy(copy->plane + (COMPONENTS + 2) * n, plane->mean, n * sizeof *copy->plane);
    memcpy(copy->value, rows, floats * sizeof *rows);
    plane->kept[plane->count++] = (struct kept){step, copy};
}

void app_learn_plane_add(struct app_learn_plane *plane, uint64_t step, const float *rows)
{
    const uint64_t last = plane->count > 0 ? plane->kept[plane->count - 1].step : 0;
    if ((plane->count > 0 && step < app_learn_plane_next(last)) ||
        (plane->base != NULL && step <= plane->begins)) {
        return;
    }
    const struct rows *const former = rows_at(plane, UINT64_MAX);
    if (former != NULL) {
        take_plane(plane, former);
    }
    look_from(plane, rows);
    keep_rows(plane, step, rows);
}

uint64_t app_learn_plane_next(uint64_t step)
{
    return (uint64_t)((double)step * APART) + 1;
}

size_t app_learn_plane_frequency(const struct app_learn_plane *plane)
{
    return plane->frequency;
}

bool app_learn_plane_at_angle(const struct app_learn_plane *plane)
{
    return plane->at_angle;
}

static struct point place_of(const struct app_learn_plane *plane, const float *row)
{
    double at[2];
    project_row(plane, row, at);
    return (struct point){(float)at[0], (float)at[1]};
}

void app_learn_plane_ways(struct app_learn_plane *plane, uint64_t step, const float *rows,
                          struct point *place, size_t max_points, size_t *trail)
{
    size_t used = 0;
    if (rows_at(plane, step) == NULL) {
        app_learn_plane_add(plane, step, rows);
    }
    const struct rows *const seen_in = rows_at(plane, step);
    if (seen_in != NULL) {
        take_plane(plane, seen_in);
    }
    for (size_t k = 0; k < plane->count && used + 1 < max_points && plane->kept[k].step < step;
         k++) {
        for (size_t w = 0; w < plane->words; w++) {
            place[w * max_points + used] =
                place_of(plane, plane->kept[k].rows->value + w * plane->width);
        }
        used++;
    }
    for (size_t w = 0; w < plane->words; w++) {
        place[w * max_points + used] = place_of(plane, rows + w * plane->width);
    }
    *trail = used + 1;
}
