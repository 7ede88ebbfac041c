/* GPT-2: the tiny checkpoint gives the numbers of an independent forward pass in float64, stored
 * in whatever way, computed on any instruction set, at once or token by token. */
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
#include "base/file.h"
#include "checkpoint.h"
#include "file/growing.h"
#include "file/npz.h"
#include "model/model.h"

static const char *tiny; /* the folder of the checkpoint */

enum { LAYERS = 2, HEADS = 2, WIDTH = 12, VOCABULARY = 300, IDS_MAX = 32 };

static struct model *open_whole(const char *folder)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct model *const model = open_model(folder, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static struct model_run *start(const struct model *model, const struct model_request *request)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct model_run *const run = model_run_start(model, request, &error);
    if (run == NULL) {
        fail_msg("%s", error.text);
    }
    return run;
}

/* Reads an array that make_tiny.py expects. */
static struct array expected(struct arena *arena, const char *name)
{
    char path[4096];
    struct bytes file;
    struct array array;
    snprintf(path, sizeof path, "%s/expected.npz", tiny);
    assert_true(file_read(path, 1 << 24, arena, &file, NULL));
    assert_true(npz_read_one(file, name, arena, &array, NULL));
    return array;
}

static size_t expected_ids(struct arena *arena, uint32_t ids[IDS_MAX])
{
    const struct array array = expected(arena, "ids");
    assert_in_range(array.shape[0], 2, IDS_MAX);
    for (size_t i = 0; i < array.shape[0]; i++) {
        ids[i] = (uint32_t)array_number(&array, i);
    }
    return array.shape[0];
}

/* Numbers from `first` on of an array are those, but for what float32 loses: about 24 bits of the
 * largest, through a few layers. */
static void expect_close(const struct array *array, size_t first, size_t count, const float *got)
{
    double largest = 1;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(array_number(array, first + i)));
    }
    for (size_t i = 0; i < count; i++) {
        const double wanted = array_number(array, first + i);
        if (!(fabs((double)got[i] - wanted) <= 4e-6 * largest)) {
            fail_msg("number %zu is %.9g, expected %.9g", first + i, (double)got[i], wanted);
        }
    }
}

static void expect_run(struct arena *arena, const struct model_run *run, const char *logits_name)
{
    const struct array residual = expected(arena, "residual"), weights = expected(arena, "weights");
    const struct array logits = expected(arena, logits_name);
    const size_t n = model_run_count(run);
    static float square[IDS_MAX * IDS_MAX], rows[IDS_MAX * VOCABULARY];
    for (size_t l = 0; l <= LAYERS && strcmp(logits_name, "logits") == 0; l++) {
        expect_close(&residual, l * n * WIDTH, n * WIDTH, model_run_residual(run, l));
    }
    for (size_t h = 0; h < LAYERS * HEADS && strcmp(logits_name, "logits") == 0; h++) {
        model_run_weights(run, h / HEADS, h % HEADS, square);
        expect_close(&weights, h * n * n, n * n, square);
    }
    assert_true(model_run_logits(run, 0, n, rows, NULL));
    expect_close(&logits, 0, n * VOCABULARY, rows);
    assert_true(model_run_logits(run, n - 1, 1, rows, NULL));
    expect_close(&logits, (n - 1) * VOCABULARY, VOCABULARY, rows);
}

static void every_set_gives_the_numbers_of_the_reference(void **state)
{
    (void)state;
    struct arena arena = {0};
    uint32_t ids[IDS_MAX];
    const size_t n = expected_ids(&arena, ids);
    struct model *const model = open_whole(tiny);
    for (size_t k = 0; attn_kernels_at(k) != NULL; k++) {
        struct model_run *const run = start(
            model,
            &(struct model_request){.ids = ids, .count = n, .engine.kernels = attn_kernels_at(k)});
        expect_run(&arena, run, "logits");
        model_run_close(run);
    }
    model_close(model);
    arena_free(&arena);
}

