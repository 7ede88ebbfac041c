/* The result of a stage alone on the page: a figure as papers print it, no wider than necessary. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "view/parts/colours.h"
#include "view/parts/downsample.h"
#include "view/parts/matrix_internal.h"
#include "view/parts/pieces.h"
#include "view/stage/axis_titles.h"

static const float EDGE = 10, TITLE = 32, HEAD = 24, WORDS_MAX = 150;
static const float MASKED = 24;                        /* height of the legend of masked cells */
static const float OF_WIDTH = 0.4f, OF_HEIGHT = 0.45f; /* limits of labels as shares of a figure */
static const float BAR = 66, BAR_APART = 14, BAR_WIDE = 11;
static const float OVERHANG = 16;       /* room for the last label above the columns */
static const float BAR_MIN = 44;        /* least height of the bar */
static const float SENTENCE_APART = 12; /* gap above the caption */
static const float CELL_MIN = 30, CELL_MAX = 130, CELL_HIGH_MAX = 40; /* limits of a cell */
static const float WORD_HIGH = 14;                     /* height of a row for its label */
static const float CELLS_MAX = 640, CAPTION_MIN = 300; /* limits of the natural size */

/* The matrix with its texts, and the room that they take beside the cells. */
struct single {
    struct view_operand operand;
    const char *const *column_words;
    const char *title, *shape, *caption; /* NULL: none */
    struct view_axis_titles titles;
    const char *bar_title; /* NULL: none */
    float words, head, bar;
    float beyond; /* room for what leans over the last column: the bar's, but alike in all panels */
    bool has_bar, has_masked;   /* the legend of masked cells is below the bar */
    float cell_wide, cell_high; /* natural size */
    float share;                /* of the limits for labels in a figure */
};

static bool has_numbers(const struct view *view, const struct lab_matrix *matrix)
{
    enum { CELLS_WITH_NUMBERS = 1200 };
    return view->state->prefs.cells.values != VIEW_VALUES_OFF &&
           matrix->rows * matrix->cols <= CELLS_WITH_NUMBERS;
}

/* Finds the natural size of cells: as wide as numbers and labels need, or small squares if there
 * are neither. */
static void size_cells(struct view *view, struct single *single)
{
    const struct view_operand *const operand = &single->operand;
    const struct lab_matrix *const matrix = &operand->matrix;
    const float columns = (float)matrix->cols, rows = (float)matrix->rows;
    const int decimals = view_matrix_decimals(view, matrix, operand->is_share);
    float wide = view_words_column(view, single->column_words, matrix->cols, CELL_MIN);
    if (has_numbers(view, matrix)) {
        wide = fmaxf(wide, view_matrix_number_width(view, matrix, decimals));
    }
    wide = fminf(wide, CELL_MAX);
    float high = fminf(wide, CELL_HIGH_MAX);
    if (wide * columns > CELLS_MAX || high * rows > CELLS_MAX || !has_numbers(view, matrix)) {
        wide = fminf(CELLS_MAX / columns, wide);
        high = fminf(CELLS_MAX / rows, fminf(wide, high));
        wide = has_numbers(view, matrix) ? wide : fminf(wide, high);
    }
    single->cell_wide = wide;
    single->cell_high = high;
}

/* Says whether there is a colour bar; signed numbers need one if they are not all zero. */
static bool has_bar(const struct view *view, const struct view_operand *operand)
{
    const struct view_matrix cells = view_operand_cells(view, operand, (struct rect){0}, 0);
    return !view->state->frame.no_bar && (operand->is_share || view_matrix_peak(view, &cells) > 0);
}

/* The labels of rows, and below those of columns, for cells of this size. */
static struct view_words row_labels(const struct single *single, float step)
{
    const struct view_operand *const operand = &single->operand;
    return (struct view_words){.words = operand->matrix.row_words,
                               .count = operand->matrix.rows,
                               .step = step,
                               .anchor = CANVAS_RIGHT,
                               .chosen = operand->row,
                               .colour = operand->row_colour};
}

