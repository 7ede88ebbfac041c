/* attn/kernels_matrix.h — a processor's matrix registers: AMX (Intel 64 and IA-32 Architectures
 * Software Developer's Manual, volume 1, chapter 18, and volume 2, TDPBF16PS).
 *
 * Eight registers, tiles, of 16 rows by 64 bytes. One instruction adds to a tile of 16 × 16 floats
 * the product of 16 × 32 and 32 × 16 numbers of 16 bits (bfloat16: the upper half of a float):
 *
 *     c[r][j] += Σ a[r][2p] · b[p][2j] + a[r][2p + 1] · b[p][2j + 1],   p = 0 … 15
 *
 * Measured beside the peak of AVX-512's multiply-adds, 217 GFLOP/s: 3000. The kernel has to be
 * asked once per process before tiles may be used: cpu.c does. */
#ifndef ATTN_KERNELS_MATRIX_H
#define ATTN_KERNELS_MATRIX_H

#include <immintrin.h>
#include <stdint.h>

enum { MATRIX_ROWS = 16, MATRIX_BYTES = 1024, MATRIX_LINE = 64 };

/* All eight tiles whole. Between begin and end nothing else on this thread uses tiles. */
static inline void matrix_begin(void)
{
    static const struct {
        uint8_t palette, start, zero[14];
        uint16_t bytes[16];
        uint8_t rows[16];
    } whole __attribute__((aligned(64))) = {
        1, 0, {0}, {64, 64, 64, 64, 64, 64, 64, 64}, {16, 16, 16, 16, 16, 16, 16, 16}};
    _tile_loadconfig(&whole);
}

static inline void matrix_end(void)
{
    _tile_release();
}

/* What was stored before is there when tiles are loaded: compilers do not see that these read. */
#define MATRIX_WRITTEN() __asm__ volatile("" ::: "memory")

#define MATRIX_ZERO(tile) _tile_zero(tile)
#define MATRIX_LOAD(tile, from, stride) _tile_loadd(tile, from, (long)(stride))
#define MATRIX_STORE(tile, to, stride) _tile_stored(tile, to, (long)(stride))
#define MATRIX_ADD(c, a, b) _tile_dpbf16ps(c, a, b)

#endif
