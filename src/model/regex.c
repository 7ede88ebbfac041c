/* model/regex.c — see regex.h. */
#include "model/regex.h"

#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum { HEAP_KB_MAX = 256 * 1024, NESTING_MAX = 64 };

struct regex {
    pcre2_code *code;
};

struct regex_search {
    pcre2_match_data *match;
    pcre2_match_context *limits;
};

struct regex *regex_open(const char *pattern, struct error *error)
{
    const size_t length = strlen(pattern);
    if (length > REGEX_BYTES_MAX) {
        error_set(error, ERROR_INPUT, "A pattern has %zu bytes, at most %d are allowed.", length,
                  REGEX_BYTES_MAX);
        return NULL;
    }
    struct regex *const regex = calloc(1, sizeof *regex);
    pcre2_compile_context *const context = pcre2_compile_context_create(NULL);
    int number = 0;
    PCRE2_SIZE at = 0;
    if (regex != NULL && context != NULL) {
        (void)pcre2_set_parens_nest_limit(context, NESTING_MAX);
        regex->code =
            pcre2_compile((PCRE2_SPTR)pattern, length,
                          PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C,
                          &number, &at, context);
    }
    pcre2_compile_context_free(context);
    if (regex == NULL || regex->code == NULL) {
        error_set(error, regex == NULL ? ERROR_MEMORY : ERROR_INPUT,
                  "The pattern “%.60s” cannot be read from its byte %zu on.", pattern, (size_t)at);
        free(regex);
        return NULL;
    }
    return regex;
}

void regex_close(struct regex *regex)
{
    if (regex != NULL) {
        pcre2_code_free(regex->code);
        free(regex);
    }
}

struct regex_search *regex_search_open(const struct regex *regex)
{
    struct regex_search *const search = calloc(1, sizeof *search);
    if (search == NULL) {
        return NULL;
    }
    search->match = pcre2_match_data_create_from_pattern(regex->code, NULL);
    search->limits = pcre2_match_context_create(NULL);
    if (search->match == NULL || search->limits == NULL) {
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
        free(search);
    }
}

bool regex_next(const struct regex *regex, struct regex_search *search, const char *text,
                size_t length, size_t at, size_t *begin, size_t *end, bool *found,
                struct error *error)
{
    const int result = pcre2_match(regex->code, (PCRE2_SPTR)text, length, at, PCRE2_NOTEMPTY,
                                   search->match, search->limits);
    *found = result >= 0;
    if (result < 0 && result != PCRE2_ERROR_NOMATCH) {
        return error_set(error, ERROR_INPUT,
                         "The tokenizer's pattern takes too long on this text: shorten it.");
    }
    if (*found) {
        const PCRE2_SIZE *const ends = pcre2_get_ovector_pointer(search->match);
        *begin = ends[0];
        *end = ends[1];
    }
    return true;
}