static struct view_words column_labels(const struct single *single, float step, float room)
{
    const struct view_operand *const operand = &single->operand;
    return (struct view_words){.words = single->column_words,
                               .count = operand->matrix.cols,
                               .step = step,
                               .room = room,
                               .beyond = single->beyond,
                               .anchor = CANVAS_CENTRE,
                               .chosen = operand->column,
                               .colour = operand->column_colour};
}

/* The height of the legend of masked cells where these are too low for it beside them. */
static float masked_below(const struct single *single, float cells)
{
    return single->has_masked && cells <= 3 * MASKED ? MASKED : 0;
}

/* Finds the room that labels and titles of the axes take beside and above cells of this size, in a
 * figure so large. */
static void size_words(const struct view *view, struct single *single, struct point cell,
                       struct point figure)
{
    const struct view_words rows = row_labels(single, cell.y);
    const struct view_words columns =
        column_labels(single, cell.x, figure.y * OF_HEIGHT * single->share);
    const float width_max =
        !view->style.cuts_names ? fmaxf(figure.x * OF_WIDTH * single->share, 20) : WORDS_MAX;
    single->words = view_words_beside(view, &rows, width_max) + 14;
    single->head = single->column_words != NULL || single->operand.matrix.cols > 1 ? HEAD : 4;
    single->head = fmaxf(single->head, view_words_above(view, &columns));
    single->words += view_axis_title_room(single->titles.y);
    single->head += view_axis_title_room(single->titles.x);
}

static void emphasise_selection(const struct view *view, struct view_operand *operand)
{
    const bool of_keys = operand->column_axis == VIEW_AXIS_KEYS;
    operand->row = view_chosen(view, view->selection.query);
    operand->column = view_chosen(view, of_keys ? view->selection.key : view->selection.channel);
    operand->row_colour =
        operand->row_axis == VIEW_AXIS_KEYS ? view->ui->theme->key : view->ui->theme->query;
    operand->cell = !operand->is_share;
    operand->editable = false;
    operand->guessed = true;
}

static void find_titles(const struct view *view, struct single *single)
{
    const struct view_operand *const operand = &single->operand;
    const struct view_figure_frame *const frame = &view->state->frame;
    single->titles =
        view_axis_titles_of(view, single->caption != NULL, operand->row_axis, operand->column_axis);
    const bool has = single->has_bar && frame->bar_title != NULL && frame->bar_title[0] != '\0';
    single->bar_title = has ? frame->bar_title : NULL;
}

/* The room of the bar, with its numbers: those of very small ones are long. */
static float bar_room(struct view *view, const struct view_operand *operand)
{
    const struct view_scale *const shared = view->state->frame.scale;
    const struct view_matrix cells = view_operand_cells(view, operand, (struct rect){0}, 0);
    const float peak = shared != NULL ? shared->peak : view_matrix_peak(view, &cells);
    const float numbers = operand->is_share && view->is_logarithmic ? 0
                          : operand->is_share
                              ? view_ticks_width(view, view->share_low, view->share_top)
                              : view_ticks_width(view, -peak, peak);
    return fmaxf(BAR, BAR_APART + BAR_WIDE + numbers) +
           (operand->is_share ? view_ticks_wider(view) : 0);
}

/* Says whether it is the difference between two experiments that is looked at. */
static bool is_difference(const struct view *view)
{
    return view->baseline != NULL && view->state->compare == VIEW_COMPARE_DIFFERENCE;
}

static bool hides_cells(const struct view *view)
{
    return lab_trace_hides(view->trace) &&
           (!is_difference(view) || lab_trace_hides(view->baseline));
}

