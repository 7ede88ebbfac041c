/* Numbers that are replaced while a model runs: all that is behind them is what float64 makes of
 * the same, and what is before them keeps its bits. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../opened.h"
#include "gpt2_double.h"
#include "model/model.h"

static const char *tiny;

enum { LAYERS = DOUBLE_LAYERS, WIDTH = DOUBLE_WIDTH, VOCABULARY = DOUBLE_VOCABULARY, N = 7 };

static const uint32_t words[N] = {17, 4, 99, 4, 250, 31, 8};
static struct gpt2_double reference;

static struct model_run *run_with(const struct model *model, struct model_interventions list,
                                  size_t count)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct model_run *const run = model_run_start(
        model, &(struct model_request){.ids = words, .count = count, .interventions = list},
        &error);
    if (run == NULL) {
        fail_msg("%s", error.text);
    }
    return run;
}

static void expect_reference(const struct model_run *run, const char *what)
{
    static float logits[N * VOCABULARY];
    assert_int_equal(model_run_count(run), N);
    assert_true(model_run_logits(run, 0, N, logits, NULL));
    for (size_t i = 0; i < N * VOCABULARY; i++) {
        const double wanted = reference.logits[i / VOCABULARY][i % VOCABULARY];
        if (!(fabs((double)logits[i] - wanted) <= 1e-5 * fmax(1, fabs(wanted)))) {
            fail_msg("%s: logit %zu is %.9g, expected %.9g", what, i, (double)logits[i], wanted);
        }
    }
    for (size_t p = 0; p < (LAYERS + 1) * N * WIDTH; p++) {
        const size_t l = p / (N * WIDTH), i = p / WIDTH % N, c = p % WIDTH;
        const double got = (double)model_run_residual(run, l)[i * WIDTH + c];
        if (!(fabs(got - reference.residual[l][i][c]) <=
              1e-5 * fmax(10, fabs(reference.residual[l][i][c])))) {
            fail_msg("%s: residual %zu of word %zu is %.9g, expected %.9g", what, l, i, got,
                     reference.residual[l][i][c]);
        }
    }
}

/* Each node at one place, in a row, and everywhere; by a number, a mean, and from elsewhere. */
static void what_is_replaced_travels_on_as_in_float64(void **state)
{
    static float source[N * DOUBLE_INNER];
    struct checkpoint weights;
    struct model *const model = open_model(tiny, NULL);
    (void)state;
    checkpoint_open(&weights, tiny);
    for (size_t i = 0; i < sizeof source / sizeof *source; i++) {
        source[i] = (float)sin((double)i);
    }
    for (size_t trial = 0; trial < (size_t)MODEL_NODES * 9 * LAYERS; trial++) {
        const enum model_node node = (enum model_node)(trial % MODEL_NODES);
        const size_t kind = trial / MODEL_NODES % 9, layer = trial / MODEL_NODES / 9;
        const bool pairs =
            node == MODEL_NODE_SCORES || node == MODEL_NODE_SCALED || node == MODEL_NODE_ALPHA;
        const bool of_head =
            pairs || node == MODEL_NODE_Z || (node >= MODEL_NODE_Q && node <= MODEL_NODE_V);
        const struct model_intervention one[] = {
            {.node = node,
             .by = (enum model_replacement)(kind / 3),
             .layer = layer,
             .head = of_head ? 1 : 0,
             .row = kind % 3 == 0 ? MODEL_EACH : 4,
             .column = kind % 3 == 2 ? 1 : MODEL_EACH,
             .value = node == MODEL_NODE_SCALED ? -INFINITY : 0.4F,
             .source = kind / 3 == MODEL_BY_SOURCE ? source : NULL,
             .source_rows = kind / 3 == MODEL_BY_SOURCE ? N : 0},
            model_head_off(0, 0)};
        if (node == MODEL_NODE_CROSS || (pairs && (kind / 3 != MODEL_BY_VALUE || kind % 3 != 2))) {
            continue; /* a row of nothing but hidden pairs, and means of those, are nobody's wish */
        }
        const struct model_interventions list = {one, kind % 2 + 1};
        struct model_run *const run = run_with(model, list, N);
        gpt2_double_run(&weights, words, N, list, &reference);
        expect_reference(run, model_node_name(node));
        model_run_close(run);
        struct model_run *const grown =
            run_with(model, list, kind / 3 != 0 || kind % 3 != 0 ? N : 2);
        for (size_t i = model_run_count(grown); i < N; i++) { /* word by word it is the same */
            assert_true(model_run_append(grown, words[i], NULL));
        }
        expect_reference(grown, model_node_name(node));
        model_run_close(grown);
    }
    model_close(model);
    checkpoint_close(&weights);
}