static void heads_that_are_switched_off_are_missed(void **state)
{
    (void)state;
    struct arena arena = {0};
    uint32_t ids[IDS_MAX];
    const size_t n = expected_ids(&arena, ids);
    const struct model_intervention off[] = {model_head_off(0, 1), model_head_off(1, 0)};
    struct model *const model = open_whole(tiny);
    struct model_run *const run =
        start(model, &(struct model_request){
                         .ids = ids, .count = n, .interventions = {off, sizeof off / sizeof *off}});
    expect_run(&arena, run, "logits_without");
    model_run_close(run);
    model_close(model);
    arena_free(&arena);
}

/* Same bits in every residual and in the logits of all positions. */
static void expect_same(const struct model_run *a, const struct model_run *b)
{
    static float left[IDS_MAX * VOCABULARY], right[IDS_MAX * VOCABULARY];
    const size_t n = model_run_count(a);
    assert_int_equal(model_run_count(b), n);
    for (size_t l = 0; l <= LAYERS; l++) {
        assert_memory_equal(model_run_residual(a, l), model_run_residual(b, l),
                            n * WIDTH * sizeof(float));
    }
    for (size_t h = 0; h < LAYERS * HEADS; h++) {
        model_run_weights(a, h / HEADS, h % HEADS, left);
        model_run_weights(b, h / HEADS, h % HEADS, right);
        assert_memory_equal(left, right, n * n * sizeof(float));
    }
    assert_true(model_run_logits(a, 0, n, left, NULL));
    assert_true(model_run_logits(b, 0, n, right, NULL));
    assert_memory_equal(left, right, n * VOCABULARY * sizeof(float));
}

static void token_by_token_and_with_threads_it_is_the_same(void **state)
{
    (void)state;
    struct arena arena = {0};
    uint32_t ids[IDS_MAX];
    size_t n = expected_ids(&arena, ids);
    struct model *const model = open_whole(tiny);
    for (; n < IDS_MAX; n++) {
        ids[n] = (uint32_t)(n * 37 % VOCABULARY);
    }
    struct model_run *const whole = start(model, &(struct model_request){.ids = ids, .count = n});
    for (size_t threads = 1; threads <= 3; threads++) {
        struct attn_pool *const pool = attn_pool_open(threads);
        for (size_t first = 1; first <= n; first += 5) {
            struct model_run *const run = start(
                model, &(struct model_request){.ids = ids, .count = first, .engine.pool = pool});
            for (size_t i = first; i < n; i++) {
                assert_true(model_run_append(run, ids[i], NULL));
            }
            expect_same(whole, run);
            model_run_close(run);
        }
        attn_pool_close(pool);
    }
    model_run_close(whole);
    model_close(model);
    arena_free(&arena);
}

static bool count_layers(void *listener, size_t layer, size_t layers)
{
    assert_int_equal(layers, LAYERS);
    assert_int_equal(layer, *(size_t *)listener);
    *(size_t *)listener += 1;
    return true;
}

static void layer_by_layer_it_is_the_same(void **state)
{
    (void)state;
    struct arena arena = {0};
    uint32_t ids[IDS_MAX];
    const size_t n = expected_ids(&arena, ids);
    size_t asked = 0;
    static float early[IDS_MAX * IDS_MAX], late[IDS_MAX * IDS_MAX];
    struct model *const model = open_whole(tiny);
    struct model_run *const whole = start(model, &(struct model_request){.ids = ids, .count = n});
    struct model_run *const run = start(
        model,
        &(struct model_request){
            .ids = ids, .count = n, .layers = 1, .on_layer = count_layers, .listener = &asked});
    assert_int_equal(model_run_layers(whole), LAYERS);
    assert_int_equal(model_run_layers(run), 1);
    assert_int_equal(asked, 1); /* and no more than that was computed */
    model_run_weights(run, 0, 1, early);
    model_run_weights(whole, 0, 1, late);
    assert_memory_equal(early, late, n * n * sizeof *early);
    assert_true(model_run_go_on(run, LAYERS, NULL));
    assert_int_equal(model_run_layers(run), LAYERS);
    expect_same(whole, run);
    assert_true(model_run_go_on(run, LAYERS + 7, NULL)); /* there is nothing left to do */
    assert_int_equal(asked, LAYERS);
    struct model_run *const late_word =
        start(model, &(struct model_request){.ids = ids, .count = n - 1, .layers = 1});
    assert_true(model_run_append(late_word, ids[n - 1], NULL)); /* which needs what is missing */
    expect_same(whole, late_word);
    model_run_close(late_word);
    model_run_close(run);
    model_run_close(whole);
    model_close(model);
    arena_free(&arena);
}

