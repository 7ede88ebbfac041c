/* tests/ui/frame.c — focus, hover, tooltips, scroll areas, splitters: what belongs to no single
 * widget. */
#include <stdio.h>
#include <string.h>

#include "hands.h"

struct board {
    struct hands hands;
    int clicks[3];
    const char *long_tip; /* of the third */
    int below;            /* clicks on what lies under a smaller thing */
    bool hide_two, second_hovered;
    float offset, bar;
    int inner[20]; /* clicks on rows in the scroll area */
};

static const struct rect scrolled = {20, 200, 200, 120};

static void rows(struct hands *hands, struct board *board)
{
    const float at = ui_scroll_begin(&hands->ui, "rows", scrolled, 20 * 30, &board->offset);
    for (int i = 0; i < 20; i++) {
        char name[16];
        snprintf(name, sizeof name, "row %d", i);
        board->inner[i] +=
            ui_button(&hands->ui, name, (struct rect){20, 200 + 30 * (float)i - at, 180, 28},
                      &(struct ui_button){.label = name});
    }
    ui_scroll_end(&hands->ui);
}

static void page(struct hands *hands)
{
    static const char *const names[] = {"one", "two", "three"};
    static const char *const tips[] = {"the first (Ctrl+1)", "the second", NULL};
    struct board *board = hands->state;
    const struct rect whole = {0, 0, 800, 100};
    board->below += ui_touch(&hands->ui, ui_id(&hands->ui, "whole"), whole, false).clicked;
    for (int i = 0; i < 3; i++) {
        const struct rect area = {20 + 100 * (float)i, 20, 90, 32};
        if (i != 1 || !board->hide_two) {
            board->clicks[i] += ui_button(
                &hands->ui, names[i], area,
                &(struct ui_button){.label = names[i], .tip = i < 2 ? tips[i] : board->long_tip});
        }
    }
    board->second_hovered = hands->ui.hot == ui_id(&hands->ui, "two");
    rows(hands, board);
    ui_splitter(&hands->ui, "divider", (struct rect){board->bar - 5, 200, 10, 300}, true, 300, 600,
                450, &board->bar);
}

static int set_up(void **state)
{
    struct board *board = test_calloc(1, sizeof *board);
    board->bar = 400;
    hands_open(&board->hands, page, board);
    *state = board;
    return 0;
}

static int tear_down(void **state)
{
    struct board *board = *state;
    hands_close(&board->hands);
    test_free(board);
    return 0;
}

static uint32_t id_of(struct board *board, const char *name)
{
    return ui_id(&board->hands.ui, name);
}

static void tab_goes_round_in_the_order_of_the_page(void **state)
{
    struct board *board = *state;
    static const char *const order[] = {"one", "two", "three", "row 0"};
    for (size_t i = 0; i < 4; i++) {
        hands_key(&board->hands, UI_KEY_TAB, 0);
        assert_int_equal(board->hands.memory.focus, id_of(board, order[i]));
    }
    for (size_t i = 3; i > 0; i--) {
        hands_key(&board->hands, UI_KEY_TAB, UI_SHIFT);
        assert_int_equal(board->hands.memory.focus, id_of(board, order[i - 1]));
    }
    hands_key(&board->hands, UI_KEY_TAB, UI_SHIFT);
    assert_int_equal(board->hands.memory.focus, id_of(board, "divider"));
    hands_key(&board->hands, UI_KEY_TAB, 0);
    assert_int_equal(board->hands.memory.focus, id_of(board, "one"));
}

static size_t rings(struct board *board)
{
    size_t found = 0;
    const struct colour accent = board->hands.theme->accent;
    for (size_t i = 0; i < canvas_count(board->hands.canvas); i++) {
        const struct canvas_command *command = canvas_command_at(board->hands.canvas, i);
        found += command->kind == CANVAS_RECT && command->paint.fill.alpha == 0 &&
                 command->paint.width == 2 &&
                 memcmp(&command->paint.stroke, &accent, sizeof accent) == 0;
    }
    return found;
}

static void the_ring_shows_for_the_keyboard_only(void **state)
{
    struct board *board = *state;
    hands_click_text(&board->hands, "two");
    assert_int_equal(rings(board), 0);
    hands_key(&board->hands, UI_KEY_TAB, 0);
    assert_int_equal(board->hands.memory.focus, id_of(board, "three"));
    assert_int_equal(rings(board), 1);
}

