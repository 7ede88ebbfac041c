/* 75 to 300 %: what an interface so large or small leaves of an ordinary screen is all of it to be
 * reached, and nothing lies over another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "app/actions/commands.h"
#include "base/text.h"
#include "base/translate.h"
#include "hands.h"
#include "lab/experiment/stage.h"
#include "with_model.h"

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

/* 1440 × 900 and 2560 × 1440 at 300, 200 and 75 %. */
static const struct {
    float width, height;
} rooms[] = {{480, 300}, {720, 450}, {853, 480}, {1280, 720}, {1920, 1200}, {3413, 1920}};

static void no_word_lies_over_another_at_any_scale(void **state)
{
    static const char *const lessons[] = {"cats", "race", "ten", "latent"};
    size_t faults = 0;
    (void)state;
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        for (size_t l = 0; l < sizeof lessons / sizeof *lessons; l++) {
            struct hands *hands = hands_open(lessons[l], rooms[r].width, rooms[r].height);
            for (size_t stage = 0; stage < LAB_STAGES; stage++) {
                const char key[] = {(char)('1' + stage), 0};
                hands_key(hands, key);
                hands_wait(hands, 0.5);
                const size_t found = hands_collisions(hands);
                if (found > 0) {
                    fprintf(stderr, "%s, stage %s at %.0f x %.0f\n", lessons[l], key,
                            (double)rooms[r].width, (double)rooms[r].height);
                }
                faults += found;
            }
            hands_close(hands);
        }
    }
    assert_int_equal(faults, 0);
}

/* In the smallest window that is promised nine words have their names and numbers beside the bars:
 * what only helps the hands gives way. */
static void nine_shares_can_be_read_at_960_by_600(void **state)
{
    (void)state;
    struct hands *hands = hands_open("hammer", 960, 600);
    hands_key(hands, "c"); /* without the lesson's strip */
    hands_key(hands, "5");
    hands_click(hands, "It");
    hands_wait(hands, 1);
    hands_expect(hands, "0.940");
    hands_expect(hands, "0.032");
    assert_true(hands_count(hands, "bought") >= 2); /* in the field of words, and beside its bar */
    hands_expect(hands, "looks equally at all");
    hands_expect(hands, "Softmax: scores become shares");
    hands_close(hands);
}

/* Below a lesson's caption, too, every word has its name and its numbers, in the row and in all of
 * α, and the headline stays: formulas and sums give way. */
