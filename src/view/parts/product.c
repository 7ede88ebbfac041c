/* Draws two factors and their result, with the labels and titles around them. */
#include "base/text.h"
#include "base/translate.h"
#include "view/parts/downsample.h"
#include "view/parts/pieces.h"
#include "view/parts/product_internal.h"
#include "view/parts/scales.h"
#include "view/parts/strips.h"

#include <math.h>
#include <stdio.h>

/* Height of the labels between the left operand and its title, and of that title. */
static const float WORDS_OVER = 22, TITLE_HIGH = 50;

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
        .shrinks =
            operand->shrinks || (view->style.has_controls &&
                                 (product_is_small_window(view) || view->state->learn != NULL)),
        .part = operand->part,
        .tip = operand->tip,
        .derived = operand->derived,
        .head = operand->head,
        .id = id,
    };
}

bool view_product_fits(struct view *view, const struct view_product *product, struct rect area)
{
    const struct product_layout lay = product_lay_out(view, product, area);
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
        arena_format(view->arena, "%zu × %zu", product_rows(operand), product_columns(operand));
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
                                            const struct product_layout *lay)
{
    return (struct view_words){.words = product->inner_words,
                               .count = product_columns(&product->left),
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
                                     float top, struct product_layout *lay)
{
    lay->over_high = fminf(lay->words_high, lay->left.y - top - TITLE_HIGH);
    if (!product->words_over_left || product->blocks > 1 || lay->over_high < WORDS_OVER) {
        return;
    }
    const struct view_operand *const upper = &product->block[0].upper;
    const struct view_words words = left_operand_words(product, lay);
    const float over = fmaxf(WORDS_OVER, view_words_above(view, &words));
    const float highest = lay->left.y - over - TITLE_HIGH;
    const bool beside = lay->left.w / 2 + lay->gap_wide >= product_titles_width(view, product);
    const bool below =
        lay->upper[0].y + lay->upper[0].h / 2 + height_below_title(view, upper) <= highest;
    const bool whole = !view->style.is_far || view_words_whole(view, &words);
    lay->words_over = whole && over <= lay->over_high && (beside || below) ? over : 0;
}

static void draw_titles(struct view *view, const struct view_product *product,
                        const struct product_layout *lay)
{
    view_product_title(view, &product->left, lay->left.x + lay->left.w / 2,
                       lay->left.y - lay->words_over - 30);
    if (product->blocks == 1) {
        const struct view_block *block = &product->block[0];
        const float above = /* above the left operand and its labels */
            lay->left.y - lay->words_over - height_below_title(view, &block->upper);
        view_product_title(view, &block->upper,
                           lay->upper[0].x - product_title_width(view, &block->upper) / 2,
                           fminf(lay->upper[0].y + lay->upper[0].h / 2, above));
        view_product_title(view, &block->result,
                           lay->result[0].x + lay->result[0].w +
                               product_title_width(view, &block->result) / 2,
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
                       const struct product_layout *lay, size_t b)
{
    const struct view_block *block = &product->block[b];
    const float strength = view->ui->theme->dark ? 0.14f : 0.10f;
    const bool has_row = product->row >= 0 && (size_t)product->row < product_rows(&product->left);
    const bool has_column =
        block->column >= 0 && (size_t)block->column < product_columns(&block->result);
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
                       const struct product_layout *lay)
{
    view_words_of_rows(
        view, &(struct view_words){.words = product->row_words,
                                   .count = product_rows(&product->left),
                                   .from = lay->left.y,
                                   .step = lay->row_step,
                                   .at = lay->left.x - 10,
                                   .room = lay->left_max,
                                   .anchor = CANVAS_RIGHT,
                                   .chosen = product->row,
                                   .colour = product->row_colour,
                                   .highlighted = view_pinned_queries(view, &product->left)});
    for (size_t b = 0; b < product->blocks; b++) {
        struct view_words words = product_column_words(product, b, lay);
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
                                                .count = product_rows(upper),
                                                .from = lay->upper[last].y,
                                                .step = lay->inner_step,
                                                .at = lay->upper[last].x + lay->upper[last].w + 10,
                                                .room = lay->right_max,
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
    struct product_layout lay = product_lay_out(view, product, area);
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
    if (product_has_sums(view, product)) {
        view_strips(view, &(struct view_strips){product->left.matrix, lay.left, false, "sums"});
    }
    draw_titles(view, product, &lay);
    draw_words(view, product, &lay);
    return hit;
}
