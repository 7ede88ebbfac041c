/* tests/attn/run.c — a whole attention: the classic numbers, shared heads, a context. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attn/attn.h"
#include "attn/system.h"

/* cat, dog, lion, NYC: petness, animalness, cityness. */
static const float words[4][3] = {{-2.5F, 1, 0}, {-2.7F, 0.5F, -0.2F}, {0, 5, -1}, {-2, 1, 5}};
static const float identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void assert_near(const float *got, const double *expected, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabs((double)got[i] - expected[i]) <= 2e-6)) {
            fail_msg("entry %zu is %.7g, expected %.7g", i, (double)got[i], expected[i]);
        }
    }
}

static void *block_of(const struct attn_plan *plan)
{
    void *const block = attn_system_aligned(plan->bytes);
    assert_non_null(block);
    memset(block, 0xff, plan->bytes);
    return block;
}

static void put(const struct attn_plan *plan, void *block, enum attn_buffer buffer,
                const void *values)
{
    memcpy(attn_plan_buffer(plan, block, buffer), values, plan->floats[buffer] * sizeof(float));
}

static void run_words(const struct attn_kernels *kernels, size_t count, float factor,
                      struct attn_mask mask, const double *weights, const double *output)
{
    const struct attn_shape shape = {
        .n = count, .m = count, .d_model = 3, .d_k = 3, .d_v = 3, .heads = 1, .kv_heads = 1};
    const enum attn_buffer matrices[] = {ATTN_W_Q, ATTN_W_K, ATTN_W_V, ATTN_W_O};
    struct attn_plan plan;
    assert_true(attn_plan(&shape, &plan, NULL));
    void *block = block_of(&plan);
    put(&plan, block, ATTN_X, words);
    for (size_t i = 0; i < 4; i++) {
        put(&plan, block, matrices[i], identity);
    }
    assert_int_equal(attn_run(kernels, &plan, block, factor,
                              (struct attn_sight){.kind = ATTN_SEE_MASK, .mask = mask}, NULL),
                     0);
    assert_near(attn_plan_buffer(&plan, block, ATTN_WEIGHTS), weights, count * count);
    assert_near(attn_plan_buffer(&plan, block, ATTN_OUTPUT), output, count * 3);
    assert_memory_equal(attn_plan_buffer(&plan, block, ATTN_Z),
                        attn_plan_buffer(&plan, block, ATTN_OUTPUT), count * 3 * sizeof(float));
    attn_system_free_aligned(block);
}

static void cats_dogs_and_a_lion_give_the_classic_numbers(void **state)
{
    (void)state;
    const double weights[] = {0.439987, 0.439987, 0.120026, 0.438177, 0.530144,
                              0.031680, 0.000005, 0.000001, 0.999993};
    const double output[] = {-2.287933, 1.260110,  -0.208023, -2.526829, 0.861647,
                             -0.137708, -0.000017, 4.999972,  -0.999993};
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        run_words(attn_kernels_at(i), 3, 1 / sqrtf(3), (struct attn_mask){0}, weights, output);
    }
}

static void with_the_causal_mask_each_word_sees_only_itself_and_the_past(void **state)
{
    (void)state;
    const uint8_t past[] = {1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1};
    const double weights[] = {1,        0,        0,        0,        0.452512, 0.547488,
                              0,        0,        0.000005, 0.000001, 0.999993, 0,
                              0.000001, 0.000001, 0.000000, 0.999999};
    const double output[] = {-2.5,      1,        0,         -2.609498, 0.726256, -0.109498,
                             -0.000017, 4.999972, -0.999993, -2.000001, 1,        4.999992};
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        run_words(attn_kernels_at(i), 4, 1 / sqrtf(3), (struct attn_mask){past, 4}, weights,
                  output);
    }
}

static void the_race_is_run_from_given_queries_keys_and_values(void **state)
{
    (void)state;
    const float q[] = {1, 0, 0, 1}, k[] = {1, 0, 0, 1, 0, 0.5F}, v[] = {10, 100, 5};
    const double scores[] = {1, 0, 0, 0, 1, 0.5};
    const double weights[] = {0.576117, 0.211942, 0.211942, 0.186324, 0.506480, 0.307196};
    const struct attn_shape shape = {.n = 2, .m = 3, .d_k = 2, .d_v = 1, .heads = 1, .kv_heads = 1};
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        struct attn_plan plan;
        assert_true(attn_plan(&shape, &plan, NULL));
        void *block = block_of(&plan);
        put(&plan, block, ATTN_Q, q);
        put(&plan, block, ATTN_K, k);
        put(&plan, block, ATTN_V, v);
        assert_int_equal(attn_run(attn_kernels_at(i), &plan, block, 1,
                                  (struct attn_sight){.kind = ATTN_SEE_MASK, .mask = {0}}, NULL),
                         0);
        assert_near(attn_plan_buffer(&plan, block, ATTN_SCORES), scores, 6);
        assert_near(attn_plan_buffer(&plan, block, ATTN_WEIGHTS), weights, 6);
        assert_float_equal(attn_plan_buffer(&plan, block, ATTN_Z)[0], 28.015032F, 1e-4F);
        assert_float_equal(attn_plan_buffer(&plan, block, ATTN_Z)[1], 54.047256F, 1e-4F);
        attn_system_free_aligned(block);
    }
}

