/* The boxes of two factors, their result, their names and titles, in a grid:
 *
 *            NAMES   LEFT   BETWEEN   BLOCK     BESIDE
 *     TITLES                          title             of products side by side
 *     ABOVE                           names
 *     UPPER          title            upper     names
 *     MIDDLE         title            title
 *     RESULT names   left             result    title
 *     SUMS           sums */
#include "view/parts/product_internal.h"

#include "base/text.h"
#include "base/translate.h"
#include "view/parts/strips.h"

#include <math.h>

static const float CELL_WIDE = 66, CELL_HIGH = 44;             /* a cell where there is room */
static const float INNER_WIDE = 58;                            /* a cell of the left operand */
static const float CELL_MIN = 0.5f;                            /* one without a number */
static const float BARE = 12, BARE_OF_AREA = 0.2f;             /* of a line of them together */
static const float BARE_OF_FIGURE = 0.12f;                     /* the same across in a figure */
static const float GAP_WIDE = 48, GAP_HIGH = 58, GAP_MIN = 16; /* between operands and result */
static const float GAP_BLOCKS = 30;                            /* between products side by side */
static const float EDGE = 12;                                  /* at the right of the last result */
static const struct view_length WORDS_OF_WIDTH = {.near = 0.2f, .far = 0.27f};
static const float WORDS_MAX = 140;        /* widest names of rows */
static const float WORDS_OF_HEIGHT = 0.3f; /* highest names of columns */
static const float TITLE_AIR = 11; /* on both sides of a title that stands beside its matrix */
static const float TITLE_HIGH = 44, NOTE_HIGH = 15, LINE_HIGH = 22, LINE_APART = 5;
static const struct view_length ROW_WANTED = {.near = 16, .far = 26}; /* beside stacked titles */
static const float ROW_NAMED = 24;  /* near, beside names over the left operand */
static const float OF_WIDTH = 0.9f; /* the height of cells that grow in presenter mode */

enum { NAMES, LEFT, BETWEEN, BLOCK, BLOCK_COLUMNS = 2 };
enum { TITLES, ABOVE, UPPER, MIDDLE, RESULT, SUMS };

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

/* --- titles ---------------------------------------------------------------------------------- */

static struct box_range title_width(const struct product_title *title)
{
    const struct view *const view = title->view;
    const struct view_operand *const operand = title->operand;
    struct canvas *const canvas = view->ui->canvas;
    const char *const shape =
        arena_words(view->arena, "%zu × %zu", product_rows(operand), product_columns(operand));
    const float below = canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_SMALL, shape);
    const float wide = canvas_measure(
        canvas, FONT_WORDS_BOLD, title->in_line ? UI_TEXT_TITLE : UI_TEXT_BIG, tr(operand->title));
    if (title->in_line) {
        return (struct box_range){.min = wide + below + 2 * TITLE_AIR};
    }
    const char *const note = box_gave(title->tree, PRODUCT_NOTE) ? NULL : title->note;
    const float noted = note == NULL ? 0 : canvas_measure(canvas, FONT_WORDS, UI_TEXT_TINY, note);
    return (struct box_range){.min = fmaxf(fmaxf(below, noted), wide) + 2 * TITLE_AIR};
}

static struct box_range measure_title(const struct box_tree *tree, const struct box *box,
                                      enum box_axis axis)
{
    const struct product_title *const title = box->user;
    if (axis == BOX_ACROSS) {
        return title_width(title);
    }
    const bool note = !box_gave(tree, PRODUCT_NOTE) && title->note != NULL;
    return (struct box_range){.min =
                                  title->in_line ? LINE_HIGH : TITLE_HIGH + (note ? NOTE_HIGH : 0)};
}

static void add_title(struct product_layout *lay, struct product_title title, struct box box)
{
    struct product_title *const kept = arena_alloc(lay->tree.arena, sizeof *kept);
    if (kept != NULL) {
        *kept = title;
        kept->tree = &lay->tree;
        kept->note = title.in_line ? NULL : product_note(title.view, title.operand);
        box.kind = BOX_LEAF;
        box.user = kept;
        box.measure = measure_title;
        box.draw = product_draw_title;
        box.bottom = title.in_line ? LINE_APART : box.bottom;
        box_add(&lay->tree, &box);
    }
}

