/* Guesses of a class: typed in any way, hidden everywhere until they are revealed. */
#include "app/actions/commands.h"
#include "app/open/lesson.h"
#include "asked.h"
#include "base/file.h"
#include <cmocka.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_guess_stands_beside_the_truth_with_its_sum(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    go_to_guess(hands, LAB_GUESS_BAR);
    hands_expect_not(hands, "0.028");
    hands_click(hands, "your guess");
    hands_type(hands, "0.3");
    hands_key(hands, "Tab");
    hands_click(hands, "Reveal");
    hands_expect_part(hands, "You said 0.3; it is 0.028 = ");
    hands_close(hands);
}

/* "How much is left for lion?", in percent: what is left of the rounded others is as good as what
 * is printed. Enter shows it. */
static void a_share_is_guessed_as_people_write_shares(void **state)
{
    (void)state;
    static const struct {
        const char *said, *answer;
    } rows[] = {{"2.9", "You said 2.9 %, and that is right: it is 2.8 % = 0.028 = "},
                {"2.9 %", "You said 2.9 %, and that is right: it is 2.8 % = 0.028 = "},
                {"3%", "You said 3%, and that is right: it is 2.8 % = 0.028 = "},
                {"0,028", "You said 0,028, and that is right: it is 0.028 = "},
                {"0.03", "You said 0.03, and that is right: it is 0.028 = "},
                {"1/35", "You said 1/35, and that is right: it is 0.028 = "},
                {"1/3", "You said 1/3; it is 0.028 = "},
                {"0", "You said 0; it is 0.028 = "},
                {"4 %", "You said 4 %; it is 2.8 % = 0.028 = "}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct hands *hands = hands_open("cats", 1440, 900);
        go_to_guess(hands, LAB_GUESS_BAR);
        hands_click(hands, "your guess");
        hands_type(hands, rows[r].said);
        hands_key(hands, "Enter");
        hands_expect_part(hands, rows[r].answer);
        hands_close(hands);
    }
}

/* Two words with equal weights: either is right, and the question does not tell. */
static void of_equal_winners_each_is_right(void **state)
{
    (void)state;
    static const char *const words[] = {"The", "sat", "cat"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        struct hands *hands = hands_open("translate", 1440, 900);
        go_to_guess(hands, LAB_GUESS_WINNER);
        assert_null(strstr(hands->state->view.caption, "%"));
        snprintf(hands->state->view.guessed, sizeof hands->state->view.guessed, "%s", words[w]);
        hands_click(hands, "Reveal");
        hands_expect_part(hands, w == 0   ? "You said “The”, and so it is: 0.422 = "
                                 : w == 1 ? "You said “sat”, and so it is: 0.422 = "
                                          : "You said “cat”; it is “The”, “sat”, with 0.422 = ");
        hands_close(hands);
    }
}

static void a_guess_is_made_by_keyboard_alone(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    go_to_guess(hands, LAB_GUESS_BAR);
    /* the first field behind Tab is the tokens', the second asks for the guess */
    for (int fields = 0; fields < 2;) {
        hands_key(hands, "Tab");
        fields += app_frame_facts(hands->frame).wants_text;
    }
    hands_type(hands, "7");
    hands_key(hands, "Enter");
    assert_string_equal(hands->state->view.guessed, "7");
    hands_expect_part(hands, "You said 7 %; it is 2.8 % = 0.028 = ");
    hands_close(hands);
}

/* Nobody points at the field first: digits are no stages while a number is asked for. */
static void a_number_typed_anywhere_is_the_guess(void **state)
{
    (void)state;
    for (int before_a_class = 0; before_a_class < 2; before_a_class++) {
        struct hands *hands = hands_open("cats", 1280, 720);
        if (before_a_class == 1) {
            hands_key(hands, "F5");
        }
        go_to_guess(hands, LAB_GUESS_BAR);
        const enum lab_stage stage = hands->state->view.playback.stage;
        hands_key(hands, "2");   /* as a keyboard says it while no field is open … */
        hands_type(hands, ".9"); /* … and while one is */
        hands_key(hands, "Enter");
        assert_int_equal(hands->state->view.playback.stage, stage);
        hands_expect_part(hands, "You said 2.9 %, and that is right");
        hands_key(hands, "2"); /* it is shown: the second stage */
        assert_int_equal(hands->state->view.playback.stage, LAB_PROJECT);
        hands_close(hands);
    }
}

