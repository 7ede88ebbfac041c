/* A model that came without a tokenizer: its words are numbers of tokens, and numbers are typed. */
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
#include "app/open/drop.h"
#include "base/file.h"
#include "model/model.h"
#include "with_model.h"

static char path[4096];

static struct hands *hands_on(const char *text)
{
    struct hands *const hands = hands_open("cats", 1440, 900);
    snprintf(path, sizeof path, "%s/llama3", getenv("MODELS"));
    assert_true(app_open_model_open(hands->state, path, text, 0));
    hands_show_settled(hands);
    return hands;
}

static void type_words(struct hands *hands, size_t at, const char *text)
{
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = at, .text = text}}, 0);
    hands_show_settled(hands);
}

static size_t words_in(const struct hands *hands)
{
    return lab_words_count(hands->state->document.experiment.tokens);
}

/* Checks that the stages show the layer of these ids. */
static void expect_ids(const struct hands *hands, const uint32_t *ids, size_t count)
{
    struct model *const model = open_model(path, NULL);
    const struct model_request request = {.ids = ids, .count = count};
    struct model_run *const run = model_run_start(model, &request, NULL);
    assert_non_null(run);
    assert_int_equal(words_in(hands), count);
    for (size_t i = 0; i < count; i++) {
        char word[16];
        snprintf(word, sizeof word, "#%u", (unsigned)ids[i]);
        assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[i], word);
    }
    const struct view_head_overview *const overview = head_overview_of(hands);
    assert_int_equal(overview->stream_rows, count);
    assert_memory_equal(overview->stream, model_run_residual(run, 0),
                        count * overview->stream_cols * sizeof(float));
    model_run_close(run);
    model_close(model);
}

static void it_opens_and_says_what_is_typed(void **state)
{
    (void)state;
    struct hands *const hands = hands_on(NULL);
    assert_non_null(strstr(hands->state->message, "Words are numbers of tokens here"));
    assert_non_null(strstr(hands->state->message, "The folder holds no tokenizer"));
    hands_expect(hands, "number, 0 to 30…");
    assert_true(words_in(hands) > 0);
    hands_close(hands);
}

static void numbers_are_typed_changed_and_taken_back(void **state)
{
    (void)state;
    struct hands *const hands = hands_on("4, 30 0");
    expect_ids(hands, (const uint32_t[]){4, 30, 0}, 3);
    type_words(hands, 3, "17 #2");
    expect_ids(hands, (const uint32_t[]){4, 30, 0, 17, 2}, 5);
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_REPLACE,
                                          .token = {.at = 1, .before = 1, .text = "9"}},
                    0);
    hands_show_settled(hands);
    expect_ids(hands, (const uint32_t[]){4, 9, 0, 17, 2}, 5);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    expect_ids(hands, (const uint32_t[]){4, 30, 0, 17, 2}, 5);
    hands_close(hands);
}

static void what_is_no_token_is_refused_by_name(void **state)
{
    (void)state;
    struct hands *const hands = hands_on("4 30 0");
    type_words(hands, 3, "cat");
    assert_non_null(strstr(hands->state->message, "“cat” is no number of a token"));
    type_words(hands, 3, "31");
    assert_non_null(
        strstr(hands->state->message, "There is no token 31: those of this model are 0 to 30."));
    type_words(hands, 3, "99999999999");
    assert_non_null(strstr(hands->state->message, "“99999999999” is no number of a token"));
    expect_ids(hands, (const uint32_t[]){4, 30, 0}, 3);
    hands_close(hands);
}

static void a_text_in_words_does_not_open_it(void **state)
{
    (void)state;
    struct hands *const hands = hands_on("the cat sat");
    assert_null(hands->state->view.head_overview);
    assert_non_null(strstr(hands->state->message, "“the cat sat” is no number of a token"));
    hands_close(hands);
}

