/* Why the model inside says a word: asked with the mouse alone, and by keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/commands.h"
#include "app/open/lesson.h"
#include "base/translate.h"
#include "view/parts/learn.h"
#include "view/parts/why.h"
#include "with_model.h"

static const char text[] = "the man buys a hammer . it is";

static struct hands *hands_on_small_world(void)
{
    return hands_on_path(getenv("SMALL_WORLD"), text);
}

static const struct view_why_part *part_of(const struct hands *hands, const char *name)
{
    const struct view_why *const why = hands->state->view.why;
    assert_non_null(why);
    assert_non_null(why->answer);
    for (size_t p = 0; p < why->answer->parts; p++) {
        if (strcmp(why->answer->part[p].name, name) == 0) {
            return &why->answer->part[p];
        }
    }
    fail_msg("there is no part %s", name);
    return NULL;
}

static void assert_near(double value, double expected)
{
    assert_true(value > expected - 0.006 && value < expected + 0.006);
}

/* The rival is chosen among the words of its menu. */
static void choose_rival(struct hands *hands, const char *word)
{
    hands_click(hands, "useful");
    hands_click(hands, word);
    hands_show_settled(hands);
}

/* Three actions lead from a text to the head that decided, the word it looked at and what it said:
 * the view, the rival, and the head's words stand there. */