static void what_is_no_number_is_answered_in_place(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    go_to_guess(hands, LAB_GUESS_BAR);
    hands_click(hands, "your guess");
    hands_type(hands, "lots");
    hands_key(hands, "Enter");
    hands_expect(hands, "A share is asked for, such as 30 %; “lots” is none.");
    assert_string_equal(hands->state->view.guessed, "");
    hands_close(hands);
}

static void the_winner_is_chosen_from_the_keys_and_stays_hidden_from_the_pointer(void **state)
{
    (void)state;
    struct hands *hands = hands_open("hammer", 1440, 900);
    go_to_guess(hands, LAB_GUESS_WINNER);
    hands_expect_not(hands, "0.940");
    hands_key(hands, "Down"); /* another query chosen: what was asked stays hidden */
    hands_expect_not(hands, "0.940");
    hands_click(hands, "your guess");
    const size_t last = hands_count(hands, "tool");
    assert_true(last > 0);
    hands_key(hands, "Home");
    hands_key(hands, "Enter");
    assert_true(hands->state->view.guessed[0] != 0);
    hands_click(hands, "Reveal");
    hands_expect_part(hands, "; it is “hammer”, with 0.940 = ");
    hands_expect(hands, "α( It → hammer ) = exp(scaled − max) ÷ Σ exp"); /* its sum, in full */
    hands_close(hands);
}

/* "5 other terms" in the answer and "4 other terms" in the formula would be two sums. */
static void the_answer_and_the_formula_divide_a_sum_in_one_way(void **state)
{
    (void)state;
    struct hands *hands = hands_open("hammer", 1280, 720);
    go_to_guess(hands, LAB_GUESS_WINNER);
    hands_key(hands, "F5");
    hands_key(hands, "PageDown");
    hands_wait(hands, 1);
    hands_expect_part(hands, "+ 5 other terms (0.017)");
    hands_expect(hands, " + 5 other terms (0.017)"); /* a piece of the formula by itself */
    hands_expect_not(hands, " + 4 other terms (0.014)");
    hands_close(hands);
}

/* Blended values stand beside the weights that would tell. */
static void who_wins_is_hidden_wherever_weights_stand(void **state)
{
    (void)state;
    static const char *const stages[] = {"score", "scale", "softmax", "blend"};
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
        struct hands *hands = open_asking(stages[s], "winner");
        hands_expect_not(hands, "0.53");
        hands_expect_not(hands, "0.530");
        hands_key(hands, "PageDown");
        hands_expect_part(hands, "The answer is “dog”, with ");
        hands_close(hands);
    }
}

/* Anything computed from the share that is asked for would tell it: at every stage, in the flow, in
 * all kinds of attention. */
static void no_other_view_gives_a_guess_away(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 1280, 720);
    go_to_guess(hands, LAB_GUESS_BAR);
    hands_click(hands, "Blend");
    hands_wait(hands, 1);
    hands_expect(hands, "0.39");
    hands_expect_not(hands, "0.03");
    assert_int_equal(hands_count(hands, "?"), 4); /* lion’s share, and three numbers of Z */
    hands_click(hands, "Output");
    hands_wait(hands, 1);
    assert_int_equal(hands_count(hands, "?"), 6);
    assert_true(app_command_run(hands->state, "flow", 0, hands->input.time));
    hands_wait(hands, 1);
    assert_true(hands_count(hands, "?") >= 4);
    hands_close(hands);
    hands = hands_open_presenter("hammer", 1280, 720);
    go_to_guess(hands, LAB_GUESS_WINNER);
    assert_true(app_command_run(hands->state, "kinds", 0, hands->input.time));
    hands_wait(hands, 1);
    assert_true(hands_count(hands, "?") > 6); /* a row of every kind */
    hands_close(hands);
}

