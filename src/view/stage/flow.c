/* The whole flow on one page: every matrix small, between its inputs and its results. A click on
 * one goes to its stage. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/translate.h"
#include "lab/experiment/differ.h"
#include "view/parts/downsample.h"
#include "view/parts/pieces.h"
#include "view/parts/scales.h"

enum { COLUMNS_MIN = 8, CARDS_MAX = 2 };

static const float CARD = 3;    /* offset of each card behind a matrix */
static const float GAP = 24;    /* least distance of two columns, for an arrow */
static const float STREAM = 22; /* height above the page, for the residual stream */

/* The layout of the page: the place of each node, and the font sizes below it. */
struct page {
    struct view *view;
    const struct lab_graph *graph;
    struct rect area;
    float left, wide;                       /* left of the first column, width of each */
    float foot, font_size, shape_font_size; /* height and fonts of title and shape below a matrix;
                                               shape_font_size 0: no shapes */
    size_t station[LAB_NODES], stations;    /* the nodes that are shown, from left to right */
    struct view_operand operand[LAB_NODES];
    struct rect cells[LAB_NODES]; /* w 0: not shown */
    float column[LAB_NODES];      /* middle of its column */
    size_t cards[LAB_NODES];      /* cards behind the matrix, one for each other head */
};

/* Says whether a node is shown: it exists, and it is no concatenation of a single head. */
static bool is_shown(const struct lab_graph *graph, size_t node)
{
    return node < LAB_NODES && lab_graph_has(graph, node) &&
           (node != LAB_CONCAT || graph->sizes.heads > 1);
}

/* The right side of a formula: how the scores are scaled. */
static const char *after_equals(const char *formula)
{
    const char *const equals = strstr(formula, "= ");
    return equals == NULL ? formula : equals + 2;
}

/* A font size at which a text is no wider than width_max. */
static float fitted_size(const struct page *page, enum font_face face, float size, float width_max,
                         const char *text)
{
    const float wide = canvas_measure(page->view->ui->canvas, face, size, text);
    return wide > width_max ? size * width_max / wide : size;
}

/* The font size of a node's title. Beside S′ there is room, as its neighbours have short names. */
static float title_size(const struct page *page, size_t node, const char *title)
{
    const float width_max = page->wide * (node == LAB_SCALED ? 1.05f : 0.94f);
    return fitted_size(page, FONT_WORDS_BOLD, page->font_size, width_max, tr(title));
}

/* "×4": how many matrices a node has, if its inputs do not say so already; else "". */
static const char *count_text(const struct page *page, size_t node)
{
    const struct lab_node *const made = &page->graph->node[node];
    bool is_known = false, differs = false;
    for (size_t i = 0; i < made->inputs; i++) {
        const size_t there = page->graph->node[made->input[i]].matrices;
        is_known = is_known || there == made->matrices;
        differs = differs || (there > 1 && there != made->matrices);
    }
    return made->matrices > 1 && (!is_known || differs)
               ? arena_words(page->view->arena, " ×%zu", made->matrices)
               : "";
}

/* The title below a node: its symbol, how many there are, and the formula if the flow would not
 * show it otherwise. */
static const char *node_title(const struct page *page, size_t node)
{
    struct arena *const arena = page->view->arena;
    const char *const formula = lab_graph_formula(page->graph, node, arena);
    const char *symbol = lab_node_row(node)->symbol;
    for (size_t n = 0; n < LAB_NODES; n++) { /* a bias is named with its weights */
        const size_t bias = lab_graph_bias(page->graph, n);
        if (bias != LAB_NODES && page->graph->node[n].input[1] == node) {
            symbol = arena_format(arena, "%s, %s", symbol, lab_node_row(bias)->symbol);
        }
    }
    const bool says_formula = page->graph->node[node].operation == LAB_COPY ||
                              (node == LAB_ALPHA && strstr(formula, "Σ") != NULL);
    const bool is_same = strcmp(after_equals(formula), lab_node_row(LAB_SCORES)->symbol) == 0;
    const char *const longer = node == LAB_SCALED && !is_same ? after_equals(formula) : formula;
    const bool fits = title_size(page, node, longer) > 0.75f * page->font_size;
    return arena_words(arena, "%s%s",
                       (says_formula || node == LAB_SCALED) && fits ? longer : symbol,
                       count_text(page, node));
}

