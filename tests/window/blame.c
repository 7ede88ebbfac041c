/* Which line of a text taught weights a word: asked with the mouse alone, beside the window. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../learn/trip.h"
#include "base/text.h"
#include "base/translate.h"
#include "learn/blame.h"
#include "learn/task.h"
#include "learning.h"
#include "view/parts/blame.h"

static struct hands *open_text(void)
{
    struct hands *const hands = open_still();
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(app_learn_text(hands->state,
                               (struct bytes){(const uint8_t *)trip_text, strlen(trip_text)},
                               hands->input.time, &error));
    ask_learn(hands, VIEW_LEARN_SEEK, 1, 0);
    return hands;
}

/* Its rows are lines, by the menu of the settings, and it is trained to its end. */
static struct hands *open_lines(void)
{
    struct hands *const hands = open_text();
    hands_click(hands, "Own text");
    hands_click(hands, "Own text, line by line");
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->step, 200);
    return hands;
}

static const struct view_blame *blame_of(const struct hands *hands)
{
    const struct view_blame *const blame = learn_of(hands)->blame;
    assert_non_null(blame);
    return blame;
}

/* What is said above the lines; it is wrapped on the screen. */
static void expect_said(const struct hands *hands, const char *words)
{
    if (strstr(blame_of(hands)->sentence, words) == NULL) {
        fail_msg("\"%s\" is not said in \"%s\"", words, blame_of(hands)->sentence);
    }
}

static const struct view_blame_line *line_of(const struct hands *hands, size_t number)
{
    const struct view_blame *const blame = blame_of(hands);
    for (size_t l = 0; l < blame->lines; l++) {
        if (blame->line[l].number == number) {
            return &blame->line[l];
        }
    }
    fail_msg("line %zu is not there", number);
    return NULL;
}

static void a_word_it_says_leads_to_its_lines(void **unused)
{
    (void)unused;
    struct hands *const hands = open_lines();
    hands_expect(hands, "next word after “leaves at”");
    hands_click(hands, "Which line taught it that?");
    hands_show_settled(hands);
    hands_expect(hands, "Which line taught it “eight” behind “the bus leaves at”?");
    expect_said(hands, "it says “eight” with 49.2 % instead of 65.9 %.");
    expect_said(hands, "Causes too: line 2 (49.2 %). Works against it: line 3 (99.3 %).");
    assert_int_equal(blame_of(hands)->done, LEARN_BLAME_CHOSEN);
    assert_int_equal(blame_of(hands)->line[0].number, 3); /* it changes most */
    hands_expect(hands, "works against it");
    hands_expect(hands, "taught it");
    hands_expect(hands, "drawn at random");
    hands_click(hands, "nine 33.5 %");
    hands_show_settled(hands);
    hands_expect(hands, "Which line taught it “nine” behind “the bus leaves at”?");
    assert_true(line_of(hands, 3)->is_cause);
    assert_true(line_of(hands, 3)->without < 0.02F);
    hands_key(hands, "Escape");
    hands_show_settled(hands);
    hands_expect_not(hands, "works against it");
    hands_close(hands);
}

/* While lines are left out it is told what is known of them, and no verdict that could change. */
static void no_verdict_is_shown_before_its_lines_are_there(void **unused)
{
    (void)unused;
    struct hands *const hands = open_lines();
    hands_click(hands, "Which line taught it that?");
    for (size_t done = 0; done < LEARN_BLAME_CHOSEN; done = blame_of(hands)->done) {
        hands_step_for_result(hands);
        if (blame_of(hands)->done > 0 && blame_of(hands)->done < LEARN_BLAME_CHOSEN) {
            expect_said(hands, "Whether that is more than chance shows when the lines to compare");
            hands_expect_part(hands, "Trained again from the same start without line 3");
            hands_expect_not(hands, "taught it");
            hands_expect_not(hands, "works against it");
            assert_int_equal(hands_count_part(hands, "alone"), 0);
            assert_int_equal(hands_count_part(hands, "median"), 0);
        }
    }
    hands_show_settled(hands);
    hands_expect(hands, "taught it");
    expect_said(hands, "4 lines drawn at random to compare with change it by less than 1 point (");
    hands_close(hands);
}