static void the_head_that_decides_is_found_with_the_mouse(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_small_world();
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_expect(hands, "Who says it");
    choose_rival(hands, "sweet");
    hands_expect(hands, "8.33 more");
    hands_expect(hands, "adds to heavy − sweet");
    hands_expect(hands, "What L0H2 takes from each word"); /* most is lost without it */
    hands_expect(hands, "+9.34");
    assert_near(part_of(hands, "MLP 1")->adds, 6.07);
    assert_near(part_of(hands, "MLP 0")->adds, 1.78);
    assert_near(part_of(hands, "L0H2")->adds, 0.37);
    assert_near(part_of(hands, "L0H2")->lost, 9.34);
    assert_near(part_of(hands, "MLP 1")->lost, 4.55);
    hands_expect_part(hands, "L0H2 looks at “hammer” with 92.4 %");
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

static const struct view_why_answer *answer_of(const struct hands *hands)
{
    assert_non_null(hands->state->view.why->answer);
    return hands->state->view.why->answer;
}

static uint32_t word_id(const struct hands *hands, const char *word)
{
    const struct view_why_answer *const answer = hands->state->view.why->answer;
    for (size_t c = 0; c < answer->choices; c++) {
        if (strcmp(answer->choice[c].word, word) == 0) {
            return answer->choice[c].id;
        }
    }
    fail_msg("%s cannot be asked for", word);
    return 0;
}

/* All panels are of the model as it is changed, and say so; what was before stands in the strip. */
static void without_it_another_word_is_said_and_undo_brings_it_back(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_small_world();
    hands_click(hands, "Why");
    hands_show_settled(hands);
    choose_rival(hands, "sweet");
    hands_click(hands, "Switch L0H2 off or on");
    hands_show_settled(hands);
    hands_expect(hands, "L0H2 off");
    hands_expect(hands, "before → now");
    hands_expect(hands, "66.8 → 12.6 %");
    hands_expect(hands, "0.0 → 34.4 %");
    hands_expect(hands, "KL 1.55");
    hands_expect(hands, "8.33 → −1.00");
    hands_expect(hands, "with L0H2 off");
    hands_expect_part(hands, "With L0H2 off: Σ −1.00");
    assert_near(answer_of(hands)->logit, -1.00);
    assert_near(part_of(hands, "L0H2")->adds, 0);
    assert_near(part_of(hands, "L0H2")->lost, 0);
    assert_near(answer_of(hands)->word.share, 0.126);
    assert_near(answer_of(hands)->lens_share[2 * answer_of(hands)->layers], 0.126);
    hands_click(hands, "L0H2 off"); /* its chip has a cross */
    hands_show_settled(hands);
    hands_expect_not(hands, "L0H2 off");
    assert_near(answer_of(hands)->logit, 8.33);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    hands_expect(hands, "L0H2 off");
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    hands_expect_not(hands, "L0H2 off");
    hands_close(hands);
}

/* With a head off the next words beside the stages are those after; what is asked of them there is
 * asked of the same model. */
static void a_question_from_the_stages_is_of_the_changed_model(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_small_world();
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_click(hands, "Switch L0H2 off or on");
    hands_show_settled(hands);
    assert_string_equal(answer_of(hands)->word.word, "heavy"); /* the question stays */
    hands_click(hands, "Stage");
    hands_show_settled(hands);
    hands_click_number(hands, "why?", 0);
    hands_show_settled(hands);
    const struct view_next *const next = hands->state->view.head_overview->next;
    assert_string_equal(answer_of(hands)->word.word, next[0].word);
    assert_string_equal(answer_of(hands)->rival.word, next[1].word);
    assert_near(answer_of(hands)->word.share, next[0].share);
    hands_close(hands);
}

static void who_told_whom_stands_below_and_words_are_weighed(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_small_world();
    hands_click(hands, "Why");
    hands_show_settled(hands);
    choose_rival(hands, "sweet");
    hands_expect_part(hands, "L0H2 → MLP 0 +6.49, MLP 0 → MLP 1 +3.07, L0H2 → MLP 1 +0.05");
    hands_click(hands, "α");
    hands_show_settled(hands);
    hands_expect(hands, "‖αv‖");
    hands_click(hands, "‖αv‖");
    hands_show_settled(hands);
    hands_expect(hands, "‖αvW_O‖");
    hands_close(hands);
}

static void a_cell_of_the_lens_opens_its_ten_words_and_the_stream(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_small_world();
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_click(hands, "67 %");
    hands_show_settled(hands);
    hands_expect_part(hands, "heavy 66.8 %   useful 33.2 %");
    hands_click(hands, "Its residual");
    hands_show_settled(hands);
    hands_expect_part(hands, "y( is, 1 ) ="); /* behind MLP 1 */
    assert_int_equal(hands->state->view.extra_stage, VIEW_EXTRA_STAGE_BLOCK);
    assert_int_equal(hands->state->document.experiment.layer, 1);
    assert_int_equal(hands->state->view.pinned.query, 7);
    hands_key(hands, "Backspace");
    hands_show_settled(hands);
    hands_expect(hands, "Who says it");
    hands_close(hands);
}

/* Cells of the lens and MLPs lead on by Enter and by a button, and Backspace returns. */
static void what_is_selected_leads_on_by_a_key_too(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_small_world();
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_click(hands, "67 %");
    hands_show_settled(hands);
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    assert_int_equal(hands->state->view.extra_stage, VIEW_EXTRA_STAGE_BLOCK);
    assert_int_equal(hands->state->document.experiment.layer, 1);
    hands_key(hands, "Backspace");
    hands_show_settled(hands);
    hands_click_number(hands, "MLP 0", 0);
    hands_show_settled(hands);
    hands_click(hands, "Its layer");
    hands_show_settled(hands);
    hands_expect_part(hands, "m( is, 1 ) =");
    assert_int_equal(hands->state->view.extra_stage, VIEW_EXTRA_STAGE_BLOCK);
    assert_int_equal(hands->state->document.experiment.layer, 0);
    assert_int_equal(hands->state->view.pinned.query, 7);
    hands_key(hands, "Backspace");
    hands_show_settled(hands);
    hands_expect(hands, "Who says it");
    hands_close(hands);
}

/* By the mouse alone: the list is sorted by what is lost, a head is chosen, and its stages follow.
 */
static void a_head_leads_to_its_stages_with_the_mouse(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_small_world();
    hands_click(hands, "Why");
    hands_show_settled(hands);
    choose_rival(hands, "sweet");
    hands_click(hands, "lost without it");
    hands_show_settled(hands);
    assert_true(hands->state->view.why_by_lost);
    hands_click(hands, "Without L1H3");
    hands_show_settled(hands);
    hands_click(hands, "Its stages");
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.experiment.layer, 1);
    assert_int_equal(hands->state->view.pinned.head, 3);
    hands_key(hands, "Backspace");
    hands_show_settled(hands);
    hands_expect(hands, "Who says it");
    hands_close(hands);
}

