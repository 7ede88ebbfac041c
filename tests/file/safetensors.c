/* safetensors: tensors are views of the file, and no header is believed before it is checked. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "file/kinds.h"
#include "file/safetensors.h"

/* A file whose length says `length`, with that header and so many bytes 0, 1, 2 … behind it. */
static struct bytes file_saying(struct arena *arena, uint64_t length, const char *header,
                                size_t header_bytes, size_t numbers)
{
    uint8_t *const file = arena_alloc(arena, 8 + header_bytes + numbers);
    assert_non_null(file);
    for (size_t i = 0; i < 8; i++) {
        file[i] = (uint8_t)(length >> (8 * i));
    }
    memcpy(file + 8, header, header_bytes);
    for (size_t i = 0; i < numbers; i++) {
        file[8 + header_bytes + i] = (uint8_t)i;
    }
    return (struct bytes){file, 8 + header_bytes + numbers};
}

static struct bytes file_of(struct arena *arena, const char *header, size_t numbers)
{
    return file_saying(arena, strlen(header), header, strlen(header), numbers);
}

static void tensors_are_views_of_the_file(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct safetensors tensors;
    struct error error = {ERROR_NONE, 0, ""};
    const struct bytes file =
        file_of(&arena,
                "{\"__metadata__\":{\"format\":\"pt\",\"tokens\":\"a b\"},"
                "\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[2,26]},"
                "\"b\":{\"dtype\":\"BF16\",\"shape\":[1],\"data_offsets\":[0,2]},"
                "\"none\":{\"dtype\":\"I64\",\"shape\":[4,0],\"data_offsets\":[26,26]},"
                "\"one\":{\"data_offsets\":[26,27],\"shape\":[],\"dtype\":\"U8\"}}   ",
                27);
    assert_true(safetensors_probe(file));
    static const uint8_t text[] = "wonder {ful", terabyte[] = "\0\0\0\0\0\0\1\0{";
    assert_false(safetensors_probe((struct bytes){text, 8}));
    assert_false(safetensors_probe((struct bytes){text, 11}));
    assert_false(safetensors_probe((struct bytes){terabyte, 9}));
    if (!safetensors_read(file, &arena, &tensors, &error)) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(tensors.count, 4);
    assert_string_equal(tensors.tensors[0].name, "b");
    assert_string_equal(tensors.tensors[3].name, "wte.weight");
    assert_int_equal(tensors.note_count, 2);
    assert_string_equal(tensors.notes[0], "format");
    assert_string_equal(tensors.notes[1], "pt");
    assert_string_equal(tensors.notes[2], "tokens");
    assert_string_equal(tensors.notes[3], "a b");
    const struct array *const wte = safetensors_find(&tensors, "wte.weight");
    assert_non_null(wte);
    assert_int_equal(wte->type, ARRAY_FLOAT32);
    assert_int_equal(wte->rank, 2);
    assert_int_equal(wte->shape[1], 3);
    assert_ptr_equal(wte->bytes.at, file.at + file.size - 25);
    assert_int_equal(safetensors_find(&tensors, "none")->bytes.size, 0);
    assert_true(array_number(safetensors_find(&tensors, "one"), 0) == 26.0);
    assert_null(safetensors_find(&tensors, "wte"));
    /* The numbers need not be aligned: they are read all the same. */
    float first = 0;
    array_copy_floats(wte, 0, 1, &first);
    assert_true((double)first == array_number(wte, 0));
    arena_free(&arena);
}

static void an_empty_header_is_a_file_without_tensors(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct safetensors tensors;
    assert_true(safetensors_read(file_of(&arena, "{}", 0), &arena, &tensors, NULL));
    assert_int_equal(tensors.count, 0);
    assert_null(safetensors_find(&tensors, ""));
    arena_free(&arena);
}

