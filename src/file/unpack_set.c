/* file/unpack_set.c — how numbers of few bits become float32: halves, and the blocks of GGUF
 * (ggml-org/ggml, ggml-quants.c; bit for bit what gguf-py's quants.py gives).
 *
 * Compiled once in plain C and once for each instruction set that gains by it. Every kind goes two
 * steps: its bits become whole numbers of one byte, by operations on many bytes at once; then
 * x = step · q − less, of 16 that share both. Vectors are macros' and not functions' arguments, for
 * how those are handed over depends on the set. */
#include <string.h>

#include "attn/cpu.h"
#include "file/half.h"
#include "file/unpack.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
#define INLINE static inline __attribute__((always_inline))

enum { LINE = 64, AHEAD = 4096 /* bytes */ };
enum { SMALL = 32, LARGE = 256, PART = 32 /* a stretch of a large block that shares its shift */ };

/* Bytes that are worked on at once. */
typedef uint8_t bytes_16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint8_t bytes_32 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint16_t pairs_32 __attribute__((vector_size(32), aligned(1), may_alias));

#define LOAD_16(at) (*(const bytes_16 *)(const void *)(at))
#define LOAD_32(at) (*(const bytes_32 *)(const void *)(at))

/* ---- what every set has ---------------------------------------------------------------------- */

/* Every block, while what comes later is fetched: unpacking takes long enough that the processor
 * by itself does not look so far ahead. An address behind the end is no access. */
#define EACH(block, size, out, numbers)                                                            \
    for (size_t b = 0; b < blocks; b++, fetch(block, size), (block) += (size), (out) += (numbers))

INLINE void fetch(const uint8_t *block, size_t size)
{
    for (size_t at = 0; at < size; at += LINE) {
        __builtin_prefetch((const void *)((uintptr_t)block + AHEAD + at));
    }
}

/* Vectors that are read one by one are stored in memory first: compilers would otherwise move them
 * in registers, through the port that is needed most. */
#if defined(__AVX2__)
#define STAY(array) __asm__("" : "+m"(array))
#else
#define STAY(array)
#endif

