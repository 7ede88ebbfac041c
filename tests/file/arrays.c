/* npy and npz: what NumPy wrote is read, what is written NumPy reads, nothing hostile gets in. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file/npy.h"
#include "file/npz.h"

/* An npy file of version `major` with that header and content. */
static struct bytes npy_file(struct arena *arena, unsigned major, const char *header,
                             const void *content, size_t size)
{
    size_t length = strlen(header);
    size_t length_bytes = major == 1 ? 2 : 4;
    uint8_t *file = arena_alloc(arena, 8 + length_bytes + length + size);
    assert_non_null(file);
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (uint8_t)major;
    for (size_t i = 0; i < length_bytes; i++) {
        file[8 + i] = (uint8_t)(length >> (8 * i));
    }
    memcpy(file + 8 + length_bytes, header, length);
    if (size > 0) {
        memcpy(file + 8 + length_bytes + length, content, size);
    }
    return (struct bytes){file, 8 + length_bytes + length + size};
}

static void every_type_and_order_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        const char *content; /* the numbers 1, then −2 (1 for those without sign) */
        size_t size;
        double second;
    } cases[] = {
        {"|b1", "\1\1", 2, 1},
        {"|u1", "\1\1", 2, 1},
        {"|b1", "\1\0", 2, 0},
        {"?", "\1\7", 2, 1},
        {"<u2", "\1\0\1\x80", 4, 32769},
        {">u4", "\0\0\0\1\x80\0\0\0", 8, 2147483648.0},
        {"<u8", "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80", 16, 9223372036854775808.0},
        {"|i1", "\1\xFE", 2, -2},
        {"<i2", "\1\0\xFE\xFF", 4, -2},
        {">i2", "\0\1\xFF\xFE", 4, -2},
        {"<i4", "\1\0\0\0\xFE\xFF\xFF\xFF", 8, -2},
        {">i4", "\0\0\0\1\xFF\xFF\xFF\xFE", 8, -2},
        {"<i8", "\1\0\0\0\0\0\0\0\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 16, -2},
        {"<f2", "\x00\x3C\x00\xC0", 4, -2},
        {">f2", "\x3C\x00\xC0\x00", 4, -2},
        {"<f4", "\0\0\x80\x3F\0\0\0\xC0", 8, -2},
        {">f4", "\x3F\x80\0\0\xC0\0\0\0", 8, -2},
        {"<f8", "\0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\0\xC0", 16, -2},
        {">f8", "\x3F\xF0\0\0\0\0\0\0\xC0\0\0\0\0\0\0\0", 16, -2},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (unsigned major = 1; major <= 3; major++) {
            char header[100];
            (void)snprintf(header, sizeof header,
                           "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }   \n",
                           cases[i].code);
            struct bytes file = npy_file(&arena, major, header, cases[i].content, cases[i].size);
            struct array array;
            struct error error = {0};
            assert_true(npy_read(file, &array, &error));
            assert_int_equal(array_count(&array), 2);
            assert_true(array_number(&array, 0) == 1.0);
            assert_true(array_number(&array, 1) == cases[i].second);
        }
    }
    arena_free(&arena);
}

static void half_numbers_are_exact(void **state)
{
    (void)state; /* smallest subnormal, largest, infinity, not a number */
    struct arena arena = {0};
    struct array array;
    struct error error = {0};
    struct bytes file =
        npy_file(&arena, 1, "{'descr': '<f2', 'fortran_order': False, 'shape': (4,)}\n",
                 "\x01\x00\xFF\x7B\x00\xFC\x01\x7E", 8);
    assert_true(npy_read(file, &array, &error));
    assert_true(array_number(&array, 0) == ldexp(1, -24));
    assert_true(array_number(&array, 1) == 65504.0);
    assert_true(array_number(&array, 2) == -(double)INFINITY);
    assert_true(isnan(array_number(&array, 3)));
    arena_free(&arena);
}