/* A tokenizer is there, of a part that is not known: it is named, and numbers are typed. */
static void an_unknown_tokenizer_is_named_and_numbers_are_typed(void **state)
{
    (void)state;
    static const char tokenizer[] = "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}},"
                                    "\"pre_tokenizer\":{\"type\":\"UnicodeScripts\"}}";
    static const char *const files[] = {"config.json", "model.safetensors", "tokenizer.json"};
    char folder[] = "numbers-XXXXXX", from[4096], to[64];
    assert_non_null(mkdtemp(folder));
    for (size_t f = 0; f < 3; f++) {
        struct arena arena = {0};
        struct bytes content = {(const uint8_t *)tokenizer, sizeof tokenizer - 1};
        snprintf(from, sizeof from, "%s/llama3/%s", getenv("MODELS"), files[f]);
        snprintf(to, sizeof to, "%s/%s", folder, files[f]);
        assert_true(f == 2 || file_read(from, 1 << 20, &arena, &content, NULL));
        assert_true(file_write(to, content, NULL));
        arena_free(&arena);
    }
    snprintf(path, sizeof path, "%s", folder);
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_open_model_open(hands->state, path, NULL, 0));
    hands_show_settled(hands);
    assert_non_null(strstr(hands->state->message, "Words are numbers of tokens here"));
    assert_non_null(strstr(hands->state->message,
                           "tokenizer.json: its pre_tokenizer UnicodeScripts is not known here."));
    hands_expect(hands, "number, 0 to 30…");
    const size_t words = words_in(hands);
    type_words(hands, words, "9");
    assert_int_equal(words_in(hands), words + 1);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[words], "#9");
    hands_close(hands);
    for (size_t f = 0; f < 3; f++) {
        snprintf(to, sizeof to, "%s/%s", folder, files[f]);
        assert_int_equal(unlink(to), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void drop_file(struct hands *hands, const char *file)
{
    hands_drop(hands, file);
    hands_show_settled(hands);
}

/* The weights are what one takes hold of in a folder of weights, and a model is what is meant. */
static void dropped_weights_open_their_model(void **state)
{
    (void)state;
    char file[4096];
    struct hands *const hands = hands_open("cats", 1440, 900);
    snprintf(file, sizeof file, "%s/llama3/model.safetensors", getenv("MODELS"));
    drop_file(hands, file);
    hands_expect(hands, "number, 0 to 30…");
    hands_expect(hands, "llama3 · 2 × 2 heads");
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_NONE);
    hands_close(hands);
}

/* A file that is dropped next does not answer the question about another file, and stands alone. */
static void a_question_goes_when_something_else_is_dropped(void **state)
{
    (void)state;
    char file[4096];
    struct hands *const hands = hands_open("cats", 1440, 900);
    struct arena arena = {0};
    struct bytes weights;
    snprintf(file, sizeof file, "%s/llama3/model.safetensors", getenv("MODELS"));
    assert_true(file_read(file, 1 << 20, &arena, &weights, NULL));
    assert_true(file_write("numbers.safetensors", weights, NULL)); /* of no folder */
    drop_file(hands, "numbers.safetensors");
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_IMPORT);
    snprintf(file, sizeof file, "%s/llama3/config.json", getenv("MODELS"));
    drop_file(hands, file); /* which cannot be opened */
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_IMPORT);
    snprintf(file, sizeof file, "%s/llama3", getenv("MODELS"));
    drop_file(hands, file);
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_NONE);
    hands_expect(hands, "llama3 · 2 × 2 heads");
    hands_close(hands);
    arena_free(&arena);
    assert_int_equal(unlink("numbers.safetensors"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_opens_and_says_what_is_typed),
        cmocka_unit_test(numbers_are_typed_changed_and_taken_back),
        cmocka_unit_test(what_is_no_token_is_refused_by_name),
        cmocka_unit_test(an_unknown_tokenizer_is_named_and_numbers_are_typed),
        cmocka_unit_test(dropped_weights_open_their_model),
        cmocka_unit_test(a_question_goes_when_something_else_is_dropped),
        cmocka_unit_test(a_text_in_words_does_not_open_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