/* In a small window the list scrolls: keys lead to parts that add little. */
static void parts_that_add_little_are_reached_in_a_small_window(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_small_world();
    hands_resize(hands, 960, 600);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_expect_not(hands, "output bias");
    for (size_t p = 0; p < answer_of(hands)->parts; p++) {
        hands_key(hands, "Down");
        hands_show_settled(hands);
    }
    hands_expect(hands, "output bias");
    hands_close(hands);
}

/* Parts are named in the language of the window, also those whose names hold a number. */
static void parts_have_their_names_in_every_language(void **state)
{
    (void)state;
    static const struct {
        const char *code, *bias;
    } rows[] = {{"en", "attention bias 0"}, {"de", "Attention-Bias 0"}, {"zh_CN", "注意力偏置 0"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        for (size_t l = 0; language_at(l) != NULL; l++) {
            if (strcmp(language_at(l)->code, rows[r].code) == 0) {
                language_speak(language_at(l));
            }
        }
        struct hands *const hands = hands_on_small_world();
        hands_resize(hands, 1440, 1600);
        app_command_run(hands->state, "why", 0, hands->input.time);
        hands_show_settled(hands);
        hands_expect(hands, rows[r].bias);
        hands_close(hands);
    }
    language_speak(NULL);
}

static void a_next_word_leads_there_and_backspace_back_from_the_stages(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_small_world();
    hands_click_number(hands, "why?", 1);
    hands_show_settled(hands);
    hands_expect(hands, "Who says it");
    assert_string_equal(hands->state->view.why->answer->word.word, "useful");
    assert_string_equal(hands->state->view.why->answer->rival.word, "heavy");
    hands_click(hands, "Without L0H2");
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    hands_expect_not(hands, "Who says it");
    assert_int_equal(hands->state->view.playback.stage, LAB_SOFTMAX);
    assert_int_equal(hands->state->view.pinned.head, 2);
    assert_int_equal(hands->state->view.pinned.key, 4);
    assert_int_equal(hands->state->document.experiment.layer, 0);
    hands_key(hands, "Backspace");
    hands_show_settled(hands);
    hands_expect(hands, "Who says it");
    hands_key(hands, "Escape");
    hands_show_settled(hands);
    hands_expect_not(hands, "Who says it");
    hands_close(hands);
}

static struct hands *hands_on_rival(void)
{
    struct hands *const hands = hands_on_small_world();
    hands_click(hands, "Why");
    hands_show_settled(hands);
    choose_rival(hands, "sweet");
    return hands;
}

/* An MLP is switched like a head; by its mean it costs another number; the numbers are those of the
 * command line. */
static void an_mlp_and_a_mean_are_rows_of_the_same_list(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_rival();
    hands_click(hands, "Switch MLP 0 off or on");
    hands_show_settled(hands);
    hands_expect(hands, "MLP 0 off");
    hands_expect(hands, "8.33 → 3.52");
    assert_near(answer_of(hands)->logit, 3.52);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    hands_expect_not(hands, "MLP 0 off");
    hands_click(hands, "Switch L0H2 off or on");
    hands_show_settled(hands);
    hands_click(hands, "mean");
    hands_show_settled(hands);
    hands_expect(hands, "L0H2 at its mean");
    hands_expect(hands, "8.33 → 5.62");
    hands_close(hands);
}

/* A word that a head takes much from is masked: its row sums to 1 again. */
static void a_word_of_a_head_is_masked_with_a_click(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_rival();
    hands_click(hands, "Mask “hammer”");
    hands_show_settled(hands);
    hands_expect(hands, "L0H2 is → hammer masked");
    hands_expect(hands, "8.33 → 1.50");
    const struct view_why_answer *const answer = answer_of(hands);
    const struct view_why_part *const head = part_of(hands, "L0H2");
    const float *const alpha =
        answer->weight[VIEW_BY_ALPHA] + (head->layer * answer->heads + head->head) * answer->n;
    double sum = 0;
    for (size_t j = 0; j < answer->n; j++) {
        sum += (double)alpha[j];
    }
    assert_true(alpha[4] <= 0 && sum > 1 - 1e-5 && sum < 1 + 1e-5);
    hands_click(hands, "Mask “hammer”");
    hands_show_settled(hands);
    hands_expect_not(hands, "L0H2 is → hammer masked");
    hands_close(hands);
}

/* A head that is off is off at one word alone, and at all of them again; the numbers are those of
 * the command line. */
static void a_part_is_off_at_one_word_with_a_click(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_rival();
    hands_click(hands, "Switch L0H2 off or on");
    hands_show_settled(hands);
    hands_click(hands, "at “is”");
    hands_show_settled(hands);
    hands_expect(hands, "L0H2@8 off");
    hands_expect(hands, "8.33 → −2.74");
    hands_click(hands, "at all words");
    hands_show_settled(hands);
    hands_expect(hands, "L0H2 off");
    hands_expect(hands, "8.33 → −1.00");
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    hands_expect(hands, "L0H2@8 off");
    hands_close(hands);
}

/* At the stages it is said that the block and the next words follow, too. */
static void an_alpha_by_hand_goes_on_at_the_stages(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_rival();
    hands_click(hands, "Set α of “hammer”");
    hands_type(hands, "0.5");
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    hands_click(hands, "Its stages");
    hands_show_settled(hands);
    hands_expect_part(hands, "Set by hand: 0.5 where 0.924 would be. All that comes after it");
    hands_key(hands, "8");
    hands_show_settled(hands);
    hands_expect_part(hands, "What attention gives is added to each word");
    hands_expect_not(hands, "What was typed by hand is not in it: these numbers are the model’s "
                            "own.");
    hands_close(hands);
}

/* An α is typed where it stands; what comes of it goes on through the later layers. */
static void an_alpha_is_set_by_hand(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_rival();
    hands_click(hands, "Set α of “hammer”");
    hands_type(hands, "0.5");
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    hands_expect(hands, "L0H2.alpha[8,5] = 0.50");
    hands_expect(hands, "8.33 → 5.96");
    hands_expect(hands, "0.500");
    hands_click(hands, "Set α of “hammer”");
    hands_type(hands, "0");
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    hands_expect(hands, "8.33 → −2.43");
    hands_click(hands, "Set α of “man”"); /* Esc, and what is no number, leave it */
    hands_type(hands, "9");
    hands_key(hands, "Escape");
    hands_show_settled(hands);
    hands_expect(hands, "8.33 → −2.43");
    hands_click(hands, "Set α of “man”");
    hands_type(hands, "x");
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    hands_expect(hands, "8.33 → −2.43");
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    hands_expect(hands, "8.33 → 5.96");
    hands_close(hands);
}

/* What is changed is in the session, and a shorter text leaves out what it has no words for. */
static void what_is_changed_is_kept_in_sessions(void **state)
{
    (void)state;
    static const char session[] = "why-session.json";
    struct error error = {ERROR_NONE, 0, ""};
    struct hands *const was = hands_on_rival();
    hands_click(was, "Switch L1H1 off or on");
    hands_show_settled(was);
    hands_click(was, "Switch MLP 1 off or on");
    hands_show_settled(was);
    hands_click(was, "Without L0H2");
    hands_show_settled(was);
    hands_click(was, "Mask “hammer”");
    hands_show_settled(was);
    const double logit = answer_of(was)->logit;
    assert_true(app_lesson_save(was->state, session, &error));
    hands_close(was);
    struct hands *const is = hands_open("cats", 1440, 900);
    assert_true(app_lesson_read(is->state, session, 0, &error));
    hands_show_settled(is);
    hands_click(is, "Why");
    hands_show_settled(is);
    is->state->view.why_word = 0;
    hands_expect(is, "L1H1 off");
    hands_expect(is, "MLP 1 off");
    hands_expect(is, "L0H2 is → hammer masked");
    is->state->view.why_word = 1 + word_id(is, "heavy");
    is->state->view.why_rival = 1 + word_id(is, "sweet");
    hands_show_settled(is);
    assert_near(answer_of(is)->logit, logit);
    (void)remove(session);
    hands_close(is);
}

/* The sheet for export names what is seen, and has the panels of Why alone. */
static void the_sheet_for_export_has_its_panels(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_small_world();
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_key(hands, "Ctrl+E");
    hands_show_settled(hands);
    hands_expect_part(hands, "-why");
    hands_expect_not(hands, "-softmax");
    hands_click_number(hands, "Window", hands_count(hands, "Window") - 1);
    hands_click(hands, "Why: who says it");
    hands_show_settled(hands);
    hands_expect_part(hands, "-why-attribution");
    hands_close(hands);
}

static void words_that_are_typed_are_asked_about_at_once(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_small_world();
    hands_key(hands, "w");
    hands_show_settled(hands);
    const size_t words = hands->state->view.why->answer->n;
    hands_click_number(hands, "type a token…", 0);
    hands_type(hands, "a ");
    hands_show_settled(hands);
    assert_int_equal(hands->state->view.why->answer->n, words + 1);
    hands_close(hands);
}

static void what_is_no_sum_of_parts_is_refused_in_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *folder, *name, *sentence;
    } cases[] = {
        {"MODELS", "bert", "norm"},
        {"DUMPS", "heads.npy", "A file of attention has no weights"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", getenv(cases[c].folder), cases[c].name);
        struct hands *const hands = hands_open("cats", 1440, 900);
        assert_true(app_open_model_open(hands->state, path, NULL, hands->input.time));
        hands_show_settled(hands);
        hands_click(hands, "Why");
        hands_show_settled(hands);
        hands_expect(hands, "There is nothing to split here");
        hands_expect_part(hands, cases[c].sentence);
        hands_close(hands);
    }
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_expect_part(hands, "Ctrl+O opens one");
    hands_close(hands);
}

