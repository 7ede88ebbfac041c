/* A lesson in front of a class: captions, what differs, presenter mode. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "app/actions/commands.h"
#include "app/open/lesson.h"
#include "asked.h"
#include "base/file.h"
#include "lab/lesson/lessons.h"
#include "view/parts/learn.h"

static void the_caption_stands_in_a_low_window_too(void **state)
{
    (void)state;
    static const float sizes[][2] = {{960, 600}, {1440, 900}, {1024, 480}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct hands *hands = hands_open("cats", sizes[i][0], sizes[i][1]);
        hands_expect_part(hands, "Dog asks, cat answers");
        hands_expect(hands, "1 / 8");
        hands_close(hands);
    }
}

static void a_lesson_of_ones_own_is_called_by_its_title(void **state)
{
    (void)state;
    struct hands *hands = open_asking("score", "nothing");
    hands_expect(hands, "What do you think?");
    hands_close(hands);
}

/* Where the caption leaves room nothing on screen moves for it; else it stands below. */
static void a_change_is_said_beside_the_caption_and_one_click_goes_back(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_expect_not(hands, "Back to the lesson");
    hands_click(hands, "type a token…");
    const struct point before = hands_find(hands, "Blues", 0);
    hands_type(hands, "bird ");
    hands_expect(hands, "Changed: 5 words, not 4");
    assert_float_equal(hands_find(hands, "Blues", 0).y, before.y, 0.01);
    hands_resize(hands, 960, 600);
    hands_expect(hands, "The caption is about the lesson; changed since: 5 words, not 4");
    hands_click(hands, "Back to the lesson");
    hands_expect_not(hands, "Back to the lesson");
    hands_expect_not(hands, "Changed: 5 words, not 4");
    hands_expect_part(hands, "4 tokens");
    hands_key(hands, "Ctrl+Z");
    hands_expect_part(hands, "5 tokens");
    hands_close(hands);
}

/* The message tells the action, not the first word that stands elsewhere; and nothing that only
 * follows. */
/* The way back is as easily hit as the buttons beside it, and no words run under it. */
static void the_way_back_stands_in_the_row_of_the_buttons(void **state)
{
    (void)state;
    for (int presents = 0; presents < 2; presents++) {
        struct hands *hands =
            presents != 0 ? hands_open_presenter("cats", 1280, 720) : hands_open("cats", 1280, 720);
        go_to_guess(hands, LAB_GUESS_BAR);
        struct lab_experiment next;
        lab_experiment_copy(&next, &hands->state->document.experiment);
        next.temperature = 0.5;
        document_change(&hands->state->document, &next, "temperature", hands->input.time);
        lab_experiment_release(&next);
        hands_wait(hands, 1);
        const struct point back = hands_find(hands, "Back to the lesson", 0);
        const struct point reveal = hands_find(hands, "Reveal", 0);
        assert_true(fabsf(back.y - reveal.y) < 1);
        assert_int_equal(hands_collisions(hands), 0);
        hands_click(hands, "Back to the lesson");
        hands_expect_not(hands, "Back to the lesson");
        hands_close(hands);
    }
}

static void a_change_is_called_what_it_is(void **state)
{
    (void)state;
    static const char *const turned[] = {"dog", "cat", "NYC", "lion"};
    struct hands *hands = hands_open("cats", 1440, 900);
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    assert_true(lab_experiment_set_tokens(&next, turned, 4, NULL));
    document_change(&hands->state->document, &next, "order", hands->input.time);
    lab_experiment_release(&next);
    hands_frame(hands);
    hands_expect(hands, "Changed: words in another order");
    hands_key(hands, "Ctrl+Z");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "heads 4");
    hands_key(hands, "Enter");
    hands_expect(hands, "Changed: 4 heads");
    hands_close(hands);
}

