/* One matrix with its labels; a large one can be zoomed into. */
#include "view/parts/table.h"

#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/downsample.h"
#include "view/parts/pieces.h"
#include "view/parts/viewport.h"

enum { CELLS_MIN = 6 }; /* the zoom shows at least so many rows and columns */

static const float ZOOM_STEP = 0.8f; /* a notch of the wheel scales the visible part by this */

static bool can_zoom(const struct view_operand *operand)
{
    return operand->row_axis == VIEW_AXIS_QUERIES && operand->column_axis == VIEW_AXIS_KEYS &&
           !operand->transposed &&
           (operand->matrix.rows > VIEW_ZOOM_FROM || operand->matrix.cols > VIEW_ZOOM_FROM);
}

static bool is_zoomed(const struct view *view, const struct view_operand *operand)
{
    const struct view_zoom *const zoom = &view->state->zoom;
    return zoom->rows > 0 && can_zoom(operand) && zoom->rows <= operand->matrix.rows &&
           zoom->columns <= operand->matrix.cols;
}

static struct view_viewport visible_range(float first, size_t count, size_t total)
{
    const size_t at = (size_t)fmaxf(0, roundf(first));
    return (struct view_viewport){at + count <= total ? at : total - count, count};
}

/* The range of rows and columns that the zoom shows; all of them without a zoom. */
static void visible_cells(const struct view *view, const struct view_operand *operand,
                          struct view_viewport *row, struct view_viewport *column)
{
    const struct view_zoom *const zoom = &view->state->zoom;
    *row = (struct view_viewport){0, operand->matrix.rows};
    *column = (struct view_viewport){0, operand->matrix.cols};
    if (is_zoomed(view, operand)) {
        *row = visible_range(zoom->row, zoom->rows, operand->matrix.rows);
        *column = visible_range(zoom->column, zoom->columns, operand->matrix.cols);
    }
}

/* Scales the visible range of one axis; what is at `share` of it stays there. */
static void scale_range(float *first, size_t *count, size_t total, float factor, float share)
{
    const float count_min = fminf(CELLS_MIN, (float)total), was = (float)*count;
    float fresh = roundf(was * factor);
    fresh = factor < 1 ? fminf(fresh, was - 1) : fmaxf(fresh, was + 1);
    fresh = fmaxf(count_min, fminf(fresh, (float)total));
    *first = fmaxf(0, fminf(*first + share * (was - fresh), (float)total - fresh));
    *count = (size_t)fresh;
}

struct view_zoom view_zoom_nearer(struct view_zoom zoom, size_t rows, size_t columns, float steps,
                                  float x, float y)
{
    struct view_zoom next = zoom.rows > 0 && zoom.rows <= rows && zoom.columns <= columns
                                ? zoom
                                : (struct view_zoom){0, 0, rows, columns};
    const float factor = powf(ZOOM_STEP, steps);
    scale_range(&next.row, &next.rows, rows, factor, y);
    scale_range(&next.column, &next.columns, columns, factor, x);
    return next.rows == rows && next.columns == columns ? (struct view_zoom){0} : next;
}

static void append_zoom(struct view *view, struct view_zoom zoom)
{
    view_action_set(view, zoom, zoom);
}

static float clamp_start(float value, size_t count, size_t total)
{
    return fmaxf(0, fminf(value, (float)(total - count)));
}

/* Zooms by wheel and moves by drag over the visible cells. */
static void handle_zoom_input(struct view *view, const struct view_operand *operand,
                              struct rect cells, const struct view_matrix_hit *hit)
{
    struct ui *const ui = view->ui;
    const size_t rows = operand->matrix.rows, columns = operand->matrix.cols;
    const bool zoomed = is_zoomed(view, operand);
    struct view_zoom zoom = view->state->zoom;
    if (!can_zoom(operand) || (!hit->hover && !hit->held)) {
        return;
    }
    const float notches = ui->input->wheel_y + ui->input->pinch;
    if (hit->hover && notches != 0 && !ui->wheel_consumed && (ui->input->mods & UI_CTRL) == 0) {
        ui->wheel_consumed = true;
        append_zoom(view, view_zoom_nearer(zoom, rows, columns, notches,
                                           (ui->input->x - cells.x) / cells.w,
                                           (ui->input->y - cells.y) / cells.h));
        return;
    }
    const bool rolls = hit->hover && ui->input->wheel_x != 0 && !ui->wheel_consumed;
    const bool slides =
        hit->hover && !ui->wheel_consumed && (ui->input->slide_x != 0 || ui->input->slide_y != 0);
    const float dx = slides ? -ui->input->slide_x : ui->memory->pointer_x - ui->input->x,
                dy = slides ? -ui->input->slide_y : ui->memory->pointer_y - ui->input->y;
    if (zoomed && (rolls || slides || (hit->held && !hit->pressed && (dx != 0 || dy != 0)))) {
        const float across = rolls ? ui->input->wheel_x * 0.1f : dx / cells.w;
        zoom.column =
            clamp_start(zoom.column + across * (float)zoom.columns, zoom.columns, columns);
        zoom.row =
            clamp_start(zoom.row + (rolls ? 0 : dy / cells.h * (float)zoom.rows), zoom.rows, rows);
        ui->wheel_consumed = ui->wheel_consumed || rolls || slides;
        append_zoom(view, zoom);
    }
}