/* --- cells ----------------------------------------------------------------------------------- */

static bool has_names_over_left(const struct product_layout *lay)
{
    return lay->product->words_over_left && lay->product->blocks == 1;
}

static struct box *add_cells(struct product_layout *lay, const struct view_operand *operand,
                             float wide, struct box box)
{
    const bool is_left = box.column == LEFT, is_result = box.row == RESULT && !is_left;
    const bool comes_first = is_result && lay->view->style.is_far;
    const struct view_number_gives gives = {
        .wanted = PRODUCT_WANTED_NUMBERS,
        .decimals = is_left ? PRODUCT_LEFT_DECIMALS : PRODUCT_DECIMALS,
        .readable = comes_first ? PRODUCT_RESULT_READABLE_NUMBERS : PRODUCT_READABLE_NUMBERS,
        .readable_rows = comes_first ? PRODUCT_RESULT_READABLE_ROWS : PRODUCT_READABLE_ROWS,
        .all_decimals = comes_first ? PRODUCT_RESULT_ALL_DECIMALS : PRODUCT_ALL_DECIMALS,
        .numbers = is_result ? PRODUCT_RESULT_NUMBERS : PRODUCT_OPERAND_NUMBERS,
        .rows = is_result ? PRODUCT_RESULT_ROWS : PRODUCT_OPERAND_ROWS};
    const float high = CELL_HIGH * view_cell_growth(lay->view, lay->area);
    box.kind = BOX_CELLS;
    box.cells = (struct box_cells){.rows = product_rows(operand),
                                   .columns = product_columns(operand),
                                   .wide = {CELL_MIN, wide, wide},
                                   .high = {CELL_MIN, high, high}};
    if (lay->view->style.is_far) {
        box.cells.high.pref = CELL_HIGH;
        box.cells.aspect = OF_WIDTH;
    }
    const float of_area = lay->view->style.has_controls ? BARE_OF_AREA : BARE_OF_FIGURE;
    const float narrow = fminf(BARE, lay->area.w * of_area / fmaxf((float)box.cells.columns, 1));
    const float low = fminf(BARE, lay->area.h * BARE_OF_AREA / fmaxf((float)box.cells.rows, 1));
    box.cells.bare_wide = (struct box_range){.min = narrow, .pref = is_left ? narrow : wide};
    box.cells.bare_high = (struct box_range){low, 2 * low, 2 * low};
    struct box_need *need = box.cells.need_high;
    if (has_names_over_left(lay) && !lay->view->style.is_far) {
        *need++ = (struct box_need){PRODUCT_NAMES_OVER_LEFT, ROW_NAMED};
    }
    *need = (struct box_need){PRODUCT_TITLES_STACKED, view_length(lay->view, ROW_WANTED)};
    view_number_needs(lay->view, operand, &gives, &box.cells);
    return box_add(&lay->tree, &box);
}

static struct view_names names_beside(const struct product_layout *lay, const struct box *cells)
{
    const float max = fminf(WORDS_MAX, lay->area.w * view_length(lay->view, WORDS_OF_WIDTH));
    return (struct view_names){.view = lay->view,
                               .cells = cells,
                               .max = {max, 0},
                               .large = PRODUCT_LARGE_NAMES,
                               .readable = PRODUCT_READABLE_NAMES,
                               .brief = PRODUCT_BRIEF_NAMES,
                               .each = PRODUCT_NAME_OF_EACH_ROW};
}

static void add_row_names(struct product_layout *lay)
{
    struct view_names names = names_beside(lay, lay->left);
    names.words =
        (struct view_words){.words = lay->product->row_words,
                            .count = product_rows(&lay->product->left),
                            .anchor = CANVAS_RIGHT,
                            .chosen = lay->product->row,
                            .colour = lay->product->row_colour,
                            .highlighted = view_pinned_queries(lay->view, &lay->product->left)};
    view_add_names(&lay->tree, &names, (struct box){.column = NAMES, .row = RESULT, .left = 4});
    const size_t last = lay->product->blocks - 1;
    const struct view_operand *const upper = &lay->product->block[last].upper;
    names = names_beside(lay, lay->upper[last]);
    names.words = (struct view_words){.words = lay->product->inner_words,
                                      .count = product_rows(upper),
                                      .anchor = CANVAS_LEFT,
                                      .chosen = upper->cell ? VIEW_NOWHERE : upper->row,
                                      .colour = upper->row_colour};
    if (lay->product->inner_words != NULL) {
        view_add_names(&lay->tree, &names,
                       (struct box){.column = (uint8_t)(BLOCK + BLOCK_COLUMNS * last + 1),
                                    .row = UPPER,
                                    .right = 4});
    }
}

