/* The block around attention: y of each layer has the very bits of what the next one reads, each
 * step follows from those it is made of, and neurons sum to what the MLP gives. For the folders of
 * models that are named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../block_check.h"
#include "../opened.h"
#include "lab/explain/block_words.h"
#include "model/model.h"

static char **folders;
static int folder_count;

enum { TOKENS = 7 };

static void check_layer(const struct model_run *run, size_t layer, size_t layers,
                        const struct model_experts *experts)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_block *const block = model_block(run, MODEL_SELF, layer, &error);
    assert_string_equal(error.text, "");
    assert_non_null(block);
    const size_t y = lab_block_find(block, "y");
    const size_t chosen = lab_block_find(block, "chosen");
    for (size_t row = 0; chosen != LAB_BLOCK_NOTHING && row < lab_block_facts(block).n; row++) {
        const struct lab_block_step *const shares = lab_block_step(block, chosen);
        size_t asked = 0; /* a few of all experts count */
        for (size_t e = 0; e < shares->cols; e++) {
            asked += shares->values[row * shares->cols + e] > 0;
        }
        assert_int_equal(asked, experts->chosen);
    }
    const size_t mlp = lab_block_find(block, "mlp");
    if (chosen != LAB_BLOCK_NOTHING) { /* and what they say is told apart */
        const struct lab_block_step *const asked = lab_block_step(block, mlp);
        assert_int_equal(asked->op, LAB_MIX_EXPERTS);
        assert_int_equal(asked->asked.count, experts->chosen);
        assert_int_equal(asked->asked.common, experts->shared > 0);
        struct arena arena = {0};
        const char *const words[TOKENS] = {"a", "b", "c", "d", "e", "f", "g"};
        const struct lab_explanation told =
            lab_block_explain(block, words, (struct lab_block_place){mlp, 1, 2}, 16, &arena);
        assert_true(told.pieces >= 4 * experts->chosen); /* a share, a number, and signs */
        assert_non_null(strstr(told.sentence, " experts the router chose "));
        assert_non_null(strstr(told.title, "m( b, 3 ) = "));
        arena_free(&arena);
    }
    const size_t sum = y == LAB_BLOCK_NOTHING ? lab_block_find(block, "sum") : y;
    assert_int_not_equal(sum, LAB_BLOCK_NOTHING);
    const struct lab_block_step *const step = lab_block_step(block, sum);
    const size_t bytes = lab_block_facts(block).n * step->cols * sizeof *step->values;
    assert_memory_equal(step->values, model_run_residual(run, layer + 1), bytes);
    assert_memory_equal(lab_block_step(block, 0)->values, model_run_residual(run, layer), bytes);
    block_check_steps(block);
    block_check_neurons(block);
    size_t count = 0;
    const bool has_words = lab_block_words(block, lab_block_facts(block).n - 1, &count) != NULL;
    assert_true(!has_words || layer + 1 == layers);
    struct arena arena = {0};
    const char *const words[TOKENS] = {"a", "b", "c", "d", "e", "f", "g"};
    for (size_t s = 0; s < lab_block_facts(block).steps; s++) { /* each is spelled out */
        const struct lab_explanation told =
            lab_block_explain(block, words, (struct lab_block_place){s, 0, 1}, 4, &arena);
        assert_true(told.pieces >= 1 && told.title[0] != '\0' && told.sentence[0] != '\0');
        const struct lab_block_step *const one = lab_block_step(block, s);
        const bool from_0 = one->column != LAB_BLOCK_COLUMN_NUMBER;
        assert_non_null(strstr(told.title, from_0 ? "( a, 1 )" : "( a, 2 )"));
        for (size_t t = 0; t < s && one->op == LAB_PRODUCT; t++) { /* a symbol of its own */
            const struct lab_block_step *const other = lab_block_step(block, t);
            assert_true(other->op != LAB_PRODUCT || strcmp(one->weights, other->weights) != 0);
        }
    }
    assert_non_null(strstr(lab_block_describe(block, words, 0, &arena), "Around the attention"));
    arena_free(&arena);
    lab_block_release(block);
}

/* Of the first text of two: its words, and what each layer reads is what the former gave. */
static void check_source(const struct model_run *run, size_t layer)
{
    static float given[TOKENS * 4096];
    struct lab_block *const block = model_block(run, MODEL_ENCODER, layer, NULL);
    assert_non_null(block);
    assert_int_equal(lab_block_facts(block).n, TOKENS);
    const struct lab_block_step *const x = lab_block_step(block, 0);
    const size_t y = lab_block_find(block, "y");
    assert_int_not_equal(y, LAB_BLOCK_NOTHING);
    assert_true(TOKENS * x->cols <= sizeof given / sizeof *given);
    assert_true(layer == 0 || memcmp(given, x->values, TOKENS * x->cols * sizeof *given) == 0);
    memcpy(given, lab_block_step(block, y)->values, TOKENS * x->cols * sizeof *given);
    block_check_steps(block);
    block_check_neurons(block);
    lab_block_release(block);
}

static void what_a_layer_gives_is_what_the_next_one_reads(void **state)
{
    (void)state;
    for (int f = 0; f < folder_count; f++) {
        struct error error = {ERROR_NONE, 0, ""};
        struct model *const model = open_model(folders[f], &error);
        if (model == NULL) {
            fail_msg("%s", error.text);
        }
        const uint32_t ids[TOKENS] = {5, 17, 3, 17, 8, 21, 4};
        const struct model_request request = {.ids = ids,
                                              .count = TOKENS,
                                              .target_ids = ids,
                                              .target_count =
                                                  model_config(model)->source_layers > 0 ? 4 : 0};
        struct model_run *const run = model_run_start(model, &request, &error);
        if (run == NULL) {
            fail_msg("%s: %s", folders[f], error.text);
        }
        for (size_t l = 0; l < model_layers_of(model, MODEL_ENCODER); l++) {
            check_source(run, l);
        }
        for (size_t l = 0; l < model_config(model)->layers; l++) {
            check_layer(run, l, model_config(model)->layers, &model_config(model)->experts);
        }
        model_run_close(run);
        model_close(model);
    }
}

int main(int argc, char **argv)
{
    folders = argv + 1;
    folder_count = argc - 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_layer_gives_is_what_the_next_one_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
