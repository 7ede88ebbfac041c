/* Cells of a matrix: their colours and numbers, and how they answer the pointer. */
#include "view/parts/matrix.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/cell_edit.h"
#include "view/parts/colours.h"
#include "view/parts/downsample.h"
#include "view/parts/matrix_internal.h"
#include "view/parts/morph.h"
#include "view/parts/pieces.h"

enum {
    IMAGE_CELLS = 4096, /* more cells are drawn as one image */
};

static const float IMAGE_BELOW = 9;      /* cells that are smaller are drawn as one image */
static const float TINY = 6;             /* smaller cells have finer marks */
static const float FONT_MIN = 6;         /* smallest font of numbers that have to shrink */
static const float PRINTED_FONT_MIN = 5; /* smallest font on a printed page */

size_t view_matrix_rows(const struct view_matrix *matrix)
{
    return matrix->transposed ? matrix->matrix.cols : matrix->matrix.rows;
}

size_t view_matrix_columns(const struct view_matrix *matrix)
{
    return matrix->transposed ? matrix->matrix.rows : matrix->matrix.cols;
}

struct rect view_matrix_window(const struct view_matrix *matrix)
{
    return matrix->window.w > 0 ? matrix->window : matrix->area;
}

float view_matrix_value(const struct view_matrix *matrix, size_t row, size_t column)
{
    return matrix->transposed ? lab_matrix_at(&matrix->matrix, column, row)
                              : lab_matrix_at(&matrix->matrix, row, column);
}

bool view_matrix_hides(const struct view *view, const struct view_matrix *matrix, size_t row,
                       size_t column)
{
    const size_t query = row + matrix->first_row, key = column + matrix->first_column;
    return matrix->masked &&
           !lab_trace_sees(matrix->trace != NULL ? matrix->trace : view->trace, query, key) &&
           (matrix->also == NULL || !lab_trace_sees(matrix->also, query, key));
}

float view_matrix_peak(const struct view *view, const struct view_matrix *matrix)
{
    const float asked = view->state->prefs.cells.signed_top;
    return asked > 0 ? asked : matrix->peak;
}

struct colour view_matrix_colour(const struct view *view, const struct view_matrix *matrix,
                                 float value)
{
    if (matrix->is_share) {
        return view_share_colour(view, value);
    }
    const float peak = view_matrix_peak(view, matrix);
    const float t = peak > 0 ? 0.5f + 0.5f * value / peak : 0.5f;
    return colourmap_colour(view->state->prefs.signed_map, t);
}

struct colour view_dimmed(const struct view *view, struct colour fill)
{
    static const float DIMMING = 0.62f;
    const uint8_t grey = (uint8_t)(0.299f * (float)fill.red + 0.587f * (float)fill.green +
                                   0.114f * (float)fill.blue);
    return colour_mix((struct colour){grey, grey, grey, fill.alpha}, view->ui->theme->panel,
                      DIMMING);
}

static struct rect cell_in_area(struct rect area, size_t rows, size_t columns, size_t row,
                                size_t column)
{
    const float w = area.w / (float)columns, h = area.h / (float)rows;
    return (struct rect){area.x + (float)column * w, area.y + (float)row * h, w, h};
}

static struct rect interpolate_rect(struct rect from, struct rect to, float share)
{
    return (struct rect){from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share,
                         from.w + (to.w - from.w) * share, from.h + (to.h - from.h) * share};
}

/* The area of a cell, which during a transition is on its way. */
static struct rect cell_area(const struct view_matrix *matrix, size_t row, size_t column)
{
    const struct view_origin *origin = matrix->origin;
    const struct rect here = cell_in_area(matrix->area, view_matrix_rows(matrix),
                                          view_matrix_columns(matrix), row, column);
    if (origin == NULL) {
        return here;
    }
    const bool turned = origin->transposed != matrix->transposed;
    const long there_row = (long)(turned ? column : row);
    const long there_column = (long)(turned ? row : column) + origin->shift;
    if (there_column < 0 || there_column >= (long)origin->columns || there_row < 0 ||
        there_row >= (long)origin->rows) {
        return here;
    }
    return interpolate_rect(cell_in_area(origin->area, origin->rows, origin->columns,
                                         (size_t)there_row, (size_t)there_column),
                            here, origin->share);
}