/* Draws the switch "Largest | Mean" of a matrix whose dots stand for many weights, at the right end
 * above `cells`. */
static void draw_pooling_switch(struct view *view, struct rect cells, float above)
{
    static const char *const labels[] = {"Largest", "Mean"};
    static const char *const tips[] = {
        "Each dot is the largest of the weights that share it: nothing bright disappears",
        "Each dot is the mean of the weights that share it"};
    const struct rect place = {cells.x + cells.w - 124, cells.y - above, 124, 24};
    const size_t current = view->state->prefs.by_mean ? 1 : 0;
    const size_t chosen = ui_tabs(view->ui, "dots", place, labels, 2, current);
    ui_tab_tips(view->ui, "dots", place, tips, 2);
    if (chosen < 2 && chosen != current) {
        view_action_set(view, prefs.by_mean, chosen == 1);
    }
}

static const float WORDS_MAX = 130; /* width limit of row labels */
static const struct view_length WORDS_OF_AREA = {.near = 0.42f, .far = 0.27f}; /* where cut */
static const float WORDS_HIGH = 24; /* height of column labels */
static const float WORDS_OF_WIDTH = 0.4f,
                   WORDS_OF_HEIGHT = 0.4f;           /* limits as shares of the area, in a figure */
static const float TITLE_HIGH = 48, TITLE_LINE = 26; /* title and shape, stacked and in a line */
static const float SWITCH_WIDTH_MIN = 360;           /* of the cells */

/* The place of the visible cells, and the room for their labels. */
struct place {
    struct rect cells;
    struct view_viewport row, column;
    float words, head; /* width of row labels, height of what is above the cells */
    float share;       /* of the limits for labels in a figure */
    bool in_line;      /* the shape stands beside the title */
};

static bool is_in_part(const struct view_table *table, const struct place *place)
{
    return place->row.count < table->operand.matrix.rows ||
           place->column.count < table->operand.matrix.cols;
}

static float title_height(bool in_line)
{
    return in_line ? TITLE_LINE : TITLE_HIGH;
}

static float head_height(const struct view_table *table, bool in_line)
{
    const bool words = table->column_words != NULL || table->column_numbers;
    return (words ? WORDS_HIGH : 4) + (table->operand.title != NULL ? title_height(in_line) : 0);
}

/* The lines of a large matrix around the chosen one whose cells hold numbers that are read from the
 * last row: so many as fit into the room, each as long as `line`. */
static struct view_viewport cropped_lines(const struct view *view, const struct view_table *table,
                                          size_t lines, long chosen, float room, float line)
{
    enum { LINES_MIN = 3, LINES_WHOLE = 12 }; /* so many are always whole */
    const size_t fit = (size_t)fmaxf(LINES_MIN, floorf(room / line));
    return table->crops && view->style.is_far && chosen >= 0 && lines > fit && lines > LINES_WHOLE
               ? visible_range((float)chosen - (float)(fit / 2), fit, lines)
               : (struct view_viewport){0, lines};
}

static struct view_viewport cropped_rows(const struct view *view, const struct view_table *table,
                                         float room)
{
    return cropped_lines(view, table, table->operand.matrix.rows, table->operand.row, room,
                         view_number_cell_height(view, VIEW_PRESENTER_FONT_READABLE));
}

static struct view_viewport cropped_columns(const struct view *view, const struct view_table *table,
                                            float room)
{
    const struct lab_matrix *const matrix = &table->operand.matrix;
    const int decimals = table->decimals > 0
                             ? table->decimals
                             : view_matrix_decimals(view, matrix, table->operand.is_share);
    const float wide = view_number_cell_width(
        view, matrix, view_matrix_min_decimals(view, decimals), VIEW_PRESENTER_FONT_READABLE);
    return cropped_lines(view, table, matrix->cols, table->operand.column, room, wide);
}

