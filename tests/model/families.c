/* Every family: the small model that families.py made of it gives the numbers that transformers
 * computes in float64, at once or token by token, and a layer in the lab shows the model's own. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../block_check.h"
#include "../opened.h"
#include "base/file.h"
#include "file/npz.h"
#include "lab/run/trace.h"
#include "model/model.h"

static const char *fixtures;
static size_t texts_with_words;

enum { IDS_MAX = 32, FAMILIES_MIN = 50, GGUF_MIN = 8 };

/* A model that has read the text of its fixture. */
struct fixture {
    struct arena arena;
    char path[4096];
    const char *name;
    struct bytes expected;
    struct model *model;
    uint32_t ids[IDS_MAX], target[IDS_MAX];
    size_t count, target_count;
};

static bool find(struct fixture *fixture, const char *name, struct array *out)
{
    return npz_read_one(fixture->expected, name, &fixture->arena, out, NULL);
}

static size_t read_ids(struct fixture *fixture, const char *name, uint32_t ids[IDS_MAX])
{
    struct array array;
    if (!find(fixture, name, &array)) {
        return 0;
    }
    assert_in_range(array_count(&array), 1, IDS_MAX);
    for (size_t i = 0; i < array_count(&array); i++) {
        ids[i] = (uint32_t)array_number(&array, i);
    }
    return array_count(&array);
}

static void open_fixture(struct fixture *fixture, const char *name, const char *file)
{
    char path[4096 + 32];
    struct error error = {ERROR_NONE, 0, ""};
    *fixture = (struct fixture){.name = name};
    snprintf(fixture->path, sizeof fixture->path, "%s/%s", fixtures, name);
    snprintf(path, sizeof path, "%s/expected.npz", fixture->path);
    assert_true(file_read(path, 1 << 20, &fixture->arena, &fixture->expected, NULL));
    snprintf(path, sizeof path, "%s%s", fixture->path, file);
    fixture->model = open_model(path, &error);
    if (fixture->model == NULL) {
        fail_msg("%s: %s", name, error.text);
    }
    fixture->count = read_ids(fixture, "ids", fixture->ids);
    fixture->target_count = read_ids(fixture, "target_ids", fixture->target);
}

static void close_fixture(struct fixture *fixture)
{
    model_close(fixture->model);
    arena_free(&fixture->arena);
}

static struct model_run *start(const struct fixture *fixture, size_t count, size_t target_count,
                               const struct attn_kernels *kernels)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct model_run *const run =
        model_run_start(fixture->model,
                        &(struct model_request){.ids = fixture->ids,
                                                .count = count,
                                                .target_ids = fixture->target,
                                                .target_count = target_count,
                                                .engine.kernels = kernels},
                        &error);
    if (run == NULL) {
        fail_msg("%s: %s", fixture->name, error.text);
    }
    return run;
}

/* Of an array that is expected, numbers from `first` on. */
static void expect_close(const struct fixture *fixture, const struct array *array, size_t first,
                         size_t count, const float *got)
{
    double largest = 1;
    assert_true(first + count <= array_count(array));
    for (size_t i = 0; i < array_count(array); i++) {
        largest = fmax(largest, fabs(array_number(array, i)));
    }
    for (size_t i = 0; i < count; i++) {
        const double wanted = array_number(array, first + i);
        if (!(fabs((double)got[i] - wanted) <= 1e-5 * largest)) {
            fail_msg("%s: %s, number %zu is %.9g, expected %.9g", fixture->name, array->name,
                     first + i, (double)got[i], wanted);
        }
    }
}

static void expect_weights(struct fixture *fixture, const struct model_run *run, const char *name,
                           enum model_attention which)
{
    static float matrix[IDS_MAX * IDS_MAX];
    struct array array;
    if (!find(fixture, name, &array)) {
        assert_int_not_equal(which, MODEL_SELF);
        assert_false(model_has_target(fixture->model));
        return;
    }
    const size_t heads = array.shape[1], floats = array.shape[2] * array.shape[3];
    for (size_t h = 0; h < array.shape[0] * heads; h++) {
        model_run_weights_of(run, which, h / heads, h % heads, matrix);
        expect_close(fixture, &array, h * floats, floats, matrix);
    }
}

