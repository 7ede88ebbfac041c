/* GGUF: every kind of value and of numbers as gguf-py reads them, and files that are refused. The
 * fixtures are made by make_gguf.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file/gguf.h"
#include "file/growing.h"

static const char *fixtures;

struct opened {
    struct arena arena;
    struct file_map map;
    struct gguf_files files;
};

static const char *path_of(struct arena *arena, const char *name)
{
    return arena_format(arena, "%s/%s", fixtures, name);
}

static void open_fixture(struct opened *opened, const char *name)
{
    struct error error = {ERROR_NONE, 0, ""};
    *opened = (struct opened){.arena = {0}};
    const char *const path = path_of(&opened->arena, name);
    if (!file_map_open(path, &opened->map, &error) ||
        !gguf_files_open(path, opened->map.bytes, &opened->arena, &opened->files, &error)) {
        fail_msg("%s", error.text);
    }
}

static void close_fixture(struct opened *opened)
{
    gguf_files_close(&opened->files);
    file_map_close(&opened->map);
    arena_free(&opened->arena);
}

static const struct gguf_value *key(const struct opened *opened, const char *name)
{
    const struct gguf_value *const value = gguf_key(&opened->files.whole, name);
    if (value == NULL) {
        fail_msg("%s is missing", name);
    }
    return value;
}

static void values_of_all_kinds_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *key, *type;
        double number;
    } cases[] = {
        {"a.uint8", "uint8", 200},
        {"a.int8", "int8", -100},
        {"a.uint16", "uint16", 60000},
        {"a.int16", "int16", -30000},
        {"a.uint32", "uint32", 4000000000},
        {"a.int32", "int32", -2000000000},
        {"a.float32", "float32", (double)0.1F},
        {"a.truth", "bool", 1},
        {"a.uint64", "uint64", 9223372036854775808.0},
        {"a.int64", "int64", -4611686018427387904.0},
        {"a.float64", "float64", 0.1},
    };
    struct opened opened;
    open_fixture(&opened, "kinds.gguf");
    assert_int_equal(opened.files.whole.version, 3);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct gguf_value *const value = key(&opened, cases[c].key);
        assert_string_equal(gguf_value_name(value->type), cases[c].type);
        assert_true(value->number == cases[c].number);
    }
    assert_true(key(&opened, "a.uint64")->bits == 9223372036854775809U);
    assert_true((int64_t)key(&opened, "a.int64")->bits == -4611686018427387905);
    assert_memory_equal(key(&opened, "a.text")->text.at, "größer", strlen("größer"));
    assert_null(gguf_key(&opened.files.whole, "a.whale"));
    close_fixture(&opened);
}

static void lists_are_read_item_by_item(void **state)
{
    (void)state;
    struct opened opened;
    open_fixture(&opened, "kinds.gguf");
    const struct gguf_value *const numbers = key(&opened, "b.numbers");
    assert_int_equal(numbers->count, 3);
    assert_true(gguf_item(numbers, 1).number == -4);
    assert_true(gguf_item(key(&opened, "b.floats"), 1).number == -0.25);
    const struct gguf_value *const texts = key(&opened, "b.texts");
    assert_int_equal(gguf_item(texts, 1).text.size, 0);
    assert_memory_equal(gguf_item(texts, 2).text.at, "three", 5);
    const struct gguf_value *const lists = key(&opened, "b.lists");
    assert_int_equal(lists->count, 3);
    const struct gguf_value last = gguf_item(lists, 2), first = gguf_item(lists, 0);
    assert_int_equal(first.count, 3);
    assert_true(gguf_item(&last, 1).number == 6);
    close_fixture(&opened);
}

static void numbers_of_all_kinds_are_those_of_gguf_py(void **state)
{
    (void)state;
    enum { NUMBERS_MAX = 512, KINDS = 16 };
    static float have[NUMBERS_MAX], want[NUMBERS_MAX];
    struct opened opened, expected;
    open_fixture(&opened, "kinds.gguf");
    open_fixture(&expected, "expected.gguf");
    assert_int_equal(opened.files.whole.count, KINDS);
    for (size_t i = 0; i < KINDS; i++) {
        const struct gguf_tensor *const packed = &opened.files.whole.tensors[i];
        const struct gguf_tensor *const plain = gguf_find(&expected.files.whole, packed->name);
        assert_non_null(plain);
        assert_string_equal(packed->kind->name, packed->name);
        assert_int_equal(packed->count, plain->count);
        assert_int_equal(packed->shape[0], plain->shape[0]);
        assert_in_range(packed->count, 1, NUMBERS_MAX);
        gguf_copy_floats(plain, 0, plain->count, want);
        gguf_copy_floats(packed, 0, packed->count, have);
        if (memcmp(have, want, packed->count * sizeof *have) != 0) {
            fail_msg("%s: other numbers", packed->name);
        }
        /* the last block alone */
        const size_t last = packed->count - packed->kind->numbers;
        gguf_copy_floats(packed, last, packed->kind->numbers, have);
        assert_memory_equal(have, want + last, packed->kind->numbers * sizeof *have);
    }
    close_fixture(&opened);
    close_fixture(&expected);
}

