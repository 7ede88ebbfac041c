/* base/unicode.c — see unicode.h. */
#include "base/unicode.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/text.h"

/* ---- editions -------------------------------------------------------------------------------- */

static const struct younger_row {
    uint32_t first, last;
    uint8_t since;
    uint32_t stands_in;
} younger[] = {
#include "base/unicode_editions.inc"
};

/* Letters that had another class up to an edition, each with a letter of that class; rows of one
 * letter begin with the oldest edition. */
static const struct changed_row {
    uint32_t code_point;
    uint8_t until;
    uint32_t stands_in;
} changed[] = {
    {0x0295, UNICODE_16, 0x0138},  {0x166D, UNICODE_9, 0x0F04},    {0x1734, UNICODE_9, 0x1732},
    {0x1885, UNICODE_8, 0x1200},   {0x1886, UNICODE_8, 0x1200},    {0x1CF2, UNICODE_9, 0x0903},
    {0x1CF3, UNICODE_9, 0x0903},   {0xA9BD, UNICODE_8, 0x0903},    {0x111C9, UNICODE_9, 0x10100},
    {0x1171E, UNICODE_9, 0x1171D}, {0x1171E, UNICODE_17, 0x11000},
};

/* The row of a letter that is younger than Unicode 8; NULL: it is not. */
static const struct younger_row *row_of(uint32_t code_point)
{
    size_t low = 0, high = sizeof younger / sizeof *younger;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (younger[middle].last < code_point) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < sizeof younger / sizeof *younger && younger[low].first <= code_point
               ? &younger[low]
               : NULL;
}

static bool is_younger(uint32_t code_point, enum unicode_edition edition)
{
    const struct younger_row *const row = row_of(code_point);
    return row != NULL && row->since > edition;
}

uint32_t unicode_in_edition(uint32_t code_point, enum unicode_edition edition)
{
    enum { FIRST = 0x295 };
    enum { TWO_BYTES = 0x378, THREE_BYTES = 0x2FE0, FOUR_BYTES = 0x5FFF0 }; /* never assigned */
    const struct younger_row *const row = code_point < FIRST ? NULL : row_of(code_point);
    if (row != NULL && row->since > edition) {
        return code_point < 0x800 ? TWO_BYTES : code_point < 0x10000 ? THREE_BYTES : FOUR_BYTES;
    }
    for (size_t i = 0; code_point >= FIRST && i < sizeof changed / sizeof *changed; i++) {
        if (changed[i].code_point == code_point && changed[i].until >= edition) {
            return changed[i].stands_in;
        }
    }
    return row != NULL && row->stands_in != 0 ? row->stands_in : code_point;
}

/* ---- letters and classes --------------------------------------------------------------------- */

static utf8proc_category_t category_of(uint32_t code_point)
{
    return utf8proc_category((utf8proc_int32_t)code_point);
}

size_t unicode_write(uint32_t code_point, char to[4])
{
    return (size_t)utf8proc_encode_char((utf8proc_int32_t)code_point, (utf8proc_uint8_t *)to);
}

/* Capital letters of editions 16 and 17, and the small one of the first of them. */
static const struct {
    uint32_t first, last, lower;
} young_capitals[] = {
    {0x1C89, 0x1C89, 0x1C8A},    {0xA7CB, 0xA7CB, 0x264},  {0xA7CC, 0xA7CC, 0xA7CD},
    {0xA7CE, 0xA7CE, 0xA7CF},    {0xA7D2, 0xA7D2, 0xA7D3}, {0xA7D4, 0xA7D4, 0xA7D5},
    {0xA7DA, 0xA7DA, 0xA7DB},    {0xA7DC, 0xA7DC, 0x19B},  {0x10D50, 0x10D65, 0x10D70},
    {0x16EA0, 0x16EB8, 0x16EBB},
};

uint32_t unicode_lower(uint32_t code_point)
{
    enum { YOUNGEST = 0x1C89 };
    if (code_point < 0x80) {
        return code_point + (code_point >= 'A' && code_point <= 'Z' ? 'a' - 'A' : 0);
    }
    for (size_t i = 0; code_point >= YOUNGEST && i < sizeof young_capitals / sizeof *young_capitals;
         i++) {
        if (code_point >= young_capitals[i].first && code_point <= young_capitals[i].last) {
            return young_capitals[i].lower + (code_point - young_capitals[i].first);
        }
    }
    return is_younger(code_point, UNICODE_17)
               ? code_point
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

bool unicode_is_of_word(uint32_t code_point)
{
    /* Unicode counts these signs as alphabetic, though by their category they are no letters. */
    static const struct {
        uint32_t first, last;
    } others[] = {{0x200C, 0x200D},
                  {0x24B6, 0x24E9},
                  {0x1F130, 0x1F149},
                  {0x1F150, 0x1F169},
                  {0x1F170, 0x1F189}};
    const utf8proc_category_t category = category_of(unicode_in_edition(code_point, UNICODE_16));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (code_point >= others[i].first && code_point <= others[i].last) {
            return true;
        }
    }
    return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NL) ||
           category == UTF8PROC_CATEGORY_PC;
}

/* ---- normal forms ---------------------------------------------------------------------------- */

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

/* Up to the next letter that edition 9 does not know: nothing before is put together or sorted with
 * what stands behind it. */
static size_t known_end(const char *text, size_t length, size_t from)
{
    size_t at = from;
    for (size_t next = from; at < length; at = next) {
        if (is_younger(text_next(text, length, &next), UNICODE_9)) {
            break;
        }
    }
    return at;
}

/* The result for a text, piece by piece. */
struct made {
    uint8_t *at; /* NULL: no memory */
    size_t size, room;
};

static void put_made(struct made *made, const void *bytes, size_t size)
{
    if (made->at != NULL && made->room - made->size < size) {
        const size_t room = 2 * made->room + size;
        uint8_t *const at = realloc(made->at, room);
        if (at == NULL) {
            free(made->at);
        }
        made->at = at;
        made->room = room;
    }
    if (made->at != NULL && size > 0) {
        memcpy(made->at + made->size, bytes, size);
        made->size += size;
    }
}

static void put_normalised(struct made *made, const char *text, size_t length,
                           utf8proc_option_t options)
{
    utf8proc_uint8_t *piece = NULL;
    const utf8proc_ssize_t size =
        utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, &piece, options);
    if (size < 0) {
        free(made->at);
        made->at = NULL;
    } else {
        put_made(made, piece, (size_t)size);
    }
    free(piece);
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
    if (copy == NULL) {
        return false;
    }
    struct made made = {malloc(length + 1), 0, length + 1};
    for (size_t at = 0; at < length && made.at != NULL;) {
        size_t end = known_end(copy, length, at);
        if (end > at) {
            put_normalised(&made, copy + at, end - at, options[form]);
        }
        at = end;
        (void)text_next(copy, length, &end);
        put_made(&made, copy + at, end - at);
        at = end;
    }
    free(copy);
    *out = (struct bytes){NULL, 0};
    if (made.at != NULL) {
        *out = (struct bytes){(const uint8_t *)arena_text(arena, (const char *)made.at, made.size),
                              made.size};
    }
    free(made.at);
    return out->at != NULL ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for this text.");
}
