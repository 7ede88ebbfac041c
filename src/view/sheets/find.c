/* Search by name: a field over everything, with the matches below. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/view.h"
#include "view/sheets/overlay.h"

static const float WIDE = 520, FIELD_HIGH = 40, ROW_HIGH = 32, EDGE = 8;

static void choose_row(struct view *view, size_t row, bool now)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_FIND_ROW,
                                            .found = {.row = row, .now = now}});
}

static void draw_row(struct view *view, size_t index, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct view_find_row *row = &view->state->find_rows[index];
    const bool current = index == view->state->find_at;
    const uint32_t id = ui_id_number(view->ui, "find row", index);
    const struct ui_touch touch = ui_touch(view->ui, id, area, false);
    if (current || touch.hover) {
        canvas_rect(canvas, area, 6, &(struct paint){.fill = theme->control});
    }
    const float y = area.y + area.h / 2 + 5;
    const float room = area.w - 36, half = room * 0.45f;
    const float title = canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, tr(row->title));
    const float hint_whole = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, tr(row->hint));
    const float hint = fminf(hint_whole, fmaxf(room - title, half)); /* the title has priority */
    canvas_text_cut(canvas, area.x + 12, y, current ? FONT_WORDS_BOLD : FONT_WORDS, UI_TEXT_BODY,
                    theme->ink, CANVAS_LEFT, tr(row->title), room - hint);
    canvas_text_cut(canvas, area.x + area.w - 12 - hint, y, FONT_WORDS, UI_TEXT_SMALL, theme->muted,
                    CANVAS_LEFT, tr(row->hint), hint + 1);
    if (title > room - hint || hint_whole > hint) {
        ui_tip(view->ui, id, area,
               arena_format(view->arena, "%s\n%s", tr(row->title), tr(row->hint)));
    }
    if (touch.clicked) {
        choose_row(view, index, true);
    }
}

static void handle_arrows(struct view *view)
{
    const size_t at = view->state->find_at, count = view->state->find_count;
    if (ui_stroke_consumed(view->ui, 0, UI_KEY_DOWN, 0) && at + 1 < count) {
        choose_row(view, at + 1, false);
    }
    if (ui_stroke_consumed(view->ui, 0, UI_KEY_UP, 0) && at > 0) {
        choose_row(view, at - 1, false);
    }
}

void view_find(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const size_t count = view->state->find_count;
    const float wide = fminf(WIDE, area.w - 24);
    const float rows = count > 0 ? (float)count * ROW_HIGH + EDGE : 40;
    const struct rect place = {area.x + (area.w - wide) / 2, area.y + fminf(110, area.h * 0.1f),
                               wide, FIELD_HIGH + rows + 2 * EDGE};
    const struct view_overlay_frame frame = {
        .name = "find", .label = "Find", .place = place, .no_cross = true};
    view_overlay_begin(view, area, &frame);
    handle_arrows(view);
    const struct ui_field field = {.label = "Find",
                                   .text = view->state->find_typed,
                                   .hint = view->state->find_hint,
                                   .begin = view->state->find_new,
                                   .keeps_undo = true};
    const struct rect line = {place.x + EDGE, place.y + EDGE, wide - 2 * EDGE, FIELD_HIGH - 4};
    const struct ui_field_answer answer = ui_field(view->ui, "find", line, &field);
    for (size_t i = 0; i < count; i++) {
        draw_row(view, i,
                 (struct rect){line.x, place.y + EDGE + FIELD_HIGH + (float)i * ROW_HIGH, line.w,
                               ROW_HIGH});
    }
    if (count == 0) {
        const char *const typed = view->state->find_typed, *const note = view->state->find_note;
        const bool is_empty = typed == NULL || typed[0] == '\0';
        canvas_text_cut(canvas, line.x + 12, place.y + EDGE + FIELD_HIGH + 24, FONT_WORDS,
                        UI_TEXT_BODY, theme->muted, CANVAS_LEFT,
                        tr(note != NULL ? note
                           : is_empty   ? "Nothing to choose from: type a path or a name."
                                        : "Nothing is called that."),
                        line.w - 24);
    }
    view_overlay_end(view, &frame);
    if (answer.event == UI_FIELD_CHANGED) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_FIND, .text = answer.text});
    } else if (answer.event == UI_FIELD_COMMITTED && answer.by_enter) {
        choose_row(view, view->state->find_at, true);
    } else if (answer.event == UI_FIELD_LEFT) {
        view_action_command(view, "close");
    }
}
