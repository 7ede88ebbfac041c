/* Tokenizers of all kinds: the ids that the tokenizers package gives (fixtures made by
 * tokenizers.py), tokens as they are shown, and files that are refused. */
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
#include "base/readable.h"
#include "base/unicode.h"
#include "file/growing.h"
#include "file/json.h"
#include "model/tokenizer_internal.h"

static const char *fixtures;

enum { VOCABULARY = 2000 };

static struct bytes bytes_of(const struct json *value)
{
    const char *text = "";
    (void)json_text(value, &text);
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static struct json *expected_of(const char *kind, struct arena *arena)
{
    struct bytes text;
    struct error error = {ERROR_NONE, 0, ""};
    struct json *tree = NULL;
    if (file_read(arena_format(arena, "%s/%s/expected.json", fixtures, kind), 1 << 20, arena, &text,
                  &error)) {
        tree = json_parse(text, &error);
    }
    if (tree == NULL) {
        fail_msg("%s", error.text);
    }
    return tree;
}

/* Ids, and behind a bar the types of a pair, as tokenizers.py writes them. */
static const char *ids_of(const struct tokenizer *tokenizer, const struct json *text,
                          struct arena *arena)
{
    const bool pair = json_kind_of(text) == JSON_KIND_ARRAY;
    const struct tokenizer_input input = {pair ? bytes_of(json_element(text, 0)) : bytes_of(text),
                                          bytes_of(json_element(text, 1)), pair, false};
    struct tokenizer_output output;
    struct error error = {ERROR_NONE, 0, ""};
    struct growing line = growing_start(arena);
    struct bytes out;
    if (!tokenizer_encode_as(tokenizer, &input, arena, &output, &error)) {
        return arena_format(arena, "%s", error.text);
    }
    for (size_t i = 0; i < output.count; i++) {
        growing_put_text(&line, arena_format(arena, "%s%u", i == 0 ? "" : " ", output.ids[i]));
    }
    for (size_t i = 0; pair && i < output.count; i++) {
        growing_put_text(&line, arena_format(arena, "%s%u", i == 0 ? " | " : " ", output.types[i]));
    }
    assert_true(growing_finish(&line, &out, NULL));
    return (const char *)out.at;
}

static void every_kind_gives_the_ids_of_the_library(void **state)
{
    (void)state;
    static const char *const kinds[] = {"bert",     "bert_cased", "clip",    "gemma",    "letters",
                                        "llama2",   "llama3",     "roberta", "subwords", "mapped",
                                        "t5_small", "words",      "nmt"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct arena arena = {0};
        struct error error = {ERROR_NONE, 0, ""};
        struct tokenizer *const tokenizer =
            open_tokenizer(arena_format(&arena, "%s/%s", fixtures, kinds[k]), VOCABULARY, &error);
        struct json *const cases = expected_of(kinds[k], &arena);
        if (tokenizer == NULL) {
            fail_msg("%s", error.text);
        }
        assert_true(json_count(cases) > 30);
        for (size_t c = 0; c < json_count(cases); c++) {
            const char *want = "";
            const struct json *const text = json_element(json_element(cases, c), 0);
            assert_true(json_text(json_element(json_element(cases, c), 1), &want));
            const char *const have = ids_of(tokenizer, text, &arena);
            if (strcmp(have, want) != 0) {
                fail_msg("%s, text %zu: %s, expected %s", kinds[k], c, have, want);
            }
        }
        json_release(cases);
        tokenizer_close(tokenizer);
        arena_free(&arena);
    }
}

static void tokens_are_shown_and_become_text_again(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *text, *shown, *back;
    } cases[] = {
        {"bert", "Naïve mat", "[CLS]·naive·m·##a·##t·[SEP]", "[CLS] naive mat [SEP]"},
        {"llama3", " \xC3\xA9\n", "<s>·␣·⟨C3⟩·⟨A9⟩·↵", "<s> \xC3\xA9\n"},
        {"llama2", "\xF0\x90\x8D\x88", "<s>·␣·⟨F0⟩·⟨90⟩·⟨8D⟩·⟨88⟩", "<s> \xF0\x90\x8D\x88"},
        {"t5_small", "on mat", "␣on·␣mat·</s>", "on mat</s>"},
        {"words", "the cat", "the·cat", "the cat"},
        {"clip", "Do", "d·o␣", "do "},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct arena arena = {0};
        const uint32_t *ids = NULL;
        size_t count = 0;
        struct bytes back;
        const char *shown = "";
        struct tokenizer *const tokenizer = open_tokenizer(
            arena_format(&arena, "%s/%s", fixtures, cases[c].kind), VOCABULARY, NULL);
        assert_non_null(tokenizer);
        assert_true(tokenizer_encode(tokenizer, cases[c].text, strlen(cases[c].text), &arena, &ids,
                                     &count, NULL));
        for (size_t i = 0; i < count; i++) {
            shown = arena_format(&arena, "%s%s%s", shown, i == 0 ? "" : "·",
                                 tokenizer_shown(tokenizer, ids[i], &arena));
        }
        if (cases[c].shown != NULL) {
            assert_string_equal(shown, cases[c].shown);
        }
        assert_true(tokenizer_decode(tokenizer, ids, count, &arena, &back, NULL));
        assert_string_equal((const char *)back.at, cases[c].back);
        tokenizer_close(tokenizer);
        arena_free(&arena);
    }
}

