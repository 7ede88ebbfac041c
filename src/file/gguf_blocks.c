/* file/gguf_blocks.c — see gguf_blocks.h. */
#include "file/gguf_blocks.h"

#include <stdio.h>
#include <string.h>

/* By the number of the kind (ggml.h, enum ggml_type). Kinds without a way to unpack them are listed
 * and refused by their name. */
static const struct gguf_kind kinds[] = {
    [0] = {"F32", 1, 4, ARRAY_FLOAT32, UNPACK_NONE},
    [1] = {"F16", 1, 2, ARRAY_FLOAT16, UNPACK_NONE},
    [2] = {"Q4_0", 32, 18, ARRAY_TYPES, UNPACK_Q4_0},
    [3] = {"Q4_1", 32, 20, ARRAY_TYPES, UNPACK_Q4_1},
    [6] = {"Q5_0", 32, 22, ARRAY_TYPES, UNPACK_Q5_0},
    [7] = {"Q5_1", 32, 24, ARRAY_TYPES, UNPACK_Q5_1},
    [8] = {"Q8_0", 32, 34, ARRAY_TYPES, UNPACK_Q8_0},
    [9] = {"Q8_1", 32, 40, ARRAY_TYPES, UNPACK_NONE},
    [10] = {"Q2_K", 256, 84, ARRAY_TYPES, UNPACK_Q2_K},
    [11] = {"Q3_K", 256, 110, ARRAY_TYPES, UNPACK_Q3_K},
    [12] = {"Q4_K", 256, 144, ARRAY_TYPES, UNPACK_Q4_K},
    [13] = {"Q5_K", 256, 176, ARRAY_TYPES, UNPACK_Q5_K},
    [14] = {"Q6_K", 256, 210, ARRAY_TYPES, UNPACK_Q6_K},
    [15] = {"Q8_K", 256, 292, ARRAY_TYPES, UNPACK_NONE},
    [16] = {"IQ2_XXS", 256, 66, ARRAY_TYPES, UNPACK_NONE},
    [17] = {"IQ2_XS", 256, 74, ARRAY_TYPES, UNPACK_NONE},
    [18] = {"IQ3_XXS", 256, 98, ARRAY_TYPES, UNPACK_NONE},
    [19] = {"IQ1_S", 256, 50, ARRAY_TYPES, UNPACK_NONE},
    [20] = {"IQ4_NL", 32, 18, ARRAY_TYPES, UNPACK_IQ4_NL},
    [21] = {"IQ3_S", 256, 110, ARRAY_TYPES, UNPACK_NONE},
    [22] = {"IQ2_S", 256, 82, ARRAY_TYPES, UNPACK_NONE},
    [23] = {"IQ4_XS", 256, 136, ARRAY_TYPES, UNPACK_IQ4_XS},
    [24] = {"I8", 1, 1, ARRAY_INT8, UNPACK_NONE},
    [25] = {"I16", 1, 2, ARRAY_INT16, UNPACK_NONE},
    [26] = {"I32", 1, 4, ARRAY_INT32, UNPACK_NONE},
    [27] = {"I64", 1, 8, ARRAY_INT64, UNPACK_NONE},
    [28] = {"F64", 1, 8, ARRAY_FLOAT64, UNPACK_NONE},
    [29] = {"IQ1_M", 256, 56, ARRAY_TYPES, UNPACK_NONE},
    [30] = {"BF16", 1, 2, ARRAY_BFLOAT16, UNPACK_NONE},
    [34] = {"TQ1_0", 256, 54, ARRAY_TYPES, UNPACK_NONE},
    [35] = {"TQ2_0", 256, 66, ARRAY_TYPES, UNPACK_NONE},
    [39] = {"MXFP4", 32, 17, ARRAY_TYPES, UNPACK_MXFP4},
    [40] = {"NVFP4", 64, 36, ARRAY_TYPES, UNPACK_NONE},
    [41] = {"Q1_0", 128, 18, ARRAY_TYPES, UNPACK_NONE},
};

const struct gguf_kind *gguf_kind(uint32_t number)
{
    return number < sizeof kinds / sizeof *kinds && kinds[number].name != NULL ? &kinds[number]
                                                                               : NULL;
}

bool gguf_kind_readable(const struct gguf_kind *kind)
{
    return kind->numbers == 1 || kind->blocks != UNPACK_NONE;
}

const char *gguf_readable_names(char out[GGUF_NAMES_BYTES])
{
    const char *before = "";
    size_t length = 0;
    out[0] = '\0';
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (kinds[k].name == NULL || kinds[k].blocks == UNPACK_NONE) {
            continue;
        }
        const size_t stem = strcspn(kinds[k].name, "_");
        const bool again = before[strcspn(before, "_")] == '_' && strcspn(before, "_") == stem &&
                           strncmp(before, kinds[k].name, stem) == 0;
        const int wrote = snprintf(out + length, GGUF_NAMES_BYTES - length, "%s%s",
                                   length == 0 ? ""
                                   : again     ? "/"
                                               : " ",
                                   again ? kinds[k].name + stem + 1 : kinds[k].name);
        length += wrote > 0 ? (size_t)wrote : 0;
        if (length >= GGUF_NAMES_BYTES) {
            break;
        }
        before = kinds[k].name;
    }
    return out;
}

void gguf_unpack(const struct gguf_kind *kind, const uint8_t *bytes, size_t count, float *out)
{
    if (kind->numbers == 1) {
        const struct array array = {.type = kind->single,
                                    .order = BYTE_ORDER_LITTLE,
                                    .rank = 1,
                                    .shape = {count},
                                    .strides = {kind->bytes},
                                    .bytes = {bytes, count * kind->bytes}};
        array_copy_floats(&array, 0, count, out);
        return;
    }
    unpack_best()->blocks[kind->blocks](bytes, count / kind->numbers, out);
}