static void fortran_order_is_turned(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct array array;
    struct error error = {0};
    struct bytes file =
        npy_file(&arena, 1, "{\"shape\": (2L, 3L), 'fortran_order': True, 'descr': '|u1'}\n",
                 "\1\4\2\5\3\6", 6);
    assert_true(npy_read(file, &array, &error));
    const float *values = array_floats(&array, &arena, &error);
    for (int i = 0; i < 6; i++) {
        assert_true(values[i] == (float)(i + 1));
    }
    arena_free(&arena);
}

static void damaged_headers_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *header, *why;
    } cases[] = {
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "Python objects"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "records"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "type"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3)}", "shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (524288, 524288)}", "bytes"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616,)}", "shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2305843009213693952,)}", "no memory"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000, 0)}", "shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", "axes"},
        {"{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}", "order"},
        {"{'descr': '<f4', 'shape': (1,)}", "damaged"},
        {"{'fortran_order': False, 'shape': (1,)}", "damaged"},
        {"{'descr': '<f4', 'fortran_order': False}", "damaged"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)", "damaged"},
        {"{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}", "damaged"},
        {"{'descr': '<f4", "damaged"},
        {"{'descr': [('a', '<f4'", "damaged"},
        {"{'descr': '<f4_and_a_type_that_does_not_end_soon', 'shape': (1,)}", "damaged"},
        {"{'descr': '<U0', 'fortran_order': False, 'shape': (1,)}", "\"<U0\", which cannot be"},
        {"{'descr': '<U4097', 'fortran_order': False, 'shape': (1,)}", "\"<U4097\", which"},
        {"{'descr': '|Sx', 'fortran_order': False, 'shape': (1,)}", "\"|Sx\", which cannot be"},
        {"{'descr': '', 'fortran_order': False, 'shape': (1,)}", "\"\", which cannot be read"},
        {"{'descr': '<U1', 'fortran_order': False, 'shape': (1,)}", "texts, not numbers"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1", "shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}", "shape"},
        {"{'evil': __import__('os'), 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
         "damaged"},
        {"", "damaged"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct array array;
        struct error error = {0};
        assert_false(npy_read(npy_file(&arena, 1, cases[i].header, "\0\0\0\0", 4), &array, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        if (strstr(error.text, cases[i].why) == NULL) {
            fail_msg("%s: %s", cases[i].header, error.text);
        }
    }
    arena_free(&arena);
}

static struct bytes npy_texts(struct arena *arena, const char *descr, const char *shape,
                              const void *content, size_t size)
{
    const char *const header = arena_format(
        arena, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape);
    return npy_file(arena, 2, header, content, size);
}

/* Tokens as numpy.array(tokens) keeps them: as long as the longest, filled up with 0. */
static void lists_of_texts_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *descr, *shape, *content;
        size_t size;
        const char *first, *second;
    } cases[] = {
        {"|S3", "(2,)", "cat\xC3\xB6\0", 6, "cat", "ö"},
        {"<U2", "(2,)", "a\0\0\0b\0\0\0\xF6\0\0\0\0\0\0\0", 16, "ab", "ö"},
        {">U1", "(1, 2)", "\0\x20\x26\x03\0\0\0z", 8, "\uFFFD", "z"},
        {">U1", "(2, 1)", "\0\1\xF6\0\0\0\x6F\x22", 8, "\U0001F600", "漢"},
        {"<U1", "(2, 1, 1)", "\0\xD8\0\0\0\0\0\0", 8, "\uFFFD", ""},
        {">U1", "(2,)", "\0\0\xDF\xFF\0\0\xE0\0", 8, "\uFFFD", "\uE000"},
    };
    struct arena arena = {0};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const struct bytes file =
            npy_texts(&arena, cases[c].descr, cases[c].shape, cases[c].content, cases[c].size);
        const char *const *texts = NULL;
        size_t count = 0;
        struct error error = {0};
        struct array_texts listed;
        bool are_objects = true;
        assert_true(npy_describe_texts(file, &listed, &are_objects));
        assert_false(are_objects);
        if (!npy_read_texts(file, &arena, &texts, &count, &error)) {
            fail_msg("%zu: %s", c, error.text);
        }
        assert_int_equal(count, 2);
        assert_string_equal(texts[0], cases[c].first);
        assert_string_equal(texts[1], cases[c].second);
    }
    arena_free(&arena);
}

