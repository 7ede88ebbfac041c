/* Numbers as text, whatever the locale: run once plainly and once under a decimal comma. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../environment.h"
#include "base/random.h"
#include "base/text.h"

static void people_read_true_minus_signs(void **state)
{
    (void)state;
    static const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {
        {1.5, 2, "1.50"},
        {-2.5, 1, "−2.5"},
        {-0.001, 2, "0.00"},
        {0.0, 0, "0"},
        {-0.0, 2, "0.00"},
        {-0.006, 2, "−0.01"},
        {12345.678, 1, "12345.7"},
        {(double)NAN, 2, "n/a"},
        {(double)INFINITY, 2, "∞"},
        {-(double)INFINITY, 2, "−∞"},
        {1e300, 2, "1.00e+300"},
        {-1e300, 99, NULL},
        {999999999999999.0, 99, NULL},
        {1.0, -5, "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[TEXT_NUMBER_MAX];
        text_number(out, cases[i].value, cases[i].decimals);
        assert_true(strlen(out) < sizeof out);
        if (cases[i].text != NULL) {
            assert_string_equal(out, cases[i].text);
        }
    }
}

/* A number that is too small for its decimals keeps two digits. */
static void small_numbers_keep_two_digits(void **state)
{
    (void)state;
    static const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {
        {0.4069, 3, "0.407"},    {0.00995, 3, "0.010"},    {0.00994, 3, "0.0099"},
        {0.0042, 3, "0.0042"},   {0.00042, 3, "4.2e-4"},   {0.0009949, 3, "9.9e-4"},
        {0.000995, 3, "0.0010"}, {1e-4, 3, "1.0e-4"},      {9.97e-5, 3, "1.0e-4"},
        {1e-7, 3, "1.0e-7"},     {-4.26e-6, 3, "−4.3e-6"}, {0, 3, "0.000"},
        {(double)NAN, 3, "n/a"}, {12.3456, 3, "12.346"},   {0.00042, 4, "0.00042"},
        {0.00052, 5, "0.00052"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[TEXT_NUMBER_MAX];
        assert_string_equal(text_small_number(out, cases[i].value, cases[i].decimals),
                            cases[i].text);
    }
}

/* Nothing that is not zero reads as zero. */
static void no_number_reads_as_a_zero_that_it_is_not(void **state)
{
    (void)state;
    static const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {
        {0.4069, 3, "0.407"},     {0.0009, 3, "0.001"},    {0.00031, 3, "3.1e-4"},
        {-0.00031, 3, "−3.1e-4"}, {0.031, 1, "0.031"},     {0.0996, 0, "0.10"},
        {0.0031, 1, "0.0031"},    {0.00049, 1, "4.9e-4"},  {1e-5, 2, "1.0e-5"},
        {0, 3, "0.000"},          {(double)NAN, 3, "n/a"}, {1e-320, 2, "0.00"},
        {-12.5, 1, "−12.5"},      {0.3, 0, "0.30"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[TEXT_NUMBER_MAX];
        assert_string_equal(text_nonzero_number(out, cases[i].value, cases[i].decimals),
                            cases[i].text);
    }
}

static void machines_read_the_shortest_text(void **state)
{
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {
        {0.1F, "0.1"},
        {-2.5F, "-2.5"},
        {1e-7F, "1e-07"},
        {0.0F, "0"},
        {-0.0F, "0"},
        {10.0F, "10"},
        {16777216.0F, "16777216"},
        {1e9F, "1e+09"},
        {0.0001F, "0.0001"},
        {1.0F / 3.0F, "0.33333334"},
        {FLT_MAX, "3.4028235e+38"},
        {FLT_MIN, "1.1754944e-38"},
        {FLT_TRUE_MIN, "1e-45"},
        {100.5F, "100.5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[TEXT_NUMBER_MAX];
        assert_string_equal(text_number_exact(out, cases[i].value), cases[i].text);
    }
    char out[TEXT_NUMBER_MAX];
    assert_string_equal(text_double_exact(out, 0.1), "0.1");
    assert_string_equal(text_double_exact(out, 1.0 / 3.0), "0.3333333333333333");
    assert_string_equal(text_double_exact(out, DBL_MAX), "1.7976931348623157e+308");
}

/* As the C library spells it with the fewest digits that it reads as the same number. */
static double spelled_by_the_library(float value)
{
    char text[64] = "";
    for (int digits = 1; digits <= 9; digits++) {
        (void)snprintf(text, sizeof text, "%.*e", digits - 1, (double)value);
        if (strtof(text, NULL) == value) {
            break;
        }
    }
    return strtod(text, NULL);
}

/* Of any exponent at first, then of those that results of a computation have. */
static uint32_t some_float(struct random *random, int i)
{
    const uint32_t bits = (uint32_t)(random_bits(random) >> 32);
    return i < 254 ? (uint32_t)(i + 1) << 23 : i % 2 == 0 ? bits : (bits & 0x87ffffff) | 0x38000000;
}

static void every_float_reads_back(void **state)
{
    (void)state;
    struct random random;
    random_start(&random, 5, "floats");
    for (int i = 0; i < 20000; i++) {
        uint32_t bits = some_float(&random, i);
        float value = 0;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        char out[TEXT_NUMBER_MAX];
        double back = 0;
        assert_true(text_to_double(text_number_exact(out, value), &back));
        assert_true((float)back == value);
        assert_true(back == spelled_by_the_library(value));
    }
}

static void numbers_are_read_strictly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"3", 3},    {"-2.5", -2.5}, {"1e-3", 0.001}, {" +4.25\t", 4.25}, {"−2.5", -2.5},
                {".5", 0.5}, {"5.", 5},      {"1E2", 100},    {"\u00A07 ", 7},    {"2.75", 2.75}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double value = 0;
        assert_true(text_to_double(good[i].text, &value));
        assert_true(value == good[i].value);
    }
    static const char *const bad[] = {"",      " ",   "-",   "inf", "nan",   "0x10", "1,5", "1e",
                                      "1.2.3", "--1", "1 2", "e5",  "1e999", ".",    "−−1", "1d"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value = 42;
        assert_false(text_to_double(bad[i], &value));
        assert_true(value == 42);
    }
    char endless[2000];
    memset(endless, '9', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    double value = 0;
    assert_false(text_to_double(endless, &value));
}

static void what_rounds_to_the_largest_float_fits_one(void **state)
{
    (void)state;
    char out[TEXT_NUMBER_MAX];
    double largest = 0;
    assert_true(text_to_double(text_number_exact(out, -FLT_MAX), &largest));
    assert_true(text_fits_float(largest) && text_fits_float(0) && text_fits_float(1e-300));
    assert_true(text_fits_float(3.40282356e38));
    assert_false(text_fits_float(3.40282357e38) || text_fits_float((double)INFINITY) ||
                 text_fits_float((double)NAN));
}

static void whole_numbers_do_not_wrap(void **state)
{
    (void)state;
    uint64_t value = 1;
    assert_true(text_to_u64("18446744073709551615", &value));
    assert_true(value == UINT64_MAX);
    static const char *const bad[] = {"18446744073709551616", "-1", "", "1.0", " 1", "1e3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(text_to_u64(bad[i], &value));
    }
    assert_true(text_to_u64("0", &value));
    assert_int_equal(value, 0);
}

/* Sets a locale with a decimal comma: one of the machine's, or one made here for the test. */
static int enter_decimal_comma(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (setlocale(LC_ALL, names[i]) != NULL) {
            return 0;
        }
    }
    char folder[] = "locale-XXXXXX";
    if (mkdtemp(folder) == NULL) {
        return 0;
    }
    char command[200];
    (void)snprintf(command, sizeof command,
                   "localedef --no-archive -i de_DE -f UTF-8 ./%s/de_DE.UTF-8 >%s/log 2>&1", folder,
                   folder);
    if (system(command) == 0 && environment_set("LOCPATH", folder)) {
        (void)setlocale(LC_ALL, "de_DE.UTF-8");
        (void)environment_set("LOCPATH", NULL);
    }
    (void)snprintf(command, sizeof command, "rm -rf ./%s", folder);
    return system(command) == 0 ? 0 : -1;
}

