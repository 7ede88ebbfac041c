/* Scores of the pairs that a mask shows: the same to the bit, the others left alone, and counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attn/attn.h"

enum { ROWS_MAX = 150, DEPTH = 40 };

struct bench {
    float q[ROWS_MAX * DEPTH], k[ROWS_MAX * DEPTH];
    float whole[ROWS_MAX * ROWS_MAX], seen[ROWS_MAX * ROWS_MAX];
    uint8_t visible[ROWS_MAX * ROWS_MAX];
    uint64_t state;
};

static uint32_t draw(struct bench *bench) /* Knuth's 64-bit multiplier */
{
    bench->state = bench->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(bench->state >> 33);
}

static void fill(struct bench *bench, size_t n, size_t m, size_t d, unsigned kind)
{
    for (size_t c = 0; c < n * d; c++) {
        bench->q[c] = (float)(draw(bench) % 2001) / 1000 - 1;
    }
    for (size_t c = 0; c < m * d; c++) {
        bench->k[c] = (float)(draw(bench) % 2001) / 1000 - 1;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < m; j++) {
            bench->visible[i * m + j] = kind == 0   ? 1
                                        : kind == 1 ? j <= i
                                        : kind == 2 ? draw(bench) % 3 == 0
                                        : kind == 3 ? i / 7 == j / 7
                                                    : 0;
        }
    }
}

static void compare(struct bench *bench, const struct attn_kernels *kernels, size_t n, size_t m,
                    size_t d)
{
    const struct attn_operand q = {bench->q, n, d, d}, k = {bench->k, m, d, d};
    const struct attn_matrix whole = {bench->whole, n, m, m}, seen = {bench->seen, n, m, m};
    size_t shown = 0;
    for (size_t c = 0; c < n * m; c++) {
        bench->seen[c] = -77;
        shown += bench->visible[c];
    }
    attn_scores(kernels, q, k, whole);
    const size_t count =
        attn_scores_seen(kernels, q, k, (struct attn_mask){bench->visible, m}, seen);
    const bool exact = n * m <= 4096;
    assert_true(exact ? count == shown : count >= shown && count <= n * m);
    size_t written = 0;
    for (size_t c = 0; c < n * m; c++) {
        const bool touched = memcmp(&bench->seen[c], &(float){-77}, sizeof(float)) != 0;
        written += touched;
        if (bench->visible[c] != 0 || (touched && !exact)) {
            assert_memory_equal(&bench->seen[c], &bench->whole[c], sizeof(float));
        } else {
            assert_false(touched);
        }
    }
    assert_true(written <= count);
}

static void what_is_seen_is_the_same_and_what_is_hidden_is_not_computed(void **state)
{
    (void)state;
    struct bench *const bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->state = 20260;
    static const size_t sizes[][3] = {{1, 1, 1},   {4, 4, 3},     {10, 10, 64 / 2}, {64, 64, 8},
                                      {65, 64, 5}, {150, 150, 7}, {33, 129, 16},    {7, 150, 1}};
    for (size_t set = 0; attn_kernels_at(set) != NULL; set++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            for (unsigned kind = 0; kind < 5; kind++) {
                fill(bench, sizes[s][0], sizes[s][1], sizes[s][2], kind);
                compare(bench, attn_kernels_at(set), sizes[s][0], sizes[s][1], sizes[s][2]);
            }
        }
    }
    free(bench);
}

static void of_a_causal_mask_blocks_above_the_diagonal_are_skipped(void **state)
{
    (void)state;
    struct bench *const bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    fill(bench, 128, 128, 4, 1);
    const struct attn_operand q = {bench->q, 128, 4, 4}, k = {bench->k, 128, 4, 4};
    const struct attn_matrix s = {bench->seen, 128, 128, 128};
    const size_t count =
        attn_scores_seen(attn_kernels_at(0), q, k, (struct attn_mask){bench->visible, 128}, s);
    assert_int_equal(count, 128 * 128 - 2 * 32 * 64); /* rows 1 to 64 see none of keys 65 to 128 */
    free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_seen_is_the_same_and_what_is_hidden_is_not_computed),
        cmocka_unit_test(of_a_causal_mask_blocks_above_the_diagonal_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