/* Half of 2^(e − 127): the numbers it scales are doubled, so that they are whole. */
INLINE float half_of_power(uint8_t exponent)
{
    const uint32_t bits = exponent < 2 ? 0x00200000U << exponent : (uint32_t)(exponent - 1) << 23;
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static const int8_t uneven[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                  1,    13,   25,  38,  53,  69,  89,  113};

/* A float of 4 bits, doubled: sign, two bits of exponent, one of mantissa. */
static const int8_t doubled[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

#if defined(__AVX512F__)
#include "file/unpack_wide.inc"
#else

/* ---- x = step · q − less --------------------------------------------------------------------- */

/* out[i] = step · q[i] − less, of 16 signed bytes. Where nothing is taken off, less is 0, which
 * changes no bit; elsewhere step · q has no more than 24 bits (11 of a half, 6 of a scale, 5 of q),
 * and a fused multiply-add rounds as product and difference do. */
INLINE void scale_16(bytes_16 q, float step, float less, float *out)
{
#if defined(__AVX2__)
    const __m256i wide[2] = {_mm256_cvtepi8_epi32((__m128i)q),
                             _mm256_cvtepi8_epi32(_mm_srli_si128((__m128i)q, 8))};
    for (int i = 0; i < 2; i++) {
        const __m256 numbers = _mm256_cvtepi32_ps(wide[i]);
        _mm256_storeu_ps(out + (ptrdiff_t)8 * i,
                         _mm256_fmsub_ps(_mm256_set1_ps(step), numbers, _mm256_set1_ps(less)));
    }
#else
    for (size_t i = 0; i < 16; i++) {
        out[i] = step * (float)(int8_t)q[i] - less;
    }
#endif
}

/* The same of 32 bytes, whose halves each have their own. */
#define SCALE_TWO(q, step, less, step_high, less_high, out)                                        \
    do {                                                                                           \
        const bytes_32 both = (q);                                                                 \
        scale_16(LOW(both), step, less, out);                                                      \
        scale_16(HIGH(both), step_high, less_high, (out) + 16);                                    \
    } while (0)
#define SCALE_32(q, step, less, out) SCALE_TWO(q, step, less, step, less, out)

#define LOW(q) __builtin_shufflevector(q, q, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define HIGH(q)                                                                                    \
    __builtin_shufflevector(q, q, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)
#define JOIN(a, b)                                                                                 \
    __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,    \
                            18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)

/* ---- scales --------------------------------------------------------------------------------- */

INLINE float half(const uint8_t *at)
{
    const uint16_t bits = (uint16_t)(at[0] | at[1] << 8);
    const uint32_t wide = half_bits(bits);
    float value = 0;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* The eight scales and the eight minima of Q4_K and Q5_K, 6 bits each in 12 bytes, of words of four
 * bytes, whichever of them comes first. */
#define K_SCALES(from, to)                                                                         \
    do {                                                                                           \
        (to)[0] = (from)[0] & 0x3F3F3F3F;                                                          \
        (to)[1] = ((from)[2] & 0x0F0F0F0F) | (((from)[0] >> 2) & 0x30303030);                      \
        (to)[2] = (from)[1] & 0x3F3F3F3F;                                                          \
        (to)[3] = (((from)[2] >> 4) & 0x0F0F0F0F) | (((from)[1] >> 2) & 0x30303030);               \
    } while (0)

/* The same times d and smallest. */
INLINE void scales_of(const uint8_t *packed, float d, float smallest, float steps[16],
                      float less[16])
{
    uint32_t from[3], to[4];
    bytes_16 all;
    memcpy(from, packed, sizeof from);
    K_SCALES(from, to);
    memcpy(&all, to, sizeof all);
    scale_16(all, d, 0, steps);
    scale_16(all, smallest, 0, less);
}

/* ---- bits to bytes -------------------------------------------------------------------------- */

/* 32 bytes shifted in pairs, as there are instructions for; what comes in from the byte beside is
 * masked off. */
#define RIGHT(q, by) ((bytes_32)((pairs_32)(q) >> (uint16_t)(by)))
#define LEFT(q, by) ((bytes_32)((pairs_32)(q) << (uint16_t)(by)))

/* Bits that stand at `from` and above, moved to `to`, of every byte. */
#define BITS(q, from, to, mask)                                                                    \
    (((int)(from) < (to) ? LEFT(q, (to) - (from)) : RIGHT(q, (from) - (to))) & (mask))

/* The low four bits of 16 bytes, then the high ones. */
#define FOURS(at) JOIN(LOAD_16(at) & 0x0F, LOAD_16(at) >> 4)

/* Bits that are set become 16, of four bytes that hold 32. */
#if defined(__AVX2__)
INLINE bytes_32 sixteens(const uint8_t *at)
{
    int32_t bits = 0;
    memcpy(&bits, at, sizeof bits);
    const __m256i byte =
        _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    const __m256i bit = _mm256_set1_epi64x((int64_t)0x8040201008040201U);
    const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32(bits), byte);
    return (bytes_32)_mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit) & 16;
}
#define SIXTEENS(at) sixteens(at)
#else
#define EIGHT(byte) byte, byte, byte, byte, byte, byte, byte, byte
#define ONE_EACH 1, 2, 4, 8, 16, 32, 64, 128
#define SIXTEENS(at)                                                                               \
    ((bytes_32)(((bytes_32){EIGHT((at)[0]), EIGHT((at)[1]), EIGHT((at)[2]), EIGHT((at)[3])} &      \
                 (bytes_32){ONE_EACH, ONE_EACH, ONE_EACH, ONE_EACH}) != 0) &                       \
     16)
#endif

/* ---- four bits ------------------------------------------------------------------------------ */

/* The values that four bits choose from, and their scale. */
struct sixteen {
    bytes_16 numbers;
    bool counted; /* each is one more than the one before */
};

struct scale {
    float step, less;
};

