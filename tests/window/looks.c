/* How weights are looked at, by hand: several queries together, one line alone, a key set aside,
 * other colours and marks, and what changed since the former stage. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/open/lesson.h"
#include "base/translate.h"
#include "hands.h"

static int open_cats(void **state)
{
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "5");
    *state = hands;
    return 0;
}

static int close_cats(void **state)
{
    hands_close(*state);
    return 0;
}

/* Clicks the chip of a word, which is the first that reads so. */
static void click_chip(struct hands *hands, const char *word, unsigned mods)
{
    hands->input.mods = mods;
    hands_click(hands, word);
    hands->input.mods = 0;
    hands_move(hands, 1, 1);
}

static struct point received_by(struct hands *hands, size_t key)
{
    const struct point middle = hands_find(hands, "Attention received by every key", 0);
    const struct point word = hands_find(hands, "0.839", 0); /* dog’s sum, the second of four */
    const float each = 2 * (middle.x - word.x);
    return (struct point){middle.x + ((float)key - 1.5f) * each, middle.y};
}

static void shift_click_keeps_several_queries_and_shows_their_sum(void **state)
{
    struct hands *hands = *state;
    hands_expect(hands, "What “dog” makes of every key");
    click_chip(hands, "lion", UI_SHIFT);
    hands_expect(hands, "What “dog” and “lion” make of every key, together");
    hands_expect(hands, "1.028"); /* what both give lion */
    hands_expect(hands, "0.514"); /* on average */
    hands_expect(
        hands, "“dog” and “lion” together give “cat” 0.394 of their 2.000: 0.197 each on average.");
    hands_expect(hands, "q(dog)");
    hands_expect(hands, "q(lion)"); /* an arrow of each in space */
    click_chip(hands, "cat", UI_SHIFT);
    hands_expect(hands, "What 3 queries make of every key, together");
    click_chip(hands, "cat", UI_SHIFT); /* and out again */
    hands_expect(hands, "What “dog” and “lion” make of every key, together");
    click_chip(hands, "NYC", 0); /* a plain click is one query again */
    hands_expect(hands, "What “NYC” makes of every key");
}

/* Over the matrix of all words: no word alone makes it. */
static void the_heading_of_all_shares_speaks_of_every_word(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("ten", 1024, 768);
    hands_show_step(hands, 4);
    hands_key(hands, "5");
    hands_wait(hands, 1);
    hands_expect(hands, "What “chases” makes of every key");
    hands_click(hands, "All of α");
    hands_expect(hands, "What every word makes of every key");
    hands_expect_not(hands, "What “chases” makes of every key");
    language_speak(language_find("de"));
    hands_frame(hands);
    hands_expect(hands, "Was jedes Wort aus jedem Schlüssel macht");
    language_speak(NULL);
    hands_frame(hands);
    hands_click(hands, "One row");
    hands_expect(hands, "What “chases” makes of every key");
    hands_close(hands);
    hands = hands_open_presenter("real-heads", 1024, 768); /* where there is less room */
    hands_show_step(hands, 2);
    hands_settle(hands);
    hands_expect(hands, "All rows");
    hands_close(hands);
}

static void esc_lets_go_of_the_queries_first_and_then_of_the_selection(void **state)
{
    struct hands *hands = *state;
    click_chip(hands, "lion", UI_SHIFT);
    hands_key(hands, "Escape");
    hands_expect(hands, "What “lion” makes of every key");
    hands_expect_part(hands, "exp(");
    hands_key(hands, "Escape");
    hands_expect(hands, "Point at any number to see where it comes from.");
}

static void shift_enter_does_the_same_by_keyboard(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "Shift+Enter");
    hands_expect(hands, "What “dog” makes of every key"); /* one alone is no sum */
    hands_key(hands, "Down");
    hands_key(hands, "Shift+Enter");
    hands_expect(hands, "What “dog” and “lion” make of every key, together");
    hands_key(hands, "Down"); /* walking on keeps them */
    hands_expect(hands, "What “dog” and “lion” make of every key, together");
}

