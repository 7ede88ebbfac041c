/* base/number.c — numbers as text and back, whatever the locale (declared in text.h). */
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/locale.h"

#define TRUE_MINUS "\xE2\x88\x92"
#define INFINITY_SIGN "\xE2\x88\x9E"

const char *text_count(char out[TEXT_NUMBER_MAX], size_t count)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%zu", count);
    size_t at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            out[at++] = ' ';
        }
        out[at++] = digits[i];
    }
    out[at] = 0;
    return out;
}

const char *text_number(char out[TEXT_NUMBER_MAX], double value, int decimals)
{
    if (isnan(value)) {
        return strcpy(out, "n/a");
    }
    if (isinf(value)) {
        return strcpy(out, value < 0 ? TRUE_MINUS INFINITY_SIGN : INFINITY_SIGN);
    }
    decimals = decimals < 0 ? 0 : decimals > 17 ? 17 : decimals;
    char digits[TEXT_NUMBER_MAX - 4];
    double size = fabs(value);
    struct system_plain_locale scope = system_plain_locale_enter();
    /* Beyond 15 digits the further ones would be invented, and too many to show. */
    (void)snprintf(digits, sizeof digits, size < 1e15 ? "%.*f" : "%.*e", decimals, size);
    system_plain_locale_leave(scope);
    bool zero = strspn(digits, "0.") == strlen(digits);
    strcpy(out, value < 0 && !zero ? TRUE_MINUS : "");
    return strcat(out, digits);
}

/* Numbers below it have no power of ten that a double holds. */
static const double min_size = 1e-300, digits_of_two = 9.95;

/* Writes two digits and a power of ten: 4.2e-4. */
static const char *write_power(char out[TEXT_NUMBER_MAX], double value)
{
    int exponent = (int)ceil(-log10(fabs(value)));
    double front = value * pow(10, exponent);
    if (fabs(front) >= digits_of_two) {
        front = value * pow(10, --exponent);
    }
    char power[16];
    text_number(out, front, 1);
    (void)snprintf(power, sizeof power, "e-%d", exponent);
    return strcat(out, power);
}

const char *text_small_number(char out[TEXT_NUMBER_MAX], double value, int decimals)
{
    const double size = fabs(value);
    const double unit = pow(10, -decimals);
    if (!(size >= min_size) || !(size < digits_of_two * unit)) {
        return text_number(out, value, decimals);
    }
    return size >= 0.995 * unit ? text_number(out, value, decimals + 1) : write_power(out, value);
}

const char *text_nonzero_number(char out[TEXT_NUMBER_MAX], double value, int decimals)
{
    static const double thousandth = 0.000995;
    text_number(out, value, decimals);
    const double size = fabs(value);
    const bool reads_zero = strspn(out, "0.") == strlen(out);
    if (!reads_zero || !(size >= min_size)) {
        return out;
    }
    return size < thousandth
               ? write_power(out, value)
               : text_number(out, value, (int)ceil(-log10(size / digits_of_two * 10)) + 1);
}

/* The length of a power of ten below a thousandth at the start of a text, as write_power writes it;
 * 0: it is none. */
static size_t power_length(const char *text)
{
    const char *const digits = "0123456789";
    const size_t whole = strspn(text, digits);
    const size_t part = whole > 0 && text[whole] == '.' ? strspn(text + whole + 1, digits) : 0;
    const char *const power = text + whole + 1 + part;
    if (part == 0 || power[0] != 'e' || power[1] != '-') {
        return 0;
    }
    const size_t tens = strspn(power + 2, digits);
    const char behind = power[2 + tens];
    const bool is_small = tens > 1 || (tens == 1 && power[2] >= '4');
    const bool is_word = (behind >= 'a' && behind <= 'z') || (behind >= 'A' && behind <= 'Z');
    return is_small && !is_word ? (size_t)(power + 2 + tens - text) : 0;
}

