/* The export dialog: content, format and file name, and a preview. */
#include "view/sheets/export.h"

#include <math.h>
#include <string.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float WIDE = 944, EDGE = 24, HEAD = 58, LABEL = 80, CHOICES = 420;
static const float LINE = 30, PITCH = 36, SLIDER = 38, SWITCH = 26, GAP = 16, FOOT = 146;
static const float BODY = 340; /* height of the choices and of the preview */
static const float PREVIEW_WIDE = 452, PREVIEW_HIGH = 340, PREVIEW_FROM = 720;

struct point view_export_preview_room(void)
{
    return (struct point){PREVIEW_WIDE - 24, PREVIEW_HIGH - 24};
}

static void append_export_action(struct view *view, enum view_export_act what)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_EXPORT, .export = {.act = what}});
}

/* --- The left column. --- */

static void draw_choice(struct view *view, const struct view_export_choice *choice,
                        enum view_export_row row, struct rect area)
{
    canvas_text_cut(view->ui->canvas, area.x, area.y + 21, FONT_WORDS, UI_TEXT_BODY,
                    view->ui->theme->muted, CANVAS_LEFT, tr(choice->title), LABEL - 4);
    const struct rect place = {area.x + LABEL, area.y, area.w - LABEL, area.h};
    const struct ui_menu menu = {.rows = choice->rows,
                                 .count = choice->count,
                                 .current = choice->current,
                                 .tip = choice->tip};
    const size_t chosen = ui_menu(view->ui, choice->title, place, &menu);
    if (chosen < choice->count && chosen != choice->current) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_EXPORT,
                                                .export = {.act = VIEW_EXPORT_CHOOSE,
                                                           .which = row,
                                                           .number = (double)chosen}});
    }
}

static void draw_number(struct view *view, const struct view_export_quantity *quantity,
                        enum view_export_number number, struct rect area)
{
    double value = quantity->value;
    const struct ui_slider slider = {.label = quantity->title,
                                     .value = value,
                                     .low = quantity->low,
                                     .high = quantity->high,
                                     .step = quantity->step,
                                     .logarithmic = true,
                                     .decimals = quantity->decimals,
                                     .tip = quantity->tip};
    if (ui_slider(view->ui, quantity->title, area, &slider, &value)) {
        view_action(view,
                    &(struct view_action){
                        .kind = VIEW_ACTION_EXPORT,
                        .export = {.act = VIEW_EXPORT_SET, .which = number, .number = value}});
    }
}

/* Draws width, height and scale side by side; returns their height. */
static float draw_numbers(struct view *view, const struct view_export *dialog, struct rect area)
{
    const float wide = (area.w - 2 * GAP) / VIEW_EXPORT_NUMBERS;
    float x = area.x;
    for (size_t i = 0; i < VIEW_EXPORT_NUMBERS; i++) {
        if (dialog->number[i].shown) {
            draw_number(view, &dialog->number[i], (enum view_export_number)i,
                        (struct rect){x, area.y, wide, SLIDER});
        }
        x += wide + GAP;
    }
    return SLIDER + 8;
}

/* Draws two switches in a line; the last one, which is about the file, has its own line. */
static void draw_switches(struct view *view, const struct view_export *dialog, struct rect area)
{
    static const struct {
        const char *label, *tip;
    } rows[VIEW_EXPORT_SWITCHES] = {
        [VIEW_EXPORT_TITLE] = {"title", "The headline of the picture"},
        [VIEW_EXPORT_CAPTION] = {"caption", "The sentence that says what is seen"},
        [VIEW_EXPORT_BAR] = {"colour bar", "The bar that says which colour is which number"},
        [VIEW_EXPORT_MARKS] = {"selection marks", "What is selected stands out"},
        [VIEW_EXPORT_WORDS] = {"experiment inside the file",
                               "A description and the experiment, words and all, stand in the "
                               "file: dropped on the window it opens again. Off: the picture "
                               "alone"},
    };
    const float half = (area.w - GAP) / 2;
    for (size_t i = 0; i < VIEW_EXPORT_SWITCHES; i++) {
        const bool last = i + 1 == VIEW_EXPORT_SWITCHES;
        const struct rect line = {area.x + (float)(i % 2) * (half + GAP),
                                  area.y + (float)(i / 2) * SWITCH, last ? area.w : half, SWITCH};
        if (ui_toggle(view->ui, rows[i].label, line, rows[i].label, dialog->on[i], rows[i].tip)) {
            view_action(view,
                        &(struct view_action){.kind = VIEW_ACTION_EXPORT,
                                              .export = {.act = VIEW_EXPORT_TURN, .which = i}});
        }
    }
}

/* Draws two choices in a line, then numbers, then switches, each at a fixed place whatever the
 * format has of them. */
