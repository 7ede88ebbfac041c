/* An encoder that guesses masked words and tells two sentences apart: both are typed. */
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
#include "model/model.h"
#include "with_model.h"

static char path[4096];

static struct hands *hands_on(const char *text)
{
    snprintf(path, sizeof path, "%s/bert", getenv("MODELS"));
    return hands_on_path(path, text);
}

static void type_word(struct hands *hands, size_t at, const char *text)
{
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = at, .text = text}}, 0);
    hands_show_settled(hands);
}

static void expect_words(const struct hands *hands, const char *wanted)
{
    const struct lab_words *const words = hands->state->document.experiment.tokens;
    char text[512] = "";
    for (size_t w = 0; w < lab_words_count(words); w++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", w == 0 ? "" : " ",
                 lab_words_list(words)[w]);
    }
    assert_string_equal(text, wanted);
}

static const struct view_head_overview *shown_overview(const struct hands *hands)
{
    return hands->state->view.head_overview;
}

/* The same text, read by the model itself. */
struct reading {
    struct model *model;
    struct model_run *run;
    struct arena arena;
};

static void read_text(struct reading *reading, const char *text, const char *pair)
{
    struct tokenizer_output output;
    const struct tokenizer_input input = {
        .text = {(const uint8_t *)text, strlen(text)},
        .pair = {(const uint8_t *)pair, pair == NULL ? 0 : strlen(pair)},
        .has_pair = pair != NULL};
    *reading = (struct reading){.model = open_model(path, NULL)};
    assert_non_null(reading->model);
    assert_true(tokenizer_encode_as(model_tokenizer(reading->model), &input, &reading->arena,
                                    &output, NULL));
    const struct model_request request = {
        .ids = output.ids, .types = output.types, .count = output.count};
    reading->run = model_run_start(reading->model, &request, NULL);
    assert_non_null(reading->run);
}

static void release_reading(struct reading *reading)
{
    model_run_close(reading->run);
    model_close(reading->model);
    arena_free(&reading->arena);
}

/* The likeliest word at a place, by the model itself. */
static void expect_likeliest(struct hands *hands, const struct reading *reading, size_t place)
{
    const size_t vocabulary = model_config(reading->model)->vocabulary;
    struct arena arena = {0};
    float *const logits = arena_array(&arena, vocabulary, sizeof *logits);
    size_t best = 0;
    assert_true(model_run_logits(reading->run, place, 1, logits, NULL));
    for (size_t id = 1; id < vocabulary; id++) {
        best = logits[id] > logits[best] ? id : best;
    }
    assert_string_equal(shown_overview(hands)->next[0].word,
                        model_shown(reading->model, (uint32_t)best, &arena));
    arena_free(&arena);
}

static void a_masked_word_is_guessed_and_taken(void **state)
{
    (void)state;
    struct hands *const hands = hands_on("the cat sat");
    assert_int_equal(shown_overview(hands)->next_count, 0);
    hands_expect(hands, "Masked word");
    hands_expect_part(hands, "Type [MASK] in place of a word");
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_REPLACE,
                                          .token = {.at = 2, .before = 1, .text = "[MASK]"}},
                    0);
    hands_show_settled(hands);
    type_word(hands, 5, "on [MASK]"); /* before [SEP], which closes the text */
    expect_words(hands, "[CLS] the [MASK] sat on [MASK] [SEP]");
    hands_click_number(hands, "[MASK]", 0); /* the one that is chosen is guessed, and it is said */
    hands_wait(hands, 0.2);
    hands_expect(hands, "Masked word 1 of 2");
    const double first = hands->state->view.head_overview->next[0].share;
    hands_click_number(hands, "[MASK]", 1);
    hands_wait(hands, 0.2);
    hands_expect(hands, "Masked word 2 of 2");
    assert_true(hands->state->view.head_overview->next[0].share != first);
    struct reading reading;
    read_text(&reading, "the [MASK] sat on [MASK]", NULL);
    expect_likeliest(hands, &reading, 2);
    hands->state->view.pinned.query = 5; /* the other one is chosen */
    hands_show_settled(hands);
    expect_likeliest(hands, &reading, 5);
    const char *const word = arena_format(&reading.arena, "[CLS] the [MASK] sat on %s [SEP]",
                                          shown_overview(hands)->next[1].word);
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                          .overview = {.act = VIEW_HEAD_OVERVIEW_TAKE, .which = 1}},
                    0);
    hands_show_settled(hands);
    expect_words(hands, word);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    expect_words(hands, "[CLS] the [MASK] sat on [MASK] [SEP]");
    release_reading(&reading);
    hands_close(hands);
}

