/* Mistakes in a call, word by word: every refusal says which word is wrong, and what would be
 * right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/calls.h"
#include "cli/cli.h"
#include "cli/options.h"

enum { WORDS_MAX = 80 };

struct call_words {
    const char *word[WORDS_MAX];
};

static bool read_words(unsigned call, const struct call_words *words, struct cli_options *options,
                       struct error *error)
{
    static char store[WORDS_MAX][512];
    char *argument[WORDS_MAX + 1] = {NULL};
    int count = 0;
    for (; count < WORDS_MAX && words->word[count] != NULL; count++) {
        snprintf(store[count], sizeof store[count], "%s", words->word[count]);
        argument[count] = store[count];
    }
    return cli_options_read(options, call, count, argument, 0, error);
}

static const struct {
    unsigned call;
    struct call_words words;
    const char *says;
} wrong[] = {
    {CALL_RENDER, {{"--qqqqqqqq"}}, "There is no option --qqqqqqqq; --help lists them."},
    {CALL_RENDER, {{"--stagee", "score"}}, "There is no option --stagee; did you mean --stage?"},
    {CALL_RENDER, {{"-x"}}, "There is no option -x; --help lists them."},
    {CALL_RENDER, {{"--=1"}}, "There is no option --=1; --help lists them."},
    {CALL_RENDER,
     {{"--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}},
     "There is no option --aaaaaaaaaa"},
    {CALL_RENDER, {{"--stage"}}, "--stage needs a value: "},
    {CALL_RENDER, {{"-o"}}, "-o needs a value: "},
    {CALL_RENDER, {{"--help=yes"}}, "--help takes no value."},
    {CALL_DESCRIBE, {{"--size", "1x1"}}, "--size does not belong to this call"},
    {CALL_RENDER,
     {{"--stage", "scoer"}},
     "There is no stage called \"scoer\"; did you mean score?"},
    {CALL_RENDER,
     {{"--theme", "x"}},
     "There is no theme called \"x\"; there are light, dark, grey."},
    {CALL_RENDER, {{"--theme", ""}}, "There is no theme called \"\"; there are"},
    {CALL_RENDER, {{"--heads", "0"}}, "--heads must be a whole number from 1 to 256, not \"0\"."},
    {CALL_RENDER, {{"--heads", "257"}}, "--heads must be a whole number from 1 to 256"},
    {CALL_RENDER, {{"--heads", "-1"}}, "not \"-1\"."},
    {CALL_RENDER, {{"--heads", "two"}}, "not \"two\"."},
    {CALL_RENDER,
     {{"--seed", "18446744073709551616"}},
     "--seed must be a whole number from 0 to 18446744073709551615"},
    {CALL_RENDER, {{"--temperature", "0"}}, "--temperature must be a number from 0.01 to 100"},
    {CALL_RENDER, {{"--temperature", "101"}}, "--temperature must be a number from 0.01 to 100"},
    {CALL_RENDER, {{"--temperature", "nan"}}, "--temperature must be a number from 0.01 to 100"},
    {CALL_RENDER, {{"--scale", "0.01"}}, "--scale must be a number from"},
    {CALL_RENDER, {{"--scale", "100"}}, "--scale must be a number from"},
    {CALL_RENDER, {{"--scale", "maybe"}}, "--scale is on, off or pixels per point, not \"maybe\"."},
    {CALL_DESCRIBE, {{"--scale", "2"}}, "--scale is on or off here, not \"2\"."},
    {CALL_RENDER, {{"--size", "100x"}}, "--size is WxH in points"},
    {CALL_WINDOW, {{"--size", "100"}}, "--size is WxH here, not \"100\"."},
    {CALL_RENDER, {{"--size", "100xmm"}}, "--size is WxH in points"},
    {CALL_RENDER, {{"--size", "x"}}, "--size is WxH in points"},
    {CALL_RENDER, {{"--size", "0x100"}}, "--size is WxH in points"},
    {CALL_RENDER, {{"--size", "100x0"}}, "--size is WxH in points"},
    {CALL_RENDER, {{"--size", "100x1000000"}}, "--size is WxH in points"},
    {CALL_RENDER, {{"--size", "1000000x100"}}, "--size is WxH in points"},
    {CALL_RENDER, {{"--size", "100000000000000000000000x100"}}, "--size is WxH in points"},
    {CALL_COMPUTE, {{"-o", "a.json", "-o", "b.json"}}, "One -o is enough: only render takes"},
    {CALL_RENDER, {{"a.json", "b.json"}}, "One file at a time: \"b.json\" is one too many."},
    {CALL_RENDER, {{"--", "-a", "--b"}}, "One file at a time: \"--b\" is one too many."},
    {CALL_RENDER, {{"--size", "85mm", "x", "60mm"}}, "A size is one word: --size 85mmx60mm."},
    {CALL_LESSONS, {{"a.json"}}, "This call takes no file: \"a.json\"."},
};

static void every_refusal_says_what_would_be_right(void **state)
{
    (void)state;
    size_t misread = 0;
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        struct cli_options options;
        struct error error = {ERROR_NONE, 0, ""};
        if (read_words(wrong[w].call, &wrong[w].words, &options, &error) ||
            error.code != ERROR_USAGE || strstr(error.text, wrong[w].says) == NULL) {
            misread++;
            print_error("%s %s: not “%s”: %s\n", wrong[w].words.word[0],
                        wrong[w].words.word[1] == NULL ? "" : wrong[w].words.word[1], wrong[w].says,
                        error.text);
        }
    }
    assert_int_equal(misread, 0);
}

static void as_many_pictures_as_are_allowed(void **state)
{
    (void)state;
    struct call_words words = {{NULL}};
    struct cli_options options;
    struct error error = {ERROR_NONE, 0, ""};
    for (size_t o = 0; o < CLI_OUTS_MAX; o++) {
        words.word[2 * o] = "-o";
        words.word[2 * o + 1] = "a.png";
    }
    assert_true(read_words(CALL_RENDER, &words, &options, &error));
    assert_int_equal(options.outs, CLI_OUTS_MAX);
    words.word[2 * CLI_OUTS_MAX] = "-o";
    words.word[2 * CLI_OUTS_MAX + 1] = "b.png";
    assert_false(read_words(CALL_RENDER, &words, &options, &error));
    assert_string_equal(error.text, "At most 32 times -o.");
}

/* Values behind = or as the next word, units of length, a file called - or like an option. */
static void what_is_right_is_read(void **state)
{
    (void)state;
    struct cli_options options;
    struct error error = {ERROR_NONE, 0, ""};
    const struct call_words words = {{"--stage=score", "--size", "10cmx50", "--scale", "off",
                                      "--scale", "3", "--seed", "18446744073709551615",
                                      "--temperature", "0.01", "--heads=256", "--", "--file"}};
    if (!read_words(CALL_RENDER, &words, &options, &error)) {
        fail_msg("%s", error.text);
    }
    assert_string_equal(options.file, "--file");
    assert_string_equal(options.value[CLI_STAGE].text, "score");
    assert_true(options.value[CLI_SIZE].number > 283.4 && options.value[CLI_SIZE].number < 283.5);
    assert_true(options.value[CLI_PARAM(SCALE)].number == 3 &&
                options.value[CLI_PARAM(SCALE)].whole == 1);
    assert_true(options.value[CLI_PARAM(SEED)].whole == UINT64_MAX);
    const struct call_words dash = {{"-"}};
    assert_true(read_words(CALL_RENDER, &dash, &options, &error));
    assert_string_equal(options.file, "-");
}

