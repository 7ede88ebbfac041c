/* In front of a class: what it reads is large, no number is lost, what has to be said is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/draw/frame_internal.h"
#include "app/learn/learn.h"
#include "base/text.h"
#include "base/translate.h"
#include "hands.h"
#include "lab/lesson/lessons.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"

enum { READ_MAX = 16 }; /* longer lines are patterns */

static const float rooms[][2] = {{960, 600}, {1024, 768}, {1280, 720}, {1440, 900}};
enum { ROOMS = sizeof rooms / sizeof *rooms };

/* The height in which a text is shown; 0: it is not. */
static float height_of(struct hands *hands, const char *words)
{
    float most = 0;
    struct rect area;
    for (size_t i = 0; canvas_find_text(hands_canvas(hands), words, i, &area); i++) {
        most = area.h > most ? area.h : most;
    }
    return most;
}

/* The chosen cell of a product's result. */
static bool chosen_number(const struct hands *hands, double *value)
{
    const struct app_state *state = hands->state;
    const struct lab_selection at = app_state_selection(state);
    const enum lab_stage stage = state->view.playback.stage;
    if (state->document.trace == NULL || state->view.extra_stage != VIEW_EXTRA_STAGE_NONE ||
        (state->view.learn != NULL && state->view.learn->show != VIEW_LEARN_VALUE) ||
        (stage != LAB_SCORE && stage != LAB_BLEND && stage != LAB_OUTPUT)) {
        return false;
    }
    const struct lab_sizes sizes = lab_trace_sizes(state->document.trace);
    const struct lab_matrix matrix =
        lab_trace_part(state->document.trace, lab_cell_part(stage, &at), at.head);
    const size_t column = stage == LAB_SCORE ? at.key : at.channel;
    const size_t inner = stage == LAB_SCORE   ? sizes.d_k
                         : stage == LAB_BLEND ? sizes.m
                                              : sizes.heads * sizes.d_v;
    if (matrix.values == NULL || matrix.rows > READ_MAX || matrix.cols > READ_MAX ||
        inner > READ_MAX || lab_trace_experiment(state->document.trace)->residual ||
        (state->view.guess != LAB_GUESS_NONE && !state->view.revealed)) {
        return false;
    }
    *value = (double)lab_matrix_at(&matrix, at.query, column);
    return true;
}

static void expect_chosen_number(struct hands *hands, const char *lesson)
{
    const float least = 12; /* of letters that a class reads, in points of the window */
    double value = 0;
    if (!chosen_number(hands, &value)) {
        return;
    }
    float most = 0;
    for (int decimals = 0; decimals <= 3; decimals++) { /* in its cell, or spelled out */
        char text[TEXT_NUMBER_MAX];
        text_number(text, value, decimals);
        const float high = height_of(hands, text);
        most = high > most ? high : most;
    }
    if (most < least) {
        fail_msg("%s, step %zu, %g × %g: %g is %g high", lesson, hands->state->view.step + 1,
                 (double)hands->input.width, (double)hands->input.height, value, (double)most);
    }
}

static void the_chosen_number_is_read_at_every_step_of_every_lesson(void **state)
{
    (void)state;
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        const char *const name = lab_lesson_name(l);
        for (size_t r = l % test_stride(); r < ROOMS; r += test_stride()) {
            struct hands *hands = hands_open_presenter(name, rooms[r][0], rooms[r][1]);
            for (size_t step = 0; step < hands->state->document.lesson->steps; step++) {
                hands_show_step(hands, step);
                expect_chosen_number(hands, name);
                if (hands_collisions(hands) > 0) {
                    fail_msg("%s, step %zu", name, step + 1);
                }
            }
            hands_close(hands);
        }
    }
}

