/* Where a text is cut by each published pattern that GGUF files name: expected are the pieces that
 * the tokenizers package makes with the pattern as its model's tokenizer.json has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/tokenizer_internal.h"

static struct tokenizer *tokenizer_of(const char *name, struct error *error)
{
    struct tokenizer *const tokenizer = tokenizer_new(1, error);
    assert_non_null(tokenizer);
    if (!tokenizer_read_pre(tokenizer, name, "x.gguf", error)) {
        tokenizer_close(tokenizer);
        return NULL;
    }
    return tokenizer;
}

/* The pieces with ¦ between them; bytes are not yet letters. */
static const char *pieces_of(const struct tokenizer *tokenizer, const char *text,
                             struct arena *arena)
{
    struct tokenizer_pieces now = {.arena = arena};
    const char *line = "";
    assert_true(tokenizer_pieces_put(
        &now, (struct tokenizer_piece){text, strlen(text), TOKENIZER_TEXT, true}));
    for (size_t s = 0; s + 1 < tokenizer->split_count; s++) {
        struct tokenizer_pieces next = {.arena = arena};
        for (size_t p = 0; p < now.count; p++) {
            assert_true(tokenizer->splits[s].apply(&tokenizer->splits[s], &now.at[p], &next, NULL));
        }
        now = next;
    }
    for (size_t p = 0; p < now.count; p++) {
        line = arena_format(arena, "%s%s%.*s", line, p == 0 ? "" : "¦", (int)now.at[p].length,
                            now.at[p].text);
    }
    return line;
}

static void assert_cut(const char *name, const char *text, const char *pieces)
{
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct tokenizer *const tokenizer = tokenizer_of(name, &error);
    if (tokenizer == NULL) {
        fail_msg("%s", error.text);
    }
    const char *const cut = pieces_of(tokenizer, text, &arena);
    if (strcmp(cut, pieces) != 0) {
        fail_msg("%s: %s", name, cut);
    }
    tokenizer_close(tokenizer);
    arena_free(&arena);
}

#define FIRST "He'LL say 12345, naïve\n\n  देवी 你好McDonald's (x).  \n"
#define SECOND "IMGIMGABZ  a\t<sentinel:7> ok!/\n/ Ünï Юla ბა １２３４ a b c's éE\u0301x"