static void enter_and_space_press_what_the_keyboard_reached(void **state)
{
    struct board *board = *state;
    hands_key(&board->hands, UI_KEY_SPACE, 0);
    assert_false(board->hands.keys_consumed);
    hands_key(&board->hands, UI_KEY_TAB, 0);
    hands_key(&board->hands, UI_KEY_SPACE, 0);
    assert_true(board->hands.keys_consumed);
    hands_key(&board->hands, UI_KEY_ENTER, 0);
    assert_int_equal(board->clicks[0], 2);
}

static void space_stays_a_command_after_a_click(void **state)
{
    struct board *board = *state;
    hands_click_text(&board->hands, "one");
    hands_key(&board->hands, UI_KEY_SPACE, 0);
    assert_int_equal(board->clicks[0], 1);
    assert_false(board->hands.keys_consumed);
}

static void a_click_counts_only_where_it_began(void **state)
{
    struct board *board = *state;
    const struct point one = hands_find(&board->hands, "one"),
                       two = hands_find(&board->hands, "two");
    hands_drag(&board->hands, one.x, one.y, two.x, two.y);
    assert_int_equal(board->clicks[0] + board->clicks[1], 0);
    hands_click(&board->hands, two.x, two.y);
    assert_int_equal(board->clicks[1], 1);
    board->hands.input.pressed = board->hands.input.released = UI_LEFT_BUTTON;
    hands_feed(&board->hands); /* a tap shorter than a frame */
    assert_int_equal(board->clicks[1], 2);
    assert_int_equal(board->hands.memory.active, 0);
}

static void what_is_on_top_gets_the_click_alone(void **state)
{
    struct board *board = *state;
    hands_click_text(&board->hands, "one");
    assert_int_equal(board->clicks[0], 1);
    assert_int_equal(board->below, 0);
    hands_click(&board->hands, 500, 60);
    assert_int_equal(board->below, 1);
}

static void nobody_is_hovered_while_another_is_held(void **state)
{
    struct board *board = *state;
    const struct point one = hands_find(&board->hands, "one"),
                       two = hands_find(&board->hands, "two");
    hands_press(&board->hands, one.x, one.y, 1);
    hands_move(&board->hands, two.x, two.y);
    assert_false(board->second_hovered);
    hands_release(&board->hands);
    assert_true(board->second_hovered);
}

static void a_click_on_nothing_lets_the_focus_go(void **state)
{
    struct board *board = *state;
    hands_key(&board->hands, UI_KEY_TAB, 0);
    hands_click(&board->hands, 700, 550);
    assert_int_equal(board->hands.memory.focus, 0);
}

static void what_disappears_loses_the_focus(void **state)
{
    struct board *board = *state;
    hands_key(&board->hands, UI_KEY_TAB, 0);
    hands_key(&board->hands, UI_KEY_TAB, 0);
    board->hide_two = true;
    hands_feed(&board->hands);
    assert_int_equal(board->hands.memory.focus, 0);
}

static void a_tooltip_comes_after_half_a_second_of_rest(void **state)
{
    struct board *board = *state;
    const struct point one = hands_find(&board->hands, "one"),
                       two = hands_find(&board->hands, "two");
    hands_move(&board->hands, one.x, one.y);
    assert_false(hands_see(&board->hands, "the first (Ctrl+1)"));
    assert_true(board->hands.ui.wake > board->hands.input.time); /* it asks to be woken */
    board->hands.input.time = board->hands.ui.wake - 0.001;
    hands_feed(&board->hands);
    assert_true(hands_see(&board->hands, "the first (Ctrl+1)"));
    assert_true(board->hands.ui.wake == 0); /* then the window sleeps */
    hands_move(&board->hands, two.x, two.y);
    assert_true(hands_see(&board->hands, "the second"));
    hands_click(&board->hands, two.x, two.y);
    hands_wait(&board->hands, 2);
    assert_false(hands_see(&board->hands, "the second"));
    board->hands.input.inside = false;
    hands_feed(&board->hands);
    hands_wait(&board->hands, 2);
    hands_move(&board->hands, two.x + 8, two.y); /* where it was before would be no movement */
    assert_false(hands_see(&board->hands, "the second"));
    hands_wait(&board->hands, 0.6);
    assert_true(hands_see(&board->hands, "the second"));
}

static void rest_on(struct board *board, const char *name)
{
    const struct point at = hands_find(&board->hands, name);
    board->hands.input.inside = false;
    hands_feed(&board->hands);
    hands_move(&board->hands, at.x, at.y);
    hands_wait(&board->hands, 0.6);
}