/* Of any blocks, without the bits of spared: as a half, a byte without one of the exponent's bits
 * is no infinity and no NaN. */
static void expect_the_same(const struct unpack_set *plain, const struct unpack_set *set,
                            uint8_t spared)
{
    enum { BLOCKS = 33, NUMBERS_MAX = BLOCKS * GGUF_BLOCK_MAX };
    static uint8_t bytes[BLOCKS * 256];
    static float want[NUMBERS_MAX], have[NUMBERS_MAX];
    uint32_t random = 2463534242U;
    for (size_t i = 0; i < sizeof bytes; i++) { /* Marsaglia's xorshift, 2003 */
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        bytes[i] = (uint8_t)(random >> 24 & ~(uint32_t)spared);
    }
    for (uint32_t number = 0; number < 64; number++) {
        const struct gguf_kind *const kind = gguf_kind(number);
        if (kind == NULL || kind->blocks == UNPACK_NONE) {
            continue;
        }
        plain->blocks[kind->blocks](bytes, BLOCKS, want);
        set->blocks[kind->blocks](bytes, BLOCKS, have);
        if (memcmp(have, want, BLOCKS * kind->numbers * sizeof *have) != 0) {
            fail_msg("%s: other numbers by %s", kind->name, set->name);
        }
    }
    for (size_t count = 0; count < 70; count++) {
        plain->halves(bytes + 1, count, want);
        set->halves(bytes + 1, count, have);
        assert_memory_equal(have, want, count * sizeof *have);
        plain->brain_halves(bytes + 1, count, want);
        set->brain_halves(bytes + 1, count, have);
        assert_memory_equal(have, want, count * sizeof *have);
    }
}

/* Every instruction set that this processor has gives the bits of plain C, of a row of any blocks.
 */
static void all_sets_unpack_the_same_numbers(void **state)
{
    (void)state;
    size_t sets = 0;
    while (unpack_set_at(sets) != NULL) {
        sets++;
    }
    const struct unpack_set *const plain = unpack_set_at(sets - 1);
    assert_string_equal(plain->name, "plain");
    assert_ptr_equal(unpack_best(), unpack_set_at(0));
    for (size_t s = 0; s + 1 < sets; s++) {
        expect_the_same(plain, unpack_set_at(s), 0x40);
        expect_the_same(plain, unpack_set_at(s), 0x04); /* so that every bit is seen */
    }
}

static void a_model_in_two_files_is_one(void **state)
{
    (void)state;
    static const char *const names[] = {"split-00001-of-00002.gguf", "split-00002-of-00002.gguf"};
    for (size_t n = 0; n < 2; n++) {
        struct opened opened;
        float numbers[2];
        open_fixture(&opened, names[n]);
        assert_int_equal(opened.files.count, 2);
        assert_int_equal(opened.files.whole.count, 3);
        const struct gguf_tensor *const third = gguf_find(&opened.files.whole, "third");
        assert_int_equal(third->part, 1);
        gguf_copy_floats(third, 0, 2, numbers);
        assert_true(numbers[1] == 5);
        close_fixture(&opened);
    }
}

/* ---- files that are refused -------------------------------------------------------------------
 */

static void put_bits(struct growing *out, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        growing_put_byte(out, (char)(uint8_t)(i < sizeof bits ? bits >> 8 * i : 0));
    }
}

static void put_name(struct growing *out, const char *name)
{
    put_bits(out, strlen(name), 8);
    growing_put_text(out, name);
}

static void put_head(struct growing *out, uint32_t version, uint64_t tensors, uint64_t keys)
{
    growing_put_text(out, "GGUF");
    put_bits(out, version, 4);
    put_bits(out, tensors, 8);
    put_bits(out, keys, 8);
}