/* Where Q, K and V are given nothing is said of matrices that would make them. */
static void what_is_given_is_not_called_projected(void **state)
{
    (void)state;
    static const char *const lessons[] = {"library", "race", "translate"};
    for (size_t i = 0; i < sizeof lessons / sizeof *lessons; i++) {
        struct hands *hands = hands_open(lessons[i], 1440, 900);
        hands_key(hands, "C");
        hands_key(hands, "2");
        hands_wait(hands, 1);
        assert_true(lab_experiment_sizes(&hands->state->document.experiment).raw);
        hands_expect(hands, "Project: Q, K and V as they are given");
        hands_expect_part(hands, "nothing is projected");
        assert_int_equal(hands_count_part(hands, "XW_"), 0);
        hands_close(hands);
    }
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "2");
    hands_expect(hands, "Project: a query, a key and a value for every word");
    hands_close(hands);
}

/* The same numbers in another order of work are no other numbers. */
static void tiles_are_told_as_tiles(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "tile by tile on");
    hands_key(hands, "Enter");
    hands_expect(hands, "Changed: tile by tile");
    hands_close(hands);
    hands = hands_open("flash", 1440, 900);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "tile by tile off");
    hands_key(hands, "Enter");
    hands_expect(hands, "Changed: not tile by tile");
    hands_close(hands);
}

static void what_was_saved_of_a_lesson_says_that_it_differs(void **state)
{
    (void)state;
    char path[300];
    struct error error = {0};
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "PageDown");
    hands_click(hands, "type a token…");
    hands_type(hands, "bird ");
    snprintf(path, sizeof path, "%s/tried.json", hands->folder);
    assert_true(app_lesson_save(hands->state, path, &error));
    for (int round = 0; round < 2; round++) { /* saved anew it still says so */
        app_state_close_lesson(hands->state);
        assert_true(app_lesson_read(hands->state, path, 0, &error));
        hands_wait(hands, 1);
        hands_expect(hands, "2 / 8");
        hands_expect(hands, "Changed: 5 words, not 4");
        hands_expect_part(hands, "5 tokens");
        assert_true(app_lesson_save(hands->state, path, &error));
    }
    hands_click(hands, "Back to the lesson");
    hands_expect_part(hands, "4 tokens");
    hands_expect_not(hands, "Back to the lesson");
    hands_key(hands, "PageUp");
    hands_key(hands, "PageDown");
    hands_expect_part(hands, "5 tokens"); /* what was saved is not lost */
    remove(path);
    hands_close(hands);
}

/* Weights that learn have other numbers at each step; the lesson is what it was. */
static void training_is_no_change_of_its_lesson(void **state)
{
    (void)state;
    struct hands *hands = hands_open("learned", 1440, 900);
    for (int step = 0; step < 3; step++) {
        hands_wait(hands, 2);
        hands_expect_not(hands, "Back to the lesson");
        hands_key(hands, "PageDown");
    }
    hands_close(hands);
}

/* A lesson of one's own has nothing to go back to: it is said all the same. */
/* "“Heavy” now gets 36.7 %" is what the weights say behind “is”, whatever word the text ends with.
 */
static struct hands *open_as_saved(const char *lesson)
{
    struct hands *const hands = hands_open(lesson, 1280, 800);
    hands_show_settled(hands);
    assert_false(document_is_unsaved(&hands->state->document));
    return hands;
}

/* Nothing is unsaved in any lesson by turning its pages alone, guesses and training with them. */
static void a_lesson_that_is_walked_is_not_unsaved(void **state)
{
    (void)state;
    for (size_t l = 0; l < lab_lesson_count(); l += test_stride()) {
        struct hands *const hands = hands_open(lab_lesson_name(l), 1280, 800);
        const size_t steps = hands->state->document.lesson->steps;
        for (size_t step = 0; step < steps; step++) {
            hands_show_settled(hands); /* a question waits for what it is about */
            if (hands->state->view.guess != LAB_GUESS_NONE) {
                hands_key(hands, "PageDown"); /* reveals */
                hands_show_settled(hands);
            }
            if (hands->state->view.step != step) {
                fail_msg("%s is at step %zu and not at %zu", lab_lesson_name(l),
                         hands->state->view.step + 1, step + 1);
            }
            if (hands->state->view.unsaved) {
                fail_msg("%s is unsaved at step %zu", lab_lesson_name(l), step + 1);
            }
            hands_key(hands, "PageDown");
        }
        hands_close(hands);
    }
}