/* The pieces that the patterns make of both. */
static const struct {
    const char *name, *first, *second;
} patterns[] = {
    {"deepseek-llm",
     "He¦'¦LL¦ say¦ ¦12345¦,¦ na¦ï¦ve¦\n¦\n¦  ¦देवी¦ ¦你好¦McDonald¦'¦s¦ (¦x¦).¦  ¦\n",
     "IMGIMGABZ¦ ¦ a¦\t<¦sentinel¦:¦7¦>¦ ok¦!/¦\n¦/¦ Ü¦n¦ï¦ Ю¦la¦ ¦ბა¦ ¦１２３４¦ a¦ b¦ c¦'¦s¦ "
     "é¦E¦\u0301¦x"},
    {"kimi-k2", "He'LL¦ say¦ ¦123¦45¦,¦ naïve¦\n\n¦ ¦ देवी¦ ¦你好¦Mc¦Donald's¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１２３¦４¦ a¦ b¦ c's¦ "
     "é¦E\u0301x"},
    {"viking", "He'LL¦ say¦ ¦1¦2¦3¦4¦5¦,¦ naïve¦\n\n ¦ देवी¦ 你好McDonald's¦ (¦x¦).  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel:¦7¦>¦ ok¦!¦/¦\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１¦２¦３¦４¦ a¦ b¦ c's¦ "
     "éE\u0301x"},
    {"bloom", "He'LL¦ say¦ 12345¦,¦ naïve¦\n\n ¦ देवी¦ 你好McDonald's¦ (¦x¦).  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel:7>¦ ok¦!¦/¦\n¦/¦ Ünï¦ Юla¦ ბა¦ １２３４¦ a¦ b¦ c's¦ "
     "éE\u0301x"},
    {"qwen35", "He¦'LL¦ say¦ ¦1¦2¦3¦4¦5¦,¦ naïve¦\n\n¦ ¦ देवी¦ 你好McDonald¦'s¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１¦２¦３¦４¦ a¦ b¦ c¦'s¦ "
     "éE\u0301x"},
    {"bailingmoe", "He¦'LL¦ say¦ ¦1¦2¦3¦4¦5¦,¦ naïve¦\n\n¦ ¦ द¦ेव¦ी¦ 你好McDonald¦'s¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１¦２¦３¦４¦ a¦ b¦ c¦'s¦ "
     "éE¦\u0301x"},
    {"seed-coder", "He¦'LL¦ say¦ ¦1¦2¦3¦4¦5¦,¦ naïve¦\n\n¦ ¦ द¦ेव¦ी¦ 你好McDonald¦'s¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/¦\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１¦２¦３¦４¦ a¦ b¦ c¦'s¦ "
     "éE¦\u0301x"},
    {"exaone-moe", "He¦'LL¦ say¦ ¦1¦2¦3¦4¦5¦,¦ naïve¦\n\n¦ ¦ देवी 你好McDonald¦'s¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n¦/¦ Ünï Юla ბა¦ ¦１¦２¦３¦４¦ a b c¦'s¦ "
     "éE\u0301x"},
    {"laguna", "He¦'LL¦ say¦ ¦1¦2¦3¦4¦5¦,¦ naïve¦\n\n¦ ¦ द¦ेव¦ी¦ 你好McDonald¦'s¦ (¦x¦).¦  ¦\n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/¦\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１¦２¦３¦４¦ a¦ b¦ c¦'s¦ "
     "éE¦\u0301x"},
    {"tiny_aya", "He'LL¦ say¦ ¦12¦345¦,¦ naïve¦\n\n¦ ¦ देवी¦ 你好Mc¦Donald's¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n/¦ Ünï¦ Юla¦ ბა¦ ¦１¦２３４¦ a¦ b¦ c's¦ "
     "é¦E\u0301x"},
    {"kanana2", "He'LL¦ say¦ ¦123¦45¦,¦ naïve¦\n\n¦ ¦ देवी¦ 你好Mc¦Donald's¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n/¦ Ünï¦ Юla¦ ბა¦ ¦１２３¦４¦ a¦ b¦ c's¦ "
     "é¦E\u0301x"},
    {"grok-2", "He¦'LL¦ say¦ ¦1¦2¦3¦4¦5¦,¦ naïve¦\n\n¦ ¦ द¦ेव¦ी¦ 你好McDonald¦'s¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１¦２¦３¦４¦ a¦ b¦ c¦'s¦ "
     "éE¦\u0301x"},
    {"jais", "He¦'¦LL¦ say¦ 12345¦,¦ naïve¦\n\n ¦ द¦े¦व¦ी¦ 你好McDonald¦'s¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<¦sentinel¦:¦7¦>¦ ok¦!/¦\n¦/¦ Ünï¦ Юla¦ ბა¦ １２３４¦ a¦ b¦ c¦'s¦ "
     "éE¦\u0301¦x"},
    {"mellum2", "He¦'¦LL¦ say¦ ¦1¦2¦3¦4¦5¦,¦ naïve¦\n\n ¦ द¦े¦व¦ी¦ 你好McDonald¦'s¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<¦sentinel¦:¦7¦>¦ ok¦!/¦\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１¦２¦３¦４¦ a¦ b¦ c¦'s¦ "
     "éE¦\u0301¦x"},
    {"youtu", "He'LL¦ say¦ ¦1¦2¦3¦4¦5¦,¦ naïve¦\n\n¦ ¦ देवी¦ ¦你好¦Mc¦Donald's¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n/¦ Ünï¦ Юla¦ ბა¦ ¦１¦２¦３¦４¦ a¦ b¦ c's¦ "
     "é¦E\u0301x"},
    {"jais-2", "He¦'LL¦ say¦ ¦123¦45¦,¦ naïve¦\n\n¦ ¦ द¦ेव¦ी¦ 你好McDonald¦'s¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１２３¦４¦ a¦ b¦ c¦'s¦ "
     "éE¦\u0301x"},
    {"minicpm5", "He¦'LL¦ say¦ ¦123¦45¦,¦ naïve¦\n\n¦ ¦ द¦ेव¦ी¦ 你好McDonald¦'s¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１２３¦４¦ a¦ b¦ c¦'s¦ "
     "éE¦\u0301x"},
    {"ufakzeka", "He¦'LL¦ say¦ ¦1¦2¦3¦4¦5¦,¦ naïve¦\n\n¦ ¦ द¦ेव¦ी¦ 你好McDonald¦'s¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１¦２¦３¦４¦ a¦ b¦ c¦'s¦ "
     "éE¦\u0301x"},
    {"superbpe", "He'LL say ¦12¦345¦, naïve\n\n  देवी 你好McDonald's (x).  \n",
     "IMGIMGABZ  a\t<sentinel:¦7¦> ok!/\n/ Ünï Юla ბა ¦１¦２３４¦ a b c's éE\u0301x"},
    {"hy_v4", "He¦'LL¦ say¦ ¦123¦45¦,¦ naïve¦\n\n¦ ¦ देवी¦ ¦你好¦McDonald¦'s¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１２３¦４¦ a¦ b¦ c¦'s¦ "
     "éE\u0301x"},
    {"spark2_5", "He¦'LL¦ say¦ ¦1¦2¦3¦4¦5¦,¦ naïve¦\n¦\n¦ ¦ देवी¦ ¦你好¦McDonald¦'s¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/¦\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１¦２¦３¦４¦ a¦ b¦ c¦'s¦ "
     "éE\u0301x"},
    {"granite-embed-multi-97m",
     "He'LL¦ say¦ ¦123¦45¦,¦ naïve¦\n\n¦ ¦ देवी¦ 你好Mc¦Donald's¦ (¦x¦).¦  \n",
     "IMGIMGABZ¦ ¦ a¦\t¦<sentinel¦:¦7¦>¦ ok¦!/\n/¦ Ünï¦ Юla¦ ბა¦ ¦１２３¦４¦ a¦ b¦ c's¦ "
     "é¦E\u0301x"},
    {"chameleon",
     "He¦'¦LL¦ say¦ ¦1¦2¦3¦4¦5¦,¦ naïve¦\n¦\n¦  ¦द¦े¦व¦ी¦ 你好McDonald¦'¦s¦ ¦(¦x¦)¦.¦  ¦\n",
     "IMGIMGABZ¦  ¦a¦\t¦<¦sentinel¦:¦7¦>¦ ok¦!¦/¦\n¦/¦ Ünï¦ Юla¦ ბა¦ ¦１¦２¦３¦４¦ a¦ b¦ "
     "c¦'¦s¦ éE¦\u0301¦x"},
};

