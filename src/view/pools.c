#include "view/pools.h"

#include <math.h>
#include <stdlib.h>

#include "lab/measure.h"

enum { KEPT_MOST = 1024, FLOATS_MOST = 16 << 20, SMALL = 1 << 12 /* not worth keeping */ };

/* Values of a matrix of the trace, pooled; or, wide 0, how large they are. */
struct kept {
    struct lab_matrix matrix;
    bool transposed;
    size_t wide, high;
    const float *values;
    float peak;
};

struct view_pools {
    const struct lab_trace *trace; /* a reference: its numbers stay where they are */
    struct arena arena;
    struct kept kept[KEPT_MOST];
    size_t count, floats;
};

struct view_pools *view_pools_open(void)
{
    return calloc(1, sizeof(struct view_pools));
}

static void forget(struct view_pools *pools)
{
    lab_trace_release(pools->trace);
    pools->trace = NULL;
    arena_free(&pools->arena);
    pools->arena = (struct arena){0};
    pools->count = pools->floats = 0;
}

void view_pools_close(struct view_pools *pools)
{
    if (pools != NULL) {
        forget(pools);
        free(pools);
    }
}

/* The pools, made ready for `floats` more of a matrix; NULL where it is not to be kept. */
static struct view_pools *pools_for(const struct view *view, const struct lab_matrix *matrix,
                                    size_t floats)
{
    struct view_pools *const pools = view->pools;
    if (pools == NULL || matrix->rows * matrix->cols < SMALL || floats > FLOATS_MOST ||
        view->trace == NULL || !lab_trace_holds(view->trace, matrix->values)) {
        return NULL;
    }
    if (pools->trace != view->trace || pools->count == KEPT_MOST ||
        pools->floats + floats > FLOATS_MOST) {
        forget(pools);
        pools->trace = lab_trace_keep(view->trace);
    }
    return pools;
}

static const struct kept *find(const struct view_pools *pools, const struct kept *wanted)
{
    for (size_t i = 0; i < pools->count; i++) {
        const struct kept *const kept = &pools->kept[i];
        if (kept->matrix.values == wanted->matrix.values && kept->wide == wanted->wide &&
            kept->high == wanted->high && kept->transposed == wanted->transposed &&
            kept->matrix.rows == wanted->matrix.rows && kept->matrix.cols == wanted->matrix.cols &&
            kept->matrix.stride == wanted->matrix.stride) {
            return kept;
        }
    }
    return NULL;
}

static float largest(const struct view_matrix *matrix, size_t row0, size_t row1, size_t column0,
                     size_t column1)
{
    float best = view_matrix_value(matrix, row0, column0);
    for (size_t row = row0; row < row1; row++) {
        for (size_t column = column0; column < column1; column++) {
            const float value = view_matrix_value(matrix, row, column);
            best = fabsf(value) > fabsf(best) ? value : best;
        }
    }
    return best;
}

static float *pool(const struct view_matrix *matrix, size_t wide, size_t high, struct arena *arena)
{
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    float *const values = arena_array(arena, wide * high, sizeof *values);
    for (size_t y = 0; values != NULL && y < high; y++) {
        const size_t row0 = y * rows / high, row1 = (y + 1) * rows / high;
        for (size_t x = 0; x < wide; x++) {
            values[y * wide + x] =
                largest(matrix, row0, row1, x * columns / wide, (x + 1) * columns / wide);
        }
    }
    return values;
}

const float *view_pooled(struct view *view, const struct view_matrix *matrix, size_t wide,
                         size_t high)
{
    struct view_pools *const pools = pools_for(view, &matrix->matrix, wide * high);
    if (pools == NULL) {
        return pool(matrix, wide, high, view->arena);
    }
    const struct kept wanted = {
        .matrix = matrix->matrix, .transposed = matrix->transposed, .wide = wide, .high = high};
    const struct kept *const found = find(pools, &wanted);
    if (found != NULL) {
        return found->values;
    }
    struct kept *const made = &pools->kept[pools->count];
    *made = wanted;
    made->values = pool(matrix, wide, high, &pools->arena);
    pools->count += made->values != NULL;
    pools->floats += wide * high;
    return made->values;
}

float view_peak(const struct view *view, const struct lab_matrix *matrix)
{
    struct view_pools *const pools = pools_for(view, matrix, 0);
    if (pools == NULL) {
        return lab_measure_peak(matrix);
    }
    const struct kept wanted = {.matrix = *matrix};
    const struct kept *const found = find(pools, &wanted);
    if (found != NULL) {
        return found->peak;
    }
    struct kept *const made = &pools->kept[pools->count++];
    *made = wanted;
    made->peak = lab_measure_peak(matrix);
    return made->peak;
}