static void a_lesson_that_is_opened_is_not_unsaved(void **state)
{
    (void)state;
    hands_close(open_as_saved("own-text"));
    hands_close(open_as_saved("taught"));
    struct hands *const hands = open_as_saved("which-head");
    hands_click(hands, "type a token…");
    hands_type(hands, "it ");
    assert_true(document_is_unsaved(&hands->state->document));
    hands_frame(hands);
    assert_true(hands->state->view.unsaved);
    hands_close(hands);
}

static void next_words_are_those_behind_the_word_of_the_step(void **state)
{
    static const struct {
        const char *lesson;
        size_t step;
        const char *title, *share;
    } rows[] = {{"onestep", 1, "next word after “it is”", "37.8 %"},
                {"onestep", 6, "next word after “it is”", "36.7 %"},
                {"real-heads", 2, "next word after “it is”", "66.8 %"},
                {"real-heads", 4, "next word after “buys a”", ""},
                {"real-heads", 5, "next word after “hammer .”", ""},
                {"reverse", 2, "answer at “z”, place 2", "22.4 %"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hands *hands = hands_open_presenter(rows[i].lesson, 1440, 900);
        hands_show_step(hands, rows[i].step);
        hands_settle(hands);
        hands_wait(hands, 0.5);
        hands_expect(hands, rows[i].title);
        hands_expect_part(hands, rows[i].share);
        hands_close(hands);
    }
}

/* Another class, or the same one a week later, sees how it learns: not curves that are finished. */
static void a_lesson_that_is_opened_again_learns_again(void **state)
{
    static const char *const others[] = {"learned", "cats", "onestep"};
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct hands *hands = hands_open_presenter("learned", 1024, 768);
        hands_show_step(hands, 1);
        hands_settle(hands);
        assert_true(hands->state->view.learn->reached >= 60);
        hands_key(hands, "Ctrl+k");
        hands_type(hands, others[i]);
        hands_key(hands, "Enter");
        hands_key(hands, "Ctrl+k");
        hands_type(hands, "learned");
        hands_key(hands, "Enter");
        hands_frame(hands);
        assert_string_equal(hands->state->document.lesson->name, "learned");
        assert_non_null(hands->state->view.learn);
        assert_true(hands->state->view.learn->reached < 60);
        hands_close(hands);
    }
}

/* Words of one's own are gone on with behind the last one. */
static void ones_own_words_go_on_behind_the_last(void **state)
{
    (void)state;
    struct hands *hands = hands_open("real-heads", 1440, 900);
    hands_show_step(hands, 4);
    hands_settle(hands);
    hands_expect(hands, "next word after “buys a”");
    hands_key(hands, "Ctrl+k");
    hands_type(hands, "words the cat sleeps");
    hands_key(hands, "Enter");
    hands_settle(hands);
    hands_wait(hands, 0.5);
    hands_expect(hands, "next word after “cat sleeps”");
    hands_close(hands);
}

static void captions_of_other_numbers_are_said_to_be_that(void **state)
{
    (void)state;
    char path[300];
    struct error error = {0};
    struct hands *hands = open_asking("score", "nothing");
    hands_expect_not(hands, "The caption was written for other numbers than these.");
    hands_click(hands, "type a token…");
    hands_type(hands, "bird ");
    hands_expect(hands, "Back to the lesson");
    snprintf(path, sizeof path, "%s/own.json", hands->folder);
    assert_true(app_lesson_save(hands->state, path, &error));
    assert_true(app_lesson_read(hands->state, path, 0, &error));
    hands_wait(hands, 1);
    hands_expect(hands, "The caption was written for other numbers than these.");
    hands_expect_not(hands, "Back to the lesson");
    remove(path);
    hands_close(hands);
}

/* Words of a lesson whose Q, K and V are given: a new one has none, and that is said. */
static void given_numbers_do_not_go_without_a_word(void **state)
{
    (void)state;
    for (int before_a_class = 0; before_a_class < 2; before_a_class++) {
        struct hands *hands = hands_open("library", 1440, 900);
        hands_click(hands, "words…");
        hands_type(hands, "Why? ");
        if (before_a_class == 1) {
            hands_key(hands, "F5");
        }
        hands_expect_part(hands, "The Q, K and V that were given belonged to the former words");
        if (before_a_class == 1) {
            hands_key(hands, "F5");
        }
        hands_key(hands, "Escape");
        hands_key(hands, "Ctrl+Z");
        assert_non_null(hands->state->document.experiment.q);
        hands_close(hands);
    }
}

