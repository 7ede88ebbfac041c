/* The same numbers in every format: an npy, alone, stored in an npz, packed in an npz and as
 * safetensors, is the same array, or refused by all that hold it as it is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../file/zips.h"
#include "file/npy.h"
#include "file/npz.h"
#include "file/safetensors.h"
#include "fuzz.h"

static const char *const type_names[ARRAY_TYPES] = {
    [ARRAY_BOOLEAN] = "BOOL", [ARRAY_INT8] = "I8",       [ARRAY_INT16] = "I16",
    [ARRAY_INT32] = "I32",    [ARRAY_INT64] = "I64",     [ARRAY_UINT8] = "U8",
    [ARRAY_UINT16] = "U16",   [ARRAY_UINT32] = "U32",    [ARRAY_UINT64] = "U64",
    [ARRAY_FLOAT16] = "F16",  [ARRAY_BFLOAT16] = "BF16", [ARRAY_FLOAT32] = "F32",
    [ARRAY_FLOAT64] = "F64",
};

static void expect(bool fine)
{
    if (!fine) {
        abort();
    }
}

static void expect_equal(const struct array *a, const struct array *b)
{
    expect(a->rank == b->rank && a->type == b->type &&
           memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) == 0);
    const size_t count = array_count(a);
    for (size_t i = 0; i < count; i++) {
        const double one = array_number(a, i), other = array_number(b, i);
        expect((isnan(one) && isnan(other)) || (!(one < other) && !(one > other)));
    }
}

static void try_npz(struct bytes npy, const struct array *array, unsigned method,
                    struct arena *arena)
{
    const struct bytes content = method == ZIP_DEFLATED ? zip_unpacked_deflate(npy, arena) : npy;
    const struct zip_member member = {.name = "a.npy", .content = content, .method = method};
    const struct bytes file = zip_of("", &member, 1, arena);
    const struct array *read = NULL;
    struct array one;
    size_t count = 0;
    struct error error = {0};
    expect(npz_read(file, arena, &read, &count, &error) == (array != NULL));
    if (array == NULL) {
        return;
    }
    expect(count == 1);
    expect_equal(array, &read[0]);
    expect(npz_read_one(file, "a", arena, &one, &error));
    expect_equal(array, &one);
    struct npz_list list;
    expect(npz_list(file, arena, &list, &error) && list.count == 1);
    expect(list.array[0].rank == array->rank && list.array[0].type == array->type);
    if (list.array[0].bytes.at != NULL) {
        expect_equal(array, &list.array[0]);
    }
}

/* In the order of rows and little-endian, as safetensors has them. */
static void try_safetensors(const struct array *array, struct arena *arena)
{
    const size_t count = array_count(array), size = array_type_size(array->type);
    const char *const shape = array->rank == 0 ? "" : array_shape_text(array, ",", arena);
    const char *const text =
        arena_format(arena, "{\"a\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[0,%zu]}}",
                     type_names[array->type], shape, count * size);
    const size_t length = strlen(text);
    uint8_t *const file = arena_alloc(arena, 8 + length + count * size);
    for (size_t b = 0; b < 8; b++) {
        file[b] = (uint8_t)(length >> (8 * b));
    }
    memcpy(file + 8, text, length);
    for (size_t i = 0; i < count; i++) {
        size_t rest = i;
        ptrdiff_t offset = 0;
        for (size_t axis = array->rank; axis-- > 0;) {
            offset += (ptrdiff_t)(rest % array->shape[axis]) * array->strides[axis];
            rest /= array->shape[axis];
        }
        for (size_t b = 0; b < size; b++) {
            const size_t place = array->order == BYTE_ORDER_LITTLE ? b : size - 1 - b;
            file[8 + length + i * size + b] = array->bytes.at[offset + (ptrdiff_t)place];
        }
    }
    struct safetensors tensors;
    struct error error = {0};
    expect(
        safetensors_read((struct bytes){file, 8 + length + count * size}, arena, &tensors, &error));
    expect(tensors.count == 1);
    expect_equal(array, &tensors.tensors[0]);
}

bool fuzz_reads(struct bytes file)
{
    struct arena arena = {0};
    struct array array;
    struct error error = {0};
    enum { PIECE_MAX = 0xFFFF }; /* what one block of deflate can hold */
    const bool read = npy_read(file, &array, &error);
    if (file.size <= PIECE_MAX) {
        try_npz(file, read ? &array : NULL, ZIP_STORED, &arena);
        try_npz(file, read ? &array : NULL, ZIP_DEFLATED, &arena);
    }
    if (read) {
        try_safetensors(&array, &arena);
    }
    arena_free(&arena);
    return read;
}