/* The numbers of a step can be read: where they stand, or spelled out below. */
static void what_learning_steps_speak_of_is_read(void **state)
{
    static const struct {
        const char *lesson;
        size_t step;
        const char *says[3];
    } rows[] = {
        {"onestep", 0, {"0.378", "0.972"}},     /* the chance of “heavy”, its loss */
        {"onestep", 2, {"−0.0298"}},            /* its gradient, spelled out */
        {"onestep", 5, {"−0.1484", "−0.1462"}}, /* a weight, before and after */
        {"onestep", 7, {"0.367"}},              /* the chance, a step later */
        {"flash", 0, {"144 bytes", "56 bytes", "tile 1 of 9"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t r = 1; r < ROOMS; r++) {
            struct hands *hands = hands_open_presenter(rows[i].lesson, rooms[r][0], rooms[r][1]);
            hands_show_step(hands, rows[i].step);
            hands_settle(hands);
            hands_wait(hands, 1);
            for (size_t s = 0; s < 3 && rows[i].says[s] != NULL; s++) {
                if (height_of(hands, rows[i].says[s]) < 11) {
                    fail_msg("%s, step %zu, %g × %g: %s is %g high", rows[i].lesson,
                             rows[i].step + 1, (double)rooms[r][0], (double)rooms[r][1],
                             rows[i].says[s], (double)height_of(hands, rows[i].says[s]));
                }
            }
            hands_close(hands);
        }
    }
}

/* Where the companion has no room for more than its heading, the stage has all of it. */
static void no_panel_has_only_its_heading(void **state)
{
    static const char growth[] = "Pairs of a longer text", heading[] = "What a longer text costs";
    (void)state;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = hands_open_presenter("window", rooms[r][0], rooms[r][1]);
        hands_show_step(hands, 1);
        assert_int_equal(hands_count(hands, heading), hands_count(hands, growth));
        hands_close(hands);
    }
}

/* n·w: so many words see w words each, on both sides or looking back. */
static void the_chart_of_a_window_says_what_w_is(void **state)
{
    static const struct {
        size_t step, side, window; /* side 0: it looks back */
    } steps[] = {{1, 2, 5}, {4, 1, 3}, {5, 0, 3}};
    (void)state;
    for (size_t at = 0; at < 9 && language_at(at / 3) != NULL; at++) {
        char said[80];
        language_speak(language_at(at / 3));
        if (steps[at % 3].side > 0) {
            snprintf(said, sizeof said, tr("n words, %zu to either side and itself: w = %zu"),
                     steps[at % 3].side, steps[at % 3].window);
        } else {
            snprintf(said, sizeof said, tr("n words, each sees at most w = %zu"),
                     steps[at % 3].window);
        }
        struct hands *hands = hands_open_presenter("window", 1024, 768);
        hands_show_step(hands, steps[at % 3].step);
        hands_expect(hands, "n·w");
        hands_expect(hands, said);
        hands_close(hands);
    }
    language_speak(NULL);
}

/* Heads are counted from 1 on the screen: of 8 in 4 groups the eighth is in the fourth. */
static void the_group_of_a_head_is_counted_as_heads_are(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("fewer", 1280, 720);
    hands_show_step(hands, 1);
    hands_expect(hands, "head 8");
    hands_expect(hands, "head h uses K and V of group ⌈h ÷ (H ÷ G)⌉");
    hands_close(hands);
}

/* Chinese has no spaces: a line of a caption ends where there is a pause. */
static void a_caption_in_chinese_breaks_no_word(void **state)
{
    static const char begin[] = "它继续学习";
    static const char *const pauses[] = {"，", "。", "："};
    size_t lines = 0;
    (void)state;
    language_speak(language_find("zh_CN"));
    struct hands *hands = hands_open_presenter("grokking", 1024, 768);
    hands_show_step(hands, 5);
    hands_settle(hands); /* the caption comes when its weights are learned */
    const struct canvas *const canvas = hands_canvas(hands);
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        const char *const text =
            command->kind == CANVAS_TEXT ? canvas_text_of(canvas, command) : "";
        if (command->kind != CANVAS_TEXT || command->length < sizeof begin ||
            memcmp(text, begin, sizeof begin - 1) != 0) {
            continue;
        }
        bool pause = false;
        for (size_t p = 0; p < sizeof pauses / sizeof *pauses; p++) {
            const size_t wide = strlen(pauses[p]);
            pause = pause || memcmp(text + command->length - wide, pauses[p], wide) == 0;
        }
        assert_true(pause);
        lines++;
    }
    assert_int_equal(lines, 1);
    hands_close(hands);
    language_speak(NULL);
}

