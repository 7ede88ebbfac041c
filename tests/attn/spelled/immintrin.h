/* tests/attn/spelled/immintrin.h — the AVX-512 instructions of kernels_vec.h, spelled out in C.
 *
 * Most machines that run the tests have no AVX-512. With this header in the place of the
 * compiler's, the set is built and checked on them all the same, instruction by instruction as the
 * Intel Intrinsics Guide describes them. */
#ifndef TESTS_ATTN_SPELLED_IMMINTRIN_H
#define TESTS_ATTN_SPELLED_IMMINTRIN_H

#pragma GCC system_header /* vectors are written as a compiler's own header writes them */

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef float __m128 __attribute__((vector_size(16), may_alias));
typedef long long __m128i __attribute__((vector_size(16), may_alias));
typedef float __m512 __attribute__((vector_size(64), may_alias));
typedef double __m512d __attribute__((vector_size(64), may_alias));
typedef long long __m512i __attribute__((vector_size(64), may_alias));
typedef int32_t spelled_int __attribute__((vector_size(64)));
typedef uint16_t __mmask16;

#define SPELLED static inline __attribute__((unused))

SPELLED __m512 _mm512_set1_ps(float x)
{
    __m512 out;
    for (int i = 0; i < 16; i++) {
        out[i] = x;
    }
    return out;
}

SPELLED __m512 _mm512_fmadd_ps(__m512 a, __m512 b, __m512 c)
{
    for (int i = 0; i < 16; i++) {
        a[i] = fmaf(a[i], b[i], c[i]);
    }
    return a;
}

/* The second operand where either is NaN. */
SPELLED __m512 _mm512_max_ps(__m512 a, __m512 b)
{
    for (int i = 0; i < 16; i++) {
        a[i] = a[i] > b[i] ? a[i] : b[i];
    }
    return a;
}

SPELLED __m512 _mm512_sqrt_ps(__m512 a)
{
    for (int i = 0; i < 16; i++) {
        a[i] = sqrtf(a[i]);
    }
    return a;
}

/* Not equal, not less, unordered: also where either is NaN; unordered: only there. */
enum { _CMP_UNORD_Q = 3, _CMP_NEQ_UQ = 4, _CMP_NLT_UQ = 5 };

SPELLED __mmask16 _mm512_cmp_ps_mask(__m512 a, __m512 b, int predicate)
{
    unsigned mask = 0;
    for (int i = 0; i < 16; i++) {
        const int unordered = isnan(a[i]) || isnan(b[i]);
        const int holds = predicate == _CMP_UNORD_Q  ? unordered
                          : predicate == _CMP_NEQ_UQ ? unordered || a[i] != b[i]
                                                     : unordered || a[i] >= b[i];
        mask |= holds ? 1U << i : 0;
    }
    return (__mmask16)mask;
}

SPELLED __m512 _mm512_maskz_mul_ps(__mmask16 mask, __m512 a, __m512 b)
{
    for (int i = 0; i < 16; i++) {
        a[i] = (mask >> i & 1) != 0 ? a[i] * b[i] : 0;
    }
    return a;
}

SPELLED __m512 _mm512_mask3_fmadd_ps(__m512 a, __m512 b, __m512 c, __mmask16 mask)
{
    for (int i = 0; i < 16; i++) {
        c[i] = (mask >> i & 1) != 0 ? fmaf(a[i], b[i], c[i]) : c[i];
    }
    return c;
}

/* The sign of each lane. */
SPELLED __mmask16 _mm512_movepi32_mask(__m512i a)
{
    const spelled_int lane = (spelled_int)a;
    unsigned mask = 0;
    for (int i = 0; i < 16; i++) {
        mask |= lane[i] < 0 ? 1U << i : 0;
    }
    return (__mmask16)mask;
}

SPELLED __m512 _mm512_mask_mov_ps(__m512 otherwise, __mmask16 mask, __m512 a)
{
    for (int i = 0; i < 16; i++) {
        a[i] = (mask >> i & 1) != 0 ? a[i] : otherwise[i];
    }
    return a;
}

SPELLED __m512 _mm512_maskz_loadu_ps(__mmask16 mask, const void *from)
{
    __m512 out = {0};
    for (int i = 0; i < 16; i++) {
        if ((mask >> i & 1) != 0) {
            out[i] = ((const float *)from)[i];
        }
    }
    return out;
}

SPELLED void _mm512_mask_storeu_ps(void *to, __mmask16 mask, __m512 a)
{
    for (int i = 0; i < 16; i++) {
        if ((mask >> i & 1) != 0) {
            ((float *)to)[i] = a[i];
        }
    }
}

SPELLED __m128 _mm_loadu_ps(const float *from)
{
    __m128 out;
    memcpy(&out, from, sizeof out);
    return out;
}

/* const void: a pointer to __m128i would promise an alignment that is not there. */
SPELLED __m128i _mm_loadu_si128(const void *from)
{
    __m128i out;
    memcpy(&out, from, sizeof out);
    return out;
}

SPELLED __m512i _mm512_cvtepu8_epi32(__m128i a)
{
    uint8_t bytes[16];
    spelled_int out;
    memcpy(bytes, &a, sizeof bytes);
    for (int i = 0; i < 16; i++) {
        out[i] = bytes[i];
    }
    return (__m512i)out;
}

/* The upper lanes are not said to be anything; here they are what would be noticed. */
SPELLED __m512 _mm512_castps128_ps512(__m128 a)
{
    __m512 out = _mm512_set1_ps(1e30F);
    for (int i = 0; i < 4; i++) {
        out[i] = a[i];
    }
    return out;
}

SPELLED __m512 _mm512_insertf32x4(__m512 a, __m128 b, int quarter)
{
    for (int i = 0; i < 4; i++) {
        a[4 * quarter + i] = b[i];
    }
    return a;
}

SPELLED __m512 _mm512_unpacklo_ps(__m512 a, __m512 b)
{
    __m512 out;
    for (int q = 0; q < 16; q += 4) {
        out[q] = a[q], out[q + 1] = b[q], out[q + 2] = a[q + 1], out[q + 3] = b[q + 1];
    }
    return out;
}

SPELLED __m512 _mm512_unpackhi_ps(__m512 a, __m512 b)
{
    __m512 out;
    for (int q = 0; q < 16; q += 4) {
        out[q] = a[q + 2], out[q + 1] = b[q + 2], out[q + 2] = a[q + 3], out[q + 3] = b[q + 3];
    }
    return out;
}

SPELLED __m512d _mm512_unpacklo_pd(__m512d a, __m512d b)
{
    __m512d out;
    for (int q = 0; q < 8; q += 2) {
        out[q] = a[q], out[q + 1] = b[q];
    }
    return out;
}

SPELLED __m512d _mm512_unpackhi_pd(__m512d a, __m512d b)
{
    __m512d out;
    for (int q = 0; q < 8; q += 2) {
        out[q] = a[q + 1], out[q + 1] = b[q + 1];
    }
    return out;
}

SPELLED void _mm512_stream_ps(void *to, __m512 a)
{
    for (int i = 0; i < 16; i++) {
        ((float *)to)[i] = a[i];
    }
}

SPELLED void _mm_sfence(void) {}

SPELLED __m512d _mm512_castps_pd(__m512 a)
{
    return (__m512d)a;
}

SPELLED __m512 _mm512_castpd_ps(__m512d a)
{
    return (__m512)a;
}

#endif
