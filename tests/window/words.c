/* The program, driven by the words on its screen: what a person does, and what they see then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hands.h"
#include "lab/experiment/stage.h"
#include "lab/lesson/lessons.h"

static int open_cats(void **state)
{
    *state = hands_open("cats", 1440, 900);
    return 0;
}

static int close_cats(void **state)
{
    hands_close(*state);
    return 0;
}

static const char *stage_headline(enum lab_stage stage)
{
    return lab_stage_row(stage)->headline;
}

static const char *lesson_title(const char *lesson)
{
    size_t index = 0;
    assert_true(lab_lesson_find(lesson, &index));
    return lab_lesson_title(index);
}

static void choose_row(struct hands *hands, const char *menu, const char *row)
{
    hands_click(hands, menu);
    hands_click(hands, row);
}

static void it_opens_on_the_score_of_dog_and_cat(void **state)
{
    struct hands *hands = *state;
    hands_expect(hands, lesson_title("cats"));
    hands_expect(hands, stage_headline(LAB_SCORE));
    hands_expect(hands, "cat");
    hands_expect(hands, "NYC");
    hands_expect(hands, "7.25");
    hands_expect(hands, "26.00");
    hands_expect(hands, "score( dog → cat ) = q(dog) · k(cat)");
    hands_expect_part(hands, "4 tokens");
}

static void a_click_on_softmax_opens_the_softmax(void **state)
{
    struct hands *hands = *state;
    hands_click(hands, "Softmax");
    hands_expect(hands, stage_headline(LAB_SOFTMAX));
    hands_expect_not(hands, stage_headline(LAB_SCORE));
    hands_expect(hands, "0.394");
}

static void every_stage_has_a_key_and_a_headline(void **state)
{
    struct hands *hands = *state;
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        const char key[2] = {(char)('1' + stage), '\0'};
        hands_key(hands, key);
        hands_expect(hands, stage_headline((enum lab_stage)stage));
    }
}

static void arrows_walk_the_stages_and_stop_at_both_ends(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "Right");
    hands_expect(hands, stage_headline(LAB_SCALE));
    hands_key(hands, "Left");
    hands_key(hands, "Left");
    hands_expect(hands, stage_headline(LAB_PROJECT));
    for (int i = 0; i < 9; i++) {
        hands_key(hands, "Left");
    }
    hands_expect(hands, stage_headline(LAB_EMBED));
    hands_key(hands, "End");
    hands_key(hands, "Right");
    hands_expect(hands, stage_headline(LAB_OUTPUT));
}

static void the_stepper_walks_too(void **state)
{
    struct hands *hands = *state;
    hands_click(hands, "Forward (→)");
    hands_expect(hands, stage_headline(LAB_SCALE));
    hands_click(hands, "Back (←)");
    hands_expect(hands, stage_headline(LAB_SCORE));
    hands_click(hands, "To the first stage (Home)");
    hands_expect(hands, stage_headline(LAB_EMBED));
}

static void a_typed_word_becomes_a_fifth_row(void **state)
{
    struct hands *hands = *state;
    hands_click(hands, "type a token…");
    hands_type(hands, "bird ");
    hands_expect_part(hands, "5 tokens");
    assert_true(hands_count(hands, "bird") >= 4); /* chip, row, column, label in space */
    assert_int_equal(lab_trace_sizes(hands->state->document.trace).n, 5);
}

static void undo_takes_back_and_redo_does_again(void **state)
{
    struct hands *hands = *state;
    hands_click(hands, "type a token…");
    hands_type(hands, "bird ");
    hands_click(hands, "Undo");
    hands_expect_part(hands, "4 tokens");
    hands_expect_not(hands, "bird");
    hands_click(hands, "Redo");
    hands_expect_part(hands, "5 tokens");
    hands_key(hands, "Escape");
    hands_key(hands, "Ctrl+Z");
    hands_expect_part(hands, "4 tokens");
    hands_key(hands, "Ctrl+Shift+Z");
    hands_expect_part(hands, "5 tokens");
}

