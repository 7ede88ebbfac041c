/* Numbers as fields: a second click on a number opens it, dragging sideways changes it, and a dot
 * marks what was set by hand and restores the computed number. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "ui/widgets.h"
#include "view/parts/cell_edit.h"
#include "view/parts/hints.h"

static const float DRAG_FROM = 4;        /* points of movement that make a press a drag */
static const double DRAG_STEP = 0.02;    /* of a number, per point; with ⇧ ten times as much */
static const double WEIGHT_STEP = 0.005; /* of a weight, per point; with ⇧ the others stay */
static const float DOT = 2.75f, DOT_FROM = 13; /* radius; smallest cell that carries one */

static struct lab_cell cell_at(const struct view_matrix *matrix, size_t row, size_t column)
{
    return (struct lab_cell){.part = matrix->part,
                             .head = matrix->head,
                             .row = matrix->transposed ? column : row,
                             .column = matrix->transposed ? row : column};
}

static bool is_same_cell(const struct lab_cell *a, const struct lab_cell *b)
{
    return a->part == b->part && a->head == b->head && a->row == b->row && a->column == b->column;
}

static void append_cell_action(struct view *view, enum view_action_kind kind, struct lab_cell cell,
                               double number)
{
    view_action(view,
                &(struct view_action){.kind = kind, .edit = {.cell = cell, .number = number}});
}

static struct rect cell_area(const struct view_matrix *matrix, const struct lab_cell *cell)
{
    const float w = matrix->area.w / (float)view_matrix_columns(matrix);
    const float h = matrix->area.h / (float)view_matrix_rows(matrix);
    const size_t row = matrix->transposed ? cell->column : cell->row;
    const size_t column = matrix->transposed ? cell->row : cell->column;
    return (struct rect){matrix->area.x + (float)column * w, matrix->area.y + (float)row * h, w, h};
}

bool view_number_drag(struct view *view, struct ui_touch touch, const struct view_number *number)
{
    struct ui *ui = view->ui;
    const struct view_state *state = view->state;
    if (!touch.held && !touch.clicked) {
        return false;
    }
    if (touch.pressed) {
        ui->memory->grab_value = number->value;
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_GRAB});
        return false;
    }
    if (state->drag_given_up) {
        return true; /* Esc ended the drag: until the button is released */
    }
    const double moved = (double)(ui->input->x - number->pressed_at);
    if (fabs(moved) <= (double)DRAG_FROM && !state->dragging_number) {
        return false;
    }
    ui->cursor = UI_CURSOR_RESIZE_H;
    if (ui_stroke_consumed(ui, 0, UI_KEY_ESCAPE, 0)) {
        append_cell_action(view, VIEW_ACTION_CLOSE, number->cell, 0);
        return true;
    }
    const bool shift = (ui->input->mods & UI_SHIFT) != 0;
    const bool weight = number->cell.part == LAB_ALPHA;
    const double step = shift && !weight ? 10 * number->step : number->step;
    const double round_to = weight ? 1000 : 100;
    const double value = round((ui->memory->grab_value + moved * step) * round_to) / round_to;
    view_action(view,
                &(struct view_action){
                    .kind = VIEW_ACTION_EDIT,
                    .edit = {.cell = number->cell, .number = value, .shares = weight && !shift}});
    return true;
}

/* Lets the number of the pressed cell follow the pointer sideways. True during the drag. */
static bool drag_pressed_cell(struct view *view, const struct view_matrix *matrix,
                              struct ui_touch touch)
{
    const struct ui_memory *memory = view->ui->memory;
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    const struct rect window = view_matrix_window(matrix), all = matrix->area;
    const float x = fmaxf(0, (memory->grab_x + window.x - all.x) / all.w * (float)columns);
    const float y = fmaxf(0, (memory->grab_y + window.y - all.y) / all.h * (float)rows);
    if ((size_t)x >= columns || (size_t)y >= rows) {
        return false;
    }
    const struct view_number number = {.cell = cell_at(matrix, (size_t)y, (size_t)x),
                                       .value =
                                           (double)view_matrix_value(matrix, (size_t)y, (size_t)x),
                                       .pressed_at = window.x + memory->grab_x,
                                       .step = matrix->part == LAB_ALPHA ? WEIGHT_STEP : DRAG_STEP};
    return view_number_drag(view, touch, &number);
}