/* The model in a folder computes what another one does, to the bit. */
static void expect_same_model(const char *folder, const struct model *usual)
{
    struct arena arena = {0};
    uint32_t ids[IDS_MAX];
    const struct model_request request = {.ids = ids, .count = expected_ids(&arena, ids)};
    struct model *const model = open_whole(folder);
    struct model_run *const a = start(model, &request), *const b = start(usual, &request);
    expect_same(a, b);
    model_run_close(a);
    model_run_close(b);
    model_close(model);
    arena_free(&arena);
}

static void prefix_and_shards_change_nothing(void **state)
{
    (void)state;
    struct checkpoint checkpoint;
    struct model *const usual = open_whole(tiny);
    checkpoint_open(&checkpoint, tiny);
    checkpoint_write(&checkpoint);
    checkpoint_put(&checkpoint, "model.safetensors",
                   checkpoint_file(&checkpoint, 0, checkpoint.count, "transformer."));
    expect_same_model(checkpoint.folder, usual);

    checkpoint_remove(&checkpoint, "model.safetensors");
    static const char *const files[] = {"model-00001-of-00003.safetensors",
                                        "model-00002-of-00003.safetensors",
                                        "model-00003-of-00003.safetensors"};
    struct growing index = growing_start(&checkpoint.arena);
    struct bytes text;
    growing_put_text(&index, "{\"metadata\":{},\"weight_map\":{");
    for (size_t f = 0; f < 3; f++) {
        const size_t first = f * checkpoint.count / 3, end = (f + 1) * checkpoint.count / 3;
        checkpoint_put(&checkpoint, files[f], checkpoint_file(&checkpoint, first, end, ""));
        for (size_t t = first; t < end; t++) {
            growing_put_text(&index,
                             arena_format(&checkpoint.arena, "%s\"%s\":\"%s\"", t == 0 ? "" : ",",
                                          checkpoint.tensors[t].name, files[f]));
        }
    }
    growing_put_text(&index, "}}");
    assert_true(growing_finish(&index, &text, NULL));
    checkpoint_put(&checkpoint, "model.safetensors.index.json", text);
    expect_same_model(checkpoint.folder, usual);
    model_close(usual);
    checkpoint_close(&checkpoint);
}

static void halves_are_widened_exactly(void **state)
{
    (void)state;
    static const char *const types[] = {"F16", "BF16"};
    for (size_t t = 0; t < 2; t++) {
        struct checkpoint checkpoint, wide;
        checkpoint_open(&checkpoint, tiny);
        checkpoint_open(&wide, tiny);
        checkpoint_narrow(&checkpoint, types[t]);
        checkpoint_narrow(&wide, types[t]);
        checkpoint_widen(&wide);
        checkpoint_write(&checkpoint);
        checkpoint_write(&wide);
        struct model *const usual = open_whole(wide.folder);
        expect_same_model(checkpoint.folder, usual);
        model_close(usual);
        checkpoint_close(&checkpoint);
        checkpoint_close(&wide);
    }
}

