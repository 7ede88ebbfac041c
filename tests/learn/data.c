/* What is learned from: batches follow from seed and step alone, what is asked is right, own text
 * is cut as its tokenizer cuts it, and bad text is refused in one sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "learn/data.h"
#include "learn/task.h"

enum { BATCH_MAX = 512 * 64 };

static struct learn_data *make(enum learn_task_id task)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_data *const data =
        learn_recipe_data(&learn_task_at(task)->recipe, (struct bytes){NULL, 0}, &error);
    if (data == NULL) {
        fail_msg("%s: %s", learn_task_name(task), error.text);
    }
    return data;
}

static struct learn_data *make_text(const char *text, enum learn_units units, struct error *error)
{
    const struct learn_data_request request = {
        .task = LEARN_TASK_TEXT,
        .units = units,
        .text = {(const uint8_t *)text, strlen(text)},
        .context = 8,
        .batch = 4,
        .seed = 3,
    };
    return learn_data_make(&request, error);
}

static void a_batch_follows_from_seed_and_step_alone(void **state)
{
    static int32_t first[2][BATCH_MAX], again[2][BATCH_MAX], other[2][BATCH_MAX];
    (void)state;
    for (size_t t = 0; t < LEARN_TASK_TEXT; t++) {
        struct learn_data *const one = make((enum learn_task_id)t);
        struct learn_data *const two = make((enum learn_task_id)t);
        const struct learn_data_request *const request = learn_data_request_of(one);
        const size_t bytes = request->batch * request->context * sizeof(int32_t);
        assert_true(bytes <= sizeof first[0]);
        learn_data_batch(one, 7, first[0], first[1]);
        learn_data_batch(two, 8, other[0], other[1]);
        learn_data_batch(two, 7, again[0], again[1]);
        assert_memory_equal(first[0], again[0], bytes);
        assert_memory_equal(first[1], again[1], bytes);
        if (t != LEARN_TASK_ADDITION) { /* which learns from all it has at each step */
            assert_memory_not_equal(first[0], other[0], bytes);
        }
        for (size_t i = 0; i < bytes / sizeof(int32_t); i++) {
            assert_in_range(first[0][i], 0, learn_data_vocabulary(one) - 1);
            assert_true(first[1][i] >= -1 && first[1][i] < (int32_t)learn_data_vocabulary(one));
        }
        learn_data_release(one);
        learn_data_release(two);
    }
}

static void what_is_asked_is_right(void **state)
{
    static int32_t tokens[BATCH_MAX], targets[BATCH_MAX];
    (void)state;
    struct learn_data *data = make(LEARN_TASK_REVERSE);
    learn_data_batch(data, 0, tokens, targets);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(targets[i], tokens[7 - i]);
    }
    learn_data_release(data);
    data = make(LEARN_TASK_COPY);
    learn_data_batch(data, 0, tokens, targets);
    assert_int_equal(targets[3], tokens[2]);
    learn_data_release(data);
    data = make(LEARN_TASK_SORT);
    learn_data_batch(data, 0, tokens, targets);
    for (size_t i = 0; i < 8; i++) {
        for (size_t j = 0; j < 8; j++) { /* nothing lies between a letter and its answer */
            const bool between = targets[i] > tokens[i]
                                     ? tokens[j] > tokens[i] && tokens[j] < targets[i]
                                     : tokens[j] > tokens[i] || tokens[j] < targets[i];
            assert_false(between);
        }
    }
    learn_data_release(data);
    data = make(LEARN_TASK_ADDITION);
    learn_data_batch(data, 0, tokens, targets);
    for (size_t row = 0; row < 480; row++) {
        assert_int_equal(targets[3 * row + 2], (tokens[3 * row] + tokens[3 * row + 1]) % 31);
        assert_int_equal(targets[3 * row], LEARN_NOT_ASKED);
    }
    learn_data_release(data);
    data = make(LEARN_TASK_INDUCTION);
    learn_data_batch(data, 0, tokens, targets);
    for (size_t i = 0; i + 1 < 32; i++) {
        bool seen = false;
        for (size_t j = 0; j < i; j++) {
            seen = seen || tokens[j] == tokens[i];
        }
        assert_int_equal(targets[i], seen ? tokens[i + 1] : LEARN_NOT_ASKED);
    }
    learn_data_release(data);
}

/* Every other pair, and no pair twice: what is tested was never learned from. */
static void the_test_is_what_was_never_learned_from(void **state)
{
    static int32_t tokens[BATCH_MAX], targets[BATCH_MAX];
    bool seen[31 * 31] = {false};
    (void)state;
    struct learn_data *const data = make(LEARN_TASK_ADDITION);
    learn_data_batch(data, 5, tokens, targets);
    for (size_t row = 0; row < 480; row++) {
        seen[tokens[3 * row] * 31 + tokens[3 * row + 1]] = true;
    }
    assert_int_equal(learn_data_test_rows(data), 31 * 31 - 480);
    learn_data_test(data, tokens, targets);
    for (size_t row = 0; row < learn_data_test_rows(data); row++) {
        bool *const pair = &seen[tokens[3 * row] * 31 + tokens[3 * row + 1]];
        assert_false(*pair);
        *pair = true;
    }
    learn_data_release(data);
}

