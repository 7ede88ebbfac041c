/* Where numbers stand: on a circle once their embedding goes round, and not before; where words do:
 * such that kinds which are apart are seen apart. */
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
    struct app_learn_plane *const plane = app_learn_plane_open(NUMBERS, WIDTH, true, NULL);
    assert_non_null(plane);
    make_rows(rows, 0, 1); /* as they begin */
    app_learn_plane_add(plane, 0, rows[0]);
    assert_int_equal(app_learn_plane_frequency(plane), 0);
    make_rows(rows, 1, 0.1);
    app_learn_plane_add(plane, 500, rows[0]);
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
    struct app_learn_plane *const plane = app_learn_plane_open(NUMBERS, WIDTH, false, NULL);
    assert_non_null(plane);
    make_rows(rows, 1, 0.1);
    app_learn_plane_add(plane, 500, rows[0]);
    assert_int_equal(app_learn_plane_frequency(plane), 0);
    app_learn_plane_close(plane);
}

enum { KINDS = 5, OF_A_KIND = 4, WORDS = KINDS * OF_A_KIND };

static double point_distance(struct point a, struct point b)
{
    return hypot((double)(a.x - b.x), (double)(a.y - b.y));
}

/* Rows of five kinds: two of them differ in the third largest direction only. */
static void make_kinds(float rows[WORDS][WIDTH], int32_t kind[WORDS])
{
    static const float at[KINDS][3] = {
        {6, 0, 0}, {-5, 4, 0}, {-5, -4, 0}, {2, 0.5f, 2}, {2, -0.5f, -2}};
    struct random random;
    random_start(&random, 5, "kinds");
    for (size_t w = 0; w < WORDS; w++) {
        kind[w] = (int32_t)(w / OF_A_KIND);
        for (size_t c = 0; c < WIDTH; c++) {
            rows[w][c] = (float)(0.2 * random_normal(&random)) + (c < 3 ? at[kind[w]][c] : 0);
        }
    }
}

/* The smallest distance between words of two kinds, in the largest between words of one. */
static double kinds_apart(const struct point *place, size_t most, const int32_t *kind)
{
    double within = 0, between = INFINITY;
    for (size_t a = 0; a < WORDS; a++) {
        for (size_t b = 0; b < a; b++) {
            const double away = point_distance(place[a * most], place[b * most]);
            within = kind[a] == kind[b] ? fmax(within, away) : within;
            between = kind[a] != kind[b] ? fmin(between, away) : between;
        }
    }
    return between / within;
}

static void kinds_that_are_apart_are_seen_apart(void **state)
{
    (void)state;
    float rows[WORDS][WIDTH];
    int32_t kind[WORDS];
    make_kinds(rows, kind);
    for (int told = 0; told < 2; told++) {
        struct point place[WORDS][1];
        size_t trail = 0;
        struct app_learn_plane *const plane =
            app_learn_plane_open(WORDS, WIDTH, false, told ? kind : NULL);
        assert_non_null(plane);
        app_learn_plane_add(plane, 0, rows[0]);
        app_learn_plane_ways(plane, 0, rows[0], place[0], 1, &trail);
        const double apart = kinds_apart(place[0], 1, kind);
        assert_true(told ? apart > 1 : apart < 1); /* from the front two of them share a place */
        assert_int_equal(app_learn_plane_at_angle(plane), told);
        app_learn_plane_close(plane);
    }
}

/* A plane is looked at from outside: it shows no distance larger than it is. */
static void an_angle_invents_no_distance(void **state)
{
    (void)state;
    float rows[WORDS][WIDTH];
    int32_t kind[WORDS];
    struct point place[WORDS][1];
    size_t trail = 0;
    make_kinds(rows, kind);
    struct app_learn_plane *const plane = app_learn_plane_open(WORDS, WIDTH, false, kind);
    assert_non_null(plane);
    app_learn_plane_add(plane, 0, rows[0]);
    app_learn_plane_ways(plane, 0, rows[0], place[0], 1, &trail);
    for (size_t a = 0; a < WORDS; a++) {
        for (size_t b = 0; b < a; b++) {
            double squares = 0;
            for (size_t c = 0; c < WIDTH; c++) {
                squares += pow((double)(rows[a][c] - rows[b][c]), 2);
            }
            assert_true(point_distance(place[a][0], place[b][0]) <= sqrt(squares) * 1.0001);
        }
    }
    app_learn_plane_close(plane);
}

