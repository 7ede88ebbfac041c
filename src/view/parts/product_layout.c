/* Finds where two factors, their result, their names and titles stand: how wide and high cells are,
 * and what gives way where there is little room. */
#include "view/parts/product_internal.h"

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
bool product_has_sums(const struct view *view, const struct view_product *product)
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
float product_title_width(const struct view *view, const struct view_operand *operand)
{
    char shape[64];
    snprintf(shape, sizeof shape, "%zu × %zu", product_rows(operand), product_columns(operand));
    const float wide = canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_SMALL, shape);
    const char *const typical = view_typical_size(view, operand);
    const float below =
        typical == NULL ? 0 : canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_TINY, typical);
    const float title =
        canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_BIG, tr(operand->title));
    return fmaxf(fmaxf(wide, below), title) + 2 * TITLE_AIR;
}

/* The widest that labels of rows may be; in a figure wider where rows are too low for them. */
static float words_max(const struct view *view, struct rect area, const struct product_layout *lay)
{
    const float lowest = fminf(lay->row_step, lay->inner_step);
    const bool low = !view->style.has_controls && lowest > 0 && lowest < view_words_line(view);
    const float of_width = low && !view->style.is_far ? 0.3f : view_length(view, WORDS_OF_WIDTH);
    return fminf(low ? 2 * WORDS_MAX : WORDS_MAX, area.w * of_width);
}