static const char *shape_text(const struct page *page, size_t node)
{
    const struct lab_matrix *const matrix = &page->operand[node].matrix;
    return arena_words(page->view->arena, "%zu × %zu", matrix->rows, matrix->cols);
}

static struct view_operand node_operand(struct view *view, size_t node)
{
    struct view_operand operand =
        view_operand_of(view, node == LAB_SCALED ? LAB_SCORES : (enum lab_part)node);
    if (node == LAB_SCALED) {
        operand.matrix = view_scaled(view, view->selection.head, true);
        operand.masked = true;
    }
    return operand;
}

static void list_stations(struct page *page)
{
    for (unsigned column = 1; column <= UINT8_MAX; column++) {
        for (size_t node = 0; node < LAB_NODES; node++) {
            if (lab_node_row(node)->flow.column == column && is_shown(page->graph, node)) {
                page->station[page->stations++] = node;
            }
        }
    }
}

/* Says whether a station stands right of the one before it. */
static bool begins_column(const struct page *page, size_t i)
{
    return i > 0 && lab_node_row(page->station[i])->flow.column !=
                        lab_node_row(page->station[i - 1])->flow.column;
}

/* Places the columns from left to right. */
static void place_columns(struct page *page)
{
    size_t count = 1, before = 0;
    for (size_t i = 0; i < page->stations; i++) {
        count += begins_column(page, i) ? 1 : 0;
    }
    const size_t room = count < COLUMNS_MIN ? COLUMNS_MIN : count;
    page->wide = page->area.w / (float)room;
    page->left = page->area.x + page->wide * (float)(room - count) / 2;
    for (size_t i = 0; i < page->stations; i++) {
        before += begins_column(page, i) ? 1 : 0;
        page->column[page->station[i]] = page->left + ((float)before + 0.5f) * page->wide;
    }
}

/* Chooses the font sizes. Shapes are left out if three matrices with shapes do not fit below each
 * other, or if a shape could not be read. */
static void choose_font_sizes(struct page *page)
{
    const float low = 300, font_min = 5;
    page->font_size = fmaxf(font_min, fminf(UI_TEXT_BODY, page->wide * 0.3f));
    page->shape_font_size = page->area.h < low ? 0 : UI_TEXT_TINY;
    for (size_t i = 0; i < page->stations && page->shape_font_size > 0; i++) {
        page->shape_font_size = fitted_size(page, FONT_NUMBERS, page->shape_font_size,
                                            page->wide * 0.84f, shape_text(page, page->station[i]));
    }
    page->shape_font_size = page->shape_font_size < font_min ? 0 : page->shape_font_size;
    page->foot = page->shape_font_size > 0 ? 34 : page->font_size + 7;
}

/* Places the cells of a node: as large as its column allows, in the shape of the matrix. */
static struct rect place_cells(const struct page *page, size_t node)
{
    const struct lab_matrix *const matrix = &page->operand[node].matrix;
    const struct lab_node_row *const of = lab_node_row(node);
    const struct rect area = page->area;
    const bool has_other = of->flow.other != 0 && is_shown(page->graph, of->flow.other);
    const float row = has_other ? of->flow.row_with_other : of->flow.row;
    const float above = page->graph->sizes.heads > 1 ? CARD * CARDS_MAX : 0;
    const float third = (area.h - page->foot) * 0.33f; /* from one row of matrices to the next */
    const float across = fminf(page->wide * 0.66f, fmaxf(page->wide - GAP - above, 12));
    const float of_height = page->view->style.is_far ? 0.25f : 0.2f;
    const float side =
        fmaxf(10, fminf(fminf(across, area.h * of_height), third - page->foot - 6 - above));
    const float shape =
        fminf(3.5f, fmaxf(1 / 3.5f, sqrtf((float)matrix->rows / (float)matrix->cols)));
    const float w = shape > 1 ? side / shape : side, h = shape > 1 ? side : side * shape;
    const float y = area.y + row * (area.h - page->foot);
    return (struct rect){page->column[node] - w / 2, y - h / 2, w, h};
}