static void draw_number(struct view *view, struct rect cell, float value, int decimals,
                        struct colour ink, float size)
{
    char text[TEXT_NUMBER_MAX];
    view_write_cell_number(text, value, decimals);
    canvas_text(view->ui->canvas, cell.x + cell.w / 2, cell.y + cell.h / 2 + size * 0.36f,
                FONT_NUMBERS, size, ink, CANVAS_CENTRE, text);
}

/* Draws the number of a hidden cell: −∞ in the face of words, whose signs are larger, or a dash
 * where there is no number. It is lighter than the numbers that count, on a ground without strokes.
 */
static void draw_hidden_number(struct view *view, struct rect cell, float value, float size)
{
    static const float LIGHTER = 0.6f, LARGER = 1.15f, OF_HEIGHT = 0.8f;
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    char number[TEXT_NUMBER_MAX];
    text_number(number, value, 0);
    const char *const text = isnan(value) ? "—" : number;
    const float high = fminf(fmaxf(size * LARGER, UI_TEXT_SMALL), cell.h * OF_HEIGHT);
    const float wide = canvas_measure(canvas, FONT_WORDS_MEDIUM, high, text) + 4;
    const struct rect ground = {cell.x + (cell.w - wide) / 2, cell.y + (cell.h - high) / 2, wide,
                                high};
    canvas_rect(canvas, ground, 3, &(struct paint){.fill = theme->ground});
    canvas_text(canvas, cell.x + cell.w / 2, cell.y + cell.h / 2 + high * 0.36f, FONT_WORDS_MEDIUM,
                high, colour_mix(theme->ink, theme->muted, LIGHTER), CANVAS_CENTRE, text);
}

/* The style of the numbers of a matrix; size 0: they cannot be read. */
struct text_style {
    float size;
    int decimals;
    bool is_causal; /* nothing is written above the diagonal */
    float least;    /* cells of less have no number, on either side of 0 */
};

/* The style of numbers that shrink as far as they may. */
static struct text_style small_style(const struct view *view, const struct view_matrix *matrix)
{
    const struct rect cell = cell_area(matrix, 0, 0);
    const float font_min = !view->style.has_controls ? fmaxf(view->min_font_size, VISIBLE_FONT_MIN)
                           : view->state->prefs.cells.values == VIEW_VALUES_ON ? VISIBLE_FONT_MIN
                           : view->state->page != NULL                         ? PRINTED_FONT_MIN
                           : matrix->shrinks
                               ? (matrix->is_share ? SHRUNK_SHARE_FONT_MIN : SHRUNK_FONT_MIN)
                               : FONT_MIN;
    const bool asked = view->state->prefs.cells.has_decimals;
    const int decimals_min =
        !view->style.has_controls && !asked && view_matrix_has_digits(view, &matrix->matrix)
            ? 0
            : view_matrix_min_decimals(view, matrix->decimals);
    for (int decimals = matrix->decimals; decimals >= decimals_min; decimals--) {
        const float digits_wide = view_matrix_number_width(view, &matrix->matrix, decimals) - 8;
        const float digits = fmaxf(digits_wide, 1) / UI_TEXT_SMALL;
        const float wide = view->style.has_controls ? (cell.w - 2) / digits
                                                    : view_printed_number_size(cell.w, digits);
        const float size = fminf(UI_TEXT_TINY, fminf(wide, cell.h * NUMBER_OF_HEIGHT));
        if (size >= font_min) {
            return (struct text_style){.size = size, .decimals = decimals};
        }
    }
    return (struct text_style){.decimals = matrix->decimals};
}

/* The style in the presenter view: as large as the cell. A decimal is dropped until the others can
 * be read from the last row, and all of two digits before the number is (the formula shows them).
 */
static struct text_style presenter_style(const struct view *view, const struct view_matrix *matrix)
{
    static const float OF_HEIGHT = 0.62f;
    const struct rect cell = cell_area(matrix, 0, 0);
    const int fewer = view_matrix_min_decimals(view, matrix->decimals);
    const int fewest = view_matrix_presenter_decimals(view, &matrix->matrix, matrix->decimals);
    const float high = fmaxf(cell.h * OF_HEIGHT,
                             fminf(VIEW_PRESENTER_FONT_READABLE, cell.h * FAR_NUMBER_OF_HEIGHT));
    const float readable = fminf(VIEW_PRESENTER_FONT_READABLE, high) - 0.01f;
    const float room = cell.w - fmaxf(PRESENTER_AIR, PRESENTER_MARGIN * cell.w);
    float size = 0;
    int decimals = matrix->decimals + 1;
    do {
        decimals--;
        const float digits_wide = view_matrix_number_width(view, &matrix->matrix, decimals) - 8;
        const float wide = room * UI_TEXT_SMALL / fmaxf(digits_wide, 1);
        size = fminf(UI_TEXT_BIG, fminf(wide, high));
    } while ((size < readable && decimals > fewer) ||
             (size < VIEW_PRESENTER_FONT_MIN && decimals > fewest));
    return size >= VIEW_PRESENTER_FONT_MIN ? (struct text_style){.size = size, .decimals = decimals}
                                           : (struct text_style){.size = 0};
}

