/* base/error.c — see error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/translate.h"

enum { LONGEST = 8192 }; /* two paths and what is said about them */

/* How many bytes the UTF-8 character at text takes; 0 when it is cut off or not UTF-8. */
static size_t character_length(const unsigned char *text, size_t left)
{
    size_t length = text[0] < 0x80 ? 1 : text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2;
    if ((text[0] >= 0x80 && text[0] < 0xC2) || text[0] > 0xF4 || length > left) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

/* A file name may hold line breaks and broken UTF-8; the sentence must stay one line of text. */
static size_t make_printable(char *text, size_t length)
{
    size_t to = 0;
    for (size_t from = 0; from < length;) {
        size_t step = character_length((const unsigned char *)text + from, length - from);
        unsigned char first = (unsigned char)text[from];
        if (step == 0 || first < 0x20 || first == 0x7F) {
            text[to++] = '?';
            from++;
            continue;
        }
        memmove(text + to, text + from, step);
        to += step;
        from += step;
    }
    text[to] = '\0';
    return to;
}

/* The last place at or before `at` where a character begins. */
static size_t character_edge(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80) {
        at--;
    }
    return at;
}

/* Chinese has a full stop of its own. */
static bool ends_a_sentence(const char *text, size_t length)
{
    static const char full_stop[] = "\xE3\x80\x82";
    return strchr(".?!", text[length - 1]) != NULL ||
           (length > 3 && strcmp(text + length - 3, full_stop) == 0);
}

/* Shortens a long text in the middle, because it is mostly a path and the reason stands at the
 * end. */
static size_t shorten_middle(char *text, size_t length, size_t room)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    enum { MARK = sizeof ellipsis - 1 };
    if (length <= room) {
        return length;
    }
    const size_t head = character_edge(text, room / 3);
    size_t tail = length - (room - head - MARK);
    while (tail < length && ((unsigned char)text[tail] & 0xC0) == 0x80) {
        tail++;
    }
    memcpy(text + head, ellipsis, MARK);
    memmove(text + head + MARK, text + tail, length - tail);
    text[head + MARK + length - tail] = '\0';
    return head + MARK + length - tail;
}

bool error_set(struct error *error, enum error_code code, const char *format, ...)
{
    if (error == NULL) {
        return false;
    }
    char long_text[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(long_text, sizeof long_text, tr(format), arguments);
    va_end(arguments);
    size_t length = written < 0 ? 0 : (size_t)written;
    if (length >= sizeof long_text) {
        length = character_edge(long_text, sizeof long_text - 1);
    }
    length = make_printable(long_text, length);

    error->code = code;
    error->at = 0;
    length = shorten_middle(long_text, length, sizeof error->text - sizeof " .");
    if (length > 0 && !ends_a_sentence(long_text, length)) {
        long_text[length++] = '.';
    }
    memcpy(error->text, long_text, length);
    error->text[length] = '\0';
    return false;
}
