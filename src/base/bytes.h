/* base/bytes.h — a view of bytes that somebody else owns. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct bytes {
    const uint8_t *at; /* may be NULL when size is 0 */
    size_t size;
};

#endif
