/* A model that reads one text and writes another: heads of either text and between them stand on
 * the stages, and both texts are typed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/translate.h"
#include "canvas/draw/canvas.h"
#include "with_model.h"

enum { DECODER, ENCODER, CROSS };

static struct hands *hands_on(const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("MODELS"), name);
    return hands_on_path(path, text);
}

static void type_word(struct hands *hands, size_t at, bool of_keys, const char *text)
{
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_INSERT,
                                          .token = {.at = at, .of_keys = of_keys, .text = text}},
                    0);
    hands_show_settled(hands);
}

static const struct lab_experiment *shown_experiment(const struct hands *hands)
{
    return &hands->state->document.experiment;
}

/* "the cat </s>" */
static void expect_words(const struct lab_words *words, const char *wanted)
{
    char text[512] = "";
    for (size_t w = 0; w < lab_words_count(words); w++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", w == 0 ? "" : " ",
                 lab_words_list(words)[w]);
    }
    assert_string_equal(text, wanted);
}

/* Checks that the stages show the heads of the overview. */
static void expect_heads(struct hands *hands)
{
    const struct view_head_overview *const overview = hands->state->view.head_overview;
    const struct lab_trace *const trace = hands->state->document.trace;
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(overview->thumbnails);
    assert_int_equal(sizes.n, lab_trace_sizes(trace).n);
    assert_int_equal(sizes.m, lab_trace_sizes(trace).m);
    assert_int_equal(sizes.layers, shown_experiment(hands)->layers);
    for (size_t h = 0; h < sizes.heads; h++) {
        const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, h);
        const float *const picture =
            lab_thumbnails_head(overview->thumbnails, shown_experiment(hands)->layer, h).largest;
        for (size_t c = 0; c < sizes.n * sizes.m; c++) {
            const float apart = lab_matrix_at(&alpha, c / sizes.m, c % sizes.m) - picture[c];
            assert_true(apart < 1e-5f && apart > -1e-5f);
        }
    }
}

static void heads_of_either_text_and_between_them_are_chosen(void **state)
{
    (void)state;
    struct hands *const hands = hands_on("t5", "the cat sat");
    assert_int_equal(hands->state->view.head_overview->attentions, 3);
    expect_heads(hands);
    assert_null(shown_experiment(hands)->context);
    assert_string_equal(lab_words_list(shown_experiment(hands)->tokens)[0],
                        "<pad>"); /* the decoder's start */
    const size_t past = hands->state->document.at;
    hands_click(hands, "Encoder");
    hands_show_settled(hands);
    expect_words(shown_experiment(hands)->tokens, "the cat sat </s>");
    assert_int_equal(shown_experiment(hands)->mask, LAB_MASK_NONE);
    expect_heads(hands);
    hands_click(hands, "Cross");
    hands_show_settled(hands);
    assert_string_equal(lab_words_list(shown_experiment(hands)->tokens)[0], "<pad>");
    expect_words(shown_experiment(hands)->context, "the cat sat </s>");
    expect_heads(hands);
    assert_false(lab_trace_sizes(hands->state->document.trace).raw); /* from X to O */
    assert_true(app_open_model_step(hands->state, 1, 0));
    hands_show_settled(hands);
    assert_int_equal(shown_experiment(hands)->layer, 1);
    assert_non_null(shown_experiment(hands)->context);
    expect_heads(hands);
    hands_click(hands, "Decoder");
    hands_show_settled(hands);
    assert_null(shown_experiment(hands)->context);
    assert_int_equal(shown_experiment(hands)->layer, 1);
    expect_heads(hands);
    assert_int_equal(hands->state->document.at, past); /* looking is no step of history */
    hands_close(hands);
}

static void both_texts_are_typed_and_undo_brings_them_back(void **state)
{
    (void)state;
    struct hands *const hands = hands_on("t5", "the cat");
    ask_overview(hands, VIEW_HEAD_OVERVIEW_ATTENTION, CROSS);
    const size_t written = lab_words_count(shown_experiment(hands)->tokens);
    type_word(hands, 3, true, "dog"); /* behind </s>, which closes the text */
    expect_words(shown_experiment(hands)->context, "the cat dog </s>");
    expect_heads(hands);
    ask_overview(hands, VIEW_HEAD_OVERVIEW_ATTENTION, ENCODER);
    expect_words(shown_experiment(hands)->tokens, "the cat dog </s>");
    type_word(hands, 1, false, "tired");
    expect_words(shown_experiment(hands)->tokens, "the tired cat dog </s>");
    ask_overview(hands, VIEW_HEAD_OVERVIEW_ATTENTION, CROSS);
    while (lab_words_count(shown_experiment(hands)->tokens) > 1) { /* what the model wrote goes */
        app_state_apply(hands->state,
                        &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 1}}, 0);
        hands_show_settled(hands);
    }
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 0}}, 0);
    hands_show_settled(hands);
    expect_words(shown_experiment(hands)->tokens, "<pad>");
    assert_non_null(strstr(hands->state->message, "begins with “<pad>”"));
    type_word(hands, 1, false, "le chat");
    expect_words(shown_experiment(hands)->tokens, "<pad> le chat");
    type_word(hands, 5, true, "mat"); /* a second text that was typed stays */
    expect_words(shown_experiment(hands)->tokens, "<pad> le chat");
    expect_words(shown_experiment(hands)->context, "the tired cat dog mat </s>");
    expect_heads(hands);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    expect_words(shown_experiment(hands)->context, "the tired cat dog </s>");
    expect_heads(hands);
    while (hands->state->view.head_overview != NULL && written > 0) {
        expect_heads(hands);
        hands_key(hands, "Ctrl+Z");
        hands_show_settled(hands);
    }
    expect_words(shown_experiment(hands)->tokens, "cat dog lion NYC"); /* what was there before */
    hands_close(hands);
}

