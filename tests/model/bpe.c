/* Byte-pair encoding: the ids of an independent implementation, and files that are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../opened.h"
#include "base/file.h"
#include "base/system/file.h"
#include "base/system/folder.h"
#include "file/json.h"
#include "model/bpe.h"
#include "model/tokenizer.h"

static const char *tiny; /* the folder of the checkpoint */

enum { VOCABULARY = 300 };

static struct tokenizer *open_tiny(void)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct tokenizer *const bpe = open_tokenizer(tiny, VOCABULARY, &error);
    if (bpe == NULL) {
        fail_msg("%s", error.text);
    }
    return bpe;
}

static struct bytes read_tiny(const char *name, struct arena *arena)
{
    char path[4096];
    struct bytes text = {NULL, 0};
    snprintf(path, sizeof path, "%s/%s", tiny, name);
    assert_true(file_read(path, 1 << 24, arena, &text, NULL));
    return text;
}

static void every_text_has_the_ids_of_the_reference(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct tokenizer *const bpe = open_tiny();
    struct json *const cases = json_parse(read_tiny("expected.json", &arena), NULL);
    assert_true(json_count(cases) > 150);
    for (size_t c = 0; c < json_count(cases); c++) {
        const struct json *const expected = json_member(json_element(cases, c), "ids");
        const char *text = NULL;
        const uint32_t *ids = NULL;
        size_t count = 0;
        struct bytes back;
        assert_true(json_text(json_member(json_element(cases, c), "text"), &text));
        assert_true(tokenizer_encode(bpe, text, strlen(text), &arena, &ids, &count, NULL));
        bool same = count == json_count(expected);
        for (size_t i = 0; same && i < count; i++) {
            int64_t id = -1;
            same = json_whole_number(json_element(expected, i), &id) && id == (int64_t)ids[i];
        }
        if (!same) {
            fail_msg("“%s” becomes other tokens", text);
        }
        assert_true(tokenizer_decode(bpe, ids, count, &arena, &back, NULL));
        assert_int_equal(back.size, strlen(text));
        assert_memory_equal(back.at, text, back.size);
    }
    json_release(cases);
    tokenizer_close(bpe);
    arena_free(&arena);
}

static void any_bytes_come_back(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct tokenizer *const bpe = open_tiny();
    char text[4096];
    uint64_t random = 5;
    for (size_t i = 0; i < sizeof text; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        text[i] = (char)(random >> 56);
    }
    const uint32_t *ids = NULL;
    size_t count = 0;
    struct bytes back;
    assert_true(tokenizer_encode(bpe, text, sizeof text, &arena, &ids, &count, NULL));
    assert_true(tokenizer_decode(bpe, ids, count, &arena, &back, NULL));
    assert_int_equal(back.size, sizeof text);
    assert_memory_equal(back.at, text, sizeof text);
    tokenizer_close(bpe);
    arena_free(&arena);
}

/* With time that grows by the square, this would take longer than any test may. */
static void two_million_letters_are_one_piece(void **state)
{
    (void)state;
    enum { LETTERS = 2000000 };
    struct arena arena = {0};
    struct tokenizer *const bpe = open_tiny();
    char *const text = malloc(LETTERS);
    const uint32_t *ids = NULL;
    size_t count = 0;
    assert_non_null(text);
    for (size_t i = 0; i < LETTERS; i++) {
        text[i] = "the"[i % 3];
    }
    assert_int_equal(bpe_piece_end(text, LETTERS, 0), LETTERS);
    assert_true(tokenizer_encode(bpe, text, LETTERS, &arena, &ids, &count, NULL));
    assert_in_range(count, LETTERS / 4, LETTERS / 2);
    free(text);
    tokenizer_close(bpe);
    arena_free(&arena);
}

/* Steps of the first `length` letters that `letters` repeats; "" stands for letters without order.
 */
static size_t steps_of(const struct tokenizer *bpe, const char *letters, char *text, size_t length)
{
    struct arena arena = {0};
    uint32_t drawn = 1;
    for (size_t i = 0; i < length; i++) {
        drawn = drawn * 1664525 + 1013904223;
        text[i] =
            letters[0] != '\0' ? letters[i % strlen(letters)] : (char)('a' + (drawn >> 16) % 26);
    }
    assert_int_equal(bpe_piece_end(text, length, 0), length);
    const struct tokenizer_input input = {.text = {(const uint8_t *)text, length}};
    struct tokenizer_output output;
    assert_true(tokenizer_encode_as(bpe, &input, &arena, &output, NULL));
    assert_in_range(output.count, 1, length);
    arena_free(&arena);
    return output.steps;
}