static void the_small_world_has_one_shape_in_three_languages(void **state)
{
    static int32_t tokens[BATCH_MAX], targets[BATCH_MAX];
    (void)state;
    for (size_t l = 0; l < LEARN_LANGUAGES; l++) {
        struct error error = {ERROR_NONE, 0, ""};
        struct learn_recipe recipe = learn_task_at(LEARN_TASK_SMALL_WORLD)->recipe;
        recipe.language = (enum learn_language)l;
        struct learn_data *const data = learn_recipe_data(&recipe, (struct bytes){NULL, 0}, &error);
        assert_non_null(data);
        assert_in_range(learn_data_vocabulary(data), 44, 48);
        assert_true(l != LEARN_ENGLISH || learn_data_vocabulary(data) == 46);
        const struct learn_score_texts texts = learn_data_score_texts(data);
        assert_int_equal(texts.rows, 20);
        assert_int_equal(texts.width, 8);
        size_t nouns = 0, kinds = 0;
        const int32_t *const kind = learn_data_kinds(data, &kinds);
        for (size_t m = 0; m < texts.count && texts.marks[m].score == LEARN_SCORE_NOUN; m++) {
            const struct learn_mark *const mark = &texts.marks[m];
            assert_int_equal(mark->query, 7);
            assert_true(kind[texts.tokens[mark->row * 8 + mark->key]] >= 0);
            nouns++;
        }
        assert_int_equal(nouns, 20);
        assert_int_equal(kinds, 5);
        struct arena arena = {0};
        const int32_t *probe = NULL;
        size_t count = 0;
        const char *const text = learn_data_probe(data, 0);
        assert_true(learn_data_encode(data, text, strlen(text), &arena, &probe, &count, &error));
        assert_memory_equal(probe, texts.tokens, 8 * sizeof *probe);
        arena_free(&arena);
        learn_data_batch(data, 0, tokens, targets);
        assert_memory_equal(tokens + 1, targets, 23 * sizeof *tokens);
        learn_data_release(data);
    }
}

static void own_text_is_words_or_letters(void **state)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    (void)state;
    struct learn_data *data = make_text(
        "a cat a dog a cat\na dog a cat a dog  a cat a dog a cat a dog", LEARN_UNITS_AUTO, &error);
    assert_non_null(data);
    assert_false(learn_data_is_letters(data));
    assert_int_equal(learn_data_vocabulary(data), 3);
    learn_data_release(data);
    data = make_text("nothing comes twice in here", LEARN_UNITS_AUTO, &error);
    assert_true(learn_data_is_letters(data));
    const int32_t *tokens = NULL;
    size_t count = 0;
    assert_true(learn_data_encode(data, "the ice", 7, &arena, &tokens, &count, &error));
    assert_int_equal(count, 7);
    assert_string_equal(learn_data_words(data)[tokens[3]], " ");
    assert_false(learn_data_encode(data, "zoo", 3, &arena, &tokens, &count, &error));
    assert_string_equal(error.text, "The letter \"z\" is not in what is learned from.");
    learn_data_release(data);
    /* It is looked at with its first words, not with the space that a title is centred by. */
    data = make_text("\n\n                             the title\n\nand its text", LEARN_LETTERS,
                     &error);
    assert_string_equal(learn_data_probe(data, 0), "the titl");
    learn_data_release(data);
    /* Bytes that are no text are left out, and that is said. */
    data = make_text("ab\xff"
                     "ab\x01 ab",
                     LEARN_LETTERS, &error);
    assert_int_equal(learn_data_vocabulary(data), 3);
    assert_non_null(strstr(learn_data_sentence(data, &arena), "Left out: 2 bytes"));
    learn_data_release(data);
    arena_free(&arena);
}

static void bad_data_is_refused_in_one_sentence(void **state)
{
    struct error error = {ERROR_NONE, 0, ""};
    (void)state;
    assert_null(make_text("", LEARN_UNITS_AUTO, &error));
    assert_non_null(strstr(error.text, "nothing to learn from"));
    assert_null(make_text("\xff\xfe"
                          "T\1h\1e\1 \1c\1a\1t\1",
                          LEARN_UNITS_AUTO, &error)); /* as a file in UTF-16, or of pixels */
    assert_string_equal(error.text, "This is no text in UTF-8: 9 of 16 bytes belong to no letter.");
    assert_null(make_text("one", LEARN_WORDS, &error));
    assert_non_null(strstr(error.text, "fewer than two different words"));
    static char many[66000 * 7 + 1];
    for (int i = 0; i < 66000; i++) {
        snprintf(many + 7 * i, 8, "w%05d ", i % 99999);
    }
    assert_null(make_text(many, LEARN_WORDS, &error));
    assert_non_null(strstr(error.text, "65536 kinds of words"));
    struct learn_data_request request = {.task = LEARN_TASK_ADDITION, .context = 9};
    assert_null(learn_data_make(&request, &error));
    assert_non_null(strstr(error.text, "no other number"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_follows_from_seed_and_step_alone),
        cmocka_unit_test(what_is_asked_is_right),
        cmocka_unit_test(the_test_is_what_was_never_learned_from),
        cmocka_unit_test(the_small_world_has_one_shape_in_three_languages),
        cmocka_unit_test(own_text_is_words_or_letters),
        cmocka_unit_test(bad_data_is_refused_in_one_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
