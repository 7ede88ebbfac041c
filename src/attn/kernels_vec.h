/* attn/kernels_vec.h — what vector types cannot say, a row per instruction set.
 *
 * vec is ATTN_WIDTH floats, lanes as many 32-bit whole numbers. Each row gives the same names:
 *     vec_splat(x)             x in every lane
 *     vec_fma(a, b, c)         a·b + c, rounded once
 *     vec_max(a, b)            a > b ? a : b
 *     vec_sqrt(a)              rounded correctly
 *     vec_select(lanes, a, b)  a where the lane is −1, b where it is 0
 *     vec_any(lanes)           whether any lane is −1
 *     vec_mul_from(min_x, x, a, b)  0 where x < min_x, else a·b
 *     vec_fma_seen(a, b, c)    vec_fma, but c where a is 0
 *     vec_flags, vec_unknown(a)   which lanes are NaN; flags can be joined by |, vec_flagged(flags)
 *                              says whether there is any
 *     vec_first(count)         −1 in the first count lanes, 0 in the others
 *     vec_seen(from)           −1 in the lanes whose byte is not 0, of ATTN_WIDTH bytes
 *     vec_part, vec_part_of(count), vec_load_part, vec_store_part
 *                              the first count < ATTN_WIDTH lanes only; the others load as 0, and
 *                              their memory is neither read nor written
 *     vec_stream(to, a)        stores at a whole multiple of its size, past the caches where it
 * can; vec_stream_end()         what was streamed is seen by others before what is stored later
 *     vec_unzip(rows, at, out) out[p] lane j = row j's float at + p, for ATTN_WIDTH rows, p = 0 … 3
 * This file is the only one of the sets that names instructions. */
#ifndef ATTN_KERNELS_VEC_H
#define ATTN_KERNELS_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WIDTH = ATTN_WIDTH };

typedef float vec __attribute__((vector_size(4 * ATTN_WIDTH)));
typedef int32_t lanes __attribute__((vector_size(4 * ATTN_WIDTH)));
/* lanes whose sums may wrap round. */
typedef uint32_t bits __attribute__((vector_size(4 * ATTN_WIDTH)));
/* A vec anywhere in memory: no alignment, and allowed to lie upon floats. */
typedef float vec_loose __attribute__((vector_size(4 * ATTN_WIDTH), aligned(4), may_alias));
/* Pieces of one, loose as well. */
typedef float vec_8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef float vec_4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float vec_2 __attribute__((vector_size(8), aligned(4), may_alias));

#define VEC_INLINE static inline __attribute__((always_inline, unused))

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

VEC_INLINE vec vec_load(const float *from)
{
    return *(const vec_loose *)(const void *)from;
}

VEC_INLINE void vec_store(float *to, vec a)
{
    *(vec_loose *)(void *)to = a;
}

/* The first four lanes. */
VEC_INLINE void vec_store_4(float *to, vec a)
{
    *(vec_4 *)(void *)to = __builtin_shufflevector(a, a, 0, 1, 2, 3);
}

/* Lane i is a's lane i + by, counted round. */
#if ATTN_WIDTH == 16
#define VEC_TURNED(a, by)                                                                          \
    __builtin_shufflevector(a, a, by, by + 1, by + 2, by + 3, by + 4, by + 5, by + 6, by + 7,      \
                            by + 8, by + 9, by + 10, by + 11, by + 12, by + 13, by + 14, by + 15)
#elif ATTN_WIDTH == 8
#define VEC_TURNED(a, by)                                                                          \
    __builtin_shufflevector(a, a, by, by + 1, by + 2, by + 3, by + 4, by + 5, by + 6, by + 7)
#else
#define VEC_TURNED(a, by) __builtin_shufflevector(a, a, by, by + 1, by + 2, by + 3)
#endif

/* Not by a masked store, whose numbers cannot be loaded before they are in the cache: on Sapphire
 * Rapids the toy layer takes 540 ns with AVX-512's, 410 without, classroom-8 26.5 and 23.5 µs; on
 * Zen 3 the toy layer 590 with AVX2's, 520 without. Masked loads are as fast as pieces. */
