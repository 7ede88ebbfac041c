/* UTF-8, letters and words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

#define FAMILY "👨‍👩‍👧"
#define FLAGS "🇩🇪🇫🇷"
#define COMBINED "e\xCC\x81"

static void broken_bytes_become_replacements(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t first;
        size_t step;
    } cases[] = {
        {"a", 'a', 1},
        {"é", 0xE9, 2},
        {"€", 0x20AC, 3},
        {"😀", 0x1F600, 4},
        {"\x80", 0xFFFD, 1},
        {"\xC0\x80", 0xFFFD, 1},
        {"\xE2\x82", 0xFFFD, 1},
        {"\xED\xA0\x80", 0xFFFD, 1},
        {"\xF5\x80\x80\x80", 0xFFFD, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t at = 0;
        assert_int_equal(text_next(cases[i].text, strlen(cases[i].text), &at), cases[i].first);
        assert_int_equal(at, cases[i].step);
    }
    size_t at = 1;
    assert_int_equal(text_next("a", 1, &at), 0);
    assert_int_equal(at, 1);
}

static void letters_are_what_people_see(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t letters;
    } cases[] = {
        {"", 0},
        {"cat", 3},
        {COMBINED, 1},
        {FAMILY, 1},
        {FLAGS, 2},
        {"e\xCC\x81\xCC\x82"
         "x",
         2},
        {"\r\n", 1},
        {"각", 1},
        {"\xFF\xFF", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(text_letters(cases[i].text, strlen(cases[i].text)), cases[i].letters);
    }
}

static void stepping_back_retraces_stepping_forth(void **state)
{
    (void)state;
    static const char text[] = "a " COMBINED FAMILY FLAGS "\n" FLAGS "漢\xFFz";
    size_t edges[40] = {0};
    size_t count = 0;
    for (size_t at = 0; at < sizeof text - 1; at = text_next_letter(text, sizeof text - 1, at)) {
        edges[count++] = at;
    }
    size_t at = sizeof text - 1;
    while (count > 0) {
        at = text_former_letter(text, sizeof text - 1, at);
        assert_int_equal(at, edges[--count]);
    }
    assert_int_equal(text_former_letter(text, sizeof text - 1, 0), 0);
    assert_int_equal(text_next_letter(text, 3, 99), 3);
}

static void cleaning_composes_and_drops_controls(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const char dirty[] = "caf" COMBINED "\x01\x1B\xC2\x85\t\n\xFFz";
    size_t length = 0;
    const char *clean = text_clean(&arena, dirty, sizeof dirty - 1, &length);
    assert_string_equal(clean, "café\t\n\xEF\xBF\xBDz");
    assert_int_equal(length, strlen(clean));
    assert_string_equal(text_clean(&arena, "", 0, &length), "");
    assert_int_equal(length, 0);
    assert_string_equal(text_clean(&arena, "a\0b", 3, &length), "ab");
    const char *again = text_clean(&arena, clean, strlen(clean), NULL);
    assert_string_equal(again, clean);
    /* Accents of one letter in their order, syllables; letters beside them stay. */
    static const char mixed[] = "xAe\xCC\x81\xCC\xA7zz\xE1\x84\x80\xE1\x85\xA1k\xC3\xBC";
    assert_string_equal(text_clean(&arena, mixed, sizeof mixed - 1, &length),
                        "xA\xC8\xA9\xCC\x81zz\xEA\xB0\x80k\xC3\xBC");
    arena_free(&arena);
}

static void endless_marks_are_cleaned_in_a_moment(void **state)
{
    (void)state; /* sorted naively this takes minutes: the test's time limit is what it is for */
    enum { MARKS = 200000 };
    struct arena arena = {0};
    char *text = malloc((size_t)MARKS * 2);
    assert_non_null(text);
    for (size_t i = 0; i < MARKS; i++) {
        memcpy(text + 2 * i, i % 2 == 0 ? "\xCC\x81" : "\xCC\xA3", 2);
    }
    size_t length = 0;
    assert_non_null(text_clean(&arena, text, (size_t)MARKS * 2, &length));
    assert_true(length >= (size_t)MARKS * 2);
    free(text);
    arena_free(&arena);
}

static void words_split_at_white_space(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t count;
        const char *words[4];
    } cases[] = {
        {"cat dog lion", 3, {"cat", "dog", "lion"}},
        {"  cat\t\n dog  ", 2, {"cat", "dog"}},
        {"New\\ York city", 2, {"New York", "city"}},
        {"a\\\\ b", 2, {"a\\", "b"}},
        {"a\\b", 1, {"a\\b"}},
        {"a\\", 1, {"a\\"}},
        {"a\u00A0b\u3000c", 3, {"a", "b", "c"}},
        {"\\ ", 1, {" "}},
        {"", 0, {NULL}},
        {" \n", 0, {NULL}},
        {"漢字 😀", 2, {"漢字", "😀"}},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const *words = NULL;
        size_t count = text_split(&arena, cases[i].text, strlen(cases[i].text), &words);
        assert_int_equal(count, cases[i].count);
        for (size_t j = 0; j < count; j++) {
            assert_string_equal(words[j], cases[i].words[j]);
        }
    }
    arena_free(&arena);
}