/* Of tiles the sum is that of the tile which stands there, not of the end. */
static void a_tile_is_summed_up_by_its_own_numbers(void **state)
{
    static const struct {
        size_t step;
        const char *says[3], *not ;
    } rows[] = {{1, {"0.265", "1.265", "Σ e^(S − m′),  m′ = 2.887"}, "15.011"},
                {2, {"1.265", "0.000005", "m′ = 15.011"}, "2.887"},
                {3, {"1.000", "0.001", "m′ = 15.011"}, "2.887"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hands *hands = hands_open_presenter("flash", 1024, 768);
        hands_show_step(hands, rows[i].step);
        for (size_t s = 0; s < 3; s++) {
            hands_expect_part(hands, rows[i].says[s]);
        }
        assert_int_equal(hands_count_part(hands, rows[i].not ), 0);
        hands_close(hands);
    }
}

static void shares_are_read_from_the_last_row_too(void **state)
{
    (void)state;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = hands_open("cats", rooms[r][0], rooms[r][1]);
        app_command_run(hands->state, "stage", LAB_SOFTMAX, 0);
        hands_wait(hands, 1);
        const float before = height_of(hands, "0.476");
        hands_key(hands, "F5");
        hands_wait(hands, 1);
        assert_true(before > 0 && height_of(hands, "0.476") >= 1.25f * before);
        for (int i = 0; i < 3; i++) {
            hands_key(hands, "g"); /* space, heads, the stage alone */
        }
        if (height_of(hands, "0.476") < 1.5f * before) {
            fail_msg("%g × %g: %g after %g", (double)rooms[r][0], (double)rooms[r][1],
                     (double)height_of(hands, "0.476"), (double)before);
        }
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

static void space_heads_and_stage_can_be_seen_alone(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 960, 600);
    hands_expect(hands, "26.0");             /* large enough to be read from the last row */
    hands_expect_part(hands, "along “dog”"); /* beside the stage its title is brief */
    hands_click(hands, "3-D");
    hands_expect_part(hands, "how far keys go along “dog”");
    hands_expect_not(hands, "26.0");
    hands_key(hands, "g");
    hands_expect(hands, "Head 1 of 1");
    hands_click(hands, "Stage");
    hands_expect(hands, "26.00"); /* alone there is room for its decimals */
    assert_int_equal(hands_count_part(hands, "how far keys go along “dog”"), 0);
    hands_click(hands, "Both");
    hands_expect_part(hands, "along “dog”");
    hands_key(hands, "F5");
    hands_expect(hands, "Heads");
    hands_close(hands);
}

/* A key that is pressed and let go before the next picture is one frame: what is laid out for a
 * class then has a class's letters. */
static void one_stroke_is_one_state(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1280, 720);
    const float before = height_of(hands, "Score");
    for (int i = 0; i < 6; i++) {
        const bool leaves = i % 2 == 1;
        hands->input.stroke[0] =
            (struct ui_stroke){leaves && i > 1 ? UI_KEY_ESCAPE : UI_KEY_F1 + 4, 0};
        hands->input.strokes = 1;
        hands_step(hands);
        assert_true(hands->state->view.prefs.presenter == !leaves);
        if (leaves) {
            assert_true(height_of(hands, "Score") == before);
            hands_expect(hands, "Weights");
        } else {
            assert_true(height_of(hands, "Score") >= 1.25f * before);
            hands_expect_not(hands, "Weights");
        }
    }
    hands_close(hands);
}

/* F5 makes everything larger under a pointer that rests: nothing comes up until it moves. */
static void a_resting_pointer_brings_no_tooltip_with_f5(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1280, 720);
    struct rect tip;
    size_t came = 0;
    for (float x = 100; x < 1280; x += 120) {
        hands_move(hands, x, 400);
        hands_key(hands, "F5");
        hands_wait(hands, 2);
        assert_false(canvas_find_group(hands_canvas(hands), "tooltip", 0, &tip));
        hands_move(hands, x + 8, 400);
        hands_wait(hands, 1);
        came += canvas_find_group(hands_canvas(hands), "tooltip", 0, &tip);
        hands_key(hands, "F5");
    }
    assert_true(came > 0);
    hands_close(hands);
}

