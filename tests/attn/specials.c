/* tests/attn/specials.c — rows without keys, infinities, NaN, ties: what a teacher may type. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "attn/attn.h"

enum { COLS_MAX = 40 };

/* Calls check once for each set this machine has. */
static void with_each_set(void (*check)(const struct attn_kernels *kernels))
{
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        check(attn_kernels_at(i));
    }
}

static struct attn_matrix one_row(float *values, size_t cols)
{
    return (struct attn_matrix){values, 1, cols, cols};
}

static void check_empty_rows(const struct attn_kernels *kernels)
{
    for (size_t cols = 1; cols <= COLS_MAX; cols++) {
        float s[3 * COLS_MAX];
        for (size_t j = 0; j < 3 * cols; j++) {
            s[j] = j / cols == 1 ? 0.5F : -INFINITY;
        }
        assert_int_equal(attn_softmax(kernels, (struct attn_matrix){s, 3, cols, cols}), 2);
        for (size_t j = 0; j < cols; j++) {
            assert_true(s[j] == 0 && s[2 * cols + j] == 0);
            assert_float_equal(s[cols + j], 1 / (float)cols, 1e-7F);
        }
    }
}

static void a_query_that_sees_no_key_gets_weights_of_0_and_is_counted(void **state)
{
    (void)state;
    with_each_set(check_empty_rows);
}

static void check_infinite_scores(const struct attn_kernels *kernels)
{
    for (size_t cols = 2; cols <= COLS_MAX; cols++) {
        float s[COLS_MAX];
        for (size_t j = 0; j < cols; j++) {
            s[j] = (float)j;
        }
        s[0] = INFINITY;
        s[cols - 1] = INFINITY;
        assert_int_equal(attn_softmax(kernels, one_row(s, cols)), 0);
        for (size_t j = 0; j < cols; j++) {
            assert_true(s[j] == (j == 0 || j == cols - 1 ? 0.5F : 0));
        }
    }
}

static void infinite_scores_share_everything_equally(void **state)
{
    (void)state;
    with_each_set(check_infinite_scores);
}

static void check_nan_scores(const struct attn_kernels *kernels)
{
    for (size_t cols = 2; cols <= COLS_MAX; cols++) {
        for (size_t at = 1; at < cols; at++) {
            float s[COLS_MAX] = {0};
            s[0] = -INFINITY;
            s[at] = NAN;
            assert_int_equal(attn_softmax(kernels, one_row(s, cols)), 0);
            assert_true(s[0] == 0);
            for (size_t j = 1; j < cols; j++) {
                assert_true(isnan(s[j]));
            }
        }
    }
}

static void an_unknown_score_leaves_all_visible_weights_unknown(void **state)
{
    (void)state;
    with_each_set(check_nan_scores);
}

static void check_poisoned_key(const struct attn_kernels *kernels)
{
    static const float poisons[] = {NAN, INFINITY, -INFINITY, FLT_MAX};
    for (size_t p = 0; p < sizeof poisons / sizeof poisons[0]; p++) {
        for (size_t m = 2; m <= COLS_MAX; m++) {
            uint8_t visible[COLS_MAX];
            float clean[COLS_MAX], dirty[COLS_MAX], z_clean[3], z_dirty[3], v_clean[COLS_MAX * 3],
                v_dirty[COLS_MAX * 3];
            const size_t hidden = m / 2;
            for (size_t j = 0; j < m; j++) {
                visible[j] = j != hidden;
                clean[j] = dirty[j] = (float)j * 0.1F;
            }
            for (size_t j = 0; j < m * 3; j++) {
                v_clean[j] = v_dirty[j] = (float)j - 4;
            }
            dirty[hidden] = poisons[p];
            v_dirty[hidden * 3] = v_dirty[hidden * 3 + 1] = v_dirty[hidden * 3 + 2] = poisons[p];
            const struct attn_mask mask = {visible, m};
            float *scores[] = {clean, dirty}, *v[] = {v_clean, v_dirty}, *z[] = {z_clean, z_dirty};
            for (size_t i = 0; i < 2; i++) {
                attn_scale_mask(kernels, one_row(scores[i], m), 0.5F, mask);
                attn_softmax(kernels, one_row(scores[i], m));
                attn_blend(kernels, (struct attn_operand){scores[i], 1, m, m},
                           (struct attn_operand){v[i], m, 3, 3}, one_row(z[i], 3));
            }
            assert_memory_equal(clean, dirty, m * sizeof(float));
            assert_memory_equal(z_clean, z_dirty, sizeof z_clean);
        }
    }
}

static void nothing_shows_of_a_masked_key_not_even_nan(void **state)
{
    (void)state;
    with_each_set(check_poisoned_key);
}