/* A mean over all words becomes another one with each word that is added. */
static void a_mean_is_that_of_all_words_of_a_growing_text(void **state)
{
    struct checkpoint weights;
    struct model *const model = open_model(tiny, NULL);
    struct model_intervention mean = model_head_off(0, 1);
    const struct model_interventions list = {&mean, 1};
    (void)state;
    mean.by = MODEL_BY_MEAN;
    checkpoint_open(&weights, tiny);
    struct model_run *const run = run_with(model, list, 3);
    for (size_t i = 3; i < N; i++) {
        assert_true(model_run_append(run, words[i], NULL));
    }
    gpt2_double_run(&weights, words, N, list, &reference);
    expect_reference(run, "mean");
    model_run_close(run);
    model_close(model);
    checkpoint_close(&weights);
}

static void keep_attention(void *owner, enum model_node node, size_t layer,
                           struct attn_operand rows)
{
    if (node == MODEL_NODE_OUTPUT && layer == 1) {
        memcpy(owner, rows.values, rows.rows * rows.cols * sizeof *rows.values);
    }
}

/* Heads without an intervention, and all that comes before it, keep their bits. */
static void what_is_before_keeps_its_bits(void **state)
{
    static float left[N * N], right[N * N];
    struct model *const model = open_model(tiny, NULL);
    const struct model_intervention masked = {.node = MODEL_NODE_SCALED,
                                              .layer = 1,
                                              .head = 0,
                                              .row = 5,
                                              .column = 2,
                                              .value = -INFINITY};
    (void)state;
    struct model_run *const plain = run_with(model, (struct model_interventions){NULL, 0}, N);
    struct model_run *const run = run_with(model, (struct model_interventions){&masked, 1}, N);
    assert_memory_equal(model_run_residual(plain, 1), model_run_residual(run, 1),
                        N * WIDTH * sizeof *left);
    model_run_weights(plain, 1, 1, left);
    model_run_weights(run, 1, 1, right);
    assert_memory_equal(left, right, sizeof left);
    model_run_weights(run, 1, 0, right);
    double sum = 0;
    for (size_t j = 0; j < N; j++) {
        sum += (double)right[5 * N + j];
    }
    assert_true(right[5 * N + 2] == 0.0F);
    assert_float_equal(sum, 1, 1e-6);
    model_run_close(plain);
    model_run_close(run);
    model_close(model);
}

/* ---- variants ------------------------------------------------------------------------------ */

struct heard {
    size_t rows, vocabulary, told;
    float *logits; /* [variants][rows][vocabulary] */
};

static void hear_words(void *owner, size_t variant, const float *logits)
{
    const struct heard *const heard = owner;
    const size_t floats = heard->rows * heard->vocabulary;
    memcpy(heard->logits + variant * floats, logits, floats * sizeof *logits);
}

static bool count_steps(void *owner, size_t done, size_t all)
{
    struct heard *const heard = owner;
    assert_true(done < all && done == heard->told++);
    return true;
}

enum { KINDS = 9, TOLD = 6 };

/* Interventions of many kinds, two of them together, and one beside the run's own. */
static size_t fill_variants(const struct model_config *config, const float *source,
                            struct model_intervention rows[KINDS + 1])
{
    const size_t last = config->layers - 1;
    const struct model_intervention all[KINDS + 1] = {
        model_head_off(0, 0),
        model_head_off(last, config->heads - 1),
        {.node = MODEL_NODE_SCALED, .layer = last, .row = 4, .column = 4, .value = -INFINITY},
        {.node = MODEL_NODE_V, .layer = 0, .row = 2, .column = MODEL_EACH, .value = 0.25F},
        {.node = MODEL_NODE_MLP, .layer = 0, .row = MODEL_EACH, .column = MODEL_EACH},
        {.node = MODEL_NODE_MLP,
         .by = MODEL_BY_MEAN,
         .layer = last,
         .row = MODEL_EACH,
         .column = MODEL_EACH},
        {.node = MODEL_NODE_RESIDUAL,
         .layer = config->layers,
         .row = TOLD - 1,
         .column = 0,
         .value = 1},
        {.node = MODEL_NODE_RESIDUAL,
         .by = MODEL_BY_SOURCE,
         .layer = last,
         .row = 1,
         .column = MODEL_EACH,
         .source = source,
         .source_rows = TOLD},
        model_head_off(0, 0), /* with the next one */
        model_head_off(last, 0),
    };
    memcpy(rows, all, sizeof all);
    return KINDS;
}