VEC_INLINE void vec_store_first(float *to, size_t count, vec a)
{
#if ATTN_WIDTH >= 16
    vec_8 half = __builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7);
    if ((count & 8) != 0) {
        *(vec_8 *)(void *)to = half;
        half = __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15);
        to += 8;
    }
#else
    const vec half = a;
#endif
#if ATTN_WIDTH >= 8
    vec_4 rest = __builtin_shufflevector(half, half, 0, 1, 2, 3);
    if ((count & 4) != 0) {
        *(vec_4 *)(void *)to = rest;
        rest = __builtin_shufflevector(half, half, 4, 5, 6, 7);
        to += 4;
    }
#else
    vec_4 rest = half;
#endif
    if ((count & 2) != 0) {
        *(vec_2 *)(void *)to = __builtin_shufflevector(rest, rest, 0, 1);
        rest = __builtin_shufflevector(rest, rest, 2, 3, 2, 3);
        to += 2;
    }
    if ((count & 1) != 0) {
        *to = rest[0];
    }
}

VEC_INLINE lanes vec_first(size_t count)
{
    lanes index;
    for (int i = 0; i < WIDTH; i++) {
        index[i] = i;
    }
    return index < (int32_t)count;
}

#if ATTN_WIDTH == 16 && defined(__AVX512F__)

#include <immintrin.h>

VEC_INLINE vec vec_splat(float x)
{
    return _mm512_set1_ps(x);
}
VEC_INLINE vec vec_fma(vec a, vec b, vec c)
{
    return _mm512_fmadd_ps(a, b, c);
}
VEC_INLINE vec vec_max(vec a, vec b)
{
    return _mm512_max_ps(a, b);
}
VEC_INLINE vec vec_sqrt(vec a)
{
    return _mm512_sqrt_ps(a);
}
VEC_INLINE vec vec_mul_from(float min_x, vec x, vec a, vec b)
{
    return _mm512_maskz_mul_ps(_mm512_cmp_ps_mask(x, _mm512_set1_ps(min_x), _CMP_NLT_UQ), a, b);
}
VEC_INLINE vec vec_fma_seen(vec a, vec b, vec c)
{
    return _mm512_mask3_fmadd_ps(a, b, c, _mm512_cmp_ps_mask(a, _mm512_set1_ps(0), _CMP_NEQ_UQ));
}
typedef __mmask16 vec_flags;
VEC_INLINE vec_flags vec_unknown(vec a)
{
    return _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q);
}
VEC_INLINE int vec_flagged(vec_flags flags)
{
    return flags != 0;
}
VEC_INLINE vec vec_select(lanes where, vec a, vec b)
{
    return _mm512_mask_mov_ps(b, _mm512_movepi32_mask((__m512i)where), a);
}
VEC_INLINE int vec_any(lanes where)
{
    return _mm512_movepi32_mask((__m512i)where) != 0;
}
VEC_INLINE lanes vec_seen(const uint8_t *from)
{
    return (lanes)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)from)) != 0;
}

/* Weights of 50 MB beside attention n 1024, 12 heads, on a Xeon: 5.5 ms stored, 2.6 ms streamed. */
VEC_INLINE void vec_stream(float *to, vec a)
{
    _mm512_stream_ps(to, a);
}
VEC_INLINE void vec_stream_end(void)
{
    _mm_sfence();
}

typedef struct {
    __mmask16 mask;
    uint32_t count;
} vec_part;
VEC_INLINE vec_part vec_part_of(size_t count)
{
    return (vec_part){(__mmask16)((1U << count) - 1U), (uint32_t)count};
}
VEC_INLINE vec vec_load_part(const float *from, vec_part part)
{
    return _mm512_maskz_loadu_ps(part.mask, from);
}
VEC_INLINE void vec_store_part(float *to, vec_part part, vec a)
{
    vec_store_first(to, part.count, a);
}