/* ---- files that are refused --------------------------------------------------------------------
 */

static char folder[] = "tokenizer-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "tokenizer-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "%s/tokenizer.json", folder);
    unlink(path);
    return rmdir(folder);
}

static void put(const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "%s/tokenizer.json", folder);
    assert_true(file_write(path, (struct bytes){(const uint8_t *)text, strlen(text)}, NULL));
}

static void parts_that_are_not_known_are_refused_by_name(void **state)
{
    (void)state;
#define WORDS "\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0},\"unk_token\":\"a\"}"
    static const struct {
        const char *text, *says; /* says NULL: it is taken */
    } cases[] = {
        {"{" WORDS "}", NULL},
        {"{" WORDS ",\"normalizer\":{\"type\":\"Whale\"}}", "its normalizer Whale is not known"},
        {"{" WORDS ",\"normalizer\":{}}", "its normalizer has no type"},
        {"{" WORDS ",\"normalizer\":{\"type\":\"Prepend\"}}", "has no text where it needs one"},
        {"{" WORDS ",\"normalizer\":{\"type\":\"Replace\",\"content\":\"\",\"pattern\":{\"Regex\":"
         "\"(\"}}}",
         "tokenizer.json: The pattern “(” cannot be read from its byte 1 on."},
        {"{" WORDS ",\"normalizer\":{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"AAAA\"}}",
         "its precompiled_charsmap is damaged"},
        {"{" WORDS ",\"normalizer\":{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"?\"}}",
         "its precompiled_charsmap is damaged"},
        {"{" WORDS ",\"pre_tokenizer\":{\"type\":\"UnicodeScripts\"}}",
         "its pre_tokenizer UnicodeScripts is not known here"},
        {"{" WORDS ",\"pre_tokenizer\":{}}", "its pre_tokenizer has no type"},
        {"{" WORDS
         ",\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{},\"behavior\":\"Isolated\"}"
         "}",
         "its pre_tokenizer Split has no text to split at"},
        {"{" WORDS ",\"pre_tokenizer\":{\"type\":\"Split\",\"behavior\":\"Eaten\"}}",
         "its behavior Eaten is not known"},
        {"{" WORDS ",\"pre_tokenizer\":{\"type\":\"CharDelimiterSplit\"}}", "has no text to split"},
        {"{" WORDS ",\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"\"}}",
         "has no text to split"},
        {"{" WORDS ",\"post_processor\":{\"type\":\"Whale\"}}", "its post_processor Whale is not"},
        {"{" WORDS ",\"post_processor\":{}}", "its post_processor has no type"},
        {"{" WORDS ",\"post_processor\":{\"type\":\"BertProcessing\",\"cls\":[\"a\"]}}",
         "its post_processor names no tokens with their ids"},
        {"{" WORDS ",\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{}]}}",
         "its post_processor names no tokens with their ids"},
        {"{" WORDS ",\"decoder\":{\"type\":\"CTC\"}}", "its decoder CTC is not known here"},
        {"{" WORDS ",\"decoder\":{}}", "its decoder has no type"},
        {"{" WORDS ",\"pre_tokenizer\":{\"type\":\"Metaspace\",\"prepend_scheme\":\"last\"}}",
         "its prepend_scheme last is not known"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{},\"merges\":[],\"dropout\":0.0}}", NULL},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{},\"merges\":[],\"dropout\":0.1}}",
         "its model has a dropout of 0.1"},
        {"{\"model\":{\"type\":\"Whale\"}}", "its model Whale is not known here"},
        {"{\"model\":{\"type\":\"WordLevel\"}}", "it holds no object of tokens and ids"},
        {"{\"model\":{\"type\":\"WordPiece\",\"vocab\":[]}}", "it holds no object of tokens"},
        {"{\"model\":{\"type\":\"Unigram\",\"vocab\":[]}}", "it has no list of tokens and scores"},
        {"{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\"]]}}",
         "entry 1 of the vocabulary is no token with its score"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[],"
         "\"end_of_word_suffix\":\"0123456789012345678901234567890123456789012345678901234567890123"
         "4\"}}",
         "a mark within words has more than 64 bytes"},
    };