static void kept_queries_go_with_their_words(void **state)
{
    struct hands *hands = *state;
    click_chip(hands, "lion", UI_SHIFT);
    hands_click(hands, "type a token…");
    hands_type(hands, "bird ");
    hands_expect(hands, "What “dog” and “lion” make of every key, together");
    struct view_action action = {.kind = VIEW_ACTION_MOVE, .token = {.at = 2, .before = 0}};
    app_state_apply(hands->state, &action, 1); /* lion goes to the front */
    hands_frame(hands);
    hands_expect(hands, "What “lion” and “dog” make of every key, together");
}

static void strips_say_what_a_key_receives_and_filter_when_clicked(void **state)
{
    struct hands *hands = *state;
    assert_true(hands_count(hands, "0.839") >= 2); /* at Softmax, and beside the head */
    const uint64_t before = app_frame_facts(hands->frame).hash;
    const struct point dog = received_by(hands, 1);
    hands_move(hands, dog.x, dog.y);
    hands_wait(hands, 1);
    hands_expect_part(hands, "“dog” receives 0.8389 of 4.000 in all");
    hands_click_at(hands, dog.x, dog.y);
    assert_int_equal(hands->state->view.prefs.display.line, LAB_LINE_KEY);
    assert_int_equal(hands->state->view.prefs.display.line_place, 1);
    hands_move(hands, 1, 1);
    hands_wait(hands, 1);
    assert_true(app_frame_facts(hands->frame).hash != before);
    hands_click_at(hands, dog.x, dog.y); /* a second click lets go */
    assert_int_equal(hands->state->view.prefs.display.line, LAB_LINE_NONE);
    hands_click_at(hands, dog.x, dog.y);
    hands_key(hands, "Escape"); /* and so does Esc */
    assert_int_equal(hands->state->view.prefs.display.line, LAB_LINE_NONE);
    hands_move(hands, 1, 1);
    hands_wait(hands, 1);
    hands_expect_part(hands, "exp("); /* the selection stays */
}

static void only_the_column_of_the_key_stays_bright(void **state)
{
    struct hands *hands = *state;
    const struct point other = hands_find(hands, "0.362", 0), dog = hands_find(hands, "0.476", 1);
    const struct colour other_was = hands_fill_at(hands, other),
                        dog_was = hands_fill_at(hands, dog);
    const struct point strip = received_by(hands, 1);
    hands_click_at(hands, strip.x, strip.y);
    hands_move(hands, 1, 1);
    const struct colour other_is = hands_fill_at(hands, other), dog_is = hands_fill_at(hands, dog);
    assert_memory_not_equal(&other_was, &other_is, sizeof other_is);
    assert_memory_equal(&dog_was, &dog_is, sizeof dog_is);
}

static float z_of(struct hands *hands, size_t row, size_t column)
{
    const struct lab_matrix z = lab_trace_part(hands->state->document.trace, LAB_Z, 0);
    return lab_matrix_at(&z, row, column);
}

