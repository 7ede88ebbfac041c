/* ui/ui.c — the frame: who is under the pointer, who holds it, what is next in Tab. */
#include "ui/ui.h"

#include <math.h>
#include <string.h>

#include "ui/ui_internal.h"

/* FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint32_t hash_bytes(uint32_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ byte[i]) * 16777619u;
    }
    return hash;
}

static uint32_t scope_hash(const struct ui *ui)
{
    const size_t depth = ui->depth < UI_DEPTH_MAX ? ui->depth : UI_DEPTH_MAX;
    return depth == 0 ? 2166136261u : ui->scope[depth - 1];
}

uint32_t ui_id(const struct ui *ui, const char *name)
{
    const uint32_t id = hash_bytes(scope_hash(ui), name, strlen(name));
    return id == 0 ? 1 : id;
}

uint32_t ui_id_number(const struct ui *ui, const char *name, size_t number)
{
    const uint64_t wide = number;
    uint32_t id =
        hash_bytes(scope_hash(ui), name, strlen(name) + 1); /* the 0 divides "a" 1 from "a1" */
    id = hash_bytes(id, &wide, sizeof wide);
    return id == 0 ? 1 : id;
}

void ui_push(struct ui *ui, const char *name)
{
    const uint32_t id = ui_id(ui, name);
    if (ui->depth < UI_DEPTH_MAX) {
        ui->scope[ui->depth] = id;
    }
    ui->depth++;
}

void ui_pop(struct ui *ui)
{
    ui->depth -= ui->depth > 0;
}

void ui_wake(struct ui *ui, double time)
{
    const double at = time > 0 ? time : 1e-9; /* 0 means never */
    if (ui->wake == 0 || at < ui->wake) {
        ui->wake = at;
    }
}

void ui_again(struct ui *ui)
{
    ui_wake(ui, ui->input->time);
}

void ui_begin(struct ui *ui, struct ui_memory *memory, const struct ui_input *input,
              struct canvas *canvas, const struct ui_theme *theme)
{
    memset(ui, 0, sizeof *ui);
    ui->memory = memory;
    ui->input = input;
    ui->canvas = canvas;
    ui->theme = theme;
    ui->covered = memory->open != 0;
    ui->pointer_consumed = memory->active != 0 || ui->covered;
}

/* --- keys --- */

bool ui_stroke_free(const struct ui *ui, size_t index)
{
    return index < ui->input->strokes && index < UI_STROKES_MAX &&
           (ui->strokes_consumed >> index & 1u) == 0;
}

void ui_consume_stroke(struct ui *ui, size_t index)
{
    ui->strokes_consumed |= 1u << index;
    ui->keys_consumed = true;
}

/* Returns whether a widget that has the focus will want this stroke, as far as that is known before
 * it ran. */
static bool will_consume(const struct ui *ui, uint32_t key, unsigned mods)
{
    const struct ui_memory *memory = ui->memory;
    if (memory->open != 0) {
        return true;
    }
    const bool act = (key == UI_KEY_ENTER || key == UI_KEY_SPACE) && mods == 0;
    if (memory->focus != 0 && memory->focus_visible && act) {
        return true;
    }
    const bool resting = memory->focus != 0 && memory->chips_resting == memory->focus;
    if (memory->focus == 0 || (memory->edited != memory->focus && !resting)) {
        return false;
    }
    const bool letter = key < UI_KEY_LEFT && (mods & (UI_CTRL | UI_ALT)) == 0;
    const bool walks =
        key == UI_KEY_LEFT || key == UI_KEY_RIGHT || key == UI_KEY_HOME || key == UI_KEY_END;
    const bool clips =
        (mods & UI_CTRL) != 0 && (key == 'a' || key == 'v' || key == 'x' || key == 'c');
    return clips || (!resting && (letter || walks));
}

bool ui_stroke_consumed(struct ui *ui, uint32_t id, uint32_t key, unsigned mods)
{
    if (id == 0 ? will_consume(ui, key, mods) : ui->memory->focus != id) {
        return false;
    }
    for (size_t i = 0; i < ui->input->strokes; i++) {
        const struct ui_stroke *stroke = &ui->input->stroke[i];
        if (ui_stroke_free(ui, i) && stroke->key == key && stroke->mods == mods) {
            ui_consume_stroke(ui, i);
            return true;
        }
    }
    return false;
}

/* --- focus --- */

bool ui_has_focus(const struct ui *ui, uint32_t id)
{
    return id != 0 && ui->memory->focus == id;
}

void ui_take_focus(struct ui *ui, uint32_t id)
{
    if (ui->beneath) {
        return;
    }
    ui->press_focused = true;
    if (ui->memory->focus == id) {
        return;
    }
    ui->memory->focus = id;
    ui->memory->focus_visible = false;
    ui_again(ui);
}

void ui_offer_focus(struct ui *ui, uint32_t id)
{
    ui_take_focus(ui, id);
    if (ui_has_focus(ui, id)) {
        ui->memory->focus_visible = true;
        ui->memory->offered = id;
    }
}

