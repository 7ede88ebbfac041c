/* The layout of two factors and their result, with the labels and titles around them. */
#include "base/text.h"
#include "base/translate.h"
#include "view/parts/downsample.h"
#include "view/parts/pieces.h"
#include "view/parts/scales.h"
#include "view/parts/strips.h"

#include <math.h>
#include <stdio.h>

static const float CELL_WIDE = 66, CELL_HIGH = 44; /* a cell where there is room */
static const float INNER_WIDE = 58;                /* a cell of the left operand */
static const float GAP_WIDE = 48, GAP_HIGH = 58;   /* between operands and result */
static const float GAP_LOW = 16;                   /* the same where there is little height */
static const float GAP_BLOCKS = 30;                /* between products side by side */
static const struct view_length WORDS_OF_WIDTH = {.near = 0.2f, .far = 0.27f};
static const float WORDS_MAX = 140; /* widest labels of rows */
static const float HEAD = 26;       /* labels above columns */
static const float TITLE_AIR = 11;  /* on both sides of a title that stands beside its matrix */
static const struct view_length ROW_WANTED = {.near = 16, .far = 26}; /* before titles give way */
static const float ALL_WORDS_ROW_MIN = 14.5f; /* lowest row if every row has its label */
static const float WORD_ROW_MIN = 9.5f;       /* lowest row with a label in the presenter view */
static const float WORDS_SHARE = 0.64f;       /* of the height, for rows with labels */
static const struct view_length ROW_MIN = {.near = 16, .far = 19}; /* with numbers */
static const float FAR_ROW_SMALLEST = 11.6f; /* the same in the smallest font */
static const float FAR_EQUAL_ROW_MIN = 13;   /* from this height on, the rows of both are equal */
static const float NUMBER_ROW_MIN = 15;      /* lowest row with numbers where height is scarce */
static const float NUMBER_ROW_MIN_SMALL =
    10; /* the same in a small window, where the font shrinks */
static const float NUMBER_ROW_MIN_LEARN = 11; /* the same in training, where weights are edited */
static const float OPERAND_MIN = 0.15f;       /* of the room, for the operand beside its result */
static const float OPERAND_TITLE_HIGH =
    44; /* height of an operand that has room for the left one's title */
static const float RESULT_MAX = 0.86f; /* of the height, for the result below a tall operand */

/* Height of the labels between the left operand and its title, and of that title. */
static const float WORDS_OVER = 22, TITLE_HIGH = 50;

/* The layout of a product. */
struct layout {
    float left_step, row_step;     /* a cell of the left operand: width, height */
    float column_step, inner_step; /* a cell of the upper operand: width, height */
    struct rect left;
    struct rect upper[VIEW_BLOCKS_MAX], result[VIEW_BLOCKS_MAX];
    float words_right; /* room for the labels at the right */
    float words_max;   /* widest labels of rows */
    float words_high;  /* height limit of rotated labels */
    float words_above; /* height of the labels above the columns */
    float words_over;  /* height of the labels above the left operand; 0: it has none */
    float over_high;   /* limit of words_over */
    float gap_wide;    /* between left operand and result */
};

static size_t row_count(const struct view_operand *operand)
{
    return operand->transposed ? operand->matrix.cols : operand->matrix.rows;
}

static size_t column_count(const struct view_operand *operand)
{
    return operand->transposed ? operand->matrix.rows : operand->matrix.cols;
}

/* A row of cells to be laid out: how many, their ideal size, and the size at which they can be
 * read. */
struct demand {
    float count, ideal, need;
};

/* Shares room between an operand and its result. The result comes first: it gets what its numbers
 * need unless less than 15 % were left for the operand; then the operand gets what it needs; the
 * remainder goes to both up to their ideal size. */
static void share_room(float room, struct demand operand, struct demand result, float *operand_step,
                       float *result_step)
{
    const float want_a = operand.count * operand.ideal, want_b = result.count * result.ideal;
    const float need_a = operand.count * fminf(operand.need, operand.ideal);
    const float need_b = result.count * fminf(result.need, result.ideal);
    float a = want_a, b = want_b;
    if (want_a + want_b > room) {
        const float operand_min = room * OPERAND_MIN;
        if (need_a + need_b <= room) {
            const float spare = (room - need_a - need_b) / (want_a + want_b - need_a - need_b);
            a = need_a + (want_a - need_a) * spare;
            b = need_b + (want_b - need_b) * spare;
        } else if (need_b <= room - fminf(operand_min, want_a)) {
            a = fminf(want_a, fmaxf(operand_min, room - need_b));
            b = fminf(want_b, room - a);
        } else {
            a = fminf(want_a, fmaxf(room * 0.3f, room * want_a / (want_a + want_b)));
            a = fminf(a, fmaxf(room * 0.7f, room - want_b));
            b = fminf(want_b, room - a);
            a = fminf(want_a, room - b);
        }
    }
    *operand_step = fmaxf(a, 1) / operand.count;
    *result_step = fmaxf(b, 1) / result.count;
}

