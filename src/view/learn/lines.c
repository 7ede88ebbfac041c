/* The lines that weights learn from, as many as there is room for, so that a class sees what is
 * spoken of; those that a run goes without stand among them, struck out. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"

static const float HEADER = 42, EDGE = 16, ROW = 23, ROW_MIN = 17, NUMBER = 30, GAP = 10;

/* Returns the first line that is shown: those that are left out stand in the middle. */
static size_t find_first(const struct view_learn *learn, size_t shown)
{
    size_t first_out = SIZE_MAX, last_out = 0;
    for (size_t l = 0; l < learn->lines; l++) {
        if (learn->line[l].is_left_out) {
            first_out = first_out == SIZE_MAX ? l : first_out;
            last_out = l;
        }
    }
    const size_t middle = first_out == SIZE_MAX ? 0 : (first_out + last_out + 1) / 2;
    const size_t first = middle > shown / 2 ? middle - shown / 2 : 0;
    const size_t last = learn->lines - shown;
    return first < last ? first : last;
}

static void draw_line(struct view *view, const struct view_learn_line *line, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const float y = area.y + area.h / 2 + 5, x = area.x + NUMBER + GAP;
    const char *const out = line->is_left_out ? tr("left out") : "";
    const float beside = canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_SMALL, out) + GAP;
    const float room = area.w - NUMBER - GAP - beside;
    char number[TEXT_NUMBER_MAX];
    canvas_text(canvas, area.x + NUMBER, y, FONT_NUMBERS, UI_TEXT_SMALL, theme->muted, CANVAS_RIGHT,
                text_count(number, line->number));
    canvas_text_cut(canvas, x, y, FONT_WORDS, UI_TEXT_BODY,
                    line->is_left_out ? theme->muted : theme->ink, CANVAS_LEFT, line->text, room);
    if (line->is_left_out) {
        const float wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_BODY, line->text);
        canvas_line(canvas, x, y - 4.5f, x + fminf(wide, room), y - 4.5f, 1, theme->accent);
        canvas_text(canvas, area.x + area.w, y, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->accent,
                    CANVAS_RIGHT, out);
    }
}

static void draw_lines(struct view *view, const struct view_learn *learn, struct rect area)
{
    const struct rect list = {area.x + EDGE, area.y + HEADER, area.w - 2 * EDGE,
                              fmaxf(area.h - HEADER - 8, 1)};
    const size_t room = (size_t)fmaxf(1, list.h / ROW_MIN);
    const size_t shown = learn->lines < room ? learn->lines : (size_t)fmaxf(1, list.h / ROW);
    const float row = fminf(ROW, list.h / (float)(shown > 0 ? shown : 1));
    const size_t first = find_first(learn, shown);
    const char *const part =
        shown < learn->lines_all
            ? arena_format(view->arena, "%zu–%zu of %zu", learn->line[first].number,
                           learn->line[first + shown - 1].number, learn->lines_all)
            : "";
    view_panel_header(view, area, "Lines it learns from", part == NULL ? "" : part);
    for (size_t l = 0; l < shown; l++) {
        draw_line(view, &learn->line[first + l],
                  (struct rect){list.x, list.y + (float)l * row, list.w, row});
    }
}

void view_learn_lines(struct view *view, struct rect area)
{
    const struct view_learn *const learn = view->state->learn;
    view_panel(view, area, "Lines it learns from");
    canvas_clip(view->ui->canvas, area);
    if (learn != NULL && learn->lines > 0) {
        draw_lines(view, learn, area);
    } else {
        view_notice(view, rect_inset(area, 30), "No lines",
                    "Weights that learn a text line by line have some.");
    }
    canvas_unclip(view->ui->canvas);
    canvas_ungroup(view->ui->canvas);
}
