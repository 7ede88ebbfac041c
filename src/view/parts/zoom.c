#include "view/parts/zoom.h"

#include <math.h>

#include "ui/widgets.h"
#include "view/parts/pieces.h"

enum { FEWEST = 6 }; /* words that it shows at least */

static const float STEP = 0.8f; /* of what is seen, a notch of the wheel */

bool view_zoom_is_for(const struct view_operand *operand)
{
    return operand->row_axis == VIEW_AXIS_QUERIES && operand->column_axis == VIEW_AXIS_KEYS &&
           !operand->transposed &&
           (operand->matrix.rows > VIEW_ZOOM_FROM || operand->matrix.cols > VIEW_ZOOM_FROM);
}

static bool lies_on(const struct view *view, const struct view_operand *operand)
{
    const struct view_zoom *const zoom = &view->state->zoom;
    return zoom->rows > 0 && view_zoom_is_for(operand) && zoom->rows <= operand->matrix.rows &&
           zoom->columns <= operand->matrix.cols;
}

static struct view_viewport stretch(float first, size_t count, size_t total)
{
    const size_t at = (size_t)fmaxf(0, roundf(first));
    return (struct view_viewport){at + count <= total ? at : total - count, count};
}

void view_zoom_reach(const struct view *view, const struct view_operand *operand,
                     struct view_viewport *row, struct view_viewport *column)
{
    const struct view_zoom *const zoom = &view->state->zoom;
    *row = (struct view_viewport){0, operand->matrix.rows};
    *column = (struct view_viewport){0, operand->matrix.cols};
    if (lies_on(view, operand)) {
        *row = stretch(zoom->row, zoom->rows, operand->matrix.rows);
        *column = stretch(zoom->column, zoom->columns, operand->matrix.cols);
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

struct view_zoom view_zoom_nearer(struct view_zoom zoom, size_t rows, size_t columns, float steps,
                                  float x, float y)
{
    struct view_zoom next = zoom.rows > 0 && zoom.rows <= rows && zoom.columns <= columns
                                ? zoom
                                : (struct view_zoom){0, 0, rows, columns};
    const float factor = powf(STEP, steps);
    scale(&next.row, &next.rows, rows, factor, y);
    scale(&next.column, &next.columns, columns, factor, x);
    return next.rows == rows && next.columns == columns ? (struct view_zoom){0} : next;
}

static void action(struct view *view, struct view_zoom zoom)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_ZOOM, .zoom = zoom});
}

static float within(float value, size_t count, size_t total)
{
    return fmaxf(0, fminf(value, (float)(total - count)));
}

void view_zoom_feel(struct view *view, const struct view_operand *operand, struct rect cells,
                    const struct view_matrix_hit *hit)
{
    struct ui *const ui = view->ui;
    const size_t rows = operand->matrix.rows, columns = operand->matrix.cols;
    const bool lies = lies_on(view, operand);
    struct view_zoom zoom = view->state->zoom;
    if (!view_zoom_is_for(operand) || (!hit->hover && !hit->held)) {
        return;
    }
    const float notches = ui->input->wheel_y + ui->input->pinch;
    if (hit->hover && notches != 0 && !ui->wheel_taken && (ui->input->mods & UI_CTRL) == 0) {
        ui->wheel_taken = true;
        action(view,
               view_zoom_nearer(zoom, rows, columns, notches, (ui->input->x - cells.x) / cells.w,
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
        zoom.column = within(zoom.column + across * (float)zoom.columns, zoom.columns, columns);
        zoom.row =
            within(zoom.row + (rolls ? 0 : dy / cells.h * (float)zoom.rows), zoom.rows, rows);
        ui->wheel_taken = ui->wheel_taken || rolls || slides;
        action(view, zoom);
    }
}

void view_zoom_switch(struct view *view, struct rect cells, float above)
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
