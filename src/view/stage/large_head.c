/* One head with large cells, the sums of its rows and columns, and the colour bar beside it. */
#include "view/stage/large_head.h"

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/colours.h"
#include "view/parts/downsample.h"
#include "view/parts/pieces.h"
#include "view/parts/strips.h"
#include "view/parts/table.h"
#include "view/stage/axis_titles.h"
#include <math.h>

static const float BAR_WIDE = VIEW_HEAD_BAR_WIDE, BAR_APART = 6,
                   LEGEND = 24; /* height of the legend of masked cells */

/* Says whether a figure has a legend of masked cells below its colour bar. */
static bool has_legend(const struct view *view, float bar)
{
    return !view->style.has_cards && lab_trace_hides(view->trace) && bar > 3 * LEGEND;
}

float view_head_legend_width(const struct view *view, float taken, float apart)
{
    const bool can = !view->style.has_cards && lab_trace_hides(view->trace);
    return can ? fmaxf(taken, apart + BAR_WIDE + view_masked_legend_width(view)) : taken;
}

/* The width of the bar beside one head. */
static float bar_width(const struct view *view)
{
    return view->state->frame.no_bar
               ? 0
               : view_head_legend_width(view, 62 + view_ticks_wider(view), BAR_APART);
}

void view_head_legend(struct view *view, struct rect *bar, float right, struct rect cell)
{
    if (has_legend(view, bar->h)) {
        const float x = fminf(bar->x, right - BAR_WIDE - view_masked_legend_width(view));
        bar->h -= LEGEND;
        view_masked_legend(
            view, (struct rect){x, bar->y + bar->h + LEGEND - BAR_WIDE, BAR_WIDE, BAR_WIDE},
            view_has_strokes(cell.w, cell.h));
    } else if (!view->style.has_cards && lab_trace_hides(view->trace)) {
        view_note_lack(view, VIEW_LACKS_ROOM, true);
    }
}

/* Draws the colour bar at a distance from the cells. */
static void draw_head_bar(struct view *view, struct rect cells, float apart)
{
    struct rect bar = {cells.x + cells.w + apart + BAR_APART, cells.y, BAR_WIDE, cells.h};
    if (view->state->frame.no_bar) {
        return;
    }
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    view_head_legend(view, &bar, cells.x + cells.w + bar_width(view),
                     (struct rect){.w = cells.w / (float)sizes.m, .h = cells.h / (float)sizes.n});
    view_colour_bar(view, bar, true);
    view_colour_ticks(view, bar, true);
}

/* Says whether numbers need the room of the bar, which says less than they do in the presenter
 * view. */
static bool numbers_need_bar(const struct view *view, const struct view_table *table,
                             struct rect area)
{
    static const float WORDS_MAX = 130, OF_WIDTH = 0.27f, LINE_MIN = 11.6f, ABOVE = 28;
    const struct lab_matrix *const matrix = &table->operand.matrix;
    if (!view->style.is_far || matrix->rows == 0 || matrix->values == NULL) {
        return false;
    }
    const int decimals = view_matrix_presenter_decimals(view, matrix, table->decimals);
    const float words = view_words_width(view, table->row_words, matrix->rows,
                                         fminf(WORDS_MAX, area.w * OF_WIDTH)) +
                        20;
    const float need = (float)matrix->cols *
                       view_number_cell_width(view, matrix, decimals, VIEW_PRESENTER_FONT_MIN);
    const float room = area.w - words - table->tail;
    return (area.h - ABOVE - table->foot) / (float)matrix->rows >= LINE_MIN && need > room &&
           need <= room + bar_width(view);
}

/* The lowest row with a number in its sum, and the height around the rows. */
static const float ROW_MIN = 14, AROUND = 70;

void view_large_head(struct view *view, struct rect area)
{
    const struct ui_theme *theme = view->ui->theme;
    const bool borderless = !view->style.has_cards;
    const float caption = area.h > 150 && !borderless && !view->is_signed ? 24 : 0;
    const size_t rows = lab_trace_sizes(view->trace).n;
    const bool roomy = area.w > 400 && (area.h - AROUND) / (float)rows >= ROW_MIN;
    const bool stripped = borderless || view->is_signed; /* only shares have sums to show */
    const float strip = stripped ? 0 : roomy ? VIEW_STRIP_NUMBERS : VIEW_STRIP_WIDE;
    const bool fills = view->style.has_controls && view->state->playback.stage == LAB_SOFTMAX;
    struct view_table table = {.operand = view_operand_of(view, LAB_ALPHA),
                               .row_words = lab_trace_queries(view->trace),
                               .column_words = lab_trace_keys(view->trace),
                               .label = view->is_signed ? "Matrix" : "Weights",
                               .cell_wide = 62,
                               .cell_high = borderless ? 62 : 41,
                               .cell_tall = 1.5f,
                               .square = borderless,
                               .tail = bar_width(view) + strip,
                               .foot = stripped ? 0 : VIEW_STRIP_HIGH,
                               .done = fills ? view_done_weights(view)
                                             : 1, /* together with the stage */
                               .decimals = view->is_signed ? 0
                                           : borderless    ? 2
                                                           : 3,
                               .has_zoom = true,
                               .id = ui_id(view->ui, "large")};
    table.operand.title = NULL;
    table.operand.colour = (struct colour){0};
    table.operand.row = view_chosen(view, view->selection.query);
    table.operand.column = view_chosen(view, view->selection.key);
    table.operand.column_colour = theme->key;
    const bool barred = !numbers_need_bar(view, &table, area);
    table.tail -= barred ? 0 : bar_width(view);
    const struct view_axis_titles titles = view_axis_titles_of(
        view, view->state->frame.caption != NULL, VIEW_AXIS_QUERIES, VIEW_AXIS_KEYS);
    const float beside = view_axis_title_room(titles.y), above = view_axis_title_room(titles.x);
    const struct view_table_answer answer = view_table_draw(
        view, &table,
        (struct rect){area.x + beside, area.y + above, area.w - beside, area.h - above - caption});
    if (answer.cells.w <= 0) {
        return;
    }
    view_axis_titles_draw(view, &titles, answer.cells, answer.words + beside, answer.head + above);
    if (!stripped && table.done >= 1) {
        view_strips(view, &(struct view_strips){.weights = table.operand.matrix,
                                                .cells = answer.cells,
                                                .numbers = roomy,
                                                .name = "sums"});
        if (roomy && view_guess(view) == LAB_GUESS_NONE) {
            view_strip_title(view, answer.cells, answer.words_lean ? table.operand.matrix.cols : 0,
                             answer.cells.x + answer.cells.w + BAR_APART, "row sum");
        }
    }
    if (barred) {
        draw_head_bar(view, answer.cells, strip);
    }
    if (caption > 0) {
        view_text_whole(view, answer.cells.x + answer.cells.w / 2,
                        answer.cells.y + answer.cells.h + VIEW_STRIP_HIGH + 17, FONT_WORDS,
                        UI_TEXT_SMALL, theme->muted, CANVAS_CENTRE,
                        tr("keys — what is attended to"), area.w * 0.6f);
    }
    if (answer.hit.hover || answer.hit.clicked) {
        struct lab_selection to = view->selection;
        to.query = answer.hit.row;
        to.key = answer.hit.column;
        view_choose(view, VIEW_QUERY | VIEW_KEY, to, answer.hit.clicked);
    }
}