static void a_tooltip_goes_with_any_act_until_the_pointer_moves(void **state)
{
    struct board *board = *state;
    const char *tip = "the first (Ctrl+1)";
    for (int act = 0; act < 4; act++) {
        rest_on(board, "one");
        assert_true(hands_see(&board->hands, tip));
        if (act == 0) {
            hands_click_text(&board->hands, "one");
        } else if (act == 1) {
            hands_key(&board->hands, 'q', 0);
        } else if (act == 2) {
            board->hands.input.wheel_y = 1;
            hands_feed(&board->hands);
        } else {
            board->hands.input.pressed = UI_RIGHT_BUTTON;
            hands_feed(&board->hands);
        }
        assert_false(hands_see(&board->hands, tip));
        hands_wait(&board->hands, 3);
        assert_false(hands_see(&board->hands, tip));
        assert_true(board->hands.ui.wake == 0);
        hands_move(&board->hands, board->hands.input.x + 8, board->hands.input.y);
        hands_wait(&board->hands, 0.6);
        assert_true(hands_see(&board->hands, tip));
    }
}

/* Lines of the tooltip: what is drawn in its group. */
static size_t tip_lines(struct board *board, float *least, float *most)
{
    const struct canvas *canvas = board->hands.canvas;
    size_t count = 0, at = 0;
    while (at < canvas_count(canvas) &&
           !(canvas_command_at(canvas, at)->kind == CANVAS_GROUP &&
             strncmp(canvas_text_of(canvas, canvas_command_at(canvas, at)), "tooltip", 7) == 0)) {
        at++;
    }
    for (; at < canvas_count(canvas); at++) {
        const struct canvas_command *command = canvas_command_at(canvas, at);
        float wide = 0;
        if (command->kind == CANVAS_TEXT && canvas_text_said(command, &wide) > 0) {
            *least = count == 0 || wide < *least ? wide : *least;
            *most = count == 0 || wide > *most ? wide : *most;
            count++;
        }
    }
    return count;
}

static void the_lines_of_a_tooltip_are_of_about_one_length(void **state)
{
    struct board *board = *state;
    static const char *const tips[] = {
        "Divide every score by the root of d_k before the softmax sees it (key / 2)",
        "A matrix of random numbers whose seed is written behind its name, so that everybody has "
        "the same numbers on every machine"};
    for (size_t i = 0; i < 2; i++) {
        board->long_tip = tips[i];
        rest_on(board, "three");
        float least = 0, most = 0;
        assert_true(tip_lines(board, &least, &most) >= 2);
        assert_true(most <= 320);
        assert_true(least > 0.6f * most);
    }
    assert_false(hands_see(&board->hands, "2)"));
}

static void a_tooltip_comes_with_the_keyboard_too(void **state)
{
    struct board *board = *state;
    hands_key(&board->hands, UI_KEY_TAB, 0);
    hands_wait(&board->hands, 0.6);
    assert_true(hands_see(&board->hands, "the first (Ctrl+1)"));
}

static void a_resting_pointer_does_not_hide_the_keyboards_tooltip(void **state)
{
    struct board *board = *state;
    for (int i = 0; i < 2; i++) {
        rest_on(board, i == 0 ? "one" : "two");
        board->hands.memory.focus = 0;
        hands_key(&board->hands, UI_KEY_TAB, 0);
        if (i == 0) {
            hands_key(&board->hands, UI_KEY_TAB, 0);
        }
        hands_wait(&board->hands, 0.6);
        assert_true(hands_see(&board->hands, i == 0 ? "the second" : "the first (Ctrl+1)"));
        assert_false(hands_see(&board->hands, i == 0 ? "the first (Ctrl+1)" : "the second"));
    }
}

static void the_wheel_moves_rows_and_hidden_rows_cannot_be_clicked(void **state)
{
    struct board *board = *state;
    hands_click(&board->hands, 60, 200 + 30 * 5 + 10); /* row 5 would be there */
    assert_int_equal(board->inner[5], 0);
    hands_wheel(&board->hands, 60, 250, -2);
    assert_true(board->offset == 96);
    assert_false(hands_see(&board->hands, "row 0"));
    hands_click(&board->hands, 60, 200 + 30 * 5 + 10 - 96);
    assert_int_equal(board->inner[5], 1);
    hands_wheel(&board->hands, 60, 250, -100);
    assert_true(board->offset == 20 * 30 - 120);
    hands_wheel(&board->hands, 60, 250, 100);
    assert_true(board->offset == 0);
}

