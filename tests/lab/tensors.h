/* tests/lab/tensors.h — files of attention made array by array: safetensors of small shapes. */
#ifndef TESTS_LAB_TENSORS_H
#define TESTS_LAB_TENSORS_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "lab/dump/dump.h"

enum { ARRAYS_MAX = 12, FILE_MAX = 1 << 20, TEXT_MAX = 4096 };

/* An array of float32, or of whole numbers 1, 2, 3 …; rows of floats sum to 1, unless columns do,
 * or the first number is none. */
enum fill { EVEN, TURNED, IDS, NOT_A_NUMBER };

struct tensor {
    const char *name;
    size_t rank, shape[ARRAY_RANK_MAX];
    enum fill fill;
};

static inline size_t count_of(const struct tensor *tensor)
{
    size_t count = 1;
    for (size_t a = 0; a < tensor->rank; a++) {
        count *= tensor->shape[a];
    }
    return count;
}

static inline void put_numbers(uint8_t *at, const struct tensor *tensor)
{
    const size_t count = count_of(tensor), last = tensor->shape[tensor->rank - 1];
    const size_t rows = tensor->rank > 1 ? tensor->shape[tensor->rank - 2] : 1;
    for (size_t i = 0; i < count; i++) {
        const float value = tensor->fill == NOT_A_NUMBER && i == 0 ? NAN
                            : tensor->fill == TURNED               ? 1 / (float)rows
                                                                   : 1 / (float)last;
        uint32_t bits = (uint32_t)i + 1; /* an id; the smallest byte first, whatever the machine */
        if (tensor->fill != IDS) {
            memcpy(&bits, &value, sizeof bits);
        }
        for (size_t b = 0; b < 4; b++) {
            at[4 * i + b] = (uint8_t)(bits >> (8 * b));
        }
    }
}

/* A safetensors file; notes: the members of "__metadata__", or NULL. */
static inline void save(const char *path, const struct tensor *tensors, size_t count,
                        const char *notes)
{
    static uint8_t numbers[FILE_MAX];
    char header[TEXT_MAX] = "{";
    size_t length = 1, bytes = 0;
    memset(numbers, 0, sizeof numbers);
    if (notes != NULL) {
        length += (size_t)snprintf(header + length, sizeof header - length,
                                   "\"__metadata__\":{%s},", notes);
    }
    for (size_t t = 0; t < count; t++) {
        const size_t size = 4 * count_of(&tensors[t]);
        length += (size_t)snprintf(header + length, sizeof header - length,
                                   "\"%s\":{\"dtype\":\"%s\",\"shape\":[", tensors[t].name,
                                   tensors[t].fill == IDS ? "I32" : "F32");
        for (size_t a = 0; a < tensors[t].rank; a++) {
            length += (size_t)snprintf(header + length, sizeof header - length, "%s%zu",
                                       a > 0 ? "," : "", tensors[t].shape[a]);
        }
        length += (size_t)snprintf(header + length, sizeof header - length,
                                   "],\"data_offsets\":[%zu,%zu]}%s", bytes, bytes + size,
                                   t + 1 < count ? "," : "}");
        assert_true(bytes + size <= sizeof numbers && length < sizeof header);
        put_numbers(numbers + bytes, &tensors[t]);
        bytes += size;
    }
    const uint8_t size_of_header[8] = {(uint8_t)length, (uint8_t)(length >> 8)};
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(size_of_header, 1, 8, file), 8);
    assert_int_equal(fwrite(header, 1, length, file), length);
    assert_int_equal(fwrite(numbers, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static inline size_t used(const struct tensor *tensors)
{
    size_t count = 0;
    while (count < ARRAYS_MAX && tensors[count].name != NULL) {
        count++;
    }
    return count;
}

#endif