/* What stands beside a line is said in words: a pupil need not know what was meant. */
static void what_stands_beside_a_line_is_explained(void **unused)
{
    (void)unused;
    struct hands *hands = open_lines();
    hands_click(hands, "Which line taught it that?");
    hands_show_settled(hands);
    hands_expect(hands, "= line 1");
    hands_expect(hands, "= line 2");
    hands_expect(hands, "line");
    hands_expect_not(hands, "× 2"); /* no line comes twice by itself */
    assert_int_equal(hands_count_part(hands, "e-"), 0);
    hands_expect(hands, "−100");
    hands_hover(hands, "similarity");
    hands_wait(hands, 1);
    hands_expect_part(hands, "How alike learning this line and learning the word");
    hands_hover(hands, "= line 2");
    hands_wait(hands, 1);
    hands_expect_part(hands, "Line 2 says the same, and stays.");
    hands_close(hands);
    hands = open_still();
    start_still(hands, LEARN_TASK_SMALL_WORLD);
    ask_learn(hands, VIEW_LEARN_SEEK, 5, 0);
    hands_key(hands, "Shift+w");
    hands_show_settled(hands);
    hands_expect(hands, "line (× how often it comes)");
    assert_true(hands_count_part(hands, "× ") > 10);
    hands_hover(hands, blame_of(hands)->line[0].text);
    hands_wait(hands, 1);
    hands_expect_part(hands, " times in what is learned.");
    hands_close(hands);
}

/* From the click on: nothing of the former word stands there any more, and the list of the new one
 * begins at its top. */
static void another_word_shows_nothing_of_the_former(void **unused)
{
    (void)unused;
    struct hands *const hands = open_lines();
    hands_click(hands, "Which line taught it that?");
    hands_show_settled(hands);
    const struct point list = hands_find(hands, "the bus leaves at nine .", 0);
    hands_wheel(hands, list.x, list.y, -100, 0);
    hands_frame(hands);
    assert_true(hands->state->view.batch_scroll > 100);
    hands_click(hands, "nine 33.5 %");
    assert_int_equal(blame_of(hands)->next, 1);
    if (blame_of(hands)->word == NULL) { /* else it was faster than a frame */
        assert_int_equal(blame_of(hands)->lines, 0);
        hands_expect_part(hands, "First it is trained once more");
    }
    hands_expect_not(hands, "Which line taught it “eight” behind “the bus leaves at”?");
    hands_show_settled(hands);
    hands_expect(hands, "Which line taught it “nine” behind “the bus leaves at”?");
    assert_true(hands->state->view.batch_scroll < 1);
    hands_click(hands, "nine 33.5 %"); /* it stays */
    assert_int_equal(blame_of(hands)->done, LEARN_BLAME_CHOSEN);
    hands_close(hands);
}

/* The sentence, the table and the words to ask have the same digits of the same number. */
static void the_sentence_has_the_digits_of_the_table(void **unused)
{
    (void)unused;
    char said[64], digits[TEXT_NUMBER_MAX];
    struct hands *const hands = hands_open("taught", 1440, 900);
    hands_show_step(hands, 5);
    hands_show_settled(hands);
    hands_key(hands, "Shift+w");
    hands_show_settled(hands);
    for (size_t i = 0; i < 2; i++) { /* "fish", then "cake" */
        const struct view_blame *const blame = blame_of(hands);
        snprintf(said, sizeof said, "instead of %s %%.",
                 text_percent(digits, (double)blame->probability));
        expect_said(hands, said);
        snprintf(said, sizeof said, "%s %s %%", blame->word, digits);
        hands_expect(hands, said);
        snprintf(said, sizeof said, "“%s” with %s %% instead", blame->word,
                 text_percent(digits, (double)line_of(hands, 9 + i)->without));
        expect_said(hands, said);
        snprintf(said, sizeof said, "%s %%", digits);
        hands_expect(hands, said);
        hands_click(hands, "cake 49.5 %");
        hands_show_settled(hands);
    }
    hands_close(hands);
}

/* The run without the line says what the table has told, bit for bit. */
static void a_line_that_is_clicked_is_left_out(void **unused)
{
    (void)unused;
    struct hands *const hands = open_lines();
    hands_click(hands, "Which line taught it that?");
    hands_show_settled(hands);
    const double told = (double)line_of(hands, 3)->without;
    hands_click(hands, "the bus leaves at nine .");
    hands_show_settled(hands);
    hands_expect_part(hands, "without line 3");
    assert_int_equal(learn_of(hands)->step, 200);
    assert_string_equal(learn_of(hands)->next[0].word, "eight");
    assert_true((float)learn_of(hands)->next[0].share - (float)told < 1e-6F);
    assert_true((float)told - (float)learn_of(hands)->next[0].share < 1e-6F);
    hands_click(hands, "Which line taught it that?");
    hands_show_settled(hands);
    hands_expect(hands, "left out");
    assert_int_equal(line_of(hands, 3)->state, VIEW_BLAME_LEFT_OUT);
    hands_click(hands, "the bus leaves at nine .");
    hands_show_settled(hands);
    assert_true(learn_of(hands)->next[0].share < 0.7);
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_true(learn_of(hands)->next[0].share > 0.9);
    hands_close(hands);
}