static void each_pattern_cuts_as_its_library(void **state)
{
    (void)state;
    for (size_t row = 0; row < sizeof patterns / sizeof *patterns; row++) {
        assert_cut(patterns[row].name, FIRST, patterns[row].first);
        assert_cut(patterns[row].name, SECOND, patterns[row].second);
    }
}

static void digits_signs_and_long_spaces_are_cut_as_their_library(void **state)
{
    (void)state;
    static const char text[] = "각1234567½89，ㄅㄆカな ：“ab”　　x         \n\n      y     z1000";
    static const struct {
        const char *name, *pieces;
    } rows[] = {
        {"youtu", "각¦1¦2¦3¦4¦5¦6¦7¦½¦8¦9¦，¦ㄅㄆ¦カな¦ ¦：“¦ab¦”¦　¦　x¦         \n\n¦     ¦ y¦   "
                  " ¦ z¦1¦0¦0¦0"},
        {"jais-2",
         "각¦123¦456¦7½8¦9¦，ㄅㄆカな¦ ：“¦ab¦”¦　¦　x¦         \n\n¦    ¦ ¦ y¦    ¦ z¦100¦0"},
        {"minicpm5",
         "각¦123¦456¦7½8¦9¦，ㄅㄆカな¦ ：“¦ab¦”¦　¦　x¦         \n\n¦     ¦ y¦    ¦ z¦100¦0"},
        {"ufakzeka", "각¦1¦2¦3¦4¦5¦6¦7¦½¦8¦9¦，ㄅㄆカな¦ ：“¦ab¦”¦　¦　x¦         \n\n¦     ¦ y¦   "
                     " ¦ z¦1¦0¦0¦0"},
        {"superbpe", "각¦1¦234¦567½89¦，ㄅㄆカな ：“ab”　　x         \n\n      y     z¦1¦000"},
        {"hy_v4",
         "각¦123¦456¦7½8¦9¦，¦ㄅㄆ¦カな¦ ：“¦ab¦”¦　¦　x¦         \n\n¦     ¦ y¦    ¦ z¦100¦0"},
        {"spark2_5", "각¦1¦2¦3¦4¦5¦6¦7¦½¦8¦9¦，¦ㄅㄆ¦カな¦ ：“¦ab¦”¦　¦　x¦         \n\n     ¦ y¦  "
                     "  ¦ z¦1¦0¦0¦0"},
        {"granite-embed-multi-97m",
         "각¦123¦456¦7½8¦9¦，ㄅㄆカな¦ ：“¦ab¦”¦　¦　x¦         \n\n¦     ¦ y¦    ¦ z¦100¦0"},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        assert_cut(rows[row].name, text, rows[row].pieces);
    }
}

static void other_patterns_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"whitespace", "afmoe", "", "qwen", "viking bloom"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct error error = {ERROR_NONE, 0, ""};
        assert_null(tokenizer_of(names[i], &error));
        assert_non_null(strstr(error.text, "x.gguf: tokenizer.ggml.pre: the pattern "));
        assert_non_null(strstr(error.text, names[i]));
    }
}

static void a_text_begins_as_the_pattern_says(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool begins, whole;
    } rows[] = {{"tekken", true, true},     {"llama-bpe", true, true},
                {"chameleon", true, false}, {"youtu", false, true},
                {"minicpm5", false, true},  {"granite-embed-multi-97m", false, true},
                {"jais-2", false, false},   {"superbpe", false, false},
                {"qwen2", false, false}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct tokenizer *const tokenizer = tokenizer_of(rows[row].name, NULL);
        assert_non_null(tokenizer);
        assert_int_equal(tokenizer->begins, rows[row].begins);
        assert_int_equal(tokenizer->bpe.whole, rows[row].whole);
        tokenizer_close(tokenizer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pattern_cuts_as_its_library),
        cmocka_unit_test(digits_signs_and_long_spaces_are_cut_as_their_library),
        cmocka_unit_test(other_patterns_are_refused_by_name),
        cmocka_unit_test(a_text_begins_as_the_pattern_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