/* Where nothing can be asked the mouse leads to the lesson that asks the model inside. */
static void without_a_model_the_mouse_leads_to_the_one_inside(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_click(hands, "Ask the model inside");
    hands_show_settled(hands);
    hands_expect(hands, "8.33 more");
    assert_true(hands->state->view.why_shown);
    hands_expect_not(hands, "Ask the model inside");
    hands_close(hands);
}

/* ---- weights that learn ---- */

/* Numbers of two computations: that of the model's folder, and that of the same weights here. */
static void assert_same_answer(const struct view_why_answer *a, const struct view_why_answer *b)
{
    assert_int_equal(a->parts, b->parts);
    assert_string_equal(a->word.word, b->word.word);
    for (size_t p = 0; p < a->parts; p++) {
        assert_string_equal(a->part[p].name, b->part[p].name);
        assert_float_equal(a->part[p].adds, b->part[p].adds, 1e-4F);
        assert_float_equal(a->part[p].lost, b->part[p].lost, 1e-4F);
    }
    for (size_t s = 0; s < 2 * a->layers + 1; s++) {
        assert_float_equal(a->lens_share[s], b->lens_share[s], 1e-5F);
    }
}

/* The lesson's weights are those of the folder: asked on the stages as the model is that is opened.
 */
static void weights_of_a_lesson_are_asked_as_the_opened_model(void **state)
{
    (void)state;
    struct hands *const opened = hands_on_small_world();
    hands_click(opened, "Why");
    hands_show_settled(opened);
    choose_rival(opened, "sweet");
    struct hands *const learns = hands_open("away", 1440, 900);
    hands_click(learns, "Why");
    hands_show_settled(learns);
    choose_rival(learns, "sweet");
    hands_expect(learns, "8.33 more");
    assert_same_answer(answer_of(learns), answer_of(opened));
    hands_click(learns, "Switch L0H2 off or on");
    hands_show_settled(learns);
    hands_expect(learns, "L0H2 off");
    hands_expect(learns, "66.8 → 12.6 %");
    hands_expect(learns, "8.33 → −1.00");
    assert_near(answer_of(learns)->logit, -1.00);
    hands_click(learns, "L0H2 off"); /* its chip has a cross */
    hands_show_settled(learns);
    assert_near(answer_of(learns)->logit, 8.33);
    hands_key(learns, "Ctrl+Z");
    hands_show_settled(learns);
    hands_expect(learns, "L0H2 off");
    assert_int_equal(hands_collisions(learns), 0);
    hands_close(learns);
    hands_close(opened);
}

