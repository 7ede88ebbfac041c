/* Numbers as fields: a second click on a number opens it, dragging sideways changes it, a dot marks
 * what was typed by hand and gives the former number back. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "ui/widgets.h"
#include "view/cell_edit.h"

static const float DRAG_FROM = 4;     /* points before a press becomes a drag */
static const double DRAG_STEP = 0.02; /* of a number, for a point; with ⇧ ten times as much */
static const float DOT = 2.75f, DOT_FROM = 13; /* radius; smallest cell that carries one */

static struct lab_cell cell_at(const struct view_matrix *matrix, size_t row, size_t column)
{
    return (struct lab_cell){.part = matrix->part,
                             .head = matrix->head,
                             .row = matrix->transposed ? column : row,
                             .column = matrix->transposed ? row : column};
}

static bool same_cell(const struct lab_cell *a, const struct lab_cell *b)
{
    return a->part == b->part && a->head == b->head && a->row == b->row && a->column == b->column;
}

static void wish_cell(struct view *view, enum view_wish_kind kind, struct lab_cell cell,
                      double number)
{
    view_wish(view, &(struct view_wish){.kind = kind, .cell = cell, .number = number});
}

static struct rect area_of(const struct view_matrix *matrix, const struct lab_cell *cell)
{
    const float w = matrix->area.w / (float)view_matrix_columns(matrix);
    const float h = matrix->area.h / (float)view_matrix_rows(matrix);
    const size_t row = matrix->transposed ? cell->column : cell->row;
    const size_t column = matrix->transposed ? cell->row : cell->column;
    return (struct rect){matrix->area.x + (float)column * w, matrix->area.y + (float)row * h, w, h};
}

/* The number of the cell that was pressed follows the pointer sideways. True while it does. */
static bool drag(struct view *view, const struct view_matrix *matrix, struct ui_touch touch)
{
    struct ui_memory *memory = view->ui->memory;
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    const float x = fmaxf(0, memory->grab_x / matrix->area.w * (float)columns);
    const float y = fmaxf(0, memory->grab_y / matrix->area.h * (float)rows);
    if ((!touch.held && !touch.clicked) || (size_t)x >= columns || (size_t)y >= rows) {
        return false;
    }
    if (touch.pressed) {
        memory->grab_value = (double)view_matrix_value(matrix, (size_t)y, (size_t)x);
        view_wish(view, &(struct view_wish){.kind = VIEW_WISH_GRAB});
        return false;
    }
    const double moved = (double)(view->ui->input->x - matrix->area.x - memory->grab_x);
    if (fabs(moved) <= (double)DRAG_FROM && !view->state->dragging_number) {
        return false;
    }
    const double step = view->ui->input->mods & UI_SHIFT ? 10 * DRAG_STEP : DRAG_STEP;
    const double value = round((memory->grab_value + moved * step) * 100) / 100;
    wish_cell(view, VIEW_WISH_EDIT, cell_at(matrix, (size_t)y, (size_t)x), value);
    view->ui->cursor = UI_CURSOR_RESIZE_H;
    return true;
}

/* One dot for every number typed by hand; a click on it gives the former one back. */
static void draw_dots(struct view *view, const struct view_matrix *matrix)
{
    const struct lab_edits *edits = lab_trace_experiment(view->trace)->edits;
    const struct ui_theme *theme = view->ui->theme;
    for (size_t i = 0; i < lab_edits_count(edits); i++) {
        const struct lab_edit edit = lab_edits_at(edits, i);
        const struct lab_cell cell = {edit.part, edit.head, edit.row, edit.column};
        if (edit.part != matrix->part || edit.head != matrix->head ||
            !lab_cell_exists(view->trace, &cell)) {
            continue;
        }
        const struct rect area = area_of(matrix, &cell);
        if (area.w < DOT_FROM || area.h < DOT_FROM) {
            continue;
        }
        const float x = area.x + area.w - 6, y = area.y + 6;
        const uint32_t id = ui_id_number(view->ui, "edit", i);
        const struct rect place = {x - 6, y - 6, 12, 12};
        const struct ui_touch touch = ui_touch(view->ui, id, place, false);
        canvas_circle(view->ui->canvas, x, y, touch.hover ? DOT + 1.5f : DOT,
                      &(struct paint){.fill = theme->accent, .stroke = theme->panel, .width = 1});
        char former[TEXT_NUMBER_MAX];
        text_number(former,
                    (double)lab_trace_origin_value(view->trace, edit.part, edit.head, edit.row,
                                                   edit.column),
                    3);
        const char *tip =
            arena_format(view->arena, "Typed by hand. It was %s: click to restore it", former);
        ui_tip(view->ui, id, place, tip != NULL ? tip : "");
        if (touch.clicked) {
            wish_cell(view, VIEW_WISH_RESTORE, cell, 0);
        }
    }
}

