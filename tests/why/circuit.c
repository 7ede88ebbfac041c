/* Circuits of the weights: sizes of eigenvalues of matrices whose eigenvalues are known, and the
 * tiny checkpoint's matrices as products of all their factors in float64. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../model/gpt2_double.h"
#include "../opened.h"
#include "model/model.h"
#include "why/circuit.h"
#include "why/eigen.h"

static const char *tiny;

enum {
    W = DOUBLE_WIDTH,
    V = DOUBLE_VOCABULARY,
    D = DOUBLE_D,
    HEADS = DOUBLE_HEADS,
    ALL = DOUBLE_LAYERS * DOUBLE_HEADS
};

/* ---- eigenvalues ----------------------------------------------------------------------------- */

static double random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

/* P D P⁻¹ with P made of shears, whose inverses are known: D has blocks a, −b; b, a of the
 * eigenvalues a ± bi, and single ones. Returns Σ |λ|. */
static double make_matrix(double *matrix, size_t n, uint64_t *state)
{
    double sum = 0;
    memset(matrix, 0, n * n * sizeof *matrix);
    for (size_t i = 0; i < n;) {
        const double a = random_number(state), b = random_number(state);
        const bool pair = i + 1 < n && random_number(state) > -0.3;
        matrix[i * n + i] = a;
        sum += fabs(a);
        if (pair) {
            matrix[(i + 1) * n + i + 1] = a;
            matrix[i * n + i + 1] = -b;
            matrix[(i + 1) * n + i] = b;
            sum += 2 * hypot(a, b) - fabs(a);
        }
        i += pair ? 2 : 1;
    }
    for (size_t t = 0; t < 3 * n; t++) { /* row i += f · row j, then column j −= f · column i */
        const size_t i = t % n, j = (t * 7 + 3) % n;
        const double f = 0.5 * random_number(state);
        for (size_t c = 0; i != j && c < n; c++) {
            matrix[i * n + c] += f * matrix[j * n + c];
        }
        for (size_t r = 0; i != j && r < n; r++) {
            matrix[r * n + j] -= f * matrix[r * n + i];
        }
    }
    return sum;
}

static void sizes_of_eigenvalues_are_those_that_went_in(void **state)
{
    static const double turn[] = {0, -1, 1, 0}, zero[4], shear[] = {0, 1, 0, 0};
    static const double cycle[] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    static double matrix[64 * 64];
    uint64_t random = 42;
    double sum = 0;
    (void)state;
    assert_true(why_eigen_sizes(turn, 2, &sum) && fabs(sum - 2) < 1e-12);
    assert_true(why_eigen_sizes(zero, 2, &sum) && fabs(sum) < 1e-12);
    assert_true(why_eigen_sizes(shear, 2, &sum) && fabs(sum) < 1e-12);
    assert_true(why_eigen_sizes(cycle, 3, &sum) && fabs(sum - 3) < 1e-12);
    assert_true(fabs(why_copying_of(cycle, 3)) < 1e-12); /* 1 and two at ±120° sum to 0 */
    assert_true(isnan(why_copying_of(zero, 2)));
    for (size_t n = 1; n <= 64; n += n < 9 ? 1 : 11) {
        for (size_t trial = 0; trial < 5; trial++) {
            const double wanted = make_matrix(matrix, n, &random);
            assert_true(why_eigen_sizes(matrix, n, &sum));
            if (!(fabs(sum - wanted) <= 1e-7 * fmax(1, wanted))) {
                fail_msg("%zu × %zu: %.12g, expected %.12g", n, n, sum, wanted);
            }
        }
    }
    matrix[3] = NAN;
    assert_false(why_eigen_sizes(matrix, 4, &sum));
}

/* ---- the tiny checkpoint --------------------------------------------------------------------- */

/* Columns of W [width][3 · width] that a head reads by, behind ln_1: its gain, its mean. part: 0 of
 * queries, 1 of keys, 2 of values. */
static void read_columns(struct checkpoint *weights, size_t place, size_t part, double out[W][D])
{
    const size_t layer = place / HEADS, head = place % HEADS;
    const float *const w = gpt2_double_of_layer(weights, layer, "attn.c_attn.weight"),
                       *const gain = gpt2_double_of_layer(weights, layer, "ln_1.weight");
    for (size_t k = 0; k < D; k++) {
        double mean = 0;
        for (size_t c = 0; c < W; c++) {
            out[c][k] = (double)w[c * 3 * W + part * W + head * D + k] * (double)gain[c];
            mean += out[c][k] / W;
        }
        for (size_t c = 0; c < W; c++) {
            out[c][k] -= mean;
        }
    }
}

