/* Overlays: which picture each is, and the frame that all of them have. */
#include "view/overlay.h"

#include <math.h>

#include "ui/widgets.h"
#include "view/import_dialog.h"
#include "view/pieces.h"

static const float MARGIN = 16, CLOSE = 32, CLOSE_IN = 48, CLOSE_DOWN = 14;

struct rect view_overlay_place(struct rect area, float wide, float high)
{
    wide = fminf(wide, area.w - MARGIN);
    high = fminf(high, area.h - MARGIN);
    return (struct rect){area.x + (area.w - wide) / 2, area.y + (area.h - high) / 2, wide, high};
}

void view_overlay_begin(struct view *view, struct rect area, const struct view_overlay_sheet *sheet)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    ui_push(view->ui, sheet->name);
    const struct ui_touch around = ui_touch(view->ui, ui_id(view->ui, "ground"), area, false);
    const bool beside = !rect_has(sheet->place, view->ui->input->x, view->ui->input->y);
    if (around.clicked && beside && !sheet->stays) {
        view_action_command(view, "close");
    }
    view_shade(view, area);
    canvas_group(canvas, ui_id(view->ui, "sheet"), sheet->label);
    canvas_rect(canvas, sheet->place, UI_CORNER,
                &(struct paint){.fill = theme->panel, .stroke = theme->line, .width = 1});
}

void view_overlay_end(struct view *view, const struct view_overlay_sheet *sheet)
{
    const struct rect cross = {sheet->place.x + sheet->place.w - CLOSE_IN,
                               sheet->place.y + CLOSE_DOWN, CLOSE, CLOSE};
    const struct ui_button look = {
        .icon = UI_ICON_CLOSE, .style = UI_BUTTON_BARE, .tip = "Close (Esc)"};
    if (!sheet->bare && ui_button(view->ui, "close", cross, &look)) {
        view_action_command(view, "close");
    }
    canvas_ungroup(view->ui->canvas);
    ui_pop(view->ui);
}

/* The pointer is far away, and no key is struck. */
static struct ui_input away_from(const struct ui_input *given)
{
    struct ui_input away = *given;
    away.x = away.y = -1e6f;
    away.inside = false;
    away.pressed = away.released = 0;
    away.wheel_x = away.wheel_y = 0;
    away.pinch = away.slide_x = away.slide_y = 0;
    away.strokes = 0;
    away.text = away.paste = NULL;
    return away;
}

void view_draw_overlay(struct view *view, struct rect area,
                       void (*draw_panels)(struct view *view, struct rect area))
{
    static void (*const pictures[VIEW_OVERLAYS])(struct view * view, struct rect area) = {
        [VIEW_OVERLAY_HELP] = view_help,     [VIEW_OVERLAY_FIND] = view_find,
        [VIEW_OVERLAY_EXPORT] = view_export, [VIEW_OVERLAY_IMPORT] = view_import,
        [VIEW_OVERLAY_COSTS] = view_costs,   [VIEW_OVERLAY_KINDS] = view_kinds_sheet,
        [VIEW_OVERLAY_DECODE] = view_decode,
    };
    const enum view_overlay overlay = view->state->overlay;
    if (overlay == VIEW_OVERLAY_NONE) {
        draw_panels(view, area);
        return;
    }
    struct ui *const ui = view->ui;
    const struct ui_input *const given = ui->input;
    const struct ui_input away = away_from(given);
    ui->input = &away;
    draw_panels(view, area);
    ui->input = given;
    ui->focus_count = ui->regions = 0; /* Tab and F6 stay on the overlay */
    pictures[overlay](view, area);
}