static int leave_decimal_comma(void **state)
{
    (void)state;
    return setlocale(LC_ALL, "C") == NULL ? -1 : 0;
}

static void a_decimal_comma_changes_nothing(void **state)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%.1f", 1.5);
    if (strcmp(text, "1,5") != 0) {
        skip(); /* this machine cannot have such a locale */
    }
    people_read_true_minus_signs(state);
    machines_read_the_shortest_text(state);
    numbers_are_read_strictly(state);
    (void)snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5"); /* and the caller's locale is still his */
}

/* The number of fewest digits, tried one by one with the library. */
static int fewest_digits(float value, char text[32])
{
    for (int digits = 7; digits <= 9; digits++) {
        (void)snprintf(text, 32, "%.*e", digits - 1, (double)value);
        if (strtof(text, NULL) == value) {
            for (int fewer = digits == 7 ? 1 : digits; fewer <= digits; fewer++) {
                (void)snprintf(text, 32, "%.*e", fewer - 1, (double)value);
                if (strtof(text, NULL) == value) {
                    return fewer;
                }
            }
        }
    }
    return 0;
}

/* Without exponent, point and zeros at either end: what is left are its digits. */
static void digits_of(const char *text, char digits[32])
{
    size_t count = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text >= (count == 0 ? '1' : '0') && *text <= '9') {
            digits[count++] = *text;
        }
    }
    while (count > 0 && digits[count - 1] == '0') {
        count--;
    }
    digits[count] = '\0';
}

