/* Arrays as json.dump writes them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file/json_arrays.h"

static struct bytes bytes_of(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

/* "attention float32 1x2x2: 1 0 0.5 0.5" of each array, then "tokens=[…]" of each note. */
static const char *told(const struct json_arrays *arrays, struct arena *arena)
{
    char *text = arena_format(arena, "%s", "");
    for (size_t a = 0; a < arrays->count; a++) {
        const struct array *const array = &arrays->array[a];
        text = arena_format(arena, "%s%s %s %s:", text, array->name, array_type_name(array->type),
                            array_shape_text(array, "x", arena));
        for (size_t i = 0; i < array_count(array); i++) {
            text = arena_format(arena, "%s %g", text, array_number(array, i));
        }
        text = arena_format(arena, "%s\n", text);
    }
    for (size_t u = 0; u < arrays->unread_count; u++) {
        text = arena_format(arena, "%s%s %s\n", text, arrays->unread[u].array.name,
                            arrays->unread[u].type);
    }
    for (size_t n = 0; n < arrays->notes; n++) {
        text = arena_format(arena, "%s%s=%s\n", text, arrays->note[2 * n], arrays->note[2 * n + 1]);
    }
    return text;
}

static void arrays_and_words_are_found_by_their_names(void **state)
{
    static const struct {
        const char *text, *holds;
    } files[] = {
        {"{\"attention\": [[[1.0, 0.0], [0.5, 0.5]]], \"tokens\": [\"a\", \"b\"]}",
         "attention float32 1x2x2: 1 0 0.5 0.5\ntokens=[\"a\", \"b\"]\n"},
        {"\xEF\xBB\xBF {\"tokens\": [[\"a\"]],\n \"weights\":[[1]]}\n",
         "weights int64 1x1: 1\ntokens=[\"a\"]\n"},
        {"{\"a\": [[NaN, Infinity], [-Infinity, null]], \"s\": \"x \\\"y\\\" \\u00e4\"}",
         "a float32 2x2: nan inf -inf nan\ns=x \"y\" \u00e4\n"},
        {"[[0.25, 7.5e-1], [1, 0]]", " float32 2x2: 0.25 0.75 1 0\n"},
        {"{\"input_ids\": [101, 9223, 102], \"a\": [[true, false]], \"n\": 3, \"no\": null}",
         "input_ids int64 3: 101 9223 102\na int64 1x2: 1 0\n"},
        {"{\"all\": {\"attn\": [[0.5]], \"left_text\": [\"x\"]}}",
         "all.attn float32 1x1: 0.5\nall.left_text=[\"x\"]\n"},
        {"{\"layers\": [{\"attention\": [[0.5]]}, {\"attention\": [[1.5]]}]}",
         "layers.0.attention float32 1x1: 0.5\nlayers.1.attention float32 1x1: 1.5\n"},
        {"{\"attentions\": [[[0.5, 0.5], [1.5, 0]], [[0.5, 0.5, 0.25]]]}",
         "attentions_0 float32 2x2: 0.5 0.5 1.5 0\nattentions_1 float32 1x3: 0.5 0.5 0.25\n"},
        {"{\"attentions\": null, \"b\": null, \"cross_attentions\": [null, null], \"attn\": []}",
         "attentions None\ncross_attentions None\nattn None\n"},
        {"{\"a\": [], \"b\": [[], []], \"c\": [[0.5]]}", "c float32 1x1: 0.5\n"},
        {"{\"texts\": [[\"a\", \"]\"], [\"b\"]], \"c\": [[0.5]]}",
         "c float32 1x1: 0.5\ntexts=[[\"a\", \"]\"], [\"b\"]]\n"},
        {"{\"a\": [[0.1, 0.9]], \"a\": [[2.5]]}", "a float32 1x2: 0.1 0.9\na float32 1x1: 2.5\n"},
    };
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct arena arena = {0};
        struct json_arrays arrays;
        struct error error = {ERROR_NONE, 0, ""};
        if (!json_arrays_read(bytes_of(files[f].text), &arena, &arrays, &error)) {
            fail_msg("%s: %s", files[f].text, error.text);
        }
        assert_string_equal(told(&arrays, &arena), files[f].holds);
        arena_free(&arena);
    }
}

