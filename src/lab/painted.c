/* lab/painted.c — masks painted by hand, one bit for each pair. */
#include "lab/painted.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

struct lab_painted {
    atomic_size_t references;
    size_t rows, cols;
    uint8_t bits[]; /* row by row, 1 = seen; what is left of the last byte is 0 */
};

static size_t bytes_of(size_t rows, size_t cols)
{
    return rows * cols / 8 + 1;
}

static bool bit_at(const struct lab_painted *painted, size_t i, size_t j)
{
    const size_t bit = i * painted->cols + j;
    return (painted->bits[bit / 8] >> (bit % 8) & 1) != 0;
}

static void set_bit(struct lab_painted *painted, size_t i, size_t j, bool visible)
{
    const size_t bit = i * painted->cols + j;
    const uint8_t mask = (uint8_t)(1u << (bit % 8));
    uint8_t *const byte = &painted->bits[bit / 8];
    *byte = (uint8_t)(visible ? *byte | mask : *byte & ~mask);
}

/* Everything hidden. */
static struct lab_painted *make(size_t rows, size_t cols, struct error *error)
{
    size_t pairs = 0;
    struct lab_painted *const made = checked_multiply(rows, cols, &pairs)
                                         ? calloc(1, sizeof *made + bytes_of(rows, cols))
                                         : NULL;
    if (made == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for a mask of %zu × %zu.", rows,
                  cols);
        return NULL;
    }
    atomic_init(&made->references, 1);
    made->rows = rows;
    made->cols = cols;
    return made;
}

struct lab_painted *lab_painted_make(const uint8_t *visible, size_t n, size_t m,
                                     struct error *error)
{
    struct lab_painted *const made = make(n, m, error);
    for (size_t i = 0; made != NULL && i < n; i++) {
        for (size_t j = 0; j < m; j++) {
            set_bit(made, i, j, visible[i * m + j] != 0);
        }
    }
    return made;
}

struct lab_painted *lab_painted_keep(const struct lab_painted *painted)
{
    struct lab_painted *shared = (struct lab_painted *)painted; /* only the count changes */
    if (shared != NULL) {
        atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
    }
    return shared;
}

void lab_painted_release(const struct lab_painted *painted)
{
    struct lab_painted *shared = (struct lab_painted *)painted;
    if (shared != NULL &&
        atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1) {
        free(shared);
    }
}

size_t lab_painted_rows(const struct lab_painted *painted)
{
    return painted == NULL ? 0 : painted->rows;
}

size_t lab_painted_cols(const struct lab_painted *painted)
{
    return painted == NULL ? 0 : painted->cols;
}

bool lab_painted_sees(const struct lab_painted *painted, size_t i, size_t j)
{
    return painted == NULL || i >= painted->rows || j >= painted->cols || bit_at(painted, i, j);
}

bool lab_painted_equal(const struct lab_painted *a, const struct lab_painted *b)
{
    if (a == b || a == NULL || b == NULL) {
        return a == b;
    }
    return a->rows == b->rows && a->cols == b->cols &&
           memcmp(a->bits, b->bits, bytes_of(a->rows, a->cols)) == 0;
}

struct lab_painted *lab_painted_with(const struct lab_painted *painted, size_t i, size_t j,
                                     bool visible, struct error *error)
{
    if (i >= lab_painted_rows(painted) || j >= lab_painted_cols(painted)) {
        error_set(error, ERROR_INPUT, "The mask has no row %zu, column %zu.", i + 1, j + 1);
        return NULL;
    }
    struct lab_painted *const made = make(painted->rows, painted->cols, error);
    if (made != NULL) {
        memcpy(made->bits, painted->bits, bytes_of(painted->rows, painted->cols));
        set_bit(made, i, j, visible);
    }
    return made;
}

struct lab_painted *lab_painted_moved(const struct lab_painted *painted, const size_t *from_row,
                                      size_t rows, const size_t *from_column, size_t cols,
                                      struct error *error)
{
    struct lab_painted *const made = make(rows, cols, error);
    for (size_t i = 0; made != NULL && i < rows; i++) {
        const size_t row = from_row == NULL ? i : from_row[i];
        for (size_t j = 0; j < cols; j++) {
            const size_t column = from_column == NULL ? j : from_column[j];
            set_bit(made, i, j, lab_painted_sees(painted, row, column));
        }
    }
    return made;
}
