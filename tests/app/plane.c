/* Where numbers stand: on a circle once their embedding goes round, and not before; where words do:
 * such that kinds which are apart are seen apart. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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
    static const struct app_learn_placed placed = {NUMBERS, WIDTH, true, NULL};
    float early[NUMBERS][WIDTH], rows[NUMBERS][WIDTH];
    make_rows(early, 0, 1); /* as they begin */
    struct app_learn_plane *const first = app_learn_plane_find(&placed, early[0], NULL, NULL);
    assert_non_null(first);
    assert_int_equal(app_learn_plane_frequency(first), 0);
    make_rows(rows, 1, 0.1);
    struct app_learn_plane *const plane = app_learn_plane_find(&placed, rows[0], first, early[0]);
    assert_non_null(plane);
    assert_int_equal(app_learn_plane_frequency(plane), ROUNDS);
    const struct point zero = app_learn_plane_place(plane, rows[0]);
    const double radius = hypot((double)zero.x, (double)zero.y);
    double before = 0;
    for (size_t n = 0; n < NUMBERS; n++) {
        const struct point place = app_learn_plane_place(plane, rows[n]);
        const double x = (double)place.x, y = (double)place.y;
        assert_true(fabs(hypot(x, y) / radius - 1) < 0.5);
        /* From one number to the next the same part of a turn, whichever way round. */
        const double angle = atan2(y, x) / TURN;
        const double step = angle - before - floor(angle - before);
        assert_true(n == 0 || fabs(fmin(step, 1 - step) - 12.0 / 31) < 0.08);
        before = angle;
    }
    free(plane);
    free(first);
}

static void words_are_no_numbers(void **state)
{
    (void)state;
    static const struct app_learn_placed placed = {NUMBERS, WIDTH, false, NULL};
    float rows[NUMBERS][WIDTH];
    make_rows(rows, 1, 0.1);
    struct app_learn_plane *const plane = app_learn_plane_find(&placed, rows[0], NULL, NULL);
    assert_non_null(plane);
    assert_int_equal(app_learn_plane_frequency(plane), 0);
    free(plane);
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

/* Where all words stand. */
static void place_words(const struct app_learn_plane *plane, float rows[WORDS][WIDTH],
                        struct point place[WORDS])
{
    for (size_t w = 0; w < WORDS; w++) {
        place[w] = app_learn_plane_place(plane, rows[w]);
    }
}

/* The smallest distance between words of two kinds, in the largest between words of one. */
static double kinds_apart(const struct point *place, const int32_t *kind)
{
    double within = 0, between = INFINITY;
    for (size_t a = 0; a < WORDS; a++) {
        for (size_t b = 0; b < a; b++) {
            const double away = point_distance(place[a], place[b]);
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
        const struct app_learn_placed placed = {WORDS, WIDTH, false, told ? kind : NULL};
        struct point place[WORDS];
        struct app_learn_plane *const plane = app_learn_plane_find(&placed, rows[0], NULL, NULL);
        assert_non_null(plane);
        place_words(plane, rows, place);
        const double apart = kinds_apart(place, kind);
        assert_true(told ? apart > 1 : apart < 1); /* from the front two of them share a place */
        assert_int_equal(app_learn_plane_at_angle(plane), told);
        free(plane);
    }
}

/* A plane is looked at from outside: it shows no distance larger than it is. */
static void an_angle_invents_no_distance(void **state)
{
    (void)state;
    float rows[WORDS][WIDTH];
    int32_t kind[WORDS];
    struct point place[WORDS];
    make_kinds(rows, kind);
    const struct app_learn_placed placed = {WORDS, WIDTH, false, kind};
    struct app_learn_plane *const plane = app_learn_plane_find(&placed, rows[0], NULL, NULL);
    assert_non_null(plane);
    place_words(plane, rows, place);
    for (size_t a = 0; a < WORDS; a++) {
        for (size_t b = 0; b < a; b++) {
            double squares = 0;
            for (size_t c = 0; c < WIDTH; c++) {
                squares += pow((double)(rows[a][c] - rows[b][c]), 2);
            }
            assert_true(point_distance(place[a], place[b]) <= sqrt(squares) * 1.0001);
        }
    }
    free(plane);
}

/* How far all words are from where they were. */
static double way_of(const struct point *before, const struct point *after)
{
    double way = 0;
    for (size_t w = 0; w < WORDS; w++) {
        way += point_distance(before[w], after[w]);
    }
    return way;
}

/* The same words stand nearly where they were, seen from the plane before; rows that are wide along
 * other directions turn it. */
static void words_that_stay_stand_where_they_were(void **state)
{
    (void)state;
    float rows[WORDS][WIDTH], other[WORDS][WIDTH];
    struct point before[WORDS], after[WORDS];
    int32_t kind[WORDS];
    make_kinds(rows, kind);
    for (size_t w = 0; w < WORDS; w++) {
        for (size_t c = 0; c < WIDTH; c++) {
            other[w][c] = 3 * rows[(w * 5 + 1) % WORDS][WIDTH - 1 - c];
        }
    }
    const struct app_learn_placed placed = {WORDS, WIDTH, false, NULL};
    struct app_learn_plane *const first = app_learn_plane_find(&placed, other[0], NULL, NULL);
    assert_non_null(first);
    struct app_learn_plane *const plane = app_learn_plane_find(&placed, rows[0], first, other[0]);
    struct app_learn_plane *const again = app_learn_plane_find(&placed, rows[0], plane, rows[0]);
    assert_true(plane != NULL && again != NULL);
    place_words(plane, rows, before);
    place_words(again, rows, after);
    assert_true(way_of(before, after) < 0.01);
    place_words(first, rows, after);
    assert_true(way_of(before, after) > 1);
    free(again);
    free(plane);
    free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_go_round_stand_on_a_circle),
        cmocka_unit_test(words_are_no_numbers),
        cmocka_unit_test(kinds_that_are_apart_are_seen_apart),
        cmocka_unit_test(an_angle_invents_no_distance),
        cmocka_unit_test(words_that_stay_stand_where_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
