/* Finds the direction from which kinds of words hide each other least: the smallest sum of 1 / d²
 * over all pairs of kinds, d being the distance at which their means are seen. It tries directions
 * over half a sphere, then around the best one. */
#include "app/learn/angle.h"

#include <math.h>

enum { KINDS_MAX = 16, KINDS_MIN = 3, DIRECTIONS = 400, REFINED = 24 };
static const double GOLDEN = 2.39996322972865332; /* the angle from one direction to the next */
static const double NO_DISTANCE = 1e-12;

struct means {
    double at[KINDS_MAX][3];
    size_t count;
};

static double dot_product(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void make_unit(double v[3])
{
    const double length = sqrt(dot_product(v, v));
    for (size_t i = 0; i < 3; i++) {
        v[i] /= length;
    }
}

static bool take_means(const double *place, const int32_t *kind, size_t words, struct means *means)
{
    size_t members[KINDS_MAX] = {0};
    *means = (struct means){.count = 0};
    for (size_t w = 0; w < words; w++) {
        if (kind[w] >= KINDS_MAX) {
            return false;
        }
        for (size_t i = 0; kind[w] >= 0 && i < 3; i++) {
            means->at[kind[w]][i] += place[3 * w + i];
        }
        members[kind[w] >= 0 ? kind[w] : 0] += kind[w] >= 0;
    }
    for (size_t k = 0; k < KINDS_MAX; k++) {
        for (size_t i = 0; members[k] > 0 && i < 3; i++) {
            means->at[means->count][i] = means->at[k][i] / (double)members[k];
        }
        means->count += members[k] > 0;
    }
    return means->count >= KINDS_MIN;
}

static double crowding_of(const struct means *means, const double from[3])
{
    double sum = 0;
    for (size_t a = 0; a < means->count; a++) {
        for (size_t b = 0; b < a; b++) {
            const double way[3] = {means->at[a][0] - means->at[b][0],
                                   means->at[a][1] - means->at[b][1],
                                   means->at[a][2] - means->at[b][2]};
            const double along = dot_product(way, from);
            sum += 1 / fmax(dot_product(way, way) - along * along, NO_DISTANCE);
        }
    }
    return sum;
}

/* Keeps the better of two. */
static void try_direction(const struct means *means, const double tried[3], double best[3],
                          double *min_crowding)
{
    double unit[3] = {tried[0], tried[1], tried[2]};
    make_unit(unit);
    const double now = crowding_of(means, unit);
    if (now < *min_crowding) {
        *min_crowding = now;
        for (size_t i = 0; i < 3; i++) {
            best[i] = unit[i];
        }
    }
}

static void find_direction(const struct means *means, double best[3])
{
    double min_crowding = INFINITY;
    for (size_t d = 0; d < DIRECTIONS; d++) {
        const double up = ((double)d + 0.5) / DIRECTIONS, out = sqrt(1 - up * up);
        const double turn = GOLDEN * (double)d;
        try_direction(means, (double[]){out * cos(turn), out * sin(turn), up}, best, &min_crowding);
    }
    double step = 0.05;
    for (size_t round = 0; round < REFINED; round++) {
        const double from[3] = {best[0], best[1], best[2]}, before = min_crowding;
        for (size_t i = 0; i < 6; i++) {
            double tried[3] = {from[0], from[1], from[2]};
            tried[i / 2] += i % 2 == 0 ? step : -step;
            try_direction(means, tried, best, &min_crowding);
        }
        step *= min_crowding < before ? 1 : 0.5;
    }
}

bool app_learn_angle(const double *place, const int32_t *kind, size_t words, double view[2][3])
{
    struct means means;
    double from[3] = {0, 0, 1};
    if (!take_means(place, kind, words, &means)) {
        return false;
    }
    find_direction(&means, from);
    const size_t axis = fabs(from[0]) < 0.99 ? 0 : 1; /* the widest that is seen from there */
    for (size_t i = 0; i < 3; i++) {
        view[0][i] = (i == axis ? 1 : 0) - from[axis] * from[i];
    }
    make_unit(view[0]);
    view[1][0] = from[1] * view[0][2] - from[2] * view[0][1];
    view[1][1] = from[2] * view[0][0] - from[0] * view[0][2];
    view[1][2] = from[0] * view[0][1] - from[1] * view[0][0];
    return true;
}
