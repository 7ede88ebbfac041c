/* What Why shows is what its captions and sentences speak of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/translate.h"
#include "view/parts/why.h"
#include "with_model.h"

/* The cell names the likeliest word, which is another one; the curve has the asked word's share. */
static void the_share_that_a_caption_speaks_of_stands_at_the_curve(void **state)
{
    (void)state;
    static const float sizes[][2] = {{1024, 768}, {1280, 800}, {1440, 900}};
    enum { BEHIND_MLP_0 = 3 };
    struct hands *const hands = hands_open_presenter("half-way", 1440, 900);
    hands_show_step(hands, BEHIND_MLP_0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        hands_resize(hands, sizes[s][0], sizes[s][1]);
        hands_show_settled(hands);
        hands_expect_part(hands, "jumps to 37 %");
        assert_int_equal(hands_count(hands, "37 %"), 2); /* of “is”, and of “heavy” */
        assert_int_equal(hands_collisions(hands), 0);
    }
    hands_close(hands);
}

/* Whatever stage was visited before. */
static void captions_of_steps_that_show_why_are_about_why(void **state)
{
    (void)state;
    enum { WHY = 2 };
    struct hands *const hands = hands_open("which-head", 1440, 900);
    hands_show_step(hands, WHY);
    hands_show_settled(hands);
    hands_click(hands, "Its stages");
    hands_show_settled(hands);
    hands_expect_part(hands, "About Why: ");
    hands_click(hands, "Blend");
    hands_show_settled(hands);
    hands_key(hands, "w");
    hands_show_settled(hands);
    assert_int_equal(hands_count_part(hands, "About "), 0);
    hands_show_step(hands, WHY + 1);
    hands_show_settled(hands);
    assert_int_equal(hands_count_part(hands, "About "), 0);
    hands_close(hands);
}

/* ---- what is asked and told ---- */

static const char text[] = "the man buys a hammer . it is";

static const struct view_why *why_of(const struct hands *hands)
{
    assert_non_null(hands->state->view.why);
    assert_non_null(hands->state->view.why->answer);
    return hands->state->view.why;
}

/* With two heads off another word ranks third than before. */
static void before_and_now_are_told_of_the_likeliest_now(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_path(getenv("SMALL_WORLD"), text);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_click(hands, "Switch L0H2 off or on");
    hands_show_settled(hands);
    hands_click(hands, "Switch L1H1 off or on");
    hands_show_settled(hands);
    const struct view_why_change *const change = why_of(hands)->change;
    assert_non_null(change);
    assert_int_equal(change->count, VIEW_WHY_TOLD);
    assert_string_equal(change->told[0].word, "heavy");
    assert_string_equal(change->told[1].word, "useful");
    assert_string_equal(change->told[2].word, "fresh");
    assert_true(change->told[2].after >= change->told[3].after);
    hands_close(hands);
}

/* The rival is chosen among the words of its menu. */
static void ask_rather_than_sweet(struct hands *hands)
{
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_click(hands, "useful");
    hands_click(hands, "sweet");
    hands_show_settled(hands);
    hands_expect(hands, "adds to heavy − sweet");
}

static void words_chosen_for_a_text_are_not_asked_of_another(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_path(getenv("SMALL_WORLD"), text);
    ask_rather_than_sweet(hands);
    hands_click(hands, "type a token…");
    hands_type(hands, "heavy ");
    hands_show_settled(hands);
    assert_int_equal(hands_count_part(hands, "heavy − sweet"), 0);
    const struct view_why_answer *const answer = why_of(hands)->answer;
    assert_string_equal(answer->word.word, answer->choice[0].word);
    assert_string_equal(answer->rival.word, answer->choice[1].word);
    hands_close(hands);
    struct hands *const learns = hands_open("half-way", 1440, 900);
    enum { WOLF = 6 };
    ask_rather_than_sweet(learns);
    hands_show_step(learns, WOLF);
    hands_show_settled(learns);
    assert_int_equal(learns->state->view.why_rival, 0);
    hands_close(learns);
}

