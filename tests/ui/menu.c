/* tests/ui/menu.c — dropdowns: opening, choosing, and what they cover. */
#include <stdio.h>
#include <string.h>

#include "hands.h"

enum { MANY = 100 };

struct list {
    struct hands hands;
    const char *const *rows;
    const char *label; /* shown instead of the row; NULL: the row */
    size_t count, current;
    int below; /* clicks on the button that the open rows cover */
    struct rect area;
};

static const char *const masks[] = {"None", "Causal", "Window", "Custom"};

static void page(struct hands *hands)
{
    struct list *list = hands->state;
    list->below += ui_button(&hands->ui, "below", (struct rect){20, 60, 300, 120},
                             &(struct ui_button){.label = "Below"});
    const size_t chosen = ui_menu(&hands->ui, "mask", list->area,
                                  &(struct ui_menu){.rows = list->rows,
                                                    .count = list->count,
                                                    .current = list->current,
                                                    .label = list->label,
                                                    .tip = "which keys a query may see"});
    list->current = chosen < list->count ? chosen : list->current;
    list->below += ui_button(&hands->ui, "later", (struct rect){20, 190, 300, 40},
                             &(struct ui_button){.label = "Later"});
}

static int set_up(void **state)
{
    struct list *list = test_calloc(1, sizeof *list);
    list->rows = masks;
    list->count = 4;
    list->area = (struct rect){20, 20, 160, 30};
    hands_open(&list->hands, page, list);
    *state = list;
    return 0;
}

static int tear_down(void **state)
{
    struct list *list = *state;
    hands_close(&list->hands);
    test_free(list);
    return 0;
}

static bool is_open(struct list *list)
{
    struct rect area = {0};
    return canvas_find_group(list->hands.canvas, "menu", 0, &area);
}

static void a_click_opens_and_a_click_chooses(void **state)
{
    struct list *list = *state;
    hands_click_text(&list->hands, "None");
    assert_true(is_open(list));
    hands_click_text(&list->hands, "Window");
    assert_int_equal(list->current, 2);
    assert_false(is_open(list));
    assert_true(hands_see(&list->hands, "Window"));
    assert_int_equal(list->below, 0);
}

static void a_label_stands_on_the_control_and_the_rows_stay_plain(void **state)
{
    struct list *list = *state;
    list->label = "Causal · 42";
    list->current = 1;
    hands_feed(&list->hands);
    assert_true(hands_see(&list->hands, "Causal · 42"));
    assert_false(hands_see(&list->hands, "Causal"));
    hands_click_text(&list->hands, "Causal · 42");
    assert_true(hands_see(&list->hands, "Causal · 42"));
    for (size_t i = 0; i < 4; i++) {
        assert_true(hands_group(&list->hands, masks[i]).y >= list->hands.memory.open_area.y);
        assert_true(hands_see(&list->hands, masks[i]));
    }
    assert_int_equal(list->hands.memory.open_row, 1);
    hands_click_text(&list->hands, "Custom");
    assert_int_equal(list->current, 3);
}

static void press_drag_and_let_go_chooses_in_one_go(void **state)
{
    struct list *list = *state;
    hands_press(&list->hands, 60, 35, 1);
    const struct point row = hands_find(&list->hands, "Causal");
    hands_move(&list->hands, row.x, row.y);
    hands_release(&list->hands);
    assert_int_equal(list->current, 1);
    assert_false(is_open(list));
}

static void a_tap_shorter_than_a_frame_opens(void **state)
{
    struct list *list = *state;
    hands_move(&list->hands, 60, 35);
    list->hands.input.pressed = list->hands.input.released = UI_LEFT_BUTTON;
    hands_feed(&list->hands);
    assert_true(is_open(list));
}

static void a_click_elsewhere_closes_and_presses_nothing(void **state)
{
    struct list *list = *state;
    hands_click_text(&list->hands, "None");
    hands_click_text(&list->hands, "Later");
    assert_false(is_open(list));
    assert_int_equal(list->below, 0);
    assert_int_equal(list->current, 0);
    hands_click_text(&list->hands, "Later");
    assert_int_equal(list->below, 1);
    hands_click_text(&list->hands, "None");
    hands_click(&list->hands, 60, 35); /* its own control closes it */
    assert_false(is_open(list));
}