static void a_tooltip_never_covers_the_sum_of_what_it_is_about(void **state)
{
    static const char *const parts[] = {"α", "S", "Q", "V", "Z", "Kᵀ"};
    size_t told = 0;
    (void)state;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = hands_open_presenter("cats", rooms[r][0], rooms[r][1]);
        for (int stage = LAB_SCORE; stage <= LAB_BLEND; stage++) {
            app_command_run(hands->state, "stage", stage, 0);
            hands_wait(hands, 1);
            for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
                struct rect of, tip, sum;
                if (!canvas_find_group(hands_canvas(hands), parts[p], 0, &of) ||
                    !canvas_find_group(hands_canvas(hands), "Formula", 0, &sum)) {
                    continue;
                }
                hands_move(hands, -1, -1);
                hands_wait(hands, 1);
                hands_move(hands, of.x + of.w / 2 + 3, of.y + of.h - 4);
                hands_wait(hands, 1);
                if (canvas_find_group(hands_canvas(hands), "tooltip", 0, &tip)) {
                    told++;
                    assert_true(tip.y + tip.h <= sum.y || tip.y >= sum.y + sum.h);
                }
            }
        }
        hands_close(hands);
    }
    assert_true(told > 20);
}

/* Where the pointer happens to lie when a step is shown is not pointed at: the picture is whole. */
static void a_pointer_that_lies_still_dims_no_step(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 1280, 720);
    hands_wait(hands, 0.5);
    hands_hover(hands, "26.00");
    assert_true(hands->state->view.hovered_parts != 0); /* pointed at */
    for (int there = 0; there < 2; there++) {
        hands_key(hands, there == 0 ? "PageDown" : "PageUp");
        hands_wait(hands, 0.5);
        assert_int_equal(hands->state->view.hovered_parts, 0);
    }
    hands_move(hands, 10, 10);
    hands_hover(hands, "26.00");
    assert_true(hands->state->view.hovered_parts != 0);
    hands_resize(hands, 1282, 722); /* the window moves below the pointer */
    hands_wait(hands, 0.5);
    assert_int_equal(hands->state->view.hovered_parts, 0);
    hands_close(hands);
}

/* A window that opens under the pointer shows its first picture whole. */
static void the_first_picture_is_not_dimmed(void **state)
{
    (void)state;
    struct hands *seen = hands_open("cats", 1280, 720);
    const struct point score = hands_find(seen, "7.58", 0);
    seen->frame->pointer = FRAME_POINTER_OUTSIDE; /* as it opens */
    hands_move(seen, score.x, score.y);
    hands_wait(seen, 1);
    assert_int_equal(seen->state->view.hovered_parts, 0);
    hands_move(seen, score.x + 5, score.y);
    assert_true(seen->state->view.hovered_parts != 0);
    hands_close(seen);
}

/* A caption is about its own stage. */
static void the_caption_steps_back_at_another_stage(void **state)
{
    static const char *const caption = "Lion’s score with itself is 26.";
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 1280, 720);
    hands_show_step(hands, 2);
    hands_expect_part(hands, caption);
    assert_int_equal(hands_count_part(hands, "About Score:"), 0);
    hands_click(hands, "Blend");
    hands_expect_part(hands, "About Score: Lion’s score");
    hands_click(hands, "Score");
    hands_expect_part(hands, caption);
    assert_int_equal(hands_count_part(hands, "About Score:"), 0);
    hands_close(hands);
}