#undef WORDS
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        put(cases[c].text);
        struct tokenizer *const tokenizer = open_tokenizer(folder, VOCABULARY, &error);
        if (cases[c].says == NULL ? tokenizer == NULL : strstr(error.text, cases[c].says) == NULL) {
            fail_msg("%zu: “%s” does not say “%s”", c, error.text, cases[c].says);
        }
        tokenizer_close(tokenizer);
    }
}

/* However large a part is, it is read: maps of characters have hundreds of kilobytes. */
static void a_large_part_is_not_passed_over(void **state)
{
    static const struct {
        const char *part, *list;
    } rows[] = {{"normalizer", "normalizers"},
                {"pre_tokenizer", "pretokenizers"},
                {"post_processor", "processors"},
                {"decoder", "decoders"}};
    enum { LARGE = 100000 };
    struct arena arena = {0};
    char *const letters = arena_alloc(&arena, LARGE + 1);
    (void)state;
    memset(letters, 'x', LARGE);
    letters[LARGE] = '\0';
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct error error = {ERROR_NONE, 0, ""};
        put(arena_format(&arena,
                         "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}},\"%s\":"
                         "{\"type\":\"Sequence\",\"%s\":[{\"type\":\"Whale\",\"map\":\"%s\"}]}}",
                         rows[r].part, rows[r].list, letters));
        assert_null(open_tokenizer(folder, VOCABULARY, &error));
        if (strstr(error.text, "Whale is not known here") == NULL) {
            fail_msg("%s: %s", rows[r].part, error.text);
        }
    }
    arena_free(&arena);
}

/* ---- parts alone -------------------------------------------------------------------------------
 */

static const char *json_text_of(const struct json *value, struct arena *arena)
{
    struct json_writer writer = json_writer_start(arena);
    struct bytes text;
    json_put_value(&writer, value);
    assert_true(json_writer_finish(&writer, &text, NULL));
    return (const char *)text.at;
}