static void draw_arrow(struct view *view, struct point from, struct point to)
{
    struct canvas *canvas = view->ui->canvas;
    const struct colour colour = view->ui->theme->faint;
    const float dx = to.x - from.x, dy = to.y - from.y, length = sqrtf(dx * dx + dy * dy);
    if (length < 1) {
        return;
    }
    const float ux = dx / length, uy = dy / length, head = fminf(6, length * 0.7f);
    canvas_line(canvas, from.x, from.y, to.x - ux * head, to.y - uy * head, 1.25f, colour);
    const struct point tip[3] = {{to.x, to.y},
                                 {to.x - ux * head - uy * 3, to.y - uy * head + ux * 3},
                                 {to.x - ux * head + uy * 3, to.y - uy * head - ux * 3}};
    canvas_path(canvas, tip, 3, true, &(struct paint){.fill = colour});
}

static float title_width(const struct page *page, size_t node)
{
    const char *const title = node_title(page, node);
    return canvas_measure(page->view->ui->canvas, FONT_WORDS_BOLD, title_size(page, node, title),
                          tr(title));
}

/* The width of title and shape below a matrix. */
static float label_width(const struct page *page, size_t node)
{
    const float shape = page->shape_font_size > 0
                            ? canvas_measure(page->view->ui->canvas, FONT_NUMBERS,
                                             page->shape_font_size, shape_text(page, node))
                            : 0;
    return fmaxf(shape, title_width(page, node));
}

/* Draws the arrow from one matrix to another: across, past the titles of others, or down within a
 * column. */
static void draw_connection(const struct page *page, size_t from, size_t to)
{
    const struct rect a = page->cells[from], b = page->cells[to];
    if (!(a.w > 0) || !(b.w > 0)) {
        return;
    }
    const float behind = CARD * (float)page->cards[from], above = CARD * (float)page->cards[to];
    if (fabsf(a.x + a.w / 2 - b.x - b.w / 2) < 4) {
        draw_arrow(page->view, (struct point){a.x + a.w / 2, a.y + a.h + page->foot + 2},
                   (struct point){b.x + b.w / 2, b.y - 6 - above});
        return;
    }
    const bool level = fabsf(a.y + a.h / 2 - b.y - b.h / 2) < 4;
    const float free =
        level ? b.x
              : fminf(b.x, fmaxf(a.x + a.w + 14, page->column[to] - title_width(page, to) / 2));
    struct point start = {a.x + a.w + 5 + behind, a.y + a.h / 2};
    const struct point end = {free - 6, b.y + b.h / 2};
    const float below = page->column[from] + label_width(page, from) / 2 + 3;
    const float under = a.y + a.h + page->foot; /* bottom of title and shape */
    const float there = start.x + (end.x - start.x) * (under - start.y) / (end.y - start.y);
    if (end.y > under && there < below && below < end.x + 6) { /* past title and shape */
        canvas_line(page->view->ui->canvas, start.x, start.y, below, start.y, 1.25f,
                    page->view->ui->theme->faint);
        start.x = below;
    }
    draw_arrow(page->view, start, end);
}

/* Draws the residual stream, which passes above everything and is added at the end. */
static void draw_stream(const struct page *page)
{
    struct canvas *const canvas = page->view->ui->canvas;
    const struct colour colour = page->view->ui->theme->faint;
    const struct rect a = page->cells[LAB_EMBEDDINGS_X], b = page->cells[LAB_RESIDUAL];
    const float top = page->area.y - STREAM / 2;
    const float x0 = a.x + a.w / 2, x1 = b.x + b.w / 2;
    canvas_line(canvas, x0, a.y - 5, x0, top, 1.25f, colour);
    canvas_line(canvas, x0, top, x1, top, 1.25f, colour);
    draw_arrow(page->view, (struct point){x1, top}, (struct point){x1, b.y - 6});
}

/* Draws the arrows of a node's inputs; a row passes through the weights that are left of the node.
 */
