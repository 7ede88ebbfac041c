/* tests/learn/explain.c — every formula of a gradient, a loss and a step, computed from the numbers
 * that are written, comes to what is written behind it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../formula_value.h"
#include "learn/explain.h"
#include "shapes.h"

enum { N = 5, FLOATS_MAX = 20000, TEXT = 1 << 16 };

static const struct learn_shape shapes[] = {
    SHAPE_FULL,
    SHAPE_TURNED,
    SHAPE_PLAIN,
    SHAPE(GPT2, 1, 2, 6, 3, 6, 7, 4, .norm = true, .tied = true, .causal = true, .smear = 0.25F),
    SHAPE(LLAMA, 1, 2, 6, 4, 6, 7, 0, .norm = true, .tied = true, .causal = true, .theta = 100,
          .smear = 0.75F),
};

static const int32_t tokens[N] = {3, 1, 4, 1, 5}, targets[N] = {1, 4, -1, 5, 2};
static const char *const words[N] = {"cat", "dog", "hammer", "dog", "saw"};

/* Written with three digits an operand: the sum of the sizes of what is added decides. */
static void assert_comes_to(const struct lab_explanation *of, double known, double slack)
{
    static char text[TEXT];
    size_t length = 0;
    for (size_t i = 0; i < of->pieces; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s", of->piece[i].text);
    }
    assert_true(of->pieces > 2 && of->piece[of->pieces - 1].role == LAB_ROLE_RESULT);
    assert_true(strlen(of->title) > 0 && strlen(of->sentence) > 10);
    if (strstr(text, "dL/d") == text) {
        return; /* says which other gradient it is */
    }
    const char *at = text;
    const double left = formula_sum(&at);
    if (!formula_took(&at, "=") || !(fabs(left - known) <= slack)) {
        fail_msg("%s: %s is %g, not %g", of->title, text, left, known);
    }
    const double right = formula_sum(&at); /* a second form, or the result */
    if (!(fabs(right - known) <= slack)) {
        fail_msg("%s: %s is %g, not %g", of->title, text, right, known);
    }
}

static double largest(struct lab_matrix matrix)
{
    double most = 0;
    for (size_t i = 0; i < matrix.rows * matrix.cols; i++) {
        most = fmax(most, fabs((double)lab_matrix_at(&matrix, i / matrix.cols, i % matrix.cols)));
    }
    return most;
}

/* ---- tests --------------------------------------------------------------------------------- */

struct stage {
    struct learn_network *network;
    struct learn_activations *sentence;
};

static float weights[FLOATS_MAX];

static struct stage open_stage(const struct learn_shape *shape)
{
    struct error error = {0};
    struct stage stage = {.network = learn_network_open(shape, NULL, &error)};
    assert_non_null(stage.network);
    learn_initial_values(shape, 7, 0.5F, weights);
    stage.sentence = learn_activations_make(stage.network, weights, tokens, targets, N, &error);
    assert_non_null(stage.sentence);
    return stage;
}

static void close_stage(struct stage *stage)
{
    learn_activations_free(stage->sentence);
    learn_network_close(stage->network);
}

static void every_gradient_is_what_its_operands_make(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        struct stage stage = open_stage(&shapes[s]);
        struct arena arena = {0};
        for (size_t l = 0; l <= shapes[s].layers; l++) {
            const struct learn_layer_view view = {stage.sentence, weights, NULL, words, l};
            for (enum learn_part part = 0; part < LEARN_PARTS; part++) {
                const struct lab_matrix all =
                    learn_activations_gradient(stage.sentence, part, l, 1);
                const size_t cells = all.values == NULL ? 0 : all.rows * all.cols;
                if (part != LEARN_RESIDUAL && l == shapes[s].layers) {
                    continue;
                }
                for (size_t i = 0; i < cells; i++) {
                    const size_t row = i / all.cols, col = i % all.cols;
                    const struct lab_explanation of =
                        learn_explain_gradient(&view, part, 1, row, col, 99, &arena);
                    assert_comes_to(&of, (double)lab_matrix_at(&all, row, col),
                                    0.02 * largest(all) + 1e-9);
                }
                arena_reset(&arena);
            }
        }
        arena_free(&arena);
        close_stage(&stage);
    }
}

static void every_weight_learns_what_its_positions_say(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        struct stage stage = open_stage(&shapes[s]);
        struct arena arena = {0};
        const struct learn_tensors *const tensors = learn_network_tensors(stage.network);
        const float *const gradient = learn_activations_weights_gradient(stage.sentence);
        const struct learn_layer_view view = {stage.sentence, weights, NULL, words, 0};
        for (size_t t = 0; t < tensors->count; t++) {
            const struct learn_tensor *const of = &tensors->tensor[t];
            const struct lab_matrix all = {.rows = of->rows,
                                           .cols = of->cols,
                                           .stride = of->cols,
                                           .values = gradient + of->offset};
            for (size_t i = 0; i < of->rows * of->cols; i++) {
                const struct lab_explanation said =
                    learn_explain_weight(&view, t, i / of->cols, i % of->cols, 99, &arena);
                assert_comes_to(&said, (double)all.values[i], 0.02 * largest(all) + 1e-9);
            }
            arena_reset(&arena);
        }
        arena_free(&arena);
        close_stage(&stage);
    }
}

