/* base/checked.h — sizes that cannot wrap around: every product or sum of sizes goes through
 * here. */
#ifndef BASE_CHECKED_H
#define BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* *out = a · b. Returns false, leaving *out alone, when the product does not fit a size_t. */
static inline bool checked_multiply(size_t a, size_t b, size_t *out)
{
    if (b != 0 && a > SIZE_MAX / b) {
        return false;
    }
    *out = a * b;
    return true;
}

/* *out = a + b. Returns false, leaving *out alone, when the sum does not fit a size_t. */
static inline bool checked_add(size_t a, size_t b, size_t *out)
{
    if (a > SIZE_MAX - b) {
        return false;
    }
    *out = a + b;
    return true;
}

#endif