static void what_is_given_is_revealed_without_a_sum(void **state)
{
    (void)state;
    struct hands *hands = open_asking("embed", "cell");
    hands_expect(hands, "?");
    hands_key(hands, "PageDown");
    hands_expect(hands, "It is 0.5");
    hands_close(hands);
}

/* The text in the box counts, whichever key the class goes on with, and each step has its own. */
static void a_guess_survives_every_way_on(void **state)
{
    (void)state;
    static const char *const ways[] = {"PageDown", "Enter", "Tab"};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct hands *const hands = hands_open("cats", 1440, 900);
        go_to_guess(hands, LAB_GUESS_BAR);
        hands_type(hands, "5");
        hands_key(hands, ways[w]);
        if (!hands->state->view.revealed) {
            hands_key(hands, "PageDown");
        }
        hands_expect_part(hands, "You said 5");
        hands_key(hands, "PageDown");
        hands_expect_not(hands, "You said 5");
        hands_key(hands, "PageUp"); /* it is there again, and not revealed */
        hands_expect(hands, "5");
        hands_expect_not(hands, "You said 5");
        assert_string_equal(hands->state->view.guessed, "5");
        hands_close(hands);
    }
}

/* A remote control sends →, also while the caret stands in the box; within a number it moves. */
static void the_arrow_of_a_remote_control_goes_on_from_the_guess(void **state)
{
    (void)state;
    struct hands *const hands = hands_open_presenter("cats", 1024, 768);
    go_to_guess(hands, LAB_GUESS_BAR);
    hands_type(hands, "25");
    hands_key(hands, "Left");
    hands_key(hands, "Left");
    hands_key(hands, "Right");
    hands_key(hands, "Right");
    assert_false(hands->state->view.revealed);
    hands_key(hands, "Right");
    assert_true(hands->state->view.revealed);
    hands_expect_part(hands, "You said 25");
    const size_t step = hands->state->document.step;
    hands_key(hands, "Right");
    assert_int_equal(hands->state->document.step, step + 1);
    hands_close(hands);
}

static void the_next_word_is_hidden_until_it_is_revealed(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("grokking", 1440, 900);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "grokking 4");
    hands_key(hands, "Enter");
    hands_settle(hands);
    assert_int_equal(hands->state->view.guess, LAB_GUESS_NEXT);
    hands_expect_not(hands, "97.2 %");
    hands_type(hands, "16");
    hands_key(hands, "PageDown");
    hands_settle(hands);
    hands_expect_part(hands, "You said \u201c16\u201d; it says \u201c3\u201d, with 97.2 %");
    hands_expect(hands, "97.2 %");
    hands_close(hands);
}

/* Each letter is one by which a shortcut begins: the next head, captions, comparing, the flow … */
static void a_word_typed_anywhere_is_the_guess(void **state)
{
    (void)state;
    static const struct {
        const char *lesson, *right;
    } rows[] = {{"hammer", "hammer"},
                {"bank", "river"},
                {"translate", "The"},
                {"fewer", ""},
                {"real-heads", "hammer"}};
    static const char letters[] = "hcbgkdolmstwzx";
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct hands *hands = hands_open_presenter(rows[r].lesson, 1024, 768);
        go_to_guess(hands, LAB_GUESS_WINNER);
        const struct view_state *const view = &hands->state->view;
        const struct lab_selection pinned = view->pinned;
        for (const char *at = letters; *at != '\0'; at++) {
            hands_key(hands, (const char[]){*at, '\0'}); /* no field is open yet … */
            hands_type(hands, "x");                      /* … and now one is */
            hands_key(hands, "Enter");
            assert_false(view->revealed);
            hands_expect_part(hands, "is none of the words");
            hands_click(hands, "your guess");
            hands_key(hands, "Escape");
        }
        assert_true(view_selection_equal(&pinned, &view->pinned));
        assert_true(view->prefs.presenter && !view->prefs.captions_closed);
        assert_int_equal(view->overlay, VIEW_OVERLAY_NONE);
        hands_type(hands, rows[r].right);
        hands_key(hands, "Enter");
        assert_int_equal(view->revealed, rows[r].right[0] != '\0');
        if (view->revealed) {
            hands_expect_part(hands, "and so it is: ");
            assert_int_equal(view->pinned.head, pinned.head);
        }
        hands_close(hands);
    }
}