/* The largest style that fits; where the decimals do not fit, with one fewer (the formula shows
 * them all). */
static struct text_style fitting_style(const struct view *view, const struct view_matrix *matrix)
{
    const struct rect cell = cell_area(matrix, 0, 0);
    if (view->style.is_far) {
        return presenter_style(view, matrix);
    }
    if (cell.h < NUMBER_HEIGHT) {
        return (struct text_style){.size = 0};
    }
    const struct lab_matrix seen = view_matrix_seen(matrix).matrix;
    const int decimals_min = view_matrix_min_decimals(view, matrix->decimals);
    for (int decimals = matrix->decimals; decimals >= decimals_min; decimals--) {
        const float need = view_matrix_number_width(view, &seen, decimals);
        const float digits_wide = need - 8;
        if (cell.h > 56 && digits_wide * UI_TEXT_TITLE / UI_TEXT_SMALL + 12 <= cell.w) {
            return (struct text_style){.size = UI_TEXT_TITLE, .decimals = decimals};
        }
        if (need <= cell.w) {
            const bool roomy = cell.w > 60 && cell.h > 38;
            return (struct text_style){.size = roomy ? UI_TEXT_BODY : UI_TEXT_SMALL,
                                       .decimals = decimals};
        }
        if (digits_wide * UI_TEXT_TINY / UI_TEXT_SMALL + 4 <= cell.w) {
            return (struct text_style){.size = UI_TEXT_TINY, .decimals = decimals};
        }
    }
    return (struct text_style){.size = 0};
}

static struct text_style number_style(const struct view *view, const struct view_matrix *all)
{
    const struct view_cells *const asked = &view->state->prefs.cells;
    if (!all->numbers || asked->values == VIEW_VALUES_OFF) {
        return (struct text_style){.size = 0};
    }
    struct view_matrix part = *all;
    const struct lab_matrix seen = view_matrix_seen(all).matrix;
    part.decimals = view_decimals_by_size(view, &seen, all->decimals);
    const struct view_matrix *const matrix = &part;
    const struct text_style text_style = fitting_style(view, matrix);
    const bool printed = view->state->page != NULL || !view->style.has_controls;
    const bool shrinks =
        asked->values == VIEW_VALUES_ON || asked->has_decimals || printed || matrix->shrinks;
    const bool poorer =
        !view->style.has_controls &&
        text_style.decimals < matrix->decimals; /* a smaller font shows more decimals */
    return shrinks && (text_style.size == 0 || poorer) ? small_style(view, matrix) : text_style;
}

/* Says whether a cell is the selected one, or one of those that it is computed from. */
static bool takes_part(const struct view *view, const struct view_matrix *matrix, size_t row,
                       size_t column)
{
    const bool in_row = matrix->row >= 0 && (size_t)matrix->row == row;
    const bool in_column = matrix->column >= 0 && (size_t)matrix->column == column;
    const bool kept = matrix->row_axis == VIEW_AXIS_QUERIES &&
                      lab_places_has(&view->state->prefs.display.queries, row);
    return kept || (matrix->cell ? in_row && in_column : in_row || in_column);
}

bool view_filtered_out(const struct view *view, enum view_axis axis, size_t from, size_t to)
{
    static const enum view_axis axes[] = {
        [LAB_LINE_QUERY] = VIEW_AXIS_QUERIES, [LAB_LINE_KEY] = VIEW_AXIS_KEYS};
    const enum lab_line filter = view->state->prefs.display.line;
    const size_t place = view->state->prefs.display.line_place;
    return filter != LAB_LINE_NONE && axis == axes[filter] && (place < from || place >= to);
}

bool view_matrix_is_off(const struct view *view, const struct view_matrix *matrix)
{
    return lab_node_has_heads(matrix->part) && matrix->trace == NULL && view->trace != NULL &&
           view_head_is_off(view, matrix->head);
}