static void expect_run(struct fixture *fixture, const struct model_run *run)
{
    struct array residual, logits;
    const struct model_config *const config = model_config(fixture->model);
    const size_t n = model_run_count(run), floats = n * config->width;
    float *const rows = malloc(n * config->vocabulary * sizeof *rows);
    assert_non_null(rows);
    assert_true(find(fixture, "residual", &residual));
    for (size_t l = 0; l <= config->layers; l++) {
        expect_close(fixture, &residual, l * floats, floats, model_run_residual(run, l));
    }
    expect_weights(fixture, run, "weights", MODEL_SELF);
    expect_weights(fixture, run, "encoder_weights", MODEL_ENCODER);
    expect_weights(fixture, run, "cross_weights", MODEL_CROSS);
    const bool expected = find(fixture, "logits", &logits);
    assert_int_equal(model_has_logits(fixture->model), expected);
    if (expected) {
        assert_true(model_run_logits(run, 0, n, rows, NULL));
        expect_close(fixture, &logits, 0, n * config->vocabulary, rows);
    }
    free(rows);
}

/* ---- each family --------------------------------------------------------------------------- */

static void numbers_are_those_of_transformers(struct fixture *fixture)
{
    for (size_t k = 0; attn_kernels_at(k) != NULL; k++) {
        struct model_run *const run =
            start(fixture, fixture->count, fixture->target_count, attn_kernels_at(k));
        expect_run(fixture, run);
        model_run_close(run);
    }
}

/* A text that grows gives what the whole text gives. */
static void token_by_token_it_is_the_same(struct fixture *fixture)
{
    const bool pair = fixture->target_count > 0;
    const size_t first = pair ? 1 : 2, all = pair ? fixture->target_count : fixture->count;
    const uint32_t *const ids = pair ? fixture->target : fixture->ids;
    struct model_run *const whole = start(fixture, fixture->count, fixture->target_count, NULL);
    struct model_run *const grown =
        start(fixture, pair ? fixture->count : first, pair ? first : 0, NULL);
    const struct model_config *const config = model_config(fixture->model);
    for (size_t i = first; i < all; i++) {
        assert_true(model_run_append(grown, ids[i], NULL));
    }
    for (size_t l = 0; l <= config->layers; l++) {
        if (memcmp(model_run_residual(grown, l), model_run_residual(whole, l),
                   all * config->width * sizeof(float)) != 0) {
            fail_msg("%s: other bits before layer %zu", fixture->name, l);
        }
    }
    model_run_close(grown);
    model_run_close(whole);
}

/* Queries and keys that are normed, or rebuilt from a latent, are given as they are compared. */
static bool begins_at_scores(const struct fixture *fixture)
{
    static const char *const names[] = {"qwen3", "gemma3", "olmo2", "deepseek", "phi-normed"};
    bool found = false;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        found = found || strncmp(fixture->name, names[n], strlen(names[n])) == 0;
    }
    return found;
}

/* Checks a layer as the stages show it. */
static void expect_stages(struct fixture *fixture, const struct model_run *run,
                          enum model_attention which, size_t layer)
{
    static float wanted[IDS_MAX * IDS_MAX];
    const size_t target = model_run_count(run), source = model_run_source_count(run);
    const size_t n = which == MODEL_ENCODER ? source : target;
    const size_t m = which == MODEL_SELF ? target : source;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_trace *const trace = model_trace(run, which, layer, &error);
    if (trace == NULL) {
        fail_msg("%s: %s", fixture->name, error.text);
    }
    assert_int_equal(lab_trace_sizes(trace).n, n);
    assert_int_equal(lab_trace_sizes(trace).m, m);
    assert_int_equal(lab_trace_sizes(trace).cross, which == MODEL_CROSS);
    assert_int_equal(lab_trace_sizes(trace).raw, begins_at_scores(fixture)); /* else at X */
    for (size_t h = 0; h < model_config(fixture->model)->heads; h++) {
        const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, h);
        model_run_weights_of(run, which, layer, h, wanted);
        for (size_t i = 0; i < n * m; i++) {
            const double got = (double)lab_matrix_at(&alpha, i / m, i % m);
            if (!(fabs(got - (double)wanted[i]) <= 1e-5)) {
                fail_msg("%s: attention %d, layer %zu, head %zu, weight %zu is %.9g on the stages, "
                         "%.9g in the model",
                         fixture->name, (int)which, layer, h, i, got, (double)wanted[i]);
            }
        }
    }
    lab_trace_release(trace);
}

