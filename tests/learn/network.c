/* tests/learn/network.c — the gradient of a whole network is that of central differences in
 * float64, float32 follows it, and neither threads nor sets change a bit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attn/attn.h"
#include "base/random.h"
#include "learn/network.h"
#include "learn/pass.h"
#include "network_double.h"
#include "shapes.h"

enum { FLOATS_MAX = 20000, ROWS_MAX = 4096 };

struct trial {
    const char *name;
    struct learn_shape shape;
    size_t sequences, length;
    bool off; /* the last head of the last layer is off */
};

/* Everything that changes what is computed, at sizes that are no whole number of lanes. */
static const struct trial trials[] = {
    {"gpt2 with MLP",
     SHAPE(GPT2, 2, 3, 12, 4, 9, 11, 20, .norm = true, .tied = true, .causal = true), 3, 7, false},
    {"gpt2 without MLP, bidirectional", SHAPE(GPT2, 1, 2, 10, 5, 8, 7, 0, .norm = true), 4, 8,
     false},
    {"gpt2 without norm", SHAPE(GPT2, 1, 4, 12, 3, 3, 10, 24, .causal = true), 9, 3, false},
    {"gpt2 without norm and MLP, a head off",
     SHAPE(GPT2, 2, 2, 8, 4, 6, 6, 0, .tied = true, .causal = true), 3, 6, true},
    {"llama with MLP",
     SHAPE(LLAMA, 2, 2, 12, 6, 9, 11, 10, .norm = true, .tied = true, .causal = true, .theta = 100),
     3, 9, false},
    {"llama without MLP, a head off",
     SHAPE(LLAMA, 2, 3, 9, 4, 8, 7, 0, .norm = true, .causal = true, .theta = 10000), 3, 6, true},
    {"gpt2 of smeared keys",
     SHAPE(GPT2, 2, 2, 8, 4, 6, 6, 12, .norm = true, .causal = true, .smear = 0.25F), 3, 6, false},
    {"llama of smeared keys, bidirectional",
     SHAPE(LLAMA, 1, 2, 8, 6, 5, 9, 5, .norm = true, .tied = true, .theta = 50, .smear = 0.625F), 4,
     5, false},
    {"llama without norm, bidirectional", SHAPE(LLAMA, 1, 1, 7, 8, 5, 9, 5, .theta = 50), 5, 5,
     false},
};

enum { TRIALS = sizeof trials / sizeof trials[0] };

/* A batch whose every third position is not asked. */
static void draw_batch(const struct trial *trial, int32_t *tokens, int32_t *targets)
{
    struct random random;
    random_start(&random, 5, trial->name);
    for (size_t i = 0; i < trial->sequences * trial->length; i++) {
        tokens[i] = (int32_t)(random_bits(&random) % trial->shape.vocabulary);
        targets[i] = i % 3 == 1 ? -1 : (int32_t)(random_bits(&random) % trial->shape.vocabulary);
    }
}

/* Every weight some number, gains and biases too. */
static void draw_weights(const struct learn_shape *shape, float *weights)
{
    struct learn_tensors tensors;
    struct random random;
    learn_tensors_list(shape, &tensors);
    assert_true(tensors.floats <= FLOATS_MAX);
    learn_initial_values(shape, 3, 0.4F, weights);
    random_start(&random, 4, "vectors");
    for (size_t t = 0; t < tensors.count; t++) {
        for (size_t i = 0; tensors.tensor[t].rank == 1 && i < tensors.tensor[t].cols; i++) {
            weights[tensors.tensor[t].offset + i] += (float)(0.3 * random_normal(&random));
        }
    }
}