void ui_drop_focus(struct ui *ui)
{
    if (ui->memory->focus != 0) {
        ui_again(ui);
    }
    ui->memory->focus = 0;
    ui->memory->focus_visible = false;
}

/* Scrolls the areas around so that what got the focus by Tab can be seen. */
static void scroll_to(struct ui *ui, struct rect area)
{
    if (!ui->memory->reveal) {
        return;
    }
    ui->memory->reveal = false;
    const size_t count = ui->scrolls < UI_DEPTH_MAX ? ui->scrolls : UI_DEPTH_MAX;
    for (size_t i = 0; i < count; i++) {
        const struct ui_scroll *scroll = &ui->scroll[i];
        const float above = scroll->area.y + 6 - area.y;
        const float below = area.y + area.h + 6 - (scroll->area.y + scroll->area.h);
        const float by = above > 0 ? -above : below > 0 ? fminf(below, -above) : 0;
        if (by != 0) {
            *scroll->offset = fmaxf(0, *scroll->offset + by);
            ui_again(ui);
        }
    }
}

void ui_join(struct ui *ui, uint32_t id, struct rect area)
{
    if (ui->focus_count < UI_FOCUS_MAX) {
        ui->focus_order[ui->focus_count++] = id;
    }
    if (ui_has_focus(ui, id)) {
        scroll_to(ui, area);
    }
}

void ui_draw_focus(struct ui *ui, uint32_t id, struct rect area, float corner)
{
    if (ui_has_focus(ui, id) && ui->memory->focus_visible) {
        canvas_rect(ui->canvas, rect_inset(area, -3), corner + 3,
                    &(struct paint){.stroke = ui->theme->accent, .width = 2});
    }
}

/* --- pointer --- */

bool ui_uncovered(const struct ui *ui, struct rect area)
{
    const struct ui_input *input = ui->input;
    if (ui->covered || !input->inside || !rect_has(area, input->x, input->y)) {
        return false;
    }
    const size_t clips = ui->clips < UI_DEPTH_MAX ? ui->clips : UI_DEPTH_MAX;
    return clips == 0 || rect_has(ui->clip[clips - 1], input->x, input->y);
}

bool ui_over(const struct ui *ui, struct rect area)
{
    return ui_uncovered(ui, area) && (ui->memory->active == 0 || ui->press_claimed);
}

static bool rect_contains(struct rect outer, struct rect inner)
{
    return outer.x <= inner.x && outer.y <= inner.y && outer.x + outer.w >= inner.x + inner.w &&
           outer.y + outer.h >= inner.y + inner.h;
}

/* Says whether a control within the area was hot in the last frame: it is drawn over the area and
 * keeps the pointer. */
static bool child_is_hot(const struct ui *ui, uint32_t id, struct rect area)
{
    const struct ui_memory *memory = ui->memory;
    const struct rect child = memory->hot_area;
    return memory->hot != 0 && memory->hot != id && rect_has(child, ui->input->x, ui->input->y) &&
           child.w * child.h < area.w * area.h && rect_contains(area, child);
}

static void begin_press(struct ui *ui, uint32_t id, struct rect area, bool focusable)
{
    struct ui_memory *memory = ui->memory;
    memory->active = id;
    memory->press_clicks = ui->input->clicks > 1 ? ui->input->clicks : 1;
    memory->grab_x = ui->input->x - area.x;
    memory->grab_y = ui->input->y - area.y;
    ui->press_claimed = true;
    ui->press_focused = false;
    if (focusable) {
        ui_take_focus(ui, id);
        memory->focus_visible = false;
    }
}

struct ui_touch ui_point(struct ui *ui, uint32_t id, struct rect area, bool focusable)
{
    const struct ui_memory *memory = ui->memory;
    const struct ui_input *input = ui->input;
    const bool allowed = memory->active == 0 || memory->active == id || ui->press_claimed;
    struct ui_touch touch = {0};
    touch.hover = allowed && ui_uncovered(ui, area) && !child_is_hot(ui, id, area);
    if (touch.hover) {
        ui->hot = id;
        ui->hot_area = area;
        ui->cursor = UI_CURSOR_HAND;
        if ((input->pressed & UI_LEFT_BUTTON) != 0) {
            begin_press(ui, id, area, focusable);
            touch.pressed = true;
        }
    }
    touch.held = memory->active == id;
    touch.clicks = touch.held ? memory->press_clicks : 0;
    touch.clicked = touch.held && touch.hover && (input->released & UI_LEFT_BUTTON) != 0;
    ui->pointer_consumed = ui->pointer_consumed || touch.hover || touch.held;
    return touch;
}

