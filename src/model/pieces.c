/* model/pieces.c — where text is split before it is merged. The pattern of openai/gpt-2,
 * encoder.py, whose first alternative that fits is taken:
 *
 *     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+          */
#include <string.h>

#include "base/text.h"
#include "base/unicode.h"
#include "model/bpe.h"

enum letter_class { CLASS_SPACE, CLASS_LETTER, CLASS_NUMBER, CLASS_OTHER };

static enum letter_class class_of(uint32_t code_point)
{
    const uint32_t known = unicode_in_edition(code_point, UNICODE_16);
    return text_is_space(known)    ? CLASS_SPACE
           : text_is_letter(known) ? CLASS_LETTER
           : text_is_number(known) ? CLASS_NUMBER
                                   : CLASS_OTHER;
}

/* The end of the letters of one class from `at` on; `former` becomes where the last one begins. */
static size_t run_end(const char *text, size_t length, size_t at, enum letter_class class,
                      size_t *former)
{
    *former = at;
    for (size_t behind = at; behind < length;) {
        if (class_of(text_next(text, length, &behind)) != class) {
            break;
        }
        *former = at;
        at = behind;
    }
    return at;
}

/* The length of an English ending like 're at the beginning of text; 0: there is none. */
static size_t ending_length(const char *text, size_t length)
{
    static const char *const endings[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t letters = strlen(endings[i]);
        if (length >= letters && memcmp(text, endings[i], letters) == 0) {
            return letters;
        }
    }
    return 0;
}

size_t bpe_piece_end(const char *text, size_t length, size_t at)
{
    const size_t short_ending = ending_length(text + at, length - at);
    size_t behind = at, former = 0;
    if (short_ending > 0) {
        return at + short_ending;
    }
    enum letter_class class = class_of(text_next(text, length, &behind));
    if (text[at] == ' ' && behind < length) {
        size_t ignored = behind;
        const enum letter_class next = class_of(text_next(text, length, &ignored));
        if (next != CLASS_SPACE) {
            return run_end(text, length, behind, next, &former);
        }
    }
    const size_t end = run_end(text, length, at, class, &former);
    /* White space before a word leaves its last letter to the word. */
    return class == CLASS_SPACE && end < length && former > at ? former : end;
}
