/* lab/experiment/custom_mask.c — masks painted by hand, one bit for each pair. */
#include "lab/experiment/custom_mask.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

struct lab_custom_mask {
    atomic_size_t references;
    size_t rows, cols;
    uint8_t bits[]; /* row by row, 1 = seen; unused bits of the last byte are 0 */
};

static size_t bytes_of(size_t rows, size_t cols)
{
    return rows * cols / 8 + 1;
}

static bool bit_at(const struct lab_custom_mask *custom_mask, size_t i, size_t j)
{
    const size_t bit = i * custom_mask->cols + j;
    return (custom_mask->bits[bit / 8] >> (bit % 8) & 1) != 0;
}

static void set_bit(struct lab_custom_mask *custom_mask, size_t i, size_t j, bool visible)
{
    const size_t bit = i * custom_mask->cols + j;
    const uint8_t mask = (uint8_t)(1u << (bit % 8));
    uint8_t *const byte = &custom_mask->bits[bit / 8];
    *byte = (uint8_t)(visible ? *byte | mask : *byte & ~mask);
}

/* Makes a mask that hides every pair. */
static struct lab_custom_mask *make_hidden_mask(size_t rows, size_t cols, struct error *error)
{
    size_t pairs = 0;
    struct lab_custom_mask *const made = checked_multiply(rows, cols, &pairs)
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

struct lab_custom_mask *lab_custom_mask_make(const uint8_t *visible, size_t n, size_t m,
                                             struct error *error)
{
    struct lab_custom_mask *const made = make_hidden_mask(n, m, error);
    for (size_t i = 0; made != NULL && i < n; i++) {
        for (size_t j = 0; j < m; j++) {
            set_bit(made, i, j, visible[i * m + j] != 0);
        }
    }
    return made;
}

struct lab_custom_mask *lab_custom_mask_keep(const struct lab_custom_mask *custom_mask)
{
    struct lab_custom_mask *shared =
        (struct lab_custom_mask *)custom_mask; /* only the count changes */
    if (shared != NULL) {
        atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
    }
    return shared;
}

void lab_custom_mask_release(const struct lab_custom_mask *custom_mask)
{
    struct lab_custom_mask *shared = (struct lab_custom_mask *)custom_mask;
    if (shared != NULL &&
        atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1) {
        free(shared);
    }
}

size_t lab_custom_mask_rows(const struct lab_custom_mask *custom_mask)
{
    return custom_mask == NULL ? 0 : custom_mask->rows;
}

size_t lab_custom_mask_cols(const struct lab_custom_mask *custom_mask)
{
    return custom_mask == NULL ? 0 : custom_mask->cols;
}

bool lab_custom_mask_sees(const struct lab_custom_mask *custom_mask, size_t i, size_t j)
{
    return custom_mask == NULL || i >= custom_mask->rows || j >= custom_mask->cols ||
           bit_at(custom_mask, i, j);
}

bool lab_custom_mask_equal(const struct lab_custom_mask *a, const struct lab_custom_mask *b)
{
    if (a == b || a == NULL || b == NULL) {
        return a == b;
    }
    return a->rows == b->rows && a->cols == b->cols &&
           memcmp(a->bits, b->bits, bytes_of(a->rows, a->cols)) == 0;
}

struct lab_custom_mask *lab_custom_mask_with(const struct lab_custom_mask *custom_mask, size_t i,
                                             size_t j, bool visible, struct error *error)
{
    if (i >= lab_custom_mask_rows(custom_mask) || j >= lab_custom_mask_cols(custom_mask)) {
        error_set(error, ERROR_INPUT, "The mask has no row %zu, column %zu.", i + 1, j + 1);
        return NULL;
    }
    struct lab_custom_mask *const made =
        make_hidden_mask(custom_mask->rows, custom_mask->cols, error);
    if (made != NULL) {
        memcpy(made->bits, custom_mask->bits, bytes_of(custom_mask->rows, custom_mask->cols));
        set_bit(made, i, j, visible);
    }
    return made;
}

struct lab_custom_mask *lab_custom_mask_moved(const struct lab_custom_mask *custom_mask,
                                              const size_t *from_row, size_t rows,
                                              const size_t *from_column, size_t cols,
                                              struct error *error)
{
    struct lab_custom_mask *const made = make_hidden_mask(rows, cols, error);
    for (size_t i = 0; made != NULL && i < rows; i++) {
        const size_t row = from_row == NULL ? i : from_row[i];
        for (size_t j = 0; j < cols; j++) {
            const size_t column = from_column == NULL ? j : from_column[j];
            set_bit(made, i, j, lab_custom_mask_sees(custom_mask, row, column));
        }
    }
    return made;
}