/* A tensor's entry: kind, place and sides, the fastest first. */
struct entry {
    const char *name;
    uint32_t rank, kind;
    uint64_t sides[2];
    uint64_t offset;
};

static void put_entry(struct growing *out, const struct entry *entry)
{
    put_name(out, entry->name);
    put_bits(out, entry->rank, 4);
    for (size_t i = 0; i < entry->rank && i < 2; i++) {
        put_bits(out, entry->sides[i], 8);
    }
    put_bits(out, entry->kind, 4);
    put_bits(out, entry->offset, 8);
}

static void expect(struct growing *out, const char *says)
{
    struct bytes file;
    struct gguf gguf;
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(growing_finish(out, &file, NULL));
    const bool read = gguf_read(file, &arena, &gguf, &error);
    if (read != (says == NULL) || (says != NULL && strstr(error.text, says) == NULL)) {
        fail_msg("“%s” does not say “%s”", error.text, says == NULL ? "nothing" : says);
    }
    arena_free(&arena);
}

static void damaged_tensors_are_refused_by_name_and_rule(void **state)
{
    (void)state;
    static const struct {
        struct entry entry;
        const char *says;
    } cases[] = {
        {{"w", 1, 0, {4, 0}, 0}, NULL},
        {{"w", 0, 0, {0, 0}, 0}, "w: it has 0 axes, 1 to 4 can be read."},
        {{"w", 9, 0, {4, 1}, 0}, "w: it has 9 axes, 1 to 4 can be read."},
        {{"w", 1, 0, {0, 0}, 0}, "w: its shape is one that no memory can hold."},
        {{"w", 2, 0, {1ULL << 40, 1ULL << 40}, 0}, "w: its shape is one that no memory can hold."},
        {{"w", 1, 5, {4, 0}, 0}, "w: its numbers are of the unknown kind 5."},
        {{"w", 1, 77, {4, 0}, 0}, "w: its numbers are of the unknown kind 77."},
        {{"w", 1, 2, {33, 0}, 0}, "w: its rows have 33 numbers, which is no multiple of the 32"},
        {{"w", 1, 0, {4, 0}, 8}, "w: its numbers begin at 8, which is no multiple of 32."},
        {{"w", 1, 0, {400, 0}, 0}, "w: its 1600 bytes begin at 0, but the numbers end at 64."},
        {{"w", 1, 0, {4, 0}, 1ULL << 63}, "w: its 16 bytes begin at 9223372036854775808, but"},
        {{"x", 1, 0, {4, 0}, 0}, "its numbers overlap those of x."},
        {{"x", 1, 0, {4, 0}, 32}, "x: this tensor stands there twice."},
        {{"", 1, 0, {4, 0}, 0}, "A name in its header is empty or has a byte 0."},
    };
    struct arena arena = {0};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const bool two = cases[c].entry.name[0] == 'x';
        struct growing out = growing_start(&arena);
        put_head(&out, 3, two ? 2 : 1, 0);
        put_entry(&out, &cases[c].entry);
        if (two) {
            put_entry(&out, &(struct entry){"x", 1, 0, {4, 0}, 0});
        }
        while (out.size % 32 != 0) {
            growing_put_byte(&out, 0);
        }
        put_bits(&out, 0, 64);
        expect(&out, cases[c].says);
    }
    arena_free(&arena);
}

static void damaged_headers_are_refused_by_rule(void **state)
{
    (void)state;
    static const struct {
        uint32_t version;
        uint64_t tensors, keys;
        const char *says;
    } cases[] = {
        {3, 0, 0, NULL},
        {2, 0, 0, NULL},
        {1, 0, 0, "It is GGUF of version 1; 2 and 3 can be read."},
        {4, 0, 0, "It is GGUF of version 4; 2 and 3 can be read."},
        {0x03000000, 0, 0, "the other byte order (big-endian)."},
        {3, 1, 0, "Its header goes on where the file ends, after 24 bytes."},
        {3, 0, 1, "Its header goes on where the file ends, after 24 bytes."},
        {3, 1ULL << 60, 0, "said to have 1152921504606846976 tensors and 0 keys, at most 100000"},
        {3, 0, 70000, "said to have 0 tensors and 70000 keys, at most 100000 and 65536"},
    };
    struct arena arena = {0};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct growing out = growing_start(&arena);
        put_head(&out, cases[c].version, cases[c].tensors, cases[c].keys);
        expect(&out, cases[c].says);
    }
    struct growing other = growing_start(&arena);
    growing_put_text(&other, "GGML and more");
    expect(&other, "It is no GGUF file.");
    arena_free(&arena);
}