static void what_is_no_array_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *text, *says;
    } files[] = {
        {"{\"a\": [[0.5, 0.5], [1, x]]}", "Line 1, column 24: this is no number"},
        {"{\"a\": [[0.5],\n [1e99]]}", "Line 2, column 3: this is no number, or one too large."},
        {"{\"a\": [[0.5, [1]]]}", "this is no number"},
        {"{\"a\": [[0.5], 1]}", "a list stands beside a number"},
        {"{\"a\": [[0.5]}", "a comma or a bracket ] is missing"},
        {"{\"a\": [[0.5]]", "a comma or a brace } is missing"},
        {"{\"a\": [[0.5]], 7}", "a name in quotes is missing"},
        {"{\"a\" [[0.5]]}", "a colon is missing"},
        {"{\"a\": \"x", "a text does not end"},
        {"{\"a\": [\"x\"", "it ends too early"},
        {"{\"a\": \"\\x\"}", "this is no sound text"},
        {"{\"a\": [[0.5]]} x", "something stands behind its end"},
        {"[[[[[[[[[1]]]]]]]]]", "nested too deep"},
        {"{\"attention\": [[0.5]]}\n{\"attention\": [[0.5]]}\n",
         "It holds several objects, one a line"},
        {"[{\"attention\": [[0.5]]}, {}]", "It holds several objects"},
    };
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct arena arena = {0};
        struct json_arrays arrays;
        struct error error = {ERROR_NONE, 0, ""};
        if (json_arrays_read(bytes_of(files[f].text), &arena, &arrays, &error) ||
            strstr(error.text, files[f].says) == NULL) {
            fail_msg("%s: “%s” does not say “%s”", files[f].text, error.text, files[f].says);
        }
        assert_int_equal(error.code, ERROR_INPUT);
        arena_free(&arena);
    }
}

static void lessons_and_sizes_of_models_are_told_from_arrays(void **state)
{
    static const struct {
        const char *text;
        bool arrays;
    } texts[] = {
        {"{\"attention\": [[[0.5, 0.5]", true}, /* as far as it is at hand */
        {"{\"tokens\": [\"a\", \"{\\\"\"], \"x\": {\"deep\": [[NaN", true},
        {"[[1, 0], [0, 1]]", true},
        {"{\"attentions\": null}", true},
        {"{\"cross_attentions\": [null, null]}", true},
        {"{\"attentions\": []}", true},
        {"{\"a\": 1}\n{\"a\": 2}\n", true}, /* to be refused as what it is */
        {"[{\"attention\": [[1]]}]", true},
        {"{\"layers\": [{\"attention\": [[1]]}]}", true},
        {"{\"format\": \"attnscope-lesson\", \"alpha\": [[1]]}", false},
        {"{\"alpha\": [[1]], \"format\": \"attnscope-lesson\"}", false},
        {"{\"experiment\": {\"alpha\": [[1]]}, \"steps\": [{}]}", false},
        {"{\"model_type\": \"gpt_neo\", \"attention_types\": [[[\"global\", \"local\"], 12]]}",
         false},
        {"{\"model_type\": \"bert\", \"attention_bias\": null}", false},
        {"[{\"directory\": \"a\"}, {\"file\": \"b\"}]", false},
        {"[[{\"attention\": [[1]]}]]", false},
        {"[1, 2, 3]", false},
        {"[\"a\"]", false},
        {"{\"tokens\": [\"a\"]}", false},
        {"a,b\n1,2\n", false},
        {"", false},
    };
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        if (json_arrays_probe(bytes_of(texts[t].text)) != texts[t].arrays) {
            fail_msg("%s", texts[t].text);
        }
    }
}

/* Lists within lists take a stack each, numbers memory: both end at a limit. */
static void nothing_grows_without_bounds(void **state)
{
    enum { MANY = 1 << 20 };
    struct arena arena = {0};
    struct json_arrays arrays;
    struct error error = {ERROR_NONE, 0, ""};
    char *const text = malloc(2 * MANY + 16);
    (void)state;
    memset(text, '[', MANY);
    assert_false(json_arrays_read((struct bytes){(uint8_t *)text, MANY}, &arena, &arrays, &error));
    for (size_t i = 0; i < MANY; i++) { /* {"":{"":… */
        memcpy(text + 4 * (i % (MANY / 4)), "{\"\":", 4);
    }
    assert_false(json_arrays_read((struct bytes){(uint8_t *)text, MANY}, &arena, &arrays, &error));
    assert_non_null(strstr(error.text, "nested too deep"));
    (void)json_arrays_probe((struct bytes){(uint8_t *)text, MANY});
    text[0] = '['; /* 100 000 rows of unequal length: each would be an array */
    size_t length = 1;
    for (size_t i = 0; i < 100000; i++) {
        memcpy(text + length, i % 2 == 0 ? "[1]," : "[1,2],", i % 2 == 0 ? 4 : 6);
        length += i % 2 == 0 ? 4 : 6;
    }
    text[length - 1] = ']';
    assert_false(
        json_arrays_read((struct bytes){(uint8_t *)text, length}, &arena, &arrays, &error));
    assert_non_null(strstr(error.text, "more than 16384 arrays"));
    free(text);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"Arrays and words are found by their names.", arrays_and_words_are_found_by_their_names,
         NULL, NULL, NULL},
        {"What is no array is refused with its place.", what_is_no_array_is_refused_with_its_place,
         NULL, NULL, NULL},
        {"Lessons and sizes of models are told from arrays.",
         lessons_and_sizes_of_models_are_told_from_arrays, NULL, NULL, NULL},
        {"Nothing grows without bounds.", nothing_grows_without_bounds, NULL, NULL, NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