/* Not of the square of the letters: twice as many take little more than twice the steps. */
static void steps_grow_as_letters_times_their_logarithm(void **state)
{
    (void)state;
    enum { LETTERS = 1 << 18 };
    static const char *const kinds[] = {"a", "the", "sat", ""};
    struct tokenizer *const bpe = open_tiny();
    char *const text = malloc(LETTERS);
    assert_non_null(text);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        size_t former = steps_of(bpe, kinds[kind], text, 1 << 9), logarithm = 10;
        for (size_t length = 1 << 10; length <= LETTERS; length *= 2, logarithm++) {
            const size_t steps = steps_of(bpe, kinds[kind], text, length);
            assert_in_range(steps, length, 4 * length * logarithm);
            assert_true(steps < former * 5 / 2);
            former = steps;
        }
    }
    free(text);
    tokenizer_close(bpe);
}

static void tokens_are_shown_as_people_read_them(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *shown;
    } cases[] = {
        {" ", "␣"},       {"\n", "↵"},      {"\t", "⇥"},      {"a", "a"},
        {"\x01", "⟨01⟩"}, {"\xE2", "⟨E2⟩"}, {" the", "␣the"}, {"<|endoftext|>", "<|endoftext|>"}};
    struct arena arena = {0};
    struct tokenizer *const bpe = open_tiny();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const uint32_t *ids = NULL;
        size_t count = 0;
        assert_true(tokenizer_encode(bpe, cases[c].text, strlen(cases[c].text), &arena, &ids,
                                     &count, NULL));
        assert_int_equal(count, 1);
        assert_string_equal(tokenizer_shown(bpe, ids[0], &arena), cases[c].shown);
    }
    assert_string_equal(tokenizer_shown(bpe, 4000000000U, &arena), "#4000000000");
    tokenizer_close(bpe);
    arena_free(&arena);
}

/* ---- other files ---------------------------------------------------------------------------- */

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
    system_remove_folder_with_files(folder);
    return system_exists(folder) ? -1 : 0;
}

static const char *in_folder(const char *name, struct arena *arena)
{
    return arena_format(arena, "%s/%s", folder, name);
}

static void put(const char *name, struct bytes content)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(file_write(path, content, NULL));
}

static void put_text(const char *name, const char *text)
{
    put(name, (struct bytes){(const uint8_t *)text, strlen(text)});
}

/* The tokenizer of one file, its merges as pairs or as texts. */
static void put_tokenizer_json(struct arena *arena, bool pairs, struct bytes vocab,
                               struct bytes merges)
{
    struct growing text = growing_start(arena);
    struct bytes out;
    growing_put_text(&text, "{\"added_tokens\":[{\"id\":299,\"content\":\"<|endoftext|>\"}],"
                            "\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":false},"
                            "\"decoder\":{\"type\":\"ByteLevel\"},"
                            "\"model\":{\"type\":\"BPE\",\"vocab\":");
    growing_put(&text, vocab.at, vocab.size);
    growing_put_text(&text, ",\"merges\":[");
    bool first = true;
    char *const lines = arena_text(arena, (const char *)merges.at, merges.size);
    for (char *line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (line[0] == '#') {
            continue;
        }
        char *const space = strchr(line, ' ');
        *space = '\0';
        growing_put_text(&text, first ? "" : ",");
        growing_put_text(
            &text, arena_format(arena, pairs ? "[\"%s\",\"%s\"]" : "\"%s %s\"", line, space + 1));
        first = false;
    }
    growing_put_text(&text, "]}}");
    assert_true(growing_finish(&text, &out, NULL));
    put("tokenizer.json", out);
}