static void what_if_a_key_were_not_there_is_computed_and_undone_in_one_step(void **state)
{
    struct hands *hands = *state;
    const struct point cat = received_by(hands, 0);
    hands_press(hands, cat.x, cat.y, UI_RIGHT_BUTTON, 1);
    hands_release(hands, cat.x, cat.y, UI_RIGHT_BUTTON);
    hands_move(hands, 1, 1);
    hands_expect(hands, "“cat” is set aside: rows no longer sum to 1");
    hands_expect(hands, "0.606"); /* what is left of dog’s row */
    hands_expect(hands, "aside"); /* where its bar was */
    const float former = z_of(hands, 1, 0);
    const size_t steps = hands->state->document.at;
    hands_click(hands, "Compute without");
    hands_expect_not(hands, "“cat” is set aside: rows no longer sum to 1");
    hands_expect(hands, "0.786"); /* dog → dog, 0.476 ÷ 0.606 */
    const struct lab_matrix alpha = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 0);
    double sum = 0, mixed = 0;
    for (size_t j = 0; j < alpha.cols; j++) {
        const struct lab_matrix v = lab_trace_part(hands->state->document.trace, LAB_V, 0);
        sum += (double)lab_matrix_at(&alpha, 1, j);
        mixed += (double)(lab_matrix_at(&alpha, 1, j) * lab_matrix_at(&v, j, 0));
    }
    assert_true(fabs(sum - 1) < 1e-6);
    assert_true(lab_matrix_at(&alpha, 1, 0) == 0);
    assert_true(fabs(mixed - (double)z_of(hands, 1, 0)) < 1e-5); /* Z is that of these weights */
    assert_true(fabsf(former - z_of(hands, 1, 0)) > 0.001f);
    assert_int_equal(hands->state->document.at, steps + 1);
    hands_key(hands, "Ctrl+Z");
    assert_true(z_of(hands, 1, 0) == former);
    hands_expect_not(hands, "0.786");
}

static void a_key_is_set_aside_by_its_name(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "aside lion");
    hands_key(hands, "Enter");
    hands_expect(hands, "“lion” is set aside: rows no longer sum to 1");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "bring lion");
    hands_key(hands, "Enter");
    assert_int_equal(hands_count_part(hands, "“lion” is set aside"), 0);
    hands_key(hands, "Alt+A"); /* the selected key is cat */
    hands_expect(hands, "“cat” is set aside: rows no longer sum to 1");
}

/* Undo takes back what was done last, whichever it was, and redo does it again. */
static void setting_a_key_aside_is_a_step_of_undo(void **state)
{
    struct hands *hands = *state;
    const char *const note = "“cat” is set aside: rows no longer sum to 1";
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "causal mask");
    hands_key(hands, "Enter");
    const enum lab_mask masked = hands->state->document.experiment.mask;
    hands_key(hands, "Alt+A"); /* the selected key is cat */
    hands_expect(hands, note);
    hands_expect(hands, "0.99"); /* the entropy of all that dog gives: nothing is cut from it */
    hands_key(hands, "Ctrl+Z");
    hands_expect_not(hands, note);
    assert_int_equal(hands->state->document.experiment.mask, masked);
    hands_key(hands, "Ctrl+Shift+Z");
    hands_expect(hands, note);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "bring back");
    hands_key(hands, "Enter");
    hands_expect_not(hands, note);
    hands_key(hands, "Ctrl+Z");
    hands_expect(hands, note);
    hands_key(hands, "Ctrl+Z");
    hands_key(hands, "Ctrl+Z");
    hands_expect_not(hands, note);
    assert_int_not_equal(hands->state->document.experiment.mask, masked);
}

static void in_space_a_key_that_is_set_aside_has_no_other_weight(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "Alt+A");
    hands_expect(hands, "aside");
    assert_int_equal(hands_count_part(hands, "α 0.000"), 0);
}

/* Bars and 3-D view say “aside”; the formula says that its number is what was computed. */
static void the_formula_of_a_share_says_that_its_key_is_set_aside(void **state)
{
    struct hands *hands = *state;
    const char *const said =
        "“cat” is set aside in the picture only: in what is computed “dog” still gives it 0.394.";
    hands_expect_not(hands, said);
    hands_key(hands, "Alt+A"); /* the selected key is cat */
    hands_expect(hands, said);
    hands_key(hands, "Right");
    hands_expect_not(hands, said);
}