/* Says whether sums are drawn along the weights: not in the presenter view, which needs the room
 * for numbers, and not in a borderless figure, where bars without number or name would say nothing.
 */
static bool has_sums(const struct view *view, const struct view_product *product)
{
    return product->sums && !view->style.is_far && view->style.has_cards;
}

/* The narrowest cell in which the matrix's numbers can be read in the small font. */
static float readable_cell_width(const struct view *view, const struct view_operand *operand)
{
    const int decimals = view_matrix_decimals(view, &operand->matrix, operand->is_share);
    const float wide =
        view_matrix_number_width(view, &operand->matrix, view_matrix_min_decimals(view, decimals));
    return (wide - 8) * UI_TEXT_TINY / UI_TEXT_SMALL + 5;
}

/* The width of a cell with the numbers of the matrix in the presenter view, at a font size and with
 * `fewer` decimals less, as far as that is allowed. */
static float presenter_cell_width(const struct view *view, const struct view_operand *operand,
                                  int fewer, float size)
{
    const int decimals = view_matrix_decimals(view, &operand->matrix, operand->is_share);
    const int decimals_min = view_matrix_presenter_decimals(view, &operand->matrix, decimals);
    const int shown = decimals - fewer > decimals_min ? decimals - fewer : decimals_min;
    return view_matrix_presenter_width(view, &operand->matrix, shown, size);
}

/* The narrowest cell in which the numbers of the matrix can be read. */
static float cell_width_min(const struct view *view, const struct view_operand *operand)
{
    return view->style.is_far ? presenter_cell_width(view, operand, 1, VIEW_PRESENTER_FONT_MIN)
                              : readable_cell_width(view, operand);
}

const char *view_typical_size(const struct view *view, const struct view_operand *operand)
{
    enum { CELLS_MAX = 1 << 14 };
    const struct lab_matrix *const matrix = &operand->matrix;
    const size_t cells = matrix->rows * matrix->cols;
    double squares = 0;
    if (!view->style.has_cards || operand->part != LAB_SCORES ||
        view->experiment->weights != LAB_WEIGHTS_RANDOM || operand->masked ||
        matrix->values == NULL || cells == 0 || cells > CELLS_MAX) {
        return NULL;
    }
    for (size_t row = 0; row < matrix->rows; row++) {
        for (size_t column = 0; column < matrix->cols; column++) {
            const double value = (double)lab_matrix_at(matrix, row, column);
            squares += value * value;
        }
    }
    char number[TEXT_NUMBER_MAX];
    text_number(number, sqrt(squares / (double)cells), 1);
    return arena_format(view->arena, "typical size %s", number);
}

/* The width of a title beside its matrix, with some air on both sides. */
static float title_width(const struct view *view, const struct view_operand *operand)
{
    char shape[64];
    snprintf(shape, sizeof shape, "%zu × %zu", row_count(operand), column_count(operand));
    const float wide = canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_SMALL, shape);
    const char *const typical = view_typical_size(view, operand);
    const float below =
        typical == NULL ? 0 : canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_TINY, typical);
    const float title =
        canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_BIG, tr(operand->title));
    return fmaxf(fmaxf(wide, below), title) + 2 * TITLE_AIR;
}

/* The widest that labels of rows may be; in a figure wider where rows are too low for them. */
static float words_max(const struct view *view, struct rect area, const struct layout *lay)
{
    const float lowest = fminf(lay->row_step, lay->inner_step);
    const bool low = !view->style.has_controls && lowest > 0 && lowest < view_words_line(view);
    const float of_width = low && !view->style.is_far ? 0.3f : view_length(view, WORDS_OF_WIDTH);
    return fminf(low ? 2 * WORDS_MAX : WORDS_MAX, area.w * of_width);
}