/* While a cell is hovered, all but its causes are dimmed; while one line is emphasised alone, the
 * others are; and all of a head that is switched off. */
static bool is_dimmed(const struct view *view, const struct view_matrix *matrix, size_t row,
                      size_t column)
{
    return view_matrix_is_off(view, matrix) ||
           view_filtered_out(view, matrix->row_axis, row, row + 1) ||
           view_filtered_out(view, matrix->column_axis, column, column + 1) ||
           (view->state->hovered_parts != 0 && !takes_part(view, matrix, row, column));
}

bool view_matrix_is_aside(const struct view *view, const struct view_matrix *matrix, size_t column)
{
    return matrix->is_share && matrix->column_axis == VIEW_AXIS_KEYS &&
           lab_places_has(&view->state->prefs.display.aside, column + matrix->first_column);
}

/* Says whether the cells are discs: only where each can be seen by itself. */
static bool has_discs(const struct view_matrix *matrix)
{
    enum { DISCS_MAX = 12 };
    return matrix->discs && view_matrix_rows(matrix) <= DISCS_MAX &&
           view_matrix_columns(matrix) <= DISCS_MAX;
}

static void draw_disc(struct view *view, const struct view_matrix *matrix, size_t row,
                      size_t column)
{
    float low = 0, high = 0;
    lab_measure_range(&matrix->matrix, &low, &high);
    char widest[2][TEXT_NUMBER_MAX];
    text_number(widest[0], (double)low, matrix->decimals);
    text_number(widest[1], (double)high, matrix->decimals);
    view_mark_disc(
        view, cell_area(matrix, row, column),
        &(struct view_disc){.value = view_matrix_value(matrix, row, column),
                            .peak = view_matrix_peak(view, matrix),
                            .decimals = matrix->decimals,
                            .widest = strlen(widest[0]) > strlen(widest[1]) ? widest[0] : widest[1],
                            .dimmed = is_dimmed(view, matrix, row, column)});
}

/* Says whether the cell is to be guessed: it is the result, or a number that would reveal it. */
static bool is_guessed(const struct view *view, const struct view_matrix *matrix, size_t row,
                       size_t column)
{
    return (matrix->guessed && view_guess_hides(view, row, column)) ||
           (!matrix->transposed &&
            view_guess_is_told_by(view, matrix->part, matrix->first_row + row,
                                  matrix->first_column + column));
}

static void draw_guessed(struct view *view, struct rect cell, float radius)
{
    static const float SIGN_MIN = 8; /* smaller cells have no question mark */
    const struct ui_theme *const theme = view->ui->theme;
    const float size = fminf(UI_TEXT_BODY, fminf(cell.w, cell.h));
    canvas_rect(view->ui->canvas, cell, radius, &(struct paint){.fill = theme->control});
    if (size >= SIGN_MIN) {
        canvas_text(view->ui->canvas, cell.x + cell.w / 2, cell.y + cell.h / 2 + 0.36f * size,
                    FONT_WORDS_BOLD, size, theme->accent, CANVAS_CENTRE, "?");
    }
}

/* Covers the cells to be guessed in a matrix that was drawn as one image. */
static void cover_guessed_cells(struct view *view, const struct view_matrix *matrix)
{
    const size_t row = view->state->guess_at.query - matrix->first_row;
    for (size_t column = 0; view_guess(view) != LAB_GUESS_NONE && row < view_matrix_rows(matrix) &&
                            column < view_matrix_columns(matrix);
         column++) {
        if (is_guessed(view, matrix, row, column)) {
            draw_guessed(view, cell_area(matrix, row, column), 0);
        }
    }
}