static void backspace_takes_the_last_word_away(void **state)
{
    struct hands *hands = *state;
    hands_click(hands, "type a token…");
    hands_key(hands, "Backspace");
    hands_key(hands, "Backspace"); /* the first may only choose the chip */
    assert_true(hands_count(hands, "NYC") == 0);
}

static void without_words_it_says_what_to_do(void **state)
{
    struct hands *hands = *state;
    hands_click(hands, "type a token…");
    for (int i = 0; i < 12; i++) {
        hands_key(hands, "Backspace");
    }
    hands_expect(hands, "No tokens yet");
    hands_expect_part(hands, "no tokens");
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        hands_click(hands, lab_stage_row((enum lab_stage)stage)->title);
        hands_expect(hands, "No tokens yet");
    }
    hands_click(hands, "type a token…");
    hands_type(hands, "sun ");
    hands_expect_part(hands, "1 token ");
    hands_expect_not(hands, "No tokens yet");
}

static void a_pasted_sentence_is_split_into_words(void **state)
{
    struct hands *hands = *state;
    hands_click(hands, "type a token…");
    hands_paste(hands, "the quick\tbrown\nfox");
    hands_expect_part(hands, "8 tokens");
    hands_expect(hands, "brown");
}

static void letters_in_the_field_are_no_commands(void **state)
{
    struct hands *hands = *state;
    hands_click(hands, "type a token…");
    hands_type(hands, "t7s ");
    hands_expect(hands, "t7s");
    hands_expect(hands, stage_headline(LAB_SCORE));
    assert_string_equal(hands->state->theme->name, "light");
}

static struct colour ground_colour(struct hands *hands)
{
    return canvas_command_at(hands_canvas(hands), 0)->paint.fill;
}

static void t_turns_the_light_off_and_on(void **state)
{
    struct hands *hands = *state;
    float light = colour_luminance(ground_colour(hands));
    hands_key(hands, "T");
    assert_true(colour_luminance(ground_colour(hands)) < 0.1f && light > 0.8f);
    hands_click(hands, "Light or dark (T)");
    assert_true(colour_luminance(ground_colour(hands)) > 0.8f);
}

static void the_lesson_menu_opens_ten_tokens_with_eight_heads(void **state)
{
    struct hands *hands = *state;
    choose_row(hands, lesson_title("cats"), lesson_title("ten"));
    hands_expect_part(hands, "10 tokens · d_model 64 · 8 heads");
    for (int head = 0; head < 8; head++) {
        char name[] = "head 1";
        name[5] = (char)('1' + head);
        hands_expect(hands, name);
    }
    choose_row(hands, lesson_title("ten"), lesson_title("race"));
    hands_expect(hands, lesson_title("race"));
    hands_key(hands, "Ctrl+Z");
    hands_expect_part(hands, "10 tokens");
}

static void a_click_on_a_head_chooses_it_everywhere(void **state)
{
    struct hands *hands = *state;
    choose_row(hands, lesson_title("cats"), lesson_title("ten"));
    hands_key(hands, "3");
    uint64_t before = hands_reading(hands);
    hands_click(hands, "head 6");
    hands_move(hands, -1, -1);
    hands_expect_part(hands, "8 heads · head 6");
    assert_int_equal(hands->state->view.pinned.head, 5);
    assert_true(hands_reading(hands) != before); /* the scores of another head */
    hands_key(hands, "H");
    assert_int_equal(hands->state->view.pinned.head, 6);
    hands_key(hands, "Shift+H");
    assert_int_equal(hands->state->view.pinned.head, 5);
}

/* Every setting, and how to turn it; each must change what can be read. */
static void set_embedding(struct hands *hands)
{
    choose_row(hands, "Toy 3-D", "Random");
}

static void set_weights(struct hands *hands)
{
    choose_row(hands, "Identity", "Random");
}

