/* tests/learn/sentence.c — a sentence that is looked at has the numbers of training, and each of
 * its gradients follows from the next by the chain rule. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../block_check.h"
#include "attn/attn.h"
#include "learn/activations.h"
#include "learn/block.h"
#include "learn/experiment.h"
#include "shapes.h"

enum { N = 6, FLOATS_MAX = 20000 };

static const struct learn_shape shapes[] = {
    SHAPE(GPT2, 2, 3, 12, 4, 9, 11, 20, .norm = true, .tied = true, .causal = true),
    SHAPE(LLAMA, 2, 2, 12, 6, 9, 11, 10, .norm = true, .causal = true, .theta = 100),
    SHAPE(GPT2, 1, 2, 12, 6, 9, 11, 0, .norm = false),
    SHAPE(LLAMA, 2, 2, 12, 6, 9, 11, 10, .norm = true, .causal = true, .theta = 100,
          .smear = 0.25F),
};

static const int32_t tokens[N] = {3, 1, 4, 1, 5, 9}, targets[N] = {1, 4, -1, 5, 9, 2};

static struct learn_network *open_network(const struct learn_shape *shape, float *weights)
{
    struct error error = {0};
    struct learn_network *const network = learn_network_open(shape, NULL, &error);
    assert_non_null(network);
    assert_true(learn_network_tensors(network)->floats <= FLOATS_MAX);
    learn_initial_values(shape, 7, 0.5F, weights);
    return network;
}

static void numbers_are_those_of_training(void **state)
{
    (void)state;
    static float weights[FLOATS_MAX], gradient[FLOATS_MAX];
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        float logits[N * 11];
        struct error error = {0};
        struct learn_result result;
        struct learn_network *const network = open_network(&shapes[s], weights);
        const struct learn_batch batch = {1, N, tokens, targets};
        assert_true(learn_network_run(network, weights, &batch, gradient, logits, &result, &error));
        struct learn_activations *const sentence =
            learn_activations_make(network, weights, tokens, targets, N, &error);
        assert_non_null(sentence);
        const struct lab_matrix seen = learn_activations_part(sentence, LEARN_LOGITS, 0, 0);
        assert_memory_equal(seen.values, logits, sizeof logits);
        assert_memory_equal(learn_activations_weights_gradient(sentence), gradient,
                            learn_network_tensors(network)->floats * sizeof *gradient);
        const struct learn_result looked = learn_activations_result(sentence);
        assert_memory_equal(&looked.loss, &result.loss, sizeof result.loss);
        assert_true(looked.asked == 5 && looked.right == result.right);
        float mean = 0;
        for (size_t i = 0; i < N; i++) {
            const struct lab_matrix p = learn_activations_part(sentence, LEARN_P, 0, 0);
            const float loss = targets[i] < 0 ? 0 : -logf(lab_matrix_at(&p, i, (size_t)targets[i]));
            assert_true(fabsf(loss - learn_activations_loss(sentence, i)) <= 1e-5F);
            mean += loss / 5;
        }
        assert_true(fabsf(mean - result.loss) <= 1e-5F);
        learn_activations_free(sentence);
        learn_network_close(network);
    }
}

static void assert_product(const char *name, struct lab_matrix out, struct lab_matrix a,
                           bool turn_a, struct lab_matrix b, bool turn_b)
{
    const size_t depth = turn_a ? a.rows : a.cols;
    for (size_t i = 0; i < out.rows; i++) {
        for (size_t j = 0; j < out.cols; j++) {
            double sum = 0, size = 1e-3;
            for (size_t p = 0; p < depth; p++) {
                const double term =
                    (double)(turn_a ? lab_matrix_at(&a, p, i) : lab_matrix_at(&a, i, p)) *
                    (double)(turn_b ? lab_matrix_at(&b, j, p) : lab_matrix_at(&b, p, j));
                sum += term;
                size += fabs(term);
            }
            if (!(fabs(sum - (double)lab_matrix_at(&out, i, j)) <= 1e-6 * size)) {
                fail_msg("%s %zu %zu: %g, %g expected", name, i, j,
                         (double)lab_matrix_at(&out, i, j), sum);
            }
        }
    }
}

/* dS′ = α ∘ (dα − Σ α dα) and dS = dS′ ÷ √d_k. */
static void assert_softmax(const struct learn_activations *sentence, size_t layer, size_t head)
{
    const struct lab_matrix alpha = learn_activations_part(sentence, LEARN_ALPHA, layer, head);
    const struct lab_matrix dalpha = learn_activations_gradient(sentence, LEARN_ALPHA, layer, head);
    const struct lab_matrix dscaled =
        learn_activations_gradient(sentence, LEARN_SCALED, layer, head);
    const struct lab_matrix dscores =
        learn_activations_gradient(sentence, LEARN_SCORES, layer, head);
    const double root = sqrt((double)learn_activations_shape(sentence)->d_k);
    for (size_t i = 0; i < N; i++) {
        double sum = 0;
        for (size_t j = 0; j < N; j++) {
            sum += (double)lab_matrix_at(&alpha, i, j) * (double)lab_matrix_at(&dalpha, i, j);
        }
        for (size_t j = 0; j < N; j++) {
            const double known =
                (double)lab_matrix_at(&alpha, i, j) * ((double)lab_matrix_at(&dalpha, i, j) - sum);
            assert_true(fabs(known - (double)lab_matrix_at(&dscaled, i, j)) <= 1e-6);
            assert_true(fabs(known / root - (double)lab_matrix_at(&dscores, i, j)) <= 1e-6);
        }
    }
}