const char *text_without_powers(struct arena *arena, const char *text)
{
    static const char below[] = "<0.001", above[] = ">" TRUE_MINUS "0.001";
    enum { MINUS = sizeof TRUE_MINUS - 1, LONGEST = sizeof above };
    const char *const before_number = " (=·−+÷"; /* what may stand before one, byte by byte */
    const size_t length = text == NULL ? 0 : strlen(text);
    char *const out = text == NULL || strstr(text, "e-") == NULL
                          ? NULL
                          : arena_alloc(arena, length * 2 + LONGEST);
    size_t at = 0;
    for (size_t i = 0; out != NULL && i < length;) {
        const bool begins = i == 0 || strchr(before_number, text[i - 1]) != NULL;
        const size_t power = begins ? power_length(text + i) : 0;
        if (power == 0) {
            out[at++] = text[i++];
            continue;
        }
        const bool negative = i >= MINUS && memcmp(text + i - MINUS, TRUE_MINUS, MINUS) == 0;
        at -= negative ? MINUS : 0;
        const char *const bound = negative ? above : below;
        memcpy(out + at, bound, strlen(bound));
        at += strlen(bound);
        i += power;
    }
    if (out != NULL) {
        out[at] = '\0';
    }
    return out != NULL ? out : text;
}

const char *text_percent(char out[TEXT_NUMBER_MAX], double share)
{
    static const double shown_min = 0.0005;
    if (share > 0 && share < shown_min) {
        return strcpy(out, "< 0.1");
    }
    return text_number(out, share * 100, 1);
}

/* Writes 0.digits · 10^(exponent + 1) in the shorter of the two usual ways. */
static void lay_out(char *out, const char *digits, int count, int exponent)
{
    if (exponent < -4 || exponent > 8) {
        *out++ = digits[0];
        if (count > 1) {
            *out++ = '.';
            memcpy(out, digits + 1, (size_t)count - 1);
            out += count - 1;
        }
        int size = exponent < 0 ? -exponent : exponent;
        *out++ = 'e';
        *out++ = exponent < 0 ? '-' : '+';
        if (size >= 100) {
            *out++ = (char)('0' + size / 100);
        }
        *out++ = (char)('0' + size / 10 % 10);
        *out++ = (char)('0' + size % 10);
        *out = '\0';
        return;
    }
    int first = exponent < 0 ? exponent : 0;
    int last = count - 1 > exponent ? count - 1 : exponent;
    for (int place = first; place <= last; place++) {
        *out++ = (place < 0 || place >= count) ? '0' : digits[place];
        if (place - first == (exponent < 0 ? 0 : exponent) && place < last) {
            *out++ = '.';
        }
    }
    *out = '\0';
}

/* The digits of a number without sign, point and zeros: digits[0].digits[1]… · 10^exponent. */
struct decimal {
    char digits[18];
    int count, exponent;
};

/* The library's answer to how size looks with so many digits. True when they read back as the same
 * number. */
static bool format_digits(struct decimal *out, double size, int count, bool as_float)
{
    char trial[TEXT_NUMBER_MAX];
    struct system_plain_locale scope = system_plain_locale_enter();
    (void)snprintf(trial, sizeof trial, "%.*e", count - 1, size);
    const bool same = as_float ? (double)strtof(trial, NULL) == size : strtod(trial, NULL) == size;
    system_plain_locale_leave(scope);
    const char *exponent = strchr(trial, 'e');
    out->digits[0] = trial[0];
    memcpy(out->digits + 1, trial + 2, (size_t)count - 1);
    out->count = count;
    out->exponent = exponent == NULL ? 0 : atoi(exponent + 1);
    return same;
}

enum { FLOAT_DIGITS = 9, DOUBLE_DIGITS = 17 }; /* so many tell any two of them apart */

