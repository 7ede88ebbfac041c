/* All keys on one sheet, over everything. */
#include <math.h>

#include "ui/widgets.h"
#include "view/view.h"

static const float LINE = 24, KEYS_WIDE = 150, TITLE_WIDE = 330, HEAD = 62;

static void draw_row(struct view *view, const struct view_key_row *row, float x, float y)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    canvas_text_cut(canvas, x, y, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->ink, CANVAS_LEFT,
                    row->keys, KEYS_WIDE - 10);
    canvas_text_cut(canvas, x + KEYS_WIDE, y, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_LEFT,
                    row->title, TITLE_WIDE - 10);
}

void view_help(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const size_t count = view->state->key_count;
    const size_t columns = area.w > 2 * (KEYS_WIDE + TITLE_WIDE) + 80 ? 2 : 1;
    const size_t lines = (count + columns - 1) / columns;
    const float wide = fminf((KEYS_WIDE + TITLE_WIDE) * (float)columns + 48, area.w - 16);
    const float high = fminf(HEAD + LINE * (float)lines + 24, area.h - 16);
    const struct rect sheet = {area.x + (area.w - wide) / 2, area.y + (area.h - high) / 2, wide,
                               high};
    const struct ui_touch around = ui_touch(view->ui, ui_id(view->ui, "help ground"), area, false);
    canvas_rect(
        canvas, area, 0,
        &(struct paint){.fill = colour_fade(colour_hex(0x000000), theme->dark ? 0.5f : 0.28f)});
    canvas_group(canvas, ui_id(view->ui, "help"), "Help");
    canvas_rect(canvas, sheet, UI_CORNER,
                &(struct paint){.fill = theme->panel, .stroke = theme->line, .width = 1});
    canvas_clip(canvas, sheet);
    canvas_text(canvas, sheet.x + 24, sheet.y + 36, FONT_WORDS_BOLD, UI_TEXT_TITLE, theme->ink,
                CANVAS_LEFT, "Keys");
    for (size_t i = 0; i < count; i++) {
        const float x = sheet.x + 24 + (float)(i / lines) * (KEYS_WIDE + TITLE_WIDE);
        draw_row(view, &view->state->key_rows[i], x,
                 sheet.y + HEAD + 8 + (float)(i % lines) * LINE);
    }
    canvas_unclip(canvas);
    const struct rect close = {sheet.x + sheet.w - 48, sheet.y + 14, 32, 32};
    const struct ui_button look = {
        .icon = UI_ICON_CLOSE, .style = UI_BUTTON_BARE, .tip = "Close (Esc)"};
    const bool shut = ui_button(view->ui, "close help", close, &look);
    canvas_ungroup(canvas);
    if (shut || (around.clicked && !rect_has(sheet, view->ui->input->x, view->ui->input->y))) {
        view_wish_command(view, "help");
    }
}
