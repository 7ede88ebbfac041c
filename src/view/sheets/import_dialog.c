/* The dialog about the arrays of a file: what they are, with a preview. */
#include "view/sheets/import_dialog.h"

#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float WIDE = 780, EDGE = 24, HEAD = 56, LABEL = 96, CHOICES = 356;
static const float LINE = 30, PITCH = 36, FOOT = 60, PREVIEW = 300, PREVIEW_FROM = 640;

static void append_import_action(struct view *view, enum view_import_act what)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_IMPORT, .import = {.act = what}});
}

static void draw_row(struct view *view, const struct view_import_row *row, size_t index,
                     struct rect area)
{
    canvas_text_cut(view->ui->canvas, area.x, area.y + 20, FONT_WORDS, UI_TEXT_BODY,
                    view->ui->theme->muted, CANVAS_LEFT, tr(row->title), LABEL - 8);
    const struct ui_menu menu = {
        .rows = row->words, .count = row->count, .current = row->current, .tip = row->tip};
    const size_t chosen = ui_menu(
        view->ui, row->title, (struct rect){area.x + LABEL, area.y, area.w - LABEL, area.h}, &menu);
    if (chosen < row->count && chosen != row->current) {
        view_action(view,
                    &(struct view_action){
                        .kind = VIEW_ACTION_IMPORT,
                        .import = {.act = VIEW_IMPORT_CHOOSE, .row = index, .choice = chosen}});
    }
}

/* Draws the first head as a preview. */
static void draw_cells(struct view *view, const struct view_import *dialog, struct rect area)
{
    const size_t rows = dialog->values_rows, cols = dialog->values_cols;
    struct colour *const pixels = arena_array(view->arena, rows * cols, sizeof *pixels);
    if (pixels == NULL) {
        return;
    }
    for (size_t i = 0; i < rows * cols; i++) {
        const float peak = dialog->values_peak, value = dialog->values[i];
        pixels[i] =
            peak > 0 ? colourmap_colour(view->state->prefs.signed_map, 0.5f + 0.5f * value / peak)
                     : colourmap_colour(view->state->prefs.weights_map, value);
    }
    const float side = fminf(area.w / (float)cols, area.h / (float)rows);
    const struct rect picture = {roundf(area.x), roundf(area.y), side * (float)cols,
                                 side * (float)rows};
    canvas_image(view->ui->canvas, picture, (uint32_t)cols, (uint32_t)rows, pixels);
    canvas_rect(view->ui->canvas, picture, 0,
                &(struct paint){.stroke = view->ui->theme->line, .width = 1});
}

static void draw_preview(struct view *view, const struct view_import *dialog, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    float y = area.y + 14;
    canvas_group(canvas, ui_id(view->ui, "preview"), "Preview");
    const char *const head = dialog->busy            ? tr("Looking …")
                             : dialog->facts != NULL ? tr("It would be shown as")
                                                     : tr("It cannot be shown so");
    canvas_text_cut(canvas, area.x, y, FONT_WORDS_BOLD, UI_TEXT_BODY, theme->ink, CANVAS_LEFT,
                    tr(head), area.w);
    y += 20;
    const struct {
        const char *text;
        struct colour ink;
    } lines[] = {{dialog->facts, theme->ink},
                 {dialog->tokens, theme->muted},
                 {dialog->usage, theme->muted},
                 {dialog->note, dialog->facts == NULL ? theme->refused : theme->muted}};
    for (size_t l = 0; l < sizeof lines / sizeof lines[0]; l++) {
        if (lines[l].text != NULL &&
            !dialog->busy) { /* while it is computed they belong to the former choice */
            y += view_wrapped(view, area.x, y, area.w, UI_TEXT_SMALL, lines[l].ink, lines[l].text) +
                 4;
        }
    }
    const float room = area.y + area.h - y;
    if (dialog->facts != NULL && dialog->values != NULL && room > 60) {
        canvas_text_cut(canvas, area.x, y + 6, FONT_WORDS, UI_TEXT_TINY, theme->muted, CANVAS_LEFT,
                        tr("the first head; rows are queries"), area.w);
        draw_cells(view, dialog, (struct rect){area.x, y + 14, area.w, fminf(room - 14, area.w)});
    }
    canvas_ungroup(canvas);
}