static void all_lines_can_be_left_out_in_turn_and_given_up(void **unused)
{
    (void)unused;
    struct hands *const hands = open_lines();
    hands_click(hands, "Which line taught it that?");
    hands_show_settled(hands);
    hands_click(hands, "All 40 lines");
    hands_frame(hands);
    hands_click(hands, "Cancel");
    hands_show_settled(hands);
    const bool stopped = blame_of(hands)->is_given_up;
    assert_true(stopped || blame_of(hands)->done == 40);
    if (stopped) {
        assert_true(blame_of(hands)->done < 40);
        hands_click(hands, "Go on");
        hands_show_settled(hands);
    }
    assert_int_equal(blame_of(hands)->done, 40);
    hands_close(hands);
}

/* From the first moment it is told what is done, and Cancel is heard while the run itself is
 * trained once more: what was trained by then is kept. */
static void training_once_more_is_told_and_given_up(void **unused)
{
    (void)unused;
    struct hands *const hands = open_lines();
    hands_click(hands, "Which line taught it that?");
    hands_frame(hands);
    if (blame_of(hands)->word == NULL) { /* else it was faster than a frame */
        hands_expect_part(hands, "First it is trained once more from the same start, 200 steps");
        hands_click(hands, "Cancel");
        hands_show_settled(hands);
        assert_true(blame_of(hands)->is_given_up);
        assert_null(blame_of(hands)->word);
        hands_expect_part(hands, "Stopped: “Go on” continues");
        assert_true(blame_of(hands)->progress < 0.5F);
        hands_click(hands, "Go on");
    }
    hands_show_settled(hands);
    hands_expect(hands, "Which line taught it “eight” behind “the bus leaves at”?");
    assert_int_equal(blame_of(hands)->done, LEARN_BLAME_CHOSEN);
    hands_close(hands);
}

/* Steps only when the window would: at its wake-up times, and not at all where there is none. */
static void let_time_pass(struct hands *hands, double seconds)
{
    const double pause = 0.02;
    for (double passed = 0; passed < seconds; passed += pause) {
        const double wake = app_frame_facts(hands->frame).wake;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        hands->input.time += pause;
        if (wake > 0 && wake <= hands->input.time) {
            hands_step(hands);
        }
    }
}

/* What nobody looks at is not gone on with, even where the pointer rests and nothing is drawn; and
 * when the sheet is opened again it goes on from there. */
static void a_closed_sheet_trains_no_more(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("real-heads", 1440, 900); /* seconds for each line */
    hands_show_settled(hands);
    hands_key(hands, "Shift+w");
    for (float progress = 0; progress < 0.02F; progress = blame_of(hands)->progress) {
        let_time_pass(hands, 0.1);
    }
    hands_key(hands, "Escape");
    let_time_pass(hands, 1);
    const clock_t used = clock();
    let_time_pass(hands, 0.5);
    assert_true(clock() - used < CLOCKS_PER_SEC / 8);
    hands_key(hands, "Shift+w");
    let_time_pass(hands, 0.1);
    assert_true(blame_of(hands)->progress >= 0.02F);
    assert_false(blame_of(hands)->is_given_up);
    hands_close(hands);
}

static void what_cannot_be_asked_is_said(void **unused)
{
    (void)unused;
    struct hands *hands = open_text();
    hands_expect_not(hands, "Which line taught it that?");
    hands_key(hands, "Shift+w");
    hands_show_settled(hands);
    hands_expect_part(hands, "It learns windows from anywhere in the text");
    hands_click(hands, "Learn line by line"); /* by the button, too */
    hands_show_settled(hands);
    assert_true(learn_of(hands)->has_lines);
    ask_learn(hands, VIEW_LEARN_SEEK, 0, 0);
    hands_key(hands, "Shift+w");
    hands_show_settled(hands);
    hands_expect_part(hands, "These weights are random");
    hands_key(hands, "Escape");
    ask_learn(hands, VIEW_LEARN_SEEK, 20, 0);
    ask_learn(hands, VIEW_LEARN_SWITCH, 0, 0);
    hands_key(hands, "Shift+w");
    hands_show_settled(hands);
    hands_expect_part(hands, "Something was changed by hand while it learned");
    hands_click(hands, "Take the changes back");
    hands_show_settled(hands);
    assert_int_equal(blame_of(hands)->done, LEARN_BLAME_CHOSEN);
    assert_int_equal(learn_of(hands)->step, 20);
    hands_close(hands);
    hands = open_still();
    start_still(hands, LEARN_TASK_REVERSE);
    hands_key(hands, "Shift+w");
    hands_show_settled(hands);
    hands_expect_part(hands, "It learns from no text of lines");
    hands_close(hands);
}

