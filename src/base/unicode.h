/* base/unicode.h — normal forms and classes of letters, as tokenizers of models need them
 * (Unicode, Annex 15; the tables are utf8proc's).
 *
 * A model was trained with the ids that one library gave, and each part of that library knows the
 * letters of another year. Which edition utf8proc has depends on the machine, so what an edition
 * does not know yet, or knows and an old utf8proc does not, stands in a table of our own. */
#ifndef BASE_UNICODE_H
#define BASE_UNICODE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

enum unicode_form { UNICODE_NFC, UNICODE_NFD, UNICODE_NFKC, UNICODE_NFKD };

enum { UNICODE_MARKS_MAX = 256 }; /* in a row; sorting them takes quadratic time */

/* Editions of Unicode that parts of the library know: 8 BERT's normalizer and punctuation, 9 normal
 * forms and accents, 16 regular expressions, 17 lower case and digits. */
enum unicode_edition { UNICODE_8 = 8, UNICODE_9 = 9, UNICODE_16 = 16, UNICODE_17 = 17 };

/* A letter whose class is the one that the code point has in that edition, with as many bytes: the
 * code point itself, one that stands in for a letter that this machine may not know, or one that
 * no edition assigns. */
uint32_t unicode_in_edition(uint32_t code_point, enum unicode_edition edition);

/* The text in that form of edition 9, owned by the arena. An invalid byte becomes U+FFFD; more than
 * UNICODE_MARKS_MAX combining marks in a row are refused. */
bool unicode_normalise(struct bytes text, enum unicode_form form, struct arena *arena,
                       struct bytes *out, struct error *error);

/* The code point as UTF-8 into to, which has room for 4; returns how many bytes. */
size_t unicode_write(uint32_t code_point, char to[4]);

/* In lower case of edition 17. İ alone becomes two letters in Unicode, of which this is the first.
 */
uint32_t unicode_lower(uint32_t code_point);

/* Classes of this machine's edition. */
bool unicode_is_mark(uint32_t code_point);        /* M…: combining, of all three kinds */
bool unicode_is_nonspacing(uint32_t code_point);  /* Mn */
bool unicode_is_punctuation(uint32_t code_point); /* P…, and the signs of ASCII */
bool unicode_is_other(uint32_t code_point);       /* Cc, Cf, Co: controls, formats, private use */

/* A letter of a word as regular expressions have it (Annex 18, \w), in edition 16: alphabetic,
 * marks, digits, connectors, joiners. */
bool unicode_is_of_word(uint32_t code_point);

#endif
