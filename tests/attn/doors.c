/* tests/attn/doors.c — wrong sizes are refused, the caller's rounding mode is kept, and a whole
 * attention gives the same numbers with any means. */
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

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

enum { N = 3, M = 5, D = 4 };

static float q[N * D], k[M * D], v[M * D], z[N * D];

static struct attn_head small_head(void)
{
    for (size_t i = 0; i < M * D; i++) {
        k[i] = (float)i * 0.1F - 1;
        v[i] = (float)i;
        q[i % (N * D)] = 1 - (float)i * 0.05F;
    }
    for (size_t i = 0; i < N * D; i++) {
        z[i] = 77;
    }
    return (struct attn_head){
        .q = {q, N, D, D},
        .k = {k, M, D, D},
        .v = {v, M, D, D},
        .factor = 0.5F,
        .z = {z, N, D, D},
    };
}

static void assert_refused(struct attn_head head)
{
    const char *const why = attn_head_error(&head);
    assert_non_null(why);
    assert_true(why[strlen(why) - 1] == '.');
}

static void wrong_sizes_are_refused(void **state)
{
    (void)state;
    static const uint8_t visible[N * M] = {1};
    struct attn_head head = small_head();
    head.q.rows = 0;
    assert_refused(head);
    head = small_head();
    head.k.rows = head.v.rows = 0;
    assert_refused(head);
    head = small_head();
    head.k.cols = D - 1;
    assert_refused(head);
    head = small_head();
    head.v.rows = M - 1;
    assert_refused(head);
    head = small_head();
    head.z.cols = D - 1;
    assert_refused(head);
    head = small_head();
    head.q.stride = D - 1;
    assert_refused(head);
    head = small_head();
    head.k.rows = head.v.rows = SIZE_MAX / 2;
    assert_refused(head);
    head = small_head();
    head.sight = (struct attn_sight){ATTN_SEE_MASK, 0, {visible, M - 1}};
    assert_refused(head);
    head = small_head();
    head.weights = (struct attn_matrix){k, N, M - 1, M};
    assert_refused(head);
}

/* −1 and other numbers that came out of a subtraction, 0, and products that fit no size_t. */
static void sizes_of_no_matrix_are_refused_wherever_they_stand(void **state)
{
    (void)state;
    const size_t sizes[] = {0, (size_t)-1, (size_t)-3, SIZE_MAX / 2, SIZE_MAX / 4 + 1};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct attn_head heads[8];
        for (size_t i = 0; i < 8; i++) {
            heads[i] = small_head();
        }
        heads[0].q.rows = heads[0].z.rows = sizes[s];
        heads[1].k.rows = heads[1].v.rows = sizes[s];
        heads[2].q.cols = heads[2].k.cols = heads[2].q.stride = heads[2].k.stride = sizes[s];
        heads[3].v.cols = heads[3].z.cols = heads[3].v.stride = heads[3].z.stride = sizes[s];
        heads[4].q.cols = sizes[s];
        heads[5].z.rows = sizes[s];
        heads[6].q.stride = sizes[s];
        heads[7].weights = (struct attn_matrix){k, N, sizes[s], sizes[s]};
        for (size_t i = 0; i < 8; i++) {
            assert_refused(heads[i]);
        }
    }
}

static void fused(const struct attn_kernels *kernels, const struct attn_head *head)
{
    _Alignas(64) static unsigned char scratch[1 << 18];
    assert_null(attn_head_error(head));
    assert_in_range(attn_fused_bytes(kernels, head, 1, 1), 1, sizeof scratch);
    attn_fused(kernels, NULL, head, 1, scratch);
}