/* What is switched off in Why and on again is no change by hand: nothing is to be taken back before
 * the lines are asked. The same is true of other changes of a run that end where they began. */
static void what_was_switched_off_and_on_is_not_changed(void **unused)
{
    (void)unused;
    struct hands *const hands = open_lines();
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_click(hands, "Switch L0H0 off or on");
    hands_show_settled(hands);
    ask_learn(hands, VIEW_LEARN_SWITCH, 1, 0);
    hands_key(hands, "Shift+w");
    hands_show_settled(hands);
    hands_expect(hands, "Take the changes back");
    hands_key(hands, "Escape");
    hands_click(hands, "Switch L0H0 off or on");
    hands_show_settled(hands);
    ask_learn(hands, VIEW_LEARN_FREEZE_HEAD, 1, 0);
    ask_learn(hands, VIEW_LEARN_SWITCH, 1, 0);
    ask_learn(hands, VIEW_LEARN_FREEZE_HEAD, 1, 0);
    hands_key(hands, "Shift+w");
    hands_show_settled(hands);
    hands_expect_not(hands, "Take the changes back");
    assert_int_equal(blame_of(hands)->done, LEARN_BLAME_CHOSEN);
    hands_close(hands);
}

/* The lesson about it: the sheet does not answer the guess, and a class can be led by keys alone.
 */
static void the_lesson_is_given_by_keys(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open_presenter("taught", 1024, 768);
    hands_show_step(hands, 2);
    hands_show_settled(hands);
    hands_expect_not(hands, "Which line taught it that?");
    hands_key(hands, "Shift+w"); /* the first letter of a guess */
    hands_show_settled(hands);
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_NONE);
    hands_show_step(hands, 5);
    hands_show_settled(hands);
    hands_key(hands, "Shift+w");
    hands_show_settled(hands);
    hands_expect(hands, "Which line taught it “fish” behind “the bear eats”?");
    hands_key(hands, "Tab");
    hands_key(hands, "Tab"); /* behind the cross, if that comes first, and "fish": "cake" */
    for (size_t i = 0; i < 4 && hands_count(hands, "Which line taught it “cake” behind “the bear "
                                                   "eats”?") == 0;
         i++) {
        hands_key(hands, "Enter");
        hands_show_settled(hands);
        hands_key(hands, "Tab");
    }
    hands_expect(hands, "Which line taught it “cake” behind “the bear eats”?");
    assert_true(line_of(hands, 10)->is_cause);
    assert_true(line_of(hands, 10)->without < 0.01F);
    for (size_t i = 0; i < 12 && hands->state->view.overlay == VIEW_OVERLAY_BLAME; i++) {
        hands_key(hands, "Tab");
        if (i >= 2) {
            hands_key(hands, "Enter");
            hands_show_settled(hands);
        }
    }
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_NONE); /* a line was left out */
    hands_close(hands);
}

/* Each line that a caption speaks of stands on the screen with it, in each language; what is left
 * out is marked. What is said to be said no more is not among the next words. */
static void the_lines_a_caption_speaks_of_are_on_the_screen(void **unused)
{
    (void)unused;
    static const struct {
        size_t step;
        const char *lines[5];
        size_t left_out;
    } rows[] = {
        {0, {"the bus leaves at eight .", "the goat eats grass ."}, 0},
        {1, {"the bus leaves at eight .", "the bus leaves at nine ."}, 0},
        {3, {"the bus leaves at eight .", "the bus leaves at nine ."}, 0},
        {4, {"the bus leaves at nine ."}, 1},
        {5, {"the bear eats fish .", "the bear eats cake ."}, 0},
        {6, {"the bear eats cake ."}, 1},
        {8,
         {"mia sleeps in the tent .", "lena sleeps in the tent .", "tom sleeps in the tent .",
          "ben sleeps in the tent .", "ali sleeps in the tent ."},
         5},
    };
    for (size_t place = 0; language_at(place) != NULL; place++) {
        if (!hands_can_read(language_at(place))) {
            continue;
        }
        language_speak(language_at(place));
        struct hands *const hands = hands_open_presenter("taught", 1024, 768);
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            hands_show_step(hands, rows[r].step);
            hands_show_settled(hands);
            for (size_t l = 0; l < 5 && rows[r].lines[l] != NULL; l++) {
                hands_expect(hands, rows[r].lines[l]);
            }
            assert_int_equal(hands_count(hands, tr("left out")), rows[r].left_out);
            assert_true(rows[r].step != 6 || hands_count(hands, "cake") == 0);
        }
        hands_close(hands);
    }
    language_speak(language_at(0));
    struct hands *const hands = hands_open("taught", 1440, 900); /* in the ordinary window, too */
    hands_show_step(hands, 4);
    hands_show_settled(hands);
    hands_expect(hands, "Lines it learns from");
    assert_int_equal(hands_count(hands, "left out"), 1);
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* From the parts that say a word to the lines that taught it, whichever of the next words is asked
 * about. */