static void every_float_has_the_digits_that_the_library_finds(void **state)
{
    (void)state;
    const char *const former = setlocale(LC_ALL, NULL);
    char locale[64];
    (void)snprintf(locale, sizeof locale, "%s", former);
    setlocale(LC_ALL, "C");
    struct random random;
    random_start(&random, 7, "floats");
    for (size_t round = 0; round < 100000; round++) {
        uint32_t bits = (uint32_t)random_bits(&random);
        if (round % 3 != 0) { /* of the sizes that weights and scores have */
            bits = (bits & 0x807FFFFFU) | (uint32_t)(67 + bits % 80) << 23;
        }
        if (round % 7 == 0) { /* beside a power of 2, where steps change */
            bits = (bits & 0xFF800000U) | (bits & 3U);
        }
        float value = 0, back = 0;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value) || value == 0.0F) {
            continue;
        }
        char out[TEXT_NUMBER_MAX], wanted[32], ours[32], theirs[32];
        assert_true(fewest_digits(value, wanted) > 0);
        digits_of(text_number_exact(out, value), ours);
        digits_of(wanted, theirs);
        back = strtof(out, NULL);
        if (strcmp(ours, theirs) != 0 || memcmp(&back, &value, sizeof back) != 0) {
            fail_msg("%a is %s here, %s there", (double)value, out, wanted);
        }
    }
    setlocale(LC_ALL, locale);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"People read true minus signs, never −0.00, and n/a.", people_read_true_minus_signs, NULL,
         NULL, NULL},
        {"A number that is too small for its decimals keeps two digits.",
         small_numbers_keep_two_digits, NULL, NULL, NULL},
        {"No number reads as a zero that it is not.", no_number_reads_as_a_zero_that_it_is_not,
         NULL, NULL, NULL},
        {"Machines read the shortest text that is the same number.",
         machines_read_the_shortest_text, NULL, NULL, NULL},
        {"Every float reads back as itself.", every_float_reads_back, NULL, NULL, NULL},
        {"Every float has the digits that the library finds.",
         every_float_has_the_digits_that_the_library_finds, NULL, NULL, NULL},
        {"Numbers are read strictly and with a point.", numbers_are_read_strictly, NULL, NULL,
         NULL},
        {"What rounds to the largest float fits one.", what_rounds_to_the_largest_float_fits_one,
         NULL, NULL, NULL},
        {"Whole numbers do not wrap around.", whole_numbers_do_not_wrap, NULL, NULL, NULL},
        {"A decimal comma in the locale changes nothing.", a_decimal_comma_changes_nothing,
         enter_decimal_comma, leave_decimal_comma, NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