static void check_huge_scores(const struct attn_kernels *kernels)
{
    float s[] = {1e38F, -1e38F, 1e38F, 3e38F, -3e38F, 3e38F};
    attn_softmax(kernels, one_row(s, 6));
    assert_true(s[0] == 0 && s[1] == 0 && s[2] == 0 && s[4] == 0);
    assert_true(s[3] == 0.5F && s[5] == 0.5F);
}

static void scores_of_plus_and_minus_1e38_give_right_weights(void **state)
{
    (void)state;
    with_each_set(check_huge_scores);
}

static void check_ties(const struct attn_kernels *kernels)
{
    for (size_t cols = 1; cols <= COLS_MAX; cols++) {
        float s[COLS_MAX];
        for (size_t j = 0; j < cols; j++) {
            s[j] = -7.25F;
        }
        attn_softmax(kernels, one_row(s, cols));
        for (size_t j = 0; j < cols; j++) {
            assert_true(s[j] == s[0]);
            assert_float_equal(s[j], 1 / (float)cols, 1e-7F);
        }
    }
}

static void equal_scores_get_equal_weights(void **state)
{
    (void)state;
    with_each_set(check_ties);
}

static void check_nothing_to_sum(const struct attn_kernels *kernels)
{
    float z[6] = {9, 9, 9, 9, 9, 9}, v[1] = {1};
    attn_blend(kernels, (struct attn_operand){v, 2, 0, 0}, (struct attn_operand){v, 0, 3, 3},
               (struct attn_matrix){z, 2, 3, 3});
    for (size_t i = 0; i < 6; i++) {
        assert_true(z[i] == 0);
    }
}

static void a_sum_over_no_keys_is_0(void **state)
{
    (void)state;
    with_each_set(check_nothing_to_sum);
}

static void check_nan_in_a_seen_value(const struct attn_kernels *kernels)
{
    float a[] = {0.5F, 0.5F}, v[] = {1, NAN, 2, 3}, z[2];
    attn_blend(kernels, (struct attn_operand){a, 1, 2, 2}, (struct attn_operand){v, 2, 2, 2},
               one_row(z, 2));
    assert_true(z[0] == 1.5F && isnan(z[1]));
}

static void nan_in_a_value_that_is_seen_shows_and_only_there(void **state)
{
    (void)state;
    with_each_set(check_nan_in_a_seen_value);
}

/* Sums of up to 8192 terms against float64, relative to the largest result or 1. */
static void check_long_sums(const struct attn_kernels *kernels)
{
    enum { ROWS = 3, COLS = 5, DEPTH = 8192 };
    static float x[ROWS * DEPTH], w[DEPTH * COLS];
    uint32_t state = 2463534242U; /* Marsaglia's xorshift (2003) */
    for (size_t i = 0; i < (ROWS + COLS) * DEPTH; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        *(i < ROWS * DEPTH ? &x[i] : &w[i - ROWS * DEPTH]) = (float)(int32_t)state * 0x1p-31F;
    }
    for (size_t depth = 16; depth <= DEPTH; depth *= 2) {
        float out[ROWS * COLS];
        double most = 1, off = 0;
        attn_project(kernels, (struct attn_operand){x, ROWS, depth, DEPTH},
                     (struct attn_operand){w, depth, COLS, COLS},
                     (struct attn_matrix){out, ROWS, COLS, COLS});
        for (size_t at = 0; at < ROWS * COLS; at++) {
            double sum = 0;
            for (size_t p = 0; p < depth; p++) {
                sum += (double)x[at / COLS * DEPTH + p] * (double)w[p * COLS + at % COLS];
            }
            most = fmax(most, fabs(sum));
            off = fmax(off, fabs((double)out[at] - sum));
        }
        assert_true(off / most <= 4e-6);
    }
}

static void sums_of_8192_terms_stay_within_4e_6(void **state)
{
    (void)state;
    with_each_set(check_long_sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_that_sees_no_key_gets_weights_of_0_and_is_counted),
        cmocka_unit_test(infinite_scores_share_everything_equally),
        cmocka_unit_test(an_unknown_score_leaves_all_visible_weights_unknown),
        cmocka_unit_test(nothing_shows_of_a_masked_key_not_even_nan),
        cmocka_unit_test(scores_of_plus_and_minus_1e38_give_right_weights),
        cmocka_unit_test(equal_scores_get_equal_weights),
        cmocka_unit_test(a_sum_over_no_keys_is_0),
        cmocka_unit_test(nan_in_a_value_that_is_seen_shows_and_only_there),
        cmocka_unit_test(sums_of_8192_terms_stay_within_4e_6),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
