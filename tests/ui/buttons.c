/* tests/ui/buttons.c — buttons, switches, tabs: what they answer and where they draw. */
#include <string.h>

#include "hands.h"

struct panel {
    struct hands hands;
    int exported, refused;
    bool scaled;
    size_t tab;
    float width;
};

static const struct rect export_area = {20, 20, 90, 36};

static void page(struct hands *hands)
{
    static const char *const tabs[] = {"Queries", "Keys", "Values"};
    struct panel *panel = hands->state;
    struct ui *ui = &hands->ui;
    panel->exported += ui_button(ui, "export", export_area,
                                 &(struct ui_button){.label = "Export", .style = UI_BUTTON_STRONG});
    panel->refused += ui_button(ui, "redo", (struct rect){120, 20, 90, 36},
                                &(struct ui_button){.label = "Redo", .disabled = true});
    ui_button(ui, "help", (struct rect){220, 20, 36, 36},
              &(struct ui_button){.icon = UI_ICON_HELP, .tip = "All keys (F1)"});
    ui_button(ui, "narrow", (struct rect){270, 20, panel->width, 36},
              &(struct ui_button){.label = "Begin from the start", .icon = UI_ICON_TO_START});
    if (ui_toggle(ui, "scale", (struct rect){20, 80, 200, 26}, "scale by 1/√dₖ", panel->scaled,
                  NULL)) {
        panel->scaled = !panel->scaled;
    }
    const size_t chosen =
        ui_tabs(ui, "projection", (struct rect){20, 120, 210, 30}, tabs, 3, panel->tab);
    panel->tab = chosen < 3 ? chosen : panel->tab;
}

static int set_up(void **state)
{
    struct panel *panel = test_calloc(1, sizeof *panel);
    panel->width = 60;
    hands_open(&panel->hands, page, panel);
    *state = panel;
    return 0;
}

static int tear_down(void **state)
{
    struct panel *panel = *state;
    hands_close(&panel->hands);
    test_free(panel);
    return 0;
}

static void a_button_answers_once_for_each_click(void **state)
{
    struct panel *panel = *state;
    hands_click_text(&panel->hands, "Export");
    hands_click_text(&panel->hands, "Export");
    assert_int_equal(panel->exported, 2);
    assert_int_equal(panel->hands.ui.cursor, UI_CURSOR_HAND);
}

static void a_disabled_button_answers_nothing_and_is_no_stop_for_tab(void **state)
{
    struct panel *panel = *state;
    hands_click_text(&panel->hands, "Redo");
    hands_key(&panel->hands, UI_KEY_TAB, 0);
    hands_key(&panel->hands, UI_KEY_TAB, 0);
    assert_int_equal(panel->hands.memory.focus, ui_id(&panel->hands.ui, "help"));
    assert_int_equal(panel->refused, 0);
}

static void an_icon_alone_is_known_by_its_tooltip(void **state)
{
    struct panel *panel = *state;
    const struct rect help = hands_group(&panel->hands, "All keys (F1)");
    assert_true(help.x >= 220 && help.x + help.w <= 256);
}

static void a_label_that_does_not_fit_is_cut_and_told_in_full(void **state)
{
    struct panel *panel = *state;
    const struct rect area = hands_group(&panel->hands, "Begin from the start");
    assert_true(area.x >= 270 && area.x + area.w <= 330);
    assert_false(hands_see(&panel->hands, "Begin from the start"));
    hands_move(&panel->hands, 300, 40);
    hands_wait(&panel->hands, 0.6);
    assert_true(hands_see(&panel->hands, "Begin from the start"));
}

static void a_switch_turns_by_hand_and_by_key(void **state)
{
    struct panel *panel = *state;
    hands_click_text(&panel->hands, "scale by 1/√dₖ");
    assert_true(panel->scaled);
    hands_click(&panel->hands, 205, 93);
    assert_false(panel->scaled);
    hands_key(&panel->hands, UI_KEY_TAB, UI_SHIFT);
    hands_key(&panel->hands, UI_KEY_TAB, 0);
    hands_key(&panel->hands, UI_KEY_SPACE, 0);
    assert_true(panel->scaled);
}

static void tabs_choose_by_click_and_by_arrows(void **state)
{
    struct panel *panel = *state;
    hands_click_text(&panel->hands, "Values");
    assert_int_equal(panel->tab, 2);
    hands_key(&panel->hands, UI_KEY_RIGHT, 0);
    assert_int_equal(panel->tab, 2); /* after a click the arrows stay commands */
    hands_key(&panel->hands, UI_KEY_TAB, UI_SHIFT);
    hands_key(&panel->hands, UI_KEY_TAB, 0);
    hands_key(&panel->hands, UI_KEY_RIGHT, 0);
    assert_int_equal(panel->tab, 0);
    hands_key(&panel->hands, UI_KEY_LEFT, 0);
    assert_int_equal(panel->tab, 2);
}

static void a_button_without_room_draws_nothing_beside_itself(void **state)
{
    struct panel *panel = *state;
    static const float widths[] = {0, 1, 5, 20, 40};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        panel->width = widths[i];
        hands_feed(&panel->hands);
        const struct rect area = hands_group(&panel->hands, "Begin from the start");
        assert_true(area.w <= widths[i] + 0.1f);
    }
}

static void the_same_record_twice_draws_the_same(void **state)
{
    struct panel *panel = *state;
    hands_move(&panel->hands, 60, 40);
    hands_wait(&panel->hands, 1);
    const uint64_t hash = canvas_hash(panel->hands.canvas);
    hands_wait(&panel->hands, 1);
    assert_true(hash == canvas_hash(panel->hands.canvas));
    assert_true(panel->hands.ui.wake == 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_button_answers_once_for_each_click),
        CASE(a_disabled_button_answers_nothing_and_is_no_stop_for_tab),
        CASE(an_icon_alone_is_known_by_its_tooltip),
        CASE(a_label_that_does_not_fit_is_cut_and_told_in_full),
        CASE(a_switch_turns_by_hand_and_by_key),
        CASE(tabs_choose_by_click_and_by_arrows),
        CASE(a_button_without_room_draws_nothing_beside_itself),
        CASE(the_same_record_twice_draws_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
