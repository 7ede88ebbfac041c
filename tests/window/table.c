/* Each key and each action of the pointer, row by row of the table of hands, as far as no other
 * test of this folder has it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hands.h"

static int open_cats(void **given)
{
    *given = hands_open("cats", 1440, 900);
    return 0;
}

static int close_cats(void **given)
{
    hands_close(*given);
    return 0;
}

static void home_and_end_go_to_the_ends(void **given)
{
    struct hands *hands = *given;
    hands_key(hands, "End");
    assert_int_equal(hands->state->view.playback.stage, LAB_OUTPUT);
    hands_key(hands, "Home");
    assert_int_equal(hands->state->view.playback.stage, LAB_EMBED);
}

static void brackets_change_the_speed(void **given)
{
    struct hands *hands = *given;
    hands_key(hands, "]");
    hands_expect_part(hands, "Speed × 1.50");
    hands_key(hands, "[");
    hands_key(hands, "[");
    hands_expect_part(hands, "Speed × 0.67");
}

static void shift_with_arrows_walks_the_keys(void **given)
{
    struct hands *hands = *given;
    const size_t key = hands->state->view.pinned.key;
    hands_key(hands, "Shift+Down");
    assert_int_equal(hands->state->view.pinned.key, key + 1);
    hands_key(hands, "Shift+Left");
    assert_int_equal(hands->state->view.pinned.key, key);
}

static void escape_lets_go(void **given)
{
    struct hands *hands = *given;
    hands_key(hands, "Escape");
    assert_true(hands->state->view.let_go);
    hands_click(hands, "lion");
    assert_false(hands->state->view.let_go);
}

static void ctrl_y_does_again(void **given)
{
    struct hands *hands = *given;
    hands_key(hands, "Ctrl+R");
    hands_key(hands, "Ctrl+Z");
    assert_int_equal(hands->state->document.experiment.weights, LAB_WEIGHTS_IDENTITY);
    hands_key(hands, "Ctrl+Y");
    assert_int_equal(hands->state->document.experiment.weights, LAB_WEIGHTS_RANDOM);
}

static void copies_come_in_three_forms(void **given)
{
    struct hands *hands = *given;
    hands_key(hands, "Ctrl+C");
    assert_non_null(strstr(hands->clipboard, "\t"));
    hands_key(hands, "Ctrl+Shift+C");
    assert_non_null(strstr(hands->clipboard, "np.array(["));
    hands_key(hands, "Ctrl+Alt+C");
    assert_non_null(strstr(hands->clipboard, "\\begin{bmatrix}"));
}

static void ctrl_e_opens_the_sheet_for_saving(void **given)
{
    struct hands *hands = *given;
    hands_key(hands, "Ctrl+E");
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_EXPORT);
    hands_key(hands, "Escape");
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_NONE);
}

static void ctrl_s_saves_and_ctrl_o_offers_files(void **given)
{
    struct hands *hands = *given;
    hands_save(hands);
    hands_expect_part(hands, "Saved as ");
    char first[sizeof hands->state->document.work->path];
    snprintf(first, sizeof first, "%s", hands->state->document.work->path);
    hands_key(hands, "Ctrl+Shift+S");
    hands_key(hands, "Enter");
    assert_string_not_equal(hands->state->document.work->path, first);
    hands_key(hands, "Ctrl+O");
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_FIND);
    hands_key(hands, "Escape");
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_NONE);
    remove(first);
    remove(hands->state->document.work->path);
}

static void ctrl_k_finds_a_command_by_name(void **given)
{
    struct hands *hands = *given;
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "equal shares");
    hands_key(hands, "Enter");
    const struct lab_matrix alpha = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 0);
    assert_true(fabsf(lab_matrix_at(&alpha, 1, 2) - 0.25f) < 1e-6f);
    hands_key(hands, "Ctrl+Shift+P");
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_FIND);
}

static void expect_nothing_but_its_own(struct hands *hands)
{
    hands_wait(hands, 0.5);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 0);
    assert_string_equal(hands->state->document.experiment.lesson, "");
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_NONE);
    hands_type(hands, "whale "); /* the word field waits for the first word */
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 1);
    hands_expect(hands, "whale");
}

static void an_empty_experiment_is_in_the_menu_of_lessons(void **given)
{
    struct hands *hands = *given;
    hands_click(hands, "Cats, dogs and a lion");
    hands_click(hands, "Empty experiment");
    expect_nothing_but_its_own(hands);
}

static void ctrl_k_finds_an_empty_experiment(void **given)
{
    struct hands *hands = *given;
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "empty exp");
    hands_expect(hands, "Empty experiment");
    hands_key(hands, "Enter");
    expect_nothing_but_its_own(hands);
}

static void the_grey_theme_is_chosen_in_display(void **given)
{
    struct hands *hands = *given;
    hands_resize(hands, 1440, 1800); /* nothing is scrolled out of sight */
    hands_show_settings(hands);
    assert_false(hands->state->theme->grey);
    hands_click(hands, "Light");
    hands_click(hands, "Grey");
    assert_true(hands->state->theme->grey);
    hands_expect(hands, "Grey");
    hands_expect_not(hands, "Light");
}

