/* Word vectors from files: text, and rows whose words stand beside them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "file/handle.h"
#include "file/npy.h"
#include "file/vectors.h"

/* What lies at a path, opened by it alone. */
static bool open_vectors(const char *path, const char *const *wanted, size_t count,
                         struct arena *arena, struct vectors *out, struct error *error)
{
    struct file_handle *const file = file_handle_open(path);
    const bool is_open = file != NULL && vectors_open(file, wanted, count, NULL, arena, out, error);
    file_handle_release(file);
    return is_open;
}

static void put(const char *path, const char *text)
{
    const struct bytes bytes = {(const uint8_t *)text, strlen(text)};
    assert_true(file_write(path, bytes, NULL));
}

static void put_array(const char *path, size_t rank, size_t rows, size_t columns)
{
    static const float values[8192] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct arena arena = {0};
    struct bytes file;
    const struct array array = array_of_floats("", rank, (const size_t[]){rows, columns}, values);
    assert_true(npy_write(&array, &arena, &file, NULL));
    assert_true(file_write(path, file, NULL));
    arena_free(&arena);
}

static void put_rows(const char *path, size_t rows)
{
    put_array(path, 2, rows, 2);
}

static const char *const wanted[] = {"dog", "bird", "cat", "dog"};

static void rows_take_the_words_beside_them(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct vectors vectors;
    struct error error = {ERROR_NONE, 0, ""};
    put_rows("listed.npy", 3);
    assert_false(vectors_are_listed("listed.npy"));
    assert_false(open_vectors("listed.npy", wanted, 4, &arena, &vectors, &error));
    assert_non_null(strstr(error.text, "no list of its words"));
    put("listed.vocab", "cat\nlion\ndog\n");
    assert_true(vectors_are_listed("listed.npy"));
    assert_true(open_vectors("listed.npy", wanted, 4, &arena, &vectors, &error));
    assert_int_equal(vectors.dimension, 2);
    assert_int_equal(vectors.found_count, 3);
    assert_false(vectors.found[1]);
    const float expected[] = {5, 6, 0, 0, 1, 2, 5, 6};
    assert_memory_equal(vectors.values, expected, sizeof expected);
    put("listed.vocab", "cat\nlion\n");
    assert_false(open_vectors("listed.npy", wanted, 4, &arena, &vectors, &error));
    assert_non_null(strstr(error.text, "3 rows, but 2 words"));
    unlink("listed.npy");
    unlink("listed.vocab");
    arena_free(&arena);
}

/* The first of two words that read the same is the one that counts. */
static void a_word_that_stands_twice_has_its_first_row(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct vectors vectors;
    struct error error = {ERROR_NONE, 0, ""};
    put_rows("listed", 3); /* a name without an ending */
    put("listed.txt", "dog\ncat\ndog\n");
    assert_true(open_vectors("listed", wanted, 4, &arena, &vectors, &error));
    assert_true(vectors.values[0] == 1 && vectors.values[1] == 2);
    unlink("listed");
    unlink("listed.txt");
    arena_free(&arena);
}

static void rows_that_are_no_table_of_words_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t rank, rows, columns;
        const char *words, *why;
    } cases[] = {
        {1, 3, 0, "a\nb\nc\n", "not a table of words"},
        {2, 3, 0, "a\nb\nc\n", "not a table of words"},
        {2, 1, 4097, "cat\n", "1 to 4096 numbers"},
        {2, 1, 2, "cat\ndog\nbird\n", "It has 1 rows, but 3 words are beside it."},
    };
    struct arena arena = {0};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct vectors vectors;
        struct error error = {ERROR_NONE, 0, ""};
        put_array("listed.npy", cases[c].rank, cases[c].rows, cases[c].columns);
        put("listed.txt", cases[c].words);
        assert_false(open_vectors("listed.npy", wanted, 4, &arena, &vectors, &error));
        if (strstr(error.text, cases[c].why) == NULL) {
            fail_msg("%zu: %s", c, error.text);
        }
    }
    struct vectors vectors;
    struct error error = {ERROR_NONE, 0, ""};
    put("listed.npy", "\x93NUMPY is how it begins");
    assert_false(open_vectors("listed.npy", wanted, 4, &arena, &vectors, &error));
    put("listed.npy", "cat");
    assert_false(open_vectors("listed.npy", wanted, 4, &arena, &vectors, &error));
    assert_non_null(strstr(error.text, "first line"));
    unlink("listed.npy");
    unlink("listed.txt");
    arena_free(&arena);
}

static void text_is_read_where_it_lies(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct vectors vectors;
    struct error error = {ERROR_NONE, 0, ""};
    put("listed.vec", "2 2\ncat 1 2\ndog 5 6\n");
    assert_true(open_vectors("listed.vec", wanted, 4, &arena, &vectors, &error));
    const float expected[] = {5, 6, 0, 0, 1, 2, 5, 6};
    assert_memory_equal(vectors.values, expected, sizeof expected);
    unlink("listed.vec");
    assert_false(open_vectors("listed.vec", wanted, 4, &arena, &vectors, &error));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_take_the_words_beside_them),
        cmocka_unit_test(a_word_that_stands_twice_has_its_first_row),
        cmocka_unit_test(rows_that_are_no_table_of_words_are_refused),
        cmocka_unit_test(text_is_read_where_it_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