static void draw_cell(struct view *view, const struct view_matrix *matrix, size_t row,
                      size_t column, bool computed, struct text_style text_style)
{
    const struct ui_theme *theme = view->ui->theme;
    struct rect cell = cell_area(matrix, row, column);
    const float gap = view_cell_gap(view, cell.w, cell.h);
    const bool apart = gap > 0;
    const struct rect inner = apart ? rect_inset(cell, gap / 2) : cell;
    const float radius = apart ? view_cell_corner(view, fminf(inner.w, inner.h)) : 0;
    if (!computed) {
        canvas_rect(view->ui->canvas, inner, radius, &(struct paint){.fill = theme->control});
        return;
    }
    const float value = view_matrix_value(matrix, row, column);
    const bool guessed = is_guessed(view, matrix, row, column);
    if (has_discs(matrix) && !guessed) {
        draw_disc(view, matrix, row, column);
        return;
    }
    if (view_matrix_hides(view, matrix, row, column)) {
        view_mark_hidden(view, inner);
        if (text_style.size > 0 && !isfinite(value)) {
            draw_hidden_number(view, cell, value, text_style.size);
        }
        return;
    }
    if (view_worksheet_blanks(view, matrix, row, column)) {
        canvas_rect(view->ui->canvas, inner, radius,
                    &(struct paint){.fill = theme->panel, .stroke = theme->muted, .width = 1});
        return;
    }
    if (guessed) {
        draw_guessed(view, inner, radius);
        return;
    }
    if (view_matrix_is_aside(view, matrix, column)) {
        view_mark_aside(view, inner);
        return;
    }
    struct colour fill = view_matrix_colour(view, matrix, value);
    const bool dimmed = is_dimmed(view, matrix, row, column);
    if (dimmed) {
        fill = view_dimmed(view, fill);
    }
    canvas_rect(view->ui->canvas, inner, radius, &(struct paint){.fill = fill, .crisp = !apart});
    const bool is_empty = fabsf(value) < text_style.least || (text_style.is_causal && column > row);
    if (text_style.size > 0 && !is_empty) {
        struct colour ink = colour_ink_on(fill);
        ink = dimmed ? colour_mix(ink, fill, 0.35f) : ink;
        draw_number(view, cell, value, text_style.decimals, ink, text_style.size);
    }
}

/* Frames every query that is pinned together with others. */
static void draw_pinned_rows(struct view *view, const struct view_matrix *matrix)
{
    const struct lab_places *kept = &view->state->prefs.display.queries;
    for (size_t p = 0; matrix->row_axis == VIEW_AXIS_QUERIES && p < kept->count; p++) {
        if (kept->place[p] < view_matrix_rows(matrix)) {
            struct rect line = cell_area(matrix, kept->place[p], 0);
            line.w = matrix->area.w;
            canvas_rect(view->ui->canvas, rect_inset(line, -1), 5,
                        &(struct paint){.stroke = view->ui->theme->query,
                                        .width = view_line_width(view, 1.5f)});
        }
    }
}

/* The width and height of the digits of a number in a cell; 0: there are none. */
static struct point digits_size(const struct view *view, float value, struct text_style style)
{
    static const float DIGIT_HIGH = 0.73f; /* share of the font size */
    char text[TEXT_NUMBER_MAX];
    if (style.size <= 0 || !isfinite(value)) {
        return (struct point){0, DIGIT_HIGH * style.size};
    }
    view_write_cell_number(text, value, style.decimals);
    return (struct point){canvas_measure(view->ui->canvas, FONT_NUMBERS, style.size, text),
                          DIGIT_HIGH * style.size};
}

/* Frames the chosen cell. Where its digits fill the cell, across or down, the frame is finer and in
 * the gap between cells, so that it cuts no digit: neither its own nor its neighbours'. What
 * separates it from the cell covers none either. */
static void draw_frame(struct view *view, struct rect cell, bool tiny, struct point digits)
{
    static const float FRAME_MIN = 7;
    static const float AIR = 4.5f, AIR_BESIDE = 2.25f, WIDE = 2, FINE = 1.5f;
    struct canvas *const canvas = view->ui->canvas;
    if (cell.w < FRAME_MIN || cell.h < FRAME_MIN) {
        cell = (struct rect){cell.x + cell.w / 2 - fmaxf(cell.w, FRAME_MIN) / 2,
                             cell.y + cell.h / 2 - fmaxf(cell.h, FRAME_MIN) / 2,
                             fmaxf(cell.w, FRAME_MIN), fmaxf(cell.h, FRAME_MIN)};
    }
    const float round = fminf(5, 0.2f * fminf(cell.w, cell.h)); /* must not look like a zero */
    const bool low = digits.y > 0 && (cell.h - digits.y) / 2 < AIR;
    const bool narrow = digits.x > 0 && (cell.w - digits.x) / 2 < AIR_BESIDE;
    const bool close = low || narrow;
    struct rect frame = rect_inset(cell, -1);
    if (low) {
        frame.y -= FINE - 1;
        frame.h += 2 * (FINE - 1);
    }
    if (!tiny) { /* separates the frame from a cell as dark as it is */
        canvas_rect(canvas, frame, round,
                    &(struct paint){.stroke = view->ui->theme->panel,
                                    .width = narrow ? FINE + 1
                                             : low  ? 3
                                                    : 4});
    }
    canvas_rect(canvas, frame, round,
                &(struct paint){.stroke = view->ui->theme->ink,
                                .width = view_line_width(view, tiny    ? 1
                                                               : close ? FINE
                                                                       : WIDE)});
}

