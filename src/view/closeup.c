#include "view/closeup.h"

#include <math.h>

#include "ui/widgets.h"
#include "view/pieces.h"

enum { FEWEST = 6 }; /* words that it shows at least */

static const float STEP = 0.8f; /* of what is seen, a notch of the wheel */

bool view_closeup_is_for(const struct view_operand *operand)
{
    return operand->row_axis == VIEW_AXIS_QUERIES && operand->column_axis == VIEW_AXIS_KEYS &&
           !operand->transposed &&
           (operand->matrix.rows > VIEW_CLOSEUP_FROM || operand->matrix.cols > VIEW_CLOSEUP_FROM);
}

static bool lies_on(const struct view *view, const struct view_operand *operand)
{
    const struct view_closeup *const closeup = &view->state->closeup;
    return closeup->rows > 0 && view_closeup_is_for(operand) &&
           closeup->rows <= operand->matrix.rows && closeup->columns <= operand->matrix.cols;
}

static struct view_reach stretch(float first, size_t count, size_t total)
{
    const size_t at = (size_t)fmaxf(0, roundf(first));
    return (struct view_reach){at + count <= total ? at : total - count, count};
}

void view_closeup_reach(const struct view *view, const struct view_operand *operand,
                        struct view_reach *row, struct view_reach *column)
{
    const struct view_closeup *const closeup = &view->state->closeup;
    *row = (struct view_reach){0, operand->matrix.rows};
    *column = (struct view_reach){0, operand->matrix.cols};
    if (lies_on(view, operand)) {
        *row = stretch(closeup->row, closeup->rows, operand->matrix.rows);
        *column = stretch(closeup->column, closeup->columns, operand->matrix.cols);
    }
}

/* One axis: so many cells from `first` on become fewer or more, and what is at `share` stays there.
 */
static void scale(float *first, size_t *count, size_t total, float factor, float share)
{
    const float least = fminf(FEWEST, (float)total), was = (float)*count;
    float fresh = roundf(was * factor);
    fresh = factor < 1 ? fminf(fresh, was - 1) : fmaxf(fresh, was + 1);
    fresh = fmaxf(least, fminf(fresh, (float)total));
    *first = fmaxf(0, fminf(*first + share * (was - fresh), (float)total - fresh));
    *count = (size_t)fresh;
}

struct view_closeup view_closeup_nearer(struct view_closeup closeup, size_t rows, size_t columns,
                                        float steps, float x, float y)
{
    struct view_closeup next =
        closeup.rows > 0 && closeup.rows <= rows && closeup.columns <= columns
            ? closeup
            : (struct view_closeup){0, 0, rows, columns};
    const float factor = powf(STEP, steps);
    scale(&next.row, &next.rows, rows, factor, y);
    scale(&next.column, &next.columns, columns, factor, x);
    return next.rows == rows && next.columns == columns ? (struct view_closeup){0} : next;
}

static void action(struct view *view, struct view_closeup closeup)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_CLOSEUP, .closeup = closeup});
}

static float within(float value, size_t count, size_t total)
{
    return fmaxf(0, fminf(value, (float)(total - count)));
}

void view_closeup_feel(struct view *view, const struct view_operand *operand, struct rect cells,
                       const struct view_matrix_hit *hit)
{
    struct ui *const ui = view->ui;
    const size_t rows = operand->matrix.rows, columns = operand->matrix.cols;
    const bool lies = lies_on(view, operand);
    struct view_closeup closeup = view->state->closeup;
    if (!view_closeup_is_for(operand) || (!hit->hover && !hit->held)) {
        return;
    }
    const float notches = ui->input->wheel_y + ui->input->pinch;
    if (hit->hover && notches != 0 && !ui->wheel_taken && (ui->input->mods & UI_CTRL) == 0) {
        ui->wheel_taken = true;
        action(view, view_closeup_nearer(closeup, rows, columns, notches,
                                         (ui->input->x - cells.x) / cells.w,
                                         (ui->input->y - cells.y) / cells.h));
        return;
    }
    const bool rolls = hit->hover && ui->input->wheel_x != 0 && !ui->wheel_taken;
    const bool slides =
        hit->hover && !ui->wheel_taken && (ui->input->slide_x != 0 || ui->input->slide_y != 0);
    const float dx = slides ? -ui->input->slide_x : ui->memory->pointer_x - ui->input->x,
                dy = slides ? -ui->input->slide_y : ui->memory->pointer_y - ui->input->y;
    if (lies && (rolls || slides || (hit->held && !hit->pressed && (dx != 0 || dy != 0)))) {
        const float across = rolls ? ui->input->wheel_x * 0.1f : dx / cells.w;
        closeup.column =
            within(closeup.column + across * (float)closeup.columns, closeup.columns, columns);
        closeup.row = within(closeup.row + (rolls ? 0 : dy / cells.h * (float)closeup.rows),
                             closeup.rows, rows);
        ui->wheel_taken = ui->wheel_taken || rolls || slides;
        action(view, closeup);
    }
}

void view_closeup_switch(struct view *view, struct rect cells, float above)
{
    static const char *const labels[] = {"Largest", "Mean"};
    static const char *const tips[] = {
        "Each dot is the largest of the weights that share it: nothing bright disappears",
        "Each dot is the mean of the weights that share it"};
    const struct rect place = {cells.x + cells.w - 124, cells.y - above, 124, 24};
    const size_t current = view->state->by_mean ? 1 : 0;
    const size_t chosen = ui_tabs(view->ui, "dots", place, labels, 2, current);
    ui_tab_tips(view->ui, "dots", place, tips, 2);
    if (chosen < 2 && chosen != current) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_REDUCE, .index = chosen});
    }
}