static float nan_of(uint32_t bits)
{
    float x = 0;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* One query against two keys whose scores are a and b; values 1 and 3. */
static float mix(const struct attn_kernels *kernels, float a, float b, float factor)
{
    float one = 1, keys[2] = {a, b}, values[2] = {1, 3}, out = 77;
    const struct attn_head head = {
        .q = {&one, 1, 1, 1},
        .k = {keys, 2, 1, 1},
        .v = {values, 2, 1, 1},
        .factor = factor,
        .z = {&out, 1, 1, 1},
    };
    fused(kernels, &head);
    return out;
}

static void scores_of_any_size_give_the_mean_that_the_formula_tends_to(void **state)
{
    (void)state;
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        const struct attn_kernels *const set = attn_kernels_at(i);
        assert_true(mix(set, 1e38F, 1e38F, 1) == 2);
        assert_true(mix(set, 1e38F, -1e38F, 1) == 1);
        assert_true(mix(set, -1e38F, -1e38F, 1) == 2);
        assert_true(mix(set, INFINITY, 5, 1) == 1);
        assert_true(mix(set, INFINITY, INFINITY, 1) == 2);
        assert_true(mix(set, -INFINITY, 5, 1) == 3);
        assert_true(mix(set, -INFINITY, -INFINITY, 1) == 0);
        assert_true(isnan(mix(set, NAN, 5, 1)));
        assert_true(isnan(mix(set, 5, nan_of(0x7fc007a2), 1))); /* "missing", as R writes it */
        assert_true(isnan(mix(set, nan_of(0xffc00001), 5, 1)));
        assert_true(mix(set, 1, 1.0001F, 1e30F) == 3); /* a temperature near 0 */
        assert_true(mix(set, 1, 2, INFINITY) == 2);
        assert_true(mix(set, 1, 2, 0) == 2);
        assert_float_equal(mix(set, 1, 2, -1), 3 - 2 / (1 + expf(-1)), 1e-6F);
        assert_float_equal(mix(set, 1e-44F, 1e-44F, 1e38F), 2, 1e-6F);
        assert_float_equal(mix(set, 40000, 39999, 1), 3 - 2 / (1 + expf(-1)), 1e-6F);
    }
}

#if defined(__x86_64__)
static void flush_to_zero_and_rounding_of_the_caller_change_nothing_and_are_kept(void **state)
{
    (void)state;
    const unsigned before = _mm_getcsr(), strange = 0xffc0U; /* FTZ, DAZ, toward 0 */
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        struct attn_head head = small_head();
        float usual[N * D], tiny[2] = {1e-40F, 1e-40F}, sum[1];
        q[0] = 1e-40F;
        v[0] = 1e-41F;
        fused(attn_kernels_at(i), &head);
        memcpy(usual, z, sizeof usual);
        _mm_setcsr(strange);
        fused(attn_kernels_at(i), &head);
        attn_blend(attn_kernels_at(i), (struct attn_operand){(float[]){1, 1}, 1, 2, 2},
                   (struct attn_operand){tiny, 2, 1, 1}, (struct attn_matrix){sum, 1, 1, 1});
        const unsigned kept = _mm_getcsr() & 0xffc0U;
        _mm_setcsr(before);
        assert_int_equal(kept, strange);
        assert_memory_equal(usual, z, sizeof usual);
        assert_true(sum[0] == (float)(2 * (double)tiny[0]));
    }
}
#endif

/* ---- whole attentions ---------------------------------------------------------------------- */

enum { TOKENS = 200, WIDTH_OF_MODEL = 40, HEADS = 4 };

struct made {
    struct attn_plan plan;
    void *block, *scratch;
    float *packed;
};

