/* Every rule of RFC 8259, each from both sides: what keeps it is taken, what breaks it is refused
 * with line and column. What the RFC leaves open is decided here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file/json.h"

/* Text with its length: there are zeros in some. */
#define TEXT(text)                                                                                 \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }

struct text {
    const char *at;
    size_t size;
};

static const struct text kept[] = {
    TEXT("[]"),
    TEXT("{}"),
    TEXT(" \t\r\n[ \t\r\n] \t\r\n"),
    TEXT("null"),
    TEXT("true"),
    TEXT("false"),
    TEXT("\"\""),
    TEXT("\"a\""),
    TEXT("0"),
    TEXT("-0"),
    TEXT("-1"),
    TEXT("123"),
    TEXT("1.5"),
    TEXT("-0.0"),
    TEXT("1e3"),
    TEXT("1E3"),
    TEXT("1e+3"),
    TEXT("1e-3"),
    TEXT("0e0"),
    TEXT("0.5e10"),
    TEXT("1.7976931348623157e308"),
    TEXT("9223372036854775807"),
    TEXT("-9223372036854775808"),
    TEXT("[null, 1, \"1\", {}]"),
    TEXT("[[[[[]]]]]"),
    TEXT("{\"a\": []}"),
    TEXT("{\"\": 0}"),
    TEXT("{\"a\": 1, \"b\": 1}"),
    TEXT("{\"a\": {\"a\": {}}}"),
    TEXT("{\"a\"\t:\n1\r}"),
    TEXT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""),
    TEXT("\"\\u0041\\u00e9\\u6f22\""),
    TEXT("\"\\ud83d\\ude00\""),
    TEXT("\"\\uD834\\uDd1e\""),
    TEXT("\"\\\\u0000\""),
    TEXT("\"\\uFFFF\""),
    TEXT("\"\\u200B\""),
    TEXT("\"\x7f\""),
    TEXT("\"\xc3\xa9\""),
    TEXT("\"\xe6\xbc\xa2\""),
    TEXT("\"\xf0\x9f\x98\x80\""),
    TEXT("\"\xf4\x8f\xbf\xbf\""),
    TEXT("\"\xef\xbf\xbf\""),
    TEXT("\"/*\""),
    TEXT("\"[{,:\""),
    TEXT("[\"\\\"\", \"]\"]"),
};

static const struct text broken[] = {
    TEXT(""),
    TEXT(" "),
    TEXT("["),
    TEXT("]"),
    TEXT("{"),
    TEXT("}"),
    TEXT("[}"),
    TEXT("{]"),
    TEXT("[1"),
    TEXT("[1,"),
    TEXT("[1,]"),
    TEXT("[,1]"),
    TEXT("[1,,2]"),
    TEXT("[1 2]"),
    TEXT("[1:2]"),
    TEXT("[1]]"),
    TEXT("[1]1"),
    TEXT("[1],"),
    TEXT("1 2"),
    TEXT("{\"a\"}"),
    TEXT("{\"a\":}"),
    TEXT("{\"a\" 1}"),
    TEXT("{\"a\", 1}"),
    TEXT("{:1}"),
    TEXT("{1: 1}"),
    TEXT("{a: 1}"),
    TEXT("{'a': 1}"),
    TEXT("{null: 1}"),
    TEXT("{\"a\": 1,}"),
    TEXT("{\"a\": 1,, \"b\": 2}"),
    TEXT("{\"a\": 1 \"b\": 2}"),
    TEXT("{\"a\": 1 2}"),
    TEXT("{\"a\":: 1}"),
    TEXT("{\"a\": 1}}"),
    TEXT("{\"a\": 1}#"),
    TEXT("{,}"),
    TEXT("'a'"),
    TEXT("a"),
    TEXT("True"),
    TEXT("TRUE"),
    TEXT("nul"),
    TEXT("nulll"),
    TEXT("tru"),
    TEXT("fals"),
    TEXT("None"),
    TEXT("undefined"),
    TEXT("NaN"),
    TEXT("nan"),
    TEXT("-NaN"),
    TEXT("Infinity"),
    TEXT("-Infinity"),
    TEXT("inf"),
    TEXT("+1"),
    TEXT("++1"),
    TEXT("--1"),
    TEXT("-"),
    TEXT("- 1"),
    TEXT("01"),
    TEXT("-01"),
    TEXT("00"),
    TEXT("1."),
    TEXT(".1"),
    TEXT("-.1"),
    TEXT("1.e3"),
    TEXT("1e"),
    TEXT("1e+"),
    TEXT("1e-"),
    TEXT("1e1.5"),
    TEXT("1e1e1"),
    TEXT("1.2.3"),
    TEXT("1,5"),
    TEXT("1_000"),
    TEXT("1 000"),
    TEXT("0x10"),
    TEXT("1f"),
    TEXT("1+2"),
    TEXT("\xef\xbc\x91"),
    TEXT("\""),
    TEXT("\"a"),
    TEXT("a\""),
    TEXT("\"\\\""),
    TEXT("\"\\"),
    TEXT("\"\\x41\""),
    TEXT("\"\\a\""),
    TEXT("\"\\'\""),
    TEXT("\"\\0\""),
    TEXT("\"\\U0041\""),
    TEXT("\"\\u\""),
    TEXT("\"\\u00\""),
    TEXT("\"\\u004\""),
    TEXT("\"\\u00G0\""),
    TEXT("\"\\ud800\\\""),
    TEXT("\"\t\""),
    TEXT("\"\n\""),
    TEXT("\"\x1f\""),
    TEXT("\"\0\""),
    TEXT("[1,\0 2]"),
    TEXT("[1\0,2]"),
    TEXT("{\"a\": 1.5\0}"),
    TEXT("1\0"),
    TEXT("\0"),
    TEXT("[1]\0"),
    TEXT("[1\v]"),
    TEXT("[1\f]"),
    TEXT("[1\xc2\xa0]"),
    TEXT("[\xe2\x81\xa0]"),
    TEXT("// a\n1"),
    TEXT("/* a */ 1"),
    TEXT("1 // a"),
    TEXT("# a\n1"),
    TEXT("\xe2\x80\x9c"
         "a"
         "\xe2\x80\x9d"),
    TEXT("\"\x80\""),
    TEXT("\"\xff\""),
    TEXT("\"\xc3\""),
    TEXT("\"\xc0\xaf\""),
    TEXT("\"\xe0\x80\xaf\""),
    TEXT("\"\xed\xa0\x80\""),
    TEXT("\"\xf4\x90\x80\x80\""),
    TEXT("\"\xf8\x88\x80\x80\x80\""),
    TEXT("\"\xe6\xbc\""),
    TEXT("<a>1</a>"),
    TEXT("{\"a\": @}"),
    TEXT("[1;2]"),
    TEXT("=1"),
};