/* The width of labels beside rows so high; 0: that is not known yet. */
static float row_words_width(const struct view *view, const char *const *words, size_t count,
                             float step, float width_max)
{
    const struct view_words rows = {.words = words, .count = count, .step = step};
    return !view->style.has_controls && step > 0 ? view_words_beside(view, &rows, width_max)
                                                 : view_words_width(view, words, count, width_max);
}

/* The least distance from the left operand's middle to the upper one at which their titles fit
 * beside each other. */
static float titles_width(const struct view *view, const struct view_product *product)
{
    return title_width(view, &product->left) / 2 + title_width(view, &product->block[0].upper) -
           TITLE_AIR;
}

/* The gap between the upper operand and the result. Rows that are too low for their numbers take
 * the room of the left operand's title, if that fits beside the upper operand's. */
static float gap_above(const struct view *view, const struct view_product *product, float apart,
                       float need, float room)
{
    return product->blocks > 1 || need <= room - GAP_HIGH || apart < titles_width(view, product)
               ? GAP_HIGH
               : GAP_LOW;
}

/* Margins of the product: the longest row label, the room above and below, and the gaps. */
struct edges {
    float words, head, foot, gaps;
};

static struct edges find_edges(const struct view *view, const struct view_product *product,
                               struct rect area, struct layout *lay)
{
    const float width_max = words_max(view, area, lay);
    lay->words_max = width_max;
    lay->gap_wide = GAP_WIDE;
    lay->words_right =
        row_words_width(view, product->inner_words, (size_t)row_count(&product->block[0].upper),
                        lay->inner_step, width_max) +
        14;
    lay->words_right = fmaxf(
        lay->words_right, product->blocks == 1 ? title_width(view, &product->block[0].result) : 12);
    return (struct edges){.words =
                              row_words_width(view, product->row_words, row_count(&product->left),
                                              lay->row_step, width_max) +
                              14,
                          .head = product->blocks > 1 ? HEAD + 26 : HEAD,
                          .foot = has_sums(view, product) ? VIEW_STRIP_HIGH : 0,
                          .gaps = GAP_WIDE + GAP_BLOCKS * (float)(product->blocks - 1)};
}

static float column_width(const struct view *view, const struct view_product *product, float growth)
{
    float cell = CELL_WIDE * growth;
    for (size_t b = 0; b < product->blocks; b++) {
        const size_t count = column_count(&product->block[b].result);
        cell =
            fmaxf(cell, view_words_column(view, product->block[b].column_words, count, CELL_WIDE));
    }
    return cell;
}

/* Narrows the gap between left operand and result if that alone makes the numbers of both readable.
 */
static void narrow_gap(float need, float room, struct edges *edges, struct layout *lay)
{
    const float lacks = need - room;
    if (lacks > 0 && lacks + 1 <= GAP_WIDE - GAP_LOW) {
        lay->gap_wide -= lacks + 1;
        edges->gaps -= lacks + 1;
    }
}

/* The cell widths that numbers of one font size need: in the left operand, and in the columns of
 * the other matrices. */
struct presenter_needs {
    float left, each;
};

static struct presenter_needs presenter_needs_of(const struct view *view,
                                                 const struct view_product *product, int fewer,
                                                 float size)
{
    struct presenter_needs needs = {.left =
                                        presenter_cell_width(view, &product->left, fewer, size)};
    for (size_t b = 0; b < product->blocks; b++) {
        const struct view_block *const block = &product->block[b];
        needs.each = fmaxf(needs.each, presenter_cell_width(view, &block->result, fewer, size));
        needs.each = fmaxf(needs.each, presenter_cell_width(view, &block->upper, fewer, size));
    }
    return needs;
}

/* Finds the cell widths that show the numbers of both sides equally large: as large as can be read
 * from the last row where there is room, else as large as possible; a decimal is dropped before the
 * font becomes small. Where there is no room for both, the result's numbers decide. */
