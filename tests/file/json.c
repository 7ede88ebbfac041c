/* JSON read and written. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file/json.h"

static struct bytes bytes_of(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static void values_are_found_by_name_and_kind(void **state)
{
    (void)state;
    struct error error = {0};
    struct json *tree = json_parse(
        bytes_of(
            "\xEF\xBB\xBF{\"title\": \"Katzen \\u00fc\", \"heads\": 8, \"t\": 0.5, \"on\": true,"
            " \"none\": null, \"list\": [1, \"a\"], \"even\": 3e3, \"far\": 1e16}"),
        &error);
    assert_non_null(tree);
    const char *text = NULL;
    double number = 0;
    int64_t whole = 0;
    bool truth = false;
    assert_true(json_text(json_member(tree, "title"), &text));
    assert_string_equal(text, "Katzen ü");
    assert_true(json_whole_number(json_member(tree, "heads"), &whole));
    assert_int_equal(whole, 8);
    assert_true(json_number(json_member(tree, "t"), &number));
    assert_true(number == 0.5);
    assert_false(json_whole_number(json_member(tree, "t"), &whole));
    assert_true(json_truth(json_member(tree, "on"), &truth) && truth);
    assert_int_equal(json_kind_of(json_member(tree, "none")), JSON_KIND_NULL);
    assert_int_equal(json_kind_of(json_member(tree, "missing")), JSON_KIND_NONE);
    assert_true(json_whole_number(json_member(tree, "even"), &whole));
    assert_int_equal(whole, 3000);
    assert_false(json_whole_number(json_member(tree, "far"), &whole));
    assert_false(json_text(json_member(json_member(tree, "missing"), "deeper"), &text));
    assert_false(json_number(json_member(tree, "title"), &number));
    assert_int_equal(json_count(json_member(tree, "list")), 2);
    assert_true(json_text(json_element(json_member(tree, "list"), 1), &text));
    assert_int_equal(json_kind_of(json_element(json_member(tree, "list"), 2)), JSON_KIND_NONE);

    static const char *const keys[] = {"title", "heads", "t", "on", "none", "list", "even", "far"};
    void *place = NULL;
    const char *key = NULL;
    size_t count = 0;
    while (json_next_member(tree, &place, &key) != NULL) {
        assert_string_equal(key, keys[count++]);
    }
    assert_int_equal(count, 8);
    json_release(tree);
    json_release(NULL);
}

static void mistakes_are_found_by_line_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where;
    } cases[] = {
        {"{\"a\": 1,\n \"b\" 2}", "Line 2, column 6"},
        {"[1, 2", "Line 1"},
        {"", "Line 1"},
        {"{\"a\": NaN}", "Line 1"},
        {"[1,]", "Line 1, column 4"},
        {"{\"a\": 1, \"a\": 2}", "duplicate"},
        {"\"\\ud800\"", "Line 1"},
        {"\"\xFF\"", "byte 0xff"},
        {"1e999", "number"},
        {"[1] x", "Line 1"},
        {"[1,\n 12345678901234567890123456789012345678901234567890123456789012345]",
         "Line 2, column 66"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        assert_null(json_parse(bytes_of(cases[i].text), &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_non_null(strstr(error.text, cases[i].where));
    }
}

static void depth_and_long_numbers_are_refused(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    static char text[DEPTH];
    struct error error = {0};
    memset(text, '[', DEPTH);
    assert_null(json_parse((struct bytes){(uint8_t *)text, DEPTH}, &error));
    assert_non_null(strstr(error.text, "too deep"));
    assert_int_equal(error.at, JSON_DEPTH_MAX);
    memset(text, '9', DEPTH);
    assert_null(json_parse((struct bytes){(uint8_t *)text, DEPTH}, &error));
    assert_non_null(strstr(error.text, "too long"));
    /* exactly as deep as is allowed */
    memset(text, '[', JSON_DEPTH_MAX);
    memset(text + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
    struct json *tree = json_parse((struct bytes){(uint8_t *)text, 2 * JSON_DEPTH_MAX}, &error);
    assert_non_null(tree);
    json_release(tree);
    /* brackets inside a text are letters */
    memset(text, '[', DEPTH);
    text[0] = text[DEPTH - 1] = '"';
    tree = json_parse((struct bytes){(uint8_t *)text, DEPTH}, &error);
    assert_non_null(tree);
    json_release(tree);
}