static void distance_counts_edits(void **state)
{
    (void)state;
    assert_int_equal(text_distance("softmax", "softmax"), 0);
    assert_int_equal(text_distance("sofmax", "softmax"), 1);
    assert_int_equal(text_distance("kitten", "sitting"), 3);
    assert_int_equal(text_distance("", "cat"), 3);
    char long_name[300];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    assert_int_equal(text_distance(long_name, ""), 64);
    assert_int_equal(text_distance("", long_name), 64);
}

/* Where a line may end: between Chinese and Japanese letters as they are set (JIS X 4051), at a
 * space, but not within what belongs together. */
static void lines_end_where_they_may(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t at;
        bool may;
    } cases[] = {
        {"漢字", 3, true},
        {"漢字", 0, false},
        {"漢字", 6, false},
        {"漢字", 1, false},
        {"漢。", 3, false},
        {"（漢", 3, false},
        {"《漢", 3, false},
        {"“漢", 3, false},
        {"(漢", 1, false},
        {"漢a", 3, true},
        {"a漢", 1, true},
        {"ab", 1, false},
        {"漢 a", 3, true},
        {"漢)", 3, false},
        {"豈更", 3, true},
        {"ＡＢ", 3, true},
        {"\U00020000漢", 4, true},
        {"\U00040000a", 4, false},
        {"é€", 2, false},
        {"漢", 9, false},
        {"\uFB00a", 3, false},
        {"\uFFF0a", 3, false},
        {"a\u2E7F", 1, false},
        {"a\uA000", 1, false},
        {"1.6 %", 3, false},
        {"16 of 20", 2, true},
        {"step 1 500", 4, true},
        {"step 1 500", 6, false},
        {"1 234 567", 5, false},
        {"in 1 5000", 4, true},
        {"at 3 12", 4, true},
        {"a (x, y)", 1, true},
        {"a (x, y)", 5, false},
        {"(63.35, 36.65)", 7, false},
        {"(−1.88, −2.00)", 9, false},
        {"(−2.47, 0.88, 0.38)", 15, false},
        {"(x, y", 3, true},
        {"(x) (y)", 3, true},
        {"(brackets with more than a pair)", 14, true},
        {"a ", 1, true},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        if (text_may_break(cases[c].text, strlen(cases[c].text), cases[c].at) != cases[c].may) {
            fail_msg("%s at %zu", cases[c].text, cases[c].at);
        }
    }
    assert_int_equal(text_former_letter("ab", 2, 9), 1);
}

/* What is nearly nothing is bounded; words, and numbers that are none so small, stay. */
static void powers_below_a_thousandth_become_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *text, *read;
    } cases[] = {{"4.5e-5", "<0.001"},
                 {"−4.5e-5", ">−0.001"},
                 {"9.9e-4", "<0.001"},
                 {"9.999 + 0.005 + 2.3e-4 — so", "9.999 + 0.005 + <0.001 — so"},
                 {"(−1.0e-12·2) − 3.1e-4", "(>−0.001·2) − <0.001"},
                 {"0.043", "0.043"},
                 {"1.96e+20", "1.96e+20"},
                 {"4.5e-2", "4.5e-2"},
                 {"e-5", "e-5"},
                 {"“1.5e-5” and a1.5e-5b", "“1.5e-5” and a1.5e-5b"},
                 {"", ""}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(text_without_powers(&arena, cases[i].text), cases[i].read);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"A broken byte is one replacement character.", broken_bytes_become_replacements, NULL,
         NULL, NULL},
        {"Families, flags and accents are one letter each.", letters_are_what_people_see, NULL,
         NULL, NULL},
        {"Stepping back retraces stepping forth.", stepping_back_retraces_stepping_forth, NULL,
         NULL, NULL},
        {"Powers of ten below a thousandth become bounds.", powers_below_a_thousandth_become_bounds,
         NULL, NULL, NULL},
        {"Cleaning composes accents and drops controls.", cleaning_composes_and_drops_controls,
         NULL, NULL, NULL},
        {"Endless rows of combining marks are cleaned in a moment.",
         endless_marks_are_cleaned_in_a_moment, NULL, NULL, NULL},
        {"Words split at white space, and a backslash keeps it.", words_split_at_white_space, NULL,
         NULL, NULL},
        {"Lines end between ideographs and at spaces, not within what belongs together.",
         lines_end_where_they_may, NULL, NULL, NULL},
        {"The distance of two words counts single-letter edits.", distance_counts_edits, NULL, NULL,
         NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