INLINE bytes_16 chosen(const struct sixteen *of, bytes_16 q)
{
    if (of->counted) {
        return q + of->numbers[0];
    }
#if defined(__AVX2__)
    return (bytes_16)_mm_shuffle_epi8((__m128i)of->numbers, (__m128i)q);
#else
    bytes_16 out;
    for (size_t i = 0; i < 16; i++) {
        out[i] = of->numbers[q[i]];
    }
    return out;
#endif
}

/* Chosen by the low four bits of 16 bytes into out, by the high ones into out + apart. */
INLINE void scale_fours(const struct sixteen *of, const uint8_t *at, struct scale low,
                        struct scale high, float *out, size_t apart)
{
    scale_16(chosen(of, LOAD_16(at) & 0x0F), low.step, low.less, out);
    scale_16(chosen(of, LOAD_16(at) >> 4), high.step, high.less, out + apart);
}

/* 0 … 15, with `first` added. */
INLINE struct sixteen counted(uint8_t first)
{
    return (struct sixteen){
        (bytes_16){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} + first, true};
}

/* 32 numbers of 16 bytes. */
INLINE void scale_halves(const struct sixteen *of, const uint8_t *at, struct scale by, float *out)
{
    scale_fours(of, at, by, by, out, SMALL / 2);
}

/* ---- blocks of 32 --------------------------------------------------------------------------- */

static void unpack_q4_0(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    const struct sixteen of = counted((uint8_t)-8);
    EACH(block, 18, out, SMALL)
    {
        scale_halves(&of, block + 2, (struct scale){half(block), 0}, out);
    }
}

static void unpack_q4_1(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    const struct sixteen of = counted(0);
    EACH(block, 20, out, SMALL)
    {
        scale_halves(&of, block + 4, (struct scale){half(block), -half(block + 2)}, out);
    }
}

static void unpack_q5_0(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    EACH(block, 22, out, SMALL)
    {
        const float d = half(block);
        SCALE_32((FOURS(block + 6) | SIXTEENS(block + 2)) - 16, d, 0, out);
    }
}

static void unpack_q5_1(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    EACH(block, 24, out, SMALL)
    {
        const float d = half(block), less = -half(block + 2);
        SCALE_32(FOURS(block + 8) | SIXTEENS(block + 4), d, less, out);
    }
}

static void unpack_q8_0(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    EACH(block, 34, out, SMALL)
    {
        const float d = half(block);
        SCALE_32(LOAD_32(block + 2), d, 0, out);
    }
}

static void unpack_iq4_nl(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    const struct sixteen of = {LOAD_16(uneven), false};
    EACH(block, 18, out, SMALL)
    {
        scale_halves(&of, block + 2, (struct scale){half(block), 0}, out);
    }
}

static void unpack_mxfp4(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    const struct sixteen of = {LOAD_16(doubled), false};
    EACH(block, 17, out, SMALL)
    {
        scale_halves(&of, block + 1, (struct scale){half_of_power(block[0]), 0}, out);
    }
}

/* ---- blocks of 256 -------------------------------------------------------------------------- */

#define Q2_K_BYTES(four, part) BITS(four, 2 * ((part) % 4), 0, 3)

static void unpack_q2_k(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    EACH(block, 84, out, LARGE)
    {
        float steps[16], less[16];
        scale_16(LOAD_16(block) & 0x0F, half(block + 80), 0, steps);
        scale_16(LOAD_16(block) >> 4, half(block + 82), 0, less);
        STAY(steps);
        STAY(less);
        UNROLL
        for (size_t part = 0; part < LARGE / PART; part++) {
            const bytes_32 four = LOAD_32(block + 16 + part / 4 * PART);
            SCALE_TWO(Q2_K_BYTES(four, part), steps[2 * part], less[2 * part], steps[2 * part + 1],
                      less[2 * part + 1], out + part * PART);
        }
    }
}

/* The sixteen scales of Q3_K, more by 32: four bits in each half of eight bytes, two in a quarter
 * of four. */
