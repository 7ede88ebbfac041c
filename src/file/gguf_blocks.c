/* file/gguf_blocks.c — see gguf_blocks.h. Loops have constant lengths and no branches, so that the
 * compiler makes vectors of them. */
#include "file/gguf_blocks.h"

#include <string.h>

#include "file/half.h"

enum { SMALL = 32, LARGE = 256, PART = 32 /* a stretch of a large block that shares its shift */ };

/* ---- scales ------------------------------------------------------------------------------------
 */

static float half(const uint8_t *at)
{
    const uint32_t bits = half_bits((uint16_t)(at[0] | at[1] << 8));
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Half of 2^(e − 127): the numbers it scales are doubled, so that they are whole. */
static float half_of_power(uint8_t exponent)
{
    const uint32_t bits = exponent < 2 ? 0x00200000U << exponent : (uint32_t)(exponent - 1) << 23;
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The eight scales and the eight minima of Q4_K and Q5_K, 6 bits each in 12 bytes. */
static void unpack_scales(const uint8_t *packed, uint8_t scales[8], uint8_t minima[8])
{
    for (size_t i = 0; i < 4; i++) {
        scales[i] = packed[i] & 0x3F;
        minima[i] = packed[i + 4] & 0x3F;
        scales[i + 4] = (uint8_t)((packed[i + 8] & 0x0F) | ((packed[i] >> 2) & 0x30));
        minima[i + 4] = (uint8_t)((packed[i + 8] >> 4) | ((packed[i + 4] >> 2) & 0x30));
    }
}

/* ---- blocks of 32 ------------------------------------------------------------------------------
 */

static void unpack_q4_0(const uint8_t *restrict block, float *restrict out)
{
    const float d = half(block);
    const uint8_t *const q = block + 2;
    for (size_t i = 0; i < SMALL / 2; i++) {
        out[i] = d * (float)((int)(q[i] & 0x0F) - 8);
        out[i + SMALL / 2] = d * (float)((int)(q[i] >> 4) - 8);
    }
}

static void unpack_q4_1(const uint8_t *restrict block, float *restrict out)
{
    const float d = half(block), m = half(block + 2);
    const uint8_t *const q = block + 4;
    for (size_t i = 0; i < SMALL / 2; i++) {
        out[i] = d * (float)(int)(q[i] & 0x0F) + m;
        out[i + SMALL / 2] = d * (float)(int)(q[i] >> 4) + m;
    }
}

/* Four bits of 32 numbers from bytes at q, the fifth from the 32 bits at high. */
static void unpack_five(const uint8_t *restrict high, const uint8_t *restrict q,
                        int32_t *restrict out)
{
    const uint32_t bits = (uint32_t)high[0] | (uint32_t)high[1] << 8 | (uint32_t)high[2] << 16 |
                          (uint32_t)high[3] << 24;
    for (unsigned i = 0; i < SMALL / 2; i++) {
        out[i] = (int32_t)((q[i] & 0x0FU) | ((bits >> i & 1) << 4));
        out[i + SMALL / 2] = (int32_t)((q[i] >> 4U) | ((bits >> (i + SMALL / 2) & 1) << 4));
    }
}

static void unpack_q5_0(const uint8_t *restrict block, float *restrict out)
{
    const float d = half(block);
    int32_t q[SMALL];
    unpack_five(block + 2, block + 6, q);
    for (size_t i = 0; i < SMALL; i++) {
        out[i] = d * (float)(q[i] - 16);
    }
}

static void unpack_q5_1(const uint8_t *restrict block, float *restrict out)
{
    const float d = half(block), m = half(block + 2);
    int32_t q[SMALL];
    unpack_five(block + 4, block + 8, q);
    for (size_t i = 0; i < SMALL; i++) {
        out[i] = d * (float)q[i] + m;
    }
}

static void unpack_q8_0(const uint8_t *restrict block, float *restrict out)
{
    const float d = half(block);
    const int8_t *const q = (const int8_t *)(block + 2);
    for (size_t i = 0; i < SMALL; i++) {
        out[i] = d * (float)q[i];
    }
}

/* 16 numbers that four bits choose from, times d. */
static void choose(const int8_t numbers[16], float d, const uint8_t *restrict q,
                   float *restrict out)
{
    float scaled[16];
    for (size_t i = 0; i < 16; i++) {
        scaled[i] = d * (float)numbers[i];
    }
    for (size_t i = 0; i < SMALL / 2; i++) {
        out[i] = scaled[q[i] & 0x0F];
        out[i + SMALL / 2] = scaled[q[i] >> 4];
    }
}

static const int8_t uneven[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                  1,    13,   25,  38,  53,  69,  89,  113};

static void unpack_iq4_nl(const uint8_t *restrict block, float *restrict out)
{
    choose(uneven, half(block), block + 2, out);
}

/* A float of 4 bits, doubled: sign, two bits of exponent, one of mantissa. */
static void unpack_mxfp4(const uint8_t *restrict block, float *restrict out)
{
    static const int8_t doubled[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
    choose(doubled, half_of_power(block[0]), block + 1, out);
}

/* ---- blocks of 256 -----------------------------------------------------------------------------
 */

static void unpack_q2_k(const uint8_t *restrict block, float *restrict out)
{
    const float d = half(block + 80), smallest = half(block + 82);
    for (unsigned part = 0; part < LARGE / PART; part++) {
        const uint8_t *const q = block + 16 + (size_t)(part / 4) * PART;
        const unsigned shift = 2 * (part % 4);
        const uint8_t first = block[2 * part], second = block[2 * part + 1];
        const float step[2] = {d * (float)(first & 0x0F), d * (float)(second & 0x0F)};
        const float less[2] = {smallest * (float)(first >> 4), smallest * (float)(second >> 4)};
        float *const to = out + (size_t)part * PART;
        int32_t two[PART]; /* apart from the products, or loops are woven together and slow */
        for (size_t i = 0; i < PART; i++) {
            two[i] = (q[i] >> shift) & 3;
        }
        for (size_t i = 0; i < 16; i++) {
            to[i] = step[0] * (float)two[i] - less[0];
            to[i + 16] = step[1] * (float)two[i + 16] - less[1];
        }
    }
}

static void unpack_q3_k(const uint8_t *restrict block, float *restrict out)
{
    const uint8_t *const high = block, *const scales = block + 96;
    const float d = half(block + 108);
    for (unsigned part = 0; part < LARGE / PART; part++) {
        const uint8_t *const q = block + 32 + (size_t)(part / 4) * PART;
        const unsigned shift = 2 * (part % 4);
        for (unsigned side = 0; side < 2; side++) {
            const unsigned s = 2 * part + side;
            const unsigned low = s < 8 ? scales[s] & 0x0FU : scales[s - 8] >> 4U;
            const unsigned upper = (unsigned)scales[8 + s % 4] >> (2 * (s / 4)) & 3U;
            const float step = d * (float)((int)(low | upper << 4) - 32);
            float *const to = out + (size_t)part * PART + (size_t)side * 16;
            for (size_t i = 0; i < 16; i++) {
                const int two = (q[side * 16 + i] >> shift) & 3;
                const int bit = (high[side * 16 + i] >> part) & 1; /* set: nothing is taken off */
                to[i] = step * (float)(two + 4 * bit - 4);
            }
        }
    }
}

static void unpack_q4_k(const uint8_t *restrict block, float *restrict out)
{
    const float d = half(block), smallest = half(block + 2);
    uint8_t scales[8], minima[8];
    unpack_scales(block + 4, scales, minima);
    for (size_t pair = 0; pair < 4; pair++) {
        const uint8_t *const q = block + 16 + pair * PART;
        const float step = d * (float)scales[2 * pair], less = smallest * (float)minima[2 * pair];
        const float step_high = d * (float)scales[2 * pair + 1],
                    less_high = smallest * (float)minima[2 * pair + 1];
        float *const to = out + pair * 2 * PART;
        for (size_t i = 0; i < PART; i++) {
            to[i] = step * (float)(int)(q[i] & 0x0F) - less;
            to[i + PART] = step_high * (float)(int)(q[i] >> 4) - less_high;
        }
    }
}

static void unpack_q5_k(const uint8_t *restrict block, float *restrict out)
{
    const float d = half(block), smallest = half(block + 2);
    const uint8_t *const high = block + 16;
    uint8_t scales[8], minima[8];
    unpack_scales(block + 4, scales, minima);
    for (unsigned part = 0; part < LARGE / PART; part++) {
        const uint8_t *const q = block + 48 + (size_t)(part / 2) * PART;
        const unsigned shift = 4 * (part % 2);
        const float step = d * (float)scales[part], less = smallest * (float)minima[part];
        float *const to = out + (size_t)part * PART;
        for (size_t i = 0; i < PART; i++) {
            const int five = ((q[i] >> shift) & 0x0F) | ((high[i] >> part) & 1) << 4;
            to[i] = step * (float)five - less;
        }
    }
}

static void unpack_q6_k(const uint8_t *restrict block, float *restrict out)
{
    const int8_t *const scales = (const int8_t *)(block + 192);
    const float d = half(block + 208);
    for (unsigned part = 0; part < LARGE / PART; part++) {
        const uint8_t *const q = block + (size_t)(part / 4) * 2 * PART + (size_t)(part % 2) * PART;
        const uint8_t *const high = block + 128 + (size_t)(part / 4) * PART;
        const unsigned shift = 4 * (part / 2 % 2), upper = 2 * (part % 4);
        for (unsigned side = 0; side < 2; side++) {
            const float step = d * (float)scales[2 * part + side];
            float *const to = out + (size_t)part * PART + (size_t)side * 16;
            for (size_t i = side * 16; i < (size_t)side * 16 + 16; i++) {
                const int six = ((q[i] >> shift) & 0x0F) | ((high[i] >> upper) & 3) << 4;
                to[i - side * 16] = step * (float)(six - 32);
            }
        }
    }
}

static void unpack_iq4_xs(const uint8_t *restrict block, float *restrict out)
{
    const float d = half(block);
    const unsigned high = (unsigned)block[2] | (unsigned)block[3] << 8;
    for (unsigned part = 0; part < LARGE / PART; part++) {
        const unsigned low = (unsigned)block[4 + part / 2] >> (4 * (part % 2)) & 0x0FU;
        const int scale = (int)(low | (high >> (2 * part) & 3U) << 4) - 32;
        choose(uneven, d * (float)scale, block + 8 + (size_t)part * 16, out + (size_t)part * PART);
    }
}

/* ---- the table ---------------------------------------------------------------------------------
 */

/* By the number of the kind (ggml.h, enum ggml_type). Kinds without a way to unpack them are listed
 * and refused by their name. */
static const struct gguf_kind kinds[] = {
    [0] = {"F32", 1, 4, ARRAY_FLOAT32, NULL},
    [1] = {"F16", 1, 2, ARRAY_FLOAT16, NULL},
    [2] = {"Q4_0", 32, 18, ARRAY_TYPES, unpack_q4_0},
    [3] = {"Q4_1", 32, 20, ARRAY_TYPES, unpack_q4_1},
    [6] = {"Q5_0", 32, 22, ARRAY_TYPES, unpack_q5_0},
    [7] = {"Q5_1", 32, 24, ARRAY_TYPES, unpack_q5_1},
    [8] = {"Q8_0", 32, 34, ARRAY_TYPES, unpack_q8_0},
    [9] = {"Q8_1", 32, 40, ARRAY_TYPES, NULL},
    [10] = {"Q2_K", 256, 84, ARRAY_TYPES, unpack_q2_k},
    [11] = {"Q3_K", 256, 110, ARRAY_TYPES, unpack_q3_k},
    [12] = {"Q4_K", 256, 144, ARRAY_TYPES, unpack_q4_k},
    [13] = {"Q5_K", 256, 176, ARRAY_TYPES, unpack_q5_k},
    [14] = {"Q6_K", 256, 210, ARRAY_TYPES, unpack_q6_k},
    [15] = {"Q8_K", 256, 292, ARRAY_TYPES, NULL},
    [16] = {"IQ2_XXS", 256, 66, ARRAY_TYPES, NULL},
    [17] = {"IQ2_XS", 256, 74, ARRAY_TYPES, NULL},
    [18] = {"IQ3_XXS", 256, 98, ARRAY_TYPES, NULL},
    [19] = {"IQ1_S", 256, 50, ARRAY_TYPES, NULL},
    [20] = {"IQ4_NL", 32, 18, ARRAY_TYPES, unpack_iq4_nl},
    [21] = {"IQ3_S", 256, 110, ARRAY_TYPES, NULL},
    [22] = {"IQ2_S", 256, 82, ARRAY_TYPES, NULL},
    [23] = {"IQ4_XS", 256, 136, ARRAY_TYPES, unpack_iq4_xs},
    [24] = {"I8", 1, 1, ARRAY_INT8, NULL},
    [25] = {"I16", 1, 2, ARRAY_INT16, NULL},
    [26] = {"I32", 1, 4, ARRAY_INT32, NULL},
    [27] = {"I64", 1, 8, ARRAY_INT64, NULL},
    [28] = {"F64", 1, 8, ARRAY_FLOAT64, NULL},
    [29] = {"IQ1_M", 256, 56, ARRAY_TYPES, NULL},
    [30] = {"BF16", 1, 2, ARRAY_BFLOAT16, NULL},
    [34] = {"TQ1_0", 256, 54, ARRAY_TYPES, NULL},
    [35] = {"TQ2_0", 256, 66, ARRAY_TYPES, NULL},
    [39] = {"MXFP4", 32, 17, ARRAY_TYPES, unpack_mxfp4},
    [40] = {"NVFP4", 64, 36, ARRAY_TYPES, NULL},
    [41] = {"Q1_0", 128, 18, ARRAY_TYPES, NULL},
};

const struct gguf_kind *gguf_kind(uint32_t number)
{
    return number < sizeof kinds / sizeof *kinds && kinds[number].name != NULL ? &kinds[number]
                                                                               : NULL;
}

bool gguf_kind_readable(const struct gguf_kind *kind)
{
    return kind->numbers == 1 || kind->unpack != NULL;
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
    for (size_t i = 0; i < count; i += kind->numbers, bytes += kind->bytes) {
        kind->unpack(bytes, out + i);
    }
}