static void roll_dice(struct hands *hands)
{
    hands_click(hands, "Roll: other random numbers (Ctrl+R)");
}

static void turn_scale_off(struct hands *hands)
{
    hands_click(hands, "scale by 1/√dₖ");
}

static void set_mask(struct hands *hands)
{
    choose_row(hands, "None", "Causal");
}

static void drag_slider(struct hands *hands, const char *label)
{
    struct point at = hands_find(hands, label, 0);
    struct rect area;
    assert_true(canvas_find_text(hands_canvas(hands), label, 0, &area));
    hands_drag(hands, area.x + 40, at.y + 18, area.x + 120, at.y + 18);
    hands_move(hands, -1, -1);
}

static void drag_heads(struct hands *hands)
{
    drag_slider(hands, "heads h");
}

static void drag_key_size(struct hands *hands)
{
    drag_slider(hands, "keys dₖ");
}

static void drag_value_size(struct hands *hands)
{
    drag_slider(hands, "values dᵥ");
}

static void drag_temperature(struct hands *hands)
{
    drag_slider(hands, "temperature τ");
}

static const struct {
    const char *name;
    void (*turn)(struct hands *hands);
    enum lab_stage stage;
} settings[] = {
    {"embedding", set_embedding, LAB_EMBED}, {"weights", set_weights, LAB_SCORE},
    {"dice", roll_dice, LAB_SCORE},          {"heads", drag_heads, LAB_BLEND},
    {"key size", drag_key_size, LAB_SCORE},  {"value size", drag_value_size, LAB_BLEND},
    {"scale", turn_scale_off, LAB_SOFTMAX},  {"temperature", drag_temperature, LAB_SOFTMAX},
    {"mask", set_mask, LAB_SCALE},
};

static void every_setting_changes_the_numbers_and_undo_brings_them_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct hands *hands = hands_open("cats", 1440, 900);
        hands_show_settings(hands);
        hands_click(hands, lab_stage_row(settings[i].stage)->title);
        hands_move(hands, -1, -1);
        struct lab_experiment before;
        lab_experiment_copy(&before, &hands->state->document.experiment);
        uint64_t reading = hands_reading(hands);
        settings[i].turn(hands);
        hands_move(hands, -1, -1);
        if (hands_reading(hands) == reading ||
            lab_experiment_equal(&before, &hands->state->document.experiment)) {
            hands_report(hands);
            fail_msg("%s changed nothing", settings[i].name);
        }
        hands_key(hands, "Escape");
        hands_click(hands, "Undo");
        hands_move(hands, -1, -1);
        if (!lab_experiment_equal(&before, &hands->state->document.experiment)) {
            fail_msg("one undo does not bring %s back", settings[i].name);
        }
        lab_experiment_release(&before);
        hands_close(hands);
    }
}

static void a_colour_map_changes_the_colours_but_no_number(void **state)
{
    struct hands *hands = *state;
    uint64_t picture = canvas_hash(hands_canvas(hands));
    choose_row(hands, "Blues", "Viridis");
    hands_expect(hands, "Viridis");
    hands_expect(hands, "7.25");
    hands_move(hands, -1, -1);
    assert_true(canvas_hash(hands_canvas(hands)) != picture);
}

static void pointing_at_a_number_previews_it_and_a_click_keeps_it(void **state)
{
    struct hands *hands = *state;
    hands_hover(hands, "26.00");
    hands_expect(hands, "score( lion → lion ) = q(lion) · k(lion)");
    hands_move(hands, -1, -1);
    hands_expect(hands, "score( dog → cat ) = q(dog) · k(cat)");
    hands_click(hands, "26.00");
    hands_move(hands, -1, -1);
    hands_expect(hands, "score( lion → lion ) = q(lion) · k(lion)");
    hands_key(hands, "Escape");
    hands_expect_not(hands, "score( lion → lion ) = q(lion) · k(lion)");
}