static void the_keyboard_opens_moves_and_takes(void **state)
{
    struct list *list = *state;
    hands_key(&list->hands, UI_KEY_TAB, 0);
    hands_key(&list->hands, UI_KEY_TAB, 0);
    hands_key(&list->hands, UI_KEY_DOWN, 0);
    assert_true(is_open(list));
    hands_key(&list->hands, UI_KEY_DOWN, 0);
    hands_key(&list->hands, UI_KEY_ENTER, 0);
    assert_int_equal(list->current, 1);
    hands_key(&list->hands, UI_KEY_SPACE, 0);
    hands_key(&list->hands, UI_KEY_UP, 0);
    hands_key(&list->hands, UI_KEY_UP, 0);
    hands_key(&list->hands, UI_KEY_ENTER, 0);
    assert_int_equal(list->current, 3); /* from the first row up is the last */
    hands_key(&list->hands, UI_KEY_ENTER, 0);
    hands_key(&list->hands, UI_KEY_HOME, 0);
    hands_key(&list->hands, UI_KEY_ESCAPE, 0);
    assert_int_equal(list->current, 3);
    assert_false(is_open(list));
}

static void a_letter_goes_to_the_next_row_that_begins_so(void **state)
{
    struct list *list = *state;
    hands_click_text(&list->hands, "None");
    hands_key(&list->hands, 'c', 0);
    assert_true(list->hands.keys_consumed);
    hands_key(&list->hands, 'c', 0);
    hands_key(&list->hands, UI_KEY_ENTER, 0);
    assert_int_equal(list->current, 3);
}

static void tab_closes_and_moves_on(void **state)
{
    struct list *list = *state;
    hands_click_text(&list->hands, "None");
    hands_key(&list->hands, UI_KEY_TAB, 0);
    assert_false(is_open(list));
    assert_int_equal(list->hands.memory.focus, ui_id(&list->hands.ui, "later"));
}

static void a_long_menu_stays_in_the_window_and_scrolls(void **state)
{
    struct list *list = *state;
    static char names[MANY][24];
    static const char *rows[MANY];
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "lesson %d", i);
        rows[i] = names[i];
    }
    list->rows = rows;
    list->count = MANY;
    hands_click(&list->hands, 60, 35);
    const struct rect menu = list->hands.memory.open_area;
    assert_true(menu.y >= 0 && menu.y + menu.h <= 600);
    assert_false(hands_see(&list->hands, "lesson 99"));
    hands_wheel(&list->hands, 60, 300, -1000);
    hands_click_text(&list->hands, "lesson 99");
    assert_int_equal(list->current, 99);
    hands_click(&list->hands, 60, 35);
    hands_key(&list->hands, UI_KEY_UP, 0);
    hands_key(&list->hands, UI_KEY_UP, 0);
    assert_true(hands_see(&list->hands, "lesson 97"));
}

static void a_menu_at_the_bottom_opens_upward(void **state)
{
    struct list *list = *state;
    list->area.y = 560;
    hands_feed(&list->hands);
    hands_click(&list->hands, 60, 570);
    const struct rect menu = list->hands.memory.open_area;
    assert_true(menu.y + menu.h <= 560);
    hands_click_text(&list->hands, "Custom");
    assert_int_equal(list->current, 3);
}

static void a_menu_that_disappears_closes(void **state)
{
    struct list *list = *state;
    hands_click_text(&list->hands, "None");
    list->count = 0;
    hands_feed(&list->hands);
    assert_false(is_open(list));
    hands_click_text(&list->hands, "Below");
    assert_int_equal(list->below, 1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_click_opens_and_a_click_chooses),
        CASE(a_label_stands_on_the_control_and_the_rows_stay_plain),
        CASE(press_drag_and_let_go_chooses_in_one_go),
        CASE(a_tap_shorter_than_a_frame_opens),
        CASE(a_click_elsewhere_closes_and_presses_nothing),
        CASE(the_keyboard_opens_moves_and_takes),
        CASE(a_letter_goes_to_the_next_row_that_begins_so),
        CASE(tab_closes_and_moves_on),
        CASE(a_long_menu_stays_in_the_window_and_scrolls),
        CASE(a_menu_at_the_bottom_opens_upward),
        CASE(a_menu_that_disappears_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