#define Q3_K_SCALES(from, to)                                                                      \
    do {                                                                                           \
        for (unsigned w = 0; w < 4; w++) {                                                         \
            (to)[w] = (((from)[w % 2] >> (4 * (w / 2))) & 0x0F0F0F0F) |                            \
                      (((from)[2] >> (2 * w)) & 0x03030303) << 4;                                  \
        }                                                                                          \
    } while (0)

/* A bit of `high` that is set: nothing is taken off. */
#define Q3_K_BYTES(four, high, part) (Q2_K_BYTES(four, part) + BITS(high, part, 2, 4) - 4)

INLINE void scales_of_q3_k(const uint8_t *packed, float d, float steps[16])
{
    uint32_t from[3], to[4];
    bytes_16 all;
    memcpy(from, packed, sizeof from);
    Q3_K_SCALES(from, to);
    memcpy(&all, to, sizeof all);
    scale_16(all - 32, d, 0, steps);
}

static void unpack_q3_k(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    EACH(block, 110, out, LARGE)
    {
        const bytes_32 high = LOAD_32(block);
        float steps[16];
        scales_of_q3_k(block + 96, half(block + 108), steps);
        STAY(steps);
        UNROLL
        for (size_t part = 0; part < LARGE / PART; part++) {
            const bytes_32 four = LOAD_32(block + 32 + part / 4 * PART);
            SCALE_TWO(Q3_K_BYTES(four, high, part), steps[2 * part], 0, steps[2 * part + 1], 0,
                      out + part * PART);
        }
    }
}

static void unpack_q4_k(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    const struct sixteen of = counted(0);
    EACH(block, 144, out, LARGE)
    {
        float steps[16], less[16];
        scales_of(block + 4, half(block), half(block + 2), steps, less);
        STAY(steps);
        STAY(less);
        UNROLL
        for (size_t part = 0; part < LARGE / PART; part += 2) {
            const struct scale low = {steps[part], less[part + 8]};
            const struct scale high = {steps[part + 1], less[part + 9]};
            const uint8_t *const q = block + 16 + part / 2 * PART;
            float *const to = out + part * PART;
            scale_fours(&of, q, low, high, to, PART);
            scale_fours(&of, q + 16, low, high, to + 16, PART);
        }
    }
}

#define Q5_K_BYTES(two, high, part)                                                                \
    (BITS(two, 4 * ((part) % 2), 0, 0x0F) | BITS(high, part, 4, 0x10))

static void unpack_q5_k(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    EACH(block, 176, out, LARGE)
    {
        const bytes_32 high = LOAD_32(block + 16);
        float steps[16], less[16];
        scales_of(block + 4, half(block), half(block + 2), steps, less);
        STAY(steps);
        STAY(less);
        UNROLL
        for (size_t part = 0; part < LARGE / PART; part++) {
            const bytes_32 two = LOAD_32(block + 48 + part / 2 * PART);
            SCALE_32(Q5_K_BYTES(two, high, part), steps[part], less[part + 8], out + part * PART);
        }
    }
}

#define Q6_K_BYTES(low, high, part)                                                                \
    ((BITS(low, 4 * ((part) / 2 % 2), 0, 0x0F) | BITS(high, 2 * ((part) % 4), 4, 0x30)) - 32)

static void unpack_q6_k(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    EACH(block, 210, out, LARGE)
    {
        float steps[16];
        scale_16(LOAD_16(block + 192), half(block + 208), 0, steps);
        STAY(steps);
        UNROLL
        for (size_t part = 0; part < LARGE / PART; part++) {
            const bytes_32 low = LOAD_32(block + part / 4 * 2 * PART + part % 2 * PART);
            const bytes_32 high = LOAD_32(block + 128 + part / 4 * PART);
            SCALE_TWO(Q6_K_BYTES(low, high, part), steps[2 * part], 0, steps[2 * part + 1], 0,
                      out + part * PART);
        }
    }
}

#define IQ4_XS_SCALE(low, high) (((low)&0x0F) | ((high)&3) << 4)