static void every_half_is_the_float_it_says(void **state)
{
    (void)state;
    static uint8_t halves[2 * 65536];
    static float fast[65536];
    for (size_t i = 0; i < 65536; i++) {
        halves[2 * i] = (uint8_t)i;
        halves[2 * i + 1] = (uint8_t)(i >> 8);
    }
    const enum array_type types[] = {ARRAY_FLOAT16, ARRAY_BFLOAT16};
    for (size_t t = 0; t < 2; t++) {
        const struct array array = {.name = "",
                                    .type = types[t],
                                    .order = BYTE_ORDER_LITTLE,
                                    .rank = 1,
                                    .shape = {65536},
                                    .strides = {2},
                                    .bytes = {halves, sizeof halves}};
        array_copy_floats(&array, 0, 65536, fast);
        for (size_t i = 0; i < 65536; i++) {
            const unsigned exponent_bits = t == 0 ? 5 : 8, fraction_bits = 15 - exponent_bits;
            const int exponent = (int)((i & 0x7FFF) >> fraction_bits);
            const int bias = (1 << (exponent_bits - 1)) - 1;
            const double fraction = (double)(i & ((1U << fraction_bits) - 1));
            const double steps =
                exponent == 0 ? fraction : fraction + (double)(1U << fraction_bits);
            const int power = (exponent == 0 ? 1 : exponent) - bias - (int)fraction_bits;
            double expected = ldexp(steps, power);
            if (exponent == (1 << exponent_bits) - 1) {
                expected = fraction > 0 ? (double)NAN : (double)INFINITY;
            }
            expected = i >= 0x8000 ? -expected : expected;
            const double single = (double)fast[i], slow = array_number(&array, i);
            const bool right = isnan(expected) ? isnan(single) && isnan(slow)
                                               : single == expected && slow == expected &&
                                                     !signbit(single) == !signbit(expected);
            if (!right) {
                fail_msg("bits %zx: %g and %g, expected %g", i, single, slow, expected);
            }
        }
    }
}

/* A tensor "t" of 4 numbers, and what may be wrong with it. */
#define ENTRY(dtype, shape, offsets)                                                               \
    "{\"t\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

/* A tensor that cannot be read does not hide the others. */
static void types_that_are_not_read_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *type, *shape;
    } types[] = {{"F8_E4M3", "16"},  {"F8_E5M2", "2,8"}, {"F8_E8M0", "16"},          {"F4", "32"},
                 {"F6_E2M3", "4,5"}, {"C64", "2"},       {"ONE_OF_LATER_TIMES", "3"}};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        struct arena arena = {0};
        struct safetensors tensors;
        struct error error = {ERROR_NONE, 0, ""};
        const size_t bytes = strcmp(types[t].type, "F6_E2M3") == 0 ? 15 : 16;
        const char *const header =
            arena_format(&arena,
                         "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
                         "\"t\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[8,%zu]},"
                         "\"z\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[%zu,%zu]}}",
                         types[t].type, types[t].shape, 8 + bytes, 8 + bytes, 9 + bytes);
        if (!safetensors_read(file_of(&arena, header, 9 + bytes), &arena, &tensors, &error)) {
            fail_msg("%s: %s", types[t].type, error.text);
        }
        assert_int_equal(tensors.count, 2);
        assert_true(array_number(safetensors_find(&tensors, "z"), 0) == (double)(8 + bytes));
        assert_null(safetensors_find(&tensors, "t"));
        assert_int_equal(tensors.unread_count, 1);
        assert_string_equal(tensors.unread[0].array.name, "t");
        assert_string_equal(tensors.unread[0].type, types[t].type);
        arena_free(&arena);
    }
}