static void draw_emphasis(struct view *view, const struct view_matrix *matrix,
                          struct text_style text_style)
{
    draw_pinned_rows(view, matrix);
    struct canvas *canvas = view->ui->canvas;
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    const bool has_row = matrix->row >= 0 && (size_t)matrix->row < rows;
    const bool has_column = matrix->column >= 0 && (size_t)matrix->column < columns;
    const float side = fminf(matrix->area.w / (float)columns, matrix->area.h / (float)rows);
    const float corner = side < TINY ? 2 : 5;
    struct paint paint = {/* finer marks, which hide nothing */
                          .width = view_line_width(view, side < TINY ? 1 : 2)};
    const float outside = side < TINY ? -2.5f : -1;
    if (matrix->cell && has_row && has_column) {
        const size_t row = (size_t)matrix->row, column = (size_t)matrix->column;
        draw_frame(view, cell_area(matrix, row, column), side < TINY,
                   digits_size(view, view_matrix_value(matrix, row, column), text_style));
        return;
    }
    if (has_row) {
        struct rect line = cell_area(matrix, (size_t)matrix->row, 0);
        line.w = matrix->area.w;
        paint.stroke = matrix->row_colour;
        canvas_rect(canvas, rect_inset(line, outside), corner, &paint);
    }
    if (has_column) {
        struct rect line = cell_area(matrix, 0, (size_t)matrix->column);
        line.h = matrix->area.h;
        paint.stroke = matrix->column_colour;
        canvas_rect(canvas, rect_inset(line, outside), corner, &paint);
    }
}

static struct view_matrix_hit find_hit(struct view *view, const struct view_matrix *matrix,
                                       struct ui_touch touch)
{
    struct view_matrix_hit hit = {0};
    hit.hover = touch.hover;
    hit.clicked = touch.clicked;
    hit.pressed = touch.pressed;
    hit.held = touch.held;
    if (!hit.hover && !hit.clicked && !hit.held) {
        return hit;
    }
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    const float x = (view->ui->input->x - matrix->area.x) / matrix->area.w * (float)columns;
    const float y = (view->ui->input->y - matrix->area.y) / matrix->area.h * (float)rows;
    hit.column = x <= 0 ? 0 : (size_t)x;
    hit.row = y <= 0 ? 0 : (size_t)y;
    hit.column = hit.column < columns ? hit.column : columns - 1;
    hit.row = hit.row < rows ? hit.row : rows - 1;
    return hit;
}

/* Moves through the cells by keyboard as the pointer does; Enter opens a number that may be edited.
 */
static void handle_keys(struct view *view, const struct view_matrix *matrix,
                        struct view_matrix_hit *hit)
{
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    size_t row = matrix->row >= 0 && (size_t)matrix->row < rows ? (size_t)matrix->row : 0;
    size_t column =
        matrix->column >= 0 && (size_t)matrix->column < columns ? (size_t)matrix->column : 0;
    const struct ui_grid_answer keys =
        ui_grid(view->ui, matrix->id, matrix->area, rows, columns, &row, &column);
    if (keys.focused) {
        ui_draw_focus(view->ui, matrix->id, cell_area(matrix, row, column), 4);
    }
    if (keys.moved) {
        *hit = (struct view_matrix_hit){.clicked = true, .row = row, .column = column};
    }
    if (keys.activated) {
        view_cell_open(view, matrix, row, column);
        *hit = (struct view_matrix_hit){.activated = true, .row = row, .column = column};
    }
}

/* Shows the weight of a key that is set aside: it still counts in the computation. */
static void show_aside_tip(struct view *view, const struct view_matrix *matrix, size_t row,
                           size_t column)
{
    const struct lab_matrix alpha = lab_trace_part(view->trace, LAB_ALPHA, matrix->head);
    char number[TEXT_NUMBER_MAX];
    text_nonzero_number(number, (double)lab_matrix_at(&alpha, row, column), 4);
    const char *tip = arena_format(view->arena, "Set aside in the picture: α is %s", number);
    ui_tip(view->ui, matrix->id, cell_area(matrix, row, column), tip != NULL ? tip : "");
}

