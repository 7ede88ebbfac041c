/* file/half.h — IEEE 754 binary16 to binary32, exactly. */
#ifndef FILE_HALF_H
#define FILE_HALF_H

#include <stdint.h>
#include <string.h>

/* Without a branch so that many are done at once. */
static inline uint32_t half_bits(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000U) << 16;
    const uint32_t exponent = (half >> 10) & 0x1FU, fraction = half & 0x3FFU;
    const float small = (float)(int32_t)fraction * 0x1p-24F; /* without a leading 1 */
    uint32_t small_bits = 0;
    memcpy(&small_bits, &small, sizeof small_bits);
    /* 31 + 112 + 112 = 255: infinities and NaN; masks, for a choice would be a branch */
    const uint32_t biased = exponent + 112 + (112 & (0U - (uint32_t)(exponent == 31)));
    const uint32_t usual = biased << 23 | fraction << 13, tiny = 0U - (uint32_t)(exponent == 0);
    return sign | (small_bits & tiny) | (usual & ~tiny);
}

#endif