static void fit_presenter_widths(const struct view *view, const struct view_product *product,
                                 float columns, float room, float *need_left, float *need)
{
    static const float sizes[] = {VIEW_PRESENTER_FONT_READABLE, 12, 11, 10,
                                  VIEW_PRESENTER_FONT_MIN};
    enum { SIZES = sizeof sizes / sizeof *sizes, SIZES_AT_HAND = 3, FEWER_MAX = 2 };
    const bool presents = view->style.is_far;
    const size_t count =
        presents ? SIZES : SIZES_AT_HAND; /* smaller sizes are for the presenter view */
    const int fewer_max = presents ? FEWER_MAX : FEWER_MAX - 1;
    const float inner = (float)column_count(&product->left);
    for (int fewer = 0; fewer < FEWER_MAX; fewer++) {
        for (size_t s = 0; s < count; s++) {
            const struct presenter_needs needs = presenter_needs_of(view, product, fewer, sizes[s]);
            if (columns * needs.each + inner * needs.left <= room) {
                *need = needs.each;
                *need_left = needs.left;
                return;
            }
        }
    }
    for (int fewer = 0; fewer <= fewer_max; fewer++) {
        for (size_t s = 0; s < count; s++) {
            float each = 0;
            for (size_t b = 0; b < product->blocks; b++) {
                each = fmaxf(
                    each, presenter_cell_width(view, &product->block[b].result, fewer, sizes[s]));
            }
            if (columns * each <= room * (1 - OPERAND_MIN)) {
                *need = each;
                return;
            }
        }
    }
}

/* Finds the widths of the cells. In the presenter view the left operand keeps such a distance that
 * its title needs no room above the result. */
static void find_widths(const struct view *view, const struct view_product *product,
                        struct rect area, struct edges *edges, struct layout *lay)
{
    static const float LONG_ROW = 12; /* a longer row has no room for its numbers */
    const float growth = view_cell_growth(view, area);
    float columns = 0, need = 0;
    for (size_t b = 0; b < product->blocks; b++) {
        columns += (float)column_count(&product->block[b].result);
        need = fmaxf(need, cell_width_min(view, &product->block[b].result));
    }
    const float inner = (float)column_count(&product->left);
    const float need_left = cell_width_min(view, &product->left);
    narrow_gap(inner * need_left + columns * need,
               area.w - edges->words - edges->gaps - lay->words_right, edges, lay);
    for (int round = 0; round < 3; round++) {
        const float room = area.w - edges->words - edges->gaps - lay->words_right;
        float share_left = need_left, share = need;
        const bool lacks = view->style.has_controls && inner > LONG_ROW &&
                           inner * need_left + columns * need > room;
        if ((view->style.is_far || lacks) && room > 0) {
            fit_presenter_widths(view, product, columns, room, &share_left, &share);
        }
        share_room(room, (struct demand){inner, INNER_WIDE * growth, share_left},
                   (struct demand){columns, column_width(view, product, growth), share},
                   &lay->left_step, &lay->column_step);
        const float apart = inner * lay->left_step / 2 + lay->gap_wide;
        const float missing = titles_width(view, product) - apart;
        const bool read = inner * need_left + columns * need <= room;
        const bool stays = inner * need_left + columns * need <= room - missing - 1;
        if (!view->style.is_far || product->blocks > 1 || missing <= 0 || (read && !stays)) {
            return;
        }
        lay->gap_wide += missing + 1;
        edges->gaps += missing + 1;
    }
}

/* Says whether the window shows one panel at a time: fonts are so large there that small ones can
 * be read. */
static bool is_small_window(const struct view *view)
{
    return view_is_small(view->state, view->ui->input->width, view->ui->input->height);
}

/* Shares the height where not all rows have room for their numbers: all rows are equal as long as
 * they can be read; else those of the result come before those of a tall operand; where that fails
 * too, rows with labels come before rows without. */
static void share_scarce_height(const struct view *view, const struct view_product *product,
                                float inner, float rows, float room, struct layout *lay)
{
    const float low = is_small_window(view)        ? NUMBER_ROW_MIN_SMALL
                      : view->state->learn != NULL ? NUMBER_ROW_MIN_LEARN
                                                   : NUMBER_ROW_MIN;
    const float alike = room / (inner + rows);
    const float result_max = fminf(room * RESULT_MAX, room - OPERAND_TITLE_HIGH);
    const float result = fminf(view_length(view, ROW_MIN), result_max / rows);
    const bool read = alike >= view_length(view, (struct view_length){low, FAR_EQUAL_ROW_MIN});
    const float smallest = view_length(view, (struct view_length){low, FAR_ROW_SMALLEST});
    const float named = (room - rows * ALL_WORDS_ROW_MIN) / inner;
    lay->row_step = !read && result >= smallest ? result
                    : !view->style.is_far && alike < ALL_WORDS_ROW_MIN && named >= low
                        ? ALL_WORDS_ROW_MIN
                        : alike;
    if (product->inner_words == NULL && lay->row_step < WORD_ROW_MIN) {
        lay->row_step = fminf(WORD_ROW_MIN, room * WORDS_SHARE / rows);
    }
    lay->inner_step = (room - rows * lay->row_step) / inner;
}

