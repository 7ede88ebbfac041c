/* Two texts, and paths: what is restored or lost is what float64 makes of the same. */
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
#include "why/patching.h"

static const char *tiny;

enum { N = 6, W = DOUBLE_WIDTH, LAYERS = DOUBLE_LAYERS, HEADS = DOUBLE_HEADS };

static const uint32_t words[N] = {17, 4, 99, 21, 250, 31}, others[N] = {17, 4, 120, 21, 61, 31};
static struct gpt2_double clean, changed, patched;
static float source[N * W];

static struct model_run *start(const struct model *model, const uint32_t *ids, size_t count)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct model_run *const run =
        model_run_start(model, &(struct model_request){.ids = ids, .count = count}, &error);
    if (run == NULL) {
        fail_msg("%s", error.text);
    }
    return run;
}

static double logit_of(const struct gpt2_double *of)
{
    return of->logits[N - 1][40] - of->logits[N - 1][7];
}

/* The clean numbers of one cell, as float32. */
static void fill_source(enum why_patched what, size_t layer, size_t place)
{
    for (size_t i = 0; i < N; i++) {
        const size_t cols = what == WHY_RESIDUAL ? W : what == WHY_ALPHA ? N : DOUBLE_D;
        for (size_t c = 0; c < cols; c++) {
            source[i * cols + c] = (float)(what == WHY_RESIDUAL ? clean.residual[layer][i][c]
                                           : what == WHY_HEADS  ? clean.z[layer][place][i][c]
                                           : what == WHY_ALPHA  ? clean.alpha[layer][place][i][c]
                                                                : clean.v[layer][place][i][c]);
        }
    }
}

static void what_is_restored_is_as_in_float64(void **state)
{
    static const enum model_node nodes[WHY_PATCHED] = {MODEL_NODE_RESIDUAL, MODEL_NODE_Z,
                                                       MODEL_NODE_ALPHA, MODEL_NODE_V};
    struct checkpoint weights;
    struct model *const model = open_model(tiny, NULL);
    (void)state;
    checkpoint_open(&weights, tiny);
    gpt2_double_run(&weights, words, N, model_no_interventions, &clean);
    gpt2_double_run(&weights, others, N, model_no_interventions, &changed);
    struct model_run *const run = start(model, words, N), *const other = start(model, others, N);
    const struct why_ablation of = {.run = run, .model = model, .question = {N - 1, 40, 7, true}};
    for (size_t what = 0; what < WHY_PATCHED; what++) {
        struct why_patching got;
        assert_true(why_patch(&of, other, (enum why_patched)what, &got, NULL));
        assert_int_equal(got.places, what == WHY_RESIDUAL ? N : HEADS);
        assert_true(fabs(got.clean.logit - logit_of(&clean)) < 1e-4);
        assert_true(fabs(got.changed.logit - logit_of(&changed)) < 1e-4);
        for (size_t c = 0; c < LAYERS * got.places; c++) {
            const size_t layer = c / got.places, place = c % got.places;
            const struct model_intervention one = {.node = nodes[what],
                                                   .by = MODEL_BY_SOURCE,
                                                   .layer = layer,
                                                   .head = what == WHY_RESIDUAL ? 0 : place,
                                                   .row = what == WHY_RESIDUAL ? place : MODEL_EACH,
                                                   .column = MODEL_EACH,
                                                   .source = source,
                                                   .source_rows = N};
            fill_source((enum why_patched)what, layer, place);
            gpt2_double_run(&weights, others, N, (struct model_interventions){&one, 1}, &patched);
            const double wanted =
                (logit_of(&patched) - logit_of(&changed)) / (logit_of(&clean) - logit_of(&changed));
            if (!(fabs(got.restored[c] - wanted) < 1e-4)) {
                fail_msg("%s, cell %zu: %.9g, expected %.9g", why_patched_name(what), c,
                         got.restored[c], wanted);
            }
        }
        why_patching_free(&got);
    }
    model_run_close(run);
    model_run_close(other);
    model_close(model);
    checkpoint_close(&weights);
}

/* What the sender adds to the stream of a text, less what it adds in another one. */
static void sender_part(struct checkpoint *weights, const struct why_node *sender,
                        const struct gpt2_double *of, size_t i, double *part)
{
    const float *const w_o = gpt2_double_of_layer(weights, sender->layer, "attn.c_proj.weight");
    for (size_t c = 0; c < W; c++) {
        part[c] = sender->node == MODEL_NODE_MLP ? of->mlp[sender->layer][i][c] : 0;
        for (size_t k = 0; sender->node == MODEL_NODE_Z && k < DOUBLE_D; k++) {
            part[c] += of->z[sender->layer][sender->head][i][k] *
                       (double)w_o[(sender->head * DOUBLE_D + k) * W + c];
        }
    }
}