static void other_lists_are_no_texts(void **state)
{
    (void)state;
    static const struct {
        const char *descr, *shape, *why;
    } cases[] = {
        {"<f4", "(2,)", "not a list of texts"},
        {"<U1", "(2, 2)", "says 4 texts, it holds fewer"},
        {"<U1", "(0, 2)", "not a list of texts"},
        {"<U1", "(4294967296, 4294967296)", "texts, it holds fewer"},
        {"<U1", "(3,)", "says 3 texts, it holds fewer"},
        {"<U1", "(18446744073709551615,)", "texts, it holds fewer"},
        {"|O", "(2,)", "Python objects"},
    };
    struct arena arena = {0};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const struct bytes file =
            npy_texts(&arena, cases[c].descr, cases[c].shape, "a\0\0\0b\0\0\0", 8);
        const char *const *texts = NULL;
        size_t count = 0;
        struct error error = {0};
        assert_false(npy_read_texts(file, &arena, &texts, &count, &error));
        if (strstr(error.text, cases[c].why) == NULL) {
            fail_msg("%zu: %s", c, error.text);
        }
    }
    arena_free(&arena);
}

/* However the numbers lie, the ways to get them agree. */
static void numbers_are_copied_from_any_layout(void **state)
{
    (void)state;
    static const float values[6] = {1, 2, 3, 4, 5, 6};
    struct arena arena = {0};
    struct error error = {0};
    float out[6] = {0};
    struct array array = array_of_floats("", 2, (size_t[]){2, 3}, values);
    assert_ptr_equal(array_floats_in_place(&array), values);
    array.strides[0] = 4;
    array.strides[1] = 8; /* columns one behind the other */
    assert_null(array_floats_in_place(&array));
    assert_true(array_floats(&array, &arena, &error)[1] == 3);
    array_copy_floats(&array, 5, 0, out);
    assert_true(out[0] == 0);
    array = array_of_floats("", 1, (size_t[]){0}, values);
    assert_null(array_floats_in_place(&array));
    array = array_of_floats("", 0, NULL, values);
    assert_string_equal(array_shape_text(&array, " × ", &arena), "1");
    const struct bytes doubles =
        npy_file(&arena, 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
                 "\0\0\0\0\0\0\xF0\x3F", 8);
    assert_true(npy_read(doubles, &array, &error));
    assert_null(array_floats_in_place(&array));
    array_copy_floats(&array, 0, 1, out);
    assert_true(out[0] == 1);
    arena_free(&arena);
}

/* Bytes at the very end of an allocation of their own, so that a sanitizer sees every step too far.
 */
static bool read_exactly(const uint8_t *from, size_t size, bool archive)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, from, size);
    struct arena arena = {0};
    struct error error = {0};
    struct array array;
    const struct array *arrays = &array;
    size_t count = 1;
    bool fine = archive ? npz_read((struct bytes){copy, size}, &arena, &arrays, &count, &error)
                        : npy_read((struct bytes){copy, size}, &array, &error);
    for (size_t i = 0; fine && i < count; i++) {
        assert_true(array_count(&arrays[i]) == 0 ||
                    array_floats(&arrays[i], &arena, &error) != NULL);
    }
    assert_true(fine || error.text[0] != '\0');
    arena_free(&arena);
    free(copy);
    return fine;
}

static struct bytes sample_npy(struct arena *arena)
{
    static const float values[6] = {1, -2.5F, 3, 4, 5, INFINITY};
    struct array array = array_of_floats("sample", 2, (size_t[]){2, 3}, values);
    struct bytes out;
    struct error error = {0};
    assert_true(npy_write(&array, arena, &out, &error));
    return out;
}

static void npy_written_is_read(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct bytes file = sample_npy(&arena);
    static const char start[] = "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, "
                                "'shape': (2, 3), }";
    assert_memory_equal(file.at, start, sizeof start - 1);
    assert_int_equal(file.size, 128 + 24);
    assert_int_equal(file.at[127], '\n');
    struct array back;
    struct error error = {0};
    assert_true(npy_read(file, &back, &error));
    assert_int_equal(back.rank, 2);
    assert_true(array_number(&back, 1) == -2.5);
    assert_true(isinf(array_number(&back, 5)));
    arena_free(&arena);
}

