/* In front of a class: what it reads is large, no number is lost, and what has to be said is said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/draw/frame_internal.h"
#include "base/text.h"
#include "base/translate.h"
#include "hands.h"
#include "lab/lesson/lessons.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"

enum { READ_MOST = 16 }; /* longer lines are patterns */

static const float rooms[][2] = {{960, 600}, {1024, 768}, {1280, 720}, {1440, 900}};
enum { ROOMS = sizeof rooms / sizeof *rooms };

static struct hands *before_a_class(const char *lesson, float width, float height)
{
    struct hands *hands = hands_open(lesson, width, height);
    hands_key(hands, "F5");
    return hands;
}

static void show_step(struct hands *hands, size_t step)
{
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = step},
                    hands->input.time);
    hands_wait(hands, 1);
}

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
    if (state->document.trace == NULL ||
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
    if (matrix.values == NULL || matrix.rows > READ_MOST || matrix.cols > READ_MOST ||
        inner > READ_MOST || lab_trace_experiment(state->document.trace)->residual ||
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
        for (size_t r = 0; r < ROOMS; r++) {
            struct hands *hands = before_a_class(name, rooms[r][0], rooms[r][1]);
            for (size_t step = 0; step < hands->state->document.lesson.steps; step++) {
                show_step(hands, step);
                expect_chosen_number(hands, name);
                if (hands_collisions(hands) > 0) {
                    fail_msg("%s, step %zu", name, step + 1);
                }
            }
            hands_close(hands);
        }
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
    struct hands *hands = before_a_class("cats", 960, 600);
    hands_expect(hands, "26.0");
    hands_expect_part(hands, "how far keys go along dog");
    hands_click(hands, "Space");
    hands_expect_part(hands, "how far keys go along dog");
    hands_expect_not(hands, "26.0");
    hands_key(hands, "g");
    hands_expect(hands, "Head 1 of 1");
    hands_click(hands, "Stage");
    hands_expect(hands, "26.00"); /* alone there is room for its decimals */
    assert_int_equal(hands_count_part(hands, "how far keys go along dog"), 0);
    hands_click(hands, "Both");
    hands_expect_part(hands, "how far keys go along dog");
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
        struct hands *hands = before_a_class("cats", rooms[r][0], rooms[r][1]);
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
    struct hands *hands = before_a_class("cats", 1280, 720);
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
    seen->frame->has_met = false; /* as it opens */
    hands_move(seen, score.x, score.y);
    hands_wait(seen, 1);
    assert_int_equal(seen->state->view.hovered_parts, 0);
    hands_move(seen, score.x + 5, score.y);
    assert_true(seen->state->view.hovered_parts != 0);
    hands_close(seen);
}

/* What a step says is about its own stage. */
static void the_caption_steps_back_at_another_stage(void **state)
{
    static const char *const caption = "Lion’s score with itself is 26.";
    (void)state;
    struct hands *hands = before_a_class("cats", 1280, 720);
    show_step(hands, 2);
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
    struct hands *hands = before_a_class("hammer", 960, 600);
    show_step(hands, 4);
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
        struct hands *hands = before_a_class("window", rooms[r][0], rooms[r][1]);
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

/* Beside the row of a query too: each key's name stands over its column of the head. */
static void a_head_of_sixteen_words_names_every_key(void **state)
{
    (void)state;
    for (size_t r = 1; r < ROOMS; r++) {
        struct hands *hands = before_a_class("window", rooms[r][0], rooms[r][1]);
        show_step(hands, 2);
        const struct lab_words *const words = hands->state->document.experiment.tokens;
        for (size_t w = 0; w < lab_words_count(words); w++) {
            if (hands_count(hands, lab_words_list(words)[w]) < 3) {
                fail_msg("%g × %g: “%s” stands not at its bars, its row and its column",
                         (double)rooms[r][0], (double)rooms[r][1], lab_words_list(words)[w]);
            }
        }
        hands_close(hands);
    }
}

/* What the bars say with three decimals the head may say with two, in letters that are read. */
static void a_third_decimal_gives_way_to_larger_letters(void **state)
{
    (void)state;
    struct hands *hands = before_a_class("root", 1280, 720);
    hands_wait(hands, 1);
    hands_expect(hands, "0.964");
    hands_expect(hands, "0.96");
    hands_close(hands);
}

/* A few bars stand over the whole of their panel. */
static void few_bars_fill_their_panel(void **state)
{
    (void)state;
    struct hands *hands = before_a_class("order", 1280, 720);
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
static const char *const panels[] = {"Stage", "Space",     "Heads",   "Head",
                                     "Costs", "All kinds", "Decoding"};
enum { PANELS = sizeof panels / sizeof *panels };

/* The largest group of that name: a button may be called so too. */
static struct rect panel_of(struct hands *hands, const char *label)
{
    struct rect largest = {0}, area;
    for (size_t i = 0; canvas_find_group(hands_canvas(hands), label, i, &area); i++) {
        largest = area.w * area.h > largest.w * largest.h ? area : largest;
    }
    return largest;
}

static void expect_panels(struct hands *hands, unsigned named, const char *lesson)
{
    static const float LEAST_WIDE = 330, HIGH = 300, HIGH_ABOVE_TRAINING = 230;
    const float least_high = panel_of(hands, "Training").h > 0 ? HIGH_ABOVE_TRAINING : HIGH;
    const size_t step = hands->state->view.step + 1;
    struct rect place[PANELS];
    for (size_t p = 0; p < PANELS; p++) {
        place[p] = panel_of(hands, panels[p]);
        if ((named >> p & 1u) == 0) {
            continue;
        }
        if (place[p].w < LEAST_WIDE || place[p].h < least_high || place[p].x < 0 ||
            place[p].y < 0 || place[p].x + place[p].w > hands->input.width ||
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
        for (size_t r = 0; r < sizeof projectors / sizeof *projectors; r++) {
            struct hands *hands = before_a_class(name, projectors[r][0], projectors[r][1]);
            const struct lab_lesson *const lesson = &hands->state->document.lesson;
            for (size_t step = 0; step < lesson->steps; step++) {
                show_step(hands, step);
                expect_panels(hands, lesson->step[step].panels, name);
            }
            hands_close(hands);
        }
    }
}

/* In the ordinary window too: costs stand where space would, while the step speaks of them. */
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
};

/* Tiles count their own bytes; side by side in a concatenation the heads stand in the stage. */
static bool stage_shows_it(const struct lab_step *step, const char *words)
{
    return (step->experiment.flash_rows > 0 && strcmp(words, "bytes") == 0) ||
           (step->stage == LAB_OUTPUT && strcmp(words, " heads") == 0);
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
        struct hands *hands = before_a_class("cats", rooms[r][0], rooms[r][1]);
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
    struct hands *hands = before_a_class("sparse", 1440, 900);
    show_step(hands, 0);
    const struct canvas *const canvas = hands_canvas(hands);
    const struct colour ink = hands->state->theme->ink;
    size_t masked = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        const char *const text =
            command->kind == CANVAS_TEXT ? canvas_text_of(canvas, command) : "";
        if (command->length == strlen("−∞") && memcmp(text, "−∞", command->length) == 0) {
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
        struct hands *hands = before_a_class("sparse", 1024, 768);
        show_step(hands, 4);
        if (height_of(hands, tr("no key is seen")) < 12) {
            fail_msg("%s: %g high", language_at(l)->code,
                     (double)height_of(hands, tr("no key is seen")));
        }
        hands_close(hands);
    }
    language_speak(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chosen_number_is_read_at_every_step_of_every_lesson),
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