static void ask_learn(struct hands *hands, enum view_learn_act act, size_t which)
{
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_LEARN, .learn = {.act = act, .which = which}},
        hands->input.time);
}

/* What is changed of weights that learn beside heads: a list beside the run, with undo, and the
 * numbers of the model that is opened. */
static void weights_that_learn_are_changed_as_an_opened_model(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("away", 1440, 900);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    choose_rival(hands, "sweet");
    hands_click(hands, "Mask “hammer”");
    hands_show_settled(hands);
    hands_expect(hands, "L0H2 is → hammer masked");
    hands_expect(hands, "8.33 → 1.50");
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    hands_click(hands, "Set α of “hammer”");
    hands_type(hands, "0.5");
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    hands_expect(hands, "8.33 → 5.96");
    hands_click(hands, "L0H2.alpha[8,5] = 0.50"); /* its chip takes it back */
    hands_show_settled(hands);
    hands_click(hands, "Switch MLP 1 off or on");
    hands_show_settled(hands);
    hands_expect(hands, "MLP 1 off");
    assert_near(answer_of(hands)->logit, 8.33 - 4.55);
    hands_click(hands, "MLP 1: mean, or zero");
    hands_show_settled(hands);
    hands_expect(hands, "MLP 1 at its mean");
    ask_learn(hands, VIEW_LEARN_SWITCH, 2); /* a head that is off in the run stands before it */
    hands_show_settled(hands);
    hands_expect(hands, "L0H2 off");
    hands_click(hands, "MLP 1 at its mean");
    hands_show_settled(hands);
    hands_expect_not(hands, "MLP 1 at its mean");
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* Each step of the training has an answer of its own, and a head leads to its stages and back. */
static void each_step_of_a_training_is_asked(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("away", 1440, 900);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    const double trained = answer_of(hands)->word.share;
    ask_learn(hands, VIEW_LEARN_SEEK, 0);
    hands_show_settled(hands);
    assert_true(answer_of(hands)->word.share < 0.2 && trained > 0.6);
    assert_int_equal(answer_of(hands)->done, answer_of(hands)->all);
    hands_click(hands, "Without L1H2");
    hands_show_settled(hands);
    hands_click(hands, "Its stages");
    hands_show_settled(hands);
    assert_false(hands->state->view.why_shown);
    assert_int_equal(hands->state->view.learn->layer, 1);
    assert_int_equal(hands->state->view.pinned.head, 2);
    hands_key(hands, "Backspace");
    hands_show_settled(hands);
    hands_expect(hands, "Who says it");
    hands_close(hands);
}

/* While it trains, an answer comes in full, though each frame shows another step. */
static void a_run_that_trains_is_asked_on_the_way(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("away", 1440, 900);
    hands_click(hands, "Why");
    enum { FIFTIETH = 5 }; /* the row of speeds: it is not over before an answer */
    hands_settle(hands);
    ask_learn(hands, VIEW_LEARN_SPEED, FIFTIETH);
    ask_learn(hands, VIEW_LEARN_AGAIN, 0);
    hands_settle(hands);
    assert_int_equal(hands->state->view.learn->step, 0);
    ask_learn(hands, VIEW_LEARN_PLAY, 0);
    bool is_whole = false, trains = true;
    while (!is_whole && trains) {
        hands_step_for_result(hands);
        const struct view_why *const why = hands->state->view.why;
        const struct view_learn *const learn = hands->state->view.learn;
        trains = learn == NULL || learn->training || learn->step == 0;
        is_whole = learn != NULL && learn->step > 3 && learn->step < 1500 && why->answer != NULL &&
                   !why->is_old && why->answer->done == why->answer->all;
    }
    assert_true(is_whole);
    hands_close(hands);
}

static void what_says_no_next_word_while_it_learns_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *lesson, *sentence;
    } cases[] = {{"reverse", "The words of this task see those behind them: Why asks"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct hands *const hands = hands_open(cases[c].lesson, 1440, 900);
        hands_click(hands, "Why");
        hands_show_settled(hands);
        hands_expect_part(hands, cases[c].sentence);
        hands_close(hands);
    }
}

