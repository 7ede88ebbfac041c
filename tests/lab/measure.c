/* Principal axes, eigenvalues, ranges and entropy. */
#include <stdlib.h>

#include "base/random.h"
#include "bench.h"
#include "lab/explain/eigen.h"
#include "lab/run/measure.h"

static void eigenvectors_of_random_symmetric_matrices_are_what_they_claim(void **state)
{
    (void)state;
    enum { LARGEST = 40 };
    static double a[LARGEST * LARGEST], copy[LARGEST * LARGEST], vector[LARGEST * LARGEST];
    static double value[LARGEST], work[3 * LARGEST];
    struct random random;
    random_start(&random, 7, "eigen");
    for (size_t n = 1; n <= LARGEST; n += n < 6 ? 1 : 17) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = i; j < n; j++) {
                a[i * n + j] = a[j * n + i] = random_normal(&random);
            }
        }
        memcpy(copy, a, sizeof copy);
        assert_true(lab_eigen_symmetric(a, n, value, vector, work));
        for (size_t k = 0; k < n; k++) {
            assert_true(k == 0 || value[k] <= value[k - 1]);
            for (size_t i = 0; i < n; i++) {
                double sum = 0;
                for (size_t j = 0; j < n; j++) {
                    sum += copy[i * n + j] * vector[k * n + j];
                }
                assert_true(fabs(sum - value[k] * vector[k * n + i]) < 1e-10);
            }
        }
    }
}

/* Points on a plane in twelve dimensions: two axes tell everything. */
static void points_of_a_plane_are_shown_by_two_axes_at_their_true_distances(void **state)
{
    (void)state;
    enum { ROWS = 20, COLS = 12 };
    static float values[ROWS * COLS];
    struct random random;
    random_start(&random, 7, "plane");
    for (size_t r = 0; r < ROWS; r++) {
        const float u = (float)random_normal(&random) * 3, v = (float)random_normal(&random);
        for (size_t c = 0; c < COLS; c++) {
            values[r * COLS + c] = 1 + (c % 2 == 0 ? u : 0) + (c % 3 == 0 ? v : -v);
        }
    }
    const struct lab_matrix matrix = {.rows = ROWS, .cols = COLS, .stride = COLS, .values = values};
    struct arena arena = {0};
    struct lab_frame frame;
    assert_true(lab_frame_fit(&matrix, 1, &arena, &frame));
    assert_true(frame.principal);
    assert_int_equal(frame.dimensions, 3);
    assert_true(frame.share[0] > frame.share[1] && frame.share[0] + frame.share[1] > 0.9999f);
    for (size_t r = 1; r < ROWS; r++) {
        float p[3], q[3];
        double shown = 0, real = 0;
        lab_frame_apply(&frame, values, p);
        lab_frame_apply(&frame, values + r * COLS, q);
        for (size_t k = 0; k < 3; k++) {
            shown += pow((double)(p[k] - q[k]), 2);
        }
        for (size_t c = 0; c < COLS; c++) {
            real += pow((double)(values[c] - values[r * COLS + c]), 2);
        }
        assert_true(fabs(sqrt(shown) - sqrt(real)) < 1e-4 * sqrt(real));
    }
    arena_free(&arena);
}

static void few_points_in_many_dimensions_use_the_same_axes(void **state)
{
    (void)state;
    enum { ROWS = 4, COLS = 64 };
    static float values[2 * ROWS * COLS];
    struct random random;
    random_start(&random, 7, "few");
    for (size_t c = 0; c < ROWS * COLS; c++) {
        values[c] = (float)random_normal(&random);
    }
    const struct lab_matrix matrix = {.rows = ROWS, .cols = COLS, .stride = COLS, .values = values};
    struct arena arena = {0};
    struct lab_frame frame;
    assert_true(lab_frame_fit(&matrix, 1, &arena, &frame));
    /* four points span three dimensions */
    assert_true(fabsf(frame.share[0] + frame.share[1] + frame.share[2] - 1) < 1e-5f);
    arena_free(&arena);
}

static void three_dimensions_are_shown_as_they_are(void **state)
{
    (void)state;
    static const float values[] = {1, 2, 3, 4, 5, 6};
    struct arena arena = {0};
    for (size_t cols = 1; cols <= 3; cols++) {
        const struct lab_matrix matrix = {
            .rows = 2, .cols = cols, .stride = cols, .values = values};
        struct lab_frame frame;
        float point[3];
        assert_true(lab_frame_fit(&matrix, 1, &arena, &frame));
        assert_false(frame.principal);
        assert_int_equal(frame.dimensions, cols);
        lab_frame_apply(&frame, values, point);
        for (size_t k = 0; k < 3; k++) {
            assert_true(fabsf(point[k] - (k < cols ? values[k] : 0)) < 1e-9f);
        }
    }
    arena_free(&arena);
}

static void equal_points_fall_into_one_place(void **state)
{
    (void)state;
    static const float values[] = {1, 2, 3, 4, 5, 1, 2, 3, 4, 5};
    const struct lab_matrix matrix = {.rows = 2, .cols = 5, .stride = 5, .values = values};
    struct arena arena = {0};
    struct lab_frame frame;
    float point[3];
    assert_true(lab_frame_fit(&matrix, 1, &arena, &frame));
    lab_frame_apply(&frame, values, point);
    assert_true(fabsf(point[0]) + fabsf(point[1]) + fabsf(point[2]) < 1e-9f);
    arena_free(&arena);
}

static void range_and_peak_pass_over_what_is_not_finite(void **state)
{
    (void)state;
    static const float values[] = {-INFINITY, -3, 2, NAN};
    const struct lab_matrix matrix = {.rows = 2, .cols = 2, .stride = 2, .values = values};
    float low = 0, high = 0;
    lab_measure_range(&matrix, &low, &high);
    assert_true(fabsf(low + 3) < 1e-9f && fabsf(high - 2) < 1e-9f);
    assert_true(fabsf(lab_measure_peak(&matrix) - 3) < 1e-9f);
    const struct lab_matrix empty = {.rows = 0, .cols = 0, .values = values};
    assert_true(!(lab_measure_peak(&empty) > 0));
}

static void even_shares_of_eight_have_three_bits_of_entropy(void **state)
{
    (void)state;
    static const float even[] = {0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f};
    static const float sure[] = {0, 1, 0};
    assert_true(fabs(lab_measure_entropy(even, 8) - 3) < 1e-12);
    assert_true(fabs(lab_measure_entropy(sure, 3)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvectors_of_random_symmetric_matrices_are_what_they_claim),
        cmocka_unit_test(points_of_a_plane_are_shown_by_two_axes_at_their_true_distances),
        cmocka_unit_test(few_points_in_many_dimensions_use_the_same_axes),
        cmocka_unit_test(three_dimensions_are_shown_as_they_are),
        cmocka_unit_test(equal_points_fall_into_one_place),
        cmocka_unit_test(range_and_peak_pass_over_what_is_not_finite),
        cmocka_unit_test(even_shares_of_eight_have_three_bits_of_entropy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