/* The vocabulary of tokenizers.py, whose ids are bytes, from 256 on each a piece's last. */
static void write_spelled(const struct json *part, uint8_t bytes[256])
{
    struct arena arena = {0};
    struct growing out = growing_start(&arena);
    struct bytes text;
    char letter[4];
    size_t byte = 0;
    const struct json *const norm = json_member(part, "normalizer");
    const struct json *const split = json_member(part, "pre_tokenizer");
    growing_put_text(&out, "{\"normalizer\":");
    growing_put_text(&out, norm == NULL ? "null" : json_text_of(norm, &arena));
    growing_put_text(&out, ",\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[");
    growing_put_text(&out, split == NULL ? "" : json_text_of(split, &arena));
    growing_put_text(&out, split == NULL ? "" : ",");
    growing_put_text(&out, "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"use_regex\":false}"
                           "]},\"model\":{\"type\":\"BPE\",\"end_of_word_suffix\":\"</w>\","
                           "\"merges\":[],\"vocab\":{");
    for (uint32_t code_point = 33; code_point <= 0x143; code_point++) {
        const int stands_for = readable_byte_of(code_point);
        if (stands_for < 0) {
            continue;
        }
        const size_t length = unicode_write(code_point, letter);
        const bool escaped = code_point == '"' || code_point == '\\';
        bytes[byte] = (uint8_t)stands_for;
        growing_put_text(&out, arena_format(&arena, "%s\"%s%.*s\":%zu,\"%s%.*s</w>\":%zu",
                                            byte == 0 ? "" : ",", escaped ? "\\" : "", (int)length,
                                            letter, byte, escaped ? "\\" : "", (int)length, letter,
                                            byte + 256));
        byte++;
    }
    growing_put_text(&out, "}}}");
    assert_int_equal(byte, 256);
    assert_true(growing_finish(&out, &text, NULL));
    put((const char *)text.at);
    arena_free(&arena);
}

/* The pieces that a text becomes, with ¦ between them; of a refusal its sentence. */
static const char *pieces_of(const char *text, const uint8_t bytes[256], struct arena *arena)
{
    struct error error = {ERROR_NONE, 0, ""};
    const uint32_t *ids = NULL;
    size_t count = 0;
    struct growing out = growing_start(arena);
    struct bytes pieces;
    struct tokenizer *const tokenizer = open_tokenizer(folder, VOCABULARY, &error);
    const bool fine = tokenizer != NULL &&
                      tokenizer_encode(tokenizer, text, strlen(text), arena, &ids, &count, &error);
    for (size_t i = 0; fine && i < count; i++) {
        growing_put_text(&out, i > 0 && ids[i - 1] >= 256 ? "¦" : "");
        growing_put_byte(&out, (char)bytes[ids[i] % 256]);
    }
    tokenizer_close(tokenizer);
    assert_true(growing_finish(&out, &pieces, NULL));
    return fine ? (const char *)pieces.at : arena_format(arena, "%s", error.text);
}

static void each_part_changes_and_cuts_a_text_as_the_library_does(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct bytes file;
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(
        file_read(arena_format(&arena, "%s/parts.json", fixtures), 1 << 20, &arena, &file, &error));
    struct json *const tree = json_parse(file, &error);
    const struct json *const rows = json_member(tree, "rows");
    assert_true(json_count(rows) > 100);
    for (size_t r = 0; r < json_count(rows); r++) {
        const struct json *const row = json_element(rows, r);
        const char *text = "", *want = "";
        uint8_t bytes[256];
        int64_t index = 0;
        assert_true(json_whole_number(json_element(row, 1), &index));
        assert_true(json_text(json_element(json_member(tree, "texts"), (size_t)index), &text));
        assert_true(json_text(json_element(row, 2), &want));
        write_spelled(json_element(row, 0), bytes);
        const char *const have = pieces_of(text, bytes, &arena);
        if (strcmp(have, want) != 0) {
            fail_msg("%s\n  have %s\n  want %s", json_text_of(json_element(row, 0), &arena), have,
                     want);
        }
    }
    json_release(tree);
    arena_free(&arena);
}