static void weights_have_logarithmic_colours_with_their_own_bar(void **state)
{
    struct hands *hands = *state;
    hands_expect_not(hands, "0.001");
    const struct point cell = hands_find(hands, "0.028", 1);
    const struct colour was = hands_fill_at(hands, cell);
    hands_click(hands, "log");
    hands_expect(hands, "0.001");
    hands_expect(hands, "0.01");
    hands_move(hands, 1, 1);
    const struct colour is = hands_fill_at(hands, cell);
    assert_true(is.red + is.green + is.blue < was.red + was.green + was.blue); /* darker on light */
    hands_click(hands, "log");
    hands_expect_not(hands, "0.001");
}

static size_t count_circles(struct hands *hands)
{
    const struct canvas *canvas = hands_canvas(hands);
    size_t count = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *command = canvas_command_at(canvas, i);
        count += command->kind == CANVAS_RECT && command->rect.w > 0 &&
                 fabsf(command->rect.w - command->rect.h) < 0.01f &&
                 2 * command->radius > command->rect.w - 0.01f;
    }
    return count;
}

static void scores_can_be_discs(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "3");
    hands_wheel(hands, 100, 600, -40, 0); /* the display stands at the end of the settings */
    const size_t before = count_circles(hands);
    hands_click(hands, "discs");
    hands_move(hands, 1, 1);
    assert_int_equal(count_circles(hands), before + 14); /* lion and NYC score 0: no area */
    hands_expect(hands, "26.00");                        /* the number beside its disc */
    hands_click(hands, "discs");
    hands_move(hands, 1, 1);
    assert_int_equal(count_circles(hands), before);
}

static void run_stage_change(struct hands *hands)
{
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "stage minus");
    hands_key(hands, "Enter");
    hands_frame(hands);
}

static void a_stage_minus_the_one_before_it_is_a_matrix(void **state)
{
    struct hands *hands = *state;
    run_stage_change(hands);
    hands_expect(hands, "α − scaled");
    hands_expect(hands, "−3.792"); /* dog → cat: 0.394 − 4.186 */
    hands_key(hands, "4");
    hands_expect(hands, "Scaled − S");
    hands_expect(hands, "−3.06"); /* 4.186 − 7.25 */
    run_stage_change(hands);
    hands_expect_not(hands, "Scaled − S");
}

/* What changed is what the person's own change did: before and after, at every stage, and after
 * another change that one. */
static void what_changed_is_before_and_after_my_change(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "5");
    hands_expect_not(hands, "What changed"); /* nothing was changed yet */
    hands_expect(hands,
                 "with: tile by tile"); /* a setting that does nothing says with what it does */
    hands_key(hands, "3");
    hands_expect(hands, "with: Grouped-query"); /* the choice that it needs */
    hands_key(hands, "5");
    hands_key(hands, "d");
    hands_expect_part(hands, "Nothing was changed here yet");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "causal mask");
    hands_key(hands, "Enter");
    hands_key(hands, "5");
    hands_click(hands, "What changed");
    hands_frame(hands);
    hands_expect(hands, "A, now");
    hands_expect(hands, "B, before");
    hands_expect(hands, "mask: Causal");
    hands_expect(hands, "no mask");
    hands_expect(hands, "0.547"); /* dog to dog, after */
    hands_expect(hands, "0.476"); /* and before */
    hands_click(hands, "A − B");
    hands_expect(hands, "0.071");
    static const char *const stages[] = {"1", "2", "3", "4", "6", "7"};
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
        hands_key(hands, stages[s]);
        hands_frame(hands);
        hands_expect(hands, "A − B");
        assert_int_equal(hands_count_part(hands, "Nothing to compare here"), 0);
    }
    hands_key(hands, "5");
    hands_key(hands, "Ctrl+K"); /* another change: before is with the mask */
    hands_type(hands, "scale scores");
    hands_key(hands, "Enter");
    hands_settle(hands);
    hands_expect(hands, "A | B");
    hands_click(hands, "A | B");
    hands_expect(hands, "B, before");
    hands_expect(hands, "0.547"); /* of before now */
    hands_expect_not(hands, "0.476");
    hands_key(hands, "Ctrl+Z");
    hands_settle(hands);
    hands_expect(hands, "0.476");
    hands_key(hands, "Ctrl+Z"); /* nothing is changed: nothing is compared */
    hands_settle(hands);
    hands_expect_not(hands, "B, before");
    hands_expect_not(hands, "What changed");
}