/* A header of odd length: no tensor lies where floats usually do. */
static void numbers_that_are_not_aligned_are_read(void **state)
{
    (void)state;
    struct checkpoint checkpoint;
    struct model *const usual = open_whole(tiny);
    checkpoint_open(&checkpoint, tiny);
    checkpoint_write(&checkpoint);
    const struct bytes file = checkpoint_file(&checkpoint, 0, checkpoint.count, "");
    for (size_t blanks = 1; blanks <= 4; blanks++) {
        uint8_t *const moved = arena_alloc(&checkpoint.arena, file.size + blanks);
        size_t length = blanks;
        for (size_t i = 0; i < 3; i++) {
            length += (size_t)file.at[i] << (8 * i);
        }
        for (size_t i = 0; i < 8; i++) {
            moved[i] = (uint8_t)(length >> (8 * i));
        }
        memcpy(moved + 8, file.at + 8, length - blanks);
        memset(moved + 8 + length - blanks, ' ', blanks);
        memcpy(moved + 8 + length, file.at + 8 + length - blanks, file.size - 8 - length + blanks);
        checkpoint_put(&checkpoint, "model.safetensors", (struct bytes){moved, file.size + blanks});
        expect_same_model(checkpoint.folder, usual);
    }
    model_close(usual);
    checkpoint_close(&checkpoint);
}

/* Float32 as it stands in files, its lowest byte first. */
static void double_numbers(uint8_t *at, size_t bytes)
{
    for (; bytes >= 4; at += 4, bytes -= 4) {
        uint32_t bits =
            (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        float number;
        memcpy(&number, &bits, sizeof number);
        number *= 2;
        memcpy(&bits, &number, sizeof bits);
        for (size_t b = 0; b < 4; b++) {
            at[b] = (uint8_t)(bits >> (8 * b));
        }
    }
}

/* Output weights of their own: wte with every number doubled gives doubled logits, also where the
 * configuration says nothing of them. */
static void output_weights_may_be_untied(void **state)
{
    (void)state;
    struct checkpoint checkpoint;
    static float tied[VOCABULARY], own[VOCABULARY], said[VOCABULARY];
    float *const logits[] = {tied, own, said};
    const uint32_t ids[] = {1, 2, 3};
    const struct model_request request = {.ids = ids, .count = 3};
    checkpoint_open(&checkpoint, tiny);
    struct tensor head = *checkpoint_find(&checkpoint, "wte.weight");
    uint8_t *const doubled = arena_alloc(&checkpoint.arena, head.bytes.size);
    memcpy(doubled, head.bytes.at, head.bytes.size);
    double_numbers(doubled, head.bytes.size);
    head.name = "lm_head.weight";
    head.bytes.at = doubled;
    checkpoint_write(&checkpoint);
    for (size_t step = 0; step < 3; step++) {
        if (step == 1) {
            checkpoint.tensors[checkpoint.count++] = head;
            checkpoint_write(&checkpoint);
        }
        if (step == 2) {
            checkpoint_put_text(&checkpoint, "config.json",
                                "{\"n_layer\":2,\"n_head\":2,\"n_embd\":12,\"n_ctx\":32,"
                                "\"vocab_size\":300,\"tie_word_embeddings\":false}");
        }
        struct model *const model = open_whole(checkpoint.folder);
        struct model_run *const run = start(model, &request);
        assert_int_equal(model_config(model)->tied, step == 0);
        assert_true(model_run_logits(run, 2, 1, logits[step], NULL));
        model_run_close(run);
        model_close(model);
    }
    for (size_t i = 0; i < VOCABULARY; i++) {
        assert_true(own[i] == 2 * tied[i] && said[i] == own[i]);
    }
    checkpoint_close(&checkpoint);
}

static void a_layer_is_an_experiment_with_the_models_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum lab_part part;
        bool of_heads;
    } parts[] = {{"X", LAB_EMBEDDINGS_X, false},
                 {"Q", LAB_Q, true},
                 {"K", LAB_K, true},
                 {"V", LAB_V, true},
                 {"scores", LAB_SCORES, true},
                 {"Z", LAB_Z, true},
                 {"concat", LAB_CONCAT, false},
                 {"output", LAB_OUTPUT_O, false}};
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    uint32_t ids[IDS_MAX];
    const size_t n = expected_ids(&arena, ids);
    struct model *const model = open_whole(tiny);
    struct model_run *const run = start(model, &(struct model_request){.ids = ids, .count = n});
    struct lab_trace *const trace = model_trace(run, MODEL_SELF, 1, &error);
    if (trace == NULL) {
        fail_msg("%s", error.text);
    }
    model_run_close(run);
    model_close(model);
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        const struct array array = expected(&arena, parts[p].name);
        const struct lab_matrix first = lab_trace_part(trace, parts[p].part, 0);
        for (size_t h = 0; h < (parts[p].of_heads ? HEADS : 1); h++) {
            const struct lab_matrix matrix = lab_trace_part(trace, parts[p].part, h);
            const size_t floats = first.rows * first.cols;
            expect_close(&array, h * floats, floats, matrix.values);
        }
    }
    const struct array weights = expected(&arena, "weights");
    for (size_t h = 0; h < HEADS; h++) {
        expect_close(&weights, (HEADS + h) * n * n, n * n,
                     lab_trace_part(trace, LAB_ALPHA, h).values);
    }
    assert_string_equal(lab_trace_queries(trace)[1], "␣cat");
    lab_trace_release(trace);
    arena_free(&arena);
}