/* Nine rows and columns, each with its word, and a click chooses what it hits. */
static void nine_words_are_whole_in_a_low_room_too(void **state)
{
    static const char *const words[] = {"Peter", "bought", "hammer", "It", "is", "great", "tool"};
    (void)state;
    struct hands *hands = hands_open_presenter("hammer", 960, 600);
    hands_show_step(hands, 5);
    assert_int_equal(hands->state->view.pinned.query, 4);
    hands_expect_not(hands, "of 9 × 9");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (hands_count(hands, words[i]) < 2) {
            fail_msg("“%s” stands %zu times", words[i], hands_count(hands, words[i]));
        }
    }
    hands_click(hands, "3.20"); /* the same row, the last column */
    assert_int_equal(hands->state->view.pinned.query, 4);
    assert_int_equal(hands->state->view.pinned.key, 8);
    hands_close(hands);
}

/* 16 words: 16 rows and 16 columns of scores, whatever the projector. */
static void sixteen_words_are_whole_before_a_class(void **state)
{
    (void)state;
    for (size_t r = 1; r < ROOMS; r++) {
        struct hands *hands = hands_open_presenter("window", rooms[r][0], rooms[r][1]);
        hands_wait(hands, 1);
        hands_expect_not(hands, "of 16 × 16");
        const struct lab_words *const words = hands->state->document.experiment.tokens;
        for (size_t w = 0; w < lab_words_count(words); w++) {
            if (hands_count(hands, lab_words_list(words)[w]) < 2) {
                fail_msg("%g × %g: “%s” stands not at its row and its column", (double)rooms[r][0],
                         (double)rooms[r][1], lab_words_list(words)[w]);
            }
        }
        hands_close(hands);
    }
}

/* Beside the shares of the keys that a query sees, each key's name stands over its column. */
static void a_head_of_sixteen_words_names_every_key(void **state)
{
    (void)state;
    for (size_t r = 1; r < ROOMS; r++) {
        struct hands *hands = hands_open_presenter("window", rooms[r][0], rooms[r][1]);
        hands_show_step(hands, 3);
        hands_click(hands, "Reveal");
        const struct lab_words *const words = hands->state->document.experiment.tokens;
        for (size_t w = 0; w < lab_words_count(words); w++) {
            if (hands_count(hands, lab_words_list(words)[w]) < 2) {
                fail_msg("%g × %g: “%s” stands not at its row and its column", (double)rooms[r][0],
                         (double)rooms[r][1], lab_words_list(words)[w]);
            }
        }
        hands_expect(hands, "0.911"); /* of “cat”, in the row of the first word */
        hands_close(hands);
    }
}

/* Where the bars have three decimals the head may have two, in letters that can be read. */
static void a_third_decimal_gives_way_to_larger_letters(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("root", 1280, 720);
    hands_wait(hands, 1);
    hands_expect(hands, "0.964");
    hands_expect(hands, "0.96");
    hands_close(hands);
}

/* A few bars stand over the whole of their panel. */
static void few_bars_fill_their_panel(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("order", 1280, 720);
    hands_wait(hands, 1);
    struct rect panel;
    assert_true(canvas_find_group(hands_canvas(hands), "Stage", 0, &panel));
    const struct point sums = hands_find(hands, "sum 2.099", 0);
    if (sums.y < panel.y + 0.8f * panel.h) {
        fail_msg("the sums stand at %g of %g", (double)(sums.y - panel.y), (double)panel.h);
    }
    hands_close(hands);
}

/* The panels that a step may name, as the screen calls them. */
static const char *const panels[] = {"Stage", "3-D view",  "Heads",    "Head",
                                     "Costs", "All kinds", "Decoding", "Lines it learns from"};
enum { PANELS = sizeof panels / sizeof *panels };

static struct rect panel_of(struct hands *hands, const char *label)
{
    struct rect largest = {0}, area;
    for (size_t i = 0; canvas_find_group(hands_canvas(hands), label, i, &area); i++) {
        largest = area.w * area.h > largest.w * largest.h ? area : largest;
    }
    return largest;
}