static void draw_choices(struct view *view, const struct view_export *dialog, struct rect area)
{
    const float half = (area.w - GAP) / 2;
    for (size_t row = 0; row < VIEW_EXPORT_ROWS; row++) {
        if (dialog->choice[row].count > 0) {
            const size_t place =
                row - (row > VIEW_EXPORT_SPAN ? 1 : 0); /* two rows share a place */
            const float x = area.x + (float)(place % 2) * (half + GAP);
            draw_choice(view, &dialog->choice[row], (enum view_export_row)row,
                        (struct rect){x, area.y + (float)(place / 2) * PITCH, half, LINE});
        }
    }
    float y = area.y + VIEW_EXPORT_ROWS / 2 * PITCH + 4;
    y += draw_numbers(view, dialog, (struct rect){area.x, y, area.w, area.h});
    if (dialog->has_switches) {
        draw_switches(view, dialog, (struct rect){area.x, y, area.w, area.h});
    }
}

/* --- The preview. --- */

static void draw_preview_text(struct view *view, const char *text, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    float y = area.y + 14;
    canvas_clip(canvas, area);
    for (const char *at = text; *at != '\0' && y < area.y + area.h + 14; y += 16) {
        const size_t length = strcspn(at, "\n");
        canvas_text_length(canvas, area.x, y, FONT_NUMBERS, UI_TEXT_TINY, view->ui->theme->ink,
                           CANVAS_LEFT, at, length < 400 ? length : 400);
        at += length + (at[length] != '\0');
    }
    canvas_unclip(canvas);
}

static void draw_preview(struct view *view, const struct view_export *dialog, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    canvas_group(canvas, ui_id(view->ui, "preview"), "Preview");
    canvas_rect(canvas, area, UI_CORNER_SMALL,
                &(struct paint){.fill = theme->ground, .stroke = theme->line, .width = 1});
    if (dialog->text != NULL) {
        draw_preview_text(view, dialog->text, rect_inset(area, 14));
    } else if (dialog->pixels != NULL) {
        const struct rect picture = {roundf(area.x + (area.w - dialog->wide) / 2),
                                     roundf(area.y + (area.h - dialog->high) / 2), dialog->wide,
                                     dialog->high};
        canvas_image(canvas, picture, dialog->columns, dialog->rows, dialog->pixels);
        canvas_rect(canvas, rect_inset(picture, -1), 0,
                    &(struct paint){.stroke = theme->line, .width = 1});
    } else {
        canvas_text(canvas, area.x + area.w / 2, area.y + area.h / 2, FONT_WORDS, UI_TEXT_BODY,
                    theme->muted, CANVAS_CENTRE, tr("Nothing to see"));
    }
    canvas_ungroup(canvas);
}

/* --- The footer: file name, folder and buttons. --- */

static void draw_name(struct view *view, const struct view_export *dialog, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct rect place = {area.x + LABEL, area.y, area.w - LABEL, LINE};
    canvas_text(canvas, area.x, area.y + 21, FONT_WORDS, UI_TEXT_BODY, theme->muted, CANVAS_LEFT,
                tr("File name"));
    const struct ui_field field = {.label = "File name",
                                   .text = dialog->name,
                                   .hint = "a name, or a whole path",
                                   .tip = "Without a folder it goes where pictures are kept",
                                   .keeps_undo = true};
    const struct ui_field_answer answer = ui_field(view->ui, "file name", place, &field);
    if (answer.event == UI_FIELD_CHANGED || answer.event == UI_FIELD_COMMITTED) {
        view_action(
            view, &(struct view_action){.kind = VIEW_ACTION_EXPORT,
                                        .export = {.act = VIEW_EXPORT_NAME, .text = answer.text}});
    }
    if (answer.event == UI_FIELD_COMMITTED && answer.by_enter) {
        append_export_action(view, VIEW_EXPORT_SAVE);
    }
    const bool has_note = dialog->note != NULL;
    const struct colour ink = has_note && dialog->refused ? theme->refused : theme->muted;
    canvas_text_cut(canvas, place.x, area.y + LINE + 19, FONT_WORDS, UI_TEXT_SMALL, ink,
                    CANVAS_LEFT, has_note ? dialog->note : dialog->folder, place.w);
}

static void draw_progress(struct view *view, const struct view_export *dialog, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct rect track = {area.x, area.y + 4, area.w, 8};
    canvas_group(canvas, ui_id(view->ui, "progress"), "Progress");
    canvas_rect(canvas, track, 4, &(struct paint){.fill = theme->line});
    canvas_rect(canvas,
                (struct rect){track.x, track.y, fmaxf(track.w * dialog->progress, 8), track.h}, 4,
                &(struct paint){.fill = theme->accent});
    canvas_text_cut(canvas, area.x, area.y + 34, FONT_WORDS, UI_TEXT_SMALL, theme->muted,
                    CANVAS_LEFT, dialog->progress_text, area.w);
    canvas_ungroup(canvas);
}