/* Steps at which nothing was changed are no changes: Undo passes them over, and says where one is.
 */
static void undo_says_at_which_step_it_arrives(void **state)
{
    (void)state;
    for (int presents = 0; presents < 2; presents++) {
        struct hands *hands =
            presents != 0 ? hands_open_presenter("cats", 1024, 768) : hands_open("cats", 1440, 900);
        for (size_t step = 1; step < 6; step++) { /* the fifth has weights of its own */
            hands_show_step(hands, step);
        }
        hands_expect(hands, "6 / 8");
        hands_key(hands, "Ctrl+Z");
        hands_wait(hands, 0.5);
        hands_expect(hands, "Back at step 5 of the lesson.");
        hands_expect(hands, "5 / 8");
        hands_key(hands, "Ctrl+Z");
        hands_wait(hands, 0.5);
        hands_expect(hands, "4 / 8"); /* from the first on nothing was changed */
        hands_expect(hands, "Back at step 4 of the lesson.");
        assert_int_equal(hands->state->view.playback.stage, LAB_SOFTMAX);
        hands_close(hands);
    }
}

static void in_presenter_mode_the_arrow_turns_the_pages(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "F5");
    hands_expect(hands, "1 / 8");
    hands_key(hands, "Right");
    hands_expect(hands, "2 / 8");
    hands_key(hands, "PageDown");
    hands_expect(hands, "3 / 8");
    hands_key(hands, "Left");
    hands_key(hands, "PageUp");
    hands_expect(hands, "1 / 8");
    hands_key(hands, ".");
    hands_expect_not(hands, "1 / 8");
    hands_key(hands, ".");
    hands_expect(hands, "1 / 8");
    hands_key(hands, "F5");
    hands_key(hands, "Right");
    hands_expect(hands, "1 / 8");
    hands_close(hands);
}

/* A message covers no control, and the speed is read in full. */
static void a_message_covers_no_control(void **state)
{
    static const float rooms[][2] = {{960, 600}, {1024, 768}, {1280, 720}, {1440, 900}};
    (void)state;
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        struct hands *hands = hands_open_presenter("cats", rooms[r][0], rooms[r][1]);
        hands_show_step(hands, 3);
        hands_key(hands, "]");
        hands_expect_part(hands, "Speed × 1.50");
        hands_expect(hands, "Softmax");
        hands_expect(hands, "Blend");
        if (rooms[r][0] > 1000) {
            hands_expect(hands, "1.5");
        }
        assert_true(hands_find(hands, "Speed × 1.50", 0).y > 0.95f * rooms[r][1]);
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "]");
    hands_expect(hands, "1.5");
    hands_key(hands, "]");
    hands_expect(hands, "2.25");
    hands_close(hands);
}

/* The flow lies over the presentation: it is left first. Of two flows that would be too small the
 * present one stands alone. */
static void the_flow_is_left_before_the_presentation(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 1280, 720);
    hands_key(hands, "b");
    assert_true(app_command_run(hands->state, "residual", 0, hands->input.time));
    hands_key(hands, "o");
    hands_wait(hands, 6);
    assert_int_equal(hands_count(hands, "W_Q"), 1);
    hands_expect(hands, "A, now");
    assert_int_equal(hands_collisions(hands), 0);
    hands_key(hands, "Escape");
    assert_true(hands->state->view.prefs.presenter);
    assert_false(hands->state->view.prefs.display.flow);
    hands_key(hands, "Escape");
    assert_false(hands->state->view.prefs.presenter);
    hands_close(hands);
}

/* The next step shows the part that it speaks of. */
static void a_step_decides_which_part_of_softmax_is_seen(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("window", 1280, 720);
    hands_show_step(hands, 2);
    assert_false(hands->state->view.prefs.whole_alpha);
    assert_true(app_command_run(hands->state, "whole alpha", 0, hands->input.time));
    hands_wait(hands, 1);
    assert_true(hands->state->view.prefs.whole_alpha);
    hands_show_step(hands, 3);
    assert_false(hands->state->view.prefs.whole_alpha);
    hands_expect(hands, "share");
    hands_close(hands);
}