/* Four floats of each of rows 0, 4, 8 and 12 side by side: then the 4 × 4 transpose within each
 * quarter leaves the rows in their order. */
VEC_INLINE vec vec_gather(const float *a, const float *b, const float *c, const float *d)
{
    __m512 all = _mm512_castps128_ps512(_mm_loadu_ps(a));
    all = _mm512_insertf32x4(all, _mm_loadu_ps(b), 1);
    all = _mm512_insertf32x4(all, _mm_loadu_ps(c), 2);
    return _mm512_insertf32x4(all, _mm_loadu_ps(d), 3);
}
VEC_INLINE void vec_unzip(const float *const rows[], size_t at, vec out[4])
{
    __m512 r0 = vec_gather(rows[0] + at, rows[4] + at, rows[8] + at, rows[12] + at);
    __m512 r1 = vec_gather(rows[1] + at, rows[5] + at, rows[9] + at, rows[13] + at);
    __m512 r2 = vec_gather(rows[2] + at, rows[6] + at, rows[10] + at, rows[14] + at);
    __m512 r3 = vec_gather(rows[3] + at, rows[7] + at, rows[11] + at, rows[15] + at);
    __m512d low01 = _mm512_castps_pd(_mm512_unpacklo_ps(r0, r1));
    __m512d low23 = _mm512_castps_pd(_mm512_unpacklo_ps(r2, r3));
    __m512d high01 = _mm512_castps_pd(_mm512_unpackhi_ps(r0, r1));
    __m512d high23 = _mm512_castps_pd(_mm512_unpackhi_ps(r2, r3));
    out[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(low01, low23));
    out[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low01, low23));
    out[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high01, high23));
    out[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high01, high23));
}

#elif ATTN_WIDTH == 8 && defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

VEC_INLINE vec vec_splat(float x)
{
    return _mm256_set1_ps(x);
}
VEC_INLINE vec vec_fma(vec a, vec b, vec c)
{
    return _mm256_fmadd_ps(a, b, c);
}
VEC_INLINE vec vec_max(vec a, vec b)
{
    return _mm256_max_ps(a, b);
}
VEC_INLINE vec vec_sqrt(vec a)
{
    return _mm256_sqrt_ps(a);
}
VEC_INLINE vec vec_select(lanes where, vec a, vec b)
{
    return _mm256_blendv_ps(b, a, (__m256)where);
}
VEC_INLINE int vec_any(lanes where)
{
    return _mm256_movemask_ps((__m256)where) != 0;
}
VEC_INLINE lanes vec_seen(const uint8_t *from)
{
    return (lanes)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from)) != 0;
}

VEC_INLINE void vec_stream(float *to, vec a)
{
    _mm256_stream_ps(to, a);
}
VEC_INLINE void vec_stream_end(void)
{
    _mm_sfence();
}

typedef struct {
    __m256i mask;
    size_t count;
} vec_part;
VEC_INLINE vec_part vec_part_of(size_t count)
{
    const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return (vec_part){_mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), index), count};
}
VEC_INLINE vec vec_load_part(const float *from, vec_part part)
{
    return _mm256_maskload_ps(from, part.mask);
}
VEC_INLINE void vec_store_part(float *to, vec_part part, vec a)
{
    vec_store_first(to, part.count, a);
}

/* Four floats of row j and of row j + 4 side by side: then the 4 × 4 transpose within each half
 * leaves the rows in their order. */
VEC_INLINE vec vec_gather(const float *a, const float *b)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b), 1);
}
VEC_INLINE void vec_unzip(const float *const rows[], size_t at, vec out[4])
{
    __m256 r0 = vec_gather(rows[0] + at, rows[4] + at), r1 = vec_gather(rows[1] + at, rows[5] + at);
    __m256 r2 = vec_gather(rows[2] + at, rows[6] + at), r3 = vec_gather(rows[3] + at, rows[7] + at);
    __m256d low01 = _mm256_castps_pd(_mm256_unpacklo_ps(r0, r1));
    __m256d low23 = _mm256_castps_pd(_mm256_unpacklo_ps(r2, r3));
    __m256d high01 = _mm256_castps_pd(_mm256_unpackhi_ps(r0, r1));
    __m256d high23 = _mm256_castps_pd(_mm256_unpackhi_ps(r2, r3));
    out[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(low01, low23));
    out[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(low01, low23));
    out[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(high01, high23));
    out[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(high01, high23));
}

