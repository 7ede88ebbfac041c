/* The model that comes with the program is what its recipe gives, byte by byte, and knows what "it"
 * is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../rounds.h"
#include "base/embedded.h"
#include "base/file.h"
#include "learn/run.h"
#include "learn/scores.h"
#include "learn/shipped.h"

/* Sanitizers make a step many times as long. */
static const bool few = TEST_SANITIZED;

static const char *const files[] = {"config.json", "model.safetensors", "tokenizer.json"};

static void it_opens_from_the_program_itself(void **state)
{
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_model model;
    size_t bytes = 0;
    (void)state;
    if (!learn_shipped_open(&arena, &model, &error)) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(model.recipe.shape.layers, 2);
    assert_int_equal(model.recipe.shape.heads, 4);
    assert_int_equal(model.recipe.shape.d_model, 32);
    assert_true(model.recipe.shape.inner > 0);
    assert_int_equal(model.step, model.recipe.steps);
    for (size_t f = 0; f < 3; f++) {
        char name[80];
        snprintf(name, sizeof name, "assets/models/small-world/%s", files[f]);
        bytes += embedded_find(name)->size;
    }
    assert_true(bytes <= 300 * 1000);
    arena_free(&arena);
}

/* One of its heads looks from "is" to the noun: the claim that lessons make of it. */
static void a_head_of_it_finds_the_noun(void **state)
{
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_model model;
    struct learn_scores scores;
    (void)state;
    assert_true(learn_shipped_open(&arena, &model, &error));
    struct learn_data *const data =
        learn_recipe_data(&model.recipe, (struct bytes){NULL, 0}, &error);
    struct learn_network *const network = learn_network_open(&model.recipe.shape, NULL, &error);
    assert_true(learn_scores_take(network, model.weights, data, &scores, &error));
    assert_true(scores.best[LEARN_SCORE_NOUN] > .7F);
    assert_true(scores.best[LEARN_SCORE_KINDS] > .2F);
    learn_network_close(network);
    learn_data_release(data);
    arena_free(&arena);
}

static void check_files(const char *folder)
{
    for (size_t f = 0; f < 3; f++) {
        struct arena arena = {0};
        struct bytes written;
        char path[256], name[80];
        snprintf(path, sizeof path, "%s/%s", folder, files[f]);
        snprintf(name, sizeof name, "assets/models/small-world/%s", files[f]);
        const struct embedded *const inside = embedded_find(name);
        assert_true(file_read(path, 1 << 20, &arena, &written, NULL));
        assert_int_equal(written.size, inside->size);
        assert_memory_equal(written.at, inside->bytes, inside->size);
        assert_int_equal(unlink(path), 0);
        arena_free(&arena);
    }
    char path[256]; /* not shipped: only transformers reads it */
    snprintf(path, sizeof path, "%s/tokenizer_config.json", folder);
    assert_int_equal(unlink(path), 0);
}

static void its_files_are_what_its_recipe_gives(void **state)
{
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_model model;
    struct lab_engine engine;
    char folder[] = "attnscope-shipped-XXXXXX"; /* where the test runs */
    (void)state;
    assert_true(learn_shipped_open(&arena, &model, &error));
    assert_true(lab_engine_open(&engine, NULL, 0, &error));
    struct learn_run *const run =
        learn_run_make(&model.recipe, (struct bytes){NULL, 0}, &engine, &error);
    assert_non_null(run);
    if (few) {
        assert_true(learn_run_go(run, 20, NULL, &error));
    } else {
        float *const after = arena_array(&arena, model.tensors.floats, sizeof *after);
        const size_t bytes = model.tensors.floats * sizeof *after;
        assert_non_null(after);
        assert_true(learn_run_go(run, model.step, NULL, &error)); /* what is shipped */
        assert_true(learn_run_forward(run, &error));
        memcpy(after, learn_run_weights(run), bytes);
        assert_int_equal(learn_run_furthest(run), model.step + 1); /* now it came by itself */
        assert_true(learn_run_go(run, model.step, NULL, &error));
        assert_true(learn_run_go(run, model.step + 1, NULL, &error));
        assert_memory_equal(learn_run_weights(run), after, bytes);
        assert_true(learn_run_go(run, model.step, NULL, &error));
        const struct learn_model again = learn_model_of(run);
        assert_non_null(mkdtemp(folder));
        if (!learn_model_save(folder, &again, &error)) {
            fail_msg("%s", error.text);
        }
        check_files(folder);
        assert_int_equal(rmdir(folder), 0);
    }
    learn_run_free(run);
    lab_engine_close(&engine);
    arena_free(&arena);
}

/* Its step is there at once, and what was not trained is not told. */
static void its_step_need_not_be_waited_for(void **state)
{
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_model model;
    (void)state;
    assert_true(learn_shipped_open(&arena, &model, &error));
    const size_t bytes = model.tensors.floats * sizeof *model.weights;
    float *const after = arena_array(&arena, model.tensors.floats, sizeof *after);
    struct learn_run *const run =
        learn_run_make(&model.recipe, (struct bytes){NULL, 0}, NULL, &error);
    assert_non_null(run);
    assert_non_null(after);
    assert_true(learn_run_go(run, 3, NULL, &error));
    memcpy(after, learn_run_weights(run), bytes);
    assert_true(learn_run_go(run, model.step, NULL, &error));
    assert_memory_equal(learn_run_weights(run), model.weights, bytes);
    assert_int_equal(learn_run_step(run), model.step);
    assert_int_equal(learn_run_furthest(run), 3);
    assert_null(learn_run_gradient(run));
    assert_true(learn_run_go(run, 3, NULL, &error));
    assert_memory_equal(learn_run_weights(run), after, bytes);
    learn_run_free(run);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_opens_from_the_program_itself),
        cmocka_unit_test(a_head_of_it_finds_the_noun),
        cmocka_unit_test(its_files_are_what_its_recipe_gives),
        cmocka_unit_test(its_step_need_not_be_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