static void heads_share_keys_and_values_of_their_group(void **state)
{
    (void)state;
    /* Four heads, two groups; one key, so that each head's z is its group's value. */
    const struct attn_shape shape = {.n = 1, .m = 1, .d_k = 1, .d_v = 2, .heads = 4, .kv_heads = 2};
    const float q[] = {1, 2, 3, 4}, k[] = {10, 100}, v[] = {5, 6, 7, 8};
    const double scores[] = {10, 20, 300, 400}, concat[] = {5, 6, 5, 6, 7, 8, 7, 8};
    struct attn_plan plan;
    assert_true(attn_plan(&shape, &plan, NULL));
    void *block = block_of(&plan);
    put(&plan, block, ATTN_Q, q);
    put(&plan, block, ATTN_K, k);
    put(&plan, block, ATTN_V, v);
    attn_run(attn_kernels_choose(NULL), &plan, block, 1,
             (struct attn_sight){.kind = ATTN_SEE_MASK, .mask = {0}}, NULL);
    assert_near(attn_plan_buffer(&plan, block, ATTN_SCORES), scores, 4);
    assert_near(attn_plan_buffer(&plan, block, ATTN_CONCAT), concat, 8);
    attn_system_free_aligned(block);
}

static void keys_and_values_come_from_the_context_when_there_is_one(void **state)
{
    (void)state;
    const struct attn_shape shape = {
        .n = 1, .m = 2, .d_model = 1, .d_k = 1, .d_v = 1, .heads = 1, .kv_heads = 1};
    const float x = 0, context[] = {4, 8}, one = 1;
    struct attn_plan plan;
    assert_true(attn_plan(&shape, &plan, NULL));
    void *block = block_of(&plan);
    put(&plan, block, ATTN_X, &x);
    put(&plan, block, ATTN_CONTEXT, context);
    put(&plan, block, ATTN_W_Q, &one);
    put(&plan, block, ATTN_W_K, &one);
    put(&plan, block, ATTN_W_V, &one);
    put(&plan, block, ATTN_W_O, &one);
    attn_run(attn_kernels_choose(NULL), &plan, block, 1,
             (struct attn_sight){.kind = ATTN_SEE_MASK, .mask = {0}}, NULL);
    assert_float_equal(attn_plan_buffer(&plan, block, ATTN_OUTPUT)[0], 6, 1e-6F);
    attn_system_free_aligned(block);
}

static void queries_without_keys_are_counted_over_all_heads(void **state)
{
    (void)state;
    const struct attn_shape shape = {.n = 2, .m = 2, .d_k = 1, .d_v = 1, .heads = 3, .kv_heads = 1};
    const uint8_t visible[] = {0, 0, 1, 0};
    const float q[6] = {0}, k[2] = {0}, v[] = {3, 4};
    struct attn_plan plan;
    assert_true(attn_plan(&shape, &plan, NULL));
    void *block = block_of(&plan);
    put(&plan, block, ATTN_Q, q);
    put(&plan, block, ATTN_K, k);
    put(&plan, block, ATTN_V, v);
    const struct attn_mask mask = {visible, 2};
    assert_int_equal(attn_run(attn_kernels_choose(NULL), &plan, block, 1,
                              (struct attn_sight){.kind = ATTN_SEE_MASK, .mask = mask}, NULL),
                     3);
    const double concat[] = {0, 0, 0, 3, 3, 3};
    assert_near(attn_plan_buffer(&plan, block, ATTN_CONCAT), concat, 6);
    attn_system_free_aligned(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cats_dogs_and_a_lion_give_the_classic_numbers),
        cmocka_unit_test(with_the_causal_mask_each_word_sees_only_itself_and_the_past),
        cmocka_unit_test(the_race_is_run_from_given_queries_keys_and_values),
        cmocka_unit_test(heads_share_keys_and_values_of_their_group),
        cmocka_unit_test(keys_and_values_come_from_the_context_when_there_is_one),
        cmocka_unit_test(queries_without_keys_are_counted_over_all_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
