/* Project: X · W = Q, K and V, side by side if their numbers fit and all come from X; else with
 * tabs. */
#include <math.h>

#include "base/translate.h"
#include "lab/explain/distance.h"
#include "lab/run/flash.h"
#include "lab/run/latent.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/parts/table.h"

enum { PROJECTIONS = 3, LATENT = PROJECTIONS, ABSORB_MAX = 1 << 22 };

/* The projections, in the order of the tabs; the last is the latent row of every token, from which
 * keys and values are rebuilt. */
static const enum lab_part projections[PROJECTIONS + 1] = {LAB_Q, LAB_K, LAB_V, LAB_C};

static bool has_node(const struct view *view, enum lab_part part)
{
    return lab_graph_has(lab_trace_graph(view->trace), part);
}

static size_t selected_projection(const struct view *view)
{
    for (size_t p = 0; p < PROJECTIONS; p++) {
        if (projections[p] == view->selection.projected) {
            return p;
        }
    }
    return 0;
}

/* The source of a projection, and its weights. */
static enum lab_part source_part(const struct view *view, size_t p)
{
    return (enum lab_part)lab_graph_projection(lab_trace_graph(view->trace), projections[p])
        ->input[0];
}

static enum lab_part weights_part(const struct view *view, size_t p)
{
    return (enum lab_part)lab_graph_projection(lab_trace_graph(view->trace), projections[p])
        ->input[1];
}

/* Says whether the rows are keys with tokens of their own. */
static bool rows_are_keys(const struct view *view, size_t p)
{
    return p > 0 && lab_trace_sizes(view->trace).cross;
}

static long chosen_row(const struct view *view, size_t p)
{
    return view_chosen(view, rows_are_keys(view, p) ? view->selection.key : view->selection.query);
}

static struct view_block projection_block(struct view *view, size_t p, bool current)
{
    struct view_block block = {
        .upper = view_operand_of(view, weights_part(view, p)),
        .result = view_operand_of(view, projections[p]),
        .column = VIEW_NOWHERE,
    };
    const size_t columns = block.result.matrix.cols, at = view->selection.channel;
    if (current) {
        block.column = view_chosen(view, p == LATENT && at >= columns ? columns - 1 : at);
    }
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

/* The product of projection p, without its blocks. */
static struct view_product projection_product(struct view *view, size_t p)
{
    struct view_product product = {.left = view_operand_of(view, source_part(view, p)),
                                   .row = chosen_row(view, p),
                                   .row_colour = view->ui->theme->x,
                                   .done = view_done(view)};
    product.left.row = product.row;
    product.left.row_colour = view->ui->theme->x;
    product.row_words = product.left.matrix.row_words;
    product.inner_words = product.left.matrix.column_words;
    return product;
}

bool view_latent_is_shown(const struct view *view)
{
    return view->state->playback.stage == LAB_PROJECT && has_node(view, LAB_C) &&
           view->state->prefs.latent_rows;
}

/* Draws a note beside the tabs, or its brief form where that has no room. */
static void draw_note(struct view *view, struct rect place, const char *id, const char *text,
                      const char *brief)
{
    const bool fits =
        canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_SMALL, tr(text)) <= place.w;
    view_text_whole(view, place.x, place.y + 19, FONT_WORDS, UI_TEXT_SMALL, view->ui->theme->muted,
                    CANVAS_LEFT, tr(fits ? text : brief), place.w);
    ui_tip(view->ui, ui_id(view->ui, id), place, text);
}

/* Draws the note that queries can be multiplied by the latent rows directly, with the measured
 * difference of the scores. */
static void draw_absorbed(struct view *view, struct rect place)
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    struct lab_absorbed absorbed;
    struct error error = {0};
    const bool small = (sizes.d_model + sizes.n) * sizes.d_k * sizes.latent < ABSORB_MAX;
    if (!small || place.w < 120 ||
        !lab_latent_absorb(view->trace, view->selection.head, view->arena, &absorbed, &error)) {
        return;
    }
    const char *const difference = lab_small_number(view->arena, absorbed.difference);
    const char *const text = arena_words(
        view->arena, "Without K: X·(W_Q·W_UKᵀ)·Cᵀ gives the same scores, ±%s", difference);
    const char *const brief = arena_words(view->arena, "without K: same S, ±%s", difference);
    draw_note(view, place, "absorbed", text, brief);
}

