/* model/regex.h — the regular expressions of tokenizers' files, over UTF-8: found as Oniguruma
 * finds them, for which they were written, by PCRE2 (model/regex_syntax.h), with the letters of
 * Unicode 16. A pattern comes from a file: what it may cost is limited. */
#ifndef MODEL_REGEX_H
#define MODEL_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum {
    REGEX_BYTES_MAX = 8192,     /* of a pattern */
    REGEX_STEPS_MAX = 10000000, /* of one search */
};

struct regex;

/* NULL and what is wrong with the pattern. The caller closes it. */
struct regex *regex_open(const char *pattern, struct error *error);
void regex_close(struct regex *regex); /* NULL is fine */

/* One search through a text, which must live as long. NULL: no memory. */
struct regex_search;
struct regex_search *regex_search_open(const struct regex *regex, const char *text, size_t length);
void regex_search_close(struct regex_search *search); /* NULL is fine */

/* The next match behind the former one; *found: whether there is one. It may be of no letters, but
 * not where the former one ended. An invalid byte is part of none. False and a sentence: it took
 * too many steps. */
bool regex_next(struct regex_search *search, size_t *begin, size_t *end, bool *found,
                struct error *error);

#endif