static void a_layer_in_the_lab_shows_the_models_weights(struct fixture *fixture)
{
    struct model_run *const run = start(fixture, fixture->count, fixture->target_count, NULL);
    const bool pair = model_has_target(fixture->model);
    for (int which = MODEL_SELF; which <= (pair ? MODEL_CROSS : MODEL_SELF); which++) {
        for (size_t l = 0; l < model_layers_of(fixture->model, (enum model_attention)which); l++) {
            expect_stages(fixture, run, (enum model_attention)which, l);
        }
    }
    model_run_close(run);
}

/* A step that ends in a part of the trace, all heads or groups of it, to the bit. */
static void expect_part(const struct fixture *fixture, const struct lab_block *block,
                        const char *name, const struct lab_trace *trace, enum lab_part part)
{
    const size_t at = lab_block_find(block, name);
    assert_int_not_equal(at, LAB_BLOCK_NOTHING);
    const struct lab_block_step *const step = lab_block_step(block, at);
    const size_t matrices = lab_trace_matrices(trace, part);
    const size_t heads = lab_trace_sizes(trace).heads, cols = step->cols / matrices;
    assert_int_equal(step->parts, matrices);
    for (size_t h = 0; h < heads; h++) {
        const struct lab_matrix rows = lab_trace_part(trace, part, h);
        assert_int_equal(rows.cols, cols);
        for (size_t i = 0; i < rows.rows; i++) {
            const float *const made = step->values + i * step->cols + h * matrices / heads * cols;
            if (memcmp(made, rows.values + i * rows.stride, cols * sizeof *made) != 0) {
                fail_msg("%s: %s of head %zu, word %zu has other bits", fixture->name, name, h, i);
            }
        }
    }
}

/* Where the stages are given queries, keys and values, each number on the way there is a step, and
 * follows from those before it. */
static void the_way_to_queries_and_keys_is_shown(struct fixture *fixture)
{
    if (!begins_at_scores(fixture)) {
        return;
    }
    struct model_run *const run = start(fixture, fixture->count, fixture->target_count, NULL);
    const size_t width = model_config(fixture->model)->width;
    for (size_t l = 0; l < model_config(fixture->model)->layers; l++) {
        struct lab_trace *const trace = model_trace(run, MODEL_SELF, l, NULL);
        struct lab_block *const block = model_block(run, MODEL_SELF, l, NULL);
        assert_true(trace != NULL && block != NULL);
        expect_part(fixture, block, "q", trace, LAB_Q);
        expect_part(fixture, block, "k", trace, LAB_K);
        expect_part(fixture, block, "v", trace, LAB_V);
        block_check_steps(block);
        const struct lab_block_step *const o = lab_block_step(block, lab_block_find(block, "o"));
        assert_true(o->op == LAB_PRODUCT && o->cols == width);
        const bool latent = strncmp(fixture->name, "deepseek", 8) == 0;
        const char *const made = latent ? "latent_normed" : "q_0";
        assert_int_not_equal(lab_block_find(block, made), LAB_BLOCK_NOTHING);
        lab_block_release(block);
        lab_trace_release(trace);
    }
    model_run_close(run);
}

/* Where a fixture has words, those of a text are cut as by transformers; where a model reads one
 * language and writes another, each has its own. */