static void damaged_headers_are_refused_by_rule_and_tensor(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        const char *says;
    } cases[] = {
        {"[]", "no safetensors file"},
        {"{", "Its header is damaged: Line 1"},
        {"{\"t\":1}", "t: its header entry is no object"},
        {ENTRY("\"F32\"", "[4]", "[0,16]") "x", "Its header is damaged"},
        {"{\"\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}", "name has 0 bytes"},
        {"{\"t\":{\"shape\":[4],\"data_offsets\":[0,16]}}", "t: its header entry says no dtype"},
        {"{\"t\":{\"dtype\":\"F32\",\"data_offsets\":[0,16]}}",
         "t: its header entry says no shape"},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[4]}}", "t: its data_offsets are not two"},
        {ENTRY("32", "[4]", "[0,16]"), "t: its header entry says no dtype"},
        {ENTRY("\"F8_E4M3\"", "[15]", "[0,16]"), "t: its shape 15 needs 15 bytes"},
        {ENTRY("\"F4\"", "[16]", "[0,16]"), "t: its shape 16 needs 8 bytes"},
        {ENTRY("\"F4\"", "[32]", "[0,17]"), "t: its data_offsets are 0 to 17"},
        {ENTRY("\"X\"", "[32]", "[0,12]"), "Behind the last tensor are 4 bytes"},
        {ENTRY("\"F32\"", "4", "[0,16]"), "t: its header entry says no shape"},
        {ENTRY("\"F32\"", "[-4]", "[0,16]"), "t: a length in its shape"},
        {ENTRY("\"F32\"", "[1.5]", "[0,16]"), "t: a length in its shape"},
        {ENTRY("\"F32\"", "[\"4\"]", "[0,16]"), "t: a length in its shape"},
        {ENTRY("\"F32\"", "[null]", "[0,16]"), "t: a length in its shape"},
        {ENTRY("\"F32\"", "[1,1,1,1,1,1,1,1,4]", "[0,16]"), "t: it has 9 axes"},
        {ENTRY("\"F32\"", "[4294967296,4294967296]", "[0,16]"),
         "t: its shape is one that no memory"},
        {ENTRY("\"F32\"", "[4611686018427387905]", "[0,4]"), "t: its shape is one that no memory"},
        {ENTRY("\"F32\"", "[0,1099511627776,1048576]", "[0,0]"), "t: its shape"},
        {ENTRY("\"F32\"", "[5]", "[0,16]"), "t: its shape 5 needs 20 bytes, its data_offsets give"},
        {ENTRY("\"F32\"", "[3]", "[0,16]"), "t: its shape 3 needs 12 bytes"},
        {ENTRY("\"F64\"", "[4]", "[0,16]"), "t: its shape 4 needs 32 bytes"},
        {ENTRY("\"F32\"", "[4]", "[0,16,16]"), "t: its data_offsets are not two"},
        {ENTRY("\"F32\"", "[4]", "[-16,0]"), "t: its data_offsets are not two"},
        {ENTRY("\"F32\"", "[4]", "[0,\"16\"]"), "t: its data_offsets are not two"},
        {ENTRY("\"F32\"", "[2305843009213693952]", "[0,16]"), "t: its shape is one that no"},
        {ENTRY("\"F32\"", "[4]", "[16,0]"), "t: its data_offsets are 16 to 0"},
        {ENTRY("\"F32\"", "[5]", "[0,20]"), "t: its data_offsets are 0 to 20, but"},
        {ENTRY("\"F32\"", "[4]", "[9223372036854775792,9223372036854775807]"),
         "t: its data_offsets"},
        {ENTRY("\"F32\"", "[4]", "[0,99999999999999999999]"), "Its header is damaged"},
        {ENTRY("\"F32\"", "[3]", "[4,16]"), "t: before its numbers are 4 bytes that belong to no"},
        {ENTRY("\"F32\"", "[3]", "[0,12]"), "Behind the last tensor are 4 bytes"},
        {"{}", "Behind the last tensor are 16 bytes"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,12]},"
         "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}}",
         "b: its numbers overlap those of a"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
         "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}}",
         "b: before its numbers are 4 bytes"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
         "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}}",
         "duplicate"},
        {"{\"__metadata__\":7}", "__metadata__: it is no object"},
        {"{\"__metadata__\":{\"a\":1}}", "__metadata__: a is no text"},
        {"{\"t\":[[[[[[[[1]]]]]]]]}", "nested too deep"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct arena arena = {0};
        struct safetensors tensors;
        struct error error = {ERROR_NONE, 0, ""};
        const struct bytes file = file_of(&arena, cases[c].header, 16);
        if (safetensors_read(file, &arena, &tensors, &error) ||
            strstr(error.text, cases[c].says) == NULL) {
            fail_msg("%s: \"%s\" does not say \"%s\"", cases[c].header, error.text, cases[c].says);
        }
        arena_free(&arena);
    }
}

static void a_length_is_not_believed(void **state)
{
    (void)state;
    static const struct {
        uint64_t length;
        const char *says;
    } cases[] = {
        {0, "Its header is damaged"},
        {1, "Its header is damaged"},
        {19, "said to have 19 bytes, but the file ends after 26"},
        {100000001, "at most 100000000 are allowed"},
        {UINT64_MAX, "at most 100000000 are allowed"},
        {UINT64_MAX - 7, "at most 100000000 are allowed"},
    };
    struct arena arena = {0};
    struct safetensors tensors;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        const struct bytes file = file_saying(&arena, cases[c].length, "{}", 2, 16);
        assert_false(safetensors_read(file, &arena, &tensors, &error));
        if (strstr(error.text, cases[c].says) == NULL) {
            fail_msg("%s", error.text);
        }
    }
    arena_free(&arena);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct safetensors tensors;
    const struct bytes whole = file_of(&arena, ENTRY("\"F32\"", "[4]", "[0,16]"), 16);
    for (size_t size = 0; size < whole.size; size++) {
        uint8_t *const part =
            malloc(size + 1); /* of its own, so that reading behind it is noticed */
        assert_non_null(part);
        memcpy(part, whole.at, size);
        assert_false(safetensors_read((struct bytes){part, size}, &arena, &tensors, NULL));
        free(part);
    }
    assert_true(safetensors_read(whole, &arena, &tensors, NULL));
    arena_free(&arena);
}