static void up_and_down_walk_the_queries(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "Down");
    hands_expect(hands, "score( lion → cat ) = q(lion) · k(cat)");
    hands_key(hands, "Shift+Down");
    hands_expect(hands, "score( lion → dog ) = q(lion) · k(dog)");
    hands_key(hands, "Up");
    hands_expect(hands, "score( dog → dog ) = q(dog) · k(dog)");
}

static void space_plays_and_pauses(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "1");
    hands_key(hands, "Space");
    assert_true(app_frame_facts(hands->frame).wake > 0);
    hands_wait(hands, 1.0);
    assert_true(hands->state->view.playback.position > 0 &&
                hands->state->view.playback.position < 1);
    hands_wait(hands, 4.0);
    hands_expect_not(hands, stage_headline(LAB_EMBED));
    hands_key(hands, "Space");
    hands_wait(hands, 1.0);
    uint64_t paused = canvas_hash(hands_canvas(hands));
    hands_wait(hands, 5.0);
    assert_true(canvas_hash(hands_canvas(hands)) == paused);
}

static void an_idle_window_asks_for_no_frame(void **state)
{
    struct hands *hands = *state;
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        hands_click(hands, lab_stage_row((enum lab_stage)stage)->title);
        hands_move(hands, -1, -1);
        hands_wait(hands, 1.0);
        assert_true(app_frame_facts(hands->frame).wake <= 0);
    }
}

static void a_drag_turns_the_space_and_a_double_click_turns_it_back(void **state)
{
    struct hands *hands = *state;
    struct rect space = {0};
    assert_true(canvas_find_group(hands_canvas(hands), "3-D view", 0, &space));
    float x = space.x + space.w * 0.2f, y = space.y + space.h * 0.85f;
    hands_move(hands, -1, -1);
    uint64_t home = canvas_hash(hands_canvas(hands));
    hands_drag(hands, x, y, x + 90, y - 30);
    hands_move(hands, -1, -1);
    assert_true(canvas_hash(hands_canvas(hands)) != home);
    hands_wheel(hands, x, y, 2, 0);
    hands_press(hands, x, y, UI_LEFT_BUTTON, 1);
    hands_release(hands, x, y, UI_LEFT_BUTTON);
    hands_press(hands, x, y, UI_LEFT_BUTTON, 2);
    hands_release(hands, x, y, UI_LEFT_BUTTON);
    hands_move(hands, -1, -1);
    hands_wait(hands, 1.0);
    assert_true(canvas_hash(hands_canvas(hands)) == home);
}

static void help_shows_all_keys_and_esc_closes_it(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "F1");
    hands_expect(hands, "Keys");
    hands_expect(hands, "Light or dark");
    assert_true(hands_count_part(hands, "is kept aside every few seconds") > 0);
    hands_key(hands, "Escape");
    hands_expect_not(hands, "Keys");
}

static void the_sheet_of_keys_opens_the_manual(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "F1");
    assert_false(hands->state->request.asks & APP_ASKS_MANUAL);
    hands_click(hands, "Manual");
    assert_true(hands->state->request.asks & APP_ASKS_MANUAL);
    hands->state->request.asks &= ~(unsigned)APP_ASKS_MANUAL;
    hands_key(hands, "Escape");
    hands_expect_not(hands, "Manual");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "documentation");
    hands_key(hands, "Enter");
    assert_true(hands->state->request.asks & APP_ASKS_MANUAL);
}

static void two_fingers_zoom_and_move_the_space(void **state)
{
    struct hands *hands = *state;
    struct rect panel;
    assert_true(canvas_find_group(hands_canvas(hands), "3-D view", 0, &panel));
    const struct view_camera before = hands->state->view.prefs.camera;
    const float x = panel.x + panel.w / 2, y = panel.y + panel.h / 2;
    hands_pinch(hands, x, y, 3, 0, 0);
    assert_true(hands->state->view.prefs.camera.zoom > before.zoom * 1.2f);
    const struct view_camera larger = hands->state->view.prefs.camera;
    hands_pinch(hands, x, y, 0, 30, -20);
    assert_float_equal(hands->state->view.prefs.camera.pan_x - larger.pan_x, 30, 0.01);
    assert_float_equal(hands->state->view.prefs.camera.pan_y - larger.pan_y, -20, 0.01);
    assert_true(hands->state->view.prefs.camera.azimuth == before.azimuth); /* turns nothing */
}