static void a_word_that_no_line_is_asked_about_says_why(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("away", 1440, 900);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_expect(hands, "Which line taught it that?");
    const struct view_why_answer *const answer = why_of(hands)->answer;
    hands->state->view.why_word = answer->choice[answer->choices - 1].id + 1;
    hands_show_settled(hands);
    hands_expect_not(hands, "Which line taught it that?");
    hands_expect_part(hands, "likeliest words: no line is asked.");
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* ---- pages ---- */

static void the_tab_and_its_key_lead_back_from_pages(void **state)
{
    (void)state;
    static const char *const pages[] = {"Two texts", "Circuits"};
    struct hands *const hands = hands_on_path(getenv("SMALL_WORLD"), text);
    hands_click(hands, "Why");
    for (size_t p = 0; p < 2; p++) {
        hands_show_settled(hands);
        hands_click(hands, pages[p]);
        hands_show_settled(hands);
        hands_expect_not(hands, "Who says it");
        hands_click_number(hands, "Why", 0); /* the tab */
        hands_show_settled(hands);
        hands_expect(hands, "Who says it");
        hands_click(hands, pages[p]);
        hands_show_settled(hands);
        hands_key(hands, "w");
        hands_show_settled(hands);
        hands_expect(hands, "Who says it");
    }
    hands_key(hands, "w");
    hands_show_settled(hands);
    assert_false(hands->state->view.why_shown);
    hands_close(hands);
}

/* There no row of views leads anywhere. */
static void in_presenter_mode_the_mouse_leads_to_the_stages_and_back(void **state)
{
    (void)state;
    enum { WHY = 2 };
    struct hands *const hands = hands_open_presenter("which-head", 1024, 768);
    hands_show_step(hands, WHY);
    hands_show_settled(hands);
    assert_int_equal(hands_count(hands, "Stage"), 1); /* and no second cross */
    hands_click(hands, "Its stages");
    hands_show_settled(hands);
    assert_false(hands->state->view.why_shown);
    assert_int_equal(hands_collisions(hands), 0);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_expect(hands, "Who says it");
    hands_click(hands, "Circuits");
    hands_show_settled(hands);
    hands_click(hands, "Stage");
    hands_show_settled(hands);
    assert_false(hands->state->view.why_shown);
    hands_show_step(hands, 0);
    hands_expect_not(hands, "Why"); /* nobody came from there */
    hands_close(hands);
}

/* In one line they would be small, and the last ones cut. */
static void ten_words_of_a_cell_stand_in_two_lines(void **state)
{
    (void)state;
    enum { CELLS = 7 };
    struct hands *const hands = hands_open_presenter("half-way", 1024, 768);
    hands_show_step(hands, CELLS);
    hands_show_settled(hands);
    hands_click(hands, "58 %");
    hands_show_settled(hands);
    const struct view_why_answer *const answer = why_of(hands)->answer;
    const struct view_why_word *const last =
        &answer->lens[(hands->state->view.why_cell - 1) * answer->top + answer->top - 1];
    char name[64];
    (void)snprintf(name, sizeof name, "   %s ", last->word);
    assert_int_equal(answer->top, VIEW_WHY_TOP);
    hands_expect_part(hands, name);
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* ---- room ---- */

enum { WITHOUT_L0H2 = 5 }; /* the step of half-way */

static struct hands *hands_without_head(bool presents, float width, float height)
{
    struct hands *const hands =
        (presents ? hands_open_presenter : hands_open)("half-way", width, height);
    hands_show_step(hands, WITHOUT_L0H2);
    hands_show_settled(hands);
    assert_int_equal(hands_collisions(hands), 0);
    return hands;
}

static void a_projector_shows_bars_the_question_and_the_curve(void **state)
{
    (void)state;
    struct hands *const hands = hands_without_head(true, 1024, 768);
    hands_expect(hands, "after “it is”?");
    hands_expect(hands, "66.8 → 12.6 %");
    hands_expect(hands, "p(heavy)");
    hands_show_step(hands, 1);
    hands_show_settled(hands);
    static const float LONGER = 30; /* a bar of 6.07 than one of 1.78 */
    assert_true(hands_find(hands, "+6.07", 0).x > hands_find(hands, "+1.78", 0).x + LONGER);
    hands_close(hands);
}

static void low_windows_keep_shares_and_the_way_to_two_texts(void **state)
{
    (void)state;
    struct hands *const hands = hands_without_head(false, 1280, 720);
    assert_int_equal(hands_count_part(hands, "49 %"), 2);
    hands_expect(hands, "p(heavy)");
    hands_close(hands);
    const char *const languages[] = {"en", "de"}, *const labels[] = {"Two texts", "Zwei Texte"};
    for (size_t l = 0; l < 2; l++) {
        language_speak(language_find(languages[l]));
        struct hands *const small = hands_without_head(false, 640, 480);
        hands_expect(small, labels[l]);
        hands_close(small);
    }
    language_speak(language_find("en"));
}

/* The numbers of a head that is off, at its mean, and off at the last word alone, of weights that
 * learn as of a checkpoint; each is one step of Undo. */
static void heads_of_a_run_have_their_mean_as_those_of_a_checkpoint(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("half-way", 1440, 900);
    hands_show_step(hands, 1);
    hands_show_settled(hands);
    hands_click(hands, "Switch L0H2 off or on");
    hands_show_settled(hands);
    hands_expect(hands, "8.33 → −1.00");
    hands_click(hands, "mean");
    hands_show_settled(hands);
    hands_expect(hands, "8.33 → 5.62");
    hands_expect(hands, "L0H2 at its mean");
    hands_expect_not(hands, "L0H2 off");
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    hands_expect(hands, "8.33 → −1.00");
    hands_click(hands, "at “is”");
    hands_show_settled(hands);
    hands_expect(hands, "8.33 → −2.74");
    hands_click(hands, "at all words");
    hands_show_settled(hands);
    hands_expect(hands, "8.33 → −1.00");
    hands_click(hands, "mean");
    hands_show_settled(hands);
    hands_click(hands, "Switch L1H3 off or on"); /* of another layer, at its mean, too */
    hands_show_settled(hands);
    hands_click(hands, "mean");
    hands_show_settled(hands);
    hands_expect(hands, "L0H2 at its mean");
    hands_expect(hands, "L1H3 at its mean");
    assert_int_equal(why_of(hands)->rows, 2);
    hands_click(hands, "L1H3 at its mean"); /* its chip has a cross */
    hands_show_settled(hands);
    hands_click(hands, "L0H2 at its mean");
    hands_show_settled(hands);
    hands_expect(hands, "8.33 more");
    assert_int_equal(why_of(hands)->rows, 0);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_of_a_run_have_their_mean_as_those_of_a_checkpoint),
        cmocka_unit_test(the_share_that_a_caption_speaks_of_stands_at_the_curve),
        cmocka_unit_test(captions_of_steps_that_show_why_are_about_why),
        cmocka_unit_test(before_and_now_are_told_of_the_likeliest_now),
        cmocka_unit_test(words_chosen_for_a_text_are_not_asked_of_another),
        cmocka_unit_test(a_word_that_no_line_is_asked_about_says_why),
        cmocka_unit_test(in_presenter_mode_the_mouse_leads_to_the_stages_and_back),
        cmocka_unit_test(ten_words_of_a_cell_stand_in_two_lines),
        cmocka_unit_test(a_projector_shows_bars_the_question_and_the_curve),
        cmocka_unit_test(low_windows_keep_shares_and_the_way_to_two_texts),
        cmocka_unit_test(the_tab_and_its_key_lead_back_from_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