static void each_gradient_follows_from_the_next(void **state)
{
    (void)state;
    static float weights[FLOATS_MAX];
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        struct error error = {0};
        struct learn_network *const network = open_network(&shapes[s], weights);
        struct learn_activations *const of =
            learn_activations_make(network, weights, tokens, targets, N, &error);
        assert_non_null(of);
        for (size_t l = 0; l < shapes[s].layers; l++) {
            for (size_t h = 0; h < shapes[s].heads; h++) {
                assert_product("S", learn_activations_part(of, LEARN_SCORES, l, h),
                               learn_activations_part(of, LEARN_Q, l, h), false,
                               learn_activations_part(of, LEARN_K, l, h), true);
                assert_product("Z", learn_activations_part(of, LEARN_Z, l, h),
                               learn_activations_part(of, LEARN_ALPHA, l, h), false,
                               learn_activations_part(of, LEARN_V, l, h), false);
                assert_product("dα", learn_activations_gradient(of, LEARN_ALPHA, l, h),
                               learn_activations_gradient(of, LEARN_Z, l, h), false,
                               learn_activations_part(of, LEARN_V, l, h), true);
                assert_product("dV", learn_activations_gradient(of, LEARN_V, l, h),
                               learn_activations_part(of, LEARN_ALPHA, l, h), true,
                               learn_activations_gradient(of, LEARN_Z, l, h), false);
                assert_softmax(of, l, h);
                assert_product("dQ", learn_activations_gradient(of, LEARN_Q, l, h),
                               learn_activations_gradient(of, LEARN_SCORES, l, h), false,
                               learn_activations_part(of, LEARN_K, l, h), false);
                assert_product("dK", learn_activations_gradient(of, LEARN_K, l, h),
                               learn_activations_gradient(of, LEARN_SCORES, l, h), true,
                               learn_activations_part(of, LEARN_Q, l, h), false);
            }
        }
        learn_activations_free(of);
        learn_network_close(network);
    }
}

static void what_is_not_asked_has_no_gradient(void **state)
{
    (void)state;
    static float weights[FLOATS_MAX];
    struct error error = {0};
    struct learn_network *const network = open_network(&shapes[0], weights);
    struct learn_activations *const of =
        learn_activations_make(network, weights, tokens, NULL, N, &error);
    assert_non_null(of);
    for (enum learn_part part = 0; part < LEARN_PARTS; part++) {
        const struct lab_matrix matrix = learn_activations_gradient(of, part, 0, 0);
        for (size_t i = 0; matrix.values != NULL && i < matrix.rows * matrix.cols; i++) {
            assert_true(lab_matrix_at(&matrix, i / matrix.cols, i % matrix.cols) == 0);
        }
    }
    assert_true(learn_activations_part(of, LEARN_MLP_GATE, 0, 0).values == NULL);
    learn_activations_free(of);
    learn_network_close(network);
}