static void quit_and_zoom_are_asked_of_the_window(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "Ctrl++");
    assert_true(hands->state->request.ui_scale_step > 0);
    hands_key(hands, "Ctrl+-");
    assert_true(hands->state->request.ui_scale_step < 0);
    hands_key(hands, "Ctrl+0");
    assert_true(hands->state->request.asks & APP_ASKS_FIRST_SCALE);
    hands_key(hands, "F11");
    assert_true(hands->state->request.asks & APP_ASKS_FULLSCREEN);
    hands_key(hands, "Ctrl+Q");
    assert_true(hands->state->request.asks & APP_ASKS_QUIT);
}

static void ctrl_c_copies_the_scores_as_a_table(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "Ctrl+C");
    assert_non_null(strstr(hands->clipboard, "7.25\t7.25\t5\t6\n"));
}

static void a_seed_is_typed_where_it_stands(void **state)
{
    struct hands *const hands = *state;
    choose_row(hands, lesson_title("cats"), lesson_title("ten"));
    hands_key(hands, "2");
    hands_wait(hands, 2);
    const uint64_t before = document_present(&hands->state->document)->seed;
    const struct point label = hands_find(hands, "seed", 0);
    hands_click_at(hands, label.x + 155, label.y); /* its number */
    hands_type(hands, "7");
    hands_key(hands, "Enter");
    assert_int_equal(document_present(&hands->state->document)->seed, 7);
    hands_expect(hands, "Random · 7");
    while (document_can_undo(&hands->state->document) &&
           document_present(&hands->state->document)->seed != before) {
        hands_key(hands, "Ctrl+Z");
    }
    assert_int_equal(document_present(&hands->state->document)->seed, before);
}

static void s_folds_the_settings_away(void **state)
{
    struct hands *hands = *state;
    hands_expect(hands, "Weights");
    hands_key(hands, "S");
    hands_expect_not(hands, "Weights");
    hands_key(hands, "S");
    hands_expect(hands, "Weights");
}

static void tab_reaches_the_controls_and_enter_acts(void **unused)
{
    (void)unused;
    bool reached = false;
    for (int tabs = 1; tabs < 40 && !reached; tabs++) {
        struct hands *hands = hands_open("cats", 1440, 900);
        for (int i = 0; i < tabs; i++) {
            hands_key(hands, "Tab");
        }
        hands_key(hands, "Enter");
        reached = hands->state->view.playback.stage == LAB_BLEND &&
                  hands_count(hands, stage_headline(LAB_BLEND));
        hands_close(hands);
    }
    assert_true(reached);
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, open_cats, close_cats)

/* A slider gives the keys back: an arrow means the stage again. */
static void a_slider_gives_the_focus_back(void **state)
{
    struct hands *hands = *state;
    hands_show_settings(hands);
    drag_heads(hands);
    const size_t heads = hands->state->document.experiment.heads;
    const enum lab_stage stage = hands->state->view.playback.stage;
    hands_key(hands, "Right");
    assert_int_equal(hands->state->document.experiment.heads, heads);
    assert_int_equal(hands->state->view.playback.stage, stage + 1);
}

/* Settings fold, and show by themselves what the stage uses. */
static void the_settings_show_what_the_stage_uses(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "1");
    hands_expect(hands, "Toy 3-D");
    hands_expect_not(hands, "temperature τ");
    hands_key(hands, "5");
    hands_expect_not(hands, "Toy 3-D");
    hands_expect(hands, "temperature τ");
    hands_click(hands, "Words"); /* by hand it opens anywhere */
    hands_expect(hands, "Toy 3-D");
    hands_click(hands, "Words");
    hands_expect_not(hands, "Toy 3-D");
    for (const char *const *title =
             (const char *const[]){"Words", "Weights", "Attention", "Display", NULL};
         *title != NULL; title++) {
        hands_expect(hands, *title);
    }
}