static struct made make(const struct attn_kernels *kernels, enum attn_keep keep)
{
    const struct attn_shape shape = {.n = TOKENS,
                                     .m = TOKENS,
                                     .d_model = WIDTH_OF_MODEL,
                                     .d_k = 10,
                                     .d_v = 12,
                                     .heads = HEADS,
                                     .kv_heads = 2,
                                     .keep = keep};
    struct made made = {.block = NULL};
    assert_true(attn_plan(&shape, &made.plan, NULL));
    made.block = attn_system_aligned(made.plan.bytes);
    assert_non_null(made.block);
    const enum attn_buffer filled[] = {ATTN_X, ATTN_W_Q, ATTN_W_K, ATTN_W_V, ATTN_W_O};
    uint32_t seed = 1;
    for (size_t b = 0; b < sizeof filled / sizeof filled[0]; b++) {
        float *const values = attn_plan_buffer(&made.plan, made.block, filled[b]);
        for (size_t i = 0; i < made.plan.floats[filled[b]]; i++) {
            seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
            values[i] = (float)(int32_t)seed * 0x1p-33F;
        }
    }
    const size_t floats = attn_run_packed_floats(kernels, &made.plan);
    made.packed = attn_system_aligned(floats * sizeof(float));
    assert_non_null(made.packed);
    attn_run_pack(kernels, &made.plan, made.block, made.packed);
    made.scratch = attn_system_aligned(64 + attn_run_bytes(kernels, &made.plan, 16));
    assert_non_null(made.scratch);
    return made;
}

static void release(struct made *made)
{
    attn_system_free_aligned(made->block);
    attn_system_free_aligned(made->packed);
    attn_system_free_aligned(made->scratch);
}

static void a_whole_attention_is_the_same_with_any_means(void **state)
{
    (void)state;
    const struct attn_sight past = {.kind = ATTN_SEE_PAST};
    uint8_t visible[TOKENS * TOKENS];
    for (size_t i = 0; i < TOKENS * TOKENS; i++) {
        visible[i] = i % TOKENS <= i / TOKENS;
    }
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        const struct attn_kernels *const set = attn_kernels_at(i);
        struct made plain = make(set, ATTN_KEEP_ALL);
        attn_run(set, &plain.plan, plain.block, 0.3F,
                 (struct attn_sight){.kind = ATTN_SEE_MASK, .mask = {visible, TOKENS}}, NULL);
        const float *const expected = attn_plan_buffer(&plain.plan, plain.block, ATTN_OUTPUT);
        for (int keep = ATTN_KEEP_ALL; keep <= ATTN_KEEP_OUTPUT; keep++) {
            float first[TOKENS * WIDTH_OF_MODEL];
            for (size_t threads = 1; threads <= 16; threads += 3) {
                struct made made = make(set, (enum attn_keep)keep);
                struct attn_pool *const pool = attn_pool_open(threads);
                const struct attn_means means = {pool, threads % 2 == 0 ? NULL : made.packed,
                                                 made.scratch};
                assert_int_equal(attn_run(set, &made.plan, made.block, 0.3F, past, &means), 0);
                const float *const out = attn_plan_buffer(&made.plan, made.block, ATTN_OUTPUT);
                if (threads == 1) {
                    memcpy(first, out, sizeof first);
                }
                assert_memory_equal(first, out, sizeof first);
                for (size_t j = 0; j < TOKENS * WIDTH_OF_MODEL; j++) {
                    assert_float_equal(out[j], expected[j], keep == ATTN_KEEP_ALL ? 0 : 1e-5F);
                }
                attn_pool_close(pool);
                release(&made);
            }
        }
        release(&plain);
    }
}

static void listen(void *listener, const struct attn_tile *tile)
{
    size_t *const tiles = listener;
    tiles[0]++;
    tiles[1] += tile->skipped ? 1 : 0;
    for (size_t r = 0; r < tile->rows && !tile->skipped; r++) {
        const size_t seen = tile->col + tile->cols <= tile->row + r + 1 ? tile->col + tile->cols
                                                                        : tile->row + r + 1;
        /* All scores are 0: the maximum is 0, the sum counts the keys. */
        assert_float_equal(tile->max[r], 0, 0);
        assert_float_equal(tile->sum[r], (float)seen, 1e-5F * (float)seen);
        assert_float_equal(tile->z.values[r * tile->z.stride] / tile->sum[r], 2, 1e-5F);
    }
}