static void a_session_brings_it_all_back(void **state)
{
    struct hands *hands = *state;
    struct error error = {0};
    click_chip(hands, "lion", UI_SHIFT);
    hands_key(hands, "Alt+A");
    hands_wheel(hands, 100, 600, -40, 0);
    hands_click(hands, "log");
    hands_click(hands, "discs");
    const struct point dog = received_by(hands, 1);
    hands_click_at(hands, dog.x, dog.y);
    run_stage_change(hands);
    char path[300];
    snprintf(path, sizeof path, "%s/looks.json", hands->folder);
    assert_true(app_lesson_save(hands->state, path, &error));
    assert_true(app_lesson_open(hands->state, 0, 1));
    hands_frame(hands);
    assert_int_equal(hands->state->view.prefs.display.queries.count, 0);
    hands_key(hands, "5");
    run_stage_change(hands);
    assert_true(hands->state->view.prefs.display.line == LAB_LINE_NONE &&
                !hands->state->view.prefs.display.change);
    assert_true(app_lesson_read(hands->state, path, 2, &error));
    hands_frame(hands);
    hands_expect_part(hands, "“cat” is set aside: rows no longer sum to 1");
    assert_int_equal(hands->state->view.prefs.display.line, LAB_LINE_KEY);
    assert_int_equal(hands->state->view.prefs.display.line_place, 1);
    assert_true(hands->state->view.prefs.display.change);
    run_stage_change(hands);
    hands_expect(hands, "What “dog” and “lion” make of every key, together");
    assert_true(hands->state->view.prefs.display.logarithmic &&
                hands->state->view.prefs.display.discs);
    remove(path);
}

/* Nothing lies over anything else, whatever is asked for at once. */
static void all_of_it_at_once_has_room(void **state)
{
    (void)state;
    static const struct {
        float width, height;
    } sizes[] = {{1440, 900}, {960, 600}, {1920, 1080}};
    static const char *const keys[] = {"3", "4", "5", "6"};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct hands *hands = hands_open("cats", sizes[s].width, sizes[s].height);
        click_chip(hands, "lion", UI_SHIFT);
        hands_key(hands, "Alt+A");
        app_state_apply(hands->state,
                        &(struct view_action){.kind = VIEW_ACTION_COMMAND, .command = "marks"}, 0);
        app_state_apply(hands->state,
                        &(struct view_action){.kind = VIEW_ACTION_COMMAND, .command = "colours"},
                        0);
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            hands_key(hands, keys[k]);
            hands_wait(hands, 8); /* until the line at the bottom is the usual one */
            if (hands_collisions(hands) != 0) {
                fail_msg("words collide at stage %s, %g wide", keys[k], (double)sizes[s].width);
            }
        }
        hands_close(hands);
    }
}

/* The last setting stands above the panel's lower edge, wherever a lesson of these goes. */
static void the_settings_of_common_lessons_need_no_scrolling(void **unused)
{
    (void)unused;
    static const char *const lessons[] = {"cats", "ten",         "race",  "hammer", "library",
                                          "root", "temperature", "order", "bank",   "causal"};
    for (size_t i = 0; i < sizeof lessons / sizeof *lessons; i++) {
        struct hands *hands = hands_open(lessons[i], 1440, 900);
        for (size_t step = 0; step < 9; step++) {
            struct rect last, panel;
            assert_true(canvas_find_text(hands_canvas(hands), "up to the largest", 0, &last));
            assert_true(canvas_find_group(hands_canvas(hands), "Settings", 0, &panel));
            if (last.y + last.h > panel.y + panel.h - 8) {
                fail_msg("%s, step %zu: the settings end at %.0f, their panel at %.0f", lessons[i],
                         step + 1, (double)(last.y + last.h), (double)(panel.y + panel.h));
            }
            hands_key(hands, "PageDown");
        }
        hands_close(hands);
    }
}

