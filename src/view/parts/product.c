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

bool view_operand_shrinks(const struct view *view, const struct view_operand *operand)
{
    const bool small = view_is_small(view->state, view->ui->input->width, view->ui->input->height);
    return operand->shrinks || (view->style.has_controls && (small || view->state->learn != NULL));
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
        .shrinks = view_operand_shrinks(view, operand),
        .part = operand->part,
        .tip = operand->tip,
        .derived = operand->derived,
        .head = operand->head,
        .id = id,
    };
}

bool view_product_fits(struct view *view, const struct view_product *product, struct rect area)
{
    struct product_layout lay;
    product_lay_out(view, product, area, &lay);
    const enum product_gives first =
        view->style.is_far ? PRODUCT_READABLE_NUMBERS : PRODUCT_LEFT_DECIMALS;
    bool fits = lay.tree.fits;
    for (unsigned g = first; g <= PRODUCT_GIVES; g++) {
        fits = fits && (!box_gave(&lay.tree, g) || g == PRODUCT_READABLE_NAMES);
    }
    return fits;
}

void view_operand_tip(struct view *view, const struct view_operand *operand, struct rect area)
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

const char *product_note(const struct view *view, const struct view_operand *operand)
{
    const char *const typical = view_typical_size(view, operand);
    return typical == NULL && is_without_bias(view, operand->part) ? tr("no bias") : typical;
}

/* Draws title and shape below each other, and a note below them. */
static void draw_title_lines(struct view *view, const struct view_operand *operand, float x,
                             float y, const char *note)
{
    struct canvas *canvas = view->ui->canvas;
    canvas_text(canvas, x, y, FONT_WORDS_BOLD, UI_TEXT_BIG, operand->colour, CANVAS_CENTRE,
                tr(operand->title));
    canvas_text(canvas, x, y + 18, FONT_NUMBERS, UI_TEXT_SMALL, view->ui->theme->muted,
                CANVAS_CENTRE, shape_text(view, operand));
    if (note != NULL) {
        canvas_text(canvas, x, y + 33, FONT_WORDS, UI_TEXT_TINY, view->ui->theme->muted,
                    CANVAS_CENTRE, note);
    }
    if (note != NULL && view_typical_size(view, operand) != NULL) {
        ui_tip(view->ui, ui_id(view->ui, "typical size"), (struct rect){x - 40, y + 22, 80, 15},
               "Up or down: the root of the mean of their squares");
    }
    view_operand_tip(view, operand, (struct rect){x - 30, y - 20, 60, 42});
}

void view_product_title(struct view *view, const struct view_operand *operand, float x, float y)
{
    draw_title_lines(view, operand, x, y, product_note(view, operand));
}

/* Draws title and shape in one line, for products that stand side by side. */
static void draw_title_line(struct view *view, const struct view_operand *operand, float x, float y)
{
    struct canvas *canvas = view->ui->canvas;
    const float wide = canvas_text(canvas, x, y, FONT_WORDS_BOLD, UI_TEXT_TITLE, operand->colour,
                                   CANVAS_LEFT, tr(operand->title));
    canvas_text(canvas, x + wide + 8, y, FONT_NUMBERS, UI_TEXT_SMALL, view->ui->theme->muted,
                CANVAS_LEFT, shape_text(view, operand));
    view_operand_tip(view, operand, (struct rect){x, y - 18, wide + 60, 24});
}

/* A middle as near to that of cells as its room allows. */
static float middle_in(float from, float room, float own, float cells_from, float cells_room)
{
    const float low = from + own / 2, high = fmaxf(low, from + room - own / 2);
    return fmaxf(low, fminf(cells_from + cells_room / 2, high));
}

