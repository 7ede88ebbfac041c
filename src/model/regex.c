/* model/regex.c — see regex.h. */
#include "model/regex.h"

#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/text.h"
#include "base/unicode.h"
#include "model/regex_syntax.h"

enum { HEAP_KB_MAX = 256 * 1024 };

/* From 10.40 on the name of a script alone means letters that it shares with others, too. */
#if PCRE2_MAJOR > 10 || (PCRE2_MAJOR == 10 && PCRE2_MINOR >= 40)
#define SCRIPT "sc:"
#else
#define SCRIPT ""
#endif

struct regex {
    pcre2_code *code;
};

struct regex_search {
    const struct regex *regex;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    const char *text;
    char *known; /* the text where letters of it are stood in for; NULL: none is */
    size_t length, at;
    size_t former_end; /* of the former match; SIZE_MAX: there is none */
};

/* ---- patterns -------------------------------------------------------------------------------- */

static pcre2_code *compile_pattern(const char *spelled, bool *lacks_memory)
{
    pcre2_compile_context *const context = pcre2_compile_context_create(NULL);
    pcre2_code *code = NULL;
    int number = 0;
    PCRE2_SIZE at = 0;
    if (context != NULL && pcre2_set_newline(context, PCRE2_NEWLINE_LF) == 0) {
        code = pcre2_compile((PCRE2_SPTR)spelled, PCRE2_ZERO_TERMINATED,
                             PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_MATCH_INVALID_UTF |
                                 PCRE2_NEVER_BACKSLASH_C,
                             &number, &at, context);
    }
    *lacks_memory = context == NULL || (code == NULL && number == PCRE2_ERROR_HEAP_FAILED);
    pcre2_compile_context_free(context);
    return code;
}

struct regex *regex_open(const char *pattern, struct error *error)
{
    const size_t length = strlen(pattern);
    struct arena arena = {0};
    size_t at = 0;
    if (length > REGEX_BYTES_MAX) {
        error_set(error, ERROR_INPUT, "A pattern has %zu bytes, at most %d are allowed.", length,
                  REGEX_BYTES_MAX);
        return NULL;
    }
    struct regex *const regex = calloc(1, sizeof *regex);
    bool lacks_memory = regex == NULL;
    const char *const spelled = regex_respell(pattern, SCRIPT, &arena, &at);
    if (regex != NULL && spelled != NULL) {
        regex->code = compile_pattern(spelled, &lacks_memory);
        at = 0;
    }
    if (regex == NULL || regex->code == NULL) {
        error_set(error, lacks_memory || arena.lacking ? ERROR_MEMORY : ERROR_INPUT,
                  "The pattern “%.60s” cannot be read from its byte %zu on.", pattern, at);
        regex_close(regex);
        arena_free(&arena);
        return NULL;
    }
    arena_free(&arena);
    return regex;
}

void regex_close(struct regex *regex)
{
    if (regex != NULL) {
        pcre2_code_free(regex->code);
        free(regex);
    }
}

/* ---- searches -------------------------------------------------------------------------------- */

/* A letter that PCRE2 and Oniguruma may know differently is stood in for by one of its class with
 * as many bytes. False: no memory. */
static bool stand_in(struct regex_search *search)
{
    enum { FIRST = 0x80 };
    for (size_t at = 0; at < search->length;) {
        const size_t begin = at;
        if ((uint8_t)search->text[at] < FIRST) {
            at++;
            continue;
        }
        const uint32_t letter = text_next(search->text, search->length, &at);
        const uint32_t known = unicode_in_edition(letter, UNICODE_16);
        if (known == letter) {
            continue;
        }
        if (search->known == NULL) {
            search->known = malloc(search->length);
            if (search->known == NULL) {
                return false;
            }
            memcpy(search->known, search->text, search->length);
        }
        (void)unicode_write(known, search->known + begin);
    }
    return true;
}

struct regex_search *regex_search_open(const struct regex *regex, const char *text, size_t length)
{
    struct regex_search *const search = calloc(1, sizeof *search);
    if (search == NULL) {
        return NULL;
    }
    search->regex = regex;
    search->text = text;
    search->length = length;
    search->former_end = SIZE_MAX;
    search->match = pcre2_match_data_create_from_pattern(regex->code, NULL);
    search->limits = pcre2_match_context_create(NULL);
    if (search->match == NULL || search->limits == NULL || !stand_in(search)) {
        regex_search_close(search);
        return NULL;
    }
    (void)pcre2_set_match_limit(search->limits, REGEX_STEPS_MAX);
    (void)pcre2_set_heap_limit(search->limits, HEAP_KB_MAX);
    return search;
}

void regex_search_close(struct regex_search *search)
{
    if (search != NULL) {
        pcre2_match_data_free(search->match);
        pcre2_match_context_free(search->limits);
        free(search->known);
        free(search);
    }
}

bool regex_next(struct regex_search *search, size_t *begin, size_t *end, bool *found,
                struct error *error)
{
    const char *const text = search->known != NULL ? search->known : search->text;
    for (*found = false; search->at <= search->length;) {
        const int result = pcre2_match(search->regex->code, (PCRE2_SPTR)text, search->length,
                                       search->at, 0, search->match, search->limits);
        if (result < 0) {
            return result == PCRE2_ERROR_NOMATCH ||
                   error_set(error, ERROR_INPUT,
                             "The tokenizer's pattern takes too long on this text: shorten it.");
        }
        const PCRE2_SIZE *const ends = pcre2_get_ovector_pointer(search->match);
        *begin = ends[0];
        *end = ends[1];
        *found = *begin != *end || *end != search->former_end;
        search->at = search->former_end = *end;
        if (*found) {
            return true;
        }
        if (search->at == search->length) {
            break;
        }
        (void)text_next(text, search->length, &search->at);
    }
    return true;
}
