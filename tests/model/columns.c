/* W of a model as the lab has it: columns of a tensor that has them as rows, in blocks of 256 that
 * are read whole and once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/model_internal.h"

enum { STEP = 256, DEPTH = 5 * STEP, ALL = 48, BASE = 2 * STEP };

static size_t numbers_read;

/* Every number is its place, and only whole blocks are to be had. */
static void count_up(const struct model_tensor *tensor, size_t first, size_t count, float *out)
{
    assert_ptr_equal(tensor->copy, count_up);
    assert_int_equal(first % STEP, 0);
    assert_int_equal(count % STEP, 0);
    for (size_t i = 0; i < count; i++) {
        out[i] = (float)(first + i);
    }
    numbers_read += count;
}

static void check_columns(const struct model_matrix *matrix, size_t first, size_t cols)
{
    float *const out = malloc(cols * DEPTH * sizeof *out);
    assert_non_null(out);
    numbers_read = 0;
    model_matrix_columns(matrix, first, cols, out);
    assert_int_equal(numbers_read, cols * DEPTH);
    for (size_t p = 0; p < DEPTH; p++) {
        for (size_t c = 0; c < cols; c++) {
            const size_t place = model_matrix_place(matrix, first + c);
            assert_int_equal((size_t)out[p * cols + c], BASE + place * DEPTH + p);
        }
    }
    free(out);
}

static void columns_are_turned_and_every_block_is_read_once(void **state)
{
    (void)state;
    const struct model_tensor tensor = {.step = STEP, .copy = count_up};
    struct model_matrix matrix = {
        .tensor = &tensor, .depth = DEPTH, .cols = ALL, .all = ALL, .base = BASE};
    const size_t most[] = {1, 7, 15, 16, 17, 33, ALL};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        check_columns(&matrix, 0, most[i]);
        check_columns(&matrix, ALL - most[i], most[i]);
    }
    matrix.mixed = 8; /* as GGUF has the rows of Llama's queries and keys */
    check_columns(&matrix, 8, 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_turned_and_every_block_is_read_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