/* W_Q W_Kᵀ (by values false), or W_V W_O, into out [width][width]. */
static void make_square(struct checkpoint *weights, size_t place, bool by_values, double out[W][W])
{
    double left[W][D], right[W][D];
    const float *const w_o = gpt2_double_of_layer(weights, place / HEADS, "attn.c_proj.weight");
    read_columns(weights, place, by_values ? 2 : 0, left);
    read_columns(weights, place, 1, right);
    for (size_t r = 0; r < W; r++) {
        for (size_t c = 0; c < W; c++) {
            out[r][c] = 0;
            for (size_t k = 0; k < D; k++) {
                out[r][c] += left[r][k] * (by_values ? (double)w_o[(place % HEADS * D + k) * W + c]
                                                     : right[c][k]);
            }
        }
    }
}

static double length_of(double matrix[W][W])
{
    double square = 0;
    for (size_t i = 0; i < (size_t)W * W; i++) {
        square += matrix[i / W][i % W] * matrix[i / W][i % W];
    }
    return sqrt(square);
}

static void make_product(double a[W][W], double b[W][W], bool turned, double out[W][W])
{
    for (size_t r = 0; r < W; r++) {
        for (size_t c = 0; c < W; c++) {
            out[r][c] = 0;
            for (size_t k = 0; k < W; k++) {
                out[r][c] += a[r][k] * (turned ? b[c][k] : b[k][c]);
            }
        }
    }
}

/* Each head after each head of an earlier layer, and no others; all of them, or what one head takes
 * part in. */
static void composition_is_the_length_of_products_by_theirs(void **state)
{
    struct checkpoint weights;
    struct model *const model = open_model(tiny, NULL);
    (void)state;
    checkpoint_open(&weights, tiny);
    for (size_t asked = 0; asked <= ALL; asked++) {
        const size_t head = asked == ALL ? MODEL_EACH : asked;
        struct why_circuits got;
        assert_true(why_circuits_make(&(struct why_circuits_asked){.model = model, .head = head},
                                      &got, NULL));
        for (size_t p = 0; p < (size_t)ALL * ALL * WHY_READINGS; p++) {
            const enum why_reading reading = (enum why_reading)(p / ALL / ALL);
            const size_t from = p / ALL % ALL, to = p % ALL;
            double writes[W][W], reads[W][W], product[W][W];
            const double value = (double)got.composition[why_circuits_at(&got, reading, from, to)];
            if (from / HEADS >= to / HEADS || (head != MODEL_EACH && head != from && head != to)) {
                assert_true(isnan(value));
                continue;
            }
            make_square(&weights, from, true, writes);
            make_square(&weights, to, reading == WHY_BY_VALUES, reads);
            make_product(writes, reads, reading == WHY_BY_KEYS, product);
            const double wanted = length_of(product) / length_of(writes) / length_of(reads);
            if (!(fabs(value - wanted) <= 1e-6)) {
                fail_msg("%s of %zu after %zu: %.9g, expected %.9g", why_reading_name(reading), to,
                         from, value, wanted);
            }
        }
        why_circuits_free(&got);
    }
    model_close(model);
    checkpoint_close(&weights);
}

/* W_U through ln_f: out [width][vocabulary]. */
static void read_words(struct checkpoint *weights, double (*out)[V])
{
    const float *const wte = gpt2_double_tensor(weights, "wte.weight"), *const gain =
                                                                            gpt2_double_tensor(
                                                                                weights,
                                                                                "ln_f.weight");
    for (size_t v = 0; v < V; v++) {
        double mean = 0;
        for (size_t c = 0; c < W; c++) {
            mean += (double)gain[c] * (double)wte[v * W + c] / W;
        }
        for (size_t c = 0; c < W; c++) {
            out[c][v] = (double)gain[c] * (double)wte[v * W + c] - mean;
        }
    }
}

/* The whole matrix over the vocabulary, word by word. */
static void make_whole(struct checkpoint *weights, size_t place, bool by_values, double *out)
{
    static double words[W][V], half[V][W];
    double square[W][W];
    const float *const wte = gpt2_double_tensor(weights, "wte.weight");
    make_square(weights, place, by_values, square);
    read_words(weights, words);
    for (size_t i = 0; i < (size_t)V * W; i++) {
        half[i / W][i % W] = 0;
        for (size_t c = 0; c < W; c++) {
            half[i / W][i % W] += (double)wte[i / W * W + c] * square[c][i % W];
        }
    }
    for (size_t i = 0; i < (size_t)V * V; i++) {
        out[i] = 0;
        for (size_t c = 0; c < W; c++) {
            out[i] += half[i / V][c] * (by_values ? words[c][i % V] : (double)wte[i % V * W + c]);
        }
        out[i] *= by_values ? 1 : 1 / sqrt(D);
    }
}

