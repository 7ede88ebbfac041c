/* The gradients of a training step, or its changes, in place of a stage: the matrices of the stage
 * with a derivative or a difference in each cell. */
#include <math.h>

#include "base/translate.h"
#include "view/parts/downsample.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/parts/strips.h"
#include "view/parts/table.h"

enum { SHOWN_MAX = 2 };

/* The matrices that a stage shows: the trained weights, then their result. */
static size_t shown_parts(const struct view *view, enum lab_part parts[SHOWN_MAX])
{
    const enum lab_stage stage = view->state->playback.stage;
    const enum lab_part result = lab_cell_part(stage, &view->selection);
    const struct lab_node *const made = lab_graph_projection(lab_trace_graph(view->trace), result);
    const bool gradient = view->state->learn->show == VIEW_LEARN_GRADIENT;
    size_t count = 0;
    if (made->operation == LAB_PRODUCT) {
        parts[count++] = (enum lab_part)made->input[1];
    }
    parts[count++] = stage == LAB_SCALE && gradient ? LAB_SCALED : result;
    return count;
}

static bool is_of_pairs(enum lab_part part)
{
    return part == LAB_ALPHA || part == LAB_SCORES || part == LAB_SCALED;
}

/* Returns the operand whose rows and columns a part has: no trace keeps S′. */
static struct view_operand operand_like(const struct view *view, enum lab_part part)
{
    return view_operand_of(view, part == LAB_SCALED ? LAB_SCORES : part);
}

/* The width of the labels beside the rows of a part. */
static float row_words_width(const struct view *view, const struct lab_matrix *matrix)
{
    static const float WIDTH_MAX = 90, BESIDE = 16;
    float wide = 0;
    for (size_t i = 0; matrix->row_words != NULL && i < matrix->rows; i++) {
        wide = fmaxf(wide, canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_BODY,
                                          matrix->row_words[i]));
    }
    return matrix->row_words != NULL ? fminf(wide, WIDTH_MAX) + BESIDE : 0;
}

/* The power of ten of the largest number: −3 of 0.0012. */
static int largest_power(const struct lab_matrix *matrix)
{
    float largest = 0;
    for (size_t i = 0; i < matrix->rows; i++) {
        for (size_t j = 0; j < matrix->cols; j++) {
            largest = fmaxf(largest, fabsf(lab_matrix_at(matrix, i, j)));
        }
    }
    return largest > 0 && isfinite(largest) ? (int)floor(log10((double)largest)) : 0;
}

/* So many decimals that the largest number has three digits; fewer in narrow cells. */
static int choose_decimals(const struct view *view, const struct lab_matrix *matrix, float wide,
                           bool *narrow)
{
    static const float SIZE = 9, AIR = 6;
    const float cell = (wide - row_words_width(view, matrix)) / fmaxf((float)matrix->cols, 1);
    const int digits = 2 - largest_power(matrix), decimals = digits < 1   ? 1
                                                             : digits > 6 ? 6
                                                                          : digits;
    const struct view_length size = {SIZE, VIEW_PRESENTER_FONT_READABLE};
    const float wide_enough =
        view_number_cell_width(view, matrix, decimals - 1, view_length(view, size));
    *narrow = wide_enough + view_length(view, (struct view_length){AIR - 2, 0}) > cell;
    return *narrow && decimals > 2 ? decimals - 1 : decimals; /* narrow cells leave out one more */
}

/* Multiplies small numbers by a power of ten that the title then names, if cells are too narrow for
 * their zeros. */
static void scale_by_power(struct view *view, struct lab_matrix *matrix, const char **title)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int power = -largest_power(matrix);
    const size_t count = matrix->rows * matrix->cols;
    float *const scaled =
        power > 1 && power < 10 ? arena_array(view->arena, count, sizeof *scaled) : NULL;
    if (scaled == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const float value = lab_matrix_at(matrix, i / matrix->cols, i % matrix->cols);
        scaled[i] = value * powf(10, (float)power);
    }
    matrix->values = scaled;
    matrix->stride = matrix->cols;
    *title = arena_format(view->arena, "%s · 10%s", *title, raised[power]);
}

static bool is_weight(enum lab_part part)
{
    return part == LAB_W_Q || part == LAB_W_K || part == LAB_W_V || part == LAB_W_O;
}

static void choose_hit(struct view *view, enum lab_part part, const struct view_matrix_hit *hit)
{
    struct lab_selection to = view->selection;
    unsigned parts = VIEW_QUERY | VIEW_CHANNEL;
    to.weight = is_weight(part) ? hit->row + 1 : 0;
    if (is_weight(part)) {
        to.channel = hit->column;
        parts = VIEW_CHANNEL;
    } else if (is_of_pairs(part)) {
        to.query = hit->row;
        to.key = hit->column;
        parts = VIEW_QUERY | VIEW_KEY;
    } else {
        to.query = hit->row;
        to.channel = hit->column;
    }
    view_choose(view, parts | VIEW_WEIGHT, to, hit->clicked);
}

static const float TITLE = 48, AROUND_ROWS = 40,
                   ROW = 11.5f; /* heights of rows with numbers, and around them */

/* Says whether the title moves to the corner of the labels because numbers need the room above
 * them. */