/* The first letter comes as a stroke alone, since nothing takes text yet; capital ones too. */
static void the_first_letter_of_a_word_is_kept(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("hammer", 1024, 768);
    go_to_guess(hands, LAB_GUESS_WINNER);
    hands_key(hands, "h");
    hands_type(hands, "ammer");
    hands_key(hands, "PageDown");
    hands_expect_part(hands, "You said “hammer”, and so it is: 0.940");
    hands_close(hands);
    hands = hands_open_presenter("hammer", 1024, 768);
    go_to_guess(hands, LAB_GUESS_WINNER);
    hands_key(hands, "Shift+P");
    hands_type(hands, "eter");
    hands_key(hands, "PageDown");
    hands_expect_part(hands, "You said “Peter”; it is “hammer”, with 0.940");
    hands_close(hands);
}

/* Esc leaves the box with what stands in it, and letters are shortcuts again, until the next guess
 * is asked for. What is revealed is said of the head that is then seen. */
static void a_guess_that_was_left_gives_the_keys_back(void **state)
{
    (void)state;
    struct hands *hands = hands_open("real-heads", 1440, 900);
    go_to_guess(hands, LAB_GUESS_WINNER);
    const struct view_state *const view = &hands->state->view;
    const size_t head = view->pinned.head;
    hands_key(hands, "h");
    hands_type(hands, "ammer");
    assert_string_equal(view->guessed, "hammer");
    hands_key(hands, "Escape");
    assert_string_equal(view->guessed, "hammer");
    assert_int_equal(view->pinned.head, head);
    hands_key(hands, "h");
    assert_int_equal(view->pinned.head, head + 1);
    hands_key(hands, "PageDown");
    assert_true(view->revealed);
    assert_int_equal(view->pinned.head, head);
    hands_key(hands, "h"); /* it was answered */
    assert_int_equal(view->pinned.head, head + 1);
    hands_close(hands);
}

/* A number may be negative, and no letter is a shortcut while it is asked for. */
static void a_number_is_asked_for_and_letters_are_none(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("latent", 1024, 768);
    go_to_guess(hands, LAB_GUESS_CELL);
    const struct view_state *const view = &hands->state->view;
    const size_t head = view->pinned.head;
    hands_key(hands, "h");
    hands_type(hands, "alf");
    hands_key(hands, "Enter");
    assert_int_equal(view->pinned.head, head);
    hands_expect(hands, "A number is asked for, such as 0.3; “half” is none.");
    hands_key(hands, "-");
    hands_type(hands, "0.74");
    hands_key(hands, "Right");
    hands_expect_part(hands, "You said -0.74, and that is right: it is −0.7");
    hands_close(hands);
}

/* The first thing that is typed is the guess, also while the weights that are asked about are still
 * being learned; nothing is revealed before they are there. */