#define WITH_CATS(test) cmocka_unit_test_setup_teardown(test, open_cats, close_cats)

/* A | B: where the kept experiment lets dog land stands in space beside where it lands now. */
static void what_was_kept_lands_beside_what_is_now(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "6");
    hands_expect_not(hands, "z(dog) of A");
    hands_key(hands, "B");
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_FIELD,
                              .setting = {.field = LAB_PARAM_TEMPERATURE, .number = 30}},
        hands->input.time);
    hands_wait(hands, 1);
    struct rect then, now;
    hands_expect(hands, "z(dog) of A");
    assert_true(canvas_find_group(hands_canvas(hands), "z(dog) of A", 0, &then));
    assert_true(canvas_find_group(hands_canvas(hands), "z(dog) in space", 0, &now));
    assert_true(fabsf(then.x - now.x) + fabsf(then.y - now.y) > 10);
    hands_key(hands, "7");
    hands_wait(hands, 1);
    hands_expect(hands, "o(dog) of A");
    hands_click(hands, "Now");
    hands_expect_not(hands, "o(dog) of A");
    hands_close(hands);
}

/* Colours of either sign that a person chose are kept with a session; those of the theme follow
 * the theme where it is opened. */
static void chosen_colours_of_either_sign_are_kept(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    struct app_scene scene = app_state_scene(hands->state);
    struct lab_step step = {.has_view_prefs = false};
    app_scene_keep(&scene, &step);
    assert_string_equal(step.view_prefs.signed_map, "");
    const struct colourmap *const own = hands->state->view.prefs.signed_map;
    hands->state->view.prefs.signed_map = colourmap_find("puor");
    scene = app_state_scene(hands->state);
    app_scene_keep(&scene, &step);
    assert_string_equal(step.view_prefs.signed_map, "puor");
    hands->state->view.prefs.signed_map = own;
    app_view_prefs_take(&hands->state->view, &step);
    assert_string_equal(hands->state->view.prefs.signed_map->name, "puor");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_colours_of_either_sign_are_kept),
        cmocka_unit_test(what_was_kept_lands_beside_what_is_now),
        WITH_CATS(shift_click_keeps_several_queries_and_shows_their_sum),
        WITH_CATS(esc_lets_go_of_the_queries_first_and_then_of_the_selection),
        WITH_CATS(shift_enter_does_the_same_by_keyboard),
        WITH_CATS(kept_queries_go_with_their_words),
        WITH_CATS(strips_say_what_a_key_receives_and_filter_when_clicked),
        WITH_CATS(only_the_column_of_the_key_stays_bright),
        WITH_CATS(what_if_a_key_were_not_there_is_computed_and_undone_in_one_step),
        WITH_CATS(a_key_is_set_aside_by_its_name),
        WITH_CATS(setting_a_key_aside_is_a_step_of_undo),
        WITH_CATS(in_space_a_key_that_is_set_aside_has_no_other_weight),
        WITH_CATS(the_formula_of_a_share_says_that_its_key_is_set_aside),
        WITH_CATS(weights_have_logarithmic_colours_with_their_own_bar),
        WITH_CATS(scores_can_be_discs),
        WITH_CATS(a_stage_minus_the_one_before_it_is_a_matrix),
        WITH_CATS(what_changed_is_before_and_after_my_change),
        WITH_CATS(a_session_brings_it_all_back),
        cmocka_unit_test(the_heading_of_all_shares_speaks_of_every_word),
        cmocka_unit_test(all_of_it_at_once_has_room),
        cmocka_unit_test(the_settings_of_common_lessons_need_no_scrolling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