static void expect_panels(struct hands *hands, const struct lab_step *to, const char *lesson)
{
    const unsigned named = to->view_prefs.why ? 0 : to->panels; /* why: in place of all of them */
    static const float WIDTH_MIN = 330, HIGH = 300, HIGH_ABOVE_TRAINING = 230;
    const float least_high = panel_of(hands, "Training").h > 0 ? HIGH_ABOVE_TRAINING : HIGH;
    const size_t step = hands->state->view.step + 1;
    struct rect place[PANELS];
    for (size_t p = 0; p < PANELS; p++) {
        place[p] = panel_of(hands, panels[p]);
        if ((named >> p & 1u) == 0) {
            continue;
        }
        if (place[p].w < WIDTH_MIN || place[p].h < least_high || place[p].x < 0 || place[p].y < 0 ||
            place[p].x + place[p].w > hands->input.width ||
            place[p].y + place[p].h > hands->input.height) {
            fail_msg("%s, step %zu, %g × %g: %s is %g × %g", lesson, step,
                     (double)hands->input.width, (double)hands->input.height, panels[p],
                     (double)place[p].w, (double)place[p].h);
        }
        for (size_t other = 0; other < p; other++) {
            const bool beside = place[other].w == 0 || (named >> other & 1u) == 0 ||
                                place[p].x >= place[other].x + place[other].w ||
                                place[p].y >= place[other].y + place[other].h;
            if (!beside) {
                fail_msg("%s, step %zu: %s lies over %s", lesson, step, panels[p], panels[other]);
            }
        }
    }
}

static void what_a_step_names_as_its_panels_is_on_the_screen(void **state)
{
    static const float projectors[][2] = {{1024, 768}, {1280, 720}, {1440, 900}, {1920, 1080}};
    (void)state;
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        const char *const name = lab_lesson_name(l);
        for (size_t r = l % test_stride(); r < sizeof projectors / sizeof *projectors;
             r += test_stride()) {
            struct hands *hands = hands_open_presenter(name, projectors[r][0], projectors[r][1]);
            const struct lab_lesson *const lesson = hands->state->document.lesson;
            for (size_t step = 0; step < lesson->steps; step++) {
                hands_show_step(hands, step);
                expect_panels(hands, &lesson->step[step], name);
            }
            hands_close(hands);
        }
    }
}

/* In the ordinary window too, in place of the space. */
static void costs_that_a_step_speaks_of_are_seen_in_the_window(void **state)
{
    (void)state;
    struct hands *hands = hands_open("fewer", 1440, 900);
    hands_expect(hands, "What each kind costs here");
    hands_expect(hands, "256");
    assert_int_equal(hands_collisions(hands), 0);
    hands_click(hands, "Score");
    hands_expect_not(hands, "What each kind costs here");
    hands_close(hands);
}

/* Words of captions, and the panels of which one shows what they say. */
static const struct {
    const char *words;
    unsigned shown_by;
} spoken_of[] = {
    {"bytes", LAB_PANEL_COSTS},
    {"multiplications", LAB_PANEL_COSTS | LAB_PANEL_DECODE},
    {" heads", LAB_PANEL_HEADS | LAB_PANEL_HEAD},
    {" rows", LAB_PANEL_STAGE | LAB_PANEL_HEAD},
    {"row of weights", LAB_PANEL_HEAD},
    {" pairs", LAB_PANEL_STAGE | LAB_PANEL_KINDS},
    {"close together", LAB_PANEL_SPACE},
    {"in the middle", LAB_PANEL_SPACE},
    {"lands at", LAB_PANEL_SPACE},
    {" line", LAB_PANEL_LINES},
};

/* Tiles count their own bytes; the heads stand in a concatenation, and where it is asked why. */
static bool stage_shows_it(const struct lab_step *step, const char *words)
{
    const bool tiles =
        step->experiment.flash_rows > 0 && (step->stage == LAB_SOFTMAX || step->stage == LAB_BLEND);
    return (tiles && strcmp(words, "bytes") == 0) ||
           ((step->stage == LAB_OUTPUT || step->view_prefs.why) && strcmp(words, " heads") == 0);
}

