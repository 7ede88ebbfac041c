/* A model that was tuned for chats: its text becomes a message between the template's own tokens,
 * is typed there, is answered behind them, and becomes plain text again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../opened.h"
#include "checkpoint.h"
#include "model/message.h"
#include "with_model.h"

static const char MISTRAL[] =
    "{\"chat_template\": \"{{ '[INST] ' + message['content'] + ' [/INST]' }}\"}";
static const char STRANGE[] = "{\"chat_template\": \"### {{ message['content'] }}\"}";

static struct checkpoint checkpoint;

/* The tiny model with this tokenizer_config.json (NULL: none), on a text. */
static struct hands *hands_on(const char *config, const char *text)
{
    checkpoint_open(&checkpoint, getenv("TINY_MODEL"));
    checkpoint_write(&checkpoint);
    if (config != NULL) {
        checkpoint_put_text(&checkpoint, "tokenizer_config.json", config);
    }
    return hands_on_path(checkpoint.folder, text);
}

static void close_field(struct hands *hands)
{
    hands_close(hands);
    checkpoint_close(&checkpoint);
}

static void toggle_chat(struct hands *hands)
{
    hands_key(hands, "S");
    hands_click(hands, "as a chat message");
    hands_show_settled(hands);
    hands_key(hands, "S");
}

static void type_words(struct hands *hands, size_t at, size_t gone, const char *text)
{
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = gone > 0 ? VIEW_ACTION_REPLACE : VIEW_ACTION_INSERT,
                              .token = {.at = at, .before = gone, .text = text}},
        0);
    hands_show_settled(hands);
}

static size_t words_in(const struct hands *hands)
{
    return lab_words_count(hands->state->document.experiment.tokens);
}

/* The words on screen are this text as the command line reads it: as a message, or as it is. */
static void expect_read(struct hands *hands, bool chat, const char *text)
{
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct model *const model = open_model(checkpoint.folder, &error);
    assert_non_null(model);
    struct tokenizer_input input = {.text = {(const uint8_t *)text, strlen(text)}, .bare = chat};
    struct tokenizer_output output = {.count = 0};
    if (chat) {
        assert_true(
            model_chat_apply(model_chat(model, &error), input.text, &arena, &input.text, &error));
    }
    assert_true(tokenizer_encode_as(model_tokenizer(model), &input, &arena, &output, &error));
    const struct lab_words *const words = hands->state->document.experiment.tokens;
    assert_int_equal(lab_words_count(words), output.count);
    for (size_t i = 0; i < output.count; i++) {
        assert_string_equal(lab_words_list(words)[i], model_shown(model, output.ids[i], &arena));
    }
    assert_true((head_overview_of(hands)->chat != NULL) == chat);
    model_close(model);
    arena_free(&arena);
}

static void a_text_becomes_a_message_and_text_again(void **state)
{
    (void)state;
    struct hands *const hands = hands_on(MISTRAL, "the cat sat");
    expect_read(hands, false, "the cat sat"); /* it goes in as it is by itself */
    toggle_chat(hands);
    expect_read(hands, true, "the cat sat");
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    expect_read(hands, false, "the cat sat");
    hands_key(hands, "Ctrl+Y");
    hands_show_settled(hands);
    expect_read(hands, true, "the cat sat");
    toggle_chat(hands);
    expect_read(hands, false, "the cat sat");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "chat message");
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    expect_read(hands, true, "the cat sat");
    close_field(hands);
}

static void the_word_that_is_chosen_stays_chosen(void **state)
{
    (void)state;
    struct hands *const hands = hands_on(MISTRAL, "the cat sat");
    hands->state->view.pinned.query = 1;
    toggle_chat(hands);
    assert_int_equal(hands->state->view.pinned.query, head_overview_of(hands)->chat_first + 1);
    toggle_chat(hands);
    assert_int_equal(hands->state->view.pinned.query, 1);
    close_field(hands);
}

static void words_are_typed_into_the_message_not_over_the_template(void **state)
{
    (void)state;
    struct hands *const hands = hands_on(MISTRAL, "the cat");
    toggle_chat(hands);
    hands_click(hands, "type a token…");
    hands_type(hands, "sat on ");
    hands_show_settled(hands);
    expect_read(hands, true, "the cat sat on");
    hands_key(hands, "Backspace"); /* the word before the place where one types */
    hands_show_settled(hands);
    expect_read(hands, true, "the cat sat");
    type_words(hands, 0, 0, "and"); /* before the template: as the first word */
    expect_read(hands, true, "and the cat sat");
    const size_t first = head_overview_of(hands)->chat_first;
    type_words(hands, first, 1, "see");
    expect_read(hands, true, "see the cat sat");
    type_words(hands, 0, words_in(hands), "the dog"); /* in place of all of it */
    expect_read(hands, true, "the dog");
    type_words(hands, 0, words_in(hands), "");
    expect_read(hands, true, "");
    type_words(hands, words_in(hands), 0, "the dog");
    expect_read(hands, true, "the dog");
    close_field(hands);
}

