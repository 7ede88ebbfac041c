/* Members of an experiment whose values are none: each is refused by its name and by what is
 * expected, on its line, and the experiment stays as it was. */
#include <stdio.h>
#include <stdlib.h>

#include "../experiment_text.h"
#include "bench.h"

static const char *const words[] = {"the", "cat", "sat"};

static void refuse(const char *text, const char *says)
{
    struct lab_experiment experiment = experiment_of(words, 3), before;
    struct error error = {ERROR_NONE, 0, ""};
    const struct bytes bytes = {(const uint8_t *)text, strlen(text)};
    lab_experiment_copy(&before, &experiment);
    if (experiment_from_text(bytes, &experiment, &error) || strstr(error.text, says) == NULL ||
        error.code != ERROR_INPUT) {
        fail_msg("%s: \"%s\", where \"%s\" is meant", text, error.text, says);
    }
    assert_true(lab_experiment_equal(&experiment, &before));
    lab_experiment_release(&experiment);
    lab_experiment_release(&before);
}

#define EDIT(members) "{\"edits\": [{" members "}]}"
#define ALL "\"part\": \"Q\", \"row\": 0, \"column\": 0, \"value\": 1"

static void each_is_refused_by_its_name(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"{\"scale\": 1}", "“scale”: true or false"},
        {"{\"residual\": \"true\"}", "“residual”: true or false"},
        {"{\"flash\": [2]}", "“flash”"},
        {"{\"flash\": [2, 0]}", "“flash”"},
        {"{\"flash\": [2, 5000]}", "“flash”"},
        {"{\"flash\": [2, 2.5]}", "“flash”"},
        {"{\"flash\": [2, 2, 2]}", "“flash”"},
        {"{\"flash\": 2}", "“flash”"},
        {"{\"lesson\": \"a name of more than thirty-two letters\"}", "at most 31 bytes"},
        {"{\"lesson\": 3}", "“lesson”: a text"},
        {"{\"seed\": -1}", "“seed”: a whole number from 0"},
        {"{\"seed\": \"12x\"}", "“seed”: a whole number from 0"},
        {"{\"seed\": \"18446744073709551616\"}", "“seed”: a whole number from 0"},
        {"{\"seed\": 0.5}", "“seed”: a whole number from 0"},
        {"{\"tokens\": \"the cat\"}", "“tokens”: a list of words"},
        {"{\"tokens\": [\"the\", null]}", "word 2 is not a text"},
        {"{\"context\": [[]]}", "“context”: word 1 is not a text"},
        {"{\"W_Q\": [1, 2, 3]}", "“W_Q”: rows of numbers"},
        {"{\"W_Q\": [[[[1]]]]}", "“W_Q”: rows of numbers"},
        {"{\"W_Q\": [[1, \"2\"]]}", "“W_Q”"},
        {"{\"painted\": [1, 0, 1]}", "“painted”: rows of 0 (hidden) and 1"},
        {"{\"painted\": [[[1]]]}", "“painted”: rows of 0 (hidden) and 1"},
        {"{\"attention\": \"many heads\"}", "“attention”"},
        {"{\"attention\": 5}", "“attention”"},
        {"{\"embedding\": \"round\"}", "“embedding”: one of these"},
        {"{\"d_k\": 1.5}", "“d_k”: a whole number from 0"},
        {"{\"temperature\": \"hot\"}", "“temperature”: a number from 0.01"},
        {"{\"temperature\": 1e300}", "“temperature”: a number from 0.01"},
        {EDIT("\"part\": 5, \"row\": 0, \"column\": 0, \"value\": 1"), "“part”: one of these"},
        {EDIT("\"part\": \"S\", \"row\": 0, \"column\": 0, \"value\": 1"), "“part”: one of these"},
        {EDIT("\"row\": 0, \"column\": 0, \"value\": 1"), "“part” is missing"},
        {EDIT("\"part\": \"Q\", \"column\": 0, \"value\": 1"), "“row” is missing"},
        {EDIT("\"part\": \"Q\", \"row\": 0, \"value\": 1"), "“column” is missing"},
        {EDIT("\"part\": \"Q\", \"row\": 0, \"column\": 0"), "“value” is missing"},
        {EDIT(ALL ", \"head\": 1"), "“edits”: Q has no row 0, column 0 in head 1"},
        {EDIT(ALL ", \"heads\": 1"), "is “head” meant?"},
        {"{\"edits\": 3}", "“edits”: a list of edited numbers"},
        {"{\"edits\": [3]}", "an object in braces"},
        /* the line is that of the key, whatever stands before it */
        {"\xef\xbb\xbf{\"tokens\": [\"\\\"}\", \"{\\\\\"],\n \"edits\":\n [{" ALL "},\n {" ALL
         ", \"head\": -1}]}",
         "Line 4, “head”: a whole number from 0 to 255"},
        {"{\"context\": null, \"W_Q\": [[1, 2], [3, 4]],\n\"mask\": {\"a\": [true, false]},"
         "\n\"d_k\": \"x\"}",
         "Line 3, “d_k”"},
        {"5", "Line 1: an object in braces"},
        {"[[1, 2], {\"a\": 3}]", "Line 1: an object in braces"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        refuse(cases[c].text, cases[c].says);
    }
}

/* One more than there may be. */
static void too_many_words_are_refused_by_their_number(void **state)
{
    (void)state;
    enum { EACH = 4, WORDS = LAB_TOKENS_MAX + 1 };
    static char text[EACH * WORDS + 64];
    for (size_t n = 0; n < 2; n++) {
        size_t length = (size_t)sprintf(text, "{\"%s\": [", n == 0 ? "tokens" : "context");
        for (size_t w = 0; w < WORDS; w++) {
            length += (size_t)sprintf(text + length, "%s\"a\"", w > 0 ? "," : "");
        }
        strcpy(text + length, "]}");
        refuse(text, n == 0 ? "“tokens”: " : "“context”: ");
        refuse(text, "4097 words");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_refused_by_its_name),
        cmocka_unit_test(too_many_words_are_refused_by_their_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