/* The caption's own matrix is back with its step, whatever was looked at in between. */
static void a_step_shows_the_matrix_its_caption_speaks_of(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("window", 1280, 720);
    hands_show_step(hands, 1);
    hands_expect_part(hands, "−∞");
    hands_click(hands, "Scaled");
    hands_expect_not(hands, "−∞");
    hands_show_step(hands, 2);
    hands_show_step(hands, 1);
    hands_expect_part(hands, "−∞");
    hands_close(hands);
    hands = hands_open_presenter("fewer", 1280, 720);
    hands_click(hands, "Lines");
    assert_true(hands->state->view.prefs.display.lines);
    hands_show_step(hands, 1);
    hands_expect(hands, "Heads — 8, keys K, values V");
    assert_false(hands->state->view.prefs.display.lines);
    hands_close(hands);
}

/* Who closed a caption and opens another lesson wants to read it. */
static void another_lesson_comes_with_its_caption(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_expect_part(hands, "Dog asks, cat answers");
    assert_true(app_command_run(hands->state, "captions", 0, hands->input.time));
    hands_wait(hands, 1);
    hands_expect_not(hands, "1 / 8");
    hands_click(hands, "Cats, dogs and a lion");
    hands_click(hands, "Look near");
    hands_wait(hands, 1);
    hands_expect_part(hands, "16 words make 256 pairs");
    hands_close(hands);
}

/* Shares that the stage has still to make stand in no panel beside it. */
static void the_head_beside_softmax_follows_the_play(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 1280, 720);
    hands_show_step(hands, 7);
    const size_t all = hands_count_part(hands, "0.547") + hands_count_part(hands, "0.55");
    assert_true(all > 1); /* in the bars, and in the head */
    hands->state->view.playback.position = 0;
    hands_frame(hands);
    assert_int_equal(hands_count_part(hands, "0.547") + hands_count_part(hands, "0.55"), 0);
    hands->state->view.playback.position = 1;
    hands_frame(hands);
    assert_int_equal(hands_count_part(hands, "0.547") + hands_count_part(hands, "0.55"), all);
    hands_close(hands);
}

static void expect_words(struct hands *hands, const char *const *words, size_t count)
{
    const struct lab_words *const tokens = document_present(&hands->state->document)->tokens;
    assert_int_equal(lab_words_count(tokens), count);
    for (size_t w = 0; w < count; w++) {
        assert_string_equal(lab_words_list(tokens)[w], words[w]);
    }
}

/* There is no field for words before a class: they are pasted, or typed behind Ctrl+K. */
static void words_are_given_before_a_class(void **state)
{
    static const char *const animals[] = {"cat", "bird"};
    static const char *const music[] = {"m", "u", "s", "i", "c", "m", "u", "s", "i", "c"};
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 1280, 720);
    hands_paste(hands, "cat bird\n");
    expect_words(hands, animals, 2);
    hands_key(hands, "Ctrl+Z");
    hands_expect_not(hands, "bird");
    hands_close(hands);
    hands = hands_open_presenter("induction", 1280, 720);
    hands_show_step(hands, 6);
    hands_settle(hands); /* the caption comes when its weights are learned */
    hands_expect_part(hands, "words m u s i c m u s i c");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "words m u s i c m u s i c");
    hands_expect(hands, "Words: m u s i c m u s i c");
    hands_key(hands, "Enter");
    hands_wait(hands, 1);
    expect_words(hands, music, 10);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "words m 7 m");
    hands_key(hands, "Enter");
    hands_wait(hands, 1);
    hands_expect_part(hands, "is none of the");
    hands_close(hands);
}

/* From the end of a lesson into the next, and back. */
static void pages_turn_back_into_the_former_lesson(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 1280, 720);
    hands_key(hands, "PageUp"); /* nothing lies before it */
    hands_expect(hands, "1 / 8");
    hands_show_step(hands, 7);
    hands_key(hands, "PageDown");
    hands_expect_part(hands, "This is the end of the lesson.");
    hands_key(hands, "PageDown");
    hands_expect_not(hands, "8 / 8");
    assert_int_equal(hands->state->document.step, 0);
    hands_key(hands, "PageUp");
    hands_expect(hands, "8 / 8");
    assert_string_equal(hands->state->document.lesson->name, "cats");
    hands_key(hands, "PageUp");
    hands_expect(hands, "7 / 8");
    hands_close(hands);
}

