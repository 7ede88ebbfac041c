/* ui/button.c — buttons, switches and tabs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/translate.h"
#include "ui/ui_internal.h"
#include "ui/widgets.h"

/* --- one line of text in a box, and where it stands --- */

struct rect ui_rect_cut(struct rect a, struct rect b)
{
    const float left = fmaxf(a.x, b.x), top = fmaxf(a.y, b.y);
    const float right = fminf(a.x + a.w, b.x + b.w), bottom = fminf(a.y + a.h, b.y + b.h);
    return (struct rect){left, top, fmaxf(0, right - left), fmaxf(0, bottom - top)};
}

float ui_snap(const struct ui *ui, float value)
{
    const float scale = ui->input->scale > 0 ? ui->input->scale : 1;
    return floorf(value * scale + 0.5f) / scale;
}

float ui_baseline(const struct ui *ui, struct rect area, enum font_face face, float size)
{
    const float capital = font_cap_height(canvas_fonts(ui->canvas), face, size);
    return ui_snap(ui, area.y + (area.h + capital) / 2);
}

bool ui_label(struct ui *ui, struct rect area, const struct ui_label *label)
{
    if (label->text == NULL || area.w <= 0) {
        return label->text != NULL && label->text[0] != '\0';
    }
    const float x = label->anchor == CANVAS_LEFT    ? area.x
                    : label->anchor == CANVAS_RIGHT ? area.x + area.w
                                                    : area.x + area.w / 2;
    const float min_scale = 0.8f; /* a little smaller, before it is cut */
    const float wide = canvas_measure(ui->canvas, label->face, label->size, label->text);
    const float size = label->size * fmaxf(min_scale, fminf(1, area.w / fmaxf(wide + 0.05f, 1)));
    return canvas_text_cut(ui->canvas, x, ui_baseline(ui, area, label->face, size), label->face,
                           size, label->colour, label->anchor, label->text, area.w);
}

void ui_tip_of(struct ui *ui, uint32_t id, struct rect area, const char *tip, const char *label,
               bool cut)
{
    tip = tr(tip);
    if (!cut || label == NULL) {
        ui_tip(ui, id, area, tip);
        return;
    }
    if (tip == NULL || strcmp(tip, label) == 0) {
        ui_tip(ui, id, area, label);
        return;
    }
    char both[UI_TIP_MAX];
    snprintf(both, sizeof both, "%.200s\n%.300s", label, tip);
    ui_tip(ui, id, area, both);
}

#define BUTTON_PAD 10.0f
#define ICON_SIDE 16.0f
#define ICON_GAP 7.0f
#define LABEL_MIN_WIDTH 8.0f /* with less room there is the icon alone */
#define SWITCH_WIDTH 32.0f
#define SWITCH_HEIGHT 18.0f

struct style {
    struct colour fill, stroke, ink;
};

static struct style button_style(const struct ui *ui, const struct ui_button *button,
                                 const struct ui_touch *touch)
{
    const struct ui_theme *theme = ui->theme;
    const struct colour none = {0};
    const struct style styles[] = {
        [UI_BUTTON_PLAIN] = {theme->panel, theme->line, theme->ink},
        [UI_BUTTON_STRONG] = {theme->ink, none, theme->panel},
        [UI_BUTTON_BARE] = {none, none, theme->ink},
        [UI_BUTTON_CURRENT] = {theme->accent, none, theme->accent_ink},
    };
    struct style style = styles[button->style];
    if (button->disabled) {
        style.ink = button->style == UI_BUTTON_STRONG ? style.ink : theme->faint;
        style.fill = button->style == UI_BUTTON_STRONG ? theme->faint : style.fill;
        return style;
    }
    if (touch->hover || touch->held) {
        const float share = touch->held ? 0.14f : 0.07f;
        style.fill = style.fill.alpha == 0 ? colour_mix(theme->panel, theme->ink, share)
                                           : colour_mix(style.fill, style.ink, share);
        style.stroke =
            style.stroke.alpha == 0 ? style.stroke : colour_mix(style.stroke, theme->ink, 0.15f);
    }
    return style;
}