static void all_three_ways_to_store_it_are_the_same(void **state)
{
    (void)state;
    static const char text[] = "the cat<|endoftext|> sat on the mat";
    struct arena arena = {0};
    const struct bytes vocab = read_tiny("vocab.json", &arena);
    const struct bytes merges = read_tiny("merges.txt", &arena);
    struct tokenizer *const usual = open_tiny();
    const uint32_t *expected = NULL, *ids = NULL;
    size_t count = 0, other_count = 0;
    assert_true(tokenizer_encode(usual, text, strlen(text), &arena, &expected, &count, NULL));
    for (size_t way = 0; way < 3; way++) {
        struct error error = {ERROR_NONE, 0, ""};
        if (way < 2) {
            put_tokenizer_json(&arena, way == 1, vocab, merges);
        } else {
            assert_int_equal(unlink(in_folder("tokenizer.json", &arena)), 0);
            put("encoder.json", vocab);
            put("vocab.bpe", merges);
        }
        struct tokenizer *const bpe = open_tokenizer(folder, VOCABULARY, &error);
        if (bpe == NULL) {
            fail_msg("%s", error.text);
        }
        assert_true(tokenizer_encode(bpe, text, strlen(text), &arena, &ids, &other_count, NULL));
        assert_int_equal(count, other_count);
        assert_memory_equal(ids, expected, count * sizeof *ids);
        tokenizer_close(bpe);
    }
    tokenizer_close(usual);
    arena_free(&arena);
}

static void damaged_tokenizers_are_refused_by_file_and_rule(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct bytes vocab = read_tiny("vocab.json", &arena);
    static const struct {
        const char *file;
        const char *text; /* NULL: vocab.json as it should be */
        const char *says;
        size_t vocabulary;
    } cases[] = {
        {"merges.txt", "t h e", "merges.txt: merge 1 is no pair", 300},
        {"merges.txt", "th", "merges.txt: merge 1 is no pair", 300},
        {"merges.txt", "t ", "merges.txt: merge 1 is no pair", 300},
        {"merges.txt", "t h\nx z", "merges.txt: merge 2 speaks of “xz”", 300},
        {"merges.txt", "t h\nwhale z", "merges.txt: merge 2 speaks of “whale”", 300},
        {"merges.txt", "t h\nt h", "merges.txt: merges 1 and 2 are the same pair", 300},
        {"merges.txt", " h", "merges.txt: merge 1 is no pair", 300},
        {"merges.txt", "t whale", "merges.txt: merge 1 speaks of “whale”", 300},
        {"merges.txt", "#version: 0.2\r\nt h\r\n\r\nt h\r\n", "merges 1 and 2 are the same", 300},
        {"merges.txt", "\xef\xbb\xbft h\nh t", "merges.txt: merge 2 speaks of “ht”", 300},
        {"vocab.json", "[]", "vocab.json: it holds no object", 300},
        {"vocab.json", "{", "vocab.json: Line 1", 300},
        {"vocab.json", "{\"a\":0}", "vocab.json: no token stands for the byte 00", 300},
        {"vocab.json", "{\"a\":0,\"b\":0}", "share the id 0", 300},
        {"vocab.json", "{\"a\":-1}", "the id of “a” is no whole number", 300},
        {"vocab.json", "{\"a\":\"1\"}", "the id of “a” is no whole number", 300},
        {"vocab.json", "{\"a\":300}", "the id of “a” is 300, but the model has 300 tokens", 300},
        {"vocab.json", "{\"a\":9000000000000000000}", "but the model has 300 tokens", 300},
        {"vocab.json", "{\"\":3}", "a token has 0 bytes", 300},
        {"vocab.json", NULL, "but the model has 299 tokens", 299},
    };
    put("merges.txt", read_tiny("merges.txt", &arena));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        put("vocab.json", vocab);
        if (cases[c].text != NULL) {
            put_text(cases[c].file, cases[c].text);
        }
        if (open_tokenizer(folder, cases[c].vocabulary, &error) != NULL ||
            strstr(error.text, cases[c].says) == NULL) {
            fail_msg("%zu: “%s” does not say “%s”", c, error.text, cases[c].says);
        }
    }
    arena_free(&arena);
}

