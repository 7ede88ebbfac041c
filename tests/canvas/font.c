/* Text: measured once, the same everywhere, for any text a person can paste. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "canvas/text/font.h"

static const char ARABIC[] = "\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85"; /* salam, four letters */

static float width_of(struct fonts *fonts, enum font_face face, const char *text)
{
    return font_measure(fonts, face, 1, text, strlen(text));
}

static void a_known_word_has_its_known_width(void **state)
{
    /* From the advances and kerning of Inter 4.0 beta 7, without hinting. */
    assert_float_equal(width_of(*state, FONT_WORDS, "attention"), 4.2358, 0.0005);
    const float once = font_measure(*state, FONT_WORDS, 11, "attention", 9);
    const float large = font_measure(*state, FONT_WORDS, 110, "attention", 9);
    assert_float_equal(large, 10 * once, 0.001);
}

/* Before any other text was shaped, so that nothing has been drawn so far. */
static void a_text_of_invisible_letters_comes_first(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"\n", "\t", "\u200b", "\u200f", "\ufeff", "\u2060"};
    struct fonts *const fonts = fonts_open(NULL);
    assert_non_null(fonts);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        const float width = width_of(fonts, FONT_WORDS, texts[t]);
        assert_true(width >= 0 && width < 3);
    }
    assert_true(width_of(fonts, FONT_WORDS, "attention") > 4);
    fonts_close(fonts);
}

static void letters_are_kerned(void **state)
{
    const float apart = width_of(*state, FONT_WORDS, "A") + width_of(*state, FONT_WORDS, "V");
    assert_true(width_of(*state, FONT_WORDS, "AV") < apart - 0.02f);
}

static void digits_never_jitter(void **state)
{
    const float width = width_of(*state, FONT_NUMBERS, "0");
    for (char digit = '1'; digit <= '9'; digit++) {
        const char text[] = {digit, 0};
        assert_float_equal(width_of(*state, FONT_NUMBERS, text), width, 1e-6);
        assert_float_equal(width_of(*state, FONT_NUMBERS_BOLD, text), width, 1e-6);
    }
    assert_float_equal(width_of(*state, FONT_NUMBERS, "\xe2\x88\x92"), width, 1e-6);
    assert_float_equal(width_of(*state, FONT_NUMBERS, "\xe2\x88\x92\xe2\x88\x9e"), 2 * width, 1e-6);
}

static void what_is_written_is_what_is_drawn(void **state)
{
    const struct font_run *arrow = font_shape(*state, FONT_WORDS, "->", 2);
    const uint32_t dash = arrow->glyph[0].id;
    assert_int_equal(arrow->glyphs, 2);
    assert_int_equal(font_shape(*state, FONT_WORDS, "-", 1)->glyph[0].id, dash);
}

static void the_mathematics_of_attention_is_never_a_box(void **state)
{
    static const char *const texts[] = {
        ("QK\xe1\xb5\x80/\xe2\x88\x9a"
         "d\xe2\x82\x96"),
        "\xce\xb1\xc2\xb7V",
        "\xe2\x88\x92\xe2\x88\x9e",
        "W\xe2\x82\x92 \xc3\x97 \xc3\xb7 \xe2\x86\x92 \xce\xa3 \xcf\x84 \xe2\x80\xa6 \xe2\x87\xa7",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (int face = 0; face < FONT_FACES; face++) {
            const struct font_run *run =
                font_shape(*state, (enum font_face)face, texts[i], strlen(texts[i]));
            for (size_t g = 0; g < run->glyphs; g++) {
                assert_int_not_equal(run->glyph[g].id, 0);
            }
        }
    }
}

static void a_letter_that_no_font_has_is_a_box_with_a_width(void **state)
{
    /* A code point for private use that no system font is likely to claim. */
    const char *text = "\xf4\x8f\xbf\xbd";
    const struct font_run *run = font_shape(*state, FONT_WORDS, text, strlen(text));
    assert_int_equal(run->glyphs, 0);
    assert_int_equal(run->missing, 1);
    assert_int_equal(run->stretch[0].apart, 0x10fffd);
    assert_true(run->width > 0.2f);
    assert_true(width_of(*state, FONT_WORDS, "\xe6\xbc\xa2") > 0.2f); /* a Han letter, box or not */
}