/* Draws a dot for every number set by hand; a click on it restores the computed one. */
static void draw_edit_dots(struct view *view, const struct view_matrix *matrix)
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
        const struct rect area = cell_area(matrix, &cell);
        const struct rect window = view_matrix_window(matrix);
        if (area.w < DOT_FROM || area.h < DOT_FROM ||
            !rect_has(window, area.x + area.w / 2, area.y + area.h / 2)) {
            continue;
        }
        const bool hidden = matrix->masked && !lab_trace_sees(view->trace, cell.row, cell.column);
        if (hidden && !(fabsf(edit.value) > 0)) { /* a hidden cell shows no number */
            continue;
        }
        const float edge = fminf(6, 0.16f * area.h); /* above the digits, also in low rows */
        const float x = area.x + area.w - edge, y = area.y + edge;
        const float dot = fminf(DOT, 0.75f * edge);
        const uint32_t id = ui_id_number(view->ui, "edit", i);
        const struct rect place = {x - 6, y - 6, 12, 12};
        const struct ui_touch touch = ui_touch(view->ui, id, place, false);
        canvas_circle(view->ui->canvas, x, y, touch.hover ? dot + 1.5f : dot,
                      &(struct paint){.fill = theme->accent, .stroke = theme->panel, .width = 1});
        char former[TEXT_NUMBER_MAX];
        text_nonzero_number(former,
                            (double)lab_trace_origin_value(view->trace, edit.part, edit.head,
                                                           edit.row, edit.column),
                            3);
        const char *tip =
            arena_format(view->arena, "Set by hand. It was %s: click to restore it", former);
        ui_tip(view->ui, id, place, tip != NULL ? tip : "");
        if (touch.clicked) {
            append_cell_action(view, VIEW_ACTION_RESTORE, cell, 0);
        }
    }
}

static bool is_key_pressed(const struct view *view, uint32_t key, unsigned mods)
{
    const struct ui_input *input = view->ui->input;
    for (size_t i = 0; i < input->strokes; i++) {
        if (input->stroke[i].key == key && input->stroke[i].mods == mods) {
            return true;
        }
    }
    return false;
}

/* Finds the cell that is edited next: after Tab the next one, after ⇧Tab the previous one. False:
 * there is none, as after Enter, behind which a digit is a stage again. */
static bool next_cell(const struct view *view, const struct view_matrix *matrix,
                      const struct lab_cell *cell, size_t *row, size_t *column)
{
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    *row = matrix->transposed ? cell->column : cell->row;
    *column = matrix->transposed ? cell->row : cell->column;
    const size_t at = *row * columns + *column;
    const bool back = is_key_pressed(view, UI_KEY_TAB, UI_SHIFT);
    if ((!back && !is_key_pressed(view, UI_KEY_TAB, 0)) ||
        (back ? at == 0 : at + 1 == rows * columns)) {
        return false;
    }
    *row = (back ? at - 1 : at + 1) / columns;
    *column = (back ? at - 1 : at + 1) % columns;
    return true;
}

/* Follows the typed text: every character changes the number at once, and Esc restores it. */
static void answer_field(struct view *view, const struct view_matrix *matrix,
                         const struct lab_cell *cell, const struct ui_field_answer *answer)
{
    double number = 0;
    const bool is_number = text_to_double(answer->text, &number);
    if (answer->event == UI_FIELD_LEFT) {
        append_cell_action(view, VIEW_ACTION_CLOSE, *cell, 0);
        return;
    }
    if (is_number) {
        append_cell_action(view, VIEW_ACTION_EDIT, *cell, number);
    }
    if (answer->event != UI_FIELD_COMMITTED) {
        return;
    }
    if (!is_number && strlen(answer->text) > 0) {
        view_action(view, &(struct view_action){
                              .kind = VIEW_ACTION_NO_NUMBER,
                              .text = arena_text(view->arena, answer->text, strlen(answer->text))});
    }
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_CLOSE,
                                            .edit = {.stays = true, .cell = *cell}});
    size_t row = 0, column = 0;
    if (is_number && next_cell(view, matrix, cell, &row, &column)) {
        view_cell_open(view, matrix, row, column);
    }
}

