/* All keys on one sheet, over everything. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"

static const float LINE = 24, HEAD = 62, EDGE = 24, APART = 28, FOOT_AIR = 10;

/* What no key does, and everyone should know before it is needed. */
static const char kept_aside[] =
    "Work that is in no file yet is kept aside every few seconds, and offered at the next start.";

/* Columns as wide as what stands in them. */
struct widths {
    float keys, title;
};

static struct widths measure(const struct view *view)
{
    struct widths most = {0, 0};
    for (size_t i = 0; i < view->state->key_count; i++) {
        const struct view_key_row *const row = &view->state->key_rows[i];
        const struct canvas *const canvas = view->ui->canvas;
        most.keys =
            fmaxf(most.keys, canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_SMALL, tr(row->keys)));
        most.title =
            fmaxf(most.title, canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, tr(row->title)));
    }
    return (struct widths){most.keys + APART / 2, most.title + APART};
}

static void draw_row(struct view *view, const struct view_key_row *row, struct widths wide, float x,
                     float y)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    canvas_text_cut(canvas, x, y, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->ink, CANVAS_LEFT,
                    tr(row->keys), wide.keys);
    canvas_text_cut(canvas, x + wide.keys, y, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_LEFT,
                    tr(row->title), wide.title - APART / 2);
}

/* Where not all lines fit the wheel brings the others. */
static void draw_rows(struct view *view, struct rect area, struct widths wide, size_t lines)
{
    float offset = view->state->help_scroll;
    const float from = ui_scroll_begin(view->ui, "keys", area, LINE * (float)lines, &offset);
    for (size_t i = 0; i < view->state->key_count; i++) {
        const float x = area.x + (float)(i / lines) * (wide.keys + wide.title);
        draw_row(view, &view->state->key_rows[i], wide, x,
                 area.y + 16 - from + (float)(i % lines) * LINE);
    }
    ui_scroll_end(view->ui);
    if (offset != view->state->help_scroll) {
        view_action(view, &(struct view_action){
                              .kind = VIEW_ACTION_SCROLL, .index = 1, .number = (double)offset});
    }
}

void view_help(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const size_t count = view->state->key_count;
    struct widths each = measure(view);
    each.title = fminf(each.title, fmaxf(area.w - 16 - 2 * EDGE - each.keys, 40));
    const size_t columns = area.w > 2 * (each.keys + each.title) + 80 ? 2 : 1;
    const size_t lines = (count + columns - 1) / columns;
    const float wide = (each.keys + each.title) * (float)columns + 2 * EDGE;
    const float foot =
        view_wrapped_height(view, wide - 2 * EDGE, UI_TEXT_SMALL, kept_aside) + 2 * FOOT_AIR;
    const float high = fminf(HEAD + LINE * (float)lines + 8 + foot, area.h - 16);
    const struct rect sheet = {area.x + (area.w - wide) / 2, area.y + (area.h - high) / 2, wide,
                               high};
    const struct ui_touch around = ui_touch(view->ui, ui_id(view->ui, "help ground"), area, false);
    canvas_rect(
        canvas, area, 0,
        &(struct paint){.fill = colour_fade(colour_hex(0x000000), theme->dark ? 0.5f : 0.28f)});
    canvas_group(canvas, ui_id(view->ui, "help"), "Help");
    canvas_rect(canvas, sheet, UI_CORNER,
                &(struct paint){.fill = theme->panel, .stroke = theme->line, .width = 1});
    canvas_text(canvas, sheet.x + EDGE, sheet.y + 36, FONT_WORDS_BOLD, UI_TEXT_TITLE, theme->ink,
                CANVAS_LEFT, tr("Keys"));
    draw_rows(
        view,
        (struct rect){sheet.x + EDGE, sheet.y + HEAD - 8, wide - EDGE - 8, high - HEAD + 8 - foot},
        each, lines);
    view_wrapped(view, sheet.x + EDGE, sheet.y + high - foot + FOOT_AIR + UI_TEXT_SMALL,
                 wide - 2 * EDGE, UI_TEXT_SMALL, theme->muted, kept_aside);
    const struct rect close = {sheet.x + sheet.w - 48, sheet.y + 14, 32, 32};
    const float width = ui_button_width(view->ui, "Manual");
    const struct rect manual = {close.x - 8 - width, close.y, width, close.h};
    if (ui_button(view->ui, "manual", manual,
                  &(struct ui_button){
                      .label = "Manual",
                      .tip = "Opens the folder of the manual: for teaching, exploring, writing, "
                             "research, the command line and file formats"})) {
        view_action_command(view, "manual");
    }
    const struct ui_button look = {
        .icon = UI_ICON_CLOSE, .style = UI_BUTTON_BARE, .tip = "Close (Esc)"};
    const bool shut = ui_button(view->ui, "close help", close, &look);
    canvas_ungroup(canvas);
    if (shut || (around.clicked && !rect_has(sheet, view->ui->input->x, view->ui->input->y))) {
        view_action_command(view, "help");
    }
}