static void after_every_tile_a_listener_sees_how_far_the_sums_have_come(void **state)
{
    (void)state;
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        float zeros[8] = {0}, twos[8], out[8];
        size_t tiles[2] = {0, 0};
        for (size_t j = 0; j < 8; j++) {
            twos[j] = 2;
        }
        const struct attn_head head = {
            .q = {zeros, 8, 1, 1},
            .k = {zeros, 8, 1, 1},
            .v = {twos, 8, 1, 1},
            .factor = 1,
            .sight = {.kind = ATTN_SEE_PAST},
            .z = {out, 8, 1, 1},
            .block_rows = 2,
            .block_cols = 3,
            .on_tile = listen,
            .listener = tiles,
        };
        fused(attn_kernels_at(i), &head);
        assert_int_equal(tiles[0], 4 * 3);
        assert_int_equal(tiles[1], 2 + 1 + 1); /* behind what queries 0, 1 and 2 … 5 see */
        assert_float_equal(out[7], 2, 1e-6F);
    }
}

/* So large that it is read row by row as memory likes it. */
static void a_large_product_for_few_rows_has_the_bits_of_a_packed_one(void **state)
{
    (void)state;
    enum { ROWS = 3, DEPTH = 1003, COLS = 307 };
    static float x[ROWS * DEPTH], w[DEPTH * COLS], plain[ROWS * COLS], packed[ROWS * COLS];
    uint32_t seed = 3;
    for (size_t i = 0; i < ROWS * DEPTH + DEPTH * COLS; i++) {
        seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
        *(i < ROWS * DEPTH ? &x[i] : &w[i - ROWS * DEPTH]) = (float)(int32_t)seed * 0x1p-31F;
    }
    const struct attn_operand a = {x, ROWS, DEPTH, DEPTH}, b = {w, DEPTH, COLS, COLS};
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        const struct attn_kernels *const set = attn_kernels_at(i);
        const size_t bytes = attn_packed_floats(set, DEPTH, COLS) * sizeof(float);
        void *const panels = attn_system_aligned(bytes);
        assert_non_null(panels);
        attn_pack(set, b, panels);
        attn_project(set, a, b, (struct attn_matrix){plain, ROWS, COLS, COLS});
        attn_project_packed(set, a, panels, (struct attn_matrix){packed, ROWS, COLS, COLS});
        assert_memory_equal(plain, packed, sizeof plain);
        double sum = 0;
        for (size_t p = 0; p < DEPTH; p++) {
            sum += (double)x[2 * DEPTH + p] * (double)w[p * COLS + COLS - 1];
        }
        assert_float_equal(plain[ROWS * COLS - 1], (float)sum, 1e-4F);
        attn_system_free_aligned(panels);
    }
}

/* Any count at any place: what is a whole register for one is the rest of a row for another. */
static void a_gated_number_has_the_same_bits_alone_and_leaves_its_neighbours(void **state)
{
    (void)state;
    enum { COUNT_MAX = 67 };
    float x[COUNT_MAX + 2], alone[COUNT_MAX + 2];
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        const struct attn_kernels *const set = attn_kernels_at(i);
        for (size_t j = 0; j < COUNT_MAX + 2; j++) {
            alone[j] = ((float)j - 30) * 0.37F;
            attn_gate(set, &alone[j], 1, 1.5F, 0.1F);
        }
        for (size_t first = 0; first < 3; first++) {
            for (size_t count = 0; count + first <= COUNT_MAX; count++) {
                for (size_t j = 0; j < COUNT_MAX + 2; j++) {
                    x[j] = ((float)j - 30) * 0.37F;
                }
                attn_gate(set, x + first, count, 1.5F, 0.1F);
                assert_memory_equal(x + first, alone + first, count * sizeof *x);
                assert_true(first == 0 || x[first - 1] == ((float)first - 31) * 0.37F);
                assert_true(x[first + count] == ((float)(first + count) - 30) * 0.37F);
            }
        }
    }
}