float ui_button_width(const struct ui *ui, const char *label)
{
    return ceilf(canvas_measure(ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY, tr(label))) +
           2 * BUTTON_PAD + 1;
}

/* Icon and label together, centred or at the left end. Returns whether the label was cut. */
static bool draw_face(struct ui *ui, struct rect area, const struct ui_button *button,
                      struct colour ink)
{
    const float pad = fminf(BUTTON_PAD, area.w / 8);
    const struct rect inner = {area.x + pad, area.y, area.w - 2 * pad, area.h};
    const bool has_icon = button->icon != UI_ICON_NONE;
    const float lead = has_icon ? ICON_SIDE + ICON_GAP : 0;
    if (button->label == NULL || inner.w - lead < LABEL_MIN_WIDTH) {
        const float side = fminf(ICON_SIDE, fminf(area.w, area.h));
        ui_draw_icon(
            ui, button->icon,
            (struct rect){area.x + (area.w - side) / 2, area.y + (area.h - side) / 2, side, side},
            ink);
        return button->label != NULL;
    }
    const float label = canvas_measure(ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY, button->label);
    const float start = button->left ? inner.x : inner.x + fmaxf(0, (inner.w - lead - label) / 2);
    if (has_icon) {
        ui_draw_icon(ui, button->icon,
                     (struct rect){start, area.y + (area.h - ICON_SIDE) / 2, ICON_SIDE, ICON_SIDE},
                     ink);
    }
    const struct rect words = {start + lead, area.y, inner.x + inner.w - start - lead, area.h};
    return ui_label(
        ui, words,
        &(struct ui_label){button->label, FONT_WORDS_MEDIUM, UI_TEXT_BODY, ink, CANVAS_LEFT});
}

bool ui_button(struct ui *ui, const char *name, struct rect area, const struct ui_button *english)
{
    struct ui_button translated = *english;
    translated.label = tr(english->label);
    translated.tip = tr(english->tip);
    const struct ui_button *button = &translated;
    if (ui->is_figure) {
        return false;
    }
    const uint32_t id = ui_id(ui, name);
    struct ui_touch touch = {0};
    if (!button->disabled) {
        touch = ui_touch(ui, id, area, true);
    }
    const struct style style = button_style(ui, button, &touch);
    const char *words = button->label != NULL ? button->label : button->tip;
    canvas_group(ui->canvas, id, words != NULL ? words : name);
    canvas_rect(ui->canvas, area, UI_CORNER_SMALL,
                &(struct paint){.fill = style.fill, .stroke = style.stroke, .width = 1});
    const bool cut = draw_face(ui, area, button, style.ink);
    canvas_ungroup(ui->canvas);
    ui_draw_focus(ui, id, area, UI_CORNER_SMALL);
    ui_tip_of(ui, id, area, button->tip, button->label, cut);
    return touch.clicked;
}

static bool toggle_switch(struct ui *ui, const char *name, struct rect area, const char *label,
                          bool on, bool disabled, const char *tip)
{
    const struct ui_theme *theme = ui->theme;
    const uint32_t id = ui_id(ui, name);
    label = tr(label);
    const struct ui_touch touch = ui_touch(ui, id, area, true);
    const float width = fminf(SWITCH_WIDTH, area.w), height = fminf(SWITCH_HEIGHT, area.h);
    const struct rect rail = {area.x + area.w - width, ui_snap(ui, area.y + (area.h - height) / 2),
                              width, height};
    struct colour fill = on ? theme->accent : colour_mix(theme->line, theme->faint, 0.6f);
    fill = disabled ? theme->control : touch.hover ? colour_mix(fill, theme->ink, 0.12f) : fill;
    const struct colour ink = disabled ? theme->faint : theme->ink;
    canvas_group(ui->canvas, id, label != NULL ? label : name);
    const bool cut =
        ui_label(ui, (struct rect){area.x, area.y, area.w - width - 8, area.h},
                 &(struct ui_label){label, FONT_WORDS, UI_TEXT_BODY, ink, CANVAS_LEFT});
    canvas_rect(ui->canvas, rail, height / 2, &(struct paint){.fill = fill});
    canvas_circle(ui->canvas, on ? rail.x + width - height / 2 : rail.x + height / 2,
                  rail.y + height / 2, fmaxf(0, height / 2 - 2.5f),
                  &(struct paint){.fill = disabled ? theme->panel : colour_hex(0xFFFFFF)});
    canvas_ungroup(ui->canvas);
    ui_draw_focus(ui, id, rail, height / 2);
    ui_tip_of(ui, id, area, tip, label, cut);
    return touch.clicked;
}