/* The field over the cell that is open. */
static void draw_field(struct view *view, const struct view_matrix *matrix)
{
    const struct view_state *state = view->state;
    const struct lab_cell *cell = &state->edit_cell;
    if (!state->edit_open || cell->part != matrix->part || cell->head != matrix->head ||
        state->edit_matrix != matrix->id || !lab_cell_exists(view->trace, cell)) {
        return;
    }
    struct rect area = area_of(matrix, cell);
    const float least = 62;
    if (area.w < least || area.h < 24) {
        area = (struct rect){area.x + area.w / 2 - fmaxf(area.w, least) / 2,
                             area.y + area.h / 2 - fmaxf(area.h, 24) / 2, fmaxf(area.w, least),
                             fmaxf(area.h, 24)};
    }
    char text[TEXT_NUMBER_MAX];
    text_number_exact(text, lab_matrix_at(&matrix->matrix, cell->row, cell->column));
    const struct ui_field field = {.label = "Number",
                                   .text = text,
                                   .face = FONT_NUMBERS,
                                   .size = UI_TEXT_SMALL,
                                   .begin = state->edit_new};
    const struct ui_field_answer answer =
        ui_field(view->ui, "number", rect_inset(area, -2), &field);
    double number = 0;
    if (answer.event == UI_FIELD_LEFT) {
        wish_cell(view, VIEW_WISH_CLOSE, *cell, 0);
    } else if (answer.event != UI_FIELD_NOTHING && text_to_double(answer.text, &number)) {
        wish_cell(view, VIEW_WISH_EDIT, *cell, number);
    } else if (answer.event == UI_FIELD_TAKEN && strlen(answer.text) > 0) {
        view_wish(view, &(struct view_wish){
                            .kind = VIEW_WISH_NO_NUMBER,
                            .text = arena_text(view->arena, answer.text, strlen(answer.text))});
    }
    if (answer.event == UI_FIELD_TAKEN) {
        view_wish(view, &(struct view_wish){.kind = VIEW_WISH_CLOSE, .other = 1, .cell = *cell});
    }
}

void view_cell_open(struct view *view, const struct view_matrix *matrix, size_t row, size_t column)
{
    if (matrix->editable && view->trace != NULL && lab_edits_may(matrix->part)) {
        view_wish(view, &(struct view_wish){.kind = VIEW_WISH_OPEN,
                                            .index = matrix->id,
                                            .cell = cell_at(matrix, row, column)});
    }
}

void view_cell_edit(struct view *view, const struct view_matrix *matrix, struct ui_touch touch,
                    struct view_matrix_hit *hit)
{
    if (!matrix->editable || view->trace == NULL || !lab_edits_may(matrix->part)) {
        return;
    }
    const struct lab_cell cell = cell_at(matrix, hit->row, hit->column);
    if (drag(view, matrix, touch)) {
        hit->clicked = false;
    } else if (hit->clicked) {
        const bool again = view->state->armed && same_cell(&cell, &view->state->edit_cell);
        view_wish(view, &(struct view_wish){.kind = again ? VIEW_WISH_OPEN : VIEW_WISH_ARM,
                                            .index = matrix->id,
                                            .cell = cell});
    }
    draw_dots(view, matrix);
    draw_field(view, matrix);
}
