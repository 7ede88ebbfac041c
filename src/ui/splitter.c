/* ui/splitter.c — the bar between two panels. */
#include <math.h>

#include "ui/inside.h"
#include "ui/widgets.h"

#define KEY_STEP 16.0f

static bool splitter_keys(struct ui *ui, uint32_t id, bool upright, float middle, float *position)
{
    if (!ui->memory->focus_visible) {
        return false;
    }
    if (ui_stroke_taken(ui, id, upright ? UI_KEY_LEFT : UI_KEY_UP, 0)) {
        *position = middle - KEY_STEP;
        return true;
    }
    if (ui_stroke_taken(ui, id, upright ? UI_KEY_RIGHT : UI_KEY_DOWN, 0)) {
        *position = middle + KEY_STEP;
        return true;
    }
    return false;
}

bool ui_splitter(struct ui *ui, const char *name, struct rect area, bool upright, float low,
                 float high, float home, float *position)
{
    const uint32_t id = ui_id(ui, name);
    ui_join(ui, id, area);
    const struct ui_touch touch = ui_point(ui, id, area, true);
    const float middle = upright ? area.x + area.w / 2 : area.y + area.h / 2;
    bool moved = splitter_keys(ui, id, upright, middle, position);
    if (touch.hover || touch.held) {
        ui->cursor = upright ? UI_CURSOR_RESIZE_H : UI_CURSOR_RESIZE_V;
    }
    if (touch.held && touch.clicks >= 2) {
        *position = home;
        moved = touch.pressed;
    } else if (touch.held) {
        const float pointer = upright ? ui->input->x - ui->memory->grab_x + area.w / 2
                                      : ui->input->y - ui->memory->grab_y + area.h / 2;
        *position = pointer;
        moved = true;
    }
    if (moved) {
        *position = fminf(fmaxf(*position, low), fmaxf(low, high));
        moved = fabsf(*position - middle) > 0.01f;
    }
    canvas_group(ui->canvas, id, name);
    if (touch.hover || touch.held) {
        const struct rect line = upright ? (struct rect){middle - 1, area.y, 2, area.h}
                                         : (struct rect){area.x, middle - 1, area.w, 2};
        canvas_rect(ui->canvas, line, 1, &(struct paint){.fill = ui->theme->accent});
    }
    canvas_ungroup(ui->canvas);
    ui_draw_focus(ui, id, rect_inset(area, 2), 3);
    return moved;
}