/* The very model, but its tensors that guess have other names. */
static void put_model_without_head(const char *folder)
{
    static const char *const others[] = {"config.json", "tokenizer.json"};
    char from[8192], to[8192];
    struct arena arena = {0};
    struct bytes content;
    for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
        snprintf(from, sizeof from, "%s/bert/%s", getenv("MODELS"), others[o]);
        snprintf(to, sizeof to, "%s/%s", folder, others[o]);
        assert_int_equal(symlink(from, to), 0);
    }
    snprintf(from, sizeof from, "%s/bert/model.safetensors", getenv("MODELS"));
    snprintf(to, sizeof to, "%s/model.safetensors", folder);
    assert_true(file_read(from, 1 << 20, &arena, &content, NULL));
    unsigned char *const own = arena_array(&arena, content.size, 1);
    assert_non_null(own);
    memcpy(own, content.at, content.size);
    for (size_t i = 0; i + 5 < content.size; i++) {
        if (memcmp(own + i, "\"cls.", 5) == 0) {
            own[i + 1] = 'k';
        }
    }
    FILE *const file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(own, 1, content.size, file), content.size);
    assert_int_equal(fclose(file), 0);
    arena_free(&arena);
}

static void a_masked_word_that_nothing_guesses_is_told(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/headless", hands->folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    put_model_without_head(folder);
    assert_true(app_open_model_open(hands->state, folder, "the cat sat", 0));
    hands_show_settled(hands);
    assert_string_equal(hands->state->message,
                        "It has no head that gives words. Left out: kls (5 tensors).");
    type_word(hands, 4, "on [MASK]");
    expect_words(hands, "[CLS] the cat sat on [MASK] [SEP]");
    assert_int_equal(shown_overview(hands)->next_count, 0);
    assert_non_null(strstr(hands->state->message, "what may stand for [MASK] is not known"));
    hands_close(hands);
}

/* Checks the tooltip where the pointer rests on a word. */
static void expect_tip(struct hands *hands, const char *word, const char *tip)
{
    hands_hover(hands, word);
    hands->input.time += 1;
    hands_frame(hands);
    hands_expect_part(hands, tip);
}

static void a_second_sentence_begins_behind_its_separator(void **state)
{
    (void)state;
    struct hands *const hands = hands_on("the cat sat");
    hands_expect(hands, "type a token; [SEP]: sentence B…");
    hands_expect_not(hands, "A");
    type_word(hands, 5, "[SEP] it was tired");
    hands_expect(hands, "A");
    hands_expect(hands, "B");
    assert_int_equal(shown_overview(hands)->second, 5);
    hands_expect(hands, "type a token…");
    expect_tip(hands, "[CLS]", "[CLS], of sentence A: ");
    expect_tip(hands, "tired", "tired, of sentence B: ");
    expect_words(hands, "[CLS] the cat sat [SEP] it was tired [SEP]");
    struct reading reading;
    read_text(&reading, "the cat sat", "it was tired");
    assert_int_equal(model_run_count(reading.run), shown_overview(hands)->stream_rows);
    assert_memory_equal(shown_overview(hands)->stream, model_run_residual(reading.run, 0),
                        shown_overview(hands)->stream_rows * shown_overview(hands)->stream_cols *
                            sizeof(float));
    release_reading(&reading);
    hands_close(hands);
}

static void a_text_that_is_typed_anew_is_opened_and_closed(void **state)
{
    (void)state;
    struct hands *const hands = hands_on("the cat sat");
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_REPLACE,
                                          .token = {.at = 0, .before = 5, .text = "it was"}},
                    0);
    hands_show_settled(hands);
    expect_words(hands, "[CLS] it was [SEP]");
    hands_close(hands);
}

/* In the window of a small screen what may stand at a mask takes its room from all heads, not from
 * the head that is read: every row has its number, and one weight is spelled out. */
static void fifteen_rows_of_a_head_have_their_numbers_at_1280_by_720(void **state)
{
    (void)state;
    struct hands *const hands = hands_on("the cat sat on the the and the cat sat on the the");
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 15);
    hands_resize(hands, 1280, 720);
    hands_key(hands, "5");
    hands_wait(hands, 1);
    hands_click(hands, "All of α");
    hands_wait(hands, 1);
    hands_expect(hands, "Masked word");
    hands_expect_part(hands, " = exp(scaled − max) ÷ Σ exp");
    assert_true(hands_count(hands, "1.000") >= 15); /* the sum of every row */
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_masked_word_is_guessed_and_taken),
        cmocka_unit_test(a_masked_word_that_nothing_guesses_is_told),
        cmocka_unit_test(a_second_sentence_begins_behind_its_separator),
        cmocka_unit_test(a_text_that_is_typed_anew_is_opened_and_closed),
        cmocka_unit_test(fifteen_rows_of_a_head_have_their_numbers_at_1280_by_720),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