/* The left operand's title, and below it the names of its columns. */
static void add_left_stack(struct product_layout *lay, bool in_line)
{
    add_title(lay,
              (struct product_title){.view = lay->view,
                                     .operand = &lay->product->left,
                                     .cells = lay->left,
                                     .in_line = in_line},
              (struct box){.kind = BOX_LEAF});
    if (has_names_over_left(lay)) {
        view_add_names(&lay->tree,
                       &(struct view_names){.view = lay->view,
                                            .cells = lay->left,
                                            .above = true,
                                            .max = {0, lay->area.h * WORDS_OF_HEIGHT},
                                            .whole = lay->view->style.is_far,
                                            .words = {.words = lay->product->inner_words,
                                                      .count = product_columns(&lay->product->left),
                                                      .tight = true,
                                                      .anchor = CANVAS_CENTRE,
                                                      .chosen = lay->product->left_column,
                                                      .colour = lay->product->left_colour}},
                       (struct box){.until = PRODUCT_NAMES_OVER_LEFT});
    }
}

static void add_left_titles(struct product_layout *lay)
{
    struct box stack = {.kind = BOX_COLUMN, .columns = BLOCK, .row = MIDDLE, .down = BOX_END};
    stack.until = PRODUCT_TITLES_STACKED;
    box_open(&lay->tree, &stack);
    add_left_stack(lay, false);
    box_close(&lay->tree);
    stack.from = PRODUCT_TITLES_STACKED;
    stack.until = PRODUCT_TITLES_BESIDE;
    stack.columns = BETWEEN;
    stack.row = ABOVE;
    stack.rows = RESULT - ABOVE;
    box_open(&lay->tree, &stack);
    add_left_stack(lay, false);
    box_close(&lay->tree);
    stack = (struct box){.kind = BOX_COLUMN, .columns = BLOCK, .row = MIDDLE, .down = BOX_END};
    stack.from = PRODUCT_TITLES_STACKED;
    box_open(&lay->tree, &stack);
    box_open(&lay->tree, &(struct box){.kind = BOX_COLUMN, .from = PRODUCT_TITLES_BESIDE});
    add_left_stack(lay, true);
    box_close(&lay->tree);
    box_close(&lay->tree);
}

/* The title of an upper operand at its left. */
static void add_upper_titles(struct product_layout *lay, const struct view_operand *operand)
{
    const struct product_title title = {
        .view = lay->view, .operand = operand, .cells = lay->upper[0]};
    struct product_title line = title;
    line.in_line = true;
    struct box beside = {.column = LEFT, .columns = 2, .row = ABOVE, .rows = 2};
    beside.until = PRODUCT_TITLES_STACKED;
    add_title(lay, title, beside);
    beside.from = PRODUCT_TITLES_STACKED;
    beside.until = PRODUCT_TITLES_BESIDE;
    beside.column = BETWEEN;
    beside.columns = 1;
    add_title(lay, title, beside);
    box_open(&lay->tree, &(struct box){.kind = BOX_COLUMN,
                                       .from = PRODUCT_TITLES_STACKED,
                                       .column = LEFT,
                                       .columns = 2,
                                       .row = ABOVE,
                                       .rows = 2});
    add_title(lay, line, (struct box){.from = PRODUCT_TITLES_BESIDE});
    box_close(&lay->tree);
}

/* The title of a result at its right, else above it. */
static void add_result_titles(struct product_layout *lay, const struct view_operand *operand)
{
    const struct product_title title = {
        .view = lay->view, .operand = operand, .cells = lay->result[0]};
    struct product_title line = title;
    line.in_line = true;
    add_title(
        lay, title,
        (struct box){
            .until = PRODUCT_TITLE_BESIDE_RESULT, .column = BLOCK + 1, .row = MIDDLE, .rows = 2});
    add_title(lay, line,
              (struct box){.from = PRODUCT_TITLE_BESIDE_RESULT,
                           .column = BLOCK,
                           .columns = 2,
                           .row = MIDDLE,
                           .down = BOX_END});
}