static void every_cut_and_every_changed_byte_is_survived(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct bytes npy = sample_npy(&arena);
    static const float values[4] = {1, 2, 3, 4};
    struct array arrays[2] = {array_of_floats("a", 1, (size_t[]){4}, values),
                              array_of_floats("b", 2, (size_t[]){2, 2}, values)};
    struct bytes npz;
    struct error error = {0};
    assert_true(npz_write(arrays, 2, &arena, &npz, &error));
    const struct bytes later = npy_file(
        &arena, 3, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "\0\0\0\0", 4);
    const struct bytes files[3] = {npy, npz, later};
    for (size_t kind = 0; kind < 3; kind++) {
        for (size_t size = 0; size < files[kind].size; size++) {
            assert_false(read_exactly(files[kind].at, size, kind == 1));
        }
        uint8_t *copy = arena_alloc(&arena, files[kind].size);
        for (size_t i = 0; i < files[kind].size; i++) {
            static const uint8_t changes[] = {0x01, 0x80, 0xFF};
            for (size_t j = 0; j < 3; j++) {
                memcpy(copy, files[kind].at, files[kind].size);
                copy[i] ^= changes[j];
                (void)read_exactly(copy, files[kind].size, kind == 1);
            }
        }
    }
    arena_free(&arena);
}

static void npz_written_is_read(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const float values[6] = {1, 2, 3, 4, 5, 6};
    struct array arrays[3] = {array_of_floats("W_Q", 3, (size_t[]){1, 2, 3}, values),
                              array_of_floats("output", 1, (size_t[]){6}, values),
                              array_of_floats("nothing", 2, (size_t[]){0, 3}, values)};
    struct bytes file;
    struct bytes again;
    struct error error = {0};
    assert_true(npz_write(arrays, 3, &arena, &file, &error));
    assert_true(npz_write(arrays, 3, &arena, &again, &error));
    assert_int_equal(file.size, again.size);
    assert_memory_equal(file.at, again.at, file.size);
    const struct array *back = NULL;
    size_t count = 0;
    assert_true(npz_read(file, &arena, &back, &count, &error));
    assert_int_equal(count, 3);
    assert_string_equal(back[0].name, "W_Q");
    assert_string_equal(array_shape_text(&back[0], "x", &arena), "1x2x3");
    assert_string_equal(back[2].name, "nothing");
    struct array one;
    assert_true(npz_read_one(file, "output", &arena, &one, &error));
    assert_true(array_number(&one, 5) == 6.0);
    assert_false(npz_read_one(file, "W_K", &arena, &one, &error));
    assert_non_null(strstr(error.text, "W_K"));
    /* an archive of nothing is one too */
    assert_true(npz_write(NULL, 0, &arena, &file, &error));
    assert_true(npz_read(file, &arena, &back, &count, &error));
    assert_int_equal(count, 0);
    arena_free(&arena);
}

/* Row r, column c of the whole array is 10 · r + c. */
struct filled {
    size_t rows_most; /* that were asked for at once */
    size_t fails_at;  /* a row that cannot be made; SIZE_MAX: none */
};

static bool fill_tens(const void *owner, size_t first, size_t count, float *out,
                      struct error *error)
{
    struct filled *const filled = (struct filled *)(uintptr_t)owner;
    filled->rows_most = count > filled->rows_most ? count : filled->rows_most;
    for (size_t i = 0; i < count * 3; i++) {
        out[i] = (float)(10 * (first + i / 3) + i % 3);
    }
    return filled->fails_at < first || filled->fails_at >= first + count ||
           error_set(error, ERROR_INPUT, "Row %zu is lost.", filled->fails_at);
}

/* The bytes that a sink was given, and how many at once. */
struct gathered {
    uint8_t bytes[1 << 20];
    size_t size, size_most;
};

static bool gather(void *owner, struct bytes part)
{
    struct gathered *const gathered = owner;
    memcpy(gathered->bytes + gathered->size, part.at, part.size);
    gathered->size += part.size;
    gathered->size_most = part.size > gathered->size_most ? part.size : gathered->size_most;
    return true;
}