/* Of one file, as the fast tokenizers of Hugging Face have it. */
static void damaged_files_of_a_whole_tokenizer_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *merges, *added, *says; /* says NULL: it is taken */
    } cases[] = {
        {"[\"t h\", [\"th\", \"e\"]]", "[]", NULL},
        {"[]", "[{\"id\":299,\"content\":\"<x>\"},{\"id\":0,\"content\":\"<y>\"}]", NULL},
        {"{}", "[]", "tokenizer.json: it has no list of merges."},
        {"null", "[]", "tokenizer.json: it has no list of merges."},
        {"[1]", "[]", "tokenizer.json: merge 1 is no pair of tokens"},
        {"[\"th\"]", "[]", "tokenizer.json: merge 1 is no pair of tokens"},
        {"[[\"t\", 1]]", "[]", "tokenizer.json: merge 1 is no pair of tokens"},
        {"[[1, \"t\"]]", "[]", "tokenizer.json: merge 1 is no pair of tokens"},
        {"[[\"t\", \"h\", \"e\"]]", "[]", "tokenizer.json: merge 1 is no pair of tokens"},
        {"[[\"t\", \"\"]]", "[]", "tokenizer.json: merge 1 is no pair of tokens"},
        {"[[\"t\", \"h\"], [\"t\", \"h\"]]", "[]", "merges 1 and 2 are the same pair"},
        {"[]", "[{\"id\":299}]", "added token 1 has no content"},
        {"[]", "[{\"id\":299,\"content\":7}]", "added token 1 has no content"},
        {"[]", "[{\"id\":299,\"content\":\"\"}]", "added token 1 has no content"},
        {"[]", "[7]", "added token 1 has no content"},
        {"[]", "[{\"content\":\"<x>\"}]", "the id of “<x>” is no whole number"},
        {"[]", "[{\"id\":300,\"content\":\"<x>\"}]", NULL}, /* found when a text has it */
        {"[]", "[{\"id\":2000000,\"content\":\"<x>\"}]", "no whole number from 0 up"},
    };
    struct arena arena = {0};
    const char *const vocab = (const char *)read_tiny("vocab.json", &arena).at;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        put_text("tokenizer.json",
                 arena_format(&arena,
                              "{\"model\":{\"vocab\":%s,\"merges\":%s},\"added_tokens\":%s}", vocab,
                              cases[c].merges, cases[c].added));
        struct tokenizer *const bpe = open_tokenizer(folder, VOCABULARY, &error);
        if (cases[c].says == NULL ? bpe == NULL : strstr(error.text, cases[c].says) == NULL) {
            fail_msg("%zu: “%s”", c, error.text);
        }
        tokenizer_close(bpe);
    }
    put_text("tokenizer.json", "{\"model\":");
    struct error error = {ERROR_NONE, 0, ""};
    assert_null(open_tokenizer(folder, VOCABULARY, &error));
    assert_non_null(strstr(error.text, "tokenizer.json: Line 1"));
    const char *const long_text = arena_format(
        &arena,
        "{\"model\":{\"vocab\":%s,\"merges\":[]},\"added_tokens\":[{\"content\":\"%01025d\"}]}",
        vocab, 7);
    put_text("tokenizer.json", long_text);
    assert_null(open_tokenizer(folder, VOCABULARY, &error));
    assert_non_null(strstr(error.text, "added token 1 has no content"));
    arena_free(&arena);
}

/* vocab.json and merges.txt with six tokens and a merge more than those of the checkpoint. */
static void put_pair(struct arena *arena)
{
    const struct bytes vocab = read_tiny("vocab.json", arena);
    const struct bytes merges = read_tiny("merges.txt", arena);
    const char *const end = strrchr(arena_text(arena, (const char *)vocab.at, vocab.size), '}');
    assert_non_null(end);
    put_text("vocab.json",
             arena_format(arena,
                          "%.*s,\"<s>\":300,\"</s>\":301,\"<unk>\":302,\"<pad>\":303,"
                          "\"<mask>\":304,\"12\":305}",
                          (int)vocab.size - (int)strlen(end), (const char *)vocab.at));
    put_text("merges.txt", arena_format(arena, "%.*s\n1 2", (int)merges.size, merges.at));
}

static const char *ids_of(const struct tokenizer *tokenizer, const char *text, struct arena *arena)
{
    const uint32_t *ids = NULL;
    size_t count = 0;
    const char *line = "";
    assert_true(tokenizer_encode(tokenizer, text, strlen(text), arena, &ids, &count, NULL));
    for (size_t i = 0; i < count; i++) {
        line = arena_format(arena, "%s%s%u", line, i == 0 ? "" : " ", ids[i]);
    }
    return line;
}

