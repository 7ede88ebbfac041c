/* Activations and layer norm against double precision, and what is no number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/model_internal.h"

static double gelu_by_tanh(double x)
{
    return 0.5 * x * (1 + tanh(0.79788456080286536 * (x + 0.044715 * x * x * x)));
}

static double gelu(double x)
{
    return 0.5 * x * (1 + erf(x * 0.70710678118654752));
}

static double relu(double x)
{
    return x < 0 ? 0 : x;
}

static double silu(double x)
{
    return x / (1 + exp(-x));
}

static void activate_like_their_formulas(const struct attn_kernels *kernels)
{
    static double (*const formulas[MODEL_ACTIVATIONS])(double) = {
        [MODEL_GELU_TANH] = gelu_by_tanh,
        [MODEL_GELU] = gelu,
        [MODEL_RELU] = relu,
        [MODEL_SILU] = silu,
        [MODEL_TANH] = tanh,
    };
    enum { COUNT = 40003 }; /* not a whole number of vectors */
    static float values[COUNT];
    for (size_t a = 0; a < MODEL_ACTIVATIONS; a++) {
        for (size_t i = 0; i < COUNT; i++) {
            values[i] = ((float)i - 20000) * 1e-3F;
        }
        model_activate(kernels, (enum model_activation)a, values, COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            const double x = (double)(((float)i - 20000) * 1e-3F), wanted = formulas[a](x);
            if (!(fabs((double)values[i] - wanted) <= 1e-6 * fmax(fabs(wanted), 0.1))) {
                fail_msg("%s: %s(%g) is %.9g, expected %.9g", attn_kernels_name(kernels),
                         model_activation_name((enum model_activation)a), x, (double)values[i],
                         wanted);
            }
        }
    }
}

static void activations_are_those_of_their_formulas(void **state)
{
    (void)state;
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        activate_like_their_formulas(attn_kernels_at(i));
    }
}

static void keep_the_largest_numbers_and_none(const struct attn_kernels *kernels)
{
    for (size_t a = 0; a < MODEL_ACTIVATIONS; a++) {
        float values[] = {INFINITY, 1e30F, NAN, -0.0F, 0.0F, 1e-40F, -1e4F};
        const bool bounded = a == MODEL_TANH;
        model_activate(kernels, (enum model_activation)a, values, sizeof values / sizeof *values);
        assert_true(bounded ? values[0] == 1.0F : isinf(values[0]));
        assert_true(bounded ? values[1] == 1.0F : values[1] >= 0.99e30F);
        assert_true(isnan(values[2]) || a == MODEL_RELU);
        assert_true(values[3] == 0 && values[4] == 0);
        assert_true(values[5] >= 0 && values[5] <= 1e-40F);
        assert_true(bounded ? values[6] == -1.0F : fabsf(values[6]) < 1e-30F);
    }
}

static void the_largest_numbers_and_none_stay_what_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        keep_the_largest_numbers_and_none(attn_kernels_at(i));
    }
}

static void norm_like_its_formula(const struct model_means *means)
{
    enum { WIDTH = 101, ROWS = 3 };
    float x[ROWS * WIDTH], weight[WIDTH], bias[WIDTH], out[ROWS * WIDTH];
    for (size_t i = 0; i < ROWS * WIDTH; i++) {
        x[i] = (float)((i * 7919) % 1000) * 0.01F + (float)(i / WIDTH) * 1000;
    }
    for (size_t c = 0; c < WIDTH; c++) {
        weight[c] = 1 + (float)c * 0.01F;
        bias[c] = (float)c;
    }
    const struct attn_operand rows = {x, ROWS, WIDTH, WIDTH};
    const struct model_family family = {.norm = MODEL_LAYER_NORM};
    const struct model_config config = {.family = &family, .epsilon = 1e-5F};
    model_normalise(means, &config, &(struct model_norm){weight, bias}, rows,
                    (struct attn_matrix){out, ROWS, WIDTH, WIDTH});
    for (size_t row = 0; row < ROWS; row++) {
        double mean = 0, variance = 0;
        for (size_t c = 0; c < WIDTH; c++) {
            mean += (double)x[row * WIDTH + c] / WIDTH;
        }
        for (size_t c = 0; c < WIDTH; c++) {
            variance += pow((double)x[row * WIDTH + c] - mean, 2) / WIDTH;
        }
        for (size_t c = 0; c < WIDTH; c++) {
            const double wanted =
                ((double)x[row * WIDTH + c] - mean) / sqrt(variance + 1e-5) * (double)weight[c] +
                (double)bias[c];
            assert_true(fabs((double)out[row * WIDTH + c] - wanted) < 1e-3);
        }
    }
}

static void layer_norm_centres_and_scales_each_row(void **state)
{
    (void)state;
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        norm_like_its_formula(&(struct model_means){.kernels = attn_kernels_at(i)});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(activations_are_those_of_their_formulas),
        cmocka_unit_test(the_largest_numbers_and_none_stay_what_they_are),
        cmocka_unit_test(layer_norm_centres_and_scales_each_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