static void add_block(struct product_layout *lay, size_t b)
{
    const struct view_block *const block = &lay->product->block[b];
    const size_t count = product_columns(&block->result);
    const uint8_t column = (uint8_t)(BLOCK + BLOCK_COLUMNS * b);
    const float wide = fmaxf(CELL_WIDE * view_cell_growth(lay->view, lay->area),
                             view_words_column(lay->view, block->column_words, count, CELL_WIDE));
    lay->upper[b] =
        add_cells(lay, &block->upper, wide, (struct box){.column = column, .row = UPPER});
    lay->result[b] =
        add_cells(lay, &block->result, wide, (struct box){.column = column, .row = RESULT});
    view_add_names(&lay->tree,
                   &(struct view_names){.view = lay->view,
                                        .cells = lay->upper[b],
                                        .above = true,
                                        .reaches = b + 1 == lay->product->blocks,
                                        .max = {0, lay->area.h * WORDS_OF_HEIGHT},
                                        .words = {.words = block->column_words,
                                                  .count = count,
                                                  .anchor = CANVAS_CENTRE,
                                                  .chosen = block->column,
                                                  .colour = block->column_colour}},
                   (struct box){.column = column, .row = ABOVE});
    const float beside = b + 1 < lay->product->blocks ? GAP_BLOCKS : EDGE;
    box_add(&lay->tree, &(struct box){.kind = BOX_LEAF,
                                      .column = (uint8_t)(column + 1),
                                      .wide = {beside, beside, beside}});
    if (lay->product->blocks == 1) {
        add_upper_titles(lay, &block->upper);
        add_result_titles(lay, &block->result);
        return;
    }
    add_title(
        lay,
        (struct product_title){
            .view = lay->view, .operand = &block->upper, .cells = lay->upper[b], .in_line = true},
        (struct box){.column = column, .row = TITLES});
    add_title(
        lay,
        (struct product_title){
            .view = lay->view, .operand = &block->result, .cells = lay->result[b], .in_line = true},
        (struct box){.column = column, .row = MIDDLE, .down = BOX_END});
}

/* Sums are not drawn in the presenter view, which needs the room for numbers, nor in a borderless
 * figure, where bars without number or name would say nothing. */
static void add_sums(struct product_layout *lay)
{
    if (lay->product->sums && !lay->view->style.is_far && lay->view->style.has_cards) {
        lay->sums = box_add(&lay->tree, &(struct box){.kind = BOX_LEAF,
                                                      .until = PRODUCT_SUMS,
                                                      .column = LEFT,
                                                      .row = SUMS,
                                                      .high = {VIEW_STRIP_HIGH, 0, 0}});
    }
}

void product_lay_out(struct view *view, const struct view_product *product, struct rect area,
                     struct product_layout *lay)
{
    *lay = (struct product_layout){
        .view = view, .product = product, .area = area, .tree = view_boxes(view, PRODUCT_GIVES)};
    const float inner = INNER_WIDE * view_cell_growth(view, area);
    lay->root = box_open(&lay->tree,
                         &(struct box){.kind = BOX_GRID, .across = BOX_CENTRE, .down = BOX_CENTRE});
    lay->left = add_cells(lay, &product->left, inner, (struct box){.column = LEFT, .row = RESULT});
    struct box gap = {.kind = BOX_LEAF, .column = BETWEEN, .row = MIDDLE};
    gap.wide.min = gap.high.min = GAP_MIN;
    box_add(&lay->tree, &gap);
    gap.until = PRODUCT_WIDE_GAPS;
    gap.wide.min = GAP_WIDE;
    box_add(&lay->tree, &gap);
    gap.until = PRODUCT_TITLES_STACKED;
    gap.wide.min = 0;
    gap.high.min = GAP_HIGH;
    box_add(&lay->tree, &gap);
    for (size_t b = 0; b < product->blocks; b++) {
        add_block(lay, b);
    }
    add_left_titles(lay);
    add_row_names(lay);
    add_sums(lay);
    box_close(&lay->tree);
    box_fit(&lay->tree, lay->root, area);
}