static void unpack_iq4_xs(const uint8_t *restrict block, size_t blocks, float *restrict out)
{
    const struct sixteen of = {LOAD_16(uneven), false};
    EACH(block, 136, out, LARGE)
    {
        const float d = half(block);
        const unsigned high = (unsigned)block[2] | (unsigned)block[3] << 8;
        UNROLL
        for (size_t part = 0; part < LARGE / PART; part++) {
            const unsigned low = (unsigned)block[4 + part / 2] >> (4 * (part % 2));
            const float step = d * (float)((int)IQ4_XS_SCALE(low, high >> (2 * part)) - 32);
            scale_halves(&of, block + 8 + part * 16, (struct scale){step, 0}, out + part * PART);
        }
    }
}

#if defined(__AVX2__)
#include "file/unpack_product.inc"
#endif

#endif

/* ---- numbers that stand alone ---------------------------------------------------------------- */

static void widen_halves(const uint8_t *restrict from, size_t count, float *restrict out)
{
    uint32_t *restrict const to = (uint32_t *)(void *)out;
    size_t i = 0;
#if defined(__AVX512F__)
    for (; i + 16 <= count; i += 16) {
        const __m256i halves = _mm256_loadu_si256((const void *)(from + 2 * i));
        _mm512_storeu_ps(out + i, _mm512_cvtph_ps(halves));
    }
#endif
    for (; i < count; i++) {
        uint16_t half = 0;
        memcpy(&half, from + 2 * i, sizeof half);
        to[i] = half_bits(half);
    }
}

static void widen_brain_halves(const uint8_t *restrict from, size_t count, float *restrict out)
{
    uint32_t *restrict const to = (uint32_t *)(void *)out;
    for (size_t i = 0; i < count; i++) {
        uint16_t half = 0;
        memcpy(&half, from + 2 * i, sizeof half);
        to[i] = (uint32_t)half << 16;
    }
}

/* ---- the set -------------------------------------------------------------------------------- */

const struct unpack_set UNPACK_SET = {
    .name = UNPACK_NAME,
    .supported = UNPACK_SUPPORTED,
    .halves = widen_halves,
    .brain_halves = widen_brain_halves,
    .blocks =
        {
            [UNPACK_Q4_0] = unpack_q4_0,
            [UNPACK_Q4_1] = unpack_q4_1,
            [UNPACK_Q5_0] = unpack_q5_0,
            [UNPACK_Q5_1] = unpack_q5_1,
            [UNPACK_Q8_0] = unpack_q8_0,
            [UNPACK_Q2_K] = unpack_q2_k,
            [UNPACK_Q3_K] = unpack_q3_k,
            [UNPACK_Q4_K] = unpack_q4_k,
            [UNPACK_Q5_K] = unpack_q5_k,
            [UNPACK_Q6_K] = unpack_q6_k,
            [UNPACK_IQ4_NL] = unpack_iq4_nl,
            [UNPACK_IQ4_XS] = unpack_iq4_xs,
            [UNPACK_MXFP4] = unpack_mxfp4,
        },
#if defined(__AVX2__) && !defined(__AVX512F__)
    .products =
        {
            [UNPACK_Q4_0] = multiply_q4_0,
            [UNPACK_Q4_1] = multiply_q4_1,
            [UNPACK_Q5_0] = multiply_q5_0,
            [UNPACK_Q5_1] = multiply_q5_1,
            [UNPACK_Q8_0] = multiply_q8_0,
            [UNPACK_Q2_K] = multiply_q2_k,
            [UNPACK_Q3_K] = multiply_q3_k,
            [UNPACK_Q4_K] = multiply_q4_k,
            [UNPACK_Q5_K] = multiply_q5_k,
            [UNPACK_Q6_K] = multiply_q6_k,
            [UNPACK_IQ4_NL] = multiply_iq4_nl,
            [UNPACK_IQ4_XS] = multiply_iq4_xs,
            [UNPACK_MXFP4] = multiply_mxfp4,
        },
#endif
};
