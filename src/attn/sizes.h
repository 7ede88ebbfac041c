/* attn/sizes.h — sizes as users may ask for them: SIZE_MAX means "does not fit", and stays so. */
#ifndef ATTN_SIZES_H
#define ATTN_SIZES_H

#include <stddef.h>
#include <stdint.h>

static inline size_t size_product(size_t a, size_t b)
{
    if (a == 0 || b == 0) {
        return 0;
    }
    return a == SIZE_MAX || b == SIZE_MAX || a > (SIZE_MAX - 1) / b ? SIZE_MAX : a * b;
}

static inline size_t size_sum(size_t a, size_t b)
{
    return a > SIZE_MAX - 1 - b || b == SIZE_MAX ? SIZE_MAX : a + b;
}

#endif