void product_draw_title(const struct box *box)
{
    static const float BASELINE = 20, LINE_BASELINE = 15; /* below the upper edge */
    const struct product_title *const title = box->user;
    struct view *const view = title->view;
    const struct rect at = box->at, cells = title->cells->at;
    const float wide = box->need[BOX_ACROSS].min - box->left - box->right;
    const float high = box->need[BOX_DOWN].min - box->top - box->bottom;
    const float over = title->in_line ? wide : cells.w; /* a line begins where its cells do */
    const float x = middle_in(at.x, at.w, wide, cells.x, over);
    const float y = middle_in(at.y, at.h, high, cells.y, cells.h) - high / 2;
    if (title->in_line) {
        draw_title_line(view, title->operand, x - wide / 2, y + LINE_BASELINE);
    } else {
        draw_title_lines(view, title->operand, x, y + BASELINE,
                         box_gave(title->tree, PRODUCT_NOTE) ? NULL : title->note);
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
    const struct rect result = lay->result[b]->at, left = lay->left->at, upper = lay->upper[b]->at;
    const float high = lay->left->cell.y, wide = lay->result[b]->cell.x;
    const float row_y = result.y + (float)product->row * high;
    const float column_x = result.x + (float)block->column * wide;
    if (has_row) {
        const float to = has_column ? column_x : result.x + result.w, from = left.x + left.w;
        canvas_rect(view->ui->canvas, (struct rect){from, row_y, to - from, high}, 0,
                    &(struct paint){.fill = colour_fade(product->row_colour, strength)});
    }
    if (has_column) {
        const float to = has_row ? row_y : result.y + result.h, from = upper.y + upper.h;
        canvas_rect(view->ui->canvas, (struct rect){column_x, from, wide, to - from}, 0,
                    &(struct paint){.fill = colour_fade(block->column_colour, strength)});
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

/* Draws one of the matrices; in presenter mode their numbers lose a decimal together. */
static struct view_matrix_hit draw_cells(struct view *view, const struct view_operand *operand,
                                         const struct product_layout *lay, const struct box *box,
                                         size_t number)
{
    struct view_matrix cells =
        view_operand_cells(view, operand, box->at, ui_id_number(view->ui, "matrix", number));
    const bool is_result = number > 0 && number % 2 == 0;
    cells.done = is_result ? lay->product->done : cells.done;
    cells.guessed = is_result;
    const enum product_gives decimals = is_result ? PRODUCT_DECIMALS : PRODUCT_LEFT_DECIMALS;
    if (view->style.is_far && box_gave(&lay->tree, decimals)) {
        cells.decimals = view_matrix_min_decimals(view, cells.decimals);
    }
    return view_matrix_draw(view, &cells);
}

/* Notes whether the results of a figure have no numbers, though they are few. */
static void note_results(struct view *view, const struct product_layout *lay)
{
    enum { FEW_CELLS = 256 };
    const struct view_product *const product = lay->product;
    const bool printed = !view->style.has_controls && !view->style.has_cards &&
                         view->state->prefs.cells.values != VIEW_VALUES_OFF;
    for (size_t b = 0; printed && b < product->blocks; b++) {
        const struct view_operand *const result = &product->block[b].result;
        view_note_lack(view, VIEW_LACKS_RESULT,
                       box_gave(&lay->tree, PRODUCT_RESULT_NUMBERS) &&
                           product_rows(result) * product_columns(result) <= FEW_CELLS);
    }
}

struct view_product_hit view_product_draw(struct view *view, const struct view_product *product,
                                          struct rect area)
{
    struct view_product_hit hit = {0};
    if (product->blocks == 0 || product->left.matrix.values == NULL || area.w < 40 || area.h < 40) {
        return hit;
    }
    struct product_layout lay;
    product_lay_out(view, product, area, &lay);
    hit.rows = lay.left->at;
    note_results(view, &lay);
    size_t banded = 0; /* the block of the chosen cell: only it has a band */
    for (size_t b = 0; b < product->blocks; b++) {
        banded = product->block[b].column >= 0 ? b : banded;
    }
    draw_bands(view, product, &lay, banded);
    record_hit(&hit, VIEW_PART_LEFT, 0, draw_cells(view, &product->left, &lay, lay.left, 0));
    for (size_t b = 0; b < product->blocks; b++) {
        const struct view_block *block = &product->block[b];
        record_hit(&hit, VIEW_PART_UPPER, b,
                   draw_cells(view, &block->upper, &lay, lay.upper[b], 2 * b + 1));
        record_hit(&hit, VIEW_PART_RESULT, b,
                   draw_cells(view, &block->result, &lay, lay.result[b], 2 * b + 2));
    }
    if (lay.sums != NULL && lay.sums->there) {
        view_strips(view, &(struct view_strips){.weights = product->left.matrix,
                                                .cells = lay.left->at,
                                                .name = "sums"});
    }
    box_draw(lay.root);
    return hit;
}
