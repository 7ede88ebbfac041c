/* tests/attn/plan.c — buffers that fit their shapes, and shapes that are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "attn/attn.h"

static const struct attn_shape grouped = {
    .n = 5, .m = 5, .d_model = 7, .d_k = 3, .d_v = 2, .heads = 4, .kv_heads = 2};

static void each_buffer_has_the_size_of_its_matrices(void **state)
{
    (void)state;
    struct attn_plan plan;
    assert_true(attn_plan(&grouped, &plan, NULL));
    const size_t expected[ATTN_BUFFERS] = {
        [ATTN_X] = 5 * 7,           [ATTN_W_Q] = 4 * 7 * 3, [ATTN_W_K] = 2 * 7 * 3,
        [ATTN_W_V] = 2 * 7 * 2,     [ATTN_W_O] = 4 * 2 * 7, [ATTN_Q] = 4 * 5 * 3,
        [ATTN_K] = 2 * 5 * 3,       [ATTN_V] = 2 * 5 * 2,   [ATTN_SCORES] = 4 * 5 * 5,
        [ATTN_WEIGHTS] = 4 * 5 * 5, [ATTN_Z] = 4 * 5 * 2,   [ATTN_CONCAT] = 5 * 4 * 2,
        [ATTN_OUTPUT] = 5 * 7,      [ATTN_CONTEXT] = 0,
    };
    for (size_t b = 0; b < ATTN_BUFFERS; b++) {
        assert_int_equal(plan.floats[b], expected[b]);
    }
}

static void buffers_are_aligned_and_do_not_overlap(void **state)
{
    (void)state;
    struct attn_plan plan;
    assert_true(attn_plan(&grouped, &plan, NULL));
    size_t end = 0;
    for (size_t b = 0; b < ATTN_BUFFERS; b++) {
        if (plan.floats[b] == 0) {
            continue;
        }
        assert_int_equal(plan.offset[b] % 64, 0);
        assert_true(plan.offset[b] >= end);
        end = plan.offset[b] + plan.floats[b] * sizeof(float);
    }
    assert_true(plan.bytes >= end);
}

static void raw_queries_and_keys_need_no_weights(void **state)
{
    (void)state;
    const struct attn_shape raw = {.n = 1, .m = 3, .d_k = 2, .d_v = 2, .heads = 1, .kv_heads = 1};
    struct attn_plan plan;
    float block[64 * ATTN_BUFFERS / sizeof(float)];
    assert_true(attn_plan(&raw, &plan, NULL));
    assert_null(attn_plan_buffer(&plan, block, ATTN_X));
    assert_null(attn_plan_buffer(&plan, block, ATTN_W_Q));
    assert_null(attn_plan_buffer(&plan, block, ATTN_OUTPUT));
    assert_non_null(attn_plan_buffer(&plan, block, ATTN_K));
    assert_true(attn_plan_buffer(&plan, block, ATTN_Q) == block);
}

static void a_context_of_other_length_gets_its_own_buffer(void **state)
{
    (void)state;
    struct attn_shape shape = grouped;
    struct attn_plan plan;
    shape.m = 9;
    assert_true(attn_plan(&shape, &plan, NULL));
    assert_int_equal(plan.floats[ATTN_CONTEXT], 9 * 7);
    shape.m = shape.n;
    shape.context = true;
    assert_true(attn_plan(&shape, &plan, NULL));
    assert_int_equal(plan.floats[ATTN_CONTEXT], 5 * 7);
}

static void impossible_shapes_are_refused_with_a_sentence(void **state)
{
    (void)state;
    const struct attn_shape refused[] = {
        {.n = 0, .m = 1, .d_k = 1, .d_v = 1, .heads = 1, .kv_heads = 1},
        {.n = 1, .m = 0, .d_k = 1, .d_v = 1, .heads = 1, .kv_heads = 1},
        {.n = 1, .m = 1, .d_k = 0, .d_v = 1, .heads = 1, .kv_heads = 1},
        {.n = 1, .m = 1, .d_k = 1, .d_v = 0, .heads = 1, .kv_heads = 1},
        {.n = 1, .m = 1, .d_k = 1, .d_v = 1, .heads = 0, .kv_heads = 0},
        {.n = 1, .m = 1, .d_k = 1, .d_v = 1, .heads = 1, .kv_heads = 0},
        {.n = 1, .m = 1, .d_k = 1, .d_v = 1, .heads = ATTN_HEADS_MAX + 1, .kv_heads = 1},
        {.n = 1, .m = 1, .d_k = 1, .d_v = 1, .heads = 6, .kv_heads = 4},
        {.n = 1, .m = 1, .d_k = 1, .d_v = 1, .heads = 2, .kv_heads = 4},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct attn_plan plan;
        const char *why = NULL;
        assert_false(attn_plan(&refused[i], &plan, &why));
        assert_non_null(why);
        assert_false(attn_plan(&refused[i], &plan, NULL));
    }
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    const size_t half = (size_t)1 << (sizeof(size_t) * 4);
    const struct attn_shape refused[] = {
        {.n = half, .m = half, .d_k = 1, .d_v = 1, .heads = 1, .kv_heads = 1},
        {.n = SIZE_MAX, .m = 1, .d_k = 1, .d_v = 1, .heads = 1, .kv_heads = 1},
        {.n = SIZE_MAX / 4, .m = 1, .d_k = 1, .d_v = 1, .heads = 1, .kv_heads = 1},
        {.n = 1, .m = 1, .d_model = half, .d_k = half, .d_v = 1, .heads = 1, .kv_heads = 1},
        {.n = 1, .m = 1, .d_k = SIZE_MAX / 8, .d_v = SIZE_MAX / 8, .heads = 1, .kv_heads = 1},
        {.n = 1, .m = SIZE_MAX / 64, .d_k = 1, .d_v = 1, .heads = 64, .kv_heads = 64},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct attn_plan plan;
        const char *why = NULL;
        assert_false(attn_plan(&refused[i], &plan, &why));
        assert_non_null(why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_buffer_has_the_size_of_its_matrices),
        cmocka_unit_test(buffers_are_aligned_and_do_not_overlap),
        cmocka_unit_test(raw_queries_and_keys_need_no_weights),
        cmocka_unit_test(a_context_of_other_length_gets_its_own_buffer),
        cmocka_unit_test(impossible_shapes_are_refused_with_a_sentence),
        cmocka_unit_test(sizes_that_overflow_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
