/* The interface's languages: looked up where sentences are made, files and numbers stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../environment.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/translate.h"

static int speak_english(void **state)
{
    (void)state;
    language_speak(NULL);
    return 0;
}

static void english_is_spoken_until_another_is_chosen(void **state)
{
    (void)state;
    assert_string_equal(language_current()->code, "en");
    assert_string_equal(tr("Undo"), "Undo");
    language_speak(language_find("de"));
    assert_string_equal(tr("Queries come from these words"), "Anfragen kommen von diesen Wörtern");
    language_speak(language_find("zh_CN"));
    assert_string_equal(tr("Queries come from these words"), "查询来自这些词");
    assert_string_equal(tr("a word of somebody's own"), "a word of somebody's own");
    assert_null(tr(NULL));
    assert_string_equal(tr(""), "");
}

static void a_sentence_with_numbers_is_made_in_the_language(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    language_speak(language_find("de"));
    assert_string_equal(arena_format(&arena, "Head %zu of %zu", (size_t)2, (size_t)12),
                        "Kopf 2 von 12");
    error_set(&error, ERROR_INPUT, "There is not enough memory for a picture.");
    assert_string_equal(error.text, "Der Speicher reicht nicht für ein Bild.");
    language_speak(language_find("zh_CN"));
    error_set(&error, ERROR_INPUT, "There is not enough memory for a picture.");
    assert_string_equal(error.text, "内存不足，无法生成图片。"); /* and no second full stop */
    arena_free(&arena);
}

static void a_locale_finds_its_language(void **state)
{
    (void)state;
    static const struct {
        const char *locale, *code;
    } cases[] = {
        {"de", "de"},
        {"de_DE.UTF-8", "de"},
        {"de_AT", "de"},
        {"de-CH", "de"},
        {"zh_CN.UTF-8", "zh_CN"},
        {"zh_SG", "zh_CN"},
        {"en_US.UTF-8", "en"},
        {"C", "en"},
        {"POSIX", "en"},
        {"zh_TW", NULL},
        {"fr_FR", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct language *language = language_find(cases[i].locale);
        if (cases[i].code == NULL) {
            assert_null(language);
        } else {
            assert_non_null(language);
            assert_string_equal(language->code, cases[i].code);
        }
    }
}

static void the_environment_says_which_language_is_wished(void **state)
{
    (void)state;
    static const char *const names[] = {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"};
    static const struct {
        const char *value[4], *code;
    } cases[] = {
        {{NULL, NULL, NULL, NULL}, "en"},
        {{NULL, NULL, NULL, "de_DE.UTF-8"}, "de"},
        {{NULL, NULL, "zh_CN.UTF-8", "de_DE.UTF-8"}, "zh_CN"},
        {{NULL, "C", "zh_CN.UTF-8", "de_DE.UTF-8"}, "en"},
        {{"de:en", NULL, NULL, "en_GB.UTF-8"}, "de"},
        {{"fr", NULL, NULL, "de_DE.UTF-8"}, "de"},
        {{NULL, "fr_FR.UTF-8", NULL, "de_DE.UTF-8"}, "en"},
        {{NULL, "", NULL, "de_DE.UTF-8"}, "de"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t n = 0; n < 4; n++) {
            assert_true(environment_set(names[n], cases[i].value[n]));
        }
        assert_string_equal(language_wished()->code, cases[i].code);
    }
}

static void catalogues_are_sorted_and_say_the_same_texts(void **state)
{
    (void)state;
    const struct language *first = language_at(1);
    assert_true(first->messages > 900);
    for (size_t l = 1; language_at(l) != NULL; l++) {
        const struct language *language = language_at(l);
        assert_int_equal(language->messages, first->messages);
        for (size_t m = 0; m < language->messages; m++) {
            assert_string_equal(language->message[m].english, first->message[m].english);
            assert_true(m == 0 ||
                        strcmp(language->message[m - 1].english, language->message[m].english) < 0);
            assert_true(language->message[m].words[0] != '\0');
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(english_is_spoken_until_another_is_chosen, speak_english),
        cmocka_unit_test_teardown(a_sentence_with_numbers_is_made_in_the_language, speak_english),
        cmocka_unit_test(a_locale_finds_its_language),
        cmocka_unit_test(the_environment_says_which_language_is_wished),
        cmocka_unit_test(catalogues_are_sorted_and_say_the_same_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