bool ui_toggle(struct ui *ui, const char *name, struct rect area, const char *label, bool on,
               const char *tip)
{
    return toggle_switch(ui, name, area, label, on, false, tip);
}

bool ui_toggle_disabled(struct ui *ui, const char *name, struct rect area, const char *label,
                        const char *why)
{
    return toggle_switch(ui, name, area, label, false, true, why);
}

/* ← and → while the row of tabs has the focus. */
static size_t tabs_keys(struct ui *ui, uint32_t id, size_t count, size_t current)
{
    if (!ui->memory->focus_visible || count == 0) {
        return count;
    }
    if (ui_stroke_consumed(ui, id, UI_KEY_RIGHT, 0)) {
        return current + 1 < count ? current + 1 : 0;
    }
    if (ui_stroke_consumed(ui, id, UI_KEY_LEFT, 0)) {
        return current > 0 && current < count ? current - 1 : count - 1;
    }
    return count;
}

size_t ui_tabs(struct ui *ui, const char *name, struct rect area, const char *const *labels,
               size_t count, size_t current)
{
    if (ui->is_figure) {
        return current;
    }
    const struct ui_theme *theme = ui->theme;
    const uint32_t id = ui_id(ui, name);
    ui_join(ui, id, area);
    size_t chosen = tabs_keys(ui, id, count, current);
    canvas_group(ui->canvas, id, name);
    canvas_rect(ui->canvas, area, UI_CORNER_SMALL, &(struct paint){.fill = theme->control});
    for (size_t i = 0; i < count; i++) {
        const uint32_t tab_id = ui_id_number(ui, name, i);
        const float left = ui_snap(ui, area.x + area.w * (float)i / (float)count);
        const float right = ui_snap(ui, area.x + area.w * (float)(i + 1) / (float)count);
        const struct rect tab = {left, area.y, right - left, area.h};
        const struct ui_touch touch = ui_point(ui, tab_id, tab, false);
        if (touch.pressed) {
            ui_take_focus(ui, id);
            ui->memory->focus_visible = false;
        }
        chosen = touch.clicked ? i : chosen;
        const char *label = tr(labels[i]);
        canvas_group(ui->canvas, tab_id, label);
        if (i == current) {
            canvas_rect(ui->canvas, rect_inset(tab, 2), UI_CORNER_SMALL - 2,
                        &(struct paint){.fill = theme->panel, .stroke = theme->line, .width = 1});
        }
        const bool lit = i == current || touch.hover;
        const bool cut =
            ui_label(ui, rect_inset(tab, 4),
                     &(struct ui_label){label, FONT_WORDS_MEDIUM, UI_TEXT_BODY,
                                        lit ? theme->ink : theme->muted, CANVAS_CENTRE});
        canvas_ungroup(ui->canvas);
        ui_tip_of(ui, tab_id, tab, NULL, label, cut);
    }
    canvas_ungroup(ui->canvas);
    ui_draw_focus(ui, id, area, UI_CORNER_SMALL);
    return chosen;
}

void ui_tab_tips(struct ui *ui, const char *name, struct rect area, const char *const *tips,
                 size_t count)
{
    const float wide = area.w / (float)count;
    for (size_t i = 0; i < count; i++) {
        ui_tip(ui, ui_id_number(ui, name, i),
               (struct rect){area.x + (float)i * wide, area.y, wide, area.h}, tips[i]);
    }
}
