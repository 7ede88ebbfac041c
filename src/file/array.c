/* file/array.c — see array.h. */
#include "file/array.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/checked.h"
#include "file/half.h"
#include "file/unpack.h"

static const struct {
    const char *name;
    size_t size;
} types[ARRAY_TYPES] = {
    [ARRAY_BOOLEAN] = {"bool", 1},      [ARRAY_INT8] = {"int8", 1},
    [ARRAY_INT16] = {"int16", 2},       [ARRAY_INT32] = {"int32", 4},
    [ARRAY_INT64] = {"int64", 8},       [ARRAY_UINT8] = {"uint8", 1},
    [ARRAY_UINT16] = {"uint16", 2},     [ARRAY_UINT32] = {"uint32", 4},
    [ARRAY_UINT64] = {"uint64", 8},     [ARRAY_FLOAT16] = {"float16", 2},
    [ARRAY_BFLOAT16] = {"bfloat16", 2}, [ARRAY_FLOAT32] = {"float32", 4},
    [ARRAY_FLOAT64] = {"float64", 8},
};

size_t array_type_size(enum array_type type)
{
    return types[type].size;
}

const char *array_type_name(enum array_type type)
{
    return types[type].name;
}

static enum byte_order order_of_this_machine(void)
{
    const uint16_t one = 1;
    uint8_t first = 0;
    memcpy(&first, &one, 1);
    return first == 1 ? BYTE_ORDER_LITTLE : BYTE_ORDER_BIG;
}

struct array array_of_floats(const char *name, size_t rank, const size_t *shape,
                             const float *values)
{
    struct array array = {
        .name = name, .type = ARRAY_FLOAT32, .order = order_of_this_machine(), .rank = rank};
    size_t stride = sizeof *values;
    for (size_t axis = array.rank; axis-- > 0;) {
        array.shape[axis] = shape[axis];
        array.strides[axis] = (ptrdiff_t)stride;
        stride *= shape[axis];
    }
    array.bytes = (struct bytes){(const uint8_t *)values, stride};
    return array;
}

struct array array_of_filling(const char *name, size_t rank, const size_t *shape,
                              const struct array_filling *filling)
{
    struct array array = array_of_floats(name, rank, shape, NULL);
    array.filling = filling;
    return array;
}

struct array array_of_whole_numbers(const char *name, size_t count, const int64_t *values)
{
    return (struct array){.name = name,
                          .type = ARRAY_INT64,
                          .order = order_of_this_machine(),
                          .rank = 1,
                          .shape = {count},
                          .strides = {sizeof *values},
                          .bytes = {(const uint8_t *)values, count * sizeof *values}};
}

size_t array_count(const struct array *array)
{
    size_t count = 1;
    for (size_t axis = 0; axis < array->rank; axis++) {
        count *= array->shape[axis];
    }
    return count;
}

const char *array_shape_text(const struct array *array, const char *between, struct arena *arena)
{
    if (array->rank == 0) {
        return "1";
    }
    const char *text = arena_format(arena, "%zu", array->shape[0]);
    for (size_t axis = 1; axis < array->rank && text != NULL; axis++) {
        text = arena_format(arena, "%s%s%zu", text, between, array->shape[axis]);
    }
    return text;
}

static double half_number(uint16_t bits)
{
    double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
    int exponent = (bits >> 10) & 0x1F;
    double fraction = (double)(bits & 0x3FFU) / 1024.0;
    if (exponent == 31) {
        return fraction > 0 ? (double)NAN : sign * (double)INFINITY;
    }
    return exponent == 0 ? sign * ldexp(fraction, -14)
                         : sign * ldexp(1.0 + fraction, exponent - 15);
}