static struct double_network double_of(const struct trial *trial)
{
    const struct learn_shape *const shape = &trial->shape;
    struct double_network of = {shape->family == LEARN_LLAMA,
                                shape->norm,
                                shape->tied,
                                shape->causal,
                                shape->layers,
                                shape->heads,
                                shape->d_model,
                                shape->d_k,
                                shape->context,
                                shape->vocabulary,
                                shape->inner,
                                0,
                                (double)shape->theta,
                                (double)shape->smear,
                                {{0}},
                                {{false}}};
    struct learn_tensors tensors;
    learn_tensors_list(shape, &tensors);
    of.floats = tensors.floats;
    for (size_t l = 0; l < shape->layers; l++) {
        for (size_t role = 0; role < LEARN_ROLES; role++) {
            const struct learn_tensor *const tensor =
                learn_tensors_find(&tensors, (enum learn_role)role, l);
            of.at[l][role] = tensor == NULL ? LEARN_ABSENT : tensor->offset;
        }
    }
    of.off[shape->layers - 1][shape->heads - 1] = trial->off;
    return of;
}

static double largest(const double *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(values[i]));
    }
    return most;
}

static void the_gradient_is_that_of_central_differences(void **state)
{
    (void)state;
    static float weights[FLOATS_MAX];
    static double exact[FLOATS_MAX], gradient[FLOATS_MAX];
    static int32_t tokens[ROWS_MAX], targets[ROWS_MAX];
    for (size_t t = 0; t < TRIALS; t++) {
        const struct trial *const trial = &trials[t];
        const struct double_network of = double_of(trial);
        const double step = 2e-4;
        draw_batch(trial, tokens, targets);
        draw_weights(&trial->shape, weights);
        for (size_t i = 0; i < of.floats; i++) {
            exact[i] = (double)weights[i];
        }
        (void)double_network_run(&of, exact, trial->sequences, trial->length, tokens, targets,
                                 gradient);
        const double size = largest(gradient, of.floats);
        for (size_t i = 0; i < of.floats; i++) {
            static const double by[] = {1, -1, 2, -2};
            const double at = exact[i];
            double loss[4];
            for (size_t k = 0; k < 4; k++) {
                exact[i] = at + by[k] * step;
                loss[k] = double_network_run(&of, exact, trial->sequences, trial->length, tokens,
                                             targets, NULL);
            }
            exact[i] = at;
            const double slope = (8 * (loss[0] - loss[1]) - (loss[2] - loss[3])) / (12 * step);
            if (!(fabs(slope - gradient[i]) <= 1e-6 * size)) {
                fail_msg("%s, weight %zu: %.12g, by differences %.12g", trial->name, i, gradient[i],
                         slope);
            }
        }
    }
}

static struct learn_network *open_network(const struct trial *trial,
                                          const struct lab_engine *engine)
{
    struct error error = {0};
    struct learn_network *const network = learn_network_open(&trial->shape, engine, &error);
    if (network == NULL) {
        fail_msg("%s: %s", trial->name, error.text);
    }
    learn_network_switch_head(network, trial->shape.layers - 1, trial->shape.heads - 1,
                              !trial->off);
    return network;
}

static struct learn_result run(struct learn_network *network, const float *weights,
                               const struct learn_batch *batch, float *gradient, float *logits)
{
    struct learn_result result;
    struct error error = {0};
    if (!learn_network_run(network, weights, batch, gradient, logits, &result, &error)) {
        fail_msg("%s", error.text);
    }
    return result;
}

static void float32_follows(void **state)
{
    (void)state;
    static float weights[FLOATS_MAX], gradient[FLOATS_MAX];
    static double exact[FLOATS_MAX], known[FLOATS_MAX];
    static int32_t tokens[ROWS_MAX], targets[ROWS_MAX];
    for (size_t t = 0; t < TRIALS; t++) {
        const struct trial *const trial = &trials[t];
        const struct double_network of = double_of(trial);
        draw_batch(trial, tokens, targets);
        draw_weights(&trial->shape, weights);
        for (size_t i = 0; i < of.floats; i++) {
            exact[i] = (double)weights[i];
        }
        const double loss =
            double_network_run(&of, exact, trial->sequences, trial->length, tokens, targets, known);
        struct learn_network *const network = open_network(trial, NULL);
        const struct learn_batch batch = {trial->sequences, trial->length, tokens, targets};
        const struct learn_result result = run(network, weights, &batch, gradient, NULL);
        assert_true(fabs((double)result.loss - loss) <= 1e-5);
        const double size = largest(known, of.floats);
        for (size_t i = 0; i < of.floats; i++) {
            if (!(fabs((double)gradient[i] - known[i]) <= 1e-5 * size)) {
                fail_msg("%s, weight %zu: %.9g, in float64 %.12g", trial->name, i,
                         (double)gradient[i], known[i]);
            }
        }
        learn_network_close(network);
    }
}

