/* base/bytes.h — a view of bytes that somebody else owns. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    const uint8_t *at; /* may be NULL when size is 0 */
    size_t size;
};

bool bytes_equal(struct bytes a, struct bytes b);

/* Returns whether the text stands there; where it begins at or behind `from` (size: nowhere). */
bool bytes_have(struct bytes bytes, size_t at, const char *text);
size_t bytes_find(struct bytes bytes, size_t from, const char *text);

#endif