static void draw_inputs(const struct page *page, size_t node)
{
    const struct lab_node *const made = &page->graph->node[node];
    const size_t weights = made->operation == LAB_PRODUCT ? made->input[1] : LAB_NODES;
    const bool through = weights != LAB_NODES && page->column[weights] < page->column[node] - 1;
    for (size_t i = 0; i < made->inputs; i++) {
        size_t from = made->input[i];
        from = from == LAB_CONCAT && !is_shown(page->graph, from) ? LAB_Z : from;
        if (node == LAB_RESIDUAL && i == 0) {
            draw_stream(page);
        } else {
            draw_connection(page, from, through && i == 0 ? weights : node);
        }
    }
}

/* Draws the matrices of other heads as cards behind that of the selected one. */
static void draw_cards(const struct page *page, size_t node)
{
    struct canvas *const canvas = page->view->ui->canvas;
    const struct ui_theme *const theme = page->view->ui->theme;
    const struct rect cells = page->cells[node];
    for (size_t c = page->cards[node]; c > 0; c--) {
        const float off = CARD * (float)c;
        const struct rect card = {cells.x - 2 + off, cells.y - 2 - off, cells.w + 4, cells.h + 4};
        canvas_rect(
            canvas, card, 4,
            &(struct paint){.fill = theme->panel,
                            .stroke = colour_mix(theme->panel, page->operand[node].colour, 0.5f),
                            .width = 1});
    }
}

/* Draws where one head's columns end and the next one's begin. */
static void draw_borders(const struct page *page)
{
    const struct rect cells = page->cells[LAB_CONCAT];
    const size_t heads = page->graph->sizes.heads;
    const float each = cells.w / (float)heads;
    for (size_t h = 1; cells.w > 0 && each > 3 && h < heads; h++) {
        const float x = cells.x + each * (float)h;
        canvas_line(page->view->ui->canvas, x, cells.y, x, cells.y + cells.h, 1.5f,
                    page->operand[LAB_CONCAT].colour);
    }
}

static void draw_station(const struct page *page, size_t node)
{
    struct view *const view = page->view;
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct view_operand *const operand = &page->operand[node];
    const struct rect cells = page->cells[node];
    const uint32_t id = ui_id_number(view->ui, "station", node);
    const struct rect place = {cells.x - 6, cells.y - 6, cells.w + 12, cells.h + page->foot + 10};
    const char *const title = node_title(page, node);
    const struct view_matrix matrix = {
        .matrix = operand->matrix,
        .area = cells,
        .label = title,
        .is_share = operand->is_share,
        .row_axis = operand->row_axis,
        .column_axis = operand->column_axis,
        .part = operand->part,
        .head = operand->head,
        .peak = view_scale_peak(view, operand->part, operand->head, &operand->matrix),
        .outline = operand->colour,
        .row = VIEW_NOWHERE,
        .column = VIEW_NOWHERE,
        .masked = operand->masked,
        .done = 1,
        .id = ui_id_number(view->ui, "small", node)};
    draw_cards(page, node);
    view_matrix_draw(view, &matrix);
    const float x = cells.x + cells.w / 2, y = cells.y + cells.h;
    canvas_text(canvas, x, y + page->font_size + 6, FONT_WORDS_BOLD, title_size(page, node, title),
                operand->colour, CANVAS_CENTRE, tr(title));
    if (page->shape_font_size > 0) {
        canvas_text(canvas, x, y + 33, FONT_NUMBERS, page->shape_font_size, theme->muted,
                    CANVAS_CENTRE, shape_text(page, node));
    }
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    if (touch.hover) {
        canvas_rect(canvas, place, 6, &(struct paint){.stroke = theme->accent, .width = 1.5f});
    }
    ui_draw_focus(view->ui, id, place, 6);
    ui_tip(view->ui, id, place, view_tip_of(view, node));
    if (touch.clicked) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_STAGE,
                                                .stage = lab_node_row(node)->stage});
    }
}

/* Draws a frame around scores and weights that are computed tile by tile. */
static void draw_tiles_frame(const struct page *page)
{
    const struct rect from = page->cells[LAB_SCORES], to = page->cells[LAB_ALPHA];
    const struct ui_theme *const theme = page->view->ui->theme;
    if (page->graph->experiment->flash_rows == 0 || !(from.w > 0)) {
        return;
    }
    const struct rect frame = {from.x - 9, from.y - 22, to.x + to.w + 20 - from.x,
                               from.h + page->foot + 46};
    canvas_rect(page->view->ui->canvas, frame, 8,
                &(struct paint){.stroke = theme->faint, .width = 1, .dash = 3, .gap = 3});
    canvas_text(page->view->ui->canvas, frame.x + frame.w / 2, frame.y + frame.h - 8, FONT_WORDS,
                UI_TEXT_TINY, theme->muted, CANVAS_CENTRE, tr("tile by tile"));
}

