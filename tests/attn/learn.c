/* tests/attn/learn.c — gradients are those of central differences in float64, float32 follows, and
 * what cannot be differentiated is at least right. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "attn/learn.h"
#include "guarded.h"
#include "learn_cases.h"
#include "mean_loss.h"

static void draw(struct dice *dice, double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = 2 * (double)dice_unit(dice);
    }
}

static double largest(const double *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(values[i]));
    }
    return most;
}

/* Σ dy · y(x) */
static double along(const struct case_double *of, const double *x, const double *dy)
{
    double y[CASE_MAX], sum = 0;
    of->forward(x, y);
    for (size_t i = 0; i < of->outputs; i++) {
        sum += dy[i] * y[i];
    }
    return sum;
}

static void gradients_are_those_of_central_differences(void **state)
{
    (void)state;
    struct dice dice = {31};
    for (size_t c = 0; cases_double[c].name != NULL; c++) {
        const struct case_double *const of = &cases_double[c];
        double x[CASE_MAX], dy[CASE_MAX], dx[CASE_MAX];
        if (of->back == NULL) {
            continue;
        }
        draw(&dice, x, of->inputs);
        draw(&dice, dy, of->outputs);
        of->back(x, dy, dx);
        const double size = largest(dx, of->inputs), step = 1e-5;
        for (size_t i = 0; i < of->inputs; i++) {
            const double at = x[i];
            x[i] = at + step;
            const double above = along(of, x, dy);
            x[i] = at - step;
            const double expected = (above - along(of, x, dy)) / (2 * step);
            x[i] = at;
            if (!(fabs(dx[i] - expected) <= 1e-6 * fmax(1, size))) {
                fail_msg("%s: gradient %zu is %.12g, expected %.12g", of->name, i, dx[i], expected);
            }
        }
    }
}

static void compare(const char *name, const float *got, const double *expected, size_t count,
                    double bound)
{
    const double size = fmax(1, largest(expected, count));
    for (size_t i = 0; i < count; i++) {
        if (!(fabs((double)got[i] - expected[i]) <= bound * size)) {
            fail_msg("%s: number %zu is %.9g, expected %.9g", name, i, (double)got[i], expected[i]);
        }
    }
}

static void check_set(const struct attn_kernels *kernels)
{
    struct dice dice = {7};
    case_kernels = kernels;
    for (size_t c = 0; cases_float[c].name != NULL; c++) {
        const struct case_double *const exact = &cases_double[c];
        const struct case_float *const of = &cases_float[c];
        double x[CASE_MAX], dy[CASE_MAX], y[CASE_MAX], dx[CASE_MAX];
        float x_float[CASE_MAX], dy_float[CASE_MAX], got[CASE_MAX];
        draw(&dice, x, of->inputs);
        draw(&dice, dy, of->outputs);
        for (size_t i = 0; i < CASE_MAX; i++) {
            x_float[i] = i < of->inputs ? (float)x[i] : 0;
            dy_float[i] = i < of->outputs ? (float)dy[i] : 0;
        }
        exact->forward(x, y);
        of->forward(x_float, got);
        compare(of->name, got, y, of->outputs, of->back == NULL ? 1e-4 : 4e-6);
        if (of->back != NULL) {
            exact->back(x, dy, dx);
            of->back(x_float, dy_float, got);
            compare(of->name, got, dx, of->inputs, 1e-5);
        }
    }
}

static void float32_follows_float64(void **state)
{
    (void)state;
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        check_set(attn_kernels_at(i));
    }
}

static void check_functions(const struct attn_kernels *kernels)
{
    enum { EACH = 4000 };
    float x[2 * EACH + 1], gelu[2 * EACH + 1], tanh_x[2 * EACH + 1];
    for (int i = 0; i <= 2 * EACH; i++) {
        x[i] = gelu[i] = tanh_x[i] = (float)(i - EACH) * 3e-3F;
    }
    attn_apply(kernels, ATTN_GELU, gelu, 2 * EACH + 1);
    attn_apply(kernels, ATTN_TANH, tanh_x, 2 * EACH + 1);
    for (int i = 0; i <= 2 * EACH; i++) {
        const double near = (double)x[i], size = fmax(1, fabs(near));
        assert_true(fabs((double)gelu[i] - near / 2 * (1 + erf(near / sqrt(2)))) <= 4e-7 * size);
        assert_true(fabs((double)tanh_x[i] - tanh(near)) <= 4e-7);
    }
}