static void presenter_and_blank_screen(void **given)
{
    struct hands *hands = *given;
    hands_expect(hands, "Weights");
    hands_key(hands, "F5");
    hands_expect_not(hands, "Weights");
    hands_expect(hands, "Embed");
    hands_key(hands, ".");
    hands_expect_not(hands, "Embed");
    hands_key(hands, ".");
    hands_expect(hands, "Embed");
    hands_key(hands, "F5");
    hands_expect(hands, "Weights");
}

static void page_keys_walk_the_lesson(void **given)
{
    struct hands *hands = *given;
    hands_key(hands, "PageDown");
    assert_int_equal(hands->state->document.step, 1);
    hands_key(hands, "PageUp");
    assert_int_equal(hands->state->document.step, 0);
}

static void l_draws_heads_as_lines_and_o_the_sheet(void **given)
{
    struct hands *hands = *given;
    hands_key(hands, "L");
    assert_true(hands->state->view.prefs.display.lines);
    hands_key(hands, "O");
    hands_expect(hands, "The whole flow");
    hands_key(hands, "Escape");
    hands_expect_not(hands, "The whole flow");
}

static void a_chip_is_chosen_edited_and_moved(void **given)
{
    struct hands *hands = *given;
    hands_click(hands, "lion");
    assert_int_equal(hands->state->view.pinned.query, 2);
    hands_double_click(hands, "lion");
    hands_key(hands, "Ctrl+A");
    hands_type(hands, "tiger");
    hands_key(hands, "Enter");
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[2], "tiger");
    hands_key(hands, "Escape");
    const struct point from = hands_find(hands, "NYC", 0), to = hands_find(hands, "cat", 0);
    hands_drag(hands, from.x, from.y, to.x - 30, to.y);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[0], "NYC");
}

/* In 3-D: the left button turns, the right one or ⇧ moves, the wheel zooms, a double click goes
 * home. */
static void the_space_turns_moves_zooms_and_goes_home(void **given)
{
    struct hands *hands = *given;
    const struct view_camera home = hands->state->view.prefs.camera;
    const struct view_camera *camera = &hands->state->view.prefs.camera;
    const float x = 1340, y = 480; /* nothing stands there */
    hands->input.mods = UI_SHIFT;
    hands_drag(hands, x, y, x - 60, y - 30);
    hands->input.mods = 0;
    assert_true(fabsf(camera->pan_x - home.pan_x) > 1);
    assert_true(fabsf(camera->azimuth - home.azimuth) < 1e-4f);
    hands_press(hands, x, y, UI_LEFT_BUTTON, 2);
    hands_release(hands, x, y, UI_LEFT_BUTTON);
    assert_true(fabsf(camera->pan_x - home.pan_x) < 1e-4f);
    hands_press(hands, x, y, UI_RIGHT_BUTTON, 1);
    hands_move(hands, x - 40, y);
    hands_release(hands, x - 40, y, UI_RIGHT_BUTTON);
    assert_true(fabsf(camera->pan_x - home.pan_x) > 1);
    hands_wheel(hands, x, y, 2, 0);
    assert_true(camera->zoom > home.zoom);
    hands_drag(hands, x, y, x - 60, y);
    assert_true(fabsf(camera->azimuth - home.azimuth) > 1);
}

/* Eight parts, round and back; each time the focus stands elsewhere and its ring is to be seen. */
static void f6_goes_from_part_to_part(void **given)
{
    struct hands *hands = *given;
    uint64_t seen[12];
    size_t parts = 0;
    hands_key(hands, "F6");
    for (; parts < 12; parts++) {
        seen[parts] = app_frame_facts(hands->frame).hash;
        if (parts > 0 && seen[parts] == seen[0]) {
            break;
        }
        hands_key(hands, "F6");
    }
    assert_true(parts >= 5 && parts < 12);
    hands_key(hands, "Shift+F6");
    assert_true(app_frame_facts(hands->frame).hash == seen[parts - 1]);
}

int main(void)
{
#define HANDS(name) cmocka_unit_test_setup_teardown(name, open_cats, close_cats)
    const struct CMUnitTest tests[] = {
        HANDS(home_and_end_go_to_the_ends),
        HANDS(brackets_change_the_speed),
        HANDS(shift_with_arrows_walks_the_keys),
        HANDS(escape_lets_go),
        HANDS(ctrl_y_does_again),
        HANDS(copies_come_in_three_forms),
        HANDS(ctrl_e_opens_the_sheet_for_saving),
        HANDS(ctrl_s_saves_and_ctrl_o_offers_files),
        HANDS(ctrl_k_finds_a_command_by_name),
        HANDS(an_empty_experiment_is_in_the_menu_of_lessons),
        HANDS(ctrl_k_finds_an_empty_experiment),
        HANDS(the_grey_theme_is_chosen_in_display),
        HANDS(presenter_and_blank_screen),
        HANDS(page_keys_walk_the_lesson),
        HANDS(l_draws_heads_as_lines_and_o_the_sheet),
        HANDS(a_chip_is_chosen_edited_and_moved),
        HANDS(f6_goes_from_part_to_part),
        HANDS(the_space_turns_moves_zooms_and_goes_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