static void a_guess_may_come_before_its_question(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("taught", 1024, 768);
    const struct lab_lesson *const lesson = hands->state->document.lesson;
    size_t step = 0;
    while (step < lesson->steps && lesson->step[step].guess == LAB_GUESS_NONE) {
        step++;
    }
    assert_true(step < lesson->steps);
    for (size_t s = 0; s < step; s++) {
        hands_key(hands, "PageDown");
        if (hands->state->view.revealed) {
            hands_key(hands, "PageDown");
        }
    }
    const struct view_state *const view = &hands->state->view;
    assert_int_equal(view->step, step);
    hands_expect_part(hands, "Learning: step ");
    const size_t head = view->pinned.head;
    hands_key(hands, "h");
    hands_type(hands, "am");
    assert_int_equal(view->pinned.head, head);
    hands_expect_not(hands, "Reveal");
    hands_key(hands, "Enter");
    assert_false(view->revealed);
    hands_show_settled(hands);
    hands_expect(hands, "Reveal");
    hands_close(hands);
}

/* Esc in the box closes the box, whatever stands in it, and nothing behind it. */
static void a_box_that_is_left_empty_leaves_the_class_where_it_is(void **state)
{
    (void)state;
    static const struct {
        const char *lesson;
        enum lab_guess kind;
    } rows[] = {{"cats", LAB_GUESS_BAR}, {"hammer", LAB_GUESS_WINNER}, {"latent", LAB_GUESS_CELL}};
    for (size_t r = 0; r < 2 * sizeof rows / sizeof *rows; r++) {
        struct hands *hands = hands_open_presenter(rows[r / 2].lesson, 1024, 768);
        go_to_guess(hands, rows[r / 2].kind);
        if (r % 2 == 0) {
            hands_click(hands, "your guess");
        } else {
            hands_key(hands, rows[r / 2].kind == LAB_GUESS_WINNER ? "h" : "5");
            hands_key(hands, "Backspace");
        }
        hands_key(hands, "Escape");
        assert_true(hands->state->view.prefs.presenter);
        hands_close(hands);
    }
}

/* A guess is of its question: another lesson may be shown between them, and undo leads back. The
 * step is then shown as it is, not as the other lesson's. */
/* A class clicks on other words while it thinks; the question stays behind “it is”. */
static void the_answer_is_of_the_word_that_was_asked_for(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("which-head", 1280, 800);
    hands_show_settled(hands);
    hands_click(hands, "buys");
    hands_click(hands, "Reveal");
    hands_show_settled(hands);
    hands_expect(hands, "next word after “man buys”");
    hands_expect(hands, "It says “heavy”, with 66.8 %");
    hands_close(hands);
}

static void a_guess_survives_another_lesson(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 1024, 768);
    go_to_guess(hands, LAB_GUESS_BAR);
    hands_key(hands, "0");
    hands_type(hands, ".03");
    hands_key(hands, "Ctrl+k");
    hands_type(hands, "race");
    hands_key(hands, "Enter");
    hands_settle(hands);
    hands_expect_part(hands, "Do the keys deserve it?");
    hands_key(hands, "PageDown");
    hands_expect(hands, "your guess"); /* of another question */
    hands_key(hands, "Ctrl+z");
    hands_key(hands, "Ctrl+z");
    hands_settle(hands);
    hands_expect(hands, "0.03");
    hands_expect(hands, "scaled − max");
    hands_key(hands, "PageDown");
    hands_expect_part(hands, "You said 0.03, and that is right");
    hands_close(hands);
}

/* Esc is pressed to leave the box, not to unsay what the class has said, and the next page shows
 * what is true beside it. Backspace unsays it. */