static int descending(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return left > right ? -1 : left < right ? 1 : 0;
}

static void expect_whole(const struct why_over_words *got, double *wanted)
{
    assert_non_null(got->whole);
    assert_int_equal(got->pairs, WHY_PAIRS);
    for (size_t i = 0; i < (size_t)V * V; i++) {
        if (!(fabs((double)got->whole[i] - wanted[i]) <= 1e-5 * fmax(1, fabs(wanted[i])))) {
            fail_msg("pair %zu, %zu is %.9g, expected %.9g", i / V, i % V, (double)got->whole[i],
                     wanted[i]);
        }
    }
    for (size_t p = 0; p < WHY_PAIRS; p++) {
        const double top = wanted[got->top[p].from * V + got->top[p].to],
                     bottom = wanted[got->bottom[p].from * V + got->bottom[p].to];
        assert_true(fabs(got->top[p].value - top) <= 1e-5 * fmax(1, fabs(top)));
        assert_true(fabs(got->bottom[p].value - bottom) <= 1e-5 * fmax(1, fabs(bottom)));
    }
    qsort(wanted, (size_t)V * V, sizeof *wanted, descending);
    for (size_t p = 0; p < WHY_PAIRS; p++) {
        assert_true(fabs(got->top[p].value - wanted[p]) <= 1e-5 * fmax(1, fabs(wanted[p])));
        assert_true(fabs(got->bottom[p].value - wanted[V * V - 1 - p]) <=
                    1e-5 * fmax(1, fabs(wanted[p])));
    }
}

/* The copying score is that of the whole matrix, though only a small one is looked at; all heads at
 * once have the scores of each alone. */
static void a_head_over_the_vocabulary_is_the_product_of_its_factors(void **state)
{
    static double whole[V * V];
    struct checkpoint weights;
    struct model *const model = open_model(tiny, NULL);
    struct why_circuits all;
    (void)state;
    checkpoint_open(&weights, tiny);
    assert_true(why_circuits_make(
        &(struct why_circuits_asked){.model = model, .head = MODEL_EACH, .has_copying = true}, &all,
        NULL));
    for (size_t h = 0; h < ALL; h++) {
        struct why_circuit got;
        struct lab_engine engine = {NULL, NULL};
        assert_true(why_circuit_make(model, &engine, h / HEADS, h % HEADS, &got, NULL));
        assert_int_equal(got.sought, V);
        make_whole(&weights, h, true, whole);
        const double copying = why_copying_of(whole, V);
        if (!(fabs(got.copying - copying) <= 1e-5) || !(fabs(all.copying[h] - copying) <= 1e-5)) {
            fail_msg("head %zu copies %.9g, among all %.9g, expected %.9g", h, got.copying,
                     all.copying[h], copying);
        }
        expect_whole(&got.ov, whole);
        make_whole(&weights, h, false, whole);
        expect_whole(&got.qk, whole);
        why_circuit_free(&got);
    }
    why_circuits_free(&all);
    model_close(model);
    checkpoint_close(&weights);
}

static void families_whose_heads_are_no_such_matrices_say_why(void **state)
{
    static const struct {
        const char *family, *says;
    } cases[] = {{"bert", "norms the stream"}, {"deepseek-v2", "from a normed latent"}};
    char path[4096];
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        struct why_circuits got;
        snprintf(path, sizeof path, "%s/../fixtures/%s", tiny, cases[c].family);
        struct model *const model = open_model(path, NULL);
        assert_false(why_circuits_make(
            &(struct why_circuits_asked){.model = model, .head = MODEL_EACH}, &got, &error));
        assert_non_null(strstr(error.text, cases[c].says));
        model_close(model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_eigenvalues_are_those_that_went_in),
        cmocka_unit_test(composition_is_the_length_of_products_by_theirs),
        cmocka_unit_test(a_head_over_the_vocabulary_is_the_product_of_its_factors),
        cmocka_unit_test(families_whose_heads_are_no_such_matrices_say_why),
    };
    tiny = argc > 1 ? argv[1] : "tests/model/tiny";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
