/* file/lines.c — see lines.h. */
#include "file/lines.h"

#include <string.h>

size_t lines_start(struct bytes text)
{
    return text.size >= 3 && memcmp(text.at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

bool lines_next(struct bytes text, size_t *at, struct line *line)
{
    while (*at < text.size) {
        const char *begin = (const char *)text.at + *at;
        const char *end = memchr(begin, '\n', text.size - *at);
        size_t length = end == NULL ? text.size - *at : (size_t)(end - begin);
        *at += length + (end != NULL);
        line->number++;
        while (length > 0 && memchr(" \t\r", begin[length - 1], 3) != NULL) {
            length--;
        }
        if (length > 0) {
            line->at = begin;
            line->length = length;
            return true;
        }
    }
    return false;
}