static void expect_variants(const struct model *model, const char *name, size_t first, size_t count)
{
    static const uint32_t ids[TOLD] = {5, 9, 7, 9, 6, 8};
    static float source[TOLD * 512];
    struct model_intervention rows[KINDS + 1];
    struct model_interventions lists[KINDS];
    const struct model_config *const config = model_config(model);
    struct attn_pool *const pool = attn_pool_open(2);
    const size_t variants = fill_variants(config, source, rows);
    const size_t floats = count * config->vocabulary;
    struct model_intervention own[3] = {model_head_off(0, 1)};
    struct heard heard = {count, config->vocabulary, 0, NULL};
    struct model_request request = {.ids = ids,
                                    .count = TOLD,
                                    .target_ids = ids,
                                    .target_count = model_has_target(model) ? TOLD : 0,
                                    .interventions = {own, 1},
                                    .engine.pool = pool};
    struct error error = {ERROR_NONE, 0, ""};
    struct model_run *const run = model_run_start(model, &request, &error);
    heard.logits = malloc((variants + 1) * floats * sizeof *heard.logits);
    for (size_t v = 0; v < variants; v++) {
        lists[v] = (struct model_interventions){&rows[v], v + 1 == variants ? 2 : 1};
    }
    if (run == NULL ||
        !model_run_vary(run, lists, variants,
                        &(struct model_varying){first, count, hear_words, count_steps, &heard},
                        &error)) {
        fail_msg("%s: %s", name, error.text);
    }
    for (size_t v = 0; v < variants; v++) {
        float *const alone = heard.logits + variants * floats;
        memcpy(own + 1, lists[v].row, lists[v].count * sizeof *own);
        request.interventions.count = 1 + lists[v].count;
        struct model_run *const one = model_run_start(model, &request, &error);
        assert_non_null(one);
        assert_true(model_run_logits(one, first, count, alone, NULL));
        if (memcmp(alone, heard.logits + v * floats, floats * sizeof *alone) != 0) {
            fail_msg("%s: variant %zu of word %zu has other bits", name, v, first);
        }
        model_run_close(one);
    }
    free(heard.logits);
    model_run_close(run);
    attn_pool_close(pool);
}