static void why_leads_to_the_lines_of_its_word(void **unused)
{
    (void)unused;
    struct hands *const hands = open_lines();
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_expect(hands, "Who says it");
    hands_click(hands, "eight");
    hands_click_number(hands, "nine", hands_count(hands, "nine") - 1); /* in its menu */
    hands_show_settled(hands);
    hands_click(hands, "Which line taught it that?");
    hands_show_settled(hands);
    hands_expect(hands, "Which line taught it “nine” behind “the bus leaves at”?");
    assert_true(line_of(hands, 3)->is_cause);
    hands_close(hands);
}

/* On a projector, too, a line shows its last word, which decides. */
static void no_line_is_cut_on_a_projector(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open_presenter("learned", 1024, 768);
    ask_learn(hands, VIEW_LEARN_SEEK, 0, 0);
    start_still(hands, LEARN_TASK_SMALL_WORLD);
    ask_learn(hands, VIEW_LEARN_SEEK, 60, 0);
    hands_key(hands, "Shift+w");
    hands_show_settled(hands);
    assert_true(blame_of(hands)->lines == 40);
    for (size_t l = 0; l < LEARN_BLAME_CHOSEN; l++) {
        hands_expect(hands, blame_of(hands)->line[l].text);
    }
    hands_close(hands);
}

/* The small world has sentences in place of lines: from Why to the one that taught its word, which
 * is left out with a click. */
static void why_leads_to_the_sentence_of_the_small_world(void **unused)
{
    (void)unused;
    static const char sentence[] = "the man buys a hammer . it is useful .";
    struct hands *const hands = open_still();
    start_still(hands, LEARN_TASK_SMALL_WORLD);
    ask_learn(hands, VIEW_LEARN_SEEK, 150, 0);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_click(hands, "Which line taught it that?");
    hands_show_settled(hands);
    hands_expect(hands, "Which line taught it “useful” behind “the man buys a hammer . it is”?");
    hands_expect(hands, sentence);
    const double told = (double)line_of(hands, 26)->without;
    assert_true(told < (double)blame_of(hands)->probability);
    assert_int_equal(blame_of(hands)->done, LEARN_BLAME_CHOSEN);
    hands_click(hands, sentence);
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->step, 150);
    for (size_t i = 0; i < learn_of(hands)->next_count; i++) {
        const struct view_next *const next = &learn_of(hands)->next[i];
        assert_true(strcmp(next->word, "useful") != 0 ||
                    (next->share < told + 1e-6 && next->share > told - 1e-6));
    }
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(why_leads_to_the_lines_of_its_word),
        cmocka_unit_test(why_leads_to_the_sentence_of_the_small_world),
        cmocka_unit_test(no_line_is_cut_on_a_projector),
        cmocka_unit_test(a_word_it_says_leads_to_its_lines),
        cmocka_unit_test(no_verdict_is_shown_before_its_lines_are_there),
        cmocka_unit_test(what_stands_beside_a_line_is_explained),
        cmocka_unit_test(another_word_shows_nothing_of_the_former),
        cmocka_unit_test(the_sentence_has_the_digits_of_the_table),
        cmocka_unit_test(a_line_that_is_clicked_is_left_out),
        cmocka_unit_test(all_lines_can_be_left_out_in_turn_and_given_up),
        cmocka_unit_test(training_once_more_is_told_and_given_up),
        cmocka_unit_test(a_closed_sheet_trains_no_more),
        cmocka_unit_test(what_cannot_be_asked_is_said),
        cmocka_unit_test(what_was_switched_off_and_on_is_not_changed),
        cmocka_unit_test(the_lesson_is_given_by_keys),
        cmocka_unit_test(the_lines_a_caption_speaks_of_are_on_the_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
