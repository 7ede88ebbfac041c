#include "view/stage/axis_titles.h"

#include <math.h>

#include "base/translate.h"

static const float LINE = 17; /* height of the line of a title */

static const char *title_of(const char *asked, bool is_told, enum view_axis axis)
{
    return asked != NULL               ? (asked[0] != '\0' ? asked : NULL)
           : is_told                   ? NULL
           : axis == VIEW_AXIS_KEYS    ? tr("key")
           : axis == VIEW_AXIS_QUERIES ? tr("query")
                                       : NULL;
}

struct view_axis_titles view_axis_titles_of(const struct view *view, bool has_caption,
                                            enum view_axis rows, enum view_axis columns)
{
    const struct view_figure_frame *const frame = &view->state->frame;
    const bool square = rows == VIEW_AXIS_QUERIES && columns == VIEW_AXIS_KEYS;
    const bool is_told = view->style.has_cards || has_caption || view->is_signed || !square;
    return (struct view_axis_titles){title_of(frame->x_title, is_told, columns),
                                     title_of(frame->y_title, is_told, rows)};
}

float view_axis_title_room(const char *title)
{
    return title != NULL ? LINE : 0;
}

void view_axis_titles_draw(struct view *view, const struct view_axis_titles *titles,
                           struct rect cells, float beside, float above)
{
    const struct colour ink = view_label_ink(view);
    struct canvas *const canvas = view->ui->canvas;
    const struct view_figure_frame *const frame = &view->state->frame;
    const char *const x = titles->x, *const y = titles->y;
    const float wide = x == NULL ? 0 : canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, x);
    const float high = y == NULL ? 0 : canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, y);
    if (x != NULL && (wide <= cells.w || frame->x_title != NULL)) {
        canvas_text(canvas, fmaxf(cells.x + (cells.w - wide) / 2, cells.x - beside),
                    cells.y - above + UI_TEXT_SMALL, FONT_WORDS, UI_TEXT_SMALL, ink, CANVAS_LEFT,
                    x);
    }
    if (y != NULL && (high <= cells.h || frame->y_title != NULL)) {
        canvas_text_turned(canvas, cells.x - beside + UI_TEXT_SMALL,
                           cells.y + cells.h - fmaxf(0, (cells.h - high) / 2), 90, FONT_WORDS,
                           UI_TEXT_SMALL, ink, CANVAS_LEFT, y);
    }
}