/* Expected are the ids of the transformers package. */
static void two_files_are_read_as_their_class_or_model_has_them(void **state)
{
    (void)state;
    static const struct {
        const char *config, *model, *first, *second;
    } rows[] = {
        {"{}", "{}", "257 274 220 305 68 136 223 198 198 27 76 64 82 74 29",
         "257 27 91 72 76 62 68 267 91 29"},
        {"{\"tokenizer_class\":\"GPT2TokenizerFast\"}", "{\"model_type\":\"bart\"}",
         "257 274 220 305 68 136 223 198 198 27 76 64 82 74 29", "257 27 91 72 76 62 68 267 91 29"},
        {"{}", "{\"model_type\":\"phi\"}", "257 274 220 305 68 136 223 198 198 27 76 64 82 74 29",
         "257 27 91 72 76 62 68 267 91 29"},
        {"{\"add_prefix_space\":true}", "{\"model_type\":\"gpt2\"}",
         "258 274 220 305 68 136 223 198 198 27 76 64 82 74 29", "258 27 91 72 76 62 68 267 91 29"},
        {"{}", "{\"model_type\":\"gpt_neox\"}", "257 274 220 305 127 102 198 198 27 76 64 82 74 29",
         "257 27 91 72 76 62 68 267 91 29"},
        {"{\"tokenizer_class\":\"GPT2Tokenizer\",\"add_bos_token\":true,\"bos_token\":{\"content\":"
         "\"</s>\"},\"eos_token\":\"</s>\",\"unk_token\":\"</s>\",\"pad_token\":\"<pad>\"}",
         "{\"model_type\":\"opt\"}", "301 257 274 220 305 68 136 223 198 198 27 76 64 82 74 29",
         "301 257 27 91 72 76 62 68 267 91 29"},
        {"{}", "{\"model_type\":\"opt\"}",
         "301 257 274 220 305 68 136 223 198 198 27 76 64 82 74 29",
         "301 257 27 91 72 76 62 68 267 91 29"},
        {"{\"tokenizer_class\":\"Qwen2Tokenizer\",\"bos_token\":null,\"added_tokens_decoder\":{"
         "\"306\":{\"content\":\"<|im_end|>\",\"special\":true}}}",
         "{\"model_type\":\"qwen2\"}", "257 274 220 16 17 127 102 198 198 27 76 64 82 74 29",
         "257 306"},
        {"{\"added_tokens_decoder\":{\"306\":{\"content\":\"<|im_end|>\",\"special\":true}}}",
         "{\"model_type\":\"qwen3\"}", "257 274 220 16 17 127 102 198 198 27 76 64 82 74 29",
         "257 306"},
        {"{}", "{\"model_type\":\"roberta\"}", "300 257 274 220 305 68 136 223 304 301",
         "300 257 27 91 72 76 62 68 267 91 29 301"},
        {"{\"tokenizer_class\":\"BartTokenizer\"}", "{}", "300 257 274 220 305 68 136 223 304 301",
         "300 257 27 91 72 76 62 68 267 91 29 301"},
    };
    struct arena arena = {0};
    put_pair(&arena);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct error error = {ERROR_NONE, 0, ""};
        put_text("tokenizer_config.json", rows[row].config);
        put_text("config.json", rows[row].model);
        struct tokenizer *const bpe = open_tokenizer(folder, 310, &error);
        if (bpe == NULL) {
            fail_msg("%zu: %s", row, error.text);
        }
        assert_string_equal(ids_of(bpe, "the cat 12e\u0301\n\n<mask>", &arena), rows[row].first);
        assert_string_equal(ids_of(bpe, "the<|im_end|>", &arena), rows[row].second);
        tokenizer_close(bpe);
    }
    put_text("tokenizer_config.json", "{}");
    put_text("config.json", "{\"model_type\":\"qwen2\"}");
    put_text("added_tokens.json", "{\"<|im_end|>\":306}");
    struct tokenizer *const listed = open_tokenizer(folder, 310, NULL);
    assert_non_null(listed);
    assert_string_equal(ids_of(listed, "the<|im_end|>", &arena), "257 306");
    tokenizer_close(listed);
    arena_free(&arena);
}