static bool title_gives_way(const struct lab_matrix *matrix, struct rect area)
{
    const float rows = AROUND_ROWS + ROW * (float)matrix->rows;
    return matrix->row_words != NULL && area.h < TITLE + rows && area.h >= rows;
}

static void draw_learned_part(struct view *view, enum lab_part part, const float *values,
                              bool alone, struct rect area)
{
    const bool gradient = view->state->learn->show == VIEW_LEARN_GRADIENT;
    const bool pairs = is_of_pairs(part);
    struct view_table table = {.operand = operand_like(view, part),
                               .row_words = NULL,
                               .cell_wide = 76,
                               .cell_high = 42,
                               .column_numbers = true,
                               .crops = true,
                               .done = 1,
                               .id = ui_id_number(view->ui, "instead", part)};
    struct lab_matrix *const matrix = &table.operand.matrix;
    const enum lab_stage stage = view->state->playback.stage;
    const size_t weight = stage == LAB_PROJECT || stage == LAB_OUTPUT ? view->selection.weight : 0;
    matrix->values = values;
    matrix->stride = matrix->cols;
    table.operand.title =
        arena_format(view->arena, gradient ? "dL/d%s" : "Δ%s", lab_node_row(part)->symbol);
    table.operand.tip =
        gradient ? "How the loss of these words would change if a number grew a little"
                 : "What has changed since the step before, or since the moment that is pinned";
    table.operand.is_share = table.operand.editable = false;
    table.operand.derived = table.operand.shrinks = true;
    table.row_words = matrix->row_words;
    table.column_words = pairs ? lab_trace_keys(view->trace) : matrix->column_words;
    bool narrow = false;
    table.decimals = choose_decimals(view, matrix, area.w, &narrow);
    if (narrow) {
        scale_by_power(view, matrix, &table.operand.title);
        table.decimals = choose_decimals(view, matrix, area.w, &narrow);
    }
    table.peak = view_peak(view, matrix); /* the scale of the values does not fit gradients */
    if (matrix->row_words != NULL) {
        table.operand.row = view_chosen(view, view->selection.query);
    } else if (is_weight(part) && weight > 0 && weight <= matrix->rows) {
        table.operand.row = view_chosen(view, weight - 1);
    }
    table.operand.column = view_chosen(view, pairs ? view->selection.key : view->selection.channel);
    table.operand.cell = is_weight(part) ? weight > 0 : matrix->row_words != NULL && weight == 0;
    const bool corner = alone && title_gives_way(matrix, area);
    table.label = table.operand.title;
    table.operand.title = corner ? NULL : table.operand.title;
    const struct view_table_answer answer = view_table_draw(view, &table, area);
    const struct view_matrix_hit hit = answer.hit;
    if (corner && answer.cells.w > 0) {
        canvas_text(view->ui->canvas, answer.cells.x - 10, answer.cells.y - 8, FONT_WORDS_BOLD,
                    UI_TEXT_BODY, table.operand.colour, CANVAS_RIGHT, table.label);
    }
    if (hit.hover || hit.clicked) {
        choose_hit(view, part, &hit);
    }
}

/* Shares the width among parts side by side so that their cells are equally wide: either all have
 * numbers or none. */
static void share_width(const struct view *view, const enum lab_part *parts, size_t count,
                        float width, float wide[SHOWN_MAX])
{
    float free = width, columns = 0;
    for (size_t p = 0; p < count; p++) {
        const struct lab_matrix matrix = operand_like(view, parts[p]).matrix;
        wide[p] = row_words_width(view, &matrix);
        free -= wide[p];
        columns += (float)matrix.cols;
    }
    for (size_t p = 0; p < count; p++) {
        const struct lab_matrix matrix = operand_like(view, parts[p]).matrix;
        wide[p] += columns > 0 ? free * (float)matrix.cols / columns : width / (float)count;
    }
}

bool view_learned_instead(struct view *view, struct rect area)
{
    const struct view_learn *const learn = view->state->learn;
    if (learn == NULL || learn->show == VIEW_LEARN_VALUE) {
        return false;
    }
    const float tabs = view_projection_tabs(view, area);
    area.y += tabs;
    area.h -= tabs;
    enum lab_part parts[SHOWN_MAX];
    const size_t count = shown_parts(view, parts);
    const float gap = 18;
    const bool upright = area.h > area.w;
    const float high = (area.h - gap * (float)(count - 1)) / (float)count;
    float wide[SHOWN_MAX], x = area.x;
    share_width(view, parts, count, area.w - gap * (float)(count - 1), wide);
    for (size_t p = 0; p < count; p++) {
        const struct rect place =
            upright ? (struct rect){area.x, area.y + (float)p * (high + gap), area.w, high}
                    : (struct rect){x, area.y, wide[p], area.h};
        x += wide[p] + gap;
        const size_t head = lab_node_has_heads(parts[p]) ? view->selection.head : 0;
        const float *const values =
            learn->instead(learn->instead_owner, parts[p], head, view->arena);
        if (values != NULL) {
            draw_learned_part(view, parts[p], values, count == 1, place);
        } else {
            view_notice(view, place, "Nothing to show at this step",
                        learn->show == VIEW_LEARN_CHANGE
                            ? "No step has led here yet: go one step on."
                            : "This has no gradient here.");
        }
    }
    return true;
}
