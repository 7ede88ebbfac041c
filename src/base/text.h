/* base/text.h — UTF-8, words, and numbers that no locale can change. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"

enum { TEXT_NUMBER_MAX = 48 };

/* The code point at text[*at] and *at moved behind it. An invalid byte gives U+FFFD and moves by
 * one. At the end (*at == length): 0, not moved. */
uint32_t text_next(const char *text, size_t length, size_t *at);

/* The start of the next / the former grapheme cluster (what a person calls a letter). */
size_t text_next_letter(const char *text, size_t length, size_t at);
size_t text_former_letter(const char *text, size_t length, size_t at);

/* How many grapheme clusters there are. */
size_t text_letters(const char *text, size_t length);

/* A copy with every invalid byte replaced by U+FFFD, control characters (but tab and newline)
 * dropped and composed to NFC. Owned by the arena; NULL: no memory. */
char *text_clean(struct arena *arena, const char *text, size_t length, size_t *clean_length);

/* True for white space as Unicode has it. */
bool text_is_space(uint32_t code_point);

/* Returns whether a line may end before byte `at` of valid UTF-8: at a space, but not before "%",
 * between thousands, nor in brackets with few words; between Chinese or Japanese letters, but never
 * before a closing sign. */
bool text_may_break(const char *text, size_t length, size_t at);

/* True for what no reader of a terminal, a line or a program shall get from a text: control
 * characters, what turns the direction of all that follows (Unicode, Annex 9), and what breaks a
 * line. */
bool text_is_control(uint32_t code_point);

/* True for Unicode's letters (general categories L), and for its numbers (N). */
bool text_is_letter(uint32_t code_point);
bool text_is_number(uint32_t code_point);

/* A name that every file system takes: what is no letter (with its marks) and no number becomes one
 * hyphen, but none at an end; "file" where nothing is left. Cut to the size. Returns out. */
const char *text_file_name(const char *name, char *out, size_t size);

/* Splits at white space. A backslash before white space or a backslash keeps it. *words is an array
 * of the returned number of texts, owned by the arena. On lack of memory 0 words. */
size_t text_split(struct arena *arena, const char *text, size_t length, const char *const **words);

/* value with `decimals` digits behind the point, for people: a true minus sign (U+2212), "−∞", "∞",
 * "n/a" for NaN, and never −0.00. For machines use text_number_exact. Returns out. */
const char *text_number(char out[TEXT_NUMBER_MAX], double value, int decimals);

/* The same, but a number of which so many decimals would leave less than two digits keeps two: of
 * three decimals 0.0042, which is one more, and below 4.2e-4. */
const char *text_small_number(char out[TEXT_NUMBER_MAX], double value, int decimals);

/* The same as text_number, but never reads as zero what is none: such a number keeps two digits,
 * 0.0031 of two decimals, and below a thousandth 3.1e-4. */
const char *text_nonzero_number(char out[TEXT_NUMBER_MAX], double value, int decimals);

/* A text with bounds in place of powers of ten below a thousandth, for people who need none:
 * "<0.001" where it has "4.5e-5", ">−0.001" where it has "−4.5e-5". What is part of a word stays.
 * Returns the text itself where it has none, and where there is no memory. */
const char *text_without_powers(struct arena *arena, const char *text);

/* A share in percent with one decimal, for people who need no exponent: "30.7", and "< 0.1" where
 * it would read as zero and is none. Returns out. */
const char *text_percent(char out[TEXT_NUMBER_MAX], double share);

/* "1 234 567": a count for people, with a gap between thousands, which no line breaks. Returns out.
 */
const char *text_count(char out[TEXT_NUMBER_MAX], size_t count);

/* The shortest decimal text that reads back as the same float, "-0" as "0": "0.1", "-2.5", "1e-07".
 * Must be finite. Returns out. */
const char *text_number_exact(char out[TEXT_NUMBER_MAX], float value);

/* The same for a double. */
const char *text_double_exact(char out[TEXT_NUMBER_MAX], double value);

/* Reads a whole text as a number with a decimal point whatever the locale ("3", "-2.5", "1e-3"; a
 * true minus sign too; white space around allowed; no hexadecimal, no inf, no nan). False: it is
 * not one. */
bool text_to_double(const char *text, double *out);

/* Returns whether a float is nearest to value: "3.4028235e+38" is a little more than the largest,
 * and means it. */
bool text_fits_float(double value);

/* Reads a whole text as a non-negative integer. False: it is not one, or does not fit. */
bool text_to_u64(const char *text, uint64_t *out);

/* Returns how many single-letter edits turn a into b, to suggest a name; ASCII, at most 64 letters
 * each. */
size_t text_distance(const char *a, const char *b);

/* --- a text line by line --- */

struct line {
    const char *at; /* into the text; ends in no 0 */
    size_t length;  /* without the line break and white space before it */
    size_t number;  /* from 1; 0 before the first line */
};

/* Where the text begins behind a byte-order mark, if there is one. */
size_t lines_start(struct bytes text);

/* Moves on to the next line that holds more than white space; false when there is none. */
bool lines_next(struct bytes text, size_t *at, struct line *line);

#endif