/* How the window looks is no question to one layer of the model: all heads are shown. */
static void a_model_is_whole_however_the_window_looks(void **state)
{
    (void)state;
    static const char *const looks[][2] = {
        {"--language", "de"}, {"--theme", "dark"}, {"--size", "1280x720"}, {"--stage", "blend"}};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        char store[5][512];
        char *argument[6] = {NULL};
        const char *const words[] = {"attnscope", getenv("TINY_MODEL"), "--text=The cat",
                                     looks[i][0], looks[i][1]};
        for (size_t w = 0; w < 5; w++) {
            snprintf(store[w], sizeof store[w], "%s", words[w]);
            argument[w] = store[w];
        }
        struct cli_window window;
        assert_int_equal(cli_main(5, argument, &window), CLI_WINDOW);
        assert_non_null(window.model);
        cli_window_release(&window);
    }
}

/* The window's own lesson has steps, too. */
static void a_step_of_the_first_lesson_needs_no_name(void **state)
{
    (void)state;
    char store[4][32] = {"attnscope", "--presenter", "--step", "4"};
    char *argument[] = {store[0], store[1], store[2], store[3], NULL};
    struct cli_window window;
    assert_int_equal(cli_main(4, argument, &window), CLI_WINDOW);
    assert_int_equal(window.step, 3);
    assert_int_equal(window.stage, LAB_SOFTMAX);
    cli_window_release(&window);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_refusal_says_what_would_be_right),
        cmocka_unit_test(as_many_pictures_as_are_allowed),
        cmocka_unit_test(what_is_right_is_read),
        cmocka_unit_test(a_step_of_the_first_lesson_needs_no_name),
        cmocka_unit_test(a_model_is_whole_however_the_window_looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
