/* base/error.h — what went wrong, as a value: one sentence for a person.
 *
 * A function that can fail returns bool (false: failed) and fills an error it is given. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

enum error_code {
    ERROR_NONE,
    ERROR_USAGE,   /* the call is wrong: exit status 2 */
    ERROR_INPUT,   /* a file or a text holds something it must not hold */
    ERROR_FILE,    /* a file cannot be read or written */
    ERROR_MEMORY,  /* there is not enough memory */
    ERROR_DISPLAY, /* there is no screen to draw on */
    ERROR_UNCLEAR, /* a file is sound, but what it means must be said */
};

struct error {
    enum error_code code;
    size_t at;      /* byte position in the input, where that makes sense; else 0 */
    char text[200]; /* UTF-8, no full stop missing, no newline; cut at a character's edge */
};

/* Fills error (NULL allowed) with a formatted sentence. Always returns false, so that a caller can
 * return its result. */
bool error_set(struct error *error, enum error_code code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