static void assert_alike(const char *name, struct lab_matrix a, struct lab_matrix b)
{
    assert_int_equal(a.rows, b.rows);
    assert_int_equal(a.cols, b.cols);
    for (size_t i = 0; i < a.rows * a.cols; i++) {
        const float x = lab_matrix_at(&a, i / a.cols, i % a.cols);
        const float y = lab_matrix_at(&b, i / a.cols, i % a.cols);
        if (!(fabsf(x - y) <= 2e-6F * fmaxf(1, fabsf(x)))) {
            fail_msg("%s, cell %zu: %g and %g", name, i, (double)x, (double)y);
        }
    }
}

static void a_layer_is_an_experiment_of_the_lab(void **state)
{
    (void)state;
    static float weights[FLOATS_MAX];
    static const char *const words[N] = {"the", "man", "buys", "a", "hammer", "."};
    static const bool off[2][LEARN_HEADS_MAX] = {{false, true}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        struct error error = {0};
        struct learn_network *const network = open_network(&shapes[s], weights);
        learn_network_switch_head(network, 0, 1, false);
        struct learn_activations *const of =
            learn_activations_make(network, weights, tokens, targets, N, &error);
        for (size_t l = 0; l < shapes[s].layers; l++) {
            const struct learn_layer_view view = {of, weights, off, words, l};
            struct lab_trace *const trace = learn_trace(&view, NULL, &error);
            if (trace == NULL) {
                fail_msg("%s", error.text);
            }
            for (size_t h = 0; h < shapes[s].heads; h++) {
                assert_alike("Q", learn_activations_part(of, LEARN_Q, l, h),
                             lab_trace_part(trace, LAB_Q, h));
                assert_alike("K", learn_activations_part(of, LEARN_K_TURNED, l, h),
                             lab_trace_part(trace, LAB_K, h));
                if (shapes[s].smear > 0) {
                    assert_alike("Kₛ", learn_activations_part(of, LEARN_K, l, h),
                                 lab_trace_part(trace, LAB_K_SMEARED, h));
                }
                assert_alike("V", learn_activations_part(of, LEARN_V, l, h),
                             lab_trace_part(trace, LAB_V, h));
                assert_alike("α", learn_activations_part(of, LEARN_ALPHA, l, h),
                             lab_trace_part(trace, LAB_ALPHA, h));
            }
            assert_alike("O", learn_activations_part(of, LEARN_O, l, 0),
                         lab_trace_part(trace, LAB_OUTPUT_O, 0));
            assert_string_equal(lab_trace_queries(trace)[4], "hammer");
            lab_trace_release(trace);
        }
        learn_activations_free(of);
        learn_network_close(network);
    }
}

static void a_layer_around_its_attention_is_spelled_out(void **state)
{
    (void)state;
    static float weights[FLOATS_MAX];
    static const char *const words[11] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        struct error error = {0};
        struct learn_network *const network = open_network(&shapes[s], weights);
        struct learn_activations *const sentence =
            learn_activations_make(network, weights, tokens, targets, N, &error);
        for (size_t layer = 0; layer < shapes[s].layers; layer++) {
            const struct learn_layer_view view = {
                .sentence = sentence, .weights = weights, .words = words, .layer = layer};
            struct lab_block *const block = learn_block(&view, words, &error);
            assert_non_null(block);
            const size_t y = lab_block_find(block, "y");
            const struct lab_matrix next =
                learn_activations_part(sentence, LEARN_RESIDUAL, layer + 1, 0);
            for (size_t i = 0; i < N; i++) {
                assert_memory_equal(lab_block_step(block, y)->values + i * next.cols,
                                    next.values + i * next.stride, next.cols * sizeof *next.values);
            }
            block_check_steps(block);
            block_check_neurons(block);
            size_t count = 0;
            assert_int_equal(lab_block_words(block, N - 1, &count) != NULL,
                             layer + 1 == shapes[s].layers);
            lab_block_release(block);
        }
        learn_activations_free(sentence);
        learn_network_close(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_training),
        cmocka_unit_test(each_gradient_follows_from_the_next),
        cmocka_unit_test(what_is_not_asked_has_no_gradient),
        cmocka_unit_test(a_layer_is_an_experiment_of_the_lab),
        cmocka_unit_test(a_layer_around_its_attention_is_spelled_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