static void rows_keep_their_places_when_one_comes_into_use(void **state)
{
    struct hands *hands = *state;
    hands_key(hands, "5");
    const float before = hands_find(hands, "softmax", 0).y;
    choose_row(hands, "None", "Window");
    assert_true(hands_find(hands, "softmax", 0).y == before);
}

static void every_view_is_a_click_away_and_so_is_what_is_switched_on(void **state)
{
    struct hands *hands = *state;
    struct view_state *const view = &hands->state->view;
    hands_click(hands, "Flow");
    assert_true(view->prefs.display.flow);
    hands_click(hands, "Costs");
    hands_expect(hands, "What each kind costs here");
    hands_click(hands, "Kinds"); /* from sheet to sheet */
    assert_int_equal(view->overlay, VIEW_OVERLAY_KINDS);
    hands_click(hands, "Decode");
    assert_int_equal(view->overlay, VIEW_OVERLAY_DECODE);
    hands_click(hands, "Stage");
    assert_int_equal(view->overlay, VIEW_OVERLAY_NONE);
    assert_false(view->prefs.display.flow);
    hands_click(hands, "Compare");
    assert_int_equal(view->compare, VIEW_COMPARE_SIDE);
    hands_click(hands, "Stage");
    hands_click(hands, "kept to compare");
    assert_null(hands->state->document.baseline);
    hands_key(hands, "l");
    hands_expect(hands, "lines");
    hands_click(hands, "lines");
    assert_false(view->prefs.display.lines);
    hands_expect_not(hands, "lines");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        a_test(it_opens_on_the_score_of_dog_and_cat),
        a_test(a_click_on_softmax_opens_the_softmax),
        a_test(every_stage_has_a_key_and_a_headline),
        a_test(arrows_walk_the_stages_and_stop_at_both_ends),
        a_test(the_stepper_walks_too),
        a_test(a_typed_word_becomes_a_fifth_row),
        a_test(undo_takes_back_and_redo_does_again),
        a_test(backspace_takes_the_last_word_away),
        a_test(without_words_it_says_what_to_do),
        a_test(a_pasted_sentence_is_split_into_words),
        a_test(letters_in_the_field_are_no_commands),
        a_test(t_turns_the_light_off_and_on),
        a_test(the_lesson_menu_opens_ten_tokens_with_eight_heads),
        a_test(a_click_on_a_head_chooses_it_everywhere),
        a_test(a_colour_map_changes_the_colours_but_no_number),
        a_test(pointing_at_a_number_previews_it_and_a_click_keeps_it),
        a_test(up_and_down_walk_the_queries),
        a_test(space_plays_and_pauses),
        a_test(an_idle_window_asks_for_no_frame),
        a_test(a_drag_turns_the_space_and_a_double_click_turns_it_back),
        a_test(help_shows_all_keys_and_esc_closes_it),
        a_test(the_sheet_of_keys_opens_the_manual),
        a_test(two_fingers_zoom_and_move_the_space),
        a_test(quit_and_zoom_are_asked_of_the_window),
        a_test(ctrl_c_copies_the_scores_as_a_table),
        a_test(a_seed_is_typed_where_it_stands),
        a_test(s_folds_the_settings_away),
        a_test(a_slider_gives_the_focus_back),
        a_test(the_settings_show_what_the_stage_uses),
        a_test(rows_keep_their_places_when_one_comes_into_use),
        a_test(every_view_is_a_click_away_and_so_is_what_is_switched_on),
        cmocka_unit_test(tab_reaches_the_controls_and_enter_acts),
        cmocka_unit_test(every_setting_changes_the_numbers_and_undo_brings_them_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
