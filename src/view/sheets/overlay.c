#include "view/sheets/overlay.h"

#include <math.h>

#include "ui/widgets.h"
#include "view/parts/pieces.h"

static const float MARGIN = 16, CLOSE = 32, CLOSE_IN = 48, CLOSE_DOWN = 14;

struct rect view_overlay_place(const struct view *view, struct rect area, float wide, float high)
{
    if (view->in_panel) {
        return area;
    }
    wide = fminf(wide, area.w - MARGIN);
    high = fminf(high, area.h - MARGIN);
    return (struct rect){area.x + (area.w - wide) / 2, area.y + (area.h - high) / 2, wide, high};
}

void view_overlay_begin(struct view *view, struct rect area, const struct view_overlay_frame *frame)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    ui_push(view->ui, frame->name);
    if (view->in_panel) {
        view_panel(view, frame->place, frame->label);
        return;
    }
    const struct ui_touch ground = ui_touch(view->ui, ui_id(view->ui, "ground"), area, false);
    const bool beside = !rect_has(frame->place, view->ui->input->x, view->ui->input->y);
    if (ground.clicked && beside && !frame->stays_open) {
        view_action_command(view, "close");
    }
    view_shade(view, area);
    canvas_group(canvas, ui_id(view->ui, "sheet"), frame->label);
    if (view->style.has_cards) {
        canvas_rect(canvas, frame->place, UI_CORNER,
                    &(struct paint){.fill = theme->panel, .stroke = theme->line, .width = 1});
    }
}

void view_overlay_end(struct view *view, const struct view_overlay_frame *frame)
{
    const struct rect cross = {frame->place.x + frame->place.w - CLOSE_IN,
                               frame->place.y + CLOSE_DOWN, CLOSE, CLOSE};
    const struct ui_button button = {
        .icon = UI_ICON_CLOSE, .style = UI_BUTTON_BARE, .tip = "Close (Esc)"};
    if (!frame->no_cross && !view->in_panel && ui_button(view->ui, "close", cross, &button)) {
        view_action_command(view, "close");
    }
    canvas_ungroup(view->ui->canvas);
    ui_pop(view->ui);
}
