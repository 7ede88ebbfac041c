/* tests/attn/threads.c — one thread or sixteen: the same bits. Sizes are large enough that the pool
 * wakes, and no whole number of blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "attn/attn.h"
#include "attn/system.h"

enum { TOKENS = 203, MODEL = 72, HEADS = 4, THREADS = 16 };

struct whole {
    struct attn_plan plan;
    void *block, *scratch;
    float *packed;
};

static void *memory(size_t bytes)
{
    void *const block = attn_system_aligned(bytes + 64);
    assert_non_null(block);
    return block;
}

static struct whole make(const struct attn_kernels *kernels, enum attn_keep keep)
{
    const struct attn_shape shape = {.n = TOKENS,
                                     .m = TOKENS,
                                     .d_model = MODEL,
                                     .d_k = 64,
                                     .d_v = 64,
                                     .heads = HEADS,
                                     .kv_heads = HEADS,
                                     .keep = keep};
    struct whole whole = {.block = NULL};
    assert_true(attn_plan(&shape, &whole.plan, NULL));
    whole.block = memory(whole.plan.bytes);
    whole.scratch = memory(attn_run_bytes(kernels, &whole.plan, THREADS));
    whole.packed = memory(attn_run_packed_floats(kernels, &whole.plan) * sizeof(float));
    const enum attn_buffer filled[] = {ATTN_X, ATTN_W_Q, ATTN_W_K, ATTN_W_V, ATTN_W_O};
    uint32_t seed = 7;
    memset(whole.block, 0, whole.plan.bytes);
    for (size_t b = 0; b < sizeof filled / sizeof filled[0]; b++) {
        float *const values = attn_plan_buffer(&whole.plan, whole.block, filled[b]);
        for (size_t i = 0; i < whole.plan.floats[filled[b]]; i++) {
            seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
            values[i] = (float)(int32_t)seed * 0x1p-32F;
        }
    }
    attn_run_pack(kernels, &whole.plan, whole.block, whole.packed);
    return whole;
}

static void release(struct whole *whole)
{
    attn_system_free_aligned(whole->block);
    attn_system_free_aligned(whole->scratch);
    attn_system_free_aligned(whole->packed);
}

/* A whole attention with each pool: every buffer of the block as without threads. */
static void check_set(const struct attn_kernels *kernels, struct attn_pool *const pools[],
                      enum attn_keep keep)
{
    const struct attn_sight past = {.kind = ATTN_SEE_PAST};
    struct whole whole = make(kernels, keep);
    void *const alone = memory(whole.plan.bytes);
    for (size_t threads = 0; threads < THREADS; threads += threads == 0 ? 1 : test_stride()) {
        const struct attn_means means = {threads == 0 ? NULL : pools[threads], whole.packed,
                                         whole.scratch};
        assert_int_equal(attn_run(kernels, &whole.plan, whole.block, 0.125F, past, &means), 0);
        if (threads == 0) {
            memcpy(alone, whole.block, whole.plan.bytes);
        }
        assert_memory_equal(alone, whole.block, whole.plan.bytes);
        memset(attn_plan_buffer(&whole.plan, whole.block, ATTN_OUTPUT), 0xff,
               whole.plan.floats[ATTN_OUTPUT] * sizeof(float));
    }
    attn_system_free_aligned(alone);
    release(&whole);
}

static void from_1_to_16_threads_every_number_has_the_same_bits(void **state)
{
    (void)state;
    struct attn_pool *pools[THREADS] = {NULL};
    for (size_t i = 1; i < THREADS; i++) {
        pools[i] = attn_pool_open(i + 1);
        assert_int_equal(attn_pool_threads(pools[i]), i + 1);
    }
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        check_set(attn_kernels_at(i), pools, ATTN_KEEP_OUTPUT);
        check_set(attn_kernels_at(i), pools, ATTN_KEEP_WEIGHTS);
    }
    for (size_t i = 0; i < THREADS; i++) {
        attn_pool_close(pools[i]);
    }
}

/* Kept beside the output or with all stages, weights are the same, and each row sums to 1. */
static void weights_that_are_kept_are_those_of_the_stages(void **state)
{
    (void)state;
    const struct attn_sight past = {.kind = ATTN_SEE_PAST};
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        const struct attn_kernels *const kernels = attn_kernels_at(i);
        struct whole kept = make(kernels, ATTN_KEEP_WEIGHTS), all = make(kernels, ATTN_KEEP_ALL);
        struct whole *const both[] = {&kept, &all};
        for (size_t w = 0; w < 2; w++) {
            const struct attn_means means = {NULL, both[w]->packed, both[w]->scratch};
            assert_int_equal(
                attn_run(kernels, &both[w]->plan, both[w]->block, 0.125F, past, &means), 0);
        }
        const float *const one = attn_plan_buffer(&kept.plan, kept.block, ATTN_WEIGHTS);
        const float *const other = attn_plan_buffer(&all.plan, all.block, ATTN_WEIGHTS);
        for (size_t row = 0; row < HEADS * TOKENS; row++) {
            double sum = 0;
            for (size_t c = row * TOKENS; c < (row + 1) * TOKENS; c++) {
                assert_true(one[c] - other[c] < 1e-5F && other[c] - one[c] < 1e-5F);
                sum += (double)one[c];
            }
            assert_true(sum > 0.9999 && sum < 1.0001);
        }
        release(&kept);
        release(&all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_that_are_kept_are_those_of_the_stages),
        cmocka_unit_test(from_1_to_16_threads_every_number_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