#else

#if ATTN_WIDTH == 4 && defined(__SSE2__)

#include <emmintrin.h>

VEC_INLINE vec vec_splat(float x)
{
    return _mm_set1_ps(x);
}

/* Processors before 2013 have no fused step. Products of floats are exact in double; only their sum
 * with c is rounded, and then once more to float. The two roundings are one unless the first lands
 * halfway between two floats, or where floats are subnormal and have fewer bits: there the first
 * is repeated towards the odd one of its two neighbours, which no halfway is (Boldo and Melquiond,
 * Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd, 2008). */
typedef int64_t vec_long __attribute__((vector_size(16)));

VEC_INLINE __m128d fused_odd(__m128d product, __m128d c, __m128d sum)
{
    const __m128d back = sum - product;
    const __m128d error = (product - (sum - back)) + (c - back);
    const vec_long inexact = (vec_long)(error < 0) | (vec_long)(error > 0);
    const vec_long even = ((vec_long)sum & 1) == 0;
    const vec_long away = 1 + 2 * (((vec_long)error ^ (vec_long)sum) < 0);
    return (__m128d)((vec_long)sum + (away & inexact & even));
}
VEC_INLINE __m128d fused_doubt(__m128d sum)
{
    const __m128i rest = _mm_and_si128((__m128i)sum, _mm_set1_epi32(0x1fffffff));
    const __m128i halfway = _mm_slli_epi64(_mm_cmpeq_epi32(rest, _mm_set1_epi32(0x10000000)), 32);
    const __m128d size = _mm_andnot_pd(_mm_set1_pd(-0.0), sum);
    return _mm_or_pd((__m128d)halfway, _mm_cmplt_pd(size, _mm_set1_pd(0x1p-126)));
}
VEC_INLINE vec vec_fma(vec a, vec b, vec c)
{
    const __m128d c_low = _mm_cvtps_pd(c), c_high = _mm_cvtps_pd(_mm_movehl_ps(c, c));
    const __m128d low = _mm_cvtps_pd(a) * _mm_cvtps_pd(b);
    const __m128d high = _mm_cvtps_pd(_mm_movehl_ps(a, a)) * _mm_cvtps_pd(_mm_movehl_ps(b, b));
    __m128d sum_low = low + c_low, sum_high = high + c_high;
    if (__builtin_expect(
            _mm_movemask_pd(_mm_or_pd(fused_doubt(sum_low), fused_doubt(sum_high))) != 0, 0)) {
        sum_low = fused_odd(low, c_low, sum_low);
        sum_high = fused_odd(high, c_high, sum_high);
    }
    return _mm_movelh_ps(_mm_cvtpd_ps(sum_low), _mm_cvtpd_ps(sum_high));
}
VEC_INLINE vec vec_max(vec a, vec b)
{
    return _mm_max_ps(a, b);
}
VEC_INLINE vec vec_sqrt(vec a)
{
    return _mm_sqrt_ps(a);
}
VEC_INLINE int vec_any(lanes where)
{
    return _mm_movemask_ps((__m128)where) != 0;
}
VEC_INLINE vec vec_select(lanes where, vec a, vec b)
{
    return (vec)((where & (lanes)a) | (~where & (lanes)b));
}
VEC_INLINE void vec_stream(float *to, vec a)
{
    _mm_stream_ps(to, a);
}
VEC_INLINE void vec_stream_end(void)
{
    _mm_sfence();
}
VEC_INLINE void vec_unzip(const float *const rows[], size_t at, vec out[4])
{
    out[0] = vec_load(rows[0] + at);
    out[1] = vec_load(rows[1] + at);
    out[2] = vec_load(rows[2] + at);
    out[3] = vec_load(rows[3] + at);
    _MM_TRANSPOSE4_PS(out[0], out[1], out[2], out[3]);
}

