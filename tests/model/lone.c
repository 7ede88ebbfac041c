/* A model of SentencePiece without a tokenizer.json: each family numbers its pieces and puts tokens
 * around a text as its own tokenizer does (files and ids made by tokenizers.py); what no family is
 * known for is refused by its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../opened.h"
#include "base/file.h"
#include "file/json.h"
#include "model/tokenizer.h"

static const char *fixtures;
static char folder[] = "lone-XXXXXX";

static void put(const char *name, struct bytes content)
{
    struct arena arena = {0};
    assert_true(file_write(arena_format(&arena, "%s/%s", folder, name), content, NULL));
    arena_free(&arena);
}

static void put_text(const char *name, const char *text)
{
    put(name, (struct bytes){(const uint8_t *)text, strlen(text)});
}

static struct bytes content_of(const char *name, struct arena *arena)
{
    struct bytes bytes;
    struct error error = {ERROR_NONE, 0, ""};
    if (!file_read(arena_format(arena, "%s/%s", fixtures, name), 1 << 20, arena, &bytes, &error)) {
        fail_msg("%s", error.text);
    }
    return bytes;
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "lone-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static void empty_folder(void)
{
    static const char *const names[] = {"config.json",      "tokenizer_config.json",
                                        "spiece.model",     "sentencepiece.bpe.model",
                                        "tokenizer.model",  "vocab.json",
                                        "added_tokens.json"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%s", folder, names[n]);
        unlink(path);
    }
}

static int remove_folder(void **state)
{
    (void)state;
    empty_folder();
    return rmdir(folder);
}

/* Writes the files of a row: JSON, or where it has none the model. */
static void put_files(const struct json *files, struct bytes model)
{
    const char *name = NULL;
    void *place = NULL;
    for (const struct json *file; (file = json_next_member(files, &place, &name)) != NULL;) {
        struct arena arena = {0};
        struct json_writer writer = json_writer_start(&arena);
        struct bytes text = model;
        if (json_kind_of(file) == JSON_KIND_OBJECT) {
            json_put_value(&writer, file);
            assert_true(json_writer_finish(&writer, &text, NULL));
        }
        put(name, text);
        arena_free(&arena);
    }
}