/* The visible range: all of the matrix, unless it is zoomed into or cropped. Cropped to fewer
 * columns it has as few rows: others may have nothing to show there, as the mask hides it. */
static void find_visible(const struct view *view, const struct view_table *table, float room_wide,
                         float room_high, struct place *place)
{
    const struct view_operand *operand = &table->operand;
    place->column = cropped_columns(view, table, room_wide);
    place->row = cropped_rows(view, table, room_high);
    if (place->column.count < operand->matrix.cols && place->row.count > place->column.count) {
        place->row = visible_range((float)operand->row - (float)(place->column.count / 2),
                                   place->column.count, operand->matrix.rows);
    }
    if (table->has_zoom) {
        visible_cells(view, operand, &place->row, &place->column);
    }
}

static struct view_words row_words(const struct view_table *table, const struct place *place)
{
    return (struct view_words){.words = table->row_words,
                               .count = table->operand.matrix.rows,
                               .from = place->cells.y,
                               .step = place->cells.h / (float)place->row.count,
                               .at = place->cells.x - 10,
                               .room = place->words - 12,
                               .anchor = CANVAS_RIGHT,
                               .chosen = table->operand.row,
                               .colour = table->operand.row_colour,
                               .reach = place->row};
}

static struct view_words column_words(const struct view_table *table, const struct place *place,
                                      struct rect area)
{
    return (struct view_words){.words = table->column_words,
                               .count = table->operand.matrix.cols,
                               .from = place->cells.x,
                               .step = place->cells.w / (float)place->column.count,
                               .at = place->cells.y - VIEW_WORDS_APART,
                               .room = area.h * WORDS_OF_HEIGHT * place->share,
                               .beyond = table->tail,
                               .anchor = CANVAS_CENTRE,
                               .chosen = table->operand.column,
                               .colour = table->operand.column_colour,
                               .reach = place->column,
                               .tight = table->tail > 0};
}

/* Places the cells, with place->words and place->head for the labels. */
static void place_cells(const struct view *view, const struct view_table *table, struct rect area,
                        struct place *place)
{
    const struct lab_matrix *matrix = &table->operand.matrix;
    const float head = place->head, growth = view_cell_growth(view, area);
    const float room_wide = area.w - place->words - table->tail - 6;
    const float room_high = area.h - head - table->foot - 4;
    find_visible(view, table, room_wide, room_high, place);
    const float columns = (float)place->column.count, rows = (float)place->row.count;
    const float ideal =
        view_words_column(view, table->column_words, matrix->cols, table->cell_wide * growth);
    float step = fminf(ideal, room_wide / columns);
    const float usual = view_cell_high(view, table->cell_high, growth, step);
    const float tall = view_length(view, (struct view_length){0, table->cell_tall}) * step;
    float high = fminf(fmaxf(usual, tall), room_high / rows);
    if (table->square) {
        step = high = fminf(step, high);
    }
    if (table->cell_share > 0) {
        high = fminf(high, step * table->cell_share);
    }
    place->cells = (struct rect){area.x, area.y, 0, 0};
    if (step <= 0 || high <= 0) {
        return;
    }
    const float wide = place->words + step * columns + table->tail,
                all_high = head + high * rows + table->foot;
    const float x = area.x + fmaxf(0, (area.w - wide) / 2) + place->words;
    const float y = area.y + head + (table->top ? 0 : fmaxf(0, (area.h - all_high) / 2));
    place->cells = (struct rect){x, y, step * columns, high * rows};
    if (table->level.h > 0 && area.y + head <= table->level.y) {
        place->cells.y = table->level.y;
        place->cells.h = table->level.h;
    }
}

static struct place place_with_share(const struct view *view, const struct view_table *table,
                                     struct rect area, float share, bool in_line)
{
    const size_t rows = table->operand.matrix.rows;
    const float of_area = view_length(view, WORDS_OF_AREA);
    const float width_max = fminf(WORDS_MAX, area.w * of_area);
    struct place place = {.head = head_height(table, in_line), .share = share, .in_line = in_line};
    place.words = table->row_words == NULL
                      ? 0
                      : view_words_width(view, table->row_words, rows, width_max) + 14;
    place_cells(view, table, area, &place);
    if (view->style.cuts_names && place.cells.w > 0 && table->column_words != NULL) {
        const struct view_words above = column_words(table, &place, area);
        place.head =
            head_height(table, in_line) + fmaxf(0, view_words_above(view, &above) - WORDS_HIGH);
        place_cells(view, table, area, &place);
    }
    for (int round = 0; !view->style.cuts_names && round < 3 && place.cells.w > 0; round++) {
        const struct view_words beside = row_words(table, &place);
        const struct view_words above = column_words(table, &place, area);
        place.words = table->row_words == NULL
                          ? 0
                          : view_words_beside(view, &beside, area.w * WORDS_OF_WIDTH * share) + 14;
        place.head =
            head_height(table, in_line) + fmaxf(0, view_words_above(view, &above) - WORDS_HIGH);
        place_cells(view, table, area, &place);
    }
    return place;
}