/* All that tokenizers 0.23 has; what is not done is refused by its name. */
static void each_part_of_the_library_is_done_or_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *member, *settings;
        const char *says; /* NULL: it is done */
    } parts[] = {
        {"normalizer", "\"NFC\"", NULL},
        {"normalizer", "\"NFD\"", NULL},
        {"normalizer", "\"NFKC\"", NULL},
        {"normalizer", "\"NFKD\"", NULL},
        {"normalizer", "\"Lowercase\"", NULL},
        {"normalizer", "\"Strip\"", NULL},
        {"normalizer", "\"StripAccents\"", NULL},
        {"normalizer", "\"Nmt\"", NULL},
        {"normalizer", "\"Prepend\",\"prepend\":\"a\"", NULL},
        {"normalizer", "\"Replace\",\"pattern\":{\"String\":\"a\"},\"content\":\"b\"", NULL},
        {"normalizer", "\"ByteLevel\"", NULL},
        {"normalizer", "\"BertNormalizer\"", NULL},
        {"normalizer", "\"Precompiled\",\"precompiled_charsmap\":\"BAAAAAAAAAAA\"", NULL},
        {"normalizer", "\"Sequence\",\"normalizers\":[]", NULL},
        {"pre_tokenizer", "\"BertPreTokenizer\"", NULL},
        {"pre_tokenizer", "\"ByteLevel\"", NULL},
        {"pre_tokenizer", "\"CharDelimiterSplit\",\"delimiter\":\"a\"", NULL},
        {"pre_tokenizer", "\"Digits\"", NULL},
        {"pre_tokenizer", "\"FixedLength\",\"length\":5", NULL},
        {"pre_tokenizer", "\"FixedLength\",\"length\":0", "FixedLength has pieces of 0 letters"},
        {"pre_tokenizer", "\"Metaspace\"", NULL},
        {"pre_tokenizer", "\"Punctuation\"", NULL},
        {"pre_tokenizer", "\"Sequence\",\"pretokenizers\":[]", NULL},
        {"pre_tokenizer", "\"Split\",\"pattern\":{\"String\":\"a\"}", NULL},
        {"pre_tokenizer", "\"UnicodeScripts\"", "pre_tokenizer UnicodeScripts is not known"},
        {"pre_tokenizer", "\"Whitespace\"", NULL},
        {"pre_tokenizer", "\"WhitespaceSplit\"", NULL},
        {"post_processor", "\"ByteLevel\"", NULL},
        {"post_processor", "\"BertProcessing\",\"sep\":[\"a\",0],\"cls\":[\"a\",0]", NULL},
        {"post_processor", "\"RobertaProcessing\",\"sep\":[\"a\",0],\"cls\":[\"a\",0]", NULL},
        {"post_processor", "\"TemplateProcessing\"", NULL},
        {"post_processor", "\"Sequence\",\"processors\":[]", NULL},
        {"decoder", "\"BPEDecoder\"", NULL},
        {"decoder", "\"ByteFallback\"", NULL},
        {"decoder", "\"ByteLevel\"", NULL},
        {"decoder", "\"CTC\"", "decoder CTC is not known"},
        {"decoder", "\"Fuse\"", NULL},
        {"decoder", "\"Metaspace\"", NULL},
        {"decoder", "\"Replace\",\"pattern\":{\"String\":\"a\"},\"content\":\"b\"", NULL},
        {"decoder", "\"Strip\"", NULL},
        {"decoder", "\"WordPiece\"", NULL},
        {"decoder", "\"Sequence\",\"decoders\":[]", NULL},
        {"unused", "\"\"},\"model\":{\"type\":\"BPE\",\"vocab\":{},\"merges\":[]", NULL},
        {"unused", "\"\"},\"model\":{\"type\":\"WordPiece\",\"vocab\":{}", NULL},
        {"unused", "\"\"},\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\",0]]", NULL},
        {"unused", "\"\"},\"model\":{\"type\":\"WordLevel\",\"vocab\":{}", NULL},
    };
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        struct arena arena = {0};
        struct error error = {ERROR_NONE, 0, ""};
        const bool model = strcmp(parts[p].member, "unused") == 0;
        put(arena_format(&arena, "{\"%s\":{\"type\":%s}%s}", parts[p].member, parts[p].settings,
                         model ? "" : ",\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}}"));
        struct tokenizer *const tokenizer = open_tokenizer(folder, VOCABULARY, &error);
        if ((tokenizer != NULL) != (parts[p].says == NULL) ||
            (parts[p].says != NULL && strstr(error.text, parts[p].says) == NULL)) {
            fail_msg("%s %s: “%s”", parts[p].member, parts[p].settings, error.text);
        }
        tokenizer_close(tokenizer);
        arena_free(&arena);
    }
}