static bool give_up_at_layer_one(void *listener, size_t layer, size_t layers)
{
    assert_int_equal(layers, LAYERS);
    *(size_t *)listener += 1;
    return layer < 1;
}

static void a_request_is_checked_and_can_be_given_up(void **state)
{
    (void)state;
    const struct model_intervention nowhere = model_head_off(2, 0);
    uint32_t ids[IDS_MAX + 1] = {0};
    struct model *const model = open_whole(tiny);
    const uint32_t outside[] = {5, 300};
    const struct {
        struct model_request request;
        const char *says;
    } cases[] = {
        {{.ids = ids, .count = 0}, "has no tokens"},
        {{.ids = ids, .count = IDS_MAX + 1}, "has 33 tokens, the model has places for 32"},
        {{.ids = outside, .count = 2}, "Token 1 is 300, the model has 300 tokens"},
        {{.ids = ids, .count = 1, .interventions = {&nowhere, 1}}, "no head 0 in layer 2"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        assert_null(model_run_start(model, &cases[c].request, &error));
        if (strstr(error.text, cases[c].says) == NULL) {
            fail_msg("“%s” does not say “%s”", error.text, cases[c].says);
        }
    }
    size_t asked = 0;
    struct error error = {ERROR_NONE, 0, ""};
    assert_null(model_run_start(
        model,
        &(struct model_request){
            .ids = ids, .count = 3, .on_layer = give_up_at_layer_one, .listener = &asked},
        &error));
    assert_int_equal(asked, 2);
    assert_int_equal(error.code, ERROR_NONE);
    struct model_run *const run =
        start(model, &(struct model_request){.ids = ids, .count = IDS_MAX});
    assert_false(model_run_append(run, 1, &error));
    assert_non_null(strstr(error.text, "places for 32"));
    assert_int_equal(model_run_count(run), IDS_MAX);
    model_run_close(run);
    model_close(model);
}

int main(int argc, char **argv)
{
    tiny = argc > 1 ? argv[1] : "tests/model/tiny";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_gives_the_numbers_of_the_reference),
        cmocka_unit_test(heads_that_are_switched_off_are_missed),
        cmocka_unit_test(token_by_token_and_with_threads_it_is_the_same),
        cmocka_unit_test(layer_by_layer_it_is_the_same),
        cmocka_unit_test(prefix_and_shards_change_nothing),
        cmocka_unit_test(halves_are_widened_exactly),
        cmocka_unit_test(numbers_that_are_not_aligned_are_read),
        cmocka_unit_test(output_weights_may_be_untied),
        cmocka_unit_test(a_layer_is_an_experiment_with_the_models_numbers),
        cmocka_unit_test(a_request_is_checked_and_can_be_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
