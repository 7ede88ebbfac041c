/* Where numbers stand: on a circle once their embedding goes round, and not before. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/learn/plane.h"
#include "base/random.h"

enum { NUMBERS = 31, WIDTH = 24, ROUNDS = 12 };
static const double TURN = 2 * 3.14159265358979323846;

/* Rows that go round so many times in two directions of many, and noise over them. */
static void make_rows(float rows[NUMBERS][WIDTH], double round, double noise)
{
    struct random random;
    random_start(&random, 3, "numbers");
    double one[WIDTH], other[WIDTH];
    for (size_t c = 0; c < WIDTH; c++) {
        one[c] = random_normal(&random);
        other[c] = random_normal(&random);
    }
    for (size_t n = 0; n < NUMBERS; n++) {
        const double angle = TURN * ROUNDS * (double)n / NUMBERS;
        for (size_t c = 0; c < WIDTH; c++) {
            const double on_circle = cos(angle) * one[c] + sin(angle) * other[c];
            rows[n][c] = (float)(round * on_circle + noise * random_normal(&random));
        }
    }
}

static void numbers_that_go_round_stand_on_a_circle(void **state)
{
    (void)state;
    float rows[NUMBERS][WIDTH];
    struct point place[NUMBERS][2];
    size_t trail = 0;
    struct app_learn_plane *const plane = app_learn_plane_open(NUMBERS, WIDTH, true);
    assert_non_null(plane);
    make_rows(rows, 0, 1); /* as they begin */
    app_learn_plane_add(plane, 0, 0, rows[0]);
    assert_int_equal(app_learn_plane_frequency(plane), 0);
    make_rows(rows, 1, 0.1);
    app_learn_plane_add(plane, 500, 0, rows[0]);
    assert_int_equal(app_learn_plane_frequency(plane), ROUNDS);
    app_learn_plane_ways(plane, 500, rows[0], place[0], 2, &trail);
    assert_int_equal(trail, 2);
    const double first = hypot((double)place[0][1].x, (double)place[0][1].y);
    double before = 0;
    for (size_t n = 0; n < NUMBERS; n++) {
        const double x = (double)place[n][1].x, y = (double)place[n][1].y;
        assert_true(fabs(hypot(x, y) / first - 1) < 0.5);
        /* From one number to the next the same part of a turn, whichever way round. */
        const double angle = atan2(y, x) / TURN;
        const double step = angle - before - floor(angle - before);
        assert_true(n == 0 || fabs(fmin(step, 1 - step) - 12.0 / 31) < 0.08);
        before = angle;
    }
    app_learn_plane_close(plane);
}

static void words_are_no_numbers(void **state)
{
    (void)state;
    float rows[NUMBERS][WIDTH];
    struct app_learn_plane *const plane = app_learn_plane_open(NUMBERS, WIDTH, false);
    assert_non_null(plane);
    make_rows(rows, 1, 0.1);
    app_learn_plane_add(plane, 500, 0, rows[0]);
    assert_int_equal(app_learn_plane_frequency(plane), 0);
    app_learn_plane_close(plane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_go_round_stand_on_a_circle),
        cmocka_unit_test(words_are_no_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