/* One behind the other, so many tensors of one byte; then too many of them. */
static struct bytes file_of_many(struct arena *arena, size_t count)
{
    char *const header = arena_alloc(arena, 80 * count + 16);
    assert_non_null(header);
    size_t length = 1;
    header[0] = '{';
    for (size_t i = 0; i < count; i++) {
        length += (size_t)snprintf(header + length, 80,
                                   "%s\"h.%zu\":{\"dtype\":\"U8\",\"shape\":[1],"
                                   "\"data_offsets\":[%zu,%zu]}",
                                   i == 0 ? "" : ",", i, i, i + 1);
    }
    header[length++] = '}';
    return file_saying(arena, length, header, length, count);
}

static void there_is_a_most_of_tensors(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct safetensors tensors;
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(safetensors_read(file_of_many(&arena, 20000), &arena, &tensors, &error));
    assert_int_equal(tensors.count, 20000);
    assert_true(array_number(safetensors_find(&tensors, "h.7"), 0) == 7.0);
    assert_false(safetensors_read(file_of_many(&arena, 100001), &arena, &tensors, &error));
    assert_non_null(strstr(error.text, "100001 tensors, at most 100000"));
    arena_free(&arena);
}

static void a_refusal_of_a_file_begins_with_its_name(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct safetensors tensors;
    struct file_map map;
    struct error error = {ERROR_NONE, 0, ""};
    char path[] = "tensors-XXXXXX";
    const int descriptor = mkstemp(path);
    const struct bytes file = file_of(&arena, ENTRY("\"F32\"", "[4]", "[0,16]"), 16);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, file.at, file.size), (ssize_t)file.size);
    assert_true(safetensors_open(path, &map, &arena, &tensors, &error));
    assert_int_equal(safetensors_find(&tensors, "t")->bytes.at[15], 15);
    assert_true(file_map_is_whole(&map));
    const bool is_cut = ftruncate(descriptor, (off_t)file.size - 1) == 0;
    assert_true(file_map_is_whole(&map) != is_cut); /* Windows cuts no file that is mapped */
    file_map_close(&map);
    assert_int_equal(ftruncate(descriptor, (off_t)file.size - 1), 0);
    assert_false(safetensors_open(path, &map, &arena, &tensors, &error));
    assert_memory_equal(error.text, path, strlen(path));
    assert_non_null(strstr(error.text, "t: its data_offsets are 0 to 16"));
    close(descriptor);
    (void)unlink(path);
    assert_false(safetensors_open(path, &map, &arena, &tensors, &error));
    assert_false(safetensors_open("/dev/zero", &map, &arena, &tensors, &error));
    assert_non_null(strstr(error.text, "not a regular file"));
    assert_false(safetensors_open(".", &map, &arena, &tensors, &error));
    assert_non_null(strstr(error.text, "is a folder"));
    arena_free(&arena);
}

/* Lengths of a header whose bytes are those of "{" and " {". */
static void a_length_that_is_a_brace_makes_no_json_of_it(void **state)
{
    static const char header[] = "{\"a\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}}";
    static const size_t lengths[] = {0x7b, 0x7b20, 0x7b00};
    static uint8_t file[8 + 0x7b20];
    (void)state;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        memset(file, ' ', sizeof file);
        memset(file, 0, 8);
        file[0] = (uint8_t)lengths[l];
        file[1] = (uint8_t)(lengths[l] >> 8);
        memcpy(file + 8, header, sizeof header - 1);
        assert_int_equal(file_kind_of((struct bytes){file, 8 + lengths[l]}), FILE_SAFETENSORS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_are_views_of_the_file),
        cmocka_unit_test(an_empty_header_is_a_file_without_tensors),
        cmocka_unit_test(every_half_is_the_float_it_says),
        cmocka_unit_test(types_that_are_not_read_are_named),
        cmocka_unit_test(damaged_headers_are_refused_by_rule_and_tensor),
        cmocka_unit_test(a_length_is_not_believed),
        cmocka_unit_test(a_length_that_is_a_brace_makes_no_json_of_it),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(there_is_a_most_of_tensors),
        cmocka_unit_test(a_refusal_of_a_file_begins_with_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