/* As Python's json writes numbers that are none: where it is allowed they are values, of which
 * nobody reads a number; words in texts stay, and so do lines and columns. */
static void constants_of_python_are_read_where_that_is_asked(void **state)
{
    (void)state;
    const struct json_limits python = {.constants = true};
    const struct bytes text = bytes_of("{\"a\": NaN, \"b\": [Infinity, -Infinity, 1],\n"
                                       " \"NaN\": \"-Infinity and \\\"NaN\", \"c\": 2}");
    static const char *const refused[] = {"{\"a\": NaNs}",      "{\"a\": aNaN}", "{\"a\": -NaN}",
                                          "{\"a\": +Infinity}", "{\"a\": nan}",  "{NaN: 1}x",
                                          "{\"a\": Infinity1}", "NaN NaN",       "{\"a\": \"NaN}"};
    struct error error = {0};
    const char *found = NULL;
    double number = 0;
    assert_null(json_parse(text, &error));
    struct json *const tree = json_parse_within(text, &python, &error);
    assert_non_null(tree);
    assert_false(json_number(json_member(tree, "a"), &number));
    assert_int_not_equal(json_kind_of(json_member(tree, "a")), JSON_KIND_NULL);
    assert_int_equal(json_count(json_member(tree, "b")), 3);
    assert_false(json_number(json_element(json_member(tree, "b"), 1), &number));
    assert_true(json_number(json_element(json_member(tree, "b"), 2), &number));
    assert_true(json_text(json_member(tree, "NaN"), &found));
    assert_string_equal(found, "-Infinity and \"NaN");
    json_release(tree);
    for (size_t r = 0; r < sizeof refused / sizeof *refused; r++) {
        if (json_parse_within(bytes_of(refused[r]), &python, &error) != NULL) {
            fail_msg("%s is read", refused[r]);
        }
    }
    assert_null(json_parse_within(bytes_of("[NaN,\n Infinity, ?]"), &python, &error));
    assert_non_null(strstr(error.text, "Line 2, column 1"));
}

/* A value of many elements, as text; the caller frees it. */
static char *long_value(const char *before, const char *element, size_t count, const char *behind)
{
    const size_t each = strlen(element), size = strlen(before) + count * each + strlen(behind) + 1;
    char *const text = malloc(size);
    assert_non_null(text);
    char *at = text + sprintf(text, "%s", before);
    for (size_t i = 0; i < count; i++, at += each) {
        memcpy(at, element, each);
    }
    strcpy(at, behind);
    return text;
}

/* Large values under other names are passed over, wherever they stand; values that are asked for,
 * and small ones, are read. */