/* Finds the heights of the cells; returns that of the gap between the upper operand and the result.
 */
static float find_heights(const struct view *view, const struct view_product *product,
                          struct rect area, const struct edges *edges, struct layout *lay)
{
    const float inner = (float)column_count(&product->left),
                rows = (float)row_count(&product->left);
    const float high = area.h - edges->head - edges->foot;
    const float ideal = view_cell_high(view, CELL_HIGH, view_cell_growth(view, area),
                                       fmaxf(lay->column_step, lay->left_step));
    const float row_min = view_length(view, ROW_MIN);
    const float gap = gap_above(view, product, inner * lay->left_step / 2 + lay->gap_wide,
                                (inner + rows) * view_length(view, ROW_WANTED), high);
    share_room(high - gap, (struct demand){inner, ideal, row_min},
               (struct demand){rows, ideal, row_min}, &lay->inner_step, &lay->row_step);
    if (view->style.has_controls && (inner + rows) * row_min > high - gap) {
        share_scarce_height(view, product, inner, rows, high - gap, lay);
    }
    return gap;
}

/* The labels above a block's columns. */
static struct view_words column_words(const struct view_product *product, size_t b,
                                      const struct layout *lay)
{
    const struct view_block *const block = &product->block[b];
    return (struct view_words){.words = block->column_words,
                               .count = column_count(&block->result),
                               .step = lay->column_step,
                               .room = lay->words_high,
                               .beyond = b + 1 < product->blocks ? 0 : lay->words_right,
                               .anchor = CANVAS_CENTRE,
                               .chosen = block->column,
                               .colour = block->column_colour};
}

/* Rotates labels that have no room, which makes them higher. */
static void turn_words(const struct view *view, const struct view_product *product,
                       struct rect area, struct edges *edges, struct layout *lay)
{
    static const float OF_HEIGHT = 0.3f;
    lay->words_high = area.h * OF_HEIGHT;
    float high = HEAD;
    for (size_t b = 0; b < product->blocks; b++) {
        const struct view_words words = column_words(product, b, lay);
        high = fmaxf(high, view_words_above(view, &words));
    }
    lay->words_above = high;
    edges->head += high - HEAD;
}

static struct layout lay_out_product(const struct view *view, const struct view_product *product,
                                     struct rect area)
{
    struct layout lay = {0};
    struct edges edges = {0};
    float columns = 0, gap = 0;
    /* In a figure the labels of rows shrink with the rows, which changes the layout again. */
    for (int round = 0; round < (!view->style.has_controls ? 3 : 1); round++) {
        edges = find_edges(view, product, area, &lay);
        find_widths(view, product, area, &edges, &lay);
        turn_words(view, product, area, &edges, &lay);
        gap = find_heights(view, product, area, &edges, &lay);
    }
    const float inner = (float)column_count(&product->left),
                rows = (float)row_count(&product->left);
    for (size_t b = 0; b < product->blocks; b++) {
        columns += (float)column_count(&product->block[b].result);
    }
    const float wide = edges.words + inner * lay.left_step + edges.gaps +
                       columns * lay.column_step + lay.words_right;
    const float high = edges.head + inner * lay.inner_step + gap + rows * lay.row_step + edges.foot;
    const float x = area.x + fmaxf(0, (area.w - wide) / 2) + edges.words;
    const float y = area.y + fmaxf(0, (area.h - high) / 2) + edges.head;
    const float below = y + inner * lay.inner_step + gap;
    lay.left = (struct rect){x, below, inner * lay.left_step, rows * lay.row_step};
    float at = x + lay.left.w + lay.gap_wide;
    for (size_t b = 0; b < product->blocks; b++) {
        const float w = (float)column_count(&product->block[b].result) * lay.column_step;
        lay.upper[b] = (struct rect){at, y, w, inner * lay.inner_step};
        lay.result[b] = (struct rect){at, below, w, lay.left.h};
        at += w + GAP_BLOCKS;
    }
    return lay;
}