static void each_text_has_its_words(struct fixture *fixture)
{
    static const struct {
        const char *family, *array, *text, *word;
        enum model_text which;
        uint32_t id;
    } rows[] = {
        {"marian-apart", "read", "the dog sat and the cat sat on a mat q", "at", MODEL_READ, 5},
        {"marian-apart", "written", "le chien et le chat sur le tapis q", "␣dort", MODEL_WRITTEN,
         20},
        {"flan-t5", "read", "the cat  sat on matted cots, and then the dog ate a salmon", "␣cat",
         MODEL_READ, 5}};
    struct array array;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (strcmp(fixture->name, rows[r].family) != 0) {
            continue;
        }
        assert_true(find(fixture, rows[r].array, &array));
        const uint32_t *ids = NULL;
        size_t count = 0;
        struct error error = {ERROR_NONE, 0, ""};
        if (!tokenizer_encode(model_tokenizer_of(fixture->model, rows[r].which), rows[r].text,
                              strlen(rows[r].text), &fixture->arena, &ids, &count, &error)) {
            fail_msg("%s", error.text);
        }
        assert_int_equal(count, array_count(&array));
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(ids[i], (uint32_t)array_number(&array, i));
        }
        assert_string_equal(
            model_shown_of(fixture->model, rows[r].which, rows[r].id, &fixture->arena),
            rows[r].word);
        texts_with_words++;
    }
}

/* Every member that transformers saves is on a list, in every family; those of others are named. */
static void members_on_no_list_are_named(struct fixture *fixture)
{
    static const struct {
        const char *fixture, *ignored;
    } rows[] = {{"distilbert-decoder", "intermediate_size, sliding_window"},
                {"llama-others",
                 "attn_logit_softcapping, d_kv, feed_forward_proj, final_logit_softcapping, "
                 "layer_types, local_attention, no_rope_layers, num_experts, qk_layernorm, "
                 "query_pre_attn_scalar, rotary_pct, scale_attn_weights, scale_embedding, "
                 "sliding_window, type_vocab_size, use_bidirectional_attention, "
                 "use_sliding_window"}};
    const char *wanted = "";
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        wanted = strcmp(fixture->name, rows[r].fixture) == 0 ? rows[r].ignored : wanted;
    }
    const char *const got = model_config_ignored(model_config(fixture->model), &fixture->arena);
    if (strcmp(got, wanted) != 0) {
        fail_msg("%s: ignored: “%s”, expected “%s”", fixture->name, got, wanted);
    }
}

static void of_every_family(void (*look)(struct fixture *))
{
    struct fixture *const fixture = malloc(sizeof *fixture);
    DIR *const folder = opendir(fixtures);
    size_t families = 0, ggufs = 0;
    assert_non_null(folder);
    assert_non_null(fixture);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char gguf[4096 + 300];
        snprintf(gguf, sizeof gguf, "%s/%s/model.gguf", fixtures, entry->d_name);
        const bool twice = entry->d_name[0] != '.' && access(gguf, R_OK) == 0;
        for (size_t t = 0; entry->d_name[0] != '.' && t < (twice ? 2 : 1); t++) {
            open_fixture(fixture, entry->d_name, t == 0 ? "" : "/model.gguf");
            look(fixture);
            close_fixture(fixture);
        }
        families += entry->d_name[0] != '.';
        ggufs += twice;
    }
    closedir(folder);
    free(fixture);
    assert_true(families >= FAMILIES_MIN && ggufs >= GGUF_MIN);
}

static void every_set_gives_the_numbers_of_transformers(void **state)
{
    (void)state;
    of_every_family(numbers_are_those_of_transformers);
}

static void texts_may_grow(void **state)
{
    (void)state;
    of_every_family(token_by_token_it_is_the_same);
}

static void every_layer_stands_on_the_stages(void **state)
{
    (void)state;
    of_every_family(a_layer_in_the_lab_shows_the_models_weights);
}

static void queries_and_keys_come_from_somewhere(void **state)
{
    (void)state;
    of_every_family(the_way_to_queries_and_keys_is_shown);
}

static void ignored_members_are_named(void **state)
{
    (void)state;
    of_every_family(members_on_no_list_are_named);
}

static void texts_are_cut_as_transformers_cuts_them(void **state)
{
    (void)state;
    of_every_family(each_text_has_its_words);
    assert_int_equal(texts_with_words, 3);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_gives_the_numbers_of_transformers),
        cmocka_unit_test(texts_may_grow),
        cmocka_unit_test(every_layer_stands_on_the_stages),
        cmocka_unit_test(queries_and_keys_come_from_somewhere),
        cmocka_unit_test(ignored_members_are_named),
        cmocka_unit_test(texts_are_cut_as_transformers_cuts_them),
    };
    if (count != 2) {
        return 1;
    }
    fixtures = arguments[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