/* Products that are subnormal count when the factor is that large. */
static void scores_next_to_0_count_under_a_factor_that_makes_them_large(void **state)
{
    (void)state;
    enum { KEYS = 64, WIDE = 32 };
    static float query[WIDE], keys[KEYS * WIDE], values[KEYS], blend[1];
    for (size_t p = 0; p < WIDE; p++) {
        query[p] = keys[p] = 1e-19F;
    }
    values[0] = 1;
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        const struct attn_head head = {
            .q = {query, 1, WIDE, WIDE},
            .k = {keys, KEYS, WIDE, WIDE},
            .v = {values, KEYS, 1, 1},
            .factor = 1e37F,
            .z = {blend, 1, 1, 1},
        };
        void *const scratch =
            attn_system_aligned(attn_fused_bytes(attn_kernels_at(i), &head, 1, 1));
        assert_non_null(scratch);
        attn_fused(attn_kernels_at(i), NULL, &head, 1, scratch);
        attn_system_free_aligned(scratch);
        assert_float_equal(blend[0], 0.2803F, 1e-3F); /* e^3.2 / (e^3.2 + 63) */
    }
}

/* Queries × keys that a listener was told of, and those that were skipped. */
struct told {
    size_t pairs, skipped;
};

static void listen_to_all(void *listener, const struct attn_tile *tile)
{
    struct told *const told = listener;
    told->pairs += tile->rows * tile->cols;
    told->skipped += tile->skipped ? tile->rows * tile->cols : 0;
    for (size_t r = 0; r < tile->rows && !tile->skipped; r++) {
        const size_t query = tile->row + r, end = tile->col + tile->cols;
        assert_float_equal(tile->sum[r], (float)(end <= query ? end : query + 1), 1e-3F);
    }
}

/* Sizes for which matrix registers take part, where there are any. */
static void a_listener_hears_of_every_query_and_key_of_a_large_head(void **state)
{
    (void)state;
    enum { MANY = 150, WIDE = 40 };
    static float zeros[MANY * WIDE], ones[MANY * WIDE], out[MANY * WIDE];
    for (size_t j = 0; j < MANY * WIDE; j++) {
        ones[j] = 1;
    }
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        struct told told = {0};
        const struct attn_head head = {
            .q = {zeros, MANY, WIDE, WIDE},
            .k = {zeros, MANY, WIDE, WIDE},
            .v = {ones, MANY, WIDE, WIDE},
            .factor = 1,
            .sight = {.kind = ATTN_SEE_PAST},
            .z = {out, MANY, WIDE, WIDE},
            .block_rows = 100,
            .block_cols = 64,
            .on_tile = listen_to_all,
            .listener = &told,
        };
        fused(attn_kernels_at(i), &head);
        assert_int_equal(told.pairs, MANY * MANY);
        assert_true(told.skipped > 0);
        assert_float_equal(out[MANY * WIDE - 1], 1, 1e-6F);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_sizes_are_refused),
        cmocka_unit_test(sizes_of_no_matrix_are_refused_wherever_they_stand),
        cmocka_unit_test(scores_of_any_size_give_the_mean_that_the_formula_tends_to),
#if defined(__x86_64__)
        cmocka_unit_test(flush_to_zero_and_rounding_of_the_caller_change_nothing_and_are_kept),
#endif
        cmocka_unit_test(a_whole_attention_is_the_same_with_any_means),
        cmocka_unit_test(after_every_tile_a_listener_sees_how_far_the_sums_have_come),
        cmocka_unit_test(a_large_product_for_few_rows_has_the_bits_of_a_packed_one),
        cmocka_unit_test(a_gated_number_has_the_same_bits_alone_and_leaves_its_neighbours),
        cmocka_unit_test(scores_next_to_0_count_under_a_factor_that_makes_them_large),
        cmocka_unit_test(a_listener_hears_of_every_query_and_key_of_a_large_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