/* Draws the note that moving both tokens along the text keeps their score, with the measured
 * spread. */
static void draw_distance(struct view *view, struct rect place)
{
    enum { FURTHER = 16 };
    const struct lab_selection *const at = &view->selection;
    const struct lab_graph *const graph = lab_trace_graph(view->trace);
    if (lab_graph_queries(graph) != LAB_Q || lab_graph_keys(graph) != LAB_K) {
        return; /* the scores are computed from other rows than the rotated ones */
    }
    const float spread = lab_distance_spread(view->trace, at->head, at->query, at->key, FURTHER);
    const char *const difference = lab_small_number(view->arena, spread);
    const char *const text = arena_words(
        view->arena, "Only the distance counts: both words 1 to %d on, S ±%s", FURTHER, difference);
    const char *const brief = arena_words(view->arena, "both words 16 on: S ±%s", difference);
    draw_note(view, place, "distance", text, brief);
}

/* The result of the product before it is rotated by position. */
static struct view_operand before_the_turn(struct view *view, struct view_operand result, size_t p)
{
    const struct view_operand before = view_operand_of(view, p == 0 ? LAB_Q_BEFORE : LAB_K_BEFORE);
    result.matrix = before.matrix;
    result.title = before.title;
    result.tip = before.tip;
    result.part = before.part;
    result.editable = false;
    return result;
}

/* Draws queries or keys after they were rotated by position; returns the area that is left. */
static struct rect draw_turned(struct view *view, size_t p, struct rect area)
{
    const float wide = area.w * 0.32f;
    struct view_table table = {.operand = view_operand_of(view, projections[p]),
                               .row_words = rows_are_keys(view, p) ? lab_trace_keys(view->trace)
                                                                   : lab_trace_queries(view->trace),
                               .column_numbers = true,
                               .formula = "turned by their places",
                               .cell_wide = 62,
                               .cell_high = 42,
                               .done = view_done(view),
                               .id = ui_id_number(view->ui, "turned", p)};
    table.operand.row = chosen_row(view, p);
    table.operand.row_colour = view->ui->theme->x;
    view_table_draw(view, &table, (struct rect){area.x + area.w - wide, area.y, wide, area.h});
    area.w -= wide + 16;
    return area;
}

static const float TABS_HIGH = 38;

/* Draws tabs for the first `count` of Q, K, V and C, and selects a projection that is chosen.
 * Returns what was chosen, or a number that is no tab's. */
static size_t choose_tab(struct view *view, struct rect place, size_t count, size_t now)
{
    static const char *const labels[PROJECTIONS + 1] = {"Q", "K", "V", "C"};
    const size_t chosen = ui_tabs(view->ui, "projection", place, labels, count, now);
    ui_tip(view->ui, ui_id(view->ui, "projection"), place,
           "Which projection is shown: queries, keys, values, or the latent they are made from");
    if (chosen < PROJECTIONS) {
        struct lab_selection to = view->selection;
        to.projected = projections[chosen];
        view_action_select(view, VIEW_PROJECTED, to);
    }
    return chosen;
}

float view_projection_tabs(struct view *view, struct rect area)
{
    if (view->state->playback.stage != LAB_PROJECT || view->state->page != NULL ||
        !view->style.has_controls) {
        return 0;
    }
    const struct rect place = {area.x, area.y, fminf(60 * (float)PROJECTIONS, area.w), 30};
    (void)choose_tab(view, place, PROJECTIONS, selected_projection(view));
    return TABS_HIGH;
}

static void draw_tabs(struct view *view, struct rect area, size_t current)
{
    const size_t count = PROJECTIONS + (has_node(view, LAB_C) ? 1 : 0);
    const struct rect place = {area.x, area.y, fminf(60 * (float)count, area.w), 30};
    const size_t now = view_latent_is_shown(view) ? PROJECTIONS : current;
    const size_t chosen = choose_tab(view, place, count, now);
    if (chosen < count && (chosen == PROJECTIONS) != view_latent_is_shown(view)) {
        view_action_command(view, "latent rows");
    }
    const struct rect beside = {place.x + place.w + 14, place.y, area.w - place.w - 14, 30};
    if (has_node(view, LAB_Q_BEFORE)) {
        draw_distance(view, beside);
    } else if (has_node(view, LAB_C)) {
        draw_absorbed(view, beside);
    }
}

