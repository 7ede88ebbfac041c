/* Errors are one sentence for a person. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/embedded.h"
#include "base/error.h"

static void sentences_end_in_a_full_stop(void **state)
{
    (void)state;
    struct error error = {.at = 7};
    assert_false(error_set(&error, ERROR_USAGE, "there is no lesson \"%s\"", "dogs"));
    assert_string_equal(error.text, "there is no lesson \"dogs\".");
    assert_int_equal(error.code, ERROR_USAGE);
    assert_int_equal(error.at, 0);
    error_set(&error, ERROR_USAGE, "Did you mean cats?");
    assert_string_equal(error.text, "Did you mean cats?");
    assert_false(error_set(NULL, ERROR_USAGE, "nobody listens"));
}

static void sentences_stay_one_line_of_text(void **state)
{
    (void)state;
    struct error error;
    error_set(&error, ERROR_FILE, "\"%s\" is odd.", "a\nb\x1B[31m\xFF\xC3");
    assert_string_equal(error.text, "\"a?b?[31m??\" is odd.");
}

static void long_sentences_are_cut_between_letters(void **state)
{
    (void)state;
    char name[900];
    for (size_t shift = 0; shift < 3; shift++) {
        memset(name, 'x', sizeof name);
        for (size_t i = shift; i + 3 < sizeof name; i += 3) {
            memcpy(name + i, "\xE2\x82\xAC", 3); /* € */
        }
        name[sizeof name - 4] = '\0';
        struct error error;
        error_set(&error, ERROR_FILE, "%s", name);
        size_t length = strlen(error.text);
        assert_true(length < sizeof error.text && length > sizeof error.text - 12);
        const char *const cut = strstr(error.text, "\xE2\x80\xA6"); /* … */
        assert_non_null(cut);
        assert_memory_equal(cut - 3, "\xE2\x82\xAC", 3);
        assert_memory_equal(cut + 3, "\xE2\x82\xAC", 3);
        assert_non_null(strchr(".?", error.text[length - 1])); /* of half a letter a "?" is left */
    }
}

static void of_a_long_path_the_reason_is_still_read(void **state)
{
    (void)state;
    char path[4096];
    memset(path, 'p', sizeof path);
    memcpy(path + sizeof path - 10, "cats.json", 10);
    struct error error;
    error_set(&error, ERROR_FILE, "\"%s\" cannot be written: %s.", path, "No space left on device");
    assert_memory_equal(error.text, "\"pp", 3);
    assert_non_null(
        strstr(error.text, "ppcats.json\" cannot be written: No space left on device."));
}

static void fonts_are_inside_the_program(void **state)
{
    (void)state;
    const struct embedded *font = embedded_find("fonts/Inter-Regular.otf");
    assert_non_null(font);
    assert_memory_equal(font->bytes, "OTTO", 4);
    assert_int_equal(font->bytes[font->size], 0);
    assert_int_equal((uintptr_t)font->bytes % 64, 0);
    assert_null(embedded_find("fonts/Comic.ttf"));
    size_t count = 0;
    for (const struct embedded *file = embedded_at(0); file != NULL; file = embedded_at(++count)) {
        assert_true(embedded_find(file->name) == file);
        assert_true(file->size > 0);
    }
    assert_true(count >= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"A sentence ends in a full stop, a question in its mark.", sentences_end_in_a_full_stop,
         NULL, NULL, NULL},
        {"A file name with line breaks and broken letters stays one line of text.",
         sentences_stay_one_line_of_text, NULL, NULL, NULL},
        {"A long sentence is cut between two letters.", long_sentences_are_cut_between_letters,
         NULL, NULL, NULL},
        {"Of a long path the reason is still read.", of_a_long_path_the_reason_is_still_read, NULL,
         NULL, NULL},
        {"The fonts are inside the program, whole and aligned.", fonts_are_inside_the_program, NULL,
         NULL, NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
