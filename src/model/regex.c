/* model/regex.c — see regex.h. */
#include "model/regex.h"

#include <stdio.h>
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

/* What \\s and \\w stand for in the library that the patterns were written for (Oniguruma), which
 * differs from PCRE2's: U+180E is no space there, combining marks are letters of a word. */
static const struct {
    char letter;
    const char *members;
} classes[] = {{'s', "\\p{Z}\\x09-\\x0D\\x85"}, {'w', "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}"}};

/* What stands for a backslash and that letter; NULL: they stay as they are. */
static const char *members_of(char letter)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (letter == classes[i].letter || letter == classes[i].letter - 'a' + 'A') {
            return classes[i].members;
        }
    }
    return NULL;
}

/* The pattern with those classes spelled out. In brackets only members can be put in the place of a
 * class, so the opposite of one is left to PCRE2 there. */
static char *spelled_out(const char *pattern)
{
    enum { LONGEST = 48 };
    char *const out = malloc(LONGEST * (strlen(pattern) + 1));
    size_t length = 0;
    bool inside = false;
    for (const char *at = pattern; out != NULL && *at != '\0'; at++) {
        const char *const members = at[0] == '\\' ? members_of(at[1]) : NULL;
        const bool opposite = members != NULL && at[1] < 'a';
        if (members != NULL && !(inside && opposite)) {
            length += (size_t)snprintf(out + length, LONGEST, "%s%s%s",
                                       inside     ? ""
                                       : opposite ? "[^"
                                                  : "[",
                                       members, inside ? "" : "]");
            at++;
            continue;
        }
        out[length++] = *at;
        if (at[0] == '\\' && at[1] != '\0') {
            out[length++] = *++at;
        } else {
            inside = inside ? *at != ']' : *at == '[';
        }
    }
    if (out != NULL) {
        out[length] = '\0';
    }
    return out;
}

struct regex *regex_open(const char *pattern, struct error *error)
{
    const size_t length = strlen(pattern);
    if (length > REGEX_BYTES_MAX) {
        error_set(error, ERROR_INPUT, "A pattern has %zu bytes, at most %d are allowed.", length,
                  REGEX_BYTES_MAX);
        return NULL;
    }
    struct regex *const regex = calloc(1, sizeof *regex);
    char *const spelled = spelled_out(pattern);
    pcre2_compile_context *const context = pcre2_compile_context_create(NULL);
    int number = 0;
    PCRE2_SIZE at = 0;
    if (regex != NULL && context != NULL && spelled != NULL) {
        (void)pcre2_set_parens_nest_limit(context, NESTING_MAX);
        regex->code =
            pcre2_compile((PCRE2_SPTR)spelled, strlen(spelled),
                          PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C,
                          &number, &at, context);
    }
    pcre2_compile_context_free(context);
    free(spelled);
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