struct view_matrix view_operand_cells(const struct view *view, const struct view_operand *operand,
                                      struct rect area, uint32_t id)
{
    return (struct view_matrix){
        .matrix = operand->matrix,
        .transposed = operand->transposed,
        .area = area,
        .label = operand->title,
        .is_share = operand->is_share,
        .peak = operand->is_share
                    ? 0
                    : view_scale_peak(view, operand->part, operand->head, &operand->matrix),
        .decimals = view_matrix_decimals(view, &operand->matrix, operand->is_share),
        .numbers = true,
        .outline = operand->colour,
        .row = operand->row,
        .column = operand->column,
        .row_colour = operand->row_colour,
        .column_colour = operand->column_colour,
        .cell = operand->cell,
        .masked = operand->masked,
        .done = 1,
        .row_axis = operand->transposed ? operand->column_axis : operand->row_axis,
        .column_axis = operand->transposed ? operand->row_axis : operand->column_axis,
        .discs = operand->discs,
        .editable = operand->editable,
        .shrinks = operand->shrinks || (view->style.has_controls &&
                                        (is_small_window(view) || view->state->learn != NULL)),
        .part = operand->part,
        .tip = operand->tip,
        .derived = operand->derived,
        .head = operand->head,
        .id = id,
    };
}

bool view_product_fits(struct view *view, const struct view_product *product, struct rect area)
{
    const struct layout lay = lay_out_product(view, product, area);
    bool fits = lay.row_step >= 15 && lay.inner_step >= 15;
    const struct lab_matrix *left = &product->left.matrix;
    fits = fits && lay.left_step + 6 >= view_matrix_number_width(
                                            view, left, view_matrix_decimals(view, left, false));
    for (size_t b = 0; fits && b < product->blocks; b++) {
        const struct view_operand *operand[2] = {&product->block[b].upper,
                                                 &product->block[b].result};
        for (size_t k = 0; fits && k < 2; k++) {
            const int decimals =
                view_matrix_decimals(view, &operand[k]->matrix, operand[k]->is_share);
            fits = lay.column_step + 6 >=
                   view_matrix_number_width(view, &operand[k]->matrix, decimals);
        }
    }
    return fits;
}

static void set_operand_tip(struct view *view, const struct view_operand *operand, struct rect area)
{
    if (operand->tip != NULL) {
        ui_tip(view->ui, ui_id(view->ui, operand->tip), area, operand->tip);
    }
}

static const char *shape_text(struct view *view, const struct view_operand *operand)
{
    const char *const shape =
        arena_format(view->arena, "%zu × %zu", row_count(operand), column_count(operand));
    return shape != NULL ? shape : "";
}

/* Says whether the part is weights to whose product no bias is added. */
static bool is_without_bias(const struct view *view, enum lab_part part)
{
    static const enum lab_part made_by[][2] = {
        {LAB_W_Q, LAB_Q}, {LAB_W_K, LAB_K}, {LAB_W_V, LAB_V}, {LAB_W_O, LAB_OUTPUT_O}};
    const struct lab_graph *const graph = view->trace == NULL ? NULL : lab_trace_graph(view->trace);
    for (size_t w = 0; graph != NULL && w < sizeof made_by / sizeof *made_by; w++) {
        if (part == made_by[w][0]) {
            const struct lab_node *const made = &graph->node[made_by[w][1]];
            const bool turned = made->operation == LAB_TURN; /* the bias is added before */
            return lab_graph_bias(graph, turned ? made->input[0] : made_by[w][1]) == LAB_NODES;
        }
    }
    return false;
}

void view_product_title(struct view *view, const struct view_operand *operand, float x, float y)
{
    struct canvas *canvas = view->ui->canvas;
    canvas_text(canvas, x, y, FONT_WORDS_BOLD, UI_TEXT_BIG, operand->colour, CANVAS_CENTRE,
                tr(operand->title));
    canvas_text(canvas, x, y + 18, FONT_NUMBERS, UI_TEXT_SMALL, view->ui->theme->muted,
                CANVAS_CENTRE, shape_text(view, operand));
    if (is_without_bias(view, operand->part)) {
        canvas_text(canvas, x, y + 33, FONT_WORDS, UI_TEXT_TINY, view->ui->theme->muted,
                    CANVAS_CENTRE, tr("no bias"));
    }
    const char *const typical = view_typical_size(view, operand);
    if (typical != NULL) {
        canvas_text(canvas, x, y + 33, FONT_WORDS, UI_TEXT_TINY, view->ui->theme->muted,
                    CANVAS_CENTRE, typical);
        ui_tip(view->ui, ui_id(view->ui, "typical size"), (struct rect){x - 40, y + 22, 80, 15},
               "Up or down: the root of the mean of their squares");
    }
    set_operand_tip(view, operand, (struct rect){x - 30, y - 20, 60, 42});
}