static bool find_matrix(struct view *view, struct single *single)
{
    if (view->trace == NULL) {
        return false;
    }
    const enum lab_stage stage = view->state->playback.stage;
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    struct view_operand *const operand = &single->operand;
    *operand = view_operand_of(view, lab_cell_part(stage, &view->selection));
    if (stage == LAB_SCALE) {
        operand->matrix = view_scaled(view, view->selection.head, true);
        operand->title = "S scaled";
        operand->tip = "The scores after scale and mask: what the softmax takes";
        operand->masked = true;
    }
    if (is_difference(view)) {
        operand->is_share = false;
        operand->title = "A − B";
        operand->tip = "now − kept; blue: less than before, red: more";
        operand->masked = stage == LAB_SCALE || stage == LAB_SOFTMAX;
        if (!view_difference(view, &operand->matrix)) {
            return false;
        }
    }
    if (operand->matrix.values == NULL) {
        return false;
    }
    emphasise_selection(view, operand);
    const struct lab_matrix *const matrix = &operand->matrix;
    single->column_words =
        operand->column_axis == VIEW_AXIS_KEYS ? lab_trace_keys(view->trace) : matrix->column_words;
    single->title = view_own_title(view, operand->title);
    single->caption = view_own_caption(view, tr(operand->tip));
    single->shape = view->experiment->layers > 0
                        ? arena_format(view->arena, "%zu × %zu, L%zuH%zu", matrix->rows,
                                       matrix->cols, view->experiment->layer, view->selection.head)
                    : sizes.heads > 1 && stage != LAB_EMBED && stage != LAB_OUTPUT
                        ? arena_format(view->arena, "%zu × %zu, head %zu of %zu", matrix->rows,
                                       matrix->cols, view->selection.head + 1, sizes.heads)
                        : arena_format(view->arena, "%zu × %zu", matrix->rows, matrix->cols);
    single->has_bar = has_bar(view, operand);
    const struct view_scale *const shared = view->state->frame.scale;
    single->has_masked =
        single->has_bar && operand->masked && (shared != NULL ? shared->hides : hides_cells(view));
    single->bar = single->has_bar ? bar_room(view, operand) : OVERHANG;
    if (single->has_masked) {
        single->bar = fmaxf(single->bar, BAR_APART + BAR_WIDE + view_masked_legend_width(view));
    }
    find_titles(view, single);
    single->bar += view_axis_title_room(single->bar_title);
    single->beyond = shared != NULL ? OVERHANG : single->bar;
    size_cells(view, single);
    size_words(view, single, (struct point){single->cell_wide, single->cell_high},
               (struct point){CELLS_MAX, CELLS_MAX});
    return true;
}

bool view_single_matrix_scale(struct view *view, struct view_scale *scale)
{
    struct single single = {.share = 1};
    if (!find_matrix(view, &single)) {
        return false;
    }
    const bool is_share = single.operand.is_share;
    *scale = (struct view_scale){
        .map = is_share ? view->share_map : view->state->prefs.signed_map,
        .is_share = is_share,
        .logarithmic = is_share && view->is_logarithmic,
        .low = is_share ? view->share_low : 0,
        .top = is_share ? view->share_top : 0,
        .over = is_share && view->share_over,
        .under = is_share && view->share_under,
        .largest = is_share ? view_peak(view, &single.operand.matrix) : 0,
        .peak = is_share ? 0 : view_peak(view, &single.operand.matrix),
        .hides = single.operand.masked && hides_cells(view),
    };
    return true;
}

static float title_height(const struct single *single)
{
    return single->title != NULL ? TITLE : 0;
}

/* The height of the cells, or of the bar if that is higher. */
static float body_height(const struct single *single, float cells)
{
    return (single->has_bar ? fmaxf(cells, BAR_MIN) : cells) + masked_below(single, cells);
}

static float caption_height(const struct view *view, const struct single *single, float width)
{
    return single->caption == NULL
               ? 0
               : SENTENCE_APART + view_wrapped_height(view, width, UI_TEXT_SMALL, single->caption);
}

struct point view_single_matrix_size(struct view *view)
{
    struct single single = {.share = 1};
    if (!find_matrix(view, &single)) {
        return (struct point){480, 200};
    }
    const struct lab_matrix *const matrix = &single.operand.matrix;
    float wide = single.words + single.cell_wide * (float)matrix->cols + single.bar;
    if (single.title != NULL) {
        wide = fmaxf(wide, canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                                          tr(single.title)) +
                               90);
    }
    if (single.caption != NULL) {
        wide = fmaxf(wide, fminf(CAPTION_MIN, canvas_measure(view->ui->canvas, FONT_WORDS,
                                                             UI_TEXT_SMALL, tr(single.caption)) +
                                                  2));
    }
    wide = ceilf(wide);
    const float high = title_height(&single) + single.head +
                       body_height(&single, single.cell_high * (float)matrix->rows) +
                       caption_height(view, &single, wide);
    return (struct point){wide + 2 * EDGE, ceilf(high) + 2 * EDGE};
}