/* Large enough for several groups of several parts, and threads that are woken. */
static const struct trial large[] = {
    {"gpt2, many rows",
     SHAPE(GPT2, 2, 4, 32, 8, 32, 29, 64, .norm = true, .tied = true, .causal = true), 67, 32,
     false},
    {"llama, many rows",
     SHAPE(LLAMA, 1, 2, 32, 16, 33, 29, 48, .norm = true, .causal = true, .theta = 100), 67, 33,
     false},
};

static void neither_threads_nor_sets_change_a_bit(void **state)
{
    (void)state;
    static float weights[2 * FLOATS_MAX], first[2 * FLOATS_MAX], again[2 * FLOATS_MAX];
    static int32_t tokens[ROWS_MAX], targets[ROWS_MAX];
    static const size_t threads[] = {1, 2, 3, 16};
    for (size_t t = 0; t < sizeof large / sizeof large[0]; t++) {
        const struct trial *const trial = &large[t];
        struct learn_tensors tensors;
        struct learn_result was = {0};
        learn_tensors_list(&trial->shape, &tensors);
        assert_true(tensors.floats <= 2 * FLOATS_MAX);
        draw_batch(trial, tokens, targets);
        learn_initial_values(&trial->shape, 3, 0.4F, weights);
        const struct learn_batch batch = {trial->sequences, trial->length, tokens, targets};
        for (size_t set = 0; attn_kernels_at(set) != NULL; set++) {
            for (size_t w = 0; w < sizeof threads / sizeof threads[0]; w++) {
                if (strcmp(attn_kernels_name(attn_kernels_at(set)), "ref") == 0 && w > 1) {
                    continue;
                }
                const struct lab_engine engine = {attn_kernels_at(set), attn_pool_open(threads[w])};
                struct learn_network *const network = open_network(trial, &engine);
                const struct learn_result result =
                    run(network, weights, &batch, set + w == 0 ? first : again, NULL);
                if (set + w == 0) {
                    was = result;
                } else {
                    assert_memory_equal(&was.loss, &result.loss, sizeof was.loss);
                    assert_int_equal(was.right, result.right);
                    assert_memory_equal(first, again, tensors.floats * sizeof *first);
                }
                learn_network_close(network);
                attn_pool_close(engine.pool);
            }
        }
    }
}

/* Where logits are asked for, the last layer has all rows; else those alone that have a target. */
static void rows_that_nobody_asks_for_change_no_bit(void **state)
{
    (void)state;
    static float weights[FLOATS_MAX], gradient[2][FLOATS_MAX];
    static float logits[ROWS_MAX];
    static int32_t tokens[ROWS_MAX], targets[ROWS_MAX];
    for (size_t t = 0; t < TRIALS; t++) {
        const struct trial *const trial = &trials[t];
        struct learn_result result[2];
        struct error error = {ERROR_NONE, 0, ""};
        struct learn_network *const network = learn_network_open(&trial->shape, NULL, &error);
        const size_t floats = learn_network_tensors(network)->floats;
        draw_weights(&trial->shape, weights);
        draw_batch(trial, tokens, targets);
        const struct learn_batch batch = {trial->sequences, trial->length, tokens, targets};
        assert_true(trial->sequences * trial->length * trial->shape.vocabulary <= ROWS_MAX);
        assert_true(
            learn_network_run(network, weights, &batch, gradient[0], NULL, &result[0], &error));
        assert_true(
            learn_network_run(network, weights, &batch, gradient[1], logits, &result[1], &error));
        assert_memory_equal(gradient[0], gradient[1], floats * sizeof(float));
        assert_true(result[0].loss == result[1].loss && result[0].right == result[1].right);
        learn_network_close(network);
    }
}