static void functions_of_one_number_are_those_of_the_library(void **state)
{
    (void)state;
    for (size_t set = 0; attn_kernels_at(set) != NULL; set++) {
        check_functions(attn_kernels_at(set));
    }
}

static void far_numbers_stay_what_they_are(void **state)
{
    (void)state;
    for (size_t set = 0; attn_kernels_at(set) != NULL; set++) {
        float gelu[4] = {INFINITY, -INFINITY, NAN, 1e30F},
              tanh_x[4] = {INFINITY, -INFINITY, NAN, 3e38F};
        attn_apply(attn_kernels_at(set), ATTN_GELU, gelu, 4);
        attn_apply(attn_kernels_at(set), ATTN_TANH, tanh_x, 4);
        assert_true(gelu[0] == INFINITY && gelu[1] == 0 && isnan(gelu[2]) && gelu[3] == 1e30F);
        assert_true(tanh_x[0] == 1 && tanh_x[1] == -1 && isnan(tanh_x[2]) && tanh_x[3] == 1);
    }
}

/* Where nothing is asked nothing is learned; a sure answer costs nothing. */
static void losses_at_their_edges(void **state)
{
    (void)state;
    for (size_t set = 0; attn_kernels_at(set) != NULL; set++) {
        const float logits[2][3] = {{0, 200, 0}, {1, 2, 3}};
        const int32_t none[2] = {-1, -1}, first[2] = {1, -1};
        float losses[2], d[2][3];
        const struct attn_operand z = {logits[0], 2, 3, 3};
        const struct attn_matrix dz = {d[0], 2, 3, 3};
        assert_true(mean_loss(attn_kernels_at(set), z, none, losses, dz) == 0);
        for (size_t i = 0; i < 6; i++) {
            assert_true((&d[0][0])[i] == 0 && losses[i % 2] == 0);
        }
        assert_true(mean_loss(attn_kernels_at(set), z, first, losses, dz) == 0);
        assert_true(d[0][1] == 0 && d[1][2] == 0);
    }
}

static void threads_change_no_bit_of_learning(void **state)
{
    (void)state;
    enum { N = 700, D = 130, M = 210 };
    static float a[N * D], b[D * M], alone[N * M], shared[N * M], known[2 * N];
    const struct attn_kernels *const kernels = attn_kernels_choose(NULL);
    struct attn_pool *const pool = attn_pool_open(5);
    struct dice dice = {5};
    const struct attn_norm norm = {.rms = false, .epsilon = 1e-5F};
    for (size_t i = 0; i < N * D; i++) {
        a[i] = dice_unit(&dice);
        b[i % (D * M)] = dice_unit(&dice);
    }
    for (size_t way = 0; way < 2; way++) {
        struct attn_pool *const with = way == 0 ? NULL : pool;
        float *const values = way == 0 ? alone : shared;
        const struct attn_matrix out = {values, N, M, M};
        const struct attn_operand z = {values, N, M, M};
        attn_multiply(kernels, with, ATTN_A_B, (struct attn_operand){a, N, D, D},
                      (struct attn_operand){b, D, M, M}, NULL, out);
        attn_normalise(kernels, with, &norm, z, out, known);
    }
    assert_memory_equal(alone, shared, sizeof alone);
    attn_pool_close(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_those_of_central_differences),
        cmocka_unit_test(float32_follows_float64),
        cmocka_unit_test(functions_of_one_number_are_those_of_the_library),
        cmocka_unit_test(far_numbers_stay_what_they_are),
        cmocka_unit_test(losses_at_their_edges),
        cmocka_unit_test(threads_change_no_bit_of_learning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