#elif ATTN_WIDTH == 4 && defined(__ARM_NEON)

#include <arm_neon.h>

VEC_INLINE vec vec_splat(float x)
{
    return (vec)vdupq_n_f32(x);
}
VEC_INLINE vec vec_fma(vec a, vec b, vec c)
{
    return (vec)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
}
VEC_INLINE vec vec_max(vec a, vec b)
{
    return (vec)vbslq_f32(vcgtq_f32((float32x4_t)a, (float32x4_t)b), (float32x4_t)a,
                          (float32x4_t)b);
}
VEC_INLINE vec vec_sqrt(vec a)
{
    return (vec)vsqrtq_f32((float32x4_t)a);
}
VEC_INLINE int vec_any(lanes where)
{
    return vmaxvq_u32((uint32x4_t)where) != 0;
}
VEC_INLINE vec vec_select(lanes where, vec a, vec b)
{
    return (vec)vbslq_f32((uint32x4_t)where, (float32x4_t)a, (float32x4_t)b);
}
VEC_INLINE void vec_stream(float *to, vec a)
{
    vec_store(to, a);
}
VEC_INLINE void vec_stream_end(void) {}
VEC_INLINE void vec_unzip(const float *const rows[], size_t at, vec out[4])
{
    float32x4_t r0 = vld1q_f32(rows[0] + at), r1 = vld1q_f32(rows[1] + at);
    float32x4_t r2 = vld1q_f32(rows[2] + at), r3 = vld1q_f32(rows[3] + at);
    float64x2_t even01 = vreinterpretq_f64_f32(vtrn1q_f32(r0, r1));
    float64x2_t even23 = vreinterpretq_f64_f32(vtrn1q_f32(r2, r3));
    float64x2_t odd01 = vreinterpretq_f64_f32(vtrn2q_f32(r0, r1));
    float64x2_t odd23 = vreinterpretq_f64_f32(vtrn2q_f32(r2, r3));
    out[0] = (vec)vreinterpretq_f32_f64(vtrn1q_f64(even01, even23));
    out[1] = (vec)vreinterpretq_f32_f64(vtrn1q_f64(odd01, odd23));
    out[2] = (vec)vreinterpretq_f32_f64(vtrn2q_f64(even01, even23));
    out[3] = (vec)vreinterpretq_f32_f64(vtrn2q_f64(odd01, odd23));
}

#else
#error "There is no row for this set."
#endif

VEC_INLINE lanes vec_seen(const uint8_t *from)
{
    lanes seen;
    for (int i = 0; i < WIDTH; i++) {
        seen[i] = from[i];
    }
    return seen != 0;
}

/* Without masked moves: lane by lane. */
typedef int vec_part;
VEC_INLINE vec_part vec_part_of(size_t count)
{
    return (vec_part)count;
}
VEC_INLINE vec vec_load_part(const float *from, vec_part part)
{
    vec a = {0};
    for (int i = 0; i < WIDTH - 1; i++) {
        if (i < part) {
            a[i] = from[i];
        }
    }
    return a;
}
VEC_INLINE void vec_store_part(float *to, vec_part part, vec a)
{
    vec_store_first(to, (size_t)part, a);
}

#endif

#if ATTN_WIDTH < 16
VEC_INLINE vec vec_mul_from(float min_x, vec x, vec a, vec b)
{
    return (vec)(~(lanes)(x < min_x) & (lanes)(a * b));
}
VEC_INLINE vec vec_fma_seen(vec a, vec b, vec c)
{
    return vec_select(a == 0, c, vec_fma(a, b, c));
}
typedef lanes vec_flags;
VEC_INLINE vec_flags vec_unknown(vec a)
{
    return a != a;
}
VEC_INLINE int vec_flagged(vec_flags flags)
{
    return vec_any(flags);
}
#endif

#endif
