/* base/unicode.c — see unicode.h. */
#include "base/unicode.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/text.h"

static utf8proc_category_t category_of(uint32_t code_point)
{
    return utf8proc_category((utf8proc_int32_t)code_point);
}

size_t unicode_write(uint32_t code_point, char to[4])
{
    return (size_t)utf8proc_encode_char((utf8proc_int32_t)code_point, (utf8proc_uint8_t *)to);
}

uint32_t unicode_lower(uint32_t code_point)
{
    return code_point < 0x80 ? code_point + (code_point >= 'A' && code_point <= 'Z' ? 'a' - 'A' : 0)
                             : (uint32_t)utf8proc_tolower((utf8proc_int32_t)code_point);
}

bool unicode_is_mark(uint32_t code_point)
{
    const utf8proc_category_t category = category_of(code_point);
    return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

bool unicode_is_nonspacing(uint32_t code_point)
{
    return category_of(code_point) == UTF8PROC_CATEGORY_MN;
}

bool unicode_is_punctuation(uint32_t code_point)
{
    if (code_point < 0x80) {
        return code_point > ' ' && code_point < 0x7F &&
               memchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", (int)code_point, 32) != NULL;
    }
    const utf8proc_category_t category = category_of(code_point);
    return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

bool unicode_is_other(uint32_t code_point)
{
    const utf8proc_category_t category = category_of(code_point);
    return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
           category == UTF8PROC_CATEGORY_CO;
}

/* A copy in which every invalid byte is U+FFFD. NULL: memory, or too many marks in a row. */
static char *valid_copy(struct bytes text, size_t *length, struct error *error)
{
    char *const copy = malloc(3 * text.size + 4);
    size_t marks = 0;
    *length = 0;
    if (copy == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for this text.");
        return NULL;
    }
    for (size_t at = 0; at < text.size;) {
        const uint32_t code_point = text_next((const char *)text.at, text.size, &at);
        const bool mark = utf8proc_get_property((utf8proc_int32_t)code_point)->combining_class != 0;
        marks = mark ? marks + 1 : 0;
        if (marks > UNICODE_MARKS_MAX) {
            free(copy);
            error_set(error, ERROR_INPUT,
                      "This text has more than %d combining marks on one letter.",
                      UNICODE_MARKS_MAX);
            return NULL;
        }
        *length += unicode_write(code_point, copy + *length);
    }
    return copy;
}

bool unicode_normalise(struct bytes text, enum unicode_form form, struct arena *arena,
                       struct bytes *out, struct error *error)
{
    static const utf8proc_option_t options[] = {
        [UNICODE_NFC] = UTF8PROC_STABLE | UTF8PROC_COMPOSE,
        [UNICODE_NFD] = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE,
        [UNICODE_NFKC] = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT,
        [UNICODE_NFKD] = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT,
    };
    size_t length = 0;
    char *const copy = valid_copy(text, &length, error);
    utf8proc_uint8_t *made = NULL;
    if (copy == NULL) {
        return false;
    }
    const utf8proc_ssize_t size = utf8proc_map((const utf8proc_uint8_t *)copy,
                                               (utf8proc_ssize_t)length, &made, options[form]);
    free(copy);
    *out = (struct bytes){NULL, 0};
    if (size >= 0) {
        *out = (struct bytes){(const uint8_t *)arena_text(arena, (const char *)made, (size_t)size),
                              (size_t)size};
    }
    free(made);
    return out->at != NULL ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for this text.");
}