static void large_values_are_read_under_their_names_alone(void **state)
{
    (void)state;
    enum { MANY = 40000 };
    static const char *const large[] = {"vocab", "model", NULL};
    static const struct {
        const char *before, *element, *behind;
        bool skipped;
    } rows[] = {
        {"{\"a\": 1, \"junk\": [", "0,", "0], \"b\": 2}", true},
        {"{\"a\": 1, \"junk\": {\"x\": [", "{},", "0]}, \"b\": 2}", true},
        {"{\"a\": 1, \"junk\": [[[", "\"]}\",", "0]]], \"b\": 2}", true},
        {"{\"a\": 1, \"junk\"  \n : \n [", "\n0,", "0], \"b\": 2}", true},
        {"{\"a\": 1, \"b\": 2, \"junk\": {\"vocab\": [", "0,", "0]}}", true},
        {"{\"a\": 1, \"vocab\": [", "0,", "0], \"b\": 2}", false},
        {"{\"a\": 1, \"model\": {\"vocab\": [", "[0],", "0]}, \"b\": 2}", false},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char *const text = long_value(rows[r].before, rows[r].element, MANY, rows[r].behind);
        const struct bytes bytes = {(const uint8_t *)text, strlen(text)};
        struct error error = {ERROR_NONE, 0, ""};
        struct json *const tree =
            json_parse_within(bytes, &(struct json_limits){.large = large}, &error);
        int64_t a = 0, b = 0;
        assert_non_null(tree);
        assert_true(json_whole_number(json_member(tree, "a"), &a) && a == 1);
        assert_true(json_whole_number(json_member(tree, "b"), &b) && b == 2);
        assert_int_equal(json_count(tree), 3); /* the name is still told */
        assert_int_equal(json_kind_of(json_member(tree, "junk")),
                         rows[r].skipped ? JSON_KIND_NULL : JSON_KIND_NONE);
        json_release(tree);
        struct json *const whole = json_parse(bytes, NULL); /* without names all is read */
        assert_true(!rows[r].skipped || json_count(json_member(whole, "junk")) > 0);
        json_release(whole);
        free(text);
    }
    char *const begun =
        long_value("{\"j\": [", "0,", MANY, "0],\n \"a\": 1,\n  \"b\": ?, \"k\": [");
    char *const wrong = long_value(begun, "0,", MANY, "0]}");
    const struct bytes bytes = {(const uint8_t *)wrong, strlen(wrong)};
    struct error error = {ERROR_NONE, 0, ""};
    assert_null(json_parse_within(bytes, &(struct json_limits){.large = large}, &error));
    assert_non_null(strstr(error.text, "Line 3, column "));
    free(begun);
    free(wrong);
}

static void nested_numbers_become_arrays(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    struct array array;
    struct json *tree = json_parse(bytes_of("[[1, 2, 3], [4, null, 6.5]]"), &error);
    assert_true(json_floats(tree, &arena, &array, &error));
    assert_string_equal(array_shape_text(&array, " × ", &arena), "2 × 3");
    assert_true(array_number(&array, 5) == 6.5);
    assert_true(isnan(array_number(&array, 4)));
    json_release(tree);
    static const char *const bad[] = {
        "[[[[[[[[[1]]]]]]]]]", "[[1, 2], [3]]", "[1, [2]]", "[[1], 2]", "[\"a\"]",
        "{\"a\": 1}",          "[1e300]",       "true"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tree = json_parse(bytes_of(bad[i]), &error);
        assert_non_null(tree);
        assert_false(json_floats(tree, &arena, &array, &error));
        json_release(tree);
    }
    assert_false(json_floats(NULL, &arena, &array, &error));
    /* Eight axes of 300: no machine could count these numbers. */
    enum { AXES = 8, LENGTH = 300 };
    char deep[AXES * (2 * LENGTH + 2) + 2] = "";
    size_t at = 0;
    for (size_t axis = 0; axis < AXES; axis++) {
        deep[at++] = '[';
    }
    for (size_t axis = 0; axis < AXES; axis++) {
        for (size_t e = axis > 0; e < LENGTH; e++) {
            memcpy(deep + at, axis == 0 && e == 0 ? " 1" : ",1", 2);
            at += 2;
        }
        deep[at++] = ']';
    }
    tree = json_parse((struct bytes){(const uint8_t *)deep, at}, &error);
    assert_non_null(tree);
    assert_false(json_floats(tree, &arena, &array, &error));
    assert_string_equal(error.text, "The rows are not all equally long.");
    json_release(tree);
    arena_free(&arena);
}