static void the_template_stays(void **state)
{
    (void)state;
    struct hands *const hands = hands_on(MISTRAL, "the cat sat");
    toggle_chat(hands);
    const size_t places[] = {0, head_overview_of(hands)->chat_first - 1,
                             head_overview_of(hands)->chat_end, words_in(hands) - 1};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        type_words(hands, places[p], 1, "");
        expect_read(hands, true, "the cat sat");
        char said[256];
        snprintf(said, sizeof said,
                 "“%s” is the chat template's and stays: the text is no message without it.",
                 lab_words_list(hands->state->document.experiment.tokens)[places[p]]);
        assert_string_equal(hands->state->message, said);
        app_state_apply(
            hands->state,
            &(struct view_action){
                .kind = VIEW_ACTION_MOVE,
                .token = {.at = places[p], .before = head_overview_of(hands)->chat_first + 1}},
            0);
        hands_show_settled(hands);
        expect_read(hands, true, "the cat sat");
    }
    const size_t first =
        head_overview_of(hands)->chat_first; /* a word beyond the end goes to the end */
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_MOVE,
                                          .token = {.at = first, .before = words_in(hands)}},
                    0);
    hands_show_settled(hands);
    expect_read(hands, true, "cat sat the");
    close_field(hands);
}

static void a_message_is_answered_behind_the_template(void **state)
{
    (void)state;
    struct hands *const hands = hands_on(MISTRAL, "the cat");
    toggle_chat(hands);
    const size_t words = words_in(hands), end = head_overview_of(hands)->chat_end;
    char likely[64];
    snprintf(likely, sizeof likely, "%s", head_overview_of(hands)->next[0].word);
    ask_overview(hands, VIEW_HEAD_OVERVIEW_TAKE, 0);
    assert_int_equal(words_in(hands), words + 1);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[words], likely);
    assert_int_equal(head_overview_of(hands)->chat_end, end);
    assert_int_equal(head_overview_of(hands)->chat_behind, words);
    type_words(hands, words_in(hands), 0, "the"); /* from now on one types into the answer */
    assert_int_equal(words_in(hands), words + 2);
    assert_int_equal(head_overview_of(hands)->chat_end, end);
    type_words(hands, end, 0, "sat"); /* and still into the message */
    assert_int_equal(head_overview_of(hands)->chat_end, end + 1);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[words + 1],
                        likely);
    toggle_chat(hands);
    expect_read(hands, false, "the cat sat"); /* of both the message */
    close_field(hands);
}

static void what_is_typed_while_a_message_is_read_goes_into_it(void **state)
{
    (void)state;
    struct hands *const hands = hands_on(MISTRAL, "the cat");
    const struct view_action chat = {.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                     .overview = {.act = VIEW_HEAD_OVERVIEW_CHAT}};
    const struct view_action word = {.kind = VIEW_ACTION_INSERT,
                                     .token = {.at = words_in(hands), .text = "sat"}};
    assert_true(app_open_model_apply(hands->state, &chat, 0));
    assert_true(app_open_model_apply(hands->state, &word, 0)); /* nothing waited */
    hands_show_settled(hands);
    expect_read(hands, true, "the cat sat");
    close_field(hands);
}

static void a_model_without_a_known_template_says_so(void **state)
{
    (void)state;
    static const struct {
        const char *config, *said;
    } cases[] = {{NULL, "No chat template came with this model."},
                 {STRANGE, "Its chat template is none of those that are known: chatml, llama3, "
                           "gemma, mistral, phi, harmony."}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct hands *const hands = hands_on(cases[c].config, "the cat");
        toggle_chat(hands);
        assert_string_equal(hands->state->message, cases[c].said);
        expect_read(hands, false, "the cat");
        close_field(hands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_becomes_a_message_and_text_again),
        cmocka_unit_test(the_word_that_is_chosen_stays_chosen),
        cmocka_unit_test(words_are_typed_into_the_message_not_over_the_template),
        cmocka_unit_test(the_template_stays),
        cmocka_unit_test(a_message_is_answered_behind_the_template),
        cmocka_unit_test(what_is_typed_while_a_message_is_read_goes_into_it),
        cmocka_unit_test(a_model_without_a_known_template_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
