/* One head of the many, enlarged beside the pointer: its words, and what it does in numbers. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "view/overview/head_overview_internal.h"
#include "view/parts/matrix.h"
#include "view/parts/pieces.h"

static const float WIDE = 316, SIDE = 204, EDGE = 14, TITLE = 34, WORDS_HIGH = 18, LINE = 19;
static const float TRACK = 92, NUMBER = 62, FOOT = 26;

/* Words beside the rows and above the columns, as far as there is room. */
static void draw_words(struct view *view, struct rect cells)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct lab_thumbnails_sizes sizes =
        lab_thumbnails_sizes(view->state->head_overview->thumbnails);
    if (view->trace == NULL || lab_trace_sizes(view->trace).n != sizes.n ||
        lab_trace_sizes(view->trace).m != sizes.m) {
        return;
    }
    view_words_of_rows(view,
                       &(struct view_words){.words = lab_trace_queries(view->trace),
                                            .count = sizes.n,
                                            .from = cells.y,
                                            .step = cells.h / (float)sizes.n,
                                            .at = cells.x - 6,
                                            .room = WIDE - SIDE - 2 * EDGE - 8,
                                            .anchor = CANVAS_RIGHT,
                                            .chosen = view_chosen(view, view->selection.query),
                                            .colour = theme->query});
    view_words_of_columns(view,
                          &(struct view_words){.words = lab_trace_keys(view->trace),
                                               .count = sizes.m,
                                               .from = cells.x,
                                               .step = cells.w / (float)sizes.m,
                                               .at = cells.y - 6,
                                               .room = 60,
                                               .anchor = CANVAS_CENTRE,
                                               .chosen = view_chosen(view, view->selection.key),
                                               .colour = theme->key});
}

static const char *head_measure_text(struct view *view, enum lab_head_measure head_measure,
                                     float value)
{
    const struct lab_head_measure_row *const row = lab_head_measure_row(head_measure);
    char number[TEXT_NUMBER_MAX];
    if (isnan(value)) {
        return tr("none here");
    }
    text_number(number, (double)(row->is_share ? value * 100 : value), row->is_share ? 0 : 2);
    const char *const text = arena_format(view->arena, "%s %s", number, row->unit);
    return text != NULL ? text : "";
}

static void draw_habits(struct view *view, size_t place, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct lab_thumbnails *const thumbnails = view->state->head_overview->thumbnails;
    const size_t heads = lab_thumbnails_sizes(thumbnails).heads;
    const struct lab_thumbnails_head head =
        lab_thumbnails_head(thumbnails, place / heads, place % heads);
    const enum lab_head_measure kind =
        lab_thumbnails_kind(thumbnails, place / heads, place % heads);
    for (size_t h = 0; h < LAB_HABITS; h++) {
        const struct lab_head_measure_row *const row =
            lab_head_measure_row((enum lab_head_measure)h);
        const float y = area.y + (float)h * LINE, value = head.head_measure[h];
        canvas_text(canvas, area.x, y + 13, h == (size_t)kind ? FONT_WORDS_BOLD : FONT_WORDS,
                    UI_TEXT_SMALL, h == (size_t)kind ? theme->ink : theme->muted, CANVAS_LEFT,
                    tr(row->title));
        const struct rect track = {area.x + area.w - NUMBER - TRACK, y + 5, TRACK, 8};
        if (row->is_share && !isnan(value)) {
            canvas_rect(canvas, track, 4, &(struct paint){.fill = theme->control});
            canvas_rect(
                canvas,
                (struct rect){track.x, track.y, track.w * fminf(1, fmaxf(0, value)), track.h}, 4,
                &(struct paint){.fill = h == (size_t)kind ? theme->accent : theme->faint});
        }
        canvas_text(canvas, area.x + area.w, y + 13, FONT_NUMBERS, UI_TEXT_TINY, theme->ink,
                    CANVAS_RIGHT, tr(head_measure_text(view, (enum lab_head_measure)h, value)));
    }
}

static struct rect place_sheet(const struct view *view, struct rect area, float high)
{
    const struct rect cell = view->head_overview_cell;
    struct rect sheet = {cell.x + cell.w + 14, cell.y + cell.h / 2 - high / 2, WIDE, high};
    if (sheet.x + sheet.w > area.x + area.w - 6) {
        sheet.x = cell.x - 14 - sheet.w;
    }
    sheet.x = fmaxf(sheet.x, area.x + 6);
    sheet.y = fmaxf(area.y + 6, fminf(sheet.y, area.y + area.h - 6 - high));
    return sheet;
}

void view_head_overview_enlarge(struct view *view, struct rect area)
{
    const struct view_thumbnail_ink *const ink =
        view->head_overview_over > 0 ? view_thumbnail_ink(view) : NULL;
    if (ink == NULL) {
        return;
    }
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_head_overview *const head_overview = view->state->head_overview;
    const size_t place = view->head_overview_over - 1,
                 heads = lab_thumbnails_sizes(head_overview->thumbnails).heads;
    const bool off = head_overview->off != NULL && head_overview->off[place];
    const bool is_pooled = view_head_overview_cell(view) != NULL;
    const float high = TITLE + WORDS_HIGH + SIDE + 12 + LAB_HABITS * LINE + FOOT;
    const struct rect sheet = place_sheet(view, area, high);
    canvas_group(canvas, ui_id(view->ui, "enlarged head"), "Enlarged head");
    canvas_rect(canvas, sheet, UI_CORNER,
                &(struct paint){.fill = theme->panel, .stroke = theme->faint, .width = 1});
    const char *const title = arena_format(view->arena, "Layer %zu · head %zu%s", place / heads + 1,
                                           place % heads + 1, off ? tr(" · off") : "");
    canvas_text_cut(canvas, sheet.x + EDGE, sheet.y + 24, FONT_WORDS_BOLD, UI_TEXT_BODY, theme->ink,
                    CANVAS_LEFT, title != NULL ? title : "", WIDE - 2 * EDGE);
    const struct rect cells = {roundf(sheet.x + WIDE - EDGE - SIDE),
                               roundf(sheet.y + TITLE + WORDS_HIGH), SIDE, SIDE};
    view_thumbnail_draw(view, ink, place, cells);
    view_thumbnail_mark(view, cells, 1);
    draw_words(view, cells);
    draw_habits(view, place,
                (struct rect){sheet.x + EDGE, cells.y + SIDE + 10, WIDE - 2 * EDGE, 0});
    const char *const hands = head_overview->off == NULL ? tr("click: open")
                              : off                      ? tr("click: open · X: switch on")
                                                         : tr("click: open · X: switch off");
    canvas_text(canvas, sheet.x + EDGE, sheet.y + high - 10, FONT_WORDS, UI_TEXT_TINY, theme->muted,
                CANVAS_LEFT, tr(hands));
    if (is_pooled) {
        canvas_text(canvas, sheet.x + WIDE - EDGE, sheet.y + high - 10, FONT_WORDS, UI_TEXT_TINY,
                    theme->muted, CANVAS_RIGHT,
                    tr(view->state->by_mean ? "cells: mean weight" : "cells: largest weight"));
    }
    canvas_ungroup(canvas);
}