static void damaged_keys_are_refused_by_key_and_rule(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        uint32_t type;
        uint64_t words[4]; /* what follows, 8 bytes each */
        size_t count;
        size_t bytes; /* of the last */
        const char *says;
    } cases[] = {
        {"k", 13, {0}, 1, 8, "k: its value is of the unknown kind 13."},
        {"k", 7, {2}, 1, 1, "k: its truth value is neither 0 nor 1."},
        {"k", 8, {1ULL << 40}, 1, 8, "is said to have 1099511627776 bytes, at most 67108864"},
        {"k", 8, {9}, 1, 8, "Its header goes on where the file ends"},
        {"k", 9, {(8ULL << 32) | 0x00000008, 0}, 1, 8, "Its header goes on where the file ends"},
        {"k", 9, {(1ULL << 32) << 0 | 4, 0xFFFFFFFF}, 2, 8, "at most 16777216 can be read."},
        {"k", 9, {0x0000000400000063, 0}, 2, 8, "k: its value is of the unknown kind 99."},
        {"general.alignment", 4, {12}, 1, 4, "general.alignment: it is no power of two from 8"},
        {"general.alignment", 4, {4}, 1, 4, "general.alignment: it is no power of two from 8"},
        {"general.alignment", 10, {64}, 1, 8, "general.alignment: it is no power of two from 8"},
        {"general.alignment", 4, {64}, 1, 4, NULL},
    };
    struct arena arena = {0};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct growing out = growing_start(&arena);
        put_head(&out, 3, 0, 1);
        put_name(&out, cases[c].key);
        put_bits(&out, cases[c].type, 4);
        for (size_t w = 0; w < cases[c].count; w++) {
            put_bits(&out, cases[c].words[w], w + 1 == cases[c].count ? cases[c].bytes : 8);
        }
        expect(&out, cases[c].says);
    }
    struct growing twice = growing_start(&arena), deep = growing_start(&arena);
    put_head(&twice, 3, 0, 2);
    for (int i = 0; i < 2; i++) {
        put_name(&twice, "k");
        put_bits(&twice, GGUF_UINT8, 4);
        put_bits(&twice, 7, 1);
    }
    expect(&twice, "k: this key stands there twice.");
    put_head(&deep, 3, 0, 1);
    put_name(&deep, "k");
    for (int i = 0; i < 6; i++) {
        put_bits(&deep, GGUF_LIST, 4);
        put_bits(&deep, 1, i == 0 ? 0 : 8);
    }
    expect(&deep, "k: its lists stand in each other more than 4 deep.");
    arena_free(&arena);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    struct opened opened;
    open_fixture(&opened, "kinds.gguf");
    const struct bytes whole = opened.files.maps[0].bytes;
    for (size_t size = 0; size + 64 < whole.size; size += size < 1500 ? 1 : 37) {
        uint8_t *const copy = malloc(size + 1); /* exactly as large: nothing is read behind it */
        struct gguf gguf;
        struct arena arena = {0};
        struct error error = {ERROR_NONE, 0, ""};
        assert_non_null(copy);
        uint8_t *const exact = realloc(copy, size > 0 ? size : 1);
        assert_non_null(exact);
        memcpy(exact, whole.at, size);
        assert_false(gguf_read((struct bytes){exact, size}, &arena, &gguf, &error));
        assert_true(strlen(error.text) > 10);
        free(exact);
        arena_free(&arena);
    }
    close_fixture(&opened);
}

int main(int argc, char **argv)
{
    fixtures = argc > 1 ? argv[1] : "tests/file/gguf";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_all_kinds_are_read),
        cmocka_unit_test(lists_are_read_item_by_item),
        cmocka_unit_test(numbers_of_all_kinds_are_those_of_gguf_py),
        cmocka_unit_test(all_sets_unpack_the_same_numbers),
        cmocka_unit_test(a_model_in_two_files_is_one),
        cmocka_unit_test(damaged_tensors_are_refused_by_name_and_rule),
        cmocka_unit_test(damaged_headers_are_refused_by_rule),
        cmocka_unit_test(damaged_keys_are_refused_by_key_and_rule),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
