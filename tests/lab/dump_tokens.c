/* Where the tokens of a file of attention are found. */
#include "tensors.h"

static const char path[] = "attention-of-tokens.safetensors";

/* ---- tokens --------------------------------------------------------------------------------- */

static const char tokens_path[] = "attention-of-tokens.tokens";

struct words_case {
    const char *notes;         /* in the file */
    const char *ids;           /* the name of an array of ids in it, or NULL */
    size_t many;               /* how many ids */
    const char *name, *beside; /* what stands in a file; its end */
    struct lab_dump_request request;
    const char *second; /* the word of the second row; NULL: refused */
    const char *says;   /* why it is refused; or what is not used */
};

static const struct tensor weights = {"attentions", 2, {3, 3}, EVEN};

static void write_text(const char *to, const char *text)
{
    FILE *const file = fopen(to, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void try_words(const struct words_case *one)
{
    struct tensor tensors[2] = {weights, {one->ids, 1, {one->many}, IDS}};
    char beside[64] = "";
    struct error error = {ERROR_NONE, 0, ""};
    save(path, tensors, one->ids != NULL ? 2 : 1, one->notes);
    if (one->name != NULL) {
        snprintf(beside, sizeof beside, "%s%s", tokens_path, one->beside);
        write_text(beside, one->name);
    }
    struct lab_dump_request request = one->request;
    request.words = one->name != NULL ? beside : request.words;
    struct lab_dump *const dump = lab_dump_open(path, &request, &error);
    const char *const said = dump != NULL ? lab_dump_facts(dump)->unused : error.text;
    if ((dump != NULL) != (one->second != NULL) ||
        (one->says != NULL && strstr(said, one->says) == NULL)) {
        fail_msg("\"%s\", where \"%s\" is meant", said, one->says != NULL ? one->says : "nothing");
    }
    if (dump != NULL) {
        assert_string_equal(lab_words_list(lab_dump_facts(dump)->queries)[1], one->second);
    }
    lab_dump_close(dump);
    unlink(path);
    if (one->name != NULL) {
        unlink(beside);
    }
}

static void tokens_are_found_in_the_file_or_named(void **state)
{
    static const struct words_case cases[] = {
        {.ids = "token_ids", .many = 3, .second = "2"},
        {.ids = "input_ids", .many = 3, .second = "2"},
        {.ids = "input_ids",
         .many = 4,
         .second = "2",
         .says = "input_ids (4, but there are 3 rows and 3 columns)"},
        {.ids = "mine", .many = 3, .request = {.inside = "mine"}, .second = "2"},
        {.ids = "mine", .many = 4, .request = {.inside = "mine"}, .says = "mine holds 4 tokens"},
        {.ids = "mine",
         .many = 5000,
         .request = {.inside = "mine"},
         .says = "mine holds 5000 tokens"},
        {.request = {.inside = "mine"}, .says = "mine holds no tokens"},
        {.notes = "\"tokens\":\"[\\\"a\\\", \\\"b\\\", 3]\"", .second = "b"},
        {.notes = "\"tokens\":\"a b c\"", .second = "b"},
        {.notes = "\"mine\":\"a b c\"", .request = {.inside = "mine"}, .second = "b"},
        {.notes = "\"mine\":\"\"", .request = {.inside = "mine"}, .says = "holds no tokens"},
        {.notes = "\"tokens\":\"a b c\"", .request = {.counted = true}, .second = "2"},
        {.name = "[\"a\", \"\", \"c\"]", .beside = ".json", .second = "\u00b7"},
        {.name = "[\"a\", \" \", \"c\"]", .beside = ".json", .second = "\u00b7"},
        {.name = "[\"a\", [], \"c\"]", .beside = ".json", .says = "holds no list of tokens"},
        {.name = "{\"words\": [\"a\"]}", .beside = ".json", .says = "holds 1 tokens"},
        {.name = "{\"words\": [\"a\", \"b\", \"c\"]}", .beside = ".json", .second = "b"},
        {.name = "{\"words\": 3}", .beside = ".json", .says = "holds no list of tokens"},
        {.name = "[\"a\", \"b\"", .beside = ".json", .says = "ine 1"},
        {.name = "a\nb\nc\nd\n", .beside = ".txt", .says = "holds 4 tokens, but there are 3 rows"},
        {.name = "a\nb c\nd\n", .beside = "", .second = "b c"},
        {.name = "a\r\nb c\r\nd\r\n", .beside = ".txt", .second = "b c"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        try_words(&cases[c]);
    }
}

/* As convert_ids_to_tokens gives them: the alphabet of bytes is read back in all of a list or in
 * none. */
static void tokens_of_bytes_are_read_as_people_read_them(void **state)
{
    static const struct {
        const char *tokens, *shown; /* 5 of them, apart by | in what is shown */
    } cases[] = {
        {"[\"The\",\"\u0120cat\",\"\u010a\",\"\u010a\u010a\",\"\u0120\u0120if\"]",
         "The|\u2423cat|\u21b5|\u21b5\u21b5|\u2423\u2423if"},
        {"[\"\u00e4\u00bd\u0142\",\"\u00e5\u00a5\u00bd\",\"!\",\"caf\u00c3\u00a9\",\"a\"]",
         "\u4f60|\u597d|!|caf\u00e9|a"},
        {"[\"\u00f0\u0141\u013a\u0122\",\"\u00f0\u0141\",\"\u013a\",\"\u0122\",\"\u0120x\"]",
         "\U0001f600|\u27e8F0\u27e9\u27e89F\u27e9|\u27e898\u27e9|\u27e880\u27e9|\u2423x"},
        {"[\"\u0122\",\"\u0120x\",\"<|end|>\",\"\u00f0\u0141\",\"a\"]", /* cut at both ends */
         "\u27e880\u27e9|\u2423x|<|end|>|\u27e8F0\u27e9\u27e89F\u27e9|a"},
        {"[\"<\uff5cbegin\u2581of\uff5c>\",\"caf\u00c3\u00a9\",\"\u0109x\",\"a\",\"b\"]",
         "<\uff5cbegin\u2581of\uff5c>|caf\u00e9|\u21e5x|a|b"},
        /* words of people, and of other tokenizers */
        {"[\"caf\u00e9\",\"na\u00efve\",\"de\u011fil\",\"\u010das\",\"gar\u0101\"]",
         "caf\u00e9|na\u00efve|de\u011fil|\u010das|gar\u0101"},
        {"[\"\u00c5ngstr\u00f6m\",\"\u00bd\",\"a\",\"b\",\"c\"]",
         "\u00c5ngstr\u00f6m|\u00bd|a|b|c"},
        {"[\"play\",\"##ing\",\"[SEP]\",\"a\",\"b\"]", "play|##ing|[SEP]|a|b"},
        {"[\"\u2581The\",\"s\u00e4t\",\"<0xE4>\",\"\u2581\",\"b\"]",
         "\u2423The|s\u00e4t|<0xE4>|\u2423|b"},
    };
    static const struct tensor square = {"attentions", 2, {5, 5}, EVEN};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        char shown[256] = "";
        save(path, &square, 1, NULL);
        write_text("attention-of-bytes.json", cases[c].tokens);
        struct lab_dump *const dump = lab_dump_open(
            path, &(const struct lab_dump_request){.words = "attention-of-bytes.json"}, &error);
        assert_string_equal(error.text, "");
        for (size_t w = 0; w < 5; w++) {
            strncat(shown, w == 0 ? "" : "|", 2);
            strncat(shown, lab_words_list(lab_dump_facts(dump)->queries)[w], 60);
        }
        assert_string_equal(shown, cases[c].shown);
        lab_dump_close(dump);
        unlink("attention-of-bytes.json");
        unlink(path);
    }
}

/* What compute has written of a file beside it, under its name, is no list of words. */
static void numbers_beside_it_are_no_words(void **state)
{
    static const struct tensor array = {"weights", 3, {1, 3, 3}, EVEN};
    struct error error = {ERROR_NONE, 0, ""};
    (void)state;
    char beside[sizeof path + 8];
    snprintf(beside, sizeof beside, "%.*s.json", (int)(strrchr(path, '.') - path), path);
    save(path, &array, 1, NULL);
    FILE *const file = fopen(beside, "w");
    assert_non_null(file);
    assert_int_equal(fseek(file, LAB_DUMP_WORDS_BYTES_MAX, SEEK_SET), 0);
    assert_int_equal(fputs("]", file) >= 0 && fclose(file) == 0, true);
    struct lab_dump *const dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_string_equal(lab_dump_facts(dump)->doubt, "");
    lab_dump_close(dump);
    unlink(beside);
    unlink(path);
}

/* Tokens have whole numbers: queries and keys of others are none, though they are called so. */
static void queries_and_keys_are_no_tokens(void **state)
{
    static const struct tensor both[] = {{"queries", 3, {1, 3, 4}, EVEN},
                                         {"keys", 3, {1, 3, 4}, EVEN}};
    struct error error = {ERROR_NONE, 0, ""};
    (void)state;
    save(path, both, 2, NULL);
    struct lab_dump *const dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_string_equal(lab_dump_facts(dump)->doubt,
                        "No name says which keys a query sees: all are taken as seen.");
    assert_string_equal(lab_dump_facts(dump)->unused, "");
    assert_string_equal(lab_words_list(lab_dump_facts(dump)->queries)[1], "2");
    lab_dump_close(dump);
    unlink(path);
}

/* A file of tokens that lies beside is not asked for: if it is damaged, the rows are counted. */
static void damaged_tokens_beside_a_file_are_told(void **state)
{
    (void)state;
    static const char beside[] = "attention-of-tokens.tokens.json";
    struct error error = {ERROR_NONE, 0, ""};
    save(path, &weights, 1, NULL);
    write_text(beside, "[\"a\", \"b\"");
    struct lab_dump *const dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_non_null(strstr(lab_dump_facts(dump)->doubt, "The tokens beside it: "));
    assert_string_equal(lab_words_list(lab_dump_facts(dump)->queries)[1], "2");
    lab_dump_close(dump);
    unlink(beside);
    unlink(path);
}

static void what_may_be_tokens_is_listed(void **state)
{
    (void)state;
    static const struct tensor tensors[] = {{"attentions", 2, {3, 3}, EVEN},
                                            {"ids", 2, {1, 3}, IDS},
                                            {"many", 1, {5000}, IDS},
                                            {"table", 3, {1, 1, 3}, IDS}};
    struct error error = {ERROR_NONE, 0, ""};
    size_t count = 0;
    save(path, tensors, 4, "\"words\":\"a b c\"");
    struct lab_dump *const dump = lab_dump_list(path, &error);
    assert_non_null(dump);
    const char *const *const names = lab_dump_texts(dump, &count);
    assert_int_equal(count, 2);
    assert_string_equal(names[0], "words");
    assert_string_equal(names[1], "ids");
    assert_ptr_equal(lab_dump_texts(dump, &count), names); /* once */
    lab_dump_close(dump);
    unlink(path);
}

/* The panel that asks about a file need not read it again. */
static void what_is_unclear_is_given_as_a_list(void **state)
{
    (void)state;
    static const struct tensor tensors[] = {{"one", 2, {3, 5}, IDS}, {"other", 3, {1, 2, 3}, IDS}};
    static const struct tensor clear = {"attentions", 2, {3, 3}, EVEN};
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_dump *given = NULL;
    const struct lab_dump_request request = {.unclear = &given};
    save(path, tensors, 2, NULL);
    struct lab_dump *const list = lab_dump_list(path, &error);
    assert_non_null(list);
    assert_null(lab_dump_open(path, &request, &error));
    assert_int_equal(error.code, ERROR_UNCLEAR);
    assert_non_null(given);
    unlink(path);
    assert_int_equal(lab_dump_items(given), 2);
    assert_int_equal(lab_dump_items(list), 2);
    for (size_t i = 0; i < 2; i++) {
        const struct lab_dump_item one = lab_dump_item(list, i), other = lab_dump_item(given, i);
        assert_string_equal(one.name, other.name);
        assert_string_equal(one.shape, other.shape);
        assert_string_equal(one.axes, other.axes);
        assert_int_equal(one.reading, other.reading);
    }
    lab_dump_close(list);
    lab_dump_close(given);
    given = NULL;
    save(path, &clear, 1, NULL);
    struct lab_dump *const dump = lab_dump_open(path, &request, &error);
    assert_non_null(dump);
    assert_null(given);
    lab_dump_close(dump);
    assert_int_equal(truncate(path, 20), 0);
    assert_null(lab_dump_open(path, &request, &error));
    assert_null(given); /* it is damaged: nothing can be asked about it */
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_found_in_the_file_or_named),
        cmocka_unit_test(tokens_of_bytes_are_read_as_people_read_them),
        cmocka_unit_test(damaged_tokens_beside_a_file_are_told),
        cmocka_unit_test(queries_and_keys_are_no_tokens),
        cmocka_unit_test(numbers_beside_it_are_no_words),
        cmocka_unit_test(what_may_be_tokens_is_listed),
        cmocka_unit_test(what_is_unclear_is_given_as_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