struct ui_touch ui_touch(struct ui *ui, uint32_t id, struct rect area, bool focusable)
{
    if (focusable) {
        ui_join(ui, id, area);
    }
    struct ui_touch touch = ui_point(ui, id, area, focusable);
    if (focusable && ui->memory->focus_visible &&
        (ui_stroke_consumed(ui, id, UI_KEY_ENTER, 0) ||
         ui_stroke_consumed(ui, id, UI_KEY_SPACE, 0))) {
        touch.clicked = true;
        touch.clicks = 1;
    }
    return touch;
}

/* --- the end of a frame --- */

static void move_focus(struct ui *ui, bool backward)
{
    struct ui_memory *memory = ui->memory;
    const size_t count = ui->focus_count;
    if (count == 0) {
        return;
    }
    size_t at = 0;
    while (at < count && ui->focus_order[at] != memory->focus) {
        at++;
    }
    if (at == count) {
        at = backward ? count - 1 : 0;
    } else {
        at = (at + (backward ? count - 1 : 1)) % count;
    }
    memory->focus = ui->focus_order[at];
    memory->focus_visible = memory->reveal = true;
    memory->offered = 0;
    ui_again(ui);
}

void ui_region(struct ui *ui)
{
    const bool empty = ui->regions > 0 && ui->region[ui->regions - 1] == ui->focus_count;
    if (!empty && ui->regions < UI_REGIONS_MAX) {
        ui->region[ui->regions++] = ui->focus_count;
    }
}

/* To the first control of the next part of the window, or the former; from nowhere to the first. */
static void move_region(struct ui *ui, bool backward)
{
    struct ui_memory *memory = ui->memory;
    size_t regions = ui->regions, at = 0, present = 0;
    regions -= regions > 0 && ui->region[regions - 1] == ui->focus_count; /* nothing stands in it */
    if (regions == 0) {
        return;
    }
    while (at < ui->focus_count && ui->focus_order[at] != memory->focus) {
        at++;
    }
    while (present + 1 < regions && ui->region[present + 1] <= at) {
        present++;
    }
    const bool nowhere = at == ui->focus_count;
    const size_t next =
        nowhere ? (backward ? regions - 1 : 0) : (present + (backward ? regions - 1 : 1)) % regions;
    memory->focus = ui->focus_order[ui->region[next]];
    memory->focus_visible = memory->reveal = true;
    memory->offered = 0;
    ui_again(ui);
}

static void end_focus(struct ui *ui)
{
    struct ui_memory *memory = ui->memory;
    if (ui->input->pressed != 0 && !ui->press_focused && !ui->covered) {
        ui_drop_focus(ui);
    }
    bool is = false, was = false;
    for (size_t i = 0; i < ui->focus_count; i++) {
        is = is || ui->focus_order[i] == memory->focus;
    }
    for (size_t i = 0; i < memory->focus_count; i++) {
        was = was || memory->focus_order[i] == memory->focus;
    }
    if (was && !is) {
        ui_drop_focus(ui); /* it had the focus and is no longer there */
    }
    for (size_t i = 0; i < ui->input->strokes; i++) {
        const struct ui_stroke *stroke = &ui->input->stroke[i];
        if (ui_stroke_free(ui, i) && stroke->key == UI_KEY_TAB &&
            (stroke->mods | UI_SHIFT) == UI_SHIFT) {
            ui_consume_stroke(ui, i);
            move_focus(ui, (stroke->mods & UI_SHIFT) != 0);
        } else if (ui_stroke_free(ui, i) && stroke->key == UI_KEY_F1 + 5 &&
                   (stroke->mods | UI_SHIFT) == UI_SHIFT) {
            ui_consume_stroke(ui, i);
            move_region(ui, (stroke->mods & UI_SHIFT) != 0);
        }
    }
    memory->focus_count = ui->focus_count;
    memcpy(memory->focus_order, ui->focus_order, ui->focus_count * sizeof ui->focus_order[0]);
}

static void end_pointer(struct ui *ui)
{
    struct ui_memory *memory = ui->memory;
    const struct ui_input *input = ui->input;
    const bool let_go =
        (input->released & UI_LEFT_BUTTON) != 0 || (input->down & UI_LEFT_BUTTON) == 0;
    if (memory->active != 0 && let_go) {
        memory->active = 0;
        memory->chip_dragged = false;
        ui_again(ui); /* others may be hovered now */
    }
    if (ui->hot != memory->hot) {
        memory->hot = ui->hot;
        memory->hot_since = input->time;
        ui_again(ui);
    }
    memory->hot_area = ui->hot_area;
    memory->pointer_x = input->x;
    memory->pointer_y = input->y;
}

void ui_end(struct ui *ui)
{
    struct ui_memory *memory = ui->memory;
    if (memory->open != 0 && ui->popup.id != memory->open) {
        memory->open = 0; /* its menu is no longer there */
        ui_again(ui);
    }
    if (memory->open != 0) {
        ui_menu_draw(ui);
        ui->keys_consumed = ui->keys_consumed || ui->input->strokes > 0;
        ui->wheel_consumed = true;
        ui->pointer_consumed = true;
    }
    ui_tip_draw(ui);
    end_focus(ui);
    end_pointer(ui);
}