/* Says whether a cell lies in the matrix's window. */
static bool is_cell_visible(const struct view_matrix *matrix, size_t row, size_t column)
{
    const struct rect cell = cell_area(matrix, row, column);
    return matrix->window.w <= 0 ||
           rect_has(matrix->window, cell.x + cell.w / 2, cell.y + cell.h / 2);
}

static void draw_cells(struct view *view, const struct view_matrix *matrix,
                       struct text_style text_style)
{
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    const size_t shown = (size_t)(matrix->done * (float)(rows * columns) + 0.5f);
    const struct rect one = cell_in_area(matrix->area, rows, columns, 0, 0);
    const bool small = one.w < IMAGE_BELOW || one.h < IMAGE_BELOW;
    const bool in_place = matrix->origin == NULL; /* during a transition any cell may be visible */
    const struct view_viewport down =
        in_place ? view_matrix_rows_seen(matrix) : (struct view_viewport){0, rows};
    const struct view_viewport across =
        in_place ? view_matrix_columns_seen(matrix) : (struct view_viewport){0, columns};
    if (text_style.size == 0 && (down.count * across.count > IMAGE_CELLS || small)) {
        view_image(view, matrix, shown);
        cover_guessed_cells(view, matrix);
        return;
    }
    for (size_t row = down.first; row < down.first + down.count; row++) {
        for (size_t column = across.first; column < across.first + across.count; column++) {
            if (is_cell_visible(matrix, row, column)) {
                draw_cell(view, matrix, row, column, row * columns + column < shown, text_style);
            }
        }
    }
}

/* Draws the cells during a transition, at full opacity; they answer the pointer at their
 * destination. */
static void draw_moving_cells(struct view *view, const struct view_matrix *matrix,
                              const struct view_origin *origin, struct text_style text_style)
{
    struct view_matrix moving = *matrix;
    const bool whole = origin->shift == 0 && origin->transposed == matrix->transposed;
    moving.origin = origin;
    const float opacity = canvas_opacity(view->ui->canvas, 1);
    if (text_style.size == 0) {
        moving.area =
            whole ? interpolate_rect(origin->area, matrix->area, origin->share) : matrix->area;
        moving.origin = NULL;
        canvas_opacity(view->ui->canvas, whole ? 1 : opacity);
    }
    draw_cells(view, &moving, text_style);
    canvas_opacity(view->ui->canvas, opacity);
}

/* Shows the matrix's meaning, formula and shape; where numbers cannot be read also the number under
 * the pointer, unless it is to be computed or guessed. The tip is beside the whole matrix, so that
 * it hides no cell. */
static void show_cell_tip(struct view *view, const struct view_matrix *matrix,
                          const struct view_matrix_hit *hit, bool unread)
{
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    const bool there =
        (float)(hit->row * columns + hit->column) < matrix->done * (float)(rows * columns) - 0.5f;
    const bool hidden = is_guessed(view, matrix, hit->row, hit->column);
    const char *what = matrix->tip != NULL ? matrix->tip : matrix->label;
    const char *tip = arena_format(view->arena, "%s\n%zu × %zu", tr(what), rows, columns);
    if (tip != NULL && unread && there && !hidden) {
        char number[TEXT_NUMBER_MAX];
        text_nonzero_number(number, (double)view_matrix_value(matrix, hit->row, hit->column), 4);
        tip = arena_format(view->arena, "%s\n%s", number, tip);
    }
    if (tip != NULL && there && !hidden && view_cell_may_edit(view, matrix)) {
        tip =
            arena_format(view->arena, "%s\n%s", tip, tr("double-click or drag to change a number"));
    }
    /* The line between two cells belongs to one of them, too. */
    const struct rect cell = rect_inset(cell_area(matrix, hit->row, hit->column), -0.5f);
    ui_tip(view->ui, matrix->id, unread ? cell : view_matrix_window(matrix),
           tip != NULL ? tip : what);
}

/* Draws where one head ends and the next begins, in the concatenation and in the rows of W_O, which
 * shows which head a number comes from. */