/* Says whether the cells are as large as numbers of so many decimals, or of the fewest that these
 * may become, need at their smallest. */
static bool has_decimals(const struct view *view, const struct view_table *table,
                         const struct place *place, int all)
{
    const struct lab_matrix *const matrix = &table->operand.matrix;
    const bool is_share = table->operand.is_share;
    const float size =
        view_number_sizes(view, is_share, view_operand_shrinks(view, &table->operand)).min;
    const int decimals = view->style.is_far ? view_matrix_presenter_decimals(view, matrix, all)
                                            : view_matrix_min_decimals(view, all);
    return place->cells.w / (float)place->column.count >=
               view_number_cell_width(view, matrix, decimals, size) &&
           place->cells.h / (float)place->row.count >= view_number_cell_height(view, size);
}

/* Says whether the cells are as large as numbers need with the decimals of any such matrix. */
static bool has_numbers(const struct view *view, const struct view_table *table,
                        const struct place *place)
{
    return has_decimals(
        view, table, place,
        view_matrix_decimals(view, &table->operand.matrix, table->operand.is_share));
}

/* The decimals that the table asks for; where cells are too small for these, those of any such
 * matrix: fewer say more than no number. */
static int decimals_of(const struct view *view, const struct view_table *table,
                       const struct place *place)
{
    const bool own = table->decimals > 0 && !view->state->prefs.cells.has_decimals &&
                     has_decimals(view, table, place, table->decimals);
    return own ? table->decimals
               : view_matrix_decimals(view, &table->operand.matrix, table->operand.is_share);
}

/* In a low window the title and the shape stand in a line where that makes room for numbers. */
static struct place place_in_window(const struct view *view, const struct view_table *table,
                                    struct rect area)
{
    const struct place stacked = place_with_share(view, table, area, 1, false);
    if (table->operand.title == NULL || stacked.cells.w <= 0 ||
        has_numbers(view, table, &stacked)) {
        return stacked;
    }
    const struct place in_line = place_with_share(view, table, area, 1, true);
    return has_numbers(view, table, &in_line) ? in_line : stacked;
}

/* Says whether labels make room for the numbers of a figure. */
static bool wants_numbers(const struct view *view, const struct view_table *table)
{
    const struct lab_matrix *const matrix = &table->operand.matrix;
    const enum view_values values = view->state->prefs.cells.values;
    return values != VIEW_VALUES_OFF &&
           (matrix->rows * matrix->cols <= VIEW_FEW_CELLS || values == VIEW_VALUES_ON);
}

/* In a figure the middle of labels is cut before they alternate between two distances, that comes
 * before numbers are left out, and that before every second label is. */
static struct place place_table(const struct view *view, const struct view_table *table,
                                struct rect area)
{
    if (view->style.cuts_names) {
        return place_in_window(view, table, area);
    }
    for (int numbers = wants_numbers(view, table); numbers >= 0; numbers--) {
        for (size_t s = 0; s < VIEW_WORDS_SHARES; s++) {
            const struct place place =
                place_with_share(view, table, area, view_words_shares[s].share, false);
            const float down = place.cells.h / (float)place.row.count;
            const float across = place.cells.w / (float)place.column.count;
            const float line = fminf(table->row_words == NULL ? across : down,
                                     table->column_words == NULL ? down : across);
            if (line >= view_words_line(view) * view_words_shares[s].line &&
                (numbers == 0 || has_numbers(view, table, &place))) {
                return place;
            }
        }
    }
    return place_with_share(view, table, area, 1, false);
}

/* Draws title and note in a line above the cells, from its middle. */
static void draw_title_in_line(struct view *view, const struct view_table *table, const char *note,
                               float middle, float y)
{
    static const float APART = 10;
    struct canvas *const canvas = view->ui->canvas;
    const char *const title = tr(table->operand.title);
    const float wide = canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_TITLE, title);
    const float below = canvas_measure(canvas, FONT_WORDS, view->style.small, tr(note));
    const float x = middle - (wide + APART + below) / 2;
    canvas_text(canvas, x, y, FONT_WORDS_BOLD, UI_TEXT_TITLE, table->operand.colour, CANVAS_LEFT,
                title);
    view_text_fitted(view, (struct point){x + wide + APART, y}, view->style.small, CANVAS_LEFT,
                     note, below + 1);
}