/* Says whether the system has a bold font with this letter. */
static bool system_has_bold(uint32_t letter)
{
    FcConfig *const config = FcInitLoadConfigAndFonts();
    FcPattern *const wanted = FcPatternCreate();
    FcCharSet *const letters = FcCharSetCreate();
    FcResult result = FcResultNoMatch;
    int weight = 0;
    FcBool thickened = FcFalse; /* a font that is not bold, said to be so when drawn twice */
    FcCharSetAddChar(letters, letter);
    FcPatternAddCharSet(wanted, FC_CHARSET, letters);
    FcPatternAddString(wanted, FC_FAMILY, (const FcChar8 *)"sans-serif");
    FcPatternAddInteger(wanted, FC_WEIGHT, FC_WEIGHT_BOLD);
    FcConfigSubstitute(config, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcPattern *const found = FcFontMatch(config, wanted, &result);
    FcCharSet *has = NULL;
    const bool there = found != NULL &&
                       FcPatternGetCharSet(found, FC_CHARSET, 0, &has) == FcResultMatch &&
                       FcCharSetHasChar(has, letter) &&
                       FcPatternGetInteger(found, FC_WEIGHT, 0, &weight) == FcResultMatch &&
                       weight >= FC_WEIGHT_BOLD &&
                       (FcPatternGetBool(found, FC_EMBOLDEN, 0, &thickened) != FcResultMatch ||
                        thickened == FcFalse);
    if (found != NULL) {
        FcPatternDestroy(found);
    }
    FcCharSetDestroy(letters);
    FcPatternDestroy(wanted);
    FcConfigDestroy(config);
    return there;
}

/* A Chinese headline is as bold as an English one, whichever was drawn first. */
static void letters_of_the_system_are_bold_beside_bold_ones(void **state)
{
    const char *const cat = "\xe7\x8c\xab";
    if (!system_has_bold(0x732b)) {
        skip();
    }
    const uint32_t plain = font_shape(*state, FONT_WORDS, cat, 3)->stretch[0].file;
    const uint32_t bold = font_shape(*state, FONT_WORDS_BOLD, cat, 3)->stretch[0].file;
    assert_string_not_equal(fonts_file(*state, plain).path, fonts_file(*state, bold).path);
    struct fonts *const others = fonts_open(NULL);
    assert_non_null(others);
    const uint32_t first = font_shape(others, FONT_WORDS_BOLD, cat, 3)->stretch[0].file;
    const uint32_t second = font_shape(others, FONT_WORDS, cat, 3)->stretch[0].file;
    assert_string_equal(fonts_file(others, first).path, fonts_file(*state, bold).path);
    assert_string_equal(fonts_file(others, second).path, fonts_file(*state, plain).path);
    fonts_close(others);
}

static void letters_that_no_font_has_stand_side_by_side_with_carets_between(void **state)
{
    const char *text = "a\xf4\x8f\xbf\xbd\xf4\x8f\xbf\xbd\xcc\x81z"; /* the second with an accent */
    const struct font_run *run = font_shape(*state, FONT_WORDS, text, strlen(text));
    const float box = width_of(*state, FONT_WORDS, "\xf4\x8f\xbf\xbd");
    const float a = width_of(*state, FONT_WORDS, "a");
    assert_int_equal(run->missing, 2);
    assert_float_equal(run->width, a + 2 * box + width_of(*state, FONT_WORDS, "z"), 1e-4);
    assert_float_equal(font_caret(*state, FONT_WORDS, 1, text, strlen(text), 5), a + box, 1e-4);
    assert_int_equal(font_hit(*state, FONT_WORDS, 1, text, strlen(text), a + 2 * box), 11);
    assert_int_equal(font_fit(*state, FONT_WORDS, 1, text, strlen(text), a + 1.5f * box), 5);
}

static void no_box_stands_for_white_space_and_signs_without_ink(void **state)
{
    static const char *const texts[] = {
        "\xe2\x80\x83", "\xe3\x80\x80", "\xe2\x80\x8d", "\xef\xb8\x8f", "\xe2\x80\xae", " ", "\t"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(font_shape(*state, FONT_WORDS, texts[i], strlen(texts[i]))->missing, 0);
    }
}

static void arabic_reads_to_the_left_and_numbers_in_it_to_the_right(void **state)
{
    char text[64];
    strcpy(text, ARABIC);
    strcat(text, " 12.5");
    const struct font_run *run = font_shape(*state, FONT_WORDS, text, strlen(text));
    const struct font_stretch *first = &run->stretch[0];
    const struct font_stretch *last = &run->stretch[run->stretches - 1];
    assert_false(first->right_to_left); /* the number stands at the left … */
    assert_int_equal(first->start, sizeof ARABIC);
    assert_true(last->right_to_left); /* … and the word, which comes first, at the right */
    assert_int_equal(last->start, 0);
    assert_string_equal(last->script, "Arab");
    const size_t length = strlen(ARABIC);
    const float width = font_measure(*state, FONT_WORDS, 20, ARABIC, length);
    assert_float_equal(font_caret(*state, FONT_WORDS, 20, ARABIC, length, 0), width, 0.01);
    assert_float_equal(font_caret(*state, FONT_WORDS, 20, ARABIC, length, length), 0, 0.01);
    assert_true(font_caret(*state, FONT_WORDS, 20, ARABIC, length, 2) < width);
}

static void joined_letters_are_narrower_than_single_ones(void **state)
{
    float alone = 0;
    for (size_t i = 0; i < strlen(ARABIC); i += 2) {
        alone += font_measure(*state, FONT_WORDS, 1, ARABIC + i, 2);
    }
    assert_true(width_of(*state, FONT_WORDS, ARABIC) < alone - 0.1f);
}

static void invalid_bytes_are_shown_as_replacement_characters(void **state)
{
    const float one = width_of(*state, FONT_WORDS, "\xef\xbf\xbd");
    assert_true(one > 0.2f);
    assert_float_equal(width_of(*state, FONT_WORDS, "\xff\xfe"), 2 * one, 1e-4);
    assert_float_equal(width_of(*state, FONT_WORDS, "\xe2\x88"), 2 * one, 1e-4);
    assert_float_equal(font_measure(*state, FONT_WORDS, 13, NULL, 0), 0, 0);
}

static void every_caret_is_hit_where_it_stands(void **state)
{
    static const char *const texts[] = {"attention", "caf\xc3\xa9 e\xcc\x81t\xc3\xa9", "office",
                                        ARABIC, "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9!"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *text = texts[i];
        const size_t length = strlen(text);
        for (size_t at = 0;; at = text_next_letter(text, length, at)) {
            const float x = font_caret(*state, FONT_WORDS, 14, text, length, at);
            assert_int_equal(font_hit(*state, FONT_WORDS, 14, text, length, x), at);
            if (at >= length) {
                break;
            }
        }
    }
    assert_int_equal(font_hit(*state, FONT_WORDS, 14, "cat", 3, -50), 0);
    assert_int_equal(font_hit(*state, FONT_WORDS, 14, "cat", 3, 500), 3);
}

static void what_fits_is_as_much_as_fits(void **state)
{
    const char *text = "the quick brown fox";
    const size_t length = strlen(text);
    for (float width = 0; width < 150; width += 7) {
        const size_t fits = font_fit(*state, FONT_WORDS, 13, text, length, width);
        assert_true(font_measure(*state, FONT_WORDS, 13, text, fits) <= width + 0.3f);
        if (fits < length) {
            assert_true(font_measure(*state, FONT_WORDS, 13, text, fits + 1) > width - 0.3f);
        }
    }
    /* An accent stays on its letter. */
    const float narrow = width_of(*state, FONT_WORDS, "e") * 13 * 0.9f;
    assert_int_equal(font_fit(*state, FONT_WORDS, 13, "e\xcc\x81x", 4, narrow), 0);
}

static void a_hundred_thousand_letters_take_no_second(void **state)
{
    enum { MANY = 100000 };
    char *text = malloc(MANY);
    assert_non_null(text);
    for (size_t i = 0; i < MANY; i++) {
        text[i] = (char)(i % 7 == 0 ? ' ' : 'a' + i % 26);
    }
    const clock_t start = clock();
    const size_t fits = font_fit(*state, FONT_WORDS, 13, text, MANY, 500);
    const float width = font_measure(*state, FONT_WORDS, 13, text, MANY);
    const float caret = font_caret(*state, FONT_WORDS, 13, text, MANY, MANY / 2);
    const size_t hit = font_hit(*state, FONT_WORDS, 13, text, MANY, caret);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    free(text);
    assert_true(fits > 40 && fits < 200);
    assert_true(width > 13 * 0.2f * MANY && caret > width * 0.4f && caret < width * 0.6f);
    assert_true(hit > MANY / 2 - 10 && hit < MANY / 2 + 10);
    assert_true(seconds < 3); /* 0.05 on two old cores; a hundred times that under sanitizers */
}

static void trimming_forgets_only_what_is_not_used(void **state)
{
    char text[32];
    const float before = width_of(*state, FONT_WORDS, "attention");
    for (int i = 0; i < 30000; i++) {
        const int digits[5] = {i / 10000, i / 1000 % 10, i / 100 % 10, i / 10 % 10, i % 10};
        for (int d = 0; d < 5; d++) {
            text[d] = (char)('0' + digits[d]);
        }
        text[5] = 0;
        width_of(*state, FONT_NUMBERS, text);
    }
    const struct font_run *run = font_shape(*state, FONT_WORDS, "attention", 9);
    fonts_trim(*state);
    assert_float_equal(run->width, before, 1e-6); /* used in this frame: still there */
    fonts_trim(*state);
    fonts_trim(*state);
    assert_float_equal(width_of(*state, FONT_WORDS, "attention"), before, 1e-6);
}

static void heights_come_from_the_font(void **state)
{
    assert_float_equal(font_cap_height(*state, FONT_WORDS, 100), 72.7, 0.2);
}

static int open_fonts(void **state)
{
    *state = fonts_open(NULL);
    return *state == NULL;
}

static int close_fonts(void **state)
{
    fonts_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_word_has_its_known_width),
        cmocka_unit_test(a_text_of_invisible_letters_comes_first),
        cmocka_unit_test(letters_are_kerned),
        cmocka_unit_test(digits_never_jitter),
        cmocka_unit_test(what_is_written_is_what_is_drawn),
        cmocka_unit_test(the_mathematics_of_attention_is_never_a_box),
        cmocka_unit_test(a_letter_that_no_font_has_is_a_box_with_a_width),
        cmocka_unit_test(letters_of_the_system_are_bold_beside_bold_ones),
        cmocka_unit_test(letters_that_no_font_has_stand_side_by_side_with_carets_between),
        cmocka_unit_test(no_box_stands_for_white_space_and_signs_without_ink),
        cmocka_unit_test(arabic_reads_to_the_left_and_numbers_in_it_to_the_right),
        cmocka_unit_test(joined_letters_are_narrower_than_single_ones),
        cmocka_unit_test(invalid_bytes_are_shown_as_replacement_characters),
        cmocka_unit_test(every_caret_is_hit_where_it_stands),
        cmocka_unit_test(what_fits_is_as_much_as_fits),
        cmocka_unit_test(a_hundred_thousand_letters_take_no_second),
        cmocka_unit_test(trimming_forgets_only_what_is_not_used),
        cmocka_unit_test(heights_come_from_the_font),
    };
    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