/* Left open by the RFC. */
static const struct {
    struct text text;
    bool taken;
    const char *why;
} open_questions[] = {
    {TEXT("\xef\xbb\xbf{}"), true, "editors on Windows put a byte-order mark there"},
    {TEXT("\xef\xbb\xbf"), false, "a mark alone is no value"},
    {TEXT("\xef\xbb{}"), false, "half a mark"},
    {TEXT("\xff\xfe[\0]\0"), false, "UTF-16"},
    {TEXT("\xfe\xff\0[\0]"), false, "UTF-16"},
    {TEXT("{\"a\": 1, \"a\": 1}"), false, "which of the two would count?"},
    {TEXT("{\"a\": 1, \"\\u0061\": 2}"), false, "the same name, spelled otherwise"},
    {TEXT("1e400"), false, "no number of the machine"},
    {TEXT("-1e400"), false, "no number of the machine"},
    {TEXT("1e-400"), true, "so near 0 that it is 0"},
    {TEXT("0e9999"), true, "0 all the same"},
    {TEXT("9223372036854775808"), false, "digits would be lost without a word"},
    {TEXT("100000000000000000000"), false, "digits would be lost without a word"},
    {TEXT("100000000000000000000.0"), true, "a number with a point is near enough"},
    {TEXT("0.1000000000000000055511151231257827"), true, "near enough"},
    {TEXT("\"\\ud800\""), false, "half a character"},
    {TEXT("\"\\udc00\""), false, "half a character"},
    {TEXT("\"\\ud800\\ud800\""), false, "two first halves"},
    {TEXT("\"\\ud800a\""), false, "half a character"},
    {TEXT("\"\\ud83d\\u0041\""), false, "half a character"},
    {TEXT("\"\\u0000\""), false, "texts end there in many programs"},
    {TEXT("\"\\uFFFE\""), true, "no character, and harmless"},
    {TEXT("\"\xef\xb7\x90\""), true, "no character, and harmless"},
};

/* At the very end of a block of its own, so that checkers see a step too far. */
static struct json *parse(struct text text, struct error *error)
{
    uint8_t *const copy = malloc(text.size > 0 ? text.size : 1);
    assert_non_null(copy);
    memcpy(copy, text.at, text.size);
    struct json *const tree = json_parse((struct bytes){copy, text.size}, error);
    free(copy);
    return tree;
}

static void expect(struct text text, bool taken, const char *why)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct json *const tree = parse(text, &error);
    if ((tree != NULL) != taken) {
        fail_msg("%.*s is %s (%s) %s", (int)text.size, text.at, taken ? "refused" : "taken", why,
                 error.text);
    }
    const bool told = error.code == ERROR_INPUT && strncmp(error.text, "Line ", 5) == 0 &&
                      error.text[strlen(error.text) - 1] == '.' && error.at <= text.size;
    if (!taken && !told) {
        fail_msg("%.*s: %s", (int)text.size, text.at, error.text);
    }
    json_release(tree);
}

static void what_keeps_the_rules_is_taken(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof kept / sizeof kept[0]; t++) {
        expect(kept[t], true, "it keeps the rules");
    }
}

static void what_breaks_them_is_refused(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof broken / sizeof broken[0]; t++) {
        expect(broken[t], false, "it breaks the rules");
    }
}

static void what_is_left_open_is_decided(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof open_questions / sizeof open_questions[0]; t++) {
        expect(open_questions[t].text, open_questions[t].taken, open_questions[t].why);
    }
}

/* Inside arrays and objects the same rules hold. */
static void rules_hold_within(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof kept / sizeof kept[0] + sizeof broken / sizeof broken[0]; t++) {
        const bool good = t < sizeof kept / sizeof kept[0];
        const struct text inner = good ? kept[t] : broken[t - sizeof kept / sizeof kept[0]];
        char text[200];
        /* "1,5" and its like are two elements of an array, which is no fault of theirs */
        const bool apart =
            !good && (memchr(inner.at, ',', inner.size) != NULL || inner.size == 0 ||
                      memchr(inner.at, ':', inner.size) != NULL || inner.at[0] == ' ');
        if (!apart) {
            memcpy(text, "{\"a\": [0, ", 10);
            memcpy(text + 10, inner.at, inner.size);
            memcpy(text + 10 + inner.size, "]}", 2);
            expect((struct text){text, inner.size + 12}, good, "within");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_keeps_the_rules_is_taken),
        cmocka_unit_test(what_breaks_them_is_refused),
        cmocka_unit_test(what_is_left_open_is_decided),
        cmocka_unit_test(rules_hold_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