static void a_loss_is_said_by_its_share_and_its_logits(void **state)
{
    (void)state;
    struct stage stage = open_stage(&shapes[0]);
    struct arena arena = {0};
    const struct lab_explanation of = learn_explain_loss(stage.sentence, 1, "hammer", &arena);
    assert_comes_to(&of, (double)learn_activations_loss(stage.sentence, 1), 0.02);
    assert_string_equal(of.title, "loss = −log p(hammer) = log Σ exp(logit) − logit(hammer)");
    const struct lab_explanation none = learn_explain_loss(stage.sentence, 2, "", &arena);
    assert_string_equal(none.sentence, "Nothing is asked here: this place has no loss.");
    arena_free(&arena);
    close_stage(&stage);
}

/* Where the pass ends: each logit is its products, each share is what its logit makes. */
static void logits_and_shares_are_said_by_their_operands(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct stage stage = open_stage(&shapes[s]);
        struct arena arena = {0};
        const struct learn_layer_view view = {stage.sentence, weights, NULL, words, 0};
        const struct lab_matrix z = learn_activations_part(stage.sentence, LEARN_LOGITS, 0, 0);
        const struct lab_matrix p = learn_activations_part(stage.sentence, LEARN_P, 0, 0);
        for (size_t id = 0; id < z.cols; id++) {
            const struct lab_explanation logit = learn_explain_logit(&view, 1, id, "w", 99, &arena);
            assert_comes_to(&logit, (double)lab_matrix_at(&z, 1, id), 0.02);
            const struct lab_explanation share =
                learn_explain_share(stage.sentence, 1, id, "w", &arena);
            const double known = (double)lab_matrix_at(&p, 1, id);
            assert_true(share.piece[share.pieces - 1].role == LAB_ROLE_RESULT);
            assert_true(fabs(strtod(share.piece[share.pieces - 1].text, NULL) - known) < 0.01);
        }
        arena_free(&arena);
        close_stage(&stage);
    }
}

static void a_step_is_said_with_its_moments(void **state)
{
    (void)state;
    struct stage stage = open_stage(&shapes[0]);
    struct arena arena = {0};
    const struct learn_tensors *const tensors = learn_network_tensors(stage.network);
    const float *const gradient = learn_activations_weights_gradient(stage.sentence);
    static float m[FLOATS_MAX], v[FLOATS_MAX], before[FLOATS_MAX];
    static float m_before[FLOATS_MAX], v_before[FLOATS_MAX];
    for (enum learn_method method = 0; method < LEARN_METHODS; method++) {
        struct learn_optimiser how = usual_optimiser;
        how.method = method;
        how.rate = 0.05F;
        how.warmup = 2;
        memset(m, 0, sizeof m);
        memset(v, 0, sizeof v);
        for (uint64_t step = 0; step < 3; step++) {
            memcpy(before, weights, sizeof before);
            memcpy(m_before, m, sizeof m);
            memcpy(v_before, v, sizeof v);
            const struct learn_step made = learn_optimiser_step(
                &how, NULL, &shapes[0], tensors, NULL, step, gradient, m, v, weights);
            for (size_t i = 0; i < tensors->floats; i += 7) {
                const struct learn_weight_step of = {.optimiser = &how,
                                                     .step = step,
                                                     .decays = i < tensors->tensor[0].cols *
                                                                       tensors->tensor[0].rows,
                                                     .scale = made.scale,
                                                     .before = before[i],
                                                     .gradient = gradient[i],
                                                     .m_before = m_before[i],
                                                     .v_before = v_before[i],
                                                     .m = m[i],
                                                     .v = v[i],
                                                     .after = weights[i],
                                                     .now = weights[i],
                                                     .name = "w"};
                const struct lab_explanation said = learn_explain_step(&of, &arena);
                if (of.decays) {
                    assert_comes_to(&said, (double)weights[i], 2e-3);
                }
            }
            arena_reset(&arena);
        }
    }
    arena_free(&arena);
    close_stage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_gradient_is_what_its_operands_make),
        cmocka_unit_test(every_weight_learns_what_its_positions_say),
        cmocka_unit_test(a_loss_is_said_by_its_share_and_its_logits),
        cmocka_unit_test(logits_and_shares_are_said_by_their_operands),
        cmocka_unit_test(a_step_is_said_with_its_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