static void draw_buttons(struct view *view, const struct view_export *dialog, struct rect area)
{
    const struct {
        enum view_export_act act;
        struct ui_button button;
        float wide;
    } buttons[] = {
        {VIEW_EXPORT_SAVE,
         {.label = dialog->save,
          .style = UI_BUTTON_STRONG,
          .tip = "Save the file (Enter)",
          .disabled = dialog->busy},
         104},
        {VIEW_EXPORT_COPY,
         {.label = "Copy", .tip = dialog->copy_tip, .disabled = dialog->busy || !dialog->can_copy},
         84},
        {VIEW_EXPORT_CLOSE,
         {.label = "Cancel", .tip = dialog->busy ? tr("Stop (Esc)") : tr("Close (Esc)")},
         84},
    };
    float x = area.x + area.w;
    for (size_t i = 0; i < sizeof buttons / sizeof buttons[0]; i++) {
        const float wide =
            fmaxf(buttons[i].wide, ui_button_width(view->ui, buttons[i].button.label));
        x -= wide;
        if (ui_button(view->ui, buttons[i].button.label, (struct rect){x, area.y, wide, 36},
                      &buttons[i].button)) {
            append_export_action(view, buttons[i].act);
        }
        x -= 10;
    }
    canvas_text_cut(view->ui->canvas, area.x, area.y + 23, FONT_WORDS, UI_TEXT_SMALL,
                    view->ui->theme->muted, CANVAS_LEFT, dialog->facts, x - area.x);
}

/* --- The dialog. --- */

/* Keeps keys in the dialog while it is open, except those with Ctrl. */
static void handle_keys(struct view *view, const struct view_export *dialog)
{
    if (ui_stroke_consumed(view->ui, 0, UI_KEY_ESCAPE, 0)) {
        append_export_action(view, VIEW_EXPORT_CLOSE);
    } else if (!dialog->busy && ui_stroke_consumed(view->ui, 0, UI_KEY_ENTER, 0)) {
        append_export_action(view, VIEW_EXPORT_SAVE);
    }
    bool passes = !dialog->busy;
    for (size_t i = 0; i < view->ui->input->strokes; i++) {
        passes = passes && (view->ui->input->stroke[i].mods & UI_CTRL) != 0;
    }
    view->ui->keys_consumed = view->ui->keys_consumed || !passes;
}

static void draw_dialog(struct view *view, const struct view_export *dialog, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const bool previews = area.w >= PREVIEW_FROM - 2 * EDGE;
    canvas_clip(canvas, area);
    canvas_text(canvas, area.x + EDGE, area.y + 36, FONT_WORDS_BOLD, UI_TEXT_TITLE, theme->ink,
                CANVAS_LEFT, tr("Export"));
    const struct rect inner = {area.x + EDGE, area.y + HEAD, area.w - 2 * EDGE,
                               area.h - HEAD - FOOT};
    const struct rect left = {inner.x, inner.y, previews ? CHOICES : inner.w, inner.h};
    draw_choices(view, dialog, left);
    if (previews) {
        const float x = left.x + left.w + EDGE;
        draw_preview(view, dialog,
                     (struct rect){x, inner.y, fminf(inner.x + inner.w - x, PREVIEW_WIDE),
                                   fminf(inner.h, PREVIEW_HIGH)});
    }
    const struct rect foot = {inner.x, inner.y + inner.h + 8, inner.w, FOOT};
    if (dialog->busy) {
        draw_progress(view, dialog, foot);
    } else {
        draw_name(view, dialog, foot);
    }
    draw_buttons(view, dialog, (struct rect){inner.x, area.y + area.h - 56, inner.w, 36});
    canvas_unclip(canvas);
}

void view_export(struct view *view, struct rect area)
{
    const struct view_export *const dialog = view->state->export_dialog;
    const float wide = fminf(WIDE, area.w - 16);
    const float high = fminf(HEAD + BODY + FOOT, area.h - 16);
    const struct rect place = {roundf(area.x + (area.w - wide) / 2),
                               roundf(area.y + (area.h - high) / 2), wide, high};
    const struct view_overlay_frame frame = {.name = "export",
                                             .label = "Export sheet",
                                             .place = place,
                                             .no_cross = true,
                                             .stays_open = true};
    view_overlay_begin(view, area, &frame);
    draw_dialog(view, dialog, place);
    view_overlay_end(view, &frame);
    handle_keys(view, dialog);
}
