/* The overlay with all keys. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float LINE = 24, HEAD = 62, EDGE = 24, APART = 28, FOOT_AIR = 10;

/* A note on autosave, which everyone should know. */
static const char autosave_note[] =
    "Work that is in no file yet is kept aside every few seconds, and offered at the next start.";

/* The widths of the columns. */
struct widths {
    float keys, title;
};

static struct widths measure_columns(const struct view *view)
{
    struct widths widest = {0, 0};
    for (size_t i = 0; i < view->state->key_count; i++) {
        const struct view_key_row *const row = &view->state->key_rows[i];
        const struct canvas *const canvas = view->ui->canvas;
        if (row->keys != NULL) {
            const float keys =
                canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_SMALL, tr(row->keys));
            widest.keys = fmaxf(widest.keys, keys);
        }
        widest.title =
            fmaxf(widest.title, canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, tr(row->title)));
    }
    return (struct widths){widest.keys + APART / 2, widest.title + APART};
}

static void draw_row(struct view *view, const struct view_key_row *row, struct widths wide, float x,
                     float y)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    if (row->keys == NULL) {
        canvas_text_cut(canvas, x, y, FONT_WORDS_BOLD, UI_TEXT_BODY, theme->accent, CANVAS_LEFT,
                        tr(row->title), wide.keys + wide.title);
        return;
    }
    canvas_text_cut(canvas, x, y, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->ink, CANVAS_LEFT,
                    tr(row->keys), wide.keys);
    canvas_text_cut(canvas, x + wide.keys, y, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_LEFT,
                    tr(row->title), wide.title - APART / 2);
}

/* The row at which a second column begins: the title of a group, so that none is split, where both
 * columns are most similar. All rows: there is one column. */
static size_t second_column_start(const struct view_key_row *rows, size_t count)
{
    size_t best = count;
    for (size_t i = 1; i < count; i++) {
        const size_t longer = i > count - i ? i : count - i;
        const size_t longer_so_far = best > count - best ? best : count - best;
        best = rows[i].keys == NULL && longer < longer_so_far ? i : best;
    }
    return best;
}

/* Draws the rows, which scroll if they do not fit. */
static void draw_rows(struct view *view, struct rect area, struct widths wide, size_t second)
{
    const size_t count = view->state->key_count;
    const size_t lines = second > count - second ? second : count - second;
    float offset = view->state->help_scroll;
    const float from = ui_scroll_begin(view->ui, "keys", area, LINE * (float)lines, &offset);
    const struct view_key_row *const rows = view->state->key_rows;
    for (size_t i = 0; i < count; i++) {
        const float x = area.x + (i < second ? 0 : wide.keys + wide.title);
        const size_t line = i < second ? i : i - second;
        draw_row(view, &rows[i], wide, x, area.y + 16 - from + (float)line * LINE);
    }
    ui_scroll_end(view->ui);
    if (offset != view->state->help_scroll) {
        view_action_set(view, help_scroll, offset);
    }
}

void view_help(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const size_t count = view->state->key_count;
    struct widths each = measure_columns(view);
    each.title = fminf(each.title, fmaxf(area.w - 16 - 2 * EDGE - each.keys, 40));
    const size_t columns = area.w > 2 * (each.keys + each.title) + 80 ? 2 : 1;
    const size_t second = columns == 1 ? count : second_column_start(view->state->key_rows, count);
    const size_t lines = second > count - second ? second : count - second;
    const float wide = (each.keys + each.title) * (float)columns + 2 * EDGE;
    const float foot =
        view_wrapped_height(view, wide - 2 * EDGE, UI_TEXT_SMALL, autosave_note) + 2 * FOOT_AIR;
    const struct rect place =
        view_overlay_place(view, area, wide, HEAD + LINE * (float)lines + 8 + foot);
    const struct view_overlay_frame frame = {.name = "help", .label = "Help", .place = place};
    view_overlay_begin(view, area, &frame);
    canvas_text(canvas, place.x + EDGE, place.y + 36, FONT_WORDS_BOLD, UI_TEXT_TITLE, theme->ink,
                CANVAS_LEFT, tr("Keys"));
    draw_rows(view,
              (struct rect){place.x + EDGE, place.y + HEAD - 8, wide - EDGE - 8,
                            place.h - HEAD + 8 - foot},
              each, second);
    view_wrapped(view, place.x + EDGE, place.y + place.h - foot + FOOT_AIR + UI_TEXT_SMALL,
                 wide - 2 * EDGE, UI_TEXT_SMALL, theme->muted, autosave_note);
    const float width = ui_button_width(view->ui, "Manual");
    const struct rect manual = {place.x + place.w - 56 - width, place.y + 14, width, 32};
    if (ui_button(view->ui, "manual", manual,
                  &(struct ui_button){
                      .label = "Manual",
                      .tip = "Opens the folder of the manual: for teaching, exploring, writing, "
                             "research, the command line and file formats"})) {
        view_action_command(view, "manual");
    }
    view_overlay_end(view, &frame);
}