static void softmax_below_a_caption_has_its_numbers_at_960_by_600(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("ten", 960, 600);
    hands_key(hands, "5");
    hands_wait(hands, 1);
    hands_expect(hands, "1 / 8");
    hands_expect(hands, "Softmax: scores become shares");
    const struct lab_trace *const trace = hands->state->document.trace;
    const struct lab_selection at = hands->state->view.pinned;
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, at.head);
    char text[TEXT_NUMBER_MAX];
    for (size_t j = 0; j < alpha.cols; j++) {
        hands_expect(hands, text_number(text, (double)lab_matrix_at(&alpha, at.query, j), 3));
        assert_true(hands_count(hands, lab_trace_keys(trace)[j]) >= 2); /* beside its bar, too */
    }
    hands_click(hands, "All of α");
    hands_wait(hands, 1);
    for (size_t cell = 0; cell < alpha.rows * alpha.cols; cell++) {
        const float share = lab_matrix_at(&alpha, cell / alpha.cols, cell % alpha.cols);
        hands_expect(hands, text_number(text, (double)share, 2));
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* Title and shape stand in a line where that leaves room for the numbers of every row. */
static void a_title_takes_no_numbers_from_twelve_rows(void **state)
{
    (void)state;
    static const char session[] =
        "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"low\", \"title\": \"Low\","
        " \"summary\": \"Low rows.\", \"experiment\": {\"tokens\": [\"the\", \"old\", \"cat\","
        " \"sat\", \"on\", \"a\", \"warm\", \"mat\", \"while\", \"nine\", \"small\", \"dogs\"],"
        " \"embedding\": \"random\", \"weights\": \"random\", \"d_model\": 8, \"heads\": 2},"
        " \"steps\": [{\"caption\": \"Low rows.\", \"stage\": \"embed\", \"query\": 0}]}";
    struct hands *const hands = hands_open("cats", 960, 600);
    char path[1024], text[TEXT_NUMBER_MAX];
    snprintf(path, sizeof path, "%s/low.json", hands->folder);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(session, file) >= 0 && fclose(file) == 0);
    hands_drop(hands, path);
    hands_settle(hands);
    hands_key(hands, "c"); /* without the lesson's strip */
    hands_wait(hands, 1);
    hands_expect(hands, "12 × 8");
    const struct lab_matrix x = lab_trace_part(hands->state->document.trace, LAB_EMBEDDINGS_X, 0);
    for (size_t cell = 0; cell < x.rows * x.cols; cell++) {
        const float value = lab_matrix_at(&x, cell / x.cols, cell % x.cols);
        hands_expect(hands, text_number(text, (double)value, 2));
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

static void everything_is_reached_at_300_percent(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 480, 300);
    static const char *const buttons[] = {"Settings (S)",     "Undo", "Redo", "Export",
                                          "Play (Space bar)", "dog"};
    hands_key(hands, "3");
    for (size_t b = 0; b < sizeof buttons / sizeof *buttons; b++) {
        struct rect area;
        if (!canvas_find_group(hands_canvas(hands), buttons[b], 0, &area) || area.x < 0 ||
            area.y < 0 || area.x + area.w > 480 || area.y + area.h > 300) {
            fail_msg("%s is not whole in the window.", buttons[b]);
        }
    }
    hands_expect(hands, "7.58"); /* numbers can be read */
    hands_click(hands, "3-D view");
    hands_expect(hands, "— how far keys go along “dog”");
    hands_expect_not(hands, "7.58");
    hands_click(hands, "Heads");
    hands_expect(hands, "Head 1 of 1");
    hands_click(hands, "Formula");
    hands_expect_part(hands, "Mostly petness: 6.75 + 0.50 + 0.00");
    hands_key(hands, "g"); /* by keyboard too */
    hands_expect(hands, "7.58");
    hands_key(hands, "s");
    hands_expect(hands, "Weights");
    hands_close(hands);
}

/* Where the window has no room for the row of views there is their menu. */
static void reach_flow(struct hands *hands)
{
    if (hands_count(hands, "Flow") == 0) {
        hands_click(hands, "Views");
    }
    hands_click(hands, "Flow");
    hands_wait(hands, 1);
    assert_true(hands->state->view.prefs.display.flow);
    hands_key(hands, "o");
}

/* With or without a caption, of an experiment and of a model with all its heads: no height or width
 * has neither the row of views nor their menu, and the formula is there or a tab away. */
static void views_and_formula_are_reached_at_every_size(void **state)
{
    static const float heights[] = {300, 400, 450, 499, 501, 514, 519, 521, 560, 600, 900};
    static const float widths[] = {480, 600, 739, 741, 823, 960, 1440};
    (void)state;
    for (size_t model = 0; model < 2; model++) {
        struct hands *const hands = model ? hands_on_path(getenv("TINY_MODEL"), "the cat sat")
                                          : hands_open("cats", 960, 600);
        hands_key(hands, "5");
        hands_key(hands, "c");
        for (size_t i = 0; i < COUNT_OF(heights) * COUNT_OF(widths); i++) {
            hands_resize(hands, widths[i / COUNT_OF(heights)], heights[i % COUNT_OF(heights)]);
            hands_wait(hands, 1);
            if (hands_count_part(hands, "exp(") == 0) {
                hands_click(hands, "Formula");
                hands_wait(hands, 1);
            }
            hands_expect(hands, "exp(");
            if (hands_count(hands, "Formula") > 0) {
                hands_click(hands, "Stage");
            }
            reach_flow(hands);
        }
        hands_close(hands);
    }
}

/* One panel at a time, each as large as the window: its stage with numbers, all heads, all words
 * that may come next. */
static void a_model_in_a_small_window_has_each_of_its_panels(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_path(getenv("TINY_MODEL"), "the cat sat");
    hands_resize(hands, 600, 400);
    hands_key(hands, "5");
    hands_wait(hands, 1);
    hands_expect(hands, "1.000"); /* of the stage */
    hands_expect_not(hands, "All heads at a glance");
    hands_click(hands, "Heads");
    hands_expect(hands, "All heads at a glance");
    hands_expect_not(hands, "1.000");
    hands_click(hands, "Next word");
    const struct view_head_overview *const overview = hands->state->view.head_overview;
    for (size_t i = 0; i < overview->next_count; i++) {
        hands_expect(hands, overview->next[i].word);
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* Why, too, is one panel at a time there: each has its numbers. */
static void why_has_tabs_in_a_small_window(void **state)
{
    static const float sizes[][2] = {{600, 400}, {720, 450}, {739, 519}};
    (void)state;
    struct hands *const hands =
        hands_on_path(getenv("SMALL_WORLD"), "the man buys a hammer . it is");
    hands_click(hands, "Why");
    hands_show_settled(hands);
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        hands_resize(hands, sizes[s][0], sizes[s][1]);
        hands_click_number(hands, "Who says it", hands_count(hands, "Who says it") - 1);
        hands_expect(hands, "MLP 1");
        hands_expect(hands, "+0.19"); /* lost without MLP 0 */
        hands_expect_not(hands, "Every head in turn");
        hands_click(hands, "Heads");
        hands_expect(hands, "Every head in turn");
        hands_expect(hands, "+0.33");
        hands_click(hands, "Words");
        hands_expect(hands, "What L0H2 takes from each word");
        hands_expect(hands, "0.924");
        assert_int_equal(hands_collisions(hands), 0);
    }
    hands_resize(hands, 960, 600);
    hands_expect(hands, "Who says it");
    hands_expect(hands, "Every head in turn");
    hands_close(hands);
}

/* Where the strip of training is low, curves without room for their name have none. */
static void names_of_curves_lie_apart_in_a_low_strip(void **state)
{
    static const float sizes[][2] = {{600, 460}, {720, 500}, {823, 514}, {960, 600}};
    (void)state;
    struct hands *const hands = hands_open("learned", 960, 600);
    hands_show_step(hands, 5);
    hands_show_settled(hands);
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        hands_resize(hands, sizes[s][0], sizes[s][1]);
        hands_wait(hands, 1);
        hands_expect(hands, "loss");
        assert_int_equal(hands_collisions(hands), 0);
    }
    hands_expect(hands, "kinds apart"); /* here there is room for all */
    hands_close(hands);
}

/* Ctrl + + four times on an ordinary screen: the layout gives way before the numbers do, those of
 * both operands too. */
static void at_every_size_of_letters_the_scores_have_their_numbers(void **state)
{
    static const float zooms[] = {1, 1.1f, 1.25f, 1.5f, 1.75f, 2, 2.5f, 3};
    static const float screens[][2] = {{1440, 900}, {1280, 720}};
    static const char *const all[] = {"26.00", "26.0"};
    (void)state;
    for (size_t z = 0; z < 2 * sizeof zooms / sizeof *zooms; z++) {
        const float *const screen = screens[z % 2], zoom = zooms[z / 2];
        if (screen[1] / zoom < 300) { /* no window is lower */
            continue;
        }
        struct hands *hands = hands_open("cats", screen[0] / zoom, screen[1] / zoom);
        hands_wait(hands, 1);
        size_t read = 0;
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            read += hands_count(hands, all[i]);
        }
        const size_t operands = hands_count(hands, "−2.7");
        if (read == 0 || operands < 2) {
            fail_msg("%g × %g, letters × %g: %zu numbers of S, %zu of Q and K", (double)screen[0],
                     (double)screen[1], (double)zoom, read, operands);
        }
        hands_close(hands);
    }
}