/* The height of a title below its baseline. */
static float height_below_title(const struct view *view, const struct view_operand *operand)
{
    const bool third =
        is_without_bias(view, operand->part) || view_typical_size(view, operand) != NULL;
    return third ? 39 : 24;
}

/* Draws title and shape in one line, for products that stand side by side. */
static void draw_title_line(struct view *view, const struct view_operand *operand, float x, float y)
{
    struct canvas *canvas = view->ui->canvas;
    const float wide = canvas_text(canvas, x, y, FONT_WORDS_BOLD, UI_TEXT_TITLE, operand->colour,
                                   CANVAS_LEFT, tr(operand->title));
    canvas_text(canvas, x + wide + 8, y, FONT_NUMBERS, UI_TEXT_SMALL, view->ui->theme->muted,
                CANVAS_LEFT, shape_text(view, operand));
    set_operand_tip(view, operand, (struct rect){x, y - 18, wide + 60, 24});
}

/* The labels above the left operand's columns. */
static struct view_words left_operand_words(const struct view_product *product,
                                            const struct layout *lay)
{
    return (struct view_words){.words = product->inner_words,
                               .count = column_count(&product->left),
                               .from = lay->left.x,
                               .step = lay->left_step,
                               .at = lay->left.y - VIEW_WORDS_APART,
                               .room = lay->over_high,
                               .tight = true,
                               .anchor = CANVAS_CENTRE,
                               .chosen = product->left_column,
                               .colour = product->left_colour};
}

/* Places them if the left operand's title has room above them, beside or below that of the upper
 * one. */
static void place_left_operand_words(const struct view *view, const struct view_product *product,
                                     float top, struct layout *lay)
{
    lay->over_high = fminf(lay->words_high, lay->left.y - top - TITLE_HIGH);
    if (!product->words_over_left || product->blocks > 1 || lay->over_high < WORDS_OVER) {
        return;
    }
    const struct view_operand *const upper = &product->block[0].upper;
    const struct view_words words = left_operand_words(product, lay);
    const float over = fmaxf(WORDS_OVER, view_words_above(view, &words));
    const float highest = lay->left.y - over - TITLE_HIGH;
    const bool beside = lay->left.w / 2 + lay->gap_wide >= titles_width(view, product);
    const bool below =
        lay->upper[0].y + lay->upper[0].h / 2 + height_below_title(view, upper) <= highest;
    const bool whole = !view->style.is_far || view_words_whole(view, &words);
    lay->words_over = whole && over <= lay->over_high && (beside || below) ? over : 0;
}

static void draw_titles(struct view *view, const struct view_product *product,
                        const struct layout *lay)
{
    view_product_title(view, &product->left, lay->left.x + lay->left.w / 2,
                       lay->left.y - lay->words_over - 30);
    if (product->blocks == 1) {
        const struct view_block *block = &product->block[0];
        const float above = /* above the left operand and its labels */
            lay->left.y - lay->words_over - height_below_title(view, &block->upper);
        view_product_title(view, &block->upper,
                           lay->upper[0].x - title_width(view, &block->upper) / 2,
                           fminf(lay->upper[0].y + lay->upper[0].h / 2, above));
        view_product_title(view, &block->result,
                           lay->result[0].x + lay->result[0].w +
                               title_width(view, &block->result) / 2,
                           lay->result[0].y + lay->result[0].h / 2);
        return;
    }
    for (size_t b = 0; b < product->blocks; b++) {
        draw_title_line(view, &product->block[b].upper, lay->upper[b].x,
                        lay->upper[b].y - lay->words_above - 4);
        draw_title_line(view, &product->block[b].result, lay->result[b].x, lay->result[b].y - 12);
    }
}