/* A step of a lesson shows it with its caption and asks about its words, with whatever is off; a
 * step without it leads back to the stages. */
static void a_lesson_leads_through_it_with_its_captions(void **state)
{
    (void)state;
    static const float sizes[][2] = {{960, 600}, {1440, 900}, {1024, 768}};
    struct hands *const hands = hands_open("which-head", 1440, 900);
    hands_show_step(hands, 1);
    assert_false(hands->state->view.why_shown);
    hands_show_step(hands, 2);
    hands_show_settled(hands);
    hands_expect(hands, "Who says it");
    hands_expect_part(hands, "leads “sweet” by 8.33");
    hands_expect(hands, "adds to heavy − sweet");
    hands_show_step(hands, 5);
    hands_show_settled(hands);
    hands_expect(hands, "8.33 → −1.00");
    assert_string_equal(answer_of(hands)->word.word, "heavy"); /* not the likeliest there */
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        hands_resize(hands, sizes[s][0], sizes[s][1]);
        hands_show_settled(hands);
        hands_expect_part(hands, "The head finds the noun");
        hands_expect(hands, "Who says it");
        assert_int_equal(hands_collisions(hands), 0);
    }
    hands_show_step(hands, 6);
    assert_false(hands->state->view.why_shown); /* there the next word is to be guessed */
    hands_show_step(hands, 5);
    hands_expect(hands, "adds to heavy − sweet");
    assert_true(app_open_model_open(hands->state, getenv("SMALL_WORLD"), text, hands->input.time));
    hands_show_settled(hands);
    hands_expect(hands, "adds to heavy − useful"); /* the step's words are not this model's */
    hands_close(hands);
}

