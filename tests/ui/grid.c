/* tests/ui/grid.c — cells that the keyboard reaches. */
#include "hands.h"

struct sheet {
    struct hands hands;
    size_t rows, columns, row, column;
    int moves, activations;
    bool focused;
};

static const struct rect cells = {20, 60, 200, 100};

static void page(struct hands *hands)
{
    struct sheet *sheet = hands->state;
    ui_button(&hands->ui, "before", (struct rect){20, 20, 100, 30},
              &(struct ui_button){.label = "Before"});
    const uint32_t id = ui_id(&hands->ui, "matrix");
    ui_touch(&hands->ui, id, cells, false);
    const struct ui_grid_answer answer =
        ui_grid(&hands->ui, id, cells, sheet->rows, sheet->columns, &sheet->row, &sheet->column);
    sheet->moves += answer.moved;
    sheet->activations += answer.activated;
    sheet->focused = answer.focused;
    ui_button(&hands->ui, "behind", (struct rect){20, 200, 100, 30},
              &(struct ui_button){.label = "Behind"});
}

static int set_up(void **state)
{
    struct sheet *sheet = test_calloc(1, sizeof *sheet);
    sheet->rows = 3;
    sheet->columns = 4;
    hands_open(&sheet->hands, page, sheet);
    *state = sheet;
    return 0;
}

static int tear_down(void **state)
{
    struct sheet *sheet = *state;
    hands_close(&sheet->hands);
    test_free(sheet);
    return 0;
}

static void tab_to_cells(struct sheet *sheet)
{
    hands_key(&sheet->hands, UI_KEY_TAB, 0);
    hands_key(&sheet->hands, UI_KEY_TAB, 0);
}

static void expect_cell(const struct sheet *sheet, size_t row, size_t column)
{
    assert_int_equal(sheet->row, row);
    assert_int_equal(sheet->column, column);
}

static void tab_reaches_the_cells_and_goes_on(void **state)
{
    struct sheet *sheet = *state;
    tab_to_cells(sheet);
    assert_true(sheet->focused);
    hands_key(&sheet->hands, UI_KEY_TAB, 0);
    assert_false(sheet->focused);
    assert_int_equal(sheet->hands.memory.focus, ui_id(&sheet->hands.ui, "behind"));
}

static void arrows_walk_and_stop_at_the_edges(void **state)
{
    struct sheet *sheet = *state;
    tab_to_cells(sheet);
    hands_key(&sheet->hands, UI_KEY_RIGHT, 0);
    hands_key(&sheet->hands, UI_KEY_DOWN, 0);
    expect_cell(sheet, 1, 1);
    assert_int_equal(sheet->moves, 2);
    hands_key(&sheet->hands, UI_KEY_END, 0);
    hands_key(&sheet->hands, UI_KEY_RIGHT, 0);
    expect_cell(sheet, 1, 3);
    assert_int_equal(sheet->moves, 3);
    assert_true(sheet->hands.keys_consumed); /* at the edge it is still no command */
    hands_key(&sheet->hands, UI_KEY_HOME, UI_CTRL);
    expect_cell(sheet, 0, 0);
    hands_key(&sheet->hands, UI_KEY_PAGE_DOWN, 0);
    expect_cell(sheet, 2, 0);
    hands_key(&sheet->hands, UI_KEY_UP, 0);
    hands_key(&sheet->hands, UI_KEY_LEFT, 0);
    expect_cell(sheet, 1, 0);
}

static void enter_does_what_a_click_does(void **state)
{
    struct sheet *sheet = *state;
    hands_key(&sheet->hands, UI_KEY_ENTER, 0);
    assert_int_equal(sheet->activations, 0);
    tab_to_cells(sheet);
    hands_key(&sheet->hands, UI_KEY_ENTER, 0);
    assert_int_equal(sheet->activations, 1);
    assert_true(sheet->hands.keys_consumed);
}

static void after_a_click_arrows_stay_commands_and_tab_goes_on(void **state)
{
    struct sheet *sheet = *state;
    hands_click(&sheet->hands, 100, 100);
    hands_key(&sheet->hands, UI_KEY_DOWN, 0);
    assert_false(sheet->hands.keys_consumed);
    expect_cell(sheet, 0, 0);
    hands_key(&sheet->hands, UI_KEY_TAB, 0);
    assert_int_equal(sheet->hands.memory.focus, ui_id(&sheet->hands.ui, "behind"));
}

static void cells_that_are_gone_are_left(void **state)
{
    struct sheet *sheet = *state;
    tab_to_cells(sheet);
    hands_key(&sheet->hands, UI_KEY_END, UI_CTRL);
    expect_cell(sheet, 2, 3);
    sheet->rows = sheet->columns = 2;
    hands_key(&sheet->hands, UI_KEY_LEFT, 0);
    expect_cell(sheet, 1, 0);
    sheet->rows = 0;
    hands_feed(&sheet->hands);
    hands_key(&sheet->hands, UI_KEY_RIGHT, 0);
    expect_cell(sheet, 1, 0);
    assert_int_equal(sheet->hands.memory.focus, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(tab_reaches_the_cells_and_goes_on),
        CASE(arrows_walk_and_stop_at_the_edges),
        CASE(enter_does_what_a_click_does),
        CASE(after_a_click_arrows_stay_commands_and_tab_goes_on),
        CASE(cells_that_are_gone_are_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