static void what_a_caption_speaks_of_is_among_the_panels_of_its_step(void **state)
{
    (void)state;
    size_t spoken = 0;
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        struct arena arena = {0};
        struct lab_lesson lesson;
        assert_true(lab_lesson_load(l, &arena, &lesson, NULL));
        for (size_t s = 0; s < lesson.steps; s++) {
            const struct lab_step *const step = &lesson.step[s];
            if (step->panels == 0) {
                fail_msg("%s, step %zu names no panels", lesson.name, s + 1);
            }
            for (size_t w = 0; w < sizeof spoken_of / sizeof *spoken_of; w++) {
                const bool says = strstr(step->caption, spoken_of[w].words) != NULL;
                spoken += says;
                if (says && (step->panels & spoken_of[w].shown_by) == 0 &&
                    !stage_shows_it(step, spoken_of[w].words)) {
                    fail_msg("%s, step %zu speaks of “%s”", lesson.name, s + 1, spoken_of[w].words);
                }
            }
        }
        lab_lesson_release(&lesson);
        arena_free(&arena);
    }
    assert_true(spoken > 20);
}

static void what_is_no_number_is_answered_before_a_class_too(void **state)
{
    (void)state;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = hands_open_presenter("cats", rooms[r][0], rooms[r][1]);
        hands_click_number(hands, "0.5", 0);
        hands_click_number(hands, "0.5", 0);
        hands_type(hands, "lots");
        hands_key(hands, "Enter");
        hands_expect(hands, "“lots” is not a number; what stood there stays.");
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

/* The numbers that count stand out of the −∞ around them. */
static void what_is_masked_is_quieter_than_what_is_seen(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("sparse", 1440, 900);
    hands_show_step(hands, 0);
    const struct canvas *const canvas = hands_canvas(hands);
    const struct colour ink = hands->state->theme->ink;
    size_t masked = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        const char *const text =
            command->kind == CANVAS_TEXT ? canvas_text_of(canvas, command) : "";
        if (command->length == strlen("−∞") && strncmp(text, "−∞", command->length) == 0) {
            masked++;
            assert_true(colour_contrast(command->paint.fill, ink) > 1.5f);
        }
    }
    assert_true(masked > 90);
    hands_close(hands);
}

/* A foot that is too long for its chart would be written smaller than the sums beside it. */
static void that_no_key_is_seen_is_read_in_every_language(void **state)
{
    (void)state;
    for (size_t l = 0; language_at(l) != NULL; l++) {
        language_speak(language_at(l));
        struct hands *hands = hands_open_presenter("sparse", 1024, 768);
        hands_show_step(hands, 4);
        if (height_of(hands, tr("no key is seen")) < 12) {
            fail_msg("%s: %g high", language_at(l)->code,
                     (double)height_of(hands, tr("no key is seen")));
        }
        hands_close(hands);
    }
    language_speak(NULL);
}

/* Whose row it is stands on the card itself: a class has no title, and perhaps no formula. */
static void the_head_is_named_where_its_row_is_seen(void **state)
{
    static const struct {
        const char *lesson;
        size_t step;
        const char *head;
    } rows[] = {{"learned", 3, "L0H0"}, {"fewer", 4, "head 4"}, {"ten", 0, "head 1"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t r = 0; r < ROOMS; r++) {
            struct hands *hands = hands_open_presenter(rows[i].lesson, rooms[r][0], rooms[r][1]);
            hands_show_step(hands, rows[i].step);
            const struct point tab = hands_find(hands, "All of α", 0);
            struct rect at;
            bool named = false;
            for (size_t n = 0; canvas_find_text(hands_canvas(hands), rows[i].head, n, &at); n++) {
                const float middle = at.y + at.h / 2;
                named = named || (at.x < tab.x && middle > tab.y - 12 && middle < tab.y + 12);
            }
            if (!named) {
                fail_msg("%s, step %zu, %g × %g: whose row it is should be said", rows[i].lesson,
                         rows[i].step + 1, (double)rooms[r][0], (double)rooms[r][1]);
            }
            hands_close(hands);
        }
    }
}

