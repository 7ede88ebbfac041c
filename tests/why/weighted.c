/* Weights by what they carry, and rollout, beside float64. */
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
#include "why/weighted.h"

static const char *tiny;

enum { N = 7, W = DOUBLE_WIDTH, D = DOUBLE_D, LAYERS = DOUBLE_LAYERS, HEADS = DOUBLE_HEADS };

static const uint32_t words[N] = {17, 4, 99, 4, 250, 31, 8};
static struct gpt2_double reference;

static double length_of(struct checkpoint *weights, size_t layer, size_t head, size_t j,
                        bool through)
{
    const double *const v = reference.v[layer][head][j];
    const float *const w_o = gpt2_double_of_layer(weights, layer, "attn.c_proj.weight");
    double square = 0;
    for (size_t k = 0; !through && k < D; k++) {
        square += v[k] * v[k];
    }
    for (size_t c = 0; through && c < W; c++) {
        double sum = 0;
        for (size_t k = 0; k < D; k++) {
            sum += v[k] * (double)w_o[(head * D + k) * W + c];
        }
        square += sum * sum;
    }
    return sqrt(square);
}

static void weights_are_weighed_by_what_they_carry(void **state)
{
    static float got[LAYERS * HEADS * N * N], rollout[LAYERS * N * N];
    static double wanted[LAYERS][N][N];
    struct checkpoint weights;
    struct model *const model = open_model(tiny, NULL);
    struct model_run *const run =
        model_run_start(model, &(struct model_request){.ids = words, .count = N}, NULL);
    (void)state;
    checkpoint_open(&weights, tiny);
    gpt2_double_run(&weights, words, N, model_no_interventions, &reference);
    for (size_t by = 0; by < 2; by++) {
        assert_true(why_weighted_make(run, model, (enum why_weighted)by, got, NULL));
        for (size_t p = 0; p < (size_t)LAYERS * HEADS * N * N; p++) {
            const size_t l = p / (HEADS * N * N), h = p / (N * N) % HEADS, i = p / N % N, j = p % N;
            const double expected =
                reference.alpha[l][h][i][j] * length_of(&weights, l, h, j, by == 1);
            assert_true(fabs((double)got[p] - expected) < 1e-4);
        }
    }
    assert_true(why_rollout(run, model, rollout, NULL));
    for (size_t l = 0; l < LAYERS; l++) {
        for (size_t p = 0; p < (size_t)N * N; p++) {
            const size_t i = p / N, j = p % N;
            for (size_t k = 0; k < N; k++) {
                double mean = i == k ? 0.5 : 0;
                for (size_t h = 0; h < HEADS; h++) {
                    mean += reference.alpha[l][h][i][k] / 2 / HEADS;
                }
                wanted[l][i][j] += mean * (l > 0 ? wanted[l - 1][k][j] : k == j ? 1 : 0);
            }
            assert_true(fabs((double)rollout[l * N * N + p] - wanted[l][i][j]) < 1e-5);
        }
    }
    model_run_close(run);
    model_close(model);
    checkpoint_close(&weights);
}

/* So few words that a cell of a picture is one number. */
static void pictures_of_heads_are_weighed_alike(void **state)
{
    static float wanted[LAYERS * HEADS * N * N];
    struct model *const model = open_model(tiny, NULL);
    struct model_run *const run =
        model_run_start(model, &(struct model_request){.ids = words, .count = N}, NULL);
    (void)state;
    for (size_t by = 0; by < 2; by++) {
        struct lab_engine engine = {NULL, NULL};
        struct lab_thumbnails *thumbnails = NULL;
        assert_true(by == 0 || lab_engine_open(&engine, NULL, 3, NULL));
        assert_true(why_weighted_make(run, model, (enum why_weighted)by, wanted, NULL));
        for (size_t l = 0; l < LAYERS; l++) {
            assert_true(why_weighted_look(run, model, (enum why_weighted)by, &engine, l,
                                          &thumbnails, NULL));
        }
        assert_true(lab_thumbnails_take(thumbnails));
        assert_int_equal(lab_thumbnails_ready(thumbnails), LAYERS);
        for (size_t p = 0; p < (size_t)LAYERS * HEADS * N * N; p++) {
            const size_t head = p / (N * N);
            const float *const cells =
                lab_thumbnails_head(thumbnails, head / HEADS, head % HEADS).largest;
            assert_memory_equal(&cells[p % (N * N)], &wanted[p], sizeof wanted[p]);
        }
        lab_thumbnails_release(thumbnails);
        lab_engine_close(&engine);
    }
    model_run_close(run);
    model_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_weighed_by_what_they_carry),
        cmocka_unit_test(pictures_of_heads_are_weighed_alike),
    };
    tiny = argc > 1 ? argv[1] : "tests/model/tiny";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