/* dots: what a dot of the matrix stands for; NULL: each cell has its own. */
static void draw_title(struct view *view, const struct view_table *table, const struct place *place,
                       const char *dots)
{
    struct canvas *canvas = view->ui->canvas;
    const struct rect cells = place->cells;
    const struct lab_matrix *const all = &table->operand.matrix;
    const char *const part =
        arena_format(view->arena, "%zu × %zu of ", place->row.count, place->column.count);
    const char *const seen =
        arena_format(view->arena, "%s%zu × %zu%s%s", is_in_part(table, place) && part ? part : "",
                     all->rows, all->cols, dots != NULL ? " · " : "", dots != NULL ? dots : "");
    const float names = place->head - title_height(place->in_line);
    const float y = cells.y - names - (place->in_line ? 8 : 24);
    const float middle = cells.x + cells.w / 2;
    const bool has_note = is_in_part(table, place) || dots != NULL;
    const char *const note =
        has_note || table->formula == NULL ? seen != NULL ? seen : "" : table->formula;
    if (place->in_line) {
        draw_title_in_line(view, table, note, middle, y);
        view_operand_tip(view, &table->operand, (struct rect){middle - 30, y - 18, 60, 24});
        return;
    }
    if (table->formula == NULL && !has_note) {
        view_product_title(view, &table->operand, middle, y);
        return;
    }
    canvas_text(canvas, middle, y, FONT_WORDS_BOLD, UI_TEXT_TITLE, table->operand.colour,
                CANVAS_CENTRE, tr(table->operand.title));
    view_text_fitted(view, (struct point){middle, y + 18}, view->style.small, CANVAS_CENTRE, note,
                     fmaxf(table->formula_wide, fmaxf(cells.w + 40, 120)));
}

static void draw_words(struct view *view, const struct view_table *table, const struct place *place,
                       struct rect area)
{
    if (table->row_words != NULL) {
        struct view_words rows = row_words(table, place);
        rows.highlighted = view_pinned_queries(view, &table->operand);
        view_words_of_rows(view, &rows);
    }
    if (table->column_words != NULL || table->column_numbers) {
        const struct view_words columns = column_words(table, place, area);
        view_words_of_columns(view, &columns);
    }
}

struct view_table_answer view_table_draw(struct view *view, const struct view_table *table,
                                         struct rect area)
{
    const struct view_operand *operand = &table->operand;
    struct view_table_answer answer = {0};
    if (operand->matrix.values == NULL || operand->matrix.rows == 0 || operand->matrix.cols == 0) {
        return answer;
    }
    const struct place place = place_table(view, table, area);
    answer.cells = place.cells;
    answer.words = place.words;
    answer.head = place.head;
    answer.in_part = is_in_part(table, &place);
    if (answer.cells.w <= 0) {
        return answer;
    }
    struct view_matrix matrix =
        view_operand_cells(view, operand,
                           view_viewport_area(place.cells, operand->matrix.rows, place.row,
                                              operand->matrix.cols, place.column),
                           table->id);
    if (answer.in_part) {
        matrix.window = place.cells;
    }
    matrix.label = table->label != NULL ? table->label : operand->title;
    matrix.peak = table->peak > 0 ? table->peak : matrix.peak;
    matrix.decimals = decimals_of(view, table, &place);
    matrix.done = table->done;
    matrix.guessed = true;
    matrix.trace = table->trace;
    matrix.also = table->also;
    answer.hit = view_matrix_draw(view, &matrix);
    const char *const dots = view_pool_text(view, &matrix);
    if (operand->title != NULL) {
        draw_title(view, table, &place, dots);
        if (dots != NULL && operand->is_share && place.cells.w > SWITCH_WIDTH_MIN) {
            draw_pooling_switch(view, place.cells, head_height(table, place.in_line));
        }
    }
    if (table->has_zoom) {
        handle_zoom_input(view, operand, place.cells, &answer.hit);
    }
    draw_words(view, table, &place, area);
    const struct view_words above = column_words(table, &place, area);
    answer.words_lean = view_words_lean(view, &above);
    if (answer.in_part) {
        view_torn_edges(view, place.cells, matrix.area, table->has_zoom);
    }
    return answer;
}