/* The innermost outline around a point inside a cell. */
static struct rect inside_frames(const struct canvas *canvas, struct point at)
{
    struct rect inside = {0, 0, 1e6f, 1e6f};
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        const float wide = command->paint.width;
        if (command->kind != CANVAS_RECT || command->paint.stroke.alpha == 0 ||
            !rect_has(command->rect, at.x, at.y)) {
            continue;
        }
        const struct rect within = rect_inset(command->rect, wide);
        inside = within.h < inside.h ? within : inside;
    }
    return inside;
}

/* The frame of the chosen number stands clear of its digits, however low the row is. */
static void the_frame_of_a_number_cuts_no_digit(void **state)
{
    static const float of_size = 0.73f, air = 1; /* digits are that high */
    (void)state;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = hands_open_presenter("hammer", rooms[r][0], rooms[r][1]);
        hands_show_step(hands, 6);
        const struct canvas *const canvas = hands_canvas(hands);
        size_t framed = 0;
        for (size_t i = 0; i < canvas_count(canvas); i++) {
            const struct canvas_command *const command = canvas_command_at(canvas, i);
            if (command->kind != CANVAS_TEXT || command->length != 4 ||
                memcmp(canvas_text_of(canvas, command), "0.95", 4) != 0) {
                continue;
            }
            const float size = command->rect.h, low = command->rect.y; /* size, baseline */
            const struct rect inside = inside_frames(
                canvas, (struct point){command->rect.x + command->rect.w / 2, low - size / 3});
            if (inside.h > 3 * size) { /* spelled out, in no cell */
                continue;
            }
            if (low - of_size * size < inside.y + air || low > inside.y + inside.h - air) {
                fail_msg("%g × %g: digits from %g to %g in %g to %g", (double)rooms[r][0],
                         (double)rooms[r][1], (double)(low - of_size * size), (double)low,
                         (double)inside.y, (double)(inside.y + inside.h));
            }
            framed++;
        }
        assert_true(framed > 0 || r == 0);
        hands_close(hands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chosen_number_is_read_at_every_step_of_every_lesson),
        cmocka_unit_test(the_head_is_named_where_its_row_is_seen),
        cmocka_unit_test(the_frame_of_a_number_cuts_no_digit),
        cmocka_unit_test(what_learning_steps_speak_of_is_read),
        cmocka_unit_test(no_panel_has_only_its_heading),
        cmocka_unit_test(the_chart_of_a_window_says_what_w_is),
        cmocka_unit_test(the_group_of_a_head_is_counted_as_heads_are),
        cmocka_unit_test(a_caption_in_chinese_breaks_no_word),
        cmocka_unit_test(a_tile_is_summed_up_by_its_own_numbers),
        cmocka_unit_test(shares_are_read_from_the_last_row_too),
        cmocka_unit_test(space_heads_and_stage_can_be_seen_alone),
        cmocka_unit_test(one_stroke_is_one_state),
        cmocka_unit_test(a_resting_pointer_brings_no_tooltip_with_f5),
        cmocka_unit_test(a_tooltip_never_covers_the_sum_of_what_it_is_about),
        cmocka_unit_test(a_pointer_that_lies_still_dims_no_step),
        cmocka_unit_test(the_first_picture_is_not_dimmed),
        cmocka_unit_test(the_caption_steps_back_at_another_stage),
        cmocka_unit_test(costs_that_a_step_speaks_of_are_seen_in_the_window),
        cmocka_unit_test(nine_words_are_whole_in_a_low_room_too),
        cmocka_unit_test(sixteen_words_are_whole_before_a_class),
        cmocka_unit_test(a_head_of_sixteen_words_names_every_key),
        cmocka_unit_test(a_third_decimal_gives_way_to_larger_letters),
        cmocka_unit_test(few_bars_fill_their_panel),
        cmocka_unit_test(what_a_step_names_as_its_panels_is_on_the_screen),
        cmocka_unit_test(what_a_caption_speaks_of_is_among_the_panels_of_its_step),
        cmocka_unit_test(what_is_no_number_is_answered_before_a_class_too),
        cmocka_unit_test(what_is_masked_is_quieter_than_what_is_seen),
        cmocka_unit_test(that_no_key_is_seen_is_read_in_every_language),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