static bool gather_again(void *owner, uint64_t at, struct bytes part)
{
    struct gathered *const gathered = owner;
    memcpy(gathered->bytes + at, part.at, part.size);
    return at + part.size <= gathered->size;
}

/* An array that is filled goes into a sink in pieces, and the file is that of the same numbers in
 * memory. */
static void filled_arrays_are_written_in_pieces(void **state)
{
    (void)state;
    enum { ROWS = 20000, AT_ONCE = 300 };
    static struct gathered gathered;
    struct arena arena = {0};
    struct error error = {0};
    struct bytes file, rest;
    struct filled filled = {0, SIZE_MAX};
    const struct array_filling filling = {fill_tens, &filled, AT_ONCE};
    const size_t shape[] = {2, ROWS / 2, 3};
    const struct array made = array_of_filling("tens", 3, shape, &filling);
    float *const values = array_floats(&made, &arena, &error);
    assert_non_null(values);
    assert_int_equal(filled.rows_most, AT_ONCE);
    assert_true(values[3 * ROWS - 1] == 10 * (ROWS - 1) + 2);
    const struct array whole = array_of_floats("tens", 3, shape, values);
    assert_true(npz_write(&whole, 1, &arena, &file, &error));
    const struct growing_sink sink = {gather, gather_again, &gathered};
    struct growing out = growing_start(&arena);
    out.sink = &sink;
    assert_true(npz_put(&out, &made, 1, NULL, 0, &error));
    assert_true(growing_finish(&out, &rest, &error));
    assert_int_equal(gathered.size, file.size);
    assert_memory_equal(gathered.bytes, file.at, file.size);
    assert_true(gathered.size_most < 1 << 17 && gathered.size > 1 << 17);
    /* why a row cannot be made is what is said */
    filled.fails_at = ROWS / 2;
    gathered.size = 0;
    out = growing_start(&arena);
    out.sink = &sink;
    assert_false(npz_put(&out, &made, 1, NULL, 0, &error));
    assert_string_equal(error.text, "Row 10000 is lost.");
    assert_null(array_floats(&made, &arena, &error));
    arena_free(&arena);
}

static void npz_dates_are_fixed(void **state)
{
    (void)state; /* the local header's date field, at byte 10: time 0, date 1980-01-01 = 0x0021 */
    struct arena arena = {0};
    static const float value = 1;
    struct array array = array_of_floats("x", 0, NULL, &value);
    struct bytes file;
    struct error error = {0};
    assert_true(npz_write(&array, 1, &arena, &file, &error));
    assert_memory_equal(file.at, "PK\3\4", 4);
    assert_memory_equal(file.at + 10, "\x00\x00\x21\x00", 4);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"Every number type is read in both byte orders.", every_type_and_order_is_read, NULL, NULL,
         NULL},
        {"Half-precision numbers are exact.", half_numbers_are_exact, NULL, NULL, NULL},
        {"Fortran order is turned into rows.", fortran_order_is_turned, NULL, NULL, NULL},
        {"Damaged headers are refused with a reason.", damaged_headers_are_refused, NULL, NULL,
         NULL},
        {"An npy file that was written is read.", npy_written_is_read, NULL, NULL, NULL},
        {"An npz file that was written is read, and is the same each time.", npz_written_is_read,
         NULL, NULL, NULL},
        {"Arrays that are filled are written in pieces.", filled_arrays_are_written_in_pieces, NULL,
         NULL, NULL},
        {"Members of an npz file are dated 1980-01-01.", npz_dates_are_fixed, NULL, NULL, NULL},
        {"Lists of texts are read.", lists_of_texts_are_read, NULL, NULL, NULL},
        {"Other lists are no texts.", other_lists_are_no_texts, NULL, NULL, NULL},
        {"Numbers are copied from any layout.", numbers_are_copied_from_any_layout, NULL, NULL,
         NULL},
        {"Every cut and every changed byte is survived.",
         every_cut_and_every_changed_byte_is_survived, NULL, NULL, NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
