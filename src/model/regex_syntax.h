/* model/regex_syntax.h — patterns as tokenizers' files write them, for Oniguruma in its default
 * syntax (github.com/kkos/oniguruma, doc/RE), written anew for PCRE2. What both would read
 * differently is spelled out; what cannot be said in PCRE2, or is not known here, is refused, for a
 * text that is cut elsewhere has other ids. */
#ifndef MODEL_REGEX_SYNTAX_H
#define MODEL_REGEX_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { REGEX_NESTING_MAX = 64 }; /* of groups and brackets */

/* The pattern for PCRE2 with PCRE2_UTF, PCRE2_UCP and PCRE2_MULTILINE, owned by the arena. `script`
 * is what PCRE2 wants before the name of a script so that a letter that several share is of none of
 * them. NULL: there is no memory, or *at is the byte of the pattern from which on it cannot be
 * read. */
const char *regex_respell(const char *pattern, const char *script, struct arena *arena, size_t *at);

#endif
