/* Project: X · W = Q, K and V. Side by side where their numbers fit and all come from X; else
 * behind tabs. */
#include <math.h>

#include "ui/widgets.h"
#include "view/pieces.h"
#include "view/table.h"

enum { PROJECTIONS = 3 };

/* The projections, in the order of the tabs; latent attention rebuilds K and V from C. */
static const struct {
    enum lab_part weights, latent_weights, result;
    const char *tab;
} projections[PROJECTIONS] = {{LAB_W_Q, LAB_W_Q, LAB_Q, "Q"},
                              {LAB_W_K, LAB_W_UK, LAB_K, "K"},
                              {LAB_W_V, LAB_W_UV, LAB_V, "V"}};

static bool is_latent(const struct view *view)
{
    return lab_trace_experiment(view->trace)->kind == LAB_LATENT;
}

static bool has_context(const struct view *view)
{
    return lab_trace_experiment(view->trace)->context != NULL;
}

static size_t projection_of(const struct view *view)
{
    for (size_t p = 0; p < PROJECTIONS; p++) {
        if (projections[p].result == view->selection.projected) {
            return p;
        }
    }
    return 0;
}

/* What a projection starts from. */
static enum lab_part source_of(const struct view *view, size_t p)
{
    return p == 0              ? LAB_EMBEDDINGS_X
           : is_latent(view)   ? LAB_C
           : has_context(view) ? LAB_CONTEXT_X
                               : LAB_EMBEDDINGS_X;
}

/* Whether the rows are keys that have words of their own. */
static bool rows_are_keys(const struct view *view, size_t p)
{
    return p > 0 && has_context(view);
}

static long chosen_row(const struct view *view, size_t p)
{
    return view_chosen(view, rows_are_keys(view, p) ? view->selection.key : view->selection.query);
}

static struct view_block projection_block(struct view *view, size_t p, bool current)
{
    struct view_block block = {
        .upper = view_operand_of(view, is_latent(view) ? projections[p].latent_weights
                                                       : projections[p].weights),
        .result = view_operand_of(view, projections[p].result),
        .column = current ? view_chosen(view, view->selection.channel) : VIEW_NOWHERE,
    };
    block.column_words = block.result.matrix.column_words;
    block.column_colour = block.result.colour;
    if (current) {
        block.upper.column = block.column;
        block.upper.column_colour = block.result.colour;
        block.result.row = chosen_row(view, p);
        block.result.column = block.column;
        block.result.cell = true;
    }
    return block;
}

/* The product that starts from the source of projection p. */
static struct view_product product_from(struct view *view, size_t p)
{
    struct view_product product = {.left = view_operand_of(view, source_of(view, p)),
                                   .row = chosen_row(view, p),
                                   .row_colour = view->ui->theme->x,
                                   .done = view_done(view)};
    product.left.row = product.row;
    product.left.row_colour = view->ui->theme->x;
    product.row_words = product.left.matrix.row_words;
    product.inner_words = product.left.matrix.column_words;
    return product;
}

static void draw_tabs(struct view *view, struct rect area, size_t current)
{
    const char *labels[PROJECTIONS] = {projections[0].tab, projections[1].tab, projections[2].tab};
    const struct rect place = {area.x, area.y, fminf(180, area.w), 30};
    const size_t chosen = ui_tabs(view->ui, "projection", place, labels, PROJECTIONS, current);
    static const char *const tips[] = {"Q = X · W_Q: the queries, what every word looks for",
                                       "K = X · W_K: the keys, how every word can be found",
                                       "V = X · W_V: the values, what every word has to say"};
    ui_tab_tips(view->ui, "projection", place, tips, PROJECTIONS);
    if (chosen < PROJECTIONS) {
        struct lab_selection to = view->selection;
        to.projected = projections[chosen].result;
        view_wish_select(view, VIEW_PROJECTED, to);
    }
}

static void answer(struct view *view, const struct view_product_hit *hit, size_t first)
{
    if (hit->part == VIEW_PART_NONE) {
        return;
    }
    const size_t p = first + hit->block;
    const unsigned row_part = rows_are_keys(view, p) ? VIEW_KEY : VIEW_QUERY;
    struct lab_selection to = view->selection;
    unsigned parts = row_part;
    if (hit->part != VIEW_PART_UPPER) {
        *(row_part == VIEW_KEY ? &to.key : &to.query) = hit->row;
    }
    if (hit->part != VIEW_PART_LEFT) {
        to.channel = hit->column;
        to.projected = projections[p].result;
        parts = VIEW_CHANNEL | VIEW_PROJECTED | (hit->part == VIEW_PART_RESULT ? row_part : 0u);
    }
    view_choose(view, parts, to, hit->clicked);
}

/* Raw Q, K, V: nothing is projected, they are shown as they are given. */
static void draw_given(struct view *view, struct rect area)
{
    const float gap = 20, wide = (area.w - 2 * gap) / PROJECTIONS;
    for (size_t p = 0; p < PROJECTIONS; p++) {
        struct view_table table = {.operand = view_operand_of(view, projections[p].result),
                                   .column_numbers = true,
                                   .cell_wide = 66,
                                   .cell_high = 44,
                                   .done = view_done(view),
                                   .id = ui_id_number(view->ui, "given", p)};
        const bool of_query = p == 0;
        table.row_words = table.operand.matrix.row_words;
        table.operand.row =
            view_chosen(view, of_query ? view->selection.query : view->selection.key);
        table.operand.row_colour = table.operand.colour;
        const struct rect place = {area.x + (float)p * (wide + gap), area.y, wide, area.h};
        const struct view_matrix_hit hit = view_table_draw(view, &table, place).hit;
        if (hit.hover || hit.clicked) {
            struct lab_selection to = view->selection;
            *(of_query ? &to.query : &to.key) = hit.row;
            to.channel = hit.column;
            to.projected = projections[p].result;
            view_choose(view, VIEW_PROJECTED | VIEW_CHANNEL | (of_query ? VIEW_QUERY : VIEW_KEY),
                        to, hit.clicked);
        }
    }
}

void view_stage_project(struct view *view, struct rect area)
{
    if (lab_trace_part(view->trace, LAB_EMBEDDINGS_X, 0).values == NULL) {
        draw_given(view, area);
        return;
    }
    const size_t current = projection_of(view);
    const bool one_source = !is_latent(view) && !has_context(view);
    struct view_product product = product_from(view, one_source ? 0 : current);
    size_t first = 0;
    product.blocks = one_source ? PROJECTIONS : 1;
    for (size_t p = 0; p < product.blocks; p++) {
        product.block[p] =
            projection_block(view, one_source ? p : current, !one_source || p == current);
    }
    if (!one_source || !view_product_fits(view, &product, area)) {
        if (view->state->sheet == NULL) { /* paper has nothing to press */
            draw_tabs(view, area, current);
            area.y += 38;
            area.h -= 38;
        }
        product.block[0] = product.block[one_source ? current : 0];
        product.blocks = 1;
        first = current;
    }
    const struct view_product_hit hit = view_product_draw(view, &product, area);
    answer(view, &hit, first);
}