/* In every family, of one word, of some, and of all. */
static void variants_have_the_bits_of_runs_of_their_own(void **state)
{
    char folder[4096], path[4096 + 300];
    struct dirent *entry = NULL;
    size_t tried = 0;
    (void)state;
    snprintf(folder, sizeof folder, "%s/../fixtures", tiny);
    DIR *const all = opendir(folder);
    assert_non_null(all);
    while ((entry = readdir(all)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct model *const model = entry->d_name[0] == '.' ? NULL : open_model(path, NULL);
        if (model != NULL && model_has_logits(model) && model_config(model)->heads > 1) {
            expect_variants(model, entry->d_name, TOLD - 1, 1);
            expect_variants(model, entry->d_name, 1, 3);
            expect_variants(model, entry->d_name, 0, TOLD);
            tried++;
        }
        model_close(model);
    }
    closedir(all);
    assert_true(tried >= 40);
}

/* A layer in the lab shows what is replaced in it: its weights and its output are the run's. */
static void a_layer_in_the_lab_shows_what_is_replaced(void **state)
{
    static const struct model_intervention cases[] = {
        {.node = MODEL_NODE_SCALED, .layer = 1, .row = 5, .column = 2, .value = -INFINITY},
        {.node = MODEL_NODE_ALPHA, .layer = 1, .head = 1, .row = 6, .column = 0, .value = 0.5F},
        {.node = MODEL_NODE_Q, .layer = 1, .row = 3, .column = MODEL_EACH, .value = 0.5F},
        {.node = MODEL_NODE_K, .layer = 1, .row = MODEL_EACH, .column = 2, .value = 1},
        {.node = MODEL_NODE_V, .layer = 1, .head = 1, .row = 4, .column = 1, .value = 3},
        {.node = MODEL_NODE_SCORES, .layer = 1, .row = MODEL_EACH, .column = 0, .value = 2},
        {.node = MODEL_NODE_RESIDUAL, .layer = 1, .row = 2, .column = MODEL_EACH, .value = 1},
        {.node = MODEL_NODE_Z, .layer = 1, .row = MODEL_EACH, .column = MODEL_EACH},
    };
    static float weights[N * N], attention[N * WIDTH];
    struct model *const model = open_model(tiny, NULL);
    const struct model_intervention z = {
        .node = MODEL_NODE_Z, .layer = 1, .row = 2, .column = MODEL_EACH};
    struct error error = {ERROR_NONE, 0, ""};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct model_run *const run =
            run_with(model, (struct model_interventions){&cases[c], 1}, N);
        assert_true(model_run_visit(
            run, model_no_interventions,
            (struct model_visitor){.see = keep_attention, .owner = attention}, NULL));
        struct lab_trace *const trace = model_trace(run, MODEL_SELF, 1, &error);
        if (trace == NULL) {
            fail_msg("case %zu: %s", c, error.text);
        }
        for (size_t h = 0; h < DOUBLE_HEADS; h++) {
            const float *const shown = lab_trace_part(trace, LAB_ALPHA, h).values;
            model_run_weights(run, 1, h, weights);
            for (size_t p = 0; p < N * N; p++) {
                assert_float_equal(shown[p], weights[p], 1e-5);
            }
        }
        const float *const o = lab_trace_part(trace, LAB_OUTPUT_O, 0).values;
        for (size_t p = 0; p < N * WIDTH; p++) {
            assert_float_equal(o[p], attention[p], 2e-4);
        }
        lab_trace_release(trace);
        model_run_close(run);
    }
    struct model_run *const run = run_with(model, (struct model_interventions){&z, 1}, N);
    assert_null(model_trace(run, MODEL_SELF, 1, &error));
    assert_non_null(strstr(error.text, "Z is replaced behind the weights of layer 1"));
    model_run_close(run);
    model_close(model);
}

static void what_the_model_does_not_have_is_refused(void **state)
{
    static const float source[N * WIDTH];
    const struct {
        struct model_intervention one;
        const char *says;
    } cases[] = {
        {{.node = MODEL_NODE_Z, .layer = 1, .head = 2, .row = MODEL_EACH, .column = MODEL_EACH},
         "There is no head 2 in layer 1"},
        {{.node = MODEL_NODE_ALPHA, .layer = 2, .row = 0, .column = 0}, "There is no L2H0.alpha"},
        {{.node = MODEL_NODE_RESIDUAL, .layer = 2, .row = N, .column = 0},
         "residual has no row 8: there are 7"},
        {{.node = MODEL_NODE_Q, .layer = 0, .row = 0, .column = 6},
         "Q has no column 7: there are 6"},
        {{.node = MODEL_NODE_SCALED, .layer = 0, .row = 1, .column = 4},
         "Word 2 does not see word 5 in layer 0"},
        {{.node = MODEL_NODE_CROSS, .layer = 0, .row = 1, .column = 4}, "This model has no cross"},
        {{.node = MODEL_NODE_MLP,
          .by = MODEL_BY_SOURCE,
          .row = MODEL_EACH,
          .column = MODEL_EACH,
          .source = source,
          .source_rows = N - 1},
         "of different lengths: 7 tokens and 6"},
    };
    struct model *const model = open_model(tiny, NULL);
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        assert_null(model_run_start(
            model,
            &(struct model_request){.ids = words, .count = N, .interventions = {&cases[c].one, 1}},
            &error));
        if (strstr(error.text, cases[c].says) == NULL) {
            fail_msg("“%s” does not say “%s”", error.text, cases[c].says);
        }
    }
    model_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_replaced_travels_on_as_in_float64),
        cmocka_unit_test(a_mean_is_that_of_all_words_of_a_growing_text),
        cmocka_unit_test(what_is_before_keeps_its_bits),
        cmocka_unit_test(variants_have_the_bits_of_runs_of_their_own),
        cmocka_unit_test(a_layer_in_the_lab_shows_what_is_replaced),
        cmocka_unit_test(what_the_model_does_not_have_is_refused),
    };
    tiny = argc > 1 ? argv[1] : "tests/model/tiny";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