static void tab_brings_a_row_into_view(void **state)
{
    struct board *board = *state;
    for (int i = 0; i < 3 + 15; i++) {
        hands_key(&board->hands, UI_KEY_TAB, 0);
    }
    assert_int_equal(board->hands.memory.focus, id_of(board, "row 14"));
    assert_true(hands_see(&board->hands, "row 14"));
    const struct rect row = hands_group(&board->hands, "row 14");
    assert_true(row.y >= scrolled.y && row.y + row.h <= scrolled.y + scrolled.h);
}

static void the_scroll_bar_can_be_dragged(void **state)
{
    struct board *board = *state;
    const struct rect bar = hands_group(&board->hands, "scroll bar");
    hands_drag(&board->hands, bar.x + 2, bar.y + 5, bar.x + 2, bar.y + 500);
    assert_true(board->offset == 20 * 30 - 120);
}

static void a_splitter_follows_the_pointer_within_its_limits(void **state)
{
    struct board *board = *state;
    hands_move(&board->hands, 400, 300);
    assert_int_equal(board->hands.ui.cursor, UI_CURSOR_RESIZE_H);
    hands_drag(&board->hands, 400, 300, 500, 310);
    assert_true(board->bar == 500);
    hands_drag(&board->hands, 502, 300, 5000, 310);
    assert_true(board->bar == 600);
    hands_press(&board->hands, 600, 300, 1);
    hands_release(&board->hands);
    assert_true(board->bar == 600);
    hands_press(&board->hands, 600, 300, 2);
    hands_release(&board->hands);
    assert_true(board->bar == 450);
    hands_key(&board->hands, UI_KEY_TAB, UI_SHIFT);
    hands_key(&board->hands, UI_KEY_TAB, 0);
    hands_key(&board->hands, UI_KEY_LEFT, 0);
    assert_true(board->bar == 434);
}

static void ids_depend_on_the_scope_and_the_number(void **state)
{
    struct board *board = *state;
    struct ui *ui = &board->hands.ui;
    const uint32_t outside = ui_id(ui, "a");
    ui_push(ui, "scope");
    const uint32_t inside = ui_id(ui, "a");
    ui_pop(ui);
    assert_int_not_equal(outside, inside);
    assert_int_equal(outside, ui_id(ui, "a"));
    assert_int_not_equal(ui_id_number(ui, "a", 1), ui_id_number(ui, "a", 2));
    assert_int_not_equal(ui_id_number(ui, "a", 1), outside);
    for (int i = 0; i < 40; i++) {
        ui_push(ui, "deep");
    }
    for (int i = 0; i < 40; i++) {
        ui_pop(ui);
    }
    assert_int_equal(outside, ui_id(ui, "a"));
}

static void both_themes_can_be_read(void **state)
{
    (void)state;
    static const char *const names[] = {"light", "dark"};
    for (size_t i = 0; i < 2; i++) {
        const struct ui_theme *theme = ui_theme_find(names[i]);
        assert_non_null(theme);
        assert_true(colour_contrast(theme->ink, theme->panel) >= 7);
        assert_true(colour_contrast(theme->ink, theme->control) >= 7);
        assert_true(colour_contrast(theme->muted, theme->panel) >= 4.5f);
        assert_true(colour_contrast(theme->accent_ink, theme->accent) >= 4.5f);
    }
    assert_null(ui_theme_find("sepia"));
    assert_null(ui_theme_find(NULL));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(tab_goes_round_in_the_order_of_the_page),
        CASE(the_ring_shows_for_the_keyboard_only),
        CASE(enter_and_space_press_what_the_keyboard_reached),
        CASE(space_stays_a_command_after_a_click),
        CASE(a_click_counts_only_where_it_began),
        CASE(what_is_on_top_gets_the_click_alone),
        CASE(nobody_is_hovered_while_another_is_held),
        CASE(a_click_on_nothing_lets_the_focus_go),
        CASE(what_disappears_loses_the_focus),
        CASE(a_tooltip_comes_after_half_a_second_of_rest),
        CASE(a_tooltip_goes_with_any_act_until_the_pointer_moves),
        CASE(the_lines_of_a_tooltip_are_of_about_one_length),
        CASE(a_tooltip_comes_with_the_keyboard_too),
        CASE(a_resting_pointer_does_not_hide_the_keyboards_tooltip),
        CASE(the_wheel_moves_rows_and_hidden_rows_cannot_be_clicked),
        CASE(tab_brings_a_row_into_view),
        CASE(the_scroll_bar_can_be_dragged),
        CASE(a_splitter_follows_the_pointer_within_its_limits),
        CASE(ids_depend_on_the_scope_and_the_number),
        cmocka_unit_test(both_themes_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
