/* ui/grid.c — the keyboard walks over cells that somebody else draws. */
#include "ui/inside.h"
#include "ui/widgets.h"

/* What a key does to one direction: a step, or all the way to an end. */
enum walk { STAY, BACK, ON, FIRST, LAST };

static const struct {
    uint32_t key;
    unsigned mods;
    enum walk row, column;
} walks[] = {
    {UI_KEY_LEFT, 0, STAY, BACK},         {UI_KEY_RIGHT, 0, STAY, ON},
    {UI_KEY_UP, 0, BACK, STAY},           {UI_KEY_DOWN, 0, ON, STAY},
    {UI_KEY_HOME, 0, STAY, FIRST},        {UI_KEY_END, 0, STAY, LAST},
    {UI_KEY_PAGE_UP, 0, FIRST, STAY},     {UI_KEY_PAGE_DOWN, 0, LAST, STAY},
    {UI_KEY_HOME, UI_CTRL, FIRST, FIRST}, {UI_KEY_END, UI_CTRL, LAST, LAST},
};

static size_t walked(size_t at, enum walk walk, size_t count)
{
    const size_t last = count - 1, from = at < count ? at : last;
    switch (walk) {
    case BACK:
        return from > 0 ? from - 1 : 0;
    case ON:
        return from < last ? from + 1 : last;
    case FIRST:
        return 0;
    case LAST:
        return last;
    default:
        return from;
    }
}

struct ui_grid_answer ui_grid(struct ui *ui, uint32_t id, struct rect area, size_t rows,
                              size_t columns, size_t *row, size_t *column)
{
    struct ui_memory *memory = ui->memory;
    struct ui_grid_answer answer = {0};
    if (rows == 0 || columns == 0) {
        return answer;
    }
    ui_join(ui, id, area);
    if (memory->active == id && (ui->input->pressed & UI_LEFT_BUTTON) != 0) {
        ui_take_focus(ui, id);
        memory->focus_visible = false;
    }
    if (!ui_has_focus(ui, id) || !memory->focus_visible) {
        return answer;
    }
    answer.focused = true;
    const size_t row_before = *row, column_before = *column;
    for (size_t i = 0; i < sizeof walks / sizeof walks[0]; i++) {
        while (ui_stroke_taken(ui, id, walks[i].key, walks[i].mods)) {
            *row = walked(*row, walks[i].row, rows);
            *column = walked(*column, walks[i].column, columns);
        }
    }
    answer.moved = *row != row_before || *column != column_before;
    if (answer.moved) {
        ui_again(ui);
    }
    answer.activated = ui_stroke_taken(ui, id, UI_KEY_ENTER, 0);
    answer.activated = ui_stroke_taken(ui, id, UI_KEY_SPACE, 0) || answer.activated;
    return answer;
}