static void esc_keeps_what_the_class_has_said(void **state)
{
    (void)state;
    static const struct {
        const char *lesson, *first, *rest, *said;
        enum lab_guess kind;
    } rows[] = {{"cats", "2", "5", "You said 25", LAB_GUESS_BAR},
                {"hammer", "p", "eter", "You said “Peter”", LAB_GUESS_WINNER},
                {"latent", "-", "0.74", "You said -0.74", LAB_GUESS_CELL}};
    for (size_t r = 0; r < 2 * sizeof rows / sizeof *rows; r++) {
        const bool unsaid = r % 2 != 0;
        struct hands *hands = hands_open_presenter(rows[r / 2].lesson, 1024, 768);
        go_to_guess(hands, rows[r / 2].kind);
        hands_key(hands, rows[r / 2].first);
        hands_type(hands, rows[r / 2].rest);
        for (size_t b = 0; unsaid && b < 1 + strlen(rows[r / 2].rest); b++) {
            hands_key(hands, "Backspace");
        }
        hands_key(hands, "Escape");
        assert_true(hands->state->view.prefs.presenter);
        hands_key(hands, "PageDown");
        assert_true(hands->state->view.revealed);
        assert_int_equal(hands_count_part(hands, rows[r / 2].said), unsaid ? 0 : 1);
        assert_int_equal(hands_count_part(hands, "You said"), unsaid ? 0 : 1);
        hands_close(hands);
    }
}

/* A lesson that is opened anew keeps a guess whose answer has not been shown, as a class looks at
 * another lesson between them; one that was answered is the former class's. */
static void the_next_class_makes_its_own_guess(void **state)
{
    (void)state;
    size_t cats = 0;
    assert_true(lab_lesson_find("cats", &cats));
    for (int answered = 0; answered < 2; answered++) {
        struct hands *hands = hands_open_presenter("cats", 1024, 768);
        go_to_guess(hands, LAB_GUESS_BAR);
        hands_key(hands, "0");
        hands_type(hands, ".03");
        hands_key(hands, "Enter");
        hands_expect_part(hands, "You said 0.03, and that is right");
        hands_key(hands, "PageUp");
        hands_key(hands, "PageDown");
        hands_expect(hands, "0.03"); /* the same class */
        if (!answered) {
            hands_click(hands, "0.03");
            hands_type(hands, "9");
            hands_key(hands, "Escape");
        }
        assert_true(app_lesson_open(hands->state, cats, hands->input.time));
        go_to_guess(hands, LAB_GUESS_BAR);
        assert_int_equal(hands_count(hands, "your guess"), answered);
        assert_int_equal(hands->state->view.guessed[0] == '\0', answered);
        hands_close(hands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guess_stands_beside_the_truth_with_its_sum),
        cmocka_unit_test(a_share_is_guessed_as_people_write_shares),
        cmocka_unit_test(of_equal_winners_each_is_right),
        cmocka_unit_test(a_guess_is_made_by_keyboard_alone),
        cmocka_unit_test(a_number_typed_anywhere_is_the_guess),
        cmocka_unit_test(what_is_no_number_is_answered_in_place),
        cmocka_unit_test(a_word_typed_anywhere_is_the_guess),
        cmocka_unit_test(the_first_letter_of_a_word_is_kept),
        cmocka_unit_test(a_guess_that_was_left_gives_the_keys_back),
        cmocka_unit_test(a_number_is_asked_for_and_letters_are_none),
        cmocka_unit_test(the_winner_is_chosen_from_the_keys_and_stays_hidden_from_the_pointer),
        cmocka_unit_test(the_answer_and_the_formula_divide_a_sum_in_one_way),
        cmocka_unit_test(who_wins_is_hidden_wherever_weights_stand),
        cmocka_unit_test(no_other_view_gives_a_guess_away),
        cmocka_unit_test(what_is_given_is_revealed_without_a_sum),
        cmocka_unit_test(a_guess_survives_every_way_on),
        cmocka_unit_test(a_guess_survives_another_lesson),
        cmocka_unit_test(esc_keeps_what_the_class_has_said),
        cmocka_unit_test(the_next_class_makes_its_own_guess),
        cmocka_unit_test(the_arrow_of_a_remote_control_goes_on_from_the_guess),
        cmocka_unit_test(a_guess_may_come_before_its_question),
        cmocka_unit_test(a_box_that_is_left_empty_leaves_the_class_where_it_is),
        cmocka_unit_test(the_next_word_is_hidden_until_it_is_revealed),
        cmocka_unit_test(the_answer_is_of_the_word_that_was_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
