/* Rows times blocks as they lie there: of every kind and every set that has it, the bits of the
 * blocks unpacked and multiplied in plain C. Bytes are random, scales too, so there are infinities
 * and NaN among them; the last block ends where memory does. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../attn/guarded.h"
#include "attn/attn.h"
#include "file/unpack.h"

enum { KINDS = UNPACK_KINDS, GUARD = 16 };

static const struct {
    const char *name;
    size_t numbers, bytes;
} kinds[KINDS] = {
    [UNPACK_Q4_0] = {"Q4_0", 32, 18},     [UNPACK_Q4_1] = {"Q4_1", 32, 20},
    [UNPACK_Q5_0] = {"Q5_0", 32, 22},     [UNPACK_Q5_1] = {"Q5_1", 32, 24},
    [UNPACK_Q8_0] = {"Q8_0", 32, 34},     [UNPACK_Q2_K] = {"Q2_K", 256, 84},
    [UNPACK_Q3_K] = {"Q3_K", 256, 110},   [UNPACK_Q4_K] = {"Q4_K", 256, 144},
    [UNPACK_Q5_K] = {"Q5_K", 256, 176},   [UNPACK_Q6_K] = {"Q6_K", 256, 210},
    [UNPACK_IQ4_NL] = {"IQ4_NL", 32, 18}, [UNPACK_IQ4_XS] = {"IQ4_XS", 256, 136},
    [UNPACK_MXFP4] = {"MXFP4", 32, 17},
};

static uint32_t random_bits(void)
{
    static uint64_t state = 88172645463325252U;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

/* So many bytes behind which no byte may be read. */
static uint8_t *open_last(size_t bytes, struct slot *slot)
{
    *slot = slot_open((bytes + 4095) / 4096);
    return slot->memory + slot->bytes - bytes;
}

/* Bits, but that any NaN is like any other. */
static bool same(float a, float b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

struct sizes {
    size_t rows, depth, x_rows; /* depth: in blocks */
};

/* Out of their order, each more than once perhaps, the last one among them. */
static void choose_rows(const uint8_t *const blocks, size_t row_bytes, size_t rows,
                        const uint8_t *row[])
{
    for (size_t r = 0; r < rows; r++) {
        row[r] = blocks + (r == rows / 2 ? rows - 1 : random_bits() % rows) * row_bytes;
    }
}

static void check_product(enum unpack_blocks kind, const struct unpack_set *set, struct sizes of)
{
    const size_t row_bytes = of.depth * kinds[kind].bytes, depth = of.depth * kinds[kind].numbers;
    const struct attn_kernels *const plain = attn_kernels_choose("ref");
    const size_t stride = of.rows + 3, count = of.x_rows * stride;
    struct slot slot, x_slot;
    uint8_t *const blocks = open_last(of.rows * row_bytes, &slot);
    float *const x = (float *)(void *)open_last(of.x_rows * depth * sizeof(float), &x_slot);
    float *const wide = malloc(of.rows * depth * sizeof *wide);
    float *const want = malloc(count * sizeof *want);
    float *const have = malloc((count + GUARD) * sizeof *have);
    const uint8_t **const row = malloc(of.rows * sizeof *row);
    assert_true(wide != NULL && want != NULL && have != NULL && row != NULL);
    for (size_t i = 0; i < of.rows * row_bytes; i++) {
        blocks[i] = (uint8_t)random_bits();
    }
    for (size_t i = 0; i < of.x_rows * depth; i++) {
        x[i] = ldexpf((float)(int32_t)random_bits() * 0x1p-31F, (int)(random_bits() % 9) - 4);
    }
    choose_rows(blocks, row_bytes, of.rows, row);
    for (size_t r = 0; r < of.rows; r++) {
        unpack_best()->blocks[kind](row[r], of.depth, wide + r * depth);
    }
    attn_scores(plain, (struct attn_operand){x, of.x_rows, depth, depth},
                (struct attn_operand){wide, of.rows, depth, depth},
                (struct attn_matrix){want, of.x_rows, of.rows, stride});
    for (size_t i = 0; i < count + GUARD; i++) {
        have[i] = 42;
    }
    set->products[kind](
        &(struct unpack_product){row, of.rows, depth, x, of.x_rows, depth, have, stride});
    for (size_t i = 0; i < count + GUARD; i++) {
        const bool inside = i < count && i % stride < of.rows;
        if (!same(have[i], inside ? want[i] : 42)) {
            fail_msg("%s by %s, %zu rows of %zu blocks, %zu rows of x: number %zu is %a, not %a",
                     kinds[kind].name, set->name, of.rows, of.depth, of.x_rows, i, (double)have[i],
                     (double)(inside ? want[i] : 42));
        }
    }
    free(row);
    free(have);
    free(want);
    free(wide);
    slot_close(x_slot);
    slot_close(slot);
}

static void products_have_the_bits_of_unpacked_blocks(void **state)
{
    static const size_t rows[] = {1, 7, 8, 31, 32, 33, 64, 71}, x_rows[] = {1, 2, 3, 5, 9, 31};
    size_t checked = 0;
    (void)state;
    for (size_t s = 0; unpack_set_at(s) != NULL; s++) {
        const struct unpack_set *const set = unpack_set_at(s);
        for (enum unpack_blocks kind = 0; kind < UNPACK_KINDS; kind++) {
            for (size_t i = 0; set->products[kind] != NULL && i < 48; i++) {
                const size_t depth = kinds[kind].numbers == 32 ? 1 + i % 19 : 1 + i % 4;
                check_product(kind, set, (struct sizes){rows[i % 8], depth, x_rows[i / 8]});
                checked++;
            }
        }
    }
    print_message("%zu products\n", checked);
}

/* A model takes what the best set has, or of a set that is not as good. */
static void each_kind_has_one_product_or_none(void **state)
{
    (void)state;
    for (enum unpack_blocks kind = UNPACK_NONE + 1; kind < UNPACK_KINDS; kind++) {
        bool any = false;
        for (size_t s = 0; unpack_set_at(s) != NULL; s++) {
            any |= unpack_set_at(s)->products[kind] != NULL;
        }
        assert_int_equal(unpack_product_of(kind) != NULL, any);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_have_the_bits_of_unpacked_blocks),
        cmocka_unit_test(each_kind_has_one_product_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