static void draw_flow(struct view *view, struct rect area)
{
    struct page page = {.view = view, .graph = lab_trace_graph(view->trace), .area = area};
    if (is_shown(page.graph, LAB_RESIDUAL)) {
        page.area.y += STREAM;
        page.area.h -= STREAM;
    }
    list_stations(&page);
    for (size_t i = 0; i < page.stations; i++) {
        const size_t node = page.station[i], others = page.graph->node[node].matrices - 1;
        page.operand[node] = node_operand(view, node);
        page.cards[node] = others < CARDS_MAX ? others : CARDS_MAX;
    }
    place_columns(&page);
    choose_font_sizes(&page);
    for (size_t i = 0; i < page.stations; i++) {
        page.cells[page.station[i]] = place_cells(&page, page.station[i]);
    }
    draw_tiles_frame(&page);
    for (size_t i = 0; i < page.stations; i++) {
        draw_inputs(&page, page.station[i]);
    }
    for (size_t i = 0; i < page.stations; i++) {
        draw_station(&page, page.station[i]);
    }
    draw_borders(&page);
}

/* Draws one of two flows, with its name and how it differs from the other. */
static void draw_side(struct view *view, const char *name, const char *differs, struct rect area)
{
    const float line = 20;
    const float wide =
        view_text_whole(view, area.x, area.y + 12, FONT_WORDS_BOLD, UI_TEXT_BODY,
                        view->ui->theme->ink, CANVAS_LEFT, tr(name), area.w)
            ? area.w
            : canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, tr(name)) + 12;
    view_text_whole(view, area.x + wide, area.y + 12, FONT_WORDS, UI_TEXT_SMALL,
                    view->ui->theme->muted, CANVAS_LEFT, differs, area.w - wide);
    ui_push(view->ui, name);
    draw_flow(view, (struct rect){area.x, area.y + line, area.w, area.h - line});
    ui_pop(view->ui);
}

static const float SIDES_APART = 10;

/* Says whether two flows of three rows of matrices with titles fit below each other. */
static bool both_flows_fit(struct rect area)
{
    static const float HALF_MIN = 190; /* height of a flow with its line above */
    return (area.h - SIDES_APART) / 2 >= HALF_MIN;
}

/* Draws the present flow and the kept one below it. */
static void draw_both_flows(struct view *view, struct rect area)
{
    const struct lab_trace *const now = view->trace;
    const struct lab_experiment *const experiment = view->experiment;
    const struct lab_selection selection = view->selection;
    const float gap = SIDES_APART, half = (area.h - gap) / 2;
    const size_t heads = lab_trace_sizes(view->baseline).heads;
    draw_side(view, "A, now", view_side_label(view, now, view->baseline, VIEW_SIDE_NOW),
              (struct rect){area.x, area.y, area.w, half});
    const char *const kept = view_side_label(view, now, view->baseline, VIEW_SIDE_KEPT);
    view->trace = view->baseline;
    view->experiment = lab_trace_experiment(view->baseline);
    view->selection.head = selection.head < heads ? selection.head : heads - 1;
    draw_side(view, "B, kept", kept, (struct rect){area.x, area.y + half + gap, area.w, half});
    view->trace = now;
    view->experiment = experiment;
    view->selection = selection;
}

void view_flow(struct view *view, struct rect area)
{
    if (view->baseline == NULL || view->state->compare == VIEW_COMPARE_NOT) {
        draw_flow(view, area);
    } else if (view->state->compare == VIEW_COMPARE_SIDE) {
        if (both_flows_fit(area)) {
            draw_both_flows(view, area);
        } else {
            draw_side(view, "A, now",
                      view_side_label(view, view->trace, view->baseline, VIEW_SIDE_NOW), area);
        }
    } else {
        view_notice(view, area, "No difference",
                    "A − B is of one matrix: go to a stage to see it. A | B shows both flows.");
    }
}