static void draw_title(struct view *view, const struct single *single, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const bool is_letter = single->title == single->operand.title;
    const float wide =
        fminf(area.w, canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_TITLE, tr(single->title)));
    canvas_text_cut(canvas, area.x, area.y + 18, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                    is_letter ? single->operand.colour : theme->ink, CANVAS_LEFT, tr(single->title),
                    area.w);
    if (is_letter && single->shape != NULL) {
        canvas_text_cut(canvas, area.x + wide + 9, area.y + 18, FONT_WORDS, view->style.small,
                        theme->muted, CANVAS_LEFT, tr(single->shape), fmaxf(area.w - wide - 9, 1));
    }
}

/* The width for the labels of rows. */
static float label_room(const struct single *single)
{
    return fmaxf(single->words - view_axis_title_room(single->titles.y) - 10, 20);
}

static void draw_words(struct view *view, const struct single *single, struct rect cells,
                       float high)
{
    const struct view_operand *const operand = &single->operand;
    struct view_words rows = row_labels(single, cells.h / (float)operand->matrix.rows);
    rows.from = cells.y;
    rows.at = cells.x - 10;
    rows.room = label_room(single);
    rows.highlighted = view_pinned_queries(view, operand);
    view_words_of_rows(view, &rows);
    struct view_words columns = column_labels(single, cells.w / (float)operand->matrix.cols,
                                              high * OF_HEIGHT * single->share);
    columns.from = cells.x;
    columns.at = cells.y - VIEW_WORDS_APART;
    view_words_of_columns(view, &columns);
}

/* Draws a line around the cells or the bar, where the figure is to have one. */
static void draw_outline(struct view *view, struct rect area)
{
    const float wide = view->state->frame.look.outline / view->zoom;
    if (wide > 0) {
        canvas_rect(view->ui->canvas, rect_inset(area, -wide), 0,
                    &(struct paint){.stroke = view->ui->theme->ink, .width = wide});
    }
}

/* Draws the title of the bar beside its numbers, which reach so far beyond it. */
static void draw_bar_title(struct view *view, const struct single *single, struct rect bar,
                           float reach)
{
    struct canvas *const canvas = view->ui->canvas;
    if (single->bar_title != NULL) {
        const float wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, single->bar_title);
        canvas_text_turned(canvas,
                           bar.x + bar.w + reach + view_axis_title_room(single->bar_title) -
                               UI_TEXT_SMALL / 4,
                           bar.y + bar.h - fmaxf(0, (bar.h - wide) / 2), 90, FONT_WORDS,
                           UI_TEXT_SMALL, view_label_ink(view), CANVAS_LEFT, single->bar_title);
    }
}

static void draw_bar(struct view *view, const struct single *single,
                     const struct view_matrix *matrix)
{
    const struct rect cells = matrix->area;
    struct rect bar = {cells.x + cells.w + BAR_APART, cells.y, BAR_WIDE, fmaxf(cells.h, BAR_MIN)};
    if (single->has_masked) {
        const bool is_low = masked_below(single, cells.h) > 0;
        const float end = bar.y + bar.h + (is_low ? MASKED : 0);
        bar.h -= is_low ? 0 : MASKED;
        view_masked_legend(view, (struct rect){bar.x, end - BAR_WIDE, BAR_WIDE, BAR_WIDE},
                           view_has_strokes(cells.w / (float)single->operand.matrix.cols,
                                            cells.h / (float)single->operand.matrix.rows));
    }
    float reach = 0;
    if (matrix->is_share) {
        view_colour_bar(view, bar, true);
        reach = view_colour_ticks(view, bar, true);
    } else {
        reach = view_signed_bar(view, bar, view_matrix_peak(view, matrix));
    }
    draw_outline(view, bar);
    draw_bar_title(view, single, bar, reach);
}

