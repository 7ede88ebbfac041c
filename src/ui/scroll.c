/* ui/scroll.c — an area that shows a part of something higher. */
#include <math.h>

#include "ui/ui_internal.h"
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
    if (down != 0 && !ui->wheel_consumed && (input->mods & UI_CTRL) == 0 && ui_over(ui, area)) {
        *offset = clamp_offset(former - down, content, area.h);
        ui->wheel_consumed = content > area.h;
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

/* --- the bar between two panels --- */

#define KEY_STEP 16.0f

static bool splitter_keys(struct ui *ui, uint32_t id, bool upright, float middle, float *position)
{
    if (!ui->memory->focus_visible) {
        return false;
    }
    if (ui_stroke_consumed(ui, id, upright ? UI_KEY_LEFT : UI_KEY_UP, 0)) {
        *position = middle - KEY_STEP;
        return true;
    }
    if (ui_stroke_consumed(ui, id, upright ? UI_KEY_RIGHT : UI_KEY_DOWN, 0)) {
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

/* --- the keyboard walks over cells that somebody else draws --- */

/* A key's move in one direction: a step, or all the way to an end. */
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

static size_t walk_to(size_t at, enum walk walk, size_t count)
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
        while (ui_stroke_consumed(ui, id, walks[i].key, walks[i].mods)) {
            *row = walk_to(*row, walks[i].row, rows);
            *column = walk_to(*column, walks[i].column, columns);
        }
    }
    answer.moved = *row != row_before || *column != column_before;
    if (answer.moved) {
        ui_again(ui);
    }
    answer.activated = ui_stroke_consumed(ui, id, UI_KEY_ENTER, 0);
    answer.activated = ui_stroke_consumed(ui, id, UI_KEY_SPACE, 0) || answer.activated;
    return answer;
}