static void what_is_written_reads_well(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    struct bytes out;
    struct json_writer json = json_writer_start(&arena);
    json_begin_object(&json);
    json_key(&json, "tokens");
    json_put_texts(&json, (const char *const[]){"cat", "d\"o\\g", "a\nb\x01"}, 3);
    json_key(&json, "context");
    json_put_text(&json, NULL);
    json_key(&json, "scale");
    json_put_double(&json, 1.0 / 3.0);
    json_key(&json, "seed");
    json_put_whole_number(&json, INT64_MIN);
    json_key(&json, "on");
    json_put_truth(&json, true);
    json_key(&json, "scaled");
    json_put_floats(&json, 2, (size_t[]){2, 2}, (const float[]){0.1F, -INFINITY, NAN, -0.0F});
    json_key(&json, "empty");
    json_begin_object(&json);
    json_end_object(&json);
    json_key(&json, "flash");
    json_begin_object_in_line(&json);
    json_key(&json, "rows");
    json_put_float(&json, 16);
    json_key(&json, "columns");
    json_put_float(&json, 32);
    json_end_object(&json);
    json_end_object(&json);
    assert_true(json_writer_finish(&json, &out, &error));
    assert_string_equal((const char *)out.at,
                        "{\n"
                        "  \"tokens\": [\"cat\", \"d\\\"o\\\\g\", \"a\\nb\\u0001\"],\n"
                        "  \"context\": null,\n"
                        "  \"scale\": 0.3333333333333333,\n"
                        "  \"seed\": -9223372036854775808,\n"
                        "  \"on\": true,\n"
                        "  \"scaled\": [\n"
                        "    [0.1, null],\n"
                        "    [null, 0]\n"
                        "  ],\n"
                        "  \"empty\": {},\n"
                        "  \"flash\": {\"rows\": 16, \"columns\": 32}\n"
                        "}\n");
    struct json *tree = json_parse(out, &error);
    assert_non_null(tree);
    json_release(tree);
    arena_free(&arena);
}

static void any_text_is_written_as_valid_json(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    struct json_writer json = json_writer_start(&arena);
    json_begin_array(&json, JSON_LINES);
    for (int byte = 1; byte < 256; byte++) {
        json_put_text(&json, (const char[]){'<', (char)byte, '>', 0});
    }
    json_end_array(&json);
    struct bytes out;
    assert_true(json_writer_finish(&json, &out, &error));
    struct json *tree = json_parse(out, &error);
    assert_int_equal(json_count(tree), 255);
    const char *text = NULL;
    assert_true(json_text(json_element(tree, 6), &text));
    assert_string_equal(text, "<\a>");
    assert_true(json_text(json_element(tree, 254), &text));
    assert_string_equal(text, "<\xEF\xBF\xBD>");
    json_release(tree);
    arena_free(&arena);
}

static void unbalanced_writing_is_reported(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    struct bytes out;
    struct json_writer json = json_writer_start(&arena);
    json_begin_object(&json);
    assert_false(json_writer_finish(&json, &out, &error));
    json = json_writer_start(&arena);
    json_end_array(&json);
    assert_false(json_writer_finish(&json, &out, &error));
    json = json_writer_start(&arena);
    for (int i = 0; i < 2 * JSON_DEPTH_MAX; i++) {
        json_begin_array(&json, JSON_ONE_LINE);
    }
    assert_false(json_writer_finish(&json, &out, &error));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"Values are found by name and kind.", values_are_found_by_name_and_kind, NULL, NULL, NULL},
        {"Mistakes are found by line and column.", mistakes_are_found_by_line_and_column, NULL,
         NULL, NULL},
        {"Endless depth and endless numbers are refused.", depth_and_long_numbers_are_refused, NULL,
         NULL, NULL},
        {"Python's NaN and Infinity are read where that is asked.",
         constants_of_python_are_read_where_that_is_asked, NULL, NULL, NULL},
        {"Large values are read under their names alone.",
         large_values_are_read_under_their_names_alone, NULL, NULL, NULL},
        {"Nested numbers become arrays.", nested_numbers_become_arrays, NULL, NULL, NULL},
        {"What is written reads well and is JSON.", what_is_written_reads_well, NULL, NULL, NULL},
        {"Any text is written as valid JSON.", any_text_is_written_as_valid_json, NULL, NULL, NULL},
        {"Unbalanced writing is reported, not written.", unbalanced_writing_is_reported, NULL, NULL,
         NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