/* What the receiver gives where it reads the clean stream without the sender's part. */
static void receiver_reads(struct checkpoint *weights, const struct why_node *sender,
                           const struct why_node *receiver, bool with_other)
{
    const bool mlp = receiver->node == MODEL_NODE_MLP;
    const size_t cols = mlp ? W : DOUBLE_D;
    for (size_t i = 0; i < N; i++) {
        double part[W], others_part[W];
        sender_part(weights, sender, &clean, i, part);
        sender_part(weights, sender, &changed, i, others_part);
        for (size_t c = 0; c < W; c++) {
            const double read = mlp ? clean.attention[receiver->layer][i][c]
                                    : clean.residual[receiver->layer][i][c];
            source[i * W + c] = (float)(read - part[c] + (with_other ? others_part[c] : 0));
        }
    }
    const struct model_intervention read = {.node =
                                                mlp ? MODEL_NODE_ATTENTION : MODEL_NODE_RESIDUAL,
                                            .by = MODEL_BY_SOURCE,
                                            .layer = receiver->layer,
                                            .row = MODEL_EACH,
                                            .column = MODEL_EACH,
                                            .source = source,
                                            .source_rows = N};
    gpt2_double_run(weights, words, N, (struct model_interventions){&read, 1}, &patched);
    for (size_t p = 0; p < N * cols; p++) {
        source[p] = (float)(mlp ? patched.mlp[receiver->layer][p / cols][p % cols]
                                : patched.z[receiver->layer][receiver->head][p / cols][p % cols]);
    }
}

static void paths_are_as_in_float64(void **state)
{
    static const struct {
        struct why_node sender, receiver;
    } cases[] = {
        {{MODEL_NODE_Z, 0, 1}, {MODEL_NODE_MLP, 0, 0}},
        {{MODEL_NODE_Z, 0, 0}, {MODEL_NODE_Z, 1, 1}},
        {{MODEL_NODE_MLP, 0, 0}, {MODEL_NODE_Z, 1, 0}},
        {{MODEL_NODE_MLP, 0, 0}, {MODEL_NODE_MLP, 1, 0}},
        {{MODEL_NODE_Z, 1, 1}, {MODEL_NODE_MLP, 1, 0}},
        {{MODEL_NODE_Z, 0, 1}, {MODEL_NODE_MLP, 1, 0}},
    };
    struct checkpoint weights;
    struct model *const model = open_model(tiny, NULL);
    (void)state;
    checkpoint_open(&weights, tiny);
    gpt2_double_run(&weights, words, N, model_no_interventions, &clean);
    gpt2_double_run(&weights, others, N, model_no_interventions, &changed);
    struct model_run *const run = start(model, words, N), *const other = start(model, others, N);
    const struct why_ablation of = {.run = run, .model = model, .question = {N - 1, 40, 7, true}};
    for (size_t c = 0; c < 2 * (sizeof cases / sizeof *cases); c++) {
        const struct why_node *const sender = &cases[c / 2].sender, *const receiver =
                                                                        &cases[c / 2].receiver;
        struct why_state before, without;
        assert_true(
            why_path(&of, c % 2 == 0 ? NULL : other, sender, receiver, &before, &without, NULL));
        receiver_reads(&weights, sender, receiver, c % 2 == 1);
        const struct model_intervention told = {.node = receiver->node,
                                                .by = MODEL_BY_SOURCE,
                                                .layer = receiver->layer,
                                                .head = receiver->head,
                                                .row = MODEL_EACH,
                                                .column = MODEL_EACH,
                                                .source = source,
                                                .source_rows = N};
        gpt2_double_run(&weights, words, N, (struct model_interventions){&told, 1}, &patched);
        if (!(fabs(without.logit - logit_of(&patched)) < 1e-4) ||
            !(fabs(before.logit - logit_of(&clean)) < 1e-4)) {
            fail_msg("path %zu: %.9g, expected %.9g", c, without.logit, logit_of(&patched));
        }
    }
    model_run_close(run);
    model_run_close(other);
    model_close(model);
    checkpoint_close(&weights);
}

static void what_cannot_be_compared_is_refused(void **state)
{
    struct model *const model = open_model(tiny, NULL);
    struct model_run *const run = start(model, words, N), *const shorter = start(model, words, 3);
    const struct why_ablation of = {.run = run, .model = model, .question = {N - 1, 40, 7, true}};
    const struct why_node head = {MODEL_NODE_Z, 0, 0}, mlp = {MODEL_NODE_MLP, 0, 0},
                          nowhere = {MODEL_NODE_Z, 2, 0};
    struct why_state before, without;
    struct why_patching patching;
    struct error error = {ERROR_NONE, 0, ""};
    (void)state;
    assert_false(why_patch(&of, shorter, WHY_HEADS, &patching, &error));
    assert_non_null(strstr(error.text, "of different lengths: 6 tokens and 3"));
    assert_false(why_patch(&of, run, WHY_HEADS, &patching, &error));
    assert_non_null(strstr(error.text, "Both texts give almost the same logit"));
    assert_false(why_path(&of, NULL, &mlp, &head, &before, &without, &error));
    assert_non_null(strstr(error.text, "stands before its receiver"));
    assert_false(why_path(&of, NULL, &head, &nowhere, &before, &without, &error));
    assert_non_null(strstr(error.text, "it has 2 layers of 2 heads"));
    model_run_close(run);
    model_run_close(shorter);
    model_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_restored_is_as_in_float64),
        cmocka_unit_test(paths_are_as_in_float64),
        cmocka_unit_test(what_cannot_be_compared_is_refused),
    };
    tiny = argc > 1 ? argv[1] : "tests/model/tiny";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
