/* The dialog for saving a session: its name, its folder, and whether a file would be replaced. */
#include "view/sheets/save.h"

#include <math.h>
#include <string.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float WIDE = 560, HIGH = 236, EDGE = 24, HEAD = 58, LABEL = 92, LINE = 32, PITCH = 40;

static void append_save_action(struct view *view, enum view_save_act what, const char *text)
{
    const char *const kept = text == NULL ? NULL : arena_text(view->arena, text, strlen(text));
    view_action(
        view, &(struct view_action){.kind = VIEW_ACTION_SAVE, .save = {.act = what, .text = kept}});
}

/* Draws a text field with its title. Enter saves. */
static void draw_text_field(struct view *view, struct rect line, const char *title,
                            const struct ui_field *field, enum view_save_act what)
{
    canvas_text_cut(view->ui->canvas, line.x, line.y + 21, FONT_WORDS, UI_TEXT_BODY,
                    view->ui->theme->muted, CANVAS_LEFT, tr(title), LABEL - 6);
    const struct rect place = {line.x + LABEL, line.y, line.w - LABEL, line.h};
    const struct ui_field_answer answer = ui_field(view->ui, title, place, field);
    if (answer.event == UI_FIELD_CHANGED || answer.event == UI_FIELD_COMMITTED) {
        append_save_action(view, what, answer.text);
    }
    if (answer.event == UI_FIELD_COMMITTED && answer.by_enter) {
        append_save_action(view, VIEW_SAVE_NOW, NULL);
    } else if (answer.event == UI_FIELD_LEFT) {
        view_action_command(view, "close");
    }
}

static void draw_weights(struct view *view, const struct view_save *save, struct rect line)
{
    canvas_text_cut(view->ui->canvas, line.x, line.y + 21, FONT_WORDS, UI_TEXT_BODY,
                    view->ui->theme->muted, CANVAS_LEFT, tr("Weights"), LABEL - 6);
    const struct rect place = {line.x + LABEL, line.y, line.w - LABEL, line.h};
    if (ui_toggle(view->ui, "weights", place, "Save with weights", save->with_weights,
                  "A folder beside the file: it opens at once, without learning again")) {
        append_save_action(view, VIEW_SAVE_WEIGHTS, NULL);
    }
}

static void draw_buttons(struct view *view, const struct view_save *save, struct rect card)
{
    const struct ui_button buttons[] = {
        {.label = save->replaces ? "Replace" : "Save",
         .style = UI_BUTTON_STRONG,
         .tip = "Save the file (Enter)"},
        {.label = "Cancel", .tip = "Close (Esc)"},
    };
    float x = card.x + card.w - EDGE;
    for (size_t i = 0; i < 2; i++) {
        const float wide = fmaxf(96, ui_button_width(view->ui, buttons[i].label));
        x -= wide;
        const struct rect place = {x, card.y + card.h - EDGE - LINE + 4, wide, LINE};
        if (ui_button(view->ui, i == 0 ? "save" : "cancel", place, &buttons[i])) {
            if (i == 0) {
                append_save_action(view, VIEW_SAVE_NOW, NULL);
            } else {
                view_action_command(view, "close");
            }
        }
        x -= 10;
    }
}

void view_save(struct view *view, struct rect area)
{
    const struct view_save *const save = view->state->save;
    if (save == NULL) {
        return;
    }
    const struct ui_theme *const theme = view->ui->theme;
    const struct rect place =
        view_overlay_place(view, area, WIDE, HIGH + (save->offers_weights ? PITCH : 0));
    const struct view_overlay_frame frame = {
        .name = "save", .label = "Save the session", .place = place, .stays_open = true};
    view_overlay_begin(view, area, &frame);
    canvas_text_cut(view->ui->canvas, place.x + EDGE, place.y + 36, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                    theme->ink, CANVAS_LEFT, tr("Save the session"), place.w - 90);
    const struct ui_field name = {.label = "File name",
                                  .keeps_undo = true,
                                  .text = save->name,
                                  .hint = "a name, or a whole path",
                                  .tip = "What the session is called; .json is added",
                                  .begin = save->begins};
    const struct ui_field folder = {.label = "Folder",
                                    .keeps_undo = true,
                                    .text = save->folder,
                                    .hint = "a folder",
                                    .tip = "Where the file goes; ~ is your home folder"};
    struct rect line = {place.x + EDGE, place.y + HEAD, place.w - 2 * EDGE, LINE};
    draw_text_field(view, line, "File name", &name, VIEW_SAVE_NAME);
    line.y += PITCH;
    draw_text_field(view, line, "Folder", &folder, VIEW_SAVE_FOLDER);
    if (save->offers_weights) {
        line.y += PITCH;
        draw_weights(view, save, line);
    }
    if (save->note != NULL) {
        view_wrapped(view, line.x + LABEL, line.y + LINE + 18, line.w - LABEL, UI_TEXT_SMALL,
                     save->refused ? theme->refused : theme->muted, save->note);
    }
    draw_buttons(view, save, place);
    view_overlay_end(view, &frame);
}