static void draw_buttons(struct view *view, const struct view_import *dialog, struct rect area)
{
    const bool can_open = !dialog->busy && dialog->facts != NULL;
    const struct ui_button open = {.label = "Open",
                                   .style = UI_BUTTON_STRONG,
                                   .tip = "Show it like this (Enter)",
                                   .disabled = !can_open};
    const struct ui_button cancel = {.label = "Cancel", .tip = "Leave what is there (Esc)"};
    const float x = area.x + area.w;
    if (ui_button(view->ui, "open", (struct rect){x - 104, area.y, 104, area.h}, &open)) {
        append_import_action(view, VIEW_IMPORT_OPEN);
    }
    if (ui_button(view->ui, "cancel", (struct rect){x - 198, area.y, 84, area.h}, &cancel)) {
        append_import_action(view, VIEW_IMPORT_CLOSE);
    }
}

static void draw_dialog(struct view *view, const struct view_import *dialog, float why,
                        struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const bool previews = area.w >= PREVIEW_FROM;
    canvas_clip(canvas, area);
    canvas_text_cut(canvas, area.x + EDGE, area.y + 36, FONT_WORDS_BOLD, UI_TEXT_TITLE, theme->ink,
                    CANVAS_LEFT, dialog->title, area.w - 2 * EDGE);
    if (why > 0) {
        view_wrapped(view, area.x + EDGE, area.y + HEAD + 6, area.w - 2 * EDGE, UI_TEXT_SMALL,
                     theme->muted, dialog->why);
    }
    const struct rect inner = {area.x + EDGE, area.y + HEAD + why, area.w - 2 * EDGE,
                               area.h - HEAD - why - FOOT};
    const float wide = previews ? CHOICES : inner.w;
    for (size_t row = 0; row < dialog->rows; row++) {
        draw_row(view, &dialog->row[row], row,
                 (struct rect){inner.x, inner.y + PITCH * (float)row, wide, LINE});
    }
    const float rows = PITCH * (float)dialog->rows;
    draw_preview(view, dialog,
                 previews
                     ? (struct rect){inner.x + wide + EDGE, inner.y, inner.w - wide - EDGE, inner.h}
                     : (struct rect){inner.x, inner.y + rows, inner.w, inner.h - rows});
    draw_buttons(view, dialog, (struct rect){inner.x, area.y + area.h - FOOT + 8, inner.w, 36});
    canvas_unclip(canvas);
}

/* Keeps all keys in the dialog while it is open. */
static void handle_keys(struct view *view)
{
    if (ui_stroke_consumed(view->ui, 0, UI_KEY_ESCAPE, 0)) {
        append_import_action(view, VIEW_IMPORT_CLOSE);
    } else if (ui_stroke_consumed(view->ui, 0, UI_KEY_ENTER, 0)) {
        append_import_action(view, VIEW_IMPORT_OPEN);
    }
    view->ui->keys_consumed = true;
}

void view_import(struct view *view, struct rect area)
{
    const struct view_import *const dialog = view->state->import;
    const float wide = fminf(WIDE, area.w - 16);
    const float why =
        dialog->why[0] == '\0'
            ? 0
            : view_wrapped_height(view, wide - 2 * EDGE, UI_TEXT_SMALL, dialog->why) + 12;
    const float rows = PITCH * (float)dialog->rows;
    const float inner = wide >= PREVIEW_FROM ? fmaxf(rows, PREVIEW + 80) : rows + 120;
    const float high = fminf(HEAD + why + inner + FOOT, area.h - 16);
    const struct rect place = {roundf(area.x + (area.w - wide) / 2),
                               roundf(area.y + (area.h - high) / 2), wide, high};
    const struct view_overlay_frame frame = {.name = "ask",
                                             .label = "What the arrays are",
                                             .place = place,
                                             .no_cross = true,
                                             .stays_open = true};
    view_overlay_begin(view, area, &frame);
    draw_dialog(view, dialog, why, place);
    view_overlay_end(view, &frame);
    handle_keys(view);
}