static float single_number(uint32_t bits)
{
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double double_number(uint64_t bits)
{
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A two's complement number of so many bits, without relying on the machine's conversion. */
static double signed_number(uint64_t bits, size_t size)
{
    uint64_t sign = UINT64_C(1) << (8 * size - 1);
    uint64_t below = bits & (sign - 1);
    return (bits & sign) != 0 ? -(double)(sign - below) : (double)below;
}

static double decode_number(const uint8_t *at, enum array_type type, enum byte_order order)
{
    size_t size = types[type].size;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        bits = (bits << 8) | at[order == BYTE_ORDER_BIG ? i : size - 1 - i];
    }
    switch (type) {
    case ARRAY_BOOLEAN:
        return bits != 0 ? 1.0 : 0.0;
    case ARRAY_UINT8:
    case ARRAY_UINT16:
    case ARRAY_UINT32:
    case ARRAY_UINT64:
        return (double)bits;
    case ARRAY_BFLOAT16:
        return (double)single_number((uint32_t)bits << 16);
    case ARRAY_FLOAT16:
        return half_number((uint16_t)bits);
    case ARRAY_FLOAT32:
        return (double)single_number((uint32_t)bits);
    case ARRAY_FLOAT64:
        return double_number(bits);
    default:
        return signed_number(bits, size);
    }
}

double array_number(const struct array *array, size_t place)
{
    ptrdiff_t offset = 0;
    for (size_t axis = array->rank; axis-- > 0;) {
        offset += (ptrdiff_t)(place % array->shape[axis]) * array->strides[axis];
        place /= array->shape[axis];
    }
    return decode_number(array->bytes.at + offset, array->type, array->order);
}

/* True for row-major numbers of this machine's byte order with nothing between them. */
static bool is_dense(const struct array *array)
{
    if (array->order != order_of_this_machine()) {
        return false;
    }
    size_t stride = types[array->type].size;
    for (size_t axis = array->rank; axis-- > 0;) {
        if (array->strides[axis] != (ptrdiff_t)stride) {
            return false;
        }
        stride *= array->shape[axis];
    }
    return true;
}

static void copy_halves(const uint8_t *from, size_t count, float *out)
{
    unpack_best()->halves(from, count, out);
}

static void copy_brain_halves(const uint8_t *from, size_t count, float *out)
{
    unpack_best()->brain_halves(from, count, out);
}

static void copy_singles(const uint8_t *from, size_t count, float *out)
{
    memcpy(out, from, count * sizeof *out);
}

static void copy_doubles(const uint8_t *from, size_t count, float *out)
{
    for (size_t i = 0; i < count; i++) {
        double value = 0;
        memcpy(&value, from + 8 * i, sizeof value);
        out[i] = (float)value;
    }
}

void array_copy_floats(const struct array *array, size_t first, size_t count, float *out)
{
    static void (*const copies[ARRAY_TYPES])(const uint8_t *, size_t, float *) = {
        [ARRAY_FLOAT16] = copy_halves,
        [ARRAY_BFLOAT16] = copy_brain_halves,
        [ARRAY_FLOAT32] = copy_singles,
        [ARRAY_FLOAT64] = copy_doubles,
    };
    if (count > 0 && copies[array->type] != NULL && is_dense(array)) {
        copies[array->type](array->bytes.at + first * types[array->type].size, count, out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = (float)array_number(array, first + i);
    }
}

const float *array_floats_in_place(const struct array *array)
{
    const bool fits = array->type == ARRAY_FLOAT32 && is_dense(array) &&
                      (uintptr_t)array->bytes.at % sizeof(float) == 0;
    return fits && array->bytes.size > 0 ? (const float *)(const void *)array->bytes.at : NULL;
}

static float *room_for(size_t rows, size_t cols, struct arena *arena, struct error *error)
{
    size_t count = 0;
    float *const values =
        checked_multiply(rows, cols, &count) ? arena_array(arena, count, sizeof *values) : NULL;
    if (values == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for %zu numbers.", count);
    }
    return values;
}

/* Rows of an array that lies in memory, or is filled; of the latter not more than are made at once.
 */
static bool fill_rows(const struct array *array, size_t first, size_t count, size_t cols,
                      float *out, struct error *error)
{
    const struct array_filling *const filling = array->filling;
    if (filling != NULL) {
        return filling->fill(filling->owner, array->rows_before + first, count, out, error);
    }
    array_copy_floats(array, first * cols, count * cols, out);
    return true;
}

bool array_rows_start(struct array_rows *rows, const struct array *array, struct arena *arena,
                      struct error *error)
{
    enum { NUMBERS_AT_ONCE = 1 << 14 };
    const size_t cols = array->rank == 0 ? 1 : array->shape[array->rank - 1];
    const size_t count = cols == 0 ? 0 : array_count(array) / cols;
    const size_t few = cols < NUMBERS_AT_ONCE ? NUMBERS_AT_ONCE / (cols > 0 ? cols : 1) : 1;
    const size_t wanted = array->filling != NULL ? array->filling->rows_at_once : few;
    *rows = (struct array_rows){
        .array = array, .count = count, .cols = cols, .at_once = wanted < count ? wanted : count};
    rows->values = room_for(rows->at_once, cols, arena, error);
    return rows->values != NULL;
}

bool array_rows_next(struct array_rows *rows, const float **values, size_t *count,
                     struct error *error)
{
    if (rows->next == rows->first + rows->held && rows->next < rows->count) {
        const size_t left = rows->count - rows->next;
        rows->first = rows->next;
        rows->held = left < rows->at_once ? left : rows->at_once;
        if (!fill_rows(rows->array, rows->first, rows->held, rows->cols, rows->values, error)) {
            rows->held = 0;
            return false;
        }
    }
    *values = rows->values + (rows->next - rows->first) * rows->cols;
    *count = rows->first + rows->held - rows->next;
    rows->next += *count;
    return true;
}

const float *array_rows_one(struct array_rows *rows, struct error *error)
{
    const float *values = NULL;
    size_t count = 0;
    if (!array_rows_next(rows, &values, &count, error)) {
        return NULL;
    }
    rows->next -= count - 1; /* the others come next */
    return values;
}

float *array_floats(const struct array *array, struct arena *arena, struct error *error)
{
    const size_t cols = array->rank == 0 ? 1 : array->shape[array->rank - 1];
    const size_t rows = cols == 0 ? 0 : array_count(array) / cols;
    const size_t at_once = array->filling != NULL ? array->filling->rows_at_once : rows;
    float *const values = room_for(rows, cols, arena, error);
    bool done = values != NULL;
    for (size_t row = 0; done && row < rows; row += at_once) {
        const size_t count = rows - row < at_once ? rows - row : at_once;
        done = fill_rows(array, row, count, cols, values + row * cols, error);
    }
    return done ? values : NULL;
}
