/* base/unicode.h — normal forms and classes of letters, as tokenizers of models need them
 * (Unicode, Annex 15; the tables are utf8proc's). */
#ifndef BASE_UNICODE_H
#define BASE_UNICODE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

enum unicode_form { UNICODE_NFC, UNICODE_NFD, UNICODE_NFKC, UNICODE_NFKD };

enum { UNICODE_MARKS_MAX = 256 }; /* in a row; sorting them takes quadratic time */

/* The text in that form, owned by the arena. An invalid byte becomes U+FFFD; more than
 * UNICODE_MARKS_MAX combining marks in a row are refused. */
bool unicode_normalise(struct bytes text, enum unicode_form form, struct arena *arena,
                       struct bytes *out, struct error *error);

/* The code point as UTF-8 into to, which has room for 4; returns how many bytes. */
size_t unicode_write(uint32_t code_point, char to[4]);

/* In lower case. İ alone becomes two letters in Unicode, of which this is the first. */
uint32_t unicode_lower(uint32_t code_point);

bool unicode_is_mark(uint32_t code_point);        /* M…: combining, of all three kinds */
bool unicode_is_nonspacing(uint32_t code_point);  /* Mn */
bool unicode_is_punctuation(uint32_t code_point); /* P…, and the signs of ASCII */
bool unicode_is_other(uint32_t code_point);       /* Cc, Cf, Co: controls, formats, private use */

#endif
