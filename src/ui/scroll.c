/* ui/scroll.c — an area that shows a part of something higher. */
#include <math.h>

#include "ui/inside.h"
#include "ui/widgets.h"

#define NOTCH 48.0f
#define BAR_WIDTH 4.0f
#define BAR_ROOM 9.0f

static float clamp_offset(float offset, float content, float height)
{
    return fmaxf(0, fminf(offset, content - height));
}

float ui_scroll_begin(struct ui *ui, const char *name, struct rect area, float content,
                      float *offset)
{
    const struct ui_input *input = ui->input;
    const float former = clamp_offset(*offset, content, area.h);
    *offset = former;
    const float down = input->wheel_y * NOTCH + input->slide_y;
    if (down != 0 && !ui->wheel_taken && (input->mods & UI_CTRL) == 0 && ui_over(ui, area)) {
        *offset = clamp_offset(former - down, content, area.h);
        ui->wheel_taken = content > area.h;
    }
    const size_t clips = ui->clips < UI_DEPTH_MAX ? ui->clips : UI_DEPTH_MAX;
    const struct rect clip = clips > 0 ? ui_rect_cut(ui->clip[clips - 1], area) : area;
    if (ui->clips < UI_DEPTH_MAX) {
        ui->clip[ui->clips] = clip;
    }
    ui->clips++;
    if (ui->scrolls < UI_DEPTH_MAX) {
        ui->scroll[ui->scrolls] = (struct ui_scroll){ui_id(ui, name), area, content, offset};
    }
    ui->scrolls++;
    canvas_clip(ui->canvas, area);
    return *offset;
}

/* The bar comes last: it lies over the content and moves the offset for the next frame. */
static void scroll_bar(struct ui *ui, const struct ui_scroll *scroll)
{
    const struct rect area = scroll->area;
    const float range = scroll->content - area.h;
    if (range <= 0.5f || area.h <= 0) {
        return;
    }
    const float high = fmaxf(24, area.h * area.h / scroll->content);
    const float travel = fmaxf(1, area.h - high);
    struct rect thumb = {area.x + area.w - BAR_ROOM, area.y + travel * *scroll->offset / range,
                         BAR_ROOM, high};
    const struct ui_touch touch = ui_point(ui, scroll->id, thumb, false);
    if (touch.held && !touch.pressed) {
        const float top = ui->input->y - ui->memory->grab_y - area.y;
        const float action = clamp_offset(top / travel * range, scroll->content, area.h);
        if (action != *scroll->offset) {
            *scroll->offset = action;
            ui_again(ui);
        }
    }
    const bool lit = touch.hover || touch.held;
    const float width = lit ? BAR_WIDTH + 2 : BAR_WIDTH;
    thumb = (struct rect){area.x + area.w - width - 1,
                          area.y + travel * *scroll->offset / range + 1, width, high - 2};
    canvas_group(ui->canvas, scroll->id, "scroll bar");
    canvas_rect(ui->canvas, thumb, width / 2,
                &(struct paint){.fill = colour_fade(ui->theme->faint, lit ? 0.9f : 0.5f)});
    canvas_ungroup(ui->canvas);
}

void ui_scroll_end(struct ui *ui)
{
    if (ui->scrolls == 0) {
        return;
    }
    ui->scrolls--;
    ui->clips--;
    if (ui->scrolls < UI_DEPTH_MAX) {
        scroll_bar(ui, &ui->scroll[ui->scrolls]);
    }
    canvas_unclip(ui->canvas);
}