/* At these sizes and at the smallest window of a tablet the sum is spelled out, and all views are
 * reached: by their row, or by a menu. */
static void formula_and_views_stay_at_every_size_of_letters(void **state)
{
    static const float screens[][2] = {{1440, 900}, {960, 600}, {823, 514}, {720, 500}, {600, 420}};
    (void)state;
    for (size_t s = 0; s < sizeof screens / sizeof *screens; s++) {
        struct hands *hands = hands_open("cats", screens[s][0], screens[s][1]);
        if (screens[s][1] < 510) {
            hands_key(hands, "c"); /* without the lesson's strip */
        }
        hands_wait(hands, 1);
        hands_expect_part(hands, "Mostly petness: 6.75 + 0.50 + 0.00");
        reach_flow(hands);
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

/* Nine words: the headline, which the ribbon says too, goes before the numbers. */
static void nine_words_have_their_scores_at_960_by_600(void **state)
{
    (void)state;
    struct hands *hands = hands_open("hammer", 960, 600);
    hands_key(hands, "c"); /* without the lesson's strip */
    hands_key(hands, "3");
    hands_wait(hands, 1);
    assert_true(hands_count(hands, "0.00") > 40);
    hands_expect(hands, "3.20");
    assert_int_equal(hands_collisions(hands), 0);
    hands_resize(hands, 1440, 900);
    hands_wait(hands, 1);
    hands_expect(hands, "Score: every query meets every key");
    hands_close(hands);
}

/* The end of the row of words shows whole words, and says how many more there are. */
static void no_chip_is_a_few_dots(void **state)
{
    (void)state;
    static const char *const lessons[] = {"window", "hammer", "ten", "induction"};
    for (size_t l = 0; l < sizeof lessons / sizeof *lessons; l++) {
        struct hands *hands = hands_open(lessons[l], 960, 600);
        hands_wait(hands, 1);
        hands_expect_not(hands, "…");
        hands_close(hands);
    }
}

/* Where the words leave room, the lesson's title is whole. */
static void the_title_of_a_lesson_is_whole_at_960_by_600(void **state)
{
    (void)state;
    language_speak(language_find("de"));
    struct hands *hands = hands_open("cats", 960, 600);
    hands_wait(hands, 1);
    hands_expect(hands, tr("Cats, dogs and a lion"));
    hands_close(hands);
    language_speak(NULL);
}

/* Sentences for names: chips, rows and what is said of them, whole where they were cut. */
static void sentences_for_names_are_whole(void **state)
{
    (void)state;
    struct hands *hands = hands_open("library", 1280, 720);
    hands_wait(hands, 1);
    hands_expect(hands, "birds fly?"); /* the second line of the row's name */
    assert_int_equal(hands_count_part(hands, "How do birds f…"), 0);
    assert_true(hands_count(hands, "How is soup made?") > 0); /* the chip */
    hands_close(hands);
    hands = hands_open("race", 960, 600);
    hands_key(hands, "6");
    hands->state->view.pinned.query = 1;
    hands_wait(hands, 1);
    hands_expect(hands, "midway");
    hands_expect_part(hands, "midway”.");
    assert_int_equal(hands_count_part(hands, "Spike stumbled m…"), 0);
    hands_close(hands);
}

/* Before a class they stand in two lines, and the cells beside them have room for their numbers. */
static void sentences_leave_numbers_their_room(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("library", 1024, 768);
    hands_key(hands, "F5");
    for (int step = 1; step < 5; step++) { /* one more: the third asks first */
        hands_key(hands, "Right");
    }
    hands_wait(hands, 1);
    hands_expect(hands, "4 / 7");
    hands_expect(hands, "0.96"); /* of the other question, in the companion alone */
    hands_close(hands);
}

/* The kinds of attention stand closer where the curve of a longer text has room below them then. */
static void costs_keep_their_curve(void **state)
{
    static const float sizes[][2] = {{960, 600}, {800, 560}, {500, 620}};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct hands *hands = hands_open("fewer", sizes[s][0], sizes[s][1]);
        app_command_run(hands->state, "costs", 0, hands->input.time);
        hands_wait(hands, 0.5);
        hands_expect(hands, "Pairs of a longer text");
        hands_expect_part(hands, "Latent");
        hands_close(hands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_keep_their_curve),
        cmocka_unit_test(no_word_lies_over_another_at_any_scale),
        cmocka_unit_test(at_every_size_of_letters_the_scores_have_their_numbers),
        cmocka_unit_test(formula_and_views_stay_at_every_size_of_letters),
        cmocka_unit_test(nine_words_have_their_scores_at_960_by_600),
        cmocka_unit_test(no_chip_is_a_few_dots),
        cmocka_unit_test(the_title_of_a_lesson_is_whole_at_960_by_600),
        cmocka_unit_test(sentences_for_names_are_whole),
        cmocka_unit_test(sentences_leave_numbers_their_room),
        cmocka_unit_test(nine_shares_can_be_read_at_960_by_600),
        cmocka_unit_test(softmax_below_a_caption_has_its_numbers_at_960_by_600),
        cmocka_unit_test(a_title_takes_no_numbers_from_twelve_rows),
        cmocka_unit_test(everything_is_reached_at_300_percent),
        cmocka_unit_test(views_and_formula_are_reached_at_every_size),
        cmocka_unit_test(a_model_in_a_small_window_has_each_of_its_panels),
        cmocka_unit_test(names_of_curves_lie_apart_in_a_low_strip),
        cmocka_unit_test(why_has_tabs_in_a_small_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