/* In a figure half of the lowest number beside the bar is below it, if nothing else is. */
static float height_below_bar(const struct view *view, const struct single *single)
{
    const bool alone = !single->has_masked && single->caption == NULL;
    return !view->style.has_cards && single->has_bar && alone ? UI_TEXT_TINY / 2 : 0;
}

/* Places the cells as large as the area allows. Where height is left, cells grow to squares at
 * most, but in a figure to the height of row labels. */
static struct rect place_cells(const struct view *view, const struct single *single,
                               struct rect area)
{
    const float columns = (float)single->operand.matrix.cols;
    const float rows = (float)single->operand.matrix.rows;
    const float wide = area.w - single->words - single->bar;
    const float all = area.h - title_height(single) - single->head -
                      caption_height(view, single, area.w) - height_below_bar(view, single);
    const float high = all - masked_below(single, all - MASKED);
    const float by = fminf(wide / (columns * single->cell_wide), high / (rows * single->cell_high));
    float w = columns * single->cell_wide * by;
    float h = fmaxf(rows * single->cell_high * by, fminf(high, rows * single->cell_wide * by));
    if (!view->style.has_cards && !single->operand.is_share && w < h) {
        w = fmaxf(w, fminf(wide, h)); /* a matrix with many rows gets wide cells */
    }
    if (!view->style.has_cards && single->operand.is_share) {
        const float side = fminf(wide / columns, high / rows);
        w = columns * side;
        h = rows * side;
    }
    const bool is_wide = single->operand.is_share ? 2 * rows <= columns : rows < columns;
    if (!view->style.has_cards && single->operand.matrix.row_words != NULL && is_wide) {
        h = fmaxf(h, fminf(high, rows * WORD_HIGH));
    }
    /* No gap separates a figure from its title. */
    const bool below_title = !view->style.has_cards && single->title != NULL;
    const float down = below_title ? 0 : fmaxf(0, floorf((high - body_height(single, h)) / 2));
    return (struct rect){area.x + single->words + fmaxf(0, floorf((wide - w) / 2)),
                         area.y + title_height(single) + single->head + down, w, h};
}

/* In a figure labels adapt to the cells, and the cells to the room that labels leave. */
static struct rect settle_with_share(const struct view *view, struct single *single,
                                     struct rect area)
{
    struct rect cells = place_cells(view, single, area);
    for (int round = 0; !view->style.cuts_names && round < 3 && cells.w > 0 && cells.h > 0;
         round++) {
        const struct lab_matrix *const matrix = &single->operand.matrix;
        size_words(view, single,
                   (struct point){cells.w / (float)matrix->cols, cells.h / (float)matrix->rows},
                   (struct point){area.w, area.h});
        cells = place_cells(view, single, area);
    }
    return cells;
}

/* A figure gives these up in this order: the size of labels, decimals, the middle of labels, one
 * line of them, so that they alternate between two distances, and only then all numbers. Every
 * second label is left out last. */
enum single_gives { DECIMALS = 1, ONE_LINE, NUMBERS, GIVES = NUMBERS };

/* Says whether the labels of rows are whole at their smallest in the room beside the cells. */
static bool has_whole_labels(const struct view *view, const struct single *single)
{
    const struct lab_matrix *const matrix = &single->operand.matrix;
    const struct view_name_style *const style = &view->style.names;
    const float wide = view_words_width(view, matrix->row_words, matrix->rows, 1e4f);
    return matrix->row_words == NULL ||
           wide * style->readable_min / style->max <= label_room(single);
}

/* Says whether the numbers have room in cells of this size, or nothing makes room for so many that
 * were not asked for. */