/* A pattern that PCRE2 would read otherwise or not at all is refused, byte by byte. */
static void patterns_that_would_be_read_otherwise_are_refused(void **state)
{
    (void)state;
    static const char *const patterns[] = {
        "(",      ")",           "[",         "a)",        "*a",         "a|*",
        "{2}",    "(?x)a b",     "(?~ab)",    "(?s)a",     "(?u)a",      "(?P<n>a)",
        "(?R)",   "(?1)(a)",     "(?C)",      "(*FAIL)",   "\\\\X",      "\\\\y",
        "\\\\q",  "\\\\Qa\\\\E", "\\\\xE9",   "\\\\u{e9}", "\\\\p{Foo}", "\\\\p{IsHan}",
        "\\\\pL", "[a-\\\\d]",   "[\\\\d-a]", "[[:foo:]]", "[a&&]",      "[]",
        "[b-a]",  "(?i)ss",      "(?i:st)",   "a{2,1}",    "(?<=a+)b",
    };
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        struct arena arena = {0};
        struct error error = {ERROR_NONE, 0, ""};
        put(arena_format(&arena,
                         "{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"%s\"}},"
                         "\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}}}",
                         patterns[p]));
        struct tokenizer *const tokenizer = open_tokenizer(folder, VOCABULARY, &error);
        if (tokenizer != NULL || strstr(error.text, "cannot be read from its byte") == NULL) {
            fail_msg("%s: “%s”", patterns[p], error.text);
        }
        arena_free(&arena);
    }
}

/* Texts that a tokenizer has no tokens for. */
static void texts_without_tokens_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *tokenizer, *text, *says;
    } cases[] = {
        {"{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0},\"unk_token\":\"[U]\"}}", "b",
         "“b” is not in the model's vocabulary, which has no token for unknown words."},
        {"{\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"a\":0}}}", "b",
         "“b” is not in the model"},
        {"{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\",-1]]}}", "ab",
         "“b” is not in the mod"},
        {"{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}},\"added_tokens\":[{\"id\":4000,"
         "\"content\":\"<x>\"}]}",
         "<x>", "A token of this text has the id 4000, but the model has 2000 tokens."},
        {"{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}},\"pre_tokenizer\":{\"type\":"
         "\"Split\",\"pattern\":{\"Regex\":\"(a+)+$\"},\"behavior\":\"Isolated\"}}",
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
         "The tokenizer's pattern takes too long on this text"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct arena arena = {0};
        struct error error = {ERROR_NONE, 0, ""};
        const uint32_t *ids = NULL;
        size_t count = 0;
        put(cases[c].tokenizer);
        struct tokenizer *const tokenizer = open_tokenizer(folder, VOCABULARY, &error);
        if (tokenizer == NULL) {
            fail_msg("%s", error.text);
        }
        assert_false(tokenizer_encode(tokenizer, cases[c].text, strlen(cases[c].text), &arena, &ids,
                                      &count, &error));
        if (strstr(error.text, cases[c].says) == NULL) {
            fail_msg("%zu: “%s” does not say “%s”", c, error.text, cases[c].says);
        }
        tokenizer_close(tokenizer);
        arena_free(&arena);
    }
}

int main(int argc, char **argv)
{
    fixtures = argc > 1 ? argv[1] : "tests/model/tokenizers";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_gives_the_ids_of_the_library),
        cmocka_unit_test(tokens_are_shown_and_become_text_again),
        cmocka_unit_test_setup_teardown(parts_that_are_not_known_are_refused_by_name, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(texts_without_tokens_are_refused, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_large_part_is_not_passed_over, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(each_part_changes_and_cuts_a_text_as_the_library_does,
                                        make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(each_part_of_the_library_is_done_or_refused_by_name,
                                        make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(patterns_that_would_be_read_otherwise_are_refused,
                                        make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