static void every_size_has_room_for_it(void **state)
{
    (void)state;
    static const float sizes[][2] = {{960, 600}, {1440, 900}, {1024, 768}, {1920, 1080}};
    struct hands *const hands = hands_on_small_world();
    hands_click(hands, "Why");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        hands_resize(hands, sizes[s][0], sizes[s][1]);
        hands_show_settled(hands);
        hands_expect(hands, "Who says it");
        hands_expect(hands, "Every head in turn");
        assert_int_equal(hands_collisions(hands), 0);
    }
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_that_decides_is_found_with_the_mouse),
        cmocka_unit_test(without_it_another_word_is_said_and_undo_brings_it_back),
        cmocka_unit_test(a_question_from_the_stages_is_of_the_changed_model),
        cmocka_unit_test(who_told_whom_stands_below_and_words_are_weighed),
        cmocka_unit_test(a_cell_of_the_lens_opens_its_ten_words_and_the_stream),
        cmocka_unit_test(what_is_selected_leads_on_by_a_key_too),
        cmocka_unit_test(a_head_leads_to_its_stages_with_the_mouse),
        cmocka_unit_test(parts_that_add_little_are_reached_in_a_small_window),
        cmocka_unit_test(parts_have_their_names_in_every_language),
        cmocka_unit_test(a_next_word_leads_there_and_backspace_back_from_the_stages),
        cmocka_unit_test(an_mlp_and_a_mean_are_rows_of_the_same_list),
        cmocka_unit_test(a_word_of_a_head_is_masked_with_a_click),
        cmocka_unit_test(a_part_is_off_at_one_word_with_a_click),
        cmocka_unit_test(an_alpha_is_set_by_hand),
        cmocka_unit_test(an_alpha_by_hand_goes_on_at_the_stages),
        cmocka_unit_test(what_is_changed_is_kept_in_sessions),
        cmocka_unit_test(the_sheet_for_export_has_its_panels),
        cmocka_unit_test(words_that_are_typed_are_asked_about_at_once),
        cmocka_unit_test(what_is_no_sum_of_parts_is_refused_in_a_sentence),
        cmocka_unit_test(without_a_model_the_mouse_leads_to_the_one_inside),
        cmocka_unit_test(weights_of_a_lesson_are_asked_as_the_opened_model),
        cmocka_unit_test(weights_that_learn_are_changed_as_an_opened_model),
        cmocka_unit_test(each_step_of_a_training_is_asked),
        cmocka_unit_test(a_run_that_trains_is_asked_on_the_way),
        cmocka_unit_test(what_says_no_next_word_while_it_learns_is_refused),
        cmocka_unit_test(a_lesson_leads_through_it_with_its_captions),
        cmocka_unit_test(every_size_has_room_for_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