/* Says whether the tabs have free room above the left operand, in the presenter view, where height
 * is scarce. */
static bool tabs_are_free(const struct view *view, struct rect area)
{
    const float wide_enough = 560;
    return view->style.is_far && area.w >= wide_enough && !has_node(view, LAB_Q_BEFORE) &&
           !has_node(view, LAB_C);
}

/* Says whether the rows can only be read if one product has all the room. */
static bool wants_height(const struct view_product *product)
{
    enum { ROWS_MAX = 8 };
    return product->left.matrix.rows + product->left.matrix.cols > ROWS_MAX;
}

/* Chooses what was hit of the product, whose first block is that projection. */
static void choose_hit(struct view *view, const struct view_product *product,
                       const struct view_product_hit *hit, size_t first)
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
        parts = VIEW_CHANNEL | (hit->part == VIEW_PART_RESULT ? row_part : 0u);
    }
    if (hit->part != VIEW_PART_LEFT && p != LATENT) {
        to.projected = projections[p];
        parts |= VIEW_PROJECTED;
    }
    if (hit->part == VIEW_PART_RESULT && p != LATENT) { /* Q₀, where it is turned after this */
        const enum lab_part shown = product->block[hit->block].result.part;
        to.form = shown == projections[p] ? LAB_EMBEDDINGS_X : shown;
        parts |= VIEW_FORM;
    }
    view_choose(view, parts, to, hit->clicked);
}

/* Draws Q, K and V as they are given, without a projection. */
static void draw_given(struct view *view, struct rect area)
{
    const float taken = view_block_way_tabs(view, area);
    area.y += taken;
    area.h -= taken;
    const float gap = 20, wide = (area.w - 2 * gap) / PROJECTIONS;
    for (size_t p = 0; p < PROJECTIONS; p++) {
        struct view_table table = {.operand = view_operand_of(view, projections[p]),
                                   .column_numbers = true,
                                   .cell_wide = 66,
                                   .cell_high = 44,
                                   .done = view_done(view),
                                   .id = ui_id_number(view->ui, "given", p)};
        const bool of_query = p == 0;
        table.row_words = table.operand.matrix.row_words;
        table.column_words = table.operand.matrix.column_words;
        table.operand.row =
            view_chosen(view, of_query ? view->selection.query : view->selection.key);
        table.operand.row_colour = table.operand.colour;
        const struct rect place = {area.x + (float)p * (wide + gap), area.y, wide, area.h};
        const struct view_matrix_hit hit = view_table_draw(view, &table, place).hit;
        if (hit.hover || hit.clicked) {
            struct lab_selection to = view->selection;
            *(of_query ? &to.query : &to.key) = hit.row;
            to.channel = hit.column;
            to.projected = projections[p];
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
    const size_t current = selected_projection(view);
    const bool one_source = !has_node(view, LAB_C) && !lab_trace_sizes(view->trace).cross;
    struct view_product product = projection_product(view, one_source ? 0 : current);
    size_t first = 0;
    product.blocks = one_source ? PROJECTIONS : 1;
    for (size_t p = 0; p < product.blocks; p++) {
        product.block[p] =
            projection_block(view, one_source ? p : current, !one_source || p == current);
    }
    const bool low = view->style.is_far && wants_height(&product);
    if (!one_source || low || has_node(view, LAB_Q_BEFORE) ||
        !view_product_fits(view, &product, area)) {
        if (view->state->page == NULL) { /* a printed page has no controls */
            draw_tabs(view, area, current);
            const float taken = tabs_are_free(view, area) ? 0 : TABS_HIGH;
            area.y += taken;
            area.h -= taken;
        }
        first = view_latent_is_shown(view) ? LATENT : current;
        if (first == LATENT) {
            product = projection_product(view, LATENT);
            product.block[0] = projection_block(view, LATENT, true);
        } else {
            product.block[0] = product.block[one_source ? current : 0];
        }
        product.blocks = 1;
        if (first != LATENT && has_node(view, LAB_Q_BEFORE) && current < 2) {
            product.block[0].result = before_the_turn(view, product.block[0].result, current);
            area = draw_turned(view, current, area);
        }
    }
    const struct view_product_hit hit = view_product_draw(view, &product, area);
    choose_hit(view, &product, &hit, first);
}