/* Words that come while a text is being read: none waits for it, none is lost, of either text. */
static void typing_does_not_wait_for_what_is_being_read(void **state)
{
    (void)state;
    static const struct {
        bool of_keys;
        size_t at;
        const char *text;
    } typed[] = {{true, 2, "dog"},
                 {true, 2, "mat"},
                 {false, 1, "le"},
                 {true, 0, "tired"},
                 {false, 1, "chat"}};
    struct hands *const hands = hands_on("t5", "the cat");
    ask_overview(hands, VIEW_HEAD_OVERVIEW_ATTENTION, CROSS);
    while (lab_words_count(shown_experiment(hands)->tokens) > 1) {
        app_state_apply(hands->state,
                        &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 1}}, 0);
        hands_show_settled(hands);
    }
    const struct lab_words *const was = shown_experiment(hands)->context;
    for (size_t t = 0; t < sizeof typed / sizeof *typed; t++) {
        assert_true(app_open_model_apply(
            hands->state,
            &(struct view_action){
                .kind = VIEW_ACTION_INSERT,
                .token = {.at = typed[t].at, .of_keys = typed[t].of_keys, .text = typed[t].text}},
            0));
        assert_ptr_equal(shown_experiment(hands)->context,
                         was); /* nothing was waited for and taken */
    }
    hands_show_settled(hands);
    expect_words(shown_experiment(hands)->context, "tired the cat dog mat </s>");
    expect_words(shown_experiment(hands)->tokens, "<pad> le chat");
    expect_heads(hands);
    hands_close(hands);
}

static void the_model_writes_the_second_text_anew(void **state)
{
    (void)state;
    struct hands *const hands = hands_on("t5", "the cat");
    struct lab_experiment first;
    lab_experiment_copy(&first, shown_experiment(hands));
    type_word(hands, 1, false, "dog");
    assert_true(lab_words_count(shown_experiment(hands)->tokens) != lab_words_count(first.tokens));
    hands_click(hands, "Write all");
    hands_show_settled(hands);
    assert_int_equal(lab_words_count(shown_experiment(hands)->tokens),
                     lab_words_count(first.tokens));
    for (size_t w = 0; w < lab_words_count(first.tokens); w++) {
        assert_string_equal(lab_words_list(shown_experiment(hands)->tokens)[w],
                            lab_words_list(first.tokens)[w]);
    }
    expect_heads(hands);
    lab_experiment_release(&first);
    hands_close(hands);
}

/* While the first text stands on the stages, which stays as it is: what becomes of the second is a
 * step of its own all the same, and what was typed comes back. */
static void what_the_other_text_became_is_undone_too(void **state)
{
    (void)state;
    static const enum view_head_overview_act acts[] = {VIEW_HEAD_OVERVIEW_WRITE,
                                                       VIEW_HEAD_OVERVIEW_TAKE};
    for (size_t a = 0; a < sizeof acts / sizeof *acts; a++) {
        struct hands *const hands = hands_on("t5", "the cat");
        while (lab_words_count(shown_experiment(hands)->tokens) > 1) {
            app_state_apply(hands->state,
                            &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 1}},
                            0);
            hands_show_settled(hands);
        }
        type_word(hands, 1, false, "le chat");
        ask_overview(hands, VIEW_HEAD_OVERVIEW_ATTENTION, ENCODER);
        const size_t at = hands->state->document.at;
        ask_overview(hands, acts[a], 0);
        assert_int_equal(hands->state->document.at, at + 1);
        hands_key(hands, "Ctrl+Z");
        hands_show_settled(hands);
        assert_int_equal(hands->state->document.at, at);
        expect_words(shown_experiment(hands)->tokens, "the cat </s>");
        expect_heads(hands);
        ask_overview(hands, VIEW_HEAD_OVERVIEW_ATTENTION, DECODER);
        expect_words(shown_experiment(hands)->tokens, "<pad> le chat");
        expect_heads(hands);
        hands_key(hands, "Ctrl+Y");
        hands_show_settled(hands);
        ask_overview(hands, VIEW_HEAD_OVERVIEW_ATTENTION, DECODER);
        assert_int_not_equal(lab_words_count(shown_experiment(hands)->tokens), 3);
        expect_heads(hands);
        hands_close(hands);
    }
}

