/* Memory that lives and dies together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

static void blocks_are_aligned_zero_and_apart(void **state)
{
    (void)state;
    struct arena arena = {0};
    unsigned char *blocks[200];
    for (size_t i = 0; i < 200; i++) {
        size_t size = (i * 37) % 1500 + 1;
        blocks[i] = arena_alloc(&arena, size);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % ARENA_ALIGNMENT, 0);
        for (size_t j = 0; j < size; j++) {
            assert_int_equal(blocks[i][j], 0);
        }
        memset(blocks[i], (int)(i + 1), size);
        (void)arena_text(&arena, "odd", 3);
    }
    for (size_t i = 0; i < 200; i++) {
        assert_int_equal(blocks[i][(i * 37) % 1500], (i + 1) & 0xFF);
    }
    arena_free(&arena);
}

static void warm_arena_gives_the_same_memory_zeroed(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const size_t sizes[] = {10, 70000, 5, 300000, 64, 1000};
    void *first[6] = {0};
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 6; i++) {
            unsigned char *block = arena_alloc(&arena, sizes[i]);
            assert_true(round == 0 || block == first[i]);
            assert_int_equal(block[0], 0);
            assert_int_equal(block[sizes[i] - 1], 0);
            memset(block, 0xAA, sizes[i]);
            first[i] = block;
        }
        arena_reset(&arena);
    }
    arena_free(&arena);
}

/* The memory that was given back holds what it held. */
static void used_memory_is_zeroed(void **state)
{
    (void)state;
    for (size_t size = 100; size < 9 << 20; size *= 3) {
        for (int round = 0; round < 2; round++) {
            struct arena arena = {0};
            uint8_t *const memory = arena_alloc(&arena, size);
            assert_non_null(memory);
            for (size_t i = 0; i < size; i++) {
                assert_int_equal(memory[i], 0);
            }
            memset(memory, 0xA5, size);
            arena_free(&arena);
        }
    }
}

static void absurd_sizes_give_null(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_null(arena_array(&arena, SIZE_MAX / 2, 4));
    assert_null(arena_alloc(&arena, SIZE_MAX));
    assert_null(arena_alloc(&arena, SIZE_MAX - 64));
    assert_null(arena_text(&arena, "", SIZE_MAX));
    assert_non_null(arena_alloc(&arena, 8));
    assert_non_null(arena_alloc(&arena, 0));
    arena_free(&arena);
}

static void texts_are_copied_and_formatted(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(arena_text(&arena, "lion cub", 4), "lion");
    assert_string_equal(arena_format(&arena, "%d × %d", 3, 4), "3 × 4");
    assert_int_equal(strlen(arena_format(&arena, "%100000d", 1)), 100000);
    assert_string_equal(arena_words(&arena, "%d × %d", 3, 4), "3 × 4");
    arena_free(&arena);
    assert_null(arena.first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"Blocks are aligned, zero, and do not touch.", blocks_are_aligned_zero_and_apart, NULL,
         NULL, NULL},
        {"A warm arena gives the same memory again, zeroed.",
         warm_arena_gives_the_same_memory_zeroed, NULL, NULL, NULL},
        {"Memory that was used before is zeroed.", used_memory_is_zeroed, NULL, NULL, NULL},
        {"Sizes no memory can hold give NULL and do no harm.", absurd_sizes_give_null, NULL, NULL,
         NULL},
        {"Texts are copied and formatted whatever their length.", texts_are_copied_and_formatted,
         NULL, NULL, NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