static struct bytes bytes_of(const struct json *value)
{
    const char *text = "";
    (void)json_text(value, &text);
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

/* The ids of a text, or of a list of two, as a line; of a refusal its sentence. */
static const char *ids_of(size_t vocabulary, const struct json *text, struct arena *arena)
{
    const bool pair = json_kind_of(text) == JSON_KIND_ARRAY;
    const struct tokenizer_input input = {pair ? bytes_of(json_element(text, 0)) : bytes_of(text),
                                          bytes_of(json_element(text, 1)), pair, false};
    struct error error = {ERROR_NONE, 0, ""};
    struct tokenizer_output output = {.count = 0};
    const char *line = "";
    struct tokenizer *const tokenizer = open_tokenizer(folder, vocabulary, &error);
    const bool fine =
        tokenizer != NULL && tokenizer_encode_as(tokenizer, &input, arena, &output, &error);
    for (size_t i = 0; fine && i < output.count; i++) {
        line = arena_format(arena, "%s%s%u", line, i == 0 ? "" : " ", output.ids[i]);
    }
    tokenizer_close(tokenizer);
    return fine ? line : arena_format(arena, "%s", error.text);
}

static void each_family_gives_the_ids_of_its_own_tokenizer(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct json *const rows = json_parse(content_of("expected.json", &arena), &error);
    assert_true(json_count(rows) > 50);
    for (size_t r = 0; r < json_count(rows); r++) {
        const struct json *const row = json_element(rows, r);
        const char *model = "", *want = "";
        int64_t size = 0;
        assert_true(json_text(json_element(row, 0), &model));
        assert_true(json_whole_number(json_element(row, 1), &size));
        assert_true(json_text(json_element(row, 4), &want));
        put_files(json_element(row, 2),
                  content_of(arena_format(&arena, "%s.model", model), &arena));
        const char *const have = ids_of((size_t)size, json_element(row, 3), &arena);
        if (strcmp(have, want) != 0) {
            fail_msg("row %zu: %s, expected %s", r + 1, have, want);
        }
        empty_folder();
    }
    json_release(rows);
    arena_free(&arena);
}

static const char *ids_of_text(const char *text, struct arena *arena)
{
    enum { VOCABULARY = 2000 };
    struct json *const value = json_parse(
        (struct bytes){(const uint8_t *)arena_format(arena, "\"%s\"", text), strlen(text) + 2},
        NULL);
    const char *const ids = ids_of(VOCABULARY, value, arena);
    json_release(value);
    return ids;
}

/* vocab.json numbers the pieces, languages stand behind it. */
static void m2m100_takes_the_numbers_of_its_vocabulary(void **state)
{
    (void)state;
    struct arena arena = {0};
    put("sentencepiece.bpe.model", content_of("bpe.model", &arena));
    put_text("vocab.json",
             "{\"<s>\":0,\"<pad>\":1,\"</s>\":2,\"<unk>\":3,\"▁\":4,\"▁cat\":5,\"at\":6,"
             "\"▁the\":7}");
    put_text("config.json", "{\"model_type\":\"m2m_100\"}");
    assert_string_equal(ids_of_text("the cat", &arena), "26 7 5 2");
    put_text("tokenizer_config.json",
             "{\"tokenizer_class\":\"M2M100Tokenizer\",\"src_lang\":\"af\"}");
    assert_string_equal(ids_of_text("the xat __am__", &arena), "8 7 4 3 6 9 2");
    arena_free(&arena);
}

/* Tokens that were added later have the ids of the files beside the model. */
static void added_tokens_are_read_beside_a_lone_model(void **state)
{
    (void)state;
    struct arena arena = {0};
    put("tokenizer.model", content_of("llama.model", &arena));
    put_text("config.json", "{\"model_type\":\"llama\"}");
    put_text("added_tokens.json", "{\"<|im_end|>\":1000}");
    assert_string_equal(ids_of_text("<|im_end|>", &arena), "1 1000");
    put_text("tokenizer_config.json",
             "{\"add_bos_token\":false,\"added_tokens_decoder\":{\"1001\":{\"content\":\"<x>\"}}}");
    assert_string_equal(ids_of_text("<x>", &arena), "1001");
    const char *const legacy = ids_of_text("a<x>a", &arena);
    put_text("tokenizer_config.json",
             "{\"add_bos_token\":false,\"legacy\":false,\"added_tokens_decoder\":{\"1001\":{"
             "\"content\":\"<x>\"}}}");
    const char *const first_only = ids_of_text("a<x>a", &arena);
    assert_string_not_equal(legacy, first_only);
    arena_free(&arena);
}

static void families_that_are_not_known_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *config, *tokenizer, *says;
    } cases[] = {
        {"{\"model_type\":\"t5\"}", "{\"tokenizer_class\":\"AlbertTokenizer\"}",
         "The tokenizer AlbertTokenizer cannot be read from spiece.model here"},
        {"{\"model_type\":\"xlnet\"}", "{}",
         "The tokenizer xlnet cannot be read from spiece.model here; tokenizer.json would do."},
        {"{\"model_type\":\"xlnet\"}", "{\"tokenizer_class\":\"PreTrainedTokenizerFast\"}",
         "The tokenizer xlnet cannot be read from spiece.model"},
        {"{\"model_type\":\"mbart\"}", "{\"src_lang\":\"xx_XX\"}",
         "Texts begin or end with “xx_XX”, which is not in the vocabulary."},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct arena arena = {0};
        put("spiece.model", content_of("unigram.model", &arena));
        put_text("config.json", cases[c].config);
        put_text("tokenizer_config.json", cases[c].tokenizer);
        const char *const says = ids_of_text("a", &arena);
        if (strstr(says, cases[c].says) == NULL) {
            fail_msg("%zu: “%s” does not say “%s”", c, says, cases[c].says);
        }
        arena_free(&arena);
    }
}

int main(int argc, char **argv)
{
    fixtures = argc > 1 ? argv[1] : "tests/model/tokenizers/lone";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_family_gives_the_ids_of_its_own_tokenizer, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(m2m100_takes_the_numbers_of_its_vocabulary, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(added_tokens_are_read_beside_a_lone_model, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(families_that_are_not_known_are_refused_by_name,
                                        make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