static bool fits_numbers(const struct view *view, const struct single *single, struct point cell,
                         bool has_decimals)
{
    const struct lab_matrix *const matrix = &single->operand.matrix;
    const bool is_share = single->operand.is_share;
    const int all = view_matrix_decimals(view, matrix, is_share);
    const int decimals = has_decimals ? view_matrix_min_decimals(view, all)
                                      : view_matrix_presenter_decimals(view, matrix, all);
    const float size = view_number_sizes(view, is_share, false).min;
    const bool many = matrix->rows * matrix->cols > VIEW_FEW_CELLS &&
                      view->state->prefs.cells.values != VIEW_VALUES_ON;
    return many || !has_numbers(view, matrix) ||
           (cell.x >= view_number_cell_width(view, matrix, decimals, size) &&
            cell.y >= view_number_cell_height(view, size));
}

/* Finds the widest labels that leave room for what is not given up; false: none do. */
static bool settle_without(const struct view *view, struct single *single, struct rect area,
                           enum single_gives given, struct rect *cells)
{
    const struct lab_matrix *const matrix = &single->operand.matrix;
    const struct single by_itself = *single;
    const size_t shares = given < ONE_LINE ? VIEW_WORDS_SHARES / 2 : VIEW_WORDS_SHARES;
    for (size_t s = 0; s < shares; s++) {
        *single = by_itself;
        single->share = view_words_shares[s].share;
        *cells = settle_with_share(view, single, area);
        const struct point cell = {cells->w / (float)matrix->cols, cells->h / (float)matrix->rows};
        const float step = single->column_words == NULL ? cell.y : fminf(cell.y, cell.x);
        if (step >= view_words_line(view) * view_words_shares[s].line &&
            (given >= NUMBERS || fits_numbers(view, single, cell, given < DECIMALS)) &&
            (given >= DECIMALS || has_whole_labels(view, single))) {
            return true;
        }
    }
    *single = by_itself;
    return false;
}

static struct rect settle_cells(const struct view *view, struct single *single, struct rect area)
{
    struct rect cells;
    for (int given = 0; !view->style.cuts_names && given <= GIVES; given++) {
        if (settle_without(view, single, area, (enum single_gives)given, &cells)) {
            return cells;
        }
    }
    return settle_with_share(view, single, area);
}

void view_single_matrix(struct view *view, struct rect area)
{
    struct single single = {.share = 1};
    const struct rect inner = !view->style.has_cards ? area : rect_inset(area, EDGE);
    canvas_group(view->ui->canvas, ui_id(view->ui, "matrix"), "Matrix");
    if (!find_matrix(view, &single)) {
        view_notice(view, inner, "No matrix here",
                    view->trace == NULL ? tr("There are no words yet.")
                                        : tr("This stage has no result in this experiment."));
        canvas_ungroup(view->ui->canvas);
        return;
    }
    const struct rect cells = settle_cells(view, &single, inner);
    if (single.title != NULL) {
        draw_title(view, &single, inner);
    }
    if (cells.w > 0 && cells.h > 0) {
        struct view_matrix matrix =
            view_operand_cells(view, &single.operand, cells, ui_id(view->ui, "alone"));
        matrix.guessed = true;
        matrix.peak =
            matrix.is_share ? 0 : view_peak(view, &matrix.matrix); /* its scale is its own */
        if (view->state->frame.scale != NULL && !matrix.is_share) {
            matrix.peak = view->state->frame.scale->peak; /* or that of panels beside it */
        }
        matrix.also = is_difference(view) ? view->baseline : NULL;
        view->cells = cells;
        view->cell_rows = single.operand.matrix.rows;
        view->cell_columns = single.operand.matrix.cols;
        if (!view->style.has_cards) {
            matrix.outline = (struct colour){0};
        }
        view_matrix_draw(view, &matrix);
        draw_outline(view, cells);
        draw_words(view, &single, cells, inner.h);
        view_axis_titles_draw(view, &single.titles, cells, single.words, single.head);
        if (single.has_bar) {
            draw_bar(view, &single, &matrix);
        }
    }
    if (single.caption != NULL) {
        view_wrapped(view, inner.x,
                     cells.y + body_height(&single, cells.h) + SENTENCE_APART + UI_TEXT_SMALL,
                     inner.w, UI_TEXT_SMALL, view->ui->theme->muted, single.caption);
    }
    canvas_ungroup(view->ui->canvas);
}