/* Draws the light bands that run from row and column to the cell they make. */
static void draw_bands(struct view *view, const struct view_product *product,
                       const struct layout *lay, size_t b)
{
    const struct view_block *block = &product->block[b];
    const float strength = view->ui->theme->dark ? 0.14f : 0.10f;
    const bool has_row = product->row >= 0 && (size_t)product->row < row_count(&product->left);
    const bool has_column =
        block->column >= 0 && (size_t)block->column < column_count(&block->result);
    const struct rect result = lay->result[b];
    const float row_y = result.y + (float)product->row * lay->row_step;
    const float column_x = result.x + (float)block->column * lay->column_step;
    if (has_row) {
        const float to = has_column ? column_x : result.x + result.w;
        const float from = lay->left.x + lay->left.w;
        canvas_rect(view->ui->canvas, (struct rect){from, row_y, to - from, lay->row_step}, 0,
                    &(struct paint){.fill = colour_fade(product->row_colour, strength)});
    }
    if (has_column) {
        const float to = has_row ? row_y : result.y + result.h;
        const float from = lay->upper[b].y + lay->upper[b].h;
        canvas_rect(view->ui->canvas, (struct rect){column_x, from, lay->column_step, to - from}, 0,
                    &(struct paint){.fill = colour_fade(block->column_colour, strength)});
    }
}

static void draw_words(struct view *view, const struct view_product *product,
                       const struct layout *lay)
{
    view_words_of_rows(
        view, &(struct view_words){.words = product->row_words,
                                   .count = row_count(&product->left),
                                   .from = lay->left.y,
                                   .step = lay->row_step,
                                   .at = lay->left.x - 10,
                                   .room = lay->words_max,
                                   .anchor = CANVAS_RIGHT,
                                   .chosen = product->row,
                                   .colour = product->row_colour,
                                   .highlighted = view_pinned_queries(view, &product->left)});
    for (size_t b = 0; b < product->blocks; b++) {
        struct view_words words = column_words(product, b, lay);
        words.from = lay->upper[b].x;
        words.at = lay->upper[b].y - VIEW_WORDS_APART;
        view_words_of_columns(view, &words);
    }
    if (lay->words_over > 0) {
        const struct view_words words = left_operand_words(product, lay);
        view_words_of_columns(view, &words);
    }
    const size_t last = product->blocks - 1;
    const struct view_operand *upper = &product->block[last].upper;
    if (product->inner_words != NULL) {
        view_words_of_rows(view,
                           &(struct view_words){.words = product->inner_words,
                                                .count = row_count(upper),
                                                .from = lay->upper[last].y,
                                                .step = lay->inner_step,
                                                .at = lay->upper[last].x + lay->upper[last].w + 10,
                                                .room = lay->words_max,
                                                .anchor = CANVAS_LEFT,
                                                .chosen = upper->cell ? VIEW_NOWHERE : upper->row,
                                                .colour = upper->row_colour});
    }
}

static void record_hit(struct view_product_hit *hit, enum view_product_part part, size_t block,
                       struct view_matrix_hit cell)
{
    if (cell.hover || cell.clicked) {
        hit->part = part;
        hit->clicked = cell.clicked;
        hit->block = block;
        hit->row = cell.row;
        hit->column = cell.column;
    }
}

struct view_product_hit view_product_draw(struct view *view, const struct view_product *product,
                                          struct rect area)
{
    struct view_product_hit hit = {0};
    if (product->blocks == 0 || product->left.matrix.values == NULL || area.w < 40 || area.h < 40) {
        return hit;
    }
    struct layout lay = lay_out_product(view, product, area);
    place_left_operand_words(view, product, area.y, &lay);
    hit.rows = lay.left;
    size_t banded = 0; /* the block of the chosen cell: only it has a band */
    for (size_t b = 0; b < product->blocks; b++) {
        banded = product->block[b].column >= 0 ? b : banded;
    }
    draw_bands(view, product, &lay, banded);
    struct view_matrix cells =
        view_operand_cells(view, &product->left, lay.left, ui_id_number(view->ui, "matrix", 0));
    record_hit(&hit, VIEW_PART_LEFT, 0, view_matrix_draw(view, &cells));
    for (size_t b = 0; b < product->blocks; b++) {
        const struct view_block *block = &product->block[b];
        cells = view_operand_cells(view, &block->upper, lay.upper[b],
                                   ui_id_number(view->ui, "matrix", 2 * b + 1));
        record_hit(&hit, VIEW_PART_UPPER, b, view_matrix_draw(view, &cells));
        cells = view_operand_cells(view, &block->result, lay.result[b],
                                   ui_id_number(view->ui, "matrix", 2 * b + 2));
        cells.done = product->done;
        cells.guessed = true;
        record_hit(&hit, VIEW_PART_RESULT, b, view_matrix_draw(view, &cells));
    }
    if (has_sums(view, product)) {
        view_strips(view, &(struct view_strips){product->left.matrix, lay.left, false, "sums"});
    }
    draw_titles(view, product, &lay);
    draw_words(view, product, &lay);
    return hit;
}