/* x · 10^shift, rounded once: powers of ten up to 10^22 are exact in double. */
static double times_ten_to(double x, int shift)
{
    static const double ten_to[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    return shift < 0 ? x / ten_to[-shift] : x * ten_to[shift];
}

static void write_digits(struct decimal *out, uint64_t number, int count, int exponent)
{
    out->count = count;
    out->exponent = exponent;
    for (int place = count; place-- > 0; number /= 10) {
        out->digits[place] = (char)('0' + number % 10);
    }
}

/* The fewest digits of a float > 0 that read back as the same, where double's 53 bits tell: from
 * nine digits on the last is dropped as long as what is left lies nearer than half a step of float.
 * False near the middle between two answers, and for very large and very small numbers. */
static bool shorten_float(struct decimal *out, double size)
{
    int power = 0;
    const double fraction = frexp(size, &power);
    int exponent = (int)floor((power - 1) * 0.30102999566398120); /* log10 2 */
    if (fraction <= 0.5 || exponent < -13 || exponent > 29) {
        return false;
    }
    exponent += times_ten_to(size, 8 - exponent) >= 1e9 ? 1 : 0;
    const double nine = times_ten_to(size, 8 - exponent);
    const double half = times_ten_to(ldexp(1, power - 25), 8 - exponent);
    double number = floor(nine + 0.5), step = 1;
    bool sure = fabs(fabs(nine - number) - 0.5) > 1e-5;
    int count = FLOAT_DIGITS;
    for (; sure && count > 1; count--, step *= 10) {
        const double shorter = floor(nine / (10 * step) + 0.5) * (10 * step);
        const double off = fabs(nine - shorter);
        sure = fabs(off - half) > 1e-5 && fabs(off - 5 * step) > 1e-5;
        if (off > half) {
            break;
        }
        number = shorter;
    }
    write_digits(out, (uint64_t)(number / step + 0.5), count, exponent);
    return sure && number >= 1e8 && number < 1e9;
}

/* The fewest digits of size > 0 that read back as the same number. */
static struct decimal shortest_decimal(double size, bool as_float)
{
    struct decimal found = {.count = 0};
    if (as_float && shorten_float(&found, size)) {
        return found;
    }
    const int max_digits = as_float ? FLOAT_DIGITS : DOUBLE_DIGITS;
    const int usual = max_digits - 2; /* what computed numbers exceed nearly always */
    int count = format_digits(&found, size, usual, as_float) ? 1 : usual + 1;
    while (!format_digits(&found, size, count, as_float) && count < max_digits) {
        count++;
    }
    return found;
}

static const char *format_exact(char out[TEXT_NUMBER_MAX], double value, bool as_float)
{
    if (value == 0.0 || !isfinite(value)) {
        return strcpy(out, "0");
    }
    const struct decimal found = shortest_decimal(fabs(value), as_float);
    char *to = out;
    if (value < 0) {
        *to++ = '-';
    }
    lay_out(to, found.digits, found.count, found.exponent);
    return out;
}

const char *text_number_exact(char out[TEXT_NUMBER_MAX], float value)
{
    return format_exact(out, (double)value, true);
}

const char *text_double_exact(char out[TEXT_NUMBER_MAX], double value)
{
    return format_exact(out, value, false);
}

static const char *skip_spaces(const char *text)
{
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        size_t behind = at;
        if (!text_is_space(text_next(text, length, &behind))) {
            return text + at;
        }
        at = behind;
    }
    return text + length;
}

static size_t digits_at(const char *text)
{
    return strspn(text, "0123456789");
}

/* The length of a number without sign at text, 0 when there is none. */
static size_t number_length(const char *text)
{
    size_t whole = digits_at(text);
    size_t length = whole;
    if (text[length] == '.') {
        size_t decimals = digits_at(text + length + 1);
        if (whole + decimals == 0) {
            return 0;
        }
        length += 1 + decimals;
    }
    if (length == 0) {
        return 0;
    }
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = text[length + 1] == '+' || text[length + 1] == '-' ? 1 : 0;
        size_t exponent = digits_at(text + length + 1 + sign);
        length += exponent == 0 ? 0 : 1 + sign + exponent;
    }
    return length;
}

bool text_to_double(const char *text, double *out)
{
    text = skip_spaces(text);
    bool negative = *text == '-' || strncmp(text, TRUE_MINUS, 3) == 0;
    if (*text == '-' || *text == '+') {
        text++;
    } else if (negative) {
        text += 3;
    }
    size_t length = number_length(text);
    char number[400];
    if (length == 0 || length >= sizeof number || *skip_spaces(text + length) != '\0') {
        return false;
    }
    memcpy(number, text, length);
    number[length] = '\0';
    struct system_plain_locale scope = system_plain_locale_enter();
    double value = strtod(number, NULL);
    system_plain_locale_leave(scope);
    if (!isfinite(value)) {
        return false;
    }
    *out = negative ? -value : value;
    return true;
}

bool text_fits_float(double value)
{
    return fabs(value) < 0x1.ffffffp127; /* half a step beyond the largest */
}

bool text_to_u64(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        unsigned digit = (unsigned)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}