static void draw_head_borders(struct view *view, const struct view_matrix *matrix)
{
    const bool concat = matrix->part == LAB_CONCAT, w_o = matrix->part == LAB_W_O;
    const struct lab_sizes sizes =
        view->trace == NULL ? (struct lab_sizes){0} : lab_trace_sizes(view->trace);
    const size_t lines = concat ? view_matrix_columns(matrix) : view_matrix_rows(matrix);
    if ((!concat && !w_o) || sizes.heads < 2 || lines != sizes.heads * sizes.d_v) {
        return;
    }
    const struct rect all = matrix->area;
    for (size_t h = 1; h < sizes.heads; h++) {
        const float share = (float)h / (float)sizes.heads;
        const struct point from = {concat ? all.x + all.w * share : all.x - 2,
                                   concat ? all.y - 2 : all.y + all.h * share};
        const struct point to = {concat ? from.x : all.x + all.w + 2,
                                 concat ? all.y + all.h + 2 : from.y};
        canvas_line(view->ui->canvas, from.x, from.y, to.x, to.y, 3, view->ui->theme->panel);
        canvas_line(view->ui->canvas, from.x, from.y, to.x, to.y, 1.2f, view->ui->theme->ink);
    }
}

/* Notes what a figure lacks: numbers that were asked for, and in a matrix of few cells all numbers.
 */
static void note_missing_numbers(struct view *view, const struct view_matrix *matrix,
                                 struct text_style text_style)
{
    const struct view_cells *const asked = &view->state->prefs.cells;
    const bool few = view_matrix_rows(matrix) * view_matrix_columns(matrix) <= VIEW_FEW_CELLS;
    if (view->style.has_controls || !matrix->numbers || asked->values == VIEW_VALUES_OFF) {
        return;
    }
    const bool wanted = asked->has_decimals || asked->values == VIEW_VALUES_ON;
    view_note_lack(view, VIEW_LACKS_DECIMALS, wanted && text_style.size == 0);
    view_note_lack(view, VIEW_LACKS_NUMBERS,
                   !view->style.has_cards && few && !matrix->is_tile &&
                       (text_style.size == 0 || text_style.decimals < matrix->decimals));
}

struct view_matrix_hit view_matrix_draw(struct view *view, const struct view_matrix *matrix)
{
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    if (rows == 0 || columns == 0 || matrix->matrix.values == NULL || matrix->area.w <= 0 ||
        matrix->area.h <= 0) {
        return (struct view_matrix_hit){0};
    }
    canvas_group(view->ui->canvas, matrix->id, matrix->label);
    view->drawn |= (uint64_t)1 << matrix->part;
    view->masked_strokes = matrix->masked ? view_has_strokes(matrix->area.w / (float)columns,
                                                             matrix->area.h / (float)rows)
                                          : view->masked_strokes;
    const bool in_part = matrix->window.w > 0;
    if (in_part) {
        canvas_clip(view->ui->canvas, rect_inset(matrix->window, -2));
    }
    struct text_style text_style = number_style(view, matrix);
    text_style.is_causal = view_matrix_is_causal(view, matrix);
    const size_t largest = view->state->prefs.cells.largest;
    text_style.least = largest > 0 && text_style.size > 0
                           ? view_matrix_least_of_largest(view, matrix, largest)
                           : 0;
    note_missing_numbers(view, matrix, text_style);
    struct view_origin origin;
    if (view_morph_origin(view, matrix, &origin)) {
        draw_moving_cells(view, matrix, &origin, text_style);
    } else {
        draw_cells(view, matrix, text_style);
    }
    draw_head_borders(view, matrix);
    draw_emphasis(view, matrix, text_style);
    if (in_part) {
        canvas_unclip(view->ui->canvas);
    }
    if (matrix->outline.alpha > 0) {
        canvas_rect(view->ui->canvas, rect_inset(view_matrix_window(matrix), -2), 5,
                    &(struct paint){.stroke = matrix->outline, .width = 1.5f});
    }
    canvas_ungroup(view->ui->canvas);
    const struct rect window = view_matrix_window(matrix);
    const struct ui_touch touch = ui_touch(view->ui, matrix->id, window, false);
    struct view_matrix_hit hit = find_hit(view, matrix, touch);
    if (hit.hover && view_matrix_is_aside(view, matrix, hit.column)) {
        show_aside_tip(view, matrix, hit.row, hit.column);
    } else if (hit.hover) {
        show_cell_tip(view, matrix, &hit, text_style.size == 0 || has_discs(matrix));
    }
    view_cell_edit(view, matrix, touch, &hit);
    if (matrix->numbers && !matrix->is_tile) {
        handle_keys(view, matrix, &hit);
    }
    return hit;
}