static float size_of(struct hands *hands, const char *words)
{
    struct rect area;
    assert_true(canvas_find_text(hands_canvas(hands), words, 0, &area));
    return area.h;
}

static void in_presenter_mode_the_class_reads_larger_letters_and_clicks_still_hit(void **state)
{
    (void)state;
    static const struct {
        float width, height, growth;
    } rooms[] = {{960, 600, 1.25f}, {1440, 900, 1.4f}, {1920, 1080, 1.6f}, {2560, 1440, 2.0f}};
    static const char *const read[] = {"Score", "7.58", "score( dog → cat ) = q(dog) · k(cat)",
                                       "Q"};
    enum { READ = sizeof read / sizeof *read };
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        struct hands *hands = hands_open("cats", 960, 600);
        float before[READ];
        for (size_t i = 0; i < READ; i++) {
            before[i] = size_of(hands, read[i]);
        }
        hands_resize(hands, rooms[r].width, rooms[r].height);
        hands_key(hands, "F5");
        for (int i = 0; i < 3; i++) {
            hands_key(hands, "g"); /* space, heads, the stage alone */
        }
        for (size_t i = 0; i < READ; i++) {
            assert_true(size_of(hands, read[i]) >= before[i] * rooms[r].growth);
        }
        assert_int_equal(hands_collisions(hands), 0);
        assert_int_equal(hands_count(hands, "5.0"), 4); /* two in Q, two in K */
        hands_expect(hands, "Scale · mask");
        hands_expect(hands, "Softmax");
        hands_expect_not(hands, "Weights");
        hands_click(hands, "Blend");
        assert_int_equal(hands->state->view.playback.stage, LAB_BLEND);
        hands_close(hands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_caption_stands_in_a_low_window_too),
        cmocka_unit_test(a_lesson_of_ones_own_is_called_by_its_title),
        cmocka_unit_test(a_change_is_said_beside_the_caption_and_one_click_goes_back),
        cmocka_unit_test(the_way_back_stands_in_the_row_of_the_buttons),
        cmocka_unit_test(a_change_is_called_what_it_is),
        cmocka_unit_test(what_is_given_is_not_called_projected),
        cmocka_unit_test(tiles_are_told_as_tiles),
        cmocka_unit_test(what_was_saved_of_a_lesson_says_that_it_differs),
        cmocka_unit_test(training_is_no_change_of_its_lesson),
        cmocka_unit_test(a_lesson_that_is_walked_is_not_unsaved),
        cmocka_unit_test(a_lesson_that_is_opened_is_not_unsaved),
        cmocka_unit_test(next_words_are_those_behind_the_word_of_the_step),
        cmocka_unit_test(a_lesson_that_is_opened_again_learns_again),
        cmocka_unit_test(ones_own_words_go_on_behind_the_last),
        cmocka_unit_test(captions_of_other_numbers_are_said_to_be_that),
        cmocka_unit_test(given_numbers_do_not_go_without_a_word),
        cmocka_unit_test(undo_says_at_which_step_it_arrives),
        cmocka_unit_test(in_presenter_mode_the_arrow_turns_the_pages),
        cmocka_unit_test(a_message_covers_no_control),
        cmocka_unit_test(the_flow_is_left_before_the_presentation),
        cmocka_unit_test(a_step_decides_which_part_of_softmax_is_seen),
        cmocka_unit_test(a_step_shows_the_matrix_its_caption_speaks_of),
        cmocka_unit_test(another_lesson_comes_with_its_caption),
        cmocka_unit_test(the_head_beside_softmax_follows_the_play),
        cmocka_unit_test(words_are_given_before_a_class),
        cmocka_unit_test(pages_turn_back_into_the_former_lesson),
        cmocka_unit_test(in_presenter_mode_the_class_reads_larger_letters_and_clicks_still_hit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