static void a_batch_of_another_size_gives_what_it_gives_alone(void **state)
{
    (void)state;
    static float weights[FLOATS_MAX], gradient[FLOATS_MAX], alone[FLOATS_MAX];
    static float logits[ROWS_MAX], same[ROWS_MAX];
    static int32_t tokens[ROWS_MAX], targets[ROWS_MAX];
    const struct trial *const trial = &trials[0];
    struct learn_tensors tensors;
    learn_tensors_list(&trial->shape, &tensors);
    draw_batch(trial, tokens, targets);
    draw_weights(&trial->shape, weights);
    struct learn_network *const network = open_network(trial, NULL);
    const struct learn_batch all = {trial->sequences, trial->length, tokens, targets};
    const struct learn_batch one = {1, 4, tokens, targets}, free_run = {1, 4, tokens, NULL};
    (void)run(network, weights, &one, alone, logits);
    (void)run(network, weights, &all, gradient, NULL);
    (void)run(network, weights, &one, gradient, same);
    assert_memory_equal(gradient, alone, tensors.floats * sizeof *alone);
    assert_memory_equal(logits, same, 4 * trial->shape.vocabulary * sizeof *logits);
    const struct learn_result nothing = run(network, weights, &free_run, gradient, same);
    assert_memory_equal(logits, same, 4 * trial->shape.vocabulary * sizeof *logits);
    assert_true(nothing.asked == 0 && nothing.loss == 0 && gradient[0] == 0);
    learn_network_close(network);
}

static void what_does_not_fit_is_refused_in_a_sentence(void **state)
{
    (void)state;
    static const struct learn_shape fine =
        SHAPE(GPT2, 1, 2, 8, 4, 6, 6, 0, .norm = true, .tied = true, .causal = true);
    const int32_t token[7] = {0, 1, 2, 3, 4, 6, 0};
    float weights[1000] = {0};
    struct learn_result result;
    struct error error = {0};
    struct learn_shape bad = fine;
    bad.heads = 3;
    assert_null(learn_network_open(&bad, NULL, &error));
    assert_string_equal(error.text, "d_model 8 is not 3 heads of d_k 4: in the family gpt2 heads "
                                    "times d_k is d_model.");
    bad = fine;
    bad.family = LEARN_LLAMA;
    bad.theta = 10;
    bad.d_k = 3;
    assert_null(learn_network_open(&bad, NULL, &error));
    assert_non_null(strstr(error.text, "even number"));
    struct learn_network *const network = learn_network_open(&fine, NULL, &error);
    assert_non_null(network);
    const struct learn_batch long_one = {1, 7, token, NULL}, unknown = {1, 6, token, NULL};
    assert_false(learn_network_run(network, weights, &long_one, NULL, NULL, &result, &error));
    assert_string_equal(error.text,
                        "A sequence of 7 tokens does not fit: this network reads from 1 to 6.");
    assert_false(learn_network_run(network, weights, &unknown, NULL, NULL, &result, &error));
    assert_string_equal(error.text,
                        "Token 6 is not in the vocabulary, whose 6 tokens count from 0.");
    learn_network_close(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gradient_is_that_of_central_differences),
        cmocka_unit_test(float32_follows),
        cmocka_unit_test(neither_threads_nor_sets_change_a_bit),
        cmocka_unit_test(rows_that_nobody_asks_for_change_no_bit),
        cmocka_unit_test(a_batch_of_another_size_gives_what_it_gives_alone),
        cmocka_unit_test(what_does_not_fit_is_refused_in_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