/* The widest that these labels of rows may be. */
static float row_words_max(const struct view *view, const char *const *words, size_t count,
                           const struct product_layout *lay)
{
    const float of_size = VIEW_PRESENTER_FONT_READABLE / view->style.names.max;
    return lay->small_names && of_size < 1
               ? fminf(lay->words_max,
                       of_size * view_words_width(view, words, count, lay->words_max / of_size))
               : lay->words_max;
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
float product_titles_width(const struct view *view, const struct view_product *product)
{
    return product_title_width(view, &product->left) / 2 +
           product_title_width(view, &product->block[0].upper) - TITLE_AIR;
}

/* The gap between the upper operand and the result. Rows that are too low for their numbers take
 * the room of the left operand's title, if that fits beside the upper operand's. */
static float gap_above(const struct view *view, const struct view_product *product, float apart,
                       float need, float room)
{
    return product->blocks > 1 || need <= room - GAP_HIGH ||
                   apart < product_titles_width(view, product)
               ? GAP_HIGH
               : GAP_LOW;
}

/* Margins of the product: the longest row label, the room above and below, and the gaps. */
struct edges {
    float words, head, foot, gaps;
};

static struct edges find_edges(const struct view *view, const struct view_product *product,
                               struct rect area, struct product_layout *lay)
{
    lay->words_max = words_max(view, area, lay);
    lay->gap_wide = GAP_WIDE;
    const size_t inner = product_rows(&product->block[0].upper),
                 rows = product_rows(&product->left);
    lay->left_max = row_words_max(view, product->row_words, rows, lay);
    lay->right_max = row_words_max(view, product->inner_words, inner, lay);
    lay->words_right =
        row_words_width(view, product->inner_words, inner, lay->inner_step, lay->right_max) + 14;
    lay->words_right =
        fmaxf(lay->words_right,
              product->blocks == 1 ? product_title_width(view, &product->block[0].result) : 12);
    return (struct edges){
        .words = row_words_width(view, product->row_words, rows, lay->row_step, lay->left_max) + 14,
        .head = product->blocks > 1 ? HEAD + 26 : HEAD,
        .foot = product_has_sums(view, product) ? VIEW_STRIP_HIGH : 0,
        .gaps = GAP_WIDE + GAP_BLOCKS * (float)(product->blocks - 1)};
}

static float column_width(const struct view *view, const struct view_product *product, float growth)
{
    float cell = CELL_WIDE * growth;
    for (size_t b = 0; b < product->blocks; b++) {
        const size_t count = product_columns(&product->block[b].result);
        cell =
            fmaxf(cell, view_words_column(view, product->block[b].column_words, count, CELL_WIDE));
    }
    return cell;
}

/* Narrows the gap between left operand and result if that alone makes the numbers of both readable.
 */
static void narrow_gap(float need, float room, struct edges *edges, struct product_layout *lay)
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
                                 float columns, float room, float *need_left, float *need,
                                 struct product_layout *lay)
{
    static const float sizes[] = {VIEW_PRESENTER_FONT_READABLE, 12, 11, 10,
                                  VIEW_PRESENTER_FONT_MIN};
    enum { SIZES = sizeof sizes / sizeof *sizes, SIZES_AT_HAND = 3, FEWER_MAX = 2 };
    const bool presents = view->style.is_far;
    const size_t count =
        presents ? SIZES : SIZES_AT_HAND; /* smaller sizes are for the presenter view */
    const int fewer_max = presents ? FEWER_MAX : FEWER_MAX - 1;
    const float inner = (float)product_columns(&product->left);
    lay->number_size = 0;
    for (int fewer = 0; fewer < FEWER_MAX; fewer++) {
        for (size_t s = 0; s < count; s++) {
            const struct presenter_needs needs = presenter_needs_of(view, product, fewer, sizes[s]);
            if (columns * needs.each + inner * needs.left <= room) {
                *need = needs.each;
                *need_left = needs.left;
                lay->number_size = fewer == 0 ? sizes[s] : 0;
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

/* Says whether rows are as high as is wanted with the title of the left operand above it. */
static bool has_title_above(const struct view *view, const struct view_product *product,
                            struct rect area, const struct edges *edges)
{
    const float all = (float)(product_columns(&product->left) + product_rows(&product->left));
    return all * view_length(view, ROW_WANTED) <= area.h - edges->head - edges->foot - GAP_HIGH;
}

/* Finds the widths of the cells. In the presenter view the left operand keeps such a distance that
 * its title needs no room above the result, where rows are low. */
static void find_widths(const struct view *view, const struct view_product *product,
                        struct rect area, struct edges *edges, struct product_layout *lay)
{
    static const float LONG_ROW = 12; /* a longer row has no room for its numbers */
    const float growth = view_cell_growth(view, area);
    float columns = 0, need = 0;
    for (size_t b = 0; b < product->blocks; b++) {
        columns += (float)product_columns(&product->block[b].result);
        need = fmaxf(need, cell_width_min(view, &product->block[b].result));
    }
    const float inner = (float)product_columns(&product->left);
    const float need_left = cell_width_min(view, &product->left);
    struct presenter_needs wanted = {need_left, need};
    if (view->style.is_far) {
        wanted = presenter_needs_of(view, product, 0, VIEW_PRESENTER_FONT_READABLE);
    }
    narrow_gap(inner * wanted.left + columns * wanted.each,
               area.w - edges->words - edges->gaps - lay->words_right, edges, lay);
    for (int round = 0; round < 3; round++) {
        const float room = area.w - edges->words - edges->gaps - lay->words_right;
        float share_left = need_left, share = need;
        const bool lacks = view->style.has_controls && inner > LONG_ROW &&
                           inner * need_left + columns * need > room;
        if ((view->style.is_far || lacks) && room > 0) {
            fit_presenter_widths(view, product, columns, room, &share_left, &share, lay);
        }
        share_room(room, (struct demand){inner, INNER_WIDE * growth, share_left},
                   (struct demand){columns, column_width(view, product, growth), share},
                   &lay->left_step, &lay->column_step);
        const float apart = inner * lay->left_step / 2 + lay->gap_wide;
        const float missing = product_titles_width(view, product) - apart;
        const bool read = inner * need_left + columns * need <= room;
        const bool stays = inner * need_left + columns * need <= room - missing - 1;
        if (!view->style.is_far || product->blocks > 1 || missing <= 0 || (read && !stays) ||
            has_title_above(view, product, area, edges)) {
            return;
        }
        lay->gap_wide += missing + 1;
        edges->gaps += missing + 1;
    }
}

/* Says whether the window shows one panel at a time: fonts are so large there that small ones can
 * be read. */
bool product_is_small_window(const struct view *view)
{
    return view_is_small(view->state, view->ui->input->width, view->ui->input->height);
}

/* Shares the height where not all rows have room for their numbers: all rows are equal as long as
 * they can be read; else those of the result come before those of a tall operand; where that fails
 * too, rows with labels come before rows without. */
static void share_scarce_height(const struct view *view, const struct view_product *product,
                                float inner, float rows, float room, struct product_layout *lay)
{
    const float low = product_is_small_window(view) ? NUMBER_ROW_MIN_SMALL
                      : view->state->learn != NULL  ? NUMBER_ROW_MIN_LEARN
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
                          struct rect area, const struct edges *edges, struct product_layout *lay)
{
    const float inner = (float)product_columns(&product->left),
                rows = (float)product_rows(&product->left);
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
struct view_words product_column_words(const struct view_product *product, size_t b,
                                       const struct product_layout *lay)
{
    const struct view_block *const block = &product->block[b];
    return (struct view_words){.words = block->column_words,
                               .count = product_columns(&block->result),
                               .step = lay->column_step,
                               .room = lay->words_high,
                               .beyond = b + 1 < product->blocks ? 0 : lay->words_right,
                               .anchor = CANVAS_CENTRE,
                               .chosen = block->column,
                               .colour = block->column_colour};
}

/* Rotates labels that have no room, which makes them higher. */
static void turn_words(const struct view *view, const struct view_product *product,
                       struct rect area, struct edges *edges, struct product_layout *lay)
{
    static const float OF_HEIGHT = 0.3f;
    lay->words_high = area.h * OF_HEIGHT;
    float high = HEAD;
    for (size_t b = 0; b < product->blocks; b++) {
        const struct view_words words = product_column_words(product, b, lay);
        high = fmaxf(high, view_words_above(view, &words));
    }
    lay->words_above = high;
    edges->head += high - HEAD;
}

static struct product_layout lay_out_names(const struct view *view,
                                           const struct view_product *product, struct rect area,
                                           bool small_names)
{
    struct product_layout lay = {.small_names = small_names};
    struct edges edges = {0};
    float columns = 0, gap = 0;
    /* In a figure the labels of rows shrink with the rows, which changes the layout again. */
    for (int round = 0; round < (!view->style.has_controls ? 3 : 1); round++) {
        edges = find_edges(view, product, area, &lay);
        find_widths(view, product, area, &edges, &lay);
        turn_words(view, product, area, &edges, &lay);
        gap = find_heights(view, product, area, &edges, &lay);
    }
    const float inner = (float)product_columns(&product->left),
                rows = (float)product_rows(&product->left);
    for (size_t b = 0; b < product->blocks; b++) {
        columns += (float)product_columns(&product->block[b].result);
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
        const float w = (float)product_columns(&product->block[b].result) * lay.column_step;
        lay.upper[b] = (struct rect){at, y, w, inner * lay.inner_step};
        lay.result[b] = (struct rect){at, below, w, lay.left.h};
        at += w + GAP_BLOCKS;
    }
    return lay;
}

/* In the presenter view names give way before numbers become smaller than can be read. */
struct product_layout product_lay_out(const struct view *view, const struct view_product *product,
                                      struct rect area)
{
    const struct product_layout lay = lay_out_names(view, product, area, false);
    if (!view->style.is_far || lay.number_size >= VIEW_PRESENTER_FONT_READABLE) {
        return lay;
    }
    const struct product_layout other = lay_out_names(view, product, area, true);
    return other.number_size > lay.number_size ? other : lay;
}