/* The first text is still being read when a head is switched or the second is to be written. */
static void a_head_or_writing_leaves_the_source_that_is_being_read(void **state)
{
    (void)state;
    static const enum view_head_overview_act acts[] = {VIEW_HEAD_OVERVIEW_SWITCH,
                                                       VIEW_HEAD_OVERVIEW_WRITE};
    for (size_t a = 0; a < sizeof acts / sizeof *acts; a++) {
        struct hands *const hands = hands_on("t5", "the cat");
        const struct view_action steps[] = {
            {.kind = VIEW_ACTION_INSERT, .token = {.at = 2, .of_keys = true, .text = "dog"}},
            {.kind = VIEW_ACTION_HEAD_OVERVIEW,
             .overview = {.act = VIEW_HEAD_OVERVIEW_ATTENTION, .which = DECODER}}};
        ask_overview(hands, VIEW_HEAD_OVERVIEW_ATTENTION, CROSS);
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            assert_true(app_open_model_apply(hands->state, &steps[s], 0));
        }
        ask_overview(hands, acts[a], 0);
        ask_overview(hands, VIEW_HEAD_OVERVIEW_ATTENTION, CROSS);
        expect_words(shown_experiment(hands)->context, "the cat dog </s>");
        expect_heads(hands);
        hands_close(hands);
    }
}

/* Also where there is little room: nothing lies over something else, whose attention it is stands
 * there as a whole, and no number is too small to be read. */
static void two_texts_are_read_where_there_is_little_room(void **state)
{
    (void)state;
    static const char *const of_both =
        "rows are layers, columns are heads · of the second text to the first";
    for (size_t l = 0; language_at(l) != NULL; l++) {
        for (size_t presenter = 0; presenter < 2; presenter++) {
            language_speak(language_at(l));
            struct hands *const hands = hands_on("t5", "the cat sat on the mat and the dog");
            hands->state->view.prefs.presenter = presenter == 1;
            hands_resize(hands, presenter == 1 ? 1024 : 960, presenter == 1 ? 768 : 600);
            hands_frame(hands);
            hands_click(hands, tr("Cross"));
            hands_show_settled(hands);
            hands_frame(hands);
            hands_expect(hands, tr(of_both));
            assert_int_equal(hands_collisions(hands), 0);
            const struct canvas *const canvas = hands_canvas(hands);
            for (size_t i = 0; i < canvas_count(canvas); i++) {
                const struct canvas_command *const command = canvas_command_at(canvas, i);
                assert_true(command->kind != CANVAS_TEXT || command->boxed || command->rect.h >= 6);
            }
            hands_close(hands);
        }
    }
    language_speak(NULL);
}

/* The sum that a word of the first text receives from all the written words is a number, also where
 * its column is narrow. */
static void a_large_sum_is_told_in_a_narrow_column(void **state)
{
    (void)state;
    struct hands *const hands = hands_on("t5", "the cat sat on the mat and the dog");
    hands_key(hands, "F5");
    hands_resize(hands, 1024, 768);
    hands_click(hands, "Cross");
    hands_show_settled(hands);
    hands_frame(hands);
    const struct lab_matrix alpha = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 0);
    size_t large = 0;
    for (size_t key = 0; key < alpha.cols; key++) {
        double sum = 0;
        for (size_t row = 0; row < alpha.rows; row++) {
            sum += (double)lab_matrix_at(&alpha, row, key);
        }
        if (sum >= 10) {
            char text[TEXT_NUMBER_MAX];
            hands_expect(hands, text_number(text, sum, 0));
            large++;
        }
    }
    assert_true(large > 0);
    hands_close(hands);
}

/* Without a head that gives words the second text is its start, until somebody types it. */
static void a_model_without_a_head_writes_nothing(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    char command[16384], folder[4096];
    snprintf(folder, sizeof folder, "%s/headless", hands->folder);
    snprintf(command, sizeof command,
             "cp -r '%s/t5' '%s' && sed -i s/T5ForConditionalGeneration/T5Model/ '%s/config.json'",
             getenv("MODELS"), folder, folder);
    assert_int_equal(system(command), 0);
    assert_true(app_open_model_open(hands->state, folder, "the cat sat", 0));
    hands_show_settled(hands);
    assert_non_null(hands->state->view.head_overview);
    assert_string_equal(hands->state->message, "It has no head that gives words.");
    assert_int_equal(hands->state->view.head_overview->next_count, 0);
    assert_int_equal(lab_words_count(shown_experiment(hands)->tokens), 1);
    expect_heads(hands);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_of_either_text_and_between_them_are_chosen),
        cmocka_unit_test(both_texts_are_typed_and_undo_brings_them_back),
        cmocka_unit_test(typing_does_not_wait_for_what_is_being_read),
        cmocka_unit_test(the_model_writes_the_second_text_anew),
        cmocka_unit_test(what_the_other_text_became_is_undone_too),
        cmocka_unit_test(a_head_or_writing_leaves_the_source_that_is_being_read),
        cmocka_unit_test(two_texts_are_read_where_there_is_little_room),
        cmocka_unit_test(a_large_sum_is_told_in_a_narrow_column),
        cmocka_unit_test(a_model_without_a_head_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