/* Draws the field over the cell that is being edited. */
static void draw_cell_field(struct view *view, const struct view_matrix *matrix)
{
    const struct view_state *state = view->state;
    const struct lab_cell *cell = &state->edit_cell;
    if (!state->edit_open || cell->part != matrix->part || cell->head != matrix->head ||
        state->edit_matrix != matrix->id || !lab_cell_exists(view->trace, cell)) {
        return;
    }
    struct rect area = cell_area(matrix, cell);
    char text[TEXT_NUMBER_MAX];
    text_number_exact(text, lab_matrix_at(&matrix->matrix, cell->row, cell->column));
    /* All digits are visible: the last of many would pass for the whole number. */
    const float width_min =
        fmaxf(62, canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_SMALL, text) + 22);
    if (area.w < width_min || area.h < 24) {
        const float wide = fmaxf(area.w, width_min), high = fmaxf(area.h, 24);
        const float centred = area.x + area.w / 2 - wide / 2;
        const float last = matrix->area.x + matrix->area.w - wide;
        /* It stays inside the matrix: the labels of its rows are drawn later. */
        area = (struct rect){fmaxf(matrix->area.x, fminf(centred, last)),
                             area.y + area.h / 2 - high / 2, wide, high};
    }
    const bool typed_into = view->ui->memory->edited == ui_id(view->ui, "number");
    const struct ui_field field = {.label = "Number",
                                   .text = text,
                                   .face = FONT_NUMBERS,
                                   .size = UI_TEXT_SMALL,
                                   .one_number = true,
                                   .begin = state->edit_new && !typed_into};
    const struct ui_field_answer answer =
        ui_field(view->ui, "number", rect_inset(area, -2), &field);
    if (answer.event != UI_FIELD_NOTHING) {
        answer_field(view, matrix, cell, &answer);
    }
}

bool view_cell_may_edit(const struct view *view, const struct view_matrix *matrix)
{
    return matrix->editable && view->trace != NULL && lab_edits_may(matrix->part);
}

void view_cell_open(struct view *view, const struct view_matrix *matrix, size_t row, size_t column)
{
    if (view_cell_may_edit(view, matrix)) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_OPEN,
                                                .edit = {.matrix = matrix->id,
                                                         .cell = cell_at(matrix, row, column)}});
    }
}

void view_cell_edit(struct view *view, const struct view_matrix *matrix, struct ui_touch touch,
                    struct view_matrix_hit *hit)
{
    if (!view_cell_may_edit(view, matrix)) {
        return;
    }
    const struct lab_cell cell = cell_at(matrix, hit->row, hit->column);
    if (drag_pressed_cell(view, matrix, touch)) {
        hit->clicked = false;
    } else if (hit->clicked && (view->ui->input->mods & UI_SHIFT) == 0) {
        const bool again = view->state->armed && is_same_cell(&cell, &view->state->edit_cell);
        view_action(view, &(struct view_action){.kind = again ? VIEW_ACTION_OPEN : VIEW_ACTION_ARM,
                                                .edit = {.matrix = matrix->id, .cell = cell}});
    }
    draw_edit_dots(view, matrix);
    draw_cell_field(view, matrix);
    const struct lab_cell *const armed = &view->state->edit_cell;
    if (view->state->armed && armed->part == matrix->part && armed->head == matrix->head &&
        lab_cell_exists(view->trace, armed)) {
        view_hint_at(view, VIEW_HINT_EDIT, cell_area(matrix, armed));
    }
}
