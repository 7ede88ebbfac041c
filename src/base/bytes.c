#include "base/bytes.h"

#include <string.h>

bool bytes_equal(struct bytes a, struct bytes b)
{
    return a.size == b.size && (a.size == 0 || a.at == b.at || memcmp(a.at, b.at, a.size) == 0);
}

bool bytes_have(struct bytes bytes, size_t at, const char *text)
{
    const size_t size = strlen(text);
    return at <= bytes.size && bytes.size - at >= size && memcmp(bytes.at + at, text, size) == 0;
}

size_t bytes_find(struct bytes bytes, size_t from, const char *text)
{
    while (from < bytes.size && !bytes_have(bytes, from, text)) {
        const uint8_t *const next = memchr(bytes.at + from + 1, text[0], bytes.size - from - 1);
        from = next == NULL ? bytes.size : (size_t)(next - bytes.at);
    }
    return from < bytes.size ? from : bytes.size;
}