/* Rows that are wide along other coordinates. */
static void make_others(float rows[WORDS][WIDTH], float other[WORDS][WIDTH])
{
    for (size_t w = 0; w < WORDS; w++) {
        for (size_t c = 0; c < WIDTH; c++) {
            other[w][c] = 3 * rows[(w * 5 + 1) % WORDS][WIDTH - 1 - c];
        }
    }
}

static void expect_same(struct point before[WORDS][4], struct point after[WORDS][4], size_t trail)
{
    for (size_t w = 0; w < WORDS; w++) {
        for (size_t t = 0; t < trail; t++) {
            assert_float_equal(point_distance(after[w][t], before[w][t]), 0, 0);
        }
    }
}

/* A branch begins in the plane that was there, and what it does leaves that of others alone. */
static void a_branch_turns_no_plane(void **state)
{
    (void)state;
    float rows[WORDS][WIDTH], other[WORDS][WIDTH];
    int32_t kind[WORDS];
    struct point before[WORDS][4], branched[WORDS][4], after[WORDS][4];
    size_t trail = 0;
    make_kinds(rows, kind);
    make_others(rows, other);
    struct app_learn_plane *const plane = app_learn_plane_open(WORDS, WIDTH, false, kind);
    assert_non_null(plane);
    app_learn_plane_add(plane, 0, other[0]);
    app_learn_plane_add(plane, 500, rows[0]);
    app_learn_plane_ways(plane, 300, rows[0], before[0], 4, &trail);
    assert_int_equal(trail, 2);
    struct app_learn_plane *const branch = app_learn_plane_branch(plane, 300);
    assert_non_null(branch);
    app_learn_plane_ways(branch, 300, rows[0], branched[0], 4, &trail);
    assert_int_equal(trail, 2);
    expect_same(before, branched, trail);
    app_learn_plane_add(branch, 600, rows[0]); /* further: it follows */
    app_learn_plane_ways(branch, 600, rows[0], branched[0], 4, &trail);
    float turned = 0;
    for (size_t w = 0; w < WORDS; w++) {
        turned += (float)point_distance(branched[w][trail - 1], before[w][1]);
    }
    assert_true(turned > 0.01f);
    app_learn_plane_close(branch);
    app_learn_plane_ways(plane, 300, rows[0], after[0], 4, &trail);
    assert_int_equal(trail, 2);
    expect_same(before, after, trail);
    app_learn_plane_close(plane);
}

/* A step is seen as it was, however far training has got. */
static void what_comes_later_turns_no_step(void **state)
{
    (void)state;
    float rows[WORDS][WIDTH], other[WORDS][WIDTH];
    int32_t kind[WORDS];
    struct point before[WORDS][4], after[WORDS][4];
    size_t trail = 0;
    make_kinds(rows, kind);
    make_others(rows, other);
    struct app_learn_plane *const plane = app_learn_plane_open(WORDS, WIDTH, false, kind);
    assert_non_null(plane);
    app_learn_plane_add(plane, 0, rows[0]);
    app_learn_plane_add(plane, 340, rows[0]);
    app_learn_plane_add(plane, 358, rows[0]); /* too near to be kept */
    app_learn_plane_ways(plane, 358, rows[0], before[0], 4, &trail);
    assert_int_equal(trail, 3);
    app_learn_plane_add(plane, 1500, other[0]);
    app_learn_plane_ways(plane, 1500, other[0], after[0], 4, &trail);
    assert_int_equal(trail, 3);
    app_learn_plane_ways(plane, 358, rows[0], after[0], 4, &trail);
    assert_int_equal(trail, 3);
    expect_same(before, after, trail);
    app_learn_plane_close(plane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_go_round_stand_on_a_circle),
        cmocka_unit_test(words_are_no_numbers),
        cmocka_unit_test(kinds_that_are_apart_are_seen_apart),
        cmocka_unit_test(an_angle_invents_no_distance),
        cmocka_unit_test(a_branch_turns_no_plane),
        cmocka_unit_test(what_comes_later_turns_no_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