/* Older folders name their tokens in a file of their own; tokenizer_config.json comes first. */
static void tokens_may_be_named_in_special_tokens_map(void **state)
{
    (void)state;
    static const struct {
        const char *config, *map, *ids;
    } rows[] = {
        {"{\"add_bos_token\":true}", "{\"bos_token\":{\"content\":\"</s>\"}}",
         "301 257 27 91 72 76 62 68 267 91 29"},
        {"{\"add_bos_token\":true}", "{\"bos_token\":\"<s>\"}",
         "300 257 27 91 72 76 62 68 267 91 29"},
        {"{\"add_bos_token\":true,\"bos_token\":\"</s>\"}", "{\"bos_token\":\"<s>\"}",
         "301 257 27 91 72 76 62 68 267 91 29"},
    };
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    put_pair(&arena);
    put_text("config.json", "{\"model_type\":\"gpt2\"}");
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        put_text("tokenizer_config.json", rows[row].config);
        put_text("special_tokens_map.json", rows[row].map);
        struct tokenizer *const bpe = open_tokenizer(folder, 310, &error);
        if (bpe == NULL) {
            fail_msg("%zu: %s", row, error.text);
        }
        assert_string_equal(ids_of(bpe, "the<|im_end|>", &arena), rows[row].ids);
        tokenizer_close(bpe);
    }
    put_text("special_tokens_map.json", "{\"bos_token\":");
    assert_null(open_tokenizer(folder, 310, &error));
    assert_non_null(strstr(error.text, "special_tokens_map.json: Line 1"));
    arena_free(&arena);
}

static void two_files_of_another_tokenizer_are_refused_by_its_name(void **state)
{
    (void)state;
    static const struct {
        const char *config, *model, *says;
    } cases[] = {
        {"{\"tokenizer_class\":\"CLIPTokenizer\"}", "{\"model_type\":\"gpt2\"}",
         "The tokenizer CLIPTokenizer cannot be read from vocab.json and merges.txt here; "
         "tokenizer.json would do."},
        {"{}", "{\"model_type\":\"whisper\"}", "The tokenizer whisper cannot be read"},
        {"{}", "{\"model_type\":\"qwen\"}", "The tokenizer qwen cannot be read"},
        {"{}", "{\"model_type\":\"gpt2 phi\"}", "The tokenizer gpt2 phi cannot be read"},
        {"{\"tokenizer_class\":\"Tokenizer\"}", "{}", "The tokenizer Tokenizer cannot be read"},
        {"{\"tokenizer_class\":", "{}", "tokenizer_config.json: Line 1"},
        {"{\"cls_token\":\"<whale>\"}", "{\"model_type\":\"roberta\"}",
         "Texts begin or end with “<whale>”, which is not in the vocabulary."},
        {"{\"added_tokens_decoder\":{\"x\":{\"content\":\"y\"}}}", "{}",
         "tokenizer_config.json: the id of “y” is no whole number"},
    };
    struct arena arena = {0};
    put_pair(&arena);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        put_text("tokenizer_config.json", cases[c].config);
        put_text("config.json", cases[c].model);
        if (open_tokenizer(folder, 310, &error) != NULL ||
            strstr(error.text, cases[c].says) == NULL) {
            fail_msg("%zu: “%s” does not say “%s”", c, error.text, cases[c].says);
        }
    }
    arena_free(&arena);
}

static void a_folder_without_tokenizer_says_so(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    put_text("vocab.json", "{}");
    assert_null(open_tokenizer(folder, VOCABULARY, &error));
    assert_int_equal(error.code, ERROR_FILE);
    assert_non_null(strstr(error.text, "no tokenizer"));
    put_text("tokenizer.json", "{\"model\":{\"type\":\"Whale\"}}");
    assert_null(open_tokenizer(folder, VOCABULARY, &error));
    assert_non_null(strstr(error.text, "tokenizer.json: its model Whale is not known here"));
}

int main(int argc, char **argv)
{
    tiny = argc > 1 ? argv[1] : "tests/model/tiny";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_has_the_ids_of_the_reference),
        cmocka_unit_test(any_bytes_come_back),
        cmocka_unit_test(two_million_letters_are_one_piece),
        cmocka_unit_test(steps_grow_as_letters_times_their_logarithm),
        cmocka_unit_test(tokens_are_shown_as_people_read_them),
        cmocka_unit_test_setup_teardown(all_three_ways_to_store_it_are_the_same, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(damaged_tokenizers_are_refused_by_file_and_rule,
                                        make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(damaged_files_of_a_whole_tokenizer_are_refused, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(two_files_are_read_as_their_class_or_model_has_them,
                                        make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tokens_may_be_named_in_special_tokens_map, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(two_files_of_another_tokenizer_are_refused_by_its_name,
                                        make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_folder_without_tokenizer_says_so, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
